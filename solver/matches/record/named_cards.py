"""Reads the cards of a position: which place each of them is in, and cards for the places that the seat does not see.

Every card is in one place. A hand may have cards that the seat does not see, `?`: any of those that no line names are
dealt there. What is left is the pile. Then the seat must know what is written, and no more: `check_seen` writes the
lines anew and compares.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from houle.solver.compiler.types import State
from houle.solver.matches.known import Known
from houle.solver.matches.record.card_names import name_of_card
from houle.solver.matches.record.known_lines import known_lines
from houle.solver.matches.record.line_parser import UNKNOWN, Lines
from houle.solver.rules import Setup

# `?`, `5 ?`, `souvenir ?`, `? @2`; and `5` where no card has this name
UNSEEN = re.compile(r"(?:(\d{1,3})|([a-z]+))? *\? *(?:@ *(\d{1,5}))?|(\d{1,3})")
ANY_CARD = -1  # as a set


class Held(NamedTuple):
    """One card of a hand, as written."""

    word: str
    card: int  # UNKNOWN if the seat does not see it
    kind: str = ""  # the word before `?`
    at: str = ""  # what is behind `@`


class Hidden(NamedTuple):
    """A place for a card that the seat does not see."""

    place: str
    lay: Callable[[int], None]
    fits: int  # the cards that may be there, as a set


class NamedCards:
    """The cards that lines have named so far; each is in one place."""

    def __init__(
        self, lines: Lines, deck: Sequence[int], shown: Callable[[int], str], names: Mapping[str, int] | None = None
    ) -> None:
        self.lines, self.deck, self.shown, self.fault = lines, deck, shown, lines.fault
        self.same: dict[str, list[int]] = {}  # name -> the cards with it
        for card in deck:
            self.same.setdefault(shown(card), []).append(card)
        self.names = names or {name.lower(): cards[0] for name, cards in self.same.items()}
        self.where: dict[int, str] = {}  # card -> the place where it was named

    def kind_of(self, card: int) -> str:
        """The kind of a card, in games where it matters."""
        return ""

    def words(self, place: str) -> list[str]:
        """The words of a line of cards."""
        return self.lines.card_words(place, self.names)

    def take(self, place: str, word: str, kind: str = "") -> int:
        """The card of a name, which is in this place and in no other; of equal cards the first that is not named."""
        card = self.lines.card(place, word, self.names)
        same = self.same.get(self.shown(card), [])
        if not same:
            raise self.fault(place, f"{self.shown(card)} is not in play in this setup")
        if kind and self.kind_of(card) != kind:
            raise self.fault(place, f"{self.shown(card)} is not allowed; allowed: {kind}")
        found = next((one for one in same if one not in self.where), None)
        if found is None and len(same) > 1:
            raise self.fault(place, f"{self.shown(card)} is named too often; the deck has {len(same)}")
        return self.put(card if found is None else found, place)

    def put(self, card: int, place: str) -> int:
        """Notes the place of a card; returns the card."""
        if card in self.where:
            raise self.fault(place, f"{self.shown(card)} is named twice, here and at {self.where[card]}")
        self.where[card] = place
        return card

    def seen(self, place: str, names: Mapping[str, int] | None = None, most: int | None = None) -> list[int]:
        """The cards of a line, which may also be named elsewhere."""
        cards = self.lines.cards(place, names or self.names) or []
        if UNKNOWN in cards:
            raise self.fault(place, "write the names of these cards instead of ?")
        if most is not None and len(cards) > most:
            raise self.fault(place, f"{len(cards)} cards; allowed: at most {most}")
        return cards

    def named(self, place: str, most: int | None = None, kind: str = "") -> list[int]:
        """The cards of a line that are in this place and in no other."""
        self.seen(place, most=most)
        return [self.take(place, word, kind) for word in self.words(place)]

    def single(self, place: str, missing: str = "") -> int:
        """The card of a line, or UNKNOWN for none; `missing` says what to write if there must be one."""
        cards = self.named(place, 1)
        if missing and not cards:
            raise self.fault(place, f"this line is missing; write {missing}")
        return cards[0] if cards else UNKNOWN

    def left(self) -> list[int]:
        """The cards that are not named."""
        return [card for card in self.deck if card not in self.where]


class PositionCards(NamedCards):
    """The cards of a position as they are read, and the state that is filled with them."""

    def __init__(
        self,
        lines: Lines,
        setup: Setup,
        state: State,
        seat: int,
        deck: Sequence[int],
        names: Mapping[str, int] | None = None,
        shown: Callable[[int], str] | None = None,
    ) -> None:
        super().__init__(lines, deck, shown or partial(name_of_card, setup), names)
        self.setup, self.rules, self.state, self.seat = setup, setup.rules[0], state, seat
        self.hidden: list[Hidden] = []

    def hand(self, place: str, usual: int = 0, kinds: Sequence[str] = ("",)) -> list[Held]:
        """The cards of a hand; without a line as many unseen ones as usual. `kinds` may stand before `?`."""
        held: list[Held] = []
        for word in self.words(place) if self.lines.says(place) else ["?"] * usual:
            match = re.fullmatch(UNSEEN, word.lower())
            if match is None or word.lower() in self.names or (match[2] or "") not in kinds:
                name, _, at = word.partition("@")
                held.append(Held(word, self.take(place, name.strip()), "", at.strip()))
            else:
                held += [Held(word, UNKNOWN, match[2] or "", match[3] or "")] * int(match[1] or match[4] or 1)
        self.lines.hands[place] = Counter(self.shown(one.card) if one.card != UNKNOWN else "?" for one in held)
        return held

    def hide(self, place: str, lay: Callable[[int], None], fits: int = ANY_CARD) -> None:
        """Notes a place for a card that the seat does not see."""
        self.hidden.append(Hidden(place, lay, fits))

    def fill(self) -> list[int]:
        """Deals the cards that are not named to the hidden places, narrow ones first; returns the rest."""
        left = self.left()
        for hidden in sorted(self.hidden, key=lambda one: sum(one.fits >> card & 1 for card in left)):
            card = next((card for card in left if hidden.fits >> card & 1), None)
            if card is None:
                number = f"{len(self.left())} cards are not named, for {len(self.hidden)} places that are not seen"
                raise self.fault(hidden.place, f"no card that may be there is left: {number}")
            left.remove(card)
            hidden.lay(card)
        return left


def check_seen(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Refuses names of cards that the seat does not see, and `?` for those that it sees."""
    written = known_lines(Known.of(state, setup, seat)) if lines.hands else {}
    for place, typed in lines.hands.items():
        here: Counter[str] = Counter()
        for word in written.get(place, ()):
            number = int((re.match(r"\d+", word) or ["1"])[0])
            here.update({"?": number} if "?" in word else {word.partition(" @")[0]: 1})
        for name in typed - here:
            if name != "?":
                how = f"write ? for cards that seat {seat + 1} has not seen"
                raise lines.fault(place, f"{name} does not agree with the other lines; {how}")
        there = place in lines.places
        if any(name != "?" for name in here - typed):
            how = "write their names" if there else "this line with their names is missing"
            raise lines.fault(place, f"seat {seat + 1} sees these cards; {how}")
        if there and typed != here:
            raise lines.fault(place, f"{typed.total()} cards; by the other lines it has {here.total()}")
