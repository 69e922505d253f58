"""VAGUE & ATTAQUE: what a seat knows as numbers, and the list of actions, for learners."""

from __future__ import annotations

import numpy as np

from houle.solver.compiler.bits import U8, ZERO, lowest, members, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.observing import ahead, mark_card, mark_cards, put, seat_ahead
from houle.solver.compiler.types import Cards, Number, Numbers, Rules, Seat, State
from houle.solver.games.vague_attaque.clues import clues_about
from houle.solver.games.vague_attaque.knowledge import knowers, under_glass, unseen
from houle.solver.games.vague_attaque.state import (
    FIRST_ARTEFACT,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    MAX_CLUES,
    MAX_PILE,
    MAX_SEATS,
    NONE,
    PHASES,
    PLACES,
    SHIP_CARD,
    SOUVENIRS,
    SPOT,
    SPOTS,
    V_ADVENTURE,
    V_DECLINE,
    V_DISCARD,
    V_DRAW,
    V_DROP,
    V_DUEL,
    V_EXTRA,
    V_GIVE,
    V_HOOK,
    V_KEEP,
    V_LAY,
    V_LOSE,
    V_MOORING,
    V_PARRY,
    V_PLACE,
    V_POWER,
    V_REFILL,
    V_RETAIN,
    V_STEADY,
    V_STEAL,
    V_STOP,
    V_SWAP,
    VERB,
)
from houle.solver.games.vague_attaque.worlds import MAX_HIDDEN, list_hidden
from houle.solver.interface.game import Parts, from_observer
from houle.solver.rules import Setup

CARDS = SHIP_CARD  # souvenirs and places
PHASE_COUNT = len(PHASES)
GOLD = FIRST_ARTEFACT - FIRST_ENCOUNTER
STEPS = 6
MORE = 3  # cards that a hand may hold beyond its limit within a turn


@outlined
def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
    seats = np.int64(rules.seats)
    at = put(out, 0, seat)
    at = put(out, at, ahead(state.mover, seat, seats))
    at = put(out, at, ahead(state.seat, seat, seats))
    at = put(out, at, state.turns)
    at = put(out, at, state.moves)
    at = put(out, at, state.duels)
    at = put(out, at, ahead(state.winner, rules.side[seat], rules.sides))
    at = put(out, at, state.bonus)
    at = put(out, at, state.laid)
    at = put(out, at, state.lent)
    at = put(out, at, state.thefts)
    at = put(out, at, state.ship_waits)
    at = put(out, at, state.power_used)
    at = put(out, at, state.place_laid)
    at = put(out, at, state.refused)
    at = put(out, at, _card(state.pending))
    at = put(out, at, _card(state.target))
    for i in range(2):
        hidden = state.drawn[i] != NONE and under_glass(state, seat)
        at = put(out, at, -1 if hidden else _card(state.drawn[i]))
    at = mark_card(out, at, state.phase, PHASE_COUNT)
    at = mark_card(out, at, state.then, STEPS)
    for pile in range(3):
        at = put(out, at, state.left[pile])
        at = put(out, at, state.shuffles[pile])
        thrown = np.int64(state.thrown[pile])
        for i in range(MAX_PILE):
            at = put(out, at, np.int64(state.discard[pile, thrown - 1 - i]) + 1 if i < thrown else 0)
    at = _observe_spots(state, seat, seats, out, at)
    at = _observe_ages(state, rules, seat, out, at)
    hidden_cards = ZERO
    for holder in range(rules.seats):
        hidden_cards |= unseen(state, holder, seat)
    at = mark_cards(out, at, state.public & ~hidden_cards, CARDS)
    for number in range(seats):
        holder = seat_ahead(number, seat, seats)
        at = put(out, at, np.int64(state.artefact[holder]) - FIRST_ARTEFACT)
        at = mark_cards(out, at, state.gold[holder], GOLD)
        at = mark_cards(out, at, state.hand[holder] & ~unseen(state, holder, seat), CARDS)
        at = mark_cards(out, at, state.known[holder] & ~hidden_cards, CARDS)
    at = _observe_backs(state, rules, seat, out, at)
    if rules.partner[0] != 0:
        for clue in range(MAX_CLUES):
            there = clue < state.clues
            at = mark_cards(out, at, state.clue_cards[clue] & ~hidden_cards if there else ZERO, FIRST_PLACE)
            at = mark_cards(out, at, state.clue_fits[clue] if there else ZERO, FIRST_PLACE)
    return at


@kernel
def _card(card: Number) -> Number:
    """1 + the number of a card; 0 for none."""
    return np.int64(0) if card == NONE else np.int64(card) + 1


@outlined
def _observe_spots(state: State, seat: Seat, seats: Number, out: Numbers, at: Number) -> Number:
    """Who has each place (0: nobody, 1: the observer), and the spot of each souvenir that was laid, from 1."""
    for spot in range(SPOTS):
        owner = state.owner[spot]
        out[at + spot] = 0 if owner == NONE else ahead(owner, seat, seats) + 1
        lying = state.on[spot]
        while lying != ZERO:
            out[at + SPOTS + np.int64(lowest(lying))] = spot + 1
            lying = without_lowest(lying)
    return at + SPOTS + FIRST_PLACE


@outlined
def _observe_ages(state: State, rules: Rules, seat: Seat, out: Numbers, at: Number) -> Number:
    """For each card that the seat has not seen, 1 + how many shuffles ago it last entered its pile."""
    cards = ZERO
    for holder in range(rules.seats):
        cards |= unseen(state, holder, seat)
    for pile in (SOUVENIRS, PLACES):
        for i in range(state.left[pile]):
            cards |= single(state.pile[pile, i])
    if under_glass(state, seat):
        cards |= single(state.drawn[0]) | single(state.drawn[1])
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        put(out, at + np.int64(card), _age(state, card) + 1)
    return at + CARDS


@kernel
def _age(state: State, card: Number) -> Number:
    pile = SOUVENIRS if card < U8(FIRST_PLACE) else PLACES
    return np.int64(state.shuffles[pile]) - np.int64(state.batch[card])


@outlined
def _observe_backs(state: State, rules: Rules, seat: Seat, out: Numbers, at: Number) -> Number:
    """What the backs of hidden cards in other hands show, souvenirs first.

    Of each: its pile (1: souvenirs, 2: places), how many shuffles ago it entered it, and who has seen it, as bits
    counted from the observer. In teams also which clues are about it, as bits, and what it cannot be.
    """
    seats, room, teams = np.int64(rules.seats), _room(rules), rules.partner[0] != 0
    each = 3 + (1 + FIRST_PLACE if teams else 0)
    cards = local_empty(MAX_HIDDEN, np.uint8)
    holders = local_empty(MAX_HIDDEN, np.uint8)
    listed = local_zeros(MAX_SEATS, np.int64)
    for pile in (SOUVENIRS, PLACES):
        n = list_hidden(state, rules, seat, pile, cards, holders)
        for i in range(n):
            holder = np.int64(holders[i])
            if holder >= seats or listed[holder] == room:
                continue
            place = at + ((ahead(holder, seat, seats) - 1) * room + listed[holder]) * each
            listed[holder] += 1
            card = U8(cards[i])
            out[place] = np.int64(pile) + 1
            put(out, place + 1, _age(state, card))
            out[place + 2] = np.int64(_turned(knowers(state, rules, card), seat, seats))
            if teams and pile == SOUVENIRS:
                out[place + 3] = np.int64(clues_about(state, card))
                mark_cards(out, place + 4, state.barred[card], FIRST_PLACE)
    return at + (seats - 1) * room * each


@kernel
def _turned(who: Cards, seat: Seat, seats: Number) -> Cards:
    """A set of seats as seen from one of them."""
    return (who >> U8(seat)) | (who << U8(np.int64(seats) - np.int64(seat))) & (single(seats) - single(0))


@kernel
def _room(rules: Rules) -> Number:
    """Hidden cards of a hand that are described."""
    most = np.int64(0)
    for power in range(len(rules.limit)):
        most = max(most, np.int64(rules.limit[power]))
    return most + MORE


def observation_parts(setup: Setup) -> Parts:
    rules = setup.rules[0]
    seats, teams = from_observer(setup.players), int(rules.partner[0]) != 0
    parts: Parts = [(name, 1) for name in (
        "seat", "to move", "active", "turns", "cards laid", "duels", "winner", "bonus", "laid", "lent", "thefts",
        "ship waits", "power used", "place laid", "refused", "encounter", "target", "turned up 1", "turned up 2",
    )]  # fmt: skip
    parts += [("phase", PHASE_COUNT), ("then", STEPS)]
    for pile in ("souvenirs", "places", "encounters"):
        parts += [(f"{pile} left", 1), (f"{pile} shuffles", 1), (f"{pile} discarded", MAX_PILE)]
    parts += [("owner of each place", SPOTS), ("spot of each souvenir", FIRST_PLACE), ("hidden cards", CARDS)]
    parts.append(("known to all", CARDS))
    for who in seats:
        parts += [(f"{who} artefact", 1), (f"{who} gold", GOLD), (f"{who} hand", CARDS), (f"{who} known", CARDS)]
    for who in seats[1:]:
        for card in range(1, int(_room(rules)) + 1):
            parts += [(f"{who} hidden card {card} {what}", 1) for what in ("pile", "age", "known to")]
            if teams:
                parts += [(f"{who} hidden card {card} clues", 1), (f"{who} hidden card {card} is not", FIRST_PLACE)]
    for clue in range(1, MAX_CLUES + 1 if teams else 1):
        parts += [(f"clue {clue} cards", FIRST_PLACE), (f"clue {clue} fits", FIRST_PLACE)]
    return parts


def action_kinds(setup: Setup, seat: int) -> list[int]:
    """Seats are counted from the acting one, so an action means the same for every seat."""
    rules, players = setup.rules[0], setup.players
    faces = [card for card in range(FIRST_ARTEFACT) if card != SHIP_CARD and int(rules.twin[card]) == card]
    souvenirs = [card for card in faces if card < FIRST_PLACE]
    places = [card for card in faces if FIRST_PLACE <= card < SHIP_CARD]
    spots = [(card, spot) for card in souvenirs for spot in members(int(rules.bears[card]))]
    cards = {
        V_DRAW: [0], V_HOOK: [0], V_SWAP: souvenirs, V_ADVENTURE: [0], V_DUEL: range(SHIP_CARD + 1), V_PLACE: places,
        V_LAY: [spot << SPOT | card for card, spot in spots], V_STOP: [0], V_DISCARD: souvenirs, V_LOSE: faces,
        V_DROP: faces, V_KEEP: souvenirs, V_STEADY: range(2), V_PARRY: range(2),
        V_EXTRA: [spot << SPOT | card for card, spot in spots], V_DECLINE: [0],
        V_STEAL: [(seat + number) % players for number in range(1, players)], V_GIVE: faces, V_REFILL: range(2),
        V_POWER: range(2), V_RETAIN: faces, V_MOORING: range(2),
    }  # fmt: skip
    return [verb << VERB | card for verb, codes in cards.items() for card in codes]
