"""What a static page makes of changed options."""

import pytest

from pasgl_env import variants
from tools import site
from tools.site.options import Changes


@pytest.fixture(scope="module")
def changes():
    return Changes(variants.ruleset("pachessi"), site.exported)


def test_options_together_make_the_data_of_their_ruleset(changes):
    options = {"dice": "all", "bear_off": "free", "laps": 3, "turn_limit": 77, "first_dice": 1}
    right = changes.data(variants.ruleset("pachessi", **options))
    assert changes.applied(options) == right
    assert changes.applied({**options, "laps": 2}) != right


def test_an_option_that_changes_the_board_is_left_out(changes):
    assert "size" not in changes.known
