"""``pasgl compare``: measure what a changed rule changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pasgl_env.cli.arguments import (
    GamesSeed,
    Threads,
    Variant,
    number,
    out_option,
    pair_option,
    value,
    wrong_input,
)
from pasgl_env.cli.openings import OpeningPlayer, OpeningTurns, read_openings
from pasgl_env.cli.output import out
from pasgl_env.cli.questions import keep, run
from pasgl_env.cli.sweeps import Retrain, read_retraining
from pasgl_env.cli.tables import shown

if TYPE_CHECKING:
    from pasgl_env.contract.game import OptionValue

USUAL = "usual rules"
"""The name of the rules without changes."""


def command(
    variant: Variant,
    rules: Annotated[
        list[str],
        value(
            "NAME=VALUE,...",
            "A rule: options with their values. The first is compared with each of the others,"
            " a single one with the usual rules. Repeat for more.",
            "--set",
        ),
    ],
    names: Annotated[
        str | None,
        pair_option(
            "the level 'casual' against itself or, where it learned other rules,"
            " greedy; with --retrain, td"
        ),
    ] = None,
    games: Annotated[
        int, number("Games under each rule; rounded up to whole pairs.", least=2)
    ] = 400,
    retrain: Retrain = None,
    opening_turns: OpeningTurns = "2",
    opening_player: OpeningPlayer = "random",
    seed: GamesSeed = 0,
    threads: Threads = 1,
    folder: Annotated[Path | None, out_option("runs/compare-VARIANT")] = None,
) -> None:
    r"""Play the same games under two rules or more, and measure the differences.

    Games of the same number have the same openings, dice and draws. The table has the differences
    with intervals that hold together, a sentence for each, and games in which the rule mattered. A
    player must have learned all rules or none, unless --retrain lets it learn each. The folder
    holds compare.md, compare.json and a playtest for each rule. If the command is interrupted, run
    it again to continue.

    \b
    Examples:
      pasgl compare pasgl312 --set turkey_range=1
      pasgl compare pachessi --set size=7 --set size=9 --set size=11 --games 1000
      pasgl compare pasgl312 --set score_handicap=4 --players td,td
      pasgl compare pasgl312 --set turkey_range=1 --retrain 2
    """
    with wrong_input():
        from pasgl_env.contract import variants
        from pasgl_env.playtest.compare import Comparison
        from pasgl_env.playtest.play import Plan, usual_player

        changes = _read_rules(variant, rules)
        rulesets = [variants.ruleset(variant, **options) for options in changes.values()]
        retraining = read_retraining(retrain)
        if names is None:
            name = "td" if retraining else usual_player(rulesets)
            names = f"{name},{name}"
        openings = read_openings(rulesets[0], opening_turns, opening_player)
        plan = Plan.of(rulesets[0], names.split(","), seed, openings=openings)
        usual = variants.ruleset(variant)
        whole = {
            rule: {name: options.get(name, usual.options[name]) for name in _varied(changes)}
            for rule, options in changes.items()
        }
        folder = folder or Path("runs") / f"compare-{variant}"
        question = Comparison(plan, plan.whole_groups(games), whole, retraining)
        found = run(question, folder, threads=threads)
        for name in found.others:
            out.print(shown(found.table(name), splits=True))
        keep(folder, "compare", found.to_markdown(), found.to_dict())


def _read_rules(variant: str, rules: list[str]) -> dict[str, dict[str, OptionValue]]:
    """The options that each rule sets, by its name; the usual rules first if there is only one."""
    from pasgl_env.contract import variants

    read = {rule: variants.read_options(variant, rule.split(",")) for rule in rules}
    return read if len(rules) > 1 else {USUAL: {}, **read}


def _varied(changes: dict[str, dict[str, OptionValue]]) -> list[str]:
    """All options that a rule sets."""
    return list(dict.fromkeys(name for options in changes.values() for name in options))
