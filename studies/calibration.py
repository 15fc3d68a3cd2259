"""How well learned values predict results, and the curves that make them do so.

``python -m studies.calibration`` plays a search against itself, from the shipped openings, for
some minutes in every variant, and compares the values of some positions of each game with its
result. It writes the curves beside the weights, and the page ``docs/results/calibration.md``.
Run it again whenever values are published; with names of variants it measures only those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Annotated, NamedTuple

import numpy as np
import typer
from scipy.optimize import minimize

from agents.recipes import LONG_TURNS
from pasgl_env import Batch, players
from pasgl_env.cli.arguments import GamesSeed, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import Passed, countdown, progress_bar
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.openings import SHIPPED, Openings, set_of, shipped_sets
from pasgl_env.evaluation.table import markdown_table
from pasgl_env.players import TreeSearchPlayer
from pasgl_env.players.values.calibration import (
    Calibration,
    ValueCurve,
    calibrated,
    write_calibration,
)
from pasgl_env.statistics.clustered import share, sums_of
from pasgl_env.statistics.texts import estimate_text
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import hardware
from studies.entries import PAGES, check_names, commands, entries_file, read_entries, write_entries
from studies.ladder import Minutes, Names

PAGE = PAGES / "calibration.md"
AT_ONCE = 32
"""Games at once; all of them are finished, or long games would be left out."""
PLAYER, FAST_PLAYER = "search:10", "td"
"""Who plays; the second one where games have thousands of actions."""
LOOK = 100
"""Simulations of the search whose values are calibrated."""
POSITIONS = 8
"""The most positions of a game."""
BANDS = 0.5, 0.6, 0.7, 0.8, 0.9, 1.0
KINDS = {"td": "one action ahead", "search": f"search of {LOOK} simulations"}
UNDECIDED = 0.5
"""The score of games that nobody won."""
_WEAK = 0.1
"""Variance of the logarithms of a curve's parameters that is expected before any game is played."""


@dataclass(frozen=True)
class Entry:
    """How well the values of a variant predict.

    Attributes:
        minutes: time for the games.
        games: their number.
        positions: their number.
        rows: of the page's table.
    """

    minutes: float
    games: int
    positions: int
    rows: list[list[str]]


class Sample(NamedTuple):
    """Values of a variant's positions, and results of their games.

    Attributes:
        games: ``int64[k]``, the game of each position.
        scores: ``float64[k]``: what the side to act scored: 1, 0.5 or 0.
        values: by kind, ``float64[k]``: the value of each position for the side to act.
    """

    games: np.ndarray
    scores: np.ndarray
    values: dict[str, np.ndarray]

    def held_out(self, kind: str) -> np.ndarray:
        """The values after the curve that was fitted to the other half of the games."""
        values, is_odd = self.values[kind], self.games % 2 == 1
        after = np.empty(values.size)
        for half in (is_odd, ~is_odd):
            after[half] = _all(values[half], fit(values[~half], self.scores[~half]))
        return after


def fit(values: np.ndarray, scores: np.ndarray) -> ValueCurve:
    """The curve under which the scores are likeliest; a game counts once, not its positions.

    Where somebody wins every game, even the largest values are possible.
    """

    def curve(point: np.ndarray) -> ValueCurve:
        scale, power, *most = np.exp(point).tolist()
        return ValueCurve(scale, power, min([1.0, *most]))

    def cost(point: np.ndarray) -> float:
        expected = (1 + _all(values, curve(point))) / 2
        return loss(expected, scores) * scores.size / POSITIONS + float(point @ point) / (2 * _WEAK)

    begin = np.zeros(3 if UNDECIDED in scores else 2)
    return curve(minimize(cost, begin, method="Nelder-Mead", options={"xatol": 1e-3}).x)


def loss(expected: np.ndarray, scores: np.ndarray) -> float:
    """The mean cross-entropy, in nats."""
    sure = np.clip(expected, 1e-3, 1 - 1e-3)
    return float(-(scores * np.log(sure) + (1 - scores) * np.log(1 - sure)).mean())


def _all(values: np.ndarray, curve: ValueCurve) -> np.ndarray:
    return np.array([calibrated(value, curve) for value in values.tolist()])


def measure(ruleset: Ruleset, seconds: float, seed: int, report: Passed) -> Sample:
    """Play for some seconds, at least :data:`AT_ONCE` games, and look at positions of the games."""
    begun, first, parts = perf_counter(), 0, list[Sample]()
    while first == 0 or (perf_counter() - begun) * (1 + AT_ONCE / first) < seconds:
        states, games, scores = _played(ruleset, first, seed)
        looks = zip(KINDS, (1, LOOK), strict=True)
        values = {kind: _values(ruleset, states, simulations) for kind, simulations in looks}
        parts.append(Sample(np.array(games), np.array(scores), values))
        first += AT_ONCE
        report(perf_counter() - begun, f"{first} games")
    return Sample(
        np.concatenate([part.games for part in parts]),
        np.concatenate([part.scores for part in parts]),
        {kind: np.concatenate([part.values[kind] for part in parts]) for kind in KINDS},
    )


def _played(ruleset: Ruleset, first: int, seed: int) -> tuple[np.ndarray, list[int], list[float]]:
    """Positions of some games at which turns began, their games, and what those to act scored."""
    draw = np.random.default_rng((seed, first))
    name = FAST_PLAYER if ruleset.name in LONG_TURNS else PLAYER
    player = players.make(name, ruleset.name, seed=seed + first)
    batch, rows = Batch(ruleset, AT_ONCE, seed=seed + first), np.arange(AT_ONCE)
    begins = Openings.of_set(SHIPPED, ruleset).begins(ruleset, seed, first, AT_ONCE)
    assert begins is not None  # the set has positions
    batch.put(rows, begins.states)
    seen: list[list[tuple[np.ndarray, int]]] = [[] for _ in rows]
    going, last = np.ones(AT_ONCE, bool), np.full(AT_ONCE, -1)
    found: list[tuple[np.ndarray, int, float]] = []
    while going.any():
        open_, turns, states, to_move = (
            np.flatnonzero(going),
            batch.turns,
            batch.states,
            batch.to_move,
        )
        for game in open_[turns[open_] != last[open_]].tolist():
            seen[game].append((states[game : game + 1].copy(), int(to_move[game])))
        last = turns
        batch.step_some(open_, players.choose(player, batch, open_))
        for game, returns in zip(batch.ended.tolist(), batch.outcome.tolist(), strict=True):
            going[game] = False
            most = min(POSITIONS, len(seen[game]))
            for each in draw.choice(len(seen[game]), most, replace=False).tolist():
                state, mover = seen[game][each]
                found.append((state, first + game, (1 + returns[mover]) / 2))
    states, games, scores = zip(*found, strict=True)
    return np.concatenate(states), list(games), list(scores)


def _values(ruleset: Ruleset, states: np.ndarray, simulations: int) -> np.ndarray:
    """The values of positions for those to act, by a search."""
    batch, rows = Batch(ruleset, states.size), np.arange(states.size)
    batch.states = states
    player = TreeSearchPlayer(ruleset.game, 0, simulations=simulations)
    actions = players.choose(player, batch, rows)
    found = player.action_values[rows, actions]
    for row in np.flatnonzero(np.isnan(found)).tolist():  # only one action is legal
        after = batch.position(row).play_action(int(actions[row]))
        found[row] = 0.0 if after.returns is None else after.returns[int(batch.to_move[row])]
    return found.astype(np.float64)


def entry_of(sample: Sample, curves: Mapping[str, ValueCurve], minutes: float) -> Entry:
    """The rows of a variant, whose games took these minutes."""
    rows = []
    for kind, curve in curves.items():
        most = f", at most {(1 + curve.most) / 2:.0%}" if curve.most < 1 else ""
        for label, values in (("raw", sample.values[kind]), ("calibrated", sample.held_out(kind))):
            how = "" if label == "raw" else f"{curve.scale:.2f} · x^{curve.power:.2f}{most}"
            about = f"{KINDS[kind]}, {label}", how, f"{loss((1 + values) / 2, sample.scores):.3f}"
            rows.append([*about, *_won(sample, values)])
    return Entry(minutes, np.unique(sample.games).size, sample.games.size, rows)


def _won(sample: Sample, values: np.ndarray) -> Iterator[str]:
    """The score of the favourites in positions of each band of expected scores."""
    scores = np.where(values >= 0, sample.scores, 1 - sample.scores)
    bands = np.digitize(np.abs(values), 2 * np.array(BANDS[1:-1]) - 1)
    for band in range(len(BANDS) - 1):
        chosen = bands == band
        if not chosen.any():
            yield "–"
            continue
        _, units = np.unique(sample.games[chosen], return_inverse=True)
        won, count = np.bincount(units, scores[chosen]), np.bincount(units).astype(np.float64)
        found = share(sums_of(won, count), sums_of(count, count))
        yield f"{estimate_text(found, True)} of {int(chosen.sum())}"


def page(found: Mapping[str, Entry]) -> str:
    """The page, as Markdown."""
    measured = commands("calibration", {name: own.minutes for name, own in found.items()})
    lines = [
        _INTRODUCTION.format(
            commands=measured, hardware=hardware(), look=LOOK, player=PLAYER, fast=FAST_PLAYER
        )
    ]
    bands = [f"{low:.0%} to {high:.0%}" for low, high in pairwise(BANDS)]
    headings = ["values", "curve", "loss", *bands]
    for name, own in found.items():
        lines += [f"## `{name}`\n", f"{own.games} games, {own.positions:,} positions.\n"]
        lines += [*markdown_table(headings, own.rows, left=(0, 1)), ""]
    return "\n".join(lines)


_INTRODUCTION = """# Calibration

Values that people see, on the [web page](../web.md), in `pasgl judge` and in the measures of
[playtests](../measures.md), are expected results: strong players win about 70% of positions
that are called 70%. What the [learned values](../learned_values.md) say is put through a curve, an
odd power of the logit: one for the values of one action ahead, another for those of a search.
Measured by

{commands}

`{player}` played against itself from the shipped openings, `{fast}` in the Chieftain family. Up
to 8 positions of each game were valued, one action ahead and by a search of {look} simulations.
The columns of percentages are bands of what the values say that the favourite will score. Below is
what it scored, with a 95% interval, and in how many positions: it should be within the band. *Loss*
is the mean cross-entropy, lower is better; to say 50% always has 0.693.

Games that nobody wins, most of them cut off by the turn limit or for lack of room, count as half.
Where there are any, whoever is far ahead does not always win, so a curve may have a largest value
below 100%; it is found with the rest of the curve. Wins and losses that are certain stay so.

Calibrated values are held out: the curve of each half of the games was fitted to the other half.
The curve in the table, which is used, was fitted to all. It is stored beside the weights with their
checksum. Values without a curve, such as your own or those of other options, are shown as they are,
and called uncalibrated.

Hardware: {hardware}.
"""


def main(
    names: Names = None,
    minutes: Minutes = 2.0,
    to: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
    seed: GamesSeed = 0,
) -> None:
    """Calibrate the shipped values, and write their curves and the page."""
    with wrong_input():
        check_names(names or (), shipped_sets(), "variant")
        entries = entries_file(to)
        found = read_entries(entries, "calibrations", lambda each: Entry(**each))
        with progress_bar() as show:
            for name in names or shipped_sets():
                tell = countdown(show, name, 60 * minutes)
                sample = measure(set_of(name), 60 * minutes, seed, tell)
                curves = {kind: fit(sample.values[kind], sample.scores) for kind in KINDS}
                write_calibration(set_of(name), Calibration(curves["td"], curves["search"]))
                found[name] = entry_of(sample, curves, minutes)
                found = {name: found[name] for name in shipped_sets() if name in found}
                write_entries(entries, found)
                write_whole(to, page(found).encode())
    say(f"The calibration is in {to}.")


app = program(main)

if __name__ == "__main__":
    app()
