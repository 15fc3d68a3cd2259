"""Games of three sides in all that is above the engine: they are played, or refused at once."""

import pytest

from pasgl_env.evaluation.tournament import Tournament
from pasgl_env.training.settings import TdSettings

pytestmark = pytest.mark.usefixtures("three_sides")


@pytest.mark.parametrize(
    "begin",
    [
        lambda: Tournament("race_of_three", ["random", "greedy"]),
        lambda: TdSettings("race_of_three", games=1),
    ],
    ids=["tournament", "learned values"],
)
def test_what_is_for_two_sides_is_refused_before_anything_compiles(begin, monkeypatch):
    for user in ("batch", "position"):
        monkeypatch.setattr(f"pasgl_env.engine.{user}.loops_of", None)
    with pytest.raises(ValueError, match="two sides, but race_of_three has 3"):
        begin()
