"""Gumbel AlphaZero's search with mctx over a Batch: python examples/with_mctx.py [MOVES]."""

import sys

import jax
import jax.numpy as jnp
import mctx
import numpy as np

from pasgl_env import Batch

games = Batch("spalding", 8, seed=1, turn_limit=300)
model = Batch("spalding", 8, seed=2, turn_limit=300)  # the search's own games, set to any state
every, nothing = np.arange(8), jnp.zeros(8)  # instead of a network's values


def step(states, actions):
    """Play in the model; illegal actions, possible below the root, become the first legal one."""
    model.states = np.asarray(states).view(games.states.dtype).reshape(-1)
    player, mask, actions = model.to_move.copy(), model.action_mask, np.asarray(actions)
    model.step(np.where(mask[every, actions] == 1, actions, mask.argmax(axis=1)))
    over = model.terminated | model.truncated
    discount = np.where(over, 0, np.where(model.to_move == player, 1, -1)).astype(np.float32)
    logits = np.where(model.action_mask == 1, 0, -1e8).astype(np.float32)
    return model.states.view(np.uint8).reshape(8, -1), model.reward[every, player], discount, logits


def recurrent(params, key, actions, states):
    wide = jax.ShapeDtypeStruct((8, games.num_actions), jnp.float32)
    states, reward, discount, logits = jax.pure_callback(
        step, (states, nothing, nothing, wide), states, actions
    )
    output = mctx.RecurrentFnOutput(
        reward=reward, discount=discount, prior_logits=logits, value=nothing
    )
    return output, states


moves = int(sys.argv[1]) if len(sys.argv) > 1 else 20
for move in range(moves):
    states, legal = jnp.asarray(games.states.view(np.uint8).reshape(8, -1)), games.action_mask == 1
    priors = jnp.zeros(legal.shape)  # placeholder for a network's priors
    root = mctx.RootFnOutput(prior_logits=priors, value=nothing, embedding=states)
    key = jax.random.key(move)
    found = mctx.gumbel_muzero_policy(None, key, root, recurrent, 16, jnp.asarray(~legal))
    games.step(np.asarray(found.action))
print(f"searched and played {8 * moves} moves")
