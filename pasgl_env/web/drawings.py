"""What pages need that show a board: layouts, scenes, legends."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pasgl_env import lessons, render
from pasgl_env.contract import variants
from pasgl_env.contract.events import sentences
from pasgl_env.contract.game import MORE_PLANES, AnyOption, Choice, Option
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.contract.scene import scene
from pasgl_env.engine.position import Position
from pasgl_env.lessons import Lesson, Step
from pasgl_env.players import names as player_names
from pasgl_env.players.levels import LEVELS
from pasgl_env.render.svg.layout import plain
from pasgl_env.render.svg.theme import THEMES as COLOURS
from pasgl_env.render.words import mover, result
from pasgl_env.web import guides
from pasgl_env.web.protocol import sent

THEMES = ("light", "dark")
STEP_TEXTS = ("title", "say", "signs", "task", "done", "help")


def drawing(position: Position) -> dict[str, Any]:
    """What the page's renderer draws: sprites and marks, or a diagram in a game without scenes."""
    marks, ruleset = render.marks_of(position), position.ruleset
    try:
        sprites = scene(ruleset.game, position.state[0], ruleset.record[0], marks.rolled)
    except NotImplementedError:
        return {"diagram": render.diagram(position)}
    return {
        "sprites": sprites.tolist(),
        "last": sorted(marks.last),
        "targets": sorted(marks.targets),
        "moves": marks.moves,
    }


def _layout(ruleset: Ruleset, theme: str) -> dict[str, Any]:
    """The layout of a variant's drawings; of one without scenes what its diagrams need."""
    try:
        return render.layout(ruleset, theme=theme)
    except NotImplementedError:
        bare = render.bare_board(ruleset, theme=theme)
        colours = plain(COLOURS[theme])
        return {"title": ruleset.game.title, "size": [bare.width, bare.height], "theme": colours}


@lru_cache(maxsize=64)
def board(ruleset: Ruleset, theme: str) -> dict[str, Any]:
    """The layout, the positions of the squares, and the legend."""
    return {
        "layout": _layout(ruleset, theme),
        "places": {name: list(box) for name, box in render.places(ruleset).items()},
        "seats": list(ruleset.seats),
        "teams": list(ruleset.teams),
        "signs": guides.signs(ruleset),
        "board_signs": guides.signs(ruleset, "BOARD_SIGNS"),
        "symbols": {
            symbol.text: {
                "owner": "" if symbol.seat is None else ruleset.seats[symbol.seat],
                "name": symbol.name,
                "condition": symbol.condition,
                "icon": symbol.icon or symbol.text,
            }
            for symbol in guides.symbols(ruleset)
        },
        "pieces": [piece._asdict() for piece in guides.pieces(ruleset)],
    }


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """The variants, their options and the available players."""
    return {
        "variants": [_variant(name) for name in variants.loadable()],
        "levels": [level._asdict() for level in LEVELS],
        "players": list(player_names()),
    }


def _variant(name: str) -> dict[str, Any]:
    usual = variants.ruleset(name)
    game = usual.game
    return {
        "name": name,
        "title": game.title,
        "summary": game.summary,
        "note": game.note,
        "has_dice": game.chance.outcomes > 0,
        "lesson": _card(name),
        "options": [
            {**_option(option), "usual": usual.options[option.name]}
            for option in game.options
            if option != MORE_PLANES
        ],
    }


def _card(name: str) -> dict[str, Any] | None:
    """The aim of a variant and how to play it; None if it has no lesson."""
    try:
        lesson = lessons.lesson(name)
    except NotImplementedError:
        return None
    return {
        "aim": lesson.aim,
        "how": lesson.how,
        "steps": [[step.variant, step.title] for step in lesson.steps],
    }


def _option(option: AnyOption) -> dict[str, Any]:
    common = {"name": option.name, "default": option.default, "meaning": option.meaning}
    if isinstance(option, Option):
        return {**common, "kind": "number", "low": option.low, "high": option.high}
    if isinstance(option, Choice):
        return {**common, "kind": "choice", "values": list(option.values)}
    return {**common, "kind": "text", "allowed": option.allowed}


def course(lesson: Lesson) -> dict[str, Any]:
    """A lesson as clients see it."""
    return {"steps": list(map(course_step, lesson.steps))}


def course_step(step: Step) -> dict[str, Any]:
    """A step of a lesson as clients see it."""
    return {
        "variant": step.variant,
        "options": step.options,
        **{name: getattr(step, name) for name in STEP_TEXTS},
        "answer": step.own(step.answers[0]),
    }


def seen(position: Position) -> dict[str, Any]:
    """A position as clients see it, apart from any game."""
    return {
        "text": position.text,
        "options": position.options,
        "to_move": position.to_move,
        "turn": position.turns,
        "labels": position.labels,
        "last_turn": position.last_turn,
        "events": sentences(position.events, position.seats),
        "question": position.question,
        "legal": list(map(sent, position.choices)),
        "rolls": [
            [position.label(roll), round(share, 6)] for roll, share in position.chance_outcomes()
        ],
        "points": list(position.points) if position.ruleset.game.has_points else None,
        "over": position.is_over,
        "ending": result(position) if position.is_over else "",
        "whose": "" if position.is_over else mover(position),
        "returns": position.returns,
    }
