"""`houle compare`: what a change of rules, table or strategy does, on the same games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from houle import analysis
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.ruleset import RulesetError, variant_name

if TYPE_CHECKING:
    from houle.analysis import Comparison
    from houle.analysis.comparison.compare import Row

SHORT_NAME = 32  # columns of an arm's name that is never broken

measure_option = click.option(
    "--measure", multiple=True, metavar="NAME", help="What to compare or show: win, score, length, draws ..."
)


@analysis_command(least=2, strategies="Who decides: one for all, or one per player; every -s is an arm.", first=True)
@measure_option
@click.option(
    "--margin", multiple=True, metavar="NAME=X", help="Smallest difference that matters: win=0.5%, score=0.1."
)
def compare(call: Call, measure: tuple[str, ...], margin: tuple[str, ...]) -> None:
    """Compare arms of GAME with the first of them, on the same games.

    Every repeated -v, -p, -s, --rules and every value of --set KEY=A,B is an arm; several of them combine. The first
    arm is the yardstick. Games are paired, so that the luck of the deal cancels; other numbers of players play games
    of their own. `-v base` and `--rules base` are the printed rules.

    \b
    Examples:
      houle compare wave -v base -v virage -v tide-colours
      houle compare wave --set hand.back=2,3 --measure score
      houle compare wave --rules base --rules my.toml -s thumb -n 1e6
      houle compare vague-verte -p 3 --set attack_last_square=false,true
    """
    grid = call.grid(strict=True)
    result = call.play(
        analysis.compare, grid, strategies=None, first=call.first, measures=names_of(measure),
        margins=parse_margins(margin), total=call.games * len(grid.arms),
    )  # fmt: skip
    call.tell(result, page(result), head(result), result.repeat(call.asked.grid_words(grid.line_ups)))


def names_of(texts: tuple[str, ...]) -> list[str]:
    """Names as typed: repeated, or with commas between."""
    return [name.strip() for text in texts for name in text.split(",")]


def parse_margins(texts: tuple[str, ...]) -> dict[str, float]:
    """`win=0.5%` -> 0.005; a rate may be written as a share, too."""
    found = {}
    for pair in texts:
        name, _, value = (part.strip() for part in pair.partition("="))
        try:
            found[name] = float(value[:-1]) / 100 if value.endswith("%") else float(value)
        except ValueError:
            raise RulesetError(f"--margin: {pair!r} is not allowed; write win=0.5% or score=0.1") from None
    return found


def head(result: Comparison) -> list[str]:
    """How users' own arms differ from print, what all arms share, and how many games."""
    return [
        *text.grid_differences(result.grid),
        common_line(result),
        f"{text.plural(result.games, 'game')} of each arm, seed {result.seed}, 95% intervals",
    ]


def common_line(result: Comparison) -> str:
    """What all arms share."""
    arms = result.arms
    words = [result.setup.ruleset.title]
    if len({arm.setup.players for arm in arms}) == 1:
        words.append(text.plural(result.setup.players, "player"))
    names = {variant_name(arm.setup) for arm in arms}
    if len(names) == 1:
        words.append(min(names))
    elif len({arm.setup.variants for arm in arms}) == 1 and result.setup.variants:
        words.append(" + ".join(result.setup.variants))
    if len(result.grid.line_ups) == 1:
        words.append(text.deciders(result.strategies))
    return ", ".join(words)


def page(result: Comparison) -> list[str]:
    """A table for every measure, and what must be known to read it."""
    lines: list[str] = []
    for measure in result.measures:
        lines += [*table([row for row in result.rows if row.measure == measure]), ""]
    if result.unpaired:
        others = ", ".join(arm.label for arm in result.unpaired)
        why = f"another number of players than {result.arms[0].label} is another deal"
        lines.append(text.paragraph(f"unpaired {others}: {why}; these intervals are for independent games", 0, 9))
    return [*lines, *text.finding_lines(result.findings)]


def table(rows: list[Row]) -> list[str]:
    """Every arm, and below it what the pairs were worth."""
    lines, worth, changed, percent = [], [], [], rows[0].percent
    for row in rows:
        found = row.difference
        difference = text.shown(found.interval, percent).replace("%", "", 1) if found else ""
        verdict = row.verdict.text if row.verdict else "yardstick"
        lines.append([row.arm.label, text.shown(row.value, percent), difference, verdict])
        if found and found.changed is not None:
            changed.append(f"{row.arm.label} {found.changed:,} of {text.plural(found.interval.n, 'game')}")
        if found and found.variance_ratio is not None and found.games_saved is not None:
            saved = f", {found.games_saved:,} games saved" if found.games_saved > 0 else ""
            worth.append(f"{row.arm.label} {found.variance_ratio:.2f}{saved}")
    heads = [rows[0].name, "estimate", "difference" + (", points" if percent else ""), "verdict"]
    # Short names stay whole.
    flexible = (3,) if max(len(line[0]) for line in lines) <= SHORT_NAME else (0, 3)
    notes = {"changed": changed, "variance ratio of pairs": worth}
    told = [text.paragraph(f"{what}: {'; '.join(some)}", 0, 2) for what, some in notes.items() if some]
    return [text.columns(heads, lines, flexible=flexible), *told]
