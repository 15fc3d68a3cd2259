"""Make the shipped sets of openings: varied positions that strong play considers even.

``python -m tools.openings`` makes them, always the same from the same seed. A candidate is reached
by some turns of a softened ``td``, in every fourth candidate by uniformly random ones; it is kept
if a search with learned values considers it about even for the player to act. Sets are for the
default rules, and one for Pachessi with four players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from pasgl_env import Batch, Dice, Position, players, variants
from pasgl_env.cli.arguments import wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.evaluation.openings import set_of
from pasgl_env.storage.files import write_whole

FOLDER = Path("pasgl_env/evaluation/positions")
POSITIONS = 200
TURNS = 2, 8
POLICY = "td:temperature=0.15"
JUDGE, DICE_JUDGE, LARGE_JUDGE = "search:100", "search:20", "search:10"
"""Simulations of the search: usually; with dice, per roll; on the largest boards."""
LARGE = ("superchief", "overlord")
EVEN = 0.2
"""Maximum distance from 0 of a position's value for the player to act, from -1 to 1."""
NAMES = (*variants.names(), "pachessi_four")


def candidates(name: str, seed: int) -> Iterator[Position]:
    """Positions at the start of turns, before any roll, forever."""
    usual = set_of(name)
    rules = variants.published_ruleset(usual.name, **usual.unusual)
    makers = [players.make(each, rules.name, seed=seed) for each in (POLICY, "random")]
    rng = np.random.default_rng((seed, 1))
    number = 0
    while True:
        position, dice = Position(rules), Dice(int(rng.integers(2**31)))
        wanted = int(rng.integers(TURNS[0], TURNS[1] + 1))
        player = makers[number % 4 == 3]
        while not position.is_over and (position.turns < wanted or position.in_turn):
            if position.is_chance:
                position.roll(dice)
            else:
                position.play_action(players.choose_one(player, position))
        number += 1
        if not position.is_over:
            yield Position.from_text(rules, position.text)


def value_of(judge: Any, position: Position) -> float:
    """A search's value of a position for the player to act, -1 to 1; the mean over all rolls."""
    after = [(position, 1.0)]
    if position.is_chance:
        rolls = position.chance_outcomes()
        after = [(position.copy().play_action(roll), chance) for roll, chance in rolls]
    batch = Batch(position.variant, len(after), **position.options)
    batch.states = np.concatenate([each.state for each, _ in after])
    players.choose(judge, batch, np.arange(len(after)))
    return sum(
        chance * float(values[visits.argmax()])
        for (_, chance), values, visits in zip(
            after, judge.action_values, judge.visits, strict=True
        )
        if visits.any()  # with only one legal action, nothing is searched
    )


def made(name: str, seed: int, count: int, report: Callable[[int, int], None]) -> list[str]:
    """The position texts of a set, in the order in which they were found.

    Args:
        name: name of the set.
        seed: seed of everything.
        count: number of positions.
        report: called with the numbers of positions found and candidates judged.
    """
    rules = set_of(name)
    with_dice = rules.game.chance.outcomes > 0
    judge_name = DICE_JUDGE if with_dice else LARGE_JUDGE if rules.name in LARGE else JUDGE
    judge = players.make(judge_name, rules.name, seed=seed)
    found: dict[str, None] = {}
    for judged, position in enumerate(candidates(name, seed), 1):
        if position.text not in found and abs(value_of(judge, position)) < EVEN:
            found[position.text] = None
        report(len(found), judged)
        if len(found) == count:
            break
    return list(found)


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SET...]", help=f"Of {', '.join(NAMES)}; default: all."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of everything.")] = 0,
    count: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of positions.")
    ] = POSITIONS,
    folder: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Folder of the sets.")
    ] = FOLDER,
) -> None:
    """Make sets of openings, and write them to files."""
    with wrong_input():
        for name in names or NAMES:
            if name not in NAMES:
                raise ValueError(f"no set {name!r}: {', '.join(NAMES)}")
            judged = 0

            def report(found: int, candidates: int) -> None:
                nonlocal judged
                judged = candidates

            texts = made(name, seed, count, report)
            heading = (
                f"# {len(texts)} openings, each {TURNS[0]} to {TURNS[1]} turns from the start, by"
                f" python -m tools.openings {name} --seed {seed}",
                f"# {judged} candidates; kept if the search says -{EVEN} to {EVEN} for who acts",
            )
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / f"{name}.txt", "\n".join([*heading, *texts, ""]).encode())
            say(f"{folder / name}.txt: {len(texts)} of {judged} candidates")


app = program(main)

if __name__ == "__main__":
    app()
