"""How much the games of a run vary."""

import numpy as np

from pasgl_env.playtest.variety import Variety

from ..rows import rows


@rows(
    ("marks", "shared"),
    [
        ([[1, 2, 9, 5], [1, 2, 9, 5]], 3),
        ([[1, 2, 9, 5], [1, 4, 9, 6]], 0),
        ([[1, 2, 9], [3, 4, 9]], -1),
    ],
)
def test_games_share_the_turns_before_they_first_differ(marks, shared):
    assert Variety.of(np.array(marks, np.uint64)).shared_turns == shared
