"""The starts of games, varied so that deterministic players still play different games.

From the usual start such players play the same game again and again. With openings each pair of
games begins at a position of its own, which each player plays from both sides: a position of a set,
or one reached by a few turns of varied play, or both.

>>> openings = Openings(turns=(2, 6))
>>> states = openings.begins(variants.ruleset("pasgl312"), seed=1, first=0, pairs=3).states
>>> int(states["turn_count"].min()) >= 2, len({state.tobytes() for state in states})
(True, 3)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import players
from pasgl_env.contract import variants
from pasgl_env.contract.game import brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.position import Position
from pasgl_env.players import Player
from pasgl_env.records import read_records
from pasgl_env.records.files import FORMS
from pasgl_env.records.game import turn_start
from pasgl_env.wording import counted

SHIPPED = "shipped"
"""The name of the set that comes with the package."""
EVEN = "even"
"""The name of openings that a search finds about even."""
UNIFORM = "random"
FOUR_PLAYERS, FOUR = "pachessi", "_four"
"""A variant with standard rules for four players, whose name has this suffix."""
MOST_CLUSTERS = 256
"""The openings of larger sets share clusters, as random groups do."""
MOST_TRIES = 100
"""Attempts at an opening in which the game keeps ending."""

TOO_MANY_TURNS = 10**9
"""The limit of an opening's turns in games without a turn limit."""

EVEN_TURNS = 2, 6
"""The least and the greatest number of random turns of an even opening."""
SIMULATIONS = 200
"""Simulations of the search that evaluates even openings."""
MOST_UNEVEN = 0.5
"""An opening is even if its value for the side to act, from -1 to 1, is nearer to 0 than this."""
EVEN_TOGETHER = 32
"""Even openings drawn at once, which are all different."""

Choose = Callable[[np.ndarray], Any]


class Begins(NamedTuple):
    """The starts of some pairs of games.

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
    """The openings of a match's pairs of games; each pair has a number, from 0.

    Attributes:
        texts: position texts that the pairs take in turn; () for the variant's usual start.
        turns: the least and the greatest number of turns played from there; the number of each pair
            is drawn uniformly.
        player: plays these turns; ``random`` draws each action uniformly from the legal ones.
        name: of the set, for people; :data:`EVEN` for different positions, a few random turns from
            the usual start, that a search finds about even.
    """

    texts: tuple[str, ...] = ()
    turns: tuple[int, int] = (0, 0)
    player: str = UNIFORM
    name: str = ""

    @classmethod
    def of_set(cls, name: str, ruleset: Ruleset) -> Openings:
        """The positions of a set, or even ones.

        Args:
            name: as in :func:`read_openings`, or :data:`EVEN`.
            ruleset: the variant under its options.

        Raises:
            OSError: as :func:`read_openings`.
            ValueError: likewise.
        """
        if name == EVEN:
            return EVEN_OPENINGS
        title, texts = read_openings(name, ruleset)
        return cls(texts, name=title)

    @property
    def are_even(self) -> bool:
        """Whether the openings are chosen by a search."""
        return self.name == EVEN and not self.texts

    @property
    def is_usual(self) -> bool:
        """Whether all games begin at the variant's usual start."""
        return not self.texts and self.turns[1] == 0 and not self.are_even

    @property
    def clusters(self) -> int:
        """The number of clusters, which pairs that begin at the same text share; 0 without."""
        return min(len(self.texts), MOST_CLUSTERS) if len(self.texts) > 1 else 0

    def cluster(self, pair: int, seed: int) -> int:
        """The cluster of a pair, or its own number if there are no clusters."""
        return self._index(pair, seed) % self.clusters if self.clusters else pair

    def check(self, ruleset: Ruleset) -> None:
        """Raise ``ValueError`` if games cannot begin like this."""
        fewest, most = self.turns
        if not 0 <= fewest <= most:
            raise ValueError(f"turns of an opening are from low to high, not {fewest}..{most}")
        limit = int(ruleset.options["turn_limit"])
        if most >= (limit or TOO_MANY_TURNS):
            raise ValueError(
                f"an opening has fewer turns than the limit of {limit or TOO_MANY_TURNS}, not"
                f" {brief(most)}"
            )
        if not most and self.player != UNIFORM:
            raise ValueError(f"{self.player} has no turns to play: give their number, from 1 up")
        if most and self.are_even:
            raise ValueError("even openings are complete: leave out further turns")
        players.make(self.player, ruleset.name, seed=0)
        for text in self.texts:
            check_start(ruleset, text)
            position = Position.from_text(ruleset, text)
            left = limit - position.turns
            if limit and left <= most:
                raise ValueError(
                    f"games are cut off {counted(left, 'turn')} after a given position: openings"
                    f" have fewer, not {most}"
                )

    def turn_begun(self, ruleset: Ruleset) -> tuple[str, list[int]]:
        """The text of the start of the turn within which all games begin, and the actions since.

        The text is empty if games begin at the start of a turn.
        """
        if len(self.texts) != 1 or self.turns[1]:
            return "", []
        position = Position.from_text(ruleset, self.texts[0])
        text, labels = turn_start(position)
        if not labels:
            return "", []
        begun, actions = Position.from_text(ruleset, text), list[int]()
        for label in labels:
            actions.append(begun.action(label))
            begun.play_action(actions[-1])
        return text, actions

    def begins(self, ruleset: Ruleset, seed: int, first: int, pairs: int) -> Begins | None:
        """The starts of some pairs of games; None: all at the usual start.

        Pairs do not depend on each other.

        Args:
            ruleset: the variant under its options.
            seed: of the order of the texts, of dice and of players.
            first: the number of the first pair.
            pairs: their number.

        Raises:
            ValueError: if games end before their opening does.
        """
        if self.is_usual:
            return None
        numbers = range(first, first + pairs)
        clusters = np.array([self.cluster(pair, seed) for pair in numbers], np.int64)
        if self.are_even:
            places = (divmod(pair, EVEN_TOGETHER) for pair in numbers)
            found = [_even_block(ruleset, seed, block)[number] for block, number in places]
            even = np.array([state for state, _ in found], ruleset.game.state)
            return Begins(even, np.array([opener for _, opener in found], np.int64), clusters)
        batch = Batch(ruleset, 1, seed=0)
        begins = _read(ruleset, self.texts)
        states = begins[[self._index(pair, seed) for pair in numbers]]
        openers = np.full(pairs, -1, np.int64)
        if self.turns[1]:
            player = players.make(self.player, ruleset.name, seed=0)
            for row, pair in enumerate(numbers):
                openers[row] = self._play_on(batch, player, states[row : row + 1], seed, pair)
        return Begins(states, openers, clusters)

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
        if self.are_even:
            return f"even positions, {EVEN_TURNS[0]} to {EVEN_TURNS[1]} random turns from the start"
        parts = []
        if len(self.texts) > 1:
            parts.append(f"{len(self.texts)} positions ({self.name or 'given'})")
        elif self.texts:
            parts.append("one given position")
        if self.turns[1]:
            low, high = self.turns
            number = f"{low}" if low == high else f"{low} to {high}"
            player = "uniformly random" if self.player == UNIFORM else self.player
            parts.append(f"{number} turns, {player}")
        return ", then ".join(parts) or "the usual start"

    def _index(self, pair: int, seed: int) -> int:
        """The index of the text that a pair begins at."""
        return int(_order(len(self.texts), seed)[pair % len(self.texts)]) if self.texts else 0

    def _play_on(
        self, batch: Batch, player: Player, state: np.ndarray, seed: int, pair: int
    ) -> int:
        """Play the opening of a pair from a state, an array of one, in place.

        Returns the team that acted first.
        """
        dice, own, length = np.random.SeedSequence((seed, pair)).spawn(3)
        rows = np.zeros(1, np.int64)
        batch.reseed(rows, dice.generate_state(1).tolist())
        players.reseed(player, rows, own.generate_state(1).tolist())
        low, high = self.turns
        wanted = int(np.random.default_rng(length).integers(low, high + 1))
        opener = _play_turns(
            batch, 0, state, wanted, lambda games: players.choose(player, batch, games)
        )
        state[0] = without_history(batch, 0)
        return opener


USUAL = Openings()
"""The variant's usual start."""
EVEN_OPENINGS = Openings(name=EVEN)
"""Different positions that a search finds about even."""


def without_history(batch: Batch, game: int) -> np.void:
    """The state of a game as its position text describes it, without earlier moves.

    The game must be at the start of a turn.
    """
    rules, option = batch.ruleset.game, batch.options_record[0]
    state = np.zeros(1, rules.state)
    rules.texts.read(rules.texts.write(batch.states[game], option), option, state[0])
    found: np.void = state[0]
    return found


def _play_turns(batch: Batch, game: int, start: np.ndarray, turns: int, choose: Choose) -> int:
    """Play the first turns of a game of a batch, to their end; a game that ends earlier restarts.

    Args:
        batch: the batch; its dice are not reseeded.
        game: number of the game.
        start: a record ``[1]``: where it begins.
        turns: number of turns.
        choose: maps games ``int64[1]`` to their actions.

    Returns:
        The team that acted first.

    Raises:
        ValueError: if the game has ended too early :data:`MOST_TRIES` times.
    """
    rules, row = batch.ruleset.game, np.array([game])
    until = rules.turns(start[0]) + turns
    for _ in range(MOST_TRIES):
        batch.put(row, start)
        opener, has_ended = int(batch.teams[batch.to_move[game]]), False
        while not has_ended:
            state = batch.states[game]
            if rules.turns(state) >= until and not (turns and rules.in_turn(state)):
                return opener
            batch.step_some(row, choose(row))
            has_ended = batch.ended.size > 0
    raise ValueError(f"games end before the {turns} turns of an opening do: ask for fewer")


@lru_cache(maxsize=64)
def _even_block(ruleset: Ruleset, seed: int, block: int) -> list[tuple[np.void, int]]:
    """Draw different positions at the start of turns that a search finds about even.

    Each is for the pair of its number in the block, with the team that acted first.
    """
    random = np.random.default_rng((seed, block))
    judge = players.MctsPlayer(ruleset.game, seed, simulations=SIMULATIONS)
    batch = Batch(ruleset, 64, seed=int(random.integers(2**31)))
    every = np.arange(len(batch))
    players.reseed(judge, every, random.integers(2**63, size=len(batch)).tolist())
    found: dict[bytes, tuple[np.void, int]] = {}

    def draw(rows: np.ndarray) -> list[int]:
        return [int(random.choice(np.flatnonzero(batch.action_mask[rows[0]])))]

    while len(found) < EVEN_TOGETHER:
        batch.reset(int(random.integers(2**31)))
        wanted = random.integers(EVEN_TURNS[0], EVEN_TURNS[1] + 1, len(batch))
        starts = batch.states.copy()
        openers = [
            _play_turns(batch, row, starts[row : row + 1], turns, draw)
            for row, turns in enumerate(wanted.tolist())
        ]
        players.choose(judge, batch, every)
        for row, values in enumerate(judge.action_values):
            seen = values[judge.visits[row] > 0]
            if seen.size and abs(seen.max()) < MOST_UNEVEN:
                state = without_history(batch, row)
                found.setdefault(state.tobytes(), (state, openers[row]))
    return list(found.values())[:EVEN_TOGETHER]


def check_start(ruleset: Ruleset, text: str) -> None:
    """Raise ``ValueError`` if no game can begin at a position text."""
    position = Position.from_text(ruleset, text)
    if position.is_over or position.is_truncated:
        raise ValueError("no game can start there: it is over, or at the turn limit")
    if position.in_turn:
        raise ValueError("games start at the beginning of a turn, not within one")


def read_openings(name: str, ruleset: Ruleset) -> tuple[str, tuple[str, ...]]:
    """Read a set of openings.

    Args:
        name: a file of records, whose last positions are taken, or of position texts, one a line,
            where lines that begin with ``#`` are ignored; or :data:`SHIPPED`.
        ruleset: the variant under its options.

    Returns:
        The set's name for people, and its texts without duplicates.

    Raises:
        OSError: if the file cannot be read.
        ValueError: if it is empty, or games cannot begin at one of its positions.
    """
    if name == SHIPPED:
        return f"{SHIPPED} with this version", shipped(ruleset)
    if name.endswith(FORMS):
        texts: Iterable[str] = _ends_of_records(name, ruleset.name)
    else:
        texts = _lines_of(Path(name))
    found: dict[str, None] = {}
    for number, text in enumerate(texts, 1):
        if not text.strip() or text.startswith("#"):
            continue
        try:
            check_start(ruleset, text.strip())
        except ValueError as error:
            raise ValueError(f"{name}, opening {number}: {error}") from None
        found[Position.from_text(ruleset, text.strip()).text] = None
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
        if record.ruleset.name != variant:
            raise ValueError(f"{name}, game {number} is of {record.ruleset.name}, not {variant}")
        yield record.final.text


def shipped(ruleset: Ruleset) -> tuple[str, ...]:
    """The texts of the set that comes with the package.

    Raises:
        ValueError: if there is none for these options; ``turn_limit`` does not matter.
    """
    name = standard_name(ruleset)
    if name is None or name not in shipped_sets():
        raise ValueError(
            f"no openings of {ruleset.name} are shipped for these options: draw some with turns of"
            " varied play, or give a file"
        )
    return _texts(name)


def standard_name(ruleset: Ruleset) -> str | None:
    """The name of rules that have openings and a ladder; None for others.

    These are the default rules with any ``turn_limit``, and Pachessi's for four players.

    >>> standard_name(variants.ruleset("pachessi", players=4))
    'pachessi_four'
    >>> standard_name(variants.ruleset("pachessi", hole=1)) is None
    True
    """
    for name in (ruleset.name, f"{ruleset.name}{FOUR}"):
        if name.endswith(FOUR) and ruleset.name != FOUR_PLAYERS:
            continue
        if set_of(name).changed(turn_limit=ruleset.options["turn_limit"]) == ruleset:
            return name
    return None


@cache
def shipped_sets() -> tuple[str, ...]:
    """The names of the sets that come with the package."""
    files = resources.files("pasgl_env.evaluation").joinpath("positions").iterdir()
    return tuple(sorted(file.name.removesuffix(".txt") for file in files))


@cache
def set_of(name: str) -> Ruleset:
    """The rules that a set is for, by its name.

    >>> set_of("pachessi_four")
    ruleset('pachessi', players=4)
    """
    variant = name.removesuffix(FOUR)
    return variants.ruleset(variant) if variant == name else variants.ruleset(variant, players=4)


@cache
def _texts(name: str) -> tuple[str, ...]:
    file = resources.files("pasgl_env.evaluation").joinpath("positions", f"{name}.txt")
    lines = file.read_text("utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))


@lru_cache(maxsize=32)
def _order(size: int, seed: int) -> np.ndarray:
    """The order in which pairs take the texts of a set."""
    return np.random.default_rng((seed, size)).permutation(size)


@lru_cache(maxsize=32)
def _read(ruleset: Ruleset, texts: tuple[str, ...]) -> np.ndarray:
    """The states of position texts, or the usual start without any."""
    if not texts:
        return Position(ruleset).state
    return states_of(ruleset, texts)


def states_of(ruleset: Ruleset, texts: Iterable[str]) -> np.ndarray:
    """The states of position texts: records ``[k]``."""
    return np.concatenate([Position.from_text(ruleset, text).state for text in texts])


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
