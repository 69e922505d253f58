"""VAGUE & ATTAQUE in words: names of moves, the state as plain data and as text, the cards drawn, how a game ended.

names.py has the names of the cards, happened.py the events of a move, dice.py the dice of a duel.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np

from houle.solver.cards.bits import members
from houle.solver.compiler.types import State
from houle.solver.games.vague_attaque.deck import ENTRIES
from houle.solver.games.vague_attaque.state import (
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    NONE,
    PHASES,
    PILES,
    SHIP,
    SHIP_CARD,
    SPOT,
    SPOTS,
    VERB,
    VERBS,
)
from houle.solver.games.vague_attaque.text.happened import happened as happened
from houle.solver.games.vague_attaque.text.happened import where
from houle.solver.games.vague_attaque.text.names import called, card_name, spot_of, title
from houle.solver.matches.views import read
from houle.solver.rules import Setup

YES_OR_NO = {
    "steady": ("use a steady hand", "keep it for later"),
    "parry": ("parry the attack", "let the dice decide"),
    "mooring": ("lend it", "do not lend it"),
    "power": ("use the power", "let it go on the ship"),
}
BARE = {
    "draw": "draw a souvenir",
    "hook": "take the top souvenir of the discards",
    "adventure": "go on an adventure",
    "stop": "lay nothing more",
    "decline": "lay no extra souvenir",
}
CARD_WORDS = {
    "swap": "swap {} for a place",
    "lay place": "lay the place {}",
    "discard": "discard {}",
    "lose": "discard {}",
    "drop": "discard {}",
    "keep": "keep {}",
    "retain": "keep {} and discard the rest",
}
QUESTIONS = {
    "explore": "Phase I: what do you draw?",
    "encounter": "Phase II: do you go on an adventure, or start a duel?",
    "land": "Phase III: what do you lay on your places?",
    "lose": "You lost the duel. Which card do you discard?",
    "drop": "You hold too many cards. Which one do you discard?",
    "spyglass": "Spyglass: which of the two souvenirs do you keep?",
    "extra": "Anchor: do you lay one more souvenir?",
    "steal": "From whom do you steal a card?",
    "give": "Which card do you give away?",
    "refill": "Your hand is empty: what do you draw?",
    "retain": "Which card do you keep?",
}


def action_name(state: State, setup: Setup, action: int) -> str:
    verb, card, spot = VERBS[action >> VERB], action & 127, action >> SPOT & 31
    if verb in BARE:
        return verb
    if verb in YES_OR_NO:
        return f"{verb} {'yes' if card else 'no'}"
    if verb == "steal":
        return f"steal from seat {card}"
    if verb == "refill":
        return f"refill {PILES[card][:-1]}"
    if verb in ("lay", "extra"):
        return f"{verb} {card_name(card)} on {card_name(FIRST_PLACE + spot)}"
    return f"{'lay' if verb == 'lay place' else verb} {card_name(card)}"


def spoken(state: State, setup: Setup, action: int) -> str:
    """A move for people: cards by their names in the deck, whose card a duel is for, where a given card goes."""
    verb, card, spot = VERBS[action >> VERB], action & 127, action >> SPOT & 31
    if verb in BARE:
        return _top_discard(state, setup) if verb == "hook" else BARE[verb]
    if verb in YES_OR_NO:
        return YES_OR_NO[verb][0 if card else 1]
    if verb == "steal":
        return f"steal a card from seat {card}"
    if verb == "refill":
        return f"draw a {PILES[card][:-1]}"
    name = called(setup, card)
    if verb == "duel":
        spot = spot_of(state, card)
        where = f" on {called(setup, FIRST_PLACE + spot)}" if card < FIRST_PLACE else ""
        return f"duel seat {int(state.owner[spot])} for {name}{where}"
    if verb in ("lay", "extra"):
        return f"lay {name} on {called(setup, FIRST_PLACE + spot)}"
    if verb == "give":
        return f"give {name} to seat {(int(state.mover) + 1) % setup.players}"
    return CARD_WORDS[verb].format(name)


def _top_discard(state: State, setup: Setup) -> str:
    top = int(state.discard[0, int(state.thrown[0]) - 1])
    return f"take {called(setup, top)} from the discards"


def asked(state: State, setup: Setup) -> str:
    """What the player to move decides, as a question; seats count from 0."""
    phase, target = PHASES[state.phase], int(state.target)
    if phase in ("steady", "parry"):
        owner, attacker, mover = int(state.owner[spot_of(state, target)]), int(state.seat), int(state.mover)
        what = called(setup, target)
        if phase == "steady":
            whose = "your" if mover == attacker else f"seat {attacker}'s"
            return f"Do you use a steady hand in {whose} duel for {what}?"
        whose = "your" if mover == owner else f"seat {owner}'s"
        return f"Do you parry the attack of seat {attacker} on {whose} {what}?"
    if phase == "mooring":
        return f"Do you lend seat {int(state.seat)} an extra mooring, for one more souvenir?"
    if phase == "power":
        drawn = next(int(card) for card in state.drawn if card != NONE)
        return f"{called(setup, drawn)} goes on the ship. Do you use your power, once per game?"
    return QUESTIONS[phase]


def hand_of(state: State, seat: int) -> list[int]:
    return members(state.hand[seat]) + [FIRST_ENCOUNTER + e for e in members(state.gold[seat])]


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state as plain numbers and lists, in the form that tests/reference/vague_attaque.py uses."""
    state, seats = read(state), range(setup.players)
    owner, on = state.owner.tolist(), state.on.tolist()

    def zone(seat: int) -> list[list[Any]]:
        return [[FIRST_PLACE + spot, members(on[spot])] for spot in range(SPOTS) if owner[spot] == seat]

    def listed(piles: Any, sizes: Any) -> dict[str, list[int]]:
        return {name: piles[i, : int(sizes[i])].tolist() for i, name in enumerate(PILES)}

    return {
        "seat": int(state.seat),
        "to_move": int(state.mover),
        "phase": PHASES[state.phase],
        "hands": [hand_of(state, seat) for seat in seats],
        "zones": [zone(seat) for seat in seats],
        "ship_holder": -1 if owner[SHIP] == NONE else owner[SHIP],
        "ship_cards": members(on[SHIP]),
        "ship_waits": bool(state.ship_waits),
        "validated": state.validated[: setup.players].tolist(),
        "decks": listed(state.pile, state.left),
        "discards": listed(state.discard, state.thrown),
        "pending": -1 if state.pending == NONE else int(state.pending),
        "artefact": state.artefact[: setup.players].tolist(),
        "turn": int(state.turns),
        "power_used": bool(state.power_used),
        "placed": [bool(state.place_laid), int(state.laid)],
        "over": int(state.mover) < 0,
    }


def show(state: State, setup: Setup) -> str:
    """The whole state as text, with the names of the deck: artefact, hand and zone of every seat, then the piles."""
    seen = snapshot(state, setup)

    def titles(numbers: list[int]) -> str:
        return ", ".join(title(setup, card) for card in numbers) or "nothing"

    piles = ", ".join(f"{name} {len(seen['decks'][name])} + {len(seen['discards'][name])} discarded" for name in PILES)
    asked = f" (seat {seen['to_move']} is asked)" if seen["to_move"] not in (-1, seen["seat"]) else ""
    lines = [f"turn {seen['turn'] + (not seen['over'])}, seat {seen['seat']}, {seen['phase']}{asked}; {piles}"]
    if seen["pending"] >= 0:
        lines.append(f"  encounter  {title(setup, seen['pending'])}")
    drawn = [int(card) for card in state.drawn if card != NONE]
    if drawn:
        lines.append(f"  turned up  {titles(drawn)}")
    for seat in range(setup.players):
        lines.append(f"  seat {seat}     {title(setup, seen['artefact'][seat])}; hand: {titles(seen['hands'][seat])}")
        for place, lying in seen["zones"][seat]:
            waits = place == SHIP_CARD and seen["ship_waits"]
            note = " (validated)" if len(lying) == 3 else " (robbed, stays this round)" if waits else ""
            lines.append(f"    {called(setup, place)}{note}: {titles(lying)}")
    if seen["ship_holder"] < 0:
        lines.append(f"  ship       {titles(seen['ship_cards'])}")
    return "\n".join(lines)


def ending(state: State, setup: Setup) -> list[str]:
    """Who won with how many places, or that nobody did in time."""
    turns, winner = int(state.turns), int(state.winner)
    if winner < 0:
        return [f"nobody wins in {turns} turns"]
    if setup.players == 1 and winner == 1:
        return [f"the ship wins with {len(members(state.on[SHIP]))} souvenirs in turn {turns}"]
    name, seats = setup.game.side_names(setup)[winner]
    places = sum(int(state.validated[seat]) for seat in seats)
    return [f"{name} wins with {places} validated places in turn {turns}"]


def end_conditions(states: Any, setup: Setup) -> dict[str, Any]:
    """Which of these final states ended in each way."""
    rules = setup.rules[0]
    drawn, holder = states.winner < 0, states.owner[:, SHIP]
    if rules.solo:
        return {"you complete enough places": states.winner == 0, "the ship is full": states.winner == 1,
                "the turns run out": drawn}  # fmt: skip
    full = np.array([int(souvenirs).bit_count() == 3 for souvenirs in states.on[:, SHIP]])
    theirs = rules.side[np.minimum(holder, len(rules.side) - 1)] == states.winner
    by_ship = ~drawn & (holder != NONE) & theirs & full
    return {"enough places, the ship among them": by_ship, "enough places, without the ship": ~drawn & ~by_ship,
            "the turns run out": drawn}  # fmt: skip


def house_rules(setup: Setup) -> list[str]:
    """What every result of this game must state: the deck, and how much of it is assumed."""
    deck = setup.options["deck"]
    entries = [card for kind in ENTRIES for card in deck.cards[kind]]
    assumed = sum(card["provenance"] == "assumed" for card in entries)
    if assumed == len(entries):
        state = "all its card texts are assumed, because the rulebook does not print them"
    elif assumed:
        state = f"{assumed} of its {len(entries)} card texts are assumed"
    else:
        state = "none of its card texts is assumed"
    return [f"Deck {deck!s}: {state}."]


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """Cards that were in a pile, or in a discard that became one, and are there no longer."""
    old, new = where(before, setup), where(after, setup)
    shuffled = [pile for pile in range(len(PILES)) if int(after.shuffles[pile]) > int(before.shuffles[pile])]
    hidden = [("deck", pile) for pile in range(len(PILES))]
    covered = [*hidden, *(("thrown", pile) for pile in shuffled)]
    gone = sorted(card for card, place in old.items() if place in covered and new.get(card) not in hidden)
    return [_names(card, setup) for card in gone]


def shuffle_piles(state: State, setup: Setup, random: Random, wanted: set[str]) -> None:
    """Shuffles all piles once more, with the `wanted` cards on top, because shuffling fixed their order."""
    for pile in range(len(PILES)):
        cards = [int(card) for card in state.pile[pile, : int(state.left[pile])]]
        random.shuffle(cards)
        cards.sort(key=lambda card: any(name.lower() in wanted for name in _names(card, setup)))
        state.pile[pile, : len(cards)] = cards


def _names(card: int, setup: Setup) -> tuple[str, str]:
    return card_name(card), called(setup, card).partition(" [")[0]


def chance_events(events: Iterable[str], viewer: int | None) -> list[str]:
    """What chance decided besides draws, as everyone saw it: duels, discards, and cards that went from hand to hand, by
    name only for the two players. Seats count from 0, and a `viewer` of None sees everything.
    """
    seen = []
    for event in events:
        result = re.search(r"the duel is (won|lost|tied)$", event)
        hands = re.search(r"goes from seat (\d) to seat (\d)$", event)
        if result:
            seen.append(result[0])
        elif (
            " discards " in event
            or "is discarded" in event
            or "die shows" in event
            or (hands and (viewer is None or str(viewer) in hands.groups()))
        ):
            seen.append(event)
    return seen
