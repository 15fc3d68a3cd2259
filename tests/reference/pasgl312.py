"""PASGL 312 Chess written for reading, not for speed: the oracle of the differential tests.

It shares no code with the package and follows the rules page sentence by sentence: every function
names the section of that page, and the sentence in it, that it carries out. Squares are names such
as ``"e4"``, what stands on them is a plain list of critters, and nothing is precomputed.

A turn is only carried out when its last label has been played. Until then a position is the turn's
start and the labels chosen so far, exactly what its text shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .position import Reference, bad

WHITE, BLACK = 0, 1

START = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 0:0 0 0"

# Option: default, least, greatest.
OPTIONS = {
    "win_margin": (30, 1, 255),
    "bear_bonus": (20, 0, 255),
    "bear_points": (5, 0, 99),
    "hunter_points": (4, 0, 99),
    "deer_points": (3, 0, 99),
    "fox_points": (3, 0, 99),
    "woodchuck_points": (3, 0, 99),
    "skunk_points": (2, 0, 99),
    "turkey_points": (2, 0, 99),
    "chipmunk_points": (1, 0, 99),
    "shrew_points": (0, 0, 99),
    "hunter_range": (3, 0, 7),
    "fox_range": (3, 0, 7),
    "turkey_range": (3, 0, 7),
    "score_handicap": (0, -254, 254),
    "chuck_reach": (3, 1, 7),
    "train_length": (2, 1, 3),
    "ride_points": (0, 0, 99),
    "passes": (40, 1, 63),
}
SIDES = ("white", "black")

# The letters in stack order.
NAMES = {
    "B": "bear",
    "H": "hunter",
    "D": "deer",
    "F": "fox",
    "W": "woodchuck",
    "S": "skunk",
    "T": "turkey",
    "M": "chipmunk",
    "P": "shrew",
}
CARRIERS = "BHDFWS"
TINY = "MP"
ENTERS_OCCUPIED_ALWAYS = "TMP"
ENTERS_OCCUPIED_WITH_LUNCH = "BDFS"

# How many of each letter a side starts with; a Chipmunk is one of the eight Shrews.
ARMY = {"B": 1, "H": 1, "D": 1, "F": 1, "W": 1, "S": 1, "T": 2, "P": 8}

HOME_FILE = {"S": "b", "F": "c", "H": "d", "B": "e", "D": "f", "W": "g"}
HOME_RANK = {WHITE: "1", BLACK: "8"}
LAST_RANK = {WHITE: "8", BLACK: "1"}
HALF = {WHITE: "1234", BLACK: "5678"}
FORWARD = {WHITE: 1, BLACK: -1}

FILES = "zabcdefghx"
TERMINALS = ("z4", "z5", "x4", "x5")
OTHER_TERMINAL_SQUARE = {"z4": "z5", "z5": "z4", "x4": "x5", "x5": "x4"}
SQUARES = tuple(f + r for r in "12345678" for f in "abcdefgh") + TERMINALS
CAMPFIRE = ("d4", "e4", "d5", "e5")

# Where the head is in phases 1, 2, ..., 20; the tail is where the head was one phase earlier.
RAILWAY = (
    *("x4", "h4", "g4", "f4", "e4", "d4", "c4", "b4", "a4", "z4"),
    *("z5", "a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5", "x5"),
)
PHASES_IN_TERMINAL = (1, 11)

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@dataclass(eq=False)
class Critter:
    """One critter. Two critters that look alike are still two: they are compared by identity."""

    letter: str
    side: int
    lunchless: bool = False
    stinky: bool = False
    leaving: bool = False

    @property
    def carries(self) -> bool:
        """Whether it is of a sort that carries lunch (Critters: the table)."""
        return self.letter in CARRIERS

    @property
    def has_lunch(self) -> bool:
        """Whether it carries lunch and has it."""
        return self.carries and not self.lunchless

    @property
    def symbol(self) -> str:
        """A player's actions: the critter's symbol; the sign of leaving is not part of it."""
        letter = self.letter if self.side == WHITE else self.letter.lower()
        return "*" * self.stinky + "-" * self.lunchless + letter

    @property
    def text(self) -> str:
        """Position text: the symbol, before it ``~`` if the critter is leaving a terminal."""
        return "~" * self.leaving + self.symbol

    def lose_lunch(self) -> None:
        """Take its lunch away, if it is of a sort that carries one."""
        self.lunchless = self.carries

    def get_lunch(self) -> None:
        """Give it a lunch, if it is a carrier without."""
        self.lunchless = False

    def may_enter_occupied(self) -> bool:
        """Critters: the column on entering an occupied square."""
        if self.letter in ENTERS_OCCUPIED_WITH_LUNCH:
            return self.has_lunch
        return self.letter in ENTERS_OCCUPIED_ALWAYS


@dataclass(frozen=True)
class Action:
    """The first action of a turn: a move, a shot, a chuck or a pass."""

    sort: str
    label: str
    critter: Critter | None = None
    origin: str = ""
    target: str = ""


# One leg of a move: the square leapt over, if any, and the square landed on.
Leg = tuple[str | None, str | None]


def in_stack_order(critters: list[Critter]) -> list[Critter]:
    """Position text: side, letter, plain ``-`` ``*`` ``*-``, a leaving one after its like."""

    def key(critter: Critter) -> tuple[int, int, bool, bool, bool]:
        rank = list(NAMES).index(critter.letter)
        return critter.side, rank, critter.stinky, critter.lunchless, critter.leaving

    return sorted(critters, key=key)


def shifted(square: str, dx: int, dy: int) -> str | None:
    """Board: the square some files right and ranks up, terminals where their places suggest."""
    column, rank = FILES.index(square[0]) + dx, int(square[1]) + dy
    if not 0 <= column < len(FILES):
        return None
    name = f"{FILES[column]}{rank}"
    return name if name in SQUARES else None


def is_terminal(square: str) -> bool:
    """Board: one of the four terminal squares."""
    return square in TERMINALS


def squares_next_to(square: str) -> list[str]:
    """All squares, terminals included, that touch this one at a side or a corner."""
    around = (shifted(square, dx, dy) for dx, dy in ORTHOGONAL + DIAGONAL)
    return [name for name in around if name is not None]


def straight_path(square: str, dx: int, dy: int, most: int) -> list[Leg]:
    """One step after another in the same direction."""
    return [(None, shifted(square, dx * n, dy * n)) for n in range(1, most + 1)]


def zigzag_path(square: str, across: int, along: int, upright: bool, most: int) -> list[Leg]:
    """Critters: one zigzag of the crooked bishop.

    It goes one way ``along`` an axis all the time and to and fro ``across`` it, ``across`` first.
    """
    legs: list[Leg] = []
    for n in range(1, most + 1):
        aside, ahead = across * (n % 2), along * n
        dx, dy = (aside, ahead) if upright else (ahead, aside)
        legs.append((None, shifted(square, dx, dy)))
    return legs


def knightrider_path(square: str, dx: int, dy: int) -> list[Leg]:
    """Deer: every leap passes over the square one orthogonal step in its longer direction."""
    over_dx, over_dy = (dx // 2, 0) if abs(dx) == 2 else (0, dy // 2)
    legs: list[Leg] = []
    here: str | None = square
    while here is not None:
        there = shifted(here, dx, dy)
        legs.append((shifted(here, over_dx, over_dy), there))
        here = there
    return legs


def home_of(critter: Critter) -> str | None:
    """Board: the home of a lunch carrier is the square where it starts."""
    if not critter.carries:
        return None
    return HOME_FILE[critter.letter] + HOME_RANK[critter.side]


def checked_options(given: dict[str, int]) -> dict[str, int]:
    """Return all numeric options, or raise a ValueError for an unknown or impossible one."""
    options = {name: default for name, (default, _, _) in OPTIONS.items()}
    for name, value in given.items():
        if name not in OPTIONS:
            raise ValueError(f"option {name!r}: unknown; there are {', '.join(OPTIONS)}")
        _, least, greatest = OPTIONS[name]
        if type(value) is not int or not least <= value <= greatest:
            raise ValueError(f"option {name}: {value!r} is no integer from {least} to {greatest}")
        options[name] = value
    if abs(options["score_handicap"]) >= options["win_margin"]:
        raise ValueError("option score_handicap: it would end the game at its start")
    return options


class ReferencePosition(Reference):
    """One game of PASGL 312 Chess, with the interface of the package's ``Position``."""

    options: dict[str, int]
    train_lunch: bool
    on: dict[str, list[Critter]]
    head_car: list[Critter]
    tail_car: list[Critter]
    phase: int
    score: list[int]
    passes: int
    turns: int

    def __init__(
        self, variant: str, first: str = "white", train_lunch: bool = True, **options: Any
    ) -> None:
        """Set up the start position."""
        if variant != "pasgl312":
            raise ValueError(f"variant {variant!r}: there is pasgl312")
        if first not in SIDES:
            raise ValueError(f"option first: {first!r} is none of {', '.join(SIDES)}")
        self.options = checked_options(options)
        self.train_lunch = bool(train_lunch)
        self._read(START)
        self.mover = SIDES.index(first)
        handicap = self.options["score_handicap"]
        self.score[1 - self.mover if handicap > 0 else self.mover] = abs(handicap)

    def copy(self) -> ReferencePosition:
        """Return an independent copy."""
        twin = object.__new__(ReferencePosition)
        twin.options, twin.train_lunch = self.options, self.train_lunch
        twin.on = {square: [replace(c) for c in stack] for square, stack in self.on.items()}
        twin.head_car = [replace(c) for c in self.head_car]
        twin.tail_car = [replace(c) for c in self.tail_car]
        twin.phase, twin.mover = self.phase, self.mover
        twin.score = list(self.score)
        twin.passes, twin.turns = self.passes, self.turns
        twin.labels = list(self.labels)
        return twin

    # ------------------------------------------------------------------ what is public

    @property
    def text(self) -> str:
        """Position text, in the middle of a turn followed by the labels played in it."""
        fields = [
            board_text(self.on),
            "/".join(stack_text(self.on[square]) or "." for square in TERMINALS),
            "/".join(stack_text(car) or "." for car in (self.head_car, self.tail_car)),
            str(self.phase),
            "wb"[self.mover],
            f"{self.score[WHITE]}:{self.score[BLACK]}",
            str(self.passes),
            str(self.turns),
        ]
        if self.labels:
            fields.append(",".join(self.labels))
        return " ".join(fields)

    @property
    def is_over(self) -> bool:
        """Position text: a missing Bear, a winning lead or forty passes make a finished game."""
        lead = abs(self.score[WHITE] - self.score[BLACK])
        return (
            self._side_without_bear() is not None
            or lead >= self.options["win_margin"]
            or self.passes >= self.options["passes"]
        )

    @property
    def returns(self) -> tuple[float, float] | None:
        """The end of a turn: more points win, equal is a draw."""
        if not self.is_over:
            return None
        white, black = self.score
        result = float((white > black) - (white < black))
        return result, 0.0 - result

    def legal_moves(self) -> list[str]:
        """The distinct labels that may be played now, sorted."""
        if self.is_over:
            return []
        if not self.labels:
            return sorted({action.label for action in self._first_actions()})
        action = self._action_chosen()
        if self._critters_to_displace(action):
            return sorted(self._displacement_labels(action))
        return sorted({victim.symbol for victim in self._victims(action)})

    def _play(self, label: str) -> None:
        self.labels.append(label)
        action = self._action_chosen()
        if len(self.labels) == 1 + self._further_choices(action):
            self._finish_turn(action)

    # ------------------------------------------------------------------ the Train

    @property
    def _head(self) -> str:
        """The Train: the square of the head in this phase."""
        return RAILWAY[self.phase - 1]

    @property
    def _cars(self) -> list[str]:
        """The Train: its cars are one square behind one another; an option says how many."""
        return [RAILWAY[self.phase - 1 - car] for car in range(self.options["train_length"])]

    @property
    def _next_head(self) -> str:
        """The square that the head enters when the Train advances."""
        return RAILWAY[self.phase % len(RAILWAY)]

    def _train_is_on(self, square: str | None) -> bool:
        return square in self._cars

    def _advance_train(self) -> None:
        """The Train: when it advances, steps 1 and 2."""
        self.phase = self.phase % len(RAILWAY) + 1
        if not is_terminal(self._head):
            self._run_over([(critter, self._head) for critter in self.on[self._head]])
        if self.phase in PHASES_IN_TERMINAL:
            other = OTHER_TERMINAL_SQUARE[self._head]
            self.head_car, here = self._change_passengers(self.head_car, self._head), self.head_car
            self.tail_car, there = self._change_passengers(self.tail_car, other), self.tail_car
            if self.options["train_length"] == 1:  # Options: it takes those of both squares
                self.head_car, self.tail_car = self.head_car + self.tail_car, []
            for rider in here + there:  # Options: points for those that are put down
                self.score[rider.side] += self.options["ride_points"]

    def _run_over(self, doomed: list[tuple[Critter, str]]) -> None:
        """The Train, step 1: all of them are squashed, and only then each Skunk among them sprays.

        Bear: the same goes for those that were pushed under the Train.
        """
        for critter, square in doomed:
            self.on[square].remove(critter)
        for critter, square in doomed:
            if critter.letter == "S":
                self._spray(critter, square)

    def _change_passengers(self, riders: list[Critter], square: str) -> list[Critter]:
        """The Train, step 2: riders get off as leaving, boarding ones get on; return the latter.

        Those who were leaving already are ignored.
        """
        boarding = [critter for critter in self.on[square] if not critter.leaving]
        for critter in boarding:
            self.on[square].remove(critter)
        for critter in riders:
            critter.leaving = True
            self.on[square].append(critter)
        return boarding

    # ------------------------------------------------------------------ where critters can go

    def _legs_by_path(self, critter: Critter, square: str) -> list[list[Leg]]:
        """Critters: the column of moves, as paths on an empty board."""
        forward = FORWARD[critter.side]
        steps_w = [straight_path(square, dx, dy, 1) for dx, dy in ORTHOGONAL]
        steps_f = [straight_path(square, dx, dy, 1) for dx, dy in DIAGONAL]
        match critter.letter:
            case "B":
                return steps_w + steps_f
            case "H":
                return steps_w
            case "D":
                return [knightrider_path(square, dx, dy) for dx, dy in KNIGHT]
            case "F":
                zigzags = [
                    zigzag_path(square, across, along, upright, self.options["fox_range"])
                    for across in (1, -1)
                    for along in (1, -1)
                    for upright in (True, False)
                ]
                return [straight_path(square, 0, -forward, 1), *zigzags]
            case "W":
                leaps: list[list[Leg]] = [
                    [(shifted(square, dx, dy), shifted(square, 2 * dx, 2 * dy))]
                    for dx, dy in ORTHOGONAL
                ]
                return steps_w + leaps
            case "S":
                return [straight_path(square, dx, dy, len(FILES)) for dx, dy in ORTHOGONAL]
            case "T":
                most = self.options["turkey_range"]
                return [straight_path(square, dx, dy, most) for dx, dy in ORTHOGONAL]
            case "M":
                return steps_f
            case _:
                return [straight_path(square, dx, forward, 1) for dx in (1, -1)]

    def _targets(self, critter: Critter, square: str) -> set[str]:
        """The squares to which this critter on this square can move."""
        if is_terminal(square) and not critter.leaving:
            return self._boarding_targets(critter, square)
        return {
            target
            for legs in self._legs_by_path(critter, square)
            for target in self._targets_on_path(critter, legs)
        }

    def _boarding_targets(self, critter: Critter, square: str) -> set[str]:
        """Terminals: a boarding critter only changes to the other square of its terminal."""
        target = OTHER_TERMINAL_SQUARE[square]
        if self._train_is_on(target):
            return set()
        if self.on[target] and not critter.may_enter_occupied():
            return set()
        return {target}

    def _targets_on_path(self, critter: Critter, legs: list[Leg]) -> Iterator[str]:
        """Critters: stop at the first occupied square; the Train: nothing moves onto or over it.

        The Train: a move that enters a terminal square ends there.
        """
        for over, target in legs:
            if target is None or self._train_is_on(target) or self._train_is_on(over):
                return
            if not self._is_allowed_on(critter, target):
                return
            if self.on[target]:
                if critter.may_enter_occupied():
                    yield target
                return
            yield target
            if is_terminal(target):
                return

    def _is_allowed_on(self, critter: Critter, square: str) -> bool:
        """Critters: a Bear keeps to its half; Terminals: a leaving critter goes to no terminal."""
        if critter.letter == "B":
            return not is_terminal(square) and square[1] in HALF[critter.side]
        return not (critter.leaving and is_terminal(square))

    def _shot_targets(self, hunter: Critter, square: str) -> list[str]:
        """Hunter: the first occupied square on each line, if an enemy there can be shot.

        Neither the Train nor a terminal may lie on the way or there; from a terminal nobody shoots.
        """
        if not hunter.has_lunch or is_terminal(square):
            return []
        targets = []
        for dx, dy in ORTHOGONAL:
            for _, target in straight_path(square, dx, dy, self.options["hunter_range"]):
                if target is None or is_terminal(target) or self._train_is_on(target):
                    break
                if self.on[target]:
                    if self._can_be_shot(hunter, target):
                        targets.append(target)
                    break
        return targets

    def _chuck_targets(self, woodchuck: Critter, square: str) -> list[str]:
        """Woodchuck: two or three squares diagonally, over anything, with its own lunch only."""
        if not woodchuck.has_lunch or is_terminal(square):
            return []
        targets = []
        for dx, dy in DIAGONAL:
            for distance in range(2, self.options["chuck_reach"] + 1):
                target = shifted(square, dx * distance, dy * distance)
                if target is not None and self._can_be_hit(woodchuck, target):
                    targets.append(target)
        return targets

    # ------------------------------------------------------------------ victims

    def _enemies_on(self, critter: Critter, square: str) -> list[Critter]:
        """In stack order; none on a terminal square, where everybody is safe (Terminals)."""
        if is_terminal(square):
            return []
        return in_stack_order([c for c in self.on[square] if c.side != critter.side])

    def _can_be_shot(self, hunter: Critter, square: str) -> list[Critter]:
        """Hunter: enemies that are not tiny."""
        return [c for c in self._enemies_on(hunter, square) if c.letter not in TINY]

    def _can_be_hit(self, woodchuck: Critter, square: str) -> list[Critter]:
        """Woodchuck: enemies that have their lunch, and a Skunk even without."""
        enemies = self._enemies_on(woodchuck, square)
        return [c for c in enemies if c.has_lunch or c.letter == "S"]

    def _can_be_stolen_from(self, thief: Critter, square: str) -> list[Critter]:
        """Deer, Fox: enemies that have a lunch, for a thief that has its own."""
        if not thief.has_lunch:
            return []
        return [c for c in self._enemies_on(thief, square) if c.has_lunch]

    def _can_be_devoured(self, fox: Critter, square: str) -> list[Critter]:
        """Fox: enemy Woodchucks and Skunks without lunch, and enemy Turkeys."""
        if not fox.has_lunch:
            return []
        enemies = self._enemies_on(fox, square)
        return [c for c in enemies if (c.letter in "WS" and c.lunchless) or c.letter == "T"]

    def _victims(self, action: Action) -> list[Critter]:
        """A player's actions, 2: the candidates among whom this action takes one."""
        critter, square = action.critter, action.target
        if critter is None:
            return []
        if action.sort == "shot":
            return self._can_be_shot(critter, square)
        if action.sort == "chuck":
            return self._can_be_hit(critter, square)
        if critter.letter == "D":
            return self._can_be_stolen_from(critter, square)
        if critter.letter == "F":
            robbed = self._can_be_stolen_from(critter, square)
            return in_stack_order(robbed + self._can_be_devoured(critter, square))
        return []

    def _critters_to_displace(self, action: Action) -> list[Critter]:
        """Bear: every critter but the Shrews on the square that it enters, in stack order."""
        if action.critter is None or action.critter.letter != "B":
            return []
        return in_stack_order([c for c in self.on[action.target] if c.letter != "P"])

    # ------------------------------------------------------------------ the choices of a turn

    def _first_actions(self) -> list[Action]:
        """A player's actions, 1, and Stink compels: what a turn may begin with."""
        actions = list(self._actions_without_compulsion())
        if self._is_compelled():
            moves_of_stinky = [
                action
                for action in actions
                if action.sort == "move" and action.critter is not None and action.critter.stinky
            ]
            actions = moves_of_stinky or actions
        return actions or [Action("pass", "pass")]

    def _actions_without_compulsion(self) -> Iterator[Action]:
        """A player's actions, 1: all moves, shots and chucks of the mover. Riders do nothing."""
        for square in SQUARES:
            for critter in self.on[square]:
                if critter.side != self.mover:
                    continue
                name = critter.symbol + square
                for target in self._targets(critter, square):
                    yield Action("move", name + target, critter, square, target)
                if critter.letter == "H":
                    for target in self._shot_targets(critter, square):
                        yield Action("shot", f"{name}:{target}", critter, square, target)
                if critter.letter == "W":
                    for target in self._chuck_targets(critter, square):
                        yield Action("chuck", f"{name}^{target}", critter, square, target)

    def _is_compelled(self) -> bool:
        """Stink compels: a stinky critter, and none of the three exceptions."""
        own = [c for stack in self.on.values() for c in stack if c.side == self.mover]
        if not any(critter.stinky for critter in own):
            return False
        return not (
            self._enemy_fox_could_devour()
            or self._enemy_hunter_could_shoot()
            or self._train_comes_for_the_mover()
        )

    def _enemies(self, letter: str) -> list[tuple[Critter, str]]:
        """The mover's enemies of one sort that stand on a square, with their squares."""
        return [
            (critter, square)
            for square in SQUARES
            for critter in self.on[square]
            if critter.side != self.mover and critter.letter == letter
        ]

    def _enemy_fox_could_devour(self) -> bool:
        """Stink compels (a)."""
        return any(
            self._can_be_devoured(fox, target)
            for fox, square in self._enemies("F")
            for target in self._targets(fox, square)
        )

    def _enemy_hunter_could_shoot(self) -> bool:
        """Stink compels (b)."""
        return any(self._shot_targets(hunter, square) for hunter, square in self._enemies("H"))

    def _train_comes_for_the_mover(self) -> bool:
        """Stink compels (c)."""
        if is_terminal(self._next_head):
            return False
        return any(critter.side == self.mover for critter in self.on[self._next_head])

    def _action_chosen(self) -> Action:
        """The action that the first label of this turn names; alike critters are as good."""
        return next(a for a in self._first_actions() if a.label == self.labels[0])

    def _further_choices(self, action: Action) -> int:
        """A player's actions, 2 and 3: how many labels follow the first."""
        if self._critters_to_displace(action):
            return len(self._critters_to_displace(action))
        return 1 if len(self._victims(action)) >= 2 else 0

    def _displacement_labels(self, action: Action) -> list[str]:
        """A player's actions, 3: for the next critter, any square next to the Bear's new one."""
        critter = self._critters_to_displace(action)[len(self.labels) - 1]
        return [critter.symbol + square for square in squares_next_to(action.target)]

    def _victim_chosen(self, action: Action) -> Critter | None:
        """A player's actions, 2: the one candidate, or the one that the second label names."""
        victims = self._victims(action)
        if len(victims) < 2:
            return victims[0] if victims else None
        return next(victim for victim in victims if victim.symbol == self.labels[1])

    def _displacements_chosen(self, action: Action) -> list[tuple[Critter, str]]:
        """A player's actions, 3: who is pushed where."""
        squares = [label[-2:] for label in self.labels[1:]]
        return list(zip(self._critters_to_displace(action), squares, strict=True))

    # ------------------------------------------------------------------ the end of a turn

    def _finish_turn(self, action: Action) -> None:
        """The end of a turn: effects, the Train, the score; ``is_over`` follows from these."""
        player = self.mover
        by_the_fire = self._critters_by_the_fire(player)
        active = self._carry_out(action)
        self.labels = []
        self.passes = self.passes + 1 if action.sort == "pass" else 0
        self.turns += 1
        self.mover = 1 - player
        if self._pay_for_dead_bear():
            return
        if player == BLACK:
            self._advance_train()
            if self._pay_for_dead_bear():
                return
        for critter, square in by_the_fire:
            if critter not in active and critter in self.on[square]:
                self._score_one(critter)

    def _critters_by_the_fire(self, player: int) -> list[tuple[Critter, str]]:
        """The end of a turn, 3: those that stand on a campfire square when the turn begins."""
        return [(c, square) for square in CAMPFIRE for c in self.on[square] if c.side == player]

    def _score_one(self, critter: Critter) -> None:
        """The end of a turn, 3: neither the stinky nor carriers without lunch earn points."""
        if not critter.stinky and not critter.lunchless:
            self.score[critter.side] += self.options[f"{NAMES[critter.letter]}_points"]

    def _side_without_bear(self) -> int | None:
        bears = [c.side for stack in self.on.values() for c in stack if c.letter == "B"]
        return next((side for side in (WHITE, BLACK) if side not in bears), None)

    def _pay_for_dead_bear(self) -> bool:
        """The end of a turn, 1 and 2: a dead Bear gives the other side its bonus."""
        side = self._side_without_bear()
        if side is None:
            return False
        self.score[1 - side] += self.options["bear_bonus"]
        return True

    # ------------------------------------------------------------------ what happens

    def _carry_out(self, action: Action) -> list[Critter]:
        """What happens: the effects of a turn's actions.

        Return the critters that moved, were displaced, or shot or chucked.
        """
        critter, victim = action.critter, self._victim_chosen(action)
        if critter is None:
            return []
        if action.sort == "move":
            return self._carry_out_move(action, critter, victim)
        if victim is not None and action.sort == "shot":
            self._kill(victim, action.target)
        elif victim is not None:
            self._rob(victim, action.target)
        return [critter]

    def _carry_out_move(
        self, action: Action, critter: Critter, victim: Critter | None
    ) -> list[Critter]:
        """What happens: the mover loses its stink, then arrives, then does what its sort does."""
        displacements = self._displacements_chosen(action) if critter.letter == "B" else []
        others = list(self.on[action.target])
        critter.stinky = False
        self.on[action.origin].remove(critter)
        self._arrive(critter, action.target)
        if critter.letter in "BD" and not is_terminal(action.target):
            for other in others:
                if other.letter == "P":
                    self.on[action.target].remove(other)
        self._displace(displacements, action.target)
        if victim is not None:
            self._take(critter, victim, action.target)
        return [critter, *(pushed for pushed, _ in displacements)]

    def _arrive(self, critter: Critter, square: str) -> None:
        """What happens: promotion, lunch at home or in a terminal follow on arrival."""
        self.on[square].append(critter)
        critter.leaving = False
        if critter.letter == "P" and square[1] == LAST_RANK[critter.side]:
            critter.letter = "M"
        if square == home_of(critter):
            critter.get_lunch()
        if is_terminal(square):
            critter.stinky = False
            if self.train_lunch:
                critter.get_lunch()

    def _displace(self, displacements: list[tuple[Critter, str]], bear_square: str) -> None:
        """Bear: all arrive at once; those under the Train on a-h die; then their Skunks spray."""
        for critter, _ in displacements:
            self.on[bear_square].remove(critter)
        for critter, square in displacements:
            self._arrive(critter, square)
        self._run_over(
            [
                (critter, square)
                for critter, square in displacements
                if self._train_is_on(square) and not is_terminal(square)
            ]
        )

    def _take(self, thief: Critter, victim: Critter, square: str) -> None:
        """Deer, Fox: a lunch is stolen if there is one, else the Fox devours; a Skunk kills it."""
        if victim.has_lunch:
            self._rob(victim, square)
            return
        self._kill(victim, square)
        if victim.letter == "S":
            self.on[square].remove(thief)

    def _rob(self, victim: Critter, square: str) -> None:
        """Its lunch is stolen or dropped; Skunk sprays: when stolen from or hit by a chuck."""
        victim.lose_lunch()
        if victim.letter == "S":
            self._spray(victim, square)

    def _kill(self, victim: Critter, square: str) -> None:
        """It is shot or devoured; Skunk sprays: then too."""
        self.on[square].remove(victim)
        if victim.letter == "S":
            self._spray(victim, square)

    def _spray(self, skunk: Critter, square: str) -> None:
        """Skunk sprays: its enemies there and next to it, but no Skunk and nobody on a terminal.

        Riders are on no square, so the Train is excepted as well.
        """
        for near in [square, *squares_next_to(square)]:
            for critter in self._enemies_on(skunk, near):
                if critter.letter != "S":
                    critter.lose_lunch()
                    critter.stinky = True

    # ------------------------------------------------------------------ reading a text

    def _read(self, text: str) -> None:
        """Position text: take every field over and refuse what cannot be."""
        fields = text.split(" ")
        if len(fields) not in (8, 9):
            raise bad("text", f"has {len(fields)} fields separated by single spaces, not 8 or 9")
        board, terminals, riders, phase, mover, score, passes, turns = fields[:8]
        self.labels = []
        self.on = read_board(board)
        self.on |= zip(TERMINALS, read_stacks("terminals", terminals, 4), strict=True)
        self.head_car, self.tail_car = read_stacks("riders", riders, 2)
        self.phase = read_number("phase", phase, 1, len(RAILWAY))
        if mover not in ("w", "b"):
            raise bad("mover", f"{mover!r} is neither w nor b")
        self.mover = "wb".index(mover)
        self.score = read_score(score)
        self.passes = read_number("passes", passes, 0, self.options["passes"])
        self.turns = read_number("turns", turns, 0)
        self._refuse_impossible_board()
        self._refuse_impossible_passengers()
        self._refuse_crowds()
        self._refuse_lost_bears()
        if len(fields) == 9:
            self._read_labels(fields[8])

    def _refuse_impossible_board(self) -> None:
        """Position text: what no critter on the squares a1 to h8 can be."""
        for square in SQUARES:
            if is_terminal(square):
                continue
            for critter in self.on[square]:
                reason = reason_against_sign(critter)
                if critter.letter == "B" and square[1] not in HALF[critter.side]:
                    reason = "is a Bear outside its half"
                elif critter.letter == "P" and square[1] == LAST_RANK[critter.side]:
                    reason = "is a Shrew on its last rank"
                elif critter.leaving:
                    reason = "is leaving, but on no terminal"
                elif self._train_is_on(square):
                    reason = "is under the Train"
                if reason:
                    raise bad("board", f"{critter.text} on {square} {reason}")

    def _refuse_impossible_passengers(self) -> None:
        """Position text: what no critter on a terminal or on the Train can be."""
        places = [("terminals", square, self.on[square]) for square in TERMINALS]
        places += [("riders", "the head car", self.head_car)]
        places += [("riders", "the tail car", self.tail_car)]
        for field, place, stack in places:
            for critter in stack:
                reason = reason_against_sign(critter)
                if critter.letter == "B":
                    reason = "is a Bear"
                elif critter.stinky or (critter.lunchless and self.train_lunch):
                    reason = "cannot be stinky or without lunch there"
                elif place == "the tail car" and self.options["train_length"] == 1:
                    reason = "is in a car that the Train does not have"
                elif critter.leaving and field == "riders":
                    reason = "cannot be leaving there"
                if reason:
                    raise bad(field, f"{critter.text} in {place} {reason}")

    def _refuse_crowds(self) -> None:
        """Position text: no more critters than a side starts with."""
        fields = {
            "board": [c for square in SQUARES if not is_terminal(square) for c in self.on[square]],
            "terminals": [c for square in TERMINALS for c in self.on[square]],
            "riders": self.head_car + self.tail_car,
        }
        left = {side: dict(ARMY) for side in (WHITE, BLACK)}
        for field, critters in fields.items():
            for critter in critters:
                letter = "P" if critter.letter == "M" else critter.letter
                left[critter.side][letter] -= 1
                if left[critter.side][letter] < 0:
                    raise bad(field, f"there are more {critter.symbol} than a side starts with")

    def _refuse_lost_bears(self) -> None:
        """Position text: one Bear may be missing if the other side has the points for it."""
        bears = [c.side for stack in self.on.values() for c in stack if c.letter == "B"]
        if not bears:
            raise bad("board", "both Bears are missing")
        side = self._side_without_bear()
        if side is not None and self.score[1 - side] < self.options["bear_bonus"]:
            raise bad("score", "one Bear is missing from the board, and nobody has points for it")


# ---------------------------------------------------------------------- position text


def stack_text(stack: list[Critter]) -> str:
    """Position text: one plain critter is its letter, anything else stands in brackets."""
    if not stack:
        return ""
    signs = "".join(critter.text for critter in in_stack_order(stack))
    return signs if len(signs) == 1 else f"[{signs}]"


def board_text(on: dict[str, list[Critter]]) -> str:
    """Words: ranks from the highest, runs of empty squares as numbers."""
    ranks = []
    for rank in "87654321":
        text, empty = "", 0
        for file in "abcdefgh":
            stack = on[file + rank]
            if not stack:
                empty += 1
                continue
            text += (str(empty) if empty else "") + stack_text(stack)
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks)


def read_critter(signs: str) -> Critter:
    """Turn the signs of one critter, which are known to be well formed, into the critter."""
    side = WHITE if signs[-1].isupper() else BLACK
    return Critter(signs[-1].upper(), side, "-" in signs, "*" in signs, "~" in signs)


def read_stack(field: str, text: str) -> list[Critter]:
    """Position text: a letter, or a stack in brackets and in order."""
    letter = "[BHDFWSTMPbhdfwstmp]"
    critter = rf"~?\*?-?{letter}"
    if not re.fullmatch(rf"{letter}|\[({critter})+\]", text):
        raise bad(field, f"{text!r} is no critter and no stack in brackets")
    stack = [read_critter(signs) for signs in re.findall(critter, text)]
    if stack_text(stack) != text:
        raise bad(field, f"{text!r} should be written {stack_text(stack)!r}")
    return stack


def read_stacks(field: str, text: str, count: int) -> list[list[Critter]]:
    """Position text: stacks separated by slashes, a dot for each that is empty."""
    parts = text.split("/")
    if len(parts) != count:
        raise bad(field, f"{text!r} has {len(parts)} parts separated by slashes, not {count}")
    return [[] if part == "." else read_stack(field, part) for part in parts]


def read_board(text: str) -> dict[str, list[Critter]]:
    """Position text: eight ranks of eight."""
    on: dict[str, list[Critter]] = {square: [] for square in SQUARES}
    ranks = text.split("/")
    if len(ranks) != 8:
        raise bad("board", f"has {len(ranks)} ranks, not 8")
    for number, rank in zip("87654321", ranks, strict=True):
        stacks = read_rank(rank)
        if len(stacks) != 8:
            raise bad("board", f"rank {number} has {len(stacks)} squares, not 8")
        on |= {file + number: stack for file, stack in zip("abcdefgh", stacks, strict=True)}
    if board_text(on) != text:
        raise bad("board", f"should be written {board_text(on)!r}")
    return on


def read_rank(text: str) -> list[list[Critter]]:
    """Words: the squares of one rank from left to right."""
    stacks: list[list[Critter]] = []
    for token in re.findall(r"[0-9]+|\[[^\[\]]*\]|.", text, re.DOTALL):
        if re.fullmatch("[0-9]+", token):
            if not re.fullmatch("[1-8]", token):
                raise bad("board", f"{token!r} is no run of empty squares on a rank of eight")
            stacks += [[] for _ in range(int(token))]
        else:
            stacks.append(read_stack("board", token))
    return stacks


def read_number(field: str, text: str, least: int, greatest: int = 999_999_999) -> int:
    """Position text: at most nine digits, without leading zeros."""
    if not re.fullmatch("0|[1-9][0-9]{0,8}", text) or not least <= int(text) <= greatest:
        raise bad(field, f"{text!r} is no plain number from {least} to {greatest}")
    return int(text)


def read_score(text: str) -> list[int]:
    """Position text: White's points, a colon, Black's."""
    parts = text.split(":")
    if len(parts) != 2:
        raise bad("score", f"{text!r} is not White:Black")
    return [read_number("score", part, 0) for part in parts]


def reason_against_sign(critter: Critter) -> str:
    """Position text: signs that the critter can have nowhere."""
    if critter.lunchless and not critter.carries:
        return "carries no lunch"
    if critter.stinky and critter.letter == "S":
        return "cannot be stinky"
    return ""
