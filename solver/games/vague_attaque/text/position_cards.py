"""VAGUE & ATTAQUE: reads the cards of a position from its lines: each is in one place, or in a pile."""

from __future__ import annotations

import re

from houle.solver.cards.bits import members
from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.opening import names_of_cards
from houle.solver.games.vague_attaque.seen import MOST, back_width, hand_width
from houle.solver.games.vague_attaque.state import (
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    MAX_CLUES,
    NONE,
    PILES,
    SHIP,
    SHIP_CARD,
    SPOTS,
)
from houle.solver.games.vague_attaque.text.names import COPIES, called, card_name
from houle.solver.matches.opening import set_of
from houle.solver.matches.record.known_lines import NamedCards
from houle.solver.matches.record.line_parser import UNKNOWN, Lines
from houle.solver.rules import Setup


def pile_of(card: int) -> int:
    return 0 if card < FIRST_PLACE else 1 if card < FIRST_ENCOUNTER else 2


class CardsRead(NamedCards):
    """What the lines say so far, and the state that is filled from them."""

    def __init__(self, lines: Lines, setup: Setup, state: State, seat: int) -> None:
        super().__init__(lines, names_of_cards(setup, 0, FIRST_ARTEFACT), card_name)
        self.setup, self.state, self.seat = setup, state, seat
        self.hidden: dict[tuple[int, int], tuple[int, int]] = {}  # seat and number in the hand -> pile and shuffle
        self.dealt: dict[tuple[int, int], int] = {}  # the card that is there
        rules = setup.rules[0]
        self.deck = [[int(card) for card in rules.pile[pile, : int(rules.cards[pile])]] for pile in range(3)]

    def take(self, place: str, word: str, pile: int | None = None) -> int:
        card = self.lines.card(place, word, self.names)
        name = card_name(card)
        if card not in self.deck[pile_of(card)]:
            raise self.lines.fault(place, f"{name} is not in play in this setup")
        if pile is not None and pile_of(card) != pile:
            raise self.lines.fault(place, f"{name} is not allowed; allowed: {PILES[pile]}")
        return self.put(card, place)

    def read_artefacts(self) -> None:
        rules, state = self.setup.rules[0], self.state
        names = names_of_cards(self.setup, FIRST_ARTEFACT, FIRST_ARTEFACT + len(rules.power))
        names |= {f"artefact {number}": FIRST_ARTEFACT + number for number in range(len(rules.power))}
        taken: dict[int, str] = {}
        for holder in range(self.setup.players):
            place = f"seat {holder + 1} artefact"
            words = self.lines.words(place)
            if not words and not rules.solo:
                raise self.lines.fault(place, "this line is missing; every player has an artefact that all can see")
            card = self.lines.card(place, " ".join(words), names) if words else FIRST_ARTEFACT + int(rules.hook)
            if card in taken:
                raise self.lines.fault(place, f"this artefact is named twice, here and at {taken[card]}")
            taken[card] = place
            state.artefact[holder] = card
            state.power[holder] = rules.power[card - FIRST_ARTEFACT]

    def read_zones(self) -> None:
        state, rules = self.state, self.setup.rules[0]
        state.owner[:] = NONE
        for spot in range(SPOTS):
            name = card_name(FIRST_PLACE + spot)
            lines = [(holder, place) for holder in range(self.setup.players) for place in self._written(holder, spot)]
            if len(lines) > 1:
                raise self.lines.fault(lines[1][1], f"it is also in the zone of seat {lines[0][0] + 1}")
            owners, place = [holder for holder, _ in lines], lines[0][1] if lines else name
            if not owners and spot != SHIP:
                continue
            if owners and spot == SHIP and (rules.solo or (rules.middle and len(self.lines.words(place) or ()) != 3)):
                raise self.lines.fault(place, "the ship is in nobody's zone in this setup; write `ship`")
            if spot != SHIP:
                self.take(place, name)
            state.owner[spot] = owners[0] if owners else NONE
            words = self.lines.words(place) or []
            if len(words) > 3 and not rules.solo:
                raise self.lines.fault(place, f"{len(words)} souvenirs; allowed: at most three")
            for word in words:
                card = self.take(place, word, 0)
                if not int(rules.bears[card]) >> spot & 1 and not rules.solo:
                    raise self.lines.fault(place, f"{card_name(card)} does not match {name}")
                state.on[spot] |= 1 << card
                state.spot[card] = spot
        if not rules.solo and not rules.middle and int(state.owner[SHIP]) == NONE:
            raise self.lines.fault("ship", "the ship is in somebody's zone; write `seat 1 ship: none` or what is on it")

    def _written(self, holder: int, spot: int) -> list[str]:
        """The line of a place in a zone, if there is one: `seat 1 place 1a`, `seat 1 lighthouse (a)` or, for the first
        copy, `seat 1 lighthouse`."""
        title = called(self.setup, FIRST_PLACE + spot).lower()
        names = dict.fromkeys([card_name(FIRST_PLACE + spot), title, title.removesuffix(f" ({COPIES[0]})")])
        return [place for name in names if self.lines.says(place := f"seat {holder + 1} {name}")]

    def read_open_cards(self) -> None:
        """Reads the discards, and cards that are being resolved, named or turned up."""
        state, lines = self.state, self.lines
        for pile, name in enumerate(PILES):
            place = f"{name} discarded"
            cards = [self.take(place, word, pile) for word in lines.words(place) or ()]
            state.discard[pile, : len(cards)] = cards
            state.thrown[pile] = len(cards)
        words = lines.words("encounter")
        state.pending = self.take("encounter", " ".join(words), 2) if words else NONE
        words = lines.words("target")
        names = self.names | {"ship": SHIP_CARD}
        state.target = lines.card("target", " ".join(words), names) if words else NONE
        drawn = [self.take("turned up", word, 0) for word in lines.words("turned up") or ()]
        if len(drawn) > 2:
            raise lines.fault("turned up", f"{len(drawn)} cards; allowed: at most two")
        state.drawn[:] = [*drawn, NONE, NONE][:2]

    def read_hand(self, holder: int) -> None:
        """Reads cards by name, and backs of cards that the seat has not seen."""
        state, lines, place = self.state, self.lines, f"seat {holder + 1} hand"
        number = 0
        for word in lines.words(place) or ():
            match = re.fullmatch(r"(souvenir|place) \? *(?:@ *(\d{1,5}))?", word.lower())
            if not match:
                card = self.take(place, word)
                if card >= FIRST_ENCOUNTER:
                    state.gold[holder] |= 1 << card - FIRST_ENCOUNTER
                else:
                    state.hand[holder] |= 1 << card
                continue
            if holder == self.seat:
                raise lines.fault(place, "this is the player's own hand; write the names of the cards instead of ?")
            number += 1
            pile = 0 if match[1] == "souvenir" else 1
            batch = int(state.shuffles[pile]) if match[2] is None else int(match[2])
            if batch > int(state.shuffles[pile]):
                raise lines.fault(place, f"{word}: there were only {int(state.shuffles[pile])} shuffles")
            self.hidden[holder, number] = pile, batch
        if number > (most := hand_width(self.setup.rules[0]) // back_width(self.setup.rules[0])):
            raise lines.fault(place, f"{number} hidden cards; allowed: at most {most}")

    def named_cards(self, place: str, names: dict[str, int]) -> int:
        """The set of cards in a line, which must name them."""
        cards = self.lines.cards(place, names) or ()
        if UNKNOWN in cards:
            raise self.lines.fault(place, "'?' is not allowed; write the names of these cards")
        return set_of(cards)

    def read_known(self) -> None:
        state, lines = self.state, self.lines
        souvenirs_and_places = {name: card for name, card in self.names.items() if card < FIRST_ENCOUNTER}
        state.public = self.named_cards("known to all", souvenirs_and_places)
        for other in range(self.setup.players):
            state.known[other] = self.named_cards(f"known to seat {other + 1}", souvenirs_and_places)
        for holder in range(self.setup.players):
            seen = int(state.public) | int(state.known[self.seat])
            for card in members(int(state.hand[holder]) & ~seen) if holder != self.seat else ():
                name = card_name(card)
                problem = f"seat {self.seat + 1} has not seen {name}; name it in `known to all` or `known to seat"
                raise lines.fault(f"seat {holder + 1} hand", f"{problem} {self.seat + 1}`, or write ? instead")

    def fill(self) -> None:
        """Deals hidden cards any card of their shuffle; what is left is in the piles."""
        state, lines = self.state, self.lines
        older: dict[tuple[int, int], list[int]] = {}
        for pile in (0, 1):
            for batch in sorted({batch for its, batch in self.hidden.values() if its == pile}):
                if batch != int(state.shuffles[pile]):
                    place = f"{PILES[pile]} of shuffle {batch}"
                    older[pile, batch] = [self.take(place, word, pile) for word in lines.words(place) or ()]
        left = [[card for card in cards if card not in self.where] for cards in self.deck]
        for pile in (0, 1):
            for card in self.deck[pile]:
                state.batch[card] = state.shuffles[pile]
        for (holder, number), (pile, batch) in self.hidden.items():
            pool = older.get((pile, batch), left[pile])
            if not pool:
                raise lines.fault(f"seat {holder + 1} hand", f"no card of shuffle {batch} is left for a hidden card")
            card = pool.pop(0)
            self.dealt[holder, number] = card
            state.hand[holder] |= 1 << card
            state.batch[card] = batch
        for (pile, batch), rest in older.items():
            if rest:
                problem = f"{card_name(rest[0])} is in no hand: there are fewer hidden cards of that shuffle"
                raise lines.fault(f"{PILES[pile]} of shuffle {batch}", problem)
        for pile, name in enumerate(PILES):
            lines.rest(f"{name} left", MOST, len(left[pile]))
            state.pile[pile, : len(left[pile])] = left[pile]
            state.left[pile] = len(left[pile])

    def read_clues(self) -> None:
        """Reads what everyone knows of hidden cards: who else has seen them, what they are not, and the clues."""
        state, lines = self.state, self.lines
        souvenirs = {name: card for name, card in self.names.items() if card < FIRST_PLACE}
        for (holder, number), card in self.dealt.items():
            place = f"seat {holder + 1} card {number}"
            for word in lines.words(f"{place} known to") or ():
                other = lines.whole(f"{place} known to", word.lower().removeprefix("seat "), 1, self.setup.players) - 1
                if other == self.seat:
                    raise lines.fault(f"{place} known to", "this seat has then seen the card; name it in the hand")
                state.known[other] |= 1 << card
            if card < FIRST_PLACE:
                state.barred[card] = self.named_cards(f"{place} is not", souvenirs)
                same = [c for key, c in self.dealt.items() if self.hidden[key] == self.hidden[holder, number]]
                if self.hidden[holder, number][1] == int(state.shuffles[0]):
                    same += [int(c) for c in state.pile[0, : int(state.left[0])]]
                if not set_of(same) & ~int(state.barred[card]):
                    raise lines.fault(f"{place} is not", "no souvenir is left that this card may be")
        titles = {f"seat {holder + 1} card {number}": card for (holder, number), card in self.dealt.items()}
        for clue in range(MAX_CLUES):
            places = f"clue {clue + 1} cards", f"clue {clue + 1} fits"
            state.clue_cards[clue] = self.named_cards(places[0], souvenirs | titles)
            state.clue_fits[clue] = self.named_cards(places[1], souvenirs)
            if not any(map(lines.says, places)):
                break
            state.clues = clue + 1


def survey(state: State, setup: Setup) -> None:
    """Sets what follows from the zones: spots to load, cards that a duel may name, validated places."""
    rules = setup.rules[0]
    for spot in range(SPOTS):
        owner, lying = int(state.owner[spot]), int(state.on[spot])
        number = bin(lying).count("1")
        if owner == NONE:
            if spot == SHIP and rules.middle:
                state.open[0] |= 1 << spot
                state.open[1] |= 1 << spot
                state.needy |= 1 << spot if number == 2 and not lying & int(rules.dedicated) else 0
            continue
        if number == 3:
            state.validated[owner] += 1
            continue
        for seat in (owner, int(rules.partner[owner])):
            state.open[seat] |= 1 << spot
        state.needy |= 1 << spot if number == 2 and not lying & int(rules.dedicated) else 0
        bare = 0 if spot == SHIP and not rules.ship_stealable else 1 << spot + FIRST_PLACE
        state.exposed[int(rules.side[owner])] |= lying or bare
