"""VAGUE & ATTAQUE: the deal, the turn and its phases, and what an action does."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, U8, ZERO, left_of, members
from houle.solver.cards.streams import derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Rules, Seat, State
from houle.solver.games.vague_attaque.duel import answer_parry, answer_steady, name_target
from houle.solver.games.vague_attaque.effects import (
    FIRST_GOLD,
    ask,
    encounter_effect,
    load_ship,
    resolve,
    retain,
    ship_turn,
    steal,
)
from houle.solver.games.vague_attaque.explore import explore, keep
from houle.solver.games.vague_attaque.land import answer_mooring, ask_for_mooring, land, lay, may_land
from houle.solver.games.vague_attaque.moves import choose
from houle.solver.games.vague_attaque.moves import legal as legal
from houle.solver.games.vague_attaque.moves import random_move as random_move
from houle.solver.games.vague_attaque.piles import (
    can_draw,
    discard,
    discard_from_hand,
    draw,
    draw_to_hand,
    hand_over,
    hand_size,
    put_in,
    shuffle,
)
from houle.solver.games.vague_attaque.state import (
    DROP,
    ENCOUNTER,
    ENCOUNTERS,
    EXPLORE,
    EXTRA,
    FIRST_ARTEFACT,
    FIRST_PLACE,
    GIVE,
    LAND,
    LOSE,
    MOORING,
    NONE,
    OVER,
    PARRY,
    PLACES,
    REFILL,
    RETAIN,
    SHIP,
    SHIP_CARD,
    SOUVENIRS,
    SPOT,
    SPOTS,
    SPYGLASS,
    STEADY,
    STEAL,
    TO_ENCOUNTER,
    TO_LAND,
    TO_NEXT,
    TO_SHIP,
    TO_TIDY,
    V_DECLINE,
    V_DUEL,
    VERB,
    VERBS,
    WAIT,
)
from houle.solver.games.vague_attaque.zones import allow, bare, move_ship
from houle.solver.rules import Setup

ARTEFACTS = U8(3)  # their part of the deal, after the three piles


@outlined
def deal(state: State, rules: Rules) -> None:
    """Shuffles each pile with its own random numbers, deals the artefacts, then a place and two souvenirs each."""
    for pile in range(U8(3)):
        cards = U8(rules.cards[pile])
        for i in range(cards):
            state.pile[pile, i] = rules.pile[pile, i]
        state.left[pile] = cards
        state.thrown[pile] = 0
        state.shuffles[pile] = 0
        shuffle(state.pile[pile], cards, derive(state.deal, pile))
    for card in range(len(state.batch)):
        state.batch[card] = 0
    for card in range(len(state.barred)):
        state.barred[card] = ZERO
    for spot in range(SPOTS):
        state.on[spot] = ZERO
        state.owner[spot] = NONE
    for seat in range(rules.seats):
        state.hand[seat] = state.gold[seat] = state.open[seat] = state.known[seat] = ZERO
        state.exposed[seat] = ZERO
        state.validated[seat] = 0
    state.needy = state.public = ZERO
    _deal_artefacts(state, rules)
    for source in (PLACES, SOUVENIRS, SOUVENIRS):
        for seat in range(U8(rules.seats)):
            draw_to_hand(state, rules, seat, source)
    if rules.middle:
        allow(state, rules, ZERO, U8(SHIP))
        allow(state, rules, ONE, U8(SHIP))
    elif not rules.solo:
        state.owner[SHIP] = 0
        state.exposed[0] = bare(rules, U8(SHIP))
        allow(state, rules, ZERO, U8(SHIP))
    state.pending = state.target = state.drawn[0] = state.drawn[1] = NONE
    state.bonus = state.ship_waits = state.power_used = state.clues = 0
    state.duels = state.turns = 0
    state.moves = 0
    state.winner = -1
    _begin_turn(state, ZERO)


@kernel
def _deal_artefacts(state: State, rules: Rules) -> None:
    """Deals a random artefact to each seat; the solo player has the hook."""
    if rules.solo:
        state.artefact[0] = FIRST_ARTEFACT + rules.hook
        state.power[0] = rules.power[rules.hook]
        return
    for i in range(len(rules.power)):
        state.scratch[i] = i
    shuffle(state.scratch, U8(len(rules.power)), derive(state.deal, ARTEFACTS))
    for seat in range(rules.seats):
        state.artefact[seat] = FIRST_ARTEFACT + state.scratch[seat]
        state.power[seat] = rules.power[state.scratch[seat]]


@kernel
def _begin_turn(state: State, seat: Seat) -> None:
    state.seat = seat
    state.place_laid = 0
    state.laid = state.lent = state.refused = state.thefts = 0
    ask(state, seat, EXPLORE, WAIT)


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    _act(state, rules, action >> VERB, U8(action & 127), U8((action >> SPOT) & 31))


@kernel
def random_ply(state: State, rules: Rules) -> None:
    verb, card, spot = choose(state, rules)
    _act(state, rules, verb, card, spot)


@kernel
def _act(state: State, rules: Rules, verb: Any, card: Card, spot: Any) -> None:
    phase = state.phase
    if phase == EXPLORE:
        step = explore(state, rules, verb, card)
    elif phase == ENCOUNTER:
        step = name_target(state, rules, card) if verb == V_DUEL else _adventure(state, rules)
    elif phase == LAND:
        step = land(state, rules, verb, card, spot)
    else:
        step = _settle(state, rules, phase, verb, card, spot)
    _go_on(state, rules, step)


@outlined
def _settle(state: State, rules: Rules, phase: Any, verb: Any, card: Card, spot: Any) -> Any:
    """Carries out a decision asked for within a phase; returns the next step."""
    seat = U8(state.mover)
    then = state.then
    if phase in (LOSE, DROP):
        discard_from_hand(state, seat, card)
    elif phase == SPYGLASS:
        keep(state, seat, card)
    elif phase == STEADY:
        return answer_steady(state, rules, card == ONE)
    elif phase == PARRY:
        return answer_parry(state, rules, card == ONE)
    elif phase == MOORING:
        return answer_mooring(state, rules, card == ONE)
    elif phase == EXTRA:
        if verb != V_DECLINE:
            return lay(state, rules, seat, card, spot, then)
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
def _go_on(state: State, rules: Rules, step: Any) -> None:
    """Carries out what needs no decision, up to the next one."""
    if step == TO_ENCOUNTER:
        ask(state, U8(state.seat), ENCOUNTER, WAIT)
        return
    if step == TO_LAND:
        if state.pending != NONE:
            discard(state, U8(state.pending))
            state.pending = NONE
        if ask_for_mooring(state, rules):
            return
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
def _adventure(state: State, rules: Rules) -> Any:
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
def _tidy(state: State, rules: Rules) -> Any:
    """Enforces the hand limit; an empty hand draws a card."""
    seat = U8(state.seat)
    cards = hand_size(state, seat)
    if cards > U8(rules.limit[state.power[seat]]):
        return ask(state, seat, DROP, TO_TIDY)
    if cards == ZERO and (can_draw(state, SOUVENIRS) or can_draw(state, PLACES)):
        return ask(state, seat, REFILL, TO_SHIP)
    return TO_SHIP


@kernel
def _end_turn(state: State, rules: Rules) -> None:
    seat = left_of(rules, U8(state.seat))
    state.turns += 1
    if seat == ZERO:
        if not state.ship_waits:
            move_ship(state, rules)
        state.ship_waits = 0
    if state.turns >= rules.max_turns:
        state.mover = -1
        state.phase = OVER
    else:
        _begin_turn(state, seat)


def action_kinds(setup: Setup, seat: int) -> list[int]:
    """Seats are counted from the acting one, so an action means the same for every seat."""
    rules, players = setup.rules[0], setup.players
    faces = [card for card in range(FIRST_ARTEFACT) if card != SHIP_CARD and int(rules.twin[card]) == card]
    souvenirs = [card for card in faces if card < FIRST_PLACE]
    places = [card for card in faces if FIRST_PLACE <= card < SHIP_CARD]
    loads = [spot << SPOT | card for card in souvenirs for spot in members(int(rules.bears[card]))]
    others = [(seat + number) % players for number in range(1, players)]
    cards = {
        "swap": souvenirs, "duel": range(SHIP_CARD + 1), "lay place": places, "lay": loads, "discard": souvenirs,
        "lose": faces, "drop": faces, "keep": souvenirs, "steady": range(2), "parry": range(2), "extra": loads,
        "steal": others, "give": faces, "refill": range(2), "power": range(2), "retain": faces, "mooring": range(2),
    }  # fmt: skip
    return [code << VERB | card for code, verb in enumerate(VERBS) for card in cards.get(verb, [0])]
