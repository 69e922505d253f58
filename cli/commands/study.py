"""`houle study`: a grid of configurations from a file, played here or on a cluster, resumed after anything."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from houle.cli.commands import study_tables
from houle.cli.commands.study_progress import StudyWatch
from houle.cli.framework import options
from houle.cli.framework import text as tables
from houle.solver.ruleset.files import write_whole

if TYPE_CHECKING:
    from houle.analysis.studies.spec import Study

FORMATS = ("csv", "parquet", "json")


@click.group()
def study() -> None:
    """Run a grid of configurations that survives anything.

    \b
    houle study run study.toml --db study.db      begin, or go on
    houle study status study.db                   how far it is, also from another terminal
    houle study resume study.db                   go on after an interruption
    houle study show study.db                     the results
    houle study export study.db --format parquet -o study.parquet
    """


def _db(command: Callable[..., Any]) -> Callable[..., Any]:
    """The study's file, as an argument or as --db."""
    command = click.option("--db", "named", metavar="FILE", help="The study's file, instead of the argument.")(command)
    return click.argument("db", required=False)(command)


def _path(db: str | None, named: str | None) -> str:
    if (db is None) == (named is None):
        raise click.UsageError("which study? give its file once, as study.db or --db study.db")
    return db or named or ""


cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler, as tcp://host:8786."
)


@study.command()
@click.argument("spec")
@click.option("--db", metavar="FILE", help="Where results are kept; by default beside SPEC, as SPEC.db.")
@cluster_option
@options.threads_option
@click.option("--dry-run", is_flag=True, help="Only say how many cells, games and minutes.")
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
    """Play the grid that SPEC (a TOML file) describes; goes on where an earlier run of it stopped.

    \b
    Example:
      houle study run study.toml --db study.db
    """
    from houle.analysis.studies import store
    from houle.analysis.studies.spec import read_spec

    asked = read_spec(spec)
    path = db or str(Path(spec).with_suffix(".db"))
    if dry_run:
        _estimate(asked, threads, as_json, quiet)
        return
    if not Path(path).exists():
        with StudyWatch(quiet or as_json) as watch:
            paces = watch.measure(asked.cells)
        store.create(path, asked, paces)
    _play(path, asked, cluster, threads, as_json, quiet)


@study.command()
@_db
@cluster_option
@options.threads_option
@options.json_option
@options.quiet_option
def resume(
    db: str | None, named: str | None, cluster: str | None, threads: int | None, as_json: bool, quiet: bool
) -> None:
    """Go on with a study, here or on any cluster; ends with the same digest as if nothing had happened.

    \b
    Example:
      houle study resume study.db
    """
    _play(_path(db, named), None, cluster, threads, as_json, quiet)


def _play(path: str, asked: Study | None, cluster: str | None, threads: int | None, as_json: bool, quiet: bool) -> None:
    from houle.analysis.studies.executors import Cluster, Crew, Threads
    from houle.analysis.studies.results import read_status
    from houle.analysis.studies.run import execute
    from houle.analysis.studies.store import Store
    from houle.solver.run import default_threads

    with Store(path, write=True) as store:
        store.check_rules()
        if asked is not None:
            store.check_spec(asked)
        with StudyWatch(quiet or as_json) as watch:
            crew: Crew = Cluster(cluster) if cluster else Threads(threads or default_threads())
            try:
                complete = execute(store, crew, watch.report, watch.finish, lambda: watch.signal != 0)
            finally:
                crew.close()
    status = read_status(path)
    if as_json:
        click.echo(json.dumps(status.as_json(), indent=2))
    else:
        click.echo(study_tables.summary(status, path))
    if not complete:
        where = ["--cluster", cluster] if cluster else []
        again = options.shell_line(["study", "resume", path, *where])
        click.echo(f"houle: interrupted; all that was finished is kept, go on with: {again}", err=True)
        sys.exit(128 + watch.signal)


def _estimate(asked: Study, threads: int | None, as_json: bool, quiet: bool) -> None:
    """--dry-run: a few games of every cell tell how long all of them will take."""
    from houle.analysis.studies.cells import expected_games
    from houle.solver.run import default_threads

    with StudyWatch(quiet or as_json) as watch:
        paces = watch.measure(asked.cells)
    workers = threads or default_threads()
    games = [expected_games(cell, pace) for cell, pace in zip(asked.cells, paces, strict=True)]
    seconds = [number / pace.rate / workers for number, pace in zip(games, paces, strict=True)]
    if as_json:
        cells = [
            {
                "cell": i,
                "label": cell.label,
                "games": games[i - 1],
                "precision": cell.precision,
                "seconds": seconds[i - 1],
            }
            for i, cell in enumerate(asked.cells, 1)
        ]
        told = {
            "name": asked.name,
            "cells": cells,
            "games": sum(games),
            "minutes": sum(seconds) / 60,
            "threads": workers,
        }
        click.echo(json.dumps(told, indent=2))
        return
    rows = [
        [
            str(i),
            cell.label,
            ("about " if cell.precision else "") + f"{games[i - 1]:,}",
            study_tables.duration(seconds[i - 1]),
        ]
        for i, cell in enumerate(asked.cells, 1)
    ]
    click.echo(tables.columns(["cell", "configuration", "games", "time"], rows, flexible=(1,), right=(0, 2, 3)))
    about = f"{sum(games):,} games, about {study_tables.duration(sum(seconds))} on {tables.plural(workers, 'thread')}"
    click.echo(f"{asked.name}: {tables.plural(len(asked.cells), 'cell')}, {about}; nothing was written")


@study.command()
@_db
@options.json_option
def status(db: str | None, named: str | None, as_json: bool) -> None:
    """How far a study is; may be asked while it runs.

    \b
    Example:
      houle study status study.db
    """
    from houle.analysis.studies.results import read_status

    path = _path(db, named)
    found = read_status(path)
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
        return
    rows = []
    for row in found.rows:
        games, goal = found.games.get(row.id, 0), found.goal(row)
        part = "done" if row.ended is not None else f"{min(99, 100 * games // goal)}%" if games else ""
        about = "about " if row.precision and row.ended is None else ""
        rows.append([str(row.id), row.label, f"{games:,}", f"{about}{goal:,}", part])
    click.echo(tables.columns(["cell", "configuration", "games", "of", ""], rows, flexible=(1,), right=(0, 2, 3, 4)))
    click.echo(study_tables.summary(found, path))


@study.command()
@_db
@options.json_option
def show(db: str | None, named: str | None, as_json: bool) -> None:
    """The results of a study so far, with 95% intervals.

    \b
    Example:
      houle study show study.db
    """
    from houle.analysis.studies.results import read_status, results
    from houle.analysis.studies.store import Store

    path = _path(db, named)
    with Store(path, write=False) as store:
        found = results(store)
    state = read_status(path)
    if as_json:
        click.echo(study_tables.as_text(state, found), nl=False)
        return
    click.echo(study_tables.page(found))
    click.echo(study_tables.summary(state, path))


@study.command()
@_db
@click.option("--format", "kind", type=click.Choice(FORMATS), help="By default the ending of -o decides, else csv.")
@click.option("-o", "--out", metavar="FILE", help="Where to write; stdout by default (not Parquet).")
def export(db: str | None, named: str | None, kind: str | None, out: str | None) -> None:
    """Write the results of a study as CSV, Parquet or JSON; one row per cell and side.

    \b
    Example:
      houle study export study.db --format parquet -o study.parquet
    """
    from houle.analysis.studies.results import frame, read_status, results
    from houle.analysis.studies.store import Store

    path = _path(db, named)
    ending = Path(out).suffix.lstrip(".") if out else ""
    kind = kind or (ending if ending in FORMATS else "csv")
    if kind == "parquet" and out is None:
        raise click.UsageError("--format parquet: say where with -o FILE")
    with Store(path, write=False) as store:
        if kind == "json":
            text = study_tables.as_text(read_status(path), results(store))
        else:
            table = frame(store)
    if kind == "parquet":
        _write_parquet(table, str(out))
        return
    if kind == "csv":
        text = table.to_csv(index=False)
    if out:
        options.write_out(out, text)
    else:
        click.echo(text, nl=False)


def _write_parquet(table: Any, out: str) -> None:
    try:
        write_whole(out, lambda path: table.to_parquet(path, index=False))
    except ImportError:
        raise click.UsageError("--format parquet needs pyarrow: pip install 'houle[parquet]'") from None
