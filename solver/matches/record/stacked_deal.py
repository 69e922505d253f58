"""Deals in which chosen cards lie in chosen positions: the game's own `deal` draws them from a stack (cards/piles.py).

The words.py of a game says which card lies in each position after a deal (`lying`). In a declared game the positions
are those of its fields: what everybody sees first, then hands seat by seat, then piles. Which draw fills which position
is found by a deal from a stack whose order is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from houle.solver.cards.bits import U8
from houle.solver.cards.piles import GAP, lay_pile, lay_stack, pile_as_it_lies
from houle.solver.compiler.types import AllRules
from houle.solver.interface import blank, entries
from houle.solver.matches.match import Match
from houle.solver.matches.opening import board_of
from houle.solver.matches.record.card_names import cards_in, cards_of_game, slots
from houle.solver.matches.record.line_parser import Lines
from houle.solver.matches.record.named_cards import NamedCards
from houle.solver.rules import Setup

MASK = 255  # a board may add to the numbers of cards, to tell kinds apart; a pile holds the low byte


def sets_of_cards(match: Match) -> list[list[int]]:
    """The cards in each set and row of a declared game."""
    return [cards_in(slot.value(match.state), slot.part) for slot in slots(match.setup) if slot.part.cards]


def lying(match: Match) -> list[int]:
    """The card in each position after a deal."""
    if (own := match.setup.game.openings.lying) is not None:
        return own(match.state, match.setup)
    return [card for cards in sets_of_cards(match) for card in cards]


def kinds_of(setup: Setup, cards: Sequence[int]) -> list[int]:
    """The kind of each card; cards of different kinds never change places."""
    if setup.game.openings.board is None:
        return [0] * len(cards)
    faces, kind_of = board_of(setup).faces, setup.game.openings.kind_of
    return [kind_of(int(faces[card])) for card in cards]


def decks_of(setup: Setup, lines: Lines, cards: Sequence[int]) -> dict[int, NamedCards]:
    """For each kind of card the positions of these cards, by the names of what lies there; of equal cards the first."""
    if setup.game.openings.board is not None:
        board = board_of(setup)
        faces = [int(board.faces[card]) for card in cards]
        called = [pair for names in board.names.values() for pair in names.items()]
    else:
        faces = list(cards)
        called = [(name, card) for names in cards_of_game(setup).values() for card, name in names.items()]
    shown, kinds, decks = {face: name for name, face in called}, kinds_of(setup, cards), dict[int, NamedCards]()
    for kind in {*kinds}:
        here = sorted((place for place, own in enumerate(kinds) if own == kind), key=cards.__getitem__)
        first = {faces[place]: place for place in reversed(here)}
        names = {name.lower(): first[face] for name, face in called if face in first}
        decks[kind] = NamedCards(lines, here, lambda place: shown[faces[place]], names)
    return decks


class StackedDeal:
    """Deals the cards of a setup into chosen positions."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def match(self, cards: Sequence[int], luck: Match | None = None) -> Match:
        """A match dealt with these cards in their positions.

        Those that are not dealt are drawn next, in this order, or by the luck of another match.
        """
        if (ordered := self.setup.game.openings.ordered_rules) is not None:
            return _deal(self.setup, [], ordered(self.setup, cards))
        stack = self.stack(cards)
        match = _deal(self.setup, stack, self.setup.rules)
        if luck is not None:
            draw_by_luck(match, stack, luck)
        return match

    def stack(self, cards: Sequence[int]) -> list[int]:
        """The cards of all positions in the order of draws."""
        return self._stack([[cards[position] for position in positions] for positions in self._draws])

    def _stack(self, piles: Sequence[Sequence[int]]) -> list[int]:
        """Piles one after the other, GAP before each: it is filled then. The sets of declared games need none."""
        between = [] if self.setup.game.declared is not None else [GAP]
        return [card for pile in piles for card in (*between, *pile)]

    @cached_property
    def _draws(self) -> list[list[int]]:
        """For each pile, the positions in the order in which `deal` fills them; then those of cards that it leaves."""
        cards = lying(Match(self.setup, 0))
        piles: dict[int, list[int]] = defaultdict(list)
        for kind, card in sorted(zip(kinds_of(self.setup, cards), cards, strict=True)):
            piles[kind].append(card)
        orders = [_spread(pile) for _, pile in sorted(piles.items())]
        match = _deal(self.setup, self._stack(orders), self.setup.rules)
        places: dict[int, list[int]] = defaultdict(list)
        for position, card in enumerate(lying(match)):
            places[card].append(position)
        found = [[places[card].pop(0) for card in order] for order in orders]
        state: Any = match.state
        # A card that a variant adds to the pile ends the stack, so what is left lies in the pile.
        added = int(state.added) if "added" in state.dtype.names else 0
        left = len(pile_as_it_lies(state)) - added if added else int(state.stacked)
        dealt = len(found[-1]) - left
        found[-1][dealt:] = sorted(found[-1][dealt:])
        return found


def is_dealt(match: Match, cards: Sequence[int]) -> bool:
    """Whether cards lie where they should after the deal of a declared game; other games have tests."""
    place = 0
    for here in sets_of_cards(match) if match.setup.game.declared is not None else ():
        if sorted(here) != sorted(cards[place : place + len(here)]):
            return False
        place += len(here)
    return True


def draw_by_luck(match: Match, stack: Sequence[int], luck: Match) -> None:
    """Empties the stack after a deal: the pile holds what is left in its order, and the luck of a match draws."""
    state: Any = match.state
    if "stacked" not in state.dtype.names:
        return
    known = {card & MASK for card in stack}
    pile = pile_as_it_lies(state)
    added = [card for card in pile if card not in known]
    left = len(pile) - len(added)
    lay_pile(state, [card & MASK for card in stack[len(stack) - left :]], added)
    state.stacked, state.deal = 0, luck.state.deal


def _spread(cards: Sequence[int]) -> list[int]:
    """The cards with equal ones apart, so that the cards dealt differ as far as possible."""
    before = [cards[:place].count(card) for place, card in enumerate(cards)]
    return [card for _, card in sorted(zip(before, cards, strict=True))]


def _deal(setup: Setup, stack: Sequence[int], rules: AllRules) -> Match:
    match = Match(setup, 0)
    match.states = blank(setup.game.STATE)
    if stack:
        lay_stack(match.states[0], stack)
    entries.open_game(match.states, rules, U8(0), 0, 0)
    return match
