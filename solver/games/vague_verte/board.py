"""VAGUE VERTE: what lies on roads and beside rows, and what that allows.

What every road allows (`own`, `targets`) is updated when a card or a light changes it, so a decision only counts bits.
All cards that go on a road, your own or a rival's, take one path.
"""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, single
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Card, Rules, Seat, State
from houle.solver.games.vague_verte.state import (
    COLUMN,
    DARK,
    DUCKS,
    EVERY_SEAT,
    GREEN_LIGHTS,
    GROUPS,
    LIT,
    MAX_CARDS,
    MAX_ROAD,
    RED_LIGHTS,
    STARTED,
)

RING = U8(MAX_CARDS - 1)  # positions in the face-up pile's ring wrap around


@kernel
def aims(state: State, seat: Seat) -> Any:
    """The targets that `seat` may aim cards at: never its own road, and nothing before its first car."""
    targets, seat = state.targets, U8(seat)
    started = (targets >> (U8(STARTED) + seat)) & ONE
    return targets & ~(U8(COLUMN & EVERY_SEAT) << seat) & (ZERO - started)


@kernel
def target_numbers(open_to: Any) -> Any:
    """How many targets each group has, in four bits each; the seats are counted in parallel."""
    seats = open_to & U8(EVERY_SEAT)
    seats -= seats >> ONE & U8(0x5_5555)
    seats = (seats & U8(0x3_3333)) + (seats >> U8(2) & U8(0x3_3333))
    dark = count(open_to & (U8(0xFFFF) << U8(DARK)))
    lit = count(open_to >> U8(LIT))
    return seats | dark << U8(4 * RED_LIGHTS) | lit << U8(4 * GREEN_LIGHTS)


@kernel
def playable(state: State, rules: Rules, seat: Seat) -> Any:
    """All cards that `seat` could play on the board now if it held them."""
    cards = state.own[seat]
    open_to = aims(state, seat)
    for group in range(GROUPS):
        if open_to & rules.aims[group] != ZERO:
            cards |= rules.group[group]
    return cards


@kernel
def fill(state: State, rules: Rules, owner: Any, card: Card) -> None:
    """Lays a card on the next square of a road. A tow goes on the last card, ducks cost a turn."""
    tow = (rules.tows >> card) & ONE
    ducks = (rules.ducks >> card) & ONE
    filled = U8(state.filled[owner])
    state.road[owner, filled + (U8(MAX_ROAD - 1) if tow != ZERO else ZERO)] = card
    filled += ONE - tow
    state.filled[owner] = filled
    state.last[owner] = card
    state.missed[owner] += ducks
    if ducks == ZERO:
        state.follow[owner] = rules.follow[card]
    state.targets = _survey(state, rules, owner, filled, state.targets)
    if filled == U8(rules.road) and owner == U8(state.seat):
        state.winner = state.seat


@kernel
def _survey(state: State, rules: Rules, owner: Any, filled: Any, targets: Any) -> Any:
    """Updates what a started road allows: `own`, and its bits in the targets, which are returned."""
    opens = rules.opens[state.last[owner]]
    barred = has(targets, U8(LIT) + filled)
    moving = has(opens, 4 * DUCKS)
    state.own[owner] = rules.ambulances if barred and moving else state.follow[owner]
    bits = opens & (U8(1 << STARTED) if barred else rules.within[filled])
    owner = U8(owner)
    return (targets & ~(U8(COLUMN) << owner)) | (bits << owner)


@kernel
def switch_light(state: State, rules: Rules, row: Any, card: Card) -> None:
    """Puts up a red light or removes one. A removed light goes under the face-up pile, the green light on top of it."""
    targets = state.targets ^ (single(U8(DARK) + row) | single(U8(LIT) + row))
    if has(rules.red_lights, card):
        state.light[row] = card
    else:
        bottom = U8(state.bottom)
        state.faceup[(bottom - ONE) & RING] = card
        bottom = (bottom - U8(2)) & RING
        state.faceup[bottom] = state.light[row]
        state.bottom = bottom
        state.faceup_left += 2
    for owner in range(rules.seats):
        filled = U8(state.filled[owner])
        if filled == row:
            targets = _survey(state, rules, owner, filled, targets)
    state.targets = targets
