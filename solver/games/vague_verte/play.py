"""VAGUE VERTE: the course of play. Draw a card, lay one, then the next seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, list_cards, lowest, nth, single, without_lowest
from houle.solver.cards.piles import next_card, open_pile
from houle.solver.cards.streams import advance, below, start_round
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Moves, Number, Rules, Seat, State, Stream
from houle.solver.games.vague_verte.board import RING, aims, fill, playable, switch_light, target_numbers
from houle.solver.games.vague_verte.state import (
    DARK,
    DRAW,
    DRAW_FACEUP,
    DRAW_STOCK,
    FACEUP,
    GROUPS,
    MAX_CARDS,
    NONE,
    PLAY,
    RED_LIGHTS,
    ROAD,
    ROW,
    build_deck,
)
from houle.solver.rules import Setup

CARD_BITS = U8(6)


@kernel
def deal(state: State, rules: Rules) -> None:
    """Deals hands card by card around the table, then the first card of the face-up pile."""
    cards = rules.deck_size
    for card in range(cards):
        state.last_seen[card] = 0
        state.not_in[card] = ZERO
    open_pile(state, rules.pile)
    state.reshuffles = state.turns = state.plays = state.discards = 0
    state.targets = rules.aims[RED_LIGHTS]
    for seat in range(rules.seats):
        state.hand[seat] = state.shown[seat] = ZERO
        state.own[seat] = state.follow[seat] = rules.cars
        state.filled[seat] = state.missed[seat] = 0
        state.last[seat] = NONE
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            state.hand[seat] |= single(next_card(state))
    state.winner = state.drawn = NONE
    state.bottom = 0
    state.faceup[0] = next_card(state)
    state.faceup_left = 1
    _begin_turn(state, rules, 0)


@kernel
def _begin_turn(state: State, rules: Rules, seat: Seat) -> None:
    """Opens the turn of `seat`, or of the first seat after it that has anything to decide."""
    while state.turns < rules.max_turns:
        if state.missed[seat] > 0:
            state.missed[seat] -= 1
        else:
            if state.faceup_left == 0 or state.pile_left == 0:
                _refill(state)
            state.seat = seat
            state.mover = seat
            state.stage = DRAW if state.faceup_left > 0 else PLAY
            if state.faceup_left > 0 or state.hand[seat] != ZERO:
                return
        state.turns += 1
        state.seat = seat
        seat = rules.next[seat]
    state.mover = -1


@outlined
def _refill(state: State) -> None:
    """Turns up a card if the face-up pile is empty; makes a new stock from all but its top card if the stock is."""
    if state.faceup_left == 0 and state.pile_left > 0:
        state.bottom = 0
        state.faceup[0] = next_card(state)
        state.faceup_left = 1
    if state.pile_left == 0 and state.faceup_left > 1:
        state.reshuffles += 1
        below_top = U8(state.faceup_left) - ONE
        position = U8(state.bottom)
        for i in range(below_top):
            card = state.faceup[position]
            state.pile[i] = card
            state.last_seen[card] = state.reshuffles
            position = (position + ONE) & RING
        state.pile_left = below_top
        state.gaps = state.added = 0
        start_round(state, state.reshuffles)
        state.bottom = position
        state.faceup_left = 1


@kernel
def _target(bit: Any) -> Any:
    """The target of an action, from its bit in `targets`."""
    return U8(ROW) | (bit & U8(15)) if bit >= U8(DARK) else U8(ROAD) | (bit & U8(3))


@kernel
def _code(target: Any, card: Card) -> Any:
    return np.int64((U8(target) << CARD_BITS) | U8(card))


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    if state.stage == DRAW:
        moves[0] = DRAW_FACEUP
        moves[1] = DRAW_STOCK
        return 2 if state.pile_left > 0 else 1
    seat = state.seat
    hand = state.hand[seat]
    n = list_cards(hand & state.own[seat], _code(U8(ROAD) + U8(seat), ZERO), moves, 0)
    open_to = aims(state, seat)
    for group in range(GROUPS):
        spots = open_to & rules.aims[group]
        while spots != ZERO:
            n = list_cards(hand & rules.group[group], _code(_target(lowest(spots)), ZERO), moves, n)
            spots = without_lowest(spots)
    if n == 0 or not rules.forced_play:
        n = list_cards(hand, _code(U8(FACEUP), ZERO), moves, n)
    return n


@kernel
def random_move(state: State, rules: Rules) -> Action:
    stream = advance(state.choice)
    state.choice = stream
    if state.stage == DRAW:
        sources = U8(2) if state.pile_left > 0 else ONE
        return np.int64(DRAW_FACEUP) - np.int64(below(stream, sources))
    target, card = _random_play(state, rules, stream)
    return _code(target, card)


@kernel
def _random_play(state: State, rules: Rules, stream: Stream) -> Any:
    """A target and a card for it, uniform over all pairs; they are counted by group, not listed."""
    seat = state.seat
    hand = state.hand[seat]
    own = hand & state.own[seat]
    open_to = aims(state, seat)
    on_road = count(own)
    plays = on_road
    numbers = target_numbers(open_to)
    for group in range(GROUPS):
        plays += count(hand & rules.group[group]) * (numbers >> U8(4 * group) & U8(15))
    lays = ZERO if rules.forced_play and plays > ZERO else count(hand)
    i = below(stream, plays + lays)
    if i < lays:
        return U8(FACEUP), nth(hand, i)
    i -= lays
    if i < on_road:
        return U8(ROAD) + U8(seat), nth(own, i)
    i -= on_road
    group = 0
    while True:
        cards, ways = hand & rules.group[group], numbers & U8(15)
        actions = count(cards) * ways
        if i < actions:
            return _target(nth(open_to & rules.aims[group], i % ways)), nth(cards, i // ways)
        i -= actions
        numbers >>= U8(4)
        group += 1


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    if action >= DRAW_STOCK:
        _draw(state, rules, action == DRAW_STOCK)
    else:
        _lay(state, rules, U8(action) >> CARD_BITS, U8(action) & RING)


@kernel
def _draw(state: State, rules: Rules, from_stock: Any) -> None:
    seat = state.seat
    if from_stock:
        card = next_card(state)
        if rules.forced_play:
            state.not_in[card] = ZERO
    else:
        left = U8(state.faceup_left) - ONE
        card = state.faceup[(U8(state.bottom) + left) & RING]
        state.faceup_left = left
        state.shown[seat] |= single(card)
    state.hand[seat] |= single(card)
    state.drawn = card
    state.stage = PLAY


@kernel
def _lay(state: State, rules: Rules, target: Any, card: Card) -> None:
    """Lays a card of the hand on its target and ends the turn."""
    seat = state.seat
    if rules.forced_play and target == U8(FACEUP):
        _show_stuck(state, rules, seat)
    _leave_hand(state, rules, seat, card)
    if target == U8(FACEUP):
        state.discards += 1
        left = U8(state.faceup_left)
        state.faceup[(U8(state.bottom) + left) & RING] = card
        state.faceup_left = left + ONE
    else:
        state.plays += 1
        if target < U8(ROW):
            fill(state, rules, target - U8(ROAD), card)
        else:
            switch_light(state, rules, target - U8(ROW), card)
    state.turns += 1
    state.drawn = NONE
    if state.winner == NONE:
        _begin_turn(state, rules, rules.next[seat])
    else:
        state.mover = -1


@kernel
def _leave_hand(state: State, rules: Rules, seat: Seat, card: Card) -> None:
    """Takes a card out of a hand. Everyone sees only its face, so one known card of that face is no longer known."""
    bit = single(card)
    state.hand[seat] &= ~bit
    shown = state.shown[seat]
    known = shown & rules.same[card]
    if known != ZERO and known & bit == ZERO:
        # The equal card that stays takes the place of the one laid.
        stays = lowest(known)
        state.shown[seat] = shown & ~single(stays)
        state.last_seen[stays] = state.last_seen[card]
        state.not_in[stays] = state.not_in[card]
    else:
        state.shown[seat] = shown & ~bit


@outlined
def _show_stuck(state: State, rules: Rules, seat: Seat) -> None:
    """With forced play, a player who lays a card on the pile shows that no card of the hand can be played."""
    cards = playable(state, rules, seat)
    hand = state.hand[seat]
    while hand != ZERO:
        state.not_in[lowest(hand)] |= cards
        hand = without_lowest(hand)


def action_kinds(setup: Setup, seat: int) -> list[int]:
    """Roads are counted from the seat's own, so an action means the same for every seat."""
    names, players = build_deck(setup.options), setup.players
    kinds = [DRAW_STOCK, DRAW_FACEUP]
    for card, name in enumerate(names):
        if names.index(name) != card:
            continue
        targets = [FACEUP]
        if name.startswith(("car", "tow", "ambulance")):
            targets.append(ROAD + seat)
        elif name.startswith(("breakdown", "ducks")):
            targets += [ROAD + (seat + number) % players for number in range(players)]
        else:
            targets += [ROW + row for row in range(1, int(setup.rules[0].road) + 1)]
        kinds += [target * MAX_CARDS + card for target in targets]
    return kinds
