"""VAGUE & ATTAQUE: how positions are written and read as text. docs/reference/positions.md explains the lines."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import NamedTuple

from houle.solver.cards.bits import members
from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque import state as game
from houle.solver.games.vague_attaque.knows import CLUES, IS_NOT, MOST, STEPS, back_width, hand_width
from houle.solver.games.vague_attaque.words import (
    COPIES,
    called,
    card_name,
    names_of_cards,
    spoken,
    unseen_cards,
    zones,
)
from houle.solver.matches.known import Known
from houle.solver.matches.opening import set_of
from houle.solver.matches.record.line_parser import UNKNOWN, Lines, Places
from houle.solver.matches.record.named_cards import NamedCards, PositionCards
from houle.solver.rules import Setup
from houle.solver.texts import typed_number

MOST_SHUFFLES = 2**16 - 1
KINDS = ("souvenir", "place")  # of cards in hands, by their pile


def pile_of(card: int) -> int:
    return 0 if card < game.FIRST_PLACE else 1 if card < game.FIRST_ENCOUNTER else 2


class Back(NamedTuple):
    """What is known of a hidden card. Positions number the hidden cards of a hand in this order."""

    pile: int
    shuffle: int  # since which it had been in its pile
    known_to: list[int]  # seats
    barred: int  # what it is not, as a set
    clues: list[int]


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move for people. What others keep or give out of sight is not shown once it is `done`."""
    verb = game.VERBS[action >> game.VERB]
    if done and verb in ("keep", "give") and action & 127 in unseen_cards(Known.of(state, setup, seat)):
        return f"{verb} a card"
    return spoken(state, setup, action)


def _backs(known: Known, holder: int) -> list[Back]:
    """The hidden cards of a hand."""
    if holder == known.seat:
        return []
    numbers, each, backs = known["hidden cards", holder], back_width(known.setup.rules[0]), []
    for first in range(0, len(numbers), each):
        back = numbers[first : first + each]
        if back[0]:
            shuffle = known[f"{game.PILES[back[0] - 1]} shuffles"] - back[1]
            known_to = sorted((known.seat + other) % known.setup.players for other in members(back[2]))
            barred = sum(marked << card for card, marked in enumerate(back[IS_NOT:]))
            backs.append(
                Back(
                    pile=back[0] - 1,
                    shuffle=shuffle,
                    known_to=known_to,
                    barred=barred,
                    clues=members(sum(back[CLUES:IS_NOT])),
                )
            )
    return sorted(backs)


def name_of_card(setup: Setup, card: int) -> str:
    return card_name(card) if card >= 0 else "?"  # turned up, but seen only by others


def _active(known: Known, who: int) -> Places:
    return {"active": [str(known["active"] + 1)]} if known["active"] != known.seat else {}


def _zones(known: Known, who: int) -> Places:
    return {
        f"{f'seat {owner + 1} ' if owner >= 0 else ''}{card_name(place)}": [card_name(card) for card in lying]
        for owner, place, lying in zones(known)
        if owner >= 0 or lying
    }


def _hand(known: Known, holder: int) -> Places:
    """Cards that the seat has seen, then the backs of the others and what is known of them."""
    who, clues = f"seat {holder + 1}", Places()
    words = [card_name(card) for card in known["hand", holder]]
    words += [card_name(game.FIRST_ENCOUNTER + gold) for gold in known["gold", holder]]
    for number, back in enumerate(_backs(known, holder), 1):
        older = back.shuffle != known[f"{game.PILES[back.pile]} shuffles"]
        words.append(f"{game.PILES[back.pile][:-1]} ?" + (f" @{back.shuffle}" if older else ""))
        if back.known_to:
            clues[f"{who} card {number} known to"] = [f"seat {other + 1}" for other in back.known_to]
        if back.barred:
            clues[f"{who} card {number} is not"] = [card_name(card) for card in members(back.barred)]
    return {f"{who} hand": words} | clues


def _known(known: Known, seat: int) -> Places:
    cards = [card_name(card) for card in known["known", seat]]
    return {f"known to seat {seat + 1}": cards} if cards else {}


def _pile(pile: int, known: Known, who: int) -> Places:
    """A pile, its discard with the top last, and the unseen cards of earlier shuffles."""
    name = game.PILES[pile]
    shuffles, older = known[f"{name} shuffles"], dict[int, list[str]]()
    for card in unseen_cards(known):
        shuffle = shuffles + 1 - known["unseen cards"][card]
        if pile_of(card) == pile and shuffle != shuffles:
            older.setdefault(shuffle, []).append(card_name(card))
    lines = {f"{name} left": [str(known[f"{name} left"])]}
    lines[f"{name} discarded"] = [card_name(card) for card in reversed(known[f"{name} discarded"])]
    lines |= {f"{name} shuffles": [str(shuffles)]} if shuffles else {}
    return lines | {f"{name} of shuffle {shuffle}": older[shuffle] for shuffle in sorted(older)}


def _clues(known: Known, who: int) -> Places:
    """Teams: at least one of some cards is among others; hidden cards are named by their number in the hand."""
    lines, numbers = Places(), known["clues"]
    sets = [
        [card_name(card) for card in range(game.FIRST_PLACE) if numbers[first + card]]
        for first in range(0, len(numbers), game.FIRST_PLACE)
    ]
    for clue, (cards, fits) in enumerate(zip(sets[::2], sets[1::2], strict=True)):
        if fits:
            hidden = [
                f"seat {holder + 1} card {number}"
                for holder in range(known.setup.players)
                for number, back in enumerate(_backs(known, holder), 1)
                if clue in back.clues
            ]
            lines |= {f"clue {clue + 1} cards": sorted(cards + hidden), f"clue {clue + 1} fits": fits}
    return lines


LINES = {
    "active": _active,
    "owner of each place": _zones,
    "hand": _hand,
    "known": _known,
    **{f"{name} left": partial(_pile, pile) for pile, name in enumerate(game.PILES)},
    "clues": _clues,
}


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; cards that the seat cannot see are dealt arbitrarily."""
    rules = setup.rules[0]
    state.winner = -1
    state.seat = lines.seat("active", setup.players, seat)
    phases = [phase for phase in game.PHASES if phase != game.PHASES[game.OVER]]
    state.phase = phases.index(lines.word("phase", phases, "explore"))
    state.then = STEPS.index(lines.word("then", STEPS, STEPS[0]))
    if state.ship_waits and not rules.ship_waits:
        raise lines.fault("ship waits", "being robbed does not keep the ship in this setup; leave out this line")
    for pile, name in enumerate(game.PILES):
        state.shuffles[pile] = lines.number(f"{name} shuffles", 0, MOST_SHUFFLES, 0)
    deck = [int(card) for pile, number in enumerate(rules.cards) for card in rules.pile[pile, :number]]
    cards = _Cards(lines, setup, state, seat, deck=deck, names=names_of_cards(setup, 0, game.FIRST_ARTEFACT))
    cards.read_artefacts()
    cards.read_zones()
    cards.read_open_cards()
    cards.read_hands()
    cards.lay_piles()
    cards.read_known()
    survey(state, setup)


class _Cards(PositionCards):
    """The cards of a position as they are read: each is in one place, or in a pile."""

    def kind_of(self, card: int) -> str:
        return game.PILES[pile_of(card)]

    def read_artefacts(self) -> None:
        state, power = self.state, self.rules.power
        artefacts = range(game.FIRST_ARTEFACT, game.FIRST_ARTEFACT + len(power))
        names = names_of_cards(self.setup, artefacts.start, artefacts.stop)
        names |= {f"artefact {number}": card for number, card in enumerate(artefacts)}
        cards = NamedCards(self.lines, artefacts, lambda card: f"artefact {card - artefacts.start}", names)
        missing = "" if self.rules.solo else "the artefact, which everyone sees"
        for holder in range(self.setup.players):
            card = cards.single(f"seat {holder + 1} artefact", missing)
            state.artefact[holder] = card if card != UNKNOWN else artefacts[int(self.rules.hook)]
            state.power[holder] = power[int(state.artefact[holder]) - artefacts.start]

    def read_zones(self) -> None:
        state, rules = self.state, self.rules
        state.owner[:] = game.NONE
        for spot in range(game.SPOTS):
            name = card_name(game.FIRST_PLACE + spot)
            lines = [(holder, place) for holder in range(self.setup.players) for place in self._written(holder, spot)]
            if len(lines) > 1:
                raise self.fault(lines[1][1], f"it is also in the zone of seat {lines[0][0] + 1}")
            owners, place = [holder for holder, _ in lines], lines[0][1] if lines else name
            if not owners and spot != game.SHIP:
                continue
            if (
                owners
                and spot == game.SHIP
                and (rules.solo or (rules.middle and len(self.lines.words(place) or ()) != 3))
            ):
                raise self.fault(place, "the ship is in nobody's zone in this setup; write `ship`")
            if spot != game.SHIP:
                self.take(place, name)
            state.owner[spot] = owners[0] if owners else game.NONE
            for card in self.named(place, len(self.deck) if rules.solo else 3, "souvenirs"):
                if not int(rules.bears[card]) >> spot & 1 and not rules.solo:
                    raise self.fault(place, f"{card_name(card)} does not match {name}")
                state.on[spot] |= 1 << card
                state.spot[card] = spot
        if not rules.solo and not rules.middle and int(state.owner[game.SHIP]) == game.NONE:
            raise self.fault("ship", "the ship is in somebody's zone; write `seat 1 ship: none` or what is on it")

    def _written(self, holder: int, spot: int) -> list[str]:
        """The line of a place in a zone, if there is one: `seat 1 place 1a`, `seat 1 lighthouse (a)` or, for the first
        copy, `seat 1 lighthouse`."""
        name, title = card_name(game.FIRST_PLACE + spot), called(self.setup, game.FIRST_PLACE + spot).lower()
        titles = dict.fromkeys([title, title.removesuffix(f" ({COPIES[0]})")])
        place = f"seat {holder + 1} {name}"
        written = [place] if self.lines.says_cards(place, self.names) else []
        others = [f"seat {holder + 1} {other}" for other in titles if other != name]
        return written + [other for other in others if self.lines.says(other)]

    def read_open_cards(self) -> None:
        """Reads the discards, and cards that are being resolved, named or turned up."""
        state = self.state
        for pile, name in enumerate(game.PILES):
            cards = self.named(f"{name} discarded", kind=name)
            state.discard[pile, : len(cards)] = cards
            state.thrown[pile] = len(cards)
        encounter = self.named("encounter", 1, "encounters")
        state.pending = encounter[0] if encounter else game.NONE
        target = self.seen("target", self.names | {"ship": game.SHIP_CARD}, 1)
        state.target = target[0] if target else game.NONE
        state.drawn[:] = [*self.named("turned up", 2, "souvenirs"), game.NONE, game.NONE][:2]

    def read_hands(self) -> None:
        """Reads cards by name, and backs of cards that the seat has not seen, with their shuffles."""
        state, lines = self.state, self.lines
        self.dealt: dict[tuple[int, int], int] = {}  # seat and number of a hidden card -> the card that is dealt there
        fits = {}  # pile and shuffle -> the cards, as a set
        for pile, name in enumerate(game.PILES[:2]):
            shuffles, start = int(state.shuffles[pile]), f"{name} of shuffle "
            here = [card for card in self.deck if pile_of(card) == pile]
            state.batch[here] = shuffles
            for place in lines.beginning(start):
                if (number := typed_number(place.removeprefix(start))) is not None and number < shuffles:
                    fits[pile, number] = set_of(self.seen(place))
                    lines.hands[place] = Counter(map(self.shown, self.seen(place)))
            fits[pile, shuffles] = set_of(here) & ~set_of(card for cards in fits.values() for card in members(cards))
        most = hand_width(self.rules) // back_width(self.rules)
        for holder in range(self.setup.players):
            place, number = f"seat {holder + 1} hand", 0
            for held in self.hand(place, kinds=KINDS):
                if held.card >= game.FIRST_ENCOUNTER:
                    state.gold[holder] |= 1 << held.card - game.FIRST_ENCOUNTER
                elif held.card != UNKNOWN:
                    state.hand[holder] |= 1 << held.card
                else:
                    number += 1
                    pile = KINDS.index(held.kind)
                    shuffles = int(state.shuffles[pile])
                    batch = lines.whole(place, held.at, 0, shuffles) if held.at else shuffles
                    self.hide(place, partial(self._deal, holder, number, batch), fits.get((pile, batch), 0))
            if number > most:
                raise self.fault(place, f"{number} hidden cards; allowed: at most {most}")

    def _deal(self, holder: int, number: int, batch: int, card: int) -> None:
        self.dealt[holder, number] = card
        self.state.hand[holder] |= 1 << card
        self.state.batch[card] = batch

    def lay_piles(self) -> None:
        """Lays what is left as the piles."""
        left = self.fill()
        for pile, name in enumerate(game.PILES):
            here = [card for card in left if pile_of(card) == pile]
            self.lines.rest(f"{name} left", MOST, len(here))
            self.state.pile[pile, : len(here)] = here
            self.state.left[pile] = len(here)

    def read_known(self) -> None:
        """Reads what everyone knows: who has seen cards of hands, what hidden cards are not, and the clues."""
        state, lines = self.state, self.lines
        in_hands, souvenirs = (
            {name: card for name, card in self.names.items() if card < end}
            for end in (game.FIRST_ENCOUNTER, game.FIRST_PLACE)
        )
        state.public = set_of(self.seen("known to all", in_hands))
        for other in range(self.setup.players):
            state.known[other] = set_of(self.seen(f"known to seat {other + 1}", in_hands))
        for (holder, number), card in self.dealt.items():
            place = f"seat {holder + 1} card {number}"
            for word in lines.words(f"{place} known to") or ():
                other = lines.whole(f"{place} known to", word.lower().removeprefix("seat "), 1, self.setup.players) - 1
                state.known[other] |= 1 << card
            if card < game.FIRST_PLACE:
                state.barred[card] = set_of(self.seen(f"{place} is not", souvenirs))
                same = [one for one in self.left() if pile_of(one) == 0 and state.batch[one] == state.batch[card]]
                if not set_of(same) & ~int(state.barred[card]):
                    raise self.fault(f"{place} is not", "no souvenir is left that this card may be")
        titles = {f"seat {holder + 1} card {number}": card for (holder, number), card in self.dealt.items()}
        for clue in range(game.MAX_CLUES):
            places = f"clue {clue + 1} cards", f"clue {clue + 1} fits"
            state.clue_cards[clue] = set_of(self.seen(places[0], souvenirs | titles))
            state.clue_fits[clue] = set_of(self.seen(places[1], souvenirs))
            if not any(map(lines.says, places)):
                break
            state.clues = clue + 1


def survey(state: State, setup: Setup) -> None:
    """Sets what follows from the zones: spots to load, cards that a duel may name, validated places."""
    rules = setup.rules[0]
    for spot in range(game.SPOTS):
        owner, lying = int(state.owner[spot]), int(state.on[spot])
        number = bin(lying).count("1")
        if owner == game.NONE:
            if spot == game.SHIP and rules.middle:
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
        bare = 0 if spot == game.SHIP and not rules.ship_stealable else 1 << spot + game.FIRST_PLACE
        state.exposed[int(rules.side[owner])] |= lying or bare
