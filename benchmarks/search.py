"""Monte-Carlo tree search compared with OpenSpiel's C++ one: simulations and actions per second.

Every line searches the start of its game (in a race, after the roll) with the same number of
simulations, each a random playout to the end of the game, on one thread and with a new tree each
time. Lines with "as shipped" are the player `mcts` with its own settings: it plays no game to its
end, so its simulations are not comparable. Lines with "learned" are the player `search`: its
actions are the positions that it evaluates.

Games differ in length, so a simulation is not the same work in two of them: *actions/s* is
simulations per second times the mean length of random games from the same start, without chance.

Machines differ and are noisy, so cite ratios, not rates: every line is measured once in each of
several rounds, and a ratio is the median over the rounds of the ratio within a round.

Run as ``python -m benchmarks.search``; OpenSpiel is in the extra ``peers``.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.peers import PeerMissing, import_peer, rate
from pasgl_env import Batch, variants
from pasgl_env.players import MctsPlayer, TreeSearchPlayer

VARIANTS = ("pasgl312", "spalding", "pachessi", "chieftain")
PEERS = ("chess", "backgammon")
RANDOM_GAMES = 200


class Line(NamedTuple):
    """A line of the table.

    Attributes:
        search: runs one search.
        length: mean number of actions of a simulation; None if it does not play to the end.
    """

    search: Callable[[], object]
    length: float | None


def own_line(variant: str, simulations: int, *, as_shipped: bool) -> Line:
    """This suite's search."""
    settings: dict[str, Any] = {} if as_shipped else {"plies": None, "prior_visits": 0.0}
    player = MctsPlayer(
        variants.find(variant), 1, simulations=simulations, threads=1, reuse=False, **settings
    )
    batch, first = Batch(variant, 1, seed=1), np.zeros(1, np.int64)
    assert batch.legal_count[0] > 1, "nothing would be searched"
    length = None if as_shipped else own_length(variant)
    return Line(lambda: player.choose(batch, first), length)


def learned_line(variant: str, simulations: int) -> Line:
    """This suite's search with learned values."""
    player = TreeSearchPlayer(variants.find(variant), 1, simulations=simulations, threads=1)
    batch, first = Batch(variant, 1, seed=1), np.zeros(1, np.int64)

    def search() -> None:
        player.reseed(first, [1])  # forgets the tree
        player.choose(batch, first)

    search()
    return Line(search, int(player._trees[0, 0].used[0]) / simulations)


def own_length(variant: str) -> float:
    """Mean number of actions of a random game."""
    batch = Batch(variant, RANDOM_GAMES, seed=2)
    lengths = np.zeros(RANDOM_GAMES)
    # The first game of each slot only: the games that end first are shorter than most.
    while not lengths.all():
        batch.step(batch.sample())
        new = lengths[batch.ended] == 0
        lengths[batch.ended[new]] = batch.final_length[new]
    return float(lengths.mean())


def peer_line(game_name: str, simulations: int) -> Line:
    """OpenSpiel's search."""
    pyspiel = import_peer("pyspiel")
    game, rng = pyspiel.load_game(game_name), random.Random(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        advance(state, rng)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
    length = statistics.mean(peer_length(state.clone(), rng) for _ in range(RANDOM_GAMES))
    return Line(lambda: bot.step(state), length)


def peer_length(state: Any, rng: random.Random) -> int:
    """Number of actions of a random game from a state."""
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        advance(state, rng)
    return decisions


def advance(state: Any, rng: random.Random) -> None:
    """Play a random action, or let chance act."""
    if state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, probabilities)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def lines(simulations: int) -> tuple[dict[str, Line], list[str]]:
    """The lines of the table, and the reasons for missing ones."""
    measured, missing = {}, []
    for game_name in PEERS:
        try:
            measured[f"OpenSpiel {game_name}"] = peer_line(game_name, simulations)
        except PeerMissing as error:
            missing.append(f"OpenSpiel {game_name}: not installed: {error}")
    for variant in VARIANTS:
        measured[variant] = own_line(variant, simulations, as_shipped=False)
        measured[f"{variant}, as shipped"] = own_line(variant, simulations, as_shipped=True)
        measured[f"{variant}, learned"] = learned_line(variant, simulations)
    return measured, missing


def main(
    simulations: Annotated[
        int, typer.Option(help="Number of simulations per search.", min=1)
    ] = 400,
    seconds: Annotated[float, typer.Option(help="Time for a line in a round.", min=0.05)] = 2.0,
    rounds: Annotated[int, typer.Option(help="Number of rounds.", min=1)] = 3,
) -> None:
    """Measure this suite's tree search and OpenSpiel's in one run."""
    todo, missing = lines(simulations)
    jobs = [(number, name) for number in range(rounds) for name in todo]
    rates: dict[str, list[float]] = {name: [] for name in todo}
    for _, name in track(jobs, "Measuring", console=Console(stderr=True)):
        rates[name].append(simulations * rate(partial(searched, todo[name]), seconds))
    show(todo, rates)
    for reason in missing:
        Console().print(f"skipped {reason}", soft_wrap=True)


def searched(line: Line) -> int:
    """Search once."""
    line.search()
    return 1


def show(todo: dict[str, Line], rates: dict[str, list[float]]) -> None:
    """Print the table: rates, and ratios to the peers by actions."""
    peers = [name for name in todo if name.startswith("OpenSpiel")]
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("line", no_wrap=True)
    headings = ("simulations/s", "actions each", "actions/s", *(f"× {name}" for name in peers))
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, line in todo.items():
        middle, cells = statistics.median(rates[name]), []
        if line.length is not None:
            cells = [f"{line.length:,.0f}", f"{middle * line.length:,.0f}"]
            for peer in peers:
                share = line.length / (todo[peer].length or 1)
                pairs = zip(rates[name], rates[peer], strict=True)
                cells.append(f"{share * statistics.median(a / b for a, b in pairs):.1f}")
        table.add_row(name, f"{middle:,.0f}", *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(main)
