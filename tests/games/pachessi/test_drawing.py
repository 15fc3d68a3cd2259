"""The drawing shows the position: every piece, the laps, the dice, and where things are."""

import re
from collections import Counter
from random import Random
from xml.etree import ElementTree

from pasgl_env import Position, render
from pasgl_env.games.pachessi.drawing.pieces import LOOKS, edge
from pasgl_env.render.svg.theme import THEMES

from ...render.reading import contrast, of_class, shapes, texts
from ...rows import rows
from .steering import MOODS, beginning, odd_text, steered

SMALLEST_AND_LARGEST = [(5, 1), (6, 2), (7, 3), (26, 2), (26, 22)]


def pieces_in(shapes):
    names = ("data-colour", "data-piece", "data-square")
    return Counter(tuple(map(piece.get, names)) for piece in of_class(shapes, "piece"))


def pieces_of(position):
    colours = [seat.lower() for seat in position.seats]
    places = {"@": "taken", "*": "off"}
    sides = zip(colours, position.text.split(" ")[0].split("/"), strict=True)
    return Counter(
        (colour, word[0], places.get(word[1], word[1:].split(":")[0]))
        for colour, words in sides
        for word in words.split(",")
    )


def steered_positions(seeds):
    for seed in seeds:
        rng = Random(seed)
        start = beginning(rng)
        position = Position.from_text(start.variant, start.text, **start.options)
        mood = rng.choice(MOODS)
        for _ in range(rng.randrange(40)):
            if not position.is_over:
                position.play_action(steered(position, rng.random(), mood))
        yield position


def test_every_piece_is_drawn_once_and_where_it_is():
    for position in steered_positions(range(60)):
        assert pieces_in(shapes(position)) == pieces_of(position)


@rows(("size", "hole"), SMALLEST_AND_LARGEST)
def test_every_piece_is_drawn_on_boards_of_any_size(size, hole):
    options = {"players": 4, "size": size, "hole": hole, "grand": True}
    text = odd_text(Random(size), "pachessi", options)
    position = Position.from_text("pachessi", text, **options)
    assert pieces_in(shapes(position)) == pieces_of(position)


def test_a_badge_tells_laps_unless_there_are_none():
    text = "Ra6:0,Ec7:2,Hd6:-1,S*/R@,Ee1:1,Hf2:12,Sg2:-70 yellow - i 60"
    drawn = shapes(Position.from_text("pachessi", text))
    badges = [text for text in texts(drawn) if re.fullmatch(r"-?\d\+?", text)]
    # The first seven are the board's ranks.
    assert badges[7:] == ["2", "-1", "1", "9+", "-9+"]
    assert len(of_class(drawn, "laps")) == 5


class TestDice:
    def numbers(self, position):
        drawn = shapes(position)
        used = [die for group in of_class(drawn, "used") for die in of_class(group, "die")]
        left = [die for die in of_class(drawn, "die") if die not in used]
        due = len(of_class(drawn, "due"))
        return [[int(die.get("data-number")) for die in dice] for dice in (used, left)], due

    def test_due_before_a_roll(self):
        assert self.numbers(Position("pachessi")) == ([[], []], 2)

    def test_as_rolled(self):
        position = Position("pachessi").play("roll 3 3")
        assert self.numbers(position) == ([[], [3, 3]], 0)

    def test_a_used_one_stays_in_sight(self):
        position = Position("pachessi").play("roll 3 3").play("3:Eb7-b5")
        assert self.numbers(position) == ([[3], [3]], 0)

    def test_a_used_one_is_blank_if_nobody_knows_its_number(self):
        played = Position("pachessi").play("roll 3 4").play("3:Eb7-b5")
        position = Position.from_text("pachessi", played.text)
        assert self.numbers(position) == ([[0], [4]], 0)

    def test_a_grace_die_is_due_once_it_is_earned(self):
        text = "Ra7:0,Ea5:0,Hc7:0,S*/Ra3:0,E@,H@,S@ black 2,3 i 5"
        position = Position.from_text("pachessi", text).play("3:Ea5-a3")
        assert self.numbers(position) == ([[0], [2]], 1)
        after = position.play("2:Hc7-b5")
        assert self.numbers(after) == ([[], []], 1)
        assert self.numbers(after.play("roll 5")) == ([[], [5]], 0)

    def test_none_when_lots_are_drawn_or_the_game_is_over(self):
        won = "R*,E*,H*,S*/Ra1:3,E@,H@,S@ black 4 i 60"
        lot = Position("pachessi", first="lot")
        assert self.numbers(lot) == self.numbers(Position.from_text("pachessi", won))
        assert self.numbers(lot) == ([[], []], 0)


class TestStatus:
    @rows(
        ("text", "players", "status"),
        [
            ("R*,E*,H*,S*/Ra1:3,E@,H@,S@ black 4 i 60", 2, "Black wins"),
            (
                "Ra1:3,E@,H@/R*,E*,H*/R@,E@,H@/R@,E@,H@ green 4 i 60",
                4,
                "Green and Red win",
            ),
            ("R@,E@,H@,S@/Ra1:3,E@,H@,S@ yellow 4 g 60", 2, "Yellow to play grace"),
            ("R@,E@,H@,S@/Ra1:3,E@,H@,S@ yellow - i 60", 2, "Yellow to roll"),
        ],
    )
    def test_says_who_does_what(self, text, players, status):
        position = Position.from_text("pachessi", text, players=players)
        drawn = shapes(position)
        assert status in texts(drawn)
        assert drawn[1].tag.endswith("title") and status in drawn[1].text

    def test_lots(self):
        drawn = shapes(Position("pachessi", players=4, first="lot"))
        assert "lots are drawn" in texts(drawn)

    def test_the_choice_of_who_begins(self):
        position = Position("pachessi", players=4, first="team").play("red")
        assert "Red to choose" in texts(shapes(position))


@rows(("size", "hole"), SMALLEST_AND_LARGEST)
def test_dice_cover_no_square(size, hole):
    position = Position("pachessi", size=size, hole=hole).play("roll 2 3")
    canvas = render.drawing(position)
    scene = ElementTree.fromstring(canvas.to_svg())
    rows = [group for group in scene.iter() if of_class(list(group), "die")]
    ring = (size - hole) // 2
    corners = [piece for piece in scene.iter() if piece.get("class") == "piece"]
    raja = moved_to(next(piece for piece in corners if piece.get("data-square") == f"a{size}"))
    left, top = raja[0] - 50 + 100 * ring, raja[1] - 50 + 100 * ring
    board_end = raja[1] - 50 + 100 * size
    assert len(rows) == 2
    for x, y in map(moved_to, rows):
        in_hole = left < x < left + 100 * hole and top < y < top + 100 * hole
        assert in_hole or board_end < y < canvas.height


def moved_to(shape):
    x, y = re.findall(r"translate\((\S+) (\S+)\)", shape.get("transform"))[0]
    return float(x), float(y)


def test_the_size_of_the_drawing_does_not_depend_on_the_state():
    start = render.drawing(Position("pachessi", size=5, hole=1))
    text = "R@,E@,H@,S@/R*,E*,H*,Sd1:5 yellow 4 g 60"
    later = render.drawing(Position.from_text("pachessi", text, size=5, hole=1))
    assert (start.width, start.height) == (later.width, later.height)


def test_the_last_turn_stays_marked_when_the_next_player_has_rolled():
    position = Position("pachessi").play("roll 3 6").play("3:Eb7-b5").play("6:Eb5-b2")
    assert len(of_class(shapes(position), "last")) == 3
    assert len(of_class(shapes(position.play("roll 2 6")), "last")) == 3


def test_targets_are_marked():
    position = Position("pachessi").play("roll 2 3")
    assert len(of_class(shapes(position), "target")) == 0
    drawn = shapes(position, origin="b7")
    assert len(of_class(drawn, "target")) == 3 and len(of_class(drawn, "origin")) == 1


@rows("theme", THEMES.values())
@rows("corner", range(4))
def test_tokens_stand_out(theme, corner):
    look = LOOKS[corner]
    assert contrast(look.fill, look.sign) >= 4.5
    for ground in (theme.light, theme.dark, theme.page):
        assert max(contrast(look.fill, ground), contrast(edge(corner, theme), ground)) >= 3
