import io
import json
from time import sleep
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from pasgl_env import Batch, Position
from pasgl_env.cli.tables import shown
from pasgl_env.evaluation import match
from pasgl_env.evaluation.openings import EVEN_OPENINGS
from pasgl_env.records import read_records
from pasgl_env.records.binary import StoredGame, stored_games

# Values that may be None are looked at without asking first.
play_match: Any = match.play_match
START = Position("pasgl312").state[0].tobytes()


class Lowest:
    """Always plays the legal action with the lowest number, and records its calls."""

    name = "lowest"

    def __init__(self):
        self.starts = []  # (slot, own seat) whenever it was asked for the first move of a game

    def choose(self, batch, games):
        for game in games:
            if batch.states[game].tobytes() == START:
                self.starts.append((int(game), int(batch.to_move[game])))
        return batch.action_mask[games].argmax(axis=1)


class Erratic(Lowest):
    """Random, so that games differ in length."""

    name = "erratic"

    def __init__(self, seed):
        super().__init__()
        self.rng = np.random.default_rng(seed)

    def choose(self, batch, games):
        super().choose(batch, games)
        masks = batch.action_mask[games]
        return (self.rng.random(masks.shape) * masks).argmax(axis=1)


def same(one, other):
    return one.games.tobytes() == other.games.tobytes()


@pytest.mark.parametrize(("games", "batch_size"), [(1, 8), (2, 8), (7, 3), (8, 8), (9, 4)])
def test_plays_exactly_the_games_asked_for_with_sides_alternating(variant, games, batch_size):
    result = play_match(variant, "random", "random", games, seed=3, batch_size=batch_size)
    assert result.games.size == result.all.games == games
    assert result.games["side"].tolist() == [number % 2 for number in range(games)]
    assert [tally.games for tally in result.by_side] == [(games + 1) // 2, games // 2]
    assert (result.games["turns"] > 0).all()


def test_each_slot_plays_its_share_and_no_more():
    first, second = Erratic(1), Erratic(2)
    result = play_match("pasgl312", first, second, 22, seed=0, batch_size=8)
    slots = 8  # three rounds of at most 8
    starts = sorted(first.starts + second.starts)
    assert [slot for slot, _ in starts] == sorted(game % slots for game in range(22))
    assert all(seat == 0 for _, seat in starts)  # a game begins with White
    assert len(first.starts) == len(second.starts) == 11
    assert result.games["turns"].std() > 0


def test_the_seed_decides(variant):
    def played(seed, **settings):
        return play_match(variant, "random", "greedy", 20, seed=seed, turn_limit=4, **settings)

    first = played(5)
    assert same(first, played(5))
    assert same(first, played(5, threads=2))
    assert same(first, played(5, batch_size=7))
    fewer = play_match(variant, "random", "greedy", 9, seed=5, turn_limit=4)
    assert first.games[:9].tobytes() == fewer.games.tobytes()
    assert not same(first, played(6))


def test_a_result_equals_only_itself():
    one, other = (play_match("pasgl312", "random", "random", 2, seed=1) for _ in range(2))
    assert one in {one}
    assert one != other


def test_a_drawn_seed_repeats_the_match(variant):
    result = play_match(variant, "random", "random", 4)
    assert same(result, play_match(variant, "random", "random", 4, seed=result.seed))
    assert not same(result, play_match(variant, "random", "random", 4))


def test_greedy_beats_random_whoever_is_named_first():
    ahead = play_match("pasgl312", "greedy", "random", 60, seed=1)
    behind = play_match("pasgl312", "random", "greedy", 60, seed=1)
    assert ahead.all.win_rate.low > 0.5 > behind.all.win_rate.high
    assert ahead.all.points.value > ahead.all.opponent_points.value
    assert (ahead.first, ahead.second) == ("greedy", "random")


def test_results_are_those_of_the_games():
    """The records compared with the same games played through Batch by hand."""
    result = play_match("pasgl312", Erratic(1), Lowest(), 1, seed=0)
    batch, first, second = Batch("pasgl312", 1), Erratic(1), Lowest()
    actions = 0
    while not batch.ended.size:
        player = second if batch.to_move[0] else first
        batch.step(player.choose(batch, np.arange(1)))
        actions += 1
    record = result.games[0]
    assert record["outcome"] == batch.outcome[0, 0]
    assert record["actions"] == actions
    assert record["truncated"] == batch.truncated[0]
    assert record["turns"] == batch.final_states["turn_count"][0]
    assert [record["points_for"], record["points_against"]] == batch.final_states["score"][
        0
    ].tolist()


def test_a_turn_limit_makes_games_nobodys(variant):
    tally = play_match(variant, "random", "random", 10, seed=1, turn_limit=4).all
    assert (tally.truncated, tally.wins, tally.draws, tally.losses) == (10, 0, 0, 0)
    assert (tally.win_rate.value, tally.score_rate.value, tally.turns.value) == (0, 0.5, 4)


def test_the_tally_of_known_games():
    games = np.zeros(5, match.GAME)
    games["outcome"] = [1, 1, -1, 0, 0]
    games["truncated"] = [0, 0, 0, 0, 1]
    games["points_for"] = [10, 20, 0, 5, 5]
    games["ending"] = [1, 2, 3, 4, 4]
    tally: Any = match.Tally.of(games, has_points=True)
    assert (tally.wins, tally.draws, tally.losses, tally.truncated) == (2, 1, 1, 1)
    assert (tally.win_rate.value, tally.score_rate.value, tally.distinct) == (0.4, 0.6, 4)
    assert tally.points.value == 8
    assert match.Tally.of(games, has_points=False).points is None


def test_options_are_played_and_told():
    result = play_match("pasgl312", "random", "random", 2, seed=1, win_margin=1, turn_limit=40)
    assert (result.ruleset.options["win_margin"], result.ruleset.options["bear_bonus"]) == (1, 20)
    assert result.ruleset.options["turn_limit"] == 40


def test_progress_counts_up_to_the_end(variant):
    seen: list[int] = []
    play_match(variant, "random", "random", 9, seed=1, batch_size=4, progress=seen.append)
    assert seen == sorted(set(seen))
    assert seen[-1] == 9


def test_players_that_never_vary_are_noticed():
    result = play_match("pasgl312", Lowest(), Lowest(), 6, seed=1, turn_limit=4)
    assert result.all.distinct == 1
    assert "too narrow" in drawn(result)
    varied = play_match("pasgl312", "random", "random", 6, seed=1)
    assert varied.all.distinct == 6
    assert "too narrow" not in drawn(varied)


def test_to_dict_is_json(variant):
    result = play_match(variant, "random", "greedy", 4, seed=1)
    told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert told["all"]["games"] == 4
    assert told["by_side"][1]["win_rate"].keys() == {"value", "low", "high"}
    assert (told["variant"], told["seed"]) == (variant, 1)
    assert told["options"] == dict(result.ruleset.options)


@pytest.mark.parametrize("games", [1, 2, 30])
def test_the_table_fits_80_columns(games):
    text = drawn(play_match("pasgl312", "random", "greedy", games, seed=1))
    assert "random against greedy, PASGL 312 Chess" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "…" not in text


def drawn(result):
    file = io.StringIO()
    Console(file=file, width=80, markup=False).print(shown(result.table(), wraps=False))
    return file.getvalue()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"variant": "chess"}, "no variant 'chess'"),
        ({"first": "nobody"}, "nobody"),
        ({"second": "nobody"}, "nobody"),
        ({"games": 0}, "games must be"),
        ({"games": 2.5}, "games must be"),
        ({"games": True}, "games must be"),
        ({"batch_size": 0}, "batch_size must be"),
        ({"threads": 0}, "threads must be"),
        ({"seed": -1}, "non-negative"),
        ({"hunters": 2}, "no option 'hunters'"),
        ({"win_margin": 0}, "win_margin"),
    ],
)
def test_wrong_arguments(arguments, reason):
    valid = {"variant": "pasgl312", "first": "random", "second": "random", "games": 2, "seed": 1}
    named = {**valid, **arguments}
    players = [named.pop(name) for name in ("variant", "first", "second")]
    with pytest.raises(ValueError, match=reason):
        play_match(*players, **named)


def test_an_option_may_have_the_name_of_an_argument():
    assert play_match("pachessi", "random", "random", 2, seed=1, first="black").all.games == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda masks: masks.argmin(axis=1), "player 'cheat' chose action"),
        (lambda masks: masks[:, 0] * 1.5, "player 'cheat' must return integers"),
        (lambda masks: 0, "player 'cheat' must return integers"),
    ],
)
def test_players_that_answer_nonsense_are_named(answer, reason):
    class Cheat:
        name = "cheat"

        def choose(self, batch, games):
            return answer(batch.action_mask[games])

    with pytest.raises(ValueError, match=reason):
        play_match("pasgl312", Cheat(), "random", 2, seed=1)


def test_functions_play_too():
    def lowest(observation, action_mask):
        return action_mask.argmax(axis=1)

    assert play_match("pasgl312", lowest, "random", 2, seed=1).all.games == 2


def test_what_is_no_player():
    with pytest.raises(TypeError):
        play_match("pasgl312", 3, "random", 2)


def test_players_alike_share_the_points_of_every_pair():
    """The same dice and openings with swapped sides: both players win the same sides."""
    pytest.importorskip("scipy")
    settings = {"seed": 2, "paired": True, "starts": EVEN_OPENINGS}
    tally = play_match("pachessi", "td", "td", 24, **settings).all
    assert tally.score_rate.value == 0.5
    assert tally.wins == tally.losses == 12


def test_thinking_is_timed_without_the_rules():
    class Slow:
        name = "slow"

        def choose(self, batch, games):
            sleep(0.002)
            return batch.action_mask[games].argmax(axis=1)

    result = play_match("pasgl312", Slow(), "random", 2, seed=1, batch_size=1, turn_limit=20)
    slow, random = result.thinking.per_action
    assert slow >= 0.002
    assert slow > random > 0
    assert sum(result.thinking.actions) == result.games["actions"].sum() - 2, "each one's first"
    assert "ms) against random (" in str(result)


def test_the_tally_of_a_paired_match_has_the_intervals_of_pairs():
    """With the same dice, a pair's games last about as long and count as little more than one."""
    pytest.importorskip("scipy")
    result = play_match("pachessi", "greedy", "greedy", 400, seed=5, paired=True)
    as_if_independent: Any = match.Tally.of(result.games, has_points=False)
    of_pairs: Any = result.all
    paired, single = (each.turns.high - each.turns.low for each in (of_pairs, as_if_independent))
    assert paired > 1.1 * single


@pytest.mark.parametrize("name", ["games.pgb", "games.pgr"])
def test_a_match_is_recorded_in_order(variant, name, tmp_path):
    file = tmp_path / name
    options = {"players": 4} if variant == "pachessi" else {}
    limit = {"turn_limit": 8} if name == "games.pgr" else {"turn_limit": 30}
    result = play_match(
        variant, "greedy", "random", 7, seed=3, batch_size=3, record=file, **options, **limit
    )
    games = list(read_records(file))
    assert [game.tags["Round"] for game in games] == [str(number + 1) for number in range(7)]
    assert [game.final.turns for game in games] == result.games["turns"].tolist()
    for number, game in enumerate(games):
        names = ("greedy", "random") if number % 2 == 0 else ("random", "greedy")
        assert game.players == tuple(names[team] for team in game.final.teams)
        outcome = {"1-0": 1, "0-1": -1}.get(game.result, 0)
        assert outcome * (-1) ** number == result.games["outcome"][number]


def test_recording_changes_no_game(tmp_path):
    plain = play_match("pachessi", "greedy", "random", 5, seed=3)
    assert same(
        plain, play_match("pachessi", "greedy", "random", 5, seed=3, record=tmp_path / "a.pgb")
    )


PIECES = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./."


@pytest.mark.parametrize("paired", [False, True])
def test_games_or_pairs_take_turns_at_the_starts(paired):
    pytest.importorskip("scipy")
    states = [
        Position.from_text("pasgl312", f"{PIECES} 1 w {points} 0 40", turn_limit=41).state
        for points in ("7:3", "0:1")
    ]
    games = play_match(
        *("pasgl312", "random", "random", 6),
        **{"seed": 1, "paired": paired, "starts": np.concatenate(states), "turn_limit": 41},
    ).games
    assert (games["turns"] == 41).all()
    white = np.where(games["side"] == 0, games["points_for"], games["points_against"])
    assert white.tolist() == ([7, 7, 0, 0, 7, 7] if paired else [7, 0, 7, 0, 7, 0])


def test_a_match_can_be_kept_in_a_list(tmp_path):
    kept: list[StoredGame] = []
    play_match("pachessi", "greedy", "random", 5, seed=3, batch_size=2, record=kept, turn_limit=30)
    file = tmp_path / "games.pgb"
    play_match("pachessi", "greedy", "random", 5, seed=3, batch_size=2, record=file, turn_limit=30)
    with file.open("rb") as stream:
        assert [game.choices for game in kept] == [
            game.choices for _, _, game in stored_games(stream, "games")
        ]


@pytest.mark.usefixtures("three_sides")
class TestThreeSides:
    """The first player plays one side, each in turn, and the second one the others."""

    def test_equal_players_win_by_the_number_of_sides(self):
        result = play_match("race_of_three", "random", "random", 3000, seed=1, paired=True)
        assert result.all.win_rate.low < 1 / 3 < result.all.win_rate.high
        assert [tally.games for tally in result.by_side] == [1000] * 3
        assert "the first wins one game in 3." in " ".join(drawn(result).split())

    def test_the_better_player_wins_more(self):
        result = play_match("race_of_three", "mcts:100", "random", 60, seed=1)
        assert result.all.win_rate.low > 1 / 3

    def test_a_record_says_who_had_which_side(self, tmp_path):
        play_match("race_of_three", "greedy", "random", 3, seed=1, record=tmp_path / "games.pgb")
        played = [game.players for game in read_records(tmp_path / "games.pgb")]
        for side, names in enumerate(played):
            assert [name == "greedy" for name in names] == [side == each for each in range(3)]

    def test_a_group_has_a_game_for_every_side(self):
        with pytest.raises(ValueError, match="a multiple of 3 to make groups, not 4"):
            play_match("race_of_three", "random", "random", 4, seed=1, paired=True)
