"""The baselines of the benchmark: methods, each trained from several seeds and evaluated.

``python -m studies.baselines`` says which runs are there, which are left and how long they take,
trains and evaluates these in a folder, and writes the page ``docs/results/benchmark.md`` with its
plots. If interrupted, the same command continues. Names of methods and tasks limit it to these; the
results of the others, in ``studies/benchmark.json``, stay. Runs are added to them one by one, and
the folder of a run that has been evaluated is not needed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import typer

from agents import dqn
from agents.recipes import LONG_TURNS
from pasgl_env.benchmark import Entry, Protocol, Result, evaluate
from pasgl_env.benchmark.protocol import BenchmarkTask
from pasgl_env.benchmark.result import AgentRun
from pasgl_env.cli.arguments import wrong_input
from pasgl_env.cli.complaints import program
from pasgl_env.cli.output import say
from pasgl_env.cli.progress import Report, interruptible, named, progress_bar
from pasgl_env.duration import short_time, time_left
from pasgl_env.evaluation.table import markdown_table
from pasgl_env.playtest.plot import draw_intervals, label_vertical_axis, panels_to_svg
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.ratings import Rating
from pasgl_env.statistics.texts import elo_interval_text, elo_text, interval_text, value_text
from pasgl_env.storage.files import json_bytes, write_whole
from pasgl_env.training.curves import measure_point
from pasgl_env.training.runs import LOG_FILE, log_rows
from pasgl_env.training.settings import LocalSettings, PpoSettings, TdSettings, command_of
from pasgl_env.training.start import start_or_resume
from pasgl_env.training.td.run import points_of
from studies.entries import PAGES, check_names, entries_file, read_entries, write_entries

BUDGET, SMALL_BUDGET = 1_000_000, 300_000
"""Decisions of all players in a run, and in one of the games with thousands of actions each."""
SEEDS = {"pasgl312": 5, "spalding": 5, "pachessi": 5, "chieftain": 3}
"""Runs of a method in a task; one in the others."""
TAUGHT, TEACHER = 10, "search:50"
"""An imitation learns from one in this many of the budget's decisions, as a teacher makes them."""
SIMULATIONS, FEWER_SIMULATIONS = 50, 2
"""Of the search with learned values, and that in the games with long turns, as of a reference."""
CURVE_GAMES = 100
"""Games against greedy at each point of a learning curve."""
TIME = "time.json"
PAGE = PAGES / "benchmark.md"


class Job(NamedTuple):
    """A training: in a task, from a seed, with a budget of decisions."""

    task: BenchmarkTask
    seed: int
    steps: int

    @property
    def name(self) -> str:
        """A name for files, different for each seed and budget in a task."""
        is_usual = self.steps in (0, usual_budget(self.task))
        return f"{self.seed}" if is_usual else f"{self.seed}-{self.steps}"

    def ppo(self, steps: int, **more: Any) -> PpoSettings:
        """Settings of MaskablePPO that learns from planes, and from nothing else of the suite."""
        ruleset, plain = self.task.ruleset, {"layers": "dense", "imitation": 0, "shaping": 0.0}
        return PpoSettings(
            ruleset.name,
            options=ruleset.unusual,
            minutes=None,
            steps=max(steps, 1),
            seed=self.seed,
            threads=1,
            evaluation_games=CURVE_GAMES,
            **{**plain, **more},
        )

    def league(self) -> PpoSettings:
        """Half of the decisions are the opponents'."""
        return self.ppo(self.steps // 2)

    def both_sides(self) -> PpoSettings:
        """All decisions are the learner's."""
        return self.ppo(self.steps, both_sides=True)

    def imitation(self) -> PpoSettings:
        """The network plays as often as the teacher."""
        return self.ppo(1, imitation=self.steps // TAUGHT, teacher=TEACHER)

    def imitation_then_ppo(self) -> PpoSettings:
        """The league, for what is left of the budget."""
        taught = self.steps // TAUGHT
        return self.ppo(self.steps // 2 - taught, imitation=taught, teacher=TEACHER)

    def td(self) -> TdSettings:
        """Learned values, with the usual settings."""
        ruleset = self.task.ruleset
        return TdSettings(
            ruleset.name,
            options=ruleset.unusual,
            minutes=None,
            steps=self.steps,
            seed=self.seed,
            threads=1,
        )

    def dqn(self) -> dqn.Settings:
        """Half of the decisions are the opponents'."""
        return dqn.Settings(
            self.task.ruleset, self.steps // 2, self.seed, evaluation_games=CURVE_GAMES
        )


@dataclass(frozen=True)
class Method:
    """A method of the benchmark.

    Attributes:
        title: its name for people.
        player: the player that it makes, with ``{run}`` for the folder of the training, and
            ``{simulations}`` for those of a search.
        settings: of its training; None if there is none.
        run: the first part of that folder; methods that share it share the training.
        track: as of :class:`pasgl_env.benchmark.Entry`.
        uses: likewise.
    """

    title: str
    player: str
    settings: Callable[[Job], LocalSettings | dqn.Settings] | None = None
    run: str = ""
    track: str = "policy"
    uses: tuple[str, ...] = ()


METHODS = {
    "random": Method("random moves", "random"),
    "greedy": Method("greedy play", "greedy", uses=("rules", "values")),
    "league": Method("MaskablePPO, league", "{run}", Job.league, "league", uses=("values",)),
    "both_sides": Method("MaskablePPO, both sides", "{run}", Job.both_sides, "both_sides"),
    "imitation": Method(
        f"imitation of `{TEACHER}`", "{run}", Job.imitation, "imitation", uses=("values",)
    ),
    "imitation_ppo": Method(
        "imitation, then MaskablePPO",
        "{run}",
        Job.imitation_then_ppo,
        "imitation_ppo",
        uses=("values",),
    ),
    "dqn": Method("masked DQN", "{run}", Job.dqn, "dqn"),
    "td": Method("TD values, one ply", "td:values={run}", Job.td, "td", "search", ("rules",)),
    "td_search": Method(
        "TD values, search",
        "search:{simulations}:values={run}",
        Job.td,
        "td",
        "search",
        ("rules",),
    ),
}


@dataclass(frozen=True)
class Row:
    """The result of a method in a task.

    Attributes:
        protocol: digest of the benchmark's version.
        decisions: in each training, of all players.
        scores: the score of each run.
        mean: their mean; its interval is that of games and trainings.
        rating: on the scale of the task.
        seconds: of a training, on average.
        per_action: seconds, on average.
        curves: for each run, the decisions and the score against greedy at points of the training.
        outcomes: for each run the games by reference, as of
            :class:`pasgl_env.benchmark.result.AgentRun`. Rows without them are from before they
            were kept: if such a row is to have more runs, it begins again.
    """

    protocol: str
    decisions: int
    scores: list[float]
    mean: Estimate
    rating: dict[str, float | None]
    seconds: float
    per_action: float
    curves: list[list[tuple[int, float]]]
    outcomes: list[Mapping[str, str]] = field(default_factory=list)


def known_runs(row: Row | None, runs: Sequence[Run], protocol: Protocol) -> int:
    """How many of these runs a row has; they are the first ones."""
    if row is None or (row.protocol, row.decisions) != (protocol.digest, runs[0].job.steps):
        return 0
    return len(row.outcomes) or (len(row.scores) if len(row.scores) >= len(runs) else 0)


def _row(known: Mapping[str, Any]) -> Row:
    return Row(**{**known, "mean": Estimate(**known["mean"])})


class Run(NamedTuple):
    """A training of a method, and its folder."""

    method: str
    job: Job
    folder: Path

    @classmethod
    def of(cls, method: str, job: Job, within: Path) -> Run:
        """A run with its folder within that of the study."""
        return cls(method, job, within / METHODS[method].run / job.task.name / job.name)

    @property
    def seconds(self) -> float | None:
        """How long the training took; None if it is not done."""
        if METHODS[self.method].settings is None:
            return 0.0
        file = self.folder / TIME
        known = json.loads(file.read_bytes()) if file.exists() else {}
        return known["seconds"] if known.get("steps") == self.job.steps else None

    @property
    def player(self) -> str:
        """The name of what was trained."""
        simulations = FEWER_SIMULATIONS if self.job.task.name in LONG_TURNS else SIMULATIONS
        return METHODS[self.method].player.format(run=self.folder, simulations=simulations)

    def train(self, report: Report) -> None:
        """Train, or go on."""
        make, begun = METHODS[self.method].settings, perf_counter()
        assert make is not None
        settings = make(self.job)
        if isinstance(settings, dqn.Settings):
            dqn.train(settings, self.folder, report)
            seconds = perf_counter() - begun
        else:
            tell = lambda status: report(status.progress, status.text)  # noqa: E731
            seconds = start_or_resume(settings, self.folder, tell).seconds
        write_whole(self.folder / TIME, json_bytes({"seconds": seconds, "steps": self.job.steps}))

    def curve(self) -> list[tuple[int, float]]:
        """Decisions and scores against greedy during the training, where these are known."""
        make, log = METHODS[self.method].settings, self.folder / LOG_FILE
        if make is None or self.method == "td_search" or not log.exists():
            return []
        rows = log_rows(self.folder)
        if isinstance(make(self.job), TdSettings):
            share = rows[-1]["decisions"] / rows[-1]["games"]
            found = [
                measure_point(file, self.job.task.ruleset, 1, "greedy", CURVE_GAMES)
                for file in points_of(self.folder)
            ]
            return [(round(each.done * share), each.score.value or 0.0) for each in found]
        per_step = 1 if self.method == "both_sides" else 2
        return [
            (per_step * (row["steps"] + row.get("imitated", 0)), row["evaluation"]["greedy"])
            for row in rows
            if "evaluation" in row
        ]


def usual_budget(task: BenchmarkTask) -> int:
    """Decisions of all players in a run."""
    return SMALL_BUDGET if task.name in LONG_TURNS else BUDGET


def runs_of(
    method: str, task: BenchmarkTask, folder: Path, seeds: int | None, steps: int | None
) -> list[Run]:
    """The runs of a method in a task; of those that train nothing, one."""
    count = SEEDS.get(task.name, 1) if seeds is None else seeds
    budget = usual_budget(task) if steps is None else steps
    if METHODS[method].settings is None:
        return [Run.of(method, Job(task, 0, 0), folder)]
    jobs = [Job(task, seed, budget) for seed in range(count)]
    return [Run.of(method, job, folder) for job in jobs]


def evaluated(run: Run, protocol: Protocol, folder: Path, report: Report) -> Result:
    """The result of a run."""
    known, job = METHODS[run.method], run.job
    task, seed = job.task, job.seed
    out = folder / "results" / f"{run.method}-{task.name}-{job.name}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    entry = Entry(known.title, known.track, known.uses, job.steps)

    def tell(progress: Any) -> None:
        report(progress.done / progress.games, f"{run.method} of {task.name} {seed} is evaluated")

    return evaluate(run.player, protocol, tasks=[task.name], out=out, entry=entry, report=tell)


def with_run(row: Row | None, run: Run, result: Result) -> Row:
    """A row with one more run, or one that begins with it."""
    task, before = run.job.task, [] if row is None else row.outcomes
    outcomes = [*before, result.runs[0].outcomes[task.name]]
    whole = replace(result, runs=tuple(AgentRun({}, {task.name: own}, {}) for own in outcomes))

    def average(known: float, new: float) -> float:
        return (known * len(before) + new) / len(outcomes)

    kept = row or Row("", 0, [], Estimate(None), {}, 0.0, 0.0, [])
    return Row(
        result.protocol.digest,
        run.job.steps,
        [replace(whole, runs=(each,)).mean.value or 0.0 for each in whole.runs],
        whole.mean,
        whole.rating(task).to_dict(),
        average(kept.seconds, run.seconds or 0.0),
        average(kept.per_action, result.machine["seconds_per_action"][task.name]),
        [*kept.curves, *([curve] if (curve := run.curve()) else [])],
        outcomes,
    )


def page(rows: Mapping[str, Row], protocol: Protocol) -> str:
    """The page, as Markdown."""
    lines = [
        _INTRODUCTION.format(
            version=protocol.name, simulations=SIMULATIONS, fewer=FEWER_SIMULATIONS
        )
    ]
    for task in protocol.tasks:
        cells = [_cells(method, rows.get(f"{method} {task}"), protocol) for method in METHODS]
        lines += [f"\n## {task}\n", *markdown_table(_HEADINGS, cells, left=(0, 1))]
    lines += ["\n## Commands\n", _COMMANDS, *_commands(next(iter(protocol.tasks.values())))]
    return "\n".join(lines) + "\n"


def _commands(task: BenchmarkTask) -> Iterator[str]:
    """Lines with the commands of the first trainings in a task."""
    job, said = Job(task, 0, usual_budget(task)), set[str]()
    for known in METHODS.values():
        if known.settings is None or known.run in said:
            continue
        said.add(known.run)
        settings = known.settings(job)
        command = settings.command if isinstance(settings, dqn.Settings) else command_of(settings)
        yield f"    {command} --out runs/{known.run}"


_COMMANDS = """The first training of each method in the first task, as a command of its own. The
same seed makes the same agent:
"""

_HEADINGS = (
    "method",
    "uses",
    "decisions",
    "runs",
    "score",
    "95% interval",
    "of each run",
    "Elo",
    "95% interval",
    "training",
    "time/action",
)


def _cells(method: str, row: Row | None, protocol: Protocol) -> list[str]:
    """A row of the table of a task."""
    known = METHODS[method]
    first = [known.title, ", ".join(known.uses) or "nothing"]
    if row is None or row.protocol != protocol.digest:
        return [*first, "missing", *[""] * (len(_HEADINGS) - 3)]
    rating = Rating.of_dict(row.rating)
    return [
        *first,
        f"{row.decisions:,}",
        str(len(row.scores)),
        value_text(row.mean, True),
        interval_text(row.mean, True),
        ", ".join(f"{score:.0%}" for score in row.scores),
        elo_text(rating),
        elo_interval_text(rating),
        short_time(row.seconds) if row.seconds else "",
        short_time(row.per_action),
    ]


_INTRODUCTION = """# Baselines of the benchmark

How far usual methods get in the [benchmark](../benchmark.md), version `{version}`, and what there
is to beat:

    python -m studies.baselines

It says what is missing and how long it takes. *Decisions* are those of all players in a training; a
run is a training from a seed of its own, on one thread of a shared server (AMD EPYC or Intel Xeon).
The *score* is the mean over the references of the task; its interval is that of the games and of
the trainings, so one run has that of its games alone. *Uses* says what the suite gave to training
or play: the rules, to look ahead, or its own evaluations. The league has greedy play among its
opponents, and the imitated search plays by the shipped values; PPO on both sides and DQN learn from
nothing but games, TD also from the rules, by which it looks one action ahead. The search with its
values has {simulations} simulations an action, and {fewer} in the games with long turns, as the
strongest reference of Chieftain and Superchief. PPO and DQN have dense layers of 256 units; PPO is
rewarded with points in the games that have them, and with the outcome in the others. The settings
are those in [`studies/baselines.py`](../../studies/baselines.py), and were not tuned for these
budgets. The same seed trains the same agent, but not if the training was interrupted: it continues
with new games.
The times of networks above a millisecond are of a busy machine, when PyTorch used all processors.
In Chieftain the two training times of TD values are two measurements: the values were trained once
for one ply, and again from the same seeds for the search.
Most trainings of MaskablePPO are from before it learned from
[legal actions only](../performance.md#learning): their times would be shorter now.

![Scores in each task, and against greedy play during training](benchmark.svg)

Shaded: scores in the benchmark, with 95% intervals. Beside them: scores against greedy play during
the trainings, a line for each run; games begin at even openings for TD, at the usual start for PPO
and DQN. Greedy play is one reference of six: who learns to beat it may still lose to the others."""


def plots(rows: Mapping[str, Row], protocol: Protocol) -> bytes:
    """Scores in all tasks, and learning curves in those that have any, as SVG."""
    from matplotlib import colormaps

    colour = {method: colormaps["tab10"](number) for number, method in enumerate(METHODS)}
    found = {key: row for key, row in rows.items() if row.protocol == protocol.digest}
    tasks = [task for task in protocol.tasks if any(key.endswith(f" {task}") for key in found)]

    def draw(figure: Any, panels: Any) -> None:
        for panel, task in zip(panels, tasks, strict=True):
            for number, method in enumerate(METHODS):
                if (row := found.get(f"{method} {task}")) is None:
                    continue
                look = {"color": colour[method], "label": METHODS[method].title.replace("`", "")}
                at = -0.31 + 0.24 * number / (len(METHODS) - 1)
                panel.plot(at, row.mean.value, "o", **look)
                draw_intervals(panel, [(at, row.mean)], colour[method])
                for curve in row.curves:
                    done, scores = zip(*curve, strict=True)
                    share = [each / row.decisions for each in done]
                    panel.plot(share, scores, linewidth=1, color=colour[method])
            panel.axvspan(-0.35, -0.03, color="#f1ede4", zorder=0)
            panel.set_title(task, fontsize=10)
            panel.set_xlim(-0.35, 1.05)
            panel.set_ylim(0, 1)
            label_vertical_axis(panel, "score", is_share=True, even=0.5)
        panels[-1].set_xlabel("in training: against greedy, after a share of the budget")
        panels[-1].set_xticks([-0.19, 0, 0.5, 1], ["in the benchmark", "0", "50%", "100%"])
        seen = {
            label: handle
            for panel in panels
            for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
        }
        figure.legend(seen.values(), seen.keys(), loc="outside lower center", ncols=3, fontsize=8)

    return panels_to_svg(f"Baselines, benchmark {protocol.name}", len(tasks), 2.2, draw)


def wanted(
    only: Sequence[str], protocol: Protocol, folder: Path, seeds: int | None, steps: int | None
) -> dict[str, list[Run]]:
    """The runs by method and task, limited to names of these.

    Raises:
        ValueError: for an unknown name.
    """
    check_names(only, [*METHODS, *protocol.tasks], "method or task")
    methods = [name for name in METHODS if name in only] or list(METHODS)
    tasks = [task for name, task in protocol.tasks.items() if name in only]
    return {
        f"{method} {task.name}": runs_of(method, task, folder, seeds, steps)
        for task in tasks or protocol.tasks.values()
        for method in methods
    }


def overview(
    runs: Mapping[str, Sequence[Run]], rows: Mapping[str, Row], protocol: Protocol
) -> Iterator[str]:
    """A line for each method and task: what is there, and the time that the rest takes."""
    for key, own in runs.items():
        row = rows.get(key)
        known = known_runs(row, own, protocol)
        times = [run.seconds for run in own[known:] if run.seconds is not None]
        done = known + len(times)
        if row is not None and known:
            times.append(row.seconds)
        about = time_left((len(own) - done) * sum(times) / len(times) if times else None)
        parts = [f"{min(done, len(own))} of {len(own)} trained"]
        parts += [f"{about} left"] * (done < len(own))
        parts += [f"{len(own) - known} to be evaluated"] * (known < len(own))
        yield f"{key}: {', '.join(parts)}"


def main(
    only: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="Methods and tasks.", show_default=False),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Runs; default: 5, 3 or 1 by the task.")
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Decisions; default: 1,000,000, or 300,000."),
    ] = None,
    lists: Annotated[
        bool, typer.Option("--list", help="Only say what is there and what is left.")
    ] = False,
    folder: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Folder of the runs and results.")
    ] = Path("runs/baselines"),
    to: Annotated[Path, typer.Option("--page", metavar="FILE", help="The page.")] = PAGE,
) -> None:
    """Train and evaluate the baselines that are missing, and write their page."""
    kept, protocol = entries_file(to), Protocol.load()
    with wrong_input(), progress_bar() as show, interruptible(folder):
        rows = read_entries(kept, "results", _row)
        runs = wanted(only or (), protocol, folder, seeds, steps)
        for line in overview(runs, rows, protocol):
            say(line)
        if lists:
            return
        order = [f"{each} {name}" for name in protocol.tasks for each in METHODS]
        for key, own in runs.items():
            row = rows.get(key)
            known = known_runs(row, own, protocol)
            row = row if known else None
            for run in own[known:]:
                if run.seconds is None:
                    run.train(named(show, f"{key} {run.job.seed}"))
                row = with_run(row, run, evaluated(run, protocol, folder, show))
                rows[key] = row
                write_entries(kept, rows, order)
            write_whole(to, page(rows, protocol).encode())
            write_whole(to.with_suffix(".svg"), plots(rows, protocol))
    say(f"The results are in {to}.")


app = program(main)

if __name__ == "__main__":
    app()
