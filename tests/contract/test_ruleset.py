"""A variant under options as one value."""

import copy
import pickle

import numpy as np
import pytest

from pasgl_env import Batch, Position, variants


def test_equal_options_make_equal_rulesets_however_they_were_given():
    one = variants.ruleset("pachessi", players=4)
    other = variants.ruleset(variants.ruleset("pachessi"), players=np.int64(4), first="lot")
    assert one == other
    assert hash(one) == hash(other)
    assert one != variants.ruleset("pachessi")
    assert one != variants.ruleset("grand_pachessi", players=4)
    assert one != "pachessi"


def test_environments_and_positions_have_defaults_of_their_own():
    assert Batch("pachessi", 1).ruleset == variants.ruleset("pachessi")
    assert Position("pachessi").ruleset == variants.published_ruleset("pachessi")
    assert variants.ruleset("pachessi") != variants.published_ruleset("pachessi")


def test_a_ruleset_stands_for_a_variant_and_its_options():
    rules = variants.ruleset("pachessi", players=4, size=9, hole=5)
    assert Batch(rules, 2).options == rules.options
    assert Position(rules, first="red").options == rules.changed(first="red").options
    text = Position(rules, first="red").text
    assert Position.from_text(rules, text, first="red").text == text


def test_copies_and_pickles_are_equal_and_hold_the_same_record(every_variant):
    rules = variants.ruleset(every_variant, turn_limit=77)
    for twin in (copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert twin == rules
        assert twin.record.tobytes() == rules.record.tobytes()


def test_seats_teams_and_spaces_are_those_of_the_options():
    rules = variants.ruleset("pachessi", players=4)
    assert rules.seats == ("Black", "Green", "Yellow", "Red")
    assert rules.teams == (0, 1, 0, 1)
    assert rules.spaces.players == 4


def test_a_wrong_option_of_a_ruleset_is_refused():
    with pytest.raises(ValueError, match="players of pachessi must be 2 or 4, not 3"):
        variants.ruleset(variants.ruleset("pachessi"), players=3)
