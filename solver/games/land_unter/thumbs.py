"""LAND UNTER: the rules of thumb and the categories of moves, by what the deciding player may see.

Everything uses one estimate: the probability that each rival plays lower than a card, if rivals play any of their cards
with equal chance. Cards known to be in a hand count as there, unknown ones as drawn from all unseen cards. Cards that
others have committed in secret count as still in their hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, single
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Card, Categories, Features, Moves, Number, Rules, State
from houle.solver.games.land_unter.knows import holding, known, secret
from houle.solver.games.land_unter.rules import ALONE, TAKE, playing

# The rules of thumb; advice.toml has their sentences.
FEATURES = (
    "loss",
    "level",
    "level_early",
    "above",
    "lowest",
    "first",
    "second",
    "sheltered",
    "spend_high",
    "spend_low",
    "highest",
    "bottom",
)
LOSS, LEVEL, LEVEL_EARLY, ABOVE, LOWEST, FIRST, SECOND, SHELTERED, SPEND_HIGH, SPEND_LOW, HIGHEST, BOTTOM = range(12)

UNIT = 256  # a chance of 1
CHANCE = float(UNIT)
STEP = 4  # bits: water levels are kept in 1/16
LAST_TRICKS = 3  # in which the lowest water can be aimed for


# What the mover knows of a rival: the indices of what `_rival` returns.
KNOWN = 0  # cards known to be in its pack
SURE = 1  # those of them that it still holds
LAID = 2  # number of the card it has laid face up in this trick, or 0
WATER = 3  # its water level; NOBODY if it is out of the round
SHIELD = 4  # the level below which others are safe, because this rival pays first
EACH = 5  # chance that it plays one given card of its hand; 0.0 if its card is known or it is out
BLIND = 6  # chance that it plays a card which the mover does not know

NOBODY = 255


@kernel
def _rival(state: State, rules: Rules, seats: Number, distance: Any) -> Any:
    """What the mover may know of the seat that sits this many places to the left."""
    if distance >= rules.seats:
        return ZERO, ZERO, 0, NOBODY, 0, 0.0, 0.0
    seat = np.int64(state.mover) + distance
    seat -= np.int64(rules.seats) if seat >= rules.seats else 0
    cards = known(state, rules, seat, state.mover)
    if not has(seats, seat):
        return cards, ZERO, 0, NOBODY, 0, 0.0, 0.0
    level = np.int64(state.level[seat])
    # A player who is eliminated passes the loss on and is no shield, unless that ends the round.
    gone = rules.cascade and state.belts[seat] == 0 and count(seats) > ALONE + ONE
    shield = 0 if gone else level
    hand = holding(state, rules, seat)
    sure = hand & cards
    if state.committed[seat] > 0 and not secret(state, rules):
        return cards, sure, np.int64(state.committed[seat]), level, shield, 0.0, 0.0
    each = 1.0 / np.float64(count(hand))
    return cards, sure, 0, level, shield, each, np.float64(count(hand & ~sure)) * each


@kernel
def _higher(rival: Any, card: Card, above: Any, share: Any) -> Any:
    """Chance that a rival plays higher than a card; `above`: all higher cards, `share`: of the unseen cards."""
    laid = 1.0 if rival[LAID] > card + 1 else 0.0
    return laid + np.float64(count(rival[SURE] & above)) * rival[EACH] + share * rival[BLIND]


# The four rivals are written out, because a loop over a tuple would move them to memory, a sixth of the time of a ply.
@kernel
def _shields(rivals: Any, level: Any) -> Any:
    """How many rivals have more water and would pay first."""
    a, b, c, d = rivals
    return (
        np.int64(a[SHIELD] > level)
        + np.int64(b[SHIELD] > level)
        + np.int64(c[SHIELD] > level)
        + np.int64(d[SHIELD] > level)
    )


@kernel
def _is_lowest(rivals: Any, level: Any) -> Any:
    """1 if no rival in the round has less water, else 0."""
    a, b, c, d = rivals
    return np.int64(min(min(a[WATER], b[WATER]), min(c[WATER], d[WATER])) >= level)


@kernel
def _of_shields(rivals: Any, chances: Any, level: Any) -> Any:
    """Sum and sum of squares of the chances of the rivals who are shields above a level."""
    a = chances[0] if rivals[0][SHIELD] > level else 0.0
    b = chances[1] if rivals[1][SHIELD] > level else 0.0
    c = chances[2] if rivals[2][SHIELD] > level else 0.0
    d = chances[3] if rivals[3][SHIELD] > level else 0.0
    return a + b + c + d, a * a + b * b + c * c + d * d


@kernel
def _unshielded(rivals: Any, chances: Any, level: Any, shields: Any) -> Any:
    """Chance that no shield is left above a level once two of the rivals have taken lower water.

    `chances`: how likely each rival is to play higher than the mover; a pair takes the water in proportion to both.
    """
    if shields == 0:
        return 1.0
    if shields > 2:
        return 0.0
    total, squares = _of_shields(rivals, chances, -1)
    pairs = total * total - squares
    if pairs <= 0.0:
        return 0.0
    part, part_squares = _of_shields(rivals, chances, level)
    return (2.0 * part * (total - part) if shields == 1 else part * part - part_squares) / pairs


@kernel
def _rate_takes(
    state: State, rules: Rules, rivals: Any, left: Any, ending: Any, moves: Moves, n: Number, table: Any
) -> None:
    """Rates the choice of a water card. All cards of the trick are open, so the result is certain."""
    other = 0
    for rival in rivals:
        other = max(other, rival[LAID])
    for i in range(n):
        values = table[i]
        for k in range(len(FEATURES)):
            values[k] = 0
        mine = np.int64(state.water[moves[i] - TAKE])
        rest = np.int64(state.water[1 - (moves[i] - TAKE)])
        above, lowest = 0, 1
        for rival in rivals:
            second = rival[LAID] == other
            above += 1 if (rest if second else rival[SHIELD]) > mine else 0
            lowest = 0 if (rest if second else rival[WATER]) < mine else lowest
        loss = UNIT if above == 0 else 0
        values[LOSS] = loss * np.int64(rules.belt)
        values[LEVEL] = (mine * UNIT) >> STEP
        values[LEVEL_EARLY] = values[LEVEL] * left
        values[ABOVE] = above * UNIT
        values[LOWEST] = lowest * UNIT * ending


@kernel  # not outlined: a search takes a tenth longer with a call in between
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Features) -> None:
    seat = state.mover
    seats = playing(state, rules)
    rivals = (
        _rival(state, rules, seats, 1),
        _rival(state, rules, seats, 2),
        _rival(state, rules, seats, 3),
        _rival(state, rules, seats, 4),
    )
    left = np.int64(rules.hand) - np.int64(state.trick) - 1
    ending = max(LAST_TRICKS - left, 0) * np.int64(rules.lowest)
    if state.taking:
        _rate_takes(state, rules, rivals, left, ending, moves, n, table)
        return
    hand = state.hand[seat]
    pool = rules.cards & ~(state.pack[seat] | rivals[0][KNOWN] | rivals[1][KNOWN] | rivals[2][KNOWN] | rivals[3][KNOWN])
    unseen = 1.0 / max(np.float64(count(pool)), 1.0)
    others = CHANCE / (np.float64(count(seats)) - 1.0)
    low, high = np.int64(min(state.water[0], state.water[1])), np.int64(max(state.water[0], state.water[1]))
    level = np.int64(state.level[seat])
    over_low, over_high, over_level = _shields(rivals, low), _shields(rivals, high), _shields(rivals, level)
    end_low, end_high = _is_lowest(rivals, low) * ending, _is_lowest(rivals, high) * ending
    end_level = _is_lowest(rivals, level) * ending
    first_pays = 1 if low == high and over_high == 0 else 0
    second_pays = 1 if over_high == 0 else 0
    for i in range(n):
        card = moves[i]
        lower = single(card) - ONE
        share = np.float64(count(pool & ~lower)) * unseen
        a, b = _higher(rivals[0], card, ~lower, share), _higher(rivals[1], card, ~lower, share)
        c = _higher(rivals[2], card, ~lower, share) if rules.seats > 3 else 0.0
        d = _higher(rivals[3], card, ~lower, share) if rules.seats > 4 else 0.0
        ab, cd = (1.0 - a) * (1.0 - b), (1.0 - c) * (1.0 - d)
        beaten = (a * (1.0 - b) * cd, b * (1.0 - a) * cd, c * (1.0 - d) * ab, d * (1.0 - c) * ab)  # by exactly one
        first = np.int64(ab * cd * CHANCE)
        second = np.int64((beaten[0] + beaten[1] + beaten[2] + beaten[3]) * CHANCE)
        neither = UNIT - first - second
        loss = first * first_pays + second * second_pays
        if over_high == 1:
            # The only one above the higher water may be the one who takes the lower.
            loss += np.int64(_of_shields(rivals, beaten, high)[0] * CHANCE)
        if level >= high:
            loss += np.int64(neither * _unshielded(rivals, (a, b, c, d), level, over_level))
        water = (first * low + second * high + neither * level) >> STEP
        spent = UNIT // 2 - np.int64((a + b + c + d) * others)
        values = table[i]
        values[LOSS] = loss * np.int64(rules.belt)
        values[LEVEL] = water
        values[LEVEL_EARLY] = water * left
        values[ABOVE] = first * over_low + second * over_high + neither * over_level
        values[LOWEST] = first * end_low + second * end_high + neither * end_level
        values[FIRST] = first
        values[SECOND] = second
        values[SHELTERED] = second * over_high
        values[SPEND_HIGH] = max(spent, 0) * left
        values[SPEND_LOW] = max(-spent, 0) * left
        values[HIGHEST] = 1 if hand >> U8(card) == ONE else 0
        values[BOTTOM] = 1 if hand & lower == ZERO else 0


# The sorts of moves, which a player can be told never to make.
CATEGORIES = ("lowest", "highest", "low", "middle", "high")
_LOWEST, _HIGHEST, _LOW, _MIDDLE, _HIGH = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    if action >= TAKE:
        return ZERO
    card = U8(action)
    hand = state.hand[state.mover]
    below = count(hand & (single(card) - ONE))
    third = U8(3) * card // U8(rules.weather)
    bits = _LOWEST if below == ZERO else ZERO
    bits |= _HIGHEST if below + ONE == count(hand) else ZERO
    return bits | (_LOW if third == ZERO else _MIDDLE if third == ONE else _HIGH)
