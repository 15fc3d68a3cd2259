"""Rules, "Cookie Monsters": who wakes them, and whom they eat."""

from ...rows import rows

MONSTER = rows("monster", "Mm")
AROUND_E4 = "d3 d4 d5 e3 e5 f3 f4 f5".split()
# From where each piece that is no container goes to e4.
TO_E4 = ["Rd2", "Hd2", "Re3", "He3", "Ve3", "We1", "Ld3", "Ec2", "Bd3", "Dc2", "Dd3"]


# Who wakes them.


@MONSTER
@rows("mover", TO_E4)
def test_whoever_ends_a_move_next_to_a_monster_vanishes_with_it(side, mover, monster):
    assert side.after(f"{mover} {monster}f5 Ca1", f"{mover}-e4") == "Ca1"


@MONSTER
@rows("square", AROUND_E4)
def test_all_squares_next_to_a_monster_wake_it(side, square, monster):
    assert side.after(f"Ec2 {monster}{square}", "Ec2-e4") == ""


@MONSTER
@rows("square", "c2 c3 c4 c6 d2 d6 e2 e6 f2 f6 g2 g4 g5 g6".split())
def test_squares_farther_off_do_not(side, square, monster):
    assert side.after(f"Ld3 {monster}{square}", "Ld3-e4") == f"Le4 {monster}{square}"


@rows(
    ("end", "monster"), [("h5", "ma6"), ("h5", "ma5"), ("h5", "ma4"), ("a5", "mh4"), ("a5", "mh6")]
)
def test_board_has_edges(side, end, monster):
    mover = f"L{end[0]}4"
    after = side.after(f"{mover} {monster}", f"{mover}-{end}")
    assert after == " ".join(sorted([f"L{end}", monster]))


@MONSTER
@rows(
    ("mover", "move", "at"),
    [
        ("Wa1", "Wa1-a8", "b4"),
        ("Wa8", "Wa8-a1", "b4"),
        ("Rd4", "Rd4-c6", "e4"),
        ("Hd4", "Hd4-c6", "e5"),
        ("Rd4", "Rd4-f5", "e3"),
        ("Ed4", "Ed4-f6", "d6"),
        ("Dd4", "Dd4-d6", "e4"),
        ("Ed4", "Ed4-b2", "c4"),
    ],
)
def test_passing_by_does_not_wake_a_monster(side, mover, move, at, monster):
    after = side.after(f"{mover} {monster}{at}", move)
    assert after == " ".join(sorted([mover[0] + move[-2:], monster + at]))


@MONSTER
def test_leaving_the_neighbourhood_of_a_monster_does_not_wake_it(side, monster):
    assert side.after(f"Ld4 {monster}c3", "Ld4-d5") == f"Ld5 {monster}c3"


@MONSTER
def test_moving_on_next_to_a_monster_wakes_it(side, monster):
    assert side.after(f"Ld4 {monster}c4", "Ld4-d5") == ""


@MONSTER
def test_monsters_wake_for_the_piece_that_moved_only(side, monster):
    assert side.after(f"La1 Vd4 vd6 {monster}d5", "La1-a2") == " ".join(
        sorted(["La2", "Vd4", f"{monster}d5", "vd6"])
    )


# Whom they eat.


def test_all_monsters_next_to_the_mover_vanish(side):
    assert side.after("Ld3 Mf5 md5 me5 Mf3 Mg4 mc3", "Ld3-e4") == "Mg4 mc3"


def test_monsters_next_to_a_monster_that_ate_stay(side):
    assert side.after("Ld3 mf5 mf6 Mg6", "Ld3-e4") == "Mg6 mf6"


@MONSTER
def test_neighbours_of_a_monster_are_in_no_danger_when_it_wakes(side, monster):
    after = side.after(f"Ld3 {monster}f5 Cf4 ce5 Ng6", "Ld3-e4")
    assert after == "Cf4 Ng6 ce5"


@MONSTER
@rows("prey", "cvrN")
def test_what_was_captured_is_gone_before_monsters_eat(side, monster, prey):
    assert side.after(f"Ld3 {prey}e4 {monster}f5", "Ld3xe4") == ""


def test_monster_that_was_captured_eats_nothing(side):
    assert side.after("Ld3 me4", "Ld3xe4") == "Le4"


@MONSTER
def test_monster_next_to_one_that_was_captured_eats_the_captor(side, monster):
    assert side.after(f"Ld3 me4 {monster}f5 mh3", "Ld3xe4") == "mh3"


@MONSTER
def test_bat_that_is_promoted_next_to_a_monster_vanishes(side, monster):
    assert side.after(f"Vd7 {monster}e8", "Vd7-d8") == ""
    assert side.after(f"Vd7 Nd8 {monster}c7", "Vd7xd8") == ""


def test_own_monster_is_not_captured_an_enemy_one_is(side):
    for mover in ("Re3", "He3", "Ve3", "We3", "Ld3", "Ed3", "Dd3"):
        assert "e4" not in side.targets(f"{mover} Me4", mover).split()
        assert "xe4" in side.targets(f"{mover} me4", mover).split()


def test_labels_do_not_show_that_a_monster_eats(side):
    assert "Ld3-e4" in side.legal("Ld3 mf5").split()
    assert "Ld3xe4" in side.legal("Ld3 ce4 mf5").split()


def test_eaten_elephant_is_replaced_an_eaten_rhino_is_not(side):
    position = side.position("Ld3 mf5 wa8 Pa1", "Ld3-e4", "Wa8-a7", "Pa1-a2")
    assert "/La1" in side.moves(position)
    position = side.position("Re3 mf5 wa8 Xa1", "Re3-e4", "Wa8-a7", "Xa1-a2")
    assert "/Ra1" not in side.moves(position)


def test_eaten_bat_frees_its_file(side):
    position = side.position("Ve3 mf5 wa8 Xe1", "Ve3-e4", "Wa8-a7", "Xe1-e2")
    assert "/Ve3" in side.moves(position)


# Creations.


@MONSTER
@rows("created", ["R", "H", "V", "C"])
def test_creation_next_to_a_monster_does_not_wake_it(side, created, monster):
    after = side.after(f"Xe2 {monster}e5", "Xe2-e3", f"/{created}e4", left="RH")
    assert after == " ".join(sorted(["Xe3", f"{created}e4", f"{monster}e5"]))


@MONSTER
@rows(
    ("pieces", "move", "creation"),
    [
        ("Pe2", "Pe2-e3", "Le4"),
        ("Pe2", "Pe2-e3", "Ne4"),
        ("Pe2 Ne4", "Pe2-e3", "Be4"),
        ("Je2", "Je2-e3", "Ee4"),
        ("Je2", "Je2-e3", "Be4"),
        ("Je2 Be4", "Je2-e3", "De4"),
        ("Xe2 Ce4", "Xe2-e3", "Me4"),
    ],
)
def test_merges_and_what_pajamas_bring_out_wake_none(side, pieces, move, creation, monster):
    after = side.after(f"{pieces} {monster}e5", move, f"/{creation}", left="E")
    assert after == " ".join(sorted([f"{pieces[0]}e3", creation, f"{monster}e5"]))


def test_new_monster_eats_nobody_who_is_there(side):
    pieces = "Ce4 Rd5 vf5 Nf4 Bd4 md3"
    after = side.after(f"{pieces} Xg2", "Xg2-f3", "/Me4")
    assert after == "Bd4 Me4 Nf4 Rd5 Xf3 md3 vf5"


def test_new_monster_eats_who_comes_later(side):
    pieces = "Xe1 Ce3 lc4"
    assert side.after(pieces, "Xe1-e2", "/Me3", "Lc4-d3") == "Xe2"


# Containers.


@MONSTER
@rows(
    ("container", "reached"),
    [
        ("Xd4", "c3 c4 c5 d3 e3 e4"),
        ("Pd4", "c3 c5 e3"),
        ("Jd4", "b2 b6 c3 c5 e3 f2"),
    ],
)
def test_container_does_not_end_its_move_next_to_a_monster(side, container, reached, monster):
    assert side.targets(f"{container} {monster}e6", container) == reached


@MONSTER
@rows(
    ("container", "reached"),
    [("Xd4", "c3 d3 e3"), ("Pd4", "c3 e3"), ("Jd4", "b2 b6 c3 e3 f2")],
)
def test_container_may_leave_the_neighbourhood_of_a_monster(side, container, reached, monster):
    pieces = f"{container} {monster}d5 {monster}e6"
    assert side.targets(pieces, container) == reached


@MONSTER
def test_leaping_pajama_may_pass_a_monster(side, monster):
    assert "d6" in side.targets(f"Jd4 {monster}f4", "Jd4").split()
    assert "d6" not in side.targets(f"Jd4 {monster}c5", "Jd4").split()


# Neutral pieces.


@MONSTER
@rows("mover", ["Bd3", "Dd3"])
def test_monster_can_be_fed_a_neutral_piece(side, mover, monster):
    assert side.after(f"{mover} {monster}f5", f"{mover}-e4") == ""
