"""WAVE in slow, plain Python: the reference that the compiled kernels are compared with.

It follows the text of the rules step by step, for 2 surfers (with the dummy), 3 and 4, with every variant
and knob. Hands are plain lists of card numbers. Every card of a hand has a place, counted from 1: a card that is drawn
or taken gets the place of the card that left the hand. Table talk decides what `knowledge` returns and whether signals
are given; it never changes which plays are legal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.reference.pile import Luck, Pile

Chance = Callable[[int, int], int]

INVERT_COLOURS = 100
INVERT_NUMBERS = 101
FACE_DOWN = -1
NONE = -1
WHOLE_WIN = 840
MOST_CARDS = 64

# The printed deck: no white 0 and no navy 5.
PRINTED = [
    f"{colour} {number}" for colour in ("white", "yellow", "orange", "red", "sky", "navy") for number in range(6)
][1:-1]


class Game:
    """One game of WAVE, always standing at a decision or over."""

    def __init__(self, players: int, knobs: dict[str, Any], deal: Luck, chance: Chance) -> None:
        if players not in (2, 3, 4):
            raise ValueError("WAVE is for 2 to 4 surfers")
        self.knobs = knobs
        self.chance = chance
        self.colours: list[str] = list(knobs["deck.colours"])
        self.numbers: list[int] = list(knobs["deck.numbers"])
        if len(self.colours) * len(self.numbers) > INVERT_COLOURS:
            raise ValueError("the deck has more cards than there are card numbers")
        self.virage_variant: bool = knobs["virage"]
        self.nazare: bool = knobs["nazare"]
        self.heights: list[int] = list(knobs["heights"])

        every_card = range(len(self.colours) * len(self.numbers))
        cards = [card for card in every_card if not self._matches(card, knobs["deck.missing"])]
        self.cards = frozenset(cards)
        self.pile = Pile(deal, PRINTED, {self.name(card): card for card in cards}, MOST_CARDS)
        self.reversing = [card for card in cards if self._matches(card, knobs["deck.reverse"])]
        if self.nazare and sum(self.heights) != len(self.pile):
            raise ValueError(f"the heights sum to {sum(self.heights)}, but the deck has {len(self.pile)} cards")

        self.dummy = 2 if players == 2 else NONE
        front_sizes = [knobs["hand.front"]] * players
        back_sizes = [knobs["hand.back"]] * players
        if self.dummy != NONE:
            front_sizes.append(knobs["dummy.up"])
            back_sizes.append(knobs["dummy.down"])
        self._check_sizes(front_sizes, back_sizes)

        # For the dummy, front are its face-up cards and back its face-down ones.
        self.seats = len(front_sizes)
        self.front: list[list[int]] = [[] for _ in range(self.seats)]
        self.back: list[list[int]] = [[] for _ in range(self.seats)]
        self.top = self.pile.draw()
        self._deal_out(self.front, front_sizes)
        self._deal_out(self.back, back_sizes)
        self.place = {card: i for hand in self._hands() for i, card in enumerate(hand, 1)}
        self.virage = self.pile.take_aside() if self.virage_variant else NONE
        for _ in range(2):
            if knobs["tide.colours"]:
                self.pile.add(INVERT_COLOURS)
            if knobs["tide.numbers"]:
                self.pile.add(INVERT_NUMBERS)

        self.colours_inverted = False
        self.numbers_inverted = False
        self.direction = 1
        self.wave = [self.top]
        self.laid = 0
        self.turns = 0
        self.over = False
        self.acting = 0
        self.last_surfer = 0
        self.taken = NONE
        self.asked = False

        # Cards that all have seen, who has seen a card that went face down, and which cards a hidden one may be.
        self.shown = {self.top, self.virage} | set(self.front[self.dummy] if self.dummy != NONE else [])
        self.face_down: dict[int, list[int]] = {}
        self.may_be = dict.fromkeys(cards, self.cards)
        self.decisions = 0
        self.advisers: list[int] = []
        self.signals: list[tuple[int, str]] = []
        self.signals_heard: list[tuple[int, int, str]] = []
        self._begin_turn(0)

    # ---- the interface

    def to_move(self) -> int:
        """The seat that decides: an adviser, then the mover; for the dummy, the surfer who laid the last card."""
        if self.over:
            return NONE
        if self.advisers:
            return self.advisers[0]
        return self.last_surfer if self.acting == self.dummy else self.acting

    def legal(self) -> list[str]:
        """The names of the legal actions; none when the game is over."""
        if self.over:
            return []
        if self.advisers:
            return ["point none", *sorted(self._signal(card) for card in self._advisable())]
        if not self.asked:
            return ["no swap"] + [f"swap {self.name(card)}" for card in self._usable()]
        return [f"play {self.name(card)}" for card in self._playable()] + [
            f"hide {self.name(card)}" for card in self._hideable()
        ]

    def apply(self, action: str) -> None:
        """Take one decision, and do everything automatic up to the next one."""
        if action not in self.legal():
            raise ValueError(f"not legal: {action!r}")
        if self.advisers:
            adviser = self.advisers.pop(0)
            self.signals.append((adviser, action))
            self.signals_heard.append((self.decisions, adviser, action))
            return
        if action == "no swap":
            self._end_swap_decision()
            return
        action_type, name = action.split(" ", 1)
        card = next(card for card in self._usable() if self.name(card) == name)
        if action_type == "swap":
            self._swap(card)
            self._end_swap_decision()
        else:
            self._take_turn(card, hidden=action_type == "hide")

    def snapshot(self) -> dict[str, Any]:
        """The whole state, as plain values."""
        return {
            "acting": NONE if self.over else self.acting,
            "direction": self.direction,
            "front": [sorted(cards) for cards in self.front],
            "back": [sorted(cards) for cards in self.back],
            "pile": self.pile.cards(),
            "top": self.top,
            "virage": self.virage,
            "taken": self.taken,
            "asked": self.asked,
            "inverted": [self.colours_inverted, self.numbers_inverted],
            "wave": list(self.wave) if self.nazare else [],
            "facedown": self._facedown(),
            "laid": self.laid,
            "over": self.over,
        }

    def knowledge(self, seat: int) -> dict[str, Any]:
        """What a surfer knows about the position: equal in all positions that the surfer cannot tell apart.

        A card of a hand stands at its place; if it is not known, the set of cards that it may be.
        """
        known = {card for card in self.cards if self._knows(seat, card)}
        hands = []
        for front, back in zip(self.front, self.back, strict=True):
            if len(hands) == self.dummy:
                hands.append({"face up": sorted(front), "face down": len(back)})
                continue
            sides = {"front": front, "back": back}
            hands.append(
                {
                    side: {self.place[card]: card if card in known else self.may_be[card] - known for card in cards}
                    for side, cards in sides.items()
                }
            )
        pile = self.pile.cards()
        return {
            "to move": self.to_move(),
            "acting": self.acting,
            "asked": self.asked,
            "signals": list(self.signals),
            "direction": self.direction,
            "last surfer": self.last_surfer,
            "top": self.top,
            "laid": list(self.wave) if self.nazare else sorted(self.wave),
            "face down": sorted(card for card in self.face_down if card in known),
            "virage": self.virage,
            "taken": self.taken,
            "inverted": [self.colours_inverted, self.numbers_inverted],
            "pile": len(pile),
            "inversions left": [pile.count(INVERT_COLOURS), pile.count(INVERT_NUMBERS)],
            "hands": hands,
            "unknown": self.cards - known,
        }

    def result(self) -> dict[str, Any]:
        """The score of the team; only when the game is over."""
        if not self.over:
            raise ValueError("the game is not over")
        score = self._facedown() if self.nazare else self._cards_left()
        return {
            "scores": [score],
            "shares": [WHOLE_WIN if score == 0 else 0],
            "moves": self.laid,
            "turns": self.turns,
            "rounds": 1,
            "counts": {},
        }

    def name(self, card: int) -> str:
        """The canonical name of a card, as in "white 3"."""
        colour, number = divmod(card, len(self.numbers))
        return f"{self.colours[colour]} {self.numbers[number]}"

    # ---- set-up

    def _matches(self, card: int, patterns: list[str]) -> bool:
        colour, number = self.name(card).rsplit(" ", 1)
        for pattern in patterns:
            wanted_colour, wanted_number = pattern.rsplit(" ", 1)
            if wanted_colour in ("*", colour) and wanted_number in ("*", number):
                return True
        return False

    def _check_sizes(self, front_sizes: list[int], back_sizes: list[int]) -> None:
        if min(front_sizes + back_sizes) < 0:
            raise ValueError("a hand cannot have fewer than no cards")
        if any(front + back == 0 for front, back in zip(front_sizes, back_sizes, strict=True)):
            raise ValueError("every hand needs a card")
        if self.dummy != NONE and front_sizes[self.dummy] < 1:
            raise ValueError("the dummy needs a face-up card")
        needed = 1 + sum(front_sizes) + sum(back_sizes) + (1 if self.virage_variant else 0)
        if needed > len(self.pile):
            raise ValueError(f"the deal needs {needed} cards, but the deck has {len(self.pile)}")

    def _deal_out(self, hands: list[list[int]], sizes: list[int]) -> None:
        for i in range(max(sizes)):
            for seat in range(self.seats):
                if i < sizes[seat]:
                    hands[seat].append(self.pile.draw())

    def _hands(self) -> list[list[int]]:
        return [front + back for front, back in zip(self.front, self.back, strict=True)]

    # ---- comparing

    def _higher(self, card: int, other: int) -> bool:
        colour, number = divmod(card, len(self.numbers))
        other_colour, other_number = divmod(other, len(self.numbers))
        colour_higher = colour < other_colour if self.colours_inverted else colour > other_colour
        number_higher = number < other_number if self.numbers_inverted else number > other_number
        return colour_higher or number_higher

    def _neighbours(self) -> list[int]:
        """What the next card must be higher than: the top, or in Nazare the cards to the left and below."""
        if not self.nazare:
            return [self.top]
        cells = [(column, row) for column, height in enumerate(self.heights) for row in range(height)]
        filled = dict(zip(cells, self.wave, strict=False))
        column, row = cells[len(self.wave)]
        return [filled[cell] for cell in ((column - 1, row), (column, row - 1)) if cell in filled]

    def _fits(self, card: int) -> bool:
        return all(other == FACE_DOWN or self._higher(card, other) for other in self._neighbours())

    # ---- what the acting seat may do

    def _usable(self) -> list[int]:
        """The cards the acting seat may lay: not the face-down ones of the dummy, nor the card just taken."""
        cards = list(self.front[self.acting])
        if self.acting != self.dummy:
            cards += self.back[self.acting]
        return sorted(card for card in cards if card != self.taken)

    def _playable(self) -> list[int]:
        return [card for card in self._usable() if self._fits(card)]

    def _hideable(self) -> list[int]:
        if self.nazare and (self.knobs["facedown"] == "free" or not self._playable()):
            return self._usable()
        return []

    def _may_swap(self) -> bool:
        if not self.virage_variant or (self.acting == self.dummy and not self.knobs["dummy_swaps"]):
            return False
        return len(self._usable()) >= 2

    # ---- who knows what

    def _advisable(self) -> list[int]:
        """The mover's back cards, or the dummy's face-up cards, that this decision may use."""
        usable = self._playable() + self._hideable() if self.asked else self._usable()
        pointed = self.front[self.acting] if self.acting == self.dummy else self.back[self.acting]
        return [card for card in pointed if card in usable]

    def _signal(self, card: int) -> str:
        return f"point {self.name(card) if self.acting == self.dummy else self.place[card]}"

    def _who_advises(self) -> list[int]:
        """From the mover's next neighbour on; for the dummy, the partner of the surfer who decides."""
        if self.knobs["talk"] != "points" or not self._advisable():
            return []
        if self.acting == self.dummy:
            return [1 - self.last_surfer]
        others = [(self.acting + self.direction * step) % self.seats for step in range(1, self.seats)]
        return [seat for seat in others if seat != self.dummy]

    def _knows(self, seat: int, card: int) -> bool:
        if card in self.shown:
            return True
        if card in self.face_down:
            return seat in self.face_down[card]
        holder = next((holder for holder, hand in enumerate(self._hands()) if card in hand), NONE)
        if holder in (NONE, self.dummy):
            return False
        if holder == seat:
            return card in self.front[seat] or self.knobs["talk"] in ("known", "open")
        return card in self.back[holder] or self.knobs["talk"] == "open"

    def _learn(self, hidden: list[int]) -> None:
        """Those who do not see these cards learn for each whether it fits now."""
        fitting = {card for card in self.cards if self._fits(card)}
        for card in hidden:
            self.may_be[card] = self.may_be[card] & fitting if card in fitting else self.may_be[card] - fitting

    # ---- a turn

    def _begin_turn(self, seat: int) -> None:
        self.acting = seat
        self.asked = not self._may_swap()
        if seat != self.dummy:
            self._learn(self.back[seat])
        self._open_decision()

    def _end_swap_decision(self) -> None:
        self.asked = True
        self._open_decision()

    def _open_decision(self) -> None:
        if self.asked and not self._playable():
            if not self._hideable():
                self.over = True
                return
            if self.knobs["facedown"] == "stuck":
                self._learn(self.front[self.acting])
        self.decisions += 1
        self.signals = []
        self.advisers = self._who_advises()

    def _swap(self, card: int) -> None:
        self._remove(card)
        self.taken = self.virage
        self.front[self.acting].append(self.virage)
        self.place[self.virage] = self.place[card]
        self.virage = card
        self.shown.add(card)

    def _take_turn(self, card: int, hidden: bool) -> None:
        seat = self.acting
        self.turns += 1
        if seat != self.dummy:
            self.last_surfer = seat
        self._lay(card, hidden)
        from_front = self._remove(card)
        if card in self.reversing and (not hidden or self.knobs["facedown_reverses"]):
            self.direction = -self.direction
        drawn = self._draw()
        if drawn != NONE:
            self.place[drawn] = self.place[card]
        if seat == self.dummy:
            self._refill_dummy(drawn)
        elif drawn != NONE:
            (self.back if from_front else self.front)[seat].append(drawn)
        self.taken = NONE

        following = self._next_holder(seat)
        if following == NONE:
            self._finish()
        else:
            self._begin_turn(following)

    def _remove(self, card: int) -> bool:
        """Take a card out of the acting hand; True if it was a front card."""
        if card in self.front[self.acting]:
            self.front[self.acting].remove(card)
            return True
        self.back[self.acting].remove(card)
        return False

    def _lay(self, card: int, hidden: bool) -> None:
        if hidden:
            self.face_down[card] = [seat for seat in range(self.seats) if self._knows(seat, card)]
        else:
            self.shown.add(card)
        self.top = FACE_DOWN if hidden else card
        self.wave.append(self.top)
        self.laid += 1

    def _draw(self) -> int:
        """Draw a card, turning the tide on the way; NONE if the pile ran out first."""
        while self.pile:
            card = self.pile.draw()
            if card == INVERT_COLOURS:
                self.colours_inverted = not self.colours_inverted
            elif card == INVERT_NUMBERS:
                self.numbers_inverted = not self.numbers_inverted
            else:
                return card
        return NONE

    def _refill_dummy(self, drawn: int) -> None:
        down = self.back[self.dummy]
        if drawn == NONE and down:
            down.sort()
            drawn = down.pop(self.chance(len(down), len(down)))
        if drawn != NONE:
            self.front[self.dummy].append(drawn)
            self.shown.add(drawn)

    def _next_holder(self, seat: int) -> int:
        # The last step comes back to the seat itself: a surfer alone with cards goes on alone.
        for step in range(1, self.seats + 1):
            candidate = (seat + self.direction * step) % self.seats
            if self.front[candidate] or self.back[candidate]:
                return candidate
        return NONE

    # ---- the end

    def _finish(self) -> None:
        """All hands are empty: lay the Virage card, which is nobody's turn and so reverses nothing."""
        self.over = True
        self.asked = True
        if self.virage == NONE:
            return
        face_up = self._fits(self.virage) or not self.knobs["virage_must_fit"]
        if face_up or self.nazare:
            self._lay(self.virage, hidden=not face_up)
            self.virage = NONE

    def _cards_left(self) -> int:
        in_hands = sum(len(cards) for cards in self.front + self.back)
        in_pile = sum(1 for card in self.pile.cards() if card not in (INVERT_COLOURS, INVERT_NUMBERS))
        return in_hands + in_pile + (1 if self.virage != NONE else 0)

    def _facedown(self) -> int:
        return self.wave.count(FACE_DOWN)
