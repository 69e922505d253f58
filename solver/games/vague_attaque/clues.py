"""VAGUE & ATTAQUE: what everyone learns about a hand when its player's partner is asked something (teams).

Gold cards are open, so an answer does not show who holds one. But whether the partner is asked at all depends on
souvenirs that nobody else sees. The partner is asked for an extra souvenir only if none in the player's hand fits, and
for a mooring only if one does. So "none fits" bars souvenirs from this hand. "One fits" is a clue: at least one of
these cards is among those that could be laid.
"""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import U8, ZERO, has, single
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Number, Rules, Seat, State
from houle.solver.games.vague_attaque.state import ALL_SOUVENIRS, MAX_CLUES
from houle.solver.games.vague_attaque.zones import fitting_spots


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
    """Notes that no souvenir in this hand could be laid; everyone knows it from now on."""
    fits = _fitting(state, rules, seat)
    for souvenir in range(U8(len(state.barred))):
        if has(state.hand[seat], souvenir):
            state.barred[souvenir] |= fits


@outlined
def note_one_fits(state: State, rules: Rules, seat: Seat) -> None:
    """Notes that a souvenir in this hand could be laid; everyone knows it from now on.

    Clues that this one makes needless are dropped. If there are too many, the oldest is forgotten.
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
    """Drops clues about cards that everyone has seen since; they say nothing more about the others."""
    hidden = ZERO
    for seat in range(rules.seats):
        hidden |= state.hand[seat]
    _drop_shown(state, state.public | ~hidden)


@outlined
def drop_shuffled(state: State, souvenirs: Any) -> None:
    """Drops clues about souvenirs that everyone saw in the discard and that go back into the pile."""
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
    """The clues whose cards include a souvenir, as a set."""
    clues = ZERO
    for i in range(U8(state.clues)):
        if has(state.clue_cards[i], souvenir):
            clues |= single(i)
    return clues
