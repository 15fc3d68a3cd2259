"""The text form: written, read again, edited by hand, and refused."""

import io
import re

import pytest

from pasgl_env import Batch, Dice, Position
from pasgl_env.records import (
    BatchRecorder,
    GameRecord,
    RecordError,
    read_records,
    write_records,
)
from pasgl_env.records.text_writer import WIDTH, settings_of, settings_text, write_game

from ..rows import rows
from ..suites import over_all_games
from .samples import FULL, scholars_game, steered


def games_of(text, **settings):
    return list(read_records(io.StringIO(text), **settings))


def refusal_of(text):
    """Line, column and reason of the error."""
    with pytest.raises(RecordError) as caught:
        games_of(text)
    error = caught.value
    assert str(error) == f"<stream>:{error.line}:{error.column}: {error.reason}"
    return error.line, error.column, error.reason


@over_all_games
def test_written_and_read_again(suite):
    games = list(steered(suite, 5, 6, 30))
    text = "".join(map(write_game, games))
    back = games_of(text)
    assert back == games
    assert "".join(map(write_game, back)) == text
    for game, read in zip(games, back, strict=True):
        assert read.final.state == game.final.state


def test_the_form():
    assert write_game(scholars_game()) == (
        '[Variant "pasgl312"]\n'
        '[Options "fox_range=2"]\n'
        r'[White "a \"quoted\" \\ name"]'
        "\n"
        '[Seed "7"]\n'
        '[Date "2026-11-21"]\n'
        '[Resigned "White"]\n'
        '[Result "0-1"]\n'
        '[Score "3:0"]\n'
        '[Termination "resignation"]\n'
        '[Event "Küche"]\n'
        '[Round "1"]\n'
        "\n"
        f"{{before all}} 1. Df1d5 {{one}} {{{'two ' * 16}two\n{'two ' * 24}two\n{'two ' * 18}end}}"
        " pd7e6 Xh4 W:0 B:0\n"
        "{after} 2. Be1d1,Hd2 ph7g6 Xg4 W:3 B:0 0-1\n"
        "\n"
    )


def test_everything_said_of_a_game_is_kept():
    game = scholars_game()
    (back,) = games_of(write_game(game))
    assert back == game
    assert (back.players, back.seed, back.tags, back.comments) == (
        FULL["players"],
        FULL["seed"],
        FULL["tags"],
        FULL["comments"],
    )


def test_lines_are_short():
    lines = write_game(scholars_game()).split("\n\n")[1].splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) > 3


def test_a_turn_that_is_not_complete_is_written_by_its_labels():
    game = GameRecord.of(Position("pachessi"), ["roll 1 3", "1:Sd7-b5"])
    assert " roll_1_3,1:Sd7-b5... *" in f" {write_game(game).split('1. ')[1]}"
    assert games_of(write_game(game)) == [game]


def test_dice_are_written_and_what_they_rolled_is_checked():
    position, dice, labels = Position("pachessi"), Dice(3), list[str]()
    while position.turns < 3:
        labels.append(position.roll(dice) if position.is_chance else position.legal_moves()[0])
        if not labels[-1].startswith("roll"):
            position.play(labels[-1])
    game = GameRecord.of(Position("pachessi"), labels, dice=int(Dice(3).generator[0]))
    text = write_game(game)
    assert games_of(text) == [game]
    other = re.sub('Dice "0x.', 'Dice "0x0' if "0x0" not in text else 'Dice "0x1', text)
    assert "the tag Dice gives 'roll" in refusal_of(other)[2]


TURNS = '[Variant "pasgl312"]\n\n1. Df1d5 1. pd7e6 '


def test_only_the_variant_is_needed():
    (game,) = games_of('[Variant "pasgl312"]')
    assert game == GameRecord.of(Position("pasgl312"), [])


@pytest.mark.parametrize(
    "text",
    [
        '[Variant "pasgl312"]\n\nDf1d5 pd7e6\n',
        '[Variant "pasgl312"]\nDf1d5\tpd7e6 *',
        '\ufeff\r\n[Variant "pasgl312"]\r\n\r\n1. Df1d5\r\n1...pd7e6 *\r\n\r\n',
        '% a line for others\n[Variant "pasgl312"]\n% another\n1... Df1d5 {} 1. pd7e6',
        '[ Result "*" ]\n[Termination "unfinished"]\n[Variant  "pasgl312"]\n\n\nDf1d5\n\npd7e6 *',
        f'[Variant "pasgl312"]\n[Start "{Position("pasgl312").text}"]\n\nDf1d5 pd7e6',
    ],
)
def test_what_others_may_write_is_read(text):
    assert games_of(text) == [GameRecord.of(Position("pasgl312"), ["Df1d5", "pd7e6"])]


def test_comments_may_have_line_breaks_and_stand_anywhere():
    (game,) = games_of('[Variant "pasgl312"]\n{a\n b}1.{c}Df1d5{d }pd7e6 { e\n%f }*{g}')
    assert game.comments == {0: ("a b", "c"), 1: ("d",), 2: ("e %f", "g")}


def test_annotations_of_other_tools_are_kept_as_comments():
    (game,) = games_of('[Variant "pasgl312"]\n; all of it\nDf1d5 $1 {a} pd7e6 $14 ; b; c\n')
    assert game.comments == {0: ("all of it",), 1: ("$1", "a"), 2: ("$14", "b; c")}


def test_variations_of_other_tools_are_kept_as_comments():
    (game,) = games_of(
        '[Variant "pasgl312"]\n1. Df1d5 (1. Te1 {a) b}\n(1. x)) (y) pd7e6{c}(z)\n*\n'
    )
    assert game.comments == {1: ("(1. Te1 a) b (1. x))", "(y)"), 2: ("c", "(z)")}
    assert games_of(write_game(game)) == [game]


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("Df1d5", 1, 1, "a game must start with tags"),
        ('[Event "x"]\n\nDf1d5', 1, 1, "needs the tag Variant"),
        ('[Variant "pasgl313"]', 1, 11, "did you mean 'pasgl312'"),
        ('[Variant "pasgl312]', 1, 1, "a tag must look"),
        ('[Variant "pasgl312"] x', 1, 1, "a tag must look"),
        ('[Variant "pasgl312"]\n[ Variant "pasgl312"]', 2, 3, "duplicate tag Variant"),
        ('[Variant "pasgl312"]\n[Optons "fox_range=1"]', 2, 10, "did you mean 'Options'"),
        ('[Variant "pasgl312"]\n[white "Ann"]', 2, 9, "did you mean 'White'"),
        ('[Variant "pasgl312"]\n[Resigned "Green"]', 2, 12, "not one of the seats White, Black"),
        ('[Variant "pasgl312"]\n\nDf1d5 ; a {b', 3, 7, "contains a brace"),
        (
            '[Variant "pasgl312"]\n[Options "fox_range"]',
            2,
            11,
            "an option must look like NAME=VALUE",
        ),
        ('[Variant "pasgl312"]\n[Options "fox_range=-1"]', 2, 11, "fox_range of pasgl312 must be"),
        ('[Variant "pasgl312"]\n[Options "ox_range=0"]', 2, 11, "no option 'ox_range'"),
        ('[Variant "pasgl312"]\n[Options "fox_range=1 fox_range=2"]', 2, 11, "set twice"),
        ('[Variant "pasgl312"]\n[Start "8/8"]', 2, 9, "Start: a position text"),
        ('[Variant "pasgl312"]\n[Seed "-1"]', 2, 8, "Seed: '-1' is not an integer"),
        ('[Variant "pachessi"]\n[Dice "7"]', 2, 8, "Dice: '7' is not 0x"),
        ("\n".join(f'[T{n} "x"]' for n in range(101)), 101, 1, "at most 100 further tags"),
        ('[Variant "pasgl312"]\n[White "a\tb"]', 2, 9, "not a line of text"),
        ('[Variant "pasgl312"]\n[Event "a\tb"]', 2, 9, "not a line of text"),
        ('[Variant "pasgl312"]\n[Date "' + "x" * 2001 + '"]', 2, 8, "more than 2000 characters"),
        (TURNS + "2. Th9h9", 3, 23, "'h9h9'"),
        (TURNS + "4. Th1h2", 3, 19, "the number of this round is 2, not '4'"),
        (TURNS + "1-0", 3, 19, "the result is * according to the moves, not '1-0'"),
        (TURNS + "* Th1h2", 3, 21, "may follow a result"),
        (TURNS + "*\nTh1h2", 4, 1, "a game must start with tags"),
        (TURNS + "Be1d1,Hd2... Th1h2", 3, 19, "is complete"),
        (TURNS + "Be1d1... ph7h6", 3, 28, "nothing may follow an incomplete turn"),
        (TURNS + "Be1d9...", 3, 19, "'Be1d9' is not legal here"),
        (TURNS + "{never closed", 3, 19, "the comment has no end"),
        (TURNS + '{never closed\n\n[Variant "pasgl312"]\n', 3, 19, "no end before the next game"),
        (TURNS + "{a {brace} x", 3, 19, "a brace"),
        (TURNS + "(never (closed)", 3, 19, "the variation has no end"),
        (TURNS + "({never closed)\n\n", 3, 19, "the variation has no end"),
        (TURNS + '(never closed\n\n[Variant "pasgl312"]\n', 3, 19, "no end before the next game"),
        (TURNS + "(" + "\n".join(["x" * 9000] * 9) + ")", 3, 19, "a variation may have at most"),
        (TURNS + "{" + "x" * 2001 + "}", 3, 19, "a word of a comment"),
        (TURNS + "x" * 2001, 3, 19, "a word may have at most"),
        (TURNS + "\0", 3, 19, "is a control character"),
        (TURNS + "{" + "\n".join(["x" * 9000] * 9) + "}", 3, 19, "a comment may have at most"),
        ('[Result "1-0"]\n' + TURNS, 1, 10, "Result is '*' according to the moves, not '1-0'"),
        ('[Score "1:0"]\n' + TURNS, 1, 9, "Score is '0:0' according to the moves, not '1:0'"),
        ('[Termination "x"]\n' + TURNS, 1, 15, "Termination is 'unfinished'"),
        (TURNS + "S" * 20000, 3, 16384, "the line is longer than"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, line, column, reason):
    found = refusal_of(text)
    assert found[:2] == (line, column), found
    assert reason in found[2]


def test_a_million_comments_are_refused_at_once():
    comments = ("{a}" * 5000 + "\n") * 200
    line, _, reason = refusal_of(TURNS + "\n" + comments)
    assert line > 100
    assert "the comments of a game may have at most" in reason


def test_remarks_are_checked():
    text = write_game(scholars_game())
    score = re.search(r"W:3\S*", text)
    assert score is not None, text
    assert games_of(text.replace(score[0], ""))[0] == scholars_game()
    wrong = text.replace(score[0], score[0].replace("3", "4"))
    assert "expected " in refusal_of(wrong)[2]


GOOD = write_game(GameRecord.of(Position("pasgl312"), ["Df1d5", "pd7e6"]))


@pytest.mark.parametrize(
    "bad",
    [
        "no tags\n\n",
        '[Variant "pasgl313"]\n[White "x"]\n\n1. Df1d5 *\n\n',
        '[White "x"]\n[Variant "pasgl312]\n\n1. Df1d5 *\n\n',
        '[Variant "pasgl312"]\n\n1. Df1d9 *\n1. Df1d5\n\n',
        '[Variant "pasgl312"]\n\n1. Df1d5 {never closed *\n\n',
        '[Variant "pasgl312"]\n\n1. Df1d5 * \0\n\n',
        '[Variant "pasgl312"]\n\n1. Df1d5 ' + "x" * 10**6 + "\n\n",
        '[Variant "' + "x" * 10**6 + '"]\n\n1. Df1d5\n\n',
    ],
)
def test_reading_goes_on_with_the_next_game(bad):
    errors = list[RecordError]()
    games = games_of(GOOD + bad + GOOD + GOOD, on_error=errors.append)
    assert len(games) == 3
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (GOOD.encode("utf-16"), "UTF-16"),
        (GOOD.replace("*", "{ä} *").encode("latin-1"), "not UTF-8 text"),
        (b"\x1f\x8b" + GOOD.encode(), "compressed"),
        (b"\x89PGB\r\n\x1a\n", "binary record"),
        (b"\0" * 10**6, "longer than"),
        (b"\xff" * 100, "not UTF-8"),
    ],
)
def test_what_is_no_text_is_refused(data, reason):
    with pytest.raises(RecordError, match=reason) as caught:
        list(read_records(io.BytesIO(data)))
    assert caught.value.line is not None


def test_a_text_stream_of_another_encoding():
    stream = io.TextIOWrapper(io.BytesIO(GOOD.encode() + b"\xff"), encoding="utf-8")
    with pytest.raises(RecordError, match="not text"):
        list(read_records(stream))


def test_an_incomplete_file_has_whole_games_and_an_error(tmp_path):
    file = tmp_path / "games.pgr"
    write_records(file, [scholars_game()] * 3)
    file.write_bytes(file.read_bytes()[:-60])
    errors = list[RecordError]()
    assert list(read_records(file, on_error=errors.append)) == [scholars_game()] * 2
    assert len(errors) == 1


YELLOW_STARTS = "Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 yellow - i 7"
FOUR_START = "Ra7:0,Eb7:0,Hc7:0/Ra1:0,Ea2:0,Ha3:0/Rg1:0,Ef1:0,He1:0/Rg7:0,Eg6:0,Hg5:0 yellow - i 6"


@pytest.mark.parametrize(
    ("start", "players", "labels", "moves"),
    [
        (YELLOW_STARTS, 2, ["roll 1 1", "1:Sd1-e2", "1:Se2-f3"], "4... 1-1:Sd1-e2,Se2-f3 *"),
        (
            FOUR_START,
            4,
            ["roll 2 2", "2:He1-g2", "2:Hg2-f4", "roll 6 6", "6:Hg5-f7", "6:Hf7-d6", "roll 4 4"],
            "2... 2-2:He1-g2,Hg2-f4 6-6:Hg5-f7,Hf7-d6 3. roll_4_4... *",
        ),
    ],
)
def test_numbers_are_those_of_rounds_of_all_players(start, players, labels, moves):
    game = GameRecord.of(Position.from_text("pachessi", start, players=players), labels)
    assert write_game(game).splitlines()[-2] == moves
    assert games_of(write_game(game)) == [game]


TYPED = {
    "a French no-break space": "Bon coup\u00a0!",
    "a Japanese space": "山田\u3000太郎",
    "a Japanese space alone": "\u3000",
    "a Persian joiner": "\u0645\u06cc\u200c\u062e\u0648",
    "joined emoji": "👩\u200d🚀",
    "a soft hyphen": "Donau\u00addampf",
    "marks and embeddings of direction": "\u200f\u05e9\u05dc\u200f \u202babc\u202c \u2066d\u2069",
    "combining characters": "e\u0301 \u0301",
    "a line separator": "a\u2028b \u2029",
    "a byte order mark": "\ufeff[abc \ufeff x",
    "private and unassigned characters": "\ue000 \U0001fbff \U000e0fff",
}


@pytest.mark.parametrize("form", [".pgr", ".pgr.gz", ".pgb"])
@rows(("what", "text"), TYPED.items())
def test_text_as_people_write_it_is_kept(form, what, text, tmp_path):
    """In names, tags and comments, wherever lines break and after the file is written again."""
    about = {"players": (text, "Bob"), "tags": {"Event": text}, "date": text}
    long = " ".join([text] * 40)
    game = GameRecord.of(
        Position("pasgl312"), ["Df1d5"], comments={0: (text,), 1: (long,)}, **about
    )
    first, second = tmp_path / f"{what} a{form}", tmp_path / f"{what} b{form}"
    write_records(first, [game, game])
    write_records(second, read_records(first))
    assert list(read_records(second)) == [game, game]
    assert second.read_bytes() == first.read_bytes()


@rows(
    ("what", "text"),
    [
        ("a control character", "a\x1b[2J"),
        ("a control character of Latin-1", "a\x85b"),
        ("a line end", "a\nb"),
        ("half of a surrogate pair", "a\ud800"),
        ("no character", "a\uffff"),
    ],
)
def test_what_no_file_can_hold_is_refused_when_the_game_is_made(what, text):
    for about in ({"players": (text, None)}, {"tags": {"Event": text}}, {"comments": {0: (text,)}}):
        with pytest.raises(ValueError, match=r"is not a (line of )?text"):
            GameRecord.of(Position("pasgl312"), [], **about)
    with pytest.raises(ValueError, match="is not a line of text"):
        BatchRecorder(Batch("pasgl312", 1), "none.pgb", players=(text, None))


HEAD = '[Variant "pasgl312"]\n[White "Ann"]\n\n1. Df1d5'


@rows(
    ("what", "text"),
    [
        ("after a result", f"{HEAD} *\n\n\ufeff{HEAD} *\n"),
        ("without a result", f"{HEAD}\n\ufeff{HEAD}\n"),
        ("before a blank line", f"{HEAD} *\n\ufeff\n{HEAD}\n"),
        ("before a line for other programs", f"\ufeff% a\n{HEAD}\n\ufeff% b\n{HEAD}"),
    ],
)
def test_byte_order_marks_where_files_were_joined(what, text):
    for stream in (io.StringIO(text), io.BytesIO(text.encode())):
        assert [game.players[0] for game in read_records(stream)] == ["Ann", "Ann"]


def test_blank_lines_between_the_tags_of_a_game():
    text = '[White "Ann"]\n\n  \n% by a database\n[Black "Bob"]\n[Variant "pasgl312"]\n\n* \n\n'
    assert [game.players for game in games_of(text * 2)] == [("Ann", "Bob")] * 2
    empty = '[Variant "pasgl312"]\n\n[Variant "spalding"]\n\n'
    assert [game.ruleset.name for game in games_of(empty)] == ["pasgl312", "spalding"]


def test_options_with_spaces_are_quoted():
    words = ["a=1", "b=x y", 'c="', 'd=\\ "e f', "g=", "h=z\u00a0z"]
    text = settings_text(dict(each.split("=") for each in words))
    assert settings_of(text) == words
    assert settings_of('a=1 b=x"y c="z" "d e"') == ["a=1", 'b=x"y', "c=z", '"d', 'e"']
