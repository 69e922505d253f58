"""Which games an analysis plays, and how: the options that every public function shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from houle.analysis.limits import GAMES, MOST_GAMES, MOST_SEED, MOST_THREADS, SEED, Whole, check_int

Progress = Callable[[int, float], None]  # games done, seconds of play so far


class RunOptions(TypedDict, total=False):
    """Options that every analysis takes by keyword.

    Parameters
    ----------
    games : int
        Number of games, or of deals where each deal is played several times.
    seed, first : int
        Which games: numbers `first`, `first + 1`, ... of a seed. The same numbers give the same games on any machine
        and with any number of threads.
    threads : int, optional
        Number of threads; one per core by default.
    device : {"cpu", "gpu"}, optional
        What plays the games; by default the environment variable HOULE_DEVICE, or the CPU.
    progress : callable, optional
        Called as `progress(games, seconds)` while games are played.
    """

    games: Whole | None
    seed: int
    first: int
    threads: int | None
    device: Literal["cpu", "gpu"] | None
    progress: Progress | None


@dataclass(frozen=True)
class RunSpec:
    """Games first .. first + games - 1 of a seed, what plays them, and what hears of the progress."""

    games: int = GAMES
    seed: int = SEED
    first: int = 0
    threads: int | None = None
    device: str | None = None
    progress: Progress | None = None

    @classmethod
    def of(cls, options: RunOptions, games: int = GAMES, least: int = 1, most: int = MOST_GAMES) -> RunSpec:
        """The run that a caller asked for, checked; `games` is the default number, from `least` to `most`."""
        asked = options.get("games")
        threads = options.get("threads")
        return cls(
            check_int("games", games if asked is None else asked, least, most),  # type: ignore[arg-type]
            check_int("seed", options.get("seed", SEED), 0, MOST_SEED),
            check_int("first", options.get("first", 0), 0, MOST_GAMES),
            None if threads is None else check_int("threads", threads, 1, MOST_THREADS),
            options.get("device"),
            options.get("progress"),
        )

    def but(self, **changes: object) -> RunSpec:
        """The same run with other numbers."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def part(
        self,
        games: int,
        first: int = 0,
        *,
        done: int = 0,
        seconds: float = 0.0,
        doing: str = "",
        span: tuple[float, float] | None = None,
        total: int = 1,
    ) -> RunSpec:
        """A part of this run: `games` games, `first` after its own first, reported as progress of the whole.

        Before the part `done` games were played in `seconds`. `span` is the share of all work that the `total` games of
        all its line-ups are.
        """
        watched = _watched(self.progress, done, seconds, doing, span, total)
        return replace(self, games=games, first=self.first + first, progress=watched)

    def expect(self, games: int) -> None:
        """Tell the progress how many games are expected, if it wants to know."""
        if self.progress is not None and hasattr(self.progress, "expect"):
            self.progress.expect(games)


def _watched(
    progress: Progress | None,
    games: int,
    seconds: float,
    doing: str,
    span: tuple[float, float] | None,
    total: int,
) -> Progress | None:
    """Progress of a part, reported as progress of the whole.

    A progress object may have `doing`, the name of the present part, and `share`, the share of the work that is done:
    a game with a search is more work than a thousand without.
    """
    if progress is None:
        return None

    def report(done: int, spent: float) -> None:
        if doing and hasattr(progress, "doing"):
            progress.doing = doing
        if span is not None and hasattr(progress, "share"):
            progress.share = span[0] + (span[1] - span[0]) * min(1.0, done / max(total, 1))
        progress(games + done, seconds + spent)

    return report
