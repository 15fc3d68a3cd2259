"""Playtests that are begun on the page."""

import asyncio
from shutil import rmtree

import pytest

from pasgl_env import variants
from pasgl_env.web.playtests import Playtests
from pasgl_env.web.protocol import Problem

from .loops import run


def test_of_two_that_are_begun_at_once_one_is_refused_and_the_other_can_be_stopped(tmp_path):
    async def begin_two():
        tests, rules = Playtests(tmp_path), variants.ruleset("pachessi")
        two = (tests.begin(rules, ["random", "random"], 1000, "") for _ in range(2))
        begun = await asyncio.gather(*two, return_exceptions=True)
        await tests.stop()
        return begun, tests.all()

    (name, problem), kept = run(begin_two)
    assert [(each["name"], each["state"]) for each in kept] == [(name, "stopped")]
    with pytest.raises(Problem, match="a playtest is running"):
        raise problem


def test_a_playtest_whose_folder_is_gone_makes_way_for_the_next(tmp_path):
    async def begin_again():
        tests, rules = Playtests(tmp_path), variants.ruleset("pachessi")
        for _ in range(2):
            name = await tests.begin(rules, ["random", "random"], 100_000, "")
            rmtree(tmp_path / name)
            await tests.stop()
        return tests.all()

    assert run(begin_again) == []
