"""`sweep`: play every cell of a grid, and show which of them reach their targets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.comparison.compare import players_of_measures
from houle.analysis.comparison.confirmation import ConfirmedCell, confirm_cell
from houle.analysis.comparison.power import between_two, plan_arms
from houle.analysis.comparison.several_setups import SeveralSetups, UntilDecided
from houle.analysis.limits import GAMES
from houle.analysis.measures.measures import (
    by_player,
    check_decidable,
    check_measures,
    estimate,
    has_measure,
    is_percent,
    measure_name,
    measures_of,
    possible_measures,
    usual_measures,
)
from houle.analysis.measures.targets import INSIDE, LEAST, OUTSIDE, PERHAPS, Target, parse_target, worst
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.players.line_ups import Strategies, usual_games
from houle.analysis.result import Record, draw
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.grid import Arm, Grid, Setups, as_grid
from houle.analysis.sampling.group_points import at_points, refuse_groups
from houle.analysis.sampling.paired_arms import STRETCH, PlayedArms, counts_of, play_each
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.sequential_tests import AT_STOP, Decision
from houle.solver.errors import InputError, StrategyError
from houle.solver.run.tally import result_digest


@dataclass
class TargetTest:
    """The test of one target and one cell, updated at every look."""

    target: Target
    margin: float
    low: Decision = field(init=False)
    high: Decision = field(init=False)

    def __post_init__(self) -> None:
        self.low, self.high = Decision(self.margin), Decision(self.margin)
        # An end of the range that no rate can exceed needs no test.
        if is_percent(self.target.measure):
            if self.target.low <= LEAST.get(self.target.measure, 0.0):
                self.low.kind = "more"
            if self.target.high >= 1:
                self.high.kind = "less"

    def look(self, measure: Estimate) -> None:
        """Update with the present measure of the cell and its AT_STOP interval."""
        if self.kind is None:
            self.low.look(measure.shift(-self.target.low))
            self.high.look(measure.shift(-self.target.high))

    @property
    def kind(self) -> str | None:
        """inside, outside, or perhaps for a cell near an edge; None while it is open."""
        low, high = self.low.kind, self.high.kind
        if low == "less" or high == "more":
            return OUTSIDE
        if low is None or high is None:
            return None
        return INSIDE if (low, high) == ("more", "less") else PERHAPS

    def games(self, now: int) -> int:
        """The forecast number of games in total, for progress bars."""
        return now if self.kind is not None else max(self.low.games(now), self.high.games(now))


def decide_targets(
    arms: Sequence[Arm],
    spec: RunSpec,
    counts: Sequence[int],
    targets: Sequence[Target],
    margins: Mapping[str, float],
) -> tuple[UntilDecided, PlayedArms]:
    """Play all cells to the first look, then continue with those that are not decided."""
    if not targets:
        raise InputError("until_decided: there is nothing to decide; give a target")
    check_decidable(target.measure for target in targets)
    tests = {
        (number, i): TargetTest(target, margins[target.measure])
        for number, arm in enumerate(arms)
        for i, target in enumerate(targets)
        if target.is_for(arm.strategies)
    }
    until = UntilDecided(spec.games, tests)

    def look(played: PlayedArms) -> None:
        for (number, i), test in tests.items():
            if test.kind is None and played.tally(number).games:
                test.look(estimate(played, number, targets[i].measure, AT_STOP))

    return until, until.play(arms, spec, counts, look, pairs=False)


@dataclass(frozen=True)
class CellOfSweep:
    """One combination, measured."""

    arm: Arm
    number: int
    measures: Mapping[str, Estimate]
    targets: tuple[str | None, ...]  # for each target: inside, perhaps or outside; None if it is for other players
    digest: str  # as `houle simulate` gives it for the same games
    confidence: float = CONFIDENCE  # nominal confidence of the intervals

    def detectable(self, measure: str) -> float:
        """The smallest difference from another cell that as many games show 4 times in 5."""
        return between_two(self.measures[measure], self.confidence)

    @property
    def target(self) -> str | None:
        """All targets together: one miss is a miss."""
        return worst(self.targets)


@dataclass(frozen=True, repr=False)
class Sweep(SeveralSetups):
    """The cells of a grid, measured. The frame has every measure, pages and figures show the chosen ones."""

    targets: tuple[Target, ...] = ()
    confirmed: ConfirmedCell | None = None  # None if no cell fits the targets, or it was not asked for
    confirm: bool = True

    command = "sweep"
    rows_key, arm_key = "cells", "cell"

    @property
    def headline(self) -> str:
        measure, cells = self.measures[0], f"{len(self.arms)} cells"
        if self.targets:
            return f"{sum(cell.target == INSIDE for cell in self.cells)} of {cells} inside the targets"
        ends = sorted((cell.measures[measure] for cell in self.cells), key=lambda interval: interval.value)
        if not ends:
            return cells
        low, high = (interval.short() for interval in (ends[0], ends[-1]))
        return f"{cells}: {self.named(measure)} {low} to {high}"

    @cached_property
    def cells(self) -> list[CellOfSweep]:
        """The cells of which at least one game was played."""
        return [self._cell(number) for number in range(len(self.arms)) if self.played.tally(number).games]

    def _cell(self, number: int) -> CellOfSweep:
        arm = self.arms[number]
        confidence = AT_STOP if self.until else CONFIDENCE
        names = dict.fromkeys((*possible_measures(arm.setup), *self.measures, *self.judged))
        measured = {name: estimate(self.played, number, name, confidence) for name in names}
        hits = tuple(
            self._hit(number, i, measured[target.measure]) if target.is_for(arm.strategies) else None
            for i, target in enumerate(self.targets)
        )
        check = self.confirmed
        if check is not None and check.number == number and not check.again:  # so that no page says two things of it
            hits = tuple(PERHAPS if hit == INSIDE else hit for hit in hits)
        return CellOfSweep(arm, number, measured, hits, self.digest_of(number), confidence)

    def _hit(self, number: int, target: int, estimate: Estimate) -> str:
        """By the sequential tests if there are any, else by where the interval lies."""
        if self.until is None:
            return self.targets[target].holds(estimate)
        return self.until.tests[number, target].kind or PERHAPS

    @property
    def best(self) -> CellOfSweep | None:
        """The cell that fits the targets best: the most central of those inside, else of those perhaps inside."""
        for kind in (INSIDE, PERHAPS):
            cells = [cell for cell in self.cells if cell.target == kind]
            if self.confirmed is not None:
                cells = [cell for cell in cells if cell.number == self.confirmed.number]
            if cells:
                return min(cells, key=self._off_middle)
        return None

    def _off_middle(self, cell: CellOfSweep) -> float:
        wanted = [target for target in self.targets if target.is_for(cell.arm.strategies)]
        return sum(target.off_middle(cell.measures[target.measure]) for target in wanted)

    def off(self, cell: CellOfSweep) -> list[tuple[Target, float]]:
        """The targets that a cell certainly misses, and by how much it is too high (or, if negative, too low)."""
        missed = [target for target, hit in zip(self.targets, cell.targets, strict=True) if hit == OUTSIDE]
        return [(target, target.off(cell.measures[target.measure])) for target in missed]

    def named(self, measure: str) -> str:
        """A measure as a column heading: a score by its own name if all cells have the same."""
        several_scores = len({arm.setup.score for arm in self.arms}) > 1
        return measure if several_scores else measure_name(measure, self.setup)

    def percent(self, measure: str) -> bool:
        """Whether people read a measure as percent."""
        return is_percent(measure)

    @property
    def judged(self) -> Iterable[str]:
        return dict.fromkeys(target.measure for target in self.targets)

    @property
    def target_texts(self) -> list[str]:
        return [target.text for target in self.targets]

    def words(self) -> list[str]:
        return [*super().words(), *(["--no-confirm"] if self.targets and not self.confirm else [])]

    def python_words(self) -> dict[str, Any]:
        return ({"confirm": False} if self.targets and not self.confirm else {}) | super().python_words()

    def measured(self) -> list[tuple[int, Record]]:
        """One row per cell, with every measure as x, x_low, x_high, x_n."""
        return [(cell.number, self._row(cell)) for cell in self.cells]

    def _row(self, cell: CellOfSweep) -> Record:
        row: dict[str, Any] = {"n": self.played.tally(cell.number).games, "score_name": cell.arm.setup.score}
        for name, interval in cell.measures.items():
            key = name.replace("-", "_").replace(":", "_")
            row |= {key: interval, f"{key}_n": interval.n, f"{key}_detectable": cell.detectable(name)}
        if self.targets:
            row["target"] = cell.target
        if self.confirmed:
            mine = cell.number == self.confirmed.number
            for name, fresh in self.confirmed.fresh.items():
                row[f"{name.replace('-', '_')}_fresh"] = fresh if mine else MISSING
        return row

    def arm_records(self) -> list[tuple[int, Record]]:
        return [
            (
                cell.number,
                {
                    **({"rules": str(cell.arm.values["rules"])} if "rules" in cell.arm.values else {}),
                    **{f"set.{knob}": value for knob, value in cell.arm.settings.items()},
                    "n": self.played.tally(cell.number).games,
                    "score_name": cell.arm.setup.score,
                    "measures": cell.measures,
                    "detectable": {name: cell.detectable(name) for name in cell.measures},
                    "target": cell.target,
                    "result_digest": cell.digest,
                },
            )
            for cell in self.cells
        ]

    def digest_of(self, number: int) -> str:
        arm = self.arms[number]
        return result_digest(
            arm.setup, arm.line_up.digests, self.seed, self.played.firsts[number], self.played.tally(number)
        )

    def summary(self) -> Record:
        return {
            **super().summary(),
            "axes": self.grid.axes,
            "targets": self.target_texts,
            "confirmed": self.confirmed.record if self.confirmed else None,
            "left_out": [{"cell": label, "why": why} for label, why in self.grid.left_out],
        }

    def plot(self, path: str | Path | None = None, kind: str | None = None) -> Any:
        """The figure of the first measure, as `"line"` or `"heat"` map; by default the grid decides."""
        return draw(self, path, plot=kind)


@checked
def sweep(
    setups: Setups,
    *,
    strategies: Strategies = None,
    measures: str | Iterable[str] = (),
    targets: str | Iterable[str] = (),
    until_decided: bool = False,
    margin: float | None = None,
    margins: Mapping[str, float] | None = None,
    search_games: int | None = None,
    confirm: bool = True,
    **run: Unpack[RunOptions],
) -> Sweep:
    """Play every cell of a grid, and show which of them reach their targets.

    Parameters
    ----------
    setups : Grid, list of Setup, Setup or str
        A grid from `houle.grid`, or setups of one game.
    strategies : str or iterable of str, optional
        Who plays: one line-up for all setups, or several as an axis of the grid. Default: those of the grid.
    measures : str or iterable of str
        What pages and figures show; the frame has every measure.
    targets : str or iterable of str
        What you want: `"win=35%..45%"`; `"win=40%"` means 2 points more or less (2% of the value, if it is not a
        rate); `"win=40%@thumb"` is for one kind of player. All targets must hold.
    until_decided : bool
        Play every cell until it is known to be inside the targets, outside, or nearer to an edge than the margin. Most
        games then go to the cells near an edge. Uses the sequential tests of `houle.compare`.
    margin, margins : float and mapping, optional
        How near counts as at the edge: for all rates in percentage points (0.5 by default), or by measure with rates
        as shares.
    games : int
        Of each cell, 100,000 by default, at most 5,000 if people think; with `until_decided` the most that are played.

    Returns
    -------
    Sweep
        With `.cells`, `.best`, `.confirmed`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> grid = houle.grid("wave", set={"hand.back": [0, 4]})
    >>> result = houle.sweep(grid, strategies="thumb", games=500, targets=["win=30..70"])
    >>> [(cell.arm.label, cell.target) for cell in result.cells]
    [('hand.back=0', 'outside'), ('hand.back=4', 'inside')]
    >>> result.confirmed.arm.label, result.confirmed.again
    ('hand.back=4', True)
    """
    asked = by_player(several(measures))
    grid = as_grid(setups, players_of_measures(asked, strategies))
    wanted = [parse_target(text, setup=grid.arms[0].setup) for text in several(targets)]
    chosen = check_sweep(grid, [name for names in asked.values() for name in names], wanted)
    spec = RunSpec.of(run, STRETCH if until_decided else usual_games((arm.line_up for arm in grid.arms), GAMES))
    counts = counts_of(grid.arms, spec.games, search_games, pairs=False)
    matters = margins_of(margins, margin)
    if until_decided:
        refuse_groups(grid.arms, "until_decided")
        until, played = decide_targets(grid.arms, spec, counts, wanted, matters)
    else:
        spec.begin(plan_sweep(grid, spec.games, search_games, confirm and bool(wanted)))
        until, played = None, at_points(play_each(grid.arms, spec, counts, pairs=False), spec, pairs=False)
    result = Sweep(
        grid, played, chosen, matters, tuple(wanted), None, confirm, until=until, search_games=search_games
    )  # fmt: skip
    if not (confirm and wanted) or played.interrupted or result.best is None:
        return result
    best, used = result.best, max(played.tally(number).games for number in range(len(grid.arms)))
    fresh = spec.part(played.tally(best.number).games, used)
    return replace(result, confirmed=confirm_cell(best.arm, best.number, best.measures, wanted, fresh))


def plan_sweep(grid: Grid, games: int, search_games: int | None, confirm: bool) -> Plan:
    """What `sweep` plays: every cell, then with targets the best of them again."""
    again = Plan.of(("the best again", [grid.arms[0].line_up] * confirm, games))
    return plan_arms(grid.arms, games, search_games, pairs=False) + again


def check_sweep(grid: Grid, measures: Sequence[str], targets: Sequence[Target]) -> tuple[str, ...]:
    """The measures to show; raises if a cell lacks one of them, or if nobody plays for a target."""
    chosen = check_measures(measures) or tuple(dict.fromkeys(target.measure for target in targets))
    chosen = chosen or usual_measures([arm.setup for arm in grid.arms])
    for target in targets:
        if not any(target.is_for(arm.strategies) for arm in grid.arms):
            raise StrategyError(f"target: {target.text!r}: nobody plays {target.player}; in the grid: "
                                f"{', '.join(grid.line_ups)}")  # fmt: skip
    for name in (*chosen, *(target.measure for target in targets)):
        for arm in grid.arms:
            if not has_measure(arm.setup, name):
                raise InputError(f"{name}: not a measure of {arm.setup.summary}; allowed: {measures_of(arm.setup)}")
    return chosen
