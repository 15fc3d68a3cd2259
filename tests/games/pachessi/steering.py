"""Random games of Pachessi that come to rare states: odd boards and beginnings, and steering."""

from __future__ import annotations

from math import atan2, pi
from random import Random
from string import ascii_lowercase
from typing import Any

from pasgl_env import Position

from ...steering import Beginning

COLOURS = {2: ("black", "yellow"), 4: ("black", "green", "yellow", "red")}
BOARDS = {"pachessi": (7, 3), "grand_pachessi": (11, 5)}
ODD_BOARDS = [(5, 1), (6, 2), (8, 2), (8, 4), (9, 5), (10, 4), (13, 3), (26, 2), (26, 22)]

# What a steered game is after: nothing; captures; going round and bearing off; going the wrong way.
MOODS = AIMLESS, HUNT, RACE, BACK = range(4)


def beginning(rng: Random) -> Beginning:
    """The start or an odd position, dice on the table or due; never a finished game."""
    variant = rng.choice(list(BOARDS))
    options = odd_options(rng)
    if rng.random() < 0.3:
        return Beginning(variant, Position(variant, **options).text, options)
    return Beginning(variant, odd_text(rng, variant, options), options)


def odd_options(rng: Random) -> dict[str, Any]:
    """Two of three times none but the number of players."""
    options: dict[str, Any] = {"players": 4} if rng.random() < 0.5 else {}
    if rng.random() < 0.65:
        return options
    if rng.random() < 0.5:
        options["size"], options["hole"] = rng.choice(ODD_BOARDS)
    if rng.random() < 0.5:
        options["grand"] = rng.random() < 0.5
    if rng.random() < 0.3:
        options["elephant_range"] = rng.choice([1, 2, 4, 25])
    if rng.random() < 0.3:
        options["first"] = rng.choice(COLOURS[options.get("players", 2)])
    # Drawn apart, so that a seed goes on naming the games that it named.
    apart = Random(str(options))
    options["laps"] = apart.choice([1, 2, 3])
    options["grace"] = apart.random() < 0.6
    options["first_dice"] = apart.choice([1, 2])
    if apart.random() < 0.4:
        options["raja_range"] = apart.choice([1, 2, 3, 25])
    options["dice"] = apart.choice(["each", "all"])
    options["bear_off"] = apart.choice(["forced", "free"])
    options["grace_move"] = apart.choice(["forced", "free"])
    options["first"] = apart.choice([options.get("first", "black"), "lot", "team", "team"])
    return options


def board_of(variant: str, options: dict[str, Any]) -> tuple[int, int]:
    size, hole = BOARDS[variant]
    return options.get("size", size), options.get("hole", hole)


def letters_of(variant: str, options: dict[str, Any]) -> str:
    grand = options.get("grand", variant == "grand_pachessi")
    return "REHS" if grand or options.get("players", 2) == 2 else "REH"


def squares_of(size: int, hole: int) -> list[str]:
    ring = (size - hole) // 2
    middle = range(ring, size - ring)
    return [
        f"{ascii_lowercase[x]}{y + 1}"
        for x in range(size)
        for y in range(size)
        if not (x in middle and y in middle)
    ]


def homes_of(size: int, colour: str) -> dict[str, str]:
    """The starting square of each of a colour's pieces."""
    last = size - 1
    starts = {
        "black": [(step, last) for step in range(4)],
        "green": [(0, step) for step in range(4)],
        "yellow": [(last - step, 0) for step in range(4)],
        "red": [(last, last - step) for step in range(4)],
    }
    names = [f"{ascii_lowercase[x]}{y + 1}" for x, y in starts[colour]]
    return dict(zip("REHS", names, strict=True))


def odd_text(rng: Random, variant: str, options: dict[str, Any]) -> str:
    """Pieces anywhere, many at home with laps, some taken or borne off."""
    size, hole = board_of(variant, options)
    letters = letters_of(variant, options)
    colours = COLOURS[options.get("players", 2)]
    free = squares_of(size, hole)
    rng.shuffle(free)
    sides = []
    for colour in colours:
        homes = homes_of(size, colour)
        kept = rng.choice(letters)
        pieces = [odd_piece(rng, letter, homes[letter], letter == kept, free) for letter in letters]
        sides.append(",".join(pieces))
    turns = rng.choice([0, 5, 999000000])
    mover, (dice, roll) = rng.choice(colours), odd_dice(rng, letters).split()
    if turns == 0 and options.get("first_dice") == 1:
        dice, roll = dice[:1], roll[0]
    if not options.get("grace", True):
        roll = "i"
    if options.get("first") in ("lot", "team") and rng.random() < 0.1:
        mover, dice, roll = "lot", "-", "i"
    elif options.get("first") == "team" and len(colours) == 4 and rng.random() < 0.2:
        dice, roll = "-", "c"
    return f"{'/'.join(sides)} {mover} {dice} {roll} {turns}"


def odd_piece(rng: Random, letter: str, home: str, is_kept: bool, free: list[str]) -> str:
    """One that is kept is not borne off."""
    fate = rng.random()
    if fate < 0.15:
        return f"{letter}@"
    if fate < 0.35 and not is_kept:
        return f"{letter}*"
    square = free[-1]
    if fate > 0.75 and home in free:
        square = home
    free.remove(square)
    return f"{letter}{square}:{rng.choice([0, 0, 1, 1, 1, 2, -1, 7, 999000000, -12])}"


def odd_dice(rng: Random, letters: str) -> str:
    """The fields of dice and roll."""
    least = 1 if "S" in letters else 2
    roll = rng.choice("iiig")
    number = rng.randint(0, 2 if roll == "i" else 1)
    dice = sorted(rng.randint(least, 6) for _ in range(number))
    plus = "+" if roll == "i" and number == 1 and rng.random() < 0.4 else ""
    return f"{','.join(map(str, dice)) or '-'} {roll}{plus}"


def steered(position: Position, luck: float, mood: int) -> int:
    """A legal action or an outcome, chosen by a number from 0 up to 1; few actions end the game.

    The more an action is after what the mood is after, the more numbers choose it.
    """
    actions = position.legal_actions()
    if mood == AIMLESS or position.is_chance:
        return actions[int(luck * len(actions))]
    interest = {HUNT: harm, RACE: progress, BACK: retreat}[mood]
    ranked = sorted(
        actions, key=lambda action: interest(position, position.label(action)), reverse=True
    )
    best = int(luck ** (6 if mood == RACE else 2) * len(ranked))
    for action in (ranked[best:] + ranked)[:6]:
        if luck > (0.2 if mood == RACE else 0.9) or not position.copy().play_action(action).is_over:
            return action
    return ranked[best]


def harm(position: Position, label: str) -> float:
    """Captures, and entering, after which there is more to capture."""
    target = label.partition("-")[2]
    return 3 * (f"{target}:" in position.text) + ("@" in label)


def progress(position: Position, label: str) -> float:
    """Bearing off, then coming home, then what goes farthest counterclockwise."""
    if label.endswith("-off"):
        return 9
    mover = position.text.split(" ")[1]
    home = homes_of(position.options["size"], mover).get(label[2:3])
    gone = advance(position, label)
    return gone + 5 * (gone > 0 and label.endswith(f"-{home}"))


def retreat(position: Position, label: str) -> float:
    """Clockwise, or not far."""
    return -progress(position, label)


def advance(position: Position, label: str) -> float:
    """How far round the board an action goes counterclockwise, in radians."""
    start, _, end = label.partition(":")[2][1:].partition("-")
    if ":" not in label or start == "@":
        return 0.0
    size = position.options["size"]
    turn = angle(end, size) - angle(start, size)
    return (turn + pi) % (2 * pi) - pi


def angle(square: str, size: int) -> float:
    x, y = ascii_lowercase.index(square[0]), int(square[1:]) - 1
    return atan2(2 * y - (size - 1), 2 * x - (size - 1))
