"""Determinized Monte Carlo: every move is played out in the same imagined worlds, the best mean is played.

The imagined players are noisy thumbs: against a deterministic opponent a search learns to exploit it, and loses to
players it did not expect. Where playouts cannot tell moves apart, `caution` keeps to the thumb's own move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import U8, ZERO
from houle.solver.contract import MAX_SIDES, determinize, kind, legal, round_over, worth
from houle.solver.kernels import kernel, outlined
from houle.solver.strategies.decision_log import PLAYOUTS, PLIES, USED, note_world, open_note, two_best
from houle.solver.strategies.player import CLAIRVOYANT, MILLI
from houle.solver.strategies.thumb import act, permitted, thumb_move
from houle.solver.streams import derive

BATCH = 25  # worlds between two looks at which moves are clearly worse
CLEARLY = 3.5  # standard errors


@outlined
def play_out(line: Any, rules: Any, player: Any, buffer: Any, table: Any) -> Any:
    """Noisy thumbs in all seats, to the end of the round; returns how many plies that took."""
    plies = 0
    while not round_over(line):
        plies += 1
        action = thumb_move(line, rules, player.weights, player.noise, ZERO, buffer, table)
        act(line, rules, action)
    return plies


@outlined
def distinct_moves(state: Any, rules: Any, never: Any, moves: Any) -> Any:
    """Legal actions of no category in `never`, equal ones once; returns how many."""
    n = permitted(state, rules, never, moves, legal(state, rules, moves))
    kept = 0
    for i in range(n):
        label = kind(state, rules, moves[i])
        seen = False
        for j in range(kept):
            seen = seen or kind(state, rules, moves[j]) == label
        if not seen:
            moves[kept] = moves[i]
            kept += 1
    return kept


@outlined
def imagine(scratch: Any, state: Any, rules: Any, player: Any, seat: Any, key: Any) -> Any:
    """A world to play in: one the seat cannot tell from the real one, or for a clairvoyant the real one itself."""
    scratch[0] = state
    if player.kind == CLAIRVOYANT:
        scratch[0].choice = key
        return True
    return determinize(scratch[0], rules, seat, key)


@outlined
def flat_move(
    state: Any,
    rules: Any,
    player: Any,
    seat: Any,
    key: Any,
    scratch: Any,
    moves: Any,
    buffer: Any,
    table: Any,
    gains: Any,
    notes: Any,
    place: Any,
) -> Any:
    """The move of flat:N. `scratch` holds two states; `key` is the search's own stream for this decision.

    Where decisions are noted (see stakes.py) no move is dropped early.
    """
    n = distinct_moves(state, rules, player.never, moves)
    noting = place[USED] < len(notes)
    if noting:
        open_note(notes, place, seat, legal(state, rules, buffer), n)
    if n == 1:
        return moves[0]
    side = rules.side[seat]
    worths = np.zeros(MAX_SIDES, np.float64)
    imagine(scratch, state, rules, player, seat, derive(key, U8(0)))
    reference = own_move(scratch, rules, player, buffer, table, state, moves, n)
    alive = np.ones(n, np.bool_)
    value = np.zeros(n, np.float64)
    gain = gains[:n]  # over the thumb's own move, in the same worlds
    gain[:] = 0.0
    gain_squared = np.zeros(n, np.float64)
    played = 0
    half = player.budget // 2
    best = second = reference
    for number in range(1, player.budget + 1):
        if not imagine(scratch, state, rules, player, seat, derive(key, U8(number))):
            continue
        played += 1
        for i in range(n):
            if alive[i]:
                scratch[1] = scratch[0]
                line = scratch[1]
                act(line, rules, moves[i])
                place[PLIES] += 1 + play_out(line, rules, player, buffer, table)
                place[PLAYOUTS] += 1
                worth(line, rules, worths)
                value[i] = worths[side]
        for i in range(n):
            if alive[i]:
                difference = value[i] - value[reference]
                gain[i] += difference
                gain_squared[i] += difference * difference
        if noting:
            if number <= half:
                best, second = two_best(gain)
            else:
                note_world(notes, place, value, best, second, reference)
        elif number % BATCH == 0:
            drop_worse(alive, gain, gain_squared, played, reference)
    return moves[best_of(alive, gain, gain_squared, played, reference, player.caution)]


@outlined
def best_of(alive: Any, gain: Any, gain_squared: Any, played: Any, reference: Any, caution: Any) -> Any:
    """The move with the greatest gain over the thumb's own, if it is beyond `caution` errors; else the thumb's."""
    best = reference
    for i in range(len(alive)):
        if alive[i] and gain[i] > gain[best]:
            best = i
    error = _error(gain[best], gain_squared[best], played)
    return best if gain[best] / max(played, 1) > error * caution / MILLI else reference


@outlined
def own_move(scratch: Any, rules: Any, player: Any, buffer: Any, table: Any, state: Any, moves: Any, n: Any) -> Any:
    """Which of the moves the thumb would make itself, in an imagined world as in all that look the same."""
    own = thumb_move(scratch[0], rules, player.weights, 0, player.never, buffer, table)
    label = kind(state, rules, own)
    reference = 0
    for i in range(n):
        if kind(state, rules, moves[i]) == label:
            reference = i
    return reference


@kernel
def _error(total: Any, squared: Any, n: Any) -> Any:
    """Standard error of a mean gain."""
    if n < 2:
        return 0.0
    mean = total / n
    return np.sqrt(max(squared / n - mean * mean, 0.0) / (n - 1))


@outlined
def drop_worse(alive: Any, gain: Any, gain_squared: Any, played: Any, reference: Any) -> None:
    """Drops moves that are clearly worse than the leader; the thumb's own move stays, as the yardstick."""
    leader = reference
    for i in range(len(alive)):
        if alive[i] and gain[i] > gain[leader]:
            leader = i
    floor = gain[leader] / played - CLEARLY * _error(gain[leader], gain_squared[leader], played)
    for i in range(len(alive)):
        if alive[i] and i not in (leader, reference):
            ceiling = gain[i] / played + CLEARLY * _error(gain[i], gain_squared[i], played)
            if ceiling < floor:
                alive[i] = False
