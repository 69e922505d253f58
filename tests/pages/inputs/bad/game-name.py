"""Broken: everybody plays a card, the highest card takes the trick, and most tricks win.

    houle trace game.py -p 3         one game, move by move
    houle simulate game.py -p 3      how often each seat wins
    houle check game.py              is it correct, and fair to players who see only their own cards?
    houle play game.py -p 3          play it yourself

Change one rule at a time, and look at a game after each change. Options of __init__ can be changed in every command,
as in --set hand=5.
"""

import copy


class Game:
    """Everybody plays a card, the highest card takes the trick, and most tricks win."""

    TITLE = "Broken"
    PLAYERS = (2, 3, 4)
    SCORE = "tricks"
    SCORE_RANGE = (0, 12)  # the least and the greatest score

    def __init__(self, players, luck, cards=40, hand=7):
        """Deals. `luck(n)` is a random number below n, the same whenever this game of a seed is played."""
        self.luck = luck
        self.pile = list(range(cards))
        self.hand = [[] for _ in range(players)]
        for _ in range(hand):
            for cards_of_seat in self.hand:
                cards_of_seat.append(self.pile.pop(luck(len(self.pile))))
        self.laid = [-1] * players  # the trick; -1: no card yet
        self.points = [0] * players
        self.gone = []  # cards of earlier tricks and of this one
        self.mover = 0

    def to_move(self):
        """The seat that decides, from 0; -1 when the game is over."""
        return self.mover if any(self.hand) else -1

    def leagl(self):
        """The moves of that seat, as texts."""
        return [f"play {card}" for card in sorted(self.hand[self.to_move()])]

    def apply(self, move):
        """Makes a move, with everything that follows from it."""
        seat, card = self.to_move(), int(move.split()[1])
        self.hand[seat].remove(card)
        self.gone.append(card)
        self.laid[seat] = card
        self.mover = (seat + 1) % len(self.hand)
        if -1 not in self.laid:
            winner = self.laid.index(max(self.laid))
            self.points[winner] += 1
            self.laid = [-1] * len(self.laid)
            self.mover = 0

    def result(self):
        """The score of each seat once the game is over; the highest wins."""
        return {"scores": list(self.points)}

    def standing(self):
        """How far each seat is, to see who leads."""
        return list(self.points)

    def rules_of_thumb(self):
        """The move of a sensible player: the lowest card that is enough, else the lowest."""
        hand = sorted(self.hand[self.to_move()])
        enough = [card for card in hand if card > max(self.laid)]
        return f"play {(enough or hand)[0]}"

    def view(self, seat):
        """What a seat sees."""
        return {"trick": self.laid, "tricks": self.points, "gone": sorted(self.gone), "hand": sorted(self.hand[seat])}

    def imagine(self, seat, luck):
        """The game as it may be for all that a seat knows: a copy with the cards that it does not see dealt again."""
        world = copy.deepcopy(self)
        world.luck = luck
        others = [other for other in range(len(self.hand)) if other != seat]
        unseen = sorted(self.pile + [card for other in others for card in self.hand[other]])
        for other in others:
            world.hand[other] = [luck.take(unseen) for _ in self.hand[other]]
        world.pile = unseen
        return world

    def snapshot(self):
        """The whole state by name, for traces, and to compare it with a compiled version."""
        return {
            "mover": self.to_move(),
            "laid": list(self.laid),
            "points": list(self.points),
            "gone": sorted(self.gone),
            "hand": [sorted(hand) for hand in self.hand],
            "pile": sorted(self.pile),
        }
