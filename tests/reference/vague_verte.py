"""Reference implementation of VAGUE VERTE (Gruene Welle, MB 1985), a race for 2 to 4 players.

It is the rules text in slow, plain Python, to compare the compiled kernels of houle with:
at every ply the legal actions, the seat to move, the snapshot and in the end the result must agree. It shares
no code with the kernel, so that a misreading of the rules shows up as a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.reference.pile import Luck, Pile, numbered

COLOURS = ("red", "yellow", "green", "blue")
WIN = 840
MOST_CARDS = 64
PRINTED = {
    "deck.cars": [1, 1, 2, 2, 3, 3, 4, 4],
    "deck.breakdowns": 2,
    "deck.tows": 8,
    "deck.ambulances": 1,
    "deck.ducks": 3,
    "deck.red_lights": 4,
    "deck.green_lights": 4,
}


class Card(NamedTuple):
    """What is printed on a card; colour and number are empty where the kind has none."""

    kind: str
    colour: str = ""
    number: int = 0

    @property
    def name(self) -> str:
        if self.kind == "car":
            return f"car {self.colour} {self.number}"
        if self.kind == "breakdown":
            return f"breakdown {self.colour}"
        return self.kind


class Option(NamedTuple):
    """A physical action: a card of the hand and where it goes.

    `target` is a seat for breakdowns and ducks, a row (from 1) for lights, -1 where nothing is to be chosen.
    """

    name: str
    card: int
    to_board: bool
    target: int = -1


def build_deck(knobs: dict[str, Any]) -> list[Card]:
    """All cards; a card's number is its index in this list."""
    cards = [Card("car", colour, number) for colour in COLOURS for number in knobs["deck.cars"]]
    cards += [Card("breakdown", colour) for colour in COLOURS for _ in range(knobs["deck.breakdowns"])]
    cards += [Card("tow")] * knobs["deck.tows"]
    cards += [Card("ambulance")] * knobs["deck.ambulances"]
    cards += [Card("ducks")] * knobs["deck.ducks"]
    cards += [Card("red light")] * knobs["deck.red_lights"]
    cards += [Card("green light")] * knobs["deck.green_lights"]
    return cards


class Game:
    """One game, from the deal to the win or the draw."""

    def __init__(self, players: int, knobs: dict[str, Any], deal: Luck, chance: Callable[[int, int], int]) -> None:
        if not 2 <= players <= 4:
            raise ValueError(f"VAGUE VERTE is for 2 to 4 players, not {players}")
        if knobs["match"] not in ("none", "colour_or_number"):
            raise ValueError(f"unknown match rule {knobs['match']!r}")
        self.players = players
        self.road_length: int = knobs["road"]
        self.match: str = knobs["match"]
        self.forced_play: bool = knobs["forced_play"]
        self.attack_last_square: bool = knobs["attack_last_square"]
        self.max_turns: int = knobs["max_turns"]
        self.deal = deal
        # The order of the cards is all the luck here; `chance` is taken because references are built alike.
        self.chance = chance

        self.cards = build_deck(knobs)
        deck = {name: number for number, name in enumerate(numbered(self.cards))}
        self.stock = Pile(deal, numbered(build_deck(PRINTED)), deck, MOST_CARDS)
        self.reshuffles = 0
        self.faceup: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.roads: list[list[list[int]]] = [[] for _ in range(players)]
        self.missed = [0] * players
        self.lights = [-1] * self.road_length
        self.seat = 0
        self.drawn = -1
        self.stage = "draw"
        self.turn = 0
        self.winner = -1
        self.plays = 0
        self.discards = 0

        for _ in range(knobs["hand"]):
            for seat in range(players):
                if self.stock:
                    self._take(seat, self.stock.draw())
        if self.stock:
            self.faceup.append(self.stock.draw())
        self._start_turns()

    # What the callers see

    def to_move(self) -> int:
        return -1 if self.stage == "over" else self.seat

    def legal(self) -> list[str]:
        if self.stage == "draw":
            return self._sources()
        if self.stage == "play":
            return [option.name for option in self._options()]
        return []

    def apply(self, action: str) -> None:
        if action not in self.legal():
            raise ValueError(f"not legal here: {action!r}")
        if self.stage == "draw":
            self.drawn = self.stock.draw() if action == "draw stock" else self.faceup.pop()
            self._take(self.seat, self.drawn)
            self.stage = "play"
            return
        # Hands are sorted, so of two equal cards the one with the lower number goes.
        option = next(option for option in self._options() if option.name == action)
        self.hands[self.seat].remove(option.card)
        if option.to_board:
            self.plays += 1
            self._play(option.card, option.target)
        else:
            self.discards += 1
            self.faceup.append(option.card)
        self._finish_turn()
        self._start_turns()

    def snapshot(self) -> dict[str, Any]:
        return {
            "hands": [list(hand) for hand in self.hands],
            "stock": self.stock.cards(),
            "faceup": list(self.faceup),
            "roads": [[list(square) for square in road] for road in self.roads],
            "missed": list(self.missed),
            "lights": list(self.lights),
            "seat": self.seat,
            "drawn": self.drawn,
            "stage": self.stage,
            "turn": self.turn,
            "winner": self.winner,
            "out_of_play": [],
        }

    def result(self) -> dict[str, Any]:
        if self.stage != "over":
            raise ValueError("the game is not over")
        return {
            "scores": [len(road) for road in self.roads],
            "shares": [WIN if seat == self.winner else 0 for seat in range(self.players)],
            "moves": self.plays,
            "turns": self.turn,
            "rounds": 1,
            "counts": {"plays": self.plays, "discards": self.discards, "laid": self.plays + self.discards},
        }

    # The course of turns

    def _start_turns(self) -> None:
        """Run everything automatic from the start of a turn up to the next decision or the end."""
        while True:
            if self.winner >= 0 or self.turn >= self.max_turns:
                self.stage = "over"
                return
            if self.turn > 0:
                self.seat = (self.seat + 1) % self.players
            if self.missed[self.seat] > 0:
                # Missed whole: not even the face-up pile or the stock is put in order.
                self.missed[self.seat] -= 1
                self._finish_turn()
                continue
            self._prepare_draw()
            if self._sources():
                self.stage = "draw"
                return
            if self.hands[self.seat]:
                self.stage = "play"
                return
            self._finish_turn()

    def _finish_turn(self) -> None:
        self.turn += 1
        self.drawn = -1

    def _prepare_draw(self) -> None:
        if not self.faceup and self.stock:
            self.faceup.append(self.stock.draw())
        if not self.stock and len(self.faceup) > 1:
            self.reshuffles += 1
            self.deal.start_round(self.reshuffles)
            cards = self.faceup[:-1]
            self.stock = Pile(self.deal, cards, {card: card for card in cards}, MOST_CARDS)
            self.faceup = self.faceup[-1:]

    def _sources(self) -> list[str]:
        sources = []
        if self.stock:
            sources.append("draw stock")
        if self.faceup:
            sources.append("draw face-up")
        return sources

    def _take(self, seat: int, card: int) -> None:
        self.hands[seat].append(card)
        self.hands[seat].sort()

    # Where a road stands

    def _top(self, seat: int) -> Card | None:
        """The visible card of the last filled square; None before the first car."""
        road = self.roads[seat]
        return self.cards[road[-1][-1]] if road else None

    def _started(self, seat: int) -> bool:
        return bool(self.roads[seat])

    def _broken_down(self, seat: int) -> bool:
        top = self._top(seat)
        return top is not None and top.kind == "breakdown"

    def _barred(self, seat: int) -> bool:
        """Whether a red light keeps this seat from its next square.

        A light at row r lets those at r or before fill up to r: it forbids only the step from r to r + 1.
        """
        filled = len(self.roads[seat])
        return filled > 0 and self.lights[filled - 1] >= 0

    def _next_is_last(self, seat: int) -> bool:
        return len(self.roads[seat]) + 1 == self.road_length

    def _matches(self, card: Card, seat: int) -> bool:
        """The `match` knob: whether a car may follow what lies on the road."""
        if self.match == "none":
            return True
        for square in reversed(self.roads[seat]):
            before = self.cards[square[-1]]
            if before.kind == "ducks":
                continue
            if before.kind == "car":
                return card.colour == before.colour or card.number == before.number
            return True
        return True

    # The play decision

    def _options(self) -> list[Option]:
        """Every physical action of the play decision, cards ascending."""
        hand = self.hands[self.seat]
        plays = [option for card in hand for option in self._board_options(card)]
        if self.forced_play and plays:
            return plays
        return plays + [Option(f"discard {self.cards[card].name}", card, False) for card in hand]

    def _board_options(self, number: int) -> list[Option]:
        card = self.cards[number]
        play = f"play {card.name}"
        me = self.seat
        if card.kind == "car":
            allowed = not self._broken_down(me) and not self._barred(me) and self._matches(card, me)
            return [Option(play, number, True)] if allowed else []
        if not self._started(me):
            return []
        if card.kind == "tow":
            return [Option(play, number, True)] if self._broken_down(me) else []
        if card.kind == "ambulance":
            allowed = self._barred(me) and not self._broken_down(me)
            return [Option(play, number, True)] if allowed else []
        if card.kind in ("red light", "green light"):
            active = card.kind == "green light"
            rows = [row for row, light in enumerate(self.lights, start=1) if (light >= 0) == active]
            return [Option(f"{play} at row {row}", number, True, row) for row in rows]
        victims = [seat for seat in range(self.players) if seat != me and self._can_attack(card, seat)]
        return [Option(f"{play} on seat {seat}", number, True, seat) for seat in victims]

    def _can_attack(self, card: Card, victim: int) -> bool:
        top = self._top(victim)
        if top is None or self._broken_down(victim) or self._barred(victim):
            return False
        if card.kind == "ducks":
            return not self._next_is_last(victim)
        if self._next_is_last(victim) and not self.attack_last_square:
            return False
        return top.kind == "car" and top.colour == card.colour

    def _play(self, number: int, target: int) -> None:
        kind = self.cards[number].kind
        own = self.roads[self.seat]
        if kind in ("car", "ambulance"):
            own.append([number])
        elif kind == "tow":
            own[-1].append(number)
        elif kind == "breakdown":
            self.roads[target].append([number])
        elif kind == "ducks":
            self.roads[target].append([number])
            self.missed[target] += 1
        elif kind == "red light":
            self.lights[target - 1] = number
        else:
            red = self.lights[target - 1]
            self.lights[target - 1] = -1
            self.faceup = [red, number, *self.faceup]
        # A tow reaches the last square only where attack_last_square let a breakdown in; then it wins too.
        if kind in ("car", "ambulance", "tow") and len(own) == self.road_length:
            self.winner = self.seat
