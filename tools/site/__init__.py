"""The page as static files: games, lessons and puzzles in any browser, without a server.

`python -m tools.site FOLDER [VARIANT ...]` writes it; any server of files can serve the folder.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import product
from pathlib import Path
from shutil import copy
from typing import Any

from pasgl_env import lessons, puzzles
from pasgl_env.contract import parts, variants
from pasgl_env.contract.game import Game, OptionValue
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.players.levels import LEVELS, player_at
from pasgl_env.render.svg.layout import plain
from pasgl_env.render.svg.theme import THEMES
from pasgl_env.storage.files import write_whole
from pasgl_env.wasm import build as compiled
from pasgl_env.web import drawings, guides
from pasgl_env.web.rules import page as rules_page
from tools.site.joining import bundle, importing

STATIC = Path(drawings.__file__).parent / "static"
ENGINE = Path(__file__).parent
PLAYERS = ("random", "greedy", "td", "search:400")
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{}';"
    " img-src 'self' data: blob:; style-src 'self' 'unsafe-inline';"
    " base-uri 'none'; form-action 'none'"
)

EARLY = """
// Ask at once for the files of the first board: each that waits for another one waits for the line.
(() => {
  const modules = MODULES;
  const [, page, named] = location.hash.split("/");
  const variant = page === "new" && modules[named] ? named : Object.keys(modules)[0];
  if (page && page !== "new") return;
  const { theme } = document.documentElement.dataset;
  const own = ["json", "words.json", `${theme}.json`].map((kind) => `${variant}.${kind}`);
  const data = ["catalogue.json", modules[variant], ...own].map((file) => ["preload", file]);
  for (const [rel, file] of [["modulepreload", "server.js"], ...data]) {
    const link = document.createElement("link");
    Object.assign(link, { rel, href: `engine/${file}`, crossOrigin: "anonymous" });
    if (rel === "preload") link.as = "fetch";
    document.head.append(link);
  }
})();
"""


def build(folder: Path, names: list[str]) -> None:
    """Write the page with these variants."""
    engine, rules = folder / "engine", _Rules()
    for part in ("engine", "rules", "static"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name in names:
        rules.add(variants.ruleset(name))
    taught = [name for name in lessons.taught() if name in names]
    for name in taught:
        write_json(engine / f"{name}.lesson.json", {"steps": list(map(rules.step, steps_of(name)))})
    solved = {name: puzzles.load(name) for name in puzzles.available() if name in names}
    for name, each in solved.items():
        write_json(engine / f"{name}.puzzles.json", {"steps": list(map(rules.puzzle, each))})
    listed = [[name, *told] for name, each in solved.items() for _, *told in each]
    write_json(engine / "puzzles.json", {"puzzles": listed})
    rules.write(engine)
    write_json(engine / "catalogue.json", {**catalogue(names, taught), "rules": rules.names})
    for name, theme in product(names, THEMES):
        write_whole(folder / "rules" / f"{name}.{theme}.html", rules_page(name, theme).encode())
    for file in STATIC.iterdir():
        copy(file, folder / "static")
    modules = {name: f"{variants.find(name).cache_name}.wasm" for name in names}
    write_whole(folder / "index.html", index(modules).encode())
    for file in ENGINE.glob("*.js"):
        copy(file, folder if file.name == "offline.js" else engine)
    _bundle(folder / "static", "main.js")
    _bundle(engine, "server.js")
    code = sorted(folder.glob("*/*.js"))
    shell = [f"{file.parent.name}/{file.name}" for file in code]
    write_json(folder / "files.json", [".", *shell, "static/style.css", "static/icon.svg"])


def _bundle(folder: Path, entry: str) -> None:
    """Put a module, and all that it always imports, into one file."""
    modules = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.js")}
    text, bundled = bundle(modules, entry)
    for name in bundled:
        (folder / name).unlink()
    for name in modules.keys() - bundled:
        changed = importing(modules[name], bundled, entry)
        write_whole(folder / name, changed.encode())
    write_whole(folder / entry, text.encode())


def steps_of(variant: str) -> tuple[lessons.Step, ...]:
    """The steps of a variant's lesson."""
    return lessons.lesson(variant).steps


class _Rules:
    """The rules that games, lessons and puzzles need, and the names of their files.

    Attributes:
        names: the names by variants and options that differ from the usual ones, as JSON.
    """

    def __init__(self) -> None:
        self.names: dict[str, dict[str, str]] = {}
        self._rulesets: dict[str, Ruleset] = {}

    def add(self, ruleset: Ruleset, options: Mapping[str, OptionValue] | None = None) -> None:
        """Have the files of a ruleset written."""
        known = self.names.setdefault(ruleset.name, {})
        key = json.dumps(options or {}, sort_keys=True, separators=(",", ":"))
        if key not in known:
            known[key] = f"{ruleset.name}-{len(known)}" if known else ruleset.name
            self._rulesets[known[key]] = ruleset

    def write(self, engine: Path) -> None:
        """Write the files."""
        for name, ruleset in self._rulesets.items():
            if name == ruleset.name:
                compiled.write(ruleset, engine)
            else:  # the same module, and no players
                _, described = compiled.build(ruleset)
                module = f"{ruleset.game.cache_name}.wasm"
                write_json(engine / f"{name}.json", {**described, "module": module})
            write_json(engine / f"{name}.words.json", words(ruleset))
            for theme in THEMES:
                write_json(engine / f"{name}.{theme}.json", drawings.board(ruleset, theme))

    def step(self, step: lessons.Step) -> dict[str, Any]:
        """A step of a lesson: what is shown, and what judges it."""
        shown = drawings.course_step(step)
        position = step.start()
        self.add(position.ruleset, step.options)
        states, choices = position.path
        return {
            "shown": shown,
            "variant": step.variant,
            "options": step.options,
            "runs": runs(states.tobytes()),
            "choices": choices.tolist(),
            "answers": plain(step.answers),
            "points": step.points,
            "wins": step.wins,
        }

    def puzzle(self, puzzle: puzzles.Puzzle) -> dict[str, Any]:
        """A puzzle, as a step."""
        step = puzzle.step()
        return {**self.step(step), "shown": None, "text": puzzle.text}


def runs(content: bytes) -> list[list[Any]]:
    """The parts of a state that are not zero: their offsets, and their bytes in Base64."""
    found = re.finditer(rb"[^\0](?:\0{0,9}[^\0])*", content, re.DOTALL)
    return [[each.start(), b64encode(each[0]).decode()] for each in found]


def words(ruleset: Ruleset) -> dict[str, Any]:
    """The words of which labels and sentences are made."""
    game, option = ruleset.game, ruleset.record[0]
    described = parts.description(game)
    return {
        "seats": plain(ruleset.seats),
        "hasPoints": game.has_points,
        "whyPass": _said(parts.guide, game, "WHY_PASS", guides.NOTHING_ELSE),
        "outcomes": [game.chance.label(outcome) for outcome in range(game.chance.outcomes)],
        "verbs": plain(described.VERBS),
        "squares": plain(described.SQUARES),
        "symbols": plain(tuple(described.symbols(option))),
        "questions": plain(_said(parts.description, game, "QUESTIONS", ())),
        "kinds": plain(_said(parts.events, game, "KINDS", ())),
    }


def _said(part: Callable[[Game], Any], game: Game, name: str, otherwise: Any) -> Any:
    """What a part of a game says under a name, if there is one."""
    with suppress(NotImplementedError):
        return getattr(part(game), name, otherwise)
    return otherwise


def catalogue(names: list[str], taught: list[str]) -> dict[str, Any]:
    """What can be played: the answer to `hello`, without what needs a server."""
    whole = drawings.catalogue()
    known = [each for each in whole["variants"] if each["name"] in names]
    return {
        "variants": [
            {**each, "options": [], "lesson": each["name"] in taught and each["lesson"]}
            for each in known
        ],
        "levels": whole["levels"],
        "players": list(PLAYERS),
        "levelPlayers": {
            name: {level.name: player_at(level.name, name) for level in LEVELS} for name in names
        },
    }


def index(modules: dict[str, str]) -> str:
    """The page, whose server is in a worker; ``modules`` are those of the variants."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    text = re.sub('<link rel="modulepreload".*\n', "", text)
    text = text.replace("<html ", '<html data-engine="engine/server.js" ', 1)
    theme = (STATIC / "theme.js").read_text(encoding="utf-8")
    early = f"{theme}{EARLY.replace('MODULES', json.dumps(modules))}"
    text = text.replace('<script src="static/theme.js"></script>', f"<script>{early}</script>", 1)
    known = b64encode(sha256(early.encode()).digest()).decode()
    policy = POLICY.format(known)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return re.sub("(<meta charset=.*>)", rf"\1\n{meta}", text, count=1)


def write_json(file: Path, content: Any) -> None:
    """Write data as compact JSON."""
    write_whole(file, json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode())
