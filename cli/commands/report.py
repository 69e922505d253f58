"""`houle report`: everything about a game in one page that needs nothing else, with tables, data and figures."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options, text
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.progress import Interrupted, LongRun
from houle.solver.errors import InputError
from houle.solver.ruleset import load, parse_settings

if TYPE_CHECKING:
    from houle.analysis.sampling.grid import Grid
    from houle.reports.effort import Effort


LEAST_SHARE = 0.02  # of the work, before the time it takes can be told


class SectionsProgress(LongRun):
    """Shows which section is being worked on and how long it will take.

    Ctrl-C stops it at once: nothing is written before everything is there.
    """

    def __init__(self, silent: bool) -> None:
        super().__init__(silent)
        self._shown = 0.0

    def __call__(self, title: str, number: int, steps: int, share: float, seconds: float) -> None:
        if self.silent:
            return
        if self._bar is None:
            self._open()
        self._shown = max(self._shown, share)  # a bar never goes back
        self._bar.update(self._task, completed=self._shown, doing=f"{number} of {steps}: {title}")

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
        from rich.text import Text

        class TimeLeft(ProgressColumn):
            """Read off the clock, not off the last word of a section: a long silence makes it longer."""

            def render(self, task: Task) -> Text:
                if task.completed < LEAST_SHARE or task.elapsed is None:
                    return Text("")
                return Text(f"about {_duration(task.elapsed / task.completed - task.elapsed)} left")

        self._bar = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(),
            TextColumn("{task.fields[doing]}"),
            TimeLeft(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=1.0, doing="")
        self._bar.start()


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


@click.command()
@options.setup_options
@click.option("--effort", metavar="NAME", default="quick", show_default=True, help="quick, normal or deep.")
@options.seed_option
@options.threads_option
@options.device_option
@click.option("-o", "--out", type=click.Path(), metavar="DIR", help="Folder to write to; out/GAME by default.")
@options.quiet_option
@click.pass_context
def report(
    ctx: click.Context,
    asked: options.Asked,
    effort: str,
    seed: int,
    threads: int | None,
    out: str | None,
    quiet: bool,
) -> None:
    """Write a report about GAME, or about a finished study.

    Every -v and -p is a table of its own; without them the base game and every variant are reported at every number of
    players. A variant of your own (--rules, --set) is reported beside the printed rules. The first table is looked at
    most closely. DIR gets index.html (one file that needs nothing else), tables
    as CSV, figures as PNG and SVG, and data.json.

    \b
    Examples:
      houle report wave -o out/wave
      houle report wave -v base -v virage -p 3 --effort normal -o out/virage
      houle report wave --rules my.toml -p 2 -p 4 -o out/mine
      houle report wave --set hand.back=3 -p 3 -o out/three-behind
      houle report study.db -o out/study
    """
    folder = check_folder(out or f"out/{Path(asked.game).stem}")
    if asked.game.endswith(".db"):
        click.echo(write_study(asked.game, folder))
        return
    started = time.perf_counter()
    try:
        with SectionsProgress(quiet) as progress:
            page = write_game(asked, effort, seed, threads, folder, progress)
    except (Interrupted, KeyboardInterrupt):
        click.echo("houle: interrupted; nothing was written", err=True)
        ctx.exit(INTERRUPTED)
    for line in verdict_of(page):
        click.echo(text.paragraph(line))
    click.echo(f"{page}  ({_duration(time.perf_counter() - started)})")


def verdict_of(page: Path) -> list[str]:
    """The sentences that carry the verdict, from the data beside the page."""
    from houle.reports.html.format import sentence

    data = json.loads((page.parent / "data.json").read_text(encoding="utf-8"))
    first = data["parts"][0]["sections"][0]["blocks"]
    return [sentence(block) for block in first if block["kind"] == "lead"]


def write_study(path: str, folder: Path) -> Path:
    """The report of a study's file; returns the page."""
    from houle.reports.html.write import write
    from houle.reports.study import make_study_report

    return write(make_study_report(path), folder)


def check_folder(path: str) -> Path:
    """Refuses a folder that could not be written before any time is spent."""
    folder = Path(path)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"-o: {path}: is a file; give a folder")
    return folder


def write_game(
    asked: options.Asked,
    effort: str | Effort,
    seed: int,
    threads: int | None,
    folder: Path,
    progress: Callable[[str, int, int, float, float], None] | None = None,
) -> Path:
    """Plays what is asked and writes the folder; returns the page."""
    from houle.reports.build import USUAL_PLAYERS, main_first, report
    from houle.reports.html.write import PAGE

    grid = grid_of(asked)
    name = effort if isinstance(effort, str) else effort.name
    try:
        report(
            main_first([asked.named(arm.setup) for arm in grid.arms], (*asked.players, USUAL_PLAYERS)[0]),
            effort=effort,
            seed=seed,
            out=folder,
            threads=threads,
            progress=progress,
            command_words=[*asked.grid_words(()), "--effort", name, "--seed", str(seed)],
            left_out=grid.left_out if asked.players or asked.variants else (),
        )
    except OSError as fault:
        raise InputError(f"-o: {folder}: {fault.strerror or fault}") from None
    return folder / PAGE


def grid_of(asked: options.Asked) -> Grid:
    """The tables that were asked for; all of the game's own where nothing was. Own rules are one variant."""
    from houle.analysis.sampling.grid import make_grid

    ruleset = load(asked.game)
    settings = {knob: [value] for knob, value in parse_settings(ruleset, asked.settings).items()}
    players = asked.players or ruleset.players
    variants = asked.variants or (() if asked.files or asked.settings else ("base", *ruleset.variants))
    grid: Grid = make_grid(asked.game, players, variants, (), asked.files, settings)
    return grid
