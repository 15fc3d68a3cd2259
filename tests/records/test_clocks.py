"""The time that turns took, in comments."""

from pasgl_env import Position
from pasgl_env.records import GameRecord
from pasgl_env.records.clocks import seconds_of, with_clocks, without_clocks


def test_turns_keep_the_time_that_they_took():
    game = GameRecord.of(Position("pasgl312"), ["Th1h2", "wg8g6", "Th2h1"])
    timed = with_clocks(game, [12.4, None, 4000.0], 0.0)
    assert timed.comments == {1: ("[%emt 0:00:12]",)}
    assert seconds_of(with_clocks(game, [12.0, 3700.0], 0.0)) == {0: 12, 1: 3688}
    assert without_clocks("[%emt 0:00:12] Nice.") == "Nice."
