"""VAGUE & ATTAQUE: the turn and its phases, and what an action does."""

from __future__ import annotations

from typing import Any

from houle.solver.bitset import ONE, U8, ZERO, single
from houle.solver.games.vague_attaque.deck import POWERS
from houle.solver.games.vague_attaque.duel import answer_parry, answer_steady, name_target
from houle.solver.games.vague_attaque.effects import (
    FIRST_GOLD,
    NO_ANCHOR,
    ask,
    bind_for_ship,
    drop_anchor,
    encounter_effect,
    left_of,
    load_ship,
    resolve,
    retain,
    ship_turn,
    steal,
)
from houle.solver.games.vague_attaque.moves import choose, may_land
from houle.solver.games.vague_attaque.piles import (
    can_draw,
    discard,
    discard_from_hand,
    draw,
    draw_to_hand,
    hand_over,
    hand_size,
    put_in,
    spend_gold,
)
from houle.solver.games.vague_attaque.setup import begin_turn
from houle.solver.games.vague_attaque.state import (
    DROP,
    ENCOUNTER,
    ENCOUNTERS,
    EXPLORE,
    EXTRA,
    GIVE,
    LAND,
    LOSE,
    NONE,
    OVER,
    PARRY,
    PLACES,
    REFILL,
    RETAIN,
    SOUVENIRS,
    SPOT,
    SPYGLASS,
    STEADY,
    STEAL,
    TO_ENCOUNTER,
    TO_LAND,
    TO_NEXT,
    TO_SHIP,
    TO_TIDY,
    V_DECLINE,
    V_DISCARD,
    V_DRAW,
    V_DUEL,
    V_HOOK,
    V_PLACE,
    V_STOP,
    VERB,
    WAIT,
)
from houle.solver.games.vague_attaque.zones import lay_place, lay_souvenir, move_ship
from houle.solver.kernels import kernel, outlined

WITH_SPYGLASS = POWERS.index("spyglass")


@kernel
def apply(state: Any, rules: Any, action: Any) -> None:
    _act(state, rules, action >> VERB, U8(action & 127), U8((action >> SPOT) & 31))


@kernel
def random_ply(state: Any, rules: Any) -> None:
    verb, card, spot = choose(state, rules)
    _act(state, rules, verb, card, spot)


@kernel
def _act(state: Any, rules: Any, verb: Any, card: Any, spot: Any) -> None:
    phase = state.phase
    if phase == EXPLORE:
        step = _explore(state, rules, verb, card)
    elif phase == ENCOUNTER:
        step = name_target(state, rules, card) if verb == V_DUEL else _adventure(state, rules)
    elif phase == LAND:
        step = _land(state, rules, verb, card, spot)
    else:
        step = _settle(state, rules, phase, verb, card, spot)
    _go_on(state, rules, step)


@outlined
def _settle(state: Any, rules: Any, phase: Any, verb: Any, card: Any, spot: Any) -> Any:
    """The decisions asked within a phase."""
    seat = U8(state.mover)
    then = state.then
    if phase in (LOSE, DROP):
        discard_from_hand(state, seat, card)
    elif phase == SPYGLASS:
        _keep(state, seat, card)
    elif phase == STEADY:
        return answer_steady(state, rules, card == ONE)
    elif phase == PARRY:
        return answer_parry(state, rules, card == ONE)
    elif phase == EXTRA:
        if verb != V_DECLINE:
            return _lay(state, rules, seat, card, spot, then)
    elif phase == STEAL:
        steal(state, seat, card)
    elif phase == GIVE:
        hand_over(state, seat, left_of(rules, seat), card)
    elif phase == REFILL:
        draw_to_hand(state, rules, seat, card)
    elif phase == RETAIN:
        retain(state, rules, card)
    elif card == ONE:
        state.power_used = 1
        return ask(state, seat, RETAIN, then)
    else:
        return load_ship(state, rules, U8(state.drawn[0]), then)
    return then


@kernel
def _go_on(state: Any, rules: Any, step: Any) -> None:
    """Runs through what needs no decision, up to the next one."""
    if step == TO_ENCOUNTER:
        ask(state, U8(state.seat), ENCOUNTER, WAIT)
        return
    if step == TO_LAND:
        if state.pending != NONE:
            discard(state, U8(state.pending))
            state.pending = NONE
        if may_land(state, rules):
            ask(state, U8(state.seat), LAND, WAIT)
            return
        step = TO_TIDY
    if step == TO_TIDY:
        step = _tidy(state, rules)
    if step == TO_SHIP:
        step = ship_turn(state, rules) if rules.solo else TO_NEXT
    if step == TO_NEXT:
        _end_turn(state, rules)


@kernel
def _explore(state: Any, rules: Any, verb: Any, card: Any) -> Any:
    seat = U8(state.seat)
    if verb == V_DRAW:
        if rules.solo or state.power[seat] == WITH_SPYGLASS:
            return _draw_with_care(state, rules, seat)
        draw_to_hand(state, rules, seat, SOUVENIRS)
    elif verb == V_HOOK:
        top = U8(state.thrown[SOUVENIRS]) - ONE
        taken = single(state.discard[SOUVENIRS, top])
        state.thrown[SOUVENIRS] = top
        state.hand[seat] |= taken
        state.public |= taken
    else:
        discard_from_hand(state, seat, card)
        draw_to_hand(state, rules, seat, PLACES)
    return TO_ENCOUNTER


@outlined
def _draw_with_care(state: Any, rules: Any, seat: Any) -> Any:
    """Spyglass: two are drawn and one kept. Solo: a souvenir with the ship's symbol goes on the ship."""
    card = draw(state, rules, SOUVENIRS)
    if card == U8(NONE):
        return TO_ENCOUNTER
    if rules.solo:
        if (rules.on_ship >> card) & ONE != ZERO:
            return bind_for_ship(state, rules, card, TO_ENCOUNTER)
    else:
        other = draw(state, rules, SOUVENIRS)
        if other != U8(NONE):
            state.drawn[0] = card
            state.drawn[1] = other
            return ask(state, seat, SPYGLASS, TO_ENCOUNTER)
    state.hand[seat] |= single(card)
    return TO_ENCOUNTER


@kernel
def _keep(state: Any, seat: Any, card: Any) -> None:
    other = state.drawn[1] if U8(state.drawn[0]) == card else state.drawn[0]
    discard(state, U8(other))
    state.hand[seat] |= single(card)
    state.drawn[0] = state.drawn[1] = NONE


@kernel
def _adventure(state: Any, rules: Any) -> Any:
    card = draw(state, rules, ENCOUNTERS)
    if card == U8(NONE):
        return TO_LAND
    effect = encounter_effect(rules, card)
    if effect >= FIRST_GOLD:
        put_in(state, U8(state.seat), card)
        return TO_LAND
    state.pending = card
    return resolve(state, rules, effect)


@kernel
def _land(state: Any, rules: Any, verb: Any, card: Any, spot: Any) -> Any:
    seat = U8(state.seat)
    if verb == V_STOP:
        return TO_TIDY
    if verb == V_PLACE:
        state.place_laid = 1
        lay_place(state, rules, seat, card)
        return TO_LAND
    if verb == V_DISCARD:
        discard_from_hand(state, seat, card)
        anchor = rules.anchor[card]
        return TO_TIDY if anchor == NO_ANCHOR else drop_anchor(state, rules, seat, anchor, TO_TIDY)
    if state.laid < rules.allowance[state.power[seat]]:
        state.laid += 1
    else:
        spend_gold(state, seat, state.gold[seat] & rules.mooring)
    return _lay(state, rules, seat, card, spot, TO_LAND)


@kernel
def _lay(state: Any, rules: Any, seat: Any, card: Any, spot: Any, then: Any) -> Any:
    """Lays a souvenir; its anchor comes last, and not at all if the game is won."""
    if lay_souvenir(state, rules, seat, card, spot):
        return WAIT
    anchor = rules.anchor[card]
    return then if anchor == NO_ANCHOR else drop_anchor(state, rules, seat, anchor, then)


@kernel
def _tidy(state: Any, rules: Any) -> Any:
    """The hand limit; an empty hand draws a card."""
    seat = U8(state.seat)
    cards = hand_size(state, seat)
    if cards > U8(rules.limit[state.power[seat]]):
        return ask(state, seat, DROP, TO_TIDY)
    if cards == ZERO and (can_draw(state, SOUVENIRS) or can_draw(state, PLACES)):
        return ask(state, seat, REFILL, TO_SHIP)
    return TO_SHIP


@kernel
def _end_turn(state: Any, rules: Any) -> None:
    seat = left_of(rules, U8(state.seat))
    state.turns += 1
    if seat == ZERO:
        move_ship(state, rules)
    if state.turns >= rules.max_turns:
        state.mover = -1
        state.phase = OVER
    else:
        begin_turn(state, seat)
