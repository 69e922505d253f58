"""What the studio shows beside the answers: what each rule does, and the deck, which is counted while it is open."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any
from urllib.parse import quote

from houle.analysis.kept import Kept
from houle.analysis.studio.growing_results import Stop
from houle.analysis.studio.rows import StudioRows
from houle.analysis.studio.single_changes import SingleChanges
from houle.analysis.studio.state import aim_of
from houle.cli.studio.answers import change_words
from houle.cli.studio.drawing import render, shade
from houle.solver.errors import InputError
from houle.solver.rules import Deck, Setup, field_text

DO = "do"  # the field of an address that changes a card of a deck
MOST_KEPT = 120  # counts of all states together

Memory = Kept[Hashable, SingleChanges]


class Extras:
    """What each rule does in a state, and each card while the deck is open."""

    def __init__(self, live: StudioRows, memory: Memory, deck_is_open: bool = False) -> None:
        self.live, self.memory, self.deck_is_open = live, memory, deck_is_open
        self.here, self.before = live.state.setup, live.before
        self._turn = -1  # of what is counted in turn
        self._refused: list[SingleChanges] = []  # the rules of a class in plain Python may fail in some game

    def _key(self, setup: Setup, cards: bool) -> Hashable:
        return (cards, setup.digest, self.live.aimed.name, self.live.state.seed)

    def _counted(self, setup: Setup, cards: bool) -> SingleChanges:
        """What is counted of the rules or the cards of a setup."""
        who, seed = self.live.aimed.name, self.live.state.seed
        return self.memory.get(self._key(setup, cards), lambda: SingleChanges(setup, who, seed, cards=cards))

    @property
    def cards(self) -> SingleChanges | None:
        """What each card does; None while the deck is closed, or before anything was counted."""
        return self.memory.known(self._key(self.here, True)) if self.deck_is_open else None

    @property
    def rules(self) -> SingleChanges | None:
        """What each rule does from here; from the printed rules until that is counted, None before."""
        both = [self.memory.known(self._key(setup, False)) for setup in (self.here, self.before)]
        return next((one for one in both if one is not None and one.found), None)

    def step(self, stop: Stop, only_cards: bool = False) -> bool:
        """Count a little more, everything in turn; false if nothing is left to count."""
        work = [self._counted(self.here, True)] if self.deck_is_open else []
        if not only_cards:
            work += [self._counted(setup, False) for setup in (self.before, self.here)]
        work = [one for one in work if one not in self._refused]
        for _ in work:
            self._turn += 1
            one = work[self._turn % len(work)]
            try:
                if one.step(stop):
                    return True
            except InputError:
                self._refused.append(one)
        return False


# Signs on a card: what is done to it.
SIGNS = {"out": "−", "one less": "−", "in": "+", "one more": "+", "reverses": "↺"}


def cards_part(live: StudioRows, changes: SingleChanges | None) -> str:
    """Every card with what can be done to it, in rows by colour and columns by number, coloured by the effect."""
    found = changes.found if changes is not None else {}
    state, setup = live.state, live.state.setup
    rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for change in setup.game.openings.card_changes(setup):
        row, _, column = change.card.partition(" ")
        if not column:
            row, column = "", change.card
        by = changes.effect((change.card, change.what)) if changes and (change.card, change.what) in found else None
        value = (
            change.value
            if not change.sign
            else setup.ruleset.knobs[change.knob].edited(setup.options[change.knob], [change.value], change.sign)
        )
        allowed = (
            changes is None or (change.card, change.what) in changes.changes
        )  # what the rules forbid is not counted
        query = state.with_rules({change.knob: field_text(value)})
        if isinstance(value, Deck):
            query = f"{state.query}&{DO}={quote(f'{change.card}: {change.what}')}"
        known = change_words(by, live.goal) if by is not None else "not counted yet" if allowed else "not possible"
        words = f"{change.card}, {change.what}: {known}"
        rows.setdefault(row, {}).setdefault(column, []).append(
            {
                "sign": SIGNS.get(change.what, "−" if "los" in change.what or "without" in change.what else "+"),
                "what": change.what,
                "words": words,
                "shade": shade(by, live.goal.span),
                "query": query if allowed else "",
            }
        )
    numbers = sorted({column for cells in rows.values() for column in cells if column.isdigit()}, key=int)
    tabled = {row: cells for row, cells in rows.items() if all(column.isdigit() for column in cells)}
    cards = setup.game.openings.cards
    games = sorted({effect.by[changes.measure].n for effect in found.values()}) if changes else []
    return render(
        "cards.html.j2",
        tabled=tabled,
        numbers=numbers,
        others={row: cells for row, cells in rows.items() if row not in tabled},
        number=len(cards(setup)) if cards is not None else 0,
        games=games,
        who=live.aimed.people,
        aim=aim_words(live),
    )


def aim_words(live: StudioRows) -> str:
    named = {"win": live.goal.title, "score": live.goal.title, "first-seat": "games won by the first seat"}
    return named.get(aim_of(live.state.setup), "the distance of the farthest seat from an equal share")
