"""Parcels: a team loads parcels that it holds face outwards.

A parcel is for one of four towns and weighs one to five kilos: each town has two of 1, 2 and 3 kilos, one of 4 and one
of 5. Everybody sees the parcels of the others, and not the own ones. In your turn you do one of three things:

- load one of your parcels into the van of a town. If it is for another town, or too heavy for what the van still
  carries, it is lost and costs a fine;
- send one of your parcels back, which gives a clue;
- spend a clue: tell another player which of the own parcels are for a town, or have a weight. There must be one.

Then you draw. The game ends with the last fine, or when the player to move has no parcel. The score is the weight of
all parcels loaded, and the team wins with enough kilos, unless the fines ended the game.
"""

import copy

TOWNS = "ABCD"
WEIGHTS = (1, 1, 2, 2, 3, 3, 4, 5)
HEAVIEST = 5


def town_of(card):
    return TOWNS[card // len(WEIGHTS)]


def weight_of(card):
    return WEIGHTS[card % len(WEIGHTS)]


class Game:
    """Load parcels that you do not see into the vans of four towns; the others tell you towns and weights."""

    TITLE = "Parcels"
    PLAYERS = (2, 3, 4, 5)
    SCORE = "kilos"
    SCORE_RANGE = (0, 64)

    def __init__(self, players, luck, room=10, hand=5, clues=8, fines=4, target=24):
        self.luck, self.room, self.most, self.target = luck, room, clues, target
        self.pile = list(range(len(TOWNS) * len(WEIGHTS)))
        self.hand = [[self.pile.pop(luck(len(self.pile))) for _ in range(hand)] for _ in range(players)]
        self.may = [[self.anything() for _ in range(hand)] for _ in range(players)]
        self.vans = dict.fromkeys(TOWNS, 0)
        self.loaded, self.gone = [], []
        self.clues, self.left, self.seat = clues, fines, 0

    def anything(self):
        return list(range(len(TOWNS) * len(WEIGHTS)))

    def to_move(self):
        return self.seat if self.left and self.hand[self.seat] else -1

    def legal(self):
        places = range(1, len(self.hand[self.seat]) + 1)
        load = [f"load {place} for {town}" for place in places for town in TOWNS if self.vans[town] < self.room]
        tell = []
        for other, hand in enumerate(self.hand if self.clues else []):
            told = sorted({*map(town_of, hand)}) + sorted({*map(weight_of, hand)})
            tell += [f"tell seat {other + 1} {what}" for what in told if other != self.seat]
        return load + [f"send back {place}" for place in places] + tell

    def apply(self, move):
        words = move.split()
        if words[0] == "tell":
            self.tell(int(words[2]) - 1, words[3])
        else:
            place = int(words[1] if words[0] == "load" else words[2]) - 1
            card = self.hand[self.seat].pop(place)
            self.may[self.seat].pop(place)
            self.leave(card, words[3] if words[0] == "load" else "")
            if self.pile:
                self.hand[self.seat].append(self.pile.pop(self.luck(len(self.pile))))
                self.may[self.seat].append(self.anything())
        self.seat = (self.seat + 1) % len(self.hand)

    def tell(self, seat, what):
        """Everybody learns which parcels of a seat are for a town, or have a weight."""
        self.clues -= 1
        touched = {card for card in self.anything() if what in (town_of(card), str(weight_of(card)))}
        for place, card in enumerate(self.hand[seat]):
            self.may[seat][place] = [one for one in self.may[seat][place] if (one in touched) == (card in touched)]

    def leave(self, card, town):
        """A parcel goes into the van of a town, is lost, or is sent back if there is no town."""
        if town and town_of(card) == town and self.vans[town] + weight_of(card) <= self.room:
            self.vans[town] += weight_of(card)
            self.loaded.append(card)
            return
        self.gone.append(card)
        if town:
            self.left -= 1
        else:
            self.clues = min(self.clues + 1, self.most)

    def result(self):
        kilos = sum(self.vans.values())
        return {"scores": [kilos], "winners": [0] if self.left and kilos >= self.target else []}

    def view(self, seat):
        hands = [["?"] * len(hand) if seat == owner else hand for owner, hand in enumerate(self.hand)]
        return {"vans": self.vans, "clues": self.clues, "fines left": self.left, "loaded": sorted(self.loaded),
                "gone": sorted(self.gone), "hands": hands, "may": self.may}  # fmt: skip

    def snapshot(self):
        return {"mover": self.to_move(), "vans": list(self.vans.values()), "clues": self.clues, "fines_left": self.left,
                "loaded": sorted(self.loaded), "gone": sorted(self.gone), "hand": self.hand, "pile": sorted(self.pile),
                "may": self.may}  # fmt: skip

    def imagine(self, seat, luck):
        world = copy.deepcopy(self)
        world.luck = luck
        unseen = sorted(self.pile + self.hand[seat])
        while True:
            hand = [luck.one_of([card for card in unseen if card in may]) for may in self.may[seat]]
            if len(set(hand)) == len(hand):
                break
        world.hand[seat] = hand
        world.pile = [card for card in unseen if card not in hand]
        return world
