"""``check_game``: find where a game breaks the contract of :class:`pasgl_env.contract.game.Game`.

What Gymnasium's ``check_env`` and PettingZoo's ``api_test`` do for environments, this does for the
rules behind them. It checks the game's declaration, plays random games under each option with the
rules as plain Python, where NumPy checks every index, and then plays the same games compiled.

>>> check_game("pachessi", seconds=1)  # raises GameFault if something is wrong

``pasgl check-game NAME`` does the same.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from traceback import extract_tb
from typing import Any, NoReturn

import numpy as np
from numba.core.errors import NumbaError

from pasgl_env import render
from pasgl_env.contract import variants
from pasgl_env.contract.base import always_has_room
from pasgl_env.contract.game import Game, Option, OptionValue, brief
from pasgl_env.contract.ruleset import Ruleset
from pasgl_env.engine.position import Position, text_fields
from pasgl_env.jit.compiled import JIT
from pasgl_env.records.files import read_records, write_records
from pasgl_env.records.game import GameRecord

MOST_ACTIONS = 200
COMPILED_ACTIONS = 60
"""Actions of a game that is played both ways."""
FORGOTTEN_ACTIONS = 2
"""Actions that are tried after :attr:`Game.forget` in each position."""
GARBAGE = 7
"""Rows are written twice, over zeros and over this: a rule must write them whole."""
_INT32 = np.iinfo(np.int32)


class GameFault(AssertionError):
    """A game breaks the contract; the message names the rule or field, and the position."""


def check_game(game: str | Game, *, seconds: float = 20.0, seed: int = 0) -> None:
    """Check that a game keeps the contract.

    Args:
        game: a variant's name, or a game that is not in the table of variants; then only plain
            Python is checked, in this process.
        seconds: time for random games as plain Python. Compiling, if it is needed, takes longer.
        seed: seed of these games.

    Raises:
        GameFault: for the first fault found.
        ValueError: for an unknown variant.
        ImportError: if the game cannot be imported.
    """
    if isinstance(game, Game):
        check_declaration(game)
        check_play(game, seconds, seed)
        return
    found = variants.find(game)
    check_declaration(found)
    if not JIT:
        check_play(found, seconds, seed)
        return
    digests = _in_plain_python(game, seconds, seed)
    here = compiled_digests(found, seed)
    for setting, (one, other) in enumerate(zip(digests, here, strict=True)):
        if one != other:
            raise GameFault(
                f"{game} plays differently compiled and as plain Python under"
                f" {_shown(_settings(found)[setting])}: read small integers through wide(), and"
                " change no table at run time"
            )


def check_declaration(game: Game) -> None:
    """Check a game's declaration, without calling a rule.

    Raises:
        GameFault: for the first fault found.
    """
    names = [option.name for option in game.options]
    _expect(game.name.isidentifier(), f"name: {game.name!r} is not an identifier")
    _expect(len(set(names)) == len(names), f"options: two have the same name, of {names}")
    for option in game.options:
        _check_option(option)
    unknown = set(game.environment_options) - set(names)
    _expect(not unknown, f"environment_options: {sorted(unknown)} are not among the options")
    _expect(game.state.names is not None, "state: must be a structured dtype")
    fields: dict[str, Any] = dict(game.state.fields or {})
    used = sum(dtype.itemsize for dtype, *_ in fields.values())
    _expect(used == game.state.itemsize, "state: has padding; put the wide fields first")
    hidden = [name for name in fields if hasattr(np.ndarray, name)]
    _expect(not hidden, f"state: fields may not have names of array attributes, as {hidden}")
    _check_spaces(game)


def _check_option(option: Any) -> None:
    try:
        encoded = option.encode(option.default)
    except ValueError as error:
        raise GameFault(f"options: {option.name} does not allow its own default") from error
    _expect(
        option.decode(np.asarray(encoded)) == option.default,
        f"options: the default of {option.name} does not come back from the record",
    )
    if isinstance(option, Option):
        _expect(
            _INT32.min <= option.low <= option.high <= _INT32.max,
            f"options: {option.name} must fit in 32 bits, not {option.low} to {option.high}",
        )


def _check_spaces(game: Game) -> None:
    try:
        ruleset = Ruleset.of(game, {})
    except ValueError as error:
        raise GameFault(f"options: {error}") from error
    spaces, last = ruleset.spaces, 0
    for plane in game.planes:
        _expect(plane.first == last, f"planes: {plane.meaning!r} must begin at {last}")
        last += plane.length
    _expect(
        spaces.observation[0] == last,
        f"spaces: {spaces.observation[0]} planes, but the table of planes has {last}",
    )
    _expect(
        len(ruleset.seats) == spaces.players,
        f"seats: {len(ruleset.seats)} names for {spaces.players} players",
    )
    teams = sorted(set(ruleset.teams))
    _expect(teams == list(range(len(teams))), f"team: teams are numbered from 0, not {teams}")
    _expect(len(teams) > 1, "team: a game needs at least two sides")


def check_play(game: Game, seconds: float, seed: int) -> None:
    """Play random games under each option's values, and check every position.

    Raises:
        GameFault: for the first fault found.
    """
    settings = _settings(game)
    for number, options in enumerate(settings):
        ruleset, until = Ruleset.of(game, options), perf_counter() + seconds / len(settings)
        rng = Random(f"{seed}/{number}")
        while True:
            position = _played(ruleset, rng, until)
            if position is not None:
                _check_damaged(position, rng)
            if perf_counter() > until:
                break


def compiled_digests(game: Game, seed: int) -> list[str]:
    """A digest of everything in a short random game under each option's values.

    Raises:
        GameFault: if a rule cannot be compiled.
    """
    try:
        return [
            _digest(Position(Ruleset.of(game, options)), Random(f"{seed}/{number}"))
            for number, options in enumerate(_settings(game))
        ]
    except NumbaError as error:
        raise GameFault(_why_not_compiled(error)) from error


def _digest(position: Position, rng: Random) -> str:
    seen = sha256()
    for _ in range(COMPILED_ACTIONS):
        seen.update(position.state.tobytes() + position.action_mask.tobytes())
        if position.is_over:
            break
        if not position.is_chance:
            seen.update(position.observation().tobytes())
        position.play_action(rng.choice(position.legal_actions()))
    return seen.hexdigest()


def _settings(game: Game) -> list[dict[str, OptionValue]]:
    """The default options, and each option at its other or extreme values, where these go."""
    found: list[dict[str, OptionValue]] = [{}]
    for option in game.options:
        values = getattr(option, "values", None)
        if isinstance(option, Option):
            values = sorted({option.low, option.high, option.default + 1} - {option.default})
        for value in values or ():
            try:
                Ruleset.of(game, {option.name: value})
            except ValueError:
                continue
            if value != option.default:
                found.append({option.name: value})
    return found


def _in_plain_python(name: str, seconds: float, seed: int) -> list[str]:
    """Run :func:`check_play` in a process without the JIT; return the digests of its games."""
    done = subprocess.run(
        [sys.executable, "-m", "pasgl_env.testing", name, str(seconds), str(seed)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise GameFault(f"{name} cannot be played as plain Python:\n{done.stderr[-3000:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    if found["fault"]:
        raise GameFault(found["fault"])
    digests: list[str] = found["digests"]
    return digests


def _why_not_compiled(error: NumbaError) -> str:
    """The innermost rule that Numba was compiling, its line, and the reason."""
    text = str(error)
    rule = re.search(r"CompiledFunction\(<function (\w+)", text)
    places = re.findall(r" at (\S+\.py) \((\d+)\)", text)
    file, line = next((each for each in places if "numba" not in Path(each[0]).parts), ("", ""))
    reason = next(line for line in text.splitlines() if not line.startswith("Failed in"))
    if "NRT required" in reason:
        reason = "it allocates memory: write arrays element by element, and make no lists"
    return f"{rule[1] if rule else 'rules'}: cannot be compiled, {file} line {line}: {reason}"


class _Checked:
    """The checks of one position: each method is one sentence of the contract."""

    def __init__(self, position: Position) -> None:
        self.position, self.ruleset = position, position.ruleset
        self.game, self.option = self.ruleset.game, self.ruleset.record[0]
        self.state = position.state[0]

    def all(self) -> None:
        """Run every check.

        Raises:
            GameFault: for the first fault found; names the position.
        """
        before = self.state.tobytes(), self.ruleset.record.tobytes()
        for rules, check in (
            ("to_move or turns", self.player_is_one_of_them),
            ("legal_actions", self.mask_is_whole),
            ("chance.weight or chance.outcome", self.chance_adds_up),
            ("is_valid", self.record_is_valid),
            ("is_terminal", self.end_is_known),
            ("forget", self.what_is_forgotten_does_not_matter),
            ("label", self.labels_are_unique),
            ("describe", self.actions_are_described),
            ("write or read", self.text_comes_back),
            ("scene", self.scene_is_drawn),
            ("observe", self.observation_is_whole),
            ("evaluate, potential or points", self.values_are_numbers),
            ("features.write", self.features_are_in_range),
            ("in_turn, is_quiescent or question", self.turn_asks_what_is_open),
            ("winner", self.result_is_a_players),
            ("state", self.copies_are_equal),
        ):
            try:
                check()
            except (GameFault, NumbaError):
                raise
            except Exception as error:
                self.fault(rules, _why_raised(error))
            if (self.state.tobytes(), self.ruleset.record.tobytes()) != before:
                self.fault(rules, "may only read the state and the options, and changed them")

    def fault(self, where: str, what: str) -> NoReturn:
        raise GameFault(f"{where}: {what}, at {_place(self.position)}")

    def expect(self, holds: object, where: str, what: str) -> None:
        if not holds:
            self.fault(where, what)

    def record_is_valid(self) -> None:
        if self.game.is_valid is None:
            self.text_comes_back()  # otherwise what is wrong with it would be the record's fault
        self.expect(
            self.game.accepts(self.state, self.option), "is_valid", "refuses a state of a game"
        )

    def mask_is_whole(self) -> None:
        masks, counts = [], []
        for filling in (0, GARBAGE):
            mask = np.full(self.ruleset.spaces.actions, filling, np.uint8)
            counts.append(int(self.game.legal_actions(self.state, self.option, mask)))
            masks.append(mask)
        self.expect((masks[0] == masks[1]).all(), "legal_actions", "does not write the whole mask")
        self.expect(
            masks[0].max(initial=0) <= 1, "legal_actions", "writes marks other than 0 and 1"
        )
        marked = int(masks[0].sum())
        self.expect(
            counts == [marked] * 2,
            "legal_actions",
            f"returns {counts[0]}, and marks {marked} of the {masks[0].size} in spaces.actions",
        )

    def end_is_known(self) -> None:
        rule = self.game.is_terminal
        if rule is not None and rule(self.state, self.option):
            self.expect(self.position.is_over, "is_terminal", "is true before the end")

    def player_is_one_of_them(self) -> None:
        mover, players = int(self.game.to_move(self.state)), self.ruleset.spaces.players
        self.expect(-1 <= mover < players, "to_move", f"is {mover} of {players} players")
        turns = int(self.game.turns(self.state))
        self.expect(turns >= 0, "turns", f"is {turns}")

    def chance_adds_up(self) -> None:
        weight = int(self.game.chance.weight(self.state, self.option))
        mover = int(self.game.to_move(self.state))
        self.expect(
            (weight > 0) == (mover == -1), "chance.weight", f"is {weight} where to_move is {mover}"
        )
        numbers = range(weight) if weight <= 10_000 else (0, weight // 2, weight - 1)
        outcomes = {int(self.game.chance.outcome(self.state, self.option, n)) for n in numbers}
        wrong = [each for each in outcomes if not 0 <= each < self.game.chance.outcomes]
        most = self.game.chance.outcomes
        self.expect(not wrong, "chance.outcome", f"{wrong[:3]} of {most} outcomes")

    def what_is_forgotten_does_not_matter(self) -> None:
        rest = self.position.state
        self.game.forget(rest[0], self.option)
        choices, what = self._choices(rest[0]), "changes what is legal or due"
        self.expect(choices == self._choices(self.state), "forget", what)
        acts = self.game.chance.apply if self.position.is_chance else self.game.play
        for choice in choices[:FORGOTTEN_ACTIONS]:
            both = np.concatenate([rest, self.position.state])
            for state in both:
                acts(state, self.option, choice)
            same = self._choices(both[0]) == self._choices(both[1])
            self.expect(same, "forget", f"{what} after {self.position.label(choice)!r}")

    def _choices(self, state: Any) -> list[int]:
        """The legal actions in a state, or the outcomes at a chance node."""
        weight = int(self.game.chance.weight(state, self.option))
        if weight > 0:
            chance = self.game.chance
            return sorted({int(chance.outcome(state, self.option, n)) for n in range(weight)})
        mask = np.zeros(self.ruleset.spaces.actions, np.uint8)
        self.game.legal_actions(state, self.option, mask)
        return [int(action) for action in np.flatnonzero(mask)]

    def labels_are_unique(self) -> None:
        position, seen = self.position, dict[str, int]()
        for action in position.legal_actions():
            label = position.label(action)
            self.expect(label and isinstance(label, str), "label", f"of {action} is {label!r}")
            if label in seen:
                self.fault("label", f"actions {seen[label]} and {action} are both {label!r}")
            seen[label] = action
            bad = "," in label or (" " in label and not self.game.texts.spaced_labels)
            bad = bad and not position.is_chance
            self.expect(not bad, "label", f"{label!r} has a comma or a space")
            self.expect(position.action(label) == action, "label", f"{label!r} is another action")

    def actions_are_described(self) -> None:
        for action in self.position.legal_actions():
            if self.position.is_chance:
                return
            try:
                self.position.describe(action)
            except KeyError as error:
                self.fault("describe", f"writes no {error} for action {action}, which a form needs")

    def scene_is_drawn(self) -> None:
        try:
            drawn = render.drawing(self.position)
            for name, box in render.places(self.ruleset).items():
                inside = min(box[:2]) >= 0 and box.x + box.width <= drawn.width
                inside = inside and box.y + box.height <= drawn.height
                self.expect(inside, "layout", f"has {name} outside the drawing")
        except NotImplementedError:
            return
        except KeyError as error:
            self.fault("scene or layout", f"knows no {error}, which a look or a mark needs")

    def text_comes_back(self) -> None:
        try:
            text = self.position.text
        except Exception as error:
            self.fault("write", f"raises {type(error).__name__}: {error}")
        wanted = text_fields(self.game)
        fields = len(text.split(" ", wanted)) - self.position.in_turn
        self.expect(fields == wanted, "write", f"{text!r} has not the {wanted} fields of a start")
        try:
            again = Position.from_text(self.ruleset, text)
        except Exception as error:
            self.fault("read", f"refuses the text {text!r}: {type(error).__name__}: {error}")
        self.expect(again.text == text, "read", f"makes {again.text!r} of {text!r}")
        if self.game.has_no_room is always_has_room:
            self.expect(
                again.legal_moves() == self.position.legal_moves(), "read", f"forgets in {text!r}"
            )
            if not self.position.is_chance and not self.position.is_over:
                same = (again.observation() == self.position.observation()).all()
                self.expect(same, "observe", "shows what the text does not say")

    def observation_is_whole(self) -> None:
        for player in range(self.ruleset.spaces.players):
            seen = []
            for filling in (0, GARBAGE):
                planes = np.full(self.ruleset.spaces.observation, filling, np.uint8)
                self.game.observe(self.state, self.option, player, planes)
                seen.append(planes)
            self.expect((seen[0] == seen[1]).all(), "observe", "does not write all planes")
            self.expect(seen[0].max(initial=0) <= 1, "observe", "writes other values than 0 and 1")

    def values_are_numbers(self) -> None:
        for player in range(self.ruleset.spaces.players):
            for rule in (self.game.evaluate, self.game.potential or self.game.evaluate):
                value = rule(self.state, self.option, player)
                self.expect(np.isfinite(value), "evaluate", f"is {value} for player {player}")
            points = self.game.points(self.state, player)
            self.expect(isinstance(points, int | np.integer), "points", f"is {points!r}")

    def features_are_in_range(self) -> None:
        features, state = self.game.features, self.state
        if features is None or not self.game.is_quiescent(state) or self.position.is_over:
            return
        viewer = int(features.viewpoint(state))
        players = self.ruleset.spaces.players
        self.expect(0 <= viewer < players, "viewpoint", f"is {viewer} of {players} players")
        indices = np.full(features.most + features.memory, -1, np.int32)
        count = int(features.write(state, self.option, viewer, indices))
        most, total = features.most, features.count(self.option)
        self.expect(0 <= count <= most, "features.write", f"lists {count}, most is {most}")
        wrong = [each for each in indices[:count].tolist() if not 0 <= each < total]
        self.expect(not wrong, "features.write", f"lists {wrong[:3]} of {total} features")

    def turn_asks_what_is_open(self) -> None:
        game, state = self.game, self.state
        if not game.in_turn(state):
            chance = self.position.is_chance and not game.is_quiescent(state)
            self.expect(not chance, "is_quiescent", "is false where dice are due")
            return
        self.expect(self.position.question, "description.QUESTIONS", "ask nothing in a turn")
        if game.close_choices is not None and not game.is_quiescent(state):
            closed = self.position.state
            game.close_choices(closed[0], self.option)
            self.expect(game.is_quiescent(closed[0]), "close_choices", "leaves a choice open")

    def result_is_a_players(self) -> None:
        if not self.position.is_over:
            return
        players = self.ruleset.spaces.players
        winner = int(self.game.winner(self.state, self.option))
        self.expect(-1 <= winner < players, "winner", f"is {winner} of {players} players")
        if self.game.has_points and players == 2:
            first, second = (int(self.game.points(self.state, player)) for player in range(2))
            lead, most = abs(first - second), self.game.largest_lead(self.option)
            self.expect(
                lead <= most, "largest_lead", f"is {most} where a lead of {lead} ends a game"
            )

    def copies_are_equal(self) -> None:
        twins = [self.position.copy()]
        if self.ruleset.name in variants.names():
            twins.append(pickle.loads(pickle.dumps(self.position)))
        for twin in twins:
            same = twin.text == self.position.text and twin.state == self.position.state
            self.expect(same, "copy", "differs from its original")


def _played(ruleset: Ruleset, rng: Random, until: float) -> Position | None:
    """Play a game and check every position; return one of them, None if there was no time."""
    position, kept, labels = _started(ruleset), None, list[str]()
    start = position.copy()
    for _ in range(MOST_ACTIONS):
        _Checked(position).all()
        if position.is_over or perf_counter() > until:
            break
        if not position.is_chance and (kept is None or rng.random() < 0.1):
            kept = position.copy()
        action = rng.choice(position.legal_actions())
        labels.append(position.label(action))
        _play(position, action)
    if ruleset.name in variants.names() and variants.find(ruleset.name) is ruleset.game:
        _check_record(start, labels)
    return kept


def _started(ruleset: Ruleset) -> Position:
    try:
        return Position(ruleset)
    except NumbaError:
        raise
    except Exception as error:
        raise GameFault(f"start: {_why_raised(error)}, under {_shown(ruleset.unusual)}") from error


def _why_raised(error: Exception) -> str:
    """An error, with the function and the line that raised it."""
    last = extract_tb(error.__traceback__)[-1]
    what = f"raises {type(error).__name__}"
    if isinstance(error, IndexError):
        what = "reads or writes outside an array"
    return f"{what}: {error} ({last.name}, line {last.lineno} of {Path(last.filename).name})"


def _play(position: Position, action: int) -> None:
    """Play an action, and check what it changed."""
    before, label = position.copy(), position.label(action)
    twin = position.copy()
    try:
        position.play_action(action)
        twin.play_action(action)
    except NumbaError:
        raise
    except Exception as error:
        raise GameFault(f"play: {label!r} {_why_raised(error)}, at {_place(before)}") from error
    if position.state == before.state:
        raise GameFault(f"play: {label!r} changes nothing, at {_place(before)}")
    if position.state != twin.state:
        raise GameFault(f"play: {label!r} leads to different states, at {_place(before)}")
    more = position.turns - before.turns
    if not 0 <= more <= (not position.in_turn):
        raise GameFault(f"turns: {label!r} completes {more} turns, at {_place(before)}")
    game = position.ruleset.game
    goes_on = more == 0 and not position.is_over and game.chance.outcomes == 0
    if goes_on and not game.in_turn(position.state[0]):
        raise GameFault(f"in_turn: is false after {label!r}, within a turn, at {_place(before)}")
    is_within = position.in_turn and before.in_turn and not before.is_chance
    if is_within and position.to_move not in (before.to_move, -1):
        raise GameFault(f"to_move: changes within a turn by {label!r}, at {_place(before)}")


def _check_record(start: Position, labels: list[str]) -> None:
    """Write a game as a record, in text and binary, and read it back."""
    game = GameRecord.of(start, labels)
    with TemporaryDirectory() as folder:
        for name in ("game.pgr", "game.pgb"):
            file = Path(folder) / name
            try:
                write_records(file, [game])
                (back,) = read_records(file)
            except Exception as error:
                raise GameFault(
                    f"records: {name} with {_shown(game.ruleset.unpublished)} cannot be read back:"
                    f" {error}"
                ) from error
            if (back.choices, back.ruleset) != (game.choices, game.ruleset):
                raise GameFault(f"records: the game or its options are others in {name}")


def _check_damaged(position: Position, rng: Random) -> None:
    """Damage a state and its text: each is refused, or a position that can be played."""
    game, size = position.ruleset.game, position.state.itemsize
    for _ in range(20):
        state = position.state
        row = state.view(np.uint8)
        for _ in range(rng.randint(1, 3)):
            row[rng.randrange(size)] = rng.choice((0, 1, 2, 127, 128, 255, rng.randrange(256)))
        _play_on("is_valid", partial(Position.from_state, position.ruleset, state), rng)
    if game.in_turn(position.state[0]):
        return
    for _ in range(20):
        text = list(position.text)
        text[rng.randrange(len(text))] = rng.choice("0123456789/.:-* aAwbKx")
        given = "".join(text)
        _play_on("read", partial(Position.from_text, position.ruleset, given), rng)


def _play_on(where: str, made: Callable[[], Position], rng: Random) -> None:
    """Make a position and play four actions; a ``ValueError`` while it is made is fine."""
    try:
        position = made()
    except ValueError:
        return
    except Exception as error:
        raise GameFault(f"{where}: raises {type(error).__name__}: {error}") from error
    try:
        for _ in range(4):
            if position.is_over:
                return
            position.play_action(rng.choice(position.legal_actions()))
            position.observation(0)
    except Exception as error:
        raise GameFault(
            f"{where}: accepts what cannot be played: {type(error).__name__}: {error}, under"
            f" {_shown(position.ruleset.unusual)}: {position.state[0]}"
        ) from error


def _expect(holds: object, what: str) -> None:
    if not holds:
        raise GameFault(what)


def _place(position: Position) -> str:
    try:
        text = position.text
    except Exception:
        text = str(position.state[0])
    return f"{text!r} under {_shown(position.ruleset.unusual)}"


def _shown(options: Any) -> str:
    return ", ".join(f"{name}={brief(value)}" for name, value in options.items()) or "usual options"


def _main(arguments: list[str]) -> Iterator[str]:
    """The process without the JIT: prints what it found as a line of JSON."""
    game, seconds, seed = variants.find(arguments[0]), float(arguments[1]), int(arguments[2])
    try:
        check_play(game, seconds, seed)
    except GameFault as fault:
        yield json.dumps({"fault": str(fault)})
    else:
        yield json.dumps({"fault": "", "digests": compiled_digests(game, seed)})


if __name__ == "__main__":
    print(*_main(sys.argv[1:]))
