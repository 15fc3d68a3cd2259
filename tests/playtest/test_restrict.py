from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

from pasgl_env import Batch, IllegalMove, Position, players, variants
from pasgl_env.contract.description import label
from pasgl_env.players import TreeSearchPlayer
from pasgl_env.playtest.play import Plan, Shard, play_shard
from pasgl_env.playtest.restrict import RestrictedPlayer, Restriction
from pasgl_env.records import binary, read_records

from ..players.search.trees import best_values

SEATS = ("White", "Black")


def restricted(player, batch, *restrictions, number=0):
    limits = [Restriction(*each) for each in restrictions]
    return RestrictedPlayer(player, number, batch.ruleset, limits)


def labels(batch, games, actions):
    """The labels of actions, and how many were legal."""
    game = Position(batch.variant, **batch.options)._game
    options = batch.options_record[0]
    return [
        label(game, batch.states[each], options, int(action))
        for each, action in zip(games, actions, strict=True)
    ]


class Stubborn:
    """Plays the first legal action whatever the mask says."""

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
    assert Restriction.read("turn:white:a b", SEATS) == Restriction("White", "a b", of_turns=True)
    assert str(Restriction.read("turn:white:a b", SEATS)) == "turn:White:a b"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "*x*",
            "WHO is one of first, second, White, Black",
        ),
        ("Green:a", "not 'Green:a'"),
        ("White:", "a restriction is"),
        ("White:/(/", "is not a regular expression"),
    ],
)
def test_what_is_no_restriction(text, reason):
    with pytest.raises(ValueError, match=reason):
        Restriction.read(text, SEATS)


PLAYERS = {
    "random": lambda game: players.RandomPlayer(game, 1),
    "greedy": lambda game: players.GreedyPlayer(game, 1),
    "mcts": lambda game: players.MctsPlayer(game, 1, simulations=20),
}


@pytest.mark.parametrize("name", PLAYERS)
def test_what_is_forbidden_is_not_played(name):
    batch = Batch("pachessi", 30, seed=1)
    player = restricted(PLAYERS[name](variants.find("pachessi")), batch, ("first", "?:H*"))
    games = np.arange(30)
    for _ in range(20):
        actions = players.choose(player, batch, games)
        for game, chosen in zip(games, labels(batch, games, actions), strict=True):
            legal = np.flatnonzero(batch.action_mask[game])
            others = [each for each in labels(batch, [game] * legal.size, legal) if each[2] != "H"]
            assert chosen in others or not others
        batch.step(actions)
    assert 0 < player.limits[1] < player.limits[0] < 600


def test_a_player_who_plays_what_is_forbidden_is_named():
    batch = Batch("pachessi", 1, seed=1)
    (first,) = labels(batch, [0], batch.action_mask.argmax(axis=1))
    with pytest.raises(IllegalMove, match="stubborn"):
        restricted(Stubborn(), batch, ("first", first)).choose(batch, np.arange(1))


def test_a_tree_search_spends_all_its_simulations_on_what_is_allowed():
    batch, games = Batch("pachessi", 4, seed=1), np.arange(4)
    searches = players.MctsPlayer(variants.find("pachessi"), 1, simulations=20)
    restricted(searches, batch, ("first", "?:H*")).choose(batch, games)
    assert searches.visits.sum(axis=1).tolist() == [20] * 4
    for game, visits in enumerate(searches.visits):
        visited = np.flatnonzero(visits)
        assert not any(label[2] == "H" for label in labels(batch, [game] * visited.size, visited))


def test_a_kept_tree_does_not_bring_back_what_is_forbidden():
    batch, game = Batch("pachessi", 1, seed=1), np.arange(1)
    player = players.MctsPlayer(variants.find("pachessi"), 1, simulations=50)
    player.choose(batch, game)
    favourite = player.choose(batch, game)
    (label,) = labels(batch, game, favourite)
    actions = restricted(player, batch, ("first", label)).choose(batch, game)
    assert labels(batch, game, actions) != [label]
    player.choose(batch, game)
    assert player._trees[0, 0].children.size == batch.legal_count[0]


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
    assert result.counts.limited.tolist() == [limited, lifted]


def edges_of(tree, game, option):
    """Of every edge of a tree that simulations went along: player, label, siblings' labels."""
    pending = [(0, tree.state.copy())]
    while pending:
        node, state = pending.pop()
        first, count = int(tree.nodes["first"][node]), int(tree.nodes["children"][node])
        children = range(first, first + count)
        player, labels = int(game.to_move(state[0])), None
        for child in children:
            if tree.nodes["visits"][child] == 0 or not np.isfinite(tree.nodes["total"][child]):
                continue
            labels = labels or [
                label(game, state[0], option, int(tree.nodes["choice"][each])) for each in children
            ]
            yield player, labels[child - first], labels
            after = state.copy()
            game.play(after[0], option, int(tree.nodes["choice"][child]))
            pending.append((child, after))


@pytest.mark.parametrize("make", [players.MctsPlayer, TreeSearchPlayer])
def test_a_tree_search_keeps_to_the_restrictions_of_both_all_over_its_tree(make, monkeypatch):
    trees: list[Any] = []
    grow = make._grow

    def kept(*arguments):
        trees.append(grow(*arguments))
        return trees[-1]

    monkeypatch.setattr(make, "_grow", kept)
    batch, game = Batch("pasgl312", 2, seed=1), variants.find("pasgl312")
    searches = make(game, 1, simulations=150, threads=1)
    patterns = ("White", "P*"), ("Black", "[tp]*")
    restricted(searches, batch, *patterns).choose(batch, np.arange(2))
    seen = {0: 0, 1: 0}
    for tree in trees:
        for player, played, siblings in edges_of(tree, game, batch.options_record[0]):
            restriction = Restriction(*patterns[player])
            assert not restriction.matches(played) or all(map(restriction.matches, siblings))
            seen[player] += 1
        if make is TreeSearchPlayer:
            for best, of_children in best_values(tree, game, batch.options_record[0]):
                assert best == pytest.approx(of_children, abs=1e-5)
    assert seen[0] > 20
    assert seen[1] > 20
    first = make is TreeSearchPlayer  # whose first simulation goes no further than the root
    assert searches.visits.sum(axis=1).tolist() == [150 - first] * 2


def test_a_search_without_restrictions_is_as_before_after_one_with():
    batch, games = Batch("pasgl312", 1, seed=1), np.arange(1)
    one, other = (players.MctsPlayer(variants.find("pasgl312"), 1, simulations=60) for _ in "12")
    restricted(one, batch, ("White", "P*")).choose(batch, games)
    for player in (one, other):
        player.reseed(games, [7])
    assert one.choose(batch, games).tolist() == other.choose(batch, games).tolist()
    assert (one.visits == other.visits).all()


@pytest.mark.parametrize("name", PLAYERS)
def test_a_restriction_of_turns_is_compared_with_the_turn_so_far(name, tmp_path):
    """No Horse after a Horse in a turn of Pachessi, of which each die moves a piece."""
    player = f"{name}:4" if name == "mcts" else name
    pattern = r"/^..H.* ..H/"
    plan = Plan.of("pachessi", (player, player), 1, [f"turn:first:{pattern}"], turn_limit=24)
    restriction = plan.restrictions[0]
    result = play_shard(Shard(plan, 0, 4, True, 1))
    would_match = 0
    file = tmp_path / "games.pgb"
    file.write_bytes(binary.SIGNATURE + result.games)
    for parity, game in enumerate(read_records(file)):
        turn = -1
        labels: tuple[str, ...] = ()
        for position, choice in zip(game.positions(), game.choices, strict=False):
            if position.is_chance or position.is_over:
                continue
            if position.turns != turn:
                turn, labels = position.turns, ()
            label, others = position.label(choice), position.legal_moves()
            assert position.to_move is not None
            if (position.to_move + parity) % 2 == 0:
                matching = [each for each in others if restriction.matches(each, labels)]
                assert label not in matching or len(matching) == len(others)
                would_match += len(matching) > 0
            labels = (*labels, label)
    assert would_match == result.counts.limited[0] > 0
