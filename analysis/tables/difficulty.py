"""`difficulty`: how hard a game is, and for whom: what each kind of player wins, on the same deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, about, answer, lead, text
from houle.analysis.limits import DEALS, SEARCH_DEALS
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import Difference, difference, difficulty_span, estimate
from houle.analysis.measures.verdicts import Verdict, amount
from houle.analysis.players.find_expert import find_expert
from houle.analysis.players.line_ups import EXPERT, as_setup, has_search, names_of, playable, usual
from houle.analysis.players.named_players import FAMILY, players_of
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample, play
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.labels import agreement, base_of_label
from houle.analysis.tables.strength import doubt
from houle.analysis.tables.table import NOTHING, Row, Table
from houle.solver.errors import RulesError
from houle.solver.players.player import seat
from houle.solver.rules import PRINTED_RULES, Setup, printed
from houle.solver.texts import capital, count_of

QUESTION = "How hard is it, and for whom?"
NOT_SHOWN = "no difference shown"
BASE_GAME = "base game"
HEADS = {"label": "player", "difference": "more than the one above", "verdict": "it is", "note": "that is"}
BOUND = "the most possible"


def differs(setup: Setup) -> bool:
    """Whether a setup differs from the printed rules."""
    return setup.digest != printed(setup).digest


def rules_beside(setup: Setup) -> Setup | None:
    """What a setup is compared with: rules of your own with print, a variant that print labels with the base game."""
    return printed(setup) if differs(setup) else base_of_label(setup)


def experiment_of(setup: Setup, players: Sequence[str], alone: bool) -> tuple[Experiment, list[tuple[str, str]]]:
    """Every player with these rules, one after the other, and why some are left out.

    Beside other rules each player plays those too, and is compared with itself; else with the player before it.
    """
    if not setup.one_sided:
        name = setup.ruleset.name
        raise RulesError(f"{name}: players compete in this setup, so it has no difficulty; see houle strength {name}")
    strategies, left_out = playable(setup, players) if players else usual(setup, "difficulty")
    beside = None if alone else rules_beside(setup)
    arms: list[Arm] = []
    pairs: list[tuple[int, int]] = []
    groups: list[tuple[int, ...]] = []
    for strategy in strategies:
        before = len(arms) - 1
        seated = seat(setup, [strategy])
        if beside is not None:
            arms.append(Arm(seat(beside, [strategy]), {}, f"{seated.names[0]}, {beside_name(setup, beside)}"))
            before += 1
        arms.append(Arm(seated, {}, seated.names[0]))
        pairs += [(len(arms) - 1, before)] if before >= 0 else []
        groups.append(tuple(range(max(before, 0) if beside is not None else len(arms) - 1, len(arms))))
    return Experiment(tuple(arms), tuple(pairs), tuple(groups)), left_out


def beside_name(setup: Setup, beside: Setup) -> str:
    """What a setup is compared with: the printed rules, or the base game."""
    return BASE_GAME if setup.variants != beside.variants else PRINTED_RULES


@checked
def difficulty(
    setup: Setup | str,
    *,
    strategies: str | Iterable[str] | None = None,
    alone: bool = False,
    **run: Unpack[RunOptions],
) -> Table:
    """Measure how hard a cooperative or solo game is for each kind of player.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Players from the weakest; by default the levels of people. `"expert"` plans ahead, which takes long, and
        `"clairvoyant"` is the most that is possible with all cards known.
    alone : bool
        Whether to leave out the printed rules, which rules of your own are compared with on the same deals.
    games : int
        Deals, 4,000 by default; of players that search a twentieth, or 200 if all do.

    Returns
    -------
    Table
        A row for each player and measure, with the difference to the player before, or to the printed rules.

    Examples
    --------
    >>> import houle
    >>> result = houle.difficulty(houle.setup("wave"), strategies=["random", "thumb"], games=4_000)
    >>> [(row.label, row.note) for row in result.of("win")]
    [('random', 'nearly impossible'), ('thumb', 'hard')]
    """
    return play_difficulty(as_setup(setup), names_of(strategies), run, alone)


def play_difficulty(
    played: Setup, names: Sequence[str], run: RunOptions, alone: bool, deals: Mapping[str, int] | None = None
) -> Table:
    """Like `difficulty`; `deals` by player, where they do not follow from who plays."""
    if EXPERT in names:  # a game without an expert gets one now
        find_expert(played, run.get("progress"))
    experiment, left_out = experiment_of(played, names, alone)
    if deals:
        experiment = replace(experiment, deals=tuple(deals[arm.line_up.names[0]] for arm in experiment.arms))
    slow = all(has_search(arm.line_up) for arm in experiment.arms)
    spec, goal = RunSpec.of(run, SEARCH_DEALS if slow else DEALS, least=2), Goal(played)

    def tell(arm: int, sample: Sample) -> None:
        mine = sample.arms[arm]
        if mine.setup is played:
            reached = goal.says(estimate(sample, arm, goal.measure))
            spec.tell(f"{mine.label} {goal.verb}s {reached}, {count_of(sample.deals(arm), 'deal')}")

    sample = play(experiment, spec, tell)
    rows = tuple(_rows(sample, goal))
    own = [row for row in rows if row.setup is played and row.measure == goal.measure]
    beside = rules_beside(played)
    said = [*_verdict(goal, own), *_beside(goal, own), *doubts(goal, own, sample)]
    if beside is not None and any(row.label == FAMILY and row.verdict.text == NOT_SHOWN for row in own):
        scores = [row for row in rows if (row.label, row.measure, row.setup) == (FAMILY, "score", played)]
        said += [line for row in scores for line in score_sentence(row, beside)]
    if beside is not None and not alone:
        heads = {**HEADS, "beside": beside_name(played, beside), "difference": "difference"}
    else:
        heads = HEADS
    measures = (goal.measure, "win" if goal.is_score else "score")
    return Table(
        "difficulty",
        QUESTION,
        main=played,
        sample=sample,
        rows=rows,
        measures=measures,
        sentences=tuple(said),
        remarks=(how_to_go_on(played, own),),
        heads=heads,
        left_out=(*left_out, *sample.left_out),
    )


def _rows(sample: Sample, goal: Goal) -> Iterable[Row]:
    """A row for each player and measure; those with other rules have the player's name with that of the rules."""
    other_of = dict(sample.pairs)
    for measure in dict.fromkeys((goal.measure, "win", "score", "score:p10", "score:p50", "score:p90")):
        for number, arm in enumerate(sample.arms):
            if not sample.deals(number):
                continue
            value, other = estimate(sample, number, measure), other_of.get(number)
            bound = arm.label.startswith("clairvoyant")
            word = difficulty_span(value) if measure == "win" else ""
            word = BOUND * (measure == goal.measure) if bound else word
            row = Row(arm=arm, number=number, label=arm.label, measure=measure, value=value, note=word)
            if other is None or not sample.deals(other) or ":" in measure:
                yield row
                continue
            first = sample.arms[other]
            gap = difference(sample, number, measure, other=other)
            mine = measure == goal.measure and first.setup is not goal.setup
            yield Row(
                arm=arm,
                number=number,
                label=arm.label,
                measure=measure,
                value=value,
                against=first.label,
                beside=estimate(sample, other, measure),
                difference=gap,
                verdict=_compared(goal, gap) if mine else NOTHING,
                note=word,
            )


def _compared(goal: Goal, gap: Difference) -> Verdict:
    """Compared with other rules: `easier`, `harder` or `no difference shown`."""
    more = gap.interval.scale(goal.sign)
    return (
        Verdict("more", "easier")
        if more.low > 0
        else Verdict("less", "harder")
        if more.high < 0
        else Verdict("unknown", NOT_SHOWN)
    )


def score_sentence(row: Row, beside: Setup) -> list[Block]:
    """What rules certainly change in the score, which may differ where wins do not; nothing if that is not known."""
    if row.change is None or not row.change.differs:
        return []
    more, rises = row.setup.score_range[1] - beside.score_range[1], row.change.value > 0
    room = f", of {abs(more)} {'more' if more > 0 else 'fewer'} that are possible" if more else ""
    words = text(
        "For {who} the mean of {score} {moves} by {change}{room}.",
        who=players_of(row.strategy),
        score=row.name.replace("_", " "),
        moves="rises" if rises else "falls",
        change=row.change if rises else row.change.scale(-1),
        room=room,
    )
    return [about(words, row.strategy, "score, change")]


def _verdict(goal: Goal, rows: Sequence[Row]) -> list[Block]:
    """The verdict for families: `Very hard for families: they win 14% (13 to 15) of games.`"""
    people = [row for row in rows if not row.is_bound]
    shown = next((row for row in people if row.label == FAMILY), people[0] if people else None)
    said = []
    if shown is not None:
        who, reached = players_of(shown.label), goal.shown(shown.value)
        said = [
            lead("{who} score {reached}.", who=capital(who), reached=reached)
            if goal.is_score
            else lead(
                "{word} for {who}: they win {reached} of games.", word=capital(shown.note), who=who, reached=reached
            )
        ]
    bound = next((row for row in rows if row.is_bound), None)
    if bound is not None and goal.is_score:
        said.append(
            text("With all cards known, {who} scores {reached}.", who=bound.label, reached=goal.shown(bound.value))
        )
    elif bound is not None:
        said.append(
            text(
                "With all cards known, {share} of deals can be won; the others are lost or undecided.",
                share=bound.value,
            )
        )
    return said


def _beside(goal: Goal, rows: Sequence[Row]) -> list[Block]:
    """For whom these rules are easier or harder than print, and whether people agree with the label of print."""
    whom: dict[str, list[str]] = {}
    for row in rows:
        if row.verdict.text and row.change:
            most = f" (at most {amount(goal.measure, row.change.farthest)})" if row.verdict.text == NOT_SHOWN else ""
            whom.setdefault(row.verdict.text, []).append(f"{row.label}{most}")
    if not whom:
        return []
    name = rows[0].against.removeprefix(f"{rows[0].label}, ")
    said = [
        text(
            "Compared with the {rules}: {whom}.",
            rules=name,
            whom="; ".join(f"{word} for {', '.join(names)}" for word, names in whom.items()),
        )
    ]
    more: Mapping[str, Estimate] = {row.label: row.change for row in rows if row.change and not row.is_bound}
    lines = agreement(goal.setup, more, goal.sign < 0) if name == BASE_GAME else []
    return [*said, *(text("{line}.", line=line) for line in lines)]


def doubts(goal: Goal, rows: Sequence[Row], sample: Sample) -> list[Block]:
    """A sentence for each search that is certainly worse than the player before it."""
    lines = []
    for row, before in zip(rows[1:], rows, strict=False):
        if not row.is_bound and not before.is_bound and not row.verdict.text:
            score = difference(sample, row.number, "score", other=before.number).interval
            wins = difference(sample, row.number, "win", other=before.number).interval
            lines.append(doubt(goal.setup, row.label, before.label, wins, more_score=score))
    return [text("{line}.", line=line) for line in lines if line]


def how_to_go_on(setup: Setup, rows: Sequence[Row]) -> Block:
    """Who the players are, and how to see others."""
    known, others = {row.label for row in rows}, []
    if EXPERT not in known and setup.game.has("features"):
        others.append("-s expert plays players who plan ahead")
    if setup.game.has("solve") and not any(row.is_bound for row in rows):
        others.append("-s clairvoyant shows the most that is possible")
    more = f"; {', '.join(others)}" if others else ""
    words = text(
        "set by hand, and tested on people in Hanabi only (docs/method/people.md): houle players {game}{more}",
        game=setup.ruleset.name,
        more=more,
    )
    return answer("players", words)
