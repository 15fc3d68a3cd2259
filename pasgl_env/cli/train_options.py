"""The options of ``pasgl train``, made from the dataclasses of settings."""

from __future__ import annotations

from inspect import Parameter
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer

from pasgl_env.training.settings import ALGORITHMS, RunSettings, Setting, settings_of


def parameters() -> list[Parameter]:
    """An option for each setting of any algorithm, as keyword parameters for typer."""
    return [_parameter(name) for name in _names()]


def given_settings(algorithm: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The settings given as arguments of the command, without those that are None.

    Raises:
        ValueError: for an unknown algorithm, or an option of another one.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"--algorithm must be {', '.join(ALGORITHMS)}, not {algorithm!r}")
    kind = ALGORITHMS[algorithm]
    known = settings_of(kind)
    given = {}
    for name, value in arguments.items():
        if value is None:
            continue
        if name not in known:
            owners = " and ".join(_owners(name))
            raise ValueError(f"{_flag(name)} is for {owners}, not for {algorithm}")
        given[name] = _names_in(value) if _type_of(kind, name) is tuple else value
    if any(name in given for name in kind.limits):
        given = {**dict.fromkeys(kind.limits), **given}
    return given


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _names() -> list[str]:
    """The names of all settings; those shared by all algorithms first."""
    every = {name: len(_owners(name)) for kind in ALGORITHMS.values() for name in settings_of(kind)}
    return sorted(every, key=lambda name: -every[name])


def _owners(name: str) -> list[str]:
    return [each for each, kind in ALGORITHMS.items() if name in settings_of(kind)]


def _type_of(kind: type[RunSettings], name: str) -> Any:
    """The type of a setting, without None."""
    hint = get_type_hints(kind)[name]
    if NoneType in get_args(hint):
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if get_origin(hint) is Literal:
        return str
    return get_origin(hint) or hint


def _parameter(name: str) -> Parameter:
    owners = _owners(name)
    kind = ALGORITHMS[owners[0]]
    read_as = _type_of(kind, name)
    option = typer.Option(
        _flag(name),
        metavar=None if read_as is bool else settings_of(kind)[name].metavar,
        help=_help(name, owners),
    )
    annotation = Annotated[(str if read_as is tuple else read_as) | None, option]  # type: ignore[valid-type]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _help(name: str, owners: list[str]) -> str:
    """The help of a setting: one text if it is the same for all algorithms."""
    sharing: dict[str, list[str]] = {}
    for algorithm in owners:
        sharing.setdefault(settings_of(ALGORITHMS[algorithm])[name].help, []).append(algorithm)
    texts = {f"{text[:-1]}{_usual(name, those)}.": those for text, those in sharing.items()}
    if list(texts.values()) == [list(ALGORITHMS)]:
        return next(iter(texts))
    return " ".join(f"{', '.join(those)}: {text}" for text, those in texts.items())


def _usual(name: str, owners: list[str]) -> str:
    """The default in words, after a help text; empty if there is none to state."""
    usual: dict[str, list[str]] = {}
    for algorithm in owners:
        kind = ALGORITHMS[algorithm]
        usual.setdefault(_shown(getattr(kind, name), settings_of(kind)[name]), []).append(algorithm)
    if list(usual) == [""]:
        return ""
    if len(usual) == 1:
        return f"; default: {next(iter(usual))}"
    return "; default: " + ", ".join(f"{text} with {' and '.join(w)}" for text, w in usual.items())


def _shown(default: Any, setting: Setting) -> str:
    if setting.usual or default is None or isinstance(default, bool):
        return setting.usual
    if isinstance(default, tuple):
        return ",".join(default)
    return f"{default:g}" if isinstance(default, float) else str(default)


def _names_in(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))
