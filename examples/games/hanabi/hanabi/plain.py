"""Hanabi in plain Python, written from its rules: a team lays five fireworks and nobody sees their own cards.

Each suit has three ones, two twos, threes and fours, and one five. You hold your cards with the backs to you. In your
turn you do one of three things. You clue another player: you point at all their cards of one colour, or of one number;
that costs a clue, and at least one card must be touched. You discard a card: that brings a clue back. Or you play a
card: it must be the next number of its suit, else the team loses a life and the card is gone; a five brings a clue
back. Then you draw. When the last card is drawn, each player has one more turn. The points are the cards laid. The
third lost life ends the game, without points unless `keeps_points` is on. The team wins with all cards laid.

A suit may be special. Its kind is a word that says which colour clues touch it (its own, all or none), which number
clues touch it (likewise), and whether it has the usual copies or each card once:

    number clues:      own            all          none
    colour own         plain          pink         brown            (with one copy: black, dark-pink, dark-brown)
    colour all         rainbow        omni         muddy            (dark-rainbow, dark-omni, cocoa)
    colour none        white          light-pink   null             (gray, gray-pink, dark-null)

A suit that all or no colour clues touch has no colour of its own to clue. `special` is the kind of the last suit,
`second_special` that of the suit before it.

Numbers that the compiled game shares. Card 10 * suit + i, with i from 0 to 9, has number NUMBERS[i]; a suit with one
copy has only i = 0, 3, 5, 7, 9. Kind 5 * suit + number - 1 is a card without its copies. `may` has for each card in a
hand the kinds that it may be by the clues alone, a bit each. `told` has the clues that touched it: bit 0 to 5 for the
colours, bit 5 + n for the number n; bit 11 says that one touched it since its player's last turn. Clues are counted in
halves. A hand is a row, oldest card first.
"""

import copy
from functools import lru_cache

import bots
from suits import NUMBERS, SUITS, cards_of, touches

FRESH = 1 << 11  # of `told`


def kind_of(card):
    return card // 10 * 5 + NUMBERS[card % 10] - 1


def name_of(card):
    return f"{SUITS[card // 10][0].upper()}{NUMBERS[card % 10]}"


def kinds_in(mask):
    """The kinds of a set of bits."""
    return [kind for kind in range(mask.bit_length()) if mask >> kind & 1]


@lru_cache
def marks(told):
    """The clues on a card, as `R2`, with `!` if one is new to its player; `-` for none."""
    marks = [SUITS[clue][0].upper() if clue < 6 else str(clue - 5) for clue in range(11) if told >> clue & 1]
    return "".join(marks) + ("!" if told & FRESH else "") or "-"


@lru_cache(10_000)
def kinds_text(mask, suits):
    """What a card may be, as `R23 Y2`; `any` if no clue says more."""
    if mask == (1 << 5 * suits) - 1:
        return "any"
    rows = [(suit, mask >> 5 * suit & 31) for suit in range(suits)]
    return " ".join(SUITS[suit][0].upper() + "".join(str(n + 1) for n in kinds_in(row)) for suit, row in rows if row)


class Hanabi:
    """One game. `luck(n)` returns a random number below n, the same for the same seed."""

    PLAYERS = (2, 3, 4, 5)
    TITLE = "Hanabi"
    SCORE = "points"
    SCORE_RANGE = (0, 30)
    PLAYERS_BY_NAME = bots.PLAYERS

    def __init__(self, players, knobs, luck):
        if players not in self.PLAYERS:
            raise ValueError("Hanabi is for 2 to 5 players")
        self.players, self.knobs, self.luck = players, knobs, luck
        self.suits = knobs["suits"]
        self.kinds = ["plain"] * (self.suits - 2) + [knobs["second_special"], knobs["special"]]
        self.pile = cards_of(self.kinds)
        if players * knobs["hand"] >= len(self.pile):
            raise ValueError(f"{len(self.pile)} cards are too few to deal {knobs['hand']} to each and draw")
        self.copies = [0] * (5 * self.suits)
        for card in self.pile:
            self.copies[kind_of(card)] += 1
        self.touch = touches(self.kinds)
        self.played = [0] * self.suits
        self.laid, self.gone = [], []
        self.halves, self.lives, self.left = 2 * knobs["clues"], knobs["lives"], -1
        self.moves, self.seat, self.over = 0, 0, False
        self.hand = [[] for _ in range(players)]
        self.may = [[] for _ in range(players)]
        self.told = [[] for _ in range(players)]
        for seat in range(players):
            for _ in range(knobs["hand"]):
                self.draw(seat)

    def draw(self, seat):
        """The seat draws, if there is a card; the last card drawn leaves each player one turn."""
        if not self.pile:
            return
        self.hand[seat].append(self.pile.pop(self.luck(len(self.pile))))
        self.may[seat].append((1 << 5 * self.suits) - 1)
        self.told[seat].append(0)
        if not self.pile:
            self.left = self.players + 1  # this turn counts too

    def to_move(self):
        return -1 if self.over else self.seat

    def clues(self):
        """The clues that the seat to move can give, as seat and clue: at least one card is touched."""
        if self.halves < 2:
            return []
        others = [(self.seat + step) % self.players for step in range(1, self.players)]
        return [
            (other, clue)
            for other in others
            for clue, mask in self.touch.items()
            if any(mask >> kind_of(card) & 1 for card in self.hand[other])
        ]

    def can_discard(self):
        return self.halves < 2 * self.knobs["clues"] or self.knobs["discard_with_all_clues"]

    def legal(self):
        if self.over:
            return []
        places = range(1, len(self.hand[self.seat]) + 1)
        moves = [f"play {place}" for place in places]
        moves += [f"discard {place}" for place in places if self.can_discard()]
        return moves + [self.clue_name(other, clue) for other, clue in self.clues()]

    @staticmethod
    def clue_name(seat, clue):
        """The move that gives a clue; people count seats from 1."""
        return f"clue {SUITS[clue] if clue < 6 else clue - 5} to seat {seat + 1}"

    @staticmethod
    def clue_of(move):
        """Seat and clue of a move that gives one."""
        _, what, _, _, seat = move.split()
        return int(seat) - 1, SUITS.index(what) if what in SUITS else 5 + int(what)

    def apply(self, move):
        if move not in self.legal():
            raise ValueError(f"not legal: {move!r}")
        self.moves += 1
        if move.startswith("clue "):
            self.give(*self.clue_of(move))
        else:
            self.lay(move.startswith("play "), int(move.split()[1]) - 1)
        self.told[self.seat] = [told & ~FRESH for told in self.told[self.seat]]
        if self.left > 0:
            self.left -= 1
        points = sum(self.played)
        self.over = self.lives == 0 or self.left == 0 or points == 5 * self.suits
        self.seat = (self.seat + 1) % self.players

    def give(self, seat, clue):
        self.halves -= 2
        mask = self.touch[clue]
        for i, card in enumerate(self.hand[seat]):
            touched = mask >> kind_of(card) & 1
            self.may[seat][i] &= mask if touched else ~mask
            self.told[seat][i] |= touched * (1 << clue | FRESH)

    def lay(self, plays, place):
        """Plays or discards a card, and draws."""
        card = self.hand[self.seat].pop(place)
        self.may[self.seat].pop(place)
        self.told[self.seat].pop(place)
        suit, number = card // 10, NUMBERS[card % 10]
        if not plays:
            self.gone.append(card)
            self.gain()
        elif number == self.played[suit] + 1:
            self.played[suit] = number
            self.laid.append(card)
            if number == 5 and self.knobs["five_gives_clue"]:
                self.gain()
        else:
            self.gone.append(card)
            self.lives -= 1
        if self.lives and sum(self.played) < 5 * self.suits:
            self.draw(self.seat)

    def gain(self):
        """A clue back, or half a clue; never more than there were at the start."""
        self.halves = min(2 * self.knobs["clues"], self.halves + (1 if self.knobs["clue_starved"] else 2))

    def result(self):
        points = sum(self.played) if self.lives or self.knobs["keeps_points"] else 0
        winners = [0] if points == 5 * self.suits else []
        return {"scores": [points], "winners": winners, "moves": self.moves, "turns": self.moves, "rounds": 1}

    # ---- What a seat knows

    def imagine(self, seat, luck):
        """A copy of the game with other cards in this hand and in the pile, all that fit the clues equally likely.

        Each card is drawn from those that fit it; if two are the same card, all are drawn again. So every way to fill
        the hand has the same chance.
        """
        world = copy.copy(self)
        for name in ("played", "laid", "gone"):
            setattr(world, name, list(getattr(self, name)))
        for name in ("hand", "may", "told"):
            setattr(world, name, [list(row) for row in getattr(self, name)])
        world.luck = luck
        unseen = sorted([*self.pile, *self.hand[seat]])
        fitting = [[card for card in unseen if mask >> kind_of(card) & 1] for mask in self.may[seat]]
        while True:
            cards = [some[luck(len(some))] for some in fitting]
            if len(set(cards)) == len(cards):
                break
        world.hand[seat] = cards
        world.pile = [card for card in unseen if card not in cards]
        return world

    def unseen(self, seat):
        """How many cards of each kind this seat does not see: in its own hand or in the pile."""
        left = [0] * (5 * self.suits)
        for card in [*self.pile, *self.hand[seat]]:
            left[kind_of(card)] += 1
        return left

    def view(self, seat):
        """What a seat sees: cards as R1, and for each card in a hand the clues on it and what it may be."""
        return {
            "suits": list(self.kinds),
            "played": [f"{SUITS[suit][0].upper()}{number}" for suit, number in enumerate(self.played)],
            "gone": sorted(map(name_of, self.gone)),
            "clues": self.halves / 2 if self.halves % 2 else self.halves // 2,
            "lives": self.lives,
            "cards to draw": len(self.pile),
            "turns left": max(0, self.left),
            "to move": self.to_move(),
            "hands": [
                " ".join("?" if other == seat else name_of(card) for card in hand)
                for other, hand in enumerate(self.hand)
            ],
            "told": [[marks(told) for told in row] for row in self.told],
            "may": [[kinds_text(mask, self.suits) for mask in row] for row in self.may],
        }

    def is_next(self, kind):
        return self.played[kind // 5] == kind % 5

    def is_useless(self, kind):
        """Laid already, or a card below it in its suit is gone for good."""
        suit, number = kind // 5, kind % 5 + 1
        if number <= self.played[suit]:
            return True
        gone = [kind_of(card) for card in self.gone]
        return any(gone.count(k) == self.copies[k] for k in range(5 * suit + self.played[suit], kind))

    def rules_of_thumb(self):
        """Play what is surely next; clue a card that is next; discard what is surely useless, or the oldest unclued."""
        seat, left = self.seat, self.unseen(self.seat)
        mine = [[kind for kind in kinds_in(mask) if left[kind]] for mask in self.may[seat]]
        sure = [i for i, kinds in enumerate(mine) if all(map(self.is_next, kinds))]
        if sure:
            return f"play {1 + min(sure, key=lambda i: min(kind % 5 for kind in mine[i]))}"
        useful = [(self.clue_worth(other, clue), -i) for i, (other, clue) in enumerate(self.clues())]
        best = max(useful, default=(0, 0))
        if best[0] > 0:
            return self.clue_name(*self.clues()[-best[1]])
        if self.can_discard():
            useless = [i for i, kinds in enumerate(mine) if all(map(self.is_useless, kinds))]
            untold = [i for i, told in enumerate(self.told[seat]) if not told]
            return f"discard {1 + [*useless, *untold, 0][0]}"
        return self.clue_name(*self.clues()[-best[1]]) if useful else "play 1"

    def clue_worth(self, seat, clue):
        """Cards that are next and gain a fact, most for those then surely next; less for touching useless cards."""
        worth = 0
        for card, mask in zip(self.hand[seat], self.may[seat], strict=True):
            kind, touched = kind_of(card), self.touch[clue]
            after = mask & (touched if touched >> kind & 1 else ~touched)
            if not self.is_next(kind):
                worth -= touched >> kind & 1
            elif after != mask and touched >> kind & 1:
                worth += 10 if all(map(self.is_next, kinds_in(after))) else 4
        return worth

    def snapshot(self):
        """The whole state with the names and numbers of the compiled game; a row of clues has room for six cards."""
        cards = cards_of(self.kinds)
        return {
            "mover": self.to_move(),
            "laid": sorted(self.laid),
            "gone": sorted(self.gone),
            "half_clues": self.halves,
            "lives": self.lives,
            "turns_left": self.left,
            "hand": [list(hand) for hand in self.hand],
            "may": [[[card for card in cards if mask >> kind_of(card) & 1] for mask in row] for row in self.may],
            "told": [row + [0] * (6 - len(row)) for row in self.told],
            "pile": list(self.pile),
        }
