"""The page of findings, and that the documentation's copy was written by the command."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")

from typer.testing import CliRunner

from pasgl_env import variants
from pasgl_env.playtest import play
from pasgl_env.statistics.estimates import Estimate
from pasgl_env.statistics.texts import estimate_text
from studies.entries import entries_file, write_entries
from studies.findings import __main__ as command
from studies.findings import answers
from studies.findings import page as pages
from studies.findings import play as playing
from studies.findings import question as asking
from studies.findings.page import Found, Row, summary, verdict
from studies.findings.question import Asked, Number, Question, Remark, Run, questions, remarks
from studies.findings.tried import Trials, read_trials

RUNNER = CliRunner()
PAGE = command.PAGE

CUT_OFF = Question(
    "pachessi.cut",
    "pachessi",
    "Is it cut off?",
    "Peter Aronson",
    "> “may run forever”\n>\n> Peter Aronson, *PACHESSI*",
    "A game against itself.",
    tuple(
        Asked(Run(variants.ruleset("pachessi", turn_limit=40), player), None)
        for player in ("random", "greedy")
    ),
    200,
    (
        Number(
            "cut off",
            "By the limit.",
            (("figure", "truncations"),),
            "share",
            threshold=0.5,
            above="It is.",
            below="It is not.",
            unknown="Nobody knows.",
        ),
        Number("turns", "Of both.", (("figure", "turns"),), "number", trend=True),
    ),
)


SMALL = {"players": {"pachessi": []}, "question": [{"variants": ["pachessi"]}], "remark": []}


@pytest.fixture
def short(monkeypatch):
    """A single question, little to play, and no time that passes."""
    monkeypatch.setattr(asking, "_question", lambda given, variant, players: CUT_OFF)
    monkeypatch.setattr("tomllib.loads", lambda text: SMALL)
    monkeypatch.setattr(play, "RANDOM_SHARD", 40)
    monkeypatch.setattr(playing, "MOST_SHARDS", 1)
    monkeypatch.setattr(playing, "MOST_RANDOM_SHARDS", 1)
    monkeypatch.setattr(playing, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(pages, "LEAST_GAMES", 40)


def asked(folder, *more):
    return RUNNER.invoke(command.app, ["--minutes", "0.01", "--out", str(folder / "work"), *more])


@pytest.mark.usefixtures("short")
def test_the_command_plays_and_answers(tmp_path):
    file = tmp_path / "page.md"
    result = asked(tmp_path, "--page", str(file))
    assert result.exit_code == 0, result.output
    text = file.read_text()
    assert "## Pachessi\n" in text
    assert "### Is it cut off?\n\n> “may run forever”\n>\n> Peter Aronson, *PACHESSI*\n" in text
    assert "| players | games | cut off | turns |\n|---|---:|---:|---:|\n| `random` | " in text
    assert "\n- **It is.** `greedy`: cut off " in text
    assert "--minutes 0.01 --seed 0\n\nSeed 0; pasgl_env " in text
    assert re.search(r"Version: pasgl_env\s", text)
    again = asked(tmp_path, "--page", str(file))  # a page of findings may be replaced
    assert again.exit_code == 0, again.output
    assert file.read_text() == text


@pytest.mark.usefixtures("short")
def test_a_page_of_some_questions_does_not_replace_that_of_all(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "PAGE", tmp_path / "docs" / "findings.md")
    assert asked(tmp_path, "pachessi").exit_code == 0
    assert (tmp_path / "work" / "findings.md").exists()
    assert not (tmp_path / "docs").exists()


@pytest.mark.usefixtures("short")
def test_the_numbers_of_other_players_stay(tmp_path):
    def page(*more):
        return asked(tmp_path, "--page", str(tmp_path / "page.md"), *more)

    def rows():
        answer = answers.read_answers(tmp_path / "page.json")["pachessi.cut"]
        return answer.command, {row.player: row for row in answer.rows}

    assert page("--players", "greedy").exit_code == 0
    first, before = rows()
    assert page("--players", "random").exit_code == 0
    commands, after = rows()
    assert (list(before), list(after)) == (["greedy"], ["random", "greedy"])
    assert after["greedy"] == before["greedy"]
    second = commands.removeprefix(f"{first}\n")
    assert f"    {first}\n    {second}\n" in (tmp_path / "page.md").read_text()

    kept = (tmp_path / "page.md").read_bytes()
    assert "of 'td', but of random, greedy" in page("--players", "random,td").output
    assert "have --seed 0" in page("--players", "random", "--seed", "1").output
    assert (tmp_path / "page.md").read_bytes() == kept


@pytest.mark.usefixtures("short")
def test_answers_to_other_questions_stay(tmp_path, monkeypatch):
    other = replace(CUT_OFF, key="pachessi.other", title="Was it asked before?")
    rows = tuple(
        answers.Row(each.run.player, 300, None, (OPEN, Estimate(9.0))) for each in CUT_OFF.asked
    )
    before = answers.Answer("earlier", 5, {"numpy": "2.0"}, ("cut off", "turns"), rows)
    write_entries(tmp_path / "page.json", {"pachessi.other": before})
    all_of_them = [CUT_OFF, other]
    monkeypatch.setattr(asking, "questions", lambda names=(): all_of_them[: len(names) or 2])
    result = asked(tmp_path, "pachessi.cut", "--page", str(tmp_path / "page.md"))
    assert result.exit_code == 0, result.output
    text = (tmp_path / "page.md").read_text()
    assert text.index("### Is it cut off?") < text.index("### Was it asked before?")
    assert "| `random` | 300 | 50.0% (40.0% to 60.0%) | 9 |" in text
    made = text.partition("## How this page was made")[2]
    assert "Pachessi:\n\n    earlier\n\nSeed 5; numpy 2.0.\n" in made
    assert "pachessi.cut --minutes 0.01 --seed 0" in made
    assert answers.read_answers(tmp_path / "page.json")["pachessi.other"] == before


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("chess",), "no question 'chess': pachessi.cut"),
        (("--page", "diary.md"), "diary.md is not a page of findings"),
        (("--minutes", "0"), "minutes"),
    ],
)
def test_wrong_input_is_told_in_a_line_and_nothing_is_lost(words, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("diary.md").write_text("Dear diary")
    result = asked(tmp_path, *words)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    assert Path("diary.md").read_text() == "Dear diary"
    assert not (tmp_path / "work").exists()


@pytest.mark.usefixtures("short")
def test_after_ctrl_c_it_says_that_it_goes_on(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(playing.Runs, "play", interrupted)
    result = asked(tmp_path)
    assert result.exit_code == 130
    assert "run the same command again to continue" in result.stderr


SCORE = replace(
    CUT_OFF.numbers[0],
    heading="score",
    above="White is ahead.",
    below="Black is ahead.",
)
TREND = replace(SCORE, threshold=None, trend=True, unknown="")
HIGH, LOW, OPEN = Estimate(0.7, 0.6, 0.8), Estimate(0.3, 0.2, 0.4), Estimate(0.5, 0.4, 0.6)
FEW = Estimate(0.9)


def told(*estimates, number=SCORE):
    """The verdict on numbers of players who are called a, b, c ..., the weakest first."""
    rows = [Row(name, 200, each) for name, each in zip("abcd", estimates, strict=False)]
    return verdict(number, rows)


@pytest.mark.parametrize(
    ("estimate", "text", "why"),
    [
        (HIGH, "White is ahead.", ""),
        (LOW, "Black is ahead.", ""),
        (OPEN, "Nobody knows.", " The interval contains 50%."),
    ],
)
def test_the_verdict_is_that_of_the_strongest_players_interval(estimate, text, why):
    number = estimate_text(estimate, True)
    assert told(estimate) == f"**{text}** `a`: score {number}.{why}"


def test_games_that_were_cut_off_may_leave_no_verdict_on_a_score():
    score = replace(SCORE, where=(("figure", "first_mover_score"),))
    assert score.side(HIGH, 0.1) == "above"
    change = replace(score, compared=True, threshold=0.0)
    assert change.side(Estimate(0.1, 0.06, 0.14), 0.1) == "above"
    assert change.side(Estimate(0.1, 0.04, 0.16), 0.1) == "unknown"
    assert change.side(Estimate(-0.1, -0.14, -0.06), 0.1) == "below"
    text = verdict(score, [Row("a", 200, HIGH, cut_off=0.3)])
    assert text.startswith("**Nobody knows.**")
    assert text.endswith("however they had ended, it could be up to 15.0 points higher or lower.")
    of_ended = replace(SCORE, where=(("ended_score", "White"),))
    assert of_ended.side(HIGH, 0.3) == "above"
    assert verdict(SCORE, [Row("a", 200, HIGH, cut_off=0.3)]).startswith("**White is ahead.**")


def test_games_that_hardly_vary_have_no_say():
    assert "Nobody has played enough" in verdict(SCORE, [Row("a", 200, HIGH, doubt="All alike.")])


def test_an_open_answer_says_how_many_games_would_tell():
    why = "if the number stayed, about 4 times as many games would tell."
    assert told(Estimate(0.45, 0.35, 0.55)).endswith(f" The interval contains 50%; {why}")


def test_an_interval_close_to_the_threshold_is_even():
    number = replace(SCORE, margin=0.05, within="It is even.")
    assert told(Estimate(0.51, 0.46, 0.54), number=number).startswith("**It is even.**")
    assert told(Estimate(0.51, 0.44, 0.54), number=number).startswith("**Nobody knows.**")


@pytest.mark.parametrize(
    ("low", "high", "claim"),
    [
        (0.501, 0.542, "White is ahead. The difference is less than 5 points."),
        (0.492, 0.535, "Neither is shown to be ahead."),
        (0.458, 0.499, "Black is ahead. The difference is less than 5 points."),
        (0.51, 0.55, "White is ahead."),
    ],
)
def test_an_interval_beside_the_threshold_but_close_to_it_is_a_small_difference(low, high, claim):
    number = replace(SCORE, margin=0.05, within="Neither is shown to be ahead.")
    estimate = Estimate((low + high) / 2, low, high)
    assert told(estimate, number=number).startswith(f"**{claim}**")
    said: Any = {"above": number.above, "within": number.within, "below": number.below}
    found = {"one": Found(replace(CUT_OFF, numbers=(number,)), {number: [Row("a", 200, estimate)]})}
    assert f"- **{claim}**" in "\n".join(summary([Remark("one", "score", said, {})], found, ()))


def test_a_difference_is_small_only_if_games_that_were_cut_off_cannot_make_it_large():
    number = replace(SCORE, where=(("figure", "first_mover_score"),), margin=0.05)
    assert number.is_slight(Estimate(0.52, 0.51, 0.53), 0.01)
    assert not number.is_slight(Estimate(0.52, 0.51, 0.53), 0.04)
    assert not number.is_slight(Estimate(0.525, 0.515, 0.545), 0.02)


@pytest.mark.parametrize("edge", [Estimate(0.7, 0.5, 0.8), Estimate(0.4, 0.3, 0.5)])
def test_an_interval_that_ends_at_the_threshold_tells_nothing(edge):
    assert told(edge).startswith("**Nobody knows.**")


@pytest.mark.parametrize("row", [Row("b", 200, FEW), Row("b", 198, HIGH)])
def test_who_has_too_few_games_gives_no_verdict(row):
    text = verdict(SCORE, [Row("a", 200, HIGH), row])
    assert text.startswith("**White is ahead.** `a`, the last with enough games:")
    assert "`b`" not in text


def test_nothing_is_known_if_too_few_games_of_a_stronger_player_differ():
    rows = [Row("a", 200, HIGH), Row("b", 198, LOW)]
    assert verdict(SCORE, rows) == (
        "**Nobody knows.** `a`, the last with enough games: score 70% (60% to 80%)."
        " Too few games of `b`, which is stronger, differ: 30% (20% to 40%)."
    )
    remark = Remark("one", "score", {"above": "Large."}, {})
    found = {"one": Found(replace(CUT_OFF, numbers=(SCORE,)), {SCORE: rows})}
    assert summary([remark], found, ()) == []


def test_an_answer_stands_where_few_games_of_a_stronger_player_differ_by_chance():
    """Their value points elsewhere, and the difference is not shown."""
    rows = [Row("a", 200, LOW), Row("b", 200, HIGH), Row("c", 100, Estimate(0.49, 0.24, 0.74))]
    text = verdict(SCORE, rows)
    assert text.startswith("**White is ahead.** `b`, the last with enough games:")
    assert text.endswith("From `b` to `c` no change is shown: -21 points (-48 to +6).")
    assert "still" not in text


def test_few_games_of_a_stronger_player_show_whether_a_number_still_moves():
    higher = Row("c", 100, Estimate(0.95, 0.9, 1.0))
    text = verdict(SCORE, [Row("a", 200, LOW), Row("b", 200, HIGH), higher])
    assert text.startswith("**White is ahead.**")
    assert "It still moves: from `b` to `c` it rises by +25 points" in text


@pytest.mark.parametrize("number", [SCORE, TREND])
def test_without_enough_games_nothing_is_known(number):
    lead = "**Nobody knows.** " if number is SCORE else ""
    assert told(FEW, FEW, number=number) == f"{lead}Nobody has played enough games."


def test_the_summary_says_what_fits_the_strongest_player_with_a_say():
    def remark(of, **kinds):
        return Remark(of, "score", kinds.get("good", {}), kinds.get("change", {}))

    def found(variant, *estimates):
        rows = [Row(name, 200, each) for name, each in zip("ab", estimates, strict=False)]
        return Found(replace(CUT_OFF, variant=variant, numbers=(SCORE,)), {SCORE: rows})

    of_random = found("pachessi")
    text = "\n".join(
        summary(
            [
                remark("one", good={"below": "Small."}, change={"above": "Too large."}),
                remark("two", good={"below": "Small."}, change={"above": "Too large."}),
                remark("two", good={"above": "Large.", "unknown": "Who knows?"}),
                remark("three", good={"above": "Random play does not count."}),
                remark("another", good={"above": "Of a question that was not asked."}),
            ],
            {
                "one": found("pachessi", HIGH, LOW),
                "two": found("grand_pachessi", LOW, Estimate(0.1)),
                "three": Found(of_random.question, {SCORE: [Row("random", 200, HIGH)]}),
            },
            (),
        )
    )
    evidence = "[{}, `{}`: score 30% (20% to 40%)](#is-it-cut-off)"
    assert " ".join(text.split()).partition("### ")[2] == (
        "For Peter Aronson What is good: - **Small.** "
        f"{evidence.format('Pachessi', 'b')}; {evidence.format('Grand Pachessi', 'a')}."
    )


def test_advice_on_a_change_is_given_only_where_it_was_tried_and_helped():
    """The met aim rather than the first of the front, and nothing of other games or aims."""

    def rule(players, value, verdict):
        number = {"value": value, "low": value - 0.1, "high": value + 0.1, "verdict": verdict}
        return {"options": {"players": players}, "learned": [], "numbers": {"draws<0.3": number}}

    usual, open_, met = rule(2, 0.6, "missed"), rule(3, 0.3, "open"), rule(4, 0.1, "met")
    numbers = {
        **{"variant": "pachessi", "players": ["td", "td"], "aims": ["draws<0.3"]},
        **{"swept": {"players": [2, 3, 4]}, "usual": usual, "tried": [usual, open_, met]},
    }
    trials = [Trials("Game: For how many?", {**numbers, "front": [usual, open_, met]})]
    remark = Remark("one", "score", {}, {"above": "Many draws: let four play."}, "draws<0.3")
    for variant, aim, remarked, trial in (
        (
            *("pachessi", "draws<0.3", "Many draws: let four play."),
            ", [*tried*](tuned_rules.md#game-for-how-many) by `td`: `draws` 60.0% (50.0% to 70.0%)"
            " as it is, 10% (0% to 20%) with players=4: `draws<0.3` is met",
        ),
        ("pachessi", "draws<0.4", "Many draws.", ""),
        ("grand_pachessi", "draws<0.3", "Many draws.", ""),
    ):
        question = replace(CUT_OFF, variant=variant, numbers=(SCORE,))
        found = {"one": Found(question, {SCORE: [Row("a", 200, HIGH)]})}
        said = " ".join("\n".join(summary([replace(remark, tried=aim)], found, trials)).split())
        assert f"- **{remarked}** " in said
        assert said.endswith(f"(#is-it-cut-off){trial}.")
    question = replace(CUT_OFF, numbers=(SCORE,))
    found = {"one": Found(question, {SCORE: [Row("a", 200, HIGH)]})}
    worse = rule(5, 0.7, "missed")
    trials = [Trials("Game: For how many?", {**numbers, "front": [usual, worse]})]
    said = " ".join("\n".join(summary([remark], found, trials)).split())
    assert "- **Many draws.** " in said
    assert said.endswith("70.0% (60.0% to 80.0%) with players=5: `draws<0.3` is missed.")
    numbers |= {"front": [usual]}
    assert (
        Trials("", numbers)
        .text("draws<0.3")
        .endswith("so `draws<0.3` is missed, and none of 2 other rules came nearer")
    )


def test_players_who_say_otherwise_are_named_together():
    text = told(LOW, LOW, OPEN, HIGH)
    assert "By `a` and `b`: Black is ahead." in text
    assert "By `c`: Nobody knows." in text
    assert "By" not in told(LOW, LOW, LOW)


@pytest.mark.parametrize(
    ("weakest", "strongest", "text"),
    [
        (LOW, HIGH, "From `a` to `c` it rises by +40 points (+26 to +54)."),
        (HIGH, LOW, "From `a` to `c` it falls by -40 points (-54 to -26)."),
        (HIGH, HIGH, "From `a` to `c` no change is shown: 0 points (-14 to +14)."),
    ],
)
@pytest.mark.parametrize("number", [SCORE, TREND])
def test_the_weakest_and_the_strongest_tell_how_strength_changes_it(
    weakest, strongest, text, number
):
    assert told(weakest, strongest, strongest, number=number).endswith(text)


def test_a_number_that_the_last_two_players_do_not_share_still_moves():
    text = told(HIGH, LOW, HIGH)
    moved = "from `b` to `c` it rises by +40 points (+26 to +54)"
    assert text.endswith(f" It still moves: {moved}, so stronger players may differ.")
    assert "still" not in told(LOW, HIGH, HIGH)
    assert "still" not in told(LOW, HIGH)


def test_a_single_player_shows_no_change_with_strength():
    assert "From" not in told(HIGH)


def sections():
    """The sections of the documentation's page, by title."""
    answers = PAGE.read_text(encoding="utf-8").partition("\n## All answers\n")[2]
    parts = answers.split("\n### ")[1:]
    return {part.split("\n")[0]: part.split("\n## ")[0] for part in parts}


def test_the_page_answers_every_question_in_order():
    assert list(sections()) == [question.title for question in questions()]


@pytest.mark.parametrize("question", [pytest.param(each, id=each.key) for each in questions()])
def test_an_answer_has_the_form_that_the_command_gives_it(question):
    text = sections()[question.title]
    assert pages.wrapped(question.method) in text
    header, *rows = re.findall(r"^\| .*\|$", text, re.MULTILINE)
    assert header == f"| players | games | {' | '.join(e.heading for e in question.numbers)} |"
    assert [row.split("`")[1] for row in rows] == [each.run.player for each in question.asked]
    flat = " ".join(text.split())
    for number in question.numbers:
        if number.threshold is not None:
            sides = {number.above, number.below}
            small = {pages.slightly(each, number) for each in sides} if number.margin else set()
            outcomes = {*sides, *small, number.within, number.unknown} - {""}
            assert sum(f"- **{outcome}**" in flat for outcome in outcomes) == 1


def test_the_page_says_what_compensates_for_the_first_move_in_every_variant():
    table = PAGE.read_text(encoding="utf-8").partition("\n## What compensates")[2]
    rows = re.findall(r"^\| ([^|]*) \| `", table, re.MULTILINE)
    titles = dict.fromkeys(variants.find(each.variant).title for each in questions())
    assert list(dict.fromkeys(rows)) == [title.removesuffix(" Chess") for title in titles]


def test_the_page_says_how_it_was_made():
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(pages.TITLE)
    assert f"\n    {command.COMMAND} " in text
    assert "Version: pasgl_env" in text


def test_the_page_is_made_from_the_numbers_beside_it():
    known = answers.read_answers(entries_file(PAGE))
    trials = read_trials(entries_file(command.TRIED))
    assert pages.page(questions(), remarks(), known, trials) == PAGE.read_text(encoding="utf-8")
