"""6 nimmt! in plain Python, written from its rules: everybody chooses a card in secret, rows fill, the sixth takes.

104 cards have bullheads. Everybody gets ten, four start a row each. All choose a card face down, then cards are laid
from the lowest to the highest: a card goes to the row whose end is the nearest below it. The sixth card of a row takes
the five before it, and a card below all ends takes a row of its player's choice. The card then begins that row anew.
Bullheads of taken cards count. Rounds are played until somebody has 66; the fewest win.
"""

import copy

ROWS, ROOM = 4, 5


def heads(card):
    """The bullheads of a card from 1 to 104."""
    if card == 55:
        return 7
    return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


class Game:
    """One game. `luck(n)` returns a random number below n, the same for the same seed."""

    PLAYERS = tuple(range(2, 11))
    TITLE = "6 nimmt!"
    SCORE = "heads"
    SCORE_RANGE = (0, 300)
    LOWER_IS_BETTER = True

    def __init__(self, players, knobs, luck):
        self.players, self.knobs, self.luck = players, knobs, luck
        self.heads = [0] * players
        self.moves = self.turns = self.rounds = 0
        self.over = False
        self.deal()

    def deal(self):
        deck = list(range(1, self.knobs["cards"] + 1))
        self.hand = [[] for _ in range(self.players)]
        for _ in range(self.knobs["hand"]):
            for hand in self.hand:
                hand.append(deck.pop(self.luck(len(deck))))
        self.rows = [[deck.pop(self.luck(len(deck)))] for _ in range(ROWS)]
        self.pile, self.taken = deck, []
        self.chosen = [0] * self.players  # face down
        self.shown = [0] * self.players  # turned up, not yet laid
        self.chooser = -1  # who takes a row

    def to_move(self):
        if self.over:
            return -1
        return self.chooser if self.chooser >= 0 else self.chosen.index(0)

    def legal(self):
        if self.chooser >= 0:
            return [f"take row {row + 1}" for row in range(ROWS)]
        return [f"choose {card}" for card in sorted(self.hand[self.to_move()])]

    def apply(self, move):
        seat, number = self.to_move(), int(move.split()[-1])
        self.moves += 1
        if self.chooser >= 0:
            self.take(seat, number - 1)
            self.chooser = -1
        else:
            self.hand[seat].remove(number)
            self.chosen[seat] = number
            if 0 in self.chosen:
                self.turns += self.to_move() != seat
                return
            self.shown, self.chosen = self.chosen, [0] * self.players
        self.lay()
        self.turns += self.to_move() != seat

    def lay(self):
        """Lays the cards in order, up to the next choice of a row."""
        while any(self.shown):
            card = min(filter(None, self.shown))
            seat = self.shown.index(card)
            below = [row for row in range(ROWS) if self.rows[row][-1] < card]
            if below:
                row = max(below, key=lambda row: self.rows[row][-1])
                if len(self.rows[row]) == ROOM:
                    self.take(seat, row)
                else:
                    self.rows[row].append(card)
                    self.shown[seat] = 0
            elif self.knobs["too_low"] == "choice":
                self.chooser = seat
                return
            else:
                self.take(seat, min(range(ROWS), key=self.load))
        if not any(self.hand):
            self.rounds += 1
            self.over = max(self.heads) >= self.knobs["target"]
            if not self.over:
                self.deal()

    def load(self, row):
        return sum(map(heads, self.rows[row]))

    def take(self, seat, row):
        self.heads[seat] += self.load(row)
        self.taken += self.rows[row]
        self.rows[row] = [self.shown[seat]]
        self.shown[seat] = 0

    def result(self):
        return {"scores": list(self.heads), "moves": self.moves, "turns": self.turns, "rounds": self.rounds}

    def imagine(self, seat, luck):
        """A copy of the game in which the cards that this seat cannot see are dealt again."""
        world = copy.deepcopy(self)
        world.luck = luck
        others = [other for other in range(self.players) if other != seat]
        held = [card for other in others for card in [*self.hand[other], self.chosen[other]] if card]
        unseen = sorted([*self.pile, *held])
        for other in others:
            world.hand[other] = [unseen.pop(luck(len(unseen))) for _ in self.hand[other]]
            world.chosen[other] = unseen.pop(luck(len(unseen))) if self.chosen[other] else 0
        world.pile = unseen
        return world

    def view(self, seat):
        """What a seat sees."""
        return {
            "rows": self.rows,
            "shown": self.shown,
            "heads": self.heads,
            "taken": sorted(self.taken),
            "chosen": [bool(card) for card in self.chosen],
            "hand": sorted(self.hand[seat]),
            "mine": self.chosen[seat],
        }

    def rules_of_thumb(self):
        """Avoid to take heads; then the card nearest to the end of its row."""
        if self.chooser >= 0:
            return f"take row {1 + min(range(ROWS), key=self.load)}"

        def cost(card):
            below = [row for row in self.rows if row[-1] < card]
            if not below:
                return min(map(self.load, range(ROWS))), 0
            row = max(below, key=lambda row: row[-1])
            full = len(row) == ROOM
            return sum(map(heads, row)) if full else 0, card - row[-1] + 5 * len(row)

        return f"choose {min(sorted(self.hand[self.to_move()]), key=cost)}"

    def snapshot(self):
        """The whole state with the names of the compiled game, whose cards count from 0."""

        def cards(some):
            return sorted(card - 1 for card in some if card)

        return {
            "mover": self.to_move(),
            "rows": [[card - 1 for card in row] for row in self.rows],
            "shown": [cards([card]) for card in self.shown],
            "heads": list(self.heads),
            "taken": cards(self.taken),
            "hand": [cards(hand) for hand in self.hand],
            "chosen": [cards([card]) for card in self.chosen],
            "pile": cards(self.pile),
        }
