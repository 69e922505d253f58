"""Reads positions of declared games from text: a line per field, as the seat sees it (interface/declared_seen.py).

top: 7, 1, 93, 100                   numbers that everybody sees
laid: 7, 93                          cards that everybody sees, by their numbers
rows 2: 12, 15, 40                   one of several sets or rows, counted from 1; a row in its order
seat 1 hand: 12, 40                  the seat's own cards; of others only how many, as `6 ?`
pile: 80 ?                           hidden cards: only how many
moves made: 2                        by all players
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.cards.cardsets import WORD
from houle.solver.compiler.types import State
from houle.solver.interface.declare import Fields, Part
from houle.solver.interface.declared_seen import COUNTED, MOST, indices, line_of
from houle.solver.matches.match import Match
from houle.solver.matches.record.line_parser import Lines
from houle.solver.rules import Setup

Place = tuple[str, str, tuple[int, ...], Part]  # the line, the field, its seat and its number


def can_be_written(declared: Fields) -> bool:
    """Whether positions can be written: all fields that somebody does not see are cards."""
    return all(part.cards for part in (*declared.own.values(), *declared.hidden.values()))


def read_declared(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state. Cards that the seat does not see are dealt in any way."""
    declared: Any = setup.game.declared
    state.mover = seat
    for line, name in COUNTED.items():
        if name in state.dtype.names:
            state[name] = lines.number(line, 0, MOST, 0)
    left = _deck(declared, setup)
    hidden: list[tuple[str, Any, int, Part]] = []  # line, set or row, how many cards
    for line, name, index, part in _places(declared, setup):
        words = lines.words(line) or []
        value = state[name][index] if index and part.field[len(index) :] else state[name]
        if not part.cards:
            _read_numbers(lines, line, words, state, name, index)
        elif name in declared.public or (name in declared.own and index[0] == seat):
            first = declared.first
            seen = [lines.whole(line, word, first, first + part.cards - 1) - first for word in words]
            for card in seen:
                if card not in left[part.cards]:
                    raise lines.fault(line, f"card {card + first} is not in the game, or named twice")
                left[part.cards].remove(card)
            _put(lines, line, value, seen, part)
        else:
            hidden.append((line, value, _count(lines, line, words, seat), part))
    for line, value, number, part in hidden:
        rest = left[part.cards]
        if number > len(rest):
            raise lines.fault(line, f"{number} cards are too many: {len(rest)} are in no other place")
        _put(lines, line, value, rest[:number], part)
        del rest[:number]
    over = [card for cards in left.values() for card in cards]
    if hidden and over:
        raise lines.fault(hidden[-1][0], f"{len(over)} cards of the game are in no place")


def _places(declared: Fields, setup: Setup) -> Iterator[Place]:
    """A line per field, or per seat; sets and rows in an array have one each, numbers share a line."""
    for name, part in declared.all.items():
        for index in indices(part):
            if not part.by_seat:
                yield line_of(name, index), name, index, part
            for seat in range(setup.players if part.by_seat else 0):
                yield f"seat {seat + 1} {line_of(name, index)}", name, (seat, *index), part


def _deck(declared: Fields, setup: Setup) -> dict[int, list[int]]:
    """The cards of the game by the size of their sets: all cards that are somewhere after a deal."""
    dealt, decks = Match(setup, 0).state, dict[int, list[int]]()
    for _, name, index, part in _places(declared, setup):
        if part.cards:
            decks.setdefault(part.cards, []).extend(_cards(dealt[name][index] if index else dealt[name], part))
    return {size: sorted(cards) for size, cards in decks.items()}


def _read_numbers(lines: Lines, line: str, words: list[str], state: State, name: str, index: tuple[int, ...]) -> None:
    numbers = [lines.whole(line, word, -MOST, MOST) for word in words]
    value = np.asarray(state[name][index] if index else state[name])
    if len(numbers) != value.size:
        raise lines.fault(line, f"write {value.size} whole number{'s' if value.size > 1 else ''}, not {len(numbers)}")
    if index:
        state[name][index] = np.reshape(numbers, value.shape)
    elif value.size > 1:
        state[name].flat = numbers
    else:
        state[name] = numbers[0]


def _cards(value: Any, part: Part) -> list[int]:
    """The cards of a set, ascending, or of a row, in order."""
    return [int(card) for card in value if card >= 0] if part.most else members(value)


def _put(lines: Lines, line: str, value: Any, cards: list[int], part: Part) -> None:
    """Fills an empty set or row."""
    if part.most and len(cards) > part.most:
        raise lines.fault(line, f"{len(cards)} cards; allowed: at most {part.most}")
    if part.most:
        value[:] = [*cards, *[part.empty] * (part.most - len(cards))]
        return
    for card in cards:
        value[card // WORD] |= type(value[0])(1 << card % WORD)


def _count(lines: Lines, line: str, words: list[str], seat: int) -> int:
    """The number of cards in a place that the seat does not see."""
    text = " ".join(words)
    match = re.fullmatch(r"(?:(\d{1,4}) ?)?\?", text) or re.fullmatch(r"(\d{1,4})", text)
    if words and match is None:
        raise lines.fault(line, f"{text[:40]!r}: seat {seat + 1} does not see these cards; write how many, as `5 ?`")
    return int(match[1] or 1) if match else 0
