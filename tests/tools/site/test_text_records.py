"""Records in text are read and written by a page without a server as by ``pasgl_env.records``."""

import io
from array import array
from random import Random

import pytest

from pasgl_env import Dice, Position, variants
from pasgl_env.contract.game import Option
from pasgl_env.jit.compiled import JIT
from pasgl_env.records import GameRecord, RecordError, read_records
from pasgl_env.records.text_writer import write_game

from .node import NODE, in_node, write_rules
from .test_game import damaged

DAMAGES = 20
"""Damages of each text."""

pytestmark = [
    pytest.mark.skipif(not JIT, reason="there is nothing to compile without Numba's compiler"),
    pytest.mark.skipif(not NODE, reason="Node is not installed"),
]


def recorded(ruleset, seed, most):
    """A random game with much to write; every other one begins in a position of another."""
    rng, dice = Random(seed), Dice(seed)
    position = Position(ruleset)
    if seed % 2:
        while position.turns < 5 or position.in_turn:
            position.play_action(rng.choice(position.legal_actions()))
        position = Position.from_text(ruleset, position.text)
    start, turns = position.text, position.turns
    generator, choices = int(dice.generator[0]), array("H")
    while not (position.is_over or position.is_truncated) and len(choices) < most:
        actions = position.legal_actions()
        if position.is_chance:
            choices.append(position.action(position.copy().roll(dice)))
        else:
            choices.append(rng.choice(actions))
        position.play_action(choices[-1])
    is_over = position.is_over or position.is_truncated
    last = position.turns - turns
    return GameRecord(
        ruleset,
        choices,
        start if seed % 2 else None,
        (f'Ann "{seed}" \\ Bob', *[None] * (len(ruleset.seats) - 1)),
        seed=10**60 + seed,
        dice=generator if ruleset.game.chance.outcomes else None,
        date="2026-11-28",
        tags={"Event": "Ä 木 \N{GAME DIE}"},
        comments={0: ("Before.",), last // 2: ("A long one, " * 20 + "at last.", "[%emt 0:00:12]")},
        **{} if is_over else {rng.choice(["resigned", "out_of_time"]): rng.randrange(2)},
    )


def in_page(ruleset, folder, texts):
    """What the page's code says of each game of some texts."""
    write_rules(ruleset, folder)
    known = [
        {"name": option.name, "kind": "number" if isinstance(option, Option) else "choice"}
        for option in ruleset.game.options
    ]
    given = {"known": known, "usual": ruleset.unpublished, "texts": texts}
    return in_node("records.mjs", folder, given)


def read_whole(text):
    """The choices of the games of a text; None if anything in it is wrong."""
    try:
        return [list(game.choices) for game in read_records(io.StringIO(text))]
    except RecordError:
        return None


def check_records(ruleset, folder, games, most):
    records = [recorded(ruleset, seed, most) for seed in range(games)]
    texts = list(map(write_game, records))
    told = in_page(ruleset, folder, ["".join(texts)])
    pairs = zip(records, texts, strict=True)
    assert told == [[{"choices": list(game.choices), "again": text} for game, text in pairs]]


def check_damages(ruleset, folder, games, most):
    """What the page reads of damaged files, pasgl reads as well; for the rest it names a line."""
    rng = Random(1)
    whole = [write_game(recorded(ruleset, seed, most)) for seed in range(games)]
    texts = [damaged(text, rng) for text in whole for _ in range(DAMAGES)]
    read = 0
    for text, games in zip(texts, in_page(ruleset, folder, texts), strict=True):
        known = read_whole(text)
        if all("choices" in game for game in games):
            read += 1
            assert [game["choices"] for game in games] == known, text
        assert all(game.get("line", 1) for game in games)
    assert 0 < read < len(texts)


@pytest.mark.parametrize("variant", variants.names())
def test_games_are_read_and_written_the_same(variant, tmp_path):
    check_records(variants.ruleset(variant), tmp_path, 3, 60)


def test_a_damaged_file_is_never_read_as_another_game(tmp_path):
    check_damages(variants.ruleset("spalding"), tmp_path, 3, 40)


@pytest.mark.slow
@pytest.mark.parametrize("variant", variants.names())
def test_many_games_are_read_and_written_the_same(variant, tmp_path):
    check_records(variants.ruleset(variant), tmp_path, 40, 1000)
    check_damages(variants.ruleset(variant), tmp_path, 10, 100)


HEAD = '[Variant "spalding"]\n[Result "*"]\n\n'

FAULTS = [
    ('[Variant "spalding"]\n[Optons "turn_limit=9"]\n\n*\n', 2, "did you mean Options?"),
    ('[Variant "spalding"]\n[Start "nowhere"]\n\n*\n', 2, "Start: it is no position text"),
    ('[Variant "spalding"]\n[Options "speed=9"]\n\n*\n', 2, "there is no option 'speed'"),
    ('[Variant "spalding"]\n[Result "1-0"]\n\n*\n', 2, "Result is '*' according to the moves"),
    ('[Variant "spalding"]\n[Resigned "Ann"]\n\n*\n', 2, "it must be one of"),
    (HEAD + "1. Pa1-b2/Nb1\n2. Ph8-g7/Ng8 *\n", 5, "the number of this round is 1, not 2"),
    (HEAD + "1. Pa1-b2/Nb1 1-0\n", 4, "the result is * according to the moves"),
    (HEAD + "1. Pa1-a8 *\n", 4, "Pa1-a8 is no legal turn"),
    (HEAD + "1. Pa1-b2/Nb1 (1. Jh1-f3) *\n", 4, "variations are not read here"),
    (HEAD + "1. Pa1-b2/Nb1 {for ever\n", 4, "the comment has no end"),
    (HEAD + "* Pa1-b2/Nb1\n", 4, "only the tags of another game"),
    ("1. Pa1-b2/Nb1 *\n", 1, "a game must start with tags"),
]


def test_a_fault_is_told_with_its_line_and_the_next_game_is_read(tmp_path):
    good = write_game(recorded(variants.ruleset("spalding"), 0, 10))
    told = in_page(
        variants.ruleset("spalding"), tmp_path, [f"{each}\n{good}" for each, *_ in FAULTS]
    )
    for (text, line, message), [bad, other] in zip(FAULTS, told, strict=True):
        assert (bad["line"], message in bad["message"]) == (line, True), (text, bad)
        assert other["again"] == good
