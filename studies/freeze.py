"""Freeze a version of the benchmark: its tasks, openings, reference players and their ratings.

``python -m studies.freeze v1`` writes ``pasgl_env/benchmark/protocols/v1.json`` from the players as
they are now. With ``--final`` the version is marked as final, and is never written again. The
references of each task meet their neighbours, in games from the frozen openings, to be rated; an
interrupted command continues.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from pasgl_env import Batch, Position, players, solve
from pasgl_env.benchmark.protocol import (
    PROTOCOLS,
    BenchmarkTask,
    Protocol,
    ReferencePlayer,
    SolvedPosition,
    try_out,
    values_of,
)
from pasgl_env.cli.arguments import GamesSeed, wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import interruptible
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.evaluation.journal import pair_points
from pasgl_env.evaluation.match import play_match
from pasgl_env.evaluation.openings import (
    SHIPPED,
    Openings,
    set_of,
    shipped,
    states_of,
    without_history,
)
from pasgl_env.evaluation.regret import decisions
from pasgl_env.evaluation.tournament import Tournament
from pasgl_env.statistics.ratings import Pairing, Rating, rate_players
from pasgl_env.storage.files import json_bytes, write_whole
from pasgl_env.version import __version__
from studies.entries import check_names
from studies.truth import POSITIONS as SOLVED

POOLS = {
    "pasgl312": "random td:temperature=0.2 greedy td:temperature=0.05 td search:10",
    "spalding": "random td:temperature=0.2 greedy td:temperature=0.05 td search:10",
    "chieftain": "random td:temperature=0.1 greedy td:temperature=0.02 td search:2",
    "superchief": "random td:temperature=0.07 td:temperature=0.025 greedy td search:2",
    "overlord": "random td:temperature=0.07 td:temperature=0.035 td:temperature=0.015 greedy td",
    "pachessi": "random td:temperature=0.3 td:temperature=0.1 greedy td search:100",
    "grand_pachessi": "random td:temperature=0.1 td:temperature=0.05 greedy td search:50",
    "pachessi_four": "random td:temperature=0.2 td:temperature=0.07 greedy td search:100",
}
"""The references of each task, from weak to strong. None has a time budget, and none needs PyTorch:
an action depends on the position and the seed alone. In Overlord a search takes too long."""
SHORT = "pasgl312", "spalding", "pachessi"
ANCHOR = "greedy"
GAMES = 100
"""Games against each reference, in pairs with an opening each."""
POSITIONS = 12
"""Positions in which the references' choices are recorded."""
DECISIONS = 100
"""Solved positions of each start."""
MOST_TURNS = 40
"""The most random turns from an opening to such a position."""


def positions_of(ruleset: Ruleset, openings: tuple[str, ...], seed: int) -> tuple[str, ...]:
    """Positions at the start of turns, some random turns after openings; different ones."""
    found: dict[str, None] = {}
    rng = np.random.default_rng((seed, len(openings)))
    batch = Batch(ruleset, 1, seed=seed)
    while len(found) < POSITIONS:
        text = openings[int(rng.integers(len(openings)))]
        until = batch.ruleset.game.turns(states_of(ruleset, [text])[0])
        until += int(rng.integers(1, MOST_TURNS + 1))
        batch.put([0], states_of(ruleset, [text]))
        while batch.turns[0] < until or ruleset.game.in_turn(batch.states[0]):
            batch.step([int(rng.choice(np.flatnonzero(batch.action_mask[0])))])
            if batch.ended.size:
                break
        else:
            state = without_history(batch, 0)
            found[ruleset.game.texts.write(state, ruleset.record[0])] = None
    return tuple(found)


def rated(name: str, ruleset: Ruleset, games: int, seed: int, folder: Path) -> dict[str, Rating]:
    """The ratings of a task's references, the weakest first."""
    pool, pairings = POOLS[name].split(), []
    openings = Openings.of_set(SHIPPED, ruleset)
    for first, second in pairwise(range(len(pool))):
        pair = [pool[first], pool[second]]
        own = folder / name / "-".join(pair).replace(":", "")
        tournament = Tournament(ruleset, pair, seed=seed, folder=own, openings=openings)
        standings = tournament.play(games)
        pairings.append(Pairing(first, second, pair_points(standings.outcomes[0, 1])))
        say(f"{name}: {pair[1]} scores {standings.score(1, 0):.0%} against {pair[0]}")
    ratings = rate_players(len(pool), pairings, anchor=pool.index(ANCHOR))
    return dict(sorted(zip(pool, ratings, strict=True), key=lambda each: each[1].elo))


def frozen(name: str, games: int, rating_games: int, seed: int, folder: Path) -> BenchmarkTask:
    """Freeze a task."""
    ruleset = set_of(name)
    openings = shipped(ruleset)[: games // 2]
    positions = positions_of(ruleset, openings, seed)
    usual = play_match(ruleset, ANCHOR, ANCHOR, GAMES, seed=seed).all.actions.value
    assert usual is not None
    references = []
    for player, rating in rated(name, ruleset, rating_games, seed, folder).items():
        made = players.make(player, ruleset.name, seed=0)
        choices = try_out(made, ruleset, positions).choices
        elo = round(rating.elo, 1) if isfinite(rating.elo) else None
        references.append(ReferencePlayer(player, elo, values_of(player, ruleset), choices))
    return BenchmarkTask(name, ruleset, openings, positions, tuple(references), round(usual, 1))


def solved(task: BenchmarkTask, seed: int) -> tuple[SolvedPosition, ...]:
    """Positions of a task whose optimal actions are known, as many of each start that is solved."""
    found: list[SolvedPosition] = []
    for each in SOLVED:
        if each.variant == task.name and not each.options:
            table = solve(task.ruleset, each.text)
            given = decisions(table, DECISIONS, seed)
            for state, losses in zip(given.states, given.losses, strict=True):
                text = Position.from_state(task.ruleset, state.reshape(1)).text
                legal = losses[~np.isnan(losses)]
                found.append(SolvedPosition(text, tuple(np.round(legal, 4).tolist())))
    return tuple(found)


def main(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Such as v1.")],
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TASK...]", help="Freeze only these anew.", show_default=False),
    ] = None,
    is_final: Annotated[
        bool, typer.Option("--final", help="Mark the version as final: it cannot be replaced.")
    ] = False,
    rating_games: Annotated[
        int, typer.Option(min=2, metavar="N", help="Games of each pair of neighbours, even.")
    ] = 400,
    folder: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Folder of these games.")
    ] = Path("runs/freeze"),
    seed: GamesSeed = 0,
) -> None:
    """Freeze a version of the benchmark."""
    with wrong_input(), interruptible(folder):
        to = PROTOCOLS / f"{version}.json"
        known = Protocol.load(version) if to.exists() else None
        if known and known.is_final:
            raise ValueError(f"{version} is final: give a new name")
        check_names(names or (), list(POOLS), "task")
        tasks = {
            name: known.tasks[name]
            if known and names and name not in names
            else frozen(name, GAMES, rating_games, seed, folder)
            for name in POOLS
        }
        tasks = {name: replace(task, solved=solved(task, seed)) for name, task in tasks.items()}
        protocol = Protocol(version, is_final, __version__, seed, GAMES, SHORT, tasks)
        write_whole(to, json_bytes(protocol.to_json()))
    say(f"{to}: digest {protocol.digest[:16]}")


app = program(main)

if __name__ == "__main__":
    app()
