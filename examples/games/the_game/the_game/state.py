"""The Game: its fields, and who sees them."""

from houle.own_game import cards, fields, number, per_seat

NUMBERS = 100  # a card is its number
PILES = 4
RISING = 2  # the first two piles rise
STOP = 4 * NUMBERS  # the action that ends a turn; others are 4 x card + pile
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
