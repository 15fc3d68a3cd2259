"""Tables of moves."""

import pytest

from pasgl_env import Position
from pasgl_env.records.game import GameRecord
from pasgl_env.records.table import table

from ..games.pasgl312.positions import place


def rows(start: Position, labels: str) -> list[str]:
    return table(GameRecord.of(start, labels.split(", ")).turns()).splitlines()


def test_lawsons_move_in_its_nearest_legal_form():
    """1. Te3-e4 Be5-e4,Td4 Xd4_T W:15 B:18 on his page."""
    start = Position.from_text("pasgl312", place("Td3 be6 Te5", phase=5, score="13:18"))
    assert rows(start, "Td3c3, be6e5, Td4") == [
        "   White   Black       Train   Score",
        "1. Td3c3   be6e5,Td4   Xd4_T   W:15 B:18",
    ]


def test_a_game_that_black_begins():
    start = Position.from_text("pasgl312", place("Td3 te5", mover="b", turns=9))
    assert rows(start, "te5e6, Td3d2, te6e7") == [
        "   White   Black   Train   Score",
        "5. ...     te5e6   Xh4     W:0 B:0",
        "6. Td3d2   te6e7   Xg4     W:0 B:0",
    ]


def test_a_turn_under_way_and_a_game_that_white_ends():
    start = Position.from_text("pasgl312", place("Bd2 fd1 Td1 He4 be7"))
    assert rows(start, "Bd2d1")[1:] == ["1. Bd2d1..."]
    assert rows(start, "He4:e7")[1:] == ["1. He4:be7                   W:20 B:0"]


@pytest.mark.parametrize("players", [2, 4])
def test_dice_and_more_players(players):
    start = Position("pachessi", players=players)
    labels = []
    position = start.copy()
    while position.turns < 2 * players + 1:
        label = position.legal_moves()[0]
        labels.append(label)
        position.play(label)
    lines = rows(start, ", ".join(labels))
    assert lines[0].split() == list(start.seats)
    assert [line.split()[0] for line in lines[1:]] == ["1.", "2.", "3."]
    assert [len(line.split()) for line in lines[1:]] == [players + 1, players + 1, 2]


def test_no_turns():
    assert table([]) == ""
