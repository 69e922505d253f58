"""`houle restrict`: what a strategy loses if it may never do something, or ignores one of its rules of thumb."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.analysis.limits import MOST_GAMES
from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch

if TYPE_CHECKING:
    from houle.analysis.strategy.ablation import Restricted, Restriction

DEALS = 4000


@click.command()
@options.setup_options
@click.option("-s", "--strategy", default="thumb", show_default=True, metavar="NAME", help="Who is restricted.")
@click.option("--never", multiple=True, metavar="SORT", help="A sort of move it may never make; several with commas.")
@click.option("--without", multiple=True, metavar="RULE", help="A rule of thumb it ignores; several with commas.")
@click.option(
    "-n", "--games", type=options.Whole(2, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=DEALS, show_default=True,
    metavar="N", help="How many deals.",
)  # fmt: skip
@options.seed_option
@options.threads_option
@options.json_option
@options.out_option
@results.figure_option
@options.quiet_option
@click.pass_context
def restrict(
    ctx: click.Context,
    asked: options.Asked,
    strategy: str,
    never: tuple[str, ...],
    without: tuple[str, ...],
    games: int,
    seed: int,
    threads: int | None,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """What a strategy of GAME loses by never doing something.

    Every sort of move that it may never make and every rule of thumb that it ignores, on the same deals, ranked by
    what it costs. One side is restricted against unrestricted ones, from every seat in turn; where all play together
    the whole team is. Without --never and --without all of both are tried. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle restrict vague-verte -p 3 -s thumb
      houle restrict wave -v virage --never swap,reverse -n 20000
      houle restrict land-unter -s flat:50 --never high -n 200 --figure high.png
    """
    from houle.analysis.strategy import ablation as analysis

    results.check_files(out, figure)
    setup = asked.setup()
    sorts, rules = (_names(texts) for texts in (never, without))
    every = not sorts and not rules

    def job(watch: Watch) -> Restricted:
        def told(done: int, seconds: float, of: int) -> None:
            watch.expect(of)
            watch(done, seconds)

        given = (None if every else sorts, None if every else rules)
        return analysis.restrict(setup, strategy, given[0], given[1], games, seed, threads, told)

    result: Restricted = results.play(ctx, games, as_json or quiet, job)
    repeat = ["restrict", *asked.words(setup), "-s", result.strategy.text]
    for option, names in (("--never", sorts), ("--without", rules)):
        repeat += [option, ",".join(names)] if names else []
    repeat += ["-n", str(result.deals), "--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.ablation import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def _names(texts: tuple[str, ...]) -> list[str]:
    return [name.strip() for text in texts for name in text.replace("+", ",").split(",") if name.strip()]


def describe(result: Restricted) -> str:
    """A table of what each restriction costs, and a list of those that cost nothing because nothing happens."""
    setup = result.setup
    who = "the whole team" if result.together and setup.players > 1 else "one side, from every seat in turn,"
    if result.together and setup.players == 1:
        who = "the player"
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}; {who} restricted, {result.strategy.text}"]
    counted = f"{tables.plural(result.deals, 'deal')} of seed {result.seed}, {tables.plural(result.games, 'game')}"
    lines += [f"{counted}; 95% intervals, clustered by deal", ""]
    lines += [f"unrestricted it wins {results.shown(result.free, True)}", ""]
    rows = [_row(one) for one in result.restrictions if one.cost]
    if rows:
        heads = ["", "", "wins lost, points", f"{setup.score} more", "can be made", "made"]
        lines += [tables.columns(heads, rows, right=(4, 5)), ""]
    for one in result.restrictions:
        if one.cost:
            continue
        lines.append(tables.paragraph(f"{one.option} {one.name}: {one.remark}", 0, 2))
    lines += [""] if rows and len(rows) < len(result.restrictions) else []
    lines += [tables.paragraph(f"{one.option} {one.name}: {one.text}", 0, 2) for one in result.restrictions if one.cost]
    if any(one.cost and one.cost.high < 0 for one in result.restrictions):
        among = "the restricted team" if result.together else "among players who are not restricted, who is"
        lines += ["", tables.paragraph(f"below 0: {among} wins more", 0, 2)]
    lines += ["", tables.paragraph("each interval holds by itself: of twenty that cost nothing one will seem to", 0, 2)]
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    return "\n".join([*lines, *tables.notes(setup)])


def _row(one: Restriction) -> list[str]:
    seen = one.chances
    often = [f"{100 * n / max(seen.decisions, 1):.1f}%" for n in (seen.possible, seen.made)] if seen else ["", ""]
    return [one.option, one.name, results.shown(one.cost, True).replace("%", "", 1), results.shown(one.score), *often]
