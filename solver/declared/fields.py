"""Declared games: fields are listed by who sees them, and houle derives the records and several game functions.

    FIELDS = fields(
        public={"top": number(), "laid": cards(98)},
        own={"hand": per_seat(cards(98))},      # each seat sees its own
        hidden={"pile": cards(98)},             # nobody sees it
    )
    FIELDS = fields(
        others={"hand": per_seat(ordered(50, 5))},  # everybody but its own seat sees it
        hidden={"pile": cards(50)},
        facts={"may": about("hand")},               # everybody knows what each card of a hand may be
    )

`define` makes the records: STATE with the streams, the marker, `mover` (the seat to move, -1 when over) and the counts
of moves and turns, and RULES with a field for every knob. `knows` and `determinize` follow from who sees what: all
cards that a seat does not see are dealt again at random, evenly over all deals that fit the facts; each set and row
keeps its size and exchanges cards only with those of the same declared number of cards. A game that excludes some of
these worlds writes `possible(state, rules)`, or `determinize` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from houle.solver.cards import cardsets
from houle.solver.cards.streams import STREAM_FIELDS

SEATS = 8  # length of fields with one entry per seat, unless rules.toml allows more players


@dataclass(frozen=True)
class DeclaredField:
    """One field: an array of whole numbers, of sets of cards, or of rows of cards."""

    shape: tuple[int, ...] = ()
    dtype: str = "i8"
    cards: int = 0  # a set of cards 0 to cards - 1; 0: whole numbers
    by_seat: bool = False
    most: int = 0  # a row of at most so many cards, in order; 0: no row
    of: str = ""  # facts: the field whose cards they are about

    @property
    def field(self) -> tuple[int, ...]:
        """The shape in the record; a set is an array of words, a row an array of cards."""
        return (*self.shape, self.most or cardsets.words(self.cards)) if self.cards else self.shape

    @property
    def places(self) -> tuple[int, ...]:
        """The shape without seats: of an array of sets, rows or numbers; empty if it is a single one."""
        return self.shape[1:] if self.by_seat else self.shape

    @property
    def empty(self) -> int:
        """What fills the field before the deal: facts have all cards."""
        return -1 if self.most or self.of else 0


def number(*shape: int, dtype: str = "i8") -> DeclaredField:
    """A whole number, or an array of them."""
    return DeclaredField(shape, dtype)


def cards(n: int, *shape: int) -> DeclaredField:
    """A set of the cards 0 to n - 1 (cardsets.py), or an array of sets."""
    return DeclaredField(shape, "u8", n)


def ordered(n: int, most: int, *shape: int) -> DeclaredField:
    """A row of at most `most` of the cards 0 to n - 1 in order (rows.py), or an array of rows."""
    return DeclaredField(shape, "i2", n, most=most)


def per_seat(part: DeclaredField) -> DeclaredField:
    """One for each seat."""
    return replace(part, by_seat=True)


def about(name: str) -> DeclaredField:
    """What everybody knows about hidden cards: a set for each card of a row, or one set for all cards of a set.

    The card is one of the set. A game starts with all cards in it; `rows.tell` and `cardsets.keep` take some away, in
    the deal too.
    """
    return DeclaredField(dtype="u8", of=name)


@dataclass(frozen=True)
class Fields:
    """The declared fields of a game's state, and of further tables in its rules."""

    public: Mapping[str, DeclaredField]
    own: Mapping[str, DeclaredField]
    others: Mapping[str, DeclaredField]
    hidden: Mapping[str, DeclaredField]
    facts: Mapping[str, DeclaredField]
    tables: Mapping[str, DeclaredField]  # further fields of RULES, which `make_tables` fills
    seats: int = SEATS
    rounds: bool = False  # the game has several rounds and adds 1 to state.rounds when one ends
    teams: int = 0  # seats take turns between so many teams; 0: each for itself, or all together
    first: int = 0  # the number that people read on card 0
    card_name: Callable[[Any, int], str] | None = None  # (setup, card) -> the name that people read on it

    @property
    def all(self) -> dict[str, DeclaredField]:
        return {**self.public, **self.secret, **self.facts}

    @property
    def secret(self) -> dict[str, DeclaredField]:
        """The fields that somebody does not see."""
        return {**self.own, **self.others, **self.hidden}

    @property
    def deck(self) -> int:
        """How many cards the game has, at most."""
        return sum({part.cards for part in self.all.values()})

    def sees(self, name: str, is_owner: bool) -> bool:
        """Whether a seat sees a field; of fields per seat its own entry, or that of another seat."""
        return name in self.public or name in self.facts or name in (self.own if is_owner else self.others)

    def state(self, marker: str) -> np.dtype[Any]:
        """The dtype of STATE."""
        own: list[Any] = [(marker, "u1"), ("mover", "i1"), ("moves", "i8"), ("turns", "i8")]
        own += [("rounds", "i8")] if self.rounds else []
        stack = [("stacked", "i8"), ("stack", "i2", self.deck)]  # the cards that a record says are drawn next
        return np.dtype([*STREAM_FIELDS, *own, *_columns(self.all), *stack], align=True)

    def rules(self, marker: str, knobs: Mapping[str, DeclaredField]) -> np.dtype[Any]:
        """The dtype of RULES."""
        own: list[Any] = [
            (marker, "u1"),
            ("seats", "i8"),
            ("sides", "i8"),
            ("side", "i8", (self.seats,)),
            ("score_low", "i8"),  # the range of scores, for the defaults of `outcome` and `utility`
            ("score_high", "i8"),
            ("lower_is_better", "i8"),
            ("score_goal", "i8"),  # what one side must reach to win: `goal` of rules.toml, or the best score
        ]
        return np.dtype([*own, *_columns({**knobs, **self.tables})], align=True)

    def faults(self, secret: bool) -> Iterator[str]:
        """Why a declaration is invalid, one sentence each. `secret`: `knows` and `determinize` follow from it."""
        names = [name for group in (self.public, self.own, self.others, self.hidden, self.facts) for name in group]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"FIELDS: {name} is declared twice"
        for name in names:
            if not name.isidentifier():
                yield f"FIELDS: {name!r} cannot be the name of a field"
        for group, parts in (("own", self.own), ("others", self.others)):
            for name, part in parts.items():
                if not part.by_seat:
                    yield f"FIELDS: {group}: {name} must be per_seat(...)"
        for name, part in self.facts.items():
            if not part.cards:
                allowed = [field for field, cards in self.secret.items() if cards.cards]
                close = get_close_matches(part.of, allowed, 1)
                hint = f"did you mean {close[0]}?" if close else f"allowed: {', '.join(allowed) or 'none'}"
                yield f"FIELDS: facts: {name} is about {part.of}, which is no field of hidden cards; {hint}"
            elif self.secret[part.of].places:
                yield f"FIELDS: facts: {name} is about {part.of}, an array; allowed: a set or a row, or one per seat"
            elif [other.of for other in self.facts.values()].count(part.of) > 1:
                yield f"FIELDS: facts: {name}: there are other facts about {part.of}; keep them in one field"
        for name, part in self.secret.items():
            if secret and not part.cards:
                yield f"FIELDS: {name} is hidden and not cards; write determinize and knows for it"
            elif secret and len(part.places) > 1:
                yield f"FIELDS: {name} is hidden and has {len(part.places)} dimensions; write determinize and knows"


def fields(
    public: Mapping[str, DeclaredField] | None = None,
    own: Mapping[str, DeclaredField] | None = None,
    hidden: Mapping[str, DeclaredField] | None = None,
    tables: Mapping[str, DeclaredField] | None = None,
    seats: int = 0,
    rounds: bool = False,
    teams: int = 0,
    first: int = 0,
    *,
    others: Mapping[str, DeclaredField] | None = None,
    facts: Mapping[str, DeclaredField] | None = None,
) -> Fields:
    """Declares a state: fields that everybody sees, that only their seat sees, and that nobody sees.

    Fields in `others` are seen by everybody but their own seat. `facts` are what everybody knows about hidden cards:
    `facts={"may": about("hand")}` has a set for each card of a hand, and imagined cards come from these sets. `tables`
    are further fields of RULES, which `make_tables(rules, options, players)` fills. `seats` is the length of fields
    with one entry per seat; by default there is room for all players that rules.toml allows. A game of several `rounds`
    has a field `state.rounds` and adds 1 to it at the end of each; a search looks to the end of the round. With
    `teams=2` the seats 0, 2, 4 play against 1, 3, 5. With `first=1` people read 1 on card 0, 2 on card 1.
    """
    declared = Fields(
        public=dict(public or {}),
        own=dict(own or {}),
        others=dict(others or {}),
        hidden=dict(hidden or {}),
        facts=dict(facts or {}),
        tables=dict(tables or {}),
        seats=seats,
        rounds=rounds,
        teams=teams,
        first=first,
    )
    return replace(declared, facts={name: _fitted(part, declared.secret) for name, part in declared.facts.items()})


def _fitted(facts: DeclaredField, secret: Mapping[str, DeclaredField]) -> DeclaredField:
    """Facts with the size of the field that they are about; a row has one more place, where nothing is known."""
    if (part := secret.get(facts.of)) is None:
        return facts
    return replace(facts, shape=(part.most + 1,) if part.most else (), cards=part.cards, by_seat=part.by_seat)


def placed(declared: Fields, players: int) -> Fields:
    """The fields with one entry for each seat, for at most so many players."""
    seats = declared.seats or max(SEATS, players)

    def by_seat(parts: Mapping[str, DeclaredField]) -> dict[str, DeclaredField]:
        return {
            name: replace(part, shape=(seats, *part.shape)) if part.by_seat else part for name, part in parts.items()
        }

    groups = ("public", "own", "others", "hidden", "facts", "tables")
    fields: dict[str, Any] = {group: by_seat(getattr(declared, group)) for group in groups}
    return replace(declared, seats=seats, **fields)


def _columns(parts: Mapping[str, DeclaredField]) -> list[Any]:
    return [(name, part.dtype, part.field) if part.field else (name, part.dtype) for name, part in parts.items()]
