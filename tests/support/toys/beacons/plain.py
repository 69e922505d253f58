"""Beacons in plain Python: everybody sees all hands but the own one, and players tell each other about their cards.

Three colours have the values 1 to 4, two cards each. A beacon of each colour is built upwards from 1. A player lays a
card of the own hand without seeing it, or tells another player which of their cards have a colour or a value.
"""

import copy

COLOURS, VALUES, COPIES = 3, 4, 2
CARDS, KINDS = COLOURS * VALUES * COPIES, COLOURS * VALUES
MOST_TELLS = 6


def kind(card):
    """Colour and value of a card as one number."""
    return card // COPIES


def told(by, what):
    """The kinds of a colour (`by` is 0) or of a value, as bits."""
    return sum(1 << one for one in range(KINDS) if (one % VALUES if by else one // VALUES) == what)


class Game:
    """A team of 2 to 5 players; the score is the number of cards on the beacons."""

    PLAYERS = (2, 3, 4, 5)
    TITLE = "Beacons"
    SCORE_RANGE = (0, 12)

    def __init__(self, players, luck, hand=3, lives=5):
        self.luck, self.players, self.lives, self.tells = luck, players, lives, MOST_TELLS
        pack = list(range(CARDS))
        self.hands = [[luck.take(pack) for _ in range(hand)] for _ in range(players)]
        self.deck = [luck.take(pack) for _ in range(len(pack))]
        self.may = [[(1 << KINDS) - 1] * hand for _ in range(players)]  # what everybody knows of each card, as bits
        self.gone, self.built, self.seat = [], [0] * COLOURS, 0

    def to_move(self):
        return -1 if not self.lives or not self.deck or sum(self.built) == KINDS else self.seat

    def legal(self):
        moves = [f"lay {place + 1}" for place in range(len(self.hands[self.seat]))]
        for other in range(self.players if self.tells else 0):
            for by, what in [(0, one) for one in range(COLOURS)] + [(1, one) for one in range(VALUES)]:
                if other != self.seat and any(told(by, what) >> kind(card) & 1 for card in self.hands[other]):
                    moves.append(f"tell {other + 1} {('colour', 'value')[by]} {what + 1}")
        return moves

    def apply(self, move):
        words = move.split()
        if words[0] == "lay":
            self.lay(int(words[1]) - 1)
        else:
            other, of = int(words[1]) - 1, told(words[2] == "value", int(words[3]) - 1)
            self.tells -= 1
            for place, card in enumerate(self.hands[other]):
                self.may[other][place] &= of if of >> kind(card) & 1 else ~of
        self.seat = (self.seat + 1) % self.players

    def lay(self, place):
        card = self.hands[self.seat].pop(place)
        self.may[self.seat].pop(place)
        self.gone.append(card)
        colour, value = divmod(kind(card), VALUES)
        if value == self.built[colour]:
            self.built[colour] += 1
            self.tells = min(MOST_TELLS, self.tells + 1)
        else:
            self.lives -= 1
        self.hands[self.seat].append(self.deck.pop())
        self.may[self.seat].append((1 << KINDS) - 1)

    def result(self):
        return {"scores": [sum(self.built)], "winners": [0] if sum(self.built) == KINDS else []}

    def view(self, seat):
        hands = [["?"] * len(hand) if owner == seat else list(hand) for owner, hand in enumerate(self.hands)]
        return {**self.snapshot(), "hands": hands, "deck": len(self.deck)}

    def imagine(self, seat, luck):
        """Draws the own hand and the deck anew, and again until the hand fits what has heard of it."""
        world = copy.copy(self)
        world.luck = luck
        unseen = sorted(self.hands[seat] + self.deck)
        may = list(self.may[seat])
        while True:
            pool = list(unseen)
            hand = [luck.take(pool) for _ in may]
            if self.fits(hand, may, luck):
                break
        luck.shuffle(pool)
        world.hands = [hand if owner == seat else list(held) for owner, held in enumerate(self.hands)]
        world.deck = pool[: len(self.deck)]
        world.may, world.gone, world.built = [list(one) for one in self.may], list(self.gone), list(self.built)
        return world

    def fits(self, hand, may, luck):
        return all(known >> kind(card) & 1 for card, known in zip(hand, may, strict=True))

    def snapshot(self):
        return {
            "hands": [list(hand) for hand in self.hands],
            "deck": list(self.deck),
            "may": [list(known) for known in self.may],
            "gone": sorted(self.gone),
            "built": list(self.built),
            "lives": self.lives,
            "tells": self.tells,
        }
