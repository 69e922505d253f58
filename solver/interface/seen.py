"""What a seat sees, stated once per game: the table SEEN in its knows.py.

    SEEN = seen(
        number("turns", line="turn", first=1, fact="turn"),
        cards("laid", "laid", width=98, line="laid"),
        each_seat(
            number("level", line="level", fact="water level"),
            cards("hand", known_cards, width=98),
        ),
    )

A part has a name, a size and a getter, which alone decides what the seat knows of it. From the table come:

- the observation of a seat: all parts as numbers, and their names;
- the hash of what a seat knows (`Match.knows`);
- the lines of a position, and the reading of plain ones (matches/record/known_lines.py);
- the facts on the page of `houle play` (matches/views.py).

A getter is the name of a field of STATE, or a function (state, rules, seat, who) that is compiled. `seat` is the seat
that sees it; `who` is the seat or side that a part of `each_seat` or `each_side` is about. Seats are written by their
distance from the seat that sees, so an observation means the same for every seat. Sizes and `when` are numbers, names
of fields of RULES, or functions of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from houle.solver.cards.write_numbers import ahead, mark_card, mark_cards, mark_words, put, seat_ahead
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Rules, Seat, State

Function = Callable[..., Any]
Getter = str | Function
Size = int | str | Function
# How the numbers of a part are written and what they mean to people.
NUMBER, FLAG, CHOICE, SEAT, MARK, CARDS = "number", "flag", "choice", "seat", "mark", "cards"
COUNT, ROW, LIST = "count", "row", "list"  # unseen cards, 1 + each card in order, any numbers
FACTS = "facts"  # for each hidden card of a row, or for all of a set, a place per card that it may be
SHARED, SEATS, OTHERS, SIDES = "", "seats", "others", "sides"  # whom parts are about
MOST = 32_767


def size_of(size: Size, rules: Rules) -> int:
    """A size or a condition in a setup."""
    return size if isinstance(size, int) else int(rules[size] if isinstance(size, str) else size(rules))


@dataclass(frozen=True, kw_only=True)
class Part:
    """A fact that a seat may see."""

    name: str
    form: str
    get: Getter
    writes: bool = False  # the getter writes the numbers itself: (state, rules, seat, who, out, at)
    width: Size = 1
    words: int = 1  # 64-bit words of a set of cards; a set of several words must be a field
    when: Size = 1  # whether the game has this part
    line: str = ""  # the name of its line in a position; empty: it has none
    optional: bool = False  # the line is left out where the value is 0, none or empty
    first: int = 0  # what people read for 0
    most: Size = MOST  # the greatest number that people may write
    said: Sequence[str] = ()  # the words of the values, from 0 on
    others: Part | None = None  # what is seen instead if it is about another seat
    of: str = ""  # facts: the part with the cards that they are about
    each: int = 0  # facts: places per card
    fact: str = ""  # its name on the page of `houle play`; empty: the game's view shows it, or nothing does

    def value(self, numbers: Sequence[int], seat: int, seats: int) -> Any:
        """The value of the numbers of one observation: a number, a seat, a card (-1: none), or a list."""
        if self.form == SEAT:
            return (seat + numbers[0]) % seats if numbers[0] >= 0 else -1
        if self.form == MARK:
            return next((place for place, marked in enumerate(numbers) if marked), -1)
        if self.form == CARDS:
            return [card for card, marked in enumerate(numbers) if marked]
        if self.form == ROW:
            return [card - 1 for card in numbers if card]
        if self.form == FACTS:
            sets = [numbers[start : start + self.each] for start in range(0, len(numbers), self.each)]
            return [[card for card, marked in enumerate(one) if marked] for one in sets if any(one)]
        return list(numbers) if self.form == LIST else numbers[0]


@dataclass(frozen=True)
class PartGroup:
    """Parts that are written for every seat, for all other seats, or for every side."""

    of: str
    parts: tuple[Part, ...]
    when: Size = 1


class Place(NamedTuple):
    """Where the numbers of a part are, and how far the seat or side that it is about sits from the seat that sees."""

    part: Part
    of: str
    number: int
    start: int
    width: int

    @property
    def name(self) -> str:
        if self.of == SHARED:
            return self.part.name
        side = " side" if self.of == SIDES else ""
        return f"{f'next{side} {self.number}' if self.number else f'own{side}'} {self.part.name}"


def number(name: str, get: Getter = "", **more: Any) -> Part:
    """A whole number."""
    return Part(name=name, form=NUMBER, get=get or _field(name), **more)


def flag(name: str, get: Getter = "", **more: Any) -> Part:
    """Yes or no. Its line says `yes`, or is left out."""
    return Part(name=name, form=FLAG, get=get or _field(name), optional=True, **more)


def choice(name: str, said: Sequence[str], get: Getter = "", **more: Any) -> Part:
    """A number that stands for one of some words."""
    return Part(name=name, form=CHOICE, get=get or _field(name), said=said, **more)


def seat_number(name: str, get: Getter = "", **more: Any) -> Part:
    """A seat; -1 for none."""
    return Part(name=name, form=SEAT, get=get or _field(name), **more)


def mark(name: str, get: Getter, width: Size, said: Sequence[str] = (), **more: Any) -> Part:
    """One of several things, such as a card: a place for each, with 1 in one of them. Beyond the width: none."""
    return Part(name=name, form=MARK, get=get, width=width, said=said, **more)


def cards(name: str, get: Getter, width: Size, **more: Any) -> Part:
    """A set: a place for each card. Sets of several 64-bit words say how many (`words`)."""
    return Part(name=name, form=CARDS, get=get, width=width, **more)


def count(name: str, get: Getter, **more: Any) -> Part:
    """How many cards there are in a place whose cards are not seen. Its line is `5 ?`."""
    return Part(name=name, form=COUNT, get=get, **more)


def row(name: str, write: Function, width: Size, **more: Any) -> Part:
    """Cards in order: the function (state, rules, seat, who, out, at) writes 1 + each card from place `at` on."""
    return Part(name=name, form=ROW, get=write, writes=True, width=width, **more)


def numbers(name: str, write: Function, width: Size, **more: Any) -> Part:
    """Several numbers, which the function (state, rules, seat, who, out, at) writes from place `at` on; 0 is there."""
    return Part(name=name, form=LIST, get=write, writes=True, width=width, **more)


def each_seat(*parts: Part, when: Size = 1) -> PartGroup:
    """Parts of every seat, that of the seat that sees first."""
    return PartGroup(SEATS, parts, when)


def each_other(*parts: Part) -> PartGroup:
    """Parts of every other seat."""
    return PartGroup(OTHERS, parts)


def each_side(*parts: Part) -> PartGroup:
    """Parts of every side, that of the seat that sees first."""
    return PartGroup(SIDES, parts)


def seen(*parts: Part | PartGroup) -> Seen:
    """The table of a game. Every observation begins with the seat that sees."""
    return Seen((_OBSERVER, *parts))


@dataclass(frozen=True)
class Seen:
    """What a seat of a game may see."""

    table: tuple[Part | PartGroup, ...]

    @cached_property
    def observe(self) -> Function:
        """The kernel (state, rules, seat, out) -> how many numbers it wrote into `out`, which holds 0 before."""
        return outlined(_Written(self.table).function())

    def groups(self, setup: Any) -> Iterator[PartGroup]:
        """The parts of a setup, those about nobody as groups of their own."""
        rules = setup.rules[0]
        for one in self.table:
            group = PartGroup(SHARED, (one,)) if isinstance(one, Part) else one
            if size_of(group.when, rules):
                yield replace(group, parts=tuple(part for part in group.parts if size_of(part.when, rules)))

    def layout(self, setup: Any) -> list[Place]:
        """All parts of an observation in order."""
        places, at, rules = list[Place](), 0, setup.rules[0]
        for group in self.groups(setup):
            for who in _numbers(group.of, rules):
                for part in group.parts:
                    part = part.others if part.others and who else part
                    width = size_of(part.width, rules)
                    places.append(Place(part=part, of=group.of, number=who, start=at, width=width))
                    at += width
        return places


# ---- The kernel that writes an observation


def _field(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_")


class _Written:
    """The source of `observe`, made from a table.

    One function with a line for each part: a kernel for each part takes longer to compile. Names of fields come from
    the table of a game, which is code itself; everything else has a made-up name.
    """

    def __init__(self, table: Sequence[Part | PartGroup]) -> None:
        self.used: dict[str, Any] = {"np": np, "put": put, "ahead": ahead, "seat_ahead": seat_ahead}
        self.used |= {"mark_card": mark_card, "mark_cards": mark_cards, "mark_words": mark_words}
        self.lines = ["def observe(state, rules, seat, out):", "    at = np.int64(0)"]
        for one in table:
            if isinstance(one, Part):
                self._part(one, "seat", False, 1)
            else:
                self._group(one)
        self.lines.append("    return at")

    def function(self) -> Function:
        exec(compile("\n".join(self.lines), "<observe>", "exec"), self.used)
        written: Function = self.used["observe"]
        return written

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _name(self, function: Function) -> str:
        """The name of a function in the source, where it is a kernel."""
        name = f"function_{len(self.used)}"
        self.used[name] = function if hasattr(function, "py_func") else kernel(function)
        return name

    def _size(self, size: Size) -> str:
        if isinstance(size, int):
            return str(size)
        return f"np.int64({f'rules.{size}' if isinstance(size, str) else f'{self._name(size)}(rules)'})"

    def _group(self, group: PartGroup) -> None:
        seat, many = ("rules.side[seat]", "rules.sides") if group.of == SIDES else ("seat", "rules.seats")
        depth = 1
        if group.when != 1:
            self._line(depth, f"if {self._size(group.when)}:")
            depth += 1
        self._line(depth, f"for number in range({int(group.of == OTHERS)}, np.int64({many})):")
        self._line(depth + 1, f"who = seat_ahead(number, {seat}, {many})")
        for part in group.parts:
            self._part(part, "who", True, depth + 1)

    def _part(self, part: Part, who: str, owned: bool, depth: int) -> None:
        if part.when != 1:
            self._line(depth, f"if {self._size(part.when)}:")
            depth += 1
        if part.others is None:
            self._write(part, who, owned, depth)
            return
        self._line(depth, f"if np.int64({who}) == np.int64(seat):")
        self._write(part, who, owned, depth + 1)
        self._line(depth, "else:")
        self._part(part.others, who, owned, depth + 1)

    def _write(self, part: Part, who: str, owned: bool, depth: int) -> None:
        width = self._size(part.width)
        if part.writes:
            self._line(depth, f"{self._name(part.get)}(state, rules, seat, {who}, out, at)")  # type: ignore[arg-type]
            self._line(depth, f"at += {width}")
            return
        if isinstance(part.get, str):
            if not part.get.isidentifier():
                raise ValueError(f"{part.get!r} is not the name of a field")
            value = f"state.{part.get}[{who}]" if owned else f"state.{part.get}"
        else:
            value = f"{self._name(part.get)}(state, rules, seat, {who})"
        written = {
            SEAT: f"put(out, at, ahead({value}, seat, rules.seats))",
            MARK: f"mark_card(out, at, {value}, {width})",
            CARDS: f"mark_cards(out, at, np.uint64({value}), {width})",
        }.get(part.form, f"put(out, at, {value})")
        self._line(depth, f"at = {f'mark_words(out, at, {value}, {width})' if part.words > 1 else written}")


def _numbers(of: str, rules: Rules) -> range:
    """How far those that parts are about sit from the seat that sees."""
    return {SHARED: range(1), SIDES: range(int(rules.sides))}.get(of, range(int(of == OTHERS), int(rules.seats)))


def _own_seat(state: State, rules: Rules, seat: Seat, who: Seat) -> Seat:
    return seat


_OBSERVER = number("seat", _own_seat)
