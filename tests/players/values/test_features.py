"""Features of learned values: in range, functions of the position, and symmetric."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from pasgl_env import Position, variants
from pasgl_env.engine.position import text_fields
from pasgl_env.games.chieftain.rules import feature_groups as chieftain
from pasgl_env.games.chieftain.rules.board import KINDS
from pasgl_env.games.pachessi.rules import features as pachessi
from pasgl_env.games.pasgl312.rules import features as pasgl
from pasgl_env.games.pasgl312.rules.board import DEAD
from pasgl_env.games.spalding.rules import features as spalding
from pasgl_env.jit.compiled import JIT
from pasgl_env.players.values.network import features_of

from ...games.chieftain.positions import place as chieftain_board
from ...games.pachessi.positions import place as pachessi_place
from ...games.pasgl312.positions import place as pasgl_place
from ...games.spalding.positions import place as spalding_place

pytestmark = pytest.mark.jitfree
SMALL: dict[str, dict[str, Any]] = {
    "pasgl312": {},
    "spalding": {},
    "chieftain": {"setup": "hcs1chs/nm1mnm1/7/7/1MNM1MN/SHC1SCH"},
    "pachessi": {"players": 4},
    "grand_pachessi": {},
}


def features(position: Position) -> list[int]:
    """The features that are present, as whoever's viewpoint it is sees them, sorted."""
    game = variants.find(position.variant)
    seen = features_of(game)
    indices = np.zeros(seen.most + seen.memory, np.int32)
    state, options = position.state[0], position.options_record[0]
    with np.errstate(over="ignore"):
        count = seen.write(state, options, seen.viewpoint(state), indices)
    return sorted(indices[:count].tolist())


def runs(position: Position, first: int, length: int) -> list[int]:
    """The features of a run, counted from its beginning."""
    return [each - first for each in features(position) if first <= each < first + length]


@pytest.mark.parametrize("variant", SMALL)
def test_of_random_games_are_in_range_and_follow_from_the_text(variant):
    options = SMALL[variant]
    random, position = np.random.default_rng(3), Position(variant, **options)
    count = features_of(variants.find(variant)).count(position.options_record[0])
    seen = set()
    for _ in range(120 if JIT else 40):
        if position.is_over:
            position = Position(variant, **options)
        position.play(str(random.choice(position.legal_moves())))
        if not position.is_over and (position.is_chance or " " not in tail(position)):
            present = features(position)
            assert 0 <= present[0] <= present[-1] < count
            assert features(Position.from_text(variant, position.text, **options)) == present
            seen.update(present)
    assert len(seen) > 40


@pytest.mark.parametrize("options", [SMALL["chieftain"], {"activations": 2}][: 2 if JIT else 1])
def test_what_an_order_changes_in_chieftain_are_the_differences(options):
    random, moved, last, most = np.random.default_rng(7), 0, 0, 0
    game, position = variants.find("chieftain"), Position("chieftain", **options)
    seen = features_of(game)
    assert seen.evaluate is not None
    assert seen.changes is not None
    before, after, indices = np.zeros((3, seen.most + seen.memory), np.int32)
    gone = np.zeros(seen.most, np.int32)
    record = position.options_record[0]
    start = position.state[0].copy()
    for _ in range(3_000 if JIT else 60):
        position.play(str(random.choice(position.legal_moves())))
        if position.is_over:
            position = Position("chieftain", **options)
            start = position.state[0].copy()
            continue
        state = position.state[0]
        if not game.is_quiescent(state):
            continue
        for player in range(2):
            old = before[: seen.write(start, record, player, before)]
            new = after[: seen.write(state, record, player, after)]
            less, more = seen.changes(start, state, record, player, before, indices, gone)
            lost, won = Counter(gone[:less].tolist()), Counter(indices[:more].tolist())
            assert Counter(old.tolist()) + won == Counter(new.tolist()) + lost
            most = max(most, less, more)
            value = game.evaluate(state, record, player)
            assert seen.evaluate(state, record, player, indices) == value
            assert seen.evaluate(state, record, player, after) == value
        moved += not np.array_equal(start.chieftain_cell, state.chieftain_cell)
        last += (start.chieftains == 1).sum() != (state.chieftains == 1).sum()
        start = state.copy()
    assert moved > (10 if JIT else 1)
    assert 0 < most < 80
    if JIT and options == SMALL["chieftain"]:
        assert last > 10


def tail(position: Position) -> str:
    """What comes after the fields of a text: the labels of a turn under way, after a space."""
    fields = text_fields(position.ruleset.game)
    return " ".join(["", *position.text.split(" ")[fields:]])


def test_the_table_counts_them_all():
    for variant, options in SMALL.items():
        game = variants.find(variant)
        record = Position(variant, **options).options_record[0]
        size = int(record.last) + 1 if game.cache_name == "pachessi" else 0
        total = 0
        for run in features_of(game).table:
            words = run.size.replace("size²", str(size * size)).replace("×", "*")
            total += eval(words, {"__builtins__": {}})
        assert total == features_of(game).count(record), variant


class TestPasgl:
    def test_a_critter_is_known_by_place_and_condition(self):
        quiet = runs(Position.from_text("pasgl312", pasgl_place("Fc3")), 0, pasgl.CONDITION_AT)
        hungry = runs(Position.from_text("pasgl312", pasgl_place("-Fc3")), 0, pasgl.CONDITION_AT)
        (own,) = set(quiet) - set(hungry)
        (other,) = set(hungry) - set(quiet)
        assert other - own == 2 * DEAD
        assert own % DEAD == 18  # c3

    def test_the_train_is_seen_coming(self):
        start = Position("pasgl312")
        assert runs(start, pasgl.DOOM_AT, pasgl.PHASE_AT - pasgl.DOOM_AT) == []
        text = pasgl_place("Fh4 fa6")  # phase 1: the head is on x4, and goes to h4
        doomed = runs(
            Position.from_text("pasgl312", text), pasgl.DOOM_AT, pasgl.PHASE_AT - pasgl.DOOM_AT
        )
        assert [each % pasgl.MOST_DOOM for each in doomed] == [0]

    def test_the_lead_is_clipped(self):
        text = pasgl_place(score="0:29")
        lead = runs(Position.from_text("pasgl312", text, win_margin=255), pasgl.LEAD_AT, 61)
        assert lead == [1]
        text = pasgl_place(score="99:2")
        assert runs(Position.from_text("pasgl312", text, win_margin=255), pasgl.LEAD_AT, 61) == [60]


class TestSpalding:
    def test_black_sees_the_board_turned(self):
        white = Position.from_text("spalding", spalding_place("Xe1 xd7 Rd4 vf6 Nc3 La2"))
        black = Position.from_text("spalding", spalding_place("xd8 Xe2 re5 Vc3 Nf6 lh7", mover="b"))
        assert features(white) == features(black)

    @pytest.mark.parametrize(
        ("pieces", "danger"),
        [
            ("Rd4 xh8", 0),
            ("Rd4 Le3", 0),  # an Elephant captures forward and diagonally: not on d4 from e3 ...
            ("Rd4 Le3 xh8 rd5", 4),  # ... but it does: guarded, attacked once
            ("Rd4 rd5", 1),
            ("Rd4 rd5 hc4", 2),
        ],
    )
    def test_who_attacks_and_guards_a_piece(self, pieces, danger):
        rhino = spalding.DANGER_AT + 3 * spalding.DANGERS
        position = Position.from_text("spalding", spalding_place(pieces))
        (found,) = runs(position, rhino, spalding.DANGERS)
        guarded = 3 * ("Le3" in pieces)
        assert found == (danger if danger >= 3 else danger + guarded)

    def test_a_rhinos_second_step_needs_an_empty_square(self):
        def attacked(pieces):
            position = Position.from_text("spalding", spalding_place(pieces))
            once, _ = spalding.attacked(position.state[0], 0)
            return (once >> 35) & 1  # d5

        # From c3 by c4 or d3... to d5 a Rhino goes by c4 only.
        assert attacked("Rc3") == 1
        assert attacked("Rc3 Nc4") == 0

    def test_what_is_left_to_find(self):
        position = Position.from_text("spalding", spalding_place("", left="REh"))
        assert runs(position, spalding.LEFT_AT, 6) == [0, 2, 4]


class TestChieftain:
    SETUP = "c6c/8/3m4/3N4/2M5/8/8/C6C"

    def position(self, board, mover="w"):
        return Position.from_text("chieftain", f"{board} {mover} 0 0", setup=board)

    def test_black_sees_the_board_mirrored(self):
        white = self.position("1c4c1/8/3m4/3N4/2M5/8/8/C6C")
        black = self.position("c6c/8/8/2m5/3n4/3M4/8/1C4C1", "b")
        assert features(white) == features(black)

    def test_only_pieces_under_command_attack(self):
        far = self.position(chieftain_board("Ca1 ch8 Me4 me5"))
        near = self.position(chieftain_board("Ca1 ch8 Me4 me5 Cc2"))
        first = chieftain.DANGER_AT + chieftain.DANGERS * (KINDS + 4)
        assert runs(far, first, chieftain.DANGERS) == [0]
        assert runs(near, first, chieftain.DANGERS) == [1]

    @pytest.mark.parametrize(("enemy", "safe"), [("h8", 9), ("d4", 5)])
    def test_squares_where_a_chieftain_is_safe_are_counted(self, enemy, safe):
        position = self.position(chieftain_board(f"Ca1 c{enemy}"))
        of_last_own = chieftain.ESCAPE_AT + 2 * chieftain.ESCAPES
        assert runs(position, of_last_own, 2 * chieftain.ESCAPES) == [chieftain.ESCAPE[safe]]

    def test_orders_left_are_counted(self):
        position = self.position("c6c/8/8/8/8/8/1M6/C6C")
        assert runs(position, chieftain.ORDERS_AT, chieftain.ORDERS) == [2]
        position.play("Mb2-b3")
        assert runs(position, chieftain.ORDERS_AT, chieftain.ORDERS) == [1]


class TestPachessi:
    def test_everybody_sees_the_board_from_the_own_seat(self):
        words = ("Ra7 Eb7 H@ S*", "Rg1 Ef1:1 H* S@")
        black = Position.from_text("pachessi", pachessi_place(*words))
        turned = ("Ra7 Eb7:1 H* S@", "Rg1 Ef1 H@ S*")
        yellow = Position.from_text("pachessi", pachessi_place(*turned, mover="yellow"))
        assert features(black) == features(yellow)

    def test_danger_is_seen(self):
        safe = Position.from_text("pachessi", pachessi_place("Ra7 Eb2", "Rg1 Ee2"))
        assert is_in_danger(safe) == [0]  # no way west in the South
        threatened = Position.from_text("pachessi", pachessi_place("Ra7 Ee2", "Rg1 Eb2"))
        assert is_in_danger(threatened) == [1]

    def test_a_grace_die_is_seen(self):
        after = pachessi.AFTER_CELLS
        grace = Position.from_text("pachessi", pachessi_place("Ra7", "Rg1", roll="g"))
        first = Position.from_text("pachessi", pachessi_place("Ra7", "Rg1"))
        cells = pachessi.count(grace.options_record[0]) - after
        assert runs(grace, cells + pachessi.GRACE_AT, 1) == [0]
        assert runs(first, cells + pachessi.GRACE_AT, 1) == []


def is_in_danger(position: Position) -> list[int]:
    """How often the roller's Elephant could be taken."""
    cells = pachessi.count(position.options_record[0]) - pachessi.AFTER_CELLS
    return runs(position, cells + pachessi.DANGER_AT + pachessi.DANGERS, pachessi.DANGERS)
