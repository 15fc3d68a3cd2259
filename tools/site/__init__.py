"""The page as static files: games, lessons and puzzles in any browser, without a server.

`python -m tools.site FOLDER [VARIANT ...]` writes it; any server of files can serve the folder.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import product
from pathlib import Path
from shutil import copy
from typing import Any

from pasgl_env import lessons, puzzles
from pasgl_env.contract import parts, variants
from pasgl_env.contract.game import Game
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.dice import Dice
from pasgl_env.players.levels import LEVELS, player_at
from pasgl_env.puzzles import endings
from pasgl_env.render.svg.layout import plain
from pasgl_env.render.svg.theme import THEMES
from pasgl_env.storage.files import write_whole
from pasgl_env.version import __version__
from pasgl_env.wasm import build as compiled
from pasgl_env.web import drawings, guides
from pasgl_env.web.rules import page as rules_page
from tools.site.joining import bundle, importing, shared
from tools.site.options import Changes

STATIC = Path(drawings.__file__).parent / "static"
ENGINE = Path(__file__).parent
PLAYERS = ("random", "greedy", "td", "search:400")
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' {};"
    " img-src 'self' data: blob:; style-src 'self' 'unsafe-inline';"
    " base-uri 'none'; form-action 'none'"
)

EARLY = """
// Ask at once for what the first board needs: a file that waits for another one waits for the line.
window.engine = new Worker("engine/server.js", { type: "module" });
{
  const modules = MODULES;
  const [, page, named] = location.hash.split("/");
  const variant = page === "new" && modules[named] ? named : Object.keys(modules)[0];
  const { theme } = document.documentElement.dataset;
  const own = ["rules.json", "words.json", `${theme}.json`].map((kind) => `${variant}.${kind}`);
  const files = page && page !== "new" ? [] : ["catalogue.json", modules[variant], ...own];
  engine.postMessage({ files });
  for (const file of files) {
    fetch(`engine/${file}`)
      .then((answer) => (answer.ok ? answer.arrayBuffer() : null))
      .catch(() => null)
      .then((content) => engine.postMessage({ file, content }));
  }
}
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
    _write_endings(engine, rules, names)
    rules.write(engine)
    changes = {name: _changes(engine, variants.ruleset(name)) for name in names}
    about = catalogue(names, taught, changes)
    write_json(engine / "catalogue.json", {**about, "rules": rules.names})
    for name, theme in product(names, THEMES):
        write_whole(folder / "rules" / f"{name}.{theme}.html", rules_page(name, theme).encode())
    modules = {name: rules_module(variants.ruleset(name)) for name in names}
    write_whole(folder / "index.html", index(modules, _page(folder / "static")).encode())
    (engine / "glue.js").unlink()  # which the server's script contains
    own = _texts(compiled.STATIC) | _texts(ENGINE)
    del own["offline.js"]
    write_whole(engine / "server.js", _joined(engine, own, "server.js").encode())
    copy(ENGINE / "offline.js", folder)
    shell = [f"{file.parent.name}/{file.name}" for file in sorted(folder.glob("*/*.js"))]
    write_json(folder / "files.json", [".", *shell, "static/icon.svg"])


def _write_endings(engine: Path, rules: _Rules, names: list[str]) -> None:
    """Write the endings of some variants, and what each is played out by."""
    own = [ending for ending in endings.ENDINGS if ending.variant in names]
    for number, ending in enumerate(own):
        rules.add(ending.ruleset)
        write_json(engine / f"endings.{number}.json", endings.tree(ending))
    about = {**endings.listed(own), "dice": str(Dice(0).generator[0]), "words": endings.WORDS}
    write_json(engine / "endings.json", about)


def _page(folder: Path) -> str:
    """Write the modules that the page loads later; return the script with which it begins."""
    for name in ("icon.svg", "manifest.json"):
        copy(STATIC / name, folder)
    modules = _texts(STATIC)
    del modules["theme.js"]
    return _joined(folder, modules, "main.js").replace('"./', '"./static/')


def _joined(folder: Path, modules: dict[str, str], entry: str) -> str:
    """Write modules that are loaded later, and what they import from; return the script before."""
    text, bundled = bundle(modules, entry)
    end, main = shared(modules, bundled)
    write_whole(folder / "main.js", main.encode())
    for name in modules.keys() - bundled:
        write_whole(folder / name, importing(modules[name], bundled, "main.js").encode())
    for name in bundled:
        text = text.replace(f'"./{name}"', '"./main.js"')
    return f"{text}{end}"


def _texts(folder: Path) -> dict[str, str]:
    """The modules of a folder by their names."""
    return {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.js")}


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

    def add(self, ruleset: Ruleset) -> None:
        """Have the files of a ruleset written."""
        known = self.names.setdefault(ruleset.name, {})
        key = json.dumps(ruleset.unusual, sort_keys=True, separators=(",", ":"))
        if key not in known:
            known[key] = f"{ruleset.name}-{len(known)}" if known else ruleset.name
            self._rulesets[known[key]] = ruleset

    def write(self, engine: Path) -> None:
        """Write the files: what plays and shows positions apart from players, who come later."""
        for name, ruleset in self._rulesets.items():
            if name == ruleset.name:
                compiled.write(ruleset, engine)
            module, described = compiled.build(ruleset, compiled.POSITION)
            described["module"] = rules_module(ruleset)
            write_whole(engine / described["module"], module)
            write_json(engine / f"{name}.rules.json", described)
            write_json(engine / f"{name}.words.json", words(ruleset))
            for theme in THEMES:
                write_json(engine / f"{name}.{theme}.json", drawings.board(ruleset, theme))

    def step(self, step: lessons.Step) -> dict[str, Any]:
        """A step of a lesson: what is shown, and what judges it."""
        shown = drawings.course_step(step)
        position = step.start()
        self.add(position.ruleset)
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


def rules_module(ruleset: Ruleset) -> str:
    """The file of a module without players."""
    return f"{ruleset.game.cache_name}.rules.wasm"


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
        "notation": _said(parts.notation, game, "__name__", ""),
    }


def _said(part: Callable[[Game], Any], game: Game, name: str, otherwise: Any) -> Any:
    """What a part of a game says under a name, if there is one."""
    with suppress(NotImplementedError):
        return getattr(part(game), name, otherwise)
    return otherwise


def _changes(engine: Path, ruleset: Ruleset) -> set[str]:
    """Write how options change a variant's rules; return those that people may change."""
    known = Changes(ruleset, exported).known
    write_json(engine / f"{ruleset.name}.options.json", known)
    return set(known)


def exported(ruleset: Ruleset) -> dict[str, Any]:
    """What pages know of a ruleset, apart from the record of its options."""
    boards = {theme: drawings.board(ruleset, theme) for theme in THEMES}
    sizes = [*ruleset.spaces, ruleset.teams]
    whole = {"words": words(ruleset), "sizes": sizes, **boards, **compiled.edited(ruleset)}
    return json.loads(json.dumps(whole))


def catalogue(names: list[str], taught: list[str], changes: dict[str, set[str]]) -> dict[str, Any]:
    """What can be played: the answer to `hello`, without what needs a server."""
    whole = drawings.catalogue()
    known = [each for each in whole["variants"] if each["name"] in names]
    return {
        "package": __version__,
        "variants": [
            {
                **each,
                "lesson": each["name"] in taught and each["lesson"],
                "options": [
                    {**option, "needs_server": option["name"] not in changes[each["name"]]}
                    for option in each["options"]
                ],
            }
            for each in known
        ],
        "levels": whole["levels"],
        "players": list(PLAYERS),
        "levelPlayers": {
            name: {level.name: player_at(level.name, name) for level in LEVELS} for name in names
        },
    }


def index(modules: dict[str, str], page: str) -> str:
    """The page, whose server is in a worker.

    Scripts and styles are part of it: nothing that a file brings comes before the line has been
    waited for twice.

    Args:
        modules: those of the variants, by name.
        page: the script of the page.
    """
    text, theme, style = (
        (STATIC / name).read_text(encoding="utf-8")
        for name in ("index.html", "theme.js", "style.css")
    )
    text = re.sub('<link rel="modulepreload".*\n', "", text)
    early = f"{theme}{EARLY.replace('MODULES', json.dumps(modules))}"
    policy = POLICY.format(" ".join(map(_hash, (early, page))))
    charset = '<meta charset="utf-8">\n'
    for old, new in (
        ("<html ", '<html data-engine="worker" '),
        (charset, f'{charset}<meta http-equiv="Content-Security-Policy" content="{policy}">\n'),
        ('<link rel="stylesheet" href="static/style.css">', f"<style>{style}</style>"),
        ('<script src="static/theme.js"></script>', f"<script>{early}</script>"),
        ('<script type="module" src="static/main.js"></script>\n', ""),
        ("</body>", f'<script type="module">{page}</script>\n</body>'),
    ):
        text = text.replace(old, new, 1)
    return text


def _hash(script: str) -> str:
    """What a policy says of a script that it allows."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def write_json(file: Path, content: Any) -> None:
    """Write data as compact JSON."""
    write_whole(file, json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode())
