"""Is a game even, and how does it go: seats, length, draws, comebacks, lead changes, how early it is decided.

A side is ahead if it stands alone in front, by what the game counts on the way: points, lifebelts, squares, places
(the game's `standing`). That is told after every decision, so it is defined for secret choices too: there the lead
changes when a trick is resolved. Comebacks and decisions are told of games that one side won alone. All of it comes
from whole-number sums over games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import GAMES, SEED, check_run
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns
from houle.analysis.sampling.lineups import Strategies, as_setup, line_up
from houle.analysis.stats.intervals import (
    CONFIDENCE,
    WHOLE_WIN,
    Interval,
    normal_quantile,
    shared_rate,
    wilson,
    with_prior,
)
from houle.analysis.stats.moments import Moments
from houle.solver import interface
from houle.solver.opening import Values
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks, play_chunk
from houle.solver.tally import Counts, blank_ledger

if TYPE_CHECKING:
    import pandas as pd

MILLION = 1_000_000  # parts of a game's length, in whole numbers
TENTHS = (0.1, 0.5, 0.9)

# What is summed of a game: decisions, turns, changes of the lead; and where a side won alone, that it did, after which
# part of the game it led for good, and whether it was not in front, or behind somebody, after each quarter.
QUARTERS = (25, 50, 75)
NOT_AHEAD, BEHIND = (tuple(f"{what} {part}" for part in QUARTERS) for what in ("not ahead", "behind"))
COLUMNS = ("plies", "turns", "changes", "alone", "decided", *NOT_AHEAD, *BEHIND)


@dataclass
class Course:
    """Sums over games."""

    draws: int
    sums: Moments  # of COLUMNS
    shares: Moments  # of the sides
    lengths: Counts  # games by their number of turns

    @property
    def games(self) -> int:
        return self.sums.clusters

    def add(self, other: Course) -> None:
        self.draws += other.draws
        self.sums.add(other.sums)
        self.shares.add(other.shares)
        size = max(len(self.lengths), len(other.lengths))
        self.lengths = np.pad(self.lengths, (0, size - len(self.lengths))) + np.pad(
            other.lengths, (0, size - len(other.lengths))
        )

    def as_data(self) -> list[Any]:
        """The integers, for digests."""
        squares = self.sums.products.diagonal()
        return [self.sums.sums.tolist(), squares.tolist(), *self.shares.as_data(), self.lengths.tolist()]


@dataclass(frozen=True)
class Measure:
    """One number about the course of games."""

    name: str
    about: str
    value: Interval
    percent: bool = False


@dataclass(frozen=True)
class EvenTest:
    """Whether all sides win equally often: chi-square with the shares' own covariance."""

    statistic: float
    freedom: int
    p: float


@dataclass(frozen=True)
class Excess:
    """The side that is farthest from an equal share, and by how much; picked for it, so its interval counts all."""

    side: str
    points: Interval  # share of the win beyond an equal one

    def as_json(self) -> dict[str, Any]:
        return {"side": self.side, **interval_as_json(self.points)}


@dataclass(frozen=True, repr=False)
class Balance(Finished):
    """How even a table is and how its games go."""

    sides: tuple[tuple[str, Interval], ...]
    excess: Excess | None  # None where sides are no rivals' seats
    fair: float | None  # what each side would win, were all equal; None where sides are no rivals' seats
    even: EvenTest | None
    measures: tuple[Measure, ...]
    missing: tuple[str, ...]  # what this table does not have, in words
    lengths: tuple[tuple[int, int], ...]  # turns of a game, how many games

    command = "balance"

    def frame(self) -> pd.DataFrame:
        """One row per side's win rate and per measure."""
        import pandas as pd

        rows = [("win", name, interval) for name, interval in self.sides]
        rows += [(measure.name, "", measure.value) for measure in self.measures]
        return pd.DataFrame(
            {
                **self.setup_columns(),
                "measure": measure,
                "side": side,
                **interval_columns("value", interval),
                "n": interval.n,
                **self.digest_columns(),
            }
            for measure, side, interval in rows
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle balance --json` prints."""
        even = self.even
        return {
            **self.head(),
            "sides": [{"side": name, "win": interval_as_json(interval)} for name, interval in self.sides],
            "fair_share": self.fair,
            "excess": self.excess.as_json() if self.excess else None,
            "even": {"chi_square": even.statistic, "freedom": even.freedom, "p": even.p} if even else None,
            "measures": {measure.name: interval_as_json(measure.value) for measure in self.measures},
            "missing": list(self.missing),
        }


@checked
def balance(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int = GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Balance:
    """How even a table is, and how its games go: seats, length, comebacks, changes of the lead.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Who decides: one for all players, or one each; the thumb where the game has one.
    games, seed : int
        Which games are played: numbers 0 to `games` - 1 of a seed.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Balance
        Wins of every side with a chi-square test over all of them, and the measures of a game's course.

    Examples
    --------
    >>> import houle
    >>> result = houle.balance("land-unter", games=50)
    >>> [name for name, win in result.sides], result.even.freedom
    (['seat 0', 'seat 1', 'seat 2'], 2)
    """
    table = as_setup(setup)
    check_run(games, seed)
    seated = line_up(table, strategies)
    sides = int(table.rules[0].sides)
    play_chunk(table, seated, seed, 0, 0)  # compiles outside the clock

    def job(first: int, number: int) -> Course:
        ledger = blank_ledger(number, sides)
        tally = play_chunk(table, seated, seed, first, number, ledger=ledger)
        return sum_course(ledger, tally.draws)

    total = sum_course(blank_ledger(0, sides))
    seconds = in_chunks(job, total, games, 0, threads, None, progress, first_chunk(seated))
    fair = 1 / sides if len(table.seats_by_side) == sides > 1 else None
    measures, missing = read_measures(total, table)
    if fair is None:
        alone = "Everybody plays on one side" if sides == 1 else "One player meets the game itself"
        missing = (f"{alone}: there are no seats to compare.", *missing)
    name = digest(
        {
            "rules": table.digest,
            "strategies": list(seated.digests),
            "seed": seed,
            "games": total.games,
            "draws": total.draws,
            "sums": total.as_data(),
        }
    )
    return Balance(
        Facts(table, seated.names, seed, total.games, games, seconds, name), read_sides(total, table),
        largest_excess(total, table, fair) if fair is not None else None, fair,
        evenness(total) if fair is not None else None, measures, missing,
        tuple((int(turns), int(total.lengths[turns])) for turns in np.flatnonzero(total.lengths)),
    )  # fmt: skip


def sum_course(ledger: Any, draws: int = 0) -> Course:
    """Some games, from their ledger, and how many of them had no winner."""
    games, sides = ledger.shape[:2]
    share, plies = ledger.share, ledger.plies[:, 0]
    winner = share.argmax(axis=1)
    alone = share.max(axis=1, initial=0) == WHOLE_WIN
    rows = np.arange(games)
    decided = np.where(alone, ledger.decided[rows, winner] * MILLION // np.maximum(plies, 1), 0)
    not_ahead, behind = [], []
    for quarter in range(len(QUARTERS)):
        ahead = ledger.quarters >> quarter & 1
        led = ahead[rows, winner]
        not_ahead.append(alone & (led == 0))
        behind.append(alone & (ahead.sum(axis=1) > led))
    table = np.stack([plies, ledger.turns[:, 0], ledger.changes[:, 0], alone, decided, *not_ahead, *behind], axis=1)
    return Course(draws, Moments.of(COLUMNS, table), Moments.of(range(sides), share), np.bincount(ledger.turns[:, 0]))


def read_sides(course: Course, setup: Setup) -> tuple[tuple[str, Interval], ...]:
    games = course.games
    return tuple(
        (name, shared_rate(course.shares.sum(side), course.shares.product(side, side), games))
        for side, (name, _) in enumerate(setup.game.side_names(setup))
    )


def largest_excess(course: Course, setup: Setup, fair: float) -> Excess | None:
    """How far the farthest side is from an equal share, with an interval for all sides together (Bonferroni)."""
    shares, games = course.shares, course.games
    if games < 2:
        return None
    names = [name for name, _ in setup.game.side_names(setup)]
    confidence = 1 - (1 - CONFIDENCE) / len(names)
    found = [shared_rate(shares.sum(side), shares.product(side, side), games, confidence) for side in range(len(names))]
    side = max(range(len(names)), key=lambda place: abs(found[place].value - fair))
    one = found[side]
    return Excess(names[side], Interval(one.value - fair, one.low - fair, one.high - fair, games))


def evenness(course: Course) -> EvenTest | None:
    """Chi-square of the differences between the sides' mean shares; with whole wins nearly Pearson's."""
    from scipy.stats import chi2

    shares = course.shares
    if shares.clusters < 2:
        return None
    *others, last = (shares.mean(side) for side in shares.columns)
    contrasts, sides = [one - last for one in others], len(shares.columns)
    found, errors = np.array([float(one.value) for one in contrasts]), shares.covariances(contrasts)
    if np.linalg.matrix_rank(errors) < sides - 1:
        return None
    statistic = float(found @ np.linalg.solve(errors, found))
    return EvenTest(statistic, sides - 1, float(chi2.sf(statistic, sides - 1)))


def read_measures(course: Course, setup: Setup) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """What is known of the course of games, and what does not exist at this table."""
    games, alone = course.games, course.sums.sum("alone")
    found = [
        Measure("decisions", "decisions of a game", _mean(course, "plies", games)),
        Measure("turns", f"{setup.ruleset.turns} of a game", _mean(course, "turns", games)),
        *(Measure(f"turns_{int(100 * part)}", f"{setup.ruleset.turns} after which {int(100 * part)}% of games are over",
                  quantile(course.lengths, part)) for part in TENTHS),
    ]  # fmt: skip
    if int(setup.rules[0].sides) > 1:  # a team that loses has no winner either, and that is no draw
        found.append(Measure("draws", "games without a winner", wilson(course.draws / max(games, 1), games), True))
    if not interface.has_standing(interface.blank(setup.game.STATE)[0]):
        title = setup.ruleset.title
        return tuple(found), (f"Nobody is ahead of anybody in {title}: no comebacks, leads or early decisions.",)
    found.append(Measure("lead_changes", "times the lead changes hands", _mean(course, "changes", games)))
    if alone == 0:
        return tuple(found), ("No game was won by one side alone: there are no comebacks to tell of.",)

    def share(column: str) -> Interval:
        return wilson(course.sums.sum(column) / alone, alone)

    found.append(Measure("comebacks", "winners who were not alone in front at half-time", share(NOT_AHEAD[1]), True))
    for part, column, when in zip(QUARTERS, BEHIND, ("a quarter", "half", "three quarters"), strict=True):
        about = f"winners who were not in front after {when} of the game, where one was alone in front"
        found.append(Measure(f"behind_{part}", about, share(column), True))
    decided = _mean(course, "decided", alone, MILLION).within(0, 1)
    found.append(Measure("decided", "part of the game after which its winner leads for good", decided, True))
    return tuple(found), ()


def _mean(course: Course, column: str, games: int, unit: int = 1) -> Interval:
    """Mean over so many games: all of them, or those that a side won alone."""
    sums = course.sums.only(games)
    found = with_prior(sums.interval(sums.mean(column, unit)), games).within(0.0, math.inf)
    return found if games > 1 else replace(found, value=math.nan)


def quantile(counts: Values, part: float) -> Interval:
    """A quantile of whole numbers, from how often each came up; ends by order statistics."""
    n = int(counts.sum())
    if n == 0:
        return Interval(math.nan, -math.inf, math.inf, 0)
    passed = np.cumsum(counts)
    spread = normal_quantile() * math.sqrt(part * (1 - part) / n)
    ends = (part, max(part - spread, 0.0), min(part + spread, 1.0))
    value, low, high = (float(np.searchsorted(passed, max(1, math.ceil(end * n)))) for end in ends)
    return Interval(value, low, high, n)
