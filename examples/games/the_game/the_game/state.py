"""The Game: what there is of it, and who sees it."""

from houle.solver.declare import cards, fields, number, per_seat

NUMBERS = 100  # a card is its number
PILES = 4
RISING = 2  # the first so many piles rise
STOP = 4 * NUMBERS  # the action of who lays no more; others are 4 x card + pile
MAX_MOVES = 10 * PILES + 1  # of the largest hand

FIELDS = fields(
    public={"top": number(PILES), "laid": cards(NUMBERS), "need": number(), "ended": number()},
    own={"hand": per_seat(cards(NUMBERS))},
    hidden={"pile": cards(NUMBERS)},
    seats=5,
)
