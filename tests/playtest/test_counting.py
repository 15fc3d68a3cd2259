import math
from typing import Any

import numpy as np
import pytest

from pasgl_env import Batch, variants
from pasgl_env.contract.counters import Axis, Counter, first_cells
from pasgl_env.contract.description import describe
from pasgl_env.playtest import counting, generic
from pasgl_env.playtest.counting import Counts, GameCounter, squares_of, table_of
from pasgl_env.records.binary import heading_of, replayed
from pasgl_env.statistics.histograms import bins_of

# Pachessi is compiled in every run of the tests, the others take as long each.
VARIANTS = [
    pytest.param(name, marks=() if name == "pachessi" else pytest.mark.slow)
    for name in variants.names()
]
LIMIT = 60


def counter_of(batch, threads=1):
    return GameCounter(batch.ruleset, threads)


def played(batch, games, *, threads=1, keep=True, seed=3):
    """What was counted in some random games, and the games."""
    counter = counter_of(batch, threads)
    kept = counter.add_random(np.random.SeedSequence(seed), games, keep=keep)
    return counter.counts, kept


def same(one: Counts, other: Counts):
    parts: Any = zip(one, other, strict=True)
    return all(np.array_equal(mine, its) for mine, its in parts)


def generic_tally(record, first):
    """The generic counts of a game, from its positions: ``{name: number or list}``."""
    game = record.ruleset.game
    potential = game.potential or game.evaluate
    members = record.ruleset.members
    lead_changes, leader, turn = 0, -1, 0
    not_ahead, worst = [0] * len(members), [0.0] * len(members)
    choices = list[int]()
    opener = None
    for position in record.positions():
        if not choices:
            turn = position.turns
        if position.turns != turn and not position.is_chance:
            turn = position.turns
            option = position.options_record[0]
            worth = [
                position.points[each]
                if game.has_points
                else potential(position.state[0], option, each)
                for each in members
            ]
            for side, lead in enumerate(leads(worth)):
                lead = lead if game.has_points else lead / 2 / game.decisive_lead
                not_ahead[side] = turn if lead <= 0 else not_ahead[side]
                worst[side] = max(worst[side], -lead)
                if lead > 0:
                    lead_changes += leader not in (-1, side)
                    leader = side
        if not position.is_over and not position.is_chance and not position.is_truncated:
            opener = position.teams[position.to_move] if opener is None else opener
            choices.append(len(position.legal_actions()))
    last = record.final
    returns = last.returns or [0] * len(last.teams)
    scores = [(0, 1 / len(members), 1)[int(value) + 1] for value in returns]
    side_scores = dict(zip(last.teams, scores, strict=True))
    won = max(side_scores, key=side_scores.__getitem__) if any(returns) else None
    logs = sum(map(math.log10, choices))
    decisive = game.decisive_lead if game.has_points else 1
    return {
        "games": 1,
        "decisive_games": won is not None,
        "draws": last.is_over and won is None,
        "truncations": not last.is_over,
        "score": scores,
        "first_mover_score": side_scores[opener],
        "endings": last.is_over,
        "ended_first_mover_score": side_scores[opener] if last.is_over else 0,
        "minutes": sum(15 if number > 1 else 3 for number in choices) / 60,
        "first_player_score": side_scores[first],
        "points": list(last.points),
        "margin": max(leads([last.points[each] for each in members])),
        "turns": last.turns,
        "actions": len(choices),
        "actions_in_a_turn": len(choices),
        "branching": sum(choices),
        "geometric_branching": logs,
        "game_tree": logs,
        "forced": choices.count(1),
        "lead_changes": lead_changes,
        "decided_turn": not_ahead[won] if won is not None else 0,
        "decided_share": not_ahead[won] / max(last.turns, 1) if won is not None else 0,
        "worst_deficit": worst[won] if won is not None else 0,
        "comebacks": won is not None and worst[won] >= decisive,
        "free": len(choices) - choices.count(1),
        "decision_factor": sum(choices) - choices.count(1),
        **squares_and_positions(record),
    }


def squares_and_positions(record):
    """Board coverage and repeated positions."""
    game, options = record.ruleset.game, record.ruleset.record[0]
    touched, seen, repeated = set(), [position_of(record.begin())], 0
    position = record.begin()
    for choice in record.choices:
        turns = position.turns
        if position.is_chance:
            position.play_action(choice)
            continue
        (action,) = describe(game, position.state[0], options, [choice])
        touched |= set(action.squares)
        position.play_action(choice)
        if position.turns != turns:
            repeated += position_of(position) in seen
            seen.append(position_of(position))
    board = squares_of(record.ruleset)
    return {"coverage": len(touched) / max(len(board), 1), "repetitions": repeated}


def position_of(position):
    """The bytes of a state without what does not matter."""
    state = position.state
    position.ruleset.game.forget(state[0], position.ruleset.record[0])
    return state.tobytes()


def leads(worth):
    """By how much each side is ahead of the best of the others."""
    return [own - max(worth[:side] + worth[side + 1 :]) for side, own in enumerate(worth)]


def row_of(tally):
    """A tally as an array; seats that there are not have zeros."""
    row = np.zeros(generic.CELLS)
    for name, number in tally.items():
        values = np.atleast_1d(np.array(number, np.float64))
        row[generic.AT[name] : generic.AT[name] + values.size] = values
    return row


@pytest.mark.parametrize("name", [*VARIANTS, "race_of_three"])
def test_generic_counts_are_those_of_the_games(name, three_sides):
    options: Any = {"players": 4} if name == "pachessi" else {}
    batch = Batch(name, 1, turn_limit=LIMIT if name == "pachessi" else 1000, **options)
    sides = len(batch.ruleset.members)
    counts, games = played(batch, 4 * sides)
    heading = heading_of(batch.ruleset, ())
    rows = np.array(
        [
            row_of(generic_tally(replayed(heading, game), number % sides))
            for number, game in enumerate(games)
        ]
    )
    pairs = rows.reshape(-1, sides, generic.CELLS).sum(axis=1)
    by = pairs[:, table_of(variants.find(name)).divisors[: generic.CELLS]]
    expected = np.stack([pairs.sum(0), (pairs**2).sum(0), (pairs * by).sum(0)])
    np.testing.assert_allclose(counts.sums[:, : generic.CELLS], expected, rtol=1e-12)
    assert counts.games == 4 * sides
    assert np.flatnonzero(counts.lengths[0]).tolist() == sorted(
        set(bins_of(rows[:, generic.TURNS]))
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_games_played_again_count_the_same(name):
    batch = Batch(name, 1, turn_limit=LIMIT)
    counts, games = played(batch, 150)
    again = counter_of(batch)
    again.add_known(games)
    assert same(counts, again.counts)


def test_counts_depend_on_neither_threads_nor_whether_games_are_kept():
    batch = Batch("pachessi", 1, turn_limit=LIMIT)
    counts, games = played(batch, 200)
    assert same(counts, played(batch, 200, threads=2)[0])
    alone, nothing = played(batch, 200, keep=False)
    assert same(counts, alone)
    assert (len(games), nothing) == (200, [])


def test_fewer_games_are_the_first_ones():
    batch = Batch("pachessi", 1, turn_limit=LIMIT)
    assert played(batch, 20)[1] == played(batch, 140)[1][:20]
    assert played(batch, 20)[1] != played(batch, 20, seed=4)[1]


def test_the_games_of_a_pair_have_the_same_dice():
    _, games = played(Batch("pachessi", 1, turn_limit=LIMIT), 6)
    dice = [game.dice for game in games]
    assert dice[0::2] == dice[1::2]
    assert len(set(dice)) == 3


def test_a_counter_may_be_divided_by_one_with_fewer_axes():
    piece, square = Axis("piece", ("K", "Q")), Axis("square", ("a1", "a2", "a3"))
    moves = Counter("moves", "", "", (piece,))
    visits = Counter("visits", "", "", (piece, square), per="moves")
    lands = Counter("lands", "", "", (square,), per="moves")
    firsts = first_cells((moves, visits))
    assert firsts == {"moves": 0, "visits": 2}
    assert counting._divisors(visits, moves, 5).tolist() == [5, 5, 5, 6, 6, 6]
    with pytest.raises(ValueError, match="lands is per moves"):
        counting._divisors(lands, moves, 5)
