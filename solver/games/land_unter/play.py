"""LAND UNTER: the rules of play.

Seats commit weather cards one after another, in secret play too, because nobody's choice depends on what others have
committed. The last commitment resolves the trick and deals what the next decision needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, list_cards, lowest, next_of, nth, single, without_lowest
from houle.solver.cards.piles import next_card, one_of, open_pile
from houle.solver.cards.streams import advance, below, start_round
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Moves, Number, Rules, Seat, State
from houle.solver.games.land_unter.score import score_round
from houle.solver.games.land_unter.state import TAKE
from houle.solver.rules import Setup

ROUND = U8(8)  # moments of chance: the start of a round and the end of each trick
ALONE = U8(2)  # a round is over once at most this many players are left in it


@kernel
def deal(state: State, rules: Rules) -> None:
    """Deals packs card by card around the table, then begins the first round."""
    open_pile(state, rules.weather_pile)
    for seat in range(rules.seats):
        state.pack[seat] = state.seen[seat] = ZERO
        state.points[seat] = 0
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            state.pack[seat] |= single(next_card(state))
    state.rounds = state.eliminations = 0
    state.tricks = state.moves = 0
    _begin_round(state, rules)


@kernel
def lifebelts(rules: Rules, cards: Any) -> Any:
    """The lifebelts of a pack: two halves make one, a single half is lost."""
    return (count(cards & rules.half) + (count(cards & rules.whole) << ONE)) >> ONE


@outlined
def _begin_round(state: State, rules: Rules) -> None:
    start_round(state, state.rounds)
    open_pile(state, rules.water_pile)
    for seat in range(rules.seats):
        pack = state.pack[seat]
        state.hand[seat] = pack
        state.belts[seat] = lifebelts(rules, pack)
        state.level[seat] = state.committed[seat] = 0
    state.out = state.trick = state.taking = 0
    if rules.open:
        state.leader = _richest(state, rules)
    _begin_trick(state, rules)


@kernel
def _richest(state: State, rules: Rules) -> Any:
    """The seat with the most lifebelts; ties are broken at random."""
    most, seats = U8(0), ZERO
    for seat in range(rules.seats):
        belts = U8(state.belts[seat])
        if belts > most:
            most, seats = belts, ZERO
        if belts == most:
            seats |= single(seat)
    return one_of(state, seats, U8(state.rounds) << ROUND)


@kernel
def playing(state: State, rules: Rules) -> Any:
    """The seats still in the round, as a set."""
    return (single(rules.seats) - ONE) & ~U8(state.out)


@kernel
def _begin_trick(state: State, rules: Rules) -> None:
    """Turns up two water cards and gives the turn to the leader, or in secret play to the lowest seat."""
    state.water[0] = next_card(state)
    state.water[1] = next_card(state)
    seats = playing(state, rules)
    state.waiting = seats
    state.mover = np.int64(state.leader) if rules.open else np.int64(lowest(seats))


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    if state.taking:
        moves[0], moves[1] = TAKE, TAKE + 1
        return 2
    return list_cards(state.hand[state.mover], 0, moves, 0)


@kernel
def random_move(state: State, rules: Rules) -> Action:
    stream = advance(state.choice)
    state.choice = stream
    if state.taking:
        return np.int64(U8(TAKE) + below(stream, U8(2)))
    cards = state.hand[state.mover]
    return np.int64(nth(cards, below(stream, count(cards))))


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    if action < TAKE:
        seat = U8(state.mover)
        state.hand[seat] &= ~single(action)
        state.committed[seat] = action + 1
        waiting = U8(state.waiting) & ~single(seat)
        state.waiting = waiting
        if waiting != ZERO:
            state.mover = next_of(waiting, seat)
            return
    highest, second = _two_highest(state, rules)
    if rules.choice and action < TAKE:
        state.taking = 1
        state.mover = highest
        return
    chosen = action - TAKE if rules.choice else np.int64(state.water[0] > state.water[1])
    state.taking = 0
    state.level[highest] = state.water[chosen]
    state.level[second] = state.water[1 - chosen]
    _end_trick(state, rules)


@kernel
def _two_highest(state: State, rules: Rules) -> Any:
    """The owners of the highest and of the second highest card of the trick."""
    first = second = ZERO
    for seat in range(rules.seats):
        card = U8(state.committed[seat]) << U8(3) | U8(seat)
        second = max(second, min(first, card))
        first = max(first, card)
    return first & U8(7), second & U8(7)


@kernel
def _end_trick(state: State, rules: Rules) -> None:
    seats = playing(state, rules)
    state.moves += count(seats)
    state.tricks += 1
    state.trick += 1
    losers = _flood(state, rules, seats)
    for seat in range(rules.seats):
        state.committed[seat] = 0
    seats = playing(state, rules)
    if count(seats) <= ALONE or state.trick == rules.hand:
        _end_round(state, rules, seats)
        return
    if rules.open:
        _next_leader(state, seats, losers)
    _begin_trick(state, rules)


@kernel
def _flood(state: State, rules: Rules, seats: Number) -> Any:
    """The highest level costs a lifebelt, or the round if there is none; returns who lost a lifebelt."""
    while True:
        highest, holders = ZERO, ZERO
        for seat in range(rules.seats):
            highest = max(highest, U8(state.level[seat]))
        for seat in range(rules.seats):
            holders |= U8(U8(state.level[seat]) == highest) << U8(seat)
        holders &= seats
        losers = ZERO
        while holders != ZERO:
            seat = lowest(holders)
            holders = without_lowest(holders)
            if state.belts[seat] > 0:
                state.belts[seat] -= 1
                losers |= single(seat)
            else:
                _eliminate(state, seat)
                seats &= ~single(seat)
        if losers != ZERO or seats == ZERO or not rules.cascade:
            return losers
        if count(seats) <= ALONE and not rules.final_cascade:
            return losers


@outlined
def _eliminate(state: State, seat: Seat) -> None:
    """Puts a seat out of the round; the rest of its hand stays hidden."""
    state.seen[seat] |= state.pack[seat] & ~state.hand[seat]
    state.hand[seat] = ZERO
    state.level[seat] = 0
    state.out |= single(seat)
    state.eliminations += 1


@outlined
def _next_leader(state: State, seats: Number, losers: Any) -> None:
    """Left of the player who lost a lifebelt (of several, the one with fewest now); else the leader or the next in."""
    if losers != ZERO:
        fewest, poorest = U8(255), ZERO
        while losers != ZERO:
            seat = lowest(losers)
            losers = without_lowest(losers)
            belts = U8(state.belts[seat])
            if belts < fewest:
                fewest, poorest = belts, ZERO
            if belts == fewest:
                poorest |= single(seat)
        state.leader = next_of(seats, one_of(state, poorest, (U8(state.rounds) << ROUND) + U8(state.trick)))
    elif not has(seats, state.leader):
        state.leader = next_of(seats, U8(state.leader))


@outlined
def _end_round(state: State, rules: Rules, seats: Number) -> None:
    """Scores a round; then every pack goes to the left neighbour and the next round begins."""
    score_round(state, rules, seats)
    state.rounds += 1
    if state.rounds == rules.rounds:
        state.mover = -1
        return
    last = rules.seats - 1
    pack, seen = state.pack[last], state.seen[last]
    for seat in range(last, 0, -1):
        state.pack[seat], state.seen[seat] = state.pack[seat - 1], state.seen[seat - 1]
    state.pack[0], state.seen[0] = pack, seen
    if rules.forgets:
        for seat in range(rules.seats):
            state.seen[seat] = ZERO
    _begin_round(state, rules)


def action_kinds(setup: Setup, seat: int) -> list[int]:
    """Every weather card, and every value of a water card where there is a choice."""
    rules = setup.rules[0]
    water = sorted({int(value) for value in rules.water[: int(rules.water_cards)]}) if rules.choice else []
    return [*range(int(rules.weather)), *(TAKE + value for value in water)]
