"""Hanabi: the rules of thumb, computed from what the deciding player sees.

Players agree on one habit: the newest card that a clue touches is to be played, if it may be next. So a clue is good if
that card is next, and bad if it only may seem so. A clued card is expected to be useful and not a copy of another
clued card. Unclued cards are discarded, the oldest first.
"""

import numpy as np

from hanabi.rules import CLUE, CLUES, DISCARD, FRESH, held, laid_in, reachable, told_seat
from houle.own_game import ONE, U8, ZERO, bits, count, has, kernel, local_empty, rows

FEATURES = (
    ("sure", "Play a card that is surely next.", "Keep cards that are surely next."),
    ("pointed", "Play the newest card that a new clue touched.", "Do not play a card only because a clue is new."),
    ("fails", "Play cards that may be wrong.", "Do not play cards that are probably wrong."),
    ("last_life", "Risk the last life.", "Do not risk the last life."),
    ("last_turn", "Play a likely card in the last turns.", "Risk nothing in the last turns."),
    ("low", "Play low cards first.", "Play high cards first."),
    ("clue", "Give clues rather than discard.", "Discard rather than give clues."),
    ("clues_used", "Give clues when few are left.", "Save the last clues."),
    ("makes_play", "Clue so that the newest touched card is next.", "Do not clue only to let a card be played."),
    ("misleads", "Clue even if a wrong card then seems next.", "Give no clue that makes a wrong card seem next."),
    ("makes_sure", "Make cards surely next.", "Do not clue what would be played anyway."),
    ("touches", "Touch many useful cards with one clue.", "Touch few cards with one clue."),
    ("wasted", "Touch useless cards and copies of clued ones.", "Touch no useless cards and no copies."),
    ("saves", "Save the last copy of a card that would be discarded next.", "Do not save cards from the discard."),
    ("waits", "Clue players whose turn comes later.", "Clue the next player first."),
    ("oldest", "Discard the oldest card without a clue.", "Do not discard the oldest card."),
    ("useless", "Discard cards that are probably useless.", "Keep useless cards."),
    ("last_copy", "Discard cards that may be the last copy.", "Do not discard what may be the last copy."),
    ("clued", "Discard clued cards that may be useful.", "Keep clued cards that may be useful."),
    ("late", "Discard when few cards are left to draw.", "Do not waste turns when few cards are left to draw."),
)
(
    SURE,
    POINTED,
    FAILS,
    LAST_LIFE,
    LAST_TURN,
    LOW,
    GIVES,
    CLUES_USED,
    MAKES_PLAY,
    MISLEADS,
    MAKES_SURE,
    TOUCHES,
    WASTED,
    SAVES,
    WAITS,
    OLDEST,
    USELESS,
    LAST_COPY,
    CLUED,
    LATE,
) = range(len(FEATURES))
NEXT, DEAD, LAST, UNSEEN, TAKEN, SETS = range(6)  # sets of cards that every rule of thumb uses
SPARE = 6  # turns to spare that are enough


@kernel
def features(state, rules, moves, n, table):
    sets = local_empty(SETS, np.uint64)
    rate_deck(state, rules, sets)
    spare = count(state.pile) + rules.seats - (reachable(state, rules) - count(state.laid))
    newest = pointed_at(state.told[state.mover], rows.length(state.hand[state.mover]))
    for i in range(n):
        row = table[i]
        for j in range(len(FEATURES)):
            row[j] = 0
        if moves[i] >= CLUE:
            rate_clue(state, rules, sets, moves[i] - CLUE, row)
        elif moves[i] >= DISCARD:
            rate_discard(state, sets, moves[i] - DISCARD, row)
            row[LATE] = max(0, SPARE - max(0, spare))
        else:
            rate_play(state, rules, sets, moves[i], row)
            row[POINTED] = moves[i] == newest and row[FAILS] < 100


@kernel
def rate_deck(state, rules, sets):
    """Writes the sets."""
    sets[:] = ZERO
    for suit in range(rules.suits):
        top, is_cut = laid_in(state, suit), False
        for number in range(5):
            kind = rules.kind[5 * suit + number, 0]
            left = bits.count(kind & ~state.gone[0])
            is_cut = is_cut or (number >= top and left == ZERO)
            if number < top or is_cut:
                sets[DEAD] |= kind
            elif number == top:
                sets[NEXT] |= kind
            if number >= top and not is_cut and left == ONE:
                sets[LAST] |= kind
    sets[UNSEEN] = state.pile[0] | held(state.hand[state.mover])
    for seat in range(rules.seats):
        for place in range(rows.length(state.hand[seat]) if seat != state.mover else 0):
            if state.told[seat, place] > 0:
                sets[TAKEN] |= kind_of(rules, state.hand[seat, place])


@kernel
def kind_of(rules, card):
    """All copies of a card."""
    for number in range(5):
        kind = rules.kind[5 * (card // 10) + number]
        if has(kind, card):
            return kind[0]
    return ZERO


@kernel
def pointed_at(told, size):
    """The newest card that a new clue touched first; if it touched only clued cards, the newest of them; -1 if none."""
    again = -1
    for place in range(size - 1, -1, -1):
        if told[place] >= FRESH:
            if bits.count(U8(told[place] - FRESH)) == ONE:
                return place
            again = max(again, place)
    return again


@kernel
def percent(cards, among):
    """How many of the second set are in the first, in percent."""
    return np.int64(bits.count(cards & among)) * 100 // max(1, np.int64(bits.count(among)))


@kernel
def own(state, sets, place):
    """What an own card may be. A clued card is expected to be useful and not one that another clued card is."""
    may = state.may[state.mover, place, 0] & sets[UNSEEN]
    useful = may & ~(sets[DEAD] | sets[TAKEN])
    return useful if state.told[state.mover, place] > 0 and useful != ZERO else may


@kernel
def rate_play(state, rules, sets, place, row):
    may = own(state, sets, place)
    chance = percent(sets[NEXT], may)
    row[SURE] = chance == 100
    row[FAILS] = 100 - chance
    row[LAST_LIFE] = 100 - chance if state.lives == 1 and not rules.keeps_points else 0
    row[LAST_TURN] = chance if state.turns_left > 0 and (state.lives > 1 or rules.keeps_points) else 0
    if chance == 100:
        row[LOW] = 4 - lowest_number(may)


@kernel
def lowest_number(may):
    """The lowest number, from 0, among some cards."""
    least = 4
    while may != ZERO:
        least = min(least, (np.int64(bits.lowest(may)) % 10 - 1) // 2)
        may = bits.without_lowest(may)
    return max(least, 0)


@kernel
def rate_discard(state, sets, place, row):
    told = state.told[state.mover]
    may = own(state, sets, place)
    row[USELESS] = percent(sets[DEAD] | sets[TAKEN], may)
    row[LAST_COPY] = percent(sets[LAST], may)
    row[CLUED] = told[place] > 0 and row[USELESS] < 100
    row[OLDEST] = place == oldest(told, rows.length(state.hand[state.mover]))


@kernel
def oldest(told, size):
    """The oldest card without a clue; -1 if all have one."""
    for place in range(size):
        if told[place] == 0:
            return place
    return -1


@kernel
def rate_clue(state, rules, sets, clue, row):
    seat, touched = told_seat(state, rules, clue), rules.touch[clue % CLUES, 0]
    hand, told, size = state.hand[seat], state.told[seat], rows.length(state.hand[seat])
    newest, is_new, is_idle, is_known, seen = -1, False, True, False, ZERO
    for place in range(size):
        card = ONE << U8(hand[place])
        before = state.may[seat, place, 0] & ~state.gone[0]
        after = before & (touched if touched & card != ZERO else ~touched)
        was_sure = told[place] > 0 and before & ~(sets[NEXT] | sets[DEAD]) == ZERO
        is_ready = told[place] >= FRESH or was_sure
        is_idle = is_idle and not is_ready
        if sets[NEXT] & card != ZERO and not was_sure:
            row[MAKES_SURE] += after & ~sets[NEXT] == ZERO
        if touched & card == ZERO:
            continue
        if told[place] == 0:
            kind = kind_of(rules, hand[place])
            is_waste = (sets[DEAD] | sets[TAKEN] | seen) & card != ZERO
            seen |= kind
            row[WASTED] += is_waste
            row[TOUCHES] += not is_waste
        if told[place] == 0 or not is_new:
            newest, is_new, is_known = place, is_new or told[place] == 0, is_ready
    row[GIVES], row[CLUES_USED], row[WAITS] = 1, rules.clues - state.half_clues // 2, clue // CLUES
    card = ONE << U8(hand[newest])
    after = state.may[seat, newest, 0] & touched & ~(state.gone[0] | sets[DEAD])
    is_next = sets[NEXT] & card != ZERO
    if is_next:
        row[MAKES_PLAY] = not is_known
    elif after & sets[NEXT] != ZERO:
        row[MISLEADS] = 1
    first = oldest(told, size)
    if first >= 0 and is_idle and has(sets[LAST : LAST + 1], hand[first]):
        row[SAVES] = is_next or touched & ONE << U8(hand[first]) != ZERO
