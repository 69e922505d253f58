"""VAGUE & ATTAQUE: what a question to the partner tells everybody about the hand it is asked for (teams).

Gold cards lie open to all, so that nobody learns from an answer who holds one. But whether the partner is asked at all
depends on souvenirs that nobody else sees: for an extra souvenir he is asked only if none in the hand fits, for a
mooring only if one does. So "none fits" bars souvenirs from being what this hand holds, and "one fits" is a clue: of
these cards one at least is among those that could be laid.
"""

from __future__ import annotations

from typing import Any

from houle.solver.bitset import U8, ZERO, has, single
from houle.solver.games.vague_attaque.state import ALL_SOUVENIRS, MAX_CLUES
from houle.solver.games.vague_attaque.zones import fitting_spots
from houle.solver.kernels import kernel, outlined
from houle.solver.types import Card, Number, Rules, Seat, State


@kernel
def _fitting(state: State, rules: Rules, seat: Seat) -> Any:
    """All souvenirs that the seat could lay if they were in its hand."""
    souvenirs = ZERO
    for souvenir in range(U8(len(state.barred))):
        if fitting_spots(state, rules, seat, souvenir) != ZERO:
            souvenirs |= single(souvenir)
    return souvenirs


@outlined
def note_none_fits(state: State, rules: Rules, seat: Seat) -> None:
    """All know from now on: no souvenir in this hand could be laid."""
    fits = _fitting(state, rules, seat)
    for souvenir in range(U8(len(state.barred))):
        if has(state.hand[seat], souvenir):
            state.barred[souvenir] |= fits


@outlined
def note_one_fits(state: State, rules: Rules, seat: Seat) -> None:
    """All know from now on: a souvenir in this hand could be laid.

    Clues that this one makes needless are dropped; should there be too many, the oldest is forgotten.
    """
    cards, fits = state.hand[seat] & ALL_SOUVENIRS, _fitting(state, rules, seat)
    if cards & fits & state.public != ZERO:
        return
    cards &= ~state.public
    _drop_settled(state, rules)
    kept = 0
    for i in range(state.clues):
        if cards & ~state.clue_cards[i] != ZERO or fits & ~state.clue_fits[i] != ZERO:
            _move_clue(state, i, kept)
            kept += 1
    if kept == MAX_CLUES:
        kept -= 1
        for i in range(kept):
            _move_clue(state, i + 1, i)
    state.clue_cards[kept], state.clue_fits[kept] = cards, fits
    state.clues = kept + 1


@kernel
def _drop_settled(state: State, rules: Rules) -> None:
    """Clues about cards that all have seen meanwhile say nothing more about the others."""
    hidden = ZERO
    for seat in range(rules.seats):
        hidden |= state.hand[seat]
    _drop_shown(state, state.public | ~hidden)


@outlined
def drop_shuffled(state: State, souvenirs: Any) -> None:
    """Souvenirs that all saw in the discard go back into the pile: no clue is about them any more."""
    _drop_shown(state, souvenirs)


@kernel
def _drop_shown(state: State, shown: Any) -> None:
    kept = 0
    for i in range(state.clues):
        if state.clue_cards[i] & state.clue_fits[i] & shown == ZERO:
            _move_clue(state, i, kept)
            state.clue_cards[kept] &= ~shown
            kept += 1
    state.clues = kept


@kernel
def _move_clue(state: State, i: Number, to: Any) -> None:
    state.clue_cards[to], state.clue_fits[to] = state.clue_cards[i], state.clue_fits[i]


@kernel
def clues_about(state: State, souvenir: Card) -> Any:
    """The clues that a souvenir is one of the cards of, as a set."""
    found = ZERO
    for i in range(U8(state.clues)):
        if has(state.clue_cards[i], souvenir):
            found |= single(i)
    return found
