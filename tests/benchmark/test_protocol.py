import json
from dataclasses import replace

import pytest

from pasgl_env.benchmark import ChangedReference, Protocol
from pasgl_env.benchmark.protocol import names


@pytest.mark.parametrize("name", names())
def test_what_is_shipped_is_whole(name):
    protocol = Protocol.load(name)
    assert len(protocol.tasks) == 8
    for task in protocol.tasks.values():
        assert len(task.references) == 6
        assert len(set(task.openings)) == protocol.games / 2
        assert all(len(each.choices) == len(task.positions) for each in task.references)


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


def test_a_reference_with_other_weights_is_named(tiny):
    task = tiny.tasks["pachessi"]
    with pytest.raises(ChangedReference, match="the weights of td of pachessi"):
        task.check(replace(task.reference("td"), weights="0"))


def test_tasks_by_name_have_the_order_of_the_protocol(tiny):
    def select(*names):
        return [task.name for task in tiny.select(names)]

    assert select("pachessi", "pasgl312") == ["pasgl312", "pachessi"]
    assert select("short") == ["pachessi"]
    with pytest.raises(ValueError, match="no task 'chess' in the benchmark: pasgl312, pachessi"):
        select("chess")
