"""Published agents: small files, with cards that state their results."""

import json
import re
from unittest.mock import Mock

import numpy as np
import pytest
import torch

from pasgl_env import players
from pasgl_env.evaluation import play_match
from pasgl_env.evaluation.openings import EVEN_OPENINGS
from pasgl_env.players import trained
from pasgl_env.players.networks import checkpoint
from pasgl_env.statistics.clustered import score_of_pairs
from pasgl_env.statistics.texts import estimate_text
from tools.publish import agents as publish

from ...training.ppo import tiny


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A run with an evaluation, the folder of all agents, and the card."""
    folder = tmp_path_factory.mktemp("published")
    tiny.train(folder / "run", evaluations=1, evaluation_games=2, options={"turn_limit": 8})
    card = publish.publish(folder / "run", None, 4, 1, folder / "agents", folder / "agents")
    return folder / "run", folder / "agents", card


def test_where_they_are(published):
    _, agents, card = published
    assert card == agents / "pasgl312" / "ppo.md"
    assert {file.name for file in card.parent.iterdir()} == {"ppo.md", "ppo.pt"}


def test_under_another_name(published, tmp_path):
    card = publish.publish(published[0], "short", 4, 1, tmp_path, tmp_path)
    assert card == tmp_path / "short" / "ppo.md"
    assert card.read_text().startswith("# `ppo:short`")


def test_an_interrupt_leaves_the_old_agent_and_its_card(published, tmp_path, monkeypatch):
    old = {tmp_path / "pasgl312" / name: name.encode() for name in ("ppo.pt", "ppo.md")}
    (tmp_path / "pasgl312").mkdir()
    for file, content in old.items():
        file.write_bytes(content)
    monkeypatch.setattr(publish, "against_rival", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        publish.publish(published[0], None, 4, 1, tmp_path, tmp_path)
    assert {file: file.read_bytes() for file in (tmp_path / "pasgl312").iterdir()} == old


def test_weights_are_quantized(published):
    run, agents, _ = published
    own = checkpoint.load_player(run).policy.state_dict()
    small = checkpoint.load_player(agents / "pasgl312" / "ppo.pt").policy.state_dict()
    for name, weight in own.items():
        assert torch.allclose(small[name], weight, rtol=0, atol=weight.abs().max() / 200), name
    assert (agents / "pasgl312" / "ppo.pt").stat().st_size < (run / "agent.pt").stat().st_size / 3


def test_the_card_tells_the_command_and_the_options(published):
    text = published[2].read_text()
    assert "    pasgl train pasgl312 --seed 3 --threads 1 --steps 512 --games 8" in text
    assert "--set turn_limit=8" in text
    assert "| seed | 3 |" in text
    assert "| decisions learned from | 512 |" in text


def test_the_card_tells_how_much_was_imitated(tmp_path):
    tiny.train(tmp_path / "run", imitation=200, teacher="random", options={"turn_limit": 8})
    card = publish.publish(tmp_path / "run", None, 4, 1, tmp_path / "agents", tmp_path / "agents")
    assert "| decisions of `random` imitated first | 200 |" in card.read_text()


def test_the_card_tells_what_anybody_can_measure_again(published):
    _, agents, card = published
    agent = checkpoint.load_player(agents / "pasgl312" / "ppo.pt", seed=1)
    for opponent in ("random", "greedy"):
        match = play_match("pasgl312", agent, opponent, 4, seed=1, paired=True, turn_limit=8).all
        row = f"| `{opponent}` | 4 | {match.wins} | {4 - match.wins - match.losses} |"
        assert row in card.read_text()


def test_the_card_tells_the_score_against_td_from_varied_openings(published):
    _, agents, card = published
    agent = checkpoint.load_player(agents / "pasgl312" / "ppo.pt", seed=1)
    match = play_match(
        "pasgl312", agent, "td", 4, seed=1, paired=True, starts=EVEN_OPENINGS, turn_limit=8
    ).all
    score = estimate_text(match.score_rate, True)
    text = card.read_text().replace("\n", " ")
    assert f"seed 1): {score} of 4 games, {match.wins} won, {match.losses} lost." in text


@pytest.mark.parametrize("distinct, is_told", [(1, True), (50, True), (51, False)])
def test_the_card_tells_of_games_that_hardly_differ(distinct, is_told):
    measured = publish.Measured(
        "greedy", 100, 60, 0, score_of_pairs(np.ones((2, 2), np.int8)), distinct
    )
    told = publish._monotony([measured])
    assert (f"`greedy` have only {distinct} different final positions" in told) == is_told


def test_the_card_has_the_curve(published):
    run, _, card = published
    rows = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    evaluated = [row for row in rows if "evaluation" in row]
    assert len(evaluated) == 1
    assert re.search(r"\| \d+ \| 512 \| 50% \| 50% \|", card.read_text())


@pytest.mark.parametrize(
    "minutes, steps, is_stopped",
    [(2, None, True), (1, None, False), (None, 9, True), (None, 8, False), (2, 8, False)],
)
def test_a_run_that_was_stopped_is_said_to_be(minutes, steps, is_stopped):
    told = publish._stopped(tiny.settings(minutes=minutes, steps=steps), 8, 60.0)
    assert bool(told) == is_stopped


def test_no_curve_without_evaluations():
    assert "not evaluated during training" in publish._curve([{"steps": 8, "seconds": 1.0}])


def test_a_curve_is_thinned_to_a_few_rows_and_ends_with_the_last():
    rows = [{"seconds": n, "steps": n, "evaluation": {}} for n in range(100)]
    thinned = publish._thinned(rows)
    assert len(thinned) <= publish.MOST_ROWS_OF_CURVE
    assert thinned[-1] is rows[-1]


def test_too_large_a_network(published, tmp_path, monkeypatch):
    monkeypatch.setattr(publish, "MOST_BYTES", 1000)
    with pytest.raises(ValueError, match="more than 1,000"):
        publish.publish(published[0], None, 4, 1, tmp_path, tmp_path)
    assert not list(tmp_path.rglob("*.pt"))


@pytest.mark.parametrize("games", [2, 5])
def test_too_few_games_for_an_interval(published, tmp_path, games):
    with pytest.raises(ValueError, match=f"even and at least 4, for an interval, not {games}"):
        publish.publish(published[0], None, games, 1, tmp_path, tmp_path)


def test_a_folder_without_an_agent(tmp_path):
    with pytest.raises(OSError, match=r"agent\.pt"):
        publish.publish(tmp_path, None, 4, 1, tmp_path, tmp_path)


class TestNames:
    """Players know these agents by name."""

    @pytest.fixture(autouse=True)
    def shipped(self, published, monkeypatch):
        monkeypatch.setattr(trained, "SHIPPED", published[1])

    @pytest.mark.parametrize("name", ["ppo", "ppo:pasgl312"])
    def test_they_are_players(self, name):
        player = players.make(name, "pasgl312", seed=1)
        assert player.name == name
        match = play_match("pasgl312", player, "random", 2, seed=1, turn_limit=8)
        assert match.first == name

    def test_load_knows_the_variant(self):
        assert players.load("ppo:pasgl312").name == "ppo:pasgl312"

    def test_load_takes_paths(self, published):
        assert players.load(str(published[0])).name == "run"

    @pytest.mark.parametrize("name", ["random", "ppo:chess", "ppo", ""])
    def test_load_of_what_there_is_not(self, name):
        with pytest.raises(ValueError, match=r"no (trained )?agent"):
            players.load(name)

    def test_an_unknown_agent(self):
        with pytest.raises(ValueError, match=r"no agent 'ppo:chess' comes .*: ppo:pasgl312"):
            players.make("ppo:chess", "pasgl312")

    def test_an_agent_of_another_variant(self):
        with pytest.raises(ValueError, match=r"plays pasgl312, not spalding"):
            players.make("ppo:pasgl312", "spalding")


def test_another_network_than_the_game_needs(published):
    player = players.make(str(published[0]), "pasgl312", seed=1)
    with pytest.raises(ValueError, match=r"'run' was trained on observations of shape .* use the"):
        play_match("pachessi", player, "random", 2, seed=1)
