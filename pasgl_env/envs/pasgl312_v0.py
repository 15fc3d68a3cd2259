"""PASGL 312 Chess.

A game for two by Ralph Betza. Critters of nine kinds share squares, steal one another's lunches,
spray, chuck wood and ride a train that runs over whoever stands on its tracks. Points come from
sitting at the campfire; whoever leads by 30 wins at once, and a dead Bear costs 20.

| Creation           | `make("aec", "pasgl_env/pasgl312-v0")`                          |
|--------------------|-----------------------------------------------------------------|
| Import             | `from pasgl_env.envs import pasgl312_v0`                        |
| Agents             | `player_0` (White, moves first), `player_1` (Black)             |
| Action space       | `Discrete(1165)`                                                |
| Observation space  | `Dict`: `observation` uint8 (60, 8, 10), `action_mask` int8 (1165,) |
| State space        | uint8 (60, 8, 10)                                               |
| Parallel API       | only `turn_based_aec_to_parallel(env())`: the agents take turns |
| Chance             | none: a seed changes nothing                                    |
| Render modes       | `ansi`, `rgb_array`, `human` (a window)                         |

>>> from pasgl_env.envs import pasgl312_v0
>>> env = pasgl312_v0.env(turn_limit=100)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)

### Observation

`observation["observation"]` holds 60 binary planes of 8 rows and 10 columns. Rows are ranks as the
observing agent counts them (row 0 is its own back rank), so both agents play up the board. Columns
are the files z, a-h, x; the cells of files z and x that are no terminals hold the marks below.

| Plane | Meaning |
|-------|---------|
| 0-15  | own critters, one plane a slot: B H D F W S T T P P P P P P P P |
| 16-31 | the enemy's critters, likewise |
| 32-33 | squares with a lunchless carrier: own, the enemy's |
| 34-35 | squares with a stinky critter: own, the enemy's |
| 36-37 | squares with a Chipmunk: own, the enemy's |
| 38    | the Train's head |
| 39    | the Train's tail |
| 40    | the square that the Train's head enters next |
| 41-45 | phase of the Train less 1 in binary, lowest bit first, each plane all 0 or all 1 |
| 46    | the four campfire squares |
| 47    | all 1 if the observing player is Black |
| 48    | all 1 if the observing player is to act |
| 49    | all 1 if the observing player has more points |
| 50-57 | difference of the scores in binary, at most 255, lowest bit first, all 0 or all 1 |
| 58    | the square of the critter that acts, while a choice follows its move |
| 59    | the square that it acts on |

The plane of a living critter has a 1 where it is (riders: where their car is), and marks:

| Cell (row, column) | Meaning |
|--------------------|---------|
| (7, 0)             | it has lost its lunch |
| (7, 9)             | it is stinky |
| (6, 0)             | a Shrew that has become a Chipmunk |
| (6, 9)             | the Train has put it on its terminal |
| (1, 0)             | in question: a candidate victim, or the next to be displaced |
| (1, 9)             | its displacement is chosen; its square and the new one are both 1 |
| (0, 0)             | it rides the head car |
| (0, 9)             | it rides the tail car |

The whole position can be read off, but for the counts of turns and of passes in a row; of the
scores the difference is told, for nothing else matters.

`observation["action_mask"]` is 1 where an action is legal; all 0 for an agent that is not to act.

### Actions

Squares are numbered a1 = 0, b1 = 1 ... h8 = 63, z4, z5, x4, x5 = 64-67, ranks mirrored for Black. A
slot is the place of a critter in its side's order B H D F W S T T P P P P P P P P.

| Action    | Meaning |
|-----------|---------|
| 0-1087    | 68 * slot + square: this critter moves, shoots or chucks to the square |
| 1088-1155 | 1088 + square: the pushed critter in question goes to the square |
| 1156-1163 | 1156 + slot: the enemy critter of this slot is the victim |
| 1164      | pass |

A turn is a move and the choices that follow from it: a victim where there are several, a square for
each critter that a Bear pushes. They are actions of the same agent, one after another, and
`agent_selection` stays until the turn is complete. `env.unwrapped.position` is a copy of the
position and knows the text of every action (`position.label(action)`).

### Rewards

`reward="outcome"`: +1 for a win, -1 for a loss, 0 for a draw and until then. `reward="points"`:
after each action the points that the agent has gained less those that the other has; the sum over a
game is the difference of the scores.

The game terminates by its rules: 30 points ahead, a Bear dead, or 40 passes in a row. It is
truncated, without an outcome, once `turn_limit` turns have been played, those of the position that
it began from included. An illegal action loses it
(`raw_env` raises `IllegalMove` instead, and nothing changes).

### Arguments

`env(render_mode=None, render_size=512, render_theme="light", reward="outcome", **options)`, with
these options:

| Option             | Default | Allowed     | Meaning |
|--------------------|---------|-------------|---------|
| `win_margin`       | 30      | 1-255       | points ahead that end the game at once |
| `bear_bonus`       | 20      | 0-255       | points to the other side for a dead Bear |
| `bear_points`      | 5       | 0-99        | points of a Bear at the campfire |
| `hunter_points`    | 4       | 0-99        | points of a Hunter at the campfire |
| `deer_points`      | 3       | 0-99        | points of a Deer at the campfire |
| `fox_points`       | 3       | 0-99        | points of a Fox at the campfire |
| `woodchuck_points` | 3       | 0-99        | points of a Woodchuck at the campfire |
| `skunk_points`     | 2       | 0-99        | points of a Skunk at the campfire |
| `turkey_points`    | 2       | 0-99        | points of a Turkey at the campfire |
| `shrew_points`     | 0       | 0-99        | points of a Shrew at the campfire |
| `chipmunk_points`  | 1       | 0-99        | points of a Chipmunk at the campfire |
| `hunter_range`     | 3       | 0-7         | how far the Hunter shoots; 0: never |
| `fox_range`        | 3       | 0-7         | longest zigzag of the Fox, in steps |
| `turkey_range`     | 3       | 0-7         | longest move of the Turkey |
| `turn_limit`       | 1000    | 0-999999999 | turns after which environments truncate; 0: never |

`reset(options={"position": text})` begins from a position text.

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
    return VariantEnv("pasgl312", **arguments)
