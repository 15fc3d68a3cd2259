import json
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import solve, variants
from pasgl_env.evaluation.openings import Openings, shipped
from pasgl_env.evaluation.tournament import PART, RESULTS_FILE, Tournament, identity
from pasgl_env.statistics.sprt import Sprt
from pasgl_env.storage.files import InUse, held
from pasgl_env.storage.runs import LOCK, BadRun

NAMES = ["random", "greedy", "other"]
PLAYERS = {"random": "random", "greedy": "greedy", "other": "random"}


class Killed(BaseException):
    pass


def kill_after(games):
    def report(progress):
        if progress.done >= games:
            raise Killed

    return report


def told(standings):
    """Everything except the times."""
    content = standings.to_dict()
    for row in content["players"]:
        del row["seconds"]
    return content, standings.outcomes


def test_all_meet_all_in_as_many_games_as_asked_for():
    standings = Tournament("pasgl312", PLAYERS, seed=1).play(PART + 6)
    assert list(standings.outcomes) == [(0, 1), (0, 2), (1, 2)]
    assert all(len(own) == PART + 6 for own in standings.outcomes.values())
    assert standings.players == tuple(NAMES)


def test_scores_are_those_of_the_outcomes():
    standings = Tournament("pasgl312", PLAYERS, seed=1).play(20)
    outcomes = standings.outcomes[0, 2]
    points = outcomes.count("1") + (outcomes.count("=") + outcomes.count("-")) / 2
    assert standings.score(0, 2) == pytest.approx(points / 20)
    assert standings.score(2, 0) == pytest.approx(1 - points / 20)
    assert standings.total(1) == (standings.score(1, 0) + standings.score(1, 2)) / 2
    assert standings.ranking[0] == 1


def test_every_player_is_timed():
    standings = Tournament("pasgl312", ["random", "mcts:400"], seed=1).play(2)
    assert 0 < standings.seconds[0] < standings.seconds[1] < 1


@pytest.mark.parametrize("games", [1, PART // 2, PART, 2 * PART + 5, 3 * PART + 10])
def test_killed_it_goes_on_to_the_same_result(tmp_path, games):
    undisturbed = Tournament("pasgl312", PLAYERS, seed=1).play(PART + 10)
    with pytest.raises(Killed):
        Tournament("pasgl312", PLAYERS, seed=1, folder=tmp_path).play(
            PART + 10, report=kill_after(games)
        )
    with open(tmp_path / RESULTS_FILE, "ab") as file:
        file.write(b'{"first":"random","sec')
    again = Tournament("pasgl312", PLAYERS, seed=1, folder=tmp_path).play(PART + 10)
    assert told(again) == told(undisturbed)


def test_some_games_of_a_part_took_their_share_of_its_time(tmp_path):
    tournament = Tournament("pasgl312", PLAYERS, seed=1, folder=tmp_path)
    whole = tournament.play(PART)
    assert tournament.play(PART // 4).duration == pytest.approx(whole.duration / 4)


def test_what_is_kept_is_not_played_again(tmp_path):
    Tournament("pasgl312", PLAYERS, seed=1, folder=tmp_path).play(10)
    whole = (tmp_path / RESULTS_FILE).read_bytes()
    Tournament("pasgl312", PLAYERS, seed=1, folder=tmp_path).play(10)
    assert (tmp_path / RESULTS_FILE).read_bytes() == whole


def test_more_games_and_players_add_to_what_is_kept(tmp_path):
    two = {name: PLAYERS[name] for name in NAMES[:2]}
    Tournament("pasgl312", two, seed=1, folder=tmp_path).play(10)
    grown = Tournament("pasgl312", PLAYERS, seed=1, folder=tmp_path).play(PART + 10)
    assert told(grown) == told(Tournament("pasgl312", PLAYERS, seed=1).play(PART + 10))
    fewer = Tournament("pasgl312", two, seed=1, folder=tmp_path).play(10)
    assert told(fewer) == told(Tournament("pasgl312", two, seed=1).play(10))


def test_an_agent_that_was_trained_on_is_another_player(tmp_path, monkeypatch):
    from pasgl_env import players

    agent = tmp_path / "agent.pt"
    monkeypatch.setattr(
        "pasgl_env.evaluation.tournament.as_player",
        lambda thing, variant, seed: players.make("random", variant, seed=seed),
    )
    results = tmp_path / "out" / RESULTS_FILE
    sizes = []
    for weights in (b"young", b"old", b"young"):
        agent.write_bytes(weights)
        Tournament("pasgl312", [str(tmp_path), "random"], folder=tmp_path / "out").play(2)
        sizes.append(len(results.read_bytes().splitlines()))
    assert sizes == [2, 3, 3]


def test_values_that_were_trained_on_are_another_player(tmp_path):
    identities = set()
    for weights in (b"young", b"old", b"young"):
        (tmp_path / "values.safetensors").write_bytes(weights)
        identities.add(identity("mine", f"td:values={tmp_path}:temperature=0.1", "pasgl312"))
    assert len(identities) == 2


@pytest.mark.parametrize("name", ["exact", "search:20"])
def test_a_table_that_was_replaced_makes_another_player(tmp_path, name):
    player, identities = f"{name}:table={tmp_path / 'table.npz'}", set()
    for setup in ("c3/4/4/3C", "cm2/4/4/3C", "c3/4/4/3C"):
        solve("chieftain", setup=setup).save(tmp_path / "table.npz")
        identities.add(identity(player, player, "chieftain"))
    assert len(identities) == 2


def test_values_and_a_table_are_both_of_a_player(tmp_path):
    files, identities = (tmp_path / "values", tmp_path / "table"), set()
    player = f"search:20:values={files[0]}:table={files[1]}"
    for contents in ("AA", "AB", "BA"):
        for file, content in zip(files, contents, strict=True):
            file.write_text(content)
        identities.add(identity(player, player, "chieftain"))
    assert len(identities) == 3


def test_games_by_earlier_shipped_values_are_not_mixed_with_later_ones(tmp_path, monkeypatch):
    Tournament("pasgl312", ["random", "greedy"], folder=tmp_path / "out").play(2)
    (tmp_path / "values").write_bytes(b"later")
    monkeypatch.setattr(
        "pasgl_env.evaluation.tournament.shipped_file", lambda ruleset: tmp_path / "values"
    )
    with pytest.raises(BadRun, match="another tournament, whose shipped_values is"):
        Tournament("pasgl312", ["random", "greedy"], folder=tmp_path / "out").play(2)


def test_seeds_and_names_make_the_games():
    one, other = (Tournament("pasgl312", PLAYERS, seed=seed).play(10).outcomes for seed in (1, 2))
    assert one != other
    assert one[0, 1] != one[1, 2]


def test_progress_counts_up_and_the_time_left_down_to_0(tmp_path):
    reports: list[Any] = []
    tournament = Tournament("pasgl312", PLAYERS, seed=1, folder=tmp_path)
    tournament.play(2 * PART, report=reports.append)
    done = [report.done for report in reports]
    assert done == sorted(done)
    assert {report.games for report in reports} == {6 * PART}
    assert reports[0].seconds_left is None
    assert (reports[-1].done, reports[-1].seconds_left) == (6 * PART, 0)
    assert all(report.seconds_left > 0 for report in reports if PART < report.done < 6 * PART)


def test_a_player_who_lost_everything_has_a_bound_in_json():
    standings = Tournament("pasgl312", PLAYERS, seed=1).play(20)
    content = json.loads(json.dumps(standings.to_dict(), allow_nan=False))
    best = content["players"][0]
    assert (best["player"], best["score"], best["elo"], best["high"]) == ("greedy", 1, None, None)
    assert best["low"] > 0
    assert content["anchor"] == "random"
    assert content["pairings"][0].items() >= {"first": "random", "lost": 20, "won": 0}.items()


class Lowest:
    """A player who never varies."""

    name = "lowest"

    def choose(self, batch, games):
        return batch.action_mask[games].argmax(axis=1)


def test_players_who_never_vary_are_named():
    standings = Tournament(
        "pasgl312", {"one": Lowest(), "two": Lowest(), "random": "random"}, turn_limit=30
    ).play(10)
    assert standings.monotonous == [("one", "two")]


def test_each_pair_begins_at_an_opening_of_its_own(tmp_path):
    two = {"one": Lowest(), "two": Lowest()}
    openings = Openings(shipped(variants.ruleset("pasgl312")), name="shipped")
    varied = Tournament("pasgl312", two, folder=tmp_path, openings=openings, turn_limit=30).play(10)
    assert varied.distinct == {(0, 1): 5}
    with pytest.raises(BadRun):
        Tournament("pasgl312", two, folder=tmp_path, turn_limit=30).play(10)


def test_a_test_decides_and_stops(tmp_path):
    test = Sprt(0, 100)
    decision = Tournament("pasgl312", ["greedy", "random"], folder=tmp_path).decide(test, 10_000)
    assert decision.verdict == "H1"
    assert decision.games == sum(decision.counts) * 2 < 200
    assert decision.ratio >= test.bounds[1]
    assert decision.rating.elo == math.inf
    assert json.loads(json.dumps(decision.to_dict(), allow_nan=False))["rating"]["elo"] is None
    again = Tournament("pasgl312", ["greedy", "random"], folder=tmp_path).decide(test, 10_000)
    assert again == decision


def test_a_test_accepts_h0_for_the_weaker():
    decision = Tournament("pasgl312", ["random", "greedy"]).decide(Sprt(0, 100), 10_000)
    assert decision.verdict == "H0"


def test_a_test_gives_up_where_it_is_told_to():
    even = Tournament("pasgl312", {"one": "random", "two": "random"}, seed=2)
    undecided = even.decide(Sprt(-1, 1), PART + 2)
    assert (undecided.verdict, undecided.games) == (None, PART + 2)


@pytest.mark.parametrize(
    ("players", "games", "settings", "reason"),
    [
        (["random"], 2, {}, "two players or more"),
        (["random", "greedy", "random"], 2, {}, "cannot meet itself: 'random'"),
        (["random", "nobody"], 2, {}, "no player 'nobody'"),
        (["random", "greedy"], 3, {}, "must be even, not 3"),
        (["random", "greedy"], 0, {}, "must be an integer from 2 to 1000000000, not 0"),
        (["random", "greedy"], 2, {"seed": -1}, "seed must be"),
        (["random", "greedy"], 2, {"threads": 0}, "threads must be"),
        (["random", "greedy"], 2, {"hunters": 3}, "no option 'hunters'"),
    ],
)
def test_wrong_arguments_are_told_before_a_folder_is_made(
    tmp_path, players, games, settings, reason
):
    folder = tmp_path / "out"
    with pytest.raises(ValueError, match=reason):
        Tournament("pasgl312", players, folder=folder, **settings).play(games)
    assert not folder.exists()


def test_an_anchor_who_does_not_play():
    with pytest.raises(ValueError, match="'mcts' is not a player: random, greedy are"):
        Tournament("pasgl312", ["random", "greedy"]).play(2, anchor="mcts")


def test_a_test_is_between_two():
    with pytest.raises(ValueError, match="between two players, not 3"):
        Tournament("pasgl312", PLAYERS).decide(Sprt(0, 10), 10)


def test_another_tournaments_folder_is_refused(tmp_path):
    Tournament("pasgl312", ["random", "greedy"], folder=tmp_path).play(2)
    with pytest.raises(BadRun, match="whose variant is 'pasgl312', not 'pachessi'"):
        Tournament("pachessi", ["random", "greedy"], folder=tmp_path).play(2)


def test_a_folder_in_which_another_process_plays_is_refused(tmp_path):
    with held(tmp_path / LOCK), pytest.raises(InUse, match="another process is at work in"):
        Tournament("pasgl312", ["random", "greedy"], folder=tmp_path).play(2)


def test_dice_are_the_same_in_both_games_of_a_pair():
    """Two deterministic players: games differ by the dice only."""
    from pasgl_env.evaluation import play_match

    class Lowest:
        name = "lowest"

        def choose(self, batch, games):
            return batch.action_mask[games].argmax(axis=1)

    paired, single = (
        play_match("pachessi", Lowest(), Lowest(), 6, seed=1, paired=paired).games["ending"]
        for paired in (True, False)
    )
    assert (paired[::2] == paired[1::2]).all()
    assert np.unique(paired).size == 3
    assert np.unique(single).size == 6


@pytest.mark.parametrize("options", [{"players": 4}, {"first": "black"}], ids=str)
def test_an_option_may_have_the_name_of_an_argument(options):
    tournament = Tournament("pachessi", ["random", "greedy"], seed=1, turn_limit=8, **options)
    assert tournament.play(games=2).games == 2
