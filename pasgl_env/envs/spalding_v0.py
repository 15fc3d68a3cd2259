"""Captain Spalding Chess.

A game for two by Ralph Betza. Each side begins with a Box, a Pajama and a Great Pajama; whenever
one of these moves, a piece comes out of it: Rhinos, Bats and Crumbs, Elephants, Lint and Dust
Bunnies. Neutral pieces may be moved by both sides, Cookie Monsters eat whoever stops beside them,
and no position may come twice. Capturing the enemy's Box wins; whoever has no legal turn loses.

| Creation           | `make("aec", "pasgl_env/spalding-v0")`                          |
|--------------------|-----------------------------------------------------------------|
| Import             | `from pasgl_env.envs import spalding_v0`                        |
| Agents             | `player_0` (White, moves first), `player_1` (Black)             |
| Action space       | `Discrete(2560)`                                                |
| Observation space  | `Dict`: `observation` uint8 (36, 8, 8), `action_mask` int8 (2560,) |
| State space        | uint8 (36, 8, 8)                                                |
| Parallel API       | only `turn_based_aec_to_parallel(env())`: the agents take turns |
| Chance             | none: a seed changes nothing                                    |
| Render modes       | `ansi`, `rgb_array`, `human` (a window)                         |

>>> from pasgl_env.envs import spalding_v0
>>> env = spalding_v0.env(turn_limit=100)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)

### Observation

`observation["observation"]` holds 36 binary planes of 8 by 8 squares as the observing agent sees
the board: row 0 is its own back rank, and for Black the board is turned by 180°, so that both
agents play up the board. At the start both see the same.

| Plane | Meaning |
|-------|---------|
| 0     | empty squares |
| 1-11  | own pieces, one plane a kind: X P J R H V W C M L E |
| 12-22 | the enemy's pieces, likewise |
| 23-25 | neutral pieces: Lint, Dust Bunnies, Dust Demons |
| 26-28 | all 1 for what the player may still find: Rhino, Headless Rhino, Great Elephant |
| 29-31 | all 1 for what the enemy may still find, likewise |
| 32    | all 1 if the observing player is Black |
| 33    | all 1 if the observing player is to act |
| 34    | the container that has moved and has to bring out a piece |
| 35    | the square that it came from |

The whole position can be read off, but for the count of turns and the game's history. Of the
history only this matters, that no position may come twice: the mask leaves out what would repeat.

`observation["action_mask"]` is 1 where an action is legal; all 0 for an agent that is not to act.

### Actions

40 planes of 64 squares: an action is 64 * plane + square, squares numbered a1 = 0, b1 = 1 ...
h8 = 63 on the board as the acting agent sees it (for Black, 63 less the number on the real board).

| Action    | Meaning |
|-----------|---------|
| 0-2047    | 64 * direction + square: the piece on the square makes this relative move |
| 2048-2303 | 2048 + 64 * find + square: the Box brings out R, H, V or C (find 0-3) there |
| 2304-2431 | 2304 + 64 * find + square: the Pajama brings out L or N (find 0-1) there |
| 2432-2559 | 2432 + 64 * find + square: the Great Pajama brings out E or B (find 0-1) there |

The 32 directions, from the piece `o` (up is forward):

```text
    25                  0-4 the Elephant's step, 5-9 the Great Elephant's leap,
    24                  0 10 11 12 one step of a Rook, 13-20 the Knight's squares
    23                  of the Rhinos; Boohs go along 0, 5, 21-25 and 11, 26-31
    22
    21
 9  14   5  13   6
19   4   0   1  15
    12   o  10
20   3  11   2  16
 8  18  26  17   7
        27
        28
        29
        30
        31
```

Putting a Crumb on a Crumb, Lint on Lint or a Dust Bunny on a Dust Bunny is the action of the piece
that is put; so is a Bat that becomes a Booh at once.

A turn of a Box, Pajama or Great Pajama is two actions of the same agent, the move and the creation;
`agent_selection` stays in between. `env.unwrapped.position` is a copy of the position and knows the
text of every action (`position.label(action)`).

### Rewards

`reward="outcome"`: +1 for a win, -1 for a loss, 0 until then. There are no draws.

The game terminates by its rules: a Box captured, or no legal turn. It is truncated, without an
outcome, once `turn_limit` turns have been played, those of the position that it began from
included. The state remembers up to 1,000 turns since the last capture of a Pajama or Great Pajama
(no earlier position can come again after one); where its memory is full, which 4 in 1,000 random
games come to without a turn limit, the game is truncated, too. An illegal action loses it
(`raw_env` raises `IllegalMove` instead, and nothing changes).

### Arguments

`env(render_mode=None, render_size=512, render_theme="light", reward="outcome", **options)`, with
these options:

| Option            | Default | Allowed       | Meaning |
|-------------------|---------|---------------|---------|
| `box_rhino`       | True    | False or True | a Rhino is in the Box |
| `box_headless`    | True    | False or True | a Headless Rhino is in the Box |
| `box_bat`         | True    | False or True | Bats are in the Box |
| `box_crumb`       | True    | False or True | Crumbs are in the Box |
| `pajama_elephant` | True    | False or True | an Elephant is in the Pajama |
| `pajama_lint`     | True    | False or True | Lint is in the Pajama |
| `great_elephant`  | True    | False or True | a Great Elephant is in the Great Pajama |
| `great_bunny`     | True    | False or True | Dust Bunnies are in the Great Pajama |
| `turn_limit`      | 1000    | 0-999999999   | turns after which environments truncate; 0: never |

`reset(options={"position": text})` begins from a position text; the history begins there.

### Version history

* v0: first version (0.1.0)
"""

from __future__ import annotations

from typing import Any

from pasgl_env.envs.aec import StandardEnv, VariantEnv


def env(**arguments: Any) -> StandardEnv:
    """The environment with PettingZoo's standard checks; arguments as for :func:`raw_env`."""
    return StandardEnv(raw_env(**arguments))


def raw_env(**arguments: Any) -> VariantEnv:
    """The environment alone: :class:`pasgl_env.envs.aec.VariantEnv` with these arguments."""
    return VariantEnv("spalding", **arguments)
