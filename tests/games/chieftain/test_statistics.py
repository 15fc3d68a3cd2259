"""What is counted in games of Chieftain's family."""

from itertools import pairwise

from benchmarks.branching import command_shares
from pasgl_env import Position
from pasgl_env.games.chieftain.rules.board import PLANES
from pasgl_env.games.chieftain.rules.legal import LAST_PLANE, PASS

from ...playtest.counters import check_squares, counted, played
from ...rows import rows
from ...suites import SUITES
from .positions import place

STAGE = {19: "turns 1-20", 20: "turns 21-60", 60: "later"}


def counts(name, pieces, labels, turns=0, **options):
    board = place(pieces)
    position = Position.from_text("chieftain", f"{board} w 0 {turns}", setup=board, **options)
    return counted(position, *labels.split(",")).words(name)


@rows("turns", STAGE)
def test_moves_and_orders_by_stage(turns):
    pieces, labels = "Ca1 Cb1 Ma2 ch8", "Ma2-a3,by a1,Cb1-b2"
    stage = STAGE[turns]
    assert counts("turns_begun", pieces, labels, turns) == f"0 {stage}"
    assert counts("orders", pieces, labels, turns) == f"2 times 0 {stage}"
    assert counts("orders", pieces, labels, turns, activations=2) == f"4 times 0 {stage}"
    assert counts("moves_by_stage", pieces, labels, turns) == f"2 times 0 {stage}"
    assert counts("moves", pieces, labels, turns) == "0 Chieftain; 0 Man"


@rows(("turns", "orders"), [(0, "0 turns 1-20"), (1, "2 times 0 turns 1-20")])
def test_orders_are_those_that_the_first_turn_allows(turns, orders):
    limited = {"first_turn_orders": 1}
    assert counts("orders", "Ca1 Cb1 Ma2 ch8", "Ma2-a3,by a1", turns, **limited) == orders


def test_a_move_is_counted_when_its_commander_is_named():
    assert counts("moves", "Ca1 Cb1 Ma2 ch8", "Ma2-a3") == ""
    assert counts("moves", "Ca1 Cb1 Ma2 ch8", "Ma2-a3,by a1") == "0 Man"


def test_passes():
    crowd = "Ca1 Ma2 Mb1 Mb2 Ma3 Mb3 Mc1 Mc2 Mc3 ch8"
    assert counts("passes", crowd, "pass", command_range=1) == "0"
    assert counts("passes", crowd, "Ma3-a4") == ""
    assert counts("passes", "Ca1 Cb1 Ma2 ch8", "Ma2-a3,by a1,end") == ""


@rows(
    ("pieces", "labels", "captor", "lost"),
    [
        ("Na1 Ca2 nb3 ch8", "Na1xb3", "0 Knight", "1 Knight"),
        ("Na1 Ca2 cb3 ch8", "Na1xb3", "0 Knight", "1 Chieftain"),
        ("Na1 Ca2 Cb2 hb3 ch8", "Na1xb3,by a2", "0 Knight", "1 Hero"),
        ("Na1 Ca2 cb3", "Na1xb3", "0 Knight", "1 Chieftain"),
        ("Na1 Ca2 ch8", "Na1-b3", "", ""),
    ],
)
def test_captures(pieces, labels, captor, lost):
    assert counts("captures", pieces, labels) == captor
    assert counts("captures_on", pieces, labels) == ("b3" if captor else "")
    assert counts("lost", pieces, labels) == lost


@rows(
    ("turns", "period"), [(0, "turns 1-10"), (9, "turns 1-10"), (10, "turns 11-20"), (777, "later")]
)
def test_when_chieftains_are_lost(turns, period):
    assert counts("chieftains_lost", "Na1 Ca2 cb3 ch8", "Na1xb3", turns) == f"1 {period}"
    assert counts("chieftains_lost", "Na1 Ca2 nb3 ch8", "Na1xb3", turns) == ""


@rows(
    ("pieces", "label", "activations", "found"),
    [
        ("Ca1 Ma4 Ha5 ch8", "Ma4-b4", 1, (3, 2, 3, 1, 0)),
        ("Ca1 Ma2 Mb1 Mb2 Mh1 ch8", "Ma2-a3", 1, (5, 4, 4, 1, 0)),
        ("Ca1 Ha2 ch8", "Ca1-b1", 2, (2, 2, 2, 0, 0)),
        ("Ca1 Hh1 ch8", "Ca1-a2", 2, (2, 1, 2, 1, 1)),
        ("Ca1 ch8", "Ca1-a2", 2, (1, 1, 1, 0, 0)),
    ],
)
def test_what_command_lets_move(pieces, label, activations, found):
    board = place(pieces)
    position = Position.from_text(
        "chieftain", f"{board} w 0 0", setup=board, activations=activations
    )
    names = ("pieces", "under_command", "movable", "held_back", "short_turns")
    result = counted(position, label)
    assert tuple(result.array(name).sum() for name in names) == found


def test_in_steered_games_the_counts_add_up():
    held_back = 0
    for game in played(SUITES["chieftain"], 1, 6, most_actions=40):
        check_moves(game)
        check_beginnings(game)
        held_back += game.counted.array("held_back").sum()
    assert held_back


def check_moves(game):
    """A move takes a piece from its square, and a capture one from the board."""
    moves = captures = 0
    for before, after in pairwise(game.positions):
        then, now = before.state[0].board, after.state[0].board
        moves += (then != now).any()
        captures += (then != 0).sum() - (now != 0).sum()
    counted = game.counted
    assert counted.array("moves").sum() == counted.array("moves_by_stage").sum() == moves
    assert counted.array("captures").sum() == counted.array("lost").sum() == captures
    check_squares(game, captures)
    assert counted.array("chieftains_lost").sum() == counted.array("lost")[:, 0].sum()


def check_beginnings(game):
    """What is under command, and what could move if all were."""
    begun = [position for position in game.positions[: len(game.actions)] if not position.in_turn]
    commanded = movable = passes = 0
    for position in begun:
        state, squares = position.state, int(position.options_record["squares"][0])
        own = sum(int(files).bit_count() for files in state[0].occupants[state[0].mover])
        commanded += round(command_shares(state)[0] * own)
        passes += position.legal_actions() == [LAST_PLANE * squares + PASS]
        options = position.options | {"command_range": 23, "leader_range": 23}
        everywhere = Position.from_text(position.variant, position.text, **options)
        moves = [action for action in everywhere.legal_actions() if action < PLANES * squares]
        movable += len({action % squares for action in moves})
    counted = game.counted
    assert counted.array("turns_begun").sum() == len(begun)
    assert counted.array("under_command").sum() == commanded
    assert counted.array("movable").sum() == movable
    assert counted.array("passes").sum() == passes
    assert (counted.array("held_back") <= counted.array("movable")).all()
