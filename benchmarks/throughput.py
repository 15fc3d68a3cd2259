"""Decisions per second of this suite and of others, in one run and one table.

Every line plays uniformly random legal actions, and computes the action mask and the observation of
the agent to act for every decision. The *floor* is the time merely to clear and write output
buffers of the same size: no environment that fills them can be faster.

Machines differ and are noisy, so cite ratios, not rates: every line is measured once in each of
several rounds, and a ratio is the median over the rounds of the ratio within a round.

The *rules' own* time is that of the rules alone (``benchmarks.rules``): the time of a batch's step
and of drawing its actions beyond that is the suite's overhead.

Run as ``python -m benchmarks.throughput``, with names of variants or ``all``; the other suites are
in the extra ``peers``.
"""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import gymnasium
import numpy as np
import typer
from gymnasium.vector import AutoresetMode
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

import pasgl_env
from benchmarks.peers import (
    PEERS,
    PeerMissing,
    aec_rate,
    drawn,
    import_peer,
    openspiel_rate,
    rate,
)
from benchmarks.rules import RulesBesideBatch
from pasgl_env import Batch, Dice, Position, variants
from pasgl_env.envs.registration import gymnasium_id
from pasgl_env.storage.runs import hardware

BATCH_SIZES = (1, 64, 1024, 8192)
MAIN_BATCH = 1024
FEW = 8  # environments in other libraries' vector environments
RULES_ALONE = f"rules alone, {MAIN_BATCH} games"
BESIDE_RULES = "a batch in the same positions"
CHESS, SLOW_CHESS = "OpenSpiel chess", "PettingZoo chess_v6"

Measure = Callable[[float], float]
Rates = dict[str, list[float]]


def batch_rate(variant: str, games: int, threads: int) -> Measure:
    """A batch, played continuously, so that games are at all stages."""
    batch = Batch(variant, games, threads=threads, seed=0)

    def play() -> int:
        for _ in range(max(1, MAIN_BATCH // games)):
            batch.step(batch.sample())
        return max(1, MAIN_BATCH // games) * games

    for _ in range(300):
        batch.step(batch.sample())
    return lambda seconds: rate(play, seconds)


def floor_rate(variant: str, games: int) -> Measure:
    """Clear and write arrays as large as the outputs of a batch; nothing is computed."""
    batch = Batch(variant, games, seed=0)
    outputs = [
        batch.observation,
        batch.action_mask,
        batch.legal_count,
        batch.to_move,
        batch.reward,
        batch.terminated,
        batch.truncated,
    ]
    written = [array.copy() for array in outputs]
    buffers = [np.empty_like(array) for array in outputs]

    def play() -> int:
        for _ in range(max(1, MAIN_BATCH // games)):
            for buffer, content in zip(buffers, written, strict=True):
                buffer.fill(0)
                buffer[:] = content
        return max(1, MAIN_BATCH // games) * games

    return lambda seconds: rate(play, seconds)


def own_aec_rate(variant: str, *, raw: bool) -> Measure:
    """The PettingZoo environment, with or without its standard checks."""
    env = pasgl_env.make(variant)
    return partial(aec_rate, env.unwrapped if raw else env)


def gymnasium_rate(variant: str) -> Measure:
    """The Gymnasium environment against a random opponent; only the learner's decisions count."""
    env = gymnasium_env(variant)
    rng = random.Random(0)

    def play() -> int:
        _, info = env.reset(seed=rng.getrandbits(31))
        for decision in range(FEW * 100):
            _, _, terminated, truncated, info = env.step(drawn(info["action_mask"], rng))
            if terminated or truncated:
                return decision + 1
        return FEW * 100

    return lambda seconds: rate(play, seconds)


def gymnasium_env(variant: str) -> gymnasium.Env[Any, Any]:
    """The result of ``gymnasium.make``, including its wrappers."""
    return gymnasium.make(gymnasium_id(variant), opponent="random")


def sync_vector_rate(variant: str) -> Measure:
    """Gymnasium's own vector environment."""
    envs = gymnasium.vector.SyncVectorEnv(
        [partial(gymnasium_env, variant)] * FEW, autoreset_mode=AutoresetMode.SAME_STEP
    )
    rng = random.Random(0)
    _, infos = envs.reset(seed=0)

    def play() -> int:
        nonlocal infos
        for _ in range(100):
            *_, infos = envs.step(np.array([drawn(mask, rng) for mask in infos["action_mask"]]))
        return 100 * FEW

    return lambda seconds: rate(play, seconds)


def dummy_vec_rate(variant: str) -> Measure:
    """Stable-Baselines3's own vector environment, with masks read as MaskablePPO does."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    envs = DummyVecEnv([partial(gymnasium_env, variant)] * FEW)
    rng = random.Random(0)
    envs.reset()

    def play() -> int:
        for _ in range(100):
            masks = envs.env_method("action_masks")
            envs.step(np.array([drawn(mask, rng) for mask in masks]))
        return 100 * FEW

    return lambda seconds: rate(play, seconds)


def vec_env_rate(variant: str, games: int) -> Measure:
    """The VecEnv against a random opponent; only the learner's decisions count."""
    from pasgl_env.envs.vec import SelfPlayVecEnv

    env = SelfPlayVecEnv(variant, games, opponents=["random"], seed=0)
    env.reset()

    def play() -> int:
        for _ in range(10):
            env.step(env.sample())
        return 10 * games

    return lambda seconds: rate(play, seconds)


def position_rate(variant: str) -> Measure:
    """One game through ``Position``, observed at every decision."""
    game, rng, dice = variants.find(variant), random.Random(0), Dice(0)
    start = Position(variant, **game.environment_options)

    def play() -> int:
        position, decisions = start.copy(), 0
        while not (position.is_over or position.is_truncated):
            if position.is_chance:
                position.roll(dice)
                continue
            position.observation()
            position.play_action(rng.choice(position.legal_actions()))
            decisions += 1
        return decisions

    return lambda seconds: rate(play, seconds)


def openspiel_adapter_rate(variant: str) -> Measure:
    """One game through OpenSpiel's interface, observed at every decision."""
    import_peer("pasgl_env.adapters.openspiel")
    return partial(openspiel_rate, f"pasgl_env_{variant}")


def lines(variant: str) -> dict[str, Callable[[], Measure]]:
    """All lines of the table, in order; each is set up at its first measurement."""
    own: dict[str, Callable[[], Measure]] = {}
    rules = cache(partial(RulesBesideBatch, variant, MAIN_BATCH))
    for games in BATCH_SIZES:
        for threads in (1, 2):
            name = f"Batch of {games}, {threads} thread{'s' * (threads > 1)}"
            own[name] = partial(batch_rate, variant, games, threads)
        own[_floor_name(games)] = partial(floor_rate, variant, games)
    own[RULES_ALONE] = lambda: rules().rules_rate
    own[BESIDE_RULES] = lambda: rules().batch_rate
    own["Position"] = partial(position_rate, variant)
    own["OpenSpiel adapter"] = partial(openspiel_adapter_rate, variant)
    own["PettingZoo raw_env()"] = partial(own_aec_rate, variant, raw=True)
    own["PettingZoo env()"] = partial(own_aec_rate, variant, raw=False)
    own["Gymnasium environment"] = partial(gymnasium_rate, variant)
    own[f"Gymnasium SyncVectorEnv of {FEW}"] = partial(sync_vector_rate, variant)
    own[f"SB3 DummyVecEnv of {FEW}"] = partial(dummy_vec_rate, variant)
    own[f"VecEnv of {MAIN_BATCH}"] = partial(vec_env_rate, variant, MAIN_BATCH)
    return own | {name: partial(_same, measure) for name, measure in PEERS.items()}


def _same(measure: Measure) -> Measure:
    """A peer sets itself up on every call."""
    return measure


def _floor_name(games: int) -> str:
    return f"floor of {games}"


def measure_all(variant: str, seconds: float, rounds: int) -> tuple[Rates, dict[str, str]]:
    """Rates of every line in every round, and the reasons for missing lines."""
    measures: dict[str, Measure] = {}
    rates: Rates = {}
    missing: dict[str, str] = {}
    todo = lines(variant)
    jobs = [(number, name) for number in range(rounds) for name in todo]
    for _, name in track(jobs, "Measuring", console=Console(stderr=True)):
        if name in missing:
            continue
        try:
            if name not in measures:
                measures[name] = todo[name]()
            measured = measures[name](seconds)
        except (PeerMissing, ImportError) as error:
            missing[name] = f"not installed: {error}"
        else:
            rates.setdefault(name, []).append(measured)
    return rates, missing


def ratio(rates: Rates, name: str, other: str) -> float | None:
    """The median over the rounds of one line's rate divided by another's."""
    if name not in rates or other not in rates:
        return None
    return statistics.median(a / b for a, b in zip(rates[name], rates[other], strict=True))


def show(variant: str, rates: Rates, missing: dict[str, str]) -> None:
    """Print the table: rates, ratios to two chess peers, time over the floor's and the rules'."""
    table = Table(box=box.SIMPLE_HEAD, title=variant)
    table.add_column("line", no_wrap=True)
    for heading in ("decisions/s", "× OpenSpiel", "× chess_v6", "time / floor", "time / rules"):
        table.add_column(heading, justify="right")
    for name, values in rates.items():
        games = next((n for n in BATCH_SIZES if f"Batch of {n}," in name), None)
        floor = ratio(rates, _floor_name(games), name) if games else None
        rules = ratio(rates, RULES_ALONE, name) if name == BESIDE_RULES else None
        table.add_row(
            name,
            f"{statistics.median(values):,.0f}",
            *(
                _shown(r)
                for r in (ratio(rates, name, CHESS), ratio(rates, name, SLOW_CHESS), floor, rules)
            ),
        )
    console = Console()
    console.width = max(console.width, 110)  # in files, too
    console.print(table)
    for name, reason in missing.items():
        console.print(f"skipped {name}: {reason}", soft_wrap=True)


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:,.2f}" if value < 100 else f"{value:,.0f}"


def report(
    variant: str, rates: Rates, missing: dict[str, str], seconds: float
) -> dict[str, object]:
    """The same figures for programs."""
    packages = ("numpy", "numba", "pettingzoo", "gymnasium")
    return {
        "variant": variant,
        "seconds_a_line": seconds,
        "machine": {"processor": hardware(), "cores": os.cpu_count()},
        "python": platform.python_version(),
        "versions": {name: version(name) for name in packages},
        "rates": rates,
        "ratio_to_openspiel_chess": {name: ratio(rates, name, CHESS) for name in rates},
        "ratio_to_chess_v6": {name: ratio(rates, name, SLOW_CHESS) for name in rates},
        "time_over_the_rules": ratio(rates, RULES_ALONE, BESIDE_RULES),
        "skipped": missing,
    }


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help="The variants to measure; all of them: all.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time for a line in a round.", min=0.05)] = 1.0,
    rounds: Annotated[int, typer.Option(help="Number of rounds.", min=1)] = 3,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the figures to this file, too.")
    ] = None,
) -> None:
    """Measure this suite and others in one run."""
    figures = []
    for variant in variants.names() if names == ["all"] else names or ["pasgl312"]:
        rates, missing = measure_all(variant, seconds, rounds)
        show(variant, rates, missing)
        figures.append(report(variant, rates, missing, seconds))
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
