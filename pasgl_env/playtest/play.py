"""Playing the games of a run, in shards that depend only on the plan and their number.

A shard can be played anywhere and in any order: see :mod:`pasgl_env.playtest.cluster`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import checked_seed
from pasgl_env.engine.position import Position
from pasgl_env.evaluation.match import play_match, whole_groups
from pasgl_env.evaluation.openings import USUAL, Begins, Openings
from pasgl_env.evaluation.tournament import file_digest, identity, played_by
from pasgl_env.players import Player
from pasgl_env.players.levels import LIKE_PEOPLE, player_at
from pasgl_env.players.values.weights import training_of
from pasgl_env.playtest.counting import MARKED_GAMES, Counts, GameCounter
from pasgl_env.playtest.generic import MOST_PLAYERS
from pasgl_env.playtest.restrict import RestrictedPlayer, Restriction
from pasgl_env.records.binary import BinaryWriter, StoredGame, headings_of

RANDOM_SHARD, SHARD = 1024, 40
"""The most games in a shard if both players are ``random``, and otherwise."""
UNTRAINED = "(not trained for these rules)"
"""Marks a player that learned other rules."""
TRAINED = "(trained for these rules)"
"""Marks a player whose values were learned for the run."""


@dataclass(frozen=True)
class Plan:
    """Everything that the games of a run depend on.

    Attributes:
        ruleset: a variant under its options.
        players: two names that :func:`pasgl_env.players.make` knows. Of more than two sides, the
            first plays one, each in turn, and the second all others.
        seed: of the dice and the players.
        restrictions: actions that are forbidden.
        openings: where games begin.
        shard_games: number of games in a shard, of whole groups; None: the most of
            :data:`RANDOM_SHARD` in a compiled loop of random games, else of :data:`SHARD`.
        learned: files of values by which the players play that can (``values=`` in their names);
            the shards take turns at them. () for the players' own.
    """

    ruleset: Ruleset
    players: tuple[str, str]
    seed: int
    restrictions: tuple[Restriction, ...] = ()
    openings: Openings = USUAL
    shard_games: int | None = None
    learned: tuple[Path, ...] = ()

    @classmethod
    def of(
        cls,
        variant: Any,
        names: Sequence[str],
        seed: int = 0,
        forbidden: Sequence[str] = (),
        openings: Openings = USUAL,
        **options: OptionValue,
    ) -> Plan:
        """Make a plan and check that it can be played.

        Args:
            variant: a name of :func:`pasgl_env.contract.variants.names`, or a ruleset.
            names: of the two players.
            seed: a non-negative integer.
            forbidden: restrictions, see :meth:`Restriction.read`.
            openings: where games begin.
            options: of the variant; the others have the defaults of environments.

        Raises:
            ImportError: for a trained agent without the extra ``train``.
            ValueError: for an unknown variant, player, option or seat, an invalid value, too many
                seats, a number of players other than two, or openings from which no game can be
                played.
        """
        ruleset = variants.ruleset(variant, **options)
        seed = checked_seed(seed)
        if len(names) != 2:
            raise ValueError(f"a playtest is between two players, not {len(names)}")
        if ruleset.spaces.players > MOST_PLAYERS:
            raise ValueError(
                f"a playtest counts games of at most {MOST_PLAYERS} seats, but {ruleset.name} has"
                f" {ruleset.spaces.players}"
            )
        for name in names:
            players.make(name, ruleset.name, seed=0)
        restrictions = tuple(Restriction.read(text, ruleset.seats) for text in forbidden)
        if len(ruleset.members) > 2 and any(each.is_of_player for each in restrictions):
            raise ValueError(
                f"{ruleset.name} has more than two sides, of which the second player has several:"
                f" forbid something to a seat ({', '.join(ruleset.seats)})"
            )
        openings.check(ruleset)
        return cls(ruleset, (names[0], names[1]), seed, restrictions, openings)

    def changed(self, **fields: Any) -> Plan:
        """The plan with other values of some fields, checked as by :meth:`of`."""
        plan = replace(self, **fields)
        forbidden = [str(each) for each in plan.restrictions]
        checked = Plan.of(plan.ruleset, plan.players, plan.seed, forbidden, plan.openings)
        return replace(checked, shard_games=plan.shard_games, learned=plan.learned)

    def from_position(self, position: Position) -> Plan:
        """The plan with games that begin at a position, which may be within a turn."""
        return replace(self, openings=replace(self.openings, texts=(position.text,), name=""))

    @property
    def is_random(self) -> bool:
        """Whether all actions are random, so that games are played in a compiled loop."""
        return set(self.players) == {"random"} and not self.restrictions

    @property
    def untrained(self) -> tuple[str, ...]:
        """The players, that of the openings included, that learned other rules than these.

        They play by the hand-written evaluation, or a network as if the rules were its own, and so
        not as they play elsewhere: see :func:`pasgl_env.players.knows`.
        """
        names = dict.fromkeys(self.players_in(0))
        openers = dict.fromkeys((self.openings.player,))
        return tuple(each for each in names | openers if not knows_rules(each, self.ruleset))

    def shown(self, name: str) -> str:
        """A player for people, marked if it learned other rules, or these ones for the run."""
        if self.learned and players.takes_values(name):
            return f"{name} {TRAINED}"
        return f"{name} {UNTRAINED}" if name in self.untrained else name

    @property
    def shown_players(self) -> tuple[str, str]:
        """The two players for people, as :meth:`shown`."""
        one, other = map(self.shown, self.players)
        return one, other

    def players_in(self, shard: int) -> tuple[str, str]:
        """The names of the two players in a shard, with the values by which they play."""
        if not self.learned:
            return self.players
        file = self.learned[shard % len(self.learned)]
        one, other = (
            f"{name}:values={file}" if players.takes_values(name) else name for name in self.players
        )
        return one, other

    @property
    def learning(self) -> list[dict[str, str]]:
        """What was learned for the run: ``command``, ``seed``, ``games``, ``minutes`` of each."""
        return [training_of(file) for file in self.learned]

    @property
    def learned_text(self) -> str:
        """The same for people; empty if nothing was."""
        each = (
            f"{int(one['games']):,} games in {one['minutes']} minutes (seed {one['seed']})"
            for one in self.learning
        )
        return " and ".join(each)

    @property
    def shard(self) -> int:
        """Number of games in a shard, which are played and kept together."""
        usual = RANDOM_SHARD if self.is_random else SHARD // max(1, len(self.learned))
        return self.shard_games or usual - usual % self.sides

    @property
    def is_self_play(self) -> bool:
        """Whether the two players are the same, and no restriction binds only one of them."""
        is_bound = any(each.is_of_player for each in self.restrictions)
        return self.players[0] == self.players[1] and not is_bound

    @property
    def sides(self) -> int:
        """The number of sides, and of games in a group: the first player has each side in one."""
        return len(self.ruleset.members)

    @property
    def even(self) -> float:
        """The score of a side in an even game: an equal share."""
        return 1 / self.sides

    @property
    def group(self) -> str:
        """A group in words."""
        return "pair of games" if self.sides == 2 else f"group of {self.sides} games"

    def whole_groups(self, games: int) -> int:
        """The least number of games that is not below this one and consists of whole groups."""
        return whole_groups(games, self.sides)

    def check_games(self, games: int) -> None:
        """Raise ``ValueError`` unless games of this number are whole groups."""
        if games < self.sides or games % self.sides:
            even = "even" if self.sides == 2 else f"a multiple of {self.sides}"
            groups = self.group.split()[0]
            raise ValueError(
                f"games are played in {groups}s, so their number must be {even}, not {games}"
            )

    @property
    def alike(self) -> int:
        """The number of games that begin at each opening.

        One for each side of the first player. In self-play one: many players would repeat the same
        game.
        """
        return 1 if self.is_self_play else self.sides

    def begins(self, first: int, games: int) -> Begins | None:
        """The starts of ``games`` games from number ``first`` on; None: the usual start."""
        numbers = np.arange(first, first + games) // self.alike
        own = numbers - numbers[0]
        found = self.openings.begins(self.ruleset, self.seed, int(numbers[0]), int(own[-1]) + 1)
        return None if found is None else Begins(*(field[own] for field in found))

    def cluster(self, game: int) -> int:
        """The number of the independent unit to which a game belongs."""
        if self.openings.clusters:
            return self.openings.cluster(game // self.alike, self.seed)
        return game // self.sides

    def to_dict(self) -> dict[str, Any]:
        """Values for JSON that identify the plan and what plays it."""
        return {
            "variant": self.ruleset.name,
            "players": [identity(name, name, self.ruleset.name) for name in self.players],
            "learned": [
                {**about, "file": file_digest(file)}
                for about, file in zip(self.learning, self.learned, strict=True)
            ],
            "untrained": list(self.untrained),
            "seed": self.seed,
            "options": dict(self.ruleset.options),
            "restrictions": [str(each) for each in self.restrictions],
            "openings": None if self.openings.is_usual else self.openings.to_dict(),
            "shard": self.shard,
            **played_by(self.ruleset),
        }


def usual_player(rulesets: Sequence[Ruleset]) -> str:
    """The player whose games are taken for people's: that of the level :data:`LIKE_PEOPLE`.

    If it learned other rules than one of these, or cannot play them, the greedy player; random in a
    game without an evaluation.
    """
    for name in (player_at(LIKE_PEOPLE, rulesets[0].name), "greedy"):
        with suppress(NotImplementedError, ValueError):
            if all(knows_rules(name, each) for each in rulesets):
                return name
    return "random"


class Shard(NamedTuple):
    """Some games of a plan.

    Attributes:
        plan: of the run.
        number: of the shard, from 0.
        games: their number, of whole groups, at most the plan's ``shard``; a smaller shard has the
            first ones of a whole one.
        keeps_games: whether to return the games.
        threads: number of threads; results do not depend on it.
    """

    plan: Plan
    number: int
    games: int
    keeps_games: bool
    threads: int

    @property
    def first(self) -> int:
        """The number of its first game in the run."""
        return self.number * self.plan.shard


class ShardResult(NamedTuple):
    """The results of a shard.

    Attributes:
        counts: of its games.
        games: blocks of a binary record file; empty unless the games are wanted.
    """

    counts: Counts
    games: bytes


def play_shard(shard: Shard, progress: Callable[[int], None] | None = None) -> ShardResult:
    """Play the games of a shard and count their events; report the number of finished games.

    Raises:
        ValueError: if games end before their openings do.
    """
    plan = shard.plan
    begins = plan.begins(shard.first, shard.games)
    counter = GameCounter(
        plan.ruleset,
        shard.threads,
        begins,
        plan.openings.clusters,
        MARKED_GAMES - shard.first,
    )
    seed = np.random.SeedSequence((plan.seed, shard.number))
    limited = np.zeros(2, np.int64)
    if plan.is_random:
        games = counter.add_random(seed, shard.games, keep=shard.keeps_games)
    else:
        pair = players_of(plan, shard.number)
        games = []
        play_match(
            plan.ruleset,
            pair[0],
            pair[1],
            shard.games,
            seed=int(seed.generate_state(1, np.uint64)[0]),
            threads=shard.threads,
            paired=not plan.is_self_play,
            progress=progress,
            record=games,
            starts=None if begins is None else begins.states[:: plan.alike],
        )
        counter.add_known(games)
        limited += sum(each.limits for each in pair if isinstance(each, RestrictedPlayer))
    blocks = _blocks(shard, games, begins) if shard.keeps_games else b""
    return ShardResult(counter.counts._replace(limited=limited), blocks)


def players_of(plan: Plan, shard: int = 0) -> list[Player]:
    """The two players of a shard, with the restrictions of the plan; shards can share them."""
    pair = [
        _loaded(plan.ruleset.name, name, identity(name, name, plan.ruleset.name), number)
        for number, name in enumerate(plan.players_in(shard))
    ]
    if not plan.restrictions:
        return pair
    return [
        RestrictedPlayer(player, number, plan.ruleset, plan.restrictions)
        for number, player in enumerate(pair)
    ]


@lru_cache(maxsize=8)
def _loaded(variant: str, name: str, identity: str, number: int) -> Player:
    """A player, loaded once; another ``identity`` means that the file of an agent has changed.

    Matches can share it, because its generators are seeded anew for each game.
    """
    return players.make(name, variant, seed=number)


def knows_rules(name: str, ruleset: Ruleset) -> bool:
    """Whether a player knows the rules."""
    variant = ruleset.name
    return players.knows(_loaded(variant, name, identity(name, name, variant), 0), ruleset)


def _blocks(shard: Shard, games: Sequence[StoredGame], begins: Begins | None) -> bytes:
    """The games in the form of a binary record file."""
    plan = shard.plan
    ruleset = plan.ruleset
    rules, option = ruleset.game, ruleset.record[0]
    headings = headings_of(ruleset, *plan.players_in(shard.number))
    start, before = plan.openings.turn_begun(ruleset)
    writer = BinaryWriter()
    blocks = []
    for number, game in enumerate(games):
        about = {"seed": plan.seed, "tags": {"Round": str(shard.first + number + 1)}}
        if begins is not None:
            about["start"] = start or rules.texts.write(begins.states[number], option)
        choices = array("H", [*before, *game.choices])
        blocks.append(
            writer.blocks(
                headings[number % plan.sides], game._replace(choices=choices, about=about)
            )
        )
    return b"".join(blocks)
