"""WAVE with the whole future known: what will be drawn, which card can ever follow which, and a line as actions.

No move changes the order of the pile. After the k-th card laid from here the same card is drawn, no matter who draws
it, and the inversion cards turn up at the same moment. So a search needs no random streams, only these arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, ZERO, count, has, lowest, single, without_lowest
from houle.solver.cards.piles import next_card, one_of
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Number, Rules, State
from houle.solver.games.wave import rules as game
from houle.solver.interface import blank
from houle.solver.rules import Setup

PLIES = game.MAX_CARDS + 2
LONGEST_LINE = 2 * game.MAX_CARDS  # actions: a swap decision and a card per turn
TABLE_BITS = 15
WAYS = 4  # entries of the table in which a position may be stored
WORDS = 8  # of an entry: 6 for the position, then its dead cards, then the nodes spent on them

# The turn in which the k-th card from here is laid. All that a search needs of it lies together.
PLY = np.dtype(
    [
        ("hands", "u8", game.MAX_SEATS),  # cards per seat, of the dummy only the face-up ones
        ("rest", "u8"),  # cards not laid yet
        ("fits", "u8"),  # cards of the acting hand that fit
        ("since", "i8"),  # nodes when the ply was opened
        ("untried", "i8"),  # how many turns are not tried yet
        ("order", "u1"),  # the order that holds (bit 0 colours, bit 1 numbers inverted)
        ("drawn", "u1"),  # the card drawn after it, or NONE
        ("row", "u1"),  # row of `after` and `before`; plies with the same orders to come share one
        ("seat", "u1"),  # whose turn
        ("turned", "u1"),  # direction of play
        ("virage", "u1"),  # the Virage card, or NONE
        ("up", "u1"),  # how many of the dummy's face-down cards have turned up
        ("turns", "i8", game.MAX_HAND * (game.MAX_HAND + 1)),  # rated turns; those not tried yet come first
    ],
    align=True,
)
MEMORY = np.dtype(
    [
        ("plies", PLY, PLIES),
        ("shown", "u1", game.MAX_CARDS),  # the dummy's face-down cards as they will turn up
        ("after", "u8", (PLIES, game.MAX_CARDS)),  # per card: what can be laid on it, now or in an order still to come
        ("before", "u8", (PLIES, game.MAX_CARDS)),  # per card: what it can be laid on
        ("exits", "u1", game.MAX_CARDS),  # Nazare: neighbours of a cell, above and to the right, that are laid later
        ("cells", "u1", PLIES),  # the card in each cell; without Nazare: the k-th card of the discard
        ("key", "u8", WORDS),  # the position to look up
        ("stamp", "u8"),  # number of this search; entries of earlier ones are ignored
        ("shift", "u8"),  # shift of a hash, into the part of the table that this search uses
        ("table", "u8", ((1 << TABLE_BITS), WORDS)),  # dead cards of positions
        ("slot", "u1", game.MAX_CARDS),  # slot of each card in a hand, along the line found
    ],
    align=True,
)


def solver_memory(setup: Setup) -> Any:
    """The memory that `solve` works in, for one thread; it fits every setup of WAVE."""
    return blank(MEMORY)


@kernel
def foresee(state: State, rules: Rules, memory: Any, plies: Number) -> None:
    """Draws the whole pile, notes the cards and puts them back; also turns up the dummy's cards."""
    pile = memory.plies[0].turns
    for i in range(len(state.pile)):
        pile[i] = state.pile[i]
    stream, left, order = state.deal, state.pile_left, state.order
    gaps, added, stacked = state.gaps, state.added, state.stacked
    for ply in range(plies + 1):
        memory.plies[ply].order = order
        drawn = game.NONE
        while state.pile_left > 0 and drawn == game.NONE:
            card = next_card(state)
            if card < game.INVERT_COLOURS:
                drawn = card
            else:
                order ^= 1 if card == game.INVERT_COLOURS else 2
        memory.plies[ply].drawn = drawn
    for i in range(len(state.pile)):
        state.pile[i] = pile[i]
    state.deal, state.pile_left = stream, left
    state.gaps, state.added, state.stacked = gaps, added, stacked
    down = state.back[game.DUMMY] if rules.dummy else ZERO
    for i in range(count(down)):
        card = one_of(state, down, count(down))
        memory.shown[i] = card
        down &= ~single(card)


@kernel
def relate(rules: Rules, memory: Any, plies: Number) -> None:
    """Notes what can follow what from each ply on, and in Nazare how many neighbours of a cell are laid later."""
    orders = 0
    for ply in range(plies, -1, -1):
        at, later = memory.plies[ply], memory.plies[ply + 1].row
        order = at.order
        at.row = ply if orders >> order & 1 == 0 else later
        if at.row == ply:
            for i in range(rules.deck_size):
                card = rules.deck[i]
                memory.after[ply, card] = rules.beats[order, card]
                memory.before[ply, card] = rules.beats[order ^ 3, card]
                if orders != 0:
                    memory.after[ply, card] |= memory.after[later, card]
                    memory.before[ply, card] |= memory.before[later, card]
        orders |= 1 << order
    if rules.nazare:
        for cell in range(rules.deck_size):
            memory.exits[cell] = 0
        for cell in range(rules.deck_size):
            left, under = rules.left[cell], rules.below[cell]
            if left != game.NONE:
                memory.exits[left] += 1
            if under != game.NONE:
                memory.exits[under] += 1


@kernel
def may_swap(rules: Rules, memory: Any, ply: Number) -> Any:
    """Whether the turn starts with the offer of a swap."""
    seat = memory.plies[ply].seat
    offered = rules.virage and (rules.dummy_swaps or not (rules.dummy and seat == game.DUMMY))
    return offered and count(memory.plies[ply].hands[seat]) > ONE


@outlined
def write_line(state: State, rules: Rules, memory: Any, plies: Number, line: Any) -> Any:
    """Writes the turn tried last at every ply as actions; returns how many."""
    back = ZERO
    for seat in range(rules.seats):
        if not (rules.dummy and seat == game.DUMMY):
            back |= state.back[seat]
            cards = state.front[seat] | state.back[seat]
            while cards != ZERO:
                memory.slot[lowest(cards)] = state.slot[lowest(cards)]
                cards = without_lowest(cards)
    n = 0
    for ply in range(plies):
        at = memory.plies[ply]
        turn = at.turns[at.untried]
        card, down = turn & 255, turn >> 8 & 255
        if may_swap(rules, memory, ply) and not (ply == 0 and state.asked):
            line[n] = game.NO_SWAP if down == game.NONE else game.SWAP + _code(memory, back, down)
            n += 1
        if down != game.NONE:
            taken = at.virage
            memory.slot[taken] = memory.slot[down]
            back &= ~(single(down) | single(taken))
        line[n] = _code(memory, back, card)
        n += 1
        drawn = at.drawn
        if drawn != game.NONE and not (rules.dummy and at.seat == game.DUMMY):
            memory.slot[drawn] = memory.slot[card]
            back = back & ~single(drawn) if has(back, card) else back | single(drawn)
    return n


@kernel
def _code(memory: Any, back: Any, card: Card) -> Any:
    return np.int64(game.BACK + memory.slot[card]) if has(back, card) else np.int64(card)
