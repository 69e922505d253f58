"""`compare`: arms on the same games, their differences with intervals, and a verdict in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.comparison.both_ways import BothWays, both_ways
from houle.analysis.comparison.power import plan_arms
from houle.analysis.comparison.several_setups import SeveralSetups, UntilDecided
from houle.analysis.limits import GAMES, check_int
from houle.analysis.measures.measures import (
    Difference,
    by_player,
    check_decidable,
    check_measures,
    comparable,
    difference,
    estimate,
    is_percent,
    measure_name,
    usual_measures,
    why_not_comparable,
)
from houle.analysis.measures.verdicts import (
    Verdict,
    directions,
    judge,
    judge_decided,
    judge_unchanged,
    margins_of,
)
from houle.analysis.players.line_ups import Strategies, line_up, usual_games
from houle.analysis.result import Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.grid import Arm, Grid, Setups, as_grid, short_line_up
from houle.analysis.sampling.group_points import at_points, refuse_groups
from houle.analysis.sampling.paired_arms import BATCH_SIZE, STRETCH, PlayedArms, counts_of, play_each
from houle.analysis.stats.differences import standing
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.sequential_tests import AT_STOP, Decision, detectable
from houle.solver.errors import InputError
from houle.solver.rules import PRINTED_RULES, is_own, make_setup, printed, variant_name

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ComparedRow:
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

    def facts(self, stands: bool) -> Record:
        """What is known about the difference beside its interval."""
        gap = self.difference
        known = {name: getattr(gap, name, None) for name in ("paired", "changed", "variance_ratio", "games_saved")}
        odds = gap.odds if gap else None
        return {
            "stands": stands if gap else None,
            "odds_ratio": odds or MISSING,
            **known,
            "detectable": self.detectable,
        }

    @property
    def judgement(self) -> Record:
        """The verdict."""
        text, more = (self.verdict.text, self.verdict.more_games) if self.verdict else (None, None)
        return {"verdict": text, "more_games": more}


@dataclass(frozen=True, repr=False)
class Comparison(SeveralSetups):
    """Differences of several arms from the first, measure by measure."""

    confidence: float = field(default=CONFIDENCE, kw_only=True)  # of each interval; higher if they are joint

    command = "compare"
    rows_key, arm_key = "arms", "arm"

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
        certain = standing([row.difference.interval if row.difference else None for row in self.rows], self.confidence)
        return {(row.number, row.measure) for row, stands in zip(self.rows, certain, strict=True) if stands}

    def stands(self, row: ComparedRow) -> bool:
        return (row.number, row.measure) in self.standing

    @property
    def differences(self) -> int:
        """The number of differences."""
        return sum(row.difference is not None for row in self.rows)

    @cached_property
    def rows(self) -> list[ComparedRow]:
        """By measure, then by arm."""
        return [self._row(arm, measure) for measure in self.measures for arm in range(len(self.arms))]

    def _row(self, number: int, measure: str) -> ComparedRow:
        first, arm = self.arms[0], self.arms[number]
        confidence = AT_STOP if self.until else self.confidence
        value = estimate(self.played, number, measure, confidence)
        if number == 0:
            return ComparedRow(arm, number, measure, value, None, None)
        if not comparable(self.arms, number, measure):
            why = why_not_comparable(self.arms, number, measure)
            return ComparedRow(arm, number, measure, value, None, Verdict("unknown", why))
        gap = difference(self.played, number, measure, confidence)
        margin, ways = self.margins[measure], directions(measure, first, arm)
        if self.until:
            verdict = judge_decided(measure, gap.interval, self.until.tests[number, measure].kind, margin, *ways)
        elif gap.unchanged:
            verdict = judge_unchanged(gap.interval, margin)
        else:
            verdict = judge(measure, gap.interval, margin, *ways, self.confidence)
        return ComparedRow(arm, number, measure, value, gap, verdict, detectable(gap.interval, confidence))

    def both_ways(self, arm: int = 1) -> BothWays | None:
        """The deals of an arm and the first by who wins them: both, one of them, none; None where players compete."""
        return both_ways(self.played, arm)

    def measured(self) -> list[tuple[int, Record]]:
        """One row per measure and arm; differences are to the first arm."""
        return [(row.number, self.record(row)) for row in self.rows]

    def record(self, row: ComparedRow) -> Record:
        return {
            "arm": row.arm.label,
            "measure": row.measure,
            "value": row.value,
            "n": row.value.n,
            "difference": row.difference.interval if row.difference else MISSING,
            **row.facts(self.stands(row)),
            **row.judgement,
        }

    def arm_records(self) -> list[tuple[int, Record]]:
        return [
            (
                number,
                {
                    "games": self.played.tally(number).games,
                    "measures": {row.measure: self._nested(row) for row in self.rows if row.number == number},
                },
            )
            for number in range(len(self.arms))
        ]

    def _nested(self, row: ComparedRow) -> Record:
        gap = row.difference
        difference = {**gap.interval.as_json(), **row.facts(self.stands(row))} if gap else None
        return {**row.value.as_json(), "difference": difference, **row.judgement}


@checked
def compare(
    setups: Setups,
    *,
    strategies: Strategies = None,
    measures: str | Iterable[str] = (),
    margins: Mapping[str, float] | None = None,
    margin: float | None = None,
    until_decided: bool = False,
    search_games: int | None = None,
    **run: Unpack[RunOptions],
) -> Comparison | Comparisons:
    """Compare setups or strategies with the first of them, on the same games.

    Games are paired, so the luck of the deal cancels. Setups with another number of players have other deals and are
    not paired.

    Parameters
    ----------
    setups : list of Setup, Grid, Setup or str
        Setups of one game, from `houle.setup` or `houle.grid`, or the name of a game for its default setup. One variant
        is compared with the printed rules.
    strategies : str or iterable of str, optional
        Who plays: one line-up for all setups (`"thumb"`, `"thumb,random,random"`), or several to compare. Default:
        `family`, or `random` in a game without weights.
    measures : str or iterable of str
        What to compare: `"win"`, `"score"`, `"length"` (turns of a game), `"draws"`, `"first-seat"`, `"spread"`,
        `"balance"`, `"length:p90"`. By default win and score if all play together, else length, draws, first-seat and
        spread. `"win@family"` names its players, in place of `strategies`.
    margin : float, optional
        The same for all rates, in percentage points; 0.5 by default.
    until_decided : bool
        Play until every difference is known to be positive, negative, or smaller than its margin. These sequential
        tests find a difference that does not exist in at most 5% of runs. Decided arms stop playing.
    search_games : int, optional
        Number of games of arms with a player that searches, if fewer; of all arms if the first has one.
    games : int
        Of each arm, 100,000 by default, at most 5,000 if people think; with `until_decided` the most that are played.

    Returns
    -------
    Comparison or Comparisons
        With `.rows`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`. Several players of several setups are
        compared each with their own first setup: then `.results` has a Comparison of each player.

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
    chosen = by_player(several(measures))
    players = players_of_measures(chosen, strategies)
    grid = beside_print(as_grid(setups, players, strict=True))
    matters = margins_of(margins, margin)
    usual = usual_games((arm.line_up for arm in grid.arms), GAMES)
    spec = RunSpec.of(run, STRETCH if until_decided else usual, least=2, most=STRETCH)
    results = [
        compare_grid(one, spec, measures_for(one, chosen), matters, until_decided, search_games)
        for one in by_line_up(grid)
    ]
    return results[0] if len(results) == 1 else Comparisons(results)


def players_of_measures(chosen: Mapping[str, Sequence[str]], strategies: Strategies) -> Strategies:
    """The players that measures name (`win@family`), or those that were given; InputError for both."""
    named = [player for player in chosen if player]
    if named and strategies:
        raise InputError(f"measure: @{named[0]} and players are both given; allowed: one of them")
    return named or strategies


def measures_for(grid: Grid, chosen: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The measures of the players of a grid; those of nobody in particular are for everyone."""
    asked = {short_line_up(line_up(grid.arms[0].setup, player).names) if player else "": names
             for player, names in chosen.items()}  # fmt: skip
    return asked.get(short_line_up(grid.arms[0].strategies), next(iter(asked.values())))


def beside_print(grid: Grid) -> Grid:
    """A grid of one variant with the printed rules before it, or the base game before a printed variant.

    Several players of a printed variant stay as they are: they are compared with each other.
    """
    setup = grid.arms[0].setup
    if len({arm.setup.digest for arm in grid.arms}) > 1 or (len(grid.arms) > 1 and not is_own(setup)):
        return grid
    first = printed(setup)
    if first.digest == setup.digest:
        first = make_setup(setup.ruleset.name, setup.players)
    if first.digest == setup.digest:
        return grid
    name = PRINTED_RULES if first.variants == setup.variants else variant_name(first)
    arms: list[Arm] = []
    for arm in grid.arms:
        who = f", {arm.label}" if len(grid.arms) > 1 else ""
        own = replace(arm, label=f"{variant_name(setup)}{who}") if len(grid.arms) > 1 else arm
        arms += [Arm(replace(arm.line_up, setup=first), arm.values, f"{name}{who}"), own]
    return replace(grid, arms=tuple(arms))


@dataclass(frozen=True)
class Comparisons:
    """The comparisons of several players, each of all variants."""

    results: list[Comparison]

    def frame(self, whole: bool = False) -> pd.DataFrame:
        import pandas as pd

        return pd.concat([result.frame(whole) for result in self.results], ignore_index=True)

    def as_json(self) -> dict[str, Any]:
        return {"command": "compare", "comparisons": [result.as_json() for result in self.results]}


def by_line_up(grid: Grid) -> list[Grid]:
    """A grid for each line-up, if there are also several setups: a variant is then compared within each player."""
    players: dict[str, list[Arm]] = {}
    for arm in grid.arms:
        players.setdefault(short_line_up(arm.strategies), []).append(arm)
    if len(players) < 2 or len({arm.setup.digest for arm in grid.arms}) < 2:
        return [grid]
    return [replace(grid, arms=tuple(arms)) for arms in players.values()]


def compare_grid(
    grid: Grid,
    spec: RunSpec,
    measures: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    until_decided: bool = False,
    search_games: int | None = None,
) -> Comparison:
    """Like `compare`, for a grid."""
    if not 2 <= len(grid.arms) <= BATCH_SIZE:
        more = (
            "give several setups or players, or rules that differ from print"
            if len(grid.arms) < 2
            else "use a sweep for more"
        )
        raise InputError(f"a comparison needs 2 to {BATCH_SIZE} variants, this has {len(grid.arms)}; {more}")
    if search_games is not None:
        check_int("search_games", search_games, 2, STRETCH)
    chosen = check_measures(measures) or usual_measures([arm.setup for arm in grid.arms])
    matters = margins_of(margins)
    counts = counts_of(grid.arms, spec.games, search_games)
    if until_decided:
        refuse_groups(grid.arms, "until_decided")
        check_decidable(chosen)
        until, played = _decide(grid.arms, spec, counts, chosen, matters)
    else:
        spec.begin(plan_arms(grid.arms, spec.games, search_games))
        until, played = None, at_points(play_each(grid.arms, spec, counts), spec)
    return Comparison(grid, played, chosen, matters, until=until, search_games=search_games)


def _decide(
    arms: Sequence[Arm],
    spec: RunSpec,
    counts: Sequence[int],
    measures: Sequence[str],
    margins: Mapping[str, float],
) -> tuple[UntilDecided, PlayedArms]:
    """Play until every difference is decided."""
    tests = {
        (arm, measure): Decision(margins[measure])
        for arm in range(1, len(arms))
        for measure in measures
        if comparable(arms, arm, measure)
    }
    until = UntilDecided(spec.games, tests)

    def look(played: PlayedArms) -> None:
        for (arm, measure), test in tests.items():
            if test.kind is None:
                test.look(difference(played, arm, measure, AT_STOP).interval)

    return until, until.play(arms, spec, counts, look, pairs=True)
