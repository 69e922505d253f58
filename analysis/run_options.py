"""Which games an analysis plays, and how: the options that every public function shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypedDict

from houle.analysis.limits import GAMES, MOST_GAMES, MOST_SEED, MOST_THREADS, SEED, Whole, check_int
from houle.solver.errors import BudgetError, InputError

SLOW_SECONDS = 600.0  # of games in plain Python; longer runs need a budget

Progress = Callable[[int, float], None]  # games done, seconds of play so far


class Planned(Protocol):
    """What is known about a run before it starts: a plan (see sampling/plan.py)."""

    @property
    def games(self) -> int: ...

    @property
    def work(self) -> float: ...


@dataclass
class Watch:
    """Adds up the stretches of a run, so that each of them reports only its own games.

    What is shown may have `begin`, which hears of the plan before a game is played, `doing`, the name of the present
    part, and `share`, the share of the work that is done: a game with a search is more work than a thousand without.
    """

    shown: Progress
    games: int = 0  # of stretches that ended
    seconds: float = 0.0
    work: float = 0.0
    whole: float = 0.0  # the planned work; 0 if it is not known
    stopped: bool = False  # after Ctrl-C
    plan: Planned | None = None

    def __call__(self, games: int, seconds: float, work: float = 0.0, doing: str = "") -> None:
        if doing and hasattr(self.shown, "doing"):
            self.shown.doing = doing
        if self.whole and work and hasattr(self.shown, "share"):
            self.shown.share = min(1.0, (self.work + work) / self.whole)
        try:
            self.shown(self.games + games, self.seconds + seconds)
        except KeyboardInterrupt:
            self.stopped = True
            raise

    def end(self, games: int, seconds: float, work: float) -> None:
        self.games, self.seconds, self.work = self.games + games, self.seconds + seconds, self.work + work


class RunOptions(TypedDict, total=False):
    """Options that every analysis takes by keyword.

    Parameters
    ----------
    games : int
        Number of games, or of deals where each deal is played several times.
    seed : int
        Which games: the same seed gives the same games on any machine and with any number of threads.
    threads : int, optional
        Number of threads; one per core by default.
    progress : callable, optional
        Called as `progress(games, seconds)` while games are played.
    """

    games: Whole | None
    seed: int
    threads: int | None
    progress: Progress | None


@dataclass(frozen=True)
class RunSpec:
    """Games first .. first + games - 1 of a seed, what plays them, and what hears of the progress."""

    games: int = GAMES
    seed: int = SEED
    first: int = 0
    threads: int | None = None
    progress: Progress | None = None  # always a Watch
    doing: str = ""  # the part of a run, for a progress bar

    def __post_init__(self) -> None:
        if self.progress is not None and not isinstance(self.progress, Watch):
            object.__setattr__(self, "progress", Watch(self.progress))

    @classmethod
    def of(cls, options: RunOptions, games: int = GAMES, least: int = 1, most: int = MOST_GAMES) -> RunSpec:
        """The run that a caller asked for, checked; `games` is the default number, from `least` to `most`."""
        asked = options.get("games")
        threads = options.get("threads")
        return cls(
            check_int("games", games if asked is None else asked, least, most),  # type: ignore[arg-type]
            check_int("seed", options.get("seed", SEED), 0, MOST_SEED),
            threads=None if threads is None else check_int("threads", threads, 1, MOST_THREADS),
            progress=options.get("progress"),
        )

    def but(self, **changes: object) -> RunSpec:
        """The same run with other numbers."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def part(self, games: int, first: int = 0, doing: str = "") -> RunSpec:
        """A part of this run: `games` games, `first` after its own first. `doing` names it in a progress bar."""
        return replace(self, games=games, first=self.first + first, doing=doing or self.doing)

    def begin(self, plan: Planned) -> None:
        """Tell the progress what the whole run will play; the plan of a part of it changes nothing."""
        if isinstance(self.progress, Watch) and not self.progress.whole:
            self.progress.whole, self.progress.plan = plan.work, plan
            if hasattr(self.progress.shown, "begin"):
                self.progress.shown.begin(plan)
            self.expect(plan.games)

    @property
    def budget(self) -> float:
        """The seconds that slow games may take."""
        shown = self.progress.shown if isinstance(self.progress, Watch) else None
        return float(getattr(shown, "budget", SLOW_SECONDS))

    def spend(self, seconds: float, what: str) -> None:
        """Says that `what`, slow games, will take so long; an error if that is more than the budget of the run.

        What is shown may have `budget`, the seconds, and `slow`, which hears of them and returns their sum so far.
        """
        shown = self.progress.shown if isinstance(self.progress, Watch) else None
        if shown is not None and hasattr(shown, "slow"):
            seconds = shown.slow(seconds)
        if seconds > self.budget:
            allowed = f"allowed: {_minutes(self.budget)}m; play fewer (-n) or write --budget {_minutes(1.2 * seconds)}m"
            raise BudgetError(f"{what} need about {_minutes(seconds)} min in plain Python; {allowed}")

    def tell(self, line: str) -> None:
        """Tell the progress a result that is known before the run ends, if it wants to know."""
        if isinstance(self.progress, Watch) and hasattr(self.progress.shown, "tell"):
            self.progress.shown.tell(line)

    def expect(self, games: int) -> None:
        """Tell the progress how many games are expected, if it wants to know."""
        if isinstance(self.progress, Watch) and hasattr(self.progress.shown, "expect"):
            self.progress.shown.expect(games)


def read_time(text: str) -> float:
    """`90s`, `20m` or `2h` in seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = text[:-1], text[-1:]
    if unit not in units or not number.replace(".", "", 1).isdigit():
        raise InputError(f"--budget: {text!r} is not allowed; allowed: a time, as 90s, 20m or 2h")
    return float(number) * units[unit]


def _minutes(seconds: float) -> int:
    return max(1, round(seconds / 60))
