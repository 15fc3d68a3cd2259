"""Simulation below a search tree: some random actions, then the game's value."""

# The templates' free names are bound to a game's rules later.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pasgl_env.contract.game import Game, Spaces
from pasgl_env.engine.loops import draw, random_bits
from pasgl_env.jit.compiled import with_helpers
from pasgl_env.players.greedy import appraise_of
from pasgl_env.players.rules import search_rules

COST_OF_A_SLICE, COST_OF_GREED = 4096, 64
"""Actions after which a playout pauses, so that an interrupt is answered; and the number of random
actions for which a greedy one counts."""


class Playout(NamedTuple):
    """Parameters of a playout.

    Attributes:
        plies: number of actions; negative to play to the end of the game.
        greed: probability that an action is the greedy player's instead of a random one.
        decisive_lead: a lead that practically decides the game.
    """

    plies: int
    greed: float
    decisive_lead: float


class PlayoutScratch(NamedTuple):
    """Scratch memory of one thread.

    Attributes:
        states: records ``[1]``: the state of the simulation.
        mask: ``uint8[1, A]``: its legal actions, padded with zeros to a multiple of 8.
        words: ``int64[1, A / 8]``: the same memory.
        legal_count: ``int32[1]``: number of legal actions.
        action: ``int64[1]``: the action drawn.
        values: ``float64[A]``: values of the actions.
        trial: records ``[2]`` to try actions in.
        trial_masks: ``uint8[2, A]``: their legal actions.
        ply: ``int64[1]``: number of actions of a playout that has begun; 0 if none has.
        depth: ``int64[1]``: depth of the node from which it plays on.
        teams: ``int64[P]``: the team of each player.
        returns: ``float64[teams]``: result of the simulation.
    """

    states: np.ndarray
    mask: np.ndarray
    words: np.ndarray
    legal_count: np.ndarray
    action: np.ndarray
    values: np.ndarray
    trial: np.ndarray
    trial_masks: np.ndarray
    ply: np.ndarray
    depth: np.ndarray
    teams: np.ndarray
    returns: np.ndarray

    @classmethod
    def of(cls, game: Game, spaces: Spaces) -> PlayoutScratch:
        """Scratch memory for a game under some options."""
        mask = np.zeros((1, -(-spaces.actions // 8) * 8), np.uint8)
        teams = np.array([game.team(player) for player in range(spaces.players)], np.int64)
        return cls(
            np.zeros(1, game.state),
            mask,
            mask.view(np.int64),
            np.zeros(1, np.int32),
            np.zeros(1, np.int64),
            np.zeros(spaces.actions),
            np.zeros(2, game.state),
            np.zeros((2, spaces.actions), np.uint8),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            teams,
            np.zeros(teams.max() + 1),
        )


def play_out(
    options: np.ndarray, playout: Playout, scratch: PlayoutScratch, generator: np.ndarray
) -> bool:
    """Play on from ``scratch.states[0]`` and write the result into ``scratch.returns``.

    Returns false if that takes longer than a slice: the next call continues.
    """
    option, state = options[0], scratch.states[0]
    left = COST_OF_A_SLICE
    while playout.plies < 0 or scratch.ply[0] < playout.plies or not is_quiescent(state):
        if left <= 0:
            return False
        if HAS_CHANCE:
            resolve_chance(state, option, generator, 0)
        scratch.legal_count[0] = legal_actions(state, option, scratch.mask[0])
        if scratch.legal_count[0] == 0 or is_truncated(state, option):
            break
        if playout.greed > 0.0 and random_bits(generator, 0) < playout.greed * 2.0**32:
            appraise(
                state, options, scratch.mask[0], scratch.trial, scratch.trial_masks, scratch.values
            )
            scratch.action[0] = scratch.values.argmax()
            left -= COST_OF_GREED
        else:
            scratch.action[0] = draw(scratch.words[0], scratch.legal_count[0], generator, 0)
        play(state, option, scratch.action[0])
        left -= 1
        scratch.ply[0] += 1
    write_returns(state, option, playout.decisive_lead, scratch)
    scratch.ply[0] = 0
    return True


def write_returns(state: Any, option: Any, decisive_lead: float, scratch: PlayoutScratch) -> None:
    """Write each team's value of a state: 1 won, -1 lost, 0 drawn or truncated, else between."""
    scratch.returns[:] = 0.0
    is_chance = HAS_CHANCE and chance_weight(state, option) > 0
    if not is_chance and legal_actions(state, option, scratch.mask[0]) == 0:
        for number in range(scratch.returns.size):
            scratch.returns[number] = outcome_of(state, option, number)
    elif not is_truncated(state, option):
        for player in range(scratch.teams.size):
            scratch.returns[scratch.teams[player]] += evaluate(state, option, player)
        scale = scratch.returns.size / (scratch.teams.size * decisive_lead)
        for number in range(scratch.returns.size):
            scratch.returns[number] = np.tanh(scratch.returns[number] * scale)


def playout_rules(game: Game) -> dict[str, Any]:
    """:func:`search_rules` and the playout."""
    namespace = {**search_rules(game), "appraise": appraise_of(game)}
    return with_helpers(namespace, game.cache_name, write_returns, play_out)
