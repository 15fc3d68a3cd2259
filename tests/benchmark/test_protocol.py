import json
from dataclasses import replace

import pytest

from pasgl_env import players
from pasgl_env.benchmark import ChangedReference, Protocol, protocol
from pasgl_env.benchmark.protocol import names
from pasgl_env.players.values import weights


@pytest.mark.parametrize("name", names())
def test_what_is_shipped_is_whole(name):
    protocol = Protocol.load(name)
    assert len(protocol.tasks) == 8
    for task in protocol.tasks.values():
        assert len(task.references) == 6
        assert len(set(task.openings)) == protocol.games / 2
        for each in task.references:
            assert len(each.choices) == len(task.positions)
            assert players.takes_values(each.name) == (":values=" in each.player)


def test_a_file_holds_all_of_a_protocol(tiny):
    again = Protocol.of_json(json.loads(json.dumps(tiny.to_json())))
    assert again == tiny
    assert again.digest == tiny.digest


def test_another_opening_is_another_protocol(tiny):
    task = tiny.tasks["pachessi"]
    swapped = replace(task, openings=task.openings[::-1])
    other = replace(tiny, tasks={**tiny.tasks, "pachessi": swapped})
    assert other.digest != tiny.digest


def test_a_reference_that_chooses_otherwise_is_named_with_the_position(tiny):
    task = tiny.tasks["pachessi"]
    greedy = task.reference("greedy")
    task.check(greedy)
    first, *others = greedy.choices
    with pytest.raises(ChangedReference, match="greedy of pachessi chooses action") as error:
        task.check(replace(greedy, choices=(first + 1, *others)))
    assert task.positions[0] in str(error.value)


def test_references_keep_their_values_when_others_are_shipped(tiny, tmp_path, monkeypatch):
    task = tiny.tasks["pachessi"]
    td = task.reference("td")
    (tmp_path / "v1.json").write_text(json.dumps(tiny.to_json()))
    monkeypatch.setattr(protocol, "PROTOCOLS", tmp_path)
    protocol.keep_values(weights.SHIPPED / "pachessi.safetensors")
    monkeypatch.setattr(protocol, "SHIPPED", tmp_path / "others")
    monkeypatch.setattr(weights, "_shipped_for", dict)
    task.check(td)
    with pytest.raises(ChangedReference, match="td of pachessi chooses"):
        task.check(replace(td, values=None))


def test_values_that_no_reference_has_are_not_kept(tiny, tmp_path, monkeypatch):
    (tmp_path / "v1.json").write_text(json.dumps(tiny.to_json()))
    monkeypatch.setattr(protocol, "PROTOCOLS", tmp_path)
    protocol.keep_values(weights.SHIPPED / "spalding.safetensors")
    assert not list(tmp_path.glob("*.safetensors"))
    with pytest.raises(ChangedReference, match="the learned values 0 are missing"):
        _ = replace(tiny.tasks["pachessi"].reference("td"), values="0").player


def test_tasks_by_name_have_the_order_of_the_protocol(tiny):
    def select(*names):
        return [task.name for task in tiny.select(names)]

    assert select("pachessi", "pasgl312") == ["pasgl312", "pachessi"]
    assert select("short") == ["pachessi"]
    with pytest.raises(ValueError, match="no task 'chess' in the benchmark: pasgl312, pachessi"):
        select("chess")
