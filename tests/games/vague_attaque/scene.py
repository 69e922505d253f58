"""Hand-made positions of VAGUE & ATTAQUE: who holds what, what lies where, which card comes next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any

from houle.solver.games.vague_attaque.deck import POWERS
from houle.solver.games.vague_attaque.state import FIRST_ENCOUNTER, FIRST_PLACE, NONE, PHASES, SHIP, SHIP_CARD, SPOTS
from houle.solver.games.vague_attaque.words import hand_of
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup, read_deck

PILES = (range(FIRST_PLACE), range(FIRST_PLACE, SHIP_CARD), range(FIRST_ENCOUNTER, 94))


def bits(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def place(number: int, copy: int = 0) -> int:
    """The card of a place, 0 to 9, first or second copy."""
    return FIRST_PLACE + 2 * number + copy


def encounter(effect: str, number: int = 0) -> int:
    """A card of the default deck with this effect."""
    effects = [card["effect"] for card in read_deck("default").cards["encounter"]]
    return FIRST_ENCOUNTER + effects.index(effect) + number


def scene(
    players: int = 3,
    phase: str = "explore",
    seat: int = 0,
    hands: Mapping[int, list[int]] | None = None,
    zones: Mapping[int, Mapping[int, list[int]]] | None = None,
    ship: tuple[int, list[int]] | None = None,
    powers: Mapping[int, str] | None = None,
    tops: Iterable[int] = (),
    discards: Iterable[int] = (),
    variants: tuple[str, ...] = (),
    settings: Mapping[str, Any] | None = None,
) -> Match:
    """A match in the given position. `tops` are drawn first, in that order; all cards not named are in the piles.

    Without `powers` nobody's artefact does anything, except that the solo player has the hook.
    """
    match = Match(make_setup("vague-attaque", players, variants, settings), seed=1)
    state, rules = match.state, match.setup.rules[0]
    hands, zones, tops, discards = hands or {}, zones or {}, list(tops), list(discards)
    holder, loaded = ship if ship else (0 if players > 2 else -1, [])
    for field in ("hand", "gold", "on", "known", "batch", "shuffles", "barred", "thrown", "left"):
        state[field][:] = 0
    state.public = 0
    state.owner[:] = NONE
    state.owner[SHIP] = NONE if holder < 0 else holder
    state.on[SHIP] = bits(loaded)
    used = {*loaded, *tops, *discards, *(card for hand in hands.values() for card in hand)}
    for souvenir in loaded:
        state.spot[souvenir] = SHIP
    for owner, zone in zones.items():
        for card, lying in zone.items():
            spot = card - FIRST_PLACE
            state.owner[spot], state.on[spot] = owner, bits(lying)
            used |= {card, *lying}
            for souvenir in lying:
                state.spot[souvenir] = spot
    for owner in range(players):
        held = hands.get(owner, [])
        state.hand[owner] = bits(card for card in held if card < FIRST_ENCOUNTER)
        state.gold[owner] = bits(card - FIRST_ENCOUNTER for card in held if card >= FIRST_ENCOUNTER)
        state.power[owner] = POWERS.index((powers or {}).get(owner, "hook" if players == 1 else "none"))
    for number, cards in enumerate(PILES):
        own = rules.pile[number, : int(rules.cards[number])].tolist()
        pile = [card for card in own if card not in used] + [card for card in reversed(tops) if card in cards]
        thrown = [card for card in discards if card in cards]
        state.left[number], state.thrown[number] = len(pile), len(thrown)
        state.pile[number, : len(pile)], state.discard[number, : len(thrown)] = pile, thrown
    for field, value in derived(state, rules).items():
        state[field] = value
    state.seat = state.mover = seat
    state.phase = PHASES.index(phase)
    return match


def derived(state: Any, rules: Any) -> dict[str, Any]:
    """What the kernels update card by card, computed from the zones."""
    seats = range(int(rules.seats))
    dedicated = int(rules.dedicated)
    loads, exposed, validated, needy = [0] * 5, [0] * 5, [0] * 5, 0
    for spot in range(SPOTS):
        owner, lying = int(state.owner[spot]), int(state.on[spot])
        if owner == NONE and not (spot == SHIP and rules.middle):
            continue
        full = lying.bit_count() == 3
        if lying.bit_count() == 2 and not lying & dedicated:
            needy |= 1 << spot
        for seat in seats:
            friend = owner == NONE or rules.side[seat] == rules.side[owner]
            loads[seat] |= (not full and friend) << spot
        if owner != NONE:
            validated[owner] += full
            bare = 0 if spot == SHIP and not rules.ship_stealable else 1 << FIRST_PLACE + spot
            exposed[rules.side[owner]] |= 0 if full else lying or bare
    return {"open": loads, "exposed": exposed, "validated": validated, "needy": needy}


def facts(match: Match) -> dict[str, Any]:
    """What a row may name of a position."""
    seen = match.snapshot()
    hands = [hand_of(match.state, seat) for seat in range(match.setup.players)]
    return seen["discards"] | {
        "hands": hands,
        "hand": hands[0],
        "moves": sorted(match.names()),
        "phase": (PHASES[match.state.phase], int(match.state.mover)),
        "ship": (seen["ship_holder"], seen["ship_cards"]),
        "zone": seen["zones"][0],
        "result": (match.result()["scores"], match.result()["shares"]) if match.to_move() < 0 else None,
        **{name: seen[name] for name in ("placed", "pending", "validated", "power_used", "ship_waits")},
    }


def copied(match: Match) -> Match:
    other = copy(match)
    other.states = match.states.copy()
    return other


def outcomes(match: Match, name: str, tries: int = 400) -> list[Match]:
    """The match after an action, with many random numbers."""
    action = next(action for action in match.moves() if match.name(action) == name)
    matches = []
    for luck in range(tries):
        other = copied(match)
        other.state.chance = luck * 0x9E37_79B9_7F4A_7C15 % 2**64
        other.apply(action)
        matches.append(other)
    return matches
