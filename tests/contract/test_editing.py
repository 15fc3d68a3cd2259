"""Positions changed by hand."""

import random
from contextlib import suppress

from pasgl_env import Batch, Position, render, variants
from pasgl_env.contract import editing, parts


def edit(ruleset, states, rng):
    """Put or take away a piece, or set a field."""
    described, fields = (
        parts.description(ruleset.game),
        parts.editing(ruleset.game).fields(ruleset.record[0]),
    )
    if rng.random() < 0.3:
        name = rng.choice(sorted(fields))
        editing.set_field(ruleset, states, name, rng.choice([*fields[name].words, "1", "20:9"]))
    else:
        squares = sorted(render.places(ruleset).keys() & set(described.SQUARES))
        symbols = [symbol.text for symbol in described.symbols(ruleset.record[0])]
        editing.put(ruleset, states, rng.choice(squares), rng.choice([rng.choice(symbols), ""]))


def test_a_position_is_possible_by_its_rules_exactly_if_its_text_can_be_read(every_variant):
    ruleset, rng, judged = variants.ruleset(every_variant), random.Random(1), set()
    game, option = ruleset.game, ruleset.record[0]
    batch = Batch(ruleset, 40, seed=1)
    for turn in range(80):
        batch.step(batch.sample())
        states = batch.states[turn % 40 :][:1].copy()
        for _ in range(rng.randrange(1, 4)):
            with suppress(ValueError):
                edit(ruleset, states, rng)
        editing.editor(game)(states, ruleset.record, editing.NOTHING, editing.NOTHING)
        text, read = game.texts.write(states[0], option), None
        with suppress(ValueError):
            read = Position.from_text(ruleset, text)
        assert game.accepts(states[0], option) == (read is not None), text
        judged.add(read is not None)
        if read is not None:
            made = Position.from_state(ruleset, states)
            assert made == read
            assert (made.action_mask == read.action_mask).all()
    assert True in judged
