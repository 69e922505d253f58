"""`compare`: several setups or players on the same deals, their differences with intervals, and a verdict in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, answer, text
from houle.analysis.limits import GAMES
from houle.analysis.measures.measures import (
    by_player,
    check_measures,
    difference,
    estimate,
    usual_measures,
    why_not_comparable,
)
from houle.analysis.measures.verdicts import Margins, Verdict, directions, judge, judge_unchanged, margins_of
from houle.analysis.players.line_ups import Strategies, line_up, usual_games
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.experiment import BATCH_SIZE, STRETCH, Experiment, Sample, play
from houle.analysis.sampling.grid import Arm, Grid, Setups, as_grid, short_line_up
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.looks import confidence_at, end_of
from houle.analysis.tables.both_ways import both_ways
from houle.analysis.tables.table import NOTHING, REFERENCE, Row, Table
from houle.analysis.tables.until_sure import UntilSure, most_games
from houle.solver.errors import InputError
from houle.solver.rules import PRINTED_RULES, is_own, make_setup, printed, variant_name

QUESTION = "What does a change of rules or players do?"


@checked
def compare(
    setups: Setups,
    *,
    strategies: Strategies = None,
    measures: str | Iterable[str] = (),
    margin: float | None = None,
    until_sure: bool = False,
    **run: Unpack[RunOptions],
) -> Table:
    """Compare setups or strategies with the first of them, on the same games.

    Games are paired: all setups play the same deals, which makes differences surer where few rules change. Setups with
    another number of players have other deals and are not paired.

    Parameters
    ----------
    setups : list of Setup, Grid, Setup or str
        Setups of one game, from `houle.setup` or `houle.grid`, or the name of a game for its default setup. One variant
        is compared with the printed rules.
    strategies : str or iterable of str, optional
        Who plays: one line-up for all setups (`"thumb"`, `"thumb,random,random"`), or several to compare. Default:
        `family`, or `random` in a game without rules of thumb.
    measures : str or iterable of str
        What to compare: `"win"`, `"score"`, `"length"` (turns of a game), `"draws"`, `"first-seat"`, `"spread"`,
        `"seat-gap"`, `"length:p90"`. By default win and score if all play together, else length, draws, first-seat and
        spread. `"win@family"` names its players, in place of `strategies`.
    until_sure : bool
        Look at most seven times, each time after twice as many games. An arm ends when each of its differences is known
        to be positive, negative, or smaller than the margin. All intervals of all looks hold together in 95% of runs.
    games : int
        Of each arm, 100,000 by default, at most 5,000 if people think; with `until_sure` the most that are
        played, 640,000 by default, at most 32,000 if people think.

    Returns
    -------
    Table
        With `.rows`, `.blocks()`, `.frame()`, `.as_json()` and `.plot()`. Several players of several setups are
        compared each with the first setup of their own.

    Examples
    --------
    >>> import houle
    >>> setups = [houle.setup("wave"), houle.setup("wave", variants="virage")]
    >>> result = houle.compare(setups, strategies="random", games=1_000, measures=["score"])
    >>> [(row.label, row.verdict.text) for row in result.rows[1:]]
    [('virage', 'harder')]
    >>> result.repeat()
    'houle compare wave -p 3 -v base -v virage -s random --measure score -n 1000 --seed 1'
    >>> result = houle.compare(setups, strategies="random", measures=["score"], until_sure=True)
    >>> [(row.verdict.text, row.value.n) for row in result.rows[1:]]
    [('harder', 10000)]
    """
    chosen = by_player(several(measures))
    grid = beside_print(as_grid(setups, players_of_measures(chosen, strategies), strict=True))
    usual = usual_games((arm.line_up for arm in grid.arms), GAMES)
    spec = RunSpec.of(run, most_games(usual) if until_sure else usual, least=2, most=STRETCH)
    return compare_grid(grid, spec, chosen, margin, until_sure=until_sure)


def players_of_measures(chosen: Mapping[str, Sequence[str]], strategies: Strategies) -> Strategies:
    """The players that measures name (`win@family`), or those that were given; InputError for both."""
    named = [player for player in chosen if player]
    if named and strategies:
        raise InputError(f"measure: @{named[0]} and players are both given; allowed: one of them")
    return named or strategies


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


def compared_with(grid: Grid) -> Experiment:
    """Every arm compared with the first; a variant within each player if there are several of both."""
    arms, who = grid.arms, [short_line_up(arm.strategies) for arm in grid.arms]
    within = len(set(who)) > 1 and len({arm.setup.digest for arm in arms}) > 1
    first = [who.index(name) if within else 0 for name in who]
    return Experiment(arms, tuple((arm, other) for arm, other in enumerate(first) if arm != other))


def compare_grid(
    grid: Grid,
    spec: RunSpec,
    measures: Mapping[str, Sequence[str]] | None = None,
    margin: float | None = None,
    until_sure: bool = False,
) -> Table:
    """Like `compare`, for a grid; `measures` by player, with "" for all of them."""
    margins = margins_of(margin)
    if not 2 <= len(grid.arms) <= BATCH_SIZE:
        more = (
            "give several setups or players, or rules that differ from print"
            if len(grid.arms) < 2
            else "use a sweep for more"
        )
        raise InputError(f"a comparison needs 2 to {BATCH_SIZE} variants, this has {len(grid.arms)}; {more}")
    experiment, usual = compared_with(grid), usual_measures([arm.setup for arm in grid.arms])
    of_player = {
        short_line_up(line_up(grid.arms[0].setup, who).names) if who else "": check_measures(names) or usual
        for who, names in (measures or {"": ()}).items()
    }
    asked = [of_player.get(short_line_up(arm.strategies), next(iter(of_player.values()))) for arm in grid.arms]
    shown = tuple(dict.fromkeys(name for names in asked for name in names))
    open_ones = [
        (arm, other, measure)
        for arm, other in experiment.pairs
        for measure in asked[arm]
        if not why_not_comparable(grid.arms[other].setup, grid.arms[arm].setup, measure)
    ]
    until = UntilSure(spec.games, len(open_ones)) if until_sure else None
    if until is not None:
        confidence = until.confidence

        def known(sample: Sample, number: int) -> bool:
            mine = [(other, measure) for arm, other, measure in open_ones if arm == number]
            gaps = [(measure, difference(sample, number, measure, confidence, other=other)) for other, measure in mine]
            return all(end_of(gap.interval, margins[measure]) for measure, gap in gaps)

        until, sample = until.play(experiment, spec, known)
    else:
        confidence, sample = CONFIDENCE, play(experiment, spec)
    other_of = dict(experiment.pairs)
    rows = tuple(
        compared(sample, arm, other_of.get(arm), measure, margins=margins, confidence=confidence)
        for measure in shown
        for arm in range(len(grid.arms))
        if measure in asked[arm] and sample.deals(arm)
    )
    remarks = [*_both_ways(sample, shown), *([] if until else certain(sample, rows)), *_unpaired(sample)]
    return Table(
        "compare",
        QUESTION,
        main=grid.arms[0].setup,
        sample=sample,
        rows=rows,
        measures=shown,
        remarks=tuple(remarks),
        grid=grid,
        left_out=tuple(sample.left_out),
        until=until,
        margin=margin,
        by_change=True,
    )


def compared(
    sample: Sample, arm: int, other: int | None, measure: str, margins: Margins, confidence: float = CONFIDENCE
) -> Row:
    """A measure of an arm, compared with another arm; with None it is what others are compared with."""
    mine = sample.arms[arm]
    row = Row(
        arm=mine,
        number=arm,
        label=mine.label,
        measure=measure,
        value=estimate(sample, arm, measure, confidence),
        verdict=REFERENCE,
    )
    if other is None:
        return row
    first = sample.arms[other]
    row = replace(row, against=first.label, beside=estimate(sample, other, measure, confidence), verdict=NOTHING)
    if why := why_not_comparable(first.setup, mine.setup, measure):
        return replace(row, verdict=Verdict("unknown", why))
    gap, margin = difference(sample, arm, measure, confidence, other=other), margins[measure]
    if gap.unchanged:
        return replace(row, difference=gap, verdict=judge_unchanged(gap.interval, margin))
    words = directions(measure, first, mine)
    return replace(row, difference=gap, verdict=judge(measure, gap.interval, margin, *words))


def certain(sample: Sample, rows: Sequence[Row]) -> list[Block]:
    """Which differences are certain when all are judged together: by chance, one in twenty would look certain."""
    other_of, judged = dict(sample.pairs), [row for row in rows if row.difference]
    if len(judged) < 2:
        return []
    confidence = confidence_at(1, len(judged))
    sure = [
        f"{row.label} ({row.measure})"
        for row in judged
        if difference(sample, row.number, row.measure, confidence, other=other_of[row.number]).interval.differs
    ]
    both = "both" if len(judged) == 2 else f"all {len(judged)}"
    words = text("also when {both} differences are judged together: {sure}", both=both, sure="; ".join(sure) or "none")
    return [answer("certain", words)]


def _both_ways(sample: Sample, measures: Sequence[str]) -> list[Block]:
    """Two arms: a hundred deals with both rules."""
    pair = both_ways(sample, 1) if len(sample.arms) == 2 and "win" in measures else None
    return [pair.sentence()] if pair else []


def _unpaired(sample: Sample) -> list[Block]:
    others = [(arm, other) for arm, other in sample.pairs if not sample.paired(arm, other)]
    if not others:
        return []
    words = text(
        "{others}: other deals than {first}, because the number of players differs",
        others=", ".join(sample.arms[arm].label for arm, _ in others),
        first=sample.arms[others[0][1]].label,
    )
    return [answer("unpaired", words)]
