"""Rules, "What happens": the Deer steals, squashes Shrews and leaps over all but the Train."""

from ...rows import rows


@rows("victim", "hdfw")
def test_deer_steals_the_lunch_of_an_enemy(side, victim):
    assert side.after(f"Df1 {victim}e3", "Df1e3") == f"-{victim}e3 De3"


def test_deer_steals_the_lunch_of_the_bear(side):
    assert side.after("Dd4 be6", "Dd4e6") == "-be6 De6"


def test_deer_that_steals_from_a_skunk_is_sprayed(side):
    assert side.after("Df1 se3", "Df1e3") == "*-De3 -se3"


@rows("others", ["te3", "-he3", "He3", "me3", "-se3 -we3", "*te3"])
def test_deer_steals_nothing_where_no_enemy_has_a_lunch(side, others):
    assert side.after(f"Df1 {others}", "Df1e3") == " ".join(sorted(f"De3 {others}".split()))


@rows(
    ("others", "choice", "after"),
    [
        ("he3 we3", "h", "-he3 De3 we3"),
        ("he3 we3", "w", "-we3 De3 he3"),
        ("he3 se3 -de3", "s", "*-De3 -de3 -se3 he3"),
        ("he3 se3 -de3", "h", "-de3 -he3 De3 se3"),
    ],
)
def test_deer_steals_one_lunch_of_its_choice(side, others, choice, after):
    assert side.after(f"Df1 {others}", "Df1e3", choice) == after


def test_deer_must_steal_from_the_only_candidate(side):
    assert side.after("Df1 -he3 we3 te3 He3", "Df1e3") == "-he3 -we3 De3 He3 te3"


@rows("shrews", ["Pe3", "pe3", "Pe3 pe3 pe3 *pe3"])
def test_deer_squashes_all_shrews_of_both_sides(side, shrews):
    assert side.after(f"Df1 {shrews}", "Df1e3") == "De3"
    assert side.after(f"Df1 {shrews} he3", "Df1e3") == "-he3 De3"
    assert side.after(f"Df1 {shrews} he3 we3", "Df1e3", "w") == "-we3 De3 he3"


def test_deer_squashes_shrews_and_nobody_else(side):
    assert side.after("Df1 Me3 me3 te3 Te3 pe3", "Df1e3") == "De3 Me3 Te3 me3 te3"


def test_deer_squashes_nobody_on_its_way(side):
    assert side.after("Df1 Pf2 pf3 pe2", "Df1e3") == "De3 Pf2 pe2 pf3"


def test_lunchless_deer_may_not_enter_an_occupied_square(side):
    assert side.targets("-Df1 pe3 pg3", "-Df1") == "b3 d2 h2 z4"


def test_deer_already_there_steals_nothing(side):
    assert side.legal("De3 he3") == side.legal("De3")
    assert side.after("De3 he3 Mb2", "Mb2a1") == "De3 Ma1 he3"


def test_deer_leaps_over_critters(side):
    obstacles = "Pe2 pf2 pg2 Tf3 te1"
    reached = side.targets("Df1", "Df1").split()
    assert set(reached) >= {"d2", "e3", "g3", "h2"}
    assert set(side.targets(f"Df1 {obstacles}", "Df1").split()) == set(reached)


@rows(
    ("start", "end", "phase", "free"),
    [
        ("a3", "b5", 9, False),  # over a4; the Train is on a4 and b4
        ("a3", "b5", 8, True),
        ("a3", "c4", 9, True),  # over b3
        ("f3", "g5", 3, True),  # over f4; the Train is on g4 and h4
        ("f3", "g5", 4, False),
        ("f3", "e5", 5, False),
        ("f5", "g3", 4, False),
        ("f5", "e3", 4, False),
        ("e4", "g5", 4, False),  # over f4, not f5
        ("e4", "g3", 4, False),
        ("h4", "f3", 4, False),
        ("h4", "f5", 4, False),
        ("d4", "f5", 4, True),  # over e4; the Train is on f4 and g4
        ("d4", "f3", 4, True),
        ("f2", "e4", 4, True),
        ("f6", "e4", 4, True),
        ("e3", "g4", 5, True),  # over f3, not f4
        ("e5", "g4", 5, True),
        ("a3", "z5", 9, False),  # over a4
        ("h3", "x5", 2, False),
        ("h3", "x5", 4, True),
    ],
)
def test_leap_passes_the_square_one_step_in_its_longer_direction(side, start, end, phase, free):
    mover = f"D{start}"
    assert (end in side.targets(mover, mover, phase=phase).split()) is free


@rows(
    ("phase", "reached"),
    [(4, "f3"), (18, "f3"), (1, "f3 g5 h7"), (17, "f3 g5 h7")],
)
def test_every_leap_of_the_ride_obeys_the_train(side, phase, reached):
    ride = {"f3", "g5", "h7"}
    targets = set(side.targets("Bh1 De1", "De1", phase=phase).split())
    assert " ".join(sorted(targets & ride)) == reached
