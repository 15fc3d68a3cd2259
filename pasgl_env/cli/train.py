"""``pasgl train``: train an agent by self-play."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pasgl_env.cli.arguments import Ray, Settings, Variant, flag, value, wrong_input
from pasgl_env.cli.output import out, say
from pasgl_env.cli.progress import progress_bar
from pasgl_env.cli.tables import shown
from pasgl_env.cli.train_options import given_settings, parameters
from pasgl_env.cluster import LOCAL
from pasgl_env.training.settings import (
    ALGORITHMS,
    PpoSettings,
    RunSettings,
    TdSettings,
    settings_of,
)

if TYPE_CHECKING:
    from pasgl_env.evaluation.table import Table
    from pasgl_env.training.ppo.run import Status


def command(
    variant: Variant,
    algorithm: Annotated[
        str,
        value(
            "|".join(ALGORITHMS),
            "MaskablePPO; temporal-difference learning of values for `td` and `search`; or PPO"
            " on a Ray cluster.",
        ),
    ] = PpoSettings.algorithm,
    folder: Annotated[
        Path | None,
        value(
            "FOLDER", "Folder of the run; default: runs/VARIANT, with td runs/VARIANT-td.", "--out"
        ),
    ] = None,
    resume: Annotated[
        bool, flag("--resume", "Continue from the folder's last checkpoint.")
    ] = False,
    settings: Settings = None,
    address: Ray = None,
    track: Annotated[bool, flag("--track", "Also send the figures to Weights & Biases.")] = False,
    **arguments: Any,
) -> None:
    r"""Train an agent by self-play.

    MaskablePPO plays against itself, past selves and fixed players, most often against those that
    beat it. A convolutional network first imitates the greedy player. The folder holds agent.pt (a
    player for the other commands), training.pt, log.jsonl and tensorboard/.

    With --algorithm td a small network learns the values of positions, in games played by compiled
    code. This takes minutes and needs no PyTorch.

    A checkpoint is written every 20 seconds. After Ctrl-C or a kill, --resume continues from the
    last one, with the run's original settings and, if given, new limits.

    \b
    Examples:
      pasgl train pasgl312 --algorithm td
      pasgl train pasgl312 --minutes 30
      pasgl train pasgl312 --resume --minutes 60
      pasgl train pasgl312 --steps 100000 --out runs/mine --set win_margin=20
      pasgl evaluate pasgl312 runs/mine greedy
    """
    with wrong_input():
        from pasgl_env.contract import variants
        from pasgl_env.training.runs import resumed

        wanted = given_settings(algorithm, arguments)
        if address is not None and "workers" not in settings_of(ALGORITHMS[algorithm]):
            raise ValueError(f"--ray is for algorithms with workers, not for {algorithm}")
        if options := variants.read_options(variant, settings):
            wanted["options"] = options
        suffix = "-td" if algorithm == "td" else ""
        folder = folder or Path("runs") / f"{variant}{suffix}"
        kind = ALGORITHMS[algorithm]
        if resume:
            chosen = resumed(folder, {"variant": variant, **wanted}, kind)
        else:
            chosen = kind(variant, **wanted)
        if address is not None and isinstance(chosen, TdSettings) and not chosen.workers:
            raise ValueError("--ray needs --workers")
    say_next_commands(chosen, folder, run_training(chosen, folder, resume, address, track))


# typer reads the options from the signature.
_fixed = [
    each
    for each in signature(command, eval_str=True).parameters.values()
    if each.kind != Parameter.VAR_KEYWORD
]
command.__signature__ = signature(command).replace(  # type: ignore[attr-defined]
    parameters=[*_fixed, *parameters()]
)


def run_training(
    settings: RunSettings,
    folder: Path,
    resume: bool,
    address: str | None = None,
    track: bool = False,
) -> float:
    """Train with a progress display; return how much was done, from 0 to 1.

    Print how the time was spent if that is known.
    """
    from pasgl_env.cli.tracking import tracking
    from pasgl_env.training.start import check_start, train

    if track:  # a refused run leaves nothing at the tracker
        with wrong_input():
            check_start(folder, type(settings), resume)
    with (
        wrong_input(),
        tracking(settings, folder, resume) if track else nullcontext() as send,
        progress_bar("Training. Ctrl-C stops and saves.") as show,
    ):

        def report(status: Any) -> None:
            show(status.progress, status.text)
            if send is not None:
                send(status)

        status = train(settings, folder, report, resume=resume, address=address or LOCAL)
    if isinstance(settings, PpoSettings):
        out.print(shown(time_table(status)))
    return float(status.progress)


def say_next_commands(settings: RunSettings, folder: Path, progress: float) -> None:
    """Print the commands that measure the agent, play against it and train it longer."""
    variant, where = settings.variant, shlex.quote(str(folder))
    named = "" if isinstance(settings, PpoSettings) else f" --algorithm {settings.algorithm}"
    again = f"  pasgl train {variant}{named} --out {where} --resume"
    if progress < 1:
        say("Stopped. To continue:")
        say(again)
        return
    options = "".join(f" --set {name}={value}" for name, value in settings.options.items())
    weak, strong = where, where
    if isinstance(settings, TdSettings):
        weak, strong = f"td:values={where}", f"search:values={where}"
    say("To evaluate the agent, play against it, or train it longer:")
    say(f"  pasgl evaluate {variant} {weak} greedy{options}")
    say(f"  pasgl play {variant} --player {strong}{options}")
    say(f"{again} {_longer(settings)}")


def _longer(settings: RunSettings) -> str:
    """The argument that makes a run three times as long."""
    name, amount = next(
        (name, amount) for name in settings.limits if (amount := getattr(settings, name))
    )
    return f"--{name} {3 * amount:g}" if name == "minutes" else f"--{name} {3 * amount}"


def time_table(status: Status) -> Table:
    """The shares of a run's time."""
    from pasgl_env.evaluation.table import Table

    meanings = {
        "environment": "environment (games, masks, observations)",
        "opponents": "opponents' choices",
        "network": "the learner's choices",
        "learning": "learning",
        "imitation": "learning from the teacher",
        "evaluation": "evaluation games",
        "checkpoints": "writing checkpoints",
    }
    return Table(
        f"Time spent in {status.seconds:.0f} s of training ({status.steps:,} steps)",
        ["", "share of the time"],
        [[meanings[name], f"{share:.1%}"] for name, share in status.shares.items()],
        left=[0],
    )
