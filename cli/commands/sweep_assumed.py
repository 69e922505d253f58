"""`houle sweep GAME --assumed`: which results stand on print, and which on our reading of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.commands.study_tables import duration
from houle.cli.framework import options, results
from houle.cli.framework import text as tables
from houle.cli.framework.progress import Watch
from houle.solver.ruleset import RulesetError

if TYPE_CHECKING:
    from houle.analysis.comparison.assumptions import Assumptions, Turned


def sweep_assumed(
    ctx: click.Context,
    asked: options.Asked,
    strategy: tuple[str, ...],
    measures: list[str],
    games: int,
    seed: int,
    threads: int | None,
    dry_run: bool,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """What `sweep` does instead, with --assumed."""
    from houle.analysis.comparison.assumptions import assumptions, tables_of
    from houle.analysis.comparison.measures import check_measures
    from houle.analysis.sampling.timing import expected_seconds
    from houle.solver.ruleset import load, parse_settings
    from houle.solver.run import default_threads

    if len(strategy) > 1 or asked.files:
        raise RulesetError("--assumed: give one -s at most, and no --rules")
    setup = asked.setup()
    settings = parse_settings(load(asked.game), asked.settings)
    who = strategy[0] if strategy else None
    check_measures(measures)
    found, _ = tables_of(setup, settings, who)
    number = sum(len(arms) for _, arms in found)
    if dry_run:
        workers = threads or default_threads()
        seconds = sum(expected_seconds(arms, games, seed, workers) for _, arms in found)
        turns = ", ".join(turn.label for some, _ in found for turn in some)
        click.echo(tables.paragraph(f"turned: {turns}", 0, 8))
        work = f"{tables.plural(number, 'cell')}, {tables.plural(number * games, 'game')}"
        click.echo(f"{work}, about {duration(seconds)} on {tables.plural(workers, 'thread')}")
        return

    def job(watch: Watch) -> Assumptions:
        return assumptions(
            asked.game, setup.players, setup.variants, settings, games, seed, who, measures, threads, watch
        )  # fmt: skip

    result: Assumptions = results.play(ctx, games * number, as_json or quiet, job)
    repeat = ["sweep", *asked.words(setup), "--assumed", *(["-s", who] if who else [])]
    for name in measures:
        repeat += ["--measure", name]
    repeat += ["-n", str(games), "--seed", str(seed)]

    def draw(path: Path) -> None:
        from houle.reports.figures.assumptions import draw as picture

        picture(result, path)

    results.tell(ctx, result, lambda: describe(result), repeat, as_json, out, figure, draw)


def describe(result: Assumptions) -> str:
    """The turns by what they change, then what follows for every measure."""
    first = result.comparisons[0]
    lines = [f"{first.arms[0].setup.ruleset.title}: rules that the rulebook does not settle, turned one at a time"]
    lines.append(f"{tables.plural(first.played.asked, 'game')} of each, seed {first.played.seed}, "
                 f"everyone plays {first.arms[0].strategies[0]}, 95% intervals")  # fmt: skip
    heads = ["rule turned", "ours is", "changes most", "difference", "verdict"]
    lines += ["", tables.columns(heads, [_line(one) for one in result.ranked], flexible=(0, 4)), ""]
    lines += [tables.paragraph(_conclusion(result, *parts), 0, 9) for parts in result.conclusions]
    why: dict[str, list[str]] = {}
    for label, reason in result.left_out:
        why.setdefault(reason, []).append(label)
    lines += [tables.paragraph(f"left out {'; '.join(labels)}: {reason}", 0, 9) for reason, labels in why.items()]
    lines += results.finding_lines(finding for found in result.comparisons for finding in found.findings)
    lines.append(f"time     {result.seconds:.1f} s")
    lines.append(f"digests  result {result.digest}")
    return "\n".join([*lines, *tables.notes(first.arms[0].setup)])


def _line(one: Turned) -> list[str]:
    from houle.analysis.comparison.measures import is_percent, measure_name

    row, turn = one.most, one.turn
    plain = tables.value_shown(turn.knob.default_for(turn.players))
    label = turn.label.replace(",", ", ").replace(",  ", ", ") + ("" if "[" in plain else f", not {plain}")
    difference = results.shown(row.difference.interval, is_percent(row.measure)) if row.difference else ""
    verdict = row.verdict.text if row.verdict else ""
    return [label, turn.knob.provenance, measure_name(row.measure, row.arm.setup), difference, verdict]


def _conclusion(result: Assumptions, measure: str, hangs: list[str], unknown: list[str]) -> str:
    from houle.analysis.comparison.verdicts import amount

    margin = amount(measure, result.comparisons[0].margins[measure])
    if hangs:
        text = f"hangs on our reading of {', '.join(hangs)}"
    elif unknown:
        text = "nothing is known to move it"
    else:
        text = f"stands on print: no reading moves it by more than {margin}"
    return f"{measure}: {text}" + (f"; not yet known for {', '.join(unknown)}" if unknown else "")
