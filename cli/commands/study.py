"""`houle study`: many setups from a file, played here or on a cluster, and resumed after any interruption."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import houle
from houle.cli.commands import study_tables
from houle.cli.commands.study_progress import StudyWatch
from houle.cli.framework import options, text
from houle.cli.framework.files import ENDINGS, check_file, result_text, write_result

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
    """


def _db(command: Callable[..., Any]) -> Callable[..., Any]:
    """The file of the study, as an argument or with --db."""
    command = click.option("--db", "named", metavar="FILE", help="The file of the study, if not given as DB.")(command)
    return click.argument("db", required=False)(command)


def _path(db: str | None, named: str | None) -> str:
    if (db is None) == (named is None):
        raise click.UsageError("give the file of the study once, as study.db or as --db study.db")
    return db or named or ""


cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Play on the workers of this Dask scheduler, as in tcp://host:8786."
)


@study.command()
@click.argument("spec")
@click.option("--db", metavar="FILE", help="The file for the results (default: like SPEC, with the ending .db).")
@cluster_option
@options.threads_option
@options.device_option
@options.dry_option
@options.json_option
@options.quiet_option
def run(
    spec: str,
    db: str | None,
    cluster: str | None,
    threads: int | None,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play all setups that the TOML file SPEC describes; continues if an earlier run was interrupted.

    \b
    Example:
      houle study run study.toml --db study.db
    """
    from houle.analysis.studies.spec import read_spec
    from houle.analysis.studies.study import begin

    asked = read_spec(spec)
    path = db or str(Path(spec).with_suffix(".db"))
    if dry_run:
        _estimate(asked, threads, as_json, quiet)
        return
    with StudyWatch(quiet or as_json) as watch:
        begin(path, asked, watch)
    _play(path, asked, cluster, threads, as_json, quiet)


@study.command()
@_db
@cluster_option
@options.threads_option
@options.device_option
@options.json_option
@options.quiet_option
def resume(
    db: str | None, named: str | None, cluster: str | None, threads: int | None, as_json: bool, quiet: bool
) -> None:
    """Continue a study, here or on a cluster; the results are the same as without an interruption.

    \b
    Example:
      houle study resume study.db
    """
    _play(_path(db, named), None, cluster, threads, as_json, quiet)


def _play(path: str, asked: Any, cluster: str | None, threads: int | None, as_json: bool, quiet: bool) -> None:
    from houle.analysis.studies.status import read_status
    from houle.analysis.studies.study import play_study

    with StudyWatch(quiet or as_json) as watch:
        complete = play_study(path, asked, cluster, threads, watch)
    status = read_status(path)
    click.echo(json.dumps(status.as_json(), indent=2) if as_json else study_tables.summary(status, path))
    if not complete:
        again = houle.read_study(path).repeat() + (f" --cluster {shlex.quote(cluster)}" if cluster else "")
        click.echo(f"houle: interrupted; finished games are kept, continue with: {again}", err=True)
        sys.exit(128 + watch.signal)


def _estimate(asked: Any, threads: int | None, as_json: bool, quiet: bool) -> None:
    """What --dry-run prints: the time is estimated from a few games of each cell."""
    from houle.analysis.studies.study import expected_time

    with StudyWatch(quiet or as_json) as watch:
        games, seconds, workers = expected_time(asked, threads, watch)
    cells = list(zip(asked.cells, games, seconds, strict=True))
    if as_json:
        data = {
            "name": asked.name,
            "cells": [
                {"cell": i, "label": cell.label, "games": number, "precision": cell.precision, "seconds": time}
                for i, (cell, number, time) in enumerate(cells, 1)
            ],
            "games": sum(games),
            "minutes": sum(seconds) / 60,
            "threads": workers,
        }
        click.echo(json.dumps(data, indent=2))
        return
    rows = [
        [str(i), cell.label, ("about " if cell.precision else "") + f"{number:,}", text.duration(time)]
        for i, (cell, number, time) in enumerate(cells, 1)
    ]
    click.echo(text.columns(["cell", "setup", "games", "time"], rows, flexible=(1,), right=(0, 2, 3)))
    about = f"{sum(games):,} games, about {text.duration(sum(seconds))} on {text.plural(workers, 'thread')}"
    click.echo(f"{asked.name}: {text.plural(len(cells), 'cell')}, {about}; nothing was written")


@study.command()
@_db
@options.json_option
def status(db: str | None, named: str | None, as_json: bool) -> None:
    """Show how far a study is, also while it runs.

    \b
    Example:
      houle study status study.db
    """
    from houle.analysis.studies.status import read_status

    path = _path(db, named)
    state = read_status(path)
    if as_json:
        click.echo(json.dumps(state.as_json(), indent=2))
        return
    click.echo(study_tables.progress_table(state))
    click.echo(study_tables.summary(state, path))


@study.command()
@_db
@options.json_option
def show(db: str | None, named: str | None, as_json: bool) -> None:
    """Show the results of a study so far.

    \b
    Example:
      houle study show study.db
    """
    path = _path(db, named)
    result = houle.read_study(path)
    if as_json:
        click.echo(result_text(result, "json"), nl=False)
        return
    click.echo(study_tables.page(result))
    click.echo(study_tables.summary(result.status, path))


@study.command()
@_db
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Format to print without -o (default: csv).")
@click.option(
    "-o", "--out", metavar="FILE", help="Write the result to this file instead of printing it: .json, .csv or .parquet."
)
def export(db: str | None, named: str | None, kind: str | None, out: str | None) -> None:
    """Write the results of a study as CSV, Parquet or JSON, one row per setup and side.

    \b
    Example:
      houle study export study.db -o study.parquet
    """
    path = _path(db, named)
    check_file("-o", out, ENDINGS)
    if out is not None and kind is not None and not out.endswith(f".{kind}"):
        raise click.UsageError(f"-o: {out}: the ending does not match --format {kind}")
    if kind == "parquet" and out is None:
        raise click.UsageError("--format parquet: cannot be printed; give -o FILE")
    result = houle.read_study(path)
    if out is None:
        click.echo(result_text(result, kind or "csv"), nl=False)
    else:
        write_result(result, out)
