"""The legend below a drawing."""

from xml.etree import ElementTree

import pytest

from pasgl_env import Position, render, variants
from pasgl_env.contract import parts


@pytest.mark.parametrize("variant", variants.names())
def test_it_names_every_piece_below_the_board(variant):
    position = Position(variant)
    plain, drawn = (
        ElementTree.fromstring(render.svg(position, legend=legend)) for legend in (False, True)
    )
    below, bottom = (float(each.attrib["viewBox"].split()[3]) for each in (plain, drawn))
    texts = [(float(text.attrib["y"]), text.text) for text in drawn.findall(".//{*}text")]
    pieces = parts.guide(variants.find(variant)).pieces(position.options_record[0])
    assert [words for y, words in texts if y > below] == [piece.name for piece in pieces]
    assert max(y for y, _ in texts) < bottom
