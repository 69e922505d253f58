"""Relay: a small team game that nobody tuned. The team lays numbers on a rising pile; a card that is sunk costs a life.

Nobody sees the others' cards. A player who jumps far ahead makes the cards of the others useless.
"""

from houle.solver.cards.cardsets import add, count, draw, fill, list_cards, remove
from houle.solver.compiler.kernels import kernel
from houle.solver.games import define
from houle.solver.interface.declare import cards, fields, number, per_seat

DECK = 40
MAX_MOVES = 2 * DECK
SINK = DECK  # actions from here on sink the card

FEATURES = (
    ("lay", "Lay a card if you can.", "Sink a card rather than lay it."),
    ("small_step", "Lay the card that is nearest to the top of the pile.", "Jump far ahead."),
    ("sink_low", "If a card must be sunk, sink the lowest one.", "If a card must be sunk, sink the highest one."),
)

FIELDS = fields(
    public={"top": number(), "laid": number(), "lives": number(), "gone": cards(DECK)},
    own={"hand": per_seat(cards(DECK))},
    hidden={"pile": cards(DECK)},
)


@kernel
def deal(state, rules):
    fill(state.pile, DECK)
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            add(state.hand[seat], draw(state, state.pile))
    state.top = -1
    state.lives = rules.lives
    state.mover = 0


@kernel
def legal(state, rules, moves):
    """Any card of the hand may be sunk; those above the top may be laid."""
    if state.mover < 0:
        return 0
    n = list_cards(state.hand[state.mover], moves)
    held = n
    for i in range(held):
        if moves[i] > state.top:
            moves[n] = moves[i]
            n += 1
    for i in range(held):
        moves[i] += SINK
    return n


@kernel
def apply(state, rules, action):
    seat = state.mover
    card = action % DECK
    remove(state.hand[seat], card)
    add(state.gone, card)
    if action < SINK:
        state.top = card
        state.laid += 1
    else:
        state.lives -= 1
    if count(state.pile) > 0:
        add(state.hand[seat], draw(state, state.pile))
    state.mover = (seat + 1) % rules.seats
    if state.lives == 0 or state.laid >= rules.target or count(state.hand[state.mover]) == 0:
        state.mover = -1


@kernel
def round_scores(state, rules, scores):
    scores[0] = max(0, rules.target - state.laid)


@kernel
def features(state, rules, moves, n, table):
    for i in range(n):
        sinks = moves[i] >= SINK
        table[i, 0] = 0 if sinks else 1
        table[i, 1] = 0 if sinks else DECK - (moves[i] - state.top)
        table[i, 2] = 2 * DECK - moves[i] if sinks else 0


def action_name(state, setup, action):
    return f"sink {action % DECK}" if action >= SINK else f"lay {action}"


def number_of_cards(seen):
    return len(seen["pile"]) + len(seen["gone"]) + sum(map(len, seen["hand"]))


GAME = define(__name__, is_cooperative=True)
