"""Agents trained by PPO: measured against other players, and written with their cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from pasgl_env import __version__, variants
from pasgl_env.evaluation.match import MatchResult, hardly_vary, play_match
from pasgl_env.evaluation.openings import EVEN_OPENINGS
from pasgl_env.players import trained
from pasgl_env.players.networks import checkpoint
from pasgl_env.players.networks.quantization import quantized
from pasgl_env.players.values.weights import shipped
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text
from pasgl_env.storage.files import write_whole
from pasgl_env.storage.runs import hardware
from pasgl_env.training.runs import log_rows, read_settings
from pasgl_env.training.settings import PpoSettings, command_of

OPPONENTS = ("random", "greedy")
# From the usual start this one plays hardly more than one game: the agent could know it by heart.
RIVAL = "td"
MOST_BYTES = 2_000_000
GAMES = 1000
"""Games against each opponent."""
MOST_ROWS_OF_CURVE = 12


@dataclass(frozen=True)
class Measured:
    """An agent's games against an opponent.

    Attributes:
        wins: number of games won.
        draws: number of games without a winner, including truncated ones.
        score: wins and half of the draws as a share of the games, with its 95% interval.
        distinct: number of different final positions.
    """

    opponent: str
    games: int
    wins: int
    draws: int
    score: Estimate
    distinct: int


def publish(run: Path, name: str | None, games: int, seed: int, into: Path, cards: Path) -> Path:
    """Measure the agent of a run, and write its file and its card.

    Args:
        run: folder of the run.
        name: the agent's name; None for the variant's.
        games: number of games against each opponent, in pairs with swapped sides.
        seed: seed of these games.
        into: folder of all shipped agents.
        cards: folder of their cards.

    Returns:
        The card.

    Raises:
        BadCheckpoint: if the folder holds no agent.
        OSError: if something cannot be read or written.
        ValueError: for an odd number of games, or fewer than 4, or if the network is too large.
    """
    if games < 4 or games % 2:
        raise ValueError(f"games must be even and at least 4, for an interval, not {games}")
    source = run / trained.AGENT_FILE
    content = checkpoint.read(source, None, "kind", "options", "policy", "steps")
    settings = read_settings(run, PpoSettings)
    rows = log_rows(run)
    weights, scales = quantized(content["policy"])
    tensors = (*weights.values(), *scales.values())
    if (size := sum({each.data_ptr(): each.nbytes for each in tensors}.values())) > MOST_BYTES:
        raise ValueError(f"the network of {run} takes {size:,} bytes, more than {MOST_BYTES:,}")
    own, kind = name or content["variant"], content["kind"]
    with TemporaryDirectory() as folder:
        # Put in its place only when measured, so that no agent is ever there without its card.
        new = Path(folder) / own / f"{kind}.pt"
        new.parent.mkdir()
        checkpoint.write(new, {**content, "policy": weights, "scales": scales})
        measured = [measure(new, content, opponent, games, seed) for opponent in OPPONENTS]
        rival = against_rival(new, f"{kind}:{own}", content, games, seed)
        agent = new.read_bytes()
    text = card_of(f"{kind}:{own}", content, settings, rows, measured, rival, seed)
    card = cards / own / f"{kind}.md"
    for file, whole in ((into / own / new.name, agent), (card, text.encode())):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, whole)
    return card


def measure(file: Path, content: dict[str, Any], opponent: str, games: int, seed: int) -> Measured:
    """Play the agent of a file against a player."""
    agent = checkpoint.load_player(file, seed=seed)
    options = content["options"]
    match = play_match(
        content["variant"], agent, opponent, games, seed=seed, paired=True, **options
    )
    tally = match.all
    draws = tally.draws + tally.truncated
    return Measured(opponent, games, tally.wins, draws, tally.score_rate, tally.distinct)


def against_rival(
    file: Path, name: str, content: dict[str, Any], games: int, seed: int
) -> MatchResult | None:
    """Play the agent of a file against :data:`RIVAL`; None in games without learned values."""
    variant, options = content["variant"], content["options"]
    if shipped(variants.ruleset(variant, **options)) is None:
        return None
    agent = checkpoint.load_player(file, seed=seed, name=name)
    return play_match(
        variant, agent, RIVAL, games, seed=seed, paired=True, starts=EVEN_OPENINGS, **options
    )


def card_of(
    name: str,
    content: dict[str, Any],
    settings: PpoSettings,
    rows: list[dict[str, Any]],
    measured: list[Measured],
    rival: MatchResult | None,
    seed: int,
) -> str:
    """The card, as Markdown."""
    seconds = max((row["seconds"] for row in rows), default=0.0)
    results = "\n".join(
        f"| `{each.opponent}` | {each.games} | {each.wins} | {each.draws} |"
        f" {each.games - each.wins - each.draws} | {estimate_text(each.score, True)} |"
        for each in measured
    )
    prior = settings.action_prior
    told = "" if prior == "none" else f", with the evaluation of `{prior}` as a prior"
    return f"""# `{name}`

Plays `{content["variant"]}`{_options_text(content["options"])}{told}.
Trained with pasgl_env {__version__} and PyTorch {torch.__version__}.

    {command_of(settings)}

| | |
|---|---|
| seed | {settings.seed} |
| decisions learned from | {content["steps"]:,} |{_lessons(settings, content)}
| time | {timedelta(seconds=round(seconds))}{_stopped(settings, content["steps"], seconds)} |
| hardware | {hardware()}, {settings.threads} of {torch.get_num_threads()} threads |

{_repeated(settings)}

## Results

Pairs of games with swapped sides, seed {seed}. Draws and games cut off by the turn limit count
half. Intervals are 95% intervals, computed as in playtests.

| opponent | games | won | drawn or cut off | lost | score |
|---|---:|---:|---:|---:|---|
{results}
{_monotony(measured)}{_from_openings(rival)}{_curve(rows)}"""


def _monotony(measured: list[Measured]) -> str:
    """A paragraph for each opponent against which games hardly vary."""
    return "".join(
        f"\nThe {each.games} games against `{each.opponent}` have only {each.distinct} different"
        " final positions: the\nplayers hardly vary, so the interval is too narrow.\n"
        for each in measured
        if hardly_vary(each.distinct, each.games)
    )


def _from_openings(rival: MatchResult | None) -> str:
    """A paragraph about the games against :data:`RIVAL`."""
    if rival is None:
        return ""
    tally = rival.all
    return f"""
From varied, even openings against `{rival.second}` (`pasgl evaluate --openings even`, seed
{rival.seed}): {estimate_text(tally.score_rate, True)} of {tally.games} games, {tally.wins} won,
{tally.losses} lost.
"""


def _curve(rows: list[dict[str, Any]]) -> str:
    """The section of the curve."""
    if not (shown := _thinned(rows)):
        return "\n## Curve\n\nThe agent was not evaluated during training.\n"
    met = {opponent for row in shown for opponent in row["evaluation"]}
    opponents = (*OPPONENTS, *sorted(met.difference(OPPONENTS)))
    points = "\n".join(_curve_row(row, opponents) for row in shown)
    return f"""
## Curve

Scores in small matches during training, from the usual start.

| seconds | decisions | {" | ".join(f"`{opponent}`" for opponent in opponents)} |
|---:|---:|{"---:|" * len(opponents)}
{points}
"""


def _thinned(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    evaluated = [row for row in rows if "evaluation" in row]
    every = -(-len(evaluated) // MOST_ROWS_OF_CURVE) or 1
    return evaluated[::-1][::every][::-1]


def _curve_row(row: dict[str, Any], opponents: Sequence[str]) -> str:
    scores = [row["evaluation"].get(opponent) for opponent in opponents]
    shown = " | ".join("" if each is None else f"{each:.0%}" for each in scores)
    decisions = row["steps"] + row.get("imitated", 0)
    return f"| {row['seconds']:.0f} | {decisions:,} | {shown} |"


def _repeated(settings: PpoSettings) -> str:
    """Whether the same command gives the same agent."""
    if settings.minutes is not None:
        return (
            "A run with a time limit depends on the machine: elsewhere the same command gives"
            " another agent."
        )
    if settings.threads > 1:
        return "With several threads, the same command gives another agent."
    return "The same command gives the same agent on the same kind of processor."


def _stopped(settings: PpoSettings, steps: int, seconds: float) -> str:
    """A note on runs that stopped before their limits."""
    minutes, wanted = settings.minutes, settings.steps
    in_time = not minutes or seconds < 0.95 * 60 * minutes
    in_steps = not wanted or steps < wanted
    return ", stopped before its limit" if in_time and in_steps else ""


def _lessons(settings: PpoSettings, content: dict[str, Any]) -> str:
    if not content.get("imitated"):
        return ""
    return f"\n| decisions of `{settings.teacher}` imitated first | {content['imitated']:,} |"


def _options_text(options: dict[str, Any]) -> str:
    if not options:
        return ""
    return " with " + ", ".join(f"`{name}={value}`" for name, value in options.items())
