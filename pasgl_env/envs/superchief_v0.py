"""Superchief.

A large game for two by Joe Joyce, from Chieftain: six Chieftains and 42 other pieces a side, which
move only when a Chieftain within three squares activates them, so that a player moves up to six
pieces in a turn. Whoever captures the last enemy Chieftain wins.

| Creation           | `make("aec", "pasgl_env/superchief-v0")`                        |
|--------------------|-----------------------------------------------------------------|
| Import             | `from pasgl_env.envs import superchief_v0`                      |
| Agents             | `player_0` (White, moves first), `player_1` (Black)             |
| Action space       | `Discrete(11810)`                                               |
| Observation space  | `Dict`: `observation` uint8 (32, 12, 24), `action_mask` int8 (11810,) |
| State space        | uint8 (32, 12, 24)                                              |
| Parallel API       | only `turn_based_aec_to_parallel(env())`: the agents take turns |
| Chance             | none: a seed changes nothing                                    |
| Render modes       | `ansi`, `rgb_array`, `human` (a window)                         |

>>> from pasgl_env.envs import superchief_v0
>>> env = superchief_v0.env(turn_limit=10)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)

### A turn

Each Chieftain activates one piece a turn, itself included, within 3 squares (the options
`activations` and `command_range`), and no piece moves twice in a turn. So a turn is up to six
moves. They are actions of the same agent, one after another, and `agent_selection` stays until the
agent ends its turn or has no activation left. Who activates is asked only if several Chieftains
could; that is an action of its own. `env.unwrapped.position` is a copy of the position and knows
the text of every action (`position.label(action)`).

### Observation

`observation["observation"]` holds 32 binary planes of 12 rows and 24 columns, or as many as the
board of the option `setup` has. Rows are ranks as the observing agent counts them (row 0 is its own
back rank), so both agents play up the board; columns are files. What planes 14-28 tell of the turn
under way is told of the agent to act, whoever observes.

| Plane | Meaning |
|-------|---------|
| 0-6   | own pieces, one plane a kind: C H S N M B R |
| 7-13  | the enemy's pieces, likewise |
| 14    | pieces that have moved in this turn |
| 15-18 | activations left to the Chieftain on the square, in binary, lowest bit first |
| 19    | Chieftains that can still activate |
| 20    | squares under command: within range of one of those |
| 21-25 | activations left in all in binary, at most 31, lowest bit first, all 0 or 1 |
| 26    | the square of the piece that moves, while it is asked who activates it |
| 27    | the square that it moves to |
| 28    | the Chieftains that can activate it |
| 29    | all 1 if the observing player is Black |
| 30    | all 1 if the observing player is to act |
| 31    | all 1 if the turn before was a pass |

The whole position can be read off, but for the count of turns.

`observation["action_mask"]` is 1 where an action is legal; all 0 for an agent that is not to act.

### Actions

41 planes of the board's 288 squares, numbered a1 = 0, b1 = 1 ... x12 = 287 (ranks mirrored for
Black), and two actions more.

| Action    | Meaning |
|-----------|---------|
| 0-11519   | 288 * plane + square: the piece on the square moves as the plane says |
| 11520-11807 | 11520 + square: the Chieftain on the square activates the piece in question |
| 11808     | end of the turn |
| 11809     | pass, the only action where nothing can move |

With another `setup`, put its number of squares for 288.

Planes 0-39 are moves, told by where they lead. The piece stands on `##`, ahead is up:

    39  .  .  . 32  .  .  . 33
     . 31  .  . 24  .  . 25  .
     .  . 22 23  8  9 10  .  .
     .  . 21  7  0  1 11  .  .
    38 30 20  6 ##  2 12 26 34
     .  . 19  5  4  3 13  .  .
     .  . 18 17 16 15 14  .  .
     . 29  .  . 28  .  . 27  .
    37  .  .  . 36  .  .  . 35

A Chieftain uses planes 0-23, a Man 0-7, the others some of all 40. With the observation's rows and
columns, an action mask without its last two entries is an image of 41 planes, as a convolutional
policy puts it out: `mask[:-2].reshape(41, 12, 24)`.

### Rewards

`reward="outcome"`: +1 for a win, -1 for a loss, 0 for a draw and until then. `reward="points"`:
after each action the worth of what the agent has captured less that of what the other has; the sum
over a game is the lead in captured material, which does not decide who wins. It helps learners,
because games between beginners are long. A Chieftain is worth 8, a Bishopy or Rookish 4, a Hero or
Shaman 3, a Knight 2, a Man 1.

The game terminates by its rules: a side without a Chieftain, or two passes in a row. It is
truncated, without an outcome, once `turn_limit` turns have been played, those of the position that
it began from included. An illegal action loses it
(`raw_env` raises `IllegalMove` instead, and nothing changes).

### Arguments

`env(render_mode=None, render_size=512, render_theme="light", reward="outcome", **options)`, with
these options:

| Option          | Default | Allowed     | Meaning |
|-----------------|---------|-------------|---------|
| `setup`         | 1hcs1chs1chsshc1shc1sch1/1nm2mn2mn2nm2nm2mn1/24/m2mm2mm2mm2mm2mm2m/1m4m3m2m3m4m1/24/24/1M4M3M2M3M4M1/M2MM2MM2MM2MM2MM2M/24/1NM2MN2MN2NM2NM2MN1/1HCS1CHS1CHSSHC1SHC1SCH1 | a board field, 4 to 24 ranks and files, 1 to 32 Chieftains a side | the starting position, which gives the board its size |
| `activations`   | 1       | 1-8         | pieces that a Chieftain activates in a turn |
| `command_range` | 3       | 1-23        | how far a Chieftain commands, in king's steps |
| `turn_limit`    | 400     | 0-999999999 | turns after which environments truncate; 0: never |

A setup is a board field of a position text, with 4 to 24 ranks and files and 1 to 32 Chieftains a
side: ranks from the top, `/` between them, numbers for empty squares.
The inventor's picture of the setup is lost; the default is a reconstruction that keeps what his
text says: 48 pieces a side, five kinds, tribes like those of Chieftain, a third of the squares
occupied. Whoever has the original passes it as `setup`.

`reset(options={"position": text})` begins from a position text.

### Version history

* v0: first version (0.1.0)
"""  # noqa: E501 - a setup is one long word

from __future__ import annotations

from typing import Any

from pasgl_env.envs.aec import StandardEnv, VariantEnv


def env(**arguments: Any) -> StandardEnv:
    """The environment with PettingZoo's standard checks; arguments as for :func:`raw_env`."""
    return StandardEnv(raw_env(**arguments))


def raw_env(**arguments: Any) -> VariantEnv:
    """The environment alone: :class:`pasgl_env.envs.aec.VariantEnv` with these arguments."""
    return VariantEnv("superchief", **arguments)
