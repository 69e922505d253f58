"""Reads positions of declared games from text: a line per field, as the seat sees it (declared/seen.py).

top: 7, 1, 93, 100                   numbers that everybody sees
laid: 7, 93                          cards that everybody sees, by their names or numbers
rows 2: 12, 15, 40                   one of several sets or rows, counted from 1; a row in its order
seat 1 hand: 12, 40                  cards that the seat sees; of those that it does not see only how many, as `6 ?`
seat 1 may: any, 3|4, not 7          what is known about hidden cards (card_names.py)
pile: 80 ?                           hidden cards: only how many
moves made: 2                        by all players
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from houle.solver.cards.cardsets import put
from houle.solver.compiler.types import State
from houle.solver.declared.fields import DeclaredField, Fields
from houle.solver.declared.seen import MOST, indices, line_of
from houle.solver.matches.record.card_names import ANY, OR, cards_of_game, read_fact
from houle.solver.matches.record.line_parser import Lines
from houle.solver.matches.record.named_cards import PositionCards
from houle.solver.rules import Setup

Place = tuple[str, str, tuple[int, ...], DeclaredField]  # the line, the field, its seat and its number


def can_be_written(declared: Fields) -> bool:
    """Whether positions can be written: all fields that somebody does not see are cards."""
    return all(part.cards for part in declared.secret.values())


def read_declared(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state. Cards that the seat does not see are dealt in any way."""
    declared: Any = setup.game.declared
    decks = {
        size: PositionCards(lines, setup, state, seat, list(names), shown=names.__getitem__)
        for size, names in cards_of_game(setup).items()
    }
    hidden: list[tuple[str, Any, list[int], DeclaredField]] = []  # line, set or row, its cards
    for line, name, index, part in _places(declared, setup):
        value = state[name][index] if index and part.field[len(index) :] else state[name]
        if not part.cards:
            _read_numbers(lines, line, lines.words(line) or [], state, name, index)
        elif declared.sees(name, part.by_seat and index[0] == seat):
            _put(lines, line, value, decks[part.cards].named(line), part)
        else:
            hidden.append((line, value, [], part))
            for _ in range(lines.hidden(line, seat, decks[part.cards].names)):
                decks[part.cards].hide(line, hidden[-1][2].append)
    over = [card for deck in decks.values() for card in deck.fill()]
    if hidden and over:
        raise lines.fault(hidden[-1][0], f"{len(over)} cards of the game are in no place")
    for line, value, cards, part in hidden:
        _put(lines, line, value, cards, part)
    for name, part in declared.facts.items():
        for owner in range(setup.players) if part.by_seat else [None]:
            at, line = (...,) if owner is None else (owner,), line_of(name, ())
            cards, facts = state[part.of][at], state[name][at]
            _read_facts(lines, line if owner is None else f"seat {owner + 1} {line}", setup, part, cards, facts)


def _read_facts(lines: Lines, line: str, setup: Setup, part: DeclaredField, cards: Any, facts: Any) -> None:
    """Fills the facts about a row or a set; without a line nothing is known."""
    names = cards_of_game(setup)[part.cards]
    every = list(dict.fromkeys(names.values()))
    sets = list(facts) if facts.ndim > 1 else [facts]
    number = sum(int(card) >= 0 for card in cards) if facts.ndim > 1 else 1
    words = lines.words(line) or [ANY] * number
    if len(words) != number:
        raise lines.fault(line, f"{len(words)} facts about {number} cards; write one for each, or `{ANY}`")
    for fact, word in zip(sets, [*words, *[ANY] * (len(sets) - number)], strict=True):
        meant = read_fact(every, word)
        if not meant:
            raise lines.fault(line, f"{word[:40]!r} means no card; write `{ANY}`, or names as `{OR.join(every[:2])}`")
        put(fact, [card for card, name in names.items() if name in meant])


def _places(declared: Fields, setup: Setup) -> Iterator[Place]:
    """A line per field, or per seat; sets and rows in an array have one each, numbers share a line."""
    for name, part in {**declared.public, **declared.secret}.items():
        for index in indices(part):
            if not part.by_seat:
                yield line_of(name, index), name, index, part
            for seat in range(setup.players if part.by_seat else 0):
                yield f"seat {seat + 1} {line_of(name, index)}", name, (seat, *index), part


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


def _put(lines: Lines, line: str, value: Any, cards: list[int], part: DeclaredField) -> None:
    """Fills an empty set or row."""
    if part.most and len(cards) > part.most:
        raise lines.fault(line, f"{len(cards)} cards; allowed: at most {part.most}")
    if part.most:
        value[:] = [*cards, *[part.empty] * (part.most - len(cards))]
    else:
        put(value, cards)
