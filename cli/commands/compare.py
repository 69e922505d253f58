"""`houle compare`: what a change of rules, table or strategy does, on the same games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch
from houle.solver.ruleset import RulesetError

if TYPE_CHECKING:
    from houle.analysis.comparison.compare import Comparison, Row

SHORT_NAME = 32  # columns of an arm's name that is never broken


@click.command()
@options.setup_options
@options.strategy_option
@click.option("--measure", multiple=True, metavar="NAME", help="What to compare: win, score, length, draws ...")
@click.option(
    "--margin", multiple=True, metavar="NAME=X", help="Smallest difference that matters: win=0.5%, score=0.1."
)
@options.games_option
@options.seed_option
@options.threads_option
@options.json_option
@options.out_option
@results.figure_option
@options.quiet_option
@click.pass_context
def compare(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    measure: tuple[str, ...],
    margin: tuple[str, ...],
    games: int,
    seed: int,
    threads: int | None,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """Compare arms of GAME with the first of them, on the same games.

    Every repeated -v, -p, -s, --rules and every value of --set KEY=A,B is an arm; several of them combine. The first
    arm is the yardstick. Games are paired, so that the luck of the deal cancels; other numbers of players play games
    of their own. `-v base` and `--rules base` are the printed rules. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle compare wave -v base -v virage -v tide-colours -s thumb
      houle compare wave -s thumb --set hand.back=2,3 --measure score
      houle compare wave --rules base --rules my.toml -s thumb -n 1e6
      houle compare vague-verte -p 3 --set attack_last_square=false,true
    """
    from houle.analysis.comparison.compare import compare_arms

    results.check_files(out, figure)
    grid = results.grid_of(asked, strategy, strict=True)
    measures = [name.strip() for text in measure for name in text.split(",")]
    given = _margins(margin)

    def job(watch: Watch) -> Comparison:
        return compare_arms(grid.arms, games, seed, measures, given, threads, watch)

    result: Comparison = results.play(ctx, games * len(grid.arms), as_json or quiet, job)
    repeat = ["compare", *results.grid_words(asked, strategy)]
    for name in measures:
        repeat += ["--measure", name]
    for text in margin:
        repeat += ["--margin", text]
    repeat += ["-n", str(result.played.lots[0].number), "--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.compare import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def _margins(texts: tuple[str, ...]) -> dict[str, float]:
    """`win=0.5%` -> 0.005; a rate may be written as a share, too."""
    found = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        try:
            found[name] = float(value[:-1]) / 100 if value.endswith("%") else float(value)
        except ValueError:
            raise RulesetError(f"--margin: {text!r} is not allowed; write win=0.5% or score=0.1") from None
    return found


def describe(result: Comparison) -> str:
    """A table for every measure, and what must be known to read it."""
    first = result.arms[0]
    games = result.played.lots[0].number
    own = [arm for arm in result.arms if arm.setup.title or arm.values.get("rules", "base") != "base"]
    lines = [line for arm in own for line in tables.differences(arm.setup)]
    lines.append(common_line(result))
    lines.append(f"{tables.plural(games, 'game')} of each arm, seed {result.played.seed}, 95% intervals")
    for measure in result.measures:
        lines += ["", _table([row for row in result.rows if row.measure == measure], measure)]
    lines.append("")
    if result.unpaired:
        text = "unpaired " + ", ".join(arm.label for arm in result.unpaired)
        text += (
            f": another number of players than {first.label} is another deal; these intervals are for independent games"
        )
        lines.append(tables.paragraph(text, 0, 9))
    lines += results.finding_lines(result.findings)
    lines.append(f"time     {result.played.seconds:.1f} s, {tables.plural(result.played.games, 'game')}")
    lines.append(f"digests  result {result.digest}")
    strategies = [name for arm in result.arms for name in arm.strategies]
    return "\n".join([*lines, *tables.notes(first.setup, strategies)])


def common_line(result: Comparison) -> str:
    """What all arms share."""
    from houle.analysis.sampling.grid import short_line_up

    arms = result.arms
    words = [arms[0].setup.ruleset.title]
    if len({arm.setup.players for arm in arms}) == 1:
        words.append(tables.plural(arms[0].setup.players, "player"))
    if len({arm.setup.variants for arm in arms}) == 1:
        words.append(" + ".join(arms[0].setup.variants) or "base game")
    if len({short_line_up(arm.strategies) for arm in arms}) == 1:
        words.append(f"everyone plays {arms[0].strategies[0]}" if len(set(arms[0].strategies)) == 1 else
                     "strategies " + ", ".join(arms[0].strategies))  # fmt: skip
    return ", ".join(words)


def _table(rows: list[Row], measure: str) -> str:
    """Every arm, and below it what the pairs were worth."""
    from houle.analysis.comparison.measures import is_percent, measure_name

    percent = is_percent(measure)
    lines, worth, changed = [], [], []
    for row in rows:
        found = row.difference
        difference = results.shown(found.interval, percent).replace("%", "", 1) if found else ""
        verdict = row.verdict.text if row.verdict else "yardstick"
        lines.append([row.arm.label, results.shown(row.value, percent), difference, verdict])
        if found and found.changed is not None:
            changed.append(f"{row.arm.label} {found.changed:,} of {tables.plural(found.interval.n, 'game')}")
        if found and found.variance_ratio is not None and found.games_saved is not None:
            saved = f", {found.games_saved:,} games saved" if found.games_saved > 0 else ""
            worth.append(f"{row.arm.label} {found.variance_ratio:.2f}{saved}")
    heads = [measure_name(measure, rows[0].arm.setup), "estimate", "difference" + (", points" if percent else "")]
    # Short names stay whole.
    flexible = (3,) if max(len(line[0]) for line in lines) <= SHORT_NAME else (0, 3)
    table = tables.columns([*heads, "verdict"], lines, flexible=flexible)
    notes = {"changed": changed, "variance ratio of pairs": worth}
    told = [tables.paragraph(f"{what}: {'; '.join(some)}", 0, 2) for what, some in notes.items() if some]
    return "\n".join([table, *told])
