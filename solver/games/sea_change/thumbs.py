"""SEA CHANGE: the rules of thumb and the categories of moves, by what the deciding player may see.

Most of them use one estimate: the probability that the player's side takes this trick after playing a card. It counts
the unseen cards that beat the best card of the trick. It assumes that the others follow with a random card, or play any
card if they cannot follow. The cards of a colour are handled as the 16-bit set of their values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, left_of, single
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Categories, Features, Moves, Number, Rules, Side, State
from houle.solver.games.sea_change.rules import (
    COLOUR,
    IN_WORD,
    MAX_CARDS,
    NO_COLOUR,
    SOLO_DUTY,
    VALUE,
    WORD,
    captured_of,
    count_of,
    strength,
)

# The rules of thumb; advice.toml has their sentences.
FEATURES = (
    "take",
    "duck",
    "give",
    "eight_out",
    "tempo",
    "high",
    "low",
    "short",
    "long",
    "match",
    "new_trump",
    "zero_swing",
    "duty",
    "liable",
)
(TAKE, DUCK, GIVE, EIGHT_OUT, TEMPO, HIGH, LOW, SHORT, LONG, MATCH, NEW_TRUMP, ZERO_SWING, DUTY, LIABLE) = range(14)

CHANCE = 64.0  # unit of a chance
LANE = U8(0xFFFF)  # the values of one colour
EIGHT = U8(SOLO_DUTY)
NONE = U8(NO_COLOUR)
PER = np.array([1.0, *(1.0 / n for n in range(1, MAX_CARDS + 1))])  # one over the number of cards


@kernel
def lane(low: Any, high: Any, colour: Any) -> Any:
    """The values of a colour in a set of two words."""
    return (high if colour > U8(3) else low) >> ((colour & U8(3)) << COLOUR) & LANE


@kernel
def _power(base: Any, exponent: Any) -> Any:
    """base ** exponent, for exponents up to 31."""
    result = 1.0
    for _ in range(5):
        result = result * base if exponent & ONE != ZERO else result
        base *= base
        exponent >>= ONE
    return result


@kernel
def _best_laid(state: State, led: Any, trump: Any) -> Any:
    """The best card of the trick so far under a trump, as strength and place in the trick; 0 for an empty trick."""
    best = ZERO
    for i in range(U8(state.laid)):
        best = max(best, strength(U8(state.trick[i]), led, trump) << COLOUR | U8(i))
    return best


@kernel
def _zero_points(state: State, rules: Rules, side: Side, colour: Any) -> Any:
    """What the captured zero of a colour scores for a side if the colour is trump; negative if others have it."""
    if colour == NONE:
        return 0
    word, bit = colour >> U8(2), single((colour << COLOUR) & IN_WORD)
    for other in range(rules.sides):
        if state.captured[other, word] & bit != ZERO:
            return np.int64(rules.trump_zero - rules.zero) * (1 if other == side else -1)
    return 0


@kernel
def _voids(state: State, rules: Rules, later: Any, side: Side) -> Any:
    """Rivals who play later in this trick: their number, and how many cannot follow each colour (one byte each)."""
    holder = U8(state.mover)
    rivals, voids = ZERO, ZERO
    for _ in range(later):
        holder = left_of(rules, holder)
        if U8(rules.side[holder]) != side:
            rivals += ONE
            # Spreads the five bits over five bytes.
            voids += U8(state.void[holder]) * U8(0x1020_4081) & U8(0x01_0101_0101)
    return rivals, voids


@kernel
def _beaters(best: Any, trumps: Any, followers: Any) -> Any:
    """How many of the trumps, and of the other cards of the led colour, beat the best card of a trick."""
    above = ZERO - (U8(2) << (best >> COLOUR & VALUE))
    if best >> U8(9) != ZERO:
        return count(trumps & above), ZERO
    return count(trumps), count(followers & above)


@outlined
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Features) -> None:
    seat = U8(state.mover)
    side = U8(rules.side[seat])
    seats = U8(rules.seats)
    laid = U8(state.laid)
    led, trump, before = U8(state.led), U8(state.trump), U8(state.value)
    hand_low, hand_high = state.hand[seat, 0], state.hand[seat, 1]
    seen_low, seen_high = hand_low, hand_high
    for other in range(rules.sides):
        seen_low |= state.captured[other, 0]
        seen_high |= state.captured[other, 1]
    points, zeros, eights, best_now = 0, ZERO, ZERO, ZERO
    for i in range(laid):
        card = U8(state.trick[i])
        value, bit, red = card & VALUE, single(card & IN_WORD), ZERO - (card >> WORD)
        seen_low |= bit & ~red
        seen_high |= bit & red
        points += np.int64(rules.points[value])
        zeros |= U8(value == ZERO) << (card >> COLOUR)
        eights += U8(value == EIGHT)
        best_now = max(best_now, strength(card, led, trump) << COLOUR | U8(i))
    out_low = rules.of_colour[NO_COLOUR, 0] & ~seen_low
    out_high = rules.of_colour[NO_COLOUR, 1] & ~seen_high
    out = count(out_low) + count(out_high)
    later = U8(rules.in_trick) - laid - ONE
    rivals, all_voids = ZERO, ZERO
    held = ONE
    duty = False
    if rules.solo:
        duty = captured_of(state, rules, side, EIGHT) == ZERO
    else:
        rivals, all_voids = _voids(state, rules, later, side)
        after = left_of(rules, seat)
        held = count(state.hand[after, 0]) + count(state.hand[after, 1])
    not_held = 1.0 - np.float64(held) * PER[out]

    in_mind = NONE  # the led colour that the next values belong to; it changes only between cards that are led
    led_out, voids = ZERO, ZERO
    void_chance = per_led = per_rest = 0.0
    for i in range(n):
        card = U8(moves[i])
        colour, value = card >> COLOUR, card & VALUE
        follow = colour if laid == ZERO else led
        if follow != in_mind:
            in_mind = follow
            led_out = lane(out_low, out_high, follow)
            number = count(led_out)
            per_led, per_rest = PER[number], PER[out - number]
            void_chance = _power(not_held, number)
            voids = all_voids >> (follow << U8(3)) & U8(7)
        new_trump = colour if value == before or trump == NONE else trump
        best = best_now if new_trump == trump else _best_laid(state, follow, new_trump)
        best = max(best, strength(card, follow, new_trump) << COLOUR | laid)
        place = best & VALUE
        if rules.solo:
            ours = place == ONE
        else:
            winner = U8(state.leader) + place
            ours = U8(rules.side[winner - seats if winner >= seats else winner]) == side
        same = count_of(rules, value, out_low, out_high)
        chance = 0.0
        if ours:
            trumps = lane(out_low, out_high, new_trump)
            by_trump, by_led = _beaters(best, trumps, ZERO if follow == new_trump else led_out)
            if rules.solo:
                # The AI's next card is any card of the pile; one of the same value makes its colour the trump.
                chance = 1.0 - np.float64(by_trump + by_led + same - (trumps >> value & ONE)) * PER[out]
            else:
                by_void = 0.0 if follow == new_trump else np.float64(by_trump) * per_rest
                by_follower = np.float64(by_trump if follow == new_trump else by_led) * per_led
                chance = 1.0
                for _ in range(rivals - voids):
                    chance *= 1.0 - void_chance * by_void - (1.0 - void_chance) * by_follower
                for _ in range(voids):
                    chance *= 1.0 - by_void
        pot = points + np.int64(rules.points[value])
        zeros_in = zeros | U8(value == ZERO) << colour
        if zeros_in != ZERO:
            pot += np.int64(rules.zero) * np.int64(count(zeros_in))
            pot += np.int64(rules.trump_zero - rules.zero) if zeros_in >> new_trump & ONE != ZERO else 0
        mine = np.int64(chance * CHANCE)
        of_colour = lane(hand_low, hand_high, colour)
        colour_out = lane(out_low, out_high, colour)
        below = single(value) - ONE
        values = table[i]
        values[TAKE] = mine * max(pot, 0)
        values[DUCK] = mine * min(pot, 0)
        values[GIVE] = (np.int64(CHANCE) - mine) * pot
        values[EIGHT_OUT] = mine if later != ZERO and led_out >> EIGHT & ONE != ZERO else 0
        values[TEMPO] = mine
        values[HIGH] = count(colour_out & below)
        values[LOW] = count(colour_out & ~below)
        values[SHORT] = of_colour == single(value)
        values[LONG] = count(of_colour)
        values[MATCH] = same if later != ZERO else ZERO
        values[NEW_TRUMP] = values[ZERO_SWING] = 0
        if new_trump != trump:
            of_old = count(lane(hand_low, hand_high, trump)) if trump != NONE else ZERO
            values[NEW_TRUMP] = np.int64(count(of_colour)) - 1 - np.int64(of_old)
            values[ZERO_SWING] = _zero_points(state, rules, side, colour) - _zero_points(state, rules, side, trump)
        values[DUTY] = mine if duty and (value == EIGHT or eights != ZERO) else 0
        values[LIABLE] = value > EIGHT and colour_out >> EIGHT & ONE != ZERO


# The sorts of moves, which a player can be told never to make.
CATEGORIES = ("change", "trump", "lead_trump", "shed", "eight")
_CHANGE, _TRUMP, _LEAD, _SHED, _EIGHT = (U8(1 << i) for i in range(len(CATEGORIES)))


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Categories:
    card = U8(action)
    colour, value = card >> COLOUR, card & VALUE
    follows, trumps = colour == U8(state.led), colour == U8(state.trump)
    bits = _EIGHT if value == U8(SOLO_DUTY) else ZERO
    if state.laid == 0:
        return bits | (_LEAD if trumps else ZERO)
    if value == U8(state.value):
        bits |= _CHANGE
    elif not follows:
        bits |= _TRUMP if trumps else _SHED
    return bits
