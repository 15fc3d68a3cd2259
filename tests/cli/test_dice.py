"""Commands on games with dice and teams."""

import re

from .runner import run

LAST = "Ra7:1,E*,H*/Ra1:0,E@,H@/Rg1:0,E@,H@/Rg7:0,E@,H@ black - i 30"
FOUR = ("--set", "players=4")


def test_a_chance_node_is_shown_with_its_outcomes():
    shown = run("show", "pachessi").output
    assert "To act: Chance" in shown
    assert "21 outcomes:" in shown
    assert "roll 2 4, roll 2 5" in " ".join(shown.split())


def test_a_watched_game_tells_what_is_rolled():
    shown = run("watch", "pachessi", "--turns", "6", "--seed", "1").output
    assert len(re.findall(r"(?:Black|Yellow) \(greedy\): .*roll \d \d, ", shown)) == 6


def test_the_same_seed_rolls_the_same():
    first, again, other = (
        run("watch", "pachessi", "random", "random", "--turns", "9", "--seed", seed).output
        for seed in "112"
    )
    assert first == again != other


def test_who_begins_is_drawn_by_lot_unless_it_is_set():
    first = {
        re.findall(r"(\w+) \(greedy\): \w+, roll", run_watch(seed))[0].lower()
        for seed in map(str, range(12))
    }
    assert first == {"black", "yellow"}
    assert "Yellow (greedy): roll" in run_watch("1", "--set", "first=yellow")


def run_watch(seed, *more):
    return run("watch", "pachessi", "--turns", "1", "--seed", seed, *more).output


def test_each_of_two_players_plays_a_team():
    shown = run(
        "watch", "pachessi", "greedy", "random", "--turns", "8", "--seed", "1", *FOUR
    ).output
    assert set(re.findall(r"(\w+) \((\w+)\):", shown)) == {
        ("Black", "greedy"),
        ("Green", "random"),
        ("Yellow", "greedy"),
        ("Red", "random"),
    }


def test_a_person_plays_one_of_four_and_sees_what_is_rolled():
    done = run("play", "pachessi", "--seed", "1", "--from", LAST, *FOUR, typed="4:Ra7-off\n" * 9)
    assert re.search(r"Black: roll \d \d", done.output)


def test_a_team_wins():
    text = LAST.replace(" - ", " 4,5 ")
    done = run("play", "pachessi", "--from", text, *FOUR, typed="4:Ra7-off\n")
    assert "Black and Yellow win after 30 turns." in done.output


def test_the_table_of_a_match_names_the_teams():
    shown = run("evaluate", "pachessi", "greedy", "random", "--games", "4", *FOUR).output
    assert "as Black and Yellow" in " ".join(shown.split())
