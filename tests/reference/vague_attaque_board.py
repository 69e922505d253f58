"""The board of the VAGUE & ATTAQUE reference: cards, set-up, and what is seen or moved without a decision.

Cards have one number each: souvenirs 0-40, place cards 41-60 (two copies of ten places), the ship 61,
encounters 62-93, artefacts 94-98.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tests.reference.pile import Luck

SOUVENIRS = range(0, 41)
PLACES = range(41, 61)
SHIP = 61
ENCOUNTERS = range(62, 94)
FIRST_ARTEFACT = 94
SHIP_PLACE = 10
FULL = 3

# Chance events of a turn: first the throws of a duel, then these.
TURN = 256
PICK = 8  # + seat: a card of each hand
SHIP_DIE, SHIP_DISCARDS, SHIP_SINKS = 16, 17, 18
THEFT = 32  # + thefts before it in this turn


def place_of(place_card: int) -> int:
    """The place (0-10) that a place card shows."""
    return SHIP_PLACE if place_card == SHIP else (place_card - PLACES.start) // 2


def pile_of(card: int) -> str:
    """The deck a card belongs to, and whose discard it goes to."""
    if card in SOUVENIRS:
        return "souvenirs"
    return "places" if card in PLACES else "encounters"


def name(card: int) -> str:
    """The canonical name of a card."""
    if card in SOUVENIRS:
        return f"souvenir {card}"
    if card == SHIP:
        return "ship"
    if card in PLACES:
        place, copy = divmod(card - PLACES.start, 2)
        return f"place {place}{'ab'[copy]}"
    return f"encounter {card - ENCOUNTERS.start}"


def shuffle(cards: list[int], luck: Callable[[int], int]) -> None:
    """Shuffle a list in place."""
    for i in range(len(cards) - 1, 0, -1):
        j = luck(i + 1)
        cards[i], cards[j] = cards[j], cards[i]


class Chance(Protocol):
    """Dice, random picks and reshuffles: each at a moment of its own."""

    def __call__(self, n: int, moment: int) -> int:
        """A number below n."""

    def line(self, number: int) -> Callable[[int], int]:
        """A separate sequence of random numbers, for a reshuffle."""


class Board:
    """Hands, zones, decks and discards of one game."""

    def __init__(self, players: int, knobs: dict[str, Any], deal: Luck, chance: Chance) -> None:
        if players not in range(1, 6):
            raise ValueError(f"VAGUE & ATTAQUE is for 1 to 5 players, not {players}")
        self.teams = knobs["teams"] == "2v2"
        if self.teams and players != 4:
            raise ValueError("teams of 2 v 2 need four players")
        self.players = players
        self.solo = players == 1
        self.knobs = knobs
        self.chance = chance
        self.souvenirs: list[dict[str, Any]] = knobs["deck"]["souvenirs"]
        self.encounters: list[dict[str, Any]] = knobs["deck"]["encounters"]

        self.turn = 0
        self.seat = 0
        self.hands: list[list[int]] = [[] for _ in range(players)]
        # Every place in play: whose zone it is in (-1: nobody's), and what lies on it.
        self.owner: dict[int, int] = {SHIP: 0 if players >= 3 else -1}
        self.on: dict[int, list[int]] = {SHIP: []}
        self.decks: dict[str, list[int]] = {}
        self.discards: dict[str, list[int]] = {"souvenirs": [], "places": [], "encounters": []}
        self.shuffles = {"souvenirs": 0, "places": 0, "encounters": 0}
        self.artefact: list[int] = []
        self._set_up(deal)

    def _set_up(self, deal: Luck) -> None:
        single = self.players <= 2
        self.decks["souvenirs"] = list(SOUVENIRS)
        self.decks["places"] = list(PLACES[::2] if single else PLACES)
        self.decks["encounters"] = [
            card for card in ENCOUNTERS if not self.solo or self.encounters[card - ENCOUNTERS.start]["solo"]
        ]
        for part, deck in enumerate(self.decks.values()):
            deal.start_round(part)
            shuffle(deck, deal)
        powers: list[str] = self.knobs["deck"]["artefacts"]
        if self.solo:
            self.artefact = [FIRST_ARTEFACT + powers.index("hook")]
        else:
            artefacts = [FIRST_ARTEFACT + i for i in range(len(powers))]
            deal.start_round(len(self.decks))
            shuffle(artefacts, deal)
            # A deck file may hold fewer artefacts than there are players.
            self.artefact = (artefacts + [-1] * self.players)[: self.players]
        for kind in ("places", "souvenirs", "souvenirs"):
            for seat in range(self.players):
                self._draw_to_hand(seat, kind)

    # ---- looking at the board

    def _allies(self, seat: int) -> list[int]:
        """The seat itself, then its partner if it has one."""
        return [seat, (seat + 2) % 4] if self.teams else [seat]

    def _opponents(self, seat: int) -> list[int]:
        return [other for other in range(self.players) if other not in self._allies(seat)]

    def _leftwards(self) -> list[int]:
        """All seats, from the active one leftwards."""
        return [(self.seat + i) % self.players for i in range(self.players)]

    def _zone(self, seat: int) -> list[int]:
        return sorted(place for place, owner in self.owner.items() if owner == seat)

    def _validated(self, seat: int) -> int:
        return sum(len(self.on[place]) == FULL for place in self._zone(seat))

    def _power(self, seat: int) -> str:
        """What the seat's artefact does."""
        card = self.artefact[seat]
        return "none" if card == -1 else str(self.knobs["deck"]["artefacts"][card - FIRST_ARTEFACT])

    def _in_hand(self, seat: int, kind: str) -> list[int]:
        return sorted(card for card in self.hands[seat] if pile_of(card) == kind)

    def _gold(self, seat: int, effect: str) -> list[int]:
        """The gold cards with this effect that the seat holds, rising."""
        held = self._in_hand(seat, "encounters")
        return [card for card in held if self.encounters[card - ENCOUNTERS.start]["effect"] == effect]

    def _can_draw(self, kind: str) -> bool:
        return bool(self.decks[kind] or self.discards[kind])

    def _placements(self, seat: int) -> list[tuple[int, int]]:
        """Every (souvenir, place card) the seat could lay from its hand."""
        placements = []
        for souvenir in self._in_hand(seat, "souvenirs"):
            for place, owner in sorted(self.owner.items()):
                in_the_middle = place == SHIP and self.players == 2
                if owner not in self._allies(seat) and not in_the_middle:
                    continue
                lying = self.on[place]
                if len(lying) == FULL or place_of(place) not in self.souvenirs[souvenir]["places"]:
                    continue
                dedicated = any(self.souvenirs[card]["dedicated"] for card in [*lying, souvenir])
                if len(lying) + 1 < FULL or dedicated:
                    placements.append((souvenir, place))
        return placements

    def _duel_targets(self) -> list[int]:
        targets = []
        for opponent in self._opponents(self.seat):
            for place in self._zone(opponent):
                lying = self.on[place]
                if 0 < len(lying) < FULL:
                    targets += sorted(lying)
                elif not lying and (place != SHIP or self.knobs["ship_stealable"]):
                    targets.append(place)
        return targets

    # ---- moving cards

    def _draw(self, kind: str) -> int | None:
        """The top card of a deck (empty: its discard is shuffled first); None if there is no card at all."""
        deck, discard = self.decks[kind], self.discards[kind]
        if not deck:
            deck.extend(sorted(discard))
            discard.clear()
            self.shuffles[kind] += 1
            shuffle(deck, self.chance.line(4 * self.shuffles[kind] + list(self.decks).index(kind)))
        return deck.pop() if deck else None

    def _draw_to_hand(self, seat: int, kind: str) -> None:
        card = self._draw(kind)
        if card is not None:
            self.hands[seat].append(card)

    def _to_discard(self, card: int) -> None:
        self.discards[pile_of(card)].append(card)

    def _discard_from_hand(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self._to_discard(card)

    def _chance(self, n: int, what: int) -> int:
        """A chance event of this turn; `what` distinguishes the events."""
        return self.chance(n, self.turn * TURN + what)

    def _at_random(self, cards: list[int], what: int) -> int:
        return sorted(cards)[self._chance(len(cards), what)]

    def _move_ship(self) -> None:
        """The ship sails to the right neighbour, unless it lies in the middle or two souvenirs hold it."""
        if self.players >= 3 and len(self.on[SHIP]) < 2:
            self.owner[SHIP] = (self.owner[SHIP] - 1) % self.players
