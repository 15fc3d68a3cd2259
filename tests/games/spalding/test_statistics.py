"""What is counted in games of Captain Spalding Chess."""

from pasgl_env import Position
from pasgl_env.games.spalding.rules.board import NAMES
from pasgl_env.games.spalding.rules.state import BOX, KINDS, LINT

from ...playtest.counters import counted, played
from ...rows import rows
from ...suites import SUITES
from .positions import fields, place


def counts(name, pieces, labels, **rest):
    return counted(Position.from_text("spalding", place(pieces, **rest)), *labels.split()).words(
        name
    )


@rows(
    ("pieces", "labels", "found", "made"),
    [
        ("Xe1", "Xe1-e2", "", ""),
        ("Xe1", "Xe1-e2 /Rd3", "0 Rhino", ""),
        ("Xe1", "Xe1-e2 /Cd3", "0 Crumb", ""),
        ("Xe1 Cd3", "Xe1-e2 /Md3", "0 Crumb", "0 Cookie Monster"),
        ("Xe6", "Xe6-e7 /Wd8", "0 Bat", "0 Booh"),
        ("Xe6", "Xe6-e7 /Vd6", "0 Bat", ""),
        ("Pa1", "Pa1-a2 /La3", "0 Elephant", ""),
        ("Pa1 Na3", "Pa1-a2 /Ba3", "0 Lint", "0 Dust Bunny"),
        ("Ja1", "Ja1-a2 /Ea3", "0 Great Elephant", ""),
        ("Ja1", "Ja1-a2 /Ba3", "0 Dust Bunny", ""),
        ("Ja1 Ba3", "Ja1-a2 /Da3", "0 Dust Bunny", "0 Dust Demon"),
    ],
)
def test_what_is_found_and_what_it_becomes(pieces, labels, found, made):
    assert counts("found", pieces, labels, left="RHErhe") == found
    assert counts("made", pieces, labels, left="RHErhe") == made


@rows(
    ("pieces", "label", "moved"),
    [
        ("Rd4", "Rd4-d5", "0 Rhino"),
        ("Bd4", "Bd4-d5", "0 Dust Bunny"),
        ("Xe1", "Xe1-e2", "0 Box"),
    ],
)
def test_what_is_moved(pieces, label, moved):
    assert counts("moves", pieces, label) == moved
    assert counts("turns_begun", pieces, label, turns=19) == "0 turns 1-20"
    assert counts("turns_begun", pieces, label, turns=20) == "0 turns 21-60"
    assert counts("turns_begun", pieces, label, turns=60) == "0 later"


def test_the_great_pajama_that_has_nothing_but_bunnies():
    assert counts("spent_great_moves", "Ja1", "Ja1-a2", left="RHrhe") == "0"
    assert counts("spent_great_moves", "Ja1", "Ja1-a2", left="E") == ""
    assert counts("spent_great_moves", "Pa1", "Pa1-a2", left="-") == ""


@rows(
    ("pieces", "label", "captor", "lost", "neutral", "box"),
    [
        ("Rd4 vd5", "Rd4xd5", "0 Rhino", "1 Bat", "", ""),
        ("Rd4 md5", "Rd4xd5", "0 Rhino", "1 Cookie Monster", "", ""),
        ("Rd4 Nd5", "Rd4xd5", "0 Rhino", "", "0 Lint", ""),
        ("Rd4 Dd5", "Rd4xd5", "0 Rhino", "", "0 Dust Demon", ""),
        ("Dd4 vd5", "Dd4xd5", "0 Dust Demon", "1 Bat", "", ""),
        ("Ld4 xd5", "Ld4xd5", "0 Elephant", "1 Box", "", "0 Elephant"),
        ("Rd4 vd5", "Rd4-d3", "", "", "", ""),
    ],
)
def test_who_captures_what(pieces, label, captor, lost, neutral, box):
    names = ("captures", "lost", "neutrals_taken", "box_taken_by")
    found = tuple(counts(name, pieces, label) for name in names)
    assert found == (captor, lost, neutral, box)
    assert counts("captures_on", pieces, label) == ("d5" if captor else "")


@rows(
    ("pieces", "label", "eaten", "fed"),
    [
        ("Rd3 Me5", "Rd3-d4", "0 Rhino", "0"),
        ("Rd3 Me5 mc5", "Rd3-d4", "0 Rhino", "0; 1"),
        ("Bd3 me5", "Bd3-d4", "0 Dust Bunny", "1"),
        ("Vd7 me7", "Vd7-d8", "0 Bat", "1"),
        ("Rd3 md4 me5", "Rd3xd4", "0 Rhino", "1"),
        ("Rd3 md4", "Rd3xd4", "", ""),
        ("Rd2 Me5", "Rd2-d3", "", ""),
    ],
)
def test_feeding_monsters(pieces, label, eaten, fed):
    assert counts("eaten", pieces, label) == eaten
    assert counts("monsters_fed", pieces, label) == fed


def test_promotions():
    assert counts("promotions", "Vd7", "Vd7-d8") == "0"
    assert counts("promotions", "Vd6", "Vd6-d7") == ""
    assert counts("promotions", "Vd7 me7", "Vd7-d8") == ""


@rows(
    ("pieces", "label", "answer"),
    [
        ("Xe1 ee2", "Xe1-d1", "moves the Box"),
        ("Xe1 Rd2 ee2", "Rd2xe2", "captures"),
        ("Xe1 Pb1 ee2", "Pb1-b2", "brings out"),
        ("Xe1 Rd2 ee2", "Rd2-d3", "otherwise"),
        ("Xe1 Rd2 ee4", "Rd2-d3", None),
        ("Xe1 Rd2 he3", "Rd2-d3", None),
    ],
)
def test_attacks_on_the_box_and_their_answers(pieces, label, answer):
    assert counts("attacked", pieces, label) == ("0 turns 1-20" if answer else "")
    assert counts("answers", pieces, label) == (f"0 {answer}" if answer else "")


def test_in_steered_games_the_counts_add_up():
    attacked = 0
    for game in played(SUITES["spalding"], 1, 6, most_actions=60):
        check_pieces(game)
        check_turns(game)
        attacked += check_attacks(game)
    assert attacked


def check_pieces(game):
    """Every piece comes and goes by what is counted."""
    then, now = (game.positions[index].state[0].number.astype(int) for index in (0, -1))
    change, counted = now - then, game.counted
    for seat in range(2):
        found, made, lost, eaten = (
            counted.array(name)[seat] for name in ("found", "made", "lost", "eaten")
        )
        promoted, fed = counted.array("promotions")[seat], counted.array("monsters_fed")[seat]
        assert change[KINDS * seat + 1 : KINDS * seat + KINDS + 1].tolist() == [
            *-lost[:3],
            found[0] - lost[3] - eaten[0],
            found[1] - lost[4] - eaten[1],
            found[2] - made[0] - promoted - lost[5] - eaten[2],
            made[0] + promoted - lost[6] - eaten[3],
            found[3] - 2 * made[1] - lost[7],
            made[1] - lost[8] - fed,
            found[4] - lost[9] - eaten[4],
            found[6] - lost[10] - eaten[5],
        ]
    found, made, eaten, taken = (
        counted.array(name).sum(axis=0) for name in ("found", "made", "eaten", "neutrals_taken")
    )
    assert change[LINT:-1].tolist() == [
        found[5] - 2 * made[2] - taken[0],
        found[7] + made[2] - 2 * made[3] - eaten[6],
        made[3] - taken[1] - eaten[7],
    ]
    assert counted.array("captures").sum() == counted.array("captures_on").sum()
    assert counted.array("captures").sum() == counted.array("lost").sum() + taken.sum()
    assert counted.array("box_taken_by").sum() == counted.array("lost")[:, 0].sum()


def check_turns(game):
    begun = sum(not position.in_turn for position in game.positions[: len(game.actions)])
    assert game.counted.array("turns_begun").sum() == begun
    assert game.counted.array("moves").sum() == begun
    assert game.counted.array("answers").sum() == game.counted.array("attacked").sum()


def check_attacks(game):
    """A Box is attacked if the enemy could capture it, were it the enemy's turn."""
    attacked = 0
    for position in game.positions[: len(game.actions)]:
        if not position.in_turn:
            now = fields(position)
            other = {"w": "b", "b": "w"}[now.mover]
            turned = Position.from_text("spalding", f"{now.board} {other} {now.left} {now.turns}")
            attacked += any(
                label.endswith(f"x{box_of(position)}") for label in turned.legal_moves()
            )
    assert game.counted.array("attacked").sum() == attacked
    return attacked


def box_of(position):
    """The square of the Box of the player to move."""
    state = position.state[0]
    return NAMES[state.board.tolist().index(BOX + KINDS * state.mover)]
