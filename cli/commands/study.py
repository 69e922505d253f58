"""`houle study`: many setups from a file, played here, in parts or on a cluster, and resumed after any interruption."""

from __future__ import annotations

import math
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import houle
from houle.cli import removed
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import ENDINGS, result_text, write_result
from houle.cli.framework.progress import StudyProgress
from houle.cli.framework.streams import Interrupted
from houle.solver.errors import InputError

if TYPE_CHECKING:
    from houle import StudyResult
    from houle.analysis.sampling.grid import Grid
    from houle.analysis.stats.estimate import Estimate
    from houle.analysis.studies.results import CellResult

TARGET_WORDS = {"inside": "on target", "perhaps": "perhaps", "outside": "off target"}


class StudyGroup(click.Group):
    """The commands of a study; those of 0.4.0 that are gone say what to type now."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] in removed.STUDY:
            raise InputError(f"`study {args[0]}` {removed.STUDY[args[0]]}")
        return super().resolve_command(ctx, args)


@click.group(cls=StudyGroup)
def study() -> None:
    """Run many setups in a batch that you can stop and resume.

    \b
    houle study run study.toml -o study/               start, or continue
    houle study run study.toml -o study/ --part 3/20   play one of 20 parts, on any machine
    houle study show study/                            what is done, what is left, results so far
    houle study export study/ -o study.parquet         write the results to a file

    Parts need no merging: copy their files into one folder.
    """


@command(group=study)
@click.argument("spec")
@click.option("-o", "folder", metavar="FOLDER", help="The folder for the results (default: SPEC without its ending).")
@click.option("--part", metavar="N/PARTS", default="1/1", help="Play only this part, as in 3/20.")
@click.option("--cluster", metavar="ADDRESS", help="Play on the workers of this Dask scheduler: tcp://host:8786.")
@options.threads_option
@options.dry_option
@options.json_option
@options.quiet_option
def run(call: Call, spec: str, folder: str | None, part: str, cluster: str | None) -> None:
    """Play all setups that the TOML file SPEC describes; continues if an earlier run was interrupted.

    Each part writes a log of its own into the folder. Copy the logs of all machines into one folder: that is the
    study. Ctrl-C keeps every chunk of games that is finished.

    \b
    Examples:
      houle study run study.toml -o study/
      houle study run study.toml -o study/ --part 3/20
    """
    from houle.analysis.studies.cell import StudyPart
    from houle.analysis.studies.play import play_study
    from houle.analysis.studies.spec import read_spec
    from houle.analysis.studies.study import default_folder

    which, asked = StudyPart.parse(part), read_spec(spec)
    where = folder or str(default_folder(spec))
    if call.dry_run:
        _estimate(call, asked, which)
        return
    with StudyProgress(call.silent) as watch:
        complete = play_study(asked, where, which, cluster, threads=call.threads, listener=watch)
    result = houle.read_study(where)
    call.print(result.as_json(), [summary(result)])
    if not complete:
        words = ["houle", "study", "run", spec, *(["-o", folder] if folder else [])]
        words += [*(["--part", part] if which.of > 1 else []), *(["--cluster", cluster] if cluster else [])]
        raise Interrupted(f"; finished games are kept, continue with: {shlex.join(words)}", 128 + watch.signal)


def _estimate(call: Call, asked: Any, part: Any) -> None:
    """What --dry-run prints: the time is estimated from a few games of each kind of cell."""
    from houle.analysis.studies.study import expected_seconds
    from houle.solver.run import default_threads

    games, seconds = expected_seconds(asked, part)
    workers = call.threads or default_threads()
    cells = [
        {"cell": i, "label": asked.labels[i], "games": number, "seconds": time}
        for i, (number, time) in enumerate(zip(games, seconds, strict=True), 1)
    ]
    data = {"name": asked.name, "cells": cells, "games": sum(games), "seconds": sum(seconds), "threads": workers}
    picks: text.Picks = [
        ("cell", "cell"),
        ("setup", "label"),
        ("games", lambda cell: f"{cell['games']:,}"),
        ("core time", lambda cell: text.duration(cell["seconds"])),
    ]
    clock = f"about {text.duration(sum(seconds) / workers)} on {text.count_of(workers, 'thread')}"
    last = f"{asked.name}: {text.count_of(len(cells), 'cell')}, {sum(games):,} games, {clock}; nothing was written"
    call.print(data, [text.table(cells, picks, flexible=("setup",)), last])


@command(group=study)
@click.argument("folder")
@click.option(
    "--within",
    metavar="POINTS",
    type=float,
    help="Also say how many more games each cell needs to be known "
    "to ±POINTS (percentage points, or points of the score).",
)
@options.json_option
def show(call: Call, folder: str, within: float | None) -> None:
    """Show what is done, what is left, and the results so far, also while the study runs.

    \b
    Example:
      houle study show study/ --within 0.5
    """
    if within is not None and not (within > 0 and math.isfinite(within)):
        raise click.UsageError(f"--within: {within:g} is not allowed; allowed: a number above 0")
    result = houle.read_study(folder)
    call.put(result, [page(result, within), *result.code_notes, summary(result)])


@command(group=study)
@click.argument("folder")
@options.out_file_option(*ENDINGS, help="Write the result to this file instead of printing it as CSV")
def export(call: Call, folder: str) -> None:
    """Write the results of a study as CSV, Parquet or JSON, one row per setup and side.

    \b
    Example:
      houle study export study/ -o study.parquet
    """
    result = houle.read_study(folder)
    if not call.files:
        click.echo(result_text(result, "csv"), nl=False)
    for file in call.files:
        write_result(result, file)


def summary(result: StudyResult) -> str:
    """How far a study is, in one line."""
    line = f"{result.name}: {result.ended} of {text.count_of(len(result.cells), 'cell')} done, {result.games:,} games"
    if result.study_digest:
        return f"{line}; digest {result.study_digest}"
    return f"{line} of {sum(cell.cell.games for cell in result.cells):,}"


def page(result: StudyResult, within: float | None = None) -> str:
    """A table for each game, with what every cell says so far."""
    lines = []
    for grid, cells in result.games_of_setups:
        fixed = {axis: value for axis, value in cells[0].arm.values.items() if axis not in grid.axes}
        who = [text.deciders(cells[0].cell.strategies)] if fixed.pop("strategies", None) else []
        words = [text.count_of(len(cells), "setup"), *(grid.axis_text(*each) for each in fixed.items()), *who]
        title = cells[0].cell.setup.ruleset.title
        lines += [*text.grid_differences(grid), f"{title}, {', '.join(words)}; {text.INTERVALS}"]
        lines += [_table(grid, cells, within), ""]
    targets = " and ".join(target.text for target in result.targets)
    return "\n".join([*lines, *([f"target: {targets}"] if targets else [])])


def _table(grid: Grid, cells: list[CellResult], within: float | None) -> str:
    """What is done, what is left and the results so far: one line per cell."""
    from houle.analysis.measures.measures import measure_name
    from houle.analysis.studies.results import shown_measures

    setup, targets = cells[0].cell.setup, list(dict.fromkeys(target for cell in cells for target in cell.targets))
    picks: text.Picks = [("", "number")]
    picks += [(axis, partial(_value, grid, axis)) for axis in grid.axes]
    if len({cell.cell.seed for cell in cells}) > 1:
        picks.append(("seed", lambda cell: cell.cell.seed))
    picks.append(("games", lambda cell: f"{cell.games:,}" + ("" if cell.done else f" of {cell.cell.games:,}")))
    for name in shown_measures(cells, targets):
        picks.append((measure_name(name, setup), partial(_measure, name)))
    if targets:
        picks.append(("target", lambda cell: TARGET_WORDS.get(cell.target, "")))
    if within is not None:
        picks.append((f"more for ±{within:g}", lambda cell: _needed(cell, within)))
    return text.table(cells, picks, flexible=tuple(grid.axes))


def _value(grid: Grid, axis: str, cell: CellResult) -> str:
    return grid.shown(axis, cell.arm.values[axis])


def _measure(name: str, cell: CellResult) -> Estimate | None:
    return cell.measures.get(name)


def _needed(cell: CellResult, within: float) -> str:
    """About how many more games would give the wished half-width."""
    if not cell.games:
        return ""
    more = cell.more_games(within / (1.0 if cell.cell.setup.goal == "score" else 100.0))
    return f"{int(float(f'{more:.2g}')):,}"
