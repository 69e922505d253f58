"""Which games an analysis plays, and how: the options that every public function shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypedDict

from houle.analysis.limits import GAMES, MOST_GAMES, SEED, Whole, check_int
from houle.solver.errors import BudgetError, InputError

SLOW_SECONDS = 600.0  # of games in plain Python; longer runs need a budget

OnGames = Callable[[int, float], None]  # hears of games done, and seconds of play so far


class Planned(Protocol):
    """What is known about a run before it starts: a plan (see sampling/plan.py)."""

    @property
    def games(self) -> int: ...

    @property
    def work(self) -> float: ...


class Progress:
    """What hears of a run. A function of games and seconds is enough; a subclass may hear more."""

    told: OnGames | None = None
    doing = ""  # the name of the present part
    share: float | None = None  # of the work that is done: a game with a search is more work than a thousand without
    budget = SLOW_SECONDS  # that slow games may take
    shared: dict[Any, Any] | None = None  # games that several analyses of a run need (sampling/engine.py)

    def __init__(self, told: OnGames | None = None) -> None:
        self.told = told

    def __call__(self, games: int, seconds: float) -> None:
        """Games that are done, and seconds of play so far."""
        if self.told:
            self.told(games, seconds)

    def begin(self, plan: Any) -> None:
        """What will be played, before a game is."""

    def expect(self, games: int) -> None:
        """How many games there will be, if that is only known during the run."""

    def tell(self, line: str) -> None:
        """A result that is known before the run ends."""

    def found(self, proposals: list[Any]) -> None:
        """The proposals of a design so far."""

    def stops(self) -> bool:
        """Whether the run should end now; asked often, by all threads that play."""
        return False

    def slow(self, seconds: float) -> float:
        """How long slow games will take; returns that of all runs that share the budget."""
        return seconds


@dataclass
class Watch:
    """Adds up the stretches of a run, so that each of them reports only its own games."""

    shown: Progress
    games: int = 0  # of stretches that ended
    seconds: float = 0.0
    work: float = 0.0
    whole: float = 0.0  # the planned work; 0 if it is not known
    stopped: bool = False  # after Ctrl-C

    @classmethod
    def of(cls, progress: OnGames | None) -> Watch:
        """That of a progress, or of a function; a watch stays as it is."""
        if isinstance(progress, cls):
            return progress
        return cls(progress if isinstance(progress, Progress) else Progress(progress))

    def __call__(self, games: int, seconds: float, work: float = 0.0, doing: str = "") -> None:
        self.shown.doing = doing or self.shown.doing
        if self.whole and work:
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
    progress: OnGames | None


@dataclass(frozen=True)
class RunSpec:
    """Games first .. first + games - 1 of a seed, what plays them, and what hears of the progress."""

    games: int = GAMES
    seed: int = SEED
    first: int = 0
    threads: int | None = None
    progress: OnGames | None = field(default=None, compare=False)
    doing: str = ""  # the part of a run, for a progress bar

    def __post_init__(self) -> None:
        object.__setattr__(self, "progress", Watch.of(self.progress))

    @property
    def watch(self) -> Watch:
        """What the progress hears through; parts of a run share it."""
        assert isinstance(self.progress, Watch)
        return self.progress

    @classmethod
    def of(cls, options: RunOptions, games: int = GAMES, least: int = 1, most: int = MOST_GAMES) -> RunSpec:
        """The run that a caller asked for; `games` is the default number, from `least` to `most`.

        Everything else was checked where it was given (arguments.py).
        """
        asked = options.get("games")
        return cls(
            check_int("games", games if asked is None else asked, least, most),  # type: ignore[arg-type]
            options.get("seed", SEED),
            threads=options.get("threads"),
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
        if not self.watch.whole:
            self.watch.whole = plan.work
            self.watch.shown.begin(plan)
            self.expect(plan.games)

    @property
    def budget(self) -> float:
        """The seconds that slow games may take."""
        return self.watch.shown.budget

    def spend(self, seconds: float, what: str) -> None:
        """Says that `what`, slow games, will take so long; an error if that is more than the budget of the run."""
        seconds = self.watch.shown.slow(seconds)
        if seconds > self.budget:
            allowed = f"allowed: {_minutes(self.budget)}m; play fewer (-n) or write --budget {_minutes(1.2 * seconds)}m"
            raise BudgetError(f"{what} need about {_minutes(seconds)} min in plain Python; {allowed}")

    def tell(self, line: str) -> None:
        """Tell the progress a result that is known before the run ends."""
        self.watch.shown.tell(line)

    def expect(self, games: int) -> None:
        """Tell the progress how many games are expected."""
        self.watch.shown.expect(games)


def read_time(text: str) -> float:
    """`90s`, `20m` or `2h` in seconds."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = text[:-1], text[-1:]
    if unit not in units or not number.replace(".", "", 1).isdigit():
        raise InputError(f"--budget: {text!r} is not allowed; allowed: a time, as 90s, 20m or 2h")
    return float(number) * units[unit]


def _minutes(seconds: float) -> int:
    return max(1, round(seconds / 60))
