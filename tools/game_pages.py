"""Write the documentation pages made from games' folders: ``python -m tools.game_pages``.

``docs/environments/VARIANT.md`` is made from the ``page.md`` in the game's folder, a Jinja
template, and from the tables of the rules, so that spaces, planes and options always agree with the
code. Templates can use:

- ``name``, ``title``; ``rows``, ``columns``, ``squares`` of the observation grid under the default
  options, and ``corner``, the name of its last square;
- ``picture``, ``facts``, ``usage(options)``, ``planes``, ``mask``, ``illegal``, ``arguments``: the
  sections that all pages have.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
from jinja2 import Environment, StrictUndefined

from pasgl_env import variants
from pasgl_env.contract.base import OptionsRecord, Plane
from pasgl_env.contract.game import (
    AnyOption,
    Game,
    Option,
    Spaces,
    TextOption,
    environment_values,
    options_array,
)
from pasgl_env.envs.registration import gymnasium_id
from pasgl_env.storage.files import write_whole
from tools.gallery import shown

DOCS = Path(__file__).parents[1] / "docs"

_USAGE = """\
>>> from pasgl_env.envs import {name}_v{version}
>>> env = {name}_v{version}.env({options})
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)
"""
_MASK = (
    '`observation["action_mask"]` is 1 for legal actions; it is all 0 for an agent that is not to'
    " act."
)
_ILLEGAL = (
    "An illegal action loses the game for the agent's side; `raw_env` raises `IllegalMove` instead"
    " and changes nothing."
)


def pages() -> dict[str, str]:
    """The pages of all environments of this package, by file name."""
    return {f"{name}.md": page(name) for name in variants.names() if _is_own(name)}


def page(name: str) -> str:
    """The page of a variant's environment."""
    game, version = variants.find(name), variants.table()[name].environment
    _, rows, columns = _spaces(game).observation
    template = Environment(
        trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True
    ).from_string(_file(game, "page.md").read_text(encoding="utf-8"))
    text = template.render(
        name=name,
        title=game.title,
        rows=rows,
        columns=columns,
        squares=rows * columns,
        corner=f"{ascii_lowercase[columns - 1]}{rows}",
        picture=shown(name, "game", f"A game of {game.title}, turn by turn", "../").rstrip(),
        facts=_facts(game, version),
        usage=lambda options: _usage(name, version, options),
        planes=_planes(game),
        mask=_MASK,
        illegal=_ILLEGAL,
        arguments=_arguments(game),
    )
    return f"{text.rstrip()}\n"


def write() -> None:
    """Write all pages."""
    for name, text in pages().items():
        write_whole(DOCS / "environments" / name, text.encode())


def _is_own(name: str) -> bool:
    return variants.table()[name].distribution == "pasgl-env"


def _file(game: Game, name: str) -> Path:
    """A file in a game's folder."""
    spec = importlib.util.find_spec(game.package)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"the package of {game.name} has no folder")
    return Path(spec.origin).with_name(name)


def _spaces(game: Game) -> Spaces:
    return game.spaces(options_array(game, environment_values(game))[0])


def _facts(game: Game, version: int) -> str:
    spaces = _spaces(game)
    seats = game.texts.seats(options_array(game, environment_values(game))[0])
    first = "" if game.chance.outcomes else ", moves first"
    agents = [
        f"`player_{number}` ({seat}{first if number == 0 else ''})"
        for number, seat in enumerate(seats)
    ]
    shape, actions = spaces.observation, spaces.actions
    dice = "dice; `reset(seed=...)` determines the rolls"
    by_lot = "dice and the first player; `reset(seed=...)` determines both"
    chance = (
        (by_lot if "first" in game.environment_options else dice) if game.chance.outcomes else None
    )
    return _table(
        [
            ("PettingZoo", f'`make("aec", "pasgl_env/{game.name}-v{version}")`'),
            ("Gymnasium", f'`make("{gymnasium_id(game.name)}")`, against an opponent'),
            ("Import", f"`from pasgl_env.envs import {game.name}_v{version}`"),
            ("Agents", ", ".join(agents)),
            ("Action space", f"`Discrete({actions})`"),
            (
                "Observation space",
                f"`Dict`: `observation` uint8 {shape}, `action_mask` int8 ({actions},)",
            ),
            ("State space", f"uint8 {shape}"),
            ("Parallel API", "only `turn_based_aec_to_parallel(env())`: the agents take turns"),
            ("Chance", chance or "none: a seed changes nothing"),
            ("Render modes", "`ansi`, `rgb_array`, `human` (a window)"),
        ]
    )


def _usage(name: str, version: int, options: str) -> str:
    code = _USAGE.format(name=name, version=version, options=options)
    return f"```python\n{code}\n```"


def _planes(game: Game) -> str:
    return (
        f"{_plane_table(game.planes)}\n\n"
        "[What observations leave out](../interfaces.md#what-observations-leave-out) lists what"
        " is missing.\nWith the option `more_planes` these planes follow:\n\n"
        f"{_plane_table(game.more_planes)}"
    )


def _plane_table(planes: Sequence[Plane]) -> str:
    spans = (_span(plane.first, plane.first + plane.length - 1) for plane in planes)
    return _table([("Plane", "Meaning"), *zip(spans, (p.meaning for p in planes), strict=True)])


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _arguments(game: Game) -> str:
    defaults = environment_values(game)
    rows = [
        (
            f"`{option.name}`",
            str(defaults[option.name]),
            _allowed(option),
            option.meaning,
            ", ".join(_touched(game, option)) or "-",
        )
        for option in game.options
    ]
    return (
        '`env(render_mode=None, render_size=512, render_theme="light", reward="outcome",'
        " **options)` takes\nthese options:\n\n"
        + _table([("Option", "Default", "Allowed", "Meaning", "Also changes"), *rows])
        + "\n\nThe last column is about the other options at their defaults. *Spaces* are the sizes"
        " of observations\nand of the action space; *start* is the starting position. *Learned"
        " values* hold only for the value\nthat they were learned with."
    )


def _touched(game: Game, option: AnyOption) -> Iterator[str]:
    """The parts that an option changes besides the rules that its meaning names."""
    usual = options_array(game, {})[0]
    others = list(_records(game, option))
    if any(game.spaces(other) != game.spaces(usual) for other in others):
        yield "spaces"
    if isinstance(option, TextOption) or any(
        _start_text(game, other) != _start_text(game, usual) for other in others
    ):
        yield "start"
    if game.features is not None and option.name not in game.features.free:
        yield "learned values"


def _records(game: Game, option: AnyOption) -> Iterator[OptionsRecord]:
    """Options records with other values of an option, as far as they go with the defaults."""
    if isinstance(option, TextOption):
        return
    if isinstance(option, Option):
        values: Sequence[Any] = (option.low, option.default + 1, option.default + 2, option.high)
    else:
        values = option.values
    for value in values:
        with suppress(ValueError):
            yield options_array(game, {option.name: value})[0]


def _start_text(game: Game, record: OptionsRecord) -> str:
    state = np.zeros(1, game.state)[0]
    game.start(state, record)
    return game.texts.write(state, record)


def _allowed(option: AnyOption) -> str:
    return f"{option.low}-{option.high}" if isinstance(option, Option) else option.allowed


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown; the first row is its heading."""
    heading, *rest = rows
    lines = [heading, tuple("---" for _ in heading), *rest]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    write()
