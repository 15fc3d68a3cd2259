"""Rules, "What happens": the Hunter shoots."""

from ...rows import rows


@rows(
    ("critters", "shots"),
    [
        ("Hd4 hd1 dd7 fa4 wg4", "a4 d1 d7 g4"),
        ("Hd4 hd5", "d5"),
        ("Hd4 hd6", "d6"),
        ("Hd4 hd7", "d7"),
        ("Hd4 hd8", ""),
        ("Hd4 hf6 de5 fc3", ""),
        ("Hd4 td4", ""),
    ],
)
def test_hunter_shoots_rookwise_within_three(side, critters, shots):
    assert side.targets(critters, "Hd4:") == shots


@rows("victim", ["h", "d", "f", "w", "t", "-h", "*t", "*-w"])
def test_shot_kills_and_the_hunter_stays(side, victim):
    assert side.after(f"Hd4 {victim}d6", "Hd4:d6") == "Hd4"


def test_shot_may_kill_the_bear(side):
    position = side.position("Hd4 bd6", "Hd4:d6")
    assert position.is_over


@rows("tiny", ["m", "p", "*m"])
def test_hunter_cannot_shoot_tiny_critters(side, tiny):
    assert side.targets(f"Hd4 {tiny}d6", "Hd4:") == ""


@rows("friend", ["T", "P", "M", "D"])
def test_hunter_cannot_shoot_friends(side, friend):
    assert side.targets(f"Hd4 {friend}d6", "Hd4:") == ""


@rows("nearer", ["T", "P", "m", "p"])
def test_friends_and_tiny_critters_on_a_nearer_square_block(side, nearer):
    assert side.targets(f"Hd4 {nearer}d5 td6", "Hd4:") == ""


def test_hunter_shoots_at_the_first_occupied_square_only(side):
    assert side.targets("Hd4 hd5 td6", "Hd4:") == "d5"


@rows("beside", ["T", "P", "m", "p", "T P m p"])
def test_friends_and_tiny_critters_on_the_same_square_do_not_block(side, beside):
    beside = " ".join(f"{symbol}d6" for symbol in beside.split())
    assert side.after(f"Hd4 td6 {beside}", "Hd4:d6") == " ".join(sorted(f"Hd4 {beside}".split()))


def test_critters_on_the_square_of_the_hunter_do_not_block(side):
    assert side.targets("Hd4 Td4 pd4 td6", "Hd4:") == "d6"


@rows(("phase", "shots"), [(4, ""), (5, ""), (3, "f6"), (6, "f6")])
def test_hunter_does_not_shoot_through_the_train(side, phase, shots):
    assert side.targets("Hf3 tf6", "Hf3:", phase=phase) == shots


def test_hunter_needs_its_lunch(side):
    assert side.targets("-Hd4 td6", "-Hd4:") == ""


@rows(
    ("critters", "choice", "after"),
    [
        ("Hd4 td6 hd6", "h", "Hd4 td6"),
        ("Hd4 td6 hd6", "t", "Hd4 hd6"),
        ("Hd4 td6 td6", "t", "Hd4 td6"),
        ("Hd4 td6 *td6", "*t", "Hd4 td6"),
        ("Hd4 -wd6 td6 md6", "-w", "Hd4 md6 td6"),
    ],
)
def test_one_enemy_dies_and_the_shooter_chooses(side, critters, choice, after):
    assert side.after(critters, "Hd4:d6", choice) == after


def test_shot_skunk_sprays(side):
    assert side.after("Hd4 sd6 Td6 Tc5 Fd7", "Hd4:d6") == "*-Fd7 *Tc5 *Td6 Hd4"


def test_shot_skunk_sprays_a_hunter_beside_it(side):
    assert side.after("Hd4 sd5", "Hd4:d5") == "*-Hd4"


def test_stinky_hunter_with_lunch_shoots_and_still_stinks(side):
    # Threatened by the other Hunter, White is not compelled.
    assert side.after("*Hd3 td5 Th1 hh3", "*Hd3:d5") == "*Hd3 Th1 hh3"
