"""VAGUE VERTE: the rules of thumb, from what the player who decides may see.

A chance that a player lacks the card that would help counts 64; it is taken over all cards that the decider has not
located, and is nothing if the player was seen taking such a card. What a card is worth in the hand counts when it is
taken from the face-up pile and, negative, when it leaves the hand for anything but the own road.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import ONE, U8, ZERO, count, has, single
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.knowledge import unlocated
from houle.solver.games.vague_verte.state import (
    DRAW,
    DRAW_FACEUP,
    DRAW_STOCK,
    DUCKS,
    GREEN_LIGHTS,
    LIT,
    MAX_SEATS,
    NONE,
    PILE,
    RED_LIGHTS,
    ROAD,
    ROW,
)
from houle.solver.kernels import kernel, rare

FEATURES = (
    ("forward", "Drive on whenever you can, above all onto the last square."),
    ("free", "Clear your own road: tow the breakdown away, turn the light that stops you green."),
    ("frees_others", "Do not turn a light green for the others."),
    ("breakdown", "Lay a breakdown on a player who probably has no tow."),
    ("red", "Put up a red light that stops players who probably cannot get past it, soon rather than late."),
    ("far", "Stop first who has come furthest."),
    ("bars_self", "Put up no red light that you will have to wait at yourself."),
    ("ducks", "Send ducks only for a reason: they cost the other a turn but fill a square."),
    ("risk", "Lay a car of a colour whose breakdowns are gone, above all when you have no tow."),
    ("follow_on", "Lay the car that most of your other cars can follow."),
    ("keep_cars", "Keep cars for the squares ahead, above all the only one that fits."),
    ("keep_tow", "Keep a tow or two for your own breakdowns."),
    ("keep_green", "Keep a green light or the ambulance for the red light to come."),
    ("keep_weapons", "Keep red lights, above all when somebody is behind you, and breakdowns that fit a car on the table."),
    ("gift", "Leave nothing on the face-up pile that the next player can use at once."),
    ("stock", "Draw from the stock unless the face-up card is worth more."),
)  # fmt: skip
(FORWARD, FREE, FREES_OTHERS, BREAKDOWN, RED, FAR, BARS_SELF, DUCKS_COST, RISK, FOLLOW_ON, KEEP_CARS, KEEP_TOW, KEEP_GREEN,
 KEEP_WEAPONS, GIFT, STOCK) = range(16)  # fmt: skip

CHANCE = 64  # unit of a chance
STEP, FINISH = 4, 64  # a square forward, and the last one
NOW = 8  # a light that stops somebody at once; half of it with every square before it
LACKED = 3  # a card that helps at once while no other in the hand does


@kernel
def _standing(state: Any, rules: Any, seat: Any) -> Any:
    """An uncovered breakdown lies on the road of `seat`."""
    last = state.last[seat]
    return last != NONE and not has(rules.opens[last], 4 * DUCKS)


@kernel
def _lacking(state: Any, rules: Any, seat: Any, hidden: Any, cards: Any) -> Any:
    """The chance of every other seat, in 1/64 and a byte each, to hold none of these cards."""
    packed = ZERO
    number, good = np.int64(count(hidden)), np.int64(count(hidden & cards))
    for other in range(rules.seats):
        shown = state.shown[other]
        if other == seat or shown & cards != ZERO:
            continue
        chance = float(CHANCE)
        for i in range(np.int64(count(state.hand[other] & ~shown))):
            chance *= max(number - good - i, 0) / max(number - i, 1)
        packed |= U8(np.int64(chance)) << U8(8 * other)
    return packed


@kernel
def _chance(packed: Any, seat: Any) -> Any:
    return np.int64(packed >> U8(8 * seat) & U8(255))


@kernel
def _lit_between(state: Any, low: Any, high: Any) -> Any:
    """A red light is active in rows low .. high - 1."""
    rows = state.targets >> U8(LIT)
    return (rows & (single(high) - ONE)) >> U8(low) != ZERO


@kernel
def _rate_red(state: Any, rules: Any, seat: Any, row: Any, lacking: Any, remedy: Any, values: Any) -> None:
    if row == np.int64(rules.road):
        return
    for other in range(rules.seats):
        filled = np.int64(state.filled[other])
        if filled > row or _lit_between(state, filled, row):
            continue
        if other == seat:
            values[BARS_SELF] = (NOW >> (row - filled)) * (1 if remedy else 2)
        else:
            held = _chance(lacking, other) >> (row - filled)
            held >>= 1 if _standing(state, rules, other) else 0
            values[RED] += held
            values[FAR] += held * filled


@kernel
def _rate_green(state: Any, rules: Any, seat: Any, row: Any, values: Any) -> None:
    for other in range(rules.seats):
        filled = np.int64(state.filled[other])
        if filled > row or _lit_between(state, filled, row):
            continue
        freed = (NOW >> (row - filled)) >> (1 if _standing(state, rules, other) else 0)
        values[FREE if other == seat else FREES_OTHERS] += freed


@kernel
def _rate_car(state: Any, rules: Any, seat: Any, card: Any, rest: Any, hidden: Any, values: Any) -> None:
    """A card on the next square of the own road."""
    filled = U8(state.filled[seat]) + ONE
    values[FORWARD] = FINISH if filled == U8(rules.road) else STEP
    values[FOLLOW_ON] = np.int64(count(rest & rules.follow[card]))
    open_to = rules.opens[card] & rules.within[filled]
    if not has(state.targets, U8(LIT) + filled):
        for colour in range(DUCKS):
            if has(open_to, 4 * colour):
                values[RISK] = np.int64(count(hidden & rules.group[colour])) * (1 if rest & rules.tows != ZERO else 2)


@kernel
def _keep(state: Any, rules: Any, seat: Any, card: Any, rest: Any, sign: Any, values: Any) -> None:
    """What the card is worth beside the rest of the hand."""
    filled = np.int64(state.filled[seat])
    if has(rules.cars, card):
        own = state.own[seat]
        values[KEEP_CARS] = max(min(3, np.int64(rules.road) - filled) - np.int64(count(rest & rules.cars)), 0)
        values[KEEP_CARS] += LACKED if has(own, card) and own & rest == ZERO else 0
        values[KEEP_CARS] *= sign
    elif has(rules.tows, card):
        others = np.int64(count(rest & rules.tows))
        lacked = others == 0 and _standing(state, rules, seat)
        values[KEEP_TOW] = sign * (max(2 - others, 0) + (LACKED if lacked else 0))
    elif has(rules.ambulances | rules.group[GREEN_LIGHTS], card):
        others = np.int64(count(rest & (rules.ambulances | rules.group[GREEN_LIGHTS])))
        lacked = others == 0 and has(state.targets, LIT + filled)
        values[KEEP_GREEN] = sign * (max(2 - others, 0) + (LACKED if lacked else 0))
    else:
        values[KEEP_WEAPONS] = sign * _weapon(state, rules, seat, card, filled)


@kernel
def _weapon(state: Any, rules: Any, seat: Any, card: Any, filled: Any) -> Any:
    """What a card against the others is worth in the hand."""
    if has(rules.ducks, card):
        return 0
    if has(rules.red_lights, card):
        worth = 2
        for other in range(rules.seats):
            worth += 1 if np.int64(state.filled[other]) < filled else 0
        return worth
    worth = 1
    for colour in range(DUCKS):
        if has(rules.group[colour], card):
            aimed = rules.aims[colour] & state.targets & ~single(4 * colour + np.int64(seat))
            worth += 1 if aimed != ZERO else 0
    return worth


@kernel
def _gift(state: Any, rules: Any, seat: Any, card: Any) -> Any:
    """How welcome the card would be to the next player: on the own road, or against who decides now."""
    after = rules.next[seat]
    for _ in range(rules.seats - 2):
        if state.missed[after] == 0:
            break
        after = rules.next[after]
    if has(state.own[after], card):
        return 2
    if has(rules.group[GREEN_LIGHTS], card):
        return 2 if has(state.targets, U8(LIT) + U8(state.filled[after])) else 0
    if has(rules.red_lights, card):
        return 1
    for colour in range(DUCKS):
        if has(rules.group[colour], card) and has(state.targets, 4 * colour + np.int64(seat)):
            return 1
    return 0


@kernel
def _rate_draw(state: Any, rules: Any, seat: Any, values: Any) -> None:
    """The card on the face-up pile is known; a card of the stock is the yardstick."""
    top = state.faceup[(U8(state.bottom) + U8(state.faceup_left) - ONE) & RING]
    _keep(state, rules, seat, top, state.hand[seat], 1, values)
    values[GIFT] = -_gift(state, rules, seat, top)


@rare
def features(state: Any, rules: Any, moves: Any, n: Any, table: Any) -> None:
    seat = np.int64(state.seat)
    hand = state.hand[seat]
    hidden = lack_tow = lack_green = ZERO
    if state.stage != DRAW:
        hidden = unlocated(state, rules, seat)
        remedies = rules.group[GREEN_LIGHTS] | rules.ambulances
        if hand & (rules.group[0] | rules.group[1] | rules.group[2] | rules.group[3]) != ZERO:
            lack_tow = _lacking(state, rules, seat, hidden, rules.tows)
        if hand & rules.red_lights != ZERO:
            lack_green = _lacking(state, rules, seat, hidden, remedies)
    remedy = hand & (rules.group[GREEN_LIGHTS] | rules.ambulances) != ZERO
    for i in range(n):
        values = table[i]
        for k in range(len(FEATURES)):
            values[k] = 0
        action = moves[i]
        if action == DRAW_STOCK:
            values[STOCK] = 1
            continue
        if action == DRAW_FACEUP:
            _rate_draw(state, rules, seat, values)
            continue
        target, card = action >> 6, U8(action) & RING
        rest = hand & ~single(card)
        if target == ROAD + seat:
            if has(rules.tows, card):
                values[FREE] = NOW
                values[FORWARD] = FINISH if state.filled[seat] == rules.road else 0
            else:
                _rate_car(state, rules, seat, card, rest, hidden, values)
            continue
        _keep(state, rules, seat, card, rest, -1, values)
        if target == PILE:
            values[GIFT] = _gift(state, rules, seat, card)
        elif target >= ROW:
            if has(rules.red_lights, card):
                _rate_red(state, rules, seat, target - ROW, lack_green, remedy, values)
            else:
                _rate_green(state, rules, seat, target - ROW, values)
        elif has(rules.ducks, card):
            values[DUCKS_COST] = 1
        else:
            victim = target - ROAD
            values[BREAKDOWN] = _chance(lack_tow, victim)
            values[FAR] = values[BREAKDOWN] * np.int64(state.filled[victim])
