"""A side is a team: nothing depends on the numbers that a game gives to its teams."""

from pasgl_env import Position
from pasgl_env.evaluation import play_match


class First:
    """Plays the legal action with the lowest number."""

    name = "first"

    def choose(self, batch, games):
        return batch.action_mask[games].argmax(axis=1)


class Last(First):
    """Plays the legal action with the highest number."""

    name = "last"

    def choose(self, batch, games):
        masks = batch.action_mask[games]
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


TEXT = "tsfhbdwt/pppppppp/8/8/8/8/PPPPPPPP/TSFHBDWT ./././. ./. 1 w 7:3 0 36"


def test_a_match_does_not_take_sides_for_seats(swapped):
    start = Position.from_text("pasgl312", TEXT, turn_limit=40).state
    usual = play_match("pasgl312", Last(), First(), 2, seed=1, starts=start, turn_limit=40).games
    games = play_match(swapped, First(), Last(), 2, seed=1, starts=start).games
    assert games["side"].tolist() == [0, 1]
    assert games["points_for"].tolist() == usual["points_against"].tolist() == [3, 7]
    assert games["points_against"].tolist() == usual["points_for"].tolist() == [7, 3]
    assert (games["ending"] == usual["ending"]).all()
