"""VAGUE VERTE: rules of thumb, as features of moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Categories, Features, Moves, Number, Numbers, Rules, Seat, State
from houle.solver.games.vague_verte import rules as game
from houle.solver.games.vague_verte.knows import unlocated

# ---- The rules of thumb and the categories of moves, by what the deciding player may see
#
# A certain lack of a helpful card counts 64. The chance of it is taken over all cards that the decider has not
# located, and is 0 if the player was seen taking such a card. The value of a card in the hand counts when it is taken
# from the face-up pile and, negatively, when it leaves the hand for anything except the player's own road.


# The rules of thumb; advice.toml has their sentences.
FEATURES = (
    "forward",
    "free",
    "frees_others",
    "breakdown",
    "red",
    "finisher",
    "bars_self",
    "ducks",
    "risk",
    "follow_on",
    "keep_cars",
    "keep_tow",
    "keep_green",
    "keep_weapons",
    "gift",
    "stock",
)
(
    FORWARD,
    FREE,
    FREES_OTHERS,
    BREAKDOWN,
    RED,
    FINISHER,
    BARS_SELF,
    DUCKS_COST,
    RISK,
    FOLLOW_ON,
    KEEP_CARS,
    KEEP_TOW,
    KEEP_GREEN,
    KEEP_WEAPONS,
    GIFT,
    STOCK,
) = range(16)

COLOUR_BITS = U8(0x1111)  # of `opens`: the colours of breakdowns that may follow
CHANCE = 64  # unit of a chance
STEP, FINISH = 4, 64  # a square forward, and the last one
NOW = 8  # a light that stops somebody at once; half of it for each square before it
LACKED = 3  # a card that helps at once if no other card in the hand does


@kernel
def _standing(state: State, rules: Rules, seat: Seat) -> Any:
    """1 if an uncovered breakdown lies on the road of `seat`."""
    last = state.last[seat]
    return 1 if last != game.NONE and not has(rules.opens[last], 4 * game.DUCKS) else 0


@kernel
def _lacking(state: State, rules: Rules, seat: Seat, hidden: Any, cards: Any) -> Any:
    """The chance of every other seat, in 1/64 and one byte each, to hold none of these cards."""
    number, bad = np.int64(count(hidden)), np.int64(count(hidden & ~cards))
    packed, chance, drawn = ZERO, float(CHANCE), 0
    for other in range(rules.seats):
        shown = state.shown[other]
        if other == seat or shown & cards != ZERO:
            continue
        size = np.int64(count(state.hand[other] & ~shown))
        if size < drawn:
            chance, drawn = float(CHANCE), 0
        while drawn < size:
            chance *= max(bad - drawn, 0) / max(number - drawn, 1)
            drawn += 1
        packed |= U8(np.int64(chance)) << U8(8 * other)
    return packed


@kernel
def _chance(packed: Any, seat: Seat) -> Any:
    return np.int64(packed >> U8(8 * seat) & U8(255))


@kernel
def _distance(state: State, lit: Any, seat: Seat, row: Any) -> Any:
    """Squares from the end of a road to a row; -1 if the road is past it or stopped by a light before it."""
    filled = np.int64(state.filled[seat])
    if filled > row or (lit & (single(row) - ONE)) >> U8(filled) != ZERO:
        return -1
    return row - filled


@kernel
def _near(state: State, rules: Rules, seat: Seat) -> Any:
    """2 with one square to go, 1 with two, else 0."""
    return max(np.int64(state.filled[seat]) + 3 - np.int64(rules.road), 0)


@kernel
def _rate_red(
    state: State, rules: Rules, seat: Seat, row: Any, lacking: Any, remedy: Any, table: Any, i: Number
) -> None:
    if row == np.int64(rules.road):
        return
    red = near = 0
    for other in range(rules.seats):
        distance = _distance(state, state.targets >> U8(game.LIT), other, row)
        if distance < 0:
            continue
        if other == seat:
            table[i, BARS_SELF] = (NOW >> distance) * (1 if remedy else 2)
        else:
            held = _chance(lacking, other) >> (distance + _standing(state, rules, other))
            red += held
            near += held * _near(state, rules, other)
    table[i, RED] = red
    table[i, FINISHER] = near


@kernel
def _rate_green(state: State, rules: Rules, seat: Seat, row: Any, table: Any, i: Number) -> None:
    for other in range(rules.seats):
        distance = _distance(state, state.targets >> U8(game.LIT), other, row)
        if distance >= 0:
            table[i, FREE if other == seat else FREES_OTHERS] += NOW >> (distance + _standing(state, rules, other))


@kernel
def _dangers(state: State, rules: Rules, seat: Seat, hidden: Any) -> Any:
    """By colour, four bits each: unlocated breakdowns that could be laid after a car played now."""
    numbers, filled = ZERO, U8(state.filled[seat]) + ONE
    if not has(state.targets, U8(game.LIT) + filled) and has(rules.within[filled], 0):
        for colour in range(game.DUCKS):
            numbers |= count(hidden & rules.group[colour]) << U8(4 * colour)
    return numbers


@kernel
def _welcome(state: State, rules: Rules, seat: Seat) -> Any:
    """Cards that the next player could use at once on their own road, and those they could use against `seat`."""
    after = rules.next[seat]
    for _ in range(rules.seats - 2):
        if state.missed[after] > 0:
            after = rules.next[after]
    helps, harms = state.own[after], rules.red_lights
    if has(state.targets, U8(game.LIT) + U8(state.filled[after])):
        helps |= rules.group[game.GREEN_LIGHTS]
    for colour in range(game.DUCKS):
        if has(state.targets, U8(4 * colour) + U8(seat)):
            harms |= rules.group[colour]
    return helps, harms


@kernel
def _weapons(state: State, rules: Rules, seat: Seat) -> Any:
    """The value of a red light in the hand, and the breakdowns that could be laid on somebody now."""
    red, fit, open_to = 2, ZERO, game.aims(state, seat)
    for other in range(rules.seats):
        red += 1 if state.filled[other] < state.filled[seat] else 0
    for colour in range(game.DUCKS):
        if open_to & rules.aims[colour] != ZERO:
            fit |= rules.group[colour]
    return red, fit


@kernel
def _spares(state: State, rules: Rules, seat: Seat, others: Any) -> Any:
    """The value of a car, a tow, and a green light or ambulance beside this many others of their kind."""
    cars, tows, greens = others
    ahead = min(3, np.int64(rules.road) - np.int64(state.filled[seat]))
    stopped = has(state.targets, U8(game.LIT) + U8(state.filled[seat]))
    tow = LACKED if tows <= 0 and _standing(state, rules, seat) == 1 else 0
    green = LACKED if greens <= 0 and stopped else 0
    return max(ahead - cars, 0), max(2 - tows, 0) + tow, max(2 - greens, 0) + green


@kernel
def _rate_keep(
    rules: Rules, card: Card, sign: Any, only: Any, spares: Any, weapons: Any, table: Any, i: Number
) -> None:
    """The value of a card in the hand; `only`: no other card fits on the player's own road now."""
    bit = single(card)
    red, fit = weapons
    if bit & rules.cars != ZERO:
        table[i, KEEP_CARS] = sign * (spares[0] + (LACKED if only else 0))
    elif bit & rules.tows != ZERO:
        table[i, KEEP_TOW] = sign * spares[1]
    elif bit & (rules.ambulances | rules.group[game.GREEN_LIGHTS]) != ZERO:
        table[i, KEEP_GREEN] = sign * spares[2]
    elif bit & rules.red_lights != ZERO:
        table[i, KEEP_WEAPONS] = sign * red
    elif bit & rules.ducks == ZERO:
        table[i, KEEP_WEAPONS] = sign * (2 if bit & fit != ZERO else 1)


@kernel
def _rate_gift(card: Card, sign: Any, welcome: Any, table: Any, i: Number) -> None:
    helps, harms = welcome
    table[i, GIFT] = sign * (2 if has(helps, card) else 1 if has(harms, card) else 0)


@kernel
def _rate_own(
    state: State, rules: Rules, seat: Seat, card: Card, rest: Any, dangers: Any, table: Any, i: Number
) -> None:
    """Rates a card on the player's own road."""
    bit = single(card)
    if bit & rules.tows != ZERO:
        table[i, FREE] = NOW
        table[i, FORWARD] = FINISH if state.filled[seat] == rules.road else 0
        return
    table[i, FORWARD] = FINISH if U8(state.filled[seat]) + ONE == U8(rules.road) else STEP
    table[i, FOLLOW_ON] = np.int64(count(rest & rules.follow[card]))
    colour = rules.opens[card] & COLOUR_BITS
    if colour != ZERO:
        table[i, RISK] = np.int64(dangers >> lowest(colour) & U8(15)) * (1 if rest & rules.tows != ZERO else 2)


@outlined
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Features) -> None:
    for i in range(n):
        for k in range(len(FEATURES)):
            table[i, k] = 0
    seat = np.int64(state.seat)
    hand, own = state.hand[seat], state.own[seat]
    remedies = rules.group[game.GREEN_LIGHTS] | rules.ambulances
    cars, tows, greens = (
        np.int64(count(hand & rules.cars)),
        np.int64(count(hand & rules.tows)),
        np.int64(count(hand & remedies)),
    )
    welcome = _welcome(state, rules, seat)
    weapons = _weapons(state, rules, seat)
    if state.stage == game.DRAW:
        top = state.faceup[(U8(state.bottom) + U8(state.faceup_left) - ONE) & game.RING]
        only = has(own, top) and hand & own == ZERO
        for i in range(n):
            if moves[i] == game.DRAW_STOCK:
                table[i, STOCK] = 1
            else:
                _rate_keep(rules, top, 1, only, _spares(state, rules, seat, (cars, tows, greens)), weapons, table, i)
                _rate_gift(top, -1, welcome, table, i)
        return
    spares = _spares(state, rules, seat, (cars - 1, tows - 1, greens - 1))
    hidden = unlocated(state, rules, seat)
    dangers = _dangers(state, rules, seat, hidden)
    attacks = rules.group[0] | rules.group[1] | rules.group[2] | rules.group[3]
    lack_tow = _lacking(state, rules, seat, hidden, rules.tows) if hand & attacks != ZERO else ZERO
    lack_green = _lacking(state, rules, seat, hidden, remedies) if hand & rules.red_lights != ZERO else ZERO
    for i in range(n):
        target, card = np.int64(moves[i]) >> 6, U8(moves[i]) & game.RING
        rest = hand & ~single(card)
        if target == game.ROAD + seat:
            _rate_own(state, rules, seat, card, rest, dangers, table, i)
            continue
        _rate_keep(rules, card, -1, has(own, card) and rest & own == ZERO, spares, weapons, table, i)
        if target == game.FACEUP:
            _rate_gift(card, 1, welcome, table, i)
        elif target >= game.ROW:
            if has(rules.red_lights, card):
                _rate_red(state, rules, seat, target - game.ROW, lack_green, greens > 0, table, i)
            else:
                _rate_green(state, rules, seat, target - game.ROW, table, i)
        elif has(rules.ducks, card):
            table[i, DUCKS_COST] = 1
        else:
            chance = _chance(lack_tow, target - game.ROAD)
            table[i, BREAKDOWN] = chance
            table[i, FINISHER] = chance * _near(state, rules, target - game.ROAD)


# The sorts of moves, which a player can be told never to make.
CATEGORIES = ("faceup", "pile", "breakdown", "ducks", "red_light", "green_light", "attack")
_FACEUP, _PILE, _BREAKDOWN, _DUCKS, _RED, _GREEN, _ATTACK = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    if action >= game.DRAW_STOCK:
        return _FACEUP if action == game.DRAW_FACEUP else ZERO
    target, card = U8(action) >> game.CARD_BITS, U8(action) & game.RING
    if target == U8(game.FACEUP):
        return _PILE
    if has(rules.group[game.DUCKS], card):
        return _DUCKS | _ATTACK
    if has(rules.group[game.RED_LIGHTS], card):
        return _RED | _ATTACK
    if has(rules.group[game.GREEN_LIGHTS], card):
        return _GREEN
    for group in range(game.DUCKS):
        if has(rules.group[group], card):
            return _BREAKDOWN | _ATTACK
    return ZERO


# ---- How close a seat is to winning, as numbers for the learned evaluation


FLAG = 32


@outlined
def prospects(state: State, rules: Rules, seat: Seat, out: Numbers) -> None:
    hand = state.hand[seat]
    filled = U8(state.filled[seat])
    to_go = np.int64(rules.road) - np.int64(filled)
    distance = (np.int64(seat) + np.int64(rules.seats) - np.int64(state.seat)) % np.int64(rules.seats)
    greens, tows = hand & rules.group[game.GREEN_LIGHTS], hand & rules.tows
    remedies = greens | hand & rules.ambulances
    barred = has(state.targets, U8(game.LIT) + filled)
    last = state.last[seat]
    broken = last != game.NONE and not has(rules.opens[last], 4 * game.DUCKS)
    fitting = hand & state.own[seat]
    next_ones, rest = 0, fitting
    while rest != ZERO:
        card = lowest(rest)
        next_ones = max(next_ones, np.int64(count(hand & ~single(card) & rules.follow[card])))
        rest = without_lowest(rest)
    out[0] = 8 * to_go
    out[1] = FLAG if has(state.targets, U8(game.STARTED) + U8(seat)) else 0
    out[2] = FLAG if to_go == 1 else 0
    out[3] = FLAG if to_go == 2 else 0
    out[4] = FLAG if broken else 0
    out[5] = FLAG if broken and tows != ZERO else 0
    out[6] = FLAG if barred else 0
    out[7] = FLAG if barred and remedies != ZERO else 0
    out[8] = 8 * np.int64(count(fitting))
    out[9] = FLAG if fitting == ZERO else 0
    out[10] = 8 * np.int64(count(hand & rules.cars))
    out[11] = 8 * np.int64(count(tows))
    out[12] = 8 * np.int64(count(greens))
    out[13] = 8 * np.int64(count(hand & rules.ambulances))
    out[15] = 8 * np.int64(count(hand & rules.red_lights))
    out[16] = 8 * np.int64(count(hand & rules.ducks))
    out[17] = FLAG * np.int64(state.missed[seat])
    out[18] = 16 * distance
    out[19] = FLAG if distance == 0 else 0
    open_to = game.aims(state, seat)
    for colour in range(game.DUCKS):
        weapons = np.int64(count(hand & rules.group[colour]))
        out[14] += 8 * weapons
        if open_to & rules.aims[colour] != ZERO:
            out[20] += 8 * weapons
    rows = U8(game.LIT) + filled + ONE
    out[21] = 8 * np.int64(count(state.targets >> rows)) if to_go > 0 else 0
    out[22] = 16 * next_ones
    out[23] = 64 if to_go == 1 and fitting != ZERO else 0
    out[24] = 64 if to_go == 1 and fitting != ZERO and distance == 0 else 0
    out[25] = FLAG if has(rules.within[filled], 0) else 0
    for other in range(rules.seats):
        if other != seat:
            theirs = state.hand[other]
            out[26] += 8 * np.int64(count(theirs & rules.red_lights))
            for colour in range(game.DUCKS):
                if has(state.targets, U8(4 * colour) + U8(seat)):
                    out[27] += 16 * np.int64(count(theirs & rules.group[colour]))
    out[28 + np.int64(rules.seats) - 2] = FLAG
    out[31] = FLAG if to_go <= 3 and fitting != ZERO and next_ones > 0 else 0
