"""What is counted in the games of every variant.

These counters come before a family's own in a tally. :mod:`pasgl_env.playtest.counting` counts
them. Side is short for a team, or for a player who plays alone. Who leads is seen at the end of
every turn: whose side has more points or, in games without points, who stands better by the game's
potential (:attr:`pasgl_env.games.contract.Game.potential`).
"""

from __future__ import annotations

from pasgl_env.games.counters import Counter, first_cells, seats

MOST_PLAYERS = 4
_SEATS = (seats(MOST_PLAYERS),)
LEAD = "points or decisive leads"
"""The unit of a lead: of the former in games with points, of the latter in others."""

SECONDS_FREE, SECONDS_FORCED = 15.0, 3.0
"""How long people are taken to think about a decision, and about one that is none."""

COUNTERS = (
    Counter("games", "Games played.", "games"),
    Counter(
        "decisive_games", "Games that a side won.", "games", is_share=True, plural="decisive games"
    ),
    Counter("draws", "Games that ended by the rules and that nobody won.", "games", is_share=True),
    Counter(
        "truncations",
        "Games cut off by the turn limit or for want of room for their history; half a point each.",
        "games",
        is_share=True,
        title="Games cut off",
    ),
    Counter(
        "score",
        "What a seat scored: 1 for a game its side won, 1/2 for a draw or a truncated game.",
        "points of the outcome",
        _SEATS,
        is_share=True,
        phrase="share of what could be scored",
    ),
    Counter(
        "first_mover_score",
        "What the side that acted first scored, in the opening where one was played; half a point"
        " for a draw or a truncated game. Above 1/2 it is an advantage.",
        "points of the outcome",
        is_share=True,
        title="Score of the side that moves first",
        phrase="share of what could be scored",
    ),
    Counter(
        "endings",
        "Games that came to an end by the rules.",
        "games",
        is_share=True,
        title="Games that came to an end",
        plural="games that came to an end",
    ),
    Counter(
        "ended_first_mover_score",
        "What the side that acted first scored in the games that came to an end.",
        "points of the outcome",
        per="endings",
        is_share=True,
        title="The same, without games cut off",
        phrase="share of what could be scored",
    ),
    Counter(
        "first_player_score",
        "What the first of the two players scored over both sides, half a point for a draw or a"
        " truncated game.",
        "points of the outcome",
        is_share=True,
        title="Score of the first player",
        phrase="share of what could be scored",
    ),
    Counter(
        "points",
        "Points of each seat when the game stopped.",
        "points",
        _SEATS,
        title="Points at the end",
    ),
    Counter(
        "margin",
        "Points of the side that had more, less the other's.",
        "points",
        title="Margin in points",
    ),
    Counter("turns", "Turns of all players together, those of an opening not counted.", "turns"),
    Counter(
        "actions",
        "Actions of all players together: whatever is chosen, where a turn may have several parts.",
        "decisions",
        title="Decisions",
    ),
    Counter(
        "minutes",
        f"Minutes that a game would take people, at {SECONDS_FREE:g} seconds for a decision and"
        f" {SECONDS_FORCED:g} where only one action is legal.",
        "minutes",
        title="Estimated minutes",
    ),
    Counter(
        "actions_in_a_turn",
        "Actions of a turn.",
        "decisions",
        per="turns",
        title="Decisions in a turn",
    ),
    Counter(
        "branching",
        "Legal actions of a decision: the branching factor.",
        "choices",
        per="actions",
        title="Choices at a decision",
    ),
    Counter(
        "geometric_branching",
        "Legal actions of a decision, their geometric mean.",
        "choices",
        per="actions",
        is_log=True,
        title="Choices at a decision, geometric mean",
    ),
    Counter(
        "game_tree",
        "Decimal logarithm of the product of the numbers of legal actions of all decisions of a"
        " game: the size of the game tree as such games show it.",
        "powers of ten",
        title="Size of the game tree",
        phrase="digits of the number of ways to play so many such decisions",
    ),
    Counter(
        "forced",
        "Decisions with a single legal action.",
        "decisions",
        per="actions",
        is_share=True,
        title="Forced decisions",
    ),
    Counter(
        "lead_changes",
        "How often another side led than the one that led last; turns in which nobody led do not"
        " count.",
        "changes",
    ),
    Counter(
        "decided_turn",
        "The last turn at whose end the winner did not lead; 0 if it always did.",
        "turns",
        per="decisive_games",
        title="Decided after turn",
    ),
    Counter(
        "decided_share",
        "That turn's number as a share of all turns of the game.",
        "turns",
        per="decisive_games",
        is_share=True,
        title="Decided after",
        phrase="share of a game's turns",
    ),
    Counter(
        "worst_deficit",
        "How far the winner was behind at the worst, at the end of a turn; 0 if never.",
        LEAD,
        per="decisive_games",
        title="Worst deficit of the winner",
    ),
    Counter(
        "comebacks",
        "Games whose winner was behind, at the end of some turn, by what as good as decides a game"
        " or more.",
        "games",
        per="decisive_games",
        is_share=True,
    ),
)

SECTIONS = {
    "Results": (
        "games decisive_games draws truncations endings score first_mover_score"
        " ended_first_mover_score first_player_score points margin"
    ),
    "Length and choices": (
        "turns turns_median turns_5th turns_95th minutes actions actions_median actions_5th"
        " actions_95th actions_in_a_turn branching geometric_branching game_tree forced"
    ),
    "Course of the game": "lead_changes decided_turn decided_share worst_deficit comebacks",
}
"""The headings, quantiles of lengths included."""

OF_POINTS = ("points", "margin")
"""Those that mean nothing in games without points."""

CELLS = sum(counter.cells for counter in COUNTERS)
AT = first_cells(COUNTERS)
GAMES, DECISIVE, DRAWS, TRUNCATIONS = (
    AT[name] for name in ("games", "decisive_games", "draws", "truncations")
)
SCORE, FIRST_MOVER, FIRST_PLAYER = (
    AT[name] for name in ("score", "first_mover_score", "first_player_score")
)
POINTS, MARGIN, TURNS, ACTIONS = (AT[name] for name in ("points", "margin", "turns", "actions"))
ACTIONS_IN_A_TURN, BRANCHING = AT["actions_in_a_turn"], AT["branching"]
GEOMETRIC_BRANCHING, GAME_TREE = AT["geometric_branching"], AT["game_tree"]
ENDINGS, ENDED_FIRST_MOVER = AT["endings"], AT["ended_first_mover_score"]
MINUTES = AT["minutes"]
FORCED, LEAD_CHANGES = AT["forced"], AT["lead_changes"]
DECIDED_TURN, DECIDED_SHARE = AT["decided_turn"], AT["decided_share"]
WORST_DEFICIT, COMEBACKS = AT["worst_deficit"], AT["comebacks"]
