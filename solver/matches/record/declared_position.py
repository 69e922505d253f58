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

from typing import Any

import numpy as np

from houle.solver.cards.cardsets import put
from houle.solver.compiler.types import State
from houle.solver.declared.fields import DeclaredField, Fields
from houle.solver.declared.seen import MOST, line_of
from houle.solver.matches.record.card_names import ANY, OR, Slot, cards_of_game, read_fact, slots
from houle.solver.matches.record.line_parser import Lines
from houle.solver.matches.record.named_cards import PositionCards
from houle.solver.rules import Setup
from houle.solver.texts import count_of


def can_be_written(declared: Fields) -> bool:
    """Whether positions can be written: all fields that somebody does not see are cards."""
    return all(part.cards for part in declared.secret.values())


def read_declared(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state. Cards that the seat does not see are dealt in any way."""
    declared: Any = setup.game.declared
    decks = {
        size: PositionCards(lines, setup, state, seat, deck=list(names), shown=names.__getitem__)
        for size, names in cards_of_game(setup).items()
    }
    hidden: list[tuple[Slot, list[int]]] = []  # what the seat does not see, and the cards that are dealt there
    for slot in slots(setup):
        if not slot.part.cards:
            _read_numbers(lines, slot, state)
            continue
        deck = decks[slot.part.cards]
        if declared.sees(slot.name, slot.seat == seat):
            _put(lines, slot, state, deck.named(slot.line))
            continue
        hidden.append((slot, []))
        for _ in range(lines.hidden(slot.line, seat, deck.names)):
            deck.hide(slot.line, hidden[-1][1].append)
    over = [card for deck in decks.values() for card in deck.fill()]
    if hidden and over:
        raise lines.fault(hidden[-1][0].line, f"{len(over)} cards of the game are in no place")
    for slot, cards in hidden:
        _put(lines, slot, state, cards)
    for name, part in declared.facts.items():
        for owner in range(setup.players) if part.by_seat else [None]:
            at, line = (...,) if owner is None else (owner,), line_of(name, ())
            held, facts = state[part.of][at], state[name][at]
            _read_facts(
                lines, line if owner is None else f"seat {owner + 1} {line}", setup, part, cards=held, facts=facts
            )


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


def _read_numbers(lines: Lines, slot: Slot, state: State) -> None:
    """Numbers of a field, or of a seat's entry of it; those of an array stay together."""
    numbers = [lines.whole(slot.line, word, -MOST, MOST) for word in lines.words(slot.line) or ()]
    there = np.asarray(slot.value(state))
    if len(numbers) != (size := there.size):
        raise lines.fault(slot.line, f"write {count_of(size, 'whole number')}, not {len(numbers)}")
    if slot.seat < 0:
        state[slot.name] = np.reshape(numbers, there.shape)
    else:
        state[slot.name][slot.seat] = np.reshape(numbers, there.shape)


def _put(lines: Lines, slot: Slot, state: State, cards: list[int]) -> None:
    """Fills an empty set or row."""
    part, there = slot.part, slot.value(state)
    if part.most and len(cards) > part.most:
        raise lines.fault(slot.line, f"{len(cards)} cards; allowed: at most {part.most}")
    if part.most:
        there[:] = [*cards, *[part.empty] * (part.most - len(cards))]
    else:
        put(there, cards)
