"""Who hears how a study goes, and may stop it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from houle.analysis.studies.cell import Chunk
from houle.solver.run.tally import Tally

Played = Iterator[tuple[Chunk, Tally]]


class Listener(Protocol):
    """Hears how a study goes and may stop it."""

    def report(self, games: int, seconds: float, share: float, chunks: str) -> None:
        """A chunk is logged: games and seconds of this run, and the share of the part's work that is done."""

    def finish(self, cell: str) -> None:
        """A cell has all its games in this folder."""

    def note(self, line: str) -> None:
        """Something the user should know now: a worker that cannot play."""

    def stopping(self) -> bool:
        """Whether the study should stop when the chunks that were begun have ended."""


class Silent:
    """Shows nothing and stops nothing."""

    def report(self, games: int, seconds: float, share: float, chunks: str) -> None: ...

    def finish(self, cell: str) -> None: ...

    def note(self, line: str) -> None: ...

    def stopping(self) -> bool:
        return False
