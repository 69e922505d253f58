"""`sweep --cards`: what each single card does, measured by taking it out of the deck or adding one more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import answer, text
from houle.analysis.explain.openings import OpeningGames
from houle.analysis.limits import CARD_GAMES, THINKING_IN_ALL
from houle.analysis.measures.measures import SEAT_GAP, Difference, estimate, uneven
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, thinks
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.effects import effects, size_of
from houle.analysis.tables.table import REFERENCE, Row, Table
from houle.solver.errors import InputError
from houle.solver.matches.opening import CardChange
from houle.solver.players.player import seat
from houle.solver.rules import Setup
from houle.solver.texts import count_of

QUESTION = "What does each card do?"
LEAST = 100  # games of each change
WHOLE = "all cards"  # the row that changes are compared with


@checked
def card_effects(setup: Setup | str, *, strategies: Strategies = None, **run: Unpack[RunOptions]) -> Table:
    """Rank the cards of a deck by what taking each out, or adding one more, does to wins, length and balance.

    Parameters
    ----------
    games : int
        Of all changes together, 400,000 by default, and 30,000 if people think.

    Returns
    -------
    Table
        The rows of the whole deck, which is played most. Then a row for each change of a card and each measure, those
        first whose change certainly matters most. Pages list only what is certain.

    Examples
    --------
    >>> import houle
    >>> doctor = houle.card_effects("wave", strategies="thumb", games=60_000)
    >>> doctor.rows[0].label
    'all cards'
    >>> doctor.rows[2].change.differs
    True
    """
    base = as_setup(setup)
    seated = line_up(base, strategies)
    spec = RunSpec.of(run, THINKING_IN_ALL if thinks(seated) else CARD_GAMES)
    changes, left_out = possible_changes(base)
    if not changes:
        why = f"; {left_out[0][0]}: {left_out[0][1]}" if left_out else ""
        raise InputError(f"{base.summary}: no single card can be taken out or added{why}")
    measures = ("win", "length") if base.one_sided else ("first-seat", "length", *(() if uneven(base) else (SEAT_GAP,)))
    times = math.sqrt(len(changes))  # how often the whole deck is played for each change
    each = max(LEAST, int(spec.games / (len(changes) + times)))
    owners = _owners(base, strategies, spec.but(games=each)) if any(change.held for change, _ in changes) else {}
    base_games = int(each * times)
    spec.begin(Plan.of(("", [seated], base_games), ("", [seated] * len(changes), each)))
    arms = [Arm(seat(changed, seated.strategies), {}, f"{change.card} {change.what}") for change, changed in changes]
    found = effects(Arm(seated, {}, WHOLE), arms, measures, spec.part(each), base_games=base_games)
    rows: list[tuple[tuple[float, float], list[Row]]] = []
    for number, ((change, _), one) in enumerate(zip(changes, found.rows, strict=False), 1):
        of_owner = {SEAT_GAP: owners[change.held]} if change.held in owners else {}
        mine = [
            Row(
                arm=one.arm,
                number=number,
                label=one.arm.label,
                measure=name,
                value=estimate(found.sample, number, name),
                against=WHOLE,
                beside=estimate(found.sample, 0, name),
                difference=Difference(effect, True),
            )
            for name, effect in one.by.items()
        ]
        note = f"its owner wins {of_owner[SEAT_GAP].text()} more than an equal share" if of_owner else ""
        rows.append((size_of({**one.by, **of_owner}), [replace(row, note=note) for row in mine]))
    rows.sort(key=lambda one: one[0], reverse=True)
    first = [
        Row(arm=found.sample.arms[0], number=0, label=WHOLE, measure=name, value=value, verdict=REFERENCE)
        for name, value in found.base.items()
    ]
    sure = sum(any(row.change.differs for row in some if row.change) for _, some in rows)
    others, intervals = count_of(len(rows) - sure, "other change"), count_of(len(rows) * len(measures), "interval")
    remarks = [
        answer("others", text("{others} of a card: no effect is certain", others=others)),
        answer("joint", text("all {number} hold together in 95 of 100 runs", number=intervals)),
    ]
    return Table(
        "sweep",
        QUESTION,
        main=base,
        sample=found.sample,
        rows=(*first, *(row for _, some in rows for row in some)),
        measures=measures,
        remarks=tuple(remarks[sure == len(rows) :]),
        heads={"label": "card"},
        left_out=tuple(left_out),
        by_change=True,
        options=("--cards", "-n", str(spec.games)),
        only_certain=True,
    )


def _owners(base: Setup, strategies: Strategies, spec: RunSpec) -> dict[str, Estimate]:
    """By how much more often the holder of each card wins than all players, by the values of facts about the start."""
    openings = OpeningGames(base, strategies)
    facts = openings.facts(openings.play(spec.but(progress=None))[0])
    return {level.level: level.win_more for fact in facts for level in fact.levels}


def possible_changes(base: Setup) -> tuple[Sequence[tuple[CardChange, Setup]], list[tuple[str, str]]]:
    """Changes of a card with their setups, and those that the rules forbid."""
    changes, left_out = [], []
    for change in base.game.openings.card_changes(base):
        value = [change.value] if change.sign else change.value
        try:
            changed = base.turned({f"{change.knob}{change.sign}": value}, "--cards")
        except InputError as fault:
            left_out.append((f"{change.card} {change.what}", str(fault)))
            continue
        changes.append((change, changed))
    return changes, left_out
