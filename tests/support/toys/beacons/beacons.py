"""Beacons, compiled: plain.py has the rules. What a seat sees and its worlds are written by hand."""

import numpy as np

from houle.solver.cards.cardsets import add
from houle.solver.cards.streams import advance, below, derive, luck, start_world
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.declared.fields import cards, fields, number, per_seat
from houle.solver.games import define
from houle.solver.interface import seen as see

COLOURS, VALUES, COPIES = 3, 4, 2
CARDS, KINDS, MOST_HAND, MOST_TELLS = 24, 12, 3, 6
ALL = (1 << KINDS) - 1
ASPECTS = COLOURS + VALUES
TELL = MOST_HAND  # actions from here on tell a seat a colour or a value
MAX_MOVES = MOST_HAND + 5 * ASPECTS

FIELDS = fields(
    public={
        "may": per_seat(number(MOST_HAND)),  # what everybody knows of each card, as bits
        "gone": cards(CARDS),
        "built": number(COLOURS),
        "alive": number(),
        "tells": number(),
        "left": number(),  # cards in the deck
    },
    hidden={"hand": per_seat(number(MOST_HAND)), "deck": number(CARDS)},
)


@kernel
def of_aspect(aspect, kind):
    return kind // VALUES == aspect if aspect < COLOURS else kind % VALUES == aspect - COLOURS


@kernel
def deal(state, rules):
    pack, left = local_zeros(CARDS, np.int64), CARDS
    for card in range(CARDS):
        pack[card] = card
    for seat in range(rules.seats):
        for place in range(rules.hand):
            i = luck(state, left)
            left -= 1
            state.hand[seat][place], pack[i] = pack[i], pack[left]
            state.may[seat][place] = ALL
    state.left = left
    for place in range(state.left):
        i = luck(state, left)
        left -= 1
        state.deck[place], pack[i] = pack[i], pack[left]
    state.alive, state.tells, state.mover = rules.lives, MOST_TELLS, 0


@kernel
def legal(state, rules, moves):
    n = 0
    if state.mover < 0:
        return n
    for place in range(rules.hand):
        moves[n] = place
        n += 1
    for other in range(rules.seats if state.tells > 0 else 0):
        for aspect in range(ASPECTS if other != state.mover else 0):
            held = False
            for place in range(rules.hand):
                held = held or of_aspect(aspect, state.hand[other][place] // COPIES)
            if held:
                moves[n] = TELL + other * ASPECTS + aspect
                n += 1
    return n


@kernel
def lay(state, rules, seat, chosen):
    card = state.hand[seat][chosen]
    for place in range(chosen, rules.hand - 1):
        state.hand[seat][place] = state.hand[seat][place + 1]
        state.may[seat][place] = state.may[seat][place + 1]
    add(state.gone, card)
    colour, value = card // COPIES // VALUES, card // COPIES % VALUES
    if value == state.built[colour]:
        state.built[colour] += 1
        state.tells = min(MOST_TELLS, state.tells + 1)
    else:
        state.alive -= 1
    state.left -= 1
    state.hand[seat][rules.hand - 1] = state.deck[state.left]
    state.may[seat][rules.hand - 1] = ALL


@kernel
def apply(state, rules, action):
    if action < TELL:
        lay(state, rules, state.mover, action)
    else:
        other, aspect = (action - TELL) // ASPECTS, (action - TELL) % ASPECTS
        state.tells -= 1
        told = np.int64(0)
        for kind in range(KINDS):
            told |= np.int64(of_aspect(aspect, kind)) << kind
        for place in range(rules.hand):
            held = told >> (state.hand[other][place] // COPIES) & 1
            state.may[other][place] &= told if held else ALL ^ told
    built = np.int64(0)
    for colour in range(COLOURS):
        built += state.built[colour]
    over = state.alive == 0 or state.left == 0 or built == KINDS
    state.mover = -1 if over else (state.mover + 1) % rules.seats


@kernel
def round_scores(state, rules, scores):
    scores[0] = 0
    for colour in range(COLOURS):
        scores[0] += state.built[colour]


@kernel
def fits(state, rules, seat, hand, stream):
    for place in range(rules.hand):  # noqa: SIM110 (kernels have no generators)
        if not state.may[seat][place] >> (hand[place] // COPIES) & 1:
            return False
    return True


@kernel
def determinize(state, rules, seat, key):
    """Draws the own hand and the deck anew, and again until the hand fits what has heard of it."""
    unseen, left = local_zeros(CARDS, np.int64), 0
    for card in range(CARDS):
        held = False
        for place in range(rules.hand):
            held = held or state.hand[seat][place] == card
        for place in range(state.left):
            held = held or state.deck[place] == card
        if held:
            unseen[left] = card
            left += 1
    stream = derive(key, 9)
    hand, pool, n = local_zeros(MOST_HAND, np.int64), local_zeros(CARDS, np.int64), 0
    while True:
        for i in range(left):
            pool[i] = unseen[i]
        n = left
        for place in range(rules.hand):
            stream = advance(stream)
            i = np.int64(below(stream, n))
            n -= 1
            hand[place], pool[i] = pool[i], pool[n]
        stream = advance(stream)
        if fits(state, rules, seat, hand, stream):
            break
    for place in range(rules.hand):
        state.hand[seat][place] = hand[place]
    for place in range(state.left):
        stream = advance(stream)
        i = np.int64(below(stream, n))
        n -= 1
        state.deck[place], pool[i] = pool[i], pool[n]
    start_world(state, key)
    return True


@kernel
def write_hand(state, rules, seat, who, out, at):
    for place in range(rules.hand if who != seat else 0):
        out[at + place] = state.hand[who][place] + 1


@kernel
def write_may(state, rules, seat, who, out, at):
    for place in range(rules.hand):
        out[at + place] = state.may[who][place]


@kernel
def gone(state, rules, seat, who):
    return state.gone[0]


@kernel
def write_built(state, rules, seat, who, out, at):
    for colour in range(COLOURS):
        out[at + colour] = state.built[colour]


SEEN = see.seen(
    see.seat_number("to move", "mover"),
    see.cards("gone", gone, CARDS),
    see.numbers("built", write_built, COLOURS),
    see.number("lives", "alive"),
    see.number("tells"),
    see.number("deck", "left"),
    see.number("moves"),
    see.each_seat(see.numbers("hand", write_hand, MOST_HAND), see.numbers("may", write_may, MOST_HAND)),
)


def snapshot(state, setup):
    seats, hand = setup.players, int(setup.rules[0].hand)
    return {
        "hands": [[int(card) for card in state.hand[seat][:hand]] for seat in range(seats)],
        "deck": [int(card) for card in state.deck[: int(state.left)]],
        "may": [[int(known) for known in state.may[seat][:hand]] for seat in range(seats)],
        "gone": [card for card in range(CARDS) if int(state.gone[0]) >> card & 1],
        "built": [int(height) for height in state.built],
        "lives": int(state.alive), "tells": int(state.tells),
    }  # fmt: skip


def action_name(state, setup, action):
    if action < TELL:
        return f"lay {action + 1}"
    other, aspect = divmod(action - TELL, ASPECTS)
    of = f"colour {aspect + 1}" if aspect < COLOURS else f"value {aspect - COLOURS + 1}"
    return f"tell {other + 1} {of}"


def number_of_cards(seen):
    return len(seen["deck"]) + len(seen["gone"]) + sum(map(len, seen["hands"]))


GAME = define(__name__, is_cooperative=True)
