"""What commands share that the factory does not make yet."""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from houle.cli.framework import options
from houle.cli.framework import text as tables
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.progress import Stop, Watch
from houle.solver.ruleset import RulesetError, load
from houle.solver.ruleset.files import write_whole

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.comparison.findings import Finding
    from houle.analysis.sampling.grid import Grid
    from houle.analysis.stats.intervals import Interval

ENDINGS = (".json", ".csv", ".parquet")
PICTURES = (".png", ".svg")


class Result(Protocol):
    """What every analysis returns."""

    @property
    def interrupted(self) -> bool: ...

    def frame(self) -> pd.DataFrame: ...

    def as_json(self) -> dict[str, Any]: ...


figure_option = click.option("--figure", type=click.Path(), metavar="FILE", help="Also draw it: a .png or .svg file.")
dry_option = click.option("--dry-run", is_flag=True, help="Say what would be played and how long it takes.")


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


def grid_of(asked: options.Asked, strategies: Sequence[str], strict: bool) -> Grid:
    """The arms that repeated options and alternatives mean."""
    from houle.analysis.sampling.grid import make_grid, parse_alternatives

    settings = parse_alternatives(load(asked.game), asked.settings)
    return make_grid(asked.game, asked.players, asked.variants, strategies, asked.files, settings, strict)


def grid_words(asked: options.Asked, strategies: Sequence[str]) -> list[str]:
    """The same, as words of a command line."""
    words = [asked.game]
    for option, values in (
        ("-p", map(str, asked.players)),
        ("-v", asked.variants),
        ("-s", strategies),
        ("--rules", asked.files),
        ("--set", asked.settings),
    ):
        for value in values:
            words += [option, value]
    return words


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
        write_whole(figure, draw)
    if as_json:
        click.echo(as_text(result), nl=False)
    else:
        click.echo(page())
        click.echo(f"repeat   {options.shell_line(repeat)}")
    if result.interrupted:
        click.echo("houle: interrupted: the intervals are for the games that were played", err=True)
        ctx.exit(INTERRUPTED)


def as_text(result: Result) -> str:
    return json.dumps(result.as_json(), indent=2) + "\n"


def _write(result: Result, out: str) -> None:
    if out.endswith(".json"):
        options.write_out(out, as_text(result))
    elif out.endswith(".csv"):
        options.write_out(out, result.frame().to_csv(index=False))
    else:
        write_whole(out, lambda path: result.frame().to_parquet(path, index=False))


def shown(found: Interval | None, percent: bool = False) -> str:
    """An estimate with its interval, rates in percent."""
    if found is None:
        return ""
    if not math.isfinite(found.half):
        return "unknown"
    scale = 100 if percent else 1
    return tables.estimate(scale * found.value, scale * found.low, scale * found.high, "%" if percent else "")


def finding_lines(found: Iterable[Finding]) -> list[str]:
    """What the games say about the rules."""
    from houle.analysis.comparison.findings import finding_texts

    return [tables.paragraph(f"finding  {text}", 0, 9) for text in finding_texts(found)]
