"""A real deck in a record: every card of the game, in the order in which cards are dealt and drawn.

    deck: G1 Y3 R1 ...

The order replaces the shuffle. Cards fill the places of the opening one after the other: those of the game's opening.py
(`take_apart`), or in a declared game its fields, what everybody sees first, then hands seat by seat, then piles. A
state holds random keys, not the order of its pile. So before each move a key is sought with which the move draws the
next cards of the deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.cards.cardsets import put
from houle.solver.cards.streams import FOLD, STEP, STREAM_FIELDS
from houle.solver.compiler.types import State
from houle.solver.errors import PositionError
from houle.solver.interface.declare import DeclaredField
from houle.solver.interface.declared_seen import indices
from houle.solver.matches.match import Match
from houle.solver.matches.opening import board_of
from houle.solver.matches.record.card_names import cards_in, cards_of_game
from houle.solver.matches.record.line_parser import Lines
from houle.solver.rules import Setup

DECK = "deck"
# Tried for the draws of one move. One card needs one key, each further card about as many as the pile has cards.
MOST_KEYS = 50_000
MASK = (1 << 64) - 1
COMPARED = 20  # deals that show whether a deal depends on the cards

Slot = tuple[str, tuple[int, ...], DeclaredField]  # a set or row of a declared game: its field, seat and number


class Layout(NamedTuple):
    """Where the cards of a deck go."""

    kinds: list[int]  # of the cards that can lie in each position
    names: dict[int, dict[str, tuple[int, ...]]]  # kind -> name in lower case -> all cards with this name


@dataclass(frozen=True)
class Deck:
    """All cards of a game in order, by name and by number."""

    setup: Setup
    words: tuple[str, ...]
    cards: tuple[int, ...]

    def start(self) -> Match:
        """A match with these cards dealt."""
        match = Match(self.setup, 0)
        if self.setup.game.openings.board is not None:
            cards = np.array([self.cards], np.int64)
            self.setup.game.openings.put_together(match.states, self.setup, cards)
            if getattr(match.state, "added", 0):
                problem = "this variant shuffles further cards into the pile; write `dealt` and `drawn` lines instead"
                raise PositionError(f"record: {DECK}: {problem}")
            return match
        place = 0
        for name, index, part in _slots(self.setup):
            value = _value(match.state, name, index)
            size = len(cards_in(value, part))
            _fill(value, self.cards[place : place + size], part)
            place += size
        return match

    @cached_property
    def piles(self) -> list[list[int]]:
        """The cards of each pile after the deal, in the order of the deck."""
        match = self.start()
        if self.setup.game.openings.board is not None:
            return _piles(match)  # `put_together` lays them in this order
        sizes = [len(pile) for pile in _piles(match)]
        ends = np.cumsum(sizes[::-1])[::-1]  # piles come last
        return [list(self.cards[len(self.cards) - end :][:size]) for end, size in zip(ends, sizes, strict=True)]

    def steered(self, match: Match, action: int, number: int, random: Random) -> Match:
        """The match before a move with luck that draws the next cards of the deck.

        A pile that was filled again, by a new round or a discard, has no order any more: its cards are drawn by luck.
        """
        befores = _piles(match)
        orders = [order[len(order) - len(pile) :] for order, pile in zip(self.piles, befores, strict=True)]
        held = [pile for pile, order in enumerate(orders) if Counter(order) == Counter(befores[pile]) and order]
        if not held:
            return match
        for _ in range(MOST_KEYS):
            before = match.copied()
            state: Any = before.states[0]
            state.deal = U8(_key(befores[held[0]].index(orders[held[0]][0]), len(orders[held[0]]), random))
            after = before.copied()
            after.apply(action)
            if all(_in_order(orders[pile], befores[pile], _piles(after)[pile]) for pile in held):
                return before
        problem = "no luck was found that draws the next cards of the deck; a move may draw two or three"
        raise PositionError(f"record: move {number}: {problem}")


def read_deck(lines: Lines, setup: Setup) -> Deck | None:
    """The deck of a record; None if it has none. Raises PositionError unless it holds exactly the cards of the game."""
    if not lines.says(DECK):
        return None
    words = lines.words(DECK) or []
    if len(words) == 1:
        words = words[0].split()  # names without spaces need no commas
    layout = _layout(Match(setup, 0))
    cards: list[int] = []
    used: Counter[tuple[int, ...]] = Counter()
    for number, word in enumerate(words[: len(layout.kinds)]):
        names = layout.names[layout.kinds[number]]
        lines.card(DECK, word, dict.fromkeys(names, 0))
        same = names[word.lower()]
        if used[same] == len(same):
            times = "once" if len(same) == 1 else f"{len(same)} times"
            raise lines.fault(DECK, f"card {number + 1}: {word} is in the deck only {times}")
        cards.append(same[used[same]])
        used[same] += 1
    if len(words) != len(layout.kinds):
        wanted = f"{len(layout.kinds)}, all cards of the game in the order they are dealt and drawn"
        raise lines.fault(DECK, f"{len(words)} cards are named; allowed: {wanted}")
    return Deck(setup, tuple(words), tuple(cards))


def _layout(match: Match) -> Layout:
    setup, game = match.setup, match.setup.game
    names: dict[int, dict[str, tuple[int, ...]]] = {}
    if game.openings.board is not None:
        board, kind_of = board_of(setup), game.openings.kind_of
        cards = [int(card) for card in game.openings.take_apart(match.states, setup)[0]]
        by_face: dict[int, list[int]] = {}
        for card in sorted(cards):
            by_face.setdefault(int(board.faces[card]), []).append(card)
        for known in board.names.values():
            for name, face in known.items():
                if face in by_face:
                    names.setdefault(kind_of(face), {})[name.lower()] = tuple(by_face[face])
        return Layout([kind_of(int(board.faces[card])) for card in cards], names)
    if game.declared is None:
        how = "write `deal: SEED/GAME`; a deck needs an opening.py or declared fields"
        raise PositionError(f"record: {DECK}: {setup.ruleset.name} does not say where its cards are; {how}")
    _refuse_chosen_deals(match)
    slots = _slots(setup)
    kinds = [part.cards for name, index, part in slots for _ in cards_in(_value(match.state, name, index), part)]
    for size, called in cards_of_game(setup).items():
        for card, name in called.items():
            names.setdefault(size, {})[name.lower()] = (*names.get(size, {}).get(name.lower(), ()), card)
    return Layout(kinds, names)


def _slots(setup: Setup) -> list[Slot]:
    """The sets and rows of cards of a declared game, piles last; a field per seat has one or more for each seat."""
    declared: Any = setup.game.declared
    fields = {name: part for name, part in {**declared.public, **declared.secret}.items() if part.cards}
    return [
        (name, (*seat, *index), part)
        for name, part in fields.items()
        for seat in ([(seat,) for seat in range(setup.players)] if part.by_seat else [()])
        for index in indices(part)
    ]


def _value(state: State, name: str, index: tuple[int, ...]) -> Any:
    return state[name][index] if index else state[name]


def _fill(value: Any, cards: Sequence[int], part: DeclaredField) -> None:
    """Puts cards into a set or row, in place of those that are there."""
    value[:] = part.empty
    if part.most:
        value[: len(cards)] = cards
    else:
        put(value, cards)


def _refuse_chosen_deals(match: Match) -> None:
    """Raises PositionError if anything but the places of cards differs between deals: it may depend on the cards."""
    setup = match.setup
    free = {name for name, *_ in STREAM_FIELDS} | {name for name, _, _ in _slots(setup)}
    for name in set(match.states.dtype.names or ()) - free:
        values = {np.asarray(Match(setup, 0, game).state[name]).tobytes() for game in range(COMPARED)}
        if len(values) > 1:
            problem = f"`{name}` is not the same after every deal of {setup.ruleset.name}; write `deal: SEED/GAME`"
            raise PositionError(f"record: {DECK}: {problem}")


def _piles(match: Match) -> list[list[int]]:
    """The cards of each pile that is drawn from by luck, in the order of the numbers that luck draws."""
    state: Any = match.state
    if match.setup.game.declared is not None:
        hidden = [slot for slot in _slots(match.setup) if slot[0] in match.setup.game.declared.hidden]
        return [cards_in(_value(state, name, index), part) for name, index, part in hidden if not part.most]
    if "pile_left" not in (match.states.dtype.names or ()):
        return []  # piles that lie in order
    return [[int(card) for card in state.pile[: int(state.pile_left)]]]


def _key(place: int, cards: int, random: Random) -> int:
    """A key of the stream `deal` whose next number below `cards` is `place`.

    These are `advance` and `below` of cards/streams.py in Python's own numbers: kernels are slow to call one by one.
    """
    while True:
        key = random.getrandbits(64)
        counter = key + int(STEP) & MASK
        product = counter * (counter ^ int(FOLD))
        bits = (product >> 64 ^ product) & MASK
        if (bits >> 32) * cards >> 32 == place:
            return key


def _in_order(order: list[int], before: list[int], after: list[int]) -> bool:
    """Whether the first cards of an order left the pile; a pile that grew was filled again."""
    drawn = Counter(before) - Counter(after)
    return bool(Counter(after) - Counter(before)) or drawn == Counter(order[: drawn.total()])
