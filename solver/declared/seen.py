"""The table of what a seat sees (seen.py) of a declared game: its fields, by who sees them.

Public fields, the seat's own, those of others in `others`, and facts are seen in full; of all other cards only the
number is known. Hidden numbers are not seen. An array of sets or rows has a part for each, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from houle.solver.cards import cardsets, rows
from houle.solver.cards.write_numbers import mark_words, put
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Number, Numbers
from houle.solver.declared.fields import DeclaredField, Fields
from houle.solver.declared.kernels import written
from houle.solver.interface import seen

COUNTED = {"moves made": "moves", "turns made": "turns", "rounds played": "rounds"}  # lines, and their fields
TAKEN = ("game", "players", "variants", "rules", "seat", "luck", "moves", *COUNTED)  # names of other lines
MOST = 2**40
WRITE = "write(state, rules, seat, who, out, at)"


def declared_seen(declared: Fields) -> seen.Seen:
    """The table of a declared game."""
    parts: list[seen.Part | seen.PartGroup] = [seen.seat_number("to move", "mover")]
    for name, part in declared.all.items():
        if part.of:
            facts = _facts(name, part, declared.secret[part.of])
            parts.append(seen.each_seat(facts) if part.by_seat else facts)
        elif part.cards or name in declared.public:
            each = [_part(declared, name, part, index) for index in indices(part)]
            parts += [seen.each_seat(one) for one in each] if part.by_seat else each
    counted = [(line, name) for line, name in COUNTED.items() if name != "rounds" or declared.rounds]
    return seen.seen(*parts, *(seen.number(name, line=line, most=MOST) for line, name in counted))


def indices(part: DeclaredField) -> Iterator[tuple[int, ...]]:
    """The sets or rows in one entry of a field; numbers in an array stay together."""
    return product(*map(range, part.places)) if part.cards else iter([()])


def line_of(name: str, index: tuple[int, ...]) -> str:
    """The name of a field's line, without its seat."""
    line = " ".join([name.replace("_", " "), *(str(number + 1) for number in index)])
    return f"the {line}" if line in TAKEN else line


def _part(declared: Fields, name: str, part: DeclaredField, index: tuple[int, ...]) -> seen.Part:
    """What is seen of a field, or of one set or row of it."""
    line = line_of(name, index)

    def fact(form: str, use: seen.Function, width: int = 1) -> seen.Part:
        write = written(WRITE, [f"use({_value(name, part.by_seat, index)}, out, at)"], use=use)
        return seen.Part(name=line, form=form, get=write, writes=True, width=width, line=line)

    if not part.cards:
        number = seen.LIST if part.places else seen.NUMBER
        return fact(number, _put_all if part.places else _put_value, int(np.prod(part.places, dtype=int)))
    unseen = fact(seen.COUNT, _put_length if part.most else _put_size)
    shown = fact(seen.ROW, _put_row, part.most) if part.most else fact(seen.CARDS, _put_set(part.cards), part.cards)
    own, others = (shown if declared.sees(name, is_owner) else unseen for is_owner in (True, False))
    return replace(own, others=others) if own is not others else own


def _facts(name: str, part: DeclaredField, cards: DeclaredField) -> seen.Part:
    """The facts about a row, for each card in it, or about a set."""
    line, size, mark = line_of(name, ()), part.cards, _mark_row if cards.most else _mark_set
    fields = f"{_value(part.of, part.by_seat)}, {_value(name, part.by_seat)}"
    write = written(WRITE, [f"mark({fields}, out, at, {size})"], mark=mark)
    return seen.Part(
        name=line,
        form=seen.FACTS,
        get=write,
        writes=True,
        width=size * (cards.most or 1),
        line=line,
        of=line_of(part.of, ()),
        each=size,
    )


@kernel
def _mark_row(row: Any, facts: Any, out: Numbers, at: Number, size: Number) -> None:
    for place in range(rows.length(row)):
        at = mark_words(out, at, facts[place], size)


@kernel
def _mark_set(cards: Any, facts: Any, out: Numbers, at: Number, size: Number) -> None:
    mark_words(out, at, facts, size)


def _value(name: str, by_seat: bool, index: tuple[int, ...] = ()) -> str:
    """A field of the seat that is asked about, or one set or row of it, in a kernel."""
    at = [*["who"] * by_seat, *map(str, index)]
    return f'state["{name}"]' + (f"[{', '.join(at)}]" if at else "")


@kernel
def _put_value(value: Any, out: Numbers, at: Number) -> None:
    put(out, at, value)


@kernel
def _put_all(values: Any, out: Numbers, at: Number) -> None:
    for value in values.flat:
        at = put(out, at, value)


@kernel
def _put_size(cards: Any, out: Numbers, at: Number) -> None:
    put(out, at, cardsets.count(cards))


@kernel
def _put_length(row: Any, out: Numbers, at: Number) -> None:
    put(out, at, rows.length(row))


@kernel
def _put_row(row: Any, out: Numbers, at: Number) -> None:
    for place in range(len(row)):
        put(out, at + place, np.int64(row[place]) + 1)


def _put_set(width: int) -> seen.Function:
    @kernel
    def put_set(cards: Any, out: Numbers, at: Number) -> None:
        mark_words(out, at, cards, width)

    return put_set
