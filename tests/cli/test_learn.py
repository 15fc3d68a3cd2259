from pasgl_env.lessons import lesson
from pasgl_env.puzzles.endings import ENDINGS


def test_a_lesson_is_learned_to_its_end(pasgl, variant):
    steps = lesson(variant).steps
    typed = [label for step in steps for label in step.own(step.answers[0])]
    text = pasgl("learn", variant, typed=typed).stdout
    assert text.count("\nDone. ") == len(steps)
    assert text.endswith("That was the last step.\n")


def test_a_failed_try_is_helped_and_can_be_repeated(pasgl):
    typed = ["Td4d5", "hint", "show", "f1", "Be1f1", "quit"]
    text = pasgl("learn", "pasgl312", typed=typed).stdout
    assert text.count("A critter that moves earns nothing this turn.") == 2
    assert "White> show\nPlay Be1d1.\n" in text
    assert "White> Be1f1\n" in text
    assert "+2 for your Turkey at the campfire.\nDone. It earns as much" in text
    assert text.endswith("To continue:\npasgl learn pasgl312 --step 2\n")


def test_a_turn_of_several_actions_is_tried_again_from_its_beginning(pasgl):
    typed = ["Fb3c4", "h", "text", "Fb3c4", "again", "next", "back", "Fb3c4", "-w"]
    text = pasgl("learn", "pasgl312", "--step", "5", typed=typed).stdout
    assert (
        "which critter on c4?> h\nYour Fox stole the lunch of Black's Hunter.\nNot quite." in text
    )
    assert text.count("Step 5 of 12") == 3
    assert text.count("Step 6 of 12") == 2


def test_lessons_are_listed_and_begin_at_any_step(pasgl, refused):
    assert "pasgl312        12 steps  PASGL 312 Chess\n" in pasgl("learn").stdout
    assert "--step must be from 1 to 12, not 13" in refused("learn", "pasgl312", "--step", "13")


def test_endings_are_played_out_and_judged_by_exact_values(pasgl, refused):
    line = ENDINGS[0].attempt([]).line
    typed = ["Mc2-b1", *line[:2], "show", *line[2:], "quit"]
    text = pasgl("learn", "chieftain", "--endings", typed=typed).stdout
    assert "That gave the win away: now it is a draw.\nNot quite." in text
    assert f"\nPlay {', '.join(line[2:])}.\n" in text
    assert "\nThen: " in text and "\nDone. You have won.\n" in text
    assert text.endswith("To continue:\npasgl learn chieftain --endings --step 2\n")
    assert "spalding has no endings. " in refused("learn", "spalding", "--endings")


def test_the_rules_end_with_how_to_play(pasgl):
    assert "\nHOW TO PLAY\nHave more points" in pasgl("rules", "pasgl312").stdout
    changed = pasgl("rules", "pasgl312", "--set", "win_margin=9").stdout
    assert "\nHOW TO PLAY WITHOUT CHANGED RULES\n" in changed
