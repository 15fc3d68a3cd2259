"""Where games begin, so that deterministic players still play different games.

From the usual start such players play the same game again and again. With openings each pair of
games begins at a position of its own, which each player plays from both sides: a position of a set,
or one reached by a few turns of varied play, or both.

>>> openings = Openings(turns=(2, 6))
>>> states = openings.begins("pasgl312", {}, seed=1, first=0, pairs=3).states
>>> int(states["turn_count"].min()) >= 2, len({state.tobytes() for state in states})
(True, 3)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import Batch, Position, players, variants
from pasgl_env.games.contract import (
    OptionValue,
    brief,
    environment_values,
    options_array,
    options_dict,
)
from pasgl_env.players import Player
from pasgl_env.records import read_records
from pasgl_env.records.files import FORMS

SHIPPED = "shipped"
"""The name of the set that comes with the package."""
UNIFORM = "random"
FOUR_PLAYERS, FOUR = "pachessi", "_four"
"""A variant with standard rules for four players, whose name has this suffix."""
MOST_CLUSTERS = 256
"""The openings of larger sets share clusters, as random groups do."""
MOST_TRIES = 100
"""How often an opening is begun in which the game keeps ending."""

TOO_MANY_TURNS = 10**9
"""No opening has so many, even without a turn limit."""

FEWEST_TURNS, MOST_TURNS = 2, 6
JUDGE = 200
"""Simulations of the search that values openings."""
EVEN = 0.5
"""An opening is even if its value for the side to act, from -1 to 1, is nearer to 0 than this."""

Choose = Callable[[np.ndarray], Any]


class Begins(NamedTuple):
    """Where some pairs of games begin.

    Attributes:
        states: records ``[pairs]``, each the state of a position text.
        openers: ``int64[pairs]``: the team that acted first in the opening; -1 without one.
        clusters: ``int64[pairs]``: see :meth:`Openings.cluster`.
    """

    states: np.ndarray
    openers: np.ndarray
    clusters: np.ndarray


@dataclass(frozen=True)
class Openings:
    """How the pairs of games of a match begin; each pair has a number, from 0.

    Attributes:
        texts: position texts that the pairs take in turn; () for the variant's usual start.
        turns: the least and the greatest number of turns played from there; the number of each pair
            is drawn uniformly.
        player: who plays these turns; ``random`` draws each action uniformly from the legal ones.
        name: of the set, for people.
    """

    texts: tuple[str, ...] = ()
    turns: tuple[int, int] = (0, 0)
    player: str = UNIFORM
    name: str = ""

    @classmethod
    def of_set(cls, name: str, variant: str, options: Mapping[str, OptionValue]) -> Openings:
        """The positions of a set; arguments and errors are those of :func:`read_openings`."""
        title, texts = read_openings(name, variant, options)
        return cls(texts, name=title)

    @property
    def is_usual(self) -> bool:
        """Whether all games begin at the variant's usual start."""
        return not self.texts and self.turns[1] == 0

    @property
    def clusters(self) -> int:
        """The number of clusters, which pairs that begin at the same text share; 0 without."""
        return min(len(self.texts), MOST_CLUSTERS) if len(self.texts) > 1 else 0

    def cluster(self, pair: int, seed: int) -> int:
        """The cluster of a pair, or its own number if there are no clusters."""
        return self._place(pair, seed) % self.clusters if self.clusters else pair

    def check(self, variant: str, options: Mapping[str, OptionValue]) -> None:
        """Raise ``ValueError`` if games cannot begin like this."""
        fewest, most = self.turns
        if not 0 <= fewest <= most:
            raise ValueError(f"turns of an opening are N or LOW..HIGH, not {fewest}..{most}")
        limit = int(_all_options(variant, options)["turn_limit"])
        if most >= (limit or TOO_MANY_TURNS):
            raise ValueError(
                f"an opening has fewer turns than the limit of {limit or TOO_MANY_TURNS}, not"
                f" {brief(most)}"
            )
        if not most and self.player != UNIFORM:
            raise ValueError(f"{self.player} has no turns to play: say how many, from 1 up")
        players.make(self.player, variant, seed=0)
        for text in self.texts:
            check_start(variant, options, text)

    def begins(
        self, variant: str, options: Mapping[str, OptionValue], seed: int, first: int, pairs: int
    ) -> Begins:
        """Where some pairs of games begin; pairs do not depend on each other.

        Args:
            variant: a name of :func:`pasgl_env.variants.names`.
            options: of the variant; the others have the defaults of environments.
            seed: of the order of the texts, of dice and of players.
            first: the number of the first pair.
            pairs: how many.

        Raises:
            ValueError: if games end before their opening does.
        """
        batch = Batch(variant, 1, seed=0, **options)
        begins = _read(variant, tuple(batch.options.items()), self.texts)
        states = begins[[self._place(pair, seed) for pair in range(first, first + pairs)]]
        openers = np.full(pairs, -1, np.int64)
        if self.turns[1]:
            player = players.make(self.player, variant, seed=0)
            for row, pair in enumerate(range(first, first + pairs)):
                openers[row] = self._play_on(batch, player, states[row : row + 1], seed, pair)
        clusters = [self.cluster(pair, seed) for pair in range(first, first + pairs)]
        return Begins(states, openers, np.array(clusters, np.int64))

    def to_dict(self) -> dict[str, Any]:
        """The openings for JSON; a set is identified by a digest of its texts."""
        digest = hashlib.sha256("\n".join(self.texts).encode()).hexdigest()[:16]
        return {
            "set": self.name,
            "positions": len(self.texts),
            "digest": digest if len(self.texts) > 1 else "".join(self.texts),
            "turns": list(self.turns),
            "player": self.player,
        }

    def __str__(self) -> str:
        parts = []
        if len(self.texts) > 1:
            parts.append(f"{len(self.texts)} positions ({self.name or 'given'})")
        elif self.texts:
            parts.append("one given position")
        if self.turns[1]:
            low, high = self.turns
            number = f"{low}" if low == high else f"{low} to {high}"
            who = "uniformly random" if self.player == UNIFORM else self.player
            parts.append(f"{number} turns, {who}")
        return ", then ".join(parts) or "the usual start"

    def _place(self, pair: int, seed: int) -> int:
        """The index of the text that a pair begins at."""
        return int(_order(len(self.texts), seed)[pair % len(self.texts)]) if self.texts else 0

    def _play_on(
        self, batch: Batch, player: Player, state: np.ndarray, seed: int, pair: int
    ) -> int:
        """Play the opening of a pair from a state, an array of one, in place; return who began."""
        dice, own, length = np.random.SeedSequence((seed, pair)).spawn(3)
        rows = np.zeros(1, np.int64)
        batch.reseed(rows, dice.generate_state(1).tolist())
        players.reseed(player, rows, own.generate_state(1).tolist())
        low, high = self.turns
        wanted = int(np.random.default_rng(length).integers(low, high + 1))
        opener = play_openings(
            batch, rows, state, wanted, lambda games: players.choose(player, batch, games)
        )
        game, option = variants.find(batch.variant), batch.options_record[0]
        state[:] = 0  # forget what led to the position, as its text does
        game.read(game.write(batch.states[0], option), option, state[0])
        return int(opener[0])


USUAL = Openings()
"""The variant's usual start."""


def play_openings(
    batch: Batch, games: np.ndarray, start: np.ndarray, turns: int, choose: Choose
) -> np.ndarray:
    """Play the first turns of some games of a batch; a game that ends earlier is begun again.

    Args:
        batch: the games. Their dice are not reseeded.
        games: ``int64[k]``, ascending: which of them.
        start: a record ``[1]``: where they begin.
        turns: how many turns to play, all of them to their end.
        choose: maps games ``int64[n]`` to their actions.

    Returns:
        ``int64[k]``: the team that acted first in each.

    Raises:
        ValueError: if a game has ended too early :data:`MOST_TRIES` times.
    """
    game = variants.find(batch.variant)
    until = game.turns(start[0]) + turns
    openers = np.zeros(len(batch), np.int64)
    tries = np.zeros(len(batch), np.int64)
    begun = games
    while True:
        if begun.size:
            tries[begun] += 1
            if tries.max() > MOST_TRIES:
                raise ValueError(
                    f"games end before the {turns} turns of an opening do: ask for fewer"
                )
            batch.put(begun, start.repeat(begun.size))
            openers[begun] = batch.teams[batch.to_move[begun]]
        states = batch.states
        to_play = [
            row
            for row in games.tolist()
            if game.turns(states[row]) < until or (turns and game.in_turn(states[row]))
        ]
        if not to_play:
            return openers[games]
        rows = np.array(to_play)
        batch.step_some(rows, choose(rows))
        begun = batch.ended.copy()


def even_openings(
    variant: str, count: int, seed: int, options: Mapping[str, OptionValue]
) -> np.ndarray:
    """Draw different positions at the start of turns that a search finds about even: records."""
    random = np.random.default_rng(seed)
    judge = players.MctsPlayer(variants.find(variant), seed, simulations=JUDGE)
    batch = Batch(variant, 64, seed=int(random.integers(2**31)), **options)
    found: dict[bytes, np.void] = {}

    def draw(rows: np.ndarray) -> list[int]:
        return [int(random.choice(np.flatnonzero(batch.action_mask[rows[0]])))]

    while len(found) < count:
        batch.reset(int(random.integers(2**31)))
        wanted = random.integers(FEWEST_TURNS, MOST_TURNS + 1, len(batch))
        starts = batch.states.copy()
        for row, turns in enumerate(wanted.tolist()):
            play_openings(batch, np.array([row]), starts[row : row + 1], turns, draw)
        players.choose(judge, batch, np.arange(len(batch)))
        for row, values in enumerate(judge.action_values):
            seen = values[judge.visits[row] > 0]
            if seen.size and abs(seen.max()) < EVEN:
                found.setdefault(batch.states[row].tobytes(), batch.states[row].copy())
    return np.array(list(found.values())[:count], variants.find(variant).state)


def check_start(variant: str, options: Mapping[str, OptionValue], text: str) -> None:
    """Raise ``ValueError`` if no game can begin at a position text."""
    position = Position.from_text(variant, text, **options)
    check_goes_on(position)
    if position.in_turn:
        raise ValueError("games start at the beginning of a turn, not within one")


def check_goes_on(position: Position) -> None:
    """Raise ``ValueError`` if no turn can follow a position."""
    if position.is_over or position.is_truncated:
        raise ValueError("no game can start there: it is over, or at the turn limit")


def read_openings(
    name: str, variant: str, options: Mapping[str, OptionValue]
) -> tuple[str, tuple[str, ...]]:
    """Read a set of openings.

    Args:
        name: a file of records, whose last positions are taken, or of position texts, one a line,
            where lines that begin with ``#`` are ignored; or :data:`SHIPPED`.
        variant: a name of :func:`pasgl_env.variants.names`.
        options: of the variant.

    Returns:
        The set's name for people, and its texts without duplicates.

    Raises:
        OSError: if the file cannot be read.
        ValueError: if it is empty, or games cannot begin at one of its positions.
    """
    if name == SHIPPED:
        return f"{SHIPPED} with this version", shipped(variant, options)
    if name.endswith(FORMS):
        texts: Iterable[str] = _ends_of_records(name, variant)
    else:
        texts = _lines_of(Path(name))
    found: dict[str, None] = {}
    for number, text in enumerate(texts, 1):
        if not text.strip() or text.startswith("#"):
            continue
        try:
            check_start(variant, options, text.strip())
        except ValueError as error:
            raise ValueError(f"{name}, opening {number}: {error}") from None
        found[Position.from_text(variant, text.strip(), **options).text] = None
    if not found:
        raise ValueError(f"{name} holds no openings")
    return Path(name).name, tuple(found)


def _lines_of(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        forms = ", ".join(FORMS)
        raise ValueError(f"{file} is neither a text nor a file of records ({forms})") from None


def _ends_of_records(name: str, variant: str) -> Iterable[str]:
    for number, record in enumerate(read_records(name), 1):
        if record.variant != variant:
            raise ValueError(f"{name}, game {number} is of {record.variant}, not {variant}")
        yield record.final.text


def shipped(variant: str, options: Mapping[str, OptionValue]) -> tuple[str, ...]:
    """The texts of the set that comes with the package.

    Raises:
        ValueError: if there is none for these options; ``turn_limit`` does not matter.
    """
    name = standard_name(variant, options)
    if name is None or name not in shipped_sets():
        raise ValueError(
            f"no openings of {variant} are shipped for these options: draw some with turns of"
            " varied play, or give a file"
        )
    return _texts(name)


def standard_name(variant: str, options: Mapping[str, OptionValue]) -> str | None:
    """The name of rules that have openings and a ladder; None for others.

    These are the default rules with any ``turn_limit``, and Pachessi's for four players.

    >>> standard_name("pachessi", {"players": 4}), standard_name("pachessi", {"hole": 1})
    ('pachessi_four', None)
    """
    for name in (variant, f"{variant}{FOUR}"):
        known, own = set_of(name)
        if "players" in own and variant != FOUR_PLAYERS:
            continue
        if _rules(known, own) == _rules(variant, options):
            return name
    return None


@cache
def shipped_sets() -> tuple[str, ...]:
    """The names of the sets that come with the package."""
    files = resources.files("pasgl_env.evaluation").joinpath("positions").iterdir()
    return tuple(sorted(file.name.removesuffix(".txt") for file in files))


def set_of(name: str) -> tuple[str, dict[str, OptionValue]]:
    """The variant and the options that a set is for, by its name.

    >>> set_of("pachessi_four")
    ('pachessi', {'players': 4})
    """
    variant = name.removesuffix(FOUR)
    return variant, {} if variant == name else {"players": 4}


@cache
def _texts(name: str) -> tuple[str, ...]:
    file = resources.files("pasgl_env.evaluation").joinpath("positions", f"{name}.txt")
    lines = file.read_text("utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))


def _rules(variant: str, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """All options except the turn limit."""
    every = _all_options(variant, options)
    return {name: value for name, value in every.items() if name != "turn_limit"}


def _all_options(variant: str, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options, with the defaults of environments for those that are not given."""
    game = variants.find(variant)
    return options_dict(game, options_array(game, environment_values(game, options)))


@lru_cache(maxsize=32)
def _order(size: int, seed: int) -> np.ndarray:
    """The order in which pairs take the texts of a set."""
    return np.random.default_rng((seed, size)).permutation(size)


@lru_cache(maxsize=32)
def _read(
    variant: str, options: tuple[tuple[str, OptionValue], ...], texts: Sequence[str]
) -> np.ndarray:
    """The states of position texts, or the usual start without any."""
    named = dict(options)
    if not texts:
        return Position(variant, **named).state
    return np.concatenate([Position.from_text(variant, text, **named).state for text in texts])


def read_turns(text: str) -> tuple[int, int]:
    """Read the number of turns of an opening, such as ``4`` or ``2..6``.

    Raises:
        ValueError: if it is neither.
    """
    low, dots, high = text.partition("..")
    if not low.isdecimal() or not (high if dots else low).isdecimal():
        raise ValueError(
            f"turns of an opening are N or LOW..HIGH, such as 4 or 2..6, not {brief(text)}"
        )
    return int(low), int(high or low)
