"""Names of cards and of the fields where they lie, and what a hidden card may be in words that can be read back.

A card may be `any` of the game, `R4`, `R` or `4` for all cards with this part of the name, `R|Y 3-5`, or `not 4`. Names
are words with or without a number behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from houle.solver.cards.bits import members
from houle.solver.compiler.types import State
from houle.solver.declared.fields import DeclaredField
from houle.solver.declared.records import snapshot
from houle.solver.declared.seen import indices, line_of
from houle.solver.matches.match import Match
from houle.solver.rules import Setup

ANY, OR, NOT = "any", "|", "not "
RUN = 3  # so many numbers in a row are written as `3-5`
MOST_KEPT = 64  # setups

_decks: dict[str, dict[int, dict[int, str]]] = {}


def name_of_card(setup: Setup, card: int) -> str:
    """The name of a card; in a declared game without `card_name` its number."""
    declared, own = setup.game.declared, setup.game.positions.name_of_card
    if declared is not None and declared.card_name is not None:
        return str(declared.card_name(setup, card))
    return own(setup, card) if own is not None else str(card + (declared.first if declared is not None else 0))


def cards_in(value: Any, part: DeclaredField) -> list[int]:
    """The cards of a set, ascending, or of a row, in order."""
    return [int(card) for card in value if card >= 0] if part.most else members(value)


class Slot(NamedTuple):
    """A set, a row or numbers of a declared game: its line in a position, its field, its seat (-1: none) and number."""

    line: str
    name: str
    seat: int
    number: tuple[int, ...]
    part: DeclaredField

    def value(self, state: State) -> Any:
        """What is there: an array that can be filled, or a single number."""
        at = (*([self.seat] if self.seat >= 0 else []), *self.number)
        return state[self.name][at] if at else state[self.name]


def slots(setup: Setup) -> Iterator[Slot]:
    """All that a state of a declared game holds, piles last; a field per seat has one or more for each seat."""
    declared: Any = setup.game.declared
    for name, part in {**declared.public, **declared.secret}.items():
        for seat in range(setup.players) if part.by_seat else (-1,):
            for index in indices(part):
                line = line_of(name, index)
                yield Slot(
                    line=line if seat < 0 else f"seat {seat + 1} {line}", name=name, seat=seat, number=index, part=part
                )


def cards_of_game(setup: Setup) -> dict[int, dict[int, str]]:
    """The names of all cards of a declared game, by the size of their sets: those that lie somewhere after a deal."""
    if setup.digest not in _decks:
        if len(_decks) >= MOST_KEPT:
            _decks.clear()
        dealt, decks = Match(setup, 0).state, dict[int, list[int]]()
        for slot in slots(setup) if setup.game.declared is not None else ():
            if slot.part.cards:
                decks.setdefault(slot.part.cards, []).extend(cards_in(slot.value(dealt), slot.part))
        _decks[setup.digest] = {
            size: {card: name_of_card(setup, card) for card in sorted(cards)} for size, cards in decks.items()
        }
    return _decks[setup.digest]


def fact_in_words(setup: Setup, size: int, cards: Iterable[int]) -> str:
    """What a card may be, one of these."""
    names = cards_of_game(setup)[size]
    return words_of_fact(list(dict.fromkeys(names.values())), [names[card] for card in cards if card in names])


def words_of_fact(names: Sequence[str], some: Sequence[str]) -> str:
    """The shortest words for some names, or for the others."""
    rest = [name for name in names if name not in some]
    return min(_listed(names, [name for name in names if name in some]), NOT + _listed(names, rest), key=len)


def read_fact(names: Sequence[str], words: str) -> list[str] | None:
    """The names that words mean; None if they mean nothing."""
    words = words.strip().lower()
    if words.startswith(NOT):
        excluded = read_fact(names, words.removeprefix(NOT))
        return None if excluded is None else [name for name in names if name not in excluded]
    options = [option.strip() for option in words.split(OR)]
    if words == ANY or {*options} <= {name.lower() for name in names}:
        return [name for name in names if words == ANY or name.lower() in options]
    kinds = sorted({_parts(name)[0].lower() for name in names} - {""}, key=len, reverse=True)
    kind, number = "|".join(map(re.escape, kinds)) or "(?!)", r"\d{1,9}(?:-\d{1,9})?"
    match = re.fullmatch(rf"((?:{kind})(?:\|(?:{kind}))*)?\s*({number}(?:\|{number})*)?", words)
    if match is None or not words:
        return None
    ranges = [[int(end) for end in one.split("-")] for one in (match[2] or "").split(OR) if one]
    return [
        name
        for name, (first, last) in ((name, _parts(name)) for name in names)
        if (not match[1] or first.lower() in match[1].split(OR))
        and (not ranges or any(one[0] <= last <= one[-1] for one in ranges))
    ]


def _listed(names: Sequence[str], some: list[str]) -> str:
    """`R|Y 3` if some names are all with these parts, else all of them."""
    if len(some) in (0, len(names)):
        return ANY if some else NOT + ANY
    kinds, numbers = (dict.fromkeys(parts) for parts in zip(*map(_parts, some), strict=True))
    every = [{*parts} for parts in zip(*map(_parts, names), strict=True)]
    left = "" if {*kinds} == every[0] else OR.join(kinds)
    right = "" if {*numbers} == every[1] else OR.join(_runs(sorted(numbers)))
    spaced = " " if left and right and (len(kinds) > 1 or any(" " in name for name in some)) else ""
    short = left + spaced + right
    return short if read_fact(names, short) == some else OR.join(some)


def _parts(name: str) -> tuple[str, int]:
    """The words and the number of a name; -1 for none."""
    match = re.fullmatch(r"(.*?)\s*(\d*)", name)
    assert match is not None
    return match[1], int(match[2] or -1)


def _runs(numbers: list[int]) -> list[str]:
    """Numbers as `2`, or as `4-7` if several follow each other."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda one: one[1] - one[0])]
    return [word for run in runs for word in (map(str, run) if len(run) < RUN else [f"{run[0]}-{run[-1]}"])]


def show_declared(state: Any, setup: Setup) -> str:
    """The `show` of a declared game: a line per field, or per field and seat, counted from 1."""
    seen, lines = snapshot(state, setup), []
    for name, part in setup.game.declared.all.items():
        word = name.replace("_", " ")
        if part.by_seat:
            lines += [f"{word} of seat {seat}: {_words(one, part, setup)}" for seat, one in enumerate(seen[name], 1)]
        else:
            lines.append(f"{word}: {_words(seen[name], part, setup)}")
    return "\n".join(lines)


def _words(value: Any, part: DeclaredField, setup: Setup) -> str:
    """Cards or numbers separated by blanks; rows and sets in an array by `|`, facts by commas."""
    if not isinstance(value, list):
        return name_of_card(setup, value) if part.cards else str(value)
    nested = bool(value) and isinstance(value[0], list)
    if part.of:
        return ", ".join(fact_in_words(setup, part.cards, one) for one in (value if nested else [value])) or "none"
    return (" | " if nested else " ").join(_words(one, part, setup) for one in value) or "none"
