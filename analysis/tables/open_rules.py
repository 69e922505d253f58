"""`compare --open-rules`: which results depend on rules that the rulebook does not settle.

Every other answer to an open rule (solver/rules/open_rules.py) is played on the same games as the rule as we play it.
Answers are ranked by what they certainly change. There are dozens of differences, so their intervals are joint
(effects.py). The first of the ranking was picked for its size and is played again on fresh games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, about, answer, note, text
from houle.analysis.limits import GAMES
from houle.analysis.measures.measures import check_measures, measure_title, usual_measures
from houle.analysis.measures.verdicts import Margins, margins_of
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, names_of, usual_games, usual_people
from houle.analysis.players.named_players import seated_players
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.experiment import STRETCH, Experiment, Sample, play
from houle.analysis.sampling.grid import Arm, short_line_up
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.looks import confidence_at
from houle.analysis.tables.compare import compared
from houle.analysis.tables.table import Confirmed, Row, Table
from houle.solver.errors import InputError, RulesError
from houle.solver.rules import OURS, Knob, Setup, open_rules_in
from houle.solver.texts import capital, count_of, in_words, listed

QUESTION = "Which results depend on rules that the rulebook does not settle?"
HEADS = {"label": "if instead"}
AS_PLAYED = "as played"  # the rules as we play them
# How a sentence about a rule begins, by its provenance.
LEADS = {
    "inferred": "We inferred {doubt}",
    "unclear": "The rulebook does not make clear {doubt}",
    "assumed": "The rulebook leaves open {doubt}",
    OURS: "{doubt} is our model",
}


def knob_of(row: Row) -> Knob:
    """The open rule that a row changes."""
    return row.setup.ruleset.knobs[next(iter(row.arm.values))]


def matters(row: Row, margin: float) -> bool:
    """Whether there is certainly a difference, and it is not certainly small."""
    if row.change is None or row.verdict.kind not in ("more", "less"):
        return False
    return row.change.farthest > margin


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
    **run: Unpack[RunOptions],
) -> Table:
    """Change each rule that the rulebook does not settle, and rank these rules by what they change.

    Only rules in play in the setup are changed. Those that you or a variant set stay as they are.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Who plays: one for all players. Default: `family`, or `random` in a game without rules of thumb.
    games : int
        Of each answer, 100,000 by default; at most 5,000 of people who think.

    Returns
    -------
    Table
        A row for each other answer and measure, the most consequential answers first.

    Examples
    --------
    >>> import houle
    >>> wave = houle.setup("wave", variants="nazare")
    >>> result = houle.open_rules(wave, strategies="random", games=100, measures=["score"])
    >>> sorted({rule for row in result.rows for rule in row.arm.values})
    ['facedown', 'facedown_reverses', 'heights', 'talk']
    """
    margins = margins_of(margin)
    played, chosen = as_setup(setup), check_measures(several(measures))
    arms, left_out = answered(played, names_of(strategies) or usual_people(played))
    if len(arms) == 1:
        raise RulesError(f"{played.summary}: no rule that the rulebook leaves open can be changed")
    asked = chosen or usual_measures([arm.setup for arm in arms])
    spec = RunSpec.of(run, usual_games((arm.line_up for arm in arms), GAMES), least=2, most=STRETCH)
    experiment = Experiment.with_first(arms)
    spec.begin(experiment.plan(spec.games) + Experiment(tuple(arms[:2])).plan(spec.games, "the largest again"))
    sample = play(experiment, spec)
    confidence = confidence_at(1, len(asked) * len(experiment.pairs))
    rows = [
        compared(sample, arm, other, measure, margins=margins, confidence=confidence)
        for arm, other in experiment.pairs
        for measure in asked
        if sample.deals(arm) > 1
    ]
    most: dict[int, tuple[float, float]] = {}  # what each answer changes most
    for row in rows:
        most[row.number] = max(most.get(row.number, (0.0, 0.0)), size(row, margins))
    rows.sort(key=lambda row: most[row.number], reverse=True)
    again = None if sample.interrupted or not rows else _again(sample, rows, margins, spec)
    judged = sum(row.difference is not None for row in rows)
    joint = answer(
        "joint", text("all {intervals} hold together in 95 of 100 runs", intervals=count_of(judged, "interval"))
    )
    options = ["--open-rules", *(word for name in chosen or () for word in ("--measure", name))]
    return Table(
        "compare",
        QUESTION,
        main=played,
        sample=sample,
        rows=tuple(rows),
        measures=tuple(asked),
        sentences=(summary(played), *effects(rows, margins)),
        remarks=(joint,),
        heads=HEADS,
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
    again = compared(fresh, arm=1, other=0, measure=row.measure, margins=margins).change
    if fresh.interrupted or again is None:
        return None
    same = near_end(again) > 0 and again.value * row.change.value > 0
    return Confirmed(
        row=row,
        picked={row.measure: row.change},
        fresh={row.measure: again},
        again=same,
        games=spec.games,
        first=spec.games,
        digest=fresh.digest,
    )


def answered(setup: Setup, strategies: Strategies) -> tuple[list[Arm], list[tuple[str, str]]]:
    """The rules as we play them, then every other answer to an open rule; and answers that do not fit, with why."""
    arms, left_out = [Arm(line_up(setup, strategies), {}, AS_PLAYED)], []
    for rule in open_rules_in(setup):
        for one in rule.answers:
            try:
                turned = setup.turned({rule.knob: one.value}, "--set")
            except InputError as fault:  # your own deck or hands may not fit
                left_out.append((one.words, str(fault).partition(";")[0]))
                continue
            arms.append(Arm(line_up(turned, strategies), {rule.knob: one.value}, one.words))
    return arms, left_out


def summary(setup: Setup) -> Block:
    """How many of the rules in play the rulebook leaves open, and how many are our own."""
    rules = open_rules_in(setup)
    ours = sum(rule.provenance == OURS for rule in rules)
    left = in_words(len(rules) - ours) if len(rules) > ours else "none"
    own = f" {capital(in_words(ours))} more {'is' if ours == 1 else 'are'} our own." if ours else ""
    return text("The rulebook leaves {left} of the rules in play here open.{own}", left=left, own=own)


def certain_rows(rows: Sequence[Row], margins: Margins) -> list[Row]:
    """For every rule that certainly changes a result: the answer that changes most, in games won if it changes them."""
    found = dict[str, Row]()
    for row in sorted(rows, key=lambda row: (row.measure == "win", *size(row, margins)), reverse=True):
        if matters(row, margins[row.measure]):
            found.setdefault(knob_of(row).name, row)
    return list(found.values())


def effect(row: Row) -> Block:
    """`How freely people point is our model: if nobody points at cards, families win 9% (7 to 12) of games.`"""
    knob, who = knob_of(row), seated_players(row.arm.strategies)
    if row.measure == "win" and row.setup.one_sided:
        change, kind = text("{who} win {win} of games", who=who, win=row.value), ""
    else:
        title = measure_title(row.measure, [row.setup])
        change = text("the change in {title} is {change} when {who} play", title=title, change=row.change, who=who)
        kind = ", change"
    lead = capital(LEADS[knob.provenance].format(doubt=knob.doubt))
    said = text("{lead}: if {answer}, {change}.", lead=lead, answer=row.label, change=change)
    return about(said, short_line_up(row.arm.strategies), f"{row.measure}{kind} if {row.label}")


def effects(rows: Sequence[Row], margins: Margins) -> list[Block]:
    """What the open rules certainly change, a sentence for each, and for which rules these games do not show it."""
    certain = certain_rows(rows, margins)
    said = [effect(row) for row in certain]
    if not certain:
        said = [text("No other answer is known to change a result by more than its margin.")]
    known = {knob_of(row).name for row in certain}
    unknown = {knob_of(row).doubt for row in rows if row.verdict.kind == "unknown" and knob_of(row).name not in known}
    if unknown:
        said.append(
            note("Not known yet, for lack of games: how much it matters {doubts}.", doubts=listed(sorted(unknown)))
        )
    return said
