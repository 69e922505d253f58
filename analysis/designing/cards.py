"""`card_effects`: what each single card does, measured by taking it out of the deck or adding one more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.comparison.effects import JOINT, effects, plan_changes, size_of
from houle.analysis.fairness.openings import read_openings
from houle.analysis.limits import CARD_GAMES
from houle.analysis.measures.measures import BALANCE, uneven
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.result import Facts, Finished, Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.solver.errors import InputError
from houle.solver.matches.opening import CardChange
from houle.solver.players.player import seat
from houle.solver.rules import Setup

LEAST = 100  # games of each change


@dataclass(frozen=True)
class CardEffect:
    """What one change of a card does to every measure, on the same deals."""

    card: str
    what: str
    effects: dict[str, Estimate]
    owner: Estimate | None = None  # by how much more its owner wins than an equal share, if it is dealt at the start

    @property
    def size(self) -> tuple[float, float]:
        """The greatest effect in units of what matters to players: what is certain of it, then what was measured."""
        return size_of({**self.effects, **({BALANCE: self.owner} if self.owner else {})})


@dataclass(frozen=True, repr=False)
class CardEffects(Finished):
    """The cards of a deck, those first whose change matters most."""

    measures: tuple[str, ...]
    base: dict[str, Estimate]
    rows: tuple[CardEffect, ...]
    left_out: tuple[tuple[str, str], ...]  # changes that the rules forbid, and why
    each: int  # games of each change

    command = "design"
    rows_key = "cards"

    @property
    def headline(self) -> str:
        first = self.rows[0]
        return f"{first.card} {first.what}: {', '.join(effect.text() for effect in first.effects.values())}"

    def words(self) -> list[str]:
        return ["--cards"]

    def records(self) -> list[Record]:
        return [
            {"card": row.card, "what": row.what, **row.effects, "owner": row.owner or MISSING, "intervals": JOINT}
            for row in self.rows
        ]

    def summary(self) -> Record:
        return {"base": self.base, "games_of_each": self.each, "not_possible": [list(one) for one in self.left_out]}


@checked
def card_effects(setup: Setup | str, *, strategies: Strategies = None, **run: Unpack[RunOptions]) -> CardEffects:
    """Rank the cards of a deck by what taking each out, or adding one more, does to wins, length and balance.

    Parameters
    ----------
    games : int
        Of all changes together, 400,000 by default.

    Returns
    -------
    CardEffects
        With `.rows`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> doctor = houle.card_effects("wave", games=60_000)
    >>> doctor.rows[0].effects["win"].differs
    True
    """
    base, spec = as_setup(setup), RunSpec.of(run, CARD_GAMES)
    seated = line_up(base, strategies)
    changes, left_out = possible_changes(base)
    if not changes:
        why = f"; {left_out[0][0]}: {left_out[0][1]}" if left_out else ""
        raise InputError(f"{base.summary}: no single card can be taken out or added{why}")
    measures = ("win", "length") if base.one_sided else ("first-seat", "length", *(() if uneven(base) else (BALANCE,)))
    each = max(LEAST, spec.games // (len(changes) + 1))
    owners = _owners(base, strategies, spec.but(games=each)) if any(change.held for change, _ in changes) else {}
    spec.begin(plan_changes(seated, len(changes), each))
    arms = [Arm(seat(changed, seated.strategies)) for _, changed in changes]
    found = effects(Arm(seated), arms, measures, spec.part(each))
    rows = [
        CardEffect(change.card, change.what, dict(one.by), owners.get(change.held))
        for (change, _), one in zip(changes, found.rows, strict=False)
    ]
    rows.sort(key=lambda row: row.size, reverse=True)
    asked = found.games + found.interrupted
    facts = Facts(base, seated.names, spec.seed, found.games, asked, found.seconds, found.digest, spec.first)
    return CardEffects(facts, measures, found.base, tuple(rows), tuple(left_out), each)


def _owners(base: Setup, strategies: Strategies, spec: RunSpec) -> dict[str, Estimate]:
    """By how much more often the holder of each card wins than all players, by the values of facts about the start."""
    facts = read_openings(base, strategies, spec.but(progress=None), confirm=False).tables
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
