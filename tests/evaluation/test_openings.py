"""Openings: turns of varied play, sets of positions, and the shipped sets."""

import numpy as np
import pytest

from pasgl_env import Position, variants
from pasgl_env.evaluation.openings import (
    EVEN_OPENINGS,
    Openings,
    read_openings,
    read_turns,
    set_of,
    shipped,
    shipped_sets,
)
from pasgl_env.records import GameRecord, write_records

PASGL, SPALDING = map(variants.ruleset, ("pasgl312", "spalding"))


def of_pairs(openings, variant="pasgl312", first=0, pairs=12, seed=1, **options):
    return openings.begins(variants.ruleset(variant, **options), seed, first, pairs)


def test_even_openings_differ_and_begin_turns():
    found = of_pairs(EVEN_OPENINGS, pairs=30, seed=5).states
    game = variants.find("pasgl312")
    assert len({state.tobytes() for state in found}) == 30
    assert not any(game.in_turn(state) for state in found)
    assert {game.turns(state) for state in found} <= set(range(2, 7))


def test_even_openings_depend_on_the_seed_and_the_number_of_the_pair():
    found = of_pairs(EVEN_OPENINGS, pairs=40, seed=5).states
    assert (of_pairs(EVEN_OPENINGS, first=30, pairs=10, seed=5).states == found[30:]).all()
    assert (of_pairs(EVEN_OPENINGS, pairs=10, seed=6).states != found[:10]).all()


@pytest.mark.parametrize("variant", ["pasgl312", "pachessi", "spalding"])
@pytest.mark.parametrize("player", ["random", "td:temperature=0.3"])
def test_turns_are_played_and_states_are_those_of_texts(variant, player):
    openings = Openings(turns=(2, 4), player=player)
    states = of_pairs(openings, variant).states
    game = variants.find(variant)
    turns = [int(game.turns(state)) for state in states]
    assert set(turns) == {2, 3, 4}
    assert len({state.tobytes() for state in states}) > 6
    for state in states:
        text = game.texts.write(state, Position(variant).options_record[0])
        assert Position.from_text(variant, text).state[0] == state


def test_the_opening_of_a_pair_depends_on_no_other_pair():
    openings = Openings(turns=(2, 6))
    assert (of_pairs(openings).states[5:] == of_pairs(openings, first=5, pairs=7).states).all()
    assert (of_pairs(openings).states != of_pairs(openings, seed=2).states).all()


def test_who_began_an_opening_is_known():
    assert of_pairs(Openings(turns=(1, 4))).openers.tolist() == [0] * 12
    assert set(of_pairs(Openings(turns=(1, 4)), "pachessi").openers.tolist()) == {0, 1}
    assert of_pairs(Openings()) is None


def test_openings_that_no_game_is_long_enough_for_are_refused():
    with pytest.raises(ValueError, match="games end before the 9 turns"):
        of_pairs(Openings(turns=(9, 9)), turn_limit=5)


@pytest.fixture
def texts():
    """Three positions."""
    position = Position("pasgl312")
    found = [position.text]
    for label in ("Th1h2", "wg8g6"):
        position.play(label)
        found.append(position.text)
    return found


def test_pairs_take_turns_at_a_set(texts):
    openings = Openings(texts=tuple(texts))
    states = of_pairs(openings, pairs=9).states
    assert sorted(states["turn_count"].tolist()) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert (states[:3] == states[3:6]).all()
    clusters = [openings.cluster(pair, seed=1) for pair in range(9)]
    assert sorted(clusters) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [states["turn_count"][clusters.index(each)] for each in clusters] == (
        states["turn_count"].tolist()
    )


def test_pairs_without_a_set_are_clusters_of_their_own():
    assert Openings(turns=(2, 2)).clusters == 0
    assert Openings(turns=(2, 2)).cluster(7, seed=1) == 7


def test_a_file_of_texts_is_read_without_doubles(texts, tmp_path):
    file = tmp_path / "set.txt"
    file.write_text("# mine\n" + "\n".join([*texts, texts[1], ""]))
    assert read_openings(str(file), PASGL) == ("set.txt", tuple(texts))


def test_a_file_of_records_is_read_for_its_last_positions(texts, tmp_path):
    file = tmp_path / "set.pgr"
    start = Position("pasgl312")
    write_records(file, [GameRecord.of(start, labels) for labels in (["Th1h2"], [])])
    assert read_openings(str(file), PASGL)[1] == (texts[1], texts[0])


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "holds no openings"),
        ("nonsense", "opening 1"),
        (
            "# text\nj2x3p/8/8/8/8/8/8/P3X2J w RHErhe 0 Xe1-d2",
            "opening 2: games start at the beginning",
        ),
        ("8/3R4/8/8/8/8/8/4X3 b HErhe 7", "it is over"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(content, complaint, tmp_path):
    file = tmp_path / "set.txt"
    file.write_text(content)
    with pytest.raises(ValueError, match=complaint):
        read_openings(str(file), SPALDING)


def test_a_binary_file_is_refused(tmp_path):
    file = tmp_path / "set.txt"
    file.write_bytes(b"\xff\x00")
    with pytest.raises(ValueError, match=r"set\.txt is neither a text nor a file of records"):
        read_openings(str(file), SPALDING)


def test_records_of_another_variant_are_refused(tmp_path):
    file = tmp_path / "set.pgr"
    write_records(file, [GameRecord.of(Position("pasgl312"), ["Th1h2"])])
    with pytest.raises(ValueError, match="game 1 is of pasgl312, not spalding"):
        read_openings(str(file), SPALDING)


def test_reading_turns():
    assert (read_turns("4"), read_turns("2..6")) == ((4, 4), (2, 6))
    for text in ("", "x", "2..", "-1", "2-6"):
        with pytest.raises(ValueError, match=r"N or LOW\.\.HIGH"):
            read_turns(text)


@pytest.mark.parametrize(
    ("openings", "limit", "complaint"),
    [
        (Openings(turns=(4, 2)), 400, "turns of an opening"),
        (Openings(player="td"), 400, "td has no turns to play"),
        (Openings(turns=(2, 2), player="nobody"), 400, "no player 'nobody'"),
        (Openings(turns=(2, 9)), 9, "fewer turns than the limit of 9, not 9"),
        (Openings(turns=(2, 10**20)), 0, "fewer turns than the limit of 1000000000, not 10"),
    ],
)
def test_openings_that_mean_nothing(openings, limit, complaint):
    with pytest.raises(ValueError, match=complaint):
        openings.check(PASGL.changed(turn_limit=limit))


def test_they_say_what_they_are(texts):
    assert str(Openings()) == "the usual start"
    assert str(Openings(turns=(2, 6))) == "2 to 6 turns, uniformly random"
    assert str(Openings(tuple(texts), (2, 2), "td:temperature=0.3", "my.txt")) == (
        "3 positions (my.txt), then 2 turns, td:temperature=0.3"
    )
    assert np.unique([Openings((text,)).to_dict()["digest"] for text in texts]).size == 3


def test_a_set_is_shipped_for_every_variant():
    assert {set_of(name).name for name in shipped_sets()} == set(variants.names())
    assert "pachessi_four" in shipped_sets()


@pytest.mark.parametrize("name", shipped_sets())
def test_shipped_sets_are_legal_without_doubles_and_of_the_size_that_is_said(name):
    ruleset = set_of(name)
    texts = shipped(ruleset)
    assert len(set(texts)) == len(texts) == 200
    Openings(texts).check(ruleset)
    turns = [Position.from_text(ruleset, text).turns for text in texts]
    assert (min(turns), max(turns)) == (2, 8)


def test_sets_are_for_the_rules_they_were_made_for():
    assert shipped(variants.ruleset("pachessi", turn_limit=70)) == shipped(set_of("pachessi"))
    with pytest.raises(ValueError, match="no openings of pachessi are shipped for these options"):
        shipped(variants.ruleset("pachessi", hole=1))
