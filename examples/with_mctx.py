"""Gumbel AlphaZero's search with mctx over a Batch: python examples/with_mctx.py [MOVES]."""

import sys

import jax
import jax.numpy as jnp
import mctx
import numpy as np

from pasgl_env import Batch

games = Batch("spalding", 8, seed=1, turn_limit=300)
model = Batch("spalding", 8, seed=2, turn_limit=300)  # the search's own games, at any states
STATE = games.states.dtype.itemsize


def step(states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, ...]:
    """Play in the model; where an action is not legal, as below the root, the first that is."""
    model.states = np.asarray(states).view(games.states.dtype).reshape(-1)
    actions = np.asarray(actions)
    player, mask = model.to_move.copy(), model.action_mask
    legal = mask[np.arange(len(mask)), actions] == 1
    model.step(np.where(legal, actions, mask.argmax(axis=1)))
    over = model.terminated | model.truncated
    discount = np.where(over, 0, np.where(model.to_move == player, 1, -1)).astype(np.float32)
    reward = model.reward[np.arange(len(mask)), player]
    logits = np.where(model.action_mask == 1, 0, -1e8).astype(np.float32)
    return model.states.view(np.uint8).reshape(len(mask), -1), reward, discount, logits


def recurrent(params: None, key: jax.Array, action: jax.Array, states: jax.Array) -> tuple:
    n, kinds = len(games), jnp.float32
    row, wide = jax.ShapeDtypeStruct((n,), kinds), (n, games.num_actions)
    shapes = (
        jax.ShapeDtypeStruct((n, STATE), jnp.uint8),
        row,
        row,
        jax.ShapeDtypeStruct(wide, kinds),
    )
    states, reward, discount, logits = jax.pure_callback(step, shapes, states, action)
    value = jnp.zeros(n)  # a network's, of model.observation
    output = mctx.RecurrentFnOutput(
        reward=reward, discount=discount, prior_logits=logits, value=value
    )
    return output, states


def play(moves: int = 20, simulations: int = 16) -> int:
    for move in range(moves):
        states = jnp.asarray(games.states.view(np.uint8).reshape(len(games), -1))
        legal = jnp.asarray(games.action_mask == 1)
        value, logits = jnp.zeros(len(games)), jnp.zeros(legal.shape)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=states)
        key = jax.random.key(move)
        found = mctx.gumbel_muzero_policy(None, key, root, recurrent, simulations, ~legal)
        games.step(np.asarray(found.action))
    return moves * len(games)


if __name__ == "__main__":
    print(f"searched and played {play(*map(int, sys.argv[1:]))} moves")
