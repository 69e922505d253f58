"""`houle study`: many setups from a file, played here or on a cluster, and resumed after any interruption."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

import houle
from houle.cli.commands import study_tables
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import ENDINGS, result_text, write_result
from houle.cli.framework.progress import StudyProgress
from houle.cli.framework.streams import Interrupted

FORMATS = ("csv", "parquet", "json")


@click.group()
def study() -> None:
    """Run many setups in a batch that you can stop and resume.

    \b
    houle study run study.toml --db study.db      start, or continue
    houle study status study.db                   show how far it is, also while it runs
    houle study resume study.db                   continue after an interruption
    houle study show study.db                     show the results
    houle study export study.db -o study.parquet  write the results to a file
    houle study run study.toml --part 3/20        play one of 20 parts, on any machine
    houle study merge parts/*.db                  add up the parts
    """


def _db(command: Callable[..., None]) -> Callable[..., None]:
    """The file of the study, as an argument or with --db: the argument `path` of the command."""

    @click.argument("db", required=False)
    @click.option("--db", "named", metavar="FILE", help="The file of the study, if not given as DB.")
    @wraps(command)
    def called(call: Call, db: str | None, named: str | None, **own: Any) -> None:
        if (db is None) == (named is None):
            raise click.UsageError("give the file of the study once, as study.db or as --db study.db")
        command(call, path=db or named, **own)

    return called


cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Play on the workers of this Dask scheduler, as in tcp://host:8786."
)


@command(group=study)
@click.argument("spec")
@click.option("--db", metavar="FILE", help="The file for the results (default: like SPEC, with the ending .db).")
@click.option(
    "--part", metavar="N/PARTS", default="1/1", help="Play only this part, as in 3/20, into a file of its own."
)
@cluster_option
@options.threads_option
@options.device_option
@options.dry_option
@options.json_option
@options.quiet_option
def run(call: Call, spec: str, db: str | None, part: str, cluster: str | None) -> None:
    """Play all setups that the TOML file SPEC describes; continues if an earlier run was interrupted.

    With --part, several machines share the study: each plays one part, and `houle study merge` adds them up.

    \b
    Examples:
      houle study run study.toml --db study.db
      houle study run study.toml --part 3/20
    """
    from houle.analysis.studies.cell import StudyPart
    from houle.analysis.studies.spec import read_spec
    from houle.analysis.studies.study import begin, default_file

    which, asked = StudyPart.parse(part), read_spec(spec)
    path = db or str(default_file(spec, which))
    if call.dry_run:
        _estimate(call, asked, which)
        return
    with StudyProgress(call.silent) as watch:
        begin(path, asked, watch, which)
    _play(call, path, asked, cluster, which)


@command(group=study)
@_db
@cluster_option
@options.threads_option
@options.device_option
@options.json_option
@options.quiet_option
def resume(call: Call, path: str, cluster: str | None) -> None:
    """Continue a study, here or on a cluster; the results are the same as without an interruption.

    \b
    Example:
      houle study resume study.db
    """
    _play(call, path, None, cluster)


@command(group=study)
@click.argument("parts", nargs=-1, required=True)
@click.option("--db", metavar="FILE", default="merged.db", show_default=True, help="The file for the whole study.")
@click.option("--audit", is_flag=True, help="Play one chunk in 500 again here, and refuse a part that differs.")
@click.option("--force", "replace", is_flag=True, help="Replace the file if it exists.")
@options.json_option
def merge(call: Call, parts: tuple[str, ...], db: str, audit: bool, replace: bool) -> None:
    """Add up the parts of a study that several machines played.

    The result is the file of a study, the same as if one machine had played it. Parts of another study, of other code
    or with the same games are refused. Missing parts are listed with the command that plays them.

    \b
    Examples:
      houle study merge parts/*.db
      houle study merge parts/*.db --db study.db --audit
    """
    merged = houle.merge_study(parts, db=db, audit=audit, replace=replace)
    lines = [study_tables.summary(merged.result.status, merged.result.path)]
    if audit:
        again = f"{merged.audited:,} of {text.count_of(merged.chunks, 'chunk')} played again, all equal"
        lines.append(text.labelled("audit", again))
    lines += [f"missing  {part}: {command}" for part, command in merged.missing]
    call.print(merged.as_json(), lines)


def _play(call: Call, path: str, asked: Any, cluster: str | None, *part: Any) -> None:
    from houle.analysis.studies.status import read_status
    from houle.analysis.studies.study import play_study

    with StudyProgress(call.silent) as watch:
        complete = play_study(path, asked, cluster, call.threads, watch, *part)
    status = read_status(path)
    call.print(status.as_json(), [study_tables.summary(status, path)])
    if not complete:
        again = houle.read_study(path).repeat() + (f" --cluster {shlex.quote(cluster)}" if cluster else "")
        raise Interrupted(f"; finished games are kept, continue with: {again}", 128 + watch.signal)


def _estimate(call: Call, asked: Any, part: Any) -> None:
    """What --dry-run prints: the time is estimated from a few games of each cell."""
    from houle.analysis.studies.study import expected_time

    with StudyProgress(call.silent) as watch:
        games, seconds, workers = expected_time(asked, call.threads, watch, part)
    cells = [
        {"cell": i, "label": cell.label, "games": number, "precision": cell.precision, "seconds": time}
        for i, (cell, number, time) in enumerate(zip(asked.cells, games, seconds, strict=True), 1)
    ]
    data = {"name": asked.name, "cells": cells, "games": sum(games), "minutes": sum(seconds) / 60, "threads": workers}
    picks: text.Picks = [
        ("cell", "cell"),
        ("setup", "label"),
        ("games", lambda cell: ("about " if cell["precision"] else "") + f"{cell['games']:,}"),
        ("time", lambda cell: text.duration(cell["seconds"])),
    ]
    about = f"{sum(games):,} games, about {text.duration(sum(seconds))} on {text.count_of(workers, 'thread')}"
    last = f"{asked.name}: {text.count_of(len(cells), 'cell')}, {about}; nothing was written"
    call.print(data, [text.table(cells, picks, flexible=("setup",)), last])


@command(group=study)
@_db
@options.json_option
def status(call: Call, path: str) -> None:
    """Show how far a study is, also while it runs.

    \b
    Example:
      houle study status study.db
    """
    from houle.analysis.studies.status import read_status

    state = read_status(path)
    call.print(state.as_json(), [study_tables.progress_table(state), study_tables.summary(state, path)])


@command(group=study)
@_db
@options.json_option
def show(call: Call, path: str) -> None:
    """Show the results of a study so far.

    \b
    Example:
      houle study show study.db
    """
    result = houle.read_study(path)
    call.put(result, [study_tables.page(result), study_tables.summary(result.status, path)])


@command(group=study)
@_db
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Format to print without -o (default: csv).")
@options.out_file_option(*ENDINGS, help="Write the result to this file instead of printing it")
def export(call: Call, path: str, kind: str | None) -> None:
    """Write the results of a study as CSV, Parquet or JSON, one row per setup and side.

    \b
    Example:
      houle study export study.db -o study.parquet
    """
    out = call.out
    if out is not None and kind is not None and not out.endswith(f".{kind}"):
        raise click.UsageError(f"-o: {out}: the ending does not match --format {kind}")
    if kind == "parquet" and out is None:
        raise click.UsageError("--format parquet: cannot be printed; give -o FILE")
    result = houle.read_study(path)
    if out is None:
        click.echo(result_text(result, kind or "csv"), nl=False)
    else:
        write_result(result, out)
