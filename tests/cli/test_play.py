import os
import re
import signal
import subprocess
import sys
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from pasgl_env import Position, players
from pasgl_env.cli import output, play
from pasgl_env.cli.boards import print_diagram

from .runner import run

PUSH = "4b3/8/8/8/8/8/4[HW]3/4B3 ./././. ./. 1 w 0:0 0 0"
# White's Hunter on e4 scores its fourth point when White moves something else.
NEARLY_WON = "8/4b3/8/8/4H3/8/8/4B3 ./././. ./. 2 w 26:0 0 10"
BOTH = ("play", "pasgl312", "--side", "both")


def boards(text):
    return text.count("a      b      c      d      e      f      g      h") // 2


def test_a_first_turn_against_a_player(pasgl):
    result = pasgl("play", "pasgl312", "--player", "random", "--seed", "1", typed=["Th1h2", "quit"])
    assert result.exit_code == 0
    assert "you are White against random" in result.stdout
    assert "White> Th1h2\nBlack (random): " in result.stdout
    assert boards(result.stdout) == 2


def test_black_waits_for_the_first_move(pasgl):
    text = pasgl("play", "pasgl312", "--side", "black", typed=["quit"]).stdout
    assert text.index("White (greedy): ") < text.index("Black> quit")


def test_the_list_of_legal_actions(pasgl):
    text = pasgl(*BOTH, typed=["?"]).stdout
    assert "36 legal actions:\n  Be1d1 Be1d2 Be1e2 Be1f1 Be1f2\n" in text
    assert all(len(line) <= 81 for line in text.splitlines()[:-1])


def test_a_turn_of_several_actions_is_asked_one_by_one(pasgl):
    text = pasgl(*BOTH, "--from", PUSH, typed=["Be1e2", "?", "Hd3", "We1", "text"]).stdout
    asked = "White, after Be1e2: where does White's Hunter go?"
    assert f"{asked}> ?\n8 legal actions:\n  Hd1 Hd2" in text
    assert "White, after Be1e2, Hd3: where does White's Woodchuck go?> We1\n" in text
    assert "Black> text\n4b3/8/8/8/8/3H4/4B3/4W3 ./././. ./. 1 b 0:0 0 1\n" in text


def test_undo_goes_back_to_the_last_choice(pasgl):
    typed = ["undo", "Be1e2", "Hd3", "undo", "text", "undo", "text", "undo"]
    text = pasgl(*BOTH, "--from", PUSH, typed=typed).stdout
    assert text.count("Nothing to undo") == 2
    assert f"where does White's Hunter go?> text\n{PUSH} Be1e2\n" in text
    assert f"White> text\n{PUSH}\n" in text


def test_undo_takes_the_answer_back_too(pasgl):
    typed = ["Th1h2", "undo", "text"]
    text = pasgl("play", "pasgl312", "--player", "random", typed=typed).stdout
    assert f"White> text\n{Position('pasgl312').text}\n" in text


def test_board_draws_it_again(pasgl):
    assert boards(pasgl(*BOTH, typed=["board"]).stdout) == 2


def test_text_in_mid_turn_continues_the_game(pasgl):
    text = pasgl(*BOTH, "--from", f"{PUSH} Be1e2", typed=["Hd3"]).stdout
    assert boards(text) == 1
    assert "where does White's Woodchuck go?" in text


def test_the_end_of_the_game_is_told(pasgl):
    result = pasgl(*BOTH, "--from", NEARLY_WON, typed=["Be1d1", "this is not read"])
    assert result.exit_code == 0
    assert result.stdout.endswith("White wins after 11 turns, 30 to 0 points.\n")
    assert "To continue" not in result.stdout


def test_the_turn_limit_ends_the_game(pasgl):
    result = pasgl(*BOTH, "--set", "turn_limit=2", typed=["Th1h2", "wg8g6", "this is not read"])
    last = "Cut off at the turn limit, 2, a limit of this suite and not a rule of the game.\n"
    assert result.stdout.endswith(last)
    assert "To continue" not in result.stdout


def test_a_finished_game_has_nothing_to_play(pasgl):
    over = "8/8/8/8/8/8/8/4B3 ./././. ./. 1 b 25:3 0 7"
    assert pasgl("play", "pasgl312", "--from", over).stdout.endswith("25 to 3 points.\n")


@pytest.mark.parametrize("typed", [["quit"], None, [], ["Th1h2"], "no newline"])
def test_leaving_tells_how_to_go_on(pasgl, typed):
    result = pasgl(*BOTH, "--set", "win_margin=9", typed=typed)
    assert result.exit_code == 0
    again = result.stdout.splitlines()[-1]
    assert again.startswith("pasgl play pasgl312 --side both --set win_margin=9")
    assert result.stderr == ""


def test_ctrl_c_leaves(pasgl, monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "read_line", interrupted)
    result = pasgl(*BOTH)
    assert result.exit_code == 0
    assert "To continue this game:" in result.stdout


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("be1d9", "'be1d9' is not legal here. Near: Be1d1 Be1d2 Be1e2 Be1f1 Be1f2."),
        ("Be1e9", "'Be1e9' is not legal here. Near: Be1d1"),
        ("zzz", "'zzz' is not legal here. ? lists the legal actions, help shows all commands."),
        ("", "? lists the legal actions, help shows all commands."),
        ("\x1b[2J", "'\\x1b[2J' is not legal here."),
    ],
)
def test_what_is_not_legal_is_refused(pasgl, typed, answer):
    text = pasgl(*BOTH, typed=[typed, "text"]).stdout
    assert answer in text
    assert "\x1b" not in text
    assert f"White> text\n{Position('pasgl312').text}\n" in text


def test_labels_may_have_spaces_around(pasgl):
    assert "Black> " in pasgl(*BOTH, typed=["  Th1h2  "]).stdout


@pytest.mark.parametrize("typed", ["th1h2", "TH1H2", "h1h2", "Th1h2"])
def test_case_and_piece_may_be_left_out_where_it_is_clear(pasgl, typed):
    assert "Last turn: Th1h2" in pasgl(*BOTH, typed=[typed]).stdout


def test_what_is_not_clear_is_refused_with_what_it_may_mean(pasgl):
    start = "Ra7:0,Eb7:0,Hc7:0,Sd7:0/Rg1:0,Ef1:0,He1:0,Sd1:0 black 2,6 i 0"
    text = pasgl("play", "pachessi", "--side", "both", "--from", start, typed=["c7b5"]).stdout
    assert "Which? Type its label:\n  2:Hc7-b5  Move: Horse c7 to b5 by the 2\n  6:Hc7-b5  " in text


def test_help_legend_rules_and_a_hint(pasgl):
    text = pasgl(*BOTH, typed=["help", "legend", "rules", "HINT"]).stdout
    assert "Tab completes labels" in text
    assert "B  Bear: One step in any direction" in text
    assert "CHEAT SHEET" in text
    assert "(the engine gives you " in text


def test_a_compact_board_fits_a_small_terminal(pasgl):
    text = pasgl(*BOTH, "--compact", typed=["quit"]).stdout
    assert "8 |  |t |s |f |h |b |d |w |t |  |" in text
    assert len(text.splitlines()) < 24


def test_the_board_is_drawn_again_after_an_order(pasgl):
    text = pasgl("play", "chieftain", "--side", "both", typed=["Cc1-c3", "by c1"]).stdout
    assert text.count("a b c d") >= 2 or text.count("12 ") >= 2


def test_squares_that_pieces_have_left_or_reached_are_marked(monkeypatch):
    printed = StringIO()
    monkeypatch.setattr(output, "out", Console(file=printed, force_terminal=True, highlight=False))
    position = Position("chieftain")
    before = print_diagram(position)
    assert marked(printed.getvalue()) == []
    print_diagram(position.play("Hb1-b4"), before=before)
    assert marked(printed.getvalue()) == ["H", "."]


def marked(printed):
    """The characters printed in reverse."""
    return re.findall(r"\x1b\[(?:\d+;)*7m(.)", printed)


def test_no_opponent_is_made_for_two_persons(pasgl, monkeypatch):
    monkeypatch.setattr(players, "make", None)
    assert "you are White and Black." in pasgl(*BOTH, typed=["quit"]).stdout


LINES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(
        ["?", "undo", "text", "board", "quit ", "pass", "Th1h2", "Be1e2", "He1", "\x00"]
    ),
    st.sampled_from(Position("pasgl312").legal_moves()),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(LINES, max_size=12), st.sampled_from(["white", "black", "both"]))
def test_whatever_is_typed_the_game_goes_on(lines, side):
    opponent = ("--player", "random") if side != "both" else ()
    result = run("play", "pasgl312", "--side", side, *opponent, typed=lines)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "To continue this game:" in result.stdout


class TestProcess:
    """The command in its own process, without typer's test runner."""

    COMMAND = (sys.executable, "-c", "from pasgl_env.cli import main; main()")

    def run(self, *arguments, **settings):
        return subprocess.run(
            [*self.COMMAND, *arguments], capture_output=True, timeout=120, **settings
        )

    def test_a_scripted_session_in_a_terminal_that_knows_ascii_only(self):
        typed = "?\nTe9\nTh1h2\nundo\nGröße\n".encode() + b"\xff\xfe\x00\nTh1h2\ntext\nquit\n"
        result = self.run(
            *("play", "pasgl312", "--player", "random", "--seed", "1"),
            input=typed,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert result.returncode == 0
        text = result.stdout.decode("ascii")
        assert text.count("Black (random): ") == 2
        assert "To continue this game:" in text
        assert b"Traceback" not in result.stderr

    def test_no_input_at_all(self):
        result = self.run("play", "pasgl312", stdin=subprocess.DEVNULL)
        assert result.returncode == 0

    def test_wrong_input(self):
        result = self.run("show", "pasgl31")
        assert (result.returncode, result.stdout) == (2, b"")
        assert result.stderr.startswith(b"pasgl: no variant 'pasgl31'; did you mean 'pasgl312'?")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run(
                [*self.COMMAND, "variants", "pasgl312"], stdout=full, stderr=subprocess.PIPE
            )
        assert result.returncode == 2
        assert result.stderr == b"pasgl: No space left on device\n"

    @pytest.mark.skipif(os.name == "nt", reason="needs a shell of POSIX")
    @pytest.mark.parametrize(
        ("arguments", "closed", "code"),
        [("show pachessi", ">&-", 0), ("show chess", ">&- 2>&-", 2)],
    )
    def test_closed_streams(self, arguments, closed, code):
        command = f'exec "$0" "$@" {arguments} {closed}'
        result = subprocess.run(["sh", "-c", command, *self.COMMAND], capture_output=True)
        assert result.returncode == code
        assert b"Traceback" not in result.stderr

    def test_a_reader_that_leaves(self):
        writer: Any = subprocess.Popen(
            [*self.COMMAND, "watch", "pasgl312", "random", "random"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        writer.stdout.readline()
        writer.stdout.close()
        assert b"Traceback" not in writer.stderr.read()
        writer.stderr.close()
        assert writer.wait(60) in (0, 1)

    @pytest.mark.skipif(os.name == "nt", reason="signals differ")
    def test_interrupting_a_match(self, interruptible):
        process: Any = subprocess.Popen(
            [*self.COMMAND, "watch", "pasgl312", "--delay", "60"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
        assert process.returncode == 130
        assert b"Traceback" not in complaint

    @pytest.mark.parametrize("missing", ["typer", "rich"])
    def test_without_the_extra(self, missing):
        code = (
            f"import sys; sys.modules[{missing!r}] = None; from pasgl_env.cli import main; main()"
        )
        result = subprocess.run([sys.executable, "-c", code], capture_output=True)
        assert result.returncode == 2
        assert result.stderr == b"pasgl needs typer and rich: pip install 'pasgl-env[cli]'\n"


def test_what_an_action_did_is_told(pasgl):
    start = "4b3/8/8/4t3/8/8/4H3/4B3 ./././. ./. 1 w 0:0 0 0"
    arguments = ("--player", "random", "--from", start)
    text = pasgl("play", "pasgl312", *arguments, typed=["e2e5"]).stdout
    assert "  Your Hunter shot Black's Turkey on e5.\n" in text


@pytest.mark.usefixtures("three_sides")
def test_a_roll_after_a_choice_is_of_who_chose_and_falls_again_after_undo(pasgl):
    typed = ["roll", "undo", "roll"]
    text = pasgl("play", "race_of_three", "--side", "both", "--seed", "5", typed=typed).stdout
    rolls = re.findall(r"^(?:.*> )?(\w+): (roll\d)$", text, re.MULTILINE)
    north, south = ("North", "roll1"), ("South", "roll6")  # a 1 ends the turn
    assert rolls == [("North", "roll2"), north, south, north, south]
