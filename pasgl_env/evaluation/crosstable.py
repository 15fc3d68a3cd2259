"""The cross table of a tournament, as cells and as Markdown."""

from __future__ import annotations

from math import isfinite, isnan

from pasgl_env import variants
from pasgl_env.evaluation.markdown import markdown_rows
from pasgl_env.evaluation.tournament import PART, Standings
from pasgl_env.statistics.ratings import Rating


def headings(standings: Standings) -> list[str]:
    """Of the columns: place, player, rating, score, time, and a column for every opponent."""
    opponents = [str(place + 1) for place in range(len(standings.players))]
    return ["", "player", "Elo", "95% interval", "score", "time/action", *opponents]


def rows(standings: Standings) -> list[list[str]]:
    """A row for every player, the best first; scores in percent."""
    return [
        [
            str(place),
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
        for place, player in enumerate(standings.ranking, 1)
    ]


def title(standings: Standings) -> str:
    """What was played."""
    return f"{variants.find(standings.variant).title}, {standings.games} games in each pairing"


def notes(standings: Standings) -> list[str]:
    """What a reader must know of the table, in sentences."""
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


def duration(seconds: float) -> str:
    """A time in a unit that suits it, to three digits.

    >>> duration(0.00123), duration(12.34)
    ('1.23 ms', '12.3 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


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
