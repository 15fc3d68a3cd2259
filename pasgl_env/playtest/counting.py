"""Compiled counting of events in games: random games as they are played, others replayed.

Games are played one after the other. Only their tallies are kept, and no observations are computed.
Games 2k and 2k + 1 are a pair: they have the same dice, and the players swap sides. Of n sides, n
games are such a group, in each of which the first player has another side.
"""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract import parts
from pasgl_env.contract.base import OptionsRecord, State
from pasgl_env.contract.counters import SEAT, SQUARE, Axis, Counter, first_cells
from pasgl_env.contract.description import ACTION, MOST_OTHERS
from pasgl_env.contract.game import Game, Spaces
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.loops import draw, loops_of
from pasgl_env.engine.results import NOBODY
from pasgl_env.engine.threads import ThreadPool
from pasgl_env.evaluation.loop import warn_if_endless
from pasgl_env.evaluation.openings import Begins
from pasgl_env.jit.compiled import JIT, bind, compile_once, rule, wide, with_helpers, wrapping
from pasgl_env.jit.slices import Slices
from pasgl_env.players.rules import search_rules
from pasgl_env.playtest import generic
from pasgl_env.records.binary import StoredGame, winner_of
from pasgl_env.records.game import BY_THE_RULES, NO_ROOM, TURN_LIMIT, GameRecord
from pasgl_env.solving.rows import hash_of
from pasgl_env.statistics.histograms import BINS, histogram

MARKS = 41
"""Positions of a game that are hashed: its beginning and those after its first 40 turns."""
MARKED_GAMES = 1000
"""The first games of a run, whose positions are hashed."""

BLOCK = 128
"""Games counted at once, at most, whose tallies are in memory."""
_WORTH_A_THREAD = 8
_SLOTS = 4096
"""Room for the hashes of a game's positions, a power of 2 well above the turns compared."""

NEW, BEGUN, OVER = range(3)
"""The phases of a game."""

TRACK = np.dtype(
    (
        np.record,
        [
            ("standing", np.float64, (generic.MOST_PLAYERS,)),  # points or potential of each side
            ("worst", np.float64, (generic.MOST_PLAYERS,)),  # the largest deficit of each side
            ("not_ahead", np.int64, (generic.MOST_PLAYERS,)),  # the last turn when it did not lead
            ("begun", np.int64),  # turns completed when the game began
            ("turn", np.int64),  # turns completed since
            ("leader", np.int64),  # the side that led last; -1: none yet
            ("opener", np.int64),  # the side that acted first
        ],
    )
)
"""The data kept of a game in progress."""


class GameArrays(NamedTuple):
    """Arrays that games are played in; a thread uses the mask in the row of its first game.

    Attributes:
        states: records ``[n]``, the state of each game; at the end, the last one.
        bytes: ``uint8[n, bytes of a record]``, the same memory.
        before: records ``[n]``, the state before an action.
        mask: ``uint8[n, A]``, padded with zeros to a multiple of 8.
        mask_words: ``int64[n, A / 8]``, the same memory.
        legal_count: ``int32[n]``.
        tracks: records ``[n]`` of dtype :data:`TRACK`.
        tallies: ``float64[n, cells]``, what was counted in each game.
        marks: ``uint64[n, MARKS]``, hashes of the positions after 0, 1, 2 ... turns; of the last
            one from the end of the game on.
        phase: ``int8[n]``, :data:`NEW`, :data:`BEGUN` or :data:`OVER`.
        cursor: ``int64[n]``, where the next action of each game is among the choices.
        marked: ``int64[n]``, the last turn after which its position was hashed.
        described: records ``[n]`` of :data:`pasgl_env.contract.description.ACTION`: squares.
        touched: ``uint8[n, squares]``: 1 for those that actions touched, in their numbers.
        position: records ``[n]``, a state without what does not matter.
        words: ``int64[n, w]``, the same memory.
        seen: ``int64[n, slots]``, hashes of the positions of each game; 0 is empty.
        zeros: ``int64[w]``.
    """

    states: np.ndarray
    bytes: np.ndarray
    before: np.ndarray
    mask: np.ndarray
    mask_words: np.ndarray
    legal_count: np.ndarray
    tracks: np.ndarray
    tallies: np.ndarray
    marks: np.ndarray
    phase: np.ndarray
    cursor: np.ndarray
    marked: np.ndarray
    described: np.ndarray
    touched: np.ndarray
    position: np.ndarray
    words: np.ndarray
    seen: np.ndarray
    zeros: np.ndarray

    @classmethod
    def of(cls, game: Game, spaces: Spaces, games: int, cells: int) -> GameArrays:
        """Arrays for this number of games."""
        mask = np.zeros((games, -(-spaces.actions // 8) * 8), np.uint8)
        states = np.zeros(games, game.state)
        size = game.state.itemsize
        words = np.zeros((games, -(-size // 8)), np.int64)
        squares = len(parts.description(game).SQUARES) if has_squares(game) else 0
        return cls(
            states=states,
            bytes=states.view(np.uint8).reshape(games, -1),
            before=np.zeros(games, game.state),
            mask=mask,
            mask_words=mask.view(np.int64),
            legal_count=np.zeros(games, np.int32),
            tracks=np.zeros(games, TRACK),
            tallies=np.zeros((games, cells)),
            marks=np.zeros((games, MARKS), np.uint64),
            phase=np.zeros(games, np.int8),
            cursor=np.zeros(games, np.int64),
            marked=np.zeros(games, np.int64),
            described=np.zeros(games, ACTION),
            touched=np.zeros((games, squares), np.uint8),
            position=words.view(np.uint8)[:, :size].view(game.state)[:, 0],
            words=words,
            seen=np.zeros((games, _SLOTS), np.int64),
            zeros=np.zeros(words.shape[1], np.int64),
        )


class Games(NamedTuple):
    """Games to play or to replay.

    Attributes:
        generators: ``uint64[n, 2]``, those of the first and the second player; advanced.
        dice: ``uint64[n]``; advanced.
        choices: ``uint16``, the actions of all games, one game after the other: to be replayed, or
            to be filled in; empty if they are not wanted.
        firsts: ``int64[n]``, where those of each game begin.
        starts: records ``[k]``, where the games begin; the last one is used for all further games.
        openers: ``int64[k]``, the team that acted first in each of these openings; -1: the one to
            act.
        ends: ``int64[n]``, where those of each game to be replayed end.
        winners: ``int64[n]``, the team that won because the others gave up; -1: none.
        is_replay: whether the actions are known, so that nothing is drawn but the dice.
        has_outcomes: whether the outcomes of chance are among the choices, so that nothing is.
        are_marked: whether positions are hashed.
    """

    generators: np.ndarray
    dice: np.ndarray
    choices: np.ndarray
    firsts: np.ndarray
    starts: np.ndarray
    openers: np.ndarray
    ends: np.ndarray
    winners: np.ndarray
    is_replay: bool
    has_outcomes: bool
    are_marked: bool


def play_games(
    first: int,
    last: int,
    options: np.ndarray,
    games: Games,
    scratch: GameArrays,
    players: int,
    sides: int,
    squares: int,
    actions: int,
) -> None:
    """Play some games, at most this number of actions of each, and count their events.

    ``squares`` is the number of those of the board.
    """
    option = options[0]
    mask = scratch.mask[first]
    for game in range(first, last):
        if scratch.phase[game] == OVER:
            continue
        state, track, tally = scratch.states[game], scratch.tracks[game], scratch.tallies[game]
        first_side = game % sides  # that of the first player
        if scratch.phase[game] == NEW:
            tally[:] = 0.0
            opening = min(game, games.starts.size - 1)
            scratch.states[game] = games.starts[opening]
            track.begun = turns(state)
            scratch.cursor[game] = games.firsts[game]
            if HAS_CHANCE:
                scratch.cursor[game] = follow_chance(state, option, games, game, games.firsts[game])
            begin_track(state, games.openers[opening], sides, track)
            scratch.marked[game] = 0
            scratch.seen[game], scratch.touched[game] = 0, 0
            is_repeated(state, option, scratch, first, game)
            if games.are_marked:
                mark(scratch.bytes[game], scratch.marks[game], 0, 1)
        cursor, marked, left = scratch.cursor[game], scratch.marked[game], actions
        legal = legal_actions(state, option, mask)
        end = games.ends[game] if games.is_replay else cursor + actions + 1
        while legal > 0 and cursor < end and not is_truncated(state, option):
            if left == 0:
                break
            left -= 1
            scratch.legal_count[first] = legal
            player = int(team(to_move(state)) != first_side)
            action = next_action(games, scratch, game, player, cursor, first)
            cursor += 1
            scratch.before[first] = state
            touch_squares(state, option, action, scratch.described[first], scratch.touched[game])
            play(state, option, action)
            if track.turn < generic.MOST_TURNS and turns(state) != turns(scratch.before[first]):
                tally[generic.REPETITIONS] += is_repeated(state, option, scratch, first, game)
            if HAS_CHANCE:
                cursor = follow_chance(state, option, games, game, cursor)
            count_action(scratch.before[first], option, action, legal, state, sides, track, tally)
            if games.are_marked and track.turn > marked:
                mark(scratch.bytes[game], scratch.marks[game], marked + 1, track.turn + 1)
                marked = track.turn
            legal = legal_actions(state, option, mask)
        scratch.cursor[game], scratch.marked[game] = cursor, marked
        if legal > 0 and cursor < end and not is_truncated(state, option):
            scratch.phase[game] = BEGUN
            continue
        scratch.phase[game] = OVER
        if games.are_marked:
            mark(scratch.bytes[game], scratch.marks[game], marked + 1, MARKS)
        winner, is_over = games.winners[game], legal == 0
        if HAS_CHANCE and chance_weight(state, option) > 0:  # a record may end before the roll
            is_over = False
        if winner < 0:
            winner = winning_team(state, option) if is_over else NOBODY
        is_over = is_over or games.winners[game] >= 0
        count_outcome(state, option, winner, is_over, first_side, players, sides, track, tally)
        tally[generic.COVERAGE] = scratch.touched[game].sum() / max(squares, 1)


def touch_squares(
    state: State, option: OptionsRecord, action: int, described: Any, touched: np.ndarray
) -> None:
    """Mark the squares that a legal action leaves, passes or enters."""
    if touched.size == 0:
        return
    described.origin = described.target = -1
    for other in range(MOST_OTHERS):
        described.others[other] = -1
    describe(state, option, action, described)
    touch(described.origin, touched)
    touch(described.target, touched)
    for other in range(MOST_OTHERS):
        touch(described.others[other], touched)


@rule
def touch(square: int, touched: np.ndarray) -> None:
    """Mark a square; -1 is none."""
    if square >= 0:
        touched[square] = 1


def is_repeated(
    state: State, option: OptionsRecord, scratch: GameArrays, row: int, game: int
) -> bool:
    """Whether a game was in a position before; remembers it."""
    scratch.position[row] = state
    forget(scratch.position[row], option)
    found = hash_of(scratch.words[row], scratch.zeros) | 1
    seen = scratch.seen[game]
    slot = (found >> 1) & (_SLOTS - 1)
    while seen[slot] != 0:
        if seen[slot] == found:
            return True
        slot = (slot + 1) & (_SLOTS - 1)
    seen[slot] = found
    return False


def follow_chance(state: State, option: OptionsRecord, games: Games, game: int, cursor: int) -> int:
    """Apply outcomes, drawn or replayed, until a player is to act; return the cursor."""
    if not games.has_outcomes:
        resolve_chance(state, option, games.dice, game)
        return cursor
    while cursor < games.ends[game] and chance_weight(state, option) > 0:
        apply_chance(state, option, wide(games.choices[cursor]))
        cursor += 1
    return cursor


@rule
def mark(content: np.ndarray, marks: np.ndarray, first: int, last: int) -> None:
    """Write the hash of a state (FNV-1a) to some of a game's marks."""
    if first >= marks.size:
        return
    found = np.uint64(0xCBF29CE484222325)
    for byte in content:
        found = (found ^ np.uint64(byte)) * np.uint64(0x100000001B3)
    for turn in range(first, min(last, marks.size)):
        marks[turn] = found


@rule
def next_action(
    games: Games, scratch: GameArrays, game: int, player: int, cursor: int, row: int
) -> int:
    """The action that is replayed, or a legal one drawn uniformly."""
    if games.is_replay:
        return wide(games.choices[cursor])
    count = scratch.legal_count[row]
    action = draw(scratch.mask_words[row], count, games.generators[game], player)
    if games.choices.size > 0:
        games.choices[cursor] = action
    return action


def begin_track(state: State, opener: int, sides: int, track: Any) -> None:
    """Reset a track at the first decision of a game."""
    track.turn, track.leader = turns(state) - track.begun, -1
    track.opener = team(to_move(state)) if opener < 0 else opener
    for side in range(sides):
        track.worst[side] = 0.0
        track.not_ahead[side] = 0


def count_action(
    before: State,
    option: OptionsRecord,
    action: int,
    legal: int,
    after: State,
    sides: int,
    track: Any,
    tally: np.ndarray,
) -> None:
    """Count an action and its effects."""
    tally[generic.ACTIONS] += 1
    tally[generic.BRANCHING] += legal
    tally[generic.GAME_TREE] += np.log10(legal)
    tally[generic.FORCED] += legal == 1
    tally[generic.MINUTES] += (
        generic.SECONDS_FORCED if legal == 1 else generic.SECONDS_FREE
    ) / 60.0
    count(before, option, action, after, tally[generic.CELLS :])
    if turns(after) - track.begun != track.turn:
        track.turn = turns(after) - track.begun
        find_standing(after, option, sides, track.standing)
        count_lead(sides, LEAD_UNIT, track, tally)


@rule
def count_lead(sides: int, unit: float, track: Any, tally: np.ndarray) -> None:
    """Count the leader at the end of a turn; leads are in a unit of what the sides have."""
    best, rival = best_two(track.standing, sides)
    for side in range(sides):
        ahead = (track.standing[side] - track.standing[rival if side == best else best]) / unit
        if ahead <= 0:
            track.not_ahead[side] = track.turn
        track.worst[side] = max(track.worst[side], -ahead)
    if track.standing[best] > track.standing[rival]:
        if track.leader >= 0 and track.leader != best:
            tally[generic.LEAD_CHANGES] += 1
        track.leader = best


@rule
def best_two(standing: np.ndarray, sides: int) -> tuple[int, int]:
    """The side that has most, and the next one."""
    best, rival = (0, 1) if standing[0] >= standing[1] else (1, 0)
    for side in range(2, sides):
        if standing[side] > standing[best]:
            best, rival = side, best
        elif standing[side] > standing[rival]:
            rival = side
    return best, rival


def find_points(state: State, option: OptionsRecord, sides: int, standing: np.ndarray) -> None:
    """Write the points of each side."""
    for side in range(sides):
        standing[side] = points(state, member_of(side))


def find_potential(state: State, option: OptionsRecord, sides: int, standing: np.ndarray) -> None:
    """Write the potential of each side."""
    for side in range(sides):
        standing[side] = potential(state, option, member_of(side))


def member_of(side: int) -> int:
    """The first player of a side."""
    player = 0
    while team(player) != side:
        player += 1
    return player


def count_outcome(
    state: State,
    option: OptionsRecord,
    side: int,
    is_over: bool,
    first_side: int,
    players: int,
    sides: int,
    track: Any,
    tally: np.ndarray,
) -> None:
    """Count the outcome of a game that ``side`` won; the first player had ``first_side``."""
    tally[generic.GAMES] = 1
    tally[generic.DECISIVE] = side >= 0
    tally[generic.DRAWS] = is_over and side < 0
    tally[generic.TRUNCATIONS] = not is_over
    for player in range(players):
        tally[generic.SCORE + player] = score_of(side, team(player), sides)
        tally[generic.POINTS + player] = points(state, player)
    first_mover = score_of(side, track.opener, sides)
    tally[generic.FIRST_MOVER] = first_mover
    tally[generic.ENDINGS] = is_over
    tally[generic.ENDED_FIRST_MOVER] = first_mover if is_over else 0.0
    tally[generic.FIRST_PLAYER] = score_of(side, first_side, sides)
    find_points(state, option, sides, track.standing)
    best, rival = best_two(track.standing, sides)
    tally[generic.MARGIN] = track.standing[best] - track.standing[rival]
    length = turns(state) - track.begun
    tally[generic.TURNS] = length
    tally[generic.ACTIONS_IN_A_TURN] = tally[generic.ACTIONS]
    tally[generic.GEOMETRIC_BRANCHING] = tally[generic.GAME_TREE]
    tally[generic.FREE] = tally[generic.ACTIONS] - tally[generic.FORCED]
    tally[generic.DECISION_FACTOR] = tally[generic.BRANCHING] - tally[generic.FORCED]
    if side >= 0:
        tally[generic.DECIDED_TURN] = track.not_ahead[side]
        tally[generic.DECIDED_SHARE] = track.not_ahead[side] / max(float(length), 1.0)
        tally[generic.WORST_DEFICIT] = track.worst[side]
        tally[generic.COMEBACKS] = track.worst[side] >= COMEBACK
    finish(state, option, tally[generic.CELLS :])


@rule
def score_of(won: int, side: int, sides: int) -> float:
    """The score of one of the sides, if a team has won, or :data:`NOBODY`."""
    return 1.0 / sides if won < 0 else np.float64(won == side)


@rule
def count_nothing(
    before: State, option: OptionsRecord, action: int, after: State, tally: np.ndarray
) -> None:
    """The ``count`` of a game without counters."""


@rule
def describe_nothing(
    state: State, option: OptionsRecord, action: int, described: np.ndarray
) -> None:
    """The ``describe`` of a game without one."""


@rule
def finish_nothing(last: State, option: OptionsRecord, tally: np.ndarray) -> None:
    """The ``finish`` of a game without one."""


class CounterTable(NamedTuple):
    """The counters of a variant and their cells in a tally.

    Attributes:
        counters: the generic ones, then the game's own.
        meant: those of them that say something about the game: without points, none of points.
        firsts: the first cell of each, by name.
        divisors: ``int64[cells]``, the cell by which each is divided.
    """

    counters: tuple[Counter, ...]
    meant: tuple[Counter, ...]
    firsts: dict[str, int]
    divisors: np.ndarray

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.divisors.size


@cache
def table_of(game: Game) -> CounterTable:
    """The counters of a game."""
    own = own_counters(game)
    counters = (*generic.COUNTERS, *(own.COUNTERS if own else ()))
    firsts = first_cells(counters)
    by_name = {counter.name: counter for counter in counters}
    divisors = [_divisors(each, by_name[each.per], firsts[each.per]) for each in counters]
    without = [
        *(() if game.has_points else generic.OF_POINTS),
        *(() if has_squares(game) else generic.OF_SQUARES),
    ]
    meant = tuple(each for each in counters if each.name not in without)
    return CounterTable(counters, meant, firsts, np.concatenate(divisors))


def has_squares(game: Game) -> bool:
    """Whether a game's actions are described, with their squares."""
    try:
        return bool(parts.description(game).SQUARES)
    except NotImplementedError:
        return False


def squares_of(ruleset: Ruleset) -> frozenset[str]:
    """The names of the board's squares."""
    own = getattr(own_counters(ruleset.game), "squares", None)
    if own is not None:
        return frozenset(own(ruleset.record[0]))
    every = parts.description(ruleset.game).SQUARES if has_squares(ruleset.game) else ()
    return frozenset(every) - {""}


def own_counters(game: Game) -> parts.Counters | None:
    """A game's own counters; None if it has none."""
    try:
        return parts.counters(game)
    except NotImplementedError:
        return None


def cells_of(
    counter: Counter, seats: Sequence[str], squares: Collection[str] | None = None
) -> Iterator[dict[str, str] | None]:
    """The labels of each cell of a counter, by axis, in order.

    Args:
        counter: the counter.
        seats: the names of the players; None stands for cells of further ones.
        squares: the names of the squares; None stands for cells of others. By default, all.
    """

    def names(axis: Axis) -> Sequence[str]:
        if axis.name == SEAT:
            return [*seats, *[""] * len(axis.labels)][: len(axis.labels)]
        if axis.name == SQUARE and squares is not None:
            return [label if label in squares else "" for label in axis.labels]
        return axis.labels

    for labels in product(*map(names, counter.axes)):
        cell = {axis.name: label for axis, label in zip(counter.axes, labels, strict=True)}
        yield cell if all(labels) else None


def _divisors(counter: Counter, per: Counter, first: int) -> np.ndarray:
    """The cells by which those of a counter are divided: ``int64[cells]``."""
    if [axis for axis in counter.axes if axis in per.axes] != list(per.axes):
        raise ValueError(f"{counter.name} is per {per.name}, whose axes are not some of its own")
    shape = [len(axis.labels) for axis in counter.axes]
    kept = [len(axis.labels) if axis in per.axes else 1 for axis in counter.axes]
    cells = first + np.arange(per.cells).reshape(kept)
    return np.broadcast_to(cells, shape).reshape(-1)


class Counts(NamedTuple):
    """The counts of a number of games; additive.

    Attributes:
        games: their number, a multiple of that of the sides.
        sums: ``float64[3, cells]``, see :func:`unit_sums`, the pairs of games, or the groups where
            there are more sides, being the units.
        clusters: ``float64[c, cells]``, the counts of each cluster of games that began at the same
            position; empty if every pair is a cluster of its own.
        lengths: ``int64[2, BINS]``, histograms of the turns and actions of a game.
        distinct: the number of different last states, among the games of each block.
        marks: ``uint64[k, MARKS]``, see :class:`GameArrays`, of the first games.
        limited: ``int64[2]``, the decisions at which a restriction forbade something, and those at
            which it would have forbidden everything and was lifted.
    """

    games: int
    sums: np.ndarray
    clusters: np.ndarray
    lengths: np.ndarray
    distinct: int
    marks: np.ndarray
    limited: np.ndarray

    @classmethod
    def none(cls, cells: int, clusters: int = 0) -> Counts:
        """The counts of no games."""
        return cls(
            games=0,
            sums=np.zeros((3, cells)),
            clusters=np.zeros((clusters, cells)),
            lengths=np.zeros((2, BINS), np.int64),
            distinct=0,
            marks=np.zeros((0, MARKS), np.uint64),
            limited=np.zeros(2, np.int64),
        )

    def plus(self, other: Counts) -> Counts:
        """The counts of both together."""
        return Counts(
            self.games + other.games,
            self.sums + other.sums,
            self.clusters + other.clusters,
            self.lengths + other.lengths,
            self.distinct + other.distinct,
            np.concatenate([self.marks, other.marks])[:MARKED_GAMES],
            self.limited + other.limited,
        )

    def of_units(self, table: CounterTable, sides: int) -> tuple[np.ndarray, int]:
        """The sums over independent units, see :func:`unit_sums`, and the number of units.

        A unit is a cluster of games, or a game for each side where there are no clusters.
        """
        if not self.clusters.size:
            return self.sums, self.games // sides
        played = self.clusters[self.clusters[:, generic.GAMES] > 0]
        return unit_sums(played, table.divisors), len(played)


def unit_sums(counts: np.ndarray, divisors: np.ndarray) -> np.ndarray:
    """The sums that estimates of ratios need.

    Args:
        counts: ``float64[units, cells]``.
        divisors: ``int64[cells]``, the cell by which each is divided.

    Returns:
        ``float64[3, cells]``: the sums of the counts, of their squares, and of their products with
        the counts of the divisor.
    """
    products = counts * counts.take(divisors, axis=1)
    return np.stack([counts.sum(0), np.square(counts).sum(0), products.sum(0)])


@cache
def loop_of(game: Game) -> Any:
    """``play_games`` bound to one game. Compiling it is slow; the result is cached on disk."""
    own = own_counters(game)
    name = game.cache_name
    namespace = {
        **search_rules(game),
        "points": game.points,
        "potential": game.potential or game.evaluate,
        "describe": parts.description(game).describe if has_squares(game) else describe_nothing,
        "count": getattr(own, "count", count_nothing),
        "finish": getattr(own, "finish", finish_nothing),
        "COMEBACK": game.decisive_lead if game.has_points else 1.0,
        "LEAD_UNIT": 1.0 if game.has_points else 2.0 * game.decisive_lead,
    }
    namespace = with_helpers(namespace, name, member_of, find_points, find_potential)
    found = "find_points" if game.has_points else "find_potential"
    namespace["find_standing"] = namespace[found]
    helpers = begin_track, count_action, count_outcome, follow_chance, touch_squares, is_repeated
    namespace = with_helpers(namespace, name, *helpers)
    loop = bind(play_games, name, namespace)
    compile_once(f"{name}-lab", lambda: _warm_up(game, loop), [loop])
    return loop


def _warm_up(game: Game, loop: Any) -> None:
    """Run the loop once, with the types that are used."""
    ruleset = Ruleset.of(game, {"turn_limit": 2})
    GameCounter(ruleset, loop=loop).add_random(np.random.SeedSequence(0), len(ruleset.members))


def usual_start(ruleset: Ruleset) -> np.ndarray:
    """The start of a game before chance has acted, an array of one record."""
    start = np.zeros(1, ruleset.game.state)
    loops_of(ruleset.game).restart(start, ruleset.record)
    return start


class GameCounter:
    """Counts events in games of one variant.

    Attributes:
        counts: the counts so far.

    Args:
        ruleset: a variant under its options.
        threads: number of threads; counts do not depend on it.
        begins: where the games begin, in order; None: all at the usual start.
        clusters: the number of clusters of games; 0 if every pair is its own.
        marks_left: the number of games whose positions are hashed.
        loop: ``play_games`` for the variant; None: :func:`loop_of`.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        threads: int = 1,
        begins: Begins | None = None,
        clusters: int = 0,
        marks_left: int = MARKED_GAMES,
        loop: Any = None,
    ) -> None:
        self._game, self._options = ruleset.game, ruleset.record
        self._table = table_of(self._game)
        self._players, self._sides = ruleset.spaces.players, len(ruleset.members)
        self._squares = len(squares_of(ruleset))
        self._block = BLOCK - BLOCK % self._sides
        self._pool = ThreadPool(min(threads, BLOCK) if JIT else 1)
        self._loop = loop or loop_of(self._game)
        self._begins, self._marks_left = begins, marks_left
        self._start = usual_start(ruleset)
        self._scratch = GameArrays.of(self._game, ruleset.spaces, BLOCK, self._table.cells)
        self._slices = Slices()
        self.counts = Counts.none(self._table.cells, clusters)

    def add_random(
        self, seed: np.random.SeedSequence, games: int, *, keep: bool = False
    ) -> list[StoredGame]:
        """Play games between two random players and count their events.

        Args:
            seed: of the players and the dice.
            games: their number, a multiple of that of the sides.
            keep: whether to return the games.

        Returns:
            The games; [] unless ``keep``.
        """
        seeds = [
            each.generate_state(games // self._sides, np.uint64).repeat(self._sides)
            for each in seed.spawn(3)
        ]
        kept: list[StoredGame] = []
        for first in range(0, games, self._block):
            one, other, dice = (each[first : first + self._block] for each in seeds)
            generators = np.stack([one, other], axis=1)
            tallies = self._play(generators, dice)
            if keep:  # again, now that their lengths are known
                lengths = tallies[:, generic.ACTIONS].astype(np.int64)
                choices = np.zeros(lengths.sum(), np.uint16)
                self._play(generators, dice, choices, lengths)
                kept += self._stored(dice, np.split(choices, np.cumsum(lengths)[:-1]))
            self._add(tallies)
        return kept

    def add_known(self, games: Sequence[StoredGame]) -> np.ndarray:
        """Replay games and count their events.

        Args:
            games: finished games that began where those of this counter do, and whose dice, if the
                game has any, give the same rolls; group by group.

        Returns:
            The counts of each game: ``float64[n, cells]``.
        """
        return self._replay(
            [game.choices for game in games], [game.dice or 0 for game in games], [-1] * len(games)
        )

    def add_played(self, games: Sequence[GameRecord]) -> np.ndarray:
        """Replay games of any origin, with the outcomes of chance, and count their events.

        Args:
            games: that began where those of this counter do, and ended, by the rules or because
                somebody resigned or ran out of time.

        Returns:
            The counts of each game: ``float64[n, cells]``.
        """
        winners = [-1 if game.forfeit is None else winner_of(game) for game in games]
        return self._replay([game.choices for game in games], None, winners)

    def _replay(
        self,
        choices: Sequence[array[int]],
        dice: Sequence[int] | None,
        winners: Sequence[int],
    ) -> np.ndarray:
        """Replay games and count their events; ``dice`` is None if the choices have outcomes."""
        found = []
        for first in range(0, len(choices), self._block):
            block = slice(first, first + self._block)
            known = [np.array(each, np.uint16) for each in choices[block]]
            tallies = self._play(
                np.zeros((len(known), 2), np.uint64),
                np.array([0] * len(known) if dice is None else dice[block], np.uint64),
                np.concatenate(known),
                np.array([each.size for each in known]),
                np.array(winners[block], np.int64),
                has_outcomes=dice is None,
            )
            found.append(tallies.copy())
            self._add(tallies)
        return np.concatenate(found)

    def _play(
        self,
        generators: np.ndarray,
        dice: np.ndarray,
        choices: np.ndarray | None = None,
        lengths: np.ndarray | None = None,
        winners: np.ndarray | None = None,
        *,
        has_outcomes: bool = False,
    ) -> np.ndarray:
        """Play the next games, without adding their tallies, which are returned.

        ``choices`` are filled in or, with ``winners``, replayed; ``lengths`` is their number in
        each game.
        """
        starts, openers = self._start, np.full(1, -1, np.int64)
        if self._begins is not None:
            following = self._following(dice.size)
            starts, openers = self._begins.states[following], self._begins.openers[following]
        if choices is None or lengths is None:
            choices, lengths = np.zeros(0, np.uint16), np.zeros(dice.size, np.int64)
        games = Games(
            generators.copy(),
            dice.copy(),
            choices,
            np.cumsum(lengths) - lengths,
            starts,
            openers,
            np.cumsum(lengths),
            np.full(dice.size, -1) if winners is None else winners,
            winners is not None,
            has_outcomes,
            self.counts.games < self._marks_left,
        )
        scratch = self._scratch
        scratch.phase[:] = NEW

        def play(actions: int) -> bool:
            self._pool.run(
                self._loop,
                dice.size,
                self._options,
                games,
                scratch,
                self._players,
                self._sides,
                self._squares,
                actions,
                worth=_WORTH_A_THREAD,
            )
            unfinished = scratch.phase[: dice.size] != OVER
            if not unfinished.any():
                return True
            warn_if_endless(self._game.name, scratch.tracks["turn"][: dice.size][unfinished])
            return False

        with wrapping():
            self._slices.run(play)
        return scratch.tallies[: dice.size]

    def _following(self, games: int) -> slice:
        """The numbers of the next games."""
        return slice(self.counts.games, self.counts.games + games)

    def _add(self, tallies: np.ndarray) -> None:
        """Add the tallies of the games just played."""
        games = len(tallies)
        whole = games - games % self._sides
        groups = tallies[:whole].reshape(-1, self._sides, tallies.shape[1]).sum(axis=1)
        clusters = np.zeros_like(self.counts.clusters)
        if clusters.size and self._begins is not None:
            np.add.at(clusters, self._begins.clusters[self._following(games)], tallies)
        marked = max(0, min(games, self._marks_left - self.counts.games))
        self.counts = self.counts.plus(
            Counts(
                games,
                unit_sums(groups, self._table.divisors),
                clusters,
                np.stack([histogram(tallies[:, at]) for at in (generic.TURNS, generic.ACTIONS)]),
                len({state.tobytes() for state in self._scratch.states[:games]}),
                self._scratch.marks[:marked],
                np.zeros(2, np.int64),
            )
        )

    def _stored(self, dice: np.ndarray, choices: Sequence[np.ndarray]) -> list[StoredGame]:
        """The games just played, for a file."""
        has_dice, limit = self._game.chance.outcomes > 0, self._options["turn_limit"][0]
        stored = []
        for number, own in enumerate(choices):
            tally = self._scratch.tallies[number]
            turns = self._game.turns(self._scratch.states[number])
            cut_off_by = TURN_LIMIT if 0 < limit <= turns else NO_ROOM
            scores = tally[generic.SCORE : generic.SCORE + self._players]
            stored.append(
                StoredGame(
                    array("H", own.tobytes()),
                    int(dice[number]) if has_dice else None,
                    has_dice,
                    cut_off_by if tally[generic.TRUNCATIONS] else BY_THE_RULES,
                    int(self._game.team(int(scores.argmax()))) if tally[generic.DECISIVE] else -1,
                    {},
                )
            )
        return stored
