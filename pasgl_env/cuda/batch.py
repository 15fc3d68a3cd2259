"""Many games at once in GPU memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import ArrayLike

from pasgl_env.contract import variants
from pasgl_env.contract.game import OptionValue
from pasgl_env.cuda.array import DeviceArray
from pasgl_env.cuda.kernels import (
    Tiles,
    accept,
    copy_integers,
    draw_kernel,
    kernels_of,
    launch,
    word_of,
)
from pasgl_env.engine.batch import Batch, BatchBase, first_generators, illegal_action
from pasgl_env.engine.dice import checked_seed
from pasgl_env.engine.results import RewardKind

_NOTHING_WRONG = np.iinfo(np.int64).max


class CudaBatch(BatchBase):
    """``n`` games of one variant on a GPU, in lockstep, with automatic reset in the same step.

    Experimental: docs/cuda.md lists what has run on a GPU and what only in a simulator.

    Equivalent to a :class:`pasgl_env.Batch`: with the same seed and actions, all states, outputs
    and draws are the same bytes. States, outputs and generators stay on the GPU. The
    outputs are the same :class:`pasgl_env.cuda.DeviceArray` after every :meth:`step` and
    :meth:`reset`, with new content: libraries that share their memory see it without a copy, and
    must not write to it. C, H, W are the planes of the observation, A the number of actions, P the
    number of players.

    Attributes:
        observation: ``uint8[n, C, H, W]``, 0 or 1: the view of the player to act.
        action_mask: ``uint8[n, A]``, 1 for legal actions; its rows are padded.
        legal_count: ``int32[n]``, number of legal actions.
        to_move: ``int8[n]``, the player to act.
        reward: ``float32[n, P]``, rewards of the last step.
        terminated: ``bool[n]``, whether the last step ended the game by its rules.
        truncated: ``bool[n]``, whether it reached the option ``turn_limit`` instead.
        teams: NumPy array ``int64[P]``, the team of each player.
        truncates_for: ``int8[n]``, writable: as in :class:`pasgl_env.Batch`.

    All other outputs are copied to NumPy arrays on access, which waits for the GPU.

    All work is launched in CUDA's default stream. A batch is for one Python thread at a time.

    Args:
        variant: a name of :func:`pasgl_env.contract.variants.names`.
        n: number of games.
        seed: seed of the dice and of :meth:`sample`; None draws one.
        reward: as in :class:`pasgl_env.Batch`.
        checks: whether :meth:`step` checks the actions, which waits for the GPU. Without checks,
            illegal actions have undefined results.
        options: the variant's options.

    Raises:
        ValueError: for an unknown variant or option, or an invalid value.
        RuntimeError: if there is no usable GPU.
    """

    def __init__(
        self,
        variant: str,
        n: int,
        *,
        seed: int | None = None,
        reward: RewardKind = "outcome",
        checks: bool = True,
        **options: OptionValue,
    ) -> None:
        super().__init__(variants.ruleset(variant, **options), n, reward)
        if not cuda.is_available():
            raise RuntimeError(
                "no usable GPU: CudaBatch needs an NVIDIA GPU, its driver and"
                " numba-cuda: pip install 'pasgl-env[cuda]'"
            )
        self._checks = checks
        observation_bytes = int(np.prod(self._spaces.observation))
        word = word_of(observation_bytes)
        word_bytes = word.bitwidth // 8
        row_words, mask_words = observation_bytes // word_bytes, -(-self._spaces.actions // 8)
        self._kernels = kernels_of(self._game, word)
        self._show_tiles = Tiles.of(row_words, word_bytes)
        self._mask_tiles = Tiles.of(mask_words, 8)
        self._option = cuda.to_device(self._options)
        self._states = cuda.to_device(np.zeros(n, self._game.state))
        self._first_states = cuda.to_device(np.zeros(n, self._game.state))
        self._final_states = cuda.to_device(np.zeros(n, self._game.state))
        self._first_dice = cuda.to_device(np.zeros(n, np.uint64))
        self._length = cuda.to_device(np.zeros(n, np.int32))
        self._final_length = cuda.to_device(np.zeros(n, np.int32))
        self._everybody = cuda.to_device(np.arange(n))
        self._stepped: Any = None  # the games of the last step, if there was any
        self._chosen = cuda.to_device(np.zeros(n, np.int64))
        self._sampled = cuda.to_device(np.zeros(n, np.int64))
        self._first_wrong = cuda.to_device(np.zeros(1, np.int64))
        self._row_words = cuda.device_array((n, row_words), f"i{word_bytes}")
        self._mask_words = cuda.device_array((n, mask_words), np.int64)
        self._allocate_outputs()
        self._seed(None if seed is None else checked_seed(seed))
        self.reset()

    def _allocate_outputs(self) -> None:
        n = self._n
        planes = self._row_words.view(np.uint8).reshape(n, *self._spaces.observation)
        mask = self._mask_words.view(np.uint8)[:, : self._spaces.actions]
        self.observation = DeviceArray(planes)
        self.action_mask = DeviceArray(mask, padded=self._mask_words)
        self.legal_count = _zeros(n, np.int32)
        self.to_move = _zeros(n, np.int8)
        self.reward = _zeros((n, self._spaces.players), np.float32)
        self.terminated = _zeros(n, np.bool_)
        self.truncated = _zeros(n, np.bool_)
        self.truncates_for = DeviceArray(cuda.to_device(np.full(n, -1, np.int8)))

    def _seed(self, entropy: int | None) -> None:
        self._generators, self._dice = map(cuda.to_device, first_generators(entropy, self._n))

    def __repr__(self) -> str:
        return f"CudaBatch({self.variant!r}, {self._n})"

    def reset(self, seed: int | None = None) -> None:
        """Restart all games.

        Args:
            seed: seed of the dice and of :meth:`sample`; None keeps the current generators.
        """
        entropy = None if seed is None else checked_seed(seed)
        if entropy is not None:
            self._seed(entropy)
        self._begin(self._everybody, restarts=True)

    def step(self, actions: Any) -> None:
        """Play one action in every game.

        Args:
            actions: integers ``[n]`` on the GPU or the host, a legal action for each game.

        Raises:
            IllegalMove: as in :meth:`pasgl_env.Batch.step`; nothing changes then. Never without
                ``checks``.
            ValueError: if the actions are not ``n`` integers.
        """
        self._step(self._everybody, actions)

    def step_some(self, games: Any, actions: Any) -> None:
        """Play one action in some of the games; the outputs of the others stay as they are.

        Args:
            games: integers ``[k]`` on the GPU or the host, ascending indices of different games.
            actions: integers ``[k]``, for each of these games a legal action.

        Raises:
            IllegalMove: as in :meth:`step`.
            ValueError: if the games are not ascending indices, or the actions are not as many
                integers.
        """
        # A copy, because the caller may write to its array before it asks which games ended.
        self._step(_row_of_integers("games", games, copies=True), actions)

    def sample(self) -> DeviceArray:
        """Draw a legal action for every game, uniformly, from its own generator: ``int64[n]``.

        Always the same array, with new content; draws the same as :meth:`pasgl_env.Batch.sample`.
        """
        self._mask_tiles.launch(draw_kernel, self._n)(
            self._mask_words,
            self.legal_count.array,
            self._mask_tiles.in_tile,
            self._generators,
            self._sampled,
        )
        return DeviceArray(self._sampled)

    @property
    def ended(self) -> np.ndarray:
        """Indices ``int64[k]`` of the games that ended in the last step, in order."""
        if self._stepped is None:
            return np.zeros(0, np.int64)
        stepped: np.ndarray = self._stepped.copy_to_host()
        return stepped[(self.terminated.copy_to_host() | self.truncated.copy_to_host())[stepped]]

    @property
    def outcome(self) -> np.ndarray:
        """``float32[k, P]`` for the games of ``ended``: +1 won, -1 lost, 0 drawn or truncated."""
        return self._outcomes(self.final_states, self.terminated.copy_to_host()[self.ended])

    @property
    def final_length(self) -> np.ndarray:
        """``int32[k]``: number of actions in the games of ``ended``."""
        length: np.ndarray = self._final_length.copy_to_host()[self.ended]
        return length

    @property
    def final_states(self) -> np.ndarray:
        """Records ``[k]``: the last states of the games of ``ended``."""
        states: np.ndarray = self._final_states.copy_to_host()[self.ended]
        return states

    @property
    def final_observation(self) -> np.ndarray:
        """``uint8[k, P, C, H, W]``: each player's view at the end of the games of ``ended``."""
        return self._seen_by_all(self.final_states)

    @property
    def final_action_mask(self) -> np.ndarray:
        """``uint8[k, A]``: the mask at the end of the games of ``ended``; 0 unless truncated."""
        return self._masks(self.final_states, self.truncated.copy_to_host()[self.ended])

    @property
    def length(self) -> np.ndarray:
        """``int32[n]``, number of actions since the games began; a copy."""
        length: np.ndarray = self._length.copy_to_host()
        return length

    @property
    def first_states(self) -> np.ndarray:
        """Records ``[n]``: the states in which the games began, before any roll; a copy."""
        states: np.ndarray = self._first_states.copy_to_host()
        return states

    @property
    def first_dice(self) -> np.ndarray:
        """``uint64[n]``: the generators of the dice when the games began; a copy."""
        dice: np.ndarray = self._first_dice.copy_to_host()
        return dice

    @property
    def states(self) -> np.ndarray:
        """The games' states, records ``[n]``: a copy; change and assign it to write them.

        Assigning checks every record and recomputes all outputs, as in
        :class:`pasgl_env.Batch`.

        Raises:
            ValueError: on assignment, if shape or dtype differ, a record is not a possible position
                or its game is over; nothing changes then.
        """
        states: np.ndarray = self._states.copy_to_host()
        return states

    @states.setter
    def states(self, states: np.ndarray) -> None:
        self.put(np.arange(self._n), states)

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
        written = self.states
        written[rows] = self._checked_states(rows.size, states)
        self._states.copy_to_device(written)
        self._begin(cuda.to_device(rows), restarts=False)

    def to_batch(self, threads: int = 1) -> Batch:
        """A batch on the CPU that continues exactly as this one would.

        It adds ``position``, ``save``, ``step_answered`` and ``reseed``, which this class lacks.
        """
        return Batch.going_on(
            self.ruleset,
            self.reward_kind,
            threads,
            {
                "states": self.states,
                "generators": self._generators.copy_to_host(),
                "dice": self._dice.copy_to_host(),
                "first_states": self.first_states,
                "first_dice": self.first_dice,
                "length": self.length,
                "truncates_for": self.truncates_for.array.copy_to_host(),
            },
        )

    def _begin(self, games: Any, restarts: bool) -> None:
        """Start games from their states or at the start, and write the players' views."""
        if games.size:
            launch(self._kernels.begin_all, games.size)(
                self._states,
                self._option,
                games,
                restarts,
                self._dice,
                self._first_states,
                self._first_dice,
                self.reward.array,
                self.terminated.array,
                self.truncated.array,
                self._length,
            )
            self._look(games, concludes=False)
            self._observe(games)
        self._stepped = None

    def _step(self, games: Any, actions: Any) -> None:
        given = _row_of_integers("actions", actions)
        if given.size != games.size:
            raise ValueError(f"{games.size} games need {games.size} actions, not {given.size}")
        if games.size:
            self._play(games, self._accepted(games, given))
            self._look(games, concludes=True)
            self._observe(games)
        self._stepped = games if games.size else None

    def _play(self, games: Any, chosen: Any) -> None:
        launch(self._kernels.play_all, games.size)(
            self._states,
            self._option,
            games,
            chosen,
            self._by_points,
            self._dice,
            self.reward.array,
            self.terminated.array,
            self.truncated.array,
            self._length,
        )

    def _look(self, games: Any, concludes: bool) -> None:
        """Write masks; if ``concludes``, first end and restart finished games."""
        self._mask_tiles.launch(self._kernels.look, games.size)(
            self._states,
            self._option,
            games,
            self._mask_tiles.in_tile,
            concludes,
            self._by_points,
            self.truncates_for.array,
            self._dice,
            self._first_states,
            self._first_dice,
            self._mask_words,
            self.legal_count.array,
            self.to_move.array,
            self.reward.array,
            self.terminated.array,
            self.truncated.array,
            self._length,
            self._final_states,
            self._final_length,
        )

    def _observe(self, games: Any) -> None:
        self._show_tiles.launch(self._kernels.show, games.size)(
            self._states,
            self._option,
            games,
            self._show_tiles.in_tile,
            self.to_move.array,
            self._spaces.observation,
            self._row_words,
        )

    def _accepted(self, games: Any, given: Any) -> Any:
        """Actions as ``int64``, checked if the batch checks; the row may be longer."""
        if not self._checks and given.dtype == np.int64:
            return given
        self._first_wrong.copy_to_device(np.array([_NOTHING_WRONG]))
        launch(accept, games.size)(
            games, given, self.action_mask.array, self._chosen, self._first_wrong
        )
        if self._checks:
            self._raise_if_wrong(games)
        return self._chosen

    def _raise_if_wrong(self, games: Any) -> None:
        row = int(self._first_wrong.copy_to_host()[0])
        if row == _NOTHING_WRONG:
            return
        rows = games.copy_to_host()
        self._rows(rows)
        game, action = int(rows[row]), int(self._chosen.copy_to_host()[row])
        mask = self.action_mask.copy_to_host()[game]
        raise illegal_action(game, action, int(self.to_move.copy_to_host()[game]), mask)


def _zeros(shape: Any, dtype: Any) -> DeviceArray:
    return DeviceArray(cuda.to_device(np.zeros(shape, dtype)))


def _row_of_integers(name: str, values: Any, copies: bool = False) -> Any:
    """A row of integers on the GPU: in place if it is there, unless ``copies``; else ``int64``."""
    if isinstance(values, DeviceArray):
        row = values.array
    elif hasattr(values, "__cuda_array_interface__"):
        row = cuda.as_cuda_array(values)
    else:
        row = np.asarray(values)
    if len(row.shape) != 1 or (row.size and row.dtype.kind not in "iu"):
        raise ValueError(
            f"{name} must be a row of integers, not {row.dtype} of shape {tuple(row.shape)}"
        )
    if isinstance(row, np.ndarray):
        return cuda.to_device(row.astype(np.int64))
    return _copied(row) if copies else row


def _copied(row: Any) -> Any:
    own = cuda.device_array(row.shape, np.int64)
    if row.size:
        launch(copy_integers, row.size)(row, own)
    return own
