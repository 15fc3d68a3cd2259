"""Two games in a distribution of their own, made of the files on the page about adding a game.

They go through every layer, and what is wrong with such a distribution harms no other variant.
"""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from configparser import ConfigParser
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test

from pasgl_env import Batch, Position, make, players, render, variants
from pasgl_env.animation import film_of
from pasgl_env.contract import parts
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.envs import registration
from pasgl_env.envs.vec import SelfPlayVecEnv
from pasgl_env.players import levels
from pasgl_env.players.search.analysis import analyse
from pasgl_env.records import GameRecord, notation, read_records, write_records
from pasgl_env.testing import GameFault, check_declaration, compiled_digests
from pasgl_env.training.settings import TdSettings
from pasgl_env.training.td import run as td
from pasgl_env.web import drawings, guides, rules

from .cli.runner import run

PAGE = Path(__file__).parents[1] / "docs" / "adding_a_game.md"
FILE = re.compile(r"```(?:python|toml)\n# (\S+)\n(.*?)```", re.DOTALL)


def files_on_the_page() -> dict[str, str]:
    """The contents of the files that the page shows, by their names; the last of each name."""
    return dict(FILE.findall(PAGE.read_text("utf-8")))


def files_of_the_first_game() -> dict[str, str]:
    """The files that the page shows before it says that the game can be installed."""
    return dict(FILE.findall(PAGE.read_text("utf-8").partition("Once the distribution")[0]))


def write_files(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def built(folder: Path, files: dict[str, str]) -> ZipFile:
    """The wheel of a distribution of these files, from the hook that pip calls."""
    write_files(folder / "source", files)
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    command = [sys.executable, "-c", build]
    subprocess.run(command, cwd=folder / "source", check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return ZipFile(wheel)


def modules(names: Iterable[str]) -> set[str]:
    """Those of some files that are modules."""
    return {name for name in names if name.endswith(".py")}


def install(root: Path, name: str, summary: str, entries: dict[str, str]) -> None:
    """The files that an installer writes besides a distribution's packages."""
    folder = root / f"{name.replace('-', '_')}-1.0.dist-info"
    folder.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nSummary: {summary}\n"
    (folder / "METADATA").write_text(metadata)
    lines = "".join(f"{key} = {value}\n" for key, value in entries.items())
    (folder / "entry_points.txt").write_text(f"[{variants.GROUP}]\n{lines}")


def forget() -> None:
    variants.table.cache_clear()
    variants._load.cache_clear()
    importlib.invalidate_caches()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder on the path of imports."""
    folder = tmp_path_factory.mktemp("site")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    forget()


@pytest.fixture(scope="module", autouse=True)
def small_games(site):
    """The distribution of the page, installed there."""
    files = files_on_the_page()
    project = tomllib.loads(files.pop("pyproject.toml"))["project"]
    write_files(site, files)
    install(site, project["name"], project["description"], project["entry-points"][variants.GROUP])
    forget()
    registration.register_all()
    yield
    for name in ("stones", "tictactoe"):
        pettingzoo.aec_registry.pop(f"pasgl_env/{name}-v0", None)
        gymnasium.registry.pop(f"pasgl_env/{name.title()}-v0", None)
    for name in [name for name in sys.modules if name.split(".")[0] in ("stones", "tictactoe")]:
        del sys.modules[name]


def test_it_is_in_the_table():
    assert variants.names()[-2:] == ("stones", "tictactoe")
    assert variants.find("stones").summary == "Take one to three stones, and the last one"
    assert variants.find("stones").title == "Stones"


@pytest.mark.parametrize("files", [files_of_the_first_game, files_on_the_page])
def test_its_wheel_has_all_modules_and_those_that_its_entry_points_name(files, tmp_path):
    pytest.importorskip("setuptools")
    wheel = built(tmp_path, files())
    packed = modules(wheel.namelist())
    assert packed == modules(files())
    (listed,) = (name for name in wheel.namelist() if name.endswith("/entry_points.txt"))
    entries = ConfigParser()
    entries.read_string(wheel.read(listed).decode())
    for value in entries[variants.GROUP].values():
        name = value.partition(":")[0]
        assert packed & {f"{name}.py", f"{name}/__init__.py"}, value


def test_the_page_imports_only_what_it_says_is_public():
    files, page = files_on_the_page(), PAGE.read_text("utf-8")
    stated = set(re.findall(r"`([\w.]+)`", page.partition("| Module |")[2].partition("\n\n")[0]))
    for name, content in files.items():
        for node in ast.walk(ast.parse(content)) if name.endswith(".py") else ():
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("pasgl_env"):
                assert node.module in stated, name


class TestTicTacToe:
    """The page's first example, in one short file."""

    def test_it_is_short(self):
        lines = files_on_the_page()["tictactoe.py"].splitlines()
        assert sum(bool(line) for line in lines) <= 45

    def test_the_rules_do_as_they_say(self):
        check_declaration(variants.find("tictactoe"))
        position = Position("tictactoe")
        assert (position.perft(5), position.perft(6)) == (15120, 54720)
        for label in "b2 a1 c3 c1 b1 b3 a2 c2 a3".split():
            assert position.returns is None
            position.play(label)
        assert position.returns == (0, 0)

    def test_a_record_is_valid_if_its_text_reads_back_to_it(self):
        state = Position.from_text("tictactoe", "XX.OO....").state
        assert Position.from_state("tictactoe", state).text == "XX.OO...."
        with pytest.raises(ValueError, match="board: 'XXX"):
            Position.from_text("tictactoe", "XXX......")
        batch, rows = Batch("tictactoe", 2), np.repeat(state, 2)
        batch.states = rows
        for marks in (1, 2, 99):
            rows["marks"][1, 1, 0] = marks
            with pytest.raises(ValueError, match="record 1: not a possible position"):
                batch.states = rows
            with pytest.raises(ValueError, match="not a possible position"):
                Position.from_state("tictactoe", rows[1])

    @pytest.mark.parametrize(
        ("rule", "line", "instead", "said"),
        [
            ("start", "state.marks[:] = 0", "state.marks[:] = START", "it allocates memory"),
            (
                "turns",
                "return state.marks.sum()",
                "return state.marks.count()",
                "attribute 'count'",
            ),
        ],
    )
    def test_a_rule_that_cannot_be_compiled_is_named(
        self, rule, line, instead, said, tmp_path, monkeypatch
    ):
        content = files_on_the_page()["tictactoe.py"].replace(line, instead)
        file = tmp_path / f"wrong_{rule}.py"
        file.write_text(f"{content}START = np.zeros((2, 9), np.int8)\n")
        monkeypatch.syspath_prepend(tmp_path)
        game = importlib.import_module(file.stem).GAME
        number = file.read_text().splitlines().index(f"    {instead}") + 1
        with pytest.raises(GameFault) as fault:
            compiled_digests(game, 0)
        assert str(fault.value).startswith(f"{rule}: cannot be compiled, {file} line {number}: ")
        assert said in str(fault.value)

    @pytest.mark.parametrize("name", ["mcts:400", "greedy"])
    def test_players_find_the_winning_move(self, name):
        position = Position.from_text("tictactoe", "XX.OO....")
        for seed in range(20):
            player = players.make(name, "tictactoe", seed=seed)
            assert position.label(players.choose_one(player, position)) == "c3"

    def test_the_analysis_searches_it_without_learned_values(self):
        seen = next(analyse(Position.from_text("tictactoe", "XX.OO...."), seed=1, every=0.05))
        assert seen.lines[0].label == seen.expected[0] == "c3"

    @pytest.mark.parametrize("level", levels.LEVELS, ids=lambda level: level.name)
    def test_every_level_plays_it_without_learned_values(self, level):
        position = Position.from_text("tictactoe", "XX.OO....")
        player = players.make(levels.player_at(level.name, "tictactoe"), "tictactoe", seed=1)
        assert players.choose_one(player, position) in position.legal_actions()

    def test_it_is_shown_by_its_text_and_its_summary(self):
        position = Position("tictactoe")
        render.rehearse(position)
        assert ">.........</text>" in render.svg(position)
        film = film_of(GameRecord.of(position, ["a1"]))
        assert len(film) == 2
        assert "<h1>Tic-tac-toe</h1>" in rules.page("tictactoe", "light").replace(
            ' id="rules-tic-tac-toe"', ""
        )

    @pytest.mark.parametrize("suffix", [".pgr", ".pgb"])
    def test_records_hold_its_games_without_a_notation(self, suffix, tmp_path):
        game = GameRecord.of(Position("tictactoe"), "b2 a1 c3 c1 b1 b3 a2 c2 a3".split())
        write_records(tmp_path / f"game{suffix}", [game])
        assert list(read_records(tmp_path / f"game{suffix}")) == [game]

    @pytest.mark.parametrize(
        ("word", "said"), [("a9", "'a9' is not legal here"), ("a1,a1", "the turn is over before")]
    )
    def test_turns_are_written_as_labels(self, word, said):
        assert notation.read(Position("tictactoe"), "a1") == ("a1",)
        with pytest.raises(notation.NotationError, match=said):
            notation.read(Position("tictactoe"), word)


def test_a_position_is_played_and_named():
    position = Position("stones", stones=5).play("take2")
    assert position.text == "3 b 1"
    assert Position.from_text("stones", "3 b 1").legal_moves() == ["take1", "take2", "take3"]
    assert position.play("take3").returns == (-1.0, 1.0)
    assert position.perft(1) == 0
    assert Position("stones").perft(3) == 27


@pytest.mark.parametrize("text", ["11 w 0", "x w 0", "3 g 0", "3 w -1", "3 w"])
def test_a_wrong_text_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"stones|mover|turns"):
        Position.from_text("stones", text)


def test_many_games_are_played_at_once():
    batch = Batch("stones", 50, seed=1)
    for _ in range(20):
        batch.step(batch.sample())
    assert batch.terminated.any()


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the test itself, about its own mask
def test_pettingzoo_takes_its_environment():
    api_test(pettingzoo.make("aec", "pasgl_env/stones-v0"), num_cycles=50)
    assert str(make("stones")) == "stones_v0"
    env = make("stones", render_mode="ansi")
    env.reset()
    assert env.render().startswith("oooooooooo")


def test_gymnasium_takes_its_environments():
    env = gymnasium.make("pasgl_env/Stones-v0", opponent="greedy")
    observation, info = env.reset(seed=1)
    assert observation.shape == (4, 1, 1)
    env.step(int(info["action_mask"].argmax()))
    vector = gymnasium.make_vec("pasgl_env/Stones-v0", num_envs=4)
    observations, infos = vector.reset(seed=1)
    assert observations.shape == (4, 4, 1, 1)
    vector.step(infos["action_mask"].argmax(axis=1))


def test_stable_baselines_takes_its_environment():
    vec = SelfPlayVecEnv("stones", 4)
    vec.reset()
    _, _, _, infos = vec.step(vec.action_masks().argmax(axis=1))
    assert len(infos) == 4


def test_players_play_it():
    """With 400 simulations, tree search finds the only move that wins."""
    position = Position("stones", stones=7)
    searcher = players.make("mcts:400", "stones", seed=1)
    assert position.label(players.choose_one(searcher, position)) == "take3"


@pytest.mark.parametrize("name", ["greedy", "td"])
def test_players_that_look_one_action_ahead_see_the_end(name):
    """Values of neither are any use: the game has no evaluation, and no values were learned."""
    for number in (1, 2, 3):
        position = Position.from_text("stones", f"{number} b 9")
        for seed in range(20):
            player = players.make(name, "stones", seed=seed)
            assert position.label(players.choose_one(player, position)) == f"take{number}"


def test_values_are_learned_and_searched(tmp_path):
    td.train(TdSettings("stones", games=200, threads=1, seed=1), tmp_path / "run")
    for name in (f"td:values={tmp_path / 'run'}", f"search:50:values={tmp_path / 'run'}"):
        player = players.make(name, "stones", seed=1)
        position = Position("stones")
        assert players.choose_one(player, position) in position.legal_actions()


def test_it_is_drawn_and_told():
    position = Position("stones").play("take2")
    assert str(position).startswith("oooooooo\n")
    assert render.svg(position).count("<circle") == 8
    assert len(render.places(position.ruleset)) == 10
    assert "Whoever takes the last one wins." in render.summary(position.ruleset)


def test_its_records_come_back(tmp_path):
    position = Position("stones", stones=4)
    game = GameRecord.of(position, ["take1", "take3"])
    for name in ("games.pgr", "games.pgb"):
        write_records(tmp_path / name, [game])
        (back,) = read_records(tmp_path / name)
        assert back.choices == game.choices
        assert back.ruleset == game.ruleset
    assert "1. 1 3" in (tmp_path / "games.pgr").read_text()


def test_playtests_count_it(tmp_path):
    done = run("playtest", "stones", "--games", "20", "--out", str(tmp_path / "run"))
    assert done.exit_code == 0, done.output
    assert "takings" in (tmp_path / "run" / "results.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["variants"], "Stones: Take one to three stones, and the last one"),
        (["variants", "stones"], "stones at the start"),
        (["show", "stones"], "oooooooooo"),
        (["rules", "stones"], "take one, two or three"),
        (["draw", "stones", "-o", "stones.svg"], "<circle"),
        (["evaluate", "stones", "random", "random", "--games", "20"], "20 games"),
        (["train", "stones", "--algorithm", "td", "--minutes", "0.01"], "pasgl play stones"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_the_command_line_knows_it(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    drawn = "".join(path.read_text() for path in tmp_path.glob("*.svg"))
    assert said in done.output + drawn


def test_the_web_page_lists_and_explains_it():
    catalogue = drawings.catalogue.__wrapped__()
    assert catalogue["variants"][-2]["title"] == "Stones"
    position = Position("stones")
    assert guides.pieces(position.ruleset)[0].name == "Stone"
    assert guides.explain(position, "a1") == ["A stone."]
    assert guides.edited(position, guides.FieldValue("mover", "b")).to_move == 1


def test_a_part_that_is_missing_is_named():
    with pytest.raises(NotImplementedError, match="stones has no statistics/material"):
        parts.material(variants.find("stones"))


def test_a_position_without_a_diagram_is_shown_by_its_text():
    bare = replace(variants.find("stones"), package="")
    position = Position(Ruleset.of(bare, {}))
    assert str(position) == render.compact_diagram(position) == position.text


class TestWrongDistributions:
    """Each is named, and all other variants are as they were."""

    @pytest.fixture
    def installed(self, tmp_path, monkeypatch):
        """Installs a distribution that declares these variants."""
        monkeypatch.syspath_prepend(tmp_path)

        def installed(entries: dict[str, str], **modules: str) -> None:
            for name, content in modules.items():
                (tmp_path / f"{name}.py").write_text(content)
            install(tmp_path, "odd-games", "Odd games", entries)
            forget()

        yield installed
        forget()

    def test_one_that_cannot_be_imported(self, installed):
        installed({"broken_v0": "broken_game:GAME"}, broken_game="import nothing_like_it\n")
        with pytest.raises(ImportError, match=r"'broken' of odd-games cannot be loaded .*nothing_"):
            variants.find("broken")
        with pytest.warns(UserWarning, match="broken"):
            assert "broken" not in variants.loadable()
        assert Position("stones").legal_moves()

    def test_one_that_is_no_game(self, installed):
        installed({"broken_v0": "no_game:GAME"}, no_game="GAME = 5\n")
        with pytest.raises(ImportError, match=r"no_game:GAME is 5, not a Game of that name"):
            variants.find("broken")

    def test_one_of_another_name(self, installed):
        installed({"other_v0": "pasgl_env.games.pasgl312:GAME"})
        with pytest.raises(ImportError, match="is the game 'pasgl312', not a Game of that name"):
            variants.find("other")

    def test_a_name_that_is_taken(self, installed):
        installed({"pasgl312_v0": "broken_game:GAME"})
        with pytest.warns(
            UserWarning, match=r"odd-games is ignored: the name is already used .*pasgl-env"
        ):
            assert variants.table()["pasgl312"].distribution == "pasgl-env"

    def test_a_name_without_a_version(self, installed):
        installed({"broken": "broken_game:GAME"})
        with pytest.warns(UserWarning, match="'broken' of odd-games is ignored.*'stones_v0'"):
            assert "broken" not in variants.names()
