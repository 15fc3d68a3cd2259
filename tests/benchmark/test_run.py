import json
import random
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from pasgl_env import Position
from pasgl_env.benchmark import Entry, check_entry, evaluate
from pasgl_env.storage.files import InUse
from pasgl_env.storage.runs import BadRun


class Killed(BaseException):
    pass


def kill_at(games):
    """A report that ends an evaluation after so many games."""

    def kill(progress):
        if progress.done >= games:
            raise Killed

    return kill


class Model:
    """A function whose choices follow from its weight: the first legal action, or the last one."""

    def __init__(self, weight):
        self.weight = int(weight)

    learn = __init__

    def __call__(self, observation, action_mask):
        if self.weight == 0:
            return action_mask.argmax(axis=1)
        return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


PROGRAM = """
from pathlib import Path

def policy(observation, action_mask):
    if (Path(__file__).parent / "weight").read_text() == "0":
        return action_mask.argmax(axis=1)
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)
"""


def first_legal(observation, action_mask):
    return action_mask.argmax(axis=1)


def written(file):
    """What an evaluation wrote, apart from times."""
    content = json.loads(file.read_bytes())
    assert set(content.pop("machine")["seconds_per_action"]) == {"pasgl312", "pachessi"}
    return content, file.with_suffix(".pgb").read_bytes()


def test_killed_it_goes_on_to_the_same_bytes(tiny, tmp_path):
    evaluate("greedy", tiny, out=tmp_path / "whole.json")
    with pytest.raises(Killed):
        evaluate("greedy", tiny, out=tmp_path / "killed.json", report=kill_at(12))
    played: list[Any] = []
    evaluate("greedy", tiny, out=tmp_path / "killed.json", report=played.append)
    assert played[0].done == 12
    assert written(tmp_path / "killed.json") == written(tmp_path / "whole.json")


def test_a_function_a_mapping_and_a_name_with_the_task_are_agents(tiny):
    of_tasks = {"pasgl312": first_legal, "pachessi": "random"}
    result = evaluate(of_tasks, tiny)
    assert result.runs[0].agent["pasgl312"].startswith("first_legal@")
    assert (result.runs[0].agent["pachessi"], result.entry.name) == ("random", "first_legal")
    with pytest.raises(OSError, match=r"runs/pachessi/agent\.pt"):
        evaluate("runs/{task}/agent.pt", tiny, tasks=["pachessi"])


def test_an_agent_that_runs_out_of_choices_does_not_end_the_games_for_all(tiny, tmp_path):
    left = iter(range(300))

    def short_of_breath(observation, action_mask):
        next(left)
        return first_legal(observation, action_mask)

    with pytest.raises(RuntimeError, match="player 'short_of_breath' raised StopIteration"):
        evaluate(short_of_breath, tiny, out=tmp_path / "results.json")
    assert not (tmp_path / "results.json").exists()


def test_runs_of_one_method_are_one_entry(tiny):
    result = evaluate(["random", "greedy"], tiny, tasks=["short"], entry=Entry("both"))
    alone = [evaluate(name, tiny, tasks=["short"]) for name in ("random", "greedy")]
    assert [run.outcomes for run in result.runs] == [each.runs[0].outcomes for each in alone]
    assert result.mean.value == pytest.approx(np.mean([each.mean.value for each in alone]))
    with pytest.raises(ValueError, match="two of the agents are the same in pachessi"):
        evaluate(["random", "random"], tiny, tasks=["short"])


def test_objects_of_a_list_are_runs_even_if_they_choose_alike(tiny):
    models = [Model(0), Model(0), Model(1)]
    result = evaluate(models, tiny, tasks=["short"])
    names = [run.agent["pachessi"].partition("@")[0] for run in result.runs]
    assert names == ["Model", "Model 2", "Model 3"]
    with pytest.raises(ValueError, match="two of the agents are the same in pachessi"):
        evaluate([models[0], models[0]], tiny, tasks=["short"])


@pytest.mark.parametrize("is_killed", [False, True])
@pytest.mark.parametrize("is_program", [False, True])
def test_an_agent_that_has_changed_does_not_continue(tiny, tmp_path, is_killed, is_program):
    (tmp_path / "mine.py").write_text(PROGRAM)
    agent: Any = f"{tmp_path / 'mine.py'}:policy" if is_program else Model(0)

    def evaluated(report=lambda progress: None):
        how = {"tasks": ["short"], "out": tmp_path / "r.json", "report": report}
        return evaluate(agent, tiny, **how)

    train = (tmp_path / "weight").write_text if is_program else agent.learn
    train("0")
    with pytest.raises(Killed) if is_killed else nullcontext():
        evaluated(kill_at(8 if is_killed else 1000))
    train("1")
    kept = r"r\.jsonl? holds (games|the results) of another agent.*give another file, or delete"
    with pytest.raises(BadRun, match=kept):
        evaluated()
    train("0")
    assert evaluated().runs[0].outcomes == evaluate(agent, tiny, tasks=["short"]).runs[0].outcomes


def test_a_network_whose_weights_have_changed_does_not_continue(tiny, tmp_path):
    torch = pytest.importorskip("torch")
    model: Any = Model(0)
    model.policy = torch.nn.Linear(2, 1)  # which changes no choice
    how: dict[str, Any] = {"tasks": ["short"], "out": tmp_path / "r.json"}
    first, again = (evaluate(model, tiny, **how) for _ in range(2))
    assert again.runs == first.runs
    torch.nn.init.zeros_(model.policy.weight)
    with pytest.raises(BadRun, match="of another agent"):
        evaluate(model, tiny, **how)


def test_an_agent_that_draws_by_global_generators_continues(tiny, tmp_path):
    def any_legal(observation, action_mask):
        luck = np.random.random(action_mask.shape) + random.random()
        return (action_mask * luck).argmax(axis=1)

    played: list[Any] = []
    how: dict[str, Any] = {"tasks": ["short"], "out": tmp_path / "r.json"}
    with pytest.raises(Killed):
        evaluate(any_legal, tiny, report=kill_at(8), **how)
    evaluate(any_legal, tiny, report=played.append, **how)
    assert played[0].done == 8


def test_units_of_another_protocol_are_not_taken(tiny, tmp_path):
    (tmp_path / "mine.jsonl").write_text("my diary\n")
    with pytest.raises(BadRun, match="holds no results of a benchmark"):
        evaluate("greedy", tiny, out=tmp_path / "mine.json")


def test_names_with_points_share_nothing(tiny, tmp_path):
    for name, agent in (("agent-0.5", "greedy"), ("agent-0.25", "random")):
        evaluate(agent, tiny, tasks=["short"], out=tmp_path / name)
    for name in ("agent-0.5", "agent-0.25"):
        check_entry(tmp_path / name, protocol=tiny)


@pytest.mark.parametrize("name", ["r.jsonl", "r.pgb"])
def test_a_result_has_no_name_of_what_is_beside_it(tiny, tmp_path, name):
    with pytest.raises(ValueError, match="are for what is kept beside it"):
        evaluate("greedy", tiny, out=tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("names", [("r", "r.json"), ("r.json", "r")])
def test_results_with_the_same_games_are_not_played_at_once_or_over_each_other(
    tiny, tmp_path, names
):
    one, other = (tmp_path / name for name in names)

    def play_the_other(progress):
        with pytest.raises(InUse):
            evaluate("greedy", tiny, tasks=["short"], out=other)

    evaluate("greedy", tiny, tasks=["short"], out=one, report=play_the_other)
    with pytest.raises(BadRun, match=r"has its games in .*r\.pgb: choose another file"):
        evaluate("random", tiny, tasks=["short"], out=other)
    check_entry(one, protocol=tiny)


def test_the_time_is_estimated_before_and_only_for_what_is_missing(tiny, tmp_path):
    estimates: list[Any] = []
    for _ in range(2):
        evaluate("greedy", tiny, out=tmp_path / "r.json", estimate=estimates.append)
    assert list(estimates[0]) == ["pasgl312", "pachessi"]
    assert all(min(time) > 0 for time in estimates[0].values())
    assert all(time == (0, 0) for time in estimates[1].values())


def test_a_stronger_agent_scores_and_rates_higher(tiny):
    weak, strong = (evaluate(name, tiny, tasks=["pasgl312"]) for name in ("random", "td"))
    (task,) = strong.tasks
    assert weak.task_score(task).value == pytest.approx(weak.mean.value)
    assert (weak.mean.value or 0) < (strong.mean.value or 0)
    assert weak.rating(task).elo < strong.rating(task).elo
    assert strong.score(task, task.reference("random")).value == 1
    assert 0 <= (weak.score(task, task.reference("td")).value or 0) < 0.5


def test_a_decision_that_loses_nothing_has_no_regret(tiny):
    task = tiny.tasks["pasgl312"]

    def choices(pick):
        positions = (Position.from_text(task.ruleset, each.text) for each in task.solved)
        pairs = zip(positions, task.solved, strict=True)
        return [each.legal_actions()[pick(known.losses)] for each, known in pairs]

    assert task.losses(choices(np.argmin)).tolist() == [0] * len(task.solved)
    assert (task.losses(choices(np.argmax)) > 0).all()
    result = evaluate("greedy", tiny, tasks=["pasgl312"])
    assert result.regret(task).value == task.losses(result.runs[0].choices["pasgl312"]).mean()
    assert [row[0] for row in result.decisions.rows] == ["pasgl312"]
