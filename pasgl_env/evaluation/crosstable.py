"""The cross table of a tournament, as cells and as Markdown."""

from __future__ import annotations

from math import isfinite, isnan

from pasgl_env.evaluation.markdown import duration, markdown_rows
from pasgl_env.evaluation.tournament import PART, Standings
from pasgl_env.statistics.ratings import Rating


def headings(standings: Standings) -> list[str]:
    """The headings: rank, player, rating, score, time, and a column for every opponent."""
    opponents = [str(rank + 1) for rank in range(len(standings.players))]
    return ["", "player", "Elo", "95% interval", "score", "time/action", *opponents]


def rows(standings: Standings) -> list[list[str]]:
    """A row for every player, the best first; scores in percent."""
    return [
        [
            str(rank),
            standings.players[player],
            elo_text(standings.ratings[player]),
            _interval(standings, player),
            f"{standings.total(player):.1%}",
            duration(standings.seconds[player]),
            *(
                "-" if player == other else f"{100 * standings.score(player, other):.0f}"
                for other in standings.ranking
            ),
        ]
        for rank, player in enumerate(standings.ranking, 1)
    ]


def title(standings: Standings) -> str:
    """The variant and the number of games."""
    return f"{standings.ruleset.game.title}, {standings.games} games in each pairing"


def notes(standings: Standings) -> list[str]:
    """Sentences that explain the table."""
    anchor = standings.players[standings.anchor]
    told = [
        f"Elo relative to {anchor}. On the right: percent of the points taken from each player."
        f" Time: mean of all actions, up to {PART} games at once. Seed {standings.seed}."
    ]
    elos = [rating.elo for rating in standings.ratings]
    if any(map(isnan, elos)):
        told.append(f"Unknown: no chain of results leads to {anchor}; choose another anchor.")
    if any(not isfinite(elo) and not isnan(elo) for elo in elos):
        told.append("Over, under: all games were won, or lost, so there is only a bound (97.5%).")
    told += [
        f"The games of {first} and {second} have few different last positions: the two hardly vary,"
        " so intervals are too narrow."
        for first, second in standings.monotonous
    ]
    return told


def to_markdown(standings: Standings) -> str:
    """The table, with its title above and its notes below.

    >>> from pasgl_env.evaluation.tournament import Tournament
    >>> standings = Tournament("pasgl312", ["random", "greedy"], seed=1).play(games=10)
    >>> print(to_markdown(standings))
    **PASGL 312 Chess, 10 games in each pairing**
    <BLANKLINE>
    |  | player | Elo | 95% interval | score | time/action | 1 | 2 |
    | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    | 1 | greedy | over -15 | - | 100.0% | ... | - | 100 |
    | 2 | random | 0 | anchor | 0.0% | ... | 0 | - |
    ...
    """
    head = headings(standings)
    rules = ["---:", "---", *["---:"] * (len(head) - 2)]
    lines = [
        f"**{title(standings)}**",
        "",
        *markdown_rows([head, rules, *rows(standings)]),
        "",
        *notes(standings),
    ]
    return "\n".join(lines) + "\n"


def elo_text(rating: Rating) -> str:
    """A rating, or its only bound."""
    if isnan(rating.elo):
        return "unknown"
    if isfinite(rating.elo):
        return f"{rating.elo:.0f}"
    return f"over {rating.low:.0f}" if rating.elo > 0 else f"under {rating.high:.0f}"


def interval_text(rating: Rating) -> str:
    """A rating's interval, if it has two ends."""
    return f"{rating.low:.0f} to {rating.high:.0f}" if isfinite(rating.elo) else "-"


def _interval(standings: Standings, player: int) -> str:
    if player == standings.anchor:
        return "anchor"
    return interval_text(standings.ratings[player])
