"""What a long run shows on stderr, and how Ctrl-C ends it.

There is one bar and one compiling line, for games, reports and studies, not with --json or --quiet. The bar appears
only in a terminal. The line appears also without one, because compiling may take minutes on a busy machine.
"""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType
from typing import Any, ClassVar, Self

import click

from houle.analysis.run_options import Progress
from houle.cli.framework import text
from houle.cli.framework.streams import Interrupted
from houle.cli.waiting import FAMILIES, time_left

LONG = 2.0  # seconds: longer runs get a bar
PATIENCE = 0.4  # seconds before the length of a run is estimated
LEAST_SHARE = 0.02  # of the work that must be done before the time left is estimated


class LongRun:
    """Context of a long run: handles Ctrl-C, announces compiling, and closes the bar at the end."""

    signals: ClassVar[tuple[signal.Signals, ...]] = (signal.SIGINT,)

    def __init__(self, silent: bool) -> None:
        self.quiet, self.silent = silent, silent or not sys.stderr.isatty()
        self.keeps = False  # what is done is kept: the first Ctrl-C only asks the run to stop
        self.signal = 0  # that asked the run to stop; asked for at every poll
        self._bar: Any = None
        self._task: Any = None
        self._share = 0.0  # shown
        self._before: dict[signal.Signals, Any] = {}
        self._compiled: set[str] = set()  # games whose compiling was announced

    def __enter__(self) -> Self:
        from houle.solver.compiler import kernels

        self._before = {number: signal.signal(number, self._interrupt) for number in self.signals}
        kernels.announce.append(self._compiling)
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: object) -> None:
        from houle.solver.compiler import kernels

        kernels.announce.remove(self._compiling)
        for number, handler in self._before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if self._bar is not None:
            self._bar.stop()
        if kind is KeyboardInterrupt:  # no analysis has kept what was done
            raise Interrupted from None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        again = self.signal != 0
        self.signal = number  # a library that is being loaded may swallow the exception; then the next poll stops
        if not self.keeps:
            raise Interrupted
        if again:
            raise Interrupted("")  # for the second time: at once

    def _compiling(self, entry: str, game: str) -> None:
        """Says once that a game is compiled, and for how long."""
        name = game.replace("_", "-")
        if not self.quiet and name not in self._compiled:
            left = f": {time_left(name, FAMILIES)}" if name else ""
            click.echo(f"compiling {name or 'what games share'} for this machine, only once{left}", err=True)
        self._compiled.add(name)

    def show(self, share: float, words: str, doing: str = "") -> None:
        """Moves the bar to this share of the work, never back."""
        if self.silent:
            return
        if self._bar is None:
            self._open(share)
        self._share = max(self._share, share)
        self._bar.update(self._task, completed=self._share, words=words, doing=doing)

    def _open(self, share: float) -> None:
        from rich import progress as bars
        from rich.console import Console
        from rich.text import Text

        class TimeLeft(bars.ProgressColumn):
            """Time left by the clock: it grows while a part takes long. What was done before the bar does not count."""

            def render(self, task: bars.Task) -> Text:
                done = task.completed - share
                if done < LEAST_SHARE or task.elapsed is None:
                    return Text("")
                return Text(f"about {text.duration(task.elapsed * (1 - task.completed) / done)} left")

        self._bar = bars.Progress(
            bars.TextColumn("{task.percentage:>3.0f}%"),
            bars.BarColumn(),
            bars.TextColumn("{task.fields[words]}", markup=False),  # names may contain brackets
            TimeLeft(),
            bars.TextColumn("{task.fields[doing]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=1.0, words="", doing="")
        self._bar.start()


class GamesProgress(LongRun, Progress):
    """The progress of games. Ctrl-C ends the run when all games of a chunk are counted."""

    spent = 0.0  # by earlier runs of this command

    def __init__(self, games: int, silent: bool) -> None:
        super().__init__(silent)
        self.games = games
        self.is_slow = False  # games in plain Python
        self._known: list[str] = []  # results so far that are not shown yet

    def expect(self, games: int) -> None:
        """Sets how many games are expected, if that is only known during the run."""
        self.games = games

    def slow(self, seconds: float) -> float:
        """Hears how long games in plain Python take; returns that of all of this command."""
        if seconds > LONG and not self.quiet:
            click.echo(f"about {text.duration(seconds)} in plain Python", err=True)
        self.is_slow = True
        together = GamesProgress.spent + seconds
        if together <= self.budget:  # others are not played
            GamesProgress.spent = together
        return together

    def tell(self, line: str) -> None:
        """Prints what is known before the run ends: above the bar, or of slow runs also without a terminal."""
        if self.is_slow and self.silent and not self.quiet:
            click.echo(line, err=True)
        self._known.append(line)
        self._show_known()

    def _show_known(self) -> None:
        """Prints results above the bar; a run too short for a bar shows its result soon enough."""
        for line in self._known if self._bar is not None else ():
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        if self._bar is not None:
            self._known.clear()

    def __call__(self, done: int, seconds: float) -> None:
        """Called after every chunk."""
        if self.signal:
            raise KeyboardInterrupt if done > 0 else Interrupted
        self.keeps = done > 0
        share = self.share if self.share is not None else done / max(done, self.games, 1)
        if self._bar is not None or (seconds > PATIENCE and share > 0 and seconds / share > LONG):
            counted = f"{done:,} of {max(done, self.games):,}, {done / max(seconds, 1e-9):,.0f} games/s"
            self.show(share, counted, self.doing)
            self._show_known()


class SectionsProgress(LongRun):
    """The progress of a report. Ctrl-C stops at once; the sections that are done are written."""

    signals = (signal.SIGINT, signal.SIGTERM)
    done = 0  # sections

    def __call__(self, title: str, number: int, steps: int, share: float, seconds: float) -> None:
        self.done = number - 1
        if self.signal:
            raise Interrupted
        self.show(share, f"{number} of {steps}: {title}")


class StudyProgress(LongRun):
    """The progress of a study, without a terminal a line for each finished cell.

    Ctrl-C and SIGTERM stop the study when the chunks that are being played are logged.
    """

    signals = (signal.SIGINT, signal.SIGTERM)

    def __init__(self, silent: bool) -> None:
        super().__init__(silent)
        self.keeps = True

    def stopping(self) -> bool:
        return self.signal != 0

    def note(self, line: str) -> None:
        click.echo(line, err=True)

    def report(self, games: int, seconds: float, share: float, chunks: str) -> None:
        self.show(share, f"{chunks}, {games / seconds if seconds else 0.0:,.0f} games/s")

    def finish(self, cell: str) -> None:
        if self.silent:
            click.echo(f"{time.strftime('%H:%M:%S')} {cell}", err=True)
