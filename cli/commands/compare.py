"""`houle compare`: what a change of rules, players or strategy does, on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.files import keep_log
from houle.cli.framework.options import EACH_WHO, log_option, refit_option, same_search_games_option
from houle.solver.errors import InputError
from houle.solver.rules import variant_name

if TYPE_CHECKING:
    from houle import Comparison, Sweep
    from houle.analysis.comparison.compare import ComparedRow
    from houle.analysis.comparison.power import Detectable
    from houle.analysis.sampling.grid import Arm, Grid

SHORT_NAME = 32  # columns: shorter names are never wrapped
DETECTS = "detects: the smallest difference that so many games detect 4 times in 5"
DECIDED = (
    "by two sequential tests: equal variants are called different in at most 5% of runs, and a difference as "
    "large as the margin is called smaller in at most 5%. The intervals allow for stopping early"
)

measure_option = click.option(
    "--measure",
    multiple=True,
    metavar="NAME",
    help="What to measure: win, score, length, length:p90, draws, balance, ... (default: the most useful ones); "
    "win@family names its players.",
)

margin_option = click.option(
    "--margin", multiple=True, metavar="[NAME=]X",
    help="Smallest difference that matters to you: 0.5 (percentage points, for all rates), win=0.5% or score=0.1.",
)  # fmt: skip


@analysis_command(least=2, strategies=EACH_WHO)
@measure_option
@margin_option
@click.option(
    "--until-decided", is_flag=True,
    help="Play until each difference is certain, or known to be below its margin; -n is then the maximum.",
)  # fmt: skip
@same_search_games_option
@refit_option
@log_option
@click.option("--verbose", is_flag=True, help="Also show what so many games can detect, odds ratios and games saved.")
def compare(
    call: Call,
    measure: tuple[str, ...],
    margin: tuple[str, ...],
    until_decided: bool,
    search_games: int | None,
    log: str | None,
    verbose: bool,
) -> None:
    """Compare variants of a game on the same deals.

    One variant is compared with the printed rules. Repeat -v, -p, -s or --rules, or give several values with --set
    KEY=A,B: each combination is then compared with the first, and with several players (-s) each player's variants
    with that player's first. All of them play the same deals, so differences are not due to lucky cards; only setups
    with another number of players need deals of their own. `-v base` and `--rules base` are the printed rules.

    \b
    Examples:
      houle compare wave --rules my.toml
      houle compare wave --rules my.toml -s family -s seasoned
      houle compare wave -v base -v virage -v tide-colours
      houle compare wave --set hand.back=2,3 --measure score
      houle compare wave -v base -v tide-colours --measure win --until-decided --margin 0.5
      houle compare wave --rules base --rules my.toml -s thumb -n 1e6
      houle compare vague-verte -p 3 --set attack_last_square=false,true
    """
    from houle.analysis.comparison.compare import (
        Comparisons,
        beside_print,
        by_line_up,
        measures_for,
        players_of_measures,
    )
    from houle.analysis.measures.measures import by_player

    chosen = by_player(names_of(measure))
    grid = beside_print(call.asked.grid(tuple(players_of_measures(chosen, call.strategies) or ()), strict=True))
    grid = replace(grid, arms=tuple(refitted(call, arm) for arm in grid.arms))
    points, margins = parse_margins(margin)
    call = call.usually(grid)
    games = call.games if call.given("games") or not until_decided else None
    if call.dry_run:
        click.echo("\n".join(plan(call, grid, measures_for(grid, chosen), search_games)))
        return
    results = [
        call.play(
            houle.compare, one, strategies=None, games=games, measures=measures_for(one, chosen), margins=margins,
            margin=points, until_decided=until_decided, search_games=search_games,
        )
        for one in by_line_up(grid)
    ]  # fmt: skip
    setups = {arm.setup.digest: arm.setup for arm in grid.arms}
    named = "" not in chosen  # the measures name the players
    words = [*call.asked.words(strategies=() if named else grid.line_ups), *call.refit_words]
    typed = tuple(names_of(measure)) if named else results[0].measures
    again = replace(results[0], measures=typed).repeat(words)
    kept = keep_log(log, results, again)
    if len(results) == 1:
        lines = [*page(results[0], verbose), *call.refit_lines(setups.values()), *kept]
        call.show(results[0], lines, head(results[0]), again)
        return
    lines = head(results[0])[:-2]
    for result in results:
        lines += [*head(result)[-2:], "", *page(result, verbose), ""]
    lines += [*call.refit_lines(setups.values()), *kept]
    call.put(Comparisons(results), [*lines, *text.foot(results[-1]), f"repeat   {again}"], results[0].plot)


def refitted(call: Call, arm: Arm) -> Arm:
    """An arm whose players are fitted to its rules, if that is asked for."""
    setup = call.refitted(arm.setup)
    return arm if setup is arm.setup else replace(arm, line_up=replace(arm.line_up, setup=setup))


def names_of(texts: tuple[str, ...]) -> list[str]:
    """Names from a repeated option, split at commas."""
    return [name.strip() for text in texts for name in text.split(",")]


def parse_margins(texts: tuple[str, ...]) -> tuple[float | None, dict[str, float]]:
    """`0.5` -> points for all rates; `win=0.5%` -> 0.005, also written win=0.005."""
    points: float | None = None
    margins: dict[str, float] = {}
    for pair in texts:
        name, named, value = (part.strip() for part in pair.partition("="))
        try:
            if named:
                margins[name] = float(value[:-1]) / 100 if value.endswith("%") else float(value)
            else:
                points = float(name.removesuffix("%"))
        except ValueError:
            raise InputError(f"--margin: {pair!r} is not allowed; allowed: 0.5, win=0.5% or score=0.1") from None
    return points, margins


def plan(call: Call, grid: Grid, measures: Sequence[str], search_games: int | None) -> list[str]:
    """What --dry-run prints: games, time, and the differences that so many games can show."""
    from houle.analysis.comparison.power import plan_arms

    return [
        f"{text.count_of(len(grid.arms), 'variant')}, {call.needed(plan_arms(grid.arms, call.games, search_games))}",
        *smallest_differences(call, [grid], measures, search_games),
    ]


def smallest_differences(
    call: Call, grids: list[Grid], measures: Sequence[str], search_games: int | None = None, pairs: bool = True
) -> list[str]:
    """The smallest difference that so many games can show, one line per measure."""
    from houle.analysis.comparison.power import plan_differences

    spans: dict[str, list[Detectable]] = {}
    for grid in grids:
        for part in plan_differences(grid.arms, call.games, call.seed, measures, search_games, pairs):
            spans.setdefault(part.name, []).append(part)
    lines = []
    for name, parts in spans.items():
        ends = min(part.least for part in parts), max(part.greatest for part in parts)
        span = " to ".join(dict.fromkeys(text.amount(end, parts[0].percent) for end in ends))
        lines.append(f"{name}: so many games detect a difference of {span} 4 times in 5")
    return lines


def head(result: Comparison) -> list[str]:
    """Changed rules, what all variants share, and how many games."""
    return [
        *text.grid_differences(result.grid),
        common_line(result),
        f"{games_line(result)}; {text.INTERVALS}",
    ]


def games_line(result: Comparison | Sweep, what: str = "variant") -> str:
    """How many games of each variant; with --until-decided also whether all is decided."""
    counts = sorted({result.played.tally(arm).games for arm in range(len(result.arms))})
    number = text.count_of(counts[-1], "game") if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} games"
    if result.until is None:
        return f"{number} of each {what}"
    return (
        f"{number} of each {what}, {'until all was decided' if result.until.reached else 'and not all is decided yet'}"
    )


def common_line(result: Comparison) -> str:
    """What all variants share."""
    arms = result.arms
    words = [result.setup.ruleset.title]
    if len({arm.setup.players for arm in arms}) == 1:
        words.append(text.count_of(result.setup.players, "player"))
    names = {variant_name(arm.setup) for arm in arms}
    if len(names) == 1:
        words.append(min(names))
    elif len({arm.setup.variants for arm in arms}) == 1 and result.setup.variants:
        words.append(" + ".join(result.setup.variants))
    if len(result.grid.line_ups) == 1:
        words.append(text.deciders(result.strategies))
    return ", ".join(words)


def page(result: Comparison, verbose: bool = False) -> list[str]:
    """A table for each measure, and how to read it."""
    lines: list[str] = []
    for measure in result.measures:
        lines += [*table([row for row in result.rows if row.measure == measure], verbose), ""]
    if len(result.arms) == 2 and "win" in result.measures and (pair := result.both_ways()):
        lines += [*text.said([pair.sentence()]), ""]
    if verbose:
        lines.append(DETECTS)
    if result.differences > 1:
        lines.append(text.labelled("certain", certain_differences(result)))
    if result.until and verbose:
        lines.append(text.labelled("decided", DECIDED))
    if result.unpaired:
        others = ", ".join(arm.label for arm in result.unpaired)
        why = f"other deals than {result.arms[0].label}, because the number of players differs"
        lines.append(text.labelled("unpaired", f"{others}: {why}"))
    return [*lines, *text.finding_lines(result.findings)]


def certain_differences(result: Comparison) -> str:
    """Which differences are certain when all are judged together: by chance, one in twenty would look certain."""
    arms = {row.number: row.arm.label for row in result.rows}
    sure = [f"{arms[number]} ({measure})" for number, measure in sorted(result.standing)]
    said = "; ".join(sure) if sure else "none"
    both = "both" if result.differences == 2 else f"all {result.differences}"
    return f"also when {both} differences are judged together: {said}"


def table(rows: list[ComparedRow], verbose: bool = False) -> list[str]:
    """A row per variant; `verbose` adds how much the games can show and how many changed."""
    name = rows[0].name
    picks: text.Picks = [
        (name, lambda row: row.arm.label),
        ("estimate", "value"),
        ("difference", lambda row: row.difference and row.difference.interval),
        *([("detects", lambda row: text.amount(row.detectable, row.percent))] if verbose else []),
        ("verdict", lambda row: row.verdict.text if row.verdict else "the reference"),
    ]
    saved, changed, odds = [], [], []
    for row in rows:
        change = row.difference
        if change and change.changed is not None:
            changed.append(f"{row.arm.label} {change.changed:,} of {text.count_of(change.interval.n, 'game')}")
        if change and change.odds is not None:
            odds.append(f"{row.arm.label} {change.odds.text()}")
        if change and change.games_saved is not None and change.games_saved > 0:
            saved.append(f"{row.arm.label} {change.games_saved:,} games")
    flexible = ("verdict",) if max(len(row.arm.label) for row in rows) <= SHORT_NAME else (name, "verdict")
    notes = {"games with another result": changed, "odds ratio": odds, "saved by playing the same deals": saved}
    below = [text.paragraph(f"{what}: {'; '.join(some)}", 0, 2) for what, some in notes.items() if some and verbose]
    return [text.table(rows, picks, flexible), *below]
