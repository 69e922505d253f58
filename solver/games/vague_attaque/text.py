"""VAGUE & ATTAQUE in words: card and action names, the state as plain data and as text."""

from __future__ import annotations

from typing import Any

from houle.solver.bitset import members
from houle.solver.games.vague_attaque.deck import ENTRIES
from houle.solver.games.vague_attaque.state import (
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    NONE,
    PHASES,
    SHIP,
    SHIP_CARD,
    SPOT,
    SPOTS,
    V_EXTRA,
    V_LAY,
    V_PLACE,
    V_REFILL,
    V_STEAL,
    VERB,
    VERBS,
)
from houle.solver.ruleset import Setup
from houle.solver.types import State

PILES = ("souvenirs", "places", "encounters")
YES_OR_NO = ("steady", "parry", "mooring", "power")
BARE = ("draw", "hook", "adventure", "stop", "decline")


def card_name(card: int) -> str:
    """The canonical name of a card: its kind and number."""
    if card < FIRST_PLACE:
        return f"souvenir {card}"
    if card < SHIP_CARD:
        return f"place {card - FIRST_PLACE}"
    return "ship" if card == SHIP_CARD else f"encounter {card - FIRST_ENCOUNTER}"


def action_name(state: State, setup: Setup, action: int) -> str:
    code, card, spot = action >> VERB, action & 127, action >> SPOT & 31
    verb = VERBS[code]
    if verb in BARE:
        return verb
    if verb in YES_OR_NO:
        return f"{verb} {'yes' if card else 'no'}"
    if code == V_STEAL:
        return f"steal from seat {card}"
    if code == V_REFILL:
        return f"refill {PILES[card][:-1]}"
    if code in (V_LAY, V_EXTRA):
        return f"{verb} {card_name(card)} on {card_name(FIRST_PLACE + spot)}"
    return f"{'lay' if code == V_PLACE else verb} {card_name(card)}"


def hand_of(state: State, seat: int) -> list[int]:
    return members(state.hand[seat]) + [FIRST_ENCOUNTER + e for e in members(state.gold[seat])]


def snapshot(state: State, setup: Setup) -> dict[str, Any]:
    """The whole state in plain numbers and lists, as tests/reference/vague_attaque.py has it."""
    seats = range(setup.players)
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
    """The table as text, with the names of the deck: artefact, hand and zone of every seat, then the piles."""
    seen = snapshot(state, setup)
    cards = setup.options["deck"].cards

    def title(card: int) -> str:
        if card < FIRST_PLACE:
            return f"{cards['souvenir'][card]['name']} [{card_name(card)}]"
        if card < FIRST_ENCOUNTER:
            return card_name(card)
        if card < FIRST_ARTEFACT:
            return f"{cards['encounter'][card - FIRST_ENCOUNTER]['name']} [{card_name(card)}]"
        return str(cards["artefact"][card - FIRST_ARTEFACT]["name"])

    def titles(numbers: list[int]) -> str:
        return ", ".join(title(card) for card in numbers) or "nothing"

    piles = ", ".join(f"{name} {len(seen['decks'][name])} + {len(seen['discards'][name])} discarded" for name in PILES)
    asked = f" (seat {seen['to_move']} is asked)" if seen["to_move"] not in (-1, seen["seat"]) else ""
    lines = [f"turn {seen['turn'] + (not seen['over'])}, seat {seen['seat']}, {seen['phase']}{asked}; {piles}"]
    if seen["pending"] >= 0:
        lines.append(f"  encounter  {title(seen['pending'])}")
    drawn = [int(card) for card in state.drawn if card != NONE]
    if drawn:
        lines.append(f"  turned up  {titles(drawn)}")
    for seat in range(setup.players):
        lines.append(f"  seat {seat}     {title(seen['artefact'][seat])}; hand: {titles(seen['hands'][seat])}")
        for place, lying in seen["zones"][seat]:
            lines.append(f"    {card_name(place)}{' (validated)' if len(lying) == 3 else ''}: {titles(lying)}")
    if seen["ship_holder"] < 0:
        lines.append(f"  ship       {titles(seen['ship_cards'])}")
    return "\n".join(lines)


def house_rules(setup: Setup) -> list[str]:
    """What every result of this game must say: which deck was used, and how much of it is not in print."""
    deck = setup.options["deck"]
    entries = [card for kind in ENTRIES for card in deck.cards[kind]]
    assumed = sum(card["provenance"] == "assumed" for card in entries)
    if assumed == len(entries):
        state = "all its card texts are assumed (the rulebook does not print them)"
    elif assumed:
        state = f"the texts of {assumed} of its {len(entries)} cards with texts are assumed"
    else:
        state = "none of its card texts is assumed"
    return [f"Deck {deck!s}: {state}."]
