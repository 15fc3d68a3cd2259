"""The promises of the docstrings of Position. Other tests check that its moves follow the rules."""

import copy
import pickle
import threading

import numpy as np
import pytest

from pasgl_env import Batch, Dice, IllegalMove, Position
from pasgl_env.contract.variants import find
from pasgl_env.engine import position as positions

from ..alarms import torn
from ..games.pasgl312.positions import place
from ..games.pasgl312.steering import START

MIDDLE = place("Bb3 Wa3 Ta3", phase=9) + " Bb3a3,Wz4"
OVER = place(score="30:0")


def at(text=START, **options):
    return Position.from_text("pasgl312", text, **options)


def everything(position):
    """Everything that distinguishes a position from another, and from itself at another time."""
    return (
        position.text,
        position.state.tobytes(),
        position.action_mask.tobytes(),
        position.legal_moves(),
        position.to_move,
        position.returns,
        position.points,
        position.turns,
        position.in_turn,
        position.labels,
        position.options,
    )


@pytest.mark.jitfree
class TestFacts:
    def test_of_the_start(self):
        position = Position("pasgl312")
        assert position.variant == "pasgl312"
        assert position.text == str(position.text) == START
        assert (position.to_move, position.is_over, position.is_chance) == (0, False, False)
        assert (position.returns, position.points, position.turns) == (None, (0, 0), 0)
        assert (position.in_turn, position.labels) == (False, [])
        assert len(position.legal_moves()) == len(position.legal_actions()) == 36
        assert repr(position) == f"Position.from_text('pasgl312', '{START}')"

    def test_of_the_middle_of_a_turn(self):
        position = at(MIDDLE)
        assert position.text == MIDDLE
        assert (position.to_move, position.is_over, position.turns) == (0, False, 0)
        assert (position.in_turn, position.labels) == (True, ["Bb3a3", "Wz4"])
        assert position.legal_moves() == ["Ta2", "Ta4", "Tb2", "Tb3", "Tb4", "Tz4"]

    @pytest.mark.parametrize(
        ("text", "returns"),
        [
            (OVER, (1.0, -1.0)),
            (place(score="5:35", mover="b"), (-1.0, 1.0)),
            (place(score="5:5", passes=40), (0.0, 0.0)),
            (place(score="5:6", passes=40), (-1.0, 1.0)),
            ("4b3/8/8/8/8/8/8/8 ./././. ./. 1 w 0:20 0 0", (-1.0, 1.0)),
            ("8/8/8/8/8/8/8/4B3 ./././. ./. 1 w 20:25 0 0", (-1.0, 1.0)),
        ],
    )
    def test_of_finished_games(self, text, returns):
        position = at(text)
        assert (position.to_move, position.is_over, position.is_chance) == (None, True, False)
        assert position.returns == returns
        assert all(type(result) is float for result in position.returns)
        assert position.legal_moves() == position.legal_actions() == []
        assert not position.action_mask.any()
        assert [position.perft(depth) for depth in range(6)] == [1, 0, 0, 0, 0, 0]
        with pytest.raises(IllegalMove, match="'pass' is not legal here; the game is over"):
            position.play("pass")
        with pytest.raises(IllegalMove, match="action 1164 is not legal here; the game is over"):
            position.play_action(1164)

    def test_options_are_all_there(self):
        given = {"win_margin": 9, "fox_range": 0}
        defaults = {option.name: option.default for option in find("pasgl312").options}
        assert Position("pasgl312").options == defaults
        assert Position("pasgl312", **given).options == at(**given).options == defaults | given

    def test_what_is_told_is_a_copy(self):
        position = Position("pasgl312")
        before = everything(position)
        position.state["phase"] = 5
        position.action_mask[:] = 0
        position.observation()[:] = 0
        position.legal_moves().clear()
        position.legal_actions().clear()
        position.labels.append("pass")
        position.options["win_margin"] = 1
        assert everything(position) == before

    def test_limits_of_turns_are_for_environments(self):
        position = at(place(turns=1000), turn_limit=5)
        assert not position.is_over
        assert not position.play("Be1f1").is_over


@pytest.mark.jitfree
class TestObservation:
    def test_is_of_the_player_to_act_or_the_one_named(self):
        position = at(place(mover="b", score="3:0"))
        assert (position.observation() == position.observation(1)).all()
        assert (position.observation() != position.observation(0)).any()
        assert (position.observation(np.int64(1)) == position.observation(1)).all()

    def test_of_a_finished_game_is_of_who_would_act(self):
        position = at(place(score="5:35", mover="b"))
        assert (position.observation() == position.observation(1)).all()

    @pytest.mark.parametrize("player", [-1, 2, "0", 0.5])
    def test_of_nobody(self, player):
        with pytest.raises(ValueError, match=f"player must be from 0 to 1, not {player!r}"):
            Position("pasgl312").observation(player)

    @pytest.mark.parametrize("player", [True, 1.0])
    def test_of_what_is_no_whole_number(self, player):
        with pytest.raises(ValueError, match="player must be from 0 to 1"):
            Position("pasgl312").observation(player)


@pytest.mark.jitfree
class TestPlay:
    def test_is_in_place_and_can_be_chained(self):
        position = Position("pasgl312")
        assert position.play("Th1h2").play("wg8g6") is position
        assert position.play_action(position.action("Th2h3")) is position
        assert position.turns == 3

    @pytest.mark.parametrize("text", [START, MIDDLE, OVER])
    @pytest.mark.parametrize(
        "label", ["", "pass", "Th2h9", "th1h2", "Th1h2 ", " Th1h2", "TH1H2", "Ta", None, 3, b"Ta2"]
    )
    def test_an_illegal_label_changes_nothing(self, text, label):
        position = at(text)
        before = everything(position)
        for ask in (position.play, position.action):
            with pytest.raises(IllegalMove) as caught:
                ask(label)
            assert str(caught.value).startswith(f"{label!r} is not legal here; ")
        assert everything(position) == before

    @pytest.mark.parametrize("text", [START, MIDDLE, OVER])
    @pytest.mark.parametrize("action", [-1, -1165, 1165, 10**30, -(10**30), 0.0, 5.0, "5", None])
    def test_an_illegal_action_changes_nothing(self, text, action):
        position = at(text)
        before = everything(position)
        for ask in (position.play_action, position.label):
            with pytest.raises(IllegalMove) as caught:
                ask(action)
            assert str(caught.value).startswith(f"action {action!r} is not legal here; ")
        assert everything(position) == before

    @pytest.mark.parametrize("text", [START, MIDDLE])
    def test_every_action_out_of_the_mask_is_illegal(self, text):
        position = at(text)
        before = everything(position)
        for action in set(range(-5, 1170)) - set(position.legal_actions()):
            with pytest.raises(IllegalMove):
                position.play_action(action)
        assert everything(position) == before

    def test_the_message_names_what_is_legal(self):
        with pytest.raises(IllegalMove) as caught:
            at(MIDDLE).play("Ta3")
        legal = "legal are Ta2, Ta4, Tb2, Tb3, Tb4, Tz4"
        assert str(caught.value) == f"'Ta3' is not legal here; {legal}"
        with pytest.raises(IllegalMove, match=r"legal are (\w{5}, ){8}\.\.\. \(36 in all\)$"):
            Position("pasgl312").play("Ta3")

    def test_a_label_that_was_legal_elsewhere_is_not_taken_for_legal(self):
        position = Position("pasgl312")
        assert position.action("Th1h2") == position.action("Th1h2")
        for other in (position.copy().play("Th1h2"), Position("pasgl312").play("Df1c7")):
            with pytest.raises(IllegalMove, match="'Th1h2' is not legal here"):
                other.action("Th1h2")

    def test_labels_and_actions_name_the_same(self):
        for text in (START, MIDDLE):
            position = at(text)
            actions = position.legal_actions()
            assert actions == sorted(actions) == np.flatnonzero(position.action_mask).tolist()
            assert [position.action(position.label(action)) for action in actions] == actions
            assert sorted(map(position.label, actions)) == position.legal_moves()

    @pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint16])
    def test_actions_of_other_integer_types(self, kind):
        position = Position("pasgl312")
        assert position.copy().play_action(kind(3)).text == position.play_action(3).text


@pytest.mark.jitfree
class TestCopies:
    @pytest.mark.parametrize(
        "copied",
        [
            Position.copy,
            copy.deepcopy,
            lambda position: pickle.loads(pickle.dumps(position)),
            copy.copy,
        ],
    )
    @pytest.mark.parametrize("text", [START, MIDDLE])
    def test_are_equal_and_independent(self, copied, text):
        position = at(text, win_margin=40)
        before = everything(position)
        for mine, other in ((position, copied(position)), (copied(position), position)):
            assert everything(other) == everything(mine) == before
            for _ in range(3):
                other.play(other.legal_moves()[-1])
            assert everything(mine) == before
            position = mine

    def test_of_a_finished_game(self):
        for twin in (at(OVER).copy(), pickle.loads(pickle.dumps(at(OVER)))):
            assert everything(twin) == everything(at(OVER))


class TestSeveralUsers:
    """A position is changed by one thread at a time."""

    @pytest.fixture
    def changing(self):
        """A position that another thread is changing until the event is set."""
        position, inside, leave = Position("pasgl312"), threading.Event(), threading.Event()
        loops = position._loops

        def slow_advance(*arguments):
            inside.set()
            leave.wait(60)
            return loops.advance(*arguments)

        position._loops = loops._replace(advance=slow_advance)
        user = threading.Thread(target=position.play, args=("Th1h2",))
        user.start()
        inside.wait(60)
        yield position, leave
        leave.set()
        user.join()
        position._loops = loops
        assert everything(position) == everything(Position("pasgl312").play("Th1h2"))

    def test_another_thread_is_refused_and_changes_nothing(self, changing):
        position, _ = changing
        for change in (
            lambda: position.play("Th1h2"),
            position.undo,
            lambda: position.roll(Dice()),
        ):
            with pytest.raises(RuntimeError, match="in use by another thread"):
                change()

    @pytest.mark.parametrize("copied", [Position.copy, lambda it: pickle.loads(pickle.dumps(it))])
    def test_a_copy_is_of_one_moment(self, changing, copied):
        position, leave = changing
        threading.Timer(0.1, leave.set).start()
        assert copied(position).history == ["Th1h2"]


class TestPerft:
    def test_deep_and_shallow_counts_agree(self):
        position = at(place("Td3 hg6"))
        assert position.perft(4) == sum(
            position.copy().play(label).perft(3) for label in position.legal_moves()
        )

    def test_changes_nothing(self):
        position = at(MIDDLE)
        before = everything(position)
        for depth in range(5):
            position.perft(depth)
        assert everything(position) == before

    def test_counts_no_further_than_the_end(self):
        position = at(place("Hd5 be5"))
        assert position.copy().play("Hd5:e5").is_over
        assert position.perft(2) == sum(
            len(position.copy().play(label).legal_moves()) for label in position.legal_moves()
        )

    @pytest.mark.parametrize("depth", [-1, 1.0, "1", None, True])
    def test_of_no_depth(self, depth):
        with pytest.raises(ValueError, match="depth must be a non-negative integer, not"):
            Position("pasgl312").perft(depth)


@pytest.mark.jitfree
class TestFromText:
    @pytest.mark.parametrize("text", [START, MIDDLE, OVER])
    def test_round_trip(self, text):
        position = at(text)
        assert position.text == text
        assert everything(eval(repr(position))) == everything(position)

    def test_none_is_the_start(self):
        position = Position.from_text("pasgl312", None)
        assert everything(position) == everything(Position("pasgl312"))

    @pytest.mark.parametrize("text", [3, b"", [START], START.split()])
    def test_of_no_text(self, text):
        with pytest.raises(ValueError, match="a position text must be a str, not"):
            Position.from_text("pasgl312", text)

    @pytest.mark.parametrize(
        "text", ["", "x", START[:-2], START + " a b", "  ".join(START.split())]
    )
    def test_of_another_number_of_fields(self, text):
        with pytest.raises(ValueError, match="has 8 fields separated by single spaces"):
            at(text)

    @pytest.mark.parametrize(
        ("labels", "reason"),
        [
            ("", "labels: '' is not legal here"),
            ("Tx4", "labels: 'Tx4' is not legal here"),
            ("Bb3a3,", "labels: '' is not legal here"),
            ("Bb3a3,,Wz4", "labels: '' is not legal here"),
            ("Bb3a3,Tz4", "labels: 'Tz4' is not legal here"),
            (
                "Bb3a3,Wz4,Tz4",
                "labels: 'Tz4' completes the turn, which must still be incomplete",
            ),
            (
                "Bb3b2",
                "labels: 'Bb3b2' completes the turn, which must still be incomplete",
            ),
            (
                "Bb3b2,be8f8",
                "labels: 'Bb3b2' completes the turn, which must still be incomplete",
            ),
        ],
    )
    def test_of_wrong_labels(self, labels, reason):
        with pytest.raises(ValueError) as caught:
            at(place("Bb3 Wa3 Ta3", phase=9) + " " + labels)
        assert str(caught.value).startswith(reason)
        assert type(caught.value) is ValueError

    def test_its_state_is_a_batchs(self):
        batch = Batch("pasgl312", 1)
        batch.states = at(MIDDLE).state
        assert batch.states[0] == at(MIDDLE).state[0]


class TestArguments:
    @pytest.mark.parametrize("make", [Position, lambda *a, **k: at(**k)])
    def test_options(self, make):
        with pytest.raises(
            ValueError, match="pasgl312 has no option 'margin'; did you mean 'win_margin'"
        ):
            make("pasgl312", margin=3)
        for value in (0, 256, 3.0, "3", None, True, [3]):
            with pytest.raises(ValueError, match="win_margin of pasgl312 must be an integer"):
                make("pasgl312", win_margin=value)

    @pytest.mark.parametrize("name", ["", "chess", "PASGL312", None, 3])
    def test_unknown_variants(self, name):
        with pytest.raises(ValueError, match=f"no variant {name!r}"):
            Position(name)
        with pytest.raises(ValueError, match=f"no variant {name!r}"):
            Position.from_text(name, START)

    def test_a_near_variant_is_named(self):
        with pytest.raises(ValueError, match="no variant 'pasgl321'; did you mean 'pasgl312'"):
            Position("pasgl321")


def walked(variant, actions, seed=3):
    """Positions of a game of random actions, and the last one with its whole history."""
    random, position = np.random.default_rng(seed), Position(variant)
    seen = [position.copy()]
    while len(seen) <= actions and not position.is_over:
        position.play_action(int(random.choice(position.legal_actions())))
        seen.append(position.copy())
    return seen


@pytest.mark.parametrize("change", [Position.undo, lambda position: position.play("Be1d2")])
def test_an_alarm_at_any_line_leaves_a_whole_position(change):
    def make():
        return Position("pasgl312").play("Th1h2").play("wg8g6")

    before, after = make(), change(make())
    whole = [(*everything(each), each.history) for each in (before, after)]
    at = 0
    for at, position in torn(make, change, positions):
        assert (*everything(position), position.history) in whole, at
    assert at > 5


class TestHistory:
    def test_undo_goes_back_through_all_positions(self, variant):
        seen = walked(variant, 150)
        position = seen[-1].copy()
        for before in reversed(seen[:-1]):
            assert position.undo() == before
            assert position.text == before.text
            assert position.last_turn == before.last_turn
            assert (position.action_mask == before.action_mask).all()
        with pytest.raises(IndexError, match="nothing to undo"):
            position.undo()
        assert position == Position(variant)

    def test_few_states_of_a_long_game_are_kept(self):
        position = walked("spalding", 60)[-1]
        assert position.turns > 40
        assert len(pickle.dumps(position)) < 8 * position.state.nbytes

    def test_the_history_plays_the_game_again(self, variant):
        seen = walked(variant, 40)
        again = Position(variant)
        for label in seen[-1].history:
            again.play(label)
        assert again == seen[-1]

    def test_a_long_game_can_be_pickled(self):
        position = Position("grand_pachessi")
        while position.turns < 1500:
            choices = position.legal_actions()
            position.play_action(choices[position.turns % len(choices)])
        assert pickle.loads(pickle.dumps(position)).history == position.history


class TestEquality:
    def test_the_order_of_moves_does_not_matter(self):
        moves = ["Th1h2", "wg8g6", "Ta1a2", "th8h7"]
        orders = [moves, [moves[2], moves[1], moves[0], moves[3]]]
        positions = [Position("pasgl312") for _ in orders]
        for position, order in zip(positions, orders, strict=True):
            for label in order:
                position.play(label)
        assert positions[0] == positions[1]
        assert len(set(positions)) == 1

    def test_what_differs(self):
        start = Position("pasgl312")
        assert start != Position("pasgl312").play("Th1h2")
        assert start != Position("pasgl312", win_margin=20)
        assert start != Position("chieftain")
        assert start != start.text

    def test_remembered_positions_matter(self):
        """In Captain Spalding Chess, the text does not say which positions may not repeat."""
        position = walked("spalding", 12)[-1]
        told = Position.from_text("spalding", position.text)
        assert told.text == position.text
        assert told != position


class TestFromState:
    def test_a_state_is_the_position(self, variant):
        for position in walked(variant, 30):
            made = Position.from_state(variant, position.state)
            assert (made.legal_actions(), made.to_move) == (
                position.legal_actions(),
                position.to_move,
            )
            if not position.in_turn:
                assert made == position

    def test_the_text_of_a_turn_that_had_begun_is_not_known(self):
        position = next(each for each in walked("overlord", 9) if each.in_turn)
        made = Position.from_state("overlord", position.state[0])
        with pytest.raises(ValueError, match="not known before the next turn"):
            _ = made.text
        assert "in the middle of a turn" in repr(made)
        while made.in_turn:
            made.play_action(made.legal_actions()[0])
            position.play_action(position.legal_actions()[0])
        assert made == position

    def test_what_is_no_state(self):
        state = Position("pasgl312").state
        with pytest.raises(ValueError, match="record of chieftain's state dtype"):
            Position.from_state("chieftain", state)
        state["turn_count"] = -5
        with pytest.raises(ValueError, match="not a possible position of pasgl312"):
            Position.from_state("pasgl312", state)
