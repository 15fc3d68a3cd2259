"""Playing a run's games, in shards that follow from the plan and their number and nothing else.

A shard can be played anywhere and in any order: see :mod:`pasgl_env.playtest.cluster`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import Batch, __version__, players, variants
from pasgl_env.evaluation.match import play_match
from pasgl_env.evaluation.openings import USUAL, Begins, Openings
from pasgl_env.evaluation.tournament import identity
from pasgl_env.games.contract import OptionValue
from pasgl_env.players import Player
from pasgl_env.playtest.counting import MARKED_GAMES, Counts, GameCounter
from pasgl_env.playtest.restrict import RestrictedPlayer, Restriction
from pasgl_env.records.batch import heading_of
from pasgl_env.records.binary import BinaryWriter, StoredGame

RANDOM_SHARD, SHARD = 1024, 40
"""Games of a shard, if both players are ``random`` and otherwise; even."""


@dataclass(frozen=True)
class Plan:
    """What is played: all that the games depend on.

    Attributes:
        variant: a variant for two players or two teams.
        players: names that :func:`pasgl_env.players.make` knows.
        seed: of the dice and the players.
        options: all options of the variant with their values.
        restrictions: what somebody may not do.
        openings: where games begin.
    """

    variant: str
    players: tuple[str, str]
    seed: int
    options: dict[str, OptionValue]
    restrictions: tuple[Restriction, ...] = ()
    openings: Openings = USUAL

    @classmethod
    def of(
        cls,
        variant: str,
        names: Sequence[str],
        seed: int = 0,
        forbidden: Sequence[str] = (),
        openings: Openings = USUAL,
        **options: OptionValue,
    ) -> Plan:
        """A plan that can be played.

        Args:
            variant: a name of :func:`pasgl_env.variants.names`.
            names: of the two players.
            seed: a whole number from 0 up.
            forbidden: restrictions, see :meth:`Restriction.read`.
            openings: where games begin.
            options: the variant's; the others have the defaults of environments.

        Raises:
            ImportError: for a trained agent without the extra ``train``.
            ValueError: for an unknown variant, player, option or seat, an impossible value, other
                than two players, or openings from which no game can go on.
        """
        batch = Batch(variant, 1, seed=seed, **options)
        if len(names) != 2:
            raise ValueError(f"a playtest is between two players, not {len(names)}")
        if set(batch.teams.tolist()) != {0, 1}:
            raise ValueError(f"a playtest is between two sides, but {variant} has others")
        for name in names:
            players.make(name, variant, seed=0)
        seats = variants.find(variant).seats(batch.options_record[0])
        restrictions = tuple(Restriction.read(text, seats) for text in forbidden)
        openings.check(variant, batch.options)
        return cls(variant, (names[0], names[1]), seed, batch.options, restrictions, openings)

    def begins(self, first: int, pairs: int) -> Begins | None:
        """Where some pairs of games begin, the first of which has this number; None: as usual."""
        if self.openings.is_usual:
            return None
        return self.openings.begins(self.variant, self.options, self.seed, first, pairs)

    def cluster(self, pair: int) -> int:
        """The number of the unit, independent of others, that a pair of games belongs to."""
        return self.openings.cluster(pair, self.seed)

    @property
    def is_random(self) -> bool:
        """Whether all choices are random, which takes a faster way."""
        return set(self.players) == {"random"} and not self.restrictions

    @property
    def shard(self) -> int:
        """How many games a shard has."""
        return RANDOM_SHARD if self.is_random else SHARD

    def to_dict(self) -> dict[str, Any]:
        """What tells it from other plans, and this version's games from another's; for JSON."""
        return {
            "version": __version__,
            **asdict(self),
            "players": [identity(name, name, self.variant) for name in self.players],
            "restrictions": [str(each) for each in self.restrictions],
            "openings": None if self.openings.is_usual else self.openings.to_dict(),
            "shard": self.shard,
        }


class Shard(NamedTuple):
    """Some games of a plan.

    Attributes:
        plan: what is played.
        number: of the shard, from 0.
        games: how many, even, of the plan's ``shard``; the same first ones if they are fewer.
        keeps_games: whether the games themselves are wanted, not only what is counted in them.
        threads: how many share the work; results do not depend on it.
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
    """What came of a shard.

    Attributes:
        counts: what was counted.
        limited: ``int64[2]``: decisions at which a restriction forbade something, and those of them
            at which it would have forbidden everything, and was lifted.
        games: blocks of a binary file of records; empty if they are not wanted.
    """

    counts: Counts
    limited: np.ndarray
    games: bytes


def play_shard(shard: Shard, progress: Callable[[int], None] | None = None) -> ShardResult:
    """Play a shard's games, and count what happens in them.

    Args:
        shard: which.
        progress: called with the number of games finished whenever it has grown.

    Raises:
        ValueError: if games end before their openings do.
    """
    plan = shard.plan
    batch = Batch(plan.variant, 1, seed=0, **plan.options)
    begins = plan.begins(shard.first // 2, shard.games // 2)
    counter = GameCounter(
        plan.variant,
        batch.options_record,
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
        pair = _players(batch, plan)
        games = _play_match(shard, seed, pair, begins, progress)
        counter.add_known(games)
        limited += sum(each.limits for each in pair if isinstance(each, RestrictedPlayer))
    blocks = _blocks(shard, batch, games, begins) if shard.keeps_games else b""
    return ShardResult(counter.counts, limited, blocks)


def _players(batch: Batch, plan: Plan) -> list[Player]:
    """The two players, restricted if need be."""
    pair = [
        _player(_Seat(plan.variant, name, identity(name, name, plan.variant), number))
        for number, name in enumerate(plan.players)
    ]
    if not plan.restrictions:
        return pair
    return [
        RestrictedPlayer(player, number, batch, plan.restrictions)
        for number, player in enumerate(pair)
    ]


class _Seat(NamedTuple):
    """Who plays: of the same name with another identity it is an agent whose file has changed."""

    variant: str
    name: str
    identity: str
    number: int


@lru_cache(maxsize=8)
def _player(seat: _Seat) -> Player:
    """A player, loaded once.

    Each game of a match begins its generators anew, so none is in the way of another match.
    """
    return players.make(seat.name, seat.variant, seed=seat.number)


def _play_match(
    shard: Shard,
    seed: np.random.SeedSequence,
    pair: Sequence[Player],
    begins: Begins | None,
    progress: Callable[[int], None] | None,
) -> list[StoredGame]:
    plan = shard.plan
    games: list[StoredGame] = []
    play_match(
        plan.variant,
        pair[0],
        pair[1],
        shard.games,
        seed=int(seed.generate_state(1, np.uint64)[0]),
        threads=shard.threads,
        paired=True,
        progress=progress,
        record=games,
        starts=None if begins is None else begins.states,
        **plan.options,
    )
    return games


def _blocks(
    shard: Shard, batch: Batch, games: Sequence[StoredGame], begins: Begins | None
) -> bytes:
    """The games as a file of records has them."""
    plan = shard.plan
    headings = [
        heading_of(batch, tuple(plan.players[(team + parity) % 2] for team in batch.teams))
        for parity in (0, 1)
    ]
    writer = BinaryWriter()
    write, option = variants.find(plan.variant).write, batch.options_record[0]
    blocks = []
    for number, game in enumerate(games):
        about = {"seed": plan.seed, "tags": {"Round": str(shard.first + number + 1)}}
        if begins is not None:
            about["start"] = write(begins.states[number // 2], option)
        blocks.append(writer.blocks(headings[number % 2], game._replace(about=about)))
    return b"".join(blocks)
