"""The counters of every variant, which come before the game's own in a tally.

:mod:`pasgl_env.playtest.counting` counts them. A side is a team, or a player without one. The
leader is determined at the end of every turn: the side with most points or, in games without
points, the one that stands best by :attr:`pasgl_env.contract.game.Game.potential`.
"""

from __future__ import annotations

from pasgl_env.contract.counters import Counter, first_cells, seats

MOST_PLAYERS = 8
"""The most players of a game that is counted."""
_SEATS = (seats(MOST_PLAYERS),)
LEAD = "points or decisive leads"
"""The unit of a lead: points, or decisive leads in games without points."""

SECONDS_FREE, SECONDS_FORCED = 15.0, 3.0
"""The assumed time of people for a decision, and for one with a single legal action."""

MOST_TURNS = 3000
"""Turns of a game whose positions are compared."""

COUNTERS = (
    Counter("games", "Games played.", "games"),
    Counter(
        "decisive_games", "Games won by a side.", "games", is_share=True, plural="decisive games"
    ),
    Counter("draws", "Games that ended by the rules without a winner.", "games", is_share=True),
    Counter(
        "truncations",
        "Games cut off by the turn limit, or because their history was full; scored like draws.",
        "games",
        is_share=True,
        title="Games cut off",
    ),
    Counter(
        "score",
        "The score of a seat: 1 for a game won by its side; for a draw or a truncated game an equal"
        " share, 1/2 with two sides.",
        "points of the outcome",
        _SEATS,
        is_share=True,
        phrase="share of the maximum score",
    ),
    Counter(
        "first_mover_score",
        "The score of the side that acted first, in the opening if there was one; an equal share"
        " for a draw or a truncated game. Above that, which is 1/2 with two sides, moving first is"
        " an advantage.",
        "points of the outcome",
        is_share=True,
        title="Score of the side that moves first",
        phrase="share of the maximum score",
    ),
    Counter(
        "endings",
        "Games that ended by the rules.",
        "games",
        is_share=True,
        title="Games that ended",
        plural="games that ended",
    ),
    Counter(
        "ended_first_mover_score",
        "The score of the side that acted first, in games that ended by the rules.",
        "points of the outcome",
        per="endings",
        is_share=True,
        title="The same, without games cut off",
        phrase="share of the maximum score",
    ),
    Counter(
        "first_player_score",
        "The score of the first of the two players, over the sides that it plays in turn; an equal"
        " share for a draw or a truncated game.",
        "points of the outcome",
        is_share=True,
        title="Score of the first player",
        phrase="share of the maximum score",
    ),
    Counter(
        "points",
        "Points of each seat at the end of the game.",
        "points",
        _SEATS,
        title="Points at the end",
    ),
    Counter(
        "margin",
        "Points of the side that had most, minus those of the next.",
        "points",
        title="Margin in points",
    ),
    Counter("turns", "Turns of all players together, without those of an opening.", "turns"),
    Counter(
        "actions",
        "Actions of all players together; a turn may consist of several.",
        "decisions",
        title="Decisions",
    ),
    Counter(
        "minutes",
        f"Minutes that people would need, at {SECONDS_FREE:g} seconds for a decision and"
        f" {SECONDS_FORCED:g} where only one action is legal.",
        "minutes",
        title="Estimated minutes",
    ),
    Counter(
        "actions_in_a_turn",
        "Actions in a turn.",
        "decisions",
        per="turns",
        title="Decisions in a turn",
    ),
    Counter(
        "branching",
        "Legal actions at a decision: the branching factor.",
        "choices",
        per="actions",
        title="Choices at a decision",
    ),
    Counter(
        "geometric_branching",
        "The geometric mean of the legal actions at a decision.",
        "choices",
        per="actions",
        is_log=True,
        title="Choices at a decision, geometric mean",
    ),
    Counter(
        "game_tree",
        "Decimal logarithm of the product of the numbers of legal actions at all decisions of a"
        " game: an estimate of the size of the game tree.",
        "powers of ten",
        title="Size of the game tree",
        phrase="power of ten",
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
        "free",
        "Decisions with more than one legal action.",
        "decisions",
        title="Decisions with a choice",
        plural="free decisions",
    ),
    Counter(
        "decision_factor",
        "Legal actions at a decision with more than one.",
        "choices",
        per="free",
        title="Choices where there is a choice",
    ),
    Counter(
        "coverage",
        "Squares that actions left, passed or entered, as a share of those of the board.",
        "squares",
        is_share=True,
        title="Board coverage",
        phrase="share of squares",
    ),
    Counter(
        "repetitions",
        "Turns that ended in a position that had been there in the game before, among its first"
        f" {MOST_TURNS:,} turns: nothing that matters from there on was different.",
        "turns",
        per="turns",
        is_share=True,
        title="Repeated positions",
    ),
    Counter(
        "lead_changes",
        "Changes of the lead to another side; turns without a leader do not count.",
        "changes",
    ),
    Counter(
        "decided_turn",
        "The last turn at whose end the winner did not lead; 0 if it always led.",
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
        "The largest deficit of the winner at the end of a turn; 0 if it was never behind.",
        LEAD,
        per="decisive_games",
        title="Worst deficit of the winner",
    ),
    Counter(
        "comebacks",
        "Games whose winner was behind by a decisive lead or more at the end of some turn.",
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
        " actions_95th actions_in_a_turn branching geometric_branching game_tree forced free"
        " decision_factor"
    ),
    "Course of the game": (
        "lead_changes decided_turn decided_share worst_deficit comebacks coverage repetitions"
    ),
}
"""The measures under each heading, including quantiles of lengths."""

OF_POINTS = ("points", "margin")
"""Measures left out in games without points."""
OF_SQUARES = ("coverage",)
"""Measures left out in games whose actions are not described."""

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
FREE, DECISION_FACTOR = AT["free"], AT["decision_factor"]
COVERAGE, REPETITIONS = AT["coverage"], AT["repetitions"]
