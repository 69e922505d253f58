"""The Game: what there is of it, and who sees it."""

from houle.solver.declare import cards, fields, number, per_seat

NUMBERS = 100  # a card is its number
PILES = 4
RISING = 2  # the first so many piles rise
STOP = 4 * NUMBERS  # the action of who lays no more; others are 4 x card + pile
LARGEST_HAND = 10
MAX_MOVES = LARGEST_HAND * PILES + 1

FIELDS = fields(
    public={
        "top": number(PILES),
        "laid": cards(NUMBERS),
        "last": number(),
        "need": number(),
        "ended": number(),
        "stuck": number(),
    },
    own={"hand": per_seat(cards(NUMBERS))},
    hidden={"pile": cards(NUMBERS)},
    seats=5,
)
