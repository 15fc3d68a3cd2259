"""PettingZoo AEC environment of Grand Pachessi.

A race game by Peter Aronson, for two players or two teams of two: Pachessi (see
:mod:`pasgl_env.envs.pachessi_v0`) on a larger board, with Rajas that go two squares, Horses that
are Camels too, and Ships also with four players.

| Creation           | `make("aec", "pasgl_env/grand_pachessi-v0")` |
|--------------------|--------------------------------------|
| Import             | `from pasgl_env.envs import grand_pachessi_v0` |
| Agents             | `player_0` (Black), `player_1` (Yellow); see below for four |
| Action space       | `Discrete(969)` |
| Observation space  | `Dict`: `observation` uint8 (65, 11, 11), `action_mask` int8 (969,) |
| State space        | uint8 (65, 11, 11) |
| Parallel API       | only `turn_based_aec_to_parallel(env())`: the agents take turns |
| Chance             | dice, and who begins: `reset(seed=...)` determines them |
| Render modes       | `ansi`, `rgb_array`, `human` (a window)   |

>>> from pasgl_env.envs import grand_pachessi_v0
>>> env = grand_pachessi_v0.env(players=4, turn_limit=100)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)

Of four agents `player_0` (Black) and `player_2` (Yellow) are a team against `player_1` (Green) and
`player_3` (Red).

### Chance

The environment rolls as soon as dice are due, with a generator of its own that `reset(seed=...)`
begins anew: an agent is always to act, and neither the position nor a copy of it tells what will be
rolled. `env.unwrapped.position` is a copy of the position; a search that plays on it comes to
chance nodes (`is_chance`), with labels and probabilities of their outcomes.

### Observation

`observation["observation"]` holds 65 binary planes of 11 by 11 cells as the observing agent
sees the board. It is turned by quarters of a circle so that the agent's own corner is row 0, column
0: its pieces start there and upwards, and run along row 0 first. At the start all agents see the
same. Seats come in the order own, partner, next enemy (who plays after the observer), other enemy;
of two players the planes of partner and other enemy are empty.

| Plane | Meaning |
|-------|---------|
| 0-3   | own pieces, one plane a kind: R E H S |
| 4     | own pieces with laps below 0 |
| 5-7   | own pieces with at least 1, 2, 3 laps |
| 8     | starting squares of own pieces that are taken |
| 9     | starting squares of own pieces that have been born off |
| 10-13 | the partner's pieces, one plane a kind: R E H S |
| 14    | the partner's pieces with laps below 0 |
| 15-17 | the partner's pieces with at least 1, 2, 3 laps |
| 18    | starting squares of the partner's pieces that are taken |
| 19    | starting squares of the partner's pieces that have been born off |
| 20-23 | the next enemy's pieces, one plane a kind: R E H S |
| 24    | the next enemy's pieces with laps below 0 |
| 25-27 | the next enemy's pieces with at least 1, 2, 3 laps |
| 28    | starting squares of the next enemy's pieces that are taken |
| 29    | starting squares of the next enemy's pieces that have been born off |
| 30-33 | the other enemy's pieces, one plane a kind: R E H S |
| 34    | the other enemy's pieces with laps below 0 |
| 35-37 | the other enemy's pieces with at least 1, 2, 3 laps |
| 38    | starting squares of the other enemy's pieces that are taken |
| 39    | starting squares of the other enemy's pieces that have been born off |
| 40-45 | all 1 for the lower die, or the only one, to play: 1 2 3 4 5 6 |
| 46-51 | all 1 for the higher of two dice to play, likewise; two may be equal |
| 52-53 | pieces that the lower and the higher die are for; taken ones: starting squares |
| 54-57 | all 1 for whose turn it is: own, partner, next enemy, other enemy |
| 58    | all 1 if the dice are of grace, also if they are due |
| 59    | all 1 if a capture that earns a grace die has been made with the roll |
| 60    | all 1 if chance acts |
| 61-64 | squares from which no move may go to the right, up, to the left, down |

The whole position can be read off, but for the count of turns and for laps beyond 3 or below -1.

`observation["action_mask"]` is 1 where an action is legal; all 0 for an agent that is not to act.
It is never empty for one that is: with no usable die, `pass` is legal.

### Actions

8 planes of 121 cells and one action more: an action is 121 * plane + cell, where a cell is
11 * row + column on the board as the acting agent sees it.

| Action    | Meaning |
|-----------|---------|
| 0-483     | 121 * kind + cell: the lower or only die brings R E H S (kind 0-3) to the cell |
| 484-967   | 484 + 121 * kind + cell: the higher of two different dice does |
| 968       | pass |

Bringing a taken piece to its starting square lets it enter; bringing a piece that stands on its own
starting square there bears it off. `env.unwrapped.position` knows the text of every action
(`position.label(action)`, such as `2:Hc7-b5`).

Each die is an action, so a turn has two or more, all of the same agent; `agent_selection` stays in
between.

### Rewards

`reward="outcome"`: +1 for a win, -1 for a loss, 0 until then; of four players both of a team get
the same. There are no draws.

The game terminates when a player has borne off every piece. It may never end: it is truncated,
without an outcome, once `turn_limit` turns have been played, those of the position that it began
from included. An illegal action loses it
(`raw_env` raises `IllegalMove` instead, and nothing changes).

### Arguments

`env(render_mode=None, render_size=512, render_theme="light", reward="outcome", **options)`, with
these options:

| Option           | Default | Allowed       | Meaning |
|------------------|---------|---------------|---------|
| `players`        | 2       | 2 or 4        | number of players; four play in two teams |
| `first`          | lot     | black, green, yellow, red or lot | who begins; lot: chance decides |
| `grand`          | True    | False or True | Raja, Horse and Ships for four as in Grand Pachessi |
| `size`           | 11      | 5-26          | squares along an edge of the board |
| `hole`           | 5       | 1-22          | squares along an edge of the hole |
| `elephant_range` | 0       | 0-25          | of the Elephant; 0: (size - 1) // 2 |
| `turn_limit`     | 1000    | 0-999999999   | turns until environments truncate; 0: never |

On other boards the spaces have other sizes: 65 planes of `size` by `size` cells, and
`8 * size**2 + 1` actions. `size` and `hole` are both odd or both even, with a ring at least two
squares wide between them.

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
    return VariantEnv("grand_pachessi", **arguments)
