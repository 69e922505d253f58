"""What a study shows on stderr while it runs, and how it is stopped.

In a terminal it shows a progress bar; elsewhere, and with --quiet, it prints a line for each finished cell. Ctrl-C and
SIGTERM store the games that are done before they stop the study; a second one stops it at once.
"""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from houle.cli.framework import text

if TYPE_CHECKING:
    from houle.analysis.studies.cell_run import CellRun
    from houle.analysis.studies.run import Progress
    from houle.analysis.studies.store import CellEnd


class StudyWatch:
    """Shows the progress of a study: with StudyWatch(quiet) as watch: study(..., progress=watch)."""

    def __init__(self, quiet: bool) -> None:
        self.signal = 0  # that was received
        self._drawn = not quiet and sys.stderr.isatty()
        self._bar: Any = None
        self._task: Any = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> StudyWatch:
        from houle.solver import kernels

        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._ask)
        kernels.announce.append(self._compiling)
        return self

    def __exit__(self, *fault: object) -> None:
        from houle.solver import kernels

        kernels.announce.remove(self._compiling)
        for number, handler in self._before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        self._close()

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.signal:
            raise click.Abort
        self.signal = number

    def _compiling(self, entry: str, game: str) -> None:
        if self._drawn:
            click.echo(
                f"compiling {entry.lstrip('_')} for {game.replace('_', '-')} (only once; some seconds)", err=True
            )

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _open(self, total: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(),
            TextColumn("{task.fields[state]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=total, state="")
        self._bar.start()

    def measured(self, number: int, cells: int) -> None:
        if self.signal:
            raise click.Abort
        if self._drawn and cells > 20:
            click.echo(f"\rmeasuring the speed of cell {number} of {cells}", nl=number == cells, err=True)

    def stopping(self) -> bool:
        return self.signal != 0

    def report(self, progress: Progress) -> None:
        if not self._drawn:
            return
        if self._bar is None:
            self._open(progress.total)
        rate = progress.played / progress.seconds if progress.seconds else 0.0
        state = f"{progress.ended}/{text.plural(progress.cells, 'cell')}, {rate:,.0f} games/s"
        self._bar.update(self._task, completed=progress.work, total=progress.total, state=state)

    def finish(self, cell: CellRun, end: CellEnd) -> None:
        """Prints a line when a cell is finished."""
        if self._drawn:
            return
        clock = time.strftime("%H:%M:%S")
        line = f"{clock} cell {cell.row.id} done: {cell.row.label}, {text.plural(end.games, 'game')}"
        click.echo(f"{line}, digest {end.result_digest}", err=True)
