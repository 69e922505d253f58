"""The Game: rules of thumb, from what the player who decides sees."""

import numpy as np

from houle.solver.cardsets import count, following, has
from houle.solver.kernels import kernel
from the_game.play import ahead
from the_game.state import PILES, RISING, STOP

FEATURES = (
    ("gap", "Lay a card that is near the top of its pile.", "Lay cards far beyond the top."),
    ("passed", "Do not pass numbers that others may still hold.", "Pass numbers that are still out."),
    ("passed_own", "Do not pass cards of your own.", "Pass cards of your own."),
    ("back", "Go back by ten whenever you can.", "Do not go back by ten."),
    ("pair", "Lay a card from which your own hand can go back by ten.", "Keep cards that are ten apart."),
    ("rescue", "Lay a card from which somebody may go back by ten.", "Lay cards from which nobody can go back."),
    ("spoils", "Do not cover a pile that your own hand could take back by ten.", "Cover piles you could take back."),
    ("stop", "Stop when you have laid what you must.", "Go on when you have laid what you must."),
    ("more", "Lay more cards than you must.", "Lay no more cards than you must."),
    ("more_gap", "If you lay more than you must, let it be a near card.", "If you lay more, let it be a far card."),
    ("next", "Keep a near card for what comes next.", "Do not save near cards for later."),
    ("rest", "Leave your hand near the piles.", "Leave your hand far from the piles."),
    ("late", "Once nothing is left to draw, lay near cards.", "Once nothing is left to draw, lay far cards."),
    ("used", "Use the pile of a direction that has come farther.", "Use the pile that has come less far."),
    ("last_more", "Go on laying once nothing is left to draw.", "Save cards once nothing is left to draw."),
)
(
    GAP, PASSED, PASSED_OWN, BACK, PAIR, RESCUE, SPOILS, STOPS, MORE, MORE_GAP, NEXT, REST, LATE, USED, LAST_MORE,
) = range(15)  # fmt: skip
FAR = 40  # a distance that is as bad as any


@kernel
def features(state, rules, moves, n, table):
    hand = state.hand[state.mover]
    drawing = count(state.pile) > 0
    for i in range(n):
        for j in range(len(FEATURES)):
            table[i, j] = 0
        if moves[i] == STOP:
            table[i, STOPS] = 1
            rate_rest(state, rules, hand, np.int64(-1), np.int64(0), table[i])
            continue
        card, pile = moves[i] // PILES, moves[i] % PILES
        skip = ahead(state, card, pile)
        up = 1 if pile < RISING else -1
        table[i, GAP] = -skip
        for other in range(min(card, state.top[pile]) + 1, max(card, state.top[pile])):
            if 1 < other <= rules.highest and not has(state.laid, other):
                table[i, PASSED_OWN if has(hand, other) else PASSED] += -1 if skip > 0 else 1
        table[i, BACK] = skip < 0
        before, after = state.top[pile] - up * rules.step, card - up * rules.step
        if rules.step > 0 and 1 < after <= rules.highest and not has(state.laid, after):
            table[i, PAIR if has(hand, after) else RESCUE] = 1
        if rules.step > 0 and 1 < before <= rules.highest and before != card and has(hand, before):
            table[i, SPOILS] = -1
        if state.need == 0:
            table[i, MORE] = 1
            table[i, MORE_GAP] = -skip
            table[i, LAST_MORE] = not drawing
        if not drawing:
            table[i, LATE] = -skip
        twin = pile ^ 1
        table[i, USED] = min(max(up * (state.top[pile] - state.top[twin]), -FAR), FAR)
        rate_rest(state, rules, hand, card, pile, table[i])


@kernel
def rate_rest(state, rules, hand, card, pile, row):
    """How near the cards that stay in the hand are to the piles, after a card is laid on one of them."""
    near, total = np.int64(FAR), np.int64(0)
    other = following(hand, -1)
    while other >= 0:
        if other != card:
            best = np.int64(FAR)
            for place in range(PILES):
                top = card if card >= 0 and place == pile else state.top[place]
                skip = other - top if place < RISING else top - other
                if skip > 0 or (skip == -rules.step and rules.step > 0):
                    best = min(best, skip)
            near = min(near, best)
            total += best
        other = following(hand, other)
    row[NEXT] = -near
    row[REST] = -total // 4
