"""`sweep`: play every cell of a grid, and show which of them reach their targets.

The cell that fits best was picked for it, perhaps by luck, so it is played again on as many fresh games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, answer, text
from houle.analysis.limits import GAMES
from houle.analysis.measures.measures import (
    by_player,
    check_measures,
    estimate,
    has_measure,
    measure_name,
    measures_of,
    possible_measures,
    usual_measures,
)
from houle.analysis.measures.targets import INSIDE, OUTSIDE, PERHAPS, Target, parse_target, worst
from houle.analysis.measures.verdicts import Margins, amount, margins_of
from houle.analysis.players.line_ups import Strategies, usual_games
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.experiment import Experiment, Sample, play, play_arms
from houle.analysis.sampling.grid import Arm, Grid, Setups, as_grid
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.tables.compare import players_of_measures
from houle.analysis.tables.table import Confirmed, Row, Table
from houle.analysis.tables.until_sure import UntilSure, most_games
from houle.solver.errors import InputError, StrategyError

QUESTION = "Which settings fit?"
KINDS = (INSIDE, PERHAPS, OUTSIDE, None)  # the order of the rows


@dataclass(frozen=True)
class Cell:
    """One combination, measured."""

    arm: Arm
    number: int
    measures: Mapping[str, Estimate]
    targets: tuple[tuple[Target, str], ...]  # those for its players: inside, perhaps or outside

    @property
    def hit(self) -> str | None:
        """All targets together: one miss is a miss; None if none is for its players."""
        return worst(hit for _, hit in self.targets)

    @property
    def off_middle(self) -> float:
        """How far it is from the middle of its targets."""
        return sum(target.off_middle(self.measures[target.measure]) for target, _ in self.targets)

    @property
    def distance(self) -> float:
        """How far it is outside, in widths of the targets."""
        return sum(abs(off) / ((target.high - target.low) or 1.0) for target, off in self.missed)

    @property
    def missed(self) -> list[tuple[Target, float]]:
        """The targets that it certainly misses, and by how much it is too high (or, if negative, too low)."""
        return [(target, target.off(self.measures[target.measure])) for target, hit in self.targets if hit == OUTSIDE]

    @property
    def miss(self) -> str:
        """`too hard by 3.2 points`, for each missed target; `win too low by 3.2 points` in competitive games."""
        words = []
        for target, off in self.missed:
            by = amount(target.measure, abs(off))
            if target.measure == "win" and self.arm.setup.one_sided:
                words.append(f"too {'easy' if off > 0 else 'hard'} by {by}")
            else:
                words.append(
                    f"{measure_name(target.measure, self.arm.setup)} too {'high' if off > 0 else 'low'} by {by}"
                )
        return ", ".join(words)

    def rows(self) -> list[Row]:
        return [
            Row(
                arm=self.arm,
                number=self.number,
                label=self.arm.label,
                measure=measure,
                value=value,
                target=self.hit,
                note=self.miss,
            )
            for measure, value in self.measures.items()
        ]


def is_settled(target: Target, now: Estimate, margin: float) -> bool:
    """Whether it is known if a cell meets a target, or that it is nearer to an edge than the margin."""
    over = [edge for edge in (target.low, target.high) if now.low < edge < now.high]
    return all(max(edge - now.low, now.high - edge) <= margin for edge in over)


def _until_sure(
    arms: Sequence[Arm], spec: RunSpec, targets: Sequence[Target], margins: Margins
) -> tuple[UntilSure, Sample]:
    """Play every cell until it is known whether it meets its targets."""
    if not targets:
        raise InputError("--until-sure: there is nothing to find out; give a target")
    asked = [[target for target in targets if target.is_for(arm.strategies)] for arm in arms]
    until = UntilSure(spec.games, sum(map(len, asked)))

    def known(sample: Sample, arm: int) -> bool:
        found = [(target, estimate(sample, arm, target.measure, until.confidence)) for target in asked[arm]]
        missed = any(target.holds(now) == OUTSIDE for target, now in found)
        return missed or all(is_settled(target, now, margins[target.measure]) for target, now in found)

    return until.play(Experiment(tuple(arms)), spec, known)


@checked
def sweep(
    setups: Setups,
    *,
    strategies: Strategies = None,
    measures: str | Iterable[str] = (),
    targets: str | Iterable[str] = (),
    until_sure: bool = False,
    margin: float | None = None,
    **run: Unpack[RunOptions],
) -> Table:
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
    until_sure : bool
        Play every cell until it is known to be inside the targets, outside, or nearer to an edge than the margin. Most
        games then go to the cells near an edge. It has the looks of `houle.compare`.
    margin : float, optional
        How near counts as at the edge: in percentage points for rates (0.5 by default), else in the unit of the
        measure.
    games : int
        Of each cell, 100,000 by default, at most 5,000 if people think; with `until_sure` the most that are
        played, 640,000 by default, at most 32,000 if people think.

    Returns
    -------
    Table
        With `.rows` (every measure of every cell, with `.target`), `.confirmed`, `.frame()`, `.as_json()` and
        `.plot()`.

    Examples
    --------
    >>> import houle
    >>> grid = houle.grid("wave", set={"hand.back": [0, 4]})
    >>> result = houle.sweep(grid, strategies="thumb", games=500, targets=["win=30..70"])
    >>> [(row.label, row.target) for row in result.of("win")]
    [('hand.back=4', 'inside'), ('hand.back=0', 'outside')]
    >>> result.confirmed.row.label, result.confirmed.again
    ('hand.back=4', True)
    """
    asked = by_player(several(measures))
    grid = as_grid(setups, players_of_measures(asked, strategies))
    wanted = [parse_target(text, "--target", grid.arms[0].setup) for text in several(targets)]
    chosen = check_sweep(grid, [name for names in asked.values() for name in names], wanted)
    usual = usual_games((arm.line_up for arm in grid.arms), GAMES)
    spec, margins = RunSpec.of(run, most_games(usual) if until_sure else usual), margins_of(margin)
    if until_sure:
        until, sample = _until_sure(grid.arms, spec, wanted, margins)
    else:
        until, sample = None, play(Experiment(grid.arms), spec)
    confidence = until.confidence if until else CONFIDENCE
    cells = [
        cell_of(sample, arm, chosen, wanted, confidence=confidence)
        for arm in range(len(grid.arms))
        if sample.deals(arm)
    ]
    confirmed = None
    best = min((cell for cell in cells if cell.hit in (INSIDE, PERHAPS)), key=_fits, default=None)
    if best is not None and not sample.interrupted:
        fresh = spec.part(sample.deals(best.number), max(map(sample.deals, range(len(grid.arms)))))
        confirmed = confirm(best, fresh)
    if best is not None and confirmed is not None and not confirmed.again:  # so that no page says two things of it
        doubtful = replace(best, targets=tuple((one, PERHAPS if hit == INSIDE else hit) for one, hit in best.targets))
        cells[cells.index(best)] = doubtful
    cells.sort(key=lambda cell: (KINDS.index(cell.hit), cell.distance))
    rows = tuple(row for cell in cells for row in cell.rows())
    looks: tuple[Block, ...] = ()
    if until:
        looks = (
            answer(
                "looks",
                text(
                    "at most seven looks, each after twice as many games. The intervals of all looks and setups "
                    "hold together in 95% of runs. Perhaps: an end of the range is within the interval, and "
                    "at most the margin away"
                ),
            ),
        )
    return Table(
        "sweep",
        QUESTION,
        main=grid.arms[0].setup,
        sample=sample,
        rows=rows,
        measures=chosen,
        remarks=looks,
        grid=grid,
        targets=tuple(wanted),
        left_out=(*grid.left_out, *sample.left_out),
        until=until,
        confirmed=confirmed,
        margin=margin,
    )


def _fits(cell: Cell) -> tuple[bool, float]:
    """The most central of those inside, else of those perhaps inside."""
    return cell.hit != INSIDE, cell.off_middle


def cell_of(sample: Sample, number: int, measures: Sequence[str], targets: Sequence[Target], confidence: float) -> Cell:
    """One combination, with all measures that it has."""
    arm = sample.arms[number]
    wanted = [target for target in targets if target.is_for(arm.strategies)]
    names = dict.fromkeys((*measures, *possible_measures(arm.setup), *(target.measure for target in targets)))
    measured = {name: estimate(sample, number, name, confidence) for name in names}
    return Cell(arm, number, measured, tuple((one, one.holds(measured[one.measure])) for one in wanted))


def confirm(cell: Cell, spec: RunSpec) -> Confirmed | None:
    """Play a picked cell on fresh games; None after Ctrl-C."""
    sample = play_arms((cell.arm,), spec)
    if sample.interrupted:
        return None
    names = tuple(dict.fromkeys(target.measure for target, _ in cell.targets))
    fresh = {name: estimate(sample, 0, name) for name in names}
    again = worst(target.holds(fresh[target.measure]) for target, _ in cell.targets) == INSIDE
    picked = {name: cell.measures[name] for name in names}
    return Confirmed(
        row=cell.rows()[0],
        picked=picked,
        fresh=fresh,
        again=again,
        games=spec.games,
        first=spec.first,
        digest=sample.digest_of(0),
    )


def check_sweep(grid: Grid, measures: Sequence[str], targets: Sequence[Target]) -> tuple[str, ...]:
    """The measures to show; raises if a cell lacks one of them, or if nobody plays for a target."""
    chosen = check_measures(measures) or tuple(dict.fromkeys(target.measure for target in targets))
    chosen = chosen or usual_measures([arm.setup for arm in grid.arms])
    for target in targets:
        if not any(target.is_for(arm.strategies) for arm in grid.arms):
            raise StrategyError(
                f"target: {target.text!r}: nobody plays {target.player}; in the grid: {', '.join(grid.line_ups)}"
            )
    for name in (*chosen, *(target.measure for target in targets)):
        for arm in grid.arms:
            if not has_measure(arm.setup, name):
                raise InputError(f"{name}: not a measure of {arm.setup.summary}; allowed: {measures_of(arm.setup)}")
    return chosen
