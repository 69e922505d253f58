"""`compare`: arms on the same games, their differences with intervals, and a verdict in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.comparison.measures import (
    Difference,
    check_measures,
    comparable,
    difference,
    estimate,
    is_percent,
    measure_name,
    usual_measures,
    why_not_comparable,
)
from houle.analysis.comparison.several_setups import SeveralSetups, UntilDecided
from houle.analysis.comparison.verdicts import (
    Verdict,
    directions,
    judge,
    judge_decided,
    judge_unchanged,
    margins_of,
)
from houle.analysis.limits import GAMES, MOST_GAMES, MOST_SEED, SEED, Whole, check_int
from houle.analysis.result import interval_as_json, interval_columns, known
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.grid import Arm, Grid, Setups, as_grid
from houle.analysis.sampling.growing import counts_of, play_each, play_until
from houle.analysis.sampling.lineups import Strategies
from houle.analysis.sampling.paired import BATCH_SIZE, STRETCH, Played
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.multiplicity import standing
from houle.analysis.stats.sequential import AT_STOP, Decision, detectable, looks
from houle.solver.errors import InputError
from houle.solver.run import Progress

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Row:
    """One measure of one arm, compared with the first arm."""

    arm: Arm
    number: int  # of the arm
    measure: str
    value: Estimate
    difference: Difference | None  # None for the first arm, and if the two cannot be compared
    verdict: Verdict | None
    detectable: float | None = None  # the smallest difference that as many games show 4 times in 5

    @property
    def percent(self) -> bool:
        """Whether people read the measure as percent."""
        return is_percent(self.measure)

    @property
    def name(self) -> str:
        """The measure as a column heading: a score by its own name."""
        return measure_name(self.measure, self.arm.setup)

    def as_json(self, stands: bool = False) -> dict[str, Any]:
        data = interval_as_json(self.value) | {"difference": None}
        if self.difference:
            data["difference"] = {
                **interval_as_json(self.difference.interval),
                "stands": stands,
                "odds_ratio": interval_as_json(self.difference.odds),
                "paired": self.difference.paired,
                "changed": self.difference.changed,
                "variance_ratio": known(self.difference.variance_ratio),
                "games_saved": self.difference.games_saved,
                "detectable": known(self.detectable),
            }
        data["verdict"] = self.verdict.text if self.verdict else None
        data["more_games"] = self.verdict.more_games if self.verdict else None
        return data


@dataclass(frozen=True, repr=False)
class Comparison(SeveralSetups):
    """Differences of several arms from the first, measure by measure."""

    margins: Mapping[str, float]  # the smallest difference that matters, per measure

    command = "compare"

    @property
    def headline(self) -> str:
        shown = [row for row in self.rows if row.measure == self.measures[0] and row.difference and row.verdict]
        lines = [f"{row.arm.label}: {row.verdict.text}, {row.name} {row.difference.interval.text()}"
                 for row in shown if row.verdict and row.difference]  # fmt: skip
        more = f"; {len(lines) - 1} more" if len(lines) > 1 else ""
        return f"{lines[0]}{more}" if lines else f"{len(self.arms)} arms"

    @property
    def unpaired(self) -> list[Arm]:
        """Arms that play other games than the first arm."""
        return [arm for i, arm in enumerate(self.arms) if self.played.firsts[i] != self.played.firsts[0]]

    @cached_property
    def standing(self) -> set[tuple[int, str]]:
        """Arms and measures whose differences are certain when all differences are looked at together (Holm)."""
        certain = standing([row.difference.interval if row.difference else None for row in self.rows])
        return {(row.number, row.measure) for row, stands in zip(self.rows, certain, strict=True) if stands}

    @property
    def differences(self) -> int:
        """The number of differences."""
        return sum(row.difference is not None for row in self.rows)

    @cached_property
    def rows(self) -> list[Row]:
        """By measure, then by arm."""
        return [self._row(arm, measure) for measure in self.measures for arm in range(len(self.arms))]

    def _row(self, number: int, measure: str) -> Row:
        first, arm = self.arms[0], self.arms[number]
        confidence = AT_STOP if self.until else CONFIDENCE
        value = estimate(self.played, number, measure, confidence)
        if number == 0:
            return Row(arm, number, measure, value, None, None)
        if not comparable(self.arms, number, measure):
            why = why_not_comparable(self.arms, number, measure)
            return Row(arm, number, measure, value, None, Verdict("unknown", why))
        gap = difference(self.played, number, measure, confidence)
        margin, ways = self.margins[measure], directions(measure, first, arm)
        if self.until:
            verdict = judge_decided(measure, gap.interval, self.until.tests[number, measure].kind, margin, *ways)
        elif gap.unchanged:
            verdict = judge_unchanged(gap.interval, margin)
        else:
            verdict = judge(measure, gap.interval, margin, *ways)
        return Row(arm, number, measure, value, gap, verdict, detectable(gap.interval, confidence))

    @property
    def own_margins(self) -> dict[str, float]:
        """Margins of the compared measures that differ from the defaults."""
        usual = margins_of()
        return {name: self.margins[name] for name in self.measures if self.margins[name] != usual[name]}

    def words(self) -> list[str]:
        return [
            *super().words(),
            *(word for name, value in self.own_margins.items() for word in ("--margin", f"{name}={value!r}")),
            *(["--until-decided"] if self.until else []),
        ]

    def python_words(self) -> dict[str, Any]:
        return ({"margins": self.own_margins} if self.own_margins else {}) | super().python_words()

    def frame(self) -> pd.DataFrame:
        """One row per measure and arm; differences are to the first arm."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.arm_columns(row.number),
                "arm": row.arm.label,
                "measure": row.measure,
                **interval_columns("value", row.value),
                "n": row.value.n,
                **interval_columns("difference", row.difference.interval if row.difference else None),
                "stands": (row.number, row.measure) in self.standing if row.difference else None,
                **interval_columns("odds_ratio", row.difference.odds if row.difference else None),
                "paired": row.difference.paired if row.difference else None,
                "changed": row.difference.changed if row.difference else None,
                "variance_ratio": row.difference.variance_ratio if row.difference else None,
                "games_saved": row.difference.games_saved if row.difference else None,
                "detectable": row.detectable,
                "verdict": row.verdict.text if row.verdict else None,
                "more_games": row.verdict.more_games if row.verdict else None,
                **self.digest_columns(),
                "rules_digest": row.arm.setup.digest,
            }
            for row in self.rows
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle compare --json` prints; the keys outside `arms` describe the first arm."""
        return {
            **self.head(),
            "arms": [
                {
                    "arm": arm.label,
                    **self.arm_as_json(number),
                    "games": self.played.tally(number).games,
                    "measures": {
                        row.measure: row.as_json((number, row.measure) in self.standing)
                        for row in self.rows
                        if row.number == number
                    },
                }
                for number, arm in enumerate(self.arms)
            ],
            "until_decided": self.until.as_json() if self.until else None,
            "findings": [finding.as_json() for finding in self.findings],
        }


@checked
def compare(
    setups: Setups,
    *,
    strategies: Strategies = None,
    games: Whole | None = None,
    seed: int = SEED,
    first: int = 0,
    measures: str | Iterable[str] = (),
    margins: Mapping[str, float] | None = None,
    margin: float | None = None,
    until_decided: bool = False,
    search_games: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare setups or strategies with the first of them, on the same games.

    Games are paired, so the luck of the deal cancels. Setups with another number of players have other deals and are
    not paired.

    Parameters
    ----------
    setups : list of Setup, Grid, Setup or str
        Setups of one game, from `houle.setup` or `houle.grid`, or the name of a game for its default setup.
    strategies : str or iterable of str, optional
        Who plays: one line-up for all setups (`"thumb"`, `"thumb,random,random"`), or several to compare. Default:
        `thumb`, or `random` in a game without weights.
    games : int, optional
        Number of games of each arm, 100,000 by default. With `until_decided` the most that are played.
    seed, first : int
        Which games: numbers `first`, `first + 1`, ... of a seed.
    measures : str or iterable of str
        What to compare: `"win"`, `"score"`, `"length"` (turns of a game), `"draws"`, `"first-seat"`, `"spread"`. By
        default win and score if all play together, else the last four.
    margins : mapping, optional
        The smallest difference that matters, by measure, with rates as shares: `{"win": 0.01}`.
    margin : float, optional
        The same for all rates, in percentage points; 0.5 by default.
    until_decided : bool
        Play until every difference is known to be positive, negative, or smaller than its margin. These sequential
        tests find a difference that does not exist in at most 5% of runs. Decided arms stop playing.
    search_games : int, optional
        Number of games of arms with a player that searches, if fewer; of all arms if the first has one.
    threads : int, optional
        Number of threads; one per core by default. It does not change the result.
    progress : callable, optional
        Called as `progress(games, seconds)` while games are played.

    Returns
    -------
    Comparison
        With `.rows`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> setups = [houle.setup("wave"), houle.setup("wave", variants="virage")]
    >>> result = houle.compare(setups, strategies="random", games=1_000, measures=["score"])
    >>> [(row.arm.label, row.verdict.text) for row in result.rows[1:]]
    [('virage', 'harder')]
    >>> result.repeat()
    'houle compare wave -p 3 -v base -v virage -s random --measure score -n 1000 --seed 1'
    >>> result = houle.compare(setups, strategies="random", measures=["score"], until_decided=True)
    >>> [(row.verdict.text, row.value.n) for row in result.rows[1:]]
    [('harder', 1850)]
    """
    grid = as_grid(setups, strategies, strict=True)
    matters = margins_of(margins, margin)
    number = None if games is None else int(games)
    return compare_grid(
        grid, number, seed, several(measures), matters, threads, progress, first, until_decided, search_games
    )


def compare_grid(
    grid: Grid,
    games: int | None,
    seed: int,
    measures: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    first: int = 0,
    until_decided: bool = False,
    search_games: int | None = None,
) -> Comparison:
    """Like `compare`, for a grid."""
    if not 2 <= len(grid.arms) <= BATCH_SIZE:
        more = (
            "give several setups or strategies (-v, -p, -s or --rules twice, --set several values)"
            if len(grid.arms) < 2
            else "use a sweep for more"
        )
        raise InputError(f"a comparison needs 2 to {BATCH_SIZE} variants, this has {len(grid.arms)}; {more}")
    most = (STRETCH if until_decided else GAMES) if games is None else check_int("games", games, 2, STRETCH)
    check_int("seed", seed, 0, MOST_SEED)
    check_int("first", first, 0, MOST_GAMES)
    if search_games is not None:
        check_int("search_games", search_games, 2, STRETCH)
    chosen = check_measures(measures) or usual_measures([arm.setup for arm in grid.arms])
    matters = margins_of(margins)
    counts = counts_of(grid.arms, most, search_games)
    if until_decided:
        return _until_decided(grid, seed, first, most, counts, chosen, matters, search_games, threads, progress)
    played = play_each(grid.arms, seed, counts, threads, progress, first)
    return Comparison(grid, played, chosen, matters, search_games=search_games)


def _until_decided(
    grid: Grid,
    seed: int,
    first: int,
    most: int,
    counts: Sequence[int],
    measures: tuple[str, ...],
    margins: Mapping[str, float],
    search_games: int | None,
    threads: int | None,
    progress: Progress | None,
) -> Comparison:
    tests = {
        (arm, measure): Decision(margins[measure])
        for arm in range(1, len(grid.arms))
        for measure in measures
        if comparable(grid.arms, arm, measure)
    }
    until = UntilDecided(most, tests)
    expect: Callable[[int], None] | None = getattr(progress, "expect", None)

    def still_open(played: Played) -> list[int]:
        for (arm, measure), test in tests.items():
            if test.kind is None:
                test.look(difference(played, arm, measure, AT_STOP).interval)
        going = until.going(played, counts)
        if expect and going:
            expect(until.expected(played, [0, *going]))
        return going

    ends = sorted({*looks(most), *counts})
    played = play_until(grid.arms, seed, ends, still_open, threads, progress, first)
    return Comparison(grid, played, measures, margins, until=until, search_games=search_games)
