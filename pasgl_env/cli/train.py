"""``pasgl train``: train an agent by self-play."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich import box
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Table

from pasgl_env.cli.arguments import Settings, Variant, read_options, wrong_input
from pasgl_env.cli.output import SparseLines, err, out, say

if TYPE_CHECKING:
    from pasgl_env.training.ppo.run import Status
    from pasgl_env.training.ppo.train import TrainSettings

Run = TypeVar("Run", bound=Any)
"""Settings of a run, a dataclass."""

Folder = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Where the agent goes; default: runs/VARIANT."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on from the folder's last checkpoint.")]
NetworkSeed = Annotated[
    int | None, typer.Option("--seed", min=0, metavar="N", help="Of network and games; default: 0.")
]
ProcessorThreads = Annotated[
    int | None,
    typer.Option("--threads", min=1, metavar="N", help="Processor threads; default: 2."),
]


def command(
    variant: Variant,
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="ppo|td|rllib",
            help="MaskablePPO; values learned by temporal differences, for `td` and `search`; or"
            " PPO on Ray RLlib.",
        ),
    ] = "ppo",
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            metavar="N",
            help="Train so long in all; default: 3 without --steps, 8 of temporal differences.",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Train for so many decisions of the learner in all."),
    ] = None,
    folder: Folder = None,
    resume: Resume = False,
    seed: NetworkSeed = None,
    games: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Games played in step; default: 256.")
    ] = None,
    threads: ProcessorThreads = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Fixed players met beside the agent's own networks; default: random,greedy.",
        ),
    ] = None,
    past_selves: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Earlier networks met beside the present one; with 0 the fixed players are met"
            " more often; default: 5.",
        ),
    ] = None,
    learning_rate: Annotated[
        float | None,
        typer.Option(metavar="N", help="At the start; it falls to a tenth; default: 0.001."),
    ] = None,
    shaping: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Weight of rewards for standing better, by the game's own evaluation;"
            " default: 0 in games with points, else 0.5.",
        ),
    ] = None,
    imitation: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Decisions of the teacher to learn from before self-play begins;"
            " default: 60000 where the network is convolutional, else 0.",
        ),
    ] = None,
    teacher: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The player to learn from; default: greedy."),
    ] = None,
    layers: Annotated[
        str | None,
        typer.Option(
            metavar="dense|convolutional",
            help="The network's kind; default: convolutional where actions are planes of squares.",
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Features, or channels, of each layer; default: 256 of dense ones, 32 of"
            " convolutional ones.",
        ),
    ] = None,
    opinion: Annotated[
        bool | None,
        typer.Option(
            "--opinion",
            help="Tell the network what the greedy player thinks of each action, so that it begins"
            " as strong as that one; without --imitation it then imitates nobody.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Begin with the weights of this trained agent, of this variant or another.",
        ),
    ] = None,
    sharpness: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            help="Multiply the first network's scores of actions: above 1 it plays nearer its best"
            " while it learns; default: 1.",
        ),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Cut games off after so many turns while it learns; default: the variant's limit.",
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="N",
            help="At which the agent plays when it has been trained, 0 for its likeliest action;"
            " default: 0.25.",
        ),
    ] = None,
    evaluations: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="How often the agent is measured against the fixed players; default: 10.",
        ),
    ] = None,
    td: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A setting of --algorithm td: exploration, temperature, opening, prelude, decay,"
            " step, rivalry, cut_worth or start (values to begin with). Repeat for more.",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Of rllib: learn from so many batches in all."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Of rllib: processes that play; default: 2."),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Of rllib: a Ray cluster, HOST:PORT, auto or local (default)."
        ),
    ] = None,
    settings: Settings = None,
) -> None:
    r"""Train an agent by self-play.

    With --algorithm td a small network learns what positions are worth, in whole games of compiled
    code; `td` plays by it and `search` searches with it. This takes minutes and needs no PyTorch.
    It takes --minutes, --out, --resume, --seed, --threads, --horizon, --td and --set.

    MaskablePPO is the other algorithm. Convolutional networks first learn from the greedy player.
    Then the agent meets itself, past selves and the fixed players, most often those whom it loses
    to.
    Checkpoints are written every 20 seconds: after Ctrl-C or a kill, --resume goes on from the
    last one, with the settings that the run began with and, if they are given, new limits. In the
    folder are agent.pt (a player for the other commands), training.pt, log.jsonl and tensorboard/.

    \b
    Examples:
      pasgl train pasgl312 --algorithm td
      pasgl train pasgl312 --minutes 30
      pasgl train pasgl312 --resume --minutes 60
      pasgl train pasgl312 --steps 100000 --out runs/mine --set win_margin=20
      pasgl evaluate pasgl312 runs/mine greedy
    """
    only_ppo = given(
        games=games,
        past_selves=past_selves,
        learning_rate=learning_rate,
        shaping=shaping,
        imitation=imitation,
        teacher=teacher,
        layers=layers,
        width=width,
        opinion=opinion,
        start=start,
        sharpness=sharpness,
        temperature=temperature,
        evaluations=evaluations,
        opponents=None if opponents is None else _names(opponents),
    )
    only_rllib = given(iterations=iterations, workers=workers, address=address)
    if algorithm == "td":
        from pasgl_env.cli import train_td  # other commands need not wait for it

        with wrong_input():
            _refuse("td", steps=steps, **only_ppo, **only_rllib)
            options = read_options(variant, settings) or None
        kept = given(minutes=minutes, seed=seed, threads=threads, horizon=horizon, options=options)
        train_td.run(variant, folder or Path("runs") / f"{variant}-td", resume, kept, td or [])
        return
    if algorithm == "rllib":
        from pasgl_env.cli import train_rllib

        with wrong_input():
            _refuse("rllib", steps=steps, threads=threads, horizon=horizon, td=td, **only_ppo)
            options = read_options(variant, settings) or None
        kept = given(
            iterations=iterations, minutes=minutes, workers=workers, seed=seed, options=options
        )
        train_rllib.run(variant, folder or Path("runs") / variant, resume, address or "local", kept)
        return
    with wrong_input():
        if algorithm != "ppo":
            raise ValueError(f"--algorithm is ppo, td or rllib, not {algorithm!r}")
        _refuse("ppo", td=td, **only_rllib)
        from pasgl_env.training.ppo.train import TrainSettings

        place = folder or Path("runs") / variant
        limits: dict[str, Any] = (
            {} if minutes is steps is None else {"minutes": minutes, "steps": steps}
        )
        changeable = {**limits, **given(threads=threads)}
        options = read_options(variant, settings) or None
        fixed = given(seed=seed, horizon=horizon, options=options, **only_ppo)
        if resume:
            wanted = resumed(place, {"variant": variant, **fixed}, changeable)
        else:
            wanted = TrainSettings(variant, **fixed, **changeable)
    status = run_training(wanted, place, resume)
    where = shlex.quote(str(place))
    if status.progress < 1:
        say("Stopped. To go on:")
        say(f"  pasgl train {variant} --out {where} --resume")
        return
    again = set_again(wanted)
    say("To measure the agent, to play against it, to train it longer:")
    say(f"  pasgl evaluate {variant} {where} greedy{again}")
    say(f"  pasgl play {variant} --player {where}{again}")
    say(f"  pasgl train {variant} --out {where} --resume {longer(wanted)}")


def _refuse(algorithm: str, **others: Any) -> None:
    """Raise ValueError if an option is given that is of other algorithms."""
    for name in given(**others):
        raise ValueError(f"--algorithm {algorithm} takes no --{name.replace('_', '-')}")


def run_training(settings: TrainSettings, folder: Path, resume: bool) -> Status:
    """Train, show how it goes, and print where the time went."""
    with wrong_input():
        from pasgl_env.training.ppo import train as trainer

        with display() as report:
            status = trainer.train(settings, folder, resume=resume, report=report)
    out.print(time_table(status))
    return status


def resumed(folder: Path, fixed: dict[str, Any], changes: dict[str, Any]) -> TrainSettings:
    """The settings of the run in a folder, with some changed.

    Args:
        folder: where it is.
        fixed: settings that it must have.
        changes: settings that it gets.

    Raises:
        ValueError: if the folder holds no run, or one with other settings than the fixed.
    """
    from pasgl_env.training.ppo.train import read_settings

    return changed(read_settings(folder), folder, fixed, changes)


def changed(kept: Run, folder: Path, fixed: dict[str, Any], changes: dict[str, Any]) -> Run:
    """The settings of a run that is resumed, with some changed.

    Args:
        kept: its settings.
        folder: where it is.
        fixed: settings that it must have.
        changes: settings that it gets.

    Raises:
        ValueError: if it has other settings than the fixed.
    """
    for name, value in fixed.items():
        if (own := getattr(kept, name)) != value:
            raise ValueError(
                f"a resumed run keeps its settings: {name} of {folder} is {_shown(own)},"
                f" not {_shown(value)}"
            )
    return replace(kept, **changes)


def set_again(settings: TrainSettings) -> str:
    """The arguments for another command that give it the options of a run."""
    return "".join(f" --set {name}={value}" for name, value in settings.options.items())


def given(**arguments: Any) -> dict[str, Any]:
    """The arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None}


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


def _shown(setting: Any) -> str:
    if isinstance(setting, dict):
        return " ".join(f"{name}={value}" for name, value in setting.items()) or "the default"
    return ",".join(setting) if isinstance(setting, tuple) else str(setting)


def longer(settings: TrainSettings) -> str:
    """The argument that has a run go on for twice its length."""
    if settings.minutes:
        return f"--minutes {3 * settings.minutes:g}"
    return f"--steps {3 * (settings.steps or 0)}"


@contextmanager
def display() -> Iterator[Callable[[Status], None]]:
    """Shows a run as it goes: a bar in a terminal, else a line from time to time."""
    if not err.is_terminal:
        lines = SparseLines()
        yield lambda status: lines(f"{status.progress:4.0%} {_progress(status)}")
        return
    bar = Progress(
        BarColumn(bar_width=10), TaskProgressColumn(), TextColumn("{task.description}"), console=err
    )
    task = bar.add_task("", total=1.0)

    def report(status: Status) -> None:
        bar.update(task, completed=status.progress, description=_progress(status))
        if not bar.live.is_started:  # not before: compiling the rules has its own lines
            err.print("Training. Ctrl-C stops and saves.")
            bar.start()

    try:
        yield report
    finally:
        bar.stop()


def _progress(status: Status) -> str:
    """Fits 80 columns with a bar; the rates come last, where a longer text is cut."""
    from pasgl_env.training.ppo.league import is_own

    left = "?" if status.seconds_left is None else timedelta(seconds=round(status.seconds_left))
    rates = ", ".join(
        f"{name} {rate:.0%}" for name, rate in status.win_rates.items() if not is_own(name)
    )
    if status.imitation is not None:
        return f"{left} left, {status.imitation:.0%} imitated"
    return f"{left} left, {status.steps:,} steps" + (f", wins: {rates}" if rates else "")


def time_table(status: Status) -> Table:
    """Where the time of a run went."""
    table = Table(
        title=f"Where {status.seconds:.0f} s of training went ({status.steps:,} steps)",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("")
    table.add_column("share of the time", justify="right")
    meanings = {
        "environment": "environment (games, masks, observations)",
        "opponents": "opponents' choices",
        "network": "the learner's choices",
        "learning": "learning",
        "imitation": "learning from the teacher",
        "evaluation": "games to measure the agent",
        "checkpoints": "writing checkpoints",
    }
    for name, share in status.shares.items():
        table.add_row(meanings[name], f"{share:.1%}")
    return table
