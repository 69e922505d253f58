"""VAGUE & ATTAQUE: the set-up, and the start of a turn."""

from __future__ import annotations

from typing import Any

from houle.solver.bitset import ONE, U8, ZERO
from houle.solver.games.vague_attaque.effects import ask
from houle.solver.games.vague_attaque.piles import draw_to_hand, shuffle
from houle.solver.games.vague_attaque.state import EXPLORE, FIRST_ARTEFACT, NONE, PLACES, SHIP, SOUVENIRS, SPOTS, WAIT
from houle.solver.games.vague_attaque.zones import allow, bare
from houle.solver.kernels import kernel, outlined


@outlined
def deal(state: Any, rules: Any) -> None:
    """Shuffles the piles, deals the artefacts, then a place and two souvenirs each."""
    stream = state.deal
    for pile in range(U8(3)):
        cards = U8(rules.cards[pile])
        for i in range(cards):
            state.pile[pile, i] = rules.pile[pile, i]
        state.left[pile] = cards
        state.thrown[pile] = 0
        state.shuffles[pile] = 0
        stream = shuffle(state.pile[pile], cards, stream)
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
    state.deal = _deal_artefacts(state, rules, stream)
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
    state.bonus = state.power_used = 0
    state.vague_attaque = state.turns = 0
    state.moves = 0
    state.winner = -1
    begin_turn(state, ZERO)


@kernel
def _deal_artefacts(state: Any, rules: Any, stream: Any) -> Any:
    """One at random each; alone one has the hook."""
    if rules.solo:
        state.artefact[0] = FIRST_ARTEFACT + rules.hook
        state.power[0] = rules.power[rules.hook]
        return stream
    for i in range(len(rules.power)):
        state.scratch[i] = i
    stream = shuffle(state.scratch, U8(len(rules.power)), stream)
    for seat in range(rules.seats):
        state.artefact[seat] = FIRST_ARTEFACT + state.scratch[seat]
        state.power[seat] = rules.power[state.scratch[seat]]
    return stream


@kernel
def begin_turn(state: Any, seat: Any) -> None:
    state.seat = seat
    state.place_laid = 0
    state.laid = 0
    ask(state, seat, EXPLORE, WAIT)
