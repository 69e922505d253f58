"""`houle skill`: how much of a game is skill, and how much the deal decides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.analysis.limits import MOST_GAMES
from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch

if TYPE_CHECKING:
    from houle.analysis.strategy.luck import Luck
    from houle.analysis.strategy.skill import Plan, Skill
    from houle.analysis.strategy.skill_gap import Relative

DEALS, SEARCH_DEALS, TAKES = 2000, 200, 4
WORDS = {
    "player": "who plays",
    "seat": "the seat",
    "deal": "the deal",
    "rest": "the rest: chance and choices",
}


@click.command()
@options.setup_options
@options.strategy_option
@click.option(
    "-n", "--games", type=options.Whole(3, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=DEALS, show_default=True,
    metavar="N", help="How many deals.",
)  # fmt: skip
@click.option(
    "--search-games", type=options.Whole(3, MOST_GAMES), default=SEARCH_DEALS, show_default=True,
    metavar="N", help="How many of them for what searches.",
)  # fmt: skip
@click.option(
    "--takes", type=options.Whole(2, 1000), default=TAKES, show_default=True, metavar="N",
    help="How often a deal is played, with other luck.",
)  # fmt: skip
@click.option("--line-up", metavar="NAME,...", help="Different players, one each: is it they who decide?")
@options.seed_option
@options.threads_option
@options.json_option
@options.out_option
@results.figure_option
@options.quiet_option
@click.pass_context
def skill(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    games: int,
    search_games: int,
    takes: int,
    line_up: str | None,
    seed: int,
    threads: int | None,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """How much of GAME is skill, and what luck decides.

    The gaps between strategies, how far the best fair one comes towards what can be won, and how much of the outcome's
    variance is decided by who plays, by the seat, by the deal and by the rest: every deal is played several times. -s
    gives the strategies from the lowest, one name each. -o writes .json, .csv or .parquet.

    \b
    Examples:
      houle skill wave -p 3
      houle skill land-unter -p 4 -s random,novice,thumb -n 5000
      houle skill vague-verte -p 3 --line-up thumb,novice,novice --figure skill.svg
    """
    from houle.analysis.strategy import skill as analysis
    from houle.solver.strategies.player import split

    results.check_files(out, figure)
    setup = asked.setup()
    texts = [part for text in strategy for part in split(text)]
    mixed = split(line_up) if line_up else []
    planned = analysis.plan(setup, texts or analysis.FAIR, games, search_games, takes, mixed)

    def job(watch: Watch) -> Skill:
        return analysis.play_plan(planned, seed, threads, watch.tell)

    result: Skill = results.play(ctx, planned.games, as_json or quiet, job)
    repeat = ["skill", *asked.words(setup), "-s", ",".join(one.text for one in planned.strategies)]
    repeat += ["-n", str(games), "--search-games", str(search_games), "--takes", str(takes)]
    repeat += (["--line-up", ",".join(mixed)] if mixed else []) + ["--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.skill import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result, planned), repeat, as_json, out, figure, draw)


def describe(result: Skill, planned: Plan) -> str:
    """Gaps, skill, luck, and what is not there."""
    setup = result.setup
    lines = [*tables.differences(setup), f"{tables.table_line(setup)}; seed {result.seed}, 95% intervals", ""]
    lines += [_gaps(result), ""] if len(result.ladder.rungs) > 1 else []
    if result.relative:
        lines += [*_relative(result.relative), ""]
    for table in (result.alike, result.mixed):
        lines += [*_luck(table, setup.score), ""] if table else []
    if result.alike:
        text = "the deal is all cards as they lie, the pile included; players who never vary leave it more to decide"
        lines += [tables.paragraph(text), ""]
    lines += [tables.paragraph(f"missing  {remark}", 0, 9) for remark in result.remarks]
    lines += [f"left out {text}: {why}" for text, why in result.ladder.left_out]
    lines.append(f"time     {result.seconds:.1f} s, {tables.plural(planned.games, 'game')} planned")
    lines.append(f"digests  rules {setup.digest}, result {result.digest}")
    names = [one.text for one in planned.strategies] + (["clairvoyant"] if _bounded(result) else [])
    return "\n".join([*lines, *tables.notes(setup, names)])


def _bounded(result: Skill) -> bool:
    return result.relative is not None and result.relative.bound_win is not None


def _gaps(result: Skill) -> str:
    """The ladder, shortened to wins and gaps."""
    ladder, rows = result.ladder, []
    for rung in ladder.rungs:
        win = results.shown(rung.win, True)
        deals = f"{rung.win.n:,}" if rung.win else ""
        if ladder.fair is None:
            rows.append([rung.strategy, deals, win, results.shown(rung.gain, True).replace("%", "", 1)])
        else:
            rows.append([rung.strategy, deals, rung.below, win])
    if ladder.fair is None:
        return tables.columns(["strategy", "deals", "wins", "points more than the one above"], rows, right=(1,))
    text = tables.columns(["strategy", "deals", "against", "wins"], rows, right=(1,))
    return f"{text}\nOne side against the others, from every seat in turn; equal players win {100 * ladder.fair:.1f}%."


def _relative(found: Relative) -> list[str]:
    rows = [
        [found.lowest, results.shown(found.lowest_win, True)],
        [found.best, results.shown(found.best_win, True)],
    ]
    if found.bound_win:
        opened = f", {found.unresolved:,} deals left open" if found.unresolved else ""
        rows.append([f"the most that is proven possible{opened}", results.shown(found.bound_win, True)])
    lines = [f"{found.deals:,} deals", tables.columns(["", "wins"], rows), ""]
    span = f"(0: {found.best} is no better than {found.lowest}; 1: it wins always)"
    lines.append(_line("skill", results.shown(found.skill) or found.skill_remark, span))
    span = "(1: it wins all that can be won)"
    lines.append(
        _line("relative", results.shown(found.relative) or found.relative_remark, span if found.relative else "")
    )
    return lines


def _line(name: str, text: str, span: str) -> str:
    return tables.paragraph(f"{name:<8} {text} {span}".rstrip(), 0, 9)


def _luck(found: Luck, score: str) -> list[str]:
    who = (
        ", ".join(found.strategies) + " at every seat in turn"
        if found.rotated
        else f"everyone plays {found.strategies[0]}"
    )
    lines = [f"what decides, if {who}: {found.deals:,} deals, each {found.takes} times"]
    parts = [part for part in WORDS if _there(found, part)]
    rows = []
    for part in parts:
        cells = [(results.shown(shares[part], True) if shares else "never varied") for shares in found.parts.values()]
        rows.append([WORDS[part], *cells])
    lines.append(tables.columns(["", "of the win's variance", f"of the variance of {score}"], rows))
    return lines


def _there(found: Luck, part: str) -> bool:
    """A part that this table cannot have is not shown."""
    if part == "player":
        return found.rotated
    return part != "seat" or found.competitive
