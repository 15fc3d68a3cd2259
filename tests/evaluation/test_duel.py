"""Paired games from varied openings."""

import json

import pytest

from pasgl_env.evaluation import duel as module
from pasgl_env.evaluation.duel import duel


def test_the_stronger_player_is_found():
    result = duel("pasgl312", "greedy", "random", 20, seed=1)
    assert result.wins > 15
    assert 0.5 < result.low < result.score <= result.high
    assert result.wins + result.losses <= result.games == 20
    assert all(seconds > 0 for seconds in result.seconds)


def test_players_alike_share_the_points_of_every_pair():
    """The same dice and openings with swapped sides: both players win the same sides."""
    result = duel("pachessi", "td", "td", 24, seed=2)
    assert result.score == 0.5
    assert result.wins == result.losses == 12


def test_seeds_repeat_a_match():
    one, other = (duel("pachessi", "greedy", "random", 8, seed=7) for _ in range(2))
    assert (one.wins, one.losses, one.length) == (other.wins, other.losses, other.length)


@pytest.mark.parametrize(("games", "size"), [(3, 64), (0, 64), (4, 3)])
def test_games_come_in_pairs(games, size):
    with pytest.raises(ValueError, match="must be even"):
        duel("pachessi", "random", "random", games, batch_size=size)


def test_the_command_prints_a_result(monkeypatch, capsys):
    monkeypatch.setattr(
        "sys.argv", ["duel", "pachessi", "greedy", "random", "--games", "4", "--set", "size=5",
                     "--set", "hole=1", "--json"]
    )  # fmt: skip
    module.main()
    assert json.loads(capsys.readouterr().out)["games"] == 4


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess", "greedy", "random"], "chess"),
        (["pachessi", "greedy", "nobody"], "no player 'nobody'"),
        (["pachessi", "greedy", "random", "--batch-size", "1"], "must be even, not 200 and 1"),
        (["pachessi", "greedy", "random", "--set", "size=99"], "size"),
        (["pachessi", "greedy", "random", "--set", "colour=red"], "no option 'colour'"),
        (["pachessi", "td:values=nowhere", "random"], "nowhere"),
    ],
)
def test_wrong_arguments_are_named_without_a_traceback(monkeypatch, capsys, arguments, complaint):
    monkeypatch.setattr("sys.argv", ["duel", *arguments])
    with pytest.raises(SystemExit) as caught:
        module.main()
    assert caught.value.code == 2
    assert complaint in capsys.readouterr().err
