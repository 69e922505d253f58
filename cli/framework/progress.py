"""What a long run shows on stderr, and how Ctrl-C ends it where its tally is whole.

A progress bar with rate and time left for anything above two seconds, and a line when something is compiled
for the first time; both only in a terminal, and not with --json or --quiet.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType, TracebackType
from typing import Any, Self

import click

LONG = 2.0  # seconds from which a run gets a bar
PATIENCE = 0.4  # seconds before a run is judged long or not


class Interrupted(BaseException):
    """Ctrl-C before a single game was counted, or a second time."""


class LongRun:
    """Around something long: Ctrl-C ends it, compiling is announced, and a bar that was opened is closed."""

    def __init__(self, silent: bool) -> None:
        self.silent = silent or not sys.stderr.isatty()
        self._bar: Any = None
        self._task: Any = None
        self._before: Any = None

    def __enter__(self) -> Self:
        from houle.solver import kernels

        self._before = signal.signal(signal.SIGINT, self._interrupt)
        kernels.announce.append(self._compiling)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        from houle.solver import kernels

        kernels.announce.remove(self._compiling)
        signal.signal(signal.SIGINT, self._before or signal.SIG_DFL)
        if self._bar is not None:
            self._bar.stop()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        raise Interrupted

    def _compiling(self, entry: str, game: str) -> None:
        if not self.silent:
            click.echo(f"compiling {game.replace('_', '-')} for this machine (once; some seconds)", err=True)


class GamesProgress(LongRun):
    """The progress of games: with GamesProgress(games, silent) as progress: play(..., progress=progress)."""

    def __init__(self, games: int, silent: bool) -> None:
        super().__init__(silent)
        self.games = games
        self.counting = False  # games have been counted: from now on there is a part worth keeping
        self.stopping = False
        self.doing = ""  # which part of a run of several parts
        self.share: float | None = None  # of the work that is done, where games are not all alike
        self._shown = 0.0  # a bar never goes back

    def expect(self, games: int) -> None:
        """How many games there will probably be, where that is not known beforehand."""
        self.games = games

    def __call__(self, done: int, seconds: float) -> None:
        """After every chunk, when the tally is whole: the one place where a run may be interrupted."""
        if self.stopping:
            raise KeyboardInterrupt
        self.counting = done > 0
        if self.silent:
            return
        share = self.share if self.share is not None else done / max(done, self.games, 1)
        if self._bar is None and seconds > PATIENCE and share > 0 and seconds / share > LONG:
            self._open_bar()
        if self._bar is not None:
            self._shown = max(self._shown, share)
            counted = f"{done:,} of {max(done, self.games):,}, {done / seconds:,.0f} games/s"
            self._bar.update(self._task, completed=self._shown, counted=counted, doing=self.doing)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if not self.counting or self.stopping:
            raise Interrupted
        self.stopping = True

    def _open_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.percentage:>3.0f}%"),
            BarColumn(),
            TextColumn("{task.fields[counted]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[doing]}", markup=False),  # names are no markup
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=1.0, counted="", doing="")
        self._bar.start()
