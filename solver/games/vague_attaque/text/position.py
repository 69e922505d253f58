"""VAGUE & ATTAQUE: positions as text: names, lines with a syntax of their own, and how lines are read.

    seat: 1                              who decides; `active` is the seat whose turn it is, if that is another
    phase: land                          what is decided; `then` is what follows a decision within another
    turn: 12                             turns count from 1
    seat 1 artefact: artefact 3          by its number in the deck, from 0, or by its name
    seat 1 place 2a: souvenir 3          a place of a zone and what is on it; `seat 1 ship`, or `ship` in the middle;
                                         also by its name: `seat 1 lighthouse (a)`
    seat 1 hand: souvenir 4, place 3a    in other hands seen cards by name, else `souvenir ?` and `place ?`
    souvenirs left: 20                   cards in a pile; by default the rest of the deck
    souvenirs discarded: souvenir 5      the top last; the same for places and encounters
    known to all: souvenir 4             cards that everyone has seen since they left a pile
    known to seat 2: place 3a            cards that went through this seat's hands
    encounter: encounter 5               the one being resolved; `turned up`: souvenirs that are face up
    target: souvenir 3                   the card named in a duel; `bonus`: on each die of the attacker
    souvenirs shuffles: 1                how often the discard became the pile
    souvenirs of shuffle 0: souvenir 9   cards in other hands that were drawn before that
    seat 2 hand: souvenir ? @0           one of those
    seat 2 card 1 known to: seat 3       who else has seen the first hidden card of a hand
    seat 2 card 1 is not: souvenir 2     teams: what it cannot be
    clue 1 cards: seat 2 card 1          teams: at least one of these cards is among `clue 1 fits`

There are also `place laid`, `laid`, `lent`, `thefts`, `refused` (of this turn), `ship waits` (it was robbed and stays
at the end of this round) and `power used` (solo game).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from houle.solver.cards.bits import members
from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.seen import CLUES, IS_NOT, STEPS, back_width
from houle.solver.games.vague_attaque.state import (
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    OVER,
    PHASES,
    PILES,
    VERB,
    VERBS,
)
from houle.solver.games.vague_attaque.text import spoken
from houle.solver.games.vague_attaque.text.names import card_name
from houle.solver.games.vague_attaque.text.position_cards import CardsRead, pile_of, survey
from houle.solver.matches.known import Known
from houle.solver.matches.record.line_parser import Lines, Places
from houle.solver.rules import Setup

MOST_SHUFFLES = 2**16 - 1


class Back(NamedTuple):
    """What is known of a hidden card. Positions number the hidden cards of a hand in this order."""

    pile: int
    shuffle: int  # since which it had been in its pile
    known_to: list[int]  # seats
    barred: int  # what it is not, as a set
    clues: list[int]


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move for people. What others keep or give out of sight is not shown once it is `done`."""
    verb = VERBS[action >> VERB]
    if done and verb in ("keep", "give") and action & 127 in unseen_cards(Known.of(state, setup, seat)):
        return f"{verb} a card"
    return spoken(state, setup, action)


def unseen_cards(known: Known) -> list[int]:
    """The souvenirs and places that a seat cannot place."""
    return [card for card, age in enumerate(known["unseen cards"]) if age]


def zones(known: Known) -> list[tuple[int, int, list[int]]]:
    """Who has each place (-1: nobody), its card, and the souvenirs on it."""
    under = known["place under each souvenir"]
    return [
        (
            (known.seat + owner - 1) % known.setup.players if owner else -1,
            FIRST_PLACE + spot,
            [souvenir for souvenir, where in enumerate(under) if where == spot + 1],
        )
        for spot, owner in enumerate(known["owner of each place"])
    ]


def _backs(known: Known, holder: int) -> list[Back]:
    """The hidden cards of a hand."""
    if holder == known.seat:
        return []
    numbers, each, backs = known["hidden cards", holder], back_width(known.setup.rules[0]), []
    for first in range(0, len(numbers), each):
        back = numbers[first : first + each]
        if back[0]:
            shuffle = known[f"{PILES[back[0] - 1]} shuffles"] - back[1]
            known_to = sorted((known.seat + other) % known.setup.players for other in members(back[2]))
            barred = sum(marked << card for card, marked in enumerate(back[IS_NOT:]))
            backs.append(Back(back[0] - 1, shuffle, known_to, barred, members(sum(back[CLUES:IS_NOT]))))
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
    words += [card_name(FIRST_ENCOUNTER + gold) for gold in known["gold", holder]]
    for number, back in enumerate(_backs(known, holder), 1):
        older = back.shuffle != known[f"{PILES[back.pile]} shuffles"]
        words.append(f"{PILES[back.pile][:-1]} ?" + (f" @{back.shuffle}" if older else ""))
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
    name = PILES[pile]
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
    sets = [[card_name(card) for card in range(FIRST_PLACE) if numbers[first + card]]
            for first in range(0, len(numbers), FIRST_PLACE)]  # fmt: skip
    for clue, (cards, fits) in enumerate(zip(sets[::2], sets[1::2], strict=True)):
        if fits:
            hidden = [f"seat {holder + 1} card {number}" for holder in range(known.setup.players)
                      for number, back in enumerate(_backs(known, holder), 1) if clue in back.clues]  # fmt: skip
            lines |= {f"clue {clue + 1} cards": sorted(cards + hidden), f"clue {clue + 1} fits": fits}
    return lines


LINES = {"active": _active, "owner of each place": _zones, "hand": _hand, "known": _known,
         **{f"{name} left": partial(_pile, pile) for pile, name in enumerate(PILES)}, "clues": _clues}  # fmt: skip


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; cards that the seat cannot see are dealt arbitrarily."""
    cards = CardsRead(lines, setup, state, seat)
    state.mover, state.winner = seat, -1
    state.seat = lines.seat("active", setup.players, seat)
    phases = [phase for phase in PHASES if phase != PHASES[OVER]]
    state.phase = phases.index(lines.word("phase", phases, "explore"))
    state.then = STEPS.index(lines.word("then", STEPS, STEPS[0]))
    if state.ship_waits and not setup.rules[0].ship_waits:
        raise lines.fault("ship waits", "being robbed does not keep the ship in this setup; leave out this line")
    for pile, name in enumerate(PILES):
        state.shuffles[pile] = lines.number(f"{name} shuffles", 0, MOST_SHUFFLES, 0)
    cards.read_artefacts()
    cards.read_zones()
    cards.read_open_cards()
    for holder in range(setup.players):
        cards.read_hand(holder)
    cards.read_known()
    cards.fill()
    cards.read_clues()
    survey(state, setup)
