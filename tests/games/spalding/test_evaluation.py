"""What the greedy player thinks of positions."""

from __future__ import annotations

from pasgl_env import Position
from pasgl_env.contract.game import options_array
from pasgl_env.games.spalding import GAME
from pasgl_env.games.spalding.rules.evaluation import WON
from pasgl_env.players import choose_one, make

from ...rows import rows
from .positions import place

OPTIONS = options_array(GAME, {})[0]


def value(pieces: str, player: int = 0, mover: str = "w", rule=GAME.evaluate) -> float:
    position = Position.from_text("spalding", place(pieces, mover=mover))
    return rule(position.state[0], OPTIONS, player)


@rows(
    ("piece", "worth"),
    [("R", 5), ("E", 5), ("H", 4), ("L", 3), ("W", 3), ("J", 3), ("P", 2), ("V", 1)],
)
def test_pieces_have_their_worth(piece, worth):
    near = 1 / 16 if piece in "REHLV" else 0
    assert value(f"{piece}a2") == worth + near * (8 - 7)
    assert value(f"{piece}a2", player=1) == -value(f"{piece}a2")
    assert value(f"{piece.lower()}a7") == -worth - near * (8 - 7)


@rows("piece", ["Ca3", "Mb5", "Nc3", "Bd4", "De5"])
def test_crumbs_monsters_and_neutral_pieces_have_none(piece):
    assert value(piece) == 0


def test_attackers_are_better_near_the_box():
    assert value("Rd4") > value("Rc3") > value("Ra2")
    assert value("Pd4") == value("Pa2")


def test_the_player_to_act_is_better_off_by_what_it_can_capture():
    pieces = "La3 eb4"
    plain = value(pieces, rule=GAME.potential)
    assert value(pieces, mover="w") == plain + 0.75 * 5
    assert value(pieces, mover="b") == plain - 0.75 * 3
    assert value(pieces, player=1, mover="b") == -plain + 0.75 * 3


def test_a_rhino_captures_around_a_corner_unless_it_is_occupied():
    assert value("Rd4 ec6") - value("Rd4 ec6", rule=GAME.potential) == 0.75 * 5
    assert value("Rd4 Cd5 ec6") - value("Rd4 Cd5 ec6", rule=GAME.potential) == 0
    assert value("Hd4 ec6") - value("Hd4 ec6", rule=GAME.potential) == 0


def test_a_captured_box_is_everything():
    text = "8/8/8/8/8/8/8/7X b - 5"
    position = Position.from_text("spalding", text)
    assert [GAME.evaluate(position.state[0], OPTIONS, player) for player in range(2)] == [WON, -WON]


@rows("seed", range(3))
def test_greedy_captures_a_box(seed):
    position = Position.from_text("spalding", "8/8/3e1x2/3R4/8/8/8/P3X2J w HEh 9")
    greedy = make("greedy", "spalding", seed=seed)
    assert position.label(choose_one(greedy, position)) == "Rd5xf6"
