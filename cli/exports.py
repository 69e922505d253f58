"""What analyses share on their way out: a watched run, and a result as page, JSON, file and figure."""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from houle.cli import options, tables
from houle.cli.main import INTERRUPTED
from houle.cli.progress import Stop, Watch
from houle.solver.ruleset import RulesetError

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.estimates import Interval

ENDINGS = (".json", ".csv", ".parquet")
PICTURES = (".png", ".svg")

figure_option = click.option("--figure", type=click.Path(), metavar="FILE", help="Also draw it: a .png or .svg file.")


class Result(Protocol):
    """What every analysis returns."""

    @property
    def interrupted(self) -> bool: ...

    def frame(self) -> pd.DataFrame: ...

    def as_json(self) -> dict[str, Any]: ...


def check_files(out: str | None, figure: str | None = None) -> None:
    """Refuses files that could not be written before any time is spent."""
    options.check_out(out, ENDINGS)
    if out and out.endswith(".parquet") and importlib.util.find_spec("pyarrow") is None:
        raise RulesetError(f"-o: {out}: needs pyarrow: pip install 'houle[parquet]'")
    if figure:
        try:
            options.check_out(figure, PICTURES)
        except RulesetError as fault:
            raise RulesetError(str(fault).replace("-o:", "--figure:", 1)) from None


def play(ctx: click.Context, games: int, silent: bool, job: Callable[[Watch], Any]) -> Any:
    """Runs a job under a watch; leaves the command where Ctrl-C came before there was anything to show."""
    try:
        with Watch(games, silent=silent) as watch:
            return job(watch)
    except (Stop, KeyboardInterrupt):
        click.echo("houle: interrupted before the first games were counted", err=True)
        ctx.exit(INTERRUPTED)


def tell(
    ctx: click.Context,
    result: Result,
    page: Callable[[], str],
    repeat: Sequence[str],
    as_json: bool,
    out: str | None = None,
    figure: str | None = None,
    draw: Callable[[Path], None] | None = None,
) -> None:
    """Prints the result, writes its files, and leaves with 130 where it was interrupted."""
    if out:
        _write(result, out)
    if figure and draw:
        try:
            draw(Path(figure))
        except OSError as fault:
            raise RulesetError(f"{figure}: {fault.strerror or fault}") from None
    if as_json:
        click.echo(_text(result), nl=False)
    else:
        click.echo(page())
        click.echo(f"repeat   {options.shell_line(repeat)}")
    if result.interrupted:
        click.echo("houle: interrupted: the intervals are for the games that were played", err=True)
        ctx.exit(INTERRUPTED)


def _text(result: Result) -> str:
    return json.dumps(result.as_json(), indent=2) + "\n"


def _write(result: Result, out: str) -> None:
    if out.endswith(".json"):
        options.write_out(out, _text(result))
    elif out.endswith(".csv"):
        options.write_out(out, result.frame().to_csv(index=False))
    else:
        try:
            result.frame().to_parquet(out, index=False)
        except OSError as fault:
            raise RulesetError(f"{out}: {fault.strerror or fault}") from None


def shown(found: Interval | None, percent: bool = False) -> str:
    """An estimate with its interval, rates in percent."""
    if found is None:
        return ""
    if not math.isfinite(found.half):
        return "unknown"
    scale = 100 if percent else 1
    return tables.estimate(scale * found.value, scale * found.low, scale * found.high, "%" if percent else "")
