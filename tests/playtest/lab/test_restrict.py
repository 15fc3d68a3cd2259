import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import Batch, Position, players
from pasgl_env.playtest.lab.play import Plan, Shard, play_shard
from pasgl_env.playtest.lab.restrict import RestrictedPlayer, Restriction
from pasgl_env.records import binary, read_records

SEATS = ("White", "Black")


def restricted(player, batch, *restrictions, number=0):
    return RestrictedPlayer(player, number, batch, [Restriction(*each) for each in restrictions])


def labels(batch, games, actions):
    """The labels of actions, and how many were legal."""
    game = Position(batch.variant, **batch.options)._game
    options = batch.options_record[0]
    return [
        game.label(batch.states[each], options, int(action))
        for each, action in zip(games, actions, strict=True)
    ]


class Stubborn:
    """Plays what it likes best whatever the mask says, as a tree search does."""

    name = "stubborn"

    def choose(self, batch, games):
        return batch._batch.action_mask[games].argmax(axis=1)


@pytest.mark.parametrize(
    ("pattern", "label", "does"),
    [
        ("*x*", "Hb1xb4", True),
        ("*x*", "Hb1-b4", False),
        ("H*", "Hb1-b4", True),
        ("b1", "Hb1-b4", False),
        ("?b1*", "Hb1-b4", True),
        ("[HM]*", "Cb1-b4", False),
        ("/b1/", "Hb1-b4", True),
        ("/^(pass|end)$/", "end", True),
        ("/^(pass|end)$/", "ended", False),
    ],
)
def test_patterns(pattern, label, does):
    assert Restriction("White", pattern).matches(label) is does


def test_reading():
    assert Restriction.read("BLACK:a:b", SEATS) == Restriction("Black", "a:b")
    assert Restriction.read("Second:*", SEATS) == Restriction("second", "*")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "*x*",
            "WHO is one of first, second, White, Black",
        ),
        ("Green:a", "not 'Green:a'"),
        ("White:", "a restriction is"),
        ("White:/(/", "is no regular expression"),
    ],
)
def test_what_is_no_restriction(text, reason):
    with pytest.raises(ValueError, match=reason):
        Restriction.read(text, SEATS)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_what_is_forbidden_is_not_played(name):
    batch = Batch("pachessi", 30, seed=1)
    player = restricted(players.make(name, "pachessi", seed=1), batch, ("first", "?:H*"))
    games = np.arange(30)
    for _ in range(20):
        actions = players.choose(player, batch, games)
        for game, chosen in zip(games, labels(batch, games, actions), strict=True):
            legal = np.flatnonzero(batch.action_mask[game])
            others = [each for each in labels(batch, [game] * legal.size, legal) if each[2] != "H"]
            assert chosen in others or not others
        batch.step(actions)
    assert 0 < player.limits[1] < player.limits[0] < 600


def test_a_player_who_looks_elsewhere_is_helped_out():
    batch = Batch("pachessi", 30, seed=1)
    games = np.arange(30)
    likes = labels(batch, games, Stubborn().choose(_Seen(batch), games))
    player = restricted(Stubborn(), batch, ("first", likes[0]))
    actions = players.choose(player, batch, games)
    assert likes[0] not in labels(batch, games, actions)
    assert actions[0] != batch.action_mask[0].argmax()


class _Seen:
    def __init__(self, batch):
        self._batch = batch


def test_a_seat_is_bound_and_the_others_are_not():
    batch = Batch("pachessi", 40, seed=1)
    player = restricted(players.make("random", "pachessi", seed=1), batch, ("Black", "*"))
    players.choose(player, batch, np.arange(40))
    black = int((batch.to_move == 0).sum())
    assert 0 < black < 40
    assert player.limits.tolist() == [black, black]


@pytest.mark.parametrize("who", ["first", "second"])
def test_a_player_is_bound_on_both_sides(who, tmp_path):
    plan = Plan.of("pachessi", ("random", "random"), 1, [f"{who}:?:H*"], turn_limit=30)
    result = play_shard(Shard(plan, 0, 4, True, 1))
    file = tmp_path / "games.pgb"
    file.write_bytes(binary.SIGNATURE + result.games)
    number = ("first", "second").index(who)
    limited = lifted = 0
    for parity, game in enumerate(read_records(file)):
        for position, choice in zip(game.positions(), game.choices, strict=False):
            seat = position.to_move
            if seat is None or position.is_chance or (seat + parity) % 2 != number:
                continue
            horse = [label[2:3] == "H" for label in position.legal_moves()]
            limited += any(horse)
            lifted += all(horse)
            assert position.label(choice)[2:3] != "H" or all(horse)
    assert result.limited.tolist() == [limited, lifted]
