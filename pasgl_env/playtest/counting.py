"""Counting what happens in games, compiled: random games as they are played, others played again.

A game is played from its beginning to its end before the next one begins: nothing but its tally is
kept, and no observations are made. Pairs of games go together, the games 2k and 2k + 1: they have
the same dice and the players swap sides.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pasgl_env import variants
from pasgl_env.engine.compiled import JIT, bind, compile_once, rule, wide, wrapping
from pasgl_env.engine.loops import count_blocks, counted_blocks, draw, loops_of
from pasgl_env.engine.threads import ThreadPool
from pasgl_env.evaluation.openings import Begins
from pasgl_env.games import parts
from pasgl_env.games.base import OptionsRecord, State
from pasgl_env.games.contract import Game, Spaces, options_array
from pasgl_env.games.counters import Counter, first_cells
from pasgl_env.players.playout import search_rules
from pasgl_env.playtest import generic
from pasgl_env.playtest.generic import (
    ACTIONS,
    ACTIONS_IN_A_TURN,
    BRANCHING,
    CELLS,
    COMEBACKS,
    DECIDED_SHARE,
    DECIDED_TURN,
    DECISIVE,
    DRAWS,
    ENDED_FIRST_MOVER,
    ENDINGS,
    FIRST_MOVER,
    FIRST_PLAYER,
    FORCED,
    GAME_TREE,
    GAMES,
    GEOMETRIC_BRANCHING,
    LEAD_CHANGES,
    MARGIN,
    MINUTES,
    POINTS,
    SCORE,
    SECONDS_FORCED,
    SECONDS_FREE,
    TRUNCATIONS,
    TURNS,
    WORST_DEFICIT,
)
from pasgl_env.records.binary import StoredGame
from pasgl_env.records.game import BY_THE_RULES, NO_ROOM, TURN_LIMIT
from pasgl_env.statistics.histograms import BINS, histogram

MARKS = 41
"""Of a game's beginning, and its first 40 turns, it is known where it was."""
MARKED_GAMES = 1000
"""Of so many games of a run."""

# Games that are counted in one go, so many tallies are in memory.
TOGETHER = 128
_WORTH_A_THREAD = 8

TRACK = np.dtype(
    (
        np.record,
        [
            ("worst", np.float64, (2,)),  # how far each side was behind at the worst
            ("not_ahead", np.int64, (2,)),  # the last turn at whose end it did not lead
            ("begun", np.int64),  # turns that were completed when it began
            ("turn", np.int64),  # turns completed since
            ("leader", np.int64),  # the side that led last; -1: none yet
            ("opener", np.int64),  # the side that acted first
        ],
    )
)
"""What has to be remembered of a game that is under way."""


class Room(NamedTuple):
    """Room for games that are played together; a thread works in the row of its first game.

    Attributes:
        starts: records ``[k]``: where the pairs of games begin; those that are more begin at the
            last one.
        openers: ``int64[k]``: the team that acted first in the opening before each of them; -1: the
            one that acts there.
        states: records ``[n]``, where each game is; in the end, where it has stopped.
        before: records ``[n]``, the state before an action.
        mask: ``uint8[n, A]``, padded with zeros to a multiple of 8.
        words: ``int64[n, A / 8]``, the same memory.
        legal_blocks: ``uint16[n, k]``, how many actions each block of the mask marks.
        legal_count: ``int32[n]``.
        tracks: records ``[n]`` of dtype :data:`TRACK`.
        tallies: ``float64[n, cells]``, what has been counted in each game.
        bytes: ``uint8[n, bytes of a record]``: the memory of ``states``.
        marks: ``uint64[n, MARKS]``: hashes of where each game began and of where it was after 1, 2,
            3 ... turns more; of its last state after it has stopped.
    """

    starts: np.ndarray
    openers: np.ndarray
    states: np.ndarray
    before: np.ndarray
    mask: np.ndarray
    words: np.ndarray
    legal_blocks: np.ndarray
    legal_count: np.ndarray
    tracks: np.ndarray
    tallies: np.ndarray
    bytes: np.ndarray
    marks: np.ndarray

    @classmethod
    def of(cls, game: Game, spaces: Spaces, games: int, cells: int) -> Room:
        """Room for so many games."""
        mask = np.zeros((games, -(-spaces.actions // 8) * 8), np.uint8)
        states = np.zeros(games, game.state)
        return cls(
            np.zeros(1, game.state),
            np.full(1, -1, np.int64),
            states,
            np.zeros(games, game.state),
            mask,
            mask.view(np.int64),
            np.zeros((games, counted_blocks(mask.shape[1])), np.uint16),
            np.zeros(games, np.int32),
            np.zeros(games, TRACK),
            np.zeros((games, cells)),
            states.view(np.uint8).reshape(games, -1),
            np.zeros((games, MARKS), np.uint64),
        )


class Games(NamedTuple):
    """Games that are played, or played again.

    Attributes:
        generators: ``uint64[n, 2]``, of the first and the second player; moved on.
        dice: ``uint64[n]``; moved on.
        choices: ``uint16``: the actions of all games, one after the other, to be played again or to
            be written; empty if they are not wanted.
        firsts: ``int64[n]``: where those of each game begin.
        are_known: whether they are played again, and nothing is drawn but the dice.
        are_marked: whether marks are wanted of them.
    """

    generators: np.ndarray
    dice: np.ndarray
    choices: np.ndarray
    firsts: np.ndarray
    are_known: bool
    are_marked: bool

    def copied(self) -> Games:
        """The same games, whose generators may be moved on; what is written goes to the same."""
        return self._replace(generators=self.generators.copy(), dice=self.dice.copy())

    def with_room_for(self, lengths: np.ndarray) -> Games:
        """The same games, whose actions are to be written; ``lengths`` are their numbers."""
        return self._replace(
            choices=np.zeros(lengths.sum(), np.uint16), firsts=np.cumsum(lengths) - lengths
        )


def play_games(
    options: np.ndarray, games: Games, room: Room, players: int, first: int, last: int
) -> None:
    """Play some games to their ends, and count what happens in them."""
    option = options[0]
    mask = room.mask[first]
    for game in range(first, last):
        state, track, tally = room.states[game], room.tracks[game], room.tallies[game]
        tally[:] = 0.0
        pair = min(game // 2, room.starts.size - 1)
        room.states[game] = room.starts[pair]
        if HAS_CHANCE:
            resolve_chance(state, option, games.dice, game)
        begin_track(state, room.openers[pair], track)
        place = games.firsts[game]
        marked = 0
        if games.are_marked:
            mark(room.bytes[game], room.marks[game], 0, 1)
        legal = legal_actions(state, option, mask)
        while legal > 0 and not is_truncated(state, option):
            room.legal_count[first] = legal
            side = (team(to_move(state)) + game) & 1  # the first player has side 0 in even games
            action = next_action(games, room, game, side, place, first)
            place += 1
            room.before[first] = state
            play(state, option, action)
            if HAS_CHANCE:
                resolve_chance(state, option, games.dice, game)
            note_action(room.before[first], option, action, legal, state, track, tally)
            if games.are_marked and track.turn > marked:
                mark(room.bytes[game], room.marks[game], marked + 1, track.turn + 1)
                marked = track.turn
            legal = legal_actions(state, option, mask)
        if games.are_marked:
            mark(room.bytes[game], room.marks[game], marked + 1, MARKS)
        note_end(state, option, legal == 0, game & 1, players, track, tally)


@rule
def mark(content: np.ndarray, marks: np.ndarray, first: int, last: int) -> None:
    """Write the hash of a state (FNV-1a) in some of a game's marks."""
    if first >= marks.size:
        return
    found = np.uint64(0xCBF29CE484222325)
    for byte in content:
        found = (found ^ np.uint64(byte)) * np.uint64(0x100000001B3)
    for turn in range(first, min(last, marks.size)):
        marks[turn] = found


@rule
def next_action(games: Games, room: Room, game: int, player: int, place: int, row: int) -> int:
    """The action that was played there; or a legal one, all equally likely."""
    if games.are_known:
        return wide(games.choices[place])
    legal_blocks = room.legal_blocks[row]
    count_blocks(room.mask[row], legal_blocks)
    action = draw(
        room.words[row], legal_blocks, room.legal_count[row], games.generators[game], player
    )
    if games.choices.size > 0:
        games.choices[place] = action
    return action


def begin_track(state: State, opener: int, track: Any) -> None:
    """Nothing has happened yet, but for an opening if somebody has opened."""
    track.begun, track.turn = turns(state), 0
    track.leader = -1
    track.opener = team(to_move(state)) if opener < 0 else opener
    for side in range(2):
        track.worst[side] = 0.0
        track.not_ahead[side] = 0


def note_action(
    before: State,
    option: OptionsRecord,
    action: int,
    legal: int,
    after: State,
    track: Any,
    tally: np.ndarray,
) -> None:
    """Count an action and what it did."""
    tally[ACTIONS] += 1
    tally[BRANCHING] += legal
    tally[GAME_TREE] += np.log10(legal)
    tally[FORCED] += legal == 1
    tally[MINUTES] += (SECONDS_FORCED if legal == 1 else SECONDS_FREE) / 60.0
    count(before, option, action, after, tally[CELLS:])
    if turns(after) - track.begun != track.turn:
        track.turn = turns(after) - track.begun
        note_lead(lead(after, option), track, tally)


@rule
def note_lead(ahead: float, track: Any, tally: np.ndarray) -> None:
    """Take note of who leads at the end of a turn; ``ahead`` is how far side 0 is."""
    if ahead <= 0:
        track.not_ahead[0] = track.turn
    if ahead >= 0:
        track.not_ahead[1] = track.turn
    track.worst[0] = max(track.worst[0], -ahead)
    track.worst[1] = max(track.worst[1], ahead)
    if ahead != 0:
        leader = 0 if ahead > 0 else 1
        if track.leader == 1 - leader:
            tally[LEAD_CHANGES] += 1
        track.leader = leader


def lead_by_points(state: State, option: OptionsRecord) -> float:
    """How far side 0 is ahead, in points."""
    return np.float64(points(state, 0) - points(state, 1))


def lead_by_potential(state: State, option: OptionsRecord) -> float:
    """How much better side 0 stands than side 1, in parts of what as good as decides a game."""
    return (potential(state, option, 0) - potential(state, option, 1)) / (2.0 * DECISIVE_LEAD)


def note_end(
    state: State,
    option: OptionsRecord,
    is_over: bool,
    parity: int,
    players: int,
    track: Any,
    tally: np.ndarray,
) -> None:
    """Count the outcome of a game; with ``parity`` 0 the first player had side 0."""
    best = winner(state, option) if is_over else -1
    side = team(best) if best >= 0 else -1
    tally[GAMES] = 1
    tally[DECISIVE] = side >= 0
    tally[DRAWS] = is_over and side < 0
    tally[TRUNCATIONS] = not is_over
    for player in range(players):
        tally[SCORE + player] = score_of(side, team(player))
        tally[POINTS + player] = points(state, player)
    tally[FIRST_MOVER] = score_of(side, track.opener)
    tally[ENDINGS] = is_over
    tally[ENDED_FIRST_MOVER] = tally[FIRST_MOVER] if is_over else 0.0
    tally[FIRST_PLAYER] = score_of(side, parity)
    tally[MARGIN] = abs(lead_by_points(state, option))
    tally[TURNS] = turns(state) - track.begun
    tally[ACTIONS_IN_A_TURN] = tally[ACTIONS]
    tally[GEOMETRIC_BRANCHING] = tally[GAME_TREE]
    if side >= 0:
        tally[DECIDED_TURN] = track.not_ahead[side]
        tally[DECIDED_SHARE] = track.not_ahead[side] / max(tally[TURNS], 1.0)
        tally[WORST_DEFICIT] = track.worst[side]
        tally[COMEBACKS] = track.worst[side] >= COMEBACK
    finish(state, option, tally[CELLS:])


@rule
def score_of(winning_side: int, side: int) -> float:
    """What a side scored; nobody won if ``winning_side`` is negative."""
    return 0.5 if winning_side < 0 else 1.0 if winning_side == side else 0.0


@rule
def add_pairs(
    tallies: np.ndarray, divisors: np.ndarray, sums: np.ndarray, first: int, last: int
) -> None:
    """Add tallies, pair by pair, to the sums of some cells; see :class:`Counts`."""
    for pair in range(tallies.shape[0] // 2):
        one, other = tallies[2 * pair], tallies[2 * pair + 1]
        for cell in range(first, last):
            number = one[cell] + other[cell]
            if number != 0:
                by = divisors[cell]
                sums[0, cell] += number
                sums[1, cell] += number * number
                sums[2, cell] += number * (one[by] + other[by])


@rule
def count_nothing(
    before: State, option: OptionsRecord, action: int, after: State, tally: np.ndarray
) -> None:
    """The ``count`` of games whose own happenings nobody counts."""


@rule
def finish_nothing(last: State, option: OptionsRecord, tally: np.ndarray) -> None:
    """The ``finish`` of tables that need none."""


class Table(NamedTuple):
    """All counters of a variant, and where their counts are.

    Attributes:
        counters: the generic ones, then the family's own.
        firsts: the first cell of each, by name.
        divisors: ``int64[cells]``: the cell that each is divided by.
    """

    counters: tuple[Counter, ...]
    firsts: dict[str, int]
    divisors: np.ndarray

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.divisors.size


@cache
def table_of(variant: str) -> Table:
    """The counters of a variant."""
    own = own_counters(variant)
    counters = (*generic.COUNTERS, *(own.COUNTERS if own else ()))
    firsts = first_cells(counters)
    by_name = {counter.name: counter for counter in counters}
    divisors = [_divisors(each, by_name[each.per], firsts[each.per]) for each in counters]
    return Table(counters, firsts, np.concatenate(divisors))


def own_counters(variant: str) -> parts.Counters | None:
    """The counters of a variant's game, if it has any."""
    try:
        return parts.counters(variants.find(variant))
    except NotImplementedError:
        return None


def _divisors(counter: Counter, per: Counter, first: int) -> np.ndarray:
    """The cells by which those of a counter are divided: ``int64[cells]``."""
    shape = [len(axis.labels) for axis in counter.axes]
    kept = [axis in per.axes for axis in counter.axes]
    if [axis for axis in counter.axes if axis in per.axes] != list(per.axes):
        raise ValueError(f"{counter.name} is per {per.name}, whose axes are not some of its own")
    within = np.arange(per.cells).reshape(
        [length if keeps else 1 for length, keeps in zip(shape, kept, strict=True)]
    )
    return first + np.broadcast_to(within, shape).reshape(-1)


class Counts(NamedTuple):
    """What has been counted in a number of games; additive.

    Attributes:
        games: how many, two for each pair.
        sums: ``float64[3, cells]``: over all pairs of games the sums of a pair's count, of its
            square, and of its product with the pair's count in the cell that it is divided by.
        clusters: ``float64[c, cells]``: the counts of the pairs of each cluster, where several
            pairs are in one because they began at the same position; else empty.
        lengths: ``int64[2, BINS]``: how many games had turns and actions of each bin's size.
        distinct: how many different last states there were, of those that were compared.
        marks: ``uint64[k, MARKS]``: see :class:`Room`, of the first games.
    """

    games: int
    sums: np.ndarray
    clusters: np.ndarray
    lengths: np.ndarray
    distinct: int
    marks: np.ndarray

    @classmethod
    def none(cls, cells: int, clusters: int = 0) -> Counts:
        """Those of no games."""
        lengths, marks = np.zeros((2, BINS), np.int64), np.zeros((0, MARKS), np.uint64)
        return cls(0, np.zeros((3, cells)), np.zeros((clusters, cells)), lengths, 0, marks)

    def plus(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(
            self.games + other.games,
            self.sums + other.sums,
            self.clusters + other.clusters,
            self.lengths + other.lengths,
            self.distinct + other.distinct,
            np.concatenate([self.marks, other.marks])[:MARKED_GAMES],
        )

    def of_units(self, table: Table) -> tuple[np.ndarray, int]:
        """What estimates are made of: sums over units that are independent, and how many these are.

        A unit is a pair of games, or all pairs of a cluster. The sums are like ``sums``.
        """
        if not self.clusters.size:
            return self.sums, self.games // 2
        met = self.clusters[self.clusters[:, GAMES] > 0]
        return np.stack([met.sum(0), (met**2).sum(0), (met * met[:, table.divisors]).sum(0)]), len(
            met
        )


@cache
def loop_of(game: Game) -> Any:
    """``play_games`` for one game. Compiling is slow once for each version of the sources."""
    own = own_counters(game.name)
    name = game.rules
    namespace = {
        **search_rules(game),
        "points": game.points,
        "potential": game.potential or game.evaluate,
        "count": own.count if own else count_nothing,
        "finish": getattr(own, "finish", finish_nothing),
        "COMEBACK": game.decisive if game.has_points else 1.0,
        "DECISIVE_LEAD": game.decisive,
    }
    namespace["lead_by_points"] = bind(lead_by_points, name, namespace)
    namespace["lead"] = (
        namespace["lead_by_points"] if game.has_points else bind(lead_by_potential, name, namespace)
    )
    for helper in (begin_track, note_action, note_end):
        namespace[helper.__name__] = bind(helper, name, namespace)
    loop = bind(play_games, name, namespace)
    compile_once(f"{name}-lab", lambda: _warm_up(game.name, loop), [loop])
    return loop


def _warm_up(variant: str, loop: Any) -> None:
    """Run the loop once, with the types that are used."""
    options = options_array(variants.find(variant), {"turn_limit": 2})
    Census(variant, options, loop=loop).add_random(np.random.SeedSequence(0), 2)


def usual_start(game: Game, options: np.ndarray) -> np.ndarray:
    """Where games begin, an array of one record, before chance has acted."""
    start = np.zeros(1, game.state)
    loops_of(game).restart(start, options, 0, 1)
    return start


class Census:
    """Counts what happens in games of one variant.

    Attributes:
        counts: what has been counted so far.

    Args:
        variant: a name of :func:`pasgl_env.variants.names`, of two players or teams.
        options: the options record, an array of one.
        threads: how many share the work; counts do not depend on it.
        begins: where the pairs of games that are added begin, in order; None: all as usual.
        clusters: how many clusters these pairs may be of; 0 if each is one of its own.
        marks_left: of how many games marks are wanted.
        loop: ``play_games`` for the variant; None: :func:`loop_of`.
    """

    def __init__(
        self,
        variant: str,
        options: np.ndarray,
        threads: int = 1,
        begins: Begins | None = None,
        clusters: int = 0,
        marks_left: int = MARKED_GAMES,
        loop: Any = None,
    ) -> None:
        self._game = variants.find(variant)
        self._options = options
        self._table = table_of(variant)
        self._spaces = self._game.spaces(options[0])
        self._pool = ThreadPool(threads if JIT else 1)
        self._loop = loop or loop_of(self._game)
        self._begins, self._marks_left = begins, marks_left
        self._room = Room.of(self._game, self._spaces, TOGETHER, self._table.cells)
        self._room.starts[:] = usual_start(self._game, options)
        self.counts = Counts.none(self._table.cells, clusters)

    def add_random(
        self, seed: np.random.SeedSequence, games: int, *, keep: bool = False
    ) -> list[StoredGame]:
        """Play games in which both players choose at random, and count what happens in them.

        Args:
            seed: of the players and the dice.
            games: how many, even.
            keep: whether they are wanted.

        Returns:
            The games if they are wanted, else [].
        """
        seeds = [each.generate_state(games // 2, np.uint64).repeat(2) for each in seed.spawn(3)]
        generators, dice = np.stack(seeds[:2], axis=1), seeds[2]
        kept: list[StoredGame] = []
        for first in range(0, games, TOGETHER):
            some = slice(first, first + TOGETHER)
            number = dice[some].size
            nowhere = np.zeros(number, np.int64)
            no_choices, are_marked = np.zeros(0, np.uint16), self._are_marked
            begun = Games(generators[some], dice[some], no_choices, nowhere, False, are_marked)
            self._play(begun.copied())
            if keep:  # again: now it is known how long they are
                written = begun.with_room_for(self._tallies(number)[:, ACTIONS].astype(np.int64))
                self._play(written.copied())
                kept += self._stored(written)
            self._add(number)
        return kept

    def add_known(self, games: Sequence[StoredGame]) -> None:
        """Play games again, and count what happens in them.

        Args:
            games: finished ones, which began where the games of the census do and whose dice, if
                there are any, roll what was rolled; even in number, by pairs.
        """
        for tallies in self._replayed(games):
            self._add(len(tallies))

    def tallies(self, games: Sequence[StoredGame]) -> np.ndarray:
        """What happens in each of some games: ``float64[n, cells]``; arguments as above."""
        found = []
        for tallies in self._replayed(games):
            found.append(tallies.copy())
            self._add(len(tallies))
        return np.concatenate(found)

    def _replayed(self, games: Sequence[StoredGame]) -> Iterator[np.ndarray]:
        """The tallies of games, some at a time."""
        for first in range(0, len(games), TOGETHER):
            some = games[first : first + TOGETHER]
            lengths = np.array([len(game.choices) for game in some])
            known = Games(
                np.zeros((len(some), 2), np.uint64),
                np.array([game.dice or 0 for game in some], np.uint64),
                np.concatenate([np.array(game.choices, np.uint16) for game in some]),
                np.cumsum(lengths) - lengths,
                True,
                self._are_marked,
            )
            self._play(known)
            yield self._tallies(len(some))

    @property
    def _are_marked(self) -> bool:
        return self.counts.games < self._marks_left

    def _pairs(self, games: int) -> slice:
        """The numbers of the pairs that the next games are."""
        first = self.counts.games // 2
        return slice(first, first + games // 2)

    def _tallies(self, games: int) -> np.ndarray:
        return self._room.tallies[:games]

    def _play(self, games: Games) -> None:
        room = self._room
        if self._begins is not None:
            pairs = self._pairs(games.dice.size)
            room = room._replace(
                starts=self._begins.states[pairs], openers=self._begins.openers[pairs]
            )
        with wrapping():
            self._pool.run(
                self._loop,
                games.dice.size,
                self._options,
                games,
                room,
                self._spaces.players,
                worth=_WORTH_A_THREAD,
            )

    def _add(self, games: int) -> None:
        """Add what is in the tallies."""
        tallies = self._tallies(games)
        marked = max(0, min(games, self._marks_left - self.counts.games))
        counts = Counts(
            games,
            np.zeros_like(self.counts.sums),
            self._by_cluster(tallies),
            np.stack([histogram(tallies[:, cell]) for cell in (TURNS, ACTIONS)]),
            len({state.tobytes() for state in self._room.states[:games]}),
            self._room.marks[:marked].copy(),
        )
        self._pool.run(add_pairs, self._table.cells, tallies, self._table.divisors, counts.sums)
        self.counts = self.counts.plus(counts)

    def _by_cluster(self, tallies: np.ndarray) -> np.ndarray:
        """The tallies, added up by cluster."""
        found = np.zeros_like(self.counts.clusters)
        if found.size and self._begins is not None:
            clusters = self._begins.clusters[self._pairs(len(tallies))]
            np.add.at(found, clusters, tallies[0::2] + tallies[1::2])
        return found

    def _stored(self, games: Games) -> list[StoredGame]:
        """Games that have just been played, as files have them."""
        tallies = self._tallies(games.dice.size)
        has_dice = self._game.outcomes > 0
        ends = [*games.firsts[1:].tolist(), games.choices.size]
        return [
            StoredGame(
                array("H", games.choices[first:end].tobytes()),
                dice if has_dice else None,
                has_dice,
                self._termination(tally, state),
                self._winning_side(tally),
                {},
            )
            for first, end, dice, tally, state in zip(
                games.firsts.tolist(),
                ends,
                games.dice.tolist(),
                tallies,
                self._room.states[: len(tallies)],
                strict=True,
            )
        ]

    def _termination(self, tally: np.ndarray, last: Any) -> str:
        if not tally[TRUNCATIONS]:
            return BY_THE_RULES
        limited = 0 < self._options["turn_limit"][0] <= self._game.turns(last)
        return TURN_LIMIT if limited else NO_ROOM

    def _winning_side(self, tally: np.ndarray) -> int:
        if not tally[DECISIVE]:
            return -1
        return int(self._game.team(int(tally[SCORE : SCORE + self._spaces.players].argmax())))
