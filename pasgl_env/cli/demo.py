"""``pasgl demo``: train an agent, measure it, and show one of its games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import Variant, number, out_option, wrong_input
from pasgl_env.cli.boards import print_diagram
from pasgl_env.cli.evaluate import measure
from pasgl_env.cli.output import out, say
from pasgl_env.cli.tables import shown
from pasgl_env.cli.turns import ending, play_turns
from pasgl_env.storage.files import write_whole

if TYPE_CHECKING:
    from pasgl_env.engine.position import Position
    from pasgl_env.evaluation.match import MatchResult
    from pasgl_env.evaluation.table import Table

GAME_FILE = "game.txt"
OPPONENTS = ("random", "greedy")


def command(
    variant: Variant = "pasgl312",
    minutes: Annotated[float, number("How long to train.", least=0.01)] = 3.0,
    games: Annotated[int, number("Games against each opponent.", least=2)] = 400,
    folder: Annotated[Path | None, out_option("runs/demo-VARIANT")] = None,
) -> None:
    r"""Train an agent for some minutes, evaluate it, and show a game.

    If the demo is stopped, run it again to continue.

    \b
    Examples:
      pasgl demo
      pasgl demo pasgl312 --minutes 10 --out runs/longer
    """
    with wrong_input():
        from pasgl_env.cli.train import run_training, say_next_commands
        from pasgl_env.contract import variants
        from pasgl_env.engine.position import Position
        from pasgl_env.players.trained import AGENT_FILE
        from pasgl_env.render.words import sides
        from pasgl_env.training.runs import resumed
        from pasgl_env.training.settings import PpoSettings
        from pasgl_env.training.start import holds_run

        folder = folder or Path("runs") / f"demo-{variant}"
        resume = holds_run(folder, PpoSettings)
        title = variants.find(variant).title
        say(f"Training an agent on {title} by self-play for {minutes:g} minutes ...", "bold")
        if resume:
            wanted = {"variant": variant, "minutes": minutes, "steps": None}
            settings = resumed(folder, wanted, PpoSettings)
        else:
            settings = PpoSettings(variant, minutes)
    if run_training(settings, folder, resume) < 1:
        say("Stopped. Run the same command again to continue.")
        return
    ruleset, agent = variants.ruleset(variant, **settings.options), folder / AGENT_FILE
    say(f"\nPlaying {games} games against each reference player ...", "bold")
    with wrong_input():
        results = [
            measure(ruleset, str(agent), name, games, seed=0, folder=folder) for name in OPPONENTS
        ]
    out.print(shown(results_table(results), wraps=False))
    start = Position(ruleset)
    own, other = sides(start)
    say(f"A game of the agent ({own}) against greedy ({other}), with its final position:\n", "bold")
    with wrong_input():
        position = _play_game(start, agent, folder / GAME_FILE)
    print_diagram(position)
    say(f"\nIn {folder}: the agent (agent.pt), the game ({GAME_FILE}), the log (log.jsonl).")
    say_next_commands(settings, folder, 1.0)


def results_table(results: list[MatchResult]) -> Table:
    """One row per opponent, from the agent's view; fits 80 columns."""
    from pasgl_env.evaluation.table import Table
    from pasgl_env.statistics.estimates import Estimate
    from pasgl_env.statistics.texts import interval_text, value_text

    rows = []
    for match in results:
        tally = match.all
        means = (tally.points, tally.opponent_points, tally.turns)
        rows.append(
            [
                match.second,
                str(tally.games),
                value_text(tally.win_rate, True),
                interval_text(tally.win_rate, True),
                *(value_text(each or Estimate(None), False) for each in means),
            ]
        )
    headings = ["against", "games", "won", "95% interval", "points", "its points", "turns"]
    return Table("", headings, rows, left=[0])


def _play_game(position: Position, agent: Path, file: Path) -> Position:
    """Play a game to its end against greedy, and write its turns and result to a file."""
    from pasgl_env import players
    from pasgl_env.engine.dice import Dice
    from pasgl_env.render.words import sides

    pair = [players.make(name, position.variant, seed=1) for name in (str(agent), "greedy")]
    own, other = sides(position)
    title = f"{position.variant}: {pair[0].name} ({own}) against {pair[1].name} ({other})"
    lines = [title, position.text, ""]
    for turn, (who, _, labels) in enumerate(play_turns(position, pair, Dice(1), []), 1):
        lines.append(f"{turn}. {who} {', '.join(labels)}")
    end = ending(position)
    text = "\n".join([*lines, end, "", position.text, "", str(position), ""])
    write_whole(file, text.encode())
    say(end)
    return position
