"""Many games at once: the fast path of training and evaluation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue, brief
from pasgl_env.contract.ruleset import HasRuleset, Ruleset
from pasgl_env.engine.dice import checked_seed, generator, integers, is_integer
from pasgl_env.engine.errors import IllegalMove, over_at_start
from pasgl_env.engine.loops import (
    NOTHING,
    Buffers,
    any_illegal,
    first_illegal,
    loops_of,
    pack_all,
    sample,
)
from pasgl_env.engine.position import Position
from pasgl_env.engine.results import RewardKind, is_by_points, returns_of
from pasgl_env.engine.sharing import Copyable, alone, to_read
from pasgl_env.engine.threads import ThreadPool
from pasgl_env.jit.compiled import JIT, wrapping
from pasgl_env.jit.slices import slices
from pasgl_env.storage.arrays import packed, unpacked
from pasgl_env.storage.files import write_whole

_CHECKED_AT_ONCE = 4096
_PARTS = ("settings states generators dice first_states first_dice length truncates_for").split()


class BatchBase(HasRuleset):
    """The common part of batches, wherever their games are played: variant, options and sizes.

    Raises:
        ValueError: for an invalid value.
    """

    def __init__(self, ruleset: Ruleset, n: int, reward: RewardKind) -> None:
        self.ruleset = ruleset
        self._game = self.ruleset.game
        self._options = self.ruleset.record
        self._n = _at_least_one("n", n)
        self._by_points = is_by_points(self._game.name, self._game.has_points, reward)
        self._spaces = self.ruleset.spaces
        self.teams = read_only(np.array(self.ruleset.teams))

    def __len__(self) -> int:
        return self._n

    @property
    def reward_kind(self) -> RewardKind:
        """``"outcome"`` or ``"points"``."""
        return "points" if self._by_points else "outcome"

    @property
    def num_actions(self) -> int:
        """A, the size of the action space."""
        return self._spaces.actions

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """(C, H, W) of an observation."""
        return self._spaces.observation

    def _rows(self, games: ArrayLike) -> np.ndarray:
        rows = integers("games", games)
        if rows.size and (rows[0] < 0 or rows[-1] >= self._n or (np.diff(rows) < 1).any()):
            raise ValueError(f"games must be ascending indices below {self._n}")
        return rows

    def _checked_states(self, count: int, states: np.ndarray) -> np.ndarray:
        given = np.asarray(states)
        if given.shape != (count,) or given.dtype.descr != self._game.state.descr:
            raise ValueError(
                f"states must be {count} records of {self.variant}'s state dtype,"
                f" not {given.dtype} of shape {given.shape}"
            )
        taken = np.array(given.view(self._game.state))
        mask = np.zeros(self.num_actions, np.uint8)
        if self._game.is_valid is None:
            for row, state in enumerate(taken):
                if not self._game.accepts(state, self._options[0]):
                    raise ValueError(self._fault(row, is_position=False))
        loops = loops_of(self._game, "records")
        for part in slices(count, _CHECKED_AT_ONCE):
            row, is_position = loops.first_unplayable(taken[part], self._options, mask)
            if row >= 0:
                raise ValueError(self._fault(part.start + row, is_position))
        return taken

    def _fault(self, row: int, is_position: bool) -> str:
        why = "the game is over" if is_position else f"not a possible position of {self.variant}"
        return f"states: record {row}: {why}"

    def _outcomes(self, states: np.ndarray, are_over: np.ndarray) -> np.ndarray:
        """``float32[k, P]``: +1 won, -1 lost, 0 drawn or not over."""
        outcome = np.zeros((states.size, self.num_players), np.float32)
        for row in np.flatnonzero(are_over):
            best = int(self._game.winner(states[row], self._options[0]))
            outcome[row] = returns_of(self.teams.tolist(), best)
        return outcome

    def _seen_by_all(self, states: np.ndarray) -> np.ndarray:
        """``uint8[k, P, C, H, W]``: each player's view."""
        seen = np.zeros((states.size, self.num_players, *self.observation_shape), np.uint8)
        loops_of(self._game, "records").observe_all(states, self._options, seen)
        return seen

    def _masks(self, states: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """``uint8[k, A]``: the masks of the wanted states, 0 in the others."""
        masks = np.zeros((states.size, self.num_actions), np.uint8)
        loops = loops_of(self._game, "positions")
        for row in np.flatnonzero(wanted):
            loops.advance(states[row : row + 1], self._options, NOTHING, masks[row])
        return masks


class Batch(BatchBase, Copyable):
    """``n`` games of one variant, played in lockstep, with automatic reset in the same step.

    Every :meth:`step` and :meth:`reset` rewrites the arrays below. They are read-only and reused,
    so copy what you want to keep. C, H, W are the planes, rows and columns of the observation, A
    is the number of actions, P the number of players.

    Attributes:
        observation: ``uint8[n, C, H, W]``, 0 or 1: the view of the player to act. For what it
            leaves out, see docs/interfaces.md, "What observations leave out".
        action_mask: ``uint8[n, A]``, 1 for legal actions.
        legal_count: ``int32[n]``, number of legal actions.
        to_move: ``int8[n]``, the player to act.
        reward: ``float32[n, P]``, rewards of the last step.
        terminated: ``bool[n]``, whether the last step ended the game by its rules.
        truncated: ``bool[n]``, whether it reached the option ``turn_limit`` instead.
        teams: ``int64[P]``, the team of each player; teams are numbered from 0.
        truncates_for: ``int8[n]``, writable: the team that must be to act for ``turn_limit`` to
            truncate a game, -1 (the default) for any. Others finish their turns first.

    A game that ends restarts in the same step: ``observation``, ``action_mask`` and ``to_move``
    then belong to the new game, while ``reward``, ``terminated`` and ``truncated`` belong to the
    one that ended. ``ended``, ``outcome``, ``final_length``, ``final_states`` and
    ``final_observation`` describe its end.

    Dice are rolled as soon as they are due, so a player is always to act. Every game has its own
    generator for them, which is not part of its state. In games with dice, the player who begins
    is drawn at random unless the option is given.

    Results depend on the seed and the actions, never on the number of threads.

    An interrupt (Ctrl-C) takes effect before or after a step, a reset or any other change, never
    within it: a program that catches ``KeyboardInterrupt`` can continue with the batch. ``length``
    shows whether the step was made.

    A batch is for one Python thread at a time: while another thread is in a method that changes
    the batch, such methods raise ``RuntimeError`` and change nothing. Copying, pickling,
    :meth:`save` and a fork of the process wait until no thread is in such a method.

    >>> batch = Batch("pasgl312", 3, seed=1)
    >>> batch.observation.shape, batch.action_mask.shape
    ((3, 60, 8, 10), (3, 1165))
    >>> batch.legal_count
    array([36, 36, 36], dtype=int32)
    >>> for _ in range(50):
    ...     batch.step(batch.sample())

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        n: number of games.
        threads: number of threads that share the work.
        seed: seed of the dice and of :meth:`sample`; None draws one.
        reward: ``"outcome"``: +1, -1 or 0 at the end of the game; ``"points"``, in games with
            scores: the change of a player's lead over the others' mean, at every step.
        options: the variant's options.

    Raises:
        ValueError: for an unknown variant or option, or an invalid value.
    """

    # An interrupt can come after a change was counted and before it is made, so its number is no
    # part of the state.
    _derived = frozenset({"_game", "_options", "_loops", "_pool", "_changes", *Buffers._fields})
    _in_use = (
        "this batch is in use by another thread: give each thread its own batch, or let the batch"
        " share its work with Batch(..., threads=...)"
    )

    def __init__(
        self,
        variant: str | Ruleset,
        n: int,
        *,
        threads: int = 1,
        seed: int | None = None,
        reward: RewardKind = "outcome",
        **options: OptionValue,
    ) -> None:
        super().__init__(variants.ruleset(variant, **options), n, reward)
        wanted = min(_at_least_one("threads", threads), self._n)
        self._threads = wanted if JIT else 1
        self._buffers = Buffers.of(self._game, self._options, self._n)
        self._all_games = np.arange(self._n)
        self._buffers.generators[:], self._buffers.dice[:] = first_generators(
            None if seed is None else checked_seed(seed), self._n
        )
        self._open()
        self.reset()
        if not self.legal_count.all():
            raise over_at_start(self.ruleset)

    def _open(self) -> None:
        self._game, self._options = self.ruleset.game, self.ruleset.record
        self._loops = loops_of(self._game)
        self._pool = ThreadPool(self._threads)
        self._changes = 0
        self.observation = read_only(self._buffers.observation)
        self.action_mask = read_only(self._buffers.action_mask[:, : self._spaces.actions])
        self.legal_count = read_only(self._buffers.legal_count)
        self.to_move = read_only(self._buffers.to_move)
        self.reward = read_only(self._buffers.reward)
        self.terminated = read_only(self._buffers.terminated)
        self.truncated = read_only(self._buffers.truncated)
        self.truncates_for = self._buffers.truncates_for

    def __repr__(self) -> str:
        return f"Batch({self.variant!r}, {self._n}, threads={self.threads})"

    @alone
    def reset(self, seed: int | None = None) -> None:
        """Restart all games.

        Args:
            seed: seed of the dice and of :meth:`sample`; None keeps the current generators.
        """
        fresh = self._buffers.generators, self._buffers.dice
        if seed is not None:
            fresh = first_generators(checked_seed(seed), self._n)
        start = np.zeros(1, self._game.state)
        with wrapping():
            self._loops.restart(start, self._options)
            self._place(self._all_games, start, *fresh)

    def step(self, actions: ArrayLike) -> None:
        """Play one action in every game.

        Args:
            actions: integers ``[n]``, for each game a legal action of the player to act.

        Raises:
            IllegalMove: if an action is not legal; names the first such game and the action.
                Nothing changes then.
            ValueError: if the actions are not ``n`` integers.
        """
        self.step_some(None, actions)

    @alone
    def step_some(self, games: ArrayLike | None, actions: ArrayLike) -> None:
        """Play one action in some of the games; the outputs of the others stay as they are.

        Args:
            games: integers ``[k]``, ascending indices of different games; None for all.
            actions: integers ``[k]``, for each of these games a legal action.

        Raises:
            IllegalMove: as :meth:`step`.
            ValueError: if the games are not ascending indices, or the actions not as many integers.
        """
        with wrapping():
            played, chosen = self._checked(games, actions)
            self._changes += 1
            self._pool.run(
                self._loops.step, played.size, played, chosen, self._by_points, *self._buffers
            )

    @alone
    def step_answered(
        self,
        games: ArrayLike | None,
        actions: ArrayLike,
        teams: np.ndarray,
        generators: np.ndarray,
        earned: np.ndarray,
        total: np.ndarray,
        played: np.ndarray,
    ) -> None:
        """Play one action in some of the games, then random actions until a team is to act.

        Like :meth:`step_some`, followed by uniformly random legal actions in the games that wait
        for another team and have not ended in one of these steps.

        Args:
            games: as :meth:`step_some`.
            actions: as :meth:`step_some`.
            teams: ``int64[n]``, for each game the team for which no actions are drawn.
            generators: ``uint64[n]``, for the draws in each game; advanced.
            earned: ``float32[n]``, set to the team's reward in these games.
            total: ``float32[n]``, increased by the team's reward.
            played: ``int64[n]``, increased by the number of actions.

        Raises:
            IllegalMove: as :meth:`step`.
            ValueError: as :meth:`step_some`.
        """
        with wrapping():
            rows, chosen = self._checked(games, actions)
            self._changes += 1
            self._pool.run(
                loops_of(self._game, "answers").step_answered,
                rows.size,
                rows,
                chosen,
                self._by_points,
                teams,
                generators,
                earned,
                total,
                played,
                *self._buffers,
            )

    @alone
    def reseed(self, games: ArrayLike, seeds: Sequence[int]) -> None:
        """Seed the dice of some games, with one seed each; earlier rolls stay.

        They roll the same as :class:`pasgl_env.Dice` with that seed. ``first_states`` and
        ``first_dice`` become the current ones.

        Raises:
            ValueError: if the games are not ascending indices, or the seeds are not as many
                non-negative integers; nothing changes then.
        """
        rows = self._rows(games)
        if np.ndim(seeds) != 1 or rows.size != len(seeds):
            raise ValueError(f"{rows.size} games need {rows.size} seeds, not {brief(seeds)}")
        new = np.array([generator(checked_seed(seed)) for seed in seeds], np.uint64)
        buffers = self._buffers
        first = buffers.first_states, buffers.first_dice
        self._changes += 1
        self._loops.reseed(rows, new, buffers.states, buffers.dice, *first)

    @alone
    def sample(self) -> np.ndarray:
        """Draw a legal action for every game, uniformly, from its own generator: ``int64[n]``."""
        actions = np.empty(self._n, np.int64)
        with wrapping():
            self._pool.run(
                sample,
                self._n,
                self._buffers.action_mask,
                self._buffers.legal_count,
                self._buffers.generators,
                self._buffers.drawn,
                actions,
            )
        return actions

    @property
    def action_mask_bits(self) -> np.ndarray:
        """``uint8[n, ceil(A / 8)]``: the action masks as bits, read-only; an eighth of the bytes.

        Action ``8 i + k`` is bit ``k`` of byte ``i``, lowest bit first, so that they are
        ``np.packbits(action_mask, axis=1, bitorder="little")``; bits after the last action are 0.

        Created on first access; from then on every step updates it, like the mask.

        >>> batch = Batch("overlord", 2)
        >>> batch.action_mask_bits.shape, batch.action_mask.shape
        ((2, 1969), (2, 15746))
        """
        if not self._buffers.action_bits.size:
            self._make_bits()
        return read_only(self._buffers.action_bits)

    @alone
    def _make_bits(self) -> None:
        bits = np.zeros((self._n, self._buffers.action_bits.shape[1]), np.uint8)
        with wrapping():
            self._pool.run(pack_all, self._n, self._buffers.action_mask, bits)
        self._buffers = self._buffers._replace(action_bits=bits)

    @property
    def threads(self) -> int:
        """The number of threads that share the work."""
        return self._threads

    @property
    def changes(self) -> int:
        """The number of calls that changed games, in this object: whether there was one since."""
        return self._changes

    @property
    def ended(self) -> np.ndarray:
        """Indices ``int64[k]`` of the games that ended in the last step, in order."""
        stepped = self._buffers.stepped[1 : 1 + self._buffers.stepped[0]]
        return stepped[(self.terminated | self.truncated)[stepped]]

    @property
    def outcome(self) -> np.ndarray:
        """``float32[k, P]`` for the games of ``ended``: +1 won, -1 lost, 0 drawn or truncated."""
        return self._outcomes(self.final_states, self.terminated[self.ended])

    @property
    def final_length(self) -> np.ndarray:
        """``int32[k]``: number of actions in the games of ``ended``."""
        return self._buffers.final_length[self.ended]

    @property
    def final_states(self) -> np.ndarray:
        """Records ``[k]``: the last states of the games of ``ended``."""
        return self._buffers.final_states[self.ended]

    @property
    def final_observation(self) -> np.ndarray:
        """``uint8[k, P, C, H, W]``: each player's view at the end of the games of ``ended``."""
        return self._seen_by_all(self.final_states)

    @property
    def final_action_mask(self) -> np.ndarray:
        """``uint8[k, A]``: the mask at the end of the games of ``ended``; 0 unless truncated."""
        return self._masks(self.final_states, self.truncated[self.ended])

    @property
    def length(self) -> np.ndarray:
        """``int32[n]``: number of actions since the start of each game; read-only."""
        return read_only(self._buffers.length)

    @property
    def turns(self) -> np.ndarray:
        """``int64[n]``: number of turns completed in each game, by all players together."""
        counts = np.empty(self._n, np.int64)
        self._loops.count_turns(self._buffers.states, counts)
        return counts

    @property
    def first_states(self) -> np.ndarray:
        """Records ``[n]``: the states in which the games began, before any roll; read-only.

        This state, ``first_dice`` and the actions determine a game completely.
        """
        return read_only(self._buffers.first_states)

    @property
    def first_dice(self) -> np.ndarray:
        """``uint64[n]``: the generators of the dice when the games began; read-only.

        :meth:`pasgl_env.Dice.at` turns one into dice that roll the same. A game whose dice are
        reseeded counts as begun at that point, except for its ``length``.
        """
        return read_only(self._buffers.first_dice)

    @property
    def states(self) -> np.ndarray:
        """The games' states, records ``[n]``: read-only; copy, change and assign to write them.

        Assigning checks every record and recomputes all outputs. At a chance node the batch rolls
        the dice at once, with its own generators.

        Raises:
            ValueError: on assignment, if shape or dtype differ, a record is not a possible position
                or its game is over; nothing changes then.
        """
        return read_only(self._buffers.states)

    @states.setter
    def states(self, states: np.ndarray) -> None:
        self.put(self._all_games, states)

    @alone
    def put(self, games: ArrayLike, states: np.ndarray) -> None:
        """Write the states of some games, as assigning :attr:`states` does for all.

        Args:
            games: integers ``[k]``, ascending indices of different games.
            states: records ``[k]``.

        Raises:
            ValueError: if the games are not ascending indices, or as on assignment; nothing changes
                then.
        """
        rows = self._rows(games)
        checked = self._checked_states(rows.size, states)
        with wrapping():
            self._place(rows, checked, self._buffers.generators[rows], self._buffers.dice[rows])

    def position(self, game: int) -> Position:
        """A game as an independent position with labels.

        In the middle of a turn its text is unknown: see :meth:`pasgl_env.Position.from_state`.

        >>> Batch("pasgl312", 64).position(17).legal_moves()[:3]
        ['Be1d1', 'Be1d2', 'Be1e2']

        Raises:
            IndexError: if there is no such game.
        """
        state = self._buffers.states[range(self._n)[game]]
        return Position.from_state(self.variant, state, **self.options)

    @to_read
    def save(self, file: str | PathLike[str]) -> None:
        """Write states, generators, lengths, ``truncates_for`` and settings to a ``.npz`` file.

        Raises:
            OSError: if it cannot be written; the file is then unchanged.
        """
        settings = {
            "variant": self.variant,
            "threads": self._threads,
            "reward": self.reward_kind,
            "options": self.options,
        }
        plain = np.dtype(self._game.state.descr)
        parts = {
            "settings": np.array(json.dumps(settings)),
            "states": self._buffers.states.view(plain),
            "generators": self._buffers.generators,
            "dice": self._buffers.dice,
            "first_states": self._buffers.first_states.view(plain),
            "first_dice": self._buffers.first_dice,
            "length": self._buffers.length,
            "truncates_for": self.truncates_for,
        }
        write_whole(Path(file), packed(parts))

    @classmethod
    def load(cls, file: str | PathLike[str], threads: int | None = None) -> Batch:
        """Load a batch from :meth:`save`; it continues exactly as the saved one would have.

        Loading executes no code from the file.

        Raises:
            OSError: if the file cannot be read.
            ValueError: if it does not hold a batch of this version's rules.
        """
        with open(file, "rb") as stream:
            content = stream.read()
        try:
            parts = unpacked(content, _PARTS)
            settings = json.loads(str(parts["settings"]))
            batch = cls.going_on(
                variants.ruleset(settings["variant"], **settings["options"]),
                settings["reward"],
                threads or settings["threads"],
                parts,
            )
        except Exception as error:  # a damaged file can make its readers raise anything
            raise ValueError(f"{file} holds no saved batch: {_in_a_line(error)}") from error
        return batch

    @classmethod
    def going_on(
        cls,
        ruleset: Ruleset,
        reward: RewardKind,
        threads: int,
        parts: Mapping[str, np.ndarray],
    ) -> Batch:
        """A batch that continues another one from its parts.

        Args:
            ruleset: rules of the other batch.
            reward: reward of the other batch.
            threads: number of threads that share the work.
            parts: its arrays ``states``, ``generators``, ``dice``, ``first_states``,
                ``first_dice``, ``length`` and ``truncates_for``.

        Raises:
            ValueError: if these are not the parts of a batch of this version's rules.
        """
        batch = cls(ruleset, len(parts["states"]), threads=threads, reward=reward)
        batch.states = parts["states"]
        batch._buffers.generators[:] = parts["generators"].reshape(len(batch))
        batch._buffers.dice[:] = parts["dice"].reshape(len(batch))
        batch._buffers.first_states[:] = batch._checked_states(len(batch), parts["first_states"])
        batch._buffers.first_dice[:] = parts["first_dice"]
        batch._buffers.length[:] = parts["length"]
        batch.truncates_for[:] = parts["truncates_for"]
        return batch

    def _place(
        self, games: np.ndarray, records: np.ndarray, generators: np.ndarray, dice: np.ndarray
    ) -> None:
        """Start these games from records, with these generators, in one step."""
        self._changes += 1
        self._pool.run(
            self._loops.place, games.size, games, records, dice, generators, *self._buffers
        )

    def _first_illegal(self, games: np.ndarray, actions: np.ndarray) -> int:
        """The first row that is illegal, or -1."""
        rows = self._buffers.action_mask, self._buffers.drawn, games, actions
        if self._threads > 1:  # each thread checks the masks that it wrote, which are in its cache
            found = np.zeros(1, np.bool_)
            self._pool.run(any_illegal, games.size, *rows, found)
            if not found[0]:
                return -1
        return first_illegal(*rows)

    def _checked(
        self, games: ArrayLike | None, actions: ArrayLike
    ) -> tuple[np.ndarray, np.ndarray]:
        played = self._all_games if games is None else integers("games", games)
        chosen = integers("actions", actions)
        if played.size != chosen.size:
            raise ValueError(f"{played.size} games need {played.size} actions, not {chosen.size}")
        row = self._first_illegal(played, chosen)
        if row < 0:
            return played, chosen
        # As given: integers that are too large for the rules have wrapped round.
        action = int(np.asarray(actions)[row])
        game = int(played[row] if games is None else np.asarray(games)[row])
        if not 0 <= game < self._n or (row and game <= played[row - 1]):
            raise ValueError(f"games must be ascending indices below {self._n}; {game} is not")
        raise illegal_action(game, action, self.to_move[game], self.action_mask[game])


def first_generators(entropy: int | None, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The initial states of ``n`` generators for samples, and of ``n`` for dice."""
    sequence = np.random.SeedSequence(entropy)
    samples = sequence.generate_state(n, np.uint64)
    return samples, sequence.spawn(1)[0].generate_state(n, np.uint64)


def read_only(array: np.ndarray) -> np.ndarray:
    """A view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def _in_a_line(error: Exception, most: int = 200) -> str:
    """An error's message on one line, shortened if it is long."""
    text = "".join(sign if sign.isprintable() else " " for sign in str(error))
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _at_least_one(name: str, value: Any) -> int:
    if not is_integer(value) or value < 1:
        raise ValueError(f"{name} must be a positive integer, not {brief(value)}")
    return index(value)


def illegal_action(game: int, action: int, player: int, mask: np.ndarray) -> IllegalMove:
    """The error for an action that a game's mask does not allow."""
    legal = _some(np.flatnonzero(mask).tolist())
    return IllegalMove(
        f"game {game}: action {action} is not legal for player {player} (legal: {legal})"
    )


def _some(numbers: Sequence[int], most: int = 12) -> str:
    shown = ", ".join(map(str, numbers[:most]))
    return f"{shown}, ... ({len(numbers)} in all)" if len(numbers) > most else shown
