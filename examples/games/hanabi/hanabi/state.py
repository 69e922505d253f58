"""Hanabi: its fields, who sees them, and what each clue touches. plain.py says what the numbers mean."""

from houle.own_game import KnobError, about, cards, fields, number, ordered, per_seat, put

SEATS, SUITS, HAND = 5, 6, 6
DECK, KINDS = 10 * SUITS, 5 * SUITS
NUMBERS = (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)
CLUES = SUITS + 5  # a colour each, then a number each
DISCARD, CLUE = HAND, 2 * HAND  # the first actions of these kinds; before them, play a card
MAX_MOVES = CLUE + (SEATS - 1) * CLUES
FRESH = 1 << CLUES  # of `told`: a clue touched the card since its player's last turn

FIELDS = fields(
    public={
        "laid": cards(DECK),
        "gone": cards(DECK),
        "half_clues": number(),
        "lives": number(),
        "turns_left": number(),  # once the last card is drawn; -1 before
        "told": per_seat(number(HAND, dtype="i2")),  # the clues that touched each card
    },
    others={"hand": per_seat(ordered(DECK, HAND))},  # everybody but its player sees it
    hidden={"pile": cards(DECK)},
    facts={"may": about("hand")},
    tables={"deck": cards(DECK), "kind": cards(DECK, KINDS), "touch": cards(DECK, CLUES)},
    seats=SEATS,
)


def score_range(setup):
    return 0, 5 * setup.options["suits"]


def make_tables(rules, options, players):
    """The deck, the copies of each kind, and the cards that each clue touches."""
    codes = [0] * (rules.suits - 2) + [int(rules.second_special), int(rules.special)]
    deck = [10 * suit + i for suit, code in enumerate(codes) for i in ((0, 3, 5, 7, 9) if code >= 9 else range(10))]
    if players * options["hand"] >= len(deck):
        raise KnobError("hand", f"{len(deck)} cards are too few to deal {options['hand']} to each and draw")
    put(rules.deck, deck)
    for kind in range(5 * len(codes)):
        put(rules.kind[kind], [card for card in deck if 5 * (card // 10) + NUMBERS[card % 10] - 1 == kind])
    for clue in range(CLUES):
        put(rules.touch[clue], [card for card in deck if is_touched(card, clue, codes)])


def is_touched(card, clue, codes):
    """Whether a clue touches a card. A code has two digits to the base of 3 that say how: 0 own, 1 all, 2 none."""
    suit = card // 10
    if clue >= SUITS:
        how, own = codes[suit] % 3, NUMBERS[card % 10] == clue - SUITS + 1
    else:
        how, own = codes[suit] // 3 % 3, suit == clue
    can_be_said = clue >= SUITS or (clue < len(codes) and codes[clue] // 3 % 3 == 0)
    return can_be_said and (how == 1 or (how == 0 and own))
