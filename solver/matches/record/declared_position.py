"""Positions of declared games as text: a line per field, as the seat sees it.

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
from itertools import product
from typing import Any

import numpy as np

from houle.solver.compiler.cardsets import WORD, members
from houle.solver.compiler.types import State
from houle.solver.interface.declare import Fields, Part
from houle.solver.matches.match import Match
from houle.solver.matches.record.lines import Lines, Places
from houle.solver.rules import Setup

COUNTED = {"moves made": "moves", "turns made": "turns"}  # fields that every declared game has
TAKEN = ("game", "players", "variants", "rules", "seat", "luck", "moves", *COUNTED)  # names of other lines
MOST = 2**40

Place = tuple[str, str, tuple[int, ...], Part]  # the line, the field, its seat and its number


def can_be_written(declared: Fields) -> bool:
    """Whether positions can be written: all fields that somebody does not see are cards."""
    return all(part.cards for part in (*declared.own.values(), *declared.hidden.values()))


class DeclaredWords:
    """`write` and `read`, as in a game's own text/position.py."""

    def __init__(self, declared: Fields) -> None:
        self.declared = declared
        self.counted = COUNTED | ({"rounds played": "rounds"} if declared.rounds else {})

    def places(self, setup: Setup) -> Iterator[Place]:
        """A line per field, or per seat; sets and rows in an array have one each, numbers share a line."""
        for name, part in self.declared.all.items():
            shown = name.replace("_", " ")
            numbers = [range(setup.players)] if part.by_seat else []
            numbers += [range(size) for size in part.shape[len(numbers) :]] if part.cards else []
            for index in product(*numbers):
                who = f"seat {index[0] + 1} " if part.by_seat else ""
                which = "".join(f" {number + 1}" for number in index[part.by_seat :])
                line = f"{who}{shown}{which}"
                yield f"the {line}" if line in TAKEN else line, name, index, part

    def sees(self, name: str, index: tuple[int, ...], seat: int) -> bool:
        return name in self.declared.public or (name in self.declared.own and index[0] == seat)

    def write(self, state: State, setup: Setup, seat: int) -> Places:
        """What the seat sees, a line per field."""
        places: Places = {}
        for line, name, index, part in self.places(setup):
            value = state[name][index] if index else state[name]
            if not part.cards:
                places[line] = [str(number) for number in _flat(value)]
            elif self.sees(name, index, seat):
                places[line] = [str(card + self.declared.first) for card in _cards(value, part)]
            else:
                number = len(_cards(value, part))
                places[line] = [f"{number} ?"] if number else []
        return places | {line: [str(int(state[name]))] for line, name in self.counted.items()}

    def read(self, lines: Lines, setup: Setup, state: State, seat: int) -> None:
        """Fills a blank state. Cards that the seat does not see are dealt in any way."""
        state.mover = seat
        for line, name in self.counted.items():
            state[name] = lines.number(line, 0, MOST, 0)
        left = self._deck(setup)
        hidden: list[tuple[str, Any, int, Part]] = []  # line, set or row, how many cards
        for line, name, index, part in self.places(setup):
            words = lines.words(line) or []
            value = state[name][index] if index and part.field[len(index) :] else state[name]
            if not part.cards:
                self._read_numbers(lines, line, words, state, name, index)
            elif self.sees(name, index, seat):
                first = self.declared.first
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

    def _deck(self, setup: Setup) -> dict[int, list[int]]:
        """The cards of the game by the size of their sets: all cards that are somewhere after a deal."""
        dealt, decks = Match(setup, 0).state, dict[int, list[int]]()
        for _, name, index, part in self.places(setup):
            if part.cards:
                decks.setdefault(part.cards, []).extend(_cards(dealt[name][index] if index else dealt[name], part))
        return {size: sorted(cards) for size, cards in decks.items()}

    def _read_numbers(
        self, lines: Lines, line: str, words: list[str], state: State, name: str, index: tuple[int, ...]
    ) -> None:
        numbers = [lines.whole(line, word, -MOST, MOST) for word in words]
        value = state[name][index] if index else state[name]
        wanted = len(_flat(value))
        if len(numbers) != wanted:
            raise lines.fault(line, f"write {wanted} whole number{'s' if wanted > 1 else ''}, not {len(numbers)}")
        if index:
            state[name][index] = np.reshape(numbers, np.shape(value))
        elif wanted > 1:
            state[name].flat = numbers
        else:
            state[name] = numbers[0]


def _cards(value: Any, part: Part) -> list[int]:
    """The cards of a set, ascending, or of a row, in order."""
    return [int(card) for card in value if card >= 0] if part.most else members(value)


def _flat(value: Any) -> list[int]:
    return [int(number) for number in value.flat] if getattr(value, "shape", ()) else [int(value)]


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
