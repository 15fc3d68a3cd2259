"""A learner in every game of a batch, against opponents that act inside the environment.

The common base of the environments for single-agent frameworks (Gymnasium, Stable-Baselines3).
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pasgl_env.contract.game import brief, checked_number
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.batch import Batch
from pasgl_env.engine.dice import checked_row, checked_seed
from pasgl_env.engine.errors import IllegalMove
from pasgl_env.engine.loops import random_bits
from pasgl_env.engine.position import Position
from pasgl_env.engine.results import forfeit_rewards
from pasgl_env.engine.sharing import Copyable, alone
from pasgl_env.jit.compiled import wrapping
from pasgl_env.players import Player, as_player, choose, reseed
from pasgl_env.players.player import SeededPlayer, are_legal
from pasgl_env.players.random import RandomPlayer

LearnerSide = int | Literal["alternate"]
WhenIllegal = Literal["error", "lose"]

# More games in a row that end before the learner has acted raise an error.
_MOST_UNPLAYED = 100
MOST_OPENING = 10**6


class Episodes(NamedTuple):
    """Episodes that have ended, one row each.

    Attributes:
        game: ``int64[k]``, the games' indices, ascending.
        side: ``int64[k]``, the learner's side.
        opponent: ``int64[k]``, its opponent, an index of :attr:`Duel.opponents`.
        outcome: ``float32[k]``, the learner's outcome: +1 won, -1 lost, 0 drawn or truncated.
        total_reward: ``float32[k]``, the learner's total reward.
        decisions: ``int64[k]``, number of the learner's actions.
        length: ``int64[k]``, number of all players' actions.
        state: records ``[k]``, the last states.
        observation: ``uint8[k, C, H, W]``, the learner's view of them.
        action_mask: ``uint8[k, A]``, the learner's legal actions there; all 0 unless truncated.
    """

    game: np.ndarray
    side: np.ndarray
    opponent: np.ndarray
    outcome: np.ndarray
    total_reward: np.ndarray
    decisions: np.ndarray
    length: np.ndarray
    state: np.ndarray
    observation: np.ndarray
    action_mask: np.ndarray


def opponent_of(thing: Any, variant: str, seed: int | None = None) -> Player:
    """A player for one environment, see :func:`as_player`; others may use what it is made of."""
    player = as_player(thing, variant, seed)
    return player.with_own_generators() if isinstance(player, SeededPlayer) else player


class Duel(Copyable):
    """A learner in every game of a batch, against opponents that act inside :meth:`step`.

    After :meth:`reset` and after every step each game waits for its learner, whose observation and
    mask are the batch's ``observation`` and ``action_mask``. The reward of a step covers the
    learner's action and the opponents' replies. Opponents' actions before its first action in a
    game do not count. A game that ends restarts in the same step.

    The option ``turn_limit`` truncates a game where the learner is to act: opponents finish first,
    so that the last observation is of the kind that a critic is trained on. Only a game whose state
    has no room for more turns is truncated at once, for any player to act.

    A side is a team: the players who win together, often a single one. The learner plays all turns
    of its side. It sees the view of the player to act; at the end of a game, that of the player of
    its side who would have acted next.

    Attributes:
        batch: the games. The duel resets and steps it; do not step it yourself.
        opponents: players of the sides that are not the learner's. A replacement takes over the
            games of the opponent that it replaces.
        assignment: ``int64[n]``, each game's opponent from its next episode on. Writable.
        side: ``int64[n]``, the learner's side in each game's current episode.
        opponent: ``int64[n]``, the opponent in that episode.
        length: ``int64[n]``, number of all players' actions in it so far.
        reward: ``float32[n]``, the learner's reward in the last step.
        terminated: ``bool[n]``, whether the last step ended the game by its rules.
        truncated: ``bool[n]``, whether it reached the option ``turn_limit`` instead.
        seconds_in_environment: time taken by steps, without the opponents.
        seconds_in_opponents: time taken by the opponents' choices. A random player that is the only
            opponent acts inside the environment and takes no separate time.

    Args:
        batch: the games, any number.
        opponents: at least one.
        learner: the learner's side; ``"alternate"``: the next one in each episode of a game,
            beginning with ``seed % S`` after a reset with a seed, of S sides.
        assignment: as the attribute; None assigns the opponents in turn.
        illegal: an illegal action of the learner is an ``"error"``, which changes nothing, or makes
            it ``"lose"`` the game with reward -1; by points, with a reward that leaves it as far
            behind as a game can end.
        opening: every episode, unless it is reset to a record, begins with up to this many
            uniformly random actions of all players, a number drawn uniformly.
        seed: seed of these actions; None draws one.

    Raises:
        ValueError: for no opponents or an invalid argument.
    """

    _in_use = "these games are in use by another thread: give each thread its own environment"

    def __init__(
        self,
        batch: Batch,
        opponents: Sequence[Player],
        *,
        learner: LearnerSide = "alternate",
        assignment: ArrayLike | None = None,
        illegal: WhenIllegal = "error",
        opening: int = 0,
        seed: int | None = None,
    ) -> None:
        if not opponents:
            raise ValueError("a duel needs at least one opponent")
        if illegal not in ("error", "lose"):
            raise ValueError(f"illegal must be 'error' or 'lose', not {brief(illegal)}")
        n = len(batch)
        self.batch = batch
        self.opponents = list(opponents)
        self.assignment = _checked_assignment(assignment, n, len(opponents))
        self.side = np.zeros(n, np.int64)
        self.opponent = np.zeros(n, np.int64)
        self.reward = np.zeros(n, np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.seconds_in_environment = 0.0
        self.seconds_in_opponents = 0.0
        self._teams = batch.teams  # of each player
        self._members = np.array(batch.ruleset.members)
        self._sides = self._members.size
        self._learner = _checked_side(learner, self._sides)
        self._illegal_loses = illegal == "lose"
        self._opening = checked_number("opening", opening, 0, MOST_OPENING)
        self._opener = RandomPlayer(batch.ruleset.game, seed)
        self._opening_left = np.zeros(n, np.int64)  # random actions before anybody chooses
        self._start = Position(batch.ruleset).state
        self._all = np.arange(n)
        self._episode = self._all - 1  # so that an unseeded start assigns the sides in turn
        self._has_begun = np.zeros(n, np.bool_)  # whether the learner has acted in the episode
        self._unplayed = np.zeros(n, np.int64)
        self._total_reward = np.zeros(n, np.float32)
        self._decisions = np.zeros(n, np.int64)
        self.length = np.zeros(n, np.int64)
        self._ended: list[Episodes] = []
        self._is_waiting = False

    @alone
    def reset(
        self,
        games: np.ndarray | None = None,
        seeds: Sequence[int | None] | None = None,
        states: np.ndarray | None = None,
        sides: ArrayLike | None = None,
    ) -> None:
        """Start new episodes.

        Args:
            games: ascending indices of the games to reset; None for all.
            seeds: seeds of the dice, the opponents' generators and the alternation of sides, one
                for each of these games; None keeps the current ones.
            states: records to start from, one for all or one for each; None for the start.
            sides: the learner's sides in these episodes, one for all or one for each; None follows
                the argument ``learner``.

        Raises:
            RuntimeError: if only some games are to be reset before the first reset, or after an
                exception that left the duel to be reset; nothing changes then.
            ValueError: if a record is not a position that can be played on, the seeds are not as
                many non-negative integers as there are games, or a side or an assigned opponent
                does not exist: nothing changes then. Also if a game that starts from a record or
                with a chosen side ends before the learner can act: then the duel must be reset.
        """
        begun = self._all if games is None else games
        self._check_others_wait(begun)
        chosen = None if sides is None else self.checked_sides(sides, begun.size)
        if seeds is not None and len(seeds) != begun.size:
            raise ValueError(f"{begun.size} games need {begun.size} seeds, not {len(seeds)}")
        checked = [None if seed is None else checked_seed(seed) for seed in seeds or ()]
        records = np.broadcast_to(self._start if states is None else states, begun.shape)
        self._assigned(begun)
        was_waiting, self._is_waiting = self._is_waiting, False  # until the end, if interrupted
        try:
            self.batch.put(begun, records)
        except ValueError:
            self._is_waiting = was_waiting
            raise
        for row, seed in enumerate(checked):
            if seed is not None:
                self._reseed(begun[row], seed)
                self.batch.put(begun[row : row + 1], records[row : row + 1])  # with its own dice
        self._begin_episodes(begun)
        if states is not None:
            self._opening_left[begun] = 0
        if chosen is not None:
            self.batch.truncates_for[begun] = self.side[begun] = chosen
        self.reward[:] = 0
        self._clear_report()
        self._let_opponents_act()
        if states is not None or chosen is not None:
            self._check_played(begun)

    @alone
    def step(self, actions: ArrayLike, games: np.ndarray | None = None) -> None:
        """Play the learner's actions, and the opponents' until the learner is to act again.

        Args:
            actions: integers ``[k]``, an action for each of the games that are stepped.
            games: ascending indices ``[k]`` of these games; None for all. The others wait, with
                reward 0.

        Raises:
            IllegalMove: if an action of the learner is not legal (unless it loses): nothing changes
                then. Also if an opponent's action is not: then the duel must be reset.
            ValueError: if the actions are not ``k`` integers; nothing changes then.
            RuntimeError: before the first reset, and after an exception that left the duel to be
                reset; nothing changes then.
        """
        if not self._is_waiting:
            raise RuntimeError("reset the duel first: not all games are waiting for their learner")
        start, before = perf_counter(), self.seconds_in_opponents
        stepped = self._all if games is None else games
        chosen = checked_row("actions", actions, stepped.size)
        self._is_waiting = False  # until the end, if interrupted
        try:
            illegal = self._play(stepped, chosen)
        except IllegalMove:
            self._is_waiting = True
            raise
        self._clear_report()
        self._has_begun[stepped] = True
        self._decisions[stepped] += 1
        self._close_ended()
        self._forfeit(illegal)
        self._let_opponents_act()
        in_opponents = self.seconds_in_opponents - before
        self.seconds_in_environment += perf_counter() - start - in_opponents

    @property
    def is_waiting(self) -> bool:
        """Whether all games wait for their learner; if not, all of them must be reset.

        They do not before the first reset, and after an exception within a step or a reset, such
        as an opponent's.
        """
        return self._is_waiting

    def _check_others_wait(self, games: np.ndarray) -> None:
        """Refuse to reset only these games while others do not wait: ``RuntimeError``."""
        if not self._is_waiting and games.size < self._all.size:
            raise RuntimeError(
                f"reset all {self._all.size} games first, not {games.size} of them: not all games"
                " are waiting for their learner"
            )

    @property
    def ended(self) -> Episodes:
        """The episodes that ended in the last step."""
        if len(self._ended) == 1:
            return self._ended[0]
        parts = self._ended or [self._no_episodes()]
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        order = columns[0].argsort()
        return Episodes(*(column[order] for column in columns))

    def checked_sides(self, sides: ArrayLike, count: int) -> np.ndarray:
        """Sides of the learner, one for all or one for each of ``count`` games: ``int[count]``.

        Raises:
            ValueError: for a wrong number of sides, or one that does not exist.
        """
        chosen = np.asarray(sides)
        if chosen.shape not in ((), (count,)) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"the learner's side must be an integer, or {count} of them, not {brief(sides)}"
            )
        if wrong := set(chosen.ravel().tolist()).difference(range(self._sides)):
            raise ValueError(
                f"the learner's side must be from 0 to {self._sides - 1}, not {wrong.pop()}"
            )
        return np.broadcast_to(chosen, count)

    def _check_played(self, games: np.ndarray) -> None:
        """Refuse starts from which a game has ended before its learner could act."""
        unplayed = games[self._unplayed[games] > 0]
        if unplayed.size:
            self._is_waiting = False
            raise ValueError(
                f"game {unplayed[0]} ends before its learner (side {self.side[unplayed[0]]}) can"
                " act: start from a position where the opponent's first turn does not end it"
            )

    def _play(self, games: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Play the learner's actions; return the games that it loses by an illegal action."""
        try:
            self._advance(games, chosen)
        except IllegalMove:
            if not self._illegal_loses:
                raise
            legal = are_legal(self.batch, games, chosen)
            self._advance(games[legal], chosen[legal])
            return games[~legal]
        return games[:0]

    def _advance(self, games: np.ndarray, actions: np.ndarray) -> None:
        """Play the learner's actions, and the replies of an opponent that is random."""
        opponent = self.opponents[0]
        if len(self.opponents) == 1 and type(opponent) is RandomPlayer:
            generators = opponent.generators(self._all.size)
            account = self.reward, self._total_reward, self.length
            rows = None if games is self._all else games
            self.batch.step_answered(rows, actions, self.side, generators, *account)
            if rows is not None:
                self.reward[np.delete(self._all, rows)] = 0
        else:
            self.batch.step_some(games, actions)
            self.reward[:] = 0
            self._credit(games, self._rewards(games))

    def _let_opponents_act(self) -> None:
        while np.count_nonzero(waiting := self._are_waiting()):
            games = np.flatnonzero(waiting)
            self.batch.step_some(games, self._ask_opponents(games))
            self._opening_left[games] = np.maximum(self._opening_left[games] - 1, 0)
            self._credit(games, self._rewards(games) * self._has_begun[games])
            self._close_ended()
        self._is_waiting = True

    def _are_waiting(self) -> np.ndarray:
        """``bool[n]``: the games that do not wait for their learner."""
        return (self._teams[self.batch.to_move] != self.side) | (self._opening_left > 0)

    def _ask_opponents(self, games: np.ndarray) -> np.ndarray:
        start = perf_counter()
        actions = np.empty(games.size, np.int64)
        is_opening = self._opening_left[games] > 0
        if is_opening.any():
            actions[is_opening] = choose(self._opener, self.batch, games[is_opening])
        for index in sorted(set(self.opponent[games[~is_opening]].tolist())):
            rows = (self.opponent[games] == index) & ~is_opening
            actions[rows] = choose(self.opponents[index], self.batch, games[rows])
        self.seconds_in_opponents += perf_counter() - start
        return actions

    def _rewards(self, games: np.ndarray) -> np.ndarray:
        """The learners' rewards for the actions just played in these games."""
        return self.batch.reward[games, self._members[self.side[games]]]

    def _credit(self, games: np.ndarray, earned: np.ndarray) -> None:
        """Credit the learners with rewards, and these games with an action."""
        self.reward[games] += earned
        self._total_reward[games] += earned
        self.length[games] += 1

    def _close_ended(self) -> None:
        """Close the episodes that have just ended, and begin the next ones."""
        batch = self.batch
        if not (np.count_nonzero(batch.terminated) or np.count_nonzero(batch.truncated)):
            return
        ended = batch.ended
        if ended.size == 0:
            return
        rows = np.flatnonzero(self._has_begun[ended])
        known = ended[rows]
        side = self.side[known]
        self.terminated[known] = batch.terminated[known]
        self.truncated[known] = batch.truncated[known]
        states = batch.final_states[rows]
        self._ended.append(
            self._episodes(
                known,
                batch.outcome[rows, self._members[side]],
                states,
                batch.final_observation[rows, viewers(batch.ruleset, states, side)],
                self._final_masks(states, side, batch.final_action_mask[rows]),
            )
        )
        self._count_unplayed(ended[~self._has_begun[ended]])
        self._begin_episodes(ended)

    def _final_masks(self, states: np.ndarray, side: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The masks, but zeros where the learner is not to act."""
        to_move = self.batch.ruleset.game.to_move
        for row in np.flatnonzero(masks.any(axis=1)):
            if self._teams[int(to_move(states[row]))] != side[row]:
                masks[row] = 0
        return masks

    def _forfeit(self, games: np.ndarray) -> None:
        """End these games as lost by the learner's illegal action."""
        if games.size == 0:
            return
        for game in games:
            self.reward[game] = self._forfeit_reward(game)
        self._total_reward[games] += self.reward[games]
        self.terminated[games] = True
        outcome = np.full(games.size, -1, np.float32)
        none = np.zeros((games.size, self.batch.num_actions), np.uint8)
        last = self.batch.states[games], self.batch.observation[games], none
        self._ended.append(self._episodes(games, outcome, *last))
        self.batch.put(games, np.broadcast_to(self._start, games.shape))
        self._begin_episodes(games)

    def _forfeit_reward(self, game: int) -> float:
        batch, member = self.batch, int(self._members[self.side[game]])
        by_points = batch.reward_kind == "points"
        rules, options = batch.ruleset.game, batch.ruleset.record[0]
        return forfeit_rewards(rules, batch.states[game], options, member, by_points)[member]

    def _episodes(
        self,
        games: np.ndarray,
        outcome: np.ndarray,
        state: np.ndarray,
        observation: np.ndarray,
        action_mask: np.ndarray,
    ) -> Episodes:
        return Episodes(
            games,
            self.side[games],
            self.opponent[games],
            outcome,
            self._total_reward[games],
            self._decisions[games],
            self.length[games],
            state,
            observation,
            action_mask,
        )

    def _no_episodes(self) -> Episodes:
        batch, none = self.batch, self._all[:0]
        last = batch.states[none], batch.observation[none], batch.action_mask[none]
        return self._episodes(none, self.reward[none], *last)

    def _begin_episodes(self, games: np.ndarray) -> None:
        self._episode[games] += 1
        if self._learner is None:
            self.side[games] = self._episode[games] % self._sides
        else:
            self.side[games] = self._learner
        self.batch.truncates_for[games] = self.side[games]
        self.opponent[games] = self._assigned(games)
        self._has_begun[games] = False
        if self._opening:
            self._draw_openings(games)
        self._total_reward[games] = 0
        self._decisions[games] = 0
        self.length[games] = 0

    def _assigned(self, games: np.ndarray) -> np.ndarray:
        """The opponents of new episodes, which users assign at any time."""
        return _checked_assignment(self.assignment, self._all.size, len(self.opponents))[games]

    def _draw_openings(self, games: np.ndarray) -> None:
        generators = self._opener.generators(self._all.size)
        with wrapping():
            drawn = [int(random_bits(generators, game)) for game in games]
        self._opening_left[games] = [bits * (self._opening + 1) >> 32 for bits in drawn]

    def _reseed(self, game: int, seed: int) -> None:
        self._episode[game] = seed % self._sides - 1
        self.batch.reseed([game], [seed])
        for player in (*self.opponents, self._opener):
            reseed(player, np.array([game]), [seed])

    def _clear_report(self) -> None:
        self.terminated[:] = False
        self.truncated[:] = False
        self._unplayed[:] = 0
        self._ended = []

    def _count_unplayed(self, games: np.ndarray) -> None:
        self._unplayed[games] += 1
        if self._unplayed.max() > _MOST_UNPLAYED:
            raise ValueError(
                f"game {self._unplayed.argmax()} has ended {_MOST_UNPLAYED} times in a row before"
                " its learner could act: is the option turn_limit too low?"
            )


def viewers(ruleset: Ruleset, states: np.ndarray, side: np.ndarray) -> np.ndarray:
    """The player of each side who acts in a state, or would act next.

    Args:
        ruleset: of the states.
        states: records ``[k]``.
        side: ``int64[k]``.

    Returns:
        ``int64[k]``.
    """
    teams, members = ruleset.teams, np.array(ruleset.members)
    if members.size == len(teams):
        return members[side]
    acting = [max(0, int(ruleset.game.to_move(state))) for state in states]
    for row, own in enumerate(side):
        while teams[acting[row]] != own:
            acting[row] = (acting[row] + 1) % len(teams)
    return np.array(acting, np.int64)


def _checked_assignment(assignment: ArrayLike | None, games: int, opponents: int) -> np.ndarray:
    if assignment is None:
        return np.arange(games) % opponents
    indices = np.array(assignment)
    fits = indices.shape == (games,) and indices.dtype.kind in "iu"
    if not fits or indices.min() < 0 or indices.max() >= opponents:
        raise ValueError(
            f"assignment must be {games} integers from 0 to {opponents - 1},"
            f" not {brief(assignment)}"
        )
    return indices.astype(np.int64)


def _checked_side(learner: LearnerSide, sides: int) -> int | None:
    """The learner's side; None if it alternates."""
    if learner == "alternate":
        return None
    if isinstance(learner, bool) or learner not in range(sides):
        known = ", ".join(map(str, range(sides)))
        raise ValueError(f"learner must be {known} or 'alternate', not {brief(learner)}")
    return int(learner)
