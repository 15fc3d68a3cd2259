import json
from dataclasses import replace

import pytest

from pasgl_env import players
from pasgl_env.benchmark import (
    BadEntry,
    check_entry,
    evaluate,
    leaderboard,
    plot,
    run,
    units,
)
from pasgl_env.benchmark.result import Result


@pytest.fixture
def entry(tiny, tmp_path):
    file = tmp_path / "r.json"
    evaluate("greedy", tiny, out=file)
    return file


def change(file, **parts):
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **parts}))


def test_an_entry_is_right_as_it_was_made(tiny, entry):
    result, replayed = check_entry(entry, protocol=tiny, share=1.0)
    assert replayed == 24
    assert json.loads(json.dumps(result.to_json())) == json.loads(entry.read_bytes())
    assert check_entry(entry, protocol=tiny)[1] == 4


def test_outcomes_that_were_changed_are_found(tiny, entry):
    runs = json.loads(entry.read_bytes())["runs"]
    runs[0]["outcomes"]["pasgl312"]["td"] = "1111"
    change(entry, runs=runs)
    with pytest.raises(BadEntry, match="the hash of the result"):
        check_entry(entry, protocol=tiny)


def test_scores_that_were_changed_are_found(tiny, entry):
    figures = json.loads(entry.read_bytes())["figures"]
    figures["tasks"]["pachessi"]["references"]["td"]["value"] += 0.01
    change(entry, figures=figures)
    with pytest.raises(BadEntry, match="the scores of the result are not those of its outcomes"):
        check_entry(entry, protocol=tiny)


@pytest.mark.parametrize("part", ["result", "run", "entry"])
def test_what_the_format_does_not_have_is_found(tiny, entry, part):
    value = json.loads(entry.read_bytes())
    {"result": value, "run": value["runs"][0], "entry": value["entry"]}[part]["colour"] = "red"
    change(entry, **value)
    with pytest.raises(BadEntry, match=r"'colour'|the runs of the result"):
        check_entry(entry, protocol=tiny)


def test_an_illegal_choice_in_a_solved_position_is_found(tiny, entry):
    runs = json.loads(entry.read_bytes())["runs"]
    runs[0]["choices"]["pasgl312"][0] = 0
    change(entry, runs=runs)
    with pytest.raises(BadEntry, match="solved"):
        check_entry(entry, protocol=tiny)


def test_a_name_that_was_changed_is_found(tiny, entry):
    change(entry, entry={**json.loads(entry.read_bytes())["entry"], "name": "mine"})
    with pytest.raises(BadEntry, match="the hash of the result"):
        check_entry(entry, protocol=tiny)


def test_outcomes_that_agree_among_themselves_but_not_with_the_games_are_found(tiny, entry):
    value = json.loads(entry.read_bytes())
    found = Result.of_json(value, tiny)
    outcomes = value["runs"][0]["outcomes"]
    outcomes["pasgl312"]["td"] = "1111"
    run = replace(found.runs[0], outcomes=outcomes)
    entry.write_text(json.dumps(replace(found, runs=(run,)).to_json()))
    with pytest.raises(BadEntry, match="against td in pasgl312 end otherwise"):
        check_entry(entry, protocol=tiny)


def test_other_games_are_found(tiny, entry):
    records = entry.with_suffix(".pgb")
    records.write_bytes(records.read_bytes() + b" ")
    with pytest.raises(BadEntry, match="does not hold the games of"):
        check_entry(entry, protocol=tiny)


def test_a_reference_with_other_values_is_another_protocol(tiny, entry):
    task = tiny.tasks["pachessi"]
    others = tuple(replace(each, values=each.values and "0" * 64) for each in task.references)
    forged = replace(tiny, tasks={**tiny.tasks, "pachessi": replace(task, references=others)})
    value = json.loads(entry.read_bytes())
    with pytest.raises(BadEntry, match="the protocol of the result is not that of its content"):
        check_entry(entry, protocol=forged)
    entry.write_text(json.dumps(Result.of_json(value, tiny).to_json() | {"protocol": {}}))
    with pytest.raises(BadEntry, match="protocol"):
        check_entry(entry, protocol=tiny)


def test_one_agent_under_two_names_is_found(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_check_different", lambda identities: None)
    evaluate(["greedy", "greedy"], tiny, out=tmp_path / "r.json")
    with pytest.raises(BadEntry, match="runs 1 and 2 have the same games in pasgl312"):
        check_entry(tmp_path / "r.json", protocol=tiny)


@pytest.mark.parametrize("forged", [{"winner": 1}, {"about": {"x": 1}}], ids=str)
def test_what_does_not_follow_from_moves_is_found_anywhere(tiny, tmp_path, monkeypatch, forged):
    """With all hashes made again."""
    real = units.games_of

    def changed(unit, agent):
        result, games = real(unit, agent)
        is_weakest = unit.reference.name == "random"
        return result, [game._replace(**forged) for game in games] if is_weakest else games

    with monkeypatch.context() as patched:
        patched.setattr(units, "games_of", changed)
        evaluate("greedy", tiny, tasks=["pasgl312"], out=tmp_path / "r.json")
    for seed in range(4):  # whichever the games are in which references choose again
        with pytest.raises(BadEntry, match="against random in pasgl312: game 0 is another"):
            check_entry(tmp_path / "r.json", protocol=tiny, seed=seed)


def test_one_changed_action_is_found(tiny, tmp_path, monkeypatch):
    """With all hashes made again, and the outcome as it was."""
    real = units.games_of

    def changed(unit, agent):
        result, games = real(unit, agent)
        choices = games[0].choices[:]
        choices[-1] += 1
        return result, [games[0]._replace(choices=choices), *games[1:]]

    with monkeypatch.context() as patched:
        patched.setattr(units, "games_of", changed)
        evaluate("greedy", tiny, tasks=["pasgl312"], out=tmp_path / "r.json")
    with pytest.raises(BadEntry, match="replayed"):
        check_entry(tmp_path / "r.json", protocol=tiny, share=1.0)


def test_games_against_another_reference_are_found(tiny, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        weak = {name: players.make("random", name) for name in tiny.tasks}
        patched.setattr(units, "_player", lambda name, variant, role: weak[variant])
        evaluate("greedy", tiny, out=tmp_path / "r.json")
    with pytest.raises(BadEntry, match="replayed"):
        check_entry(tmp_path / "r.json", protocol=tiny, share=1.0)


@pytest.mark.parametrize("content", [b"[]", b"{}", b"1", b"my diary", b"\x89PGB", b"[" * 10**5])
def test_what_is_no_result(tiny, tmp_path, content):
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(BadEntry, match=r"r\.json holds no result of the benchmark$"):
        check_entry(tmp_path / "r.json", protocol=tiny)


def test_a_result_without_its_parts(tiny, tmp_path):
    (tmp_path / "r.json").write_text('{"format": "pasgl_env benchmark 1"}')
    with pytest.raises(BadEntry, match=r"r\.json: not the result of a benchmark"):
        check_entry(tmp_path / "r.json", protocol=tiny)


def test_the_leaderboard_has_the_best_first_among_those_with_the_same_tasks(tiny):
    found = [evaluate(name, tiny, tasks=["short"]) for name in ("random", "greedy")]
    page = leaderboard([*found, evaluate("random", tiny)])
    rows = ["policy, all tasks", "| 1 | random |", "pachessi**", "| 1 | greedy |", "| 2 | random |"]
    assert sorted(rows, key=page.index) == rows
    copied = replace(found[1], entry=replace(found[1].entry, name="mine"))
    with pytest.raises(ValueError, match="'greedy' and 'mine' have the same games"):
        leaderboard([*found, copied])
    with pytest.raises(ValueError, match="two results of 'random' have the same games"):
        leaderboard([*found, replace(found[0])])
    pytest.importorskip("matplotlib")
    assert plot(found).count(b"greedy") > 0
