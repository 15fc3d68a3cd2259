"""Evaluating agents: playing the units of their games, here or on a cluster, and resuming."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.benchmark.entry import Entry
from pasgl_env.benchmark.protocol import LATEST, BenchmarkTask, Protocol, json_digest, try_out
from pasgl_env.benchmark.result import AgentRun, Result
from pasgl_env.benchmark.units import FORMAT, UNIT, PlayedUnit, Unit, play_unit, units_of
from pasgl_env.evaluation.journal import Journal
from pasgl_env.evaluation.progress import Pace, Report
from pasgl_env.evaluation.tournament import identity
from pasgl_env.players.adapters import object_in
from pasgl_env.players.player import imported_pytorch
from pasgl_env.players.trained import program_in
from pasgl_env.playtest.cluster import play_on
from pasgl_env.records.binary import SIGNATURE
from pasgl_env.storage.files import held, json_bytes, write_whole
from pasgl_env.storage.runs import BadRun, hardware, versions

RESULT, JOURNAL, RECORDS = ".json", ".jsonl", ".pgb"
"""The suffixes of a result, and of the files beside it: finished units, and the games."""
TASK = "{task}"
"""Stands for the name of the task in an agent's name."""
_ANOTHER = (
    "give another file, or delete this one. Agents are known by their names, by their files and, if"
    " they are objects or programs, by weights and by what they choose in stored positions"
)


class TaskTime(NamedTuple):
    """Estimated seconds of the missing games of a task on one processor.

    Attributes:
        agents: for the choices of the agents.
        references: for those of the reference players.
    """

    agents: float
    references: float


def evaluate(
    agent: Any,
    protocol: str | Protocol = LATEST,
    *,
    tasks: Iterable[str] | None = None,
    out: Path | str | None = None,
    entry: Entry | None = None,
    ray: str | None = None,
    report: Report = lambda progress: None,
    estimate: Callable[[Mapping[str, TaskTime]], None] = lambda times: None,
) -> Result:
    """Evaluate an agent by a protocol of the benchmark.

    The same agent gets the same result, apart from times, if its choices are determined by its
    seeds or by the positions. An evaluation that was interrupted continues.

    Args:
        agent: what plays each task: anything that :func:`pasgl_env.players.as_player` accepts. A
            name may contain ``{task}``, such as ``runs/{task}/agent.pt``; a mapping has such a
            thing for each task. A list has several agents of one method, trained from different
            seeds, which make one entry; objects are told apart by their places in it.
        protocol: a name, or the protocol itself.
        tasks: names of tasks, or ``"short"``; None for all.
        out: a file for the result, such as ``results.json``. Beside it are the games, in
            ``results.pgb``, and in ``results.jsonl`` what an interrupted evaluation continues from.
            A name that does not end in ``.json`` is kept whole in theirs. An object or a program
            continues if it has the weights it had, where they can be seen, and chooses in stored
            positions what it chose then, from fixed seeds; after more training it needs another
            file.
        entry: what is evaluated; None takes the name of the agent.
        ray: the address of a Ray cluster, see :mod:`pasgl_env.cluster`; None plays here.
        report: called whenever games have ended.
        estimate: called before play with the time that the games of each task will take.

    Raises:
        ChangedReference: if a reference is not the frozen one; says which.
        BadRun: if ``out``, or what is kept beside it, belongs to another evaluation.
        InUse: if another process is at work on it.
        OSError: if something cannot be read or written; finished units are safe.
        TypeError: if an agent cannot be made into a player.
        ValueError: for an unknown protocol, task or player, or one that chooses an illegal action,
            or if ``out`` has a suffix of the files beside results.
    """
    file = None if out is None else Path(out)
    if file is not None:
        _check_name(file)
    protocol = protocol if isinstance(protocol, Protocol) else Protocol.load(protocol)
    selected, agents = protocol.select(tasks), agent if isinstance(agent, list) else [agent]
    identities = _identities_in(selected, agents)
    entry = entry or Entry(_name(_agent_of(agents[0], selected[0]), selected[0]))
    pairings = [
        list(units_of(protocol, task, reference, _agent_of(each, task), own[task.name]))
        for each, own in zip(agents, identities, strict=True)
        for task in selected
        for reference in task.references
    ]
    with nullcontext() if file is None else held(_lock_of(file)):
        journal = _journal_of(file, protocol, identities)
        # Round by round, so that the time left is known early.
        rounds = [unit for units in zip(*pairings, strict=True) for unit in units]
        missing = [unit for unit in rounds if journal.get(unit.key) is None]
        estimate({task.name: _time(task, agents, missing) for task in selected})
        pace = Pace(sum(unit.games for unit in rounds), report)
        pace.resume(sum(unit.games for unit in rounds) - sum(unit.games for unit in missing))
        for played in _play(missing, ray):
            journal.add(played)
            pace.add(played.games)
        found = [[journal.get(unit.key) for unit in units] for units in pairings]
        whole = [[each for each in units if each is not None] for units in found]
        records = b"".join([SIGNATURE, *(each.records for units in whole for each in units)])
        result = Result(
            protocol,
            entry,
            tuple(
                _run(each, own, selected, whole)
                for each, own in zip(agents, identities, strict=True)
            ),
            hashlib.sha256(records).hexdigest(),
            _machine(selected, whole),
        )
        if file is not None:
            write_whole(beside(file, RECORDS), records)
            write_whole(file, json_bytes(result.to_json()))
    return result


def beside(file: Path, suffix: str) -> Path:
    """The journal or the games of a result, by their suffix.

    >>> beside(Path("agent-0.5.json"), RECORDS).name, beside(Path("agent-0.5"), RECORDS).name
    ('agent-0.5.pgb', 'agent-0.5.pgb')
    """
    name = file.stem if file.suffix == RESULT else file.name
    return file.with_name(f"{name}{suffix}")


def _journal_of(
    file: Path | None, protocol: Protocol, identities: Sequence[Mapping[str, str]]
) -> Journal[PlayedUnit]:
    """The units that were played for a result, if it is one of these agents."""
    if file is not None:
        _check_own(file, identities)
    kept = None if file is None else beside(file, JOURNAL)
    about = {"format": FORMAT, "protocol": protocol.name, "digest": protocol.digest}
    journal = Journal(kept, "benchmark", about, PlayedUnit.of_json)
    if kept is not None:
        _check_journal(kept, journal, identities)
    return journal


def _check_name(file: Path) -> None:
    """Raise ``ValueError`` if a result has the name of what is kept beside results."""
    if file.name.endswith((JOURNAL, RECORDS)):
        raise ValueError(
            f"{file} cannot be the file of a result: names that end in {JOURNAL} or {RECORDS} are"
            " for what is kept beside it"
        )


def _lock_of(file: Path) -> Path:
    """The lock of what results share. It is not that of the journal, which each append takes."""
    return file.with_name(f".{beside(file, RECORDS).name}.lock")


def _agent_of(agent: Any, task: BenchmarkTask) -> Any:
    """What plays a task."""
    if isinstance(agent, Mapping):
        if task.name not in agent:
            raise ValueError(f"no agent is given for the task {task.name}")
        return agent[task.name]
    return agent.replace(TASK, task.name) if isinstance(agent, str) else agent


def _name(agent: Any, task: BenchmarkTask) -> str:
    """The name of what plays a task; also checks that it is a player."""
    if isinstance(agent, str):
        return agent
    return players.as_player(agent, task.ruleset.name, seed=0).name


def _identities_in(tasks: Sequence[BenchmarkTask], agents: Sequence[Any]) -> list[dict[str, str]]:
    """The identities of each agent by task."""
    of_tasks = {
        task.name: _identities([_agent_of(each, task) for each in agents], task) for task in tasks
    }
    identities = [
        dict(zip(of_tasks, own, strict=True)) for own in zip(*of_tasks.values(), strict=True)
    ]
    _check_different(identities)
    return identities


def _identities(agents: Sequence[Any], task: BenchmarkTask) -> list[str]:
    """The identities of what plays a task.

    Objects after the first are numbered: all seeds of a method have the name of its class.
    """
    found = []
    for agent in agents:
        name = _name(agent, task)
        number = next(at for at, other in enumerate(agents, 1) if other is agent)
        is_numbered = number > 1 and not isinstance(agent, str)
        found.append(_identity(f"{name} {number}" if is_numbered else name, agent, task))
    return found


def _identity(name: str, agent: Any, task: BenchmarkTask) -> str:
    """The identity of what plays a task under a name.

    No name or file tells the weights of an object, or of a program, which may read them anywhere.
    So what these choose in the stored positions of the task is part of their identity, and so are
    the weights where they can be seen: a little training may change no choice.
    """
    known = identity(name, agent, task.ruleset.name)
    program = program_in(agent) if isinstance(agent, str) else None
    if isinstance(agent, str) and program is None:
        return known
    weights = _weights(agent if program is None else object_in(*program))
    choices = _choices(agent, task, [*_solved(task), *task.positions, *task.openings])
    return f"{known}@{json_digest([choices, weights])[:12]}"


def _weights(thing: Any) -> str:
    """A digest of the weights of a network or a model of PyTorch; empty for anything else."""
    network, digest = getattr(thing, "policy", thing), hashlib.sha256()
    if not hasattr(network, "state_dict"):
        return ""
    for name, values in network.state_dict().items():
        if hasattr(values, "double"):  # a tensor, of whatever numbers
            digest.update(name.encode() + values.detach().double().cpu().numpy().tobytes())
    return digest.hexdigest()


def _check_different(identities: Sequence[Mapping[str, str]]) -> None:
    """Raise ``ValueError`` if two agents are the same in a task: their games would be, too."""
    for task in identities[0]:
        own = [each[task] for each in identities]
        if len(set(own)) < len(own):
            raise ValueError(f"two of the agents are the same in {task}: give each once")


def _check_own(file: Path, identities: Sequence[Mapping[str, str]]) -> None:
    """Raise ``BadRun`` if a file is another's, or another result has its games where it has."""
    if file.exists():
        own = {each for names in identities for each in names.items()}
        if not own.intersection(_agents_in(file)):
            raise BadRun(f"{file} holds the results of another agent: {_ANOTHER}")
    for name in (beside(file, ""), beside(file, RESULT)):
        if name != file and _is_result(name):
            raise BadRun(f"{name} has its games in {beside(file, RECORDS)}: choose another file")


def _check_journal(
    file: Path, journal: Journal[PlayedUnit], identities: Sequence[Mapping[str, str]]
) -> None:
    """Raise ``BadRun`` if a journal has games of other agents in the same tasks."""
    for agent, pairing, _ in journal.keys:
        task = pairing.split()[0]
        own = [each[task] for each in identities if task in each]
        if own and agent not in own:
            raise BadRun(
                f"{file} holds games of another agent in {task}, {agent}, not of"
                f" {' or '.join(own)}: {_ANOTHER}"
            )


def _is_result(file: Path) -> bool:
    """Whether there is a file, and it holds results."""
    try:
        return bool(_agents_in(file))
    except (BadRun, OSError):
        return False


def _agents_in(file: Path) -> set[tuple[str, str]]:
    """The agents in a file of results, each with its task; ``BadRun`` if it holds none."""
    try:
        agents = [run["agent"] for run in json.loads(file.read_bytes())["runs"]]
        return {(task, name) for agent in agents for task, name in agent.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadRun(f"{file} holds no results of the benchmark: choose another file") from error


def _time(task: BenchmarkTask, agents: Sequence[Any], missing: Sequence[Unit]) -> TaskTime:
    """Check the references of a task, and estimate the time of its missing games."""
    made = [players.as_player(_agent_of(each, task), task.ruleset.name, seed=0) for each in agents]
    trials = [try_out(player, task.ruleset, task.positions) for player in made]
    own, found = float(np.mean([trial.seconds for trial in trials])), TaskTime(0.0, 0.0)
    for reference in task.references:
        its = task.check(reference)
        names = task.name, reference.name
        games = (u.games for u in missing if (u.task.name, u.reference.name) == names)
        actions = sum(games) * task.actions / 2
        found = TaskTime(found.agents + own * actions, found.references + its * actions)
    return found


def _play(units: Sequence[Unit], ray: str | None) -> Iterator[PlayedUnit]:
    """Play units in their order."""
    if ray is None:
        return (play_unit(unit) for unit in units)
    return play_on(ray, play_unit)(units, lambda games: None)


def _run(
    given: Any,
    agent: Mapping[str, str],
    tasks: Sequence[BenchmarkTask],
    pairings: Sequence[Sequence[PlayedUnit]],
) -> AgentRun:
    """The run of an agent, which now decides in the solved positions."""
    outcomes = {
        units[0].part.key[:2]: "".join(each.part.outcomes for each in units) for units in pairings
    }
    return AgentRun(
        agent,
        {
            task.name: {
                each.name: outcomes[agent[task.name], f"{task.name} {each.name}"]
                for each in task.references
            }
            for task in tasks
        },
        {task.name: _choices(_agent_of(given, task), task, _solved(task)) for task in tasks},
    )


def _solved(task: BenchmarkTask) -> list[str]:
    """The texts of the solved positions of a task."""
    return [each.text for each in task.solved]


def _choices(agent: Any, task: BenchmarkTask, positions: Sequence[str]) -> tuple[int, ...]:
    """What an agent chooses in positions of a task, always from the same seeds."""
    if not positions:
        return ()
    player = players.as_player(agent, task.ruleset.name, seed=0)
    with _seeded():
        return try_out(player, task.ruleset, positions).choices


@contextmanager
def _seeded() -> Iterator[None]:
    """Seed the global generators, by which functions and policies draw; put them back afterwards.

    Those of Python, of NumPy and, if it has been imported, of PyTorch.
    """
    torch, pythons, numpys = imported_pytorch(), random.getstate(), np.random.get_state()
    with torch.random.fork_rng() if torch else nullcontext():
        if torch:
            torch.manual_seed(0)
        random.seed(0)
        np.random.seed(0)
        try:
            yield
        finally:
            random.setstate(pythons)
            np.random.set_state(numpys)


def _machine(
    tasks: Sequence[BenchmarkTask], pairings: Sequence[Sequence[PlayedUnit]]
) -> dict[str, Any]:
    """The agents' times, and the machine on which they were taken."""
    parts = [each.part for units in pairings for each in units]
    seconds = {}
    for task in tasks:
        own = [part for part in parts if part.second.split()[0] == task.name]
        actions = sum(part.actions[0] for part in own)
        seconds[task.name] = sum(part.thinking[0] for part in own) / max(actions, 1)
    return {
        "seconds_per_action": seconds,
        "seconds": sum(part.seconds for part in parts),
        "games_at_once": UNIT,
        "hardware": hardware(),
        "versions": versions(),
    }
