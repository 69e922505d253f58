"""What a long run shows on stderr, and how Ctrl-C stops it between two chunks of games.

A run above two seconds gets a progress bar, and compiling prints a line. Both appear only in a terminal, and not with
--json or --quiet.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType, TracebackType
from typing import Any, Self

import click

LONG = 2.0  # seconds: longer runs get a bar
PATIENCE = 0.4  # seconds before the length of a run is estimated


class Interrupted(BaseException):
    """Ctrl-C before any game was counted, or a second time."""


class LongRun:
    """Context of a long run: Ctrl-C raises Interrupted, compiling is announced, the bar is closed at the end."""

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
            click.echo(f"compiling {game.replace('_', '-')} for this machine (only once; some seconds)", err=True)


class GamesProgress(LongRun):
    """The progress of games: with GamesProgress(games, silent) as progress: play(..., progress=progress)."""

    def __init__(self, games: int, silent: bool) -> None:
        super().__init__(silent)
        self.games = games
        self.counting = False  # some games are counted: an interruption keeps them
        self.stopping = False
        self.doing = ""  # which part of the run
        self.share: float | None = None  # of the work that is done, if games differ in length
        self._shown = 0.0  # so that the bar never goes back

    def expect(self, games: int) -> None:
        """Sets how many games are expected, if that is only known during the run."""
        self.games = games

    def __call__(self, done: int, seconds: float) -> None:
        """Called after every chunk, when all its games are counted: only here a run is interrupted."""
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
            TextColumn("{task.fields[doing]}", markup=False),  # names may contain brackets
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=1.0, counted="", doing="")
        self._bar.start()
