"""What is counted in games of PASGL 312 Chess."""

from itertools import pairwise

import numpy as np

from pasgl_env import Position
from pasgl_env.games.pasgl312.rules.board import DEAD
from pasgl_env.games.pasgl312.rules.state import CARRIERS

from ...playtest.counters import counted, played
from ...rows import rows
from ...suites import SUITES
from .positions import place

AWAY, NEXT_IS_E4, ON_D4_AND_E4 = 12, 4, 6


def counts(name, critters, labels, options=None, **rest):
    position = Position.from_text("pasgl312", place(critters, **rest), **(options or {}))
    return counted(position, *labels.split()).words(name)


@rows(
    ("critters", "label", "deed"),
    [
        ("He2 te5", "He2:e5", "0 shot"),
        ("He2 te5", "He2e3", "0 Hunter"),
        ("Wa3 tc5 sc5", "Wa3^c5", "0 chuck"),
        ("Wa3", "Wa3c3", "0 Woodchuck"),
        ("Mc2", "Mc2d3", "0 Chipmunk"),
        ("Pc2", "Pc2d3", "0 Shrew"),
        ("-Ba1 ma2 mb2 mb1", "pass", "0 pass"),
    ],
)
def test_what_a_turn_is_used_for(critters, label, deed):
    assert counts("deeds", critters, label) == deed
    assert counts("turns_taken", critters, label) == "0"


def test_a_turn_is_counted_when_its_last_choice_is_made():
    assert counts("turns_taken", "Fb3 hc4 dc4", "Fb3c4") == ""
    assert counts("turns_taken", "Fb3 hc4 dc4", "Fb3c4 d") == "0"


@rows(
    ("critters", "label", "points"),
    [
        ("Dd4 Te5", "Be1e2", "3 times 0 Deer d4; 2 times 0 Turkey e5"),
        ("Td4 Td4 td4", "Be1e2", "4 times 0 Turkey d4"),
        ("Td4", "Td4d5", ""),
        ("-Dd4", "Be1e2", ""),
        ("*Td4 *Te5", "*Te5e6", ""),
        ("Hd4 td6", "Hd4:d6", ""),
    ],
)
def test_points_at_the_campfire(critters, label, points):
    assert counts("campfire_points", critters, label, phase=AWAY) == points


def test_points_for_a_bear():
    assert counts("bear_points", "He2 be5", "He2:e5") == "20 times 0"
    assert counts("bear_points", "He2 te5", "He2:e5") == ""


@rows(
    ("critters", "labels", "where", "deaths"),
    [
        ("He2 te5 te5", "He2:e5 t", "e5", "1 Turkey shot"),
        ("He2 be5", "He2:e5", "e5", "1 Bear shot"),
        ("Fb3 -wc4", "Fb3c4", "c4", "1 Woodchuck devoured"),
        ("Fb3 tc4 hc4", "Fb3c4 t", "c4", "1 Turkey devoured"),
        ("Fb3 tc4 hc4", "Fb3c4 h", "", ""),
        ("Fb3 -sc4", "Fb3c4", "2 times c4", "0 Fox devoured a Skunk; 1 Skunk devoured"),
        (
            "Be1 Pd2 pd2",
            "Be1d2",
            "2 times d2",
            "0 Shrew squashed by a Bear; 1 Shrew squashed by a Bear",
        ),
        ("Dd2 pc4 mc4", "Dd2c4", "c4", "1 Shrew squashed by a Deer"),
        ("Dd2 hc4", "Dd2c4", "", ""),
    ],
)
def test_what_critters_die_of(critters, labels, where, deaths):
    assert counts("deaths", critters, labels, phase=AWAY) == deaths
    assert counts("deaths_on", critters, labels, phase=AWAY) == where


@rows(
    ("critters", "deaths"),
    [
        ("Me4", "0 Chipmunk run over"),
        ("Be4", "0 Bear run over"),
        ("Te4 te4", "0 Turkey run over; 1 Turkey run over"),
        ("Te3", ""),
    ],
)
def test_who_is_run_over(critters, deaths):
    assert counts("deaths", critters, "be8d8", phase=NEXT_IS_E4, mover="b") == deaths
    assert counts("deaths", critters, "Be4e3" if "B" in critters else "Be1e2", phase=4) == ""


@rows(("critters", "crowds"), [("Te4 me4", "1 times"), ("Te4", "")])
def test_crowds_that_are_run_over(critters, crowds):
    rest = {"phase": NEXT_IS_E4, "mover": "b"}
    assert counts("crowds_run_over", critters, "be8d8", **rest) == crowds


@rows(
    ("critters", "label", "deaths"),
    [
        ("dd2 Fe4", "dd2e4", "0 Fox run over; 1 Deer run over"),
        ("fd5 He4", "fd5e4", "0 Hunter run over; 1 Fox run over"),
        ("hd4 Te4 Se4", "hd4:e4 S", "0 Skunk shot; 0 Turkey run over"),
    ],
)
def test_the_train_after_a_harm(critters, label, deaths):
    assert counts("deaths", critters, label, phase=NEXT_IS_E4, mover="b") == deaths


def test_pushed_under_the_train_is_not_run_over():
    critters, rest = "Be3 td3", {"phase": ON_D4_AND_E4}
    assert counts("deaths", critters, "Be3d3 td4", **rest) == "1 Turkey pushed under the Train"
    assert counts("deaths", critters, "Be3d3 te4", **rest) == "1 Turkey pushed under the Train"
    assert counts("deaths", critters, "Be3d3 tc4", **rest) == ""


def test_pushed_before_the_train_is_run_over():
    deaths = counts("deaths", "bc6 Td6", "bc6d6 Td5", phase=14, mover="b")
    assert deaths == "0 Turkey run over"


@rows(
    ("critters", "label", "lost"),
    [
        ("Dd2 hc4", "Dd2c4", "1 Hunter Deer"),
        ("Fb3 hc4", "Fb3c4", "1 Hunter Fox"),
        ("Wa3 dc5", "Wa3^c5", "1 Deer chuck"),
        ("Wa3 sc5 Dc6 Tb5", "Wa3^c5", "0 Deer spray; 1 Skunk chuck"),
        ("Wa3 -sc5 -Dc6", "Wa3^c5", ""),
        ("He2 de5", "He2:e5", ""),
    ],
)
def test_lunches_lost(critters, label, lost):
    assert counts("lunches_lost", critters, label, phase=AWAY) == lost


@rows(
    ("critters", "labels", "regained"),
    [
        ("-Hd2", "-Hd2d1", "0 Hunter home"),
        ("-Ha4", "-Ha4z4", "0 Hunter terminal"),
        ("Be2 -Hd2", "Be2d2 -Hd1", "0 Hunter home"),
        ("-Hd2", "-Hd2c2", ""),
        ("Hd2", "Hd2d1", ""),
    ],
)
def test_lunches_regained(critters, labels, regained):
    assert counts("lunches_regained", critters, labels) == regained


@rows(
    ("critters", "labels", "rest", "sprays"),
    [
        ("Fb3 -sc4", "Fb3c4", {}, "1 devoured"),
        ("He2 se5", "He2:e5", {}, "1 shot"),
        ("Dd2 sc4", "Dd2c4", {}, "1 robbed"),
        ("Fb3 sc4", "Fb3c4", {}, "1 robbed"),
        ("Wa3 -sc5", "Wa3^c5", {}, "1 hit"),
        ("Se4", "be8d8", {"phase": 4, "mover": "b"}, "0 run over"),
        ("Be3 sd3", "Be3d3 sd4", {"phase": 6}, "1 pushed under the Train"),
        ("Be3 sd3", "Be3d3 sd2", {"phase": 6}, ""),
        ("Dd2 hc4", "Dd2c4", {}, ""),
    ],
)
def test_what_provokes_a_skunk(critters, labels, rest, sprays):
    assert counts("sprays", critters, labels, **rest) == sprays


@rows(
    ("critters", "labels", "stinky"),
    [
        ("Wa3 sc5 Dc6 Tb5 *Td5", "Wa3^c5", "0 Deer; 0 Turkey"),
        ("*Dd2 sc4", "*Dd2c4", "0 Deer"),
        ("*Dd2 hc4", "*Dd2c4", ""),
    ],
)
def test_who_is_made_stinky(critters, labels, stinky):
    # The Hunter threatens a Turkey, so that White may chuck in spite of stink.
    if "Wa3" in critters:
        critters += " hd7"
    assert counts("made_stinky", critters, labels, phase=AWAY) == stinky


def test_what_a_skunk_under_the_train_sprays():
    rest = {"phase": NEXT_IS_E4, "mover": "b"}
    assert counts("stinky_by_train", "Se4 td5 Td4", "be8d8", **rest) == "0"
    assert counts("stinky_by_train", "Wa3 sc5 Tc6", "Wa3^c5") == ""


def test_steps_before_the_train():
    assert counts("steps_before_train", "Te3", "Te3e4", phase=NEXT_IS_E4) == "0 Turkey"
    assert counts("steps_before_train", "Te3", "Te3d3", phase=NEXT_IS_E4) == ""
    assert counts("steps_before_train", "He3 te4", "He3:e4", phase=NEXT_IS_E4) == ""
    assert counts("steps_before_train", "Tz5", "Tz5z4", phase=9) == ""


@rows(
    ("critters", "label", "turns"),
    [
        ("*Tc2", "*Tc2c3", ("0", "0", "")),
        ("*Tc2 Mh4", "Be1d1", ("0", "", "0")),
        ("*Tc2 Mh4", "*Tc2c3", ("0", "", "0")),
        ("*-Ha1 Ma2 Mb1", "Ma2b3", ("0", "", "")),
        ("Tc2 *tc7", "Tc2c3", ("", "", "")),
    ],
)
def test_stink_compels(critters, label, turns):
    names = ("stinky_turns", "compelled_turns", "freed_turns")
    assert tuple(counts(name, critters, label) for name in names) == turns


def test_a_shot_by_a_stinky_hunter_shows_that_nothing_stinky_could_move():
    assert counts("compelled_turns", "*Ha1", "*Ha1a2") == "0"
    assert counts("compelled_turns", "*Ha1 Mb1 ta2", "*Ha1:a2") == ""


def test_boarding_and_riding():
    assert counts("boardings", "Ha4", "Ha4z4") == "0 Hunter"
    assert counts("boardings", "Hz4", "Hz4z5") == ""
    assert counts("rides", "Hz4 tz5", "be8d8", phase=10, mover="b") == "0 Hunter; 1 Turkey"
    assert counts("rides", "Hz4", "be8d8", phase=9, mover="b") == ""
    assert counts("rides", "~Hz4 T@head", "be8d8", phase=10, mover="b") == ""


def test_turns_away_from_the_board():
    critters = "Hz4 T@head ~Mx4 tz5"
    away = "0 waiting; 0 riding; 0 put down"
    assert counts("turns_away", critters, "Be1d1", phase=ON_D4_AND_E4) == away
    assert counts("turns_away", "Ha4", "Be1d1") == ""


@rows(
    ("critters", "label", "landing"),
    [
        ("~Fz4 ha5", "Fz4a5", "0 Fox robs"),
        ("~Fz4 -wa5", "Fz4a5", "0 Fox devours"),
        ("~Sx4", "Sx4e4", "0 Skunk reaches the campfire"),
        ("~Sx4", "Sx4g4", "0 Skunk none of these"),
        ("Sx4", "Sx4x5", ""),
        ("Sg4", "Sg4e4", ""),
    ],
)
def test_what_the_first_move_after_a_ride_does(critters, label, landing):
    assert counts("landings", critters, label, phase=11) == landing
    assert counts("alightings", critters, label, phase=11) == " ".join(landing.split()[:2])


def test_where_bears_push():
    assert counts("displaced", "Be1 Td2 td2", "Be1d2 Tc1 tc1") == "0 to a square; 1 to a square"
    assert counts("displaced", "Bb3 ta3", "Bb3a3 tz4") == "1 to a terminal"
    assert counts("displaced", "Be3 td3", "Be3d3 td4", phase=6) == "1 under the Train"
    assert counts("displaced", "Be1 Pd2", "Be1d2") == ""


def test_promotions():
    assert counts("promotions", "Pa7", "Pa7b8") == "0"
    assert counts("promotions", "Pa6", "Pa6b7") == ""


@rows(
    ("end", "critters", "label", "rest", "games"),
    [
        ("bear_ends", "He2 be5", "He2:e5", {}, "1"),
        ("bear_ends", "He2 te5", "He2:e5", {}, ""),
        ("margin_ends", "Td4", "Be1e2", {"score": "29:0"}, "0"),
        ("margin_ends", "td5", "be8e7", {"score": "0:29", "mover": "b"}, "1"),
        ("margin_ends", "Td4", "Be1e2", {"score": "27:0"}, ""),
        ("margin_ends", "He2 be5", "He2:e5", {"score": "29:0"}, ""),
        ("pass_ends", "-Ba1 ma2 mb2 mb1", "pass", {"passes": 39}, "1 times"),
        ("pass_ends", "-Ba1 ma2 mb2 mb1", "pass", {"passes": 38}, ""),
        ("wins_without_bear", "He2 be5", "He2:e5", {"score": "0:21"}, "1"),
        ("wins_without_bear", "He2 be5", "He2:e5", {"score": "0:20"}, ""),
    ],
)
def test_ends(end, critters, label, rest, games):
    assert counts(end, critters, label, **{"phase": AWAY, **rest}) == games


def bits(sets):
    return int(sets).bit_count()


def test_in_steered_games_the_counts_add_up():
    rides = 0
    for game in played(SUITES["pasgl312"], 1, 20):
        check_sums(game)
        check_lunches(game)
        check_compulsion(game)
        rides += game.counted.array("rides").sum()
    assert rides


def check_sums(game):
    first, last = game.positions[0], game.positions[-1]
    then, now, counted = first.state[0], last.state[0], game.counted
    deaths = counted.array("deaths").sum(axis=(1, 2))
    alive_then, alive_now = (
        (state.where != DEAD).reshape(2, 16).sum(axis=1) for state in (then, now)
    )
    assert deaths.tolist() == (alive_then - alive_now).tolist()
    assert counted.array("deaths_on").sum() == deaths.sum()
    points = counted.array("campfire_points").sum(axis=(1, 2)) + counted.array("bear_points")
    points += counted.array("riding_points")
    assert points.tolist() == np.subtract(last.points, first.points).tolist()
    turns = last.turns - first.turns
    assert counted.array("turns_taken").sum() == turns
    assert counted.array("deeds").sum() == turns
    ends = sum(counted.array(name).sum() for name in ("bear_ends", "margin_ends", "pass_ends"))
    assert ends == last.is_over
    chipmunks = counted.array("promotions").sum() - counted.array("deaths")[:, 8].sum()
    assert bits(now.promoted) - bits(then.promoted) == chipmunks
    assert counted.array("made_stinky").sum() == 0 or counted.array("sprays").sum()


def check_lunches(game):
    """Of the dead it does not matter what they had with them, only that they are gone."""
    states = [position.state[0] for position in game.positions]
    starved = sum(
        bits(before.lunchless & after.standing[DEAD] & ~before.standing[DEAD])
        for before, after in pairwise(states)
    )
    lost = game.counted.array("lunches_lost").sum() - game.counted.array("lunches_regained").sum()
    assert bits(states[-1].lunchless & CARRIERS) - bits(states[0].lunchless) == lost - starved


def check_compulsion(game):
    """Compelled turns are those in which all labels are those of stinky critters' moves."""
    names = ("stinky_turns", "compelled_turns", "freed_turns")
    stinky, compelled, freed = (game.counted.array(name).sum() for name in names)
    only, some = 0, 0
    for position in game.positions[: len(game.actions)]:
        labels = [] if position.in_turn else position.legal_moves()
        stinks = [label.startswith("*") and ":" not in label for label in labels]
        only += bool(labels) and all(stinks)
        some += any(stinks)
    assert compelled <= only
    assert only <= compelled + freed
    assert some <= stinky
