"""`compare --open-rules`: which results depend on rules that the rulebook leaves open.

Each alternative of an open rule is played on the same games as the assumed rule, in a setup in which the rule applies.
Alternatives are ranked by what they certainly change. There are dozens of differences, so their intervals are joint
(effects.py). The first of the ranking was picked for its size and is played again on fresh games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, about, answer, note, text
from houle.analysis.limits import GAMES
from houle.analysis.measures.measures import check_measures, usual_measures
from houle.analysis.measures.verdicts import Margins, margins_of
from houle.analysis.players.line_ups import Strategies, as_setup, names_of, usual_games, usual_people
from houle.analysis.players.named_players import seated_players
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.experiment import STRETCH, Experiment, Sample, play
from houle.analysis.sampling.grid import Arm, short_line_up
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.looks import confidence_at
from houle.analysis.tables.compare import compared
from houle.analysis.tables.readings import turned_grids
from houle.analysis.tables.table import Confirmed, Row, Table
from houle.solver.errors import RulesError
from houle.solver.rules import Knob, Setup
from houle.solver.texts import count_of, in_words, listed

QUESTION = "Which results depend on rules that the rulebook leaves open?"
HEADS = {"label": "other reading"}


def knob_of(row: Row) -> Knob:
    """The open rule that a row changes."""
    return row.setup.ruleset.knobs[next(iter(row.arm.values))]


def matters(row: Row, margin: float) -> bool:
    """Whether there is certainly a difference, and it is not certainly small."""
    if row.change is None or row.verdict.kind not in ("more", "less"):
        return False
    return max(abs(row.change.low), abs(row.change.high)) > margin


def size(row: Row, margins: Margins) -> tuple[float, float]:
    """The certain and the estimated size of a difference, in units of what matters."""
    if row.change is None:
        return 0.0, 0.0
    return max(0.0, near_end(row.change)) / margins[row.measure], abs(row.change.value) / margins[row.measure]


@checked
def open_rules(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    measures: str | Iterable[str] = (),
    margin: float | None = None,
    elsewhere: bool = True,
    **run: Unpack[RunOptions],
) -> Table:
    """Change each rule that the rulebook leaves open, and rank these rules by what they change.

    Rules that the setup itself changes stay as they are. A rule that applies only in another setup is changed there.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Who plays: one for all players. Default: `family`, or `random` in a game without rules of thumb.
    elsewhere : bool
        Whether rules that apply only with other variants or players are changed there; False leaves them out.
    games : int
        Of each alternative, 100,000 by default; at most 5,000 of people who think.

    Returns
    -------
    Table
        A row for each alternative and measure, the most consequential alternatives first.

    Examples
    --------
    >>> import houle
    >>> result = houle.open_rules(houle.setup("wave"), strategies="random", games=100, measures=["score"])
    >>> sorted({rule for row in result.rows for rule in row.arm.values})
    ['dummy_swaps', 'facedown', 'facedown_reverses', 'heights', 'talk', 'virage_must_fit']
    """
    margins = margins_of(margin)
    played, chosen = as_setup(setup), check_measures(several(measures))
    grids, left_out = turned_grids(played, names_of(strategies) or usual_people(played))
    grids = grids if elsewhere else [grid for grid in grids if grid[1].arms[0].setup.digest == played.digest]
    if not grids:
        raise RulesError("no open rule can be changed in this setup")
    arms: list[Arm] = []
    pairs: list[tuple[int, int]] = []
    asked: list[Sequence[str]] = []
    for _, grid in grids:
        pairs += [(len(arms) + turned, len(arms)) for turned in range(1, len(grid.arms))]
        arms += grid.arms
        asked += [chosen or usual_measures([arm.setup for arm in grid.arms])] * len(grid.arms)
    spec = RunSpec.of(run, usual_games((arm.line_up for arm in arms), GAMES), least=2, most=STRETCH)
    experiment = Experiment(tuple(arms), tuple(pairs))
    spec.begin(experiment.plan(spec.games) + Experiment(tuple(arms[:2])).plan(spec.games, "the largest again"))
    sample = play(experiment, spec)
    number = sum(len(asked[arm]) for arm, _ in pairs)
    rows = [
        compared(sample, arm, other, measure, margins, confidence_at(1, number))
        for arm, other in pairs
        for measure in asked[arm]
        if sample.deals(arm) > 1
    ]
    most: dict[int, tuple[float, float]] = {}  # what each alternative changes most
    for row in rows:
        most[row.number] = max(most.get(row.number, (0.0, 0.0)), size(row, margins))
    rows.sort(key=lambda row: most[row.number], reverse=True)
    again = None if sample.interrupted or not rows else _again(sample, rows, margins, spec)
    judged = sum(row.difference is not None for row in rows)
    joint = answer(
        "joint", text("all {intervals} hold together in 95 of 100 runs", intervals=count_of(judged, "interval"))
    )
    said = (*_sentences(played, rows, margins), *doubts(played, rows), *not_known(rows, margins))
    shown = tuple(dict.fromkeys(name for names in asked for name in names))
    options = ["--open-rules", *(word for name in chosen or () for word in ("--measure", name))]
    return Table(
        "compare",
        QUESTION,
        played,
        sample,
        tuple(rows),
        shown,
        said,
        (joint,),
        HEADS,
        left_out=(*left_out, *sample.left_out),
        confirmed=again,
        margin=margin,
        by_change=True,
        options=tuple(options),
    )


def _again(sample: Sample, rows: Sequence[Row], margins: Margins, spec: RunSpec) -> Confirmed | None:
    """The first of the ranking on fresh games; None after Ctrl-C, and if it changes nothing for certain."""
    row = max((one for one in rows if one.number == rows[0].number), key=lambda one: size(one, margins))
    if row.change is None or not row.change.differs:
        return None
    assumed = sample.arms[dict(sample.pairs)[row.number]]
    fresh = play(Experiment.with_first([assumed, row.arm]), spec.part(spec.games, spec.games))
    again = compared(fresh, 1, 0, row.measure, margins).change
    if fresh.interrupted or again is None:
        return None
    same = near_end(again) > 0 and again.value * row.change.value > 0
    return Confirmed(row, {row.measure: row.change}, {row.measure: again}, same, spec.games, spec.games, fresh.digest)


@dataclass(frozen=True)
class InForce:
    """The open rules in play in a setup."""

    turned: int  # other readings that were tried
    rules: int
    certain: list[str]  # rules that certainly change something


def in_force(setup: Setup, rows: Sequence[Row], margins: Margins) -> InForce:
    """Which open rules are in play in this setup, and which of them certainly change something."""
    here = [row for row in rows if (row.setup.players, row.setup.variants) == (setup.players, setup.variants)]
    certain = [knob_of(row).name for row in here if matters(row, margins[row.measure])]
    rules = {knob_of(row).name for row in here}
    return InForce(len({row.number for row in here}), len(rules), list(dict.fromkeys(certain)))


def _sentences(setup: Setup, rows: Sequence[Row], margins: Margins) -> list[Block]:
    """Which open rules change the results."""
    found = in_force(setup, rows, margins)
    rules, certain = found.rules, found.certain
    if not rules:
        return [text("The rulebook leaves no rule in play here open.")]
    if not certain:
        verdict = "No other reading makes a difference that matters, as far as these games show"
    else:
        rest = "; the others make no difference that matters" if len(certain) < rules else ""
        verb = "changes" if len(certain) == 1 else "change"
        verdict = f"On the same deals, another reading of {listed(certain)} {verb} the results{rest}"
    return [
        text(
            "The rulebook leaves {rules} of the rules in play here open, so we had to choose. {verdict}.",
            rules=in_words(rules),
            verdict=verdict,
        )
    ]


def doubts(setup: Setup, rows: Sequence[Row]) -> list[Block]:
    """What the other readings of a rule would make of the win rate, where the rules have words for them."""
    tried: dict[str, list[Block]] = {}
    for row in rows:
        knob, value = knob_of(row), next(iter(row.arm.values.values()))
        here = (row.setup.players, row.setup.variants) == (setup.players, setup.variants)
        if knob.doubt and row.measure == "win" and here and value in knob.readings:
            reading = text("{reading} {win}", reading=knob.readings[value], win=row.value)
            who = short_line_up(row.arm.strategies)
            tried.setdefault(knob.doubt, []).append(about(reading, who, f"win with {row.label}"))
    return [
        text(
            "{doubt}: {who} win {readings} of games.",
            doubt=doubt,
            who=seated_players(rows[0].arm.strategies),
            readings=parts,
        )
        for doubt, parts in tried.items()
    ]


def not_known(rows: Iterable[Row], margins: Margins) -> list[Block]:
    """Which open rules may change something that these games do not show."""
    every = list(rows)
    known = {knob_of(row).name for row in every if matters(row, margins[row.measure])}
    names = dict.fromkeys(knob_of(row).name for row in every if row.verdict.kind == "unknown")
    left = [name for name in names if name not in known]
    return [note("Not known yet, for lack of games: the effect of {rules}.", rules=listed(left))] if left else []
