"""`houle report`: a web page about a game or a study, with its data and figures."""

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
from houle.solver.errors import FileError
from houle.solver.ruleset import load, parse_settings

if TYPE_CHECKING:
    from houle.analysis.sampling.grid import Grid
    from houle.reports.effort import Effort


LEAST_SHARE = 0.02  # of the work that must be done before the time left is estimated


class SectionsProgress(LongRun):
    """Shows which section is being made and how much time is left.

    Ctrl-C stops at once: nothing is written before all sections are done.
    """

    def __init__(self, silent: bool) -> None:
        super().__init__(silent)
        self._shown = 0.0

    def __call__(self, title: str, number: int, steps: int, share: float, seconds: float) -> None:
        if self.silent:
            return
        if self._bar is None:
            self._open()
        self._shown = max(self._shown, share)  # so that the bar never goes back
        self._bar.update(self._task, completed=self._shown, doing=f"{number} of {steps}: {title}")

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
        from rich.text import Text

        class TimeLeft(ProgressColumn):
            """Time left by the clock, so that it grows while a section takes long."""

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
@click.option(
    "--effort", metavar="NAME", default="quick", show_default=True, help="How much to play: quick, normal or deep."
)
@options.seed_option
@options.threads_option
@options.device_option
@options.out_folder_option(" (default: out/GAME)")
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
    """Write a report about a game as a web page.

    Without -v and -p the report covers the base game and all variants with every number of players; repeat -v and -p to
    choose. Rules of your own (--rules, --set) are compared with the printed rules. The first setup is examined most
    closely. GAME can also be the .db file of a study.

    The folder gets index.html, which you can send to others as it is, and the tables and figures as separate files.

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
    """The main sentences of a report, read from its data file."""
    from houle.reports.html.format import sentence

    data = json.loads((page.parent / "data.json").read_text(encoding="utf-8"))
    first = data["parts"][0]["sections"][0]["blocks"]
    return [sentence(block) for block in first if block["kind"] == "lead"]


def write_study(path: str, folder: Path) -> Path:
    """Writes the report of a study; returns the path of its page."""
    from houle.reports.html.write import write
    from houle.reports.study import make_study_report

    return write(make_study_report(path), folder)


def check_folder(path: str) -> Path:
    """Raises FileError before any game is played if the folder cannot be written."""
    folder = Path(path)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise FileError(f"-o: {path}: is a file; give a folder")
    return folder


def write_game(
    asked: options.Asked,
    effort: str | Effort,
    seed: int,
    threads: int | None,
    folder: Path,
    progress: Callable[[str, int, int, float, float], None] | None = None,
) -> Path:
    """Writes the report of a game; returns the path of its page."""
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
        raise FileError(f"-o: {folder}: {fault.strerror or fault}") from None
    return folder / PAGE


def grid_of(asked: options.Asked) -> Grid:
    """The setups to report: those asked for, or all of the game. Own rules are one variant."""
    from houle.analysis.sampling.grid import make_grid

    ruleset = load(asked.game)
    settings = {knob: [value] for knob, value in parse_settings(ruleset, asked.settings).items()}
    players = asked.players or ruleset.players
    variants = asked.variants or (() if asked.files or asked.settings else ("base", *ruleset.variants))
    grid: Grid = make_grid(asked.game, players, variants, (), asked.files, settings)
    return grid
