"""VAGUE & ATTAQUE: what the cards do: encounters, anchors, and in the solo game the ship's die.

Every effect returns the step that follows, or WAIT if it first asks for a decision, which then returns the step.
"""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, U8, ZERO, count, left_of, nth, single
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Rules, Seat, State
from houle.solver.games.vague_attaque.clues import note_none_fits
from houle.solver.games.vague_attaque.deck import ANCHORS, DIE_EFFECTS, EFFECTS
from houle.solver.games.vague_attaque.piles import (
    PICK,
    SHIP_DIE,
    SHIP_DISCARDS,
    SHIP_SINKS,
    THEFT,
    discard,
    discard_from_hand,
    draw,
    draw_to_hand,
    hand_over,
    hand_size,
    nth_in_hand,
    random_in_hand,
    random_index,
)
from houle.solver.games.vague_attaque.state import (
    ALL_SOUVENIRS,
    EXTRA,
    FIRST_ENCOUNTER,
    GIVE,
    LOSE,
    NONE,
    PLACES,
    POWER,
    SHIP,
    SOUVENIRS,
    STEAL,
    TO_LAND,
    TO_NEXT,
    WAIT,
)
from houle.solver.games.vague_attaque.zones import count_placements, lift_souvenir, move_ship, win

DRAW_SOUVENIR, DRAW_PLACE = EFFECTS.index("draw_souvenir"), EFFECTS.index("draw_place")
DISCARD_CHOICE, ALL_DISCARD_RANDOM = EFFECTS.index("discard_choice"), EFFECTS.index("all_discard_random")
ALL_DRAW_SOUVENIR, STEAL_RANDOM = EFFECTS.index("all_draw_souvenir"), EFFECTS.index("steal_random")
GIVE_LEFT, ALL_PASS_LEFT = EFFECTS.index("give_left"), EFFECTS.index("all_pass_left")
MOVE_SHIP, FIRST_GOLD = EFFECTS.index("move_ship"), EFFECTS.index("parry")
NO_ANCHOR, ANCHOR_DRAWS, ANCHOR_PLACES = 0, ANCHORS.index("draw_souvenir"), ANCHORS.index("place_souvenir")
ANCHOR_STEALS, ANCHOR_DRAWS_PLACE = ANCHORS.index("steal"), ANCHORS.index("draw_place")
DIE_DISCARDS, DIE_SINKS = DIE_EFFECTS.index("discard_random"), DIE_EFFECTS.index("discard_souvenir")
DIE_TURNS_UP, DIE_LOADS = DIE_EFFECTS.index("ship_if_symbol"), DIE_EFFECTS.index("ship_always")


@kernel
def ask(state: State, seat: Seat, phase: Any, then: Any) -> Any:
    """Opens a decision of a seat; `then` is the step that follows it."""
    state.mover = seat
    state.phase = phase
    state.then = then
    return WAIT


@outlined
def resolve(state: State, rules: Rules, effect: Any) -> Any:
    """Resolves a blue encounter of the active seat; returns the next step."""
    seat = U8(state.seat)
    if effect in (DRAW_SOUVENIR, DRAW_PLACE):
        draw_to_hand(state, rules, seat, SOUVENIRS if effect == DRAW_SOUVENIR else PLACES)
    elif effect == DISCARD_CHOICE:
        return ask_to_lose(state, seat)
    elif effect == STEAL_RANDOM:
        return ask_to_steal(state, rules, seat, TO_LAND)
    elif effect == GIVE_LEFT:
        if not rules.solo and hand_size(state, seat) > ZERO:
            return ask(state, seat, GIVE, TO_LAND)
    elif effect == MOVE_SHIP:
        move_ship(state, rules)
    elif effect == ALL_PASS_LEFT:
        if not rules.solo:
            _pass_left(state, rules)
    elif effect in (ALL_DISCARD_RANDOM, ALL_DRAW_SOUVENIR):
        for _ in range(rules.seats):
            if effect == ALL_DRAW_SOUVENIR:
                draw_to_hand(state, rules, seat, SOUVENIRS)
            elif hand_size(state, seat) > ZERO:
                discard_from_hand(state, seat, random_in_hand(state, seat, PICK + seat))
            seat = left_of(rules, seat)
    return TO_LAND


@kernel
def _pass_left(state: State, rules: Rules) -> None:
    """Everyone passes a random card. All pick before anyone passes, so no card travels twice.

    The picked cards wait in a register, one byte per seat.
    """
    picked = ZERO
    seat = U8(state.seat)
    for _ in range(rules.seats):
        card = random_in_hand(state, seat, PICK + seat) if hand_size(state, seat) > ZERO else U8(NONE)
        picked |= card << (U8(8) * seat)
        seat = left_of(rules, seat)
    for giver in range(U8(rules.seats)):
        card = (picked >> (U8(8) * giver)) & U8(NONE)
        if card != U8(NONE):
            hand_over(state, giver, left_of(rules, giver), card)


@kernel
def ask_to_lose(state: State, seat: Seat) -> Any:
    """The seat discards a card of its choice, if it has one."""
    return ask(state, seat, LOSE, TO_LAND) if hand_size(state, seat) > ZERO else TO_LAND


@kernel
def victims(state: State, rules: Rules, seat: Seat) -> Any:
    """The opponents of a seat that hold cards, as a set of seats."""
    seats = ZERO
    for other in range(U8(rules.seats)):
        if rules.side[other] != rules.side[seat] and hand_size(state, other) > ZERO:
            seats |= single(other)
    return seats


@kernel
def ask_to_steal(state: State, rules: Rules, seat: Seat, then: Any) -> Any:
    return ask(state, seat, STEAL, then) if victims(state, rules, seat) != ZERO else then


@kernel
def steal(state: State, thief: Any, victim: Any) -> None:
    hand_over(state, victim, thief, random_in_hand(state, victim, THEFT + U8(state.thefts)))
    state.thefts += 1


@outlined
def drop_anchor(state: State, rules: Rules, seat: Seat, anchor: Any, then: Any) -> Any:
    """Applies the anchor of a souvenir for the seat that laid (or discarded) it; returns the next step."""
    if anchor == ANCHOR_STEALS:
        return ask_to_steal(state, rules, seat, then)
    if anchor == ANCHOR_PLACES:
        return _ask_for_extra(state, rules, seat, then)
    draw_to_hand(state, rules, seat, SOUVENIRS if anchor == ANCHOR_DRAWS else PLACES)
    return then


@kernel
def _ask_for_extra(state: State, rules: Rules, seat: Seat, then: Any) -> Any:
    """Asks for one more souvenir: the seat itself or, if it has none to lay, its partner."""
    if count_placements(state, rules, seat) > ZERO:
        return ask(state, seat, EXTRA, then)
    partner = U8(rules.partner[seat])
    if partner != seat and count_placements(state, rules, partner) > ZERO:
        note_none_fits(state, rules, seat)
        return ask(state, partner, EXTRA, then)
    return then


@outlined
def ship_turn(state: State, rules: Rules) -> Any:
    """Solo: the ship throws its die."""
    effect = rules.solo_die[random_index(state, U8(len(rules.solo_die)), SHIP_DIE)]
    if effect == DIE_DISCARDS:
        if hand_size(state, ZERO) > ZERO:
            discard_from_hand(state, ZERO, random_in_hand(state, ZERO, SHIP_DISCARDS))
    elif effect == DIE_SINKS:
        souvenirs = state.exposed[0] & ALL_SOUVENIRS
        if souvenirs != ZERO:
            souvenir = nth(souvenirs, random_index(state, count(souvenirs), SHIP_SINKS))
            lift_souvenir(state, rules, souvenir)
            discard(state, souvenir)
    elif effect in (DIE_TURNS_UP, DIE_LOADS):
        souvenir = draw(state, rules, SOUVENIRS)
        if souvenir != U8(NONE):
            if effect == DIE_LOADS or (rules.on_ship >> souvenir) & ONE != ZERO:
                return bind_for_ship(state, rules, souvenir, TO_NEXT)
            discard(state, souvenir)
    return TO_NEXT


@kernel
def bind_for_ship(state: State, rules: Rules, souvenir: Card, then: Any) -> Any:
    """Solo: a souvenir would go on the ship. Once per game the player may pay with the hand to prevent it."""
    if not state.power_used and hand_size(state, ZERO) > ZERO:
        state.drawn[0] = souvenir
        return ask(state, ZERO, POWER, then)
    return load_ship(state, rules, souvenir, then)


@outlined
def load_ship(state: State, rules: Rules, souvenir: Card, then: Any) -> Any:
    """Solo: puts a souvenir on the ship; too many there lose the game."""
    state.drawn[0] = NONE
    state.on[SHIP] |= single(souvenir)
    state.spot[souvenir] = SHIP
    if count(state.on[SHIP]) >= U8(rules.ship_limit):
        win(state, ONE)
        return WAIT
    return then


@outlined
def retain(state: State, rules: Rules, kept: Any) -> None:
    """Solo: discards every card of the hand except one, in rising order, then the souvenir bound for the ship."""
    n = hand_size(state, ZERO)
    place = ZERO
    for _ in range(n):
        card = nth_in_hand(state, ZERO, place)
        if card == kept:
            place += ONE
        else:
            discard_from_hand(state, ZERO, card)
    discard(state, U8(state.drawn[0]))
    state.drawn[0] = NONE


@kernel
def encounter_effect(rules: Rules, card: Card) -> Any:
    return rules.effect[card - U8(FIRST_ENCOUNTER)]
