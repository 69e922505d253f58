"""The race at the root of every search: all moves in the same imagined worlds, the best mean is played.

Moves are measured against the thumb's own move in the same world, because only pairs tell small differences apart.
Clearly worse ones are dropped on the way; where playouts cannot tell moves apart, `caution` keeps to the thumb's own.
What a move comes to in a world is found by playing it out (flat:N, which counts worlds) or by a simulation along a
tree that is learned meanwhile (ismcts:N, which counts simulations). The worlds are drawn evenly, or by how well they
explain what the others did, see reading/.
"""

from __future__ import annotations

import math
from typing import Any

from houle.solver.bitset import U8
from houle.solver.interface import kind, legal
from houle.solver.kernels import kernel, outlined
from houle.solver.strategies.decision_log import note_world, open_decision, two_best
from houle.solver.strategies.ends import exact_end
from houle.solver.strategies.flat import play_candidate, play_on
from houle.solver.strategies.imagining import imagine
from houle.solver.strategies.ismcts import plant, simulate
from houle.solver.strategies.judge import UNKNOWN, judged
from houle.solver.strategies.mixing import match_regrets, mixed_move, start_mixing
from houle.solver.strategies.moves import distinct_moves
from houle.solver.strategies.names import ISMCTS
from houle.solver.strategies.player import MILLI
from houle.solver.strategies.reading.beliefs import drawn_world, weigh_worlds
from houle.solver.strategies.thumb import thumb_move
from houle.solver.strategies.workspace import Scene, Workspace
from houle.solver.streams import derive, start_world
from houle.solver.types import Action, Key, Moves, Number, Player, Real, Rules, Seat, State

BATCH = 25  # worlds between two looks at which moves are clearly worse
CLEARLY = 3.5  # standard errors


@outlined
def race(state: State, rules: Rules, player: Player, seat: Seat, key: Key, moves: Moves, work: Workspace) -> Action:
    """The move of a search; `key` is its own stream for this decision.

    Where decisions are noted (see decision_log.py) no move is dropped early.
    """
    counters, candidates = work.scene.counters[0], work.candidates
    n = distinct_moves(state, rules, player.never, moves)
    by_tree = player.kind == ISMCTS
    noting = not by_tree and counters.noted < len(work.log)
    if noting:
        open_decision(work.log, counters, seat, legal(state, rules, work.scene.buffer), n)
    if n == 1:
        return moves[0]
    imagine(state, rules, player, seat, derive(key, U8(0)), work.scene)
    reference = thumbs_own(state, rules, player, moves, n, work.scene)
    start_race(candidates, n)
    if player.mix > 0:
        start_mixing(work.mixture, n, reference)
    reading = player.reads > 0 and weigh_worlds(state, rules, player, seat, key, work.scene, work.memory)
    if by_tree:
        plant(counters, work.tree)
    best = second = reference
    half = player.budget // 2
    spent = world = played = 0
    while spent < player.budget:
        world += 1
        stream = derive(key, U8(world))
        source = drawn_world(key, world, work.memory) if reading else stream
        if not imagine(state, rules, player, seat, source, work.scene):
            spent += 1
            continue
        if reading:
            start_world(work.scene.worlds[0], stream)  # a world that is drawn twice is played with other luck
        played += 1
        spent += 0 if by_tree else 1
        for i in range(n):
            if candidates[i].alive:
                work.scene.worlds[1] = work.scene.worlds[0]
                if by_tree:
                    candidates[i].value = simulate(rules, player, seat, moves[i], stream, work.scene, work.tree)
                    spent += 1
                else:
                    found = judged(state, rules, player, seat, moves[i], work) if player.judge > 0 else UNKNOWN
                    if found == UNKNOWN and player.ends > 0:
                        found = exact_end(state, rules, player, seat, moves[i], work)
                    elif found == UNKNOWN:
                        found = play_candidate(rules, player, seat, moves[i], work.scene)
                    candidates[i].value = found
                if noting and world > half:
                    candidates[i].share = play_on(rules, player, seat, work.scene)
        _measure(candidates, n, reference)
        if player.mix > 0:
            match_regrets(candidates, work.mixture, n, reference, played)
        if noting:
            if world <= half:
                best, second = two_best(candidates, n)
            else:
                note_world(work.log[counters.noted - 1], candidates, n, best, second, reference)
        elif world % BATCH == 0:
            drop_worse(candidates, n, played, reference)
    best = winner(candidates, n, played, reference, player.caution)
    if player.mix > 0:
        best = mixed_move(state, rules, player, key, moves, n, best, work)
    return moves[best]


@outlined
def thumbs_own(state: State, rules: Rules, player: Player, moves: Moves, n: Number, scene: Scene) -> Number:
    """Which of the moves the thumb would make itself, in an imagined world as in all that look the same."""
    own = thumb_move(scene.worlds[0], rules, player.weights[:], 0, player.never, scene.buffer, scene.table)
    label = kind(state, rules, own)
    reference = 0
    for i in range(n):
        if kind(state, rules, moves[i]) == label:
            reference = i
    return reference


@kernel
def start_race(candidates: Any, n: Number) -> None:
    for i in range(n):
        candidates[i].alive = True
        candidates[i].value = candidates[i].gain = candidates[i].gain_squared = 0


@kernel
def _measure(candidates: Any, n: Number, reference: Number) -> None:
    """Adds how much better each move was in one world than the thumb's own."""
    yardstick = candidates[reference].value
    for i in range(n):
        if candidates[i].alive:
            difference = candidates[i].value - yardstick
            candidates[i].gain += difference
            candidates[i].gain_squared += difference * difference


@kernel
def _leader(candidates: Any, n: Number, reference: Number) -> Number:
    leader = reference
    for i in range(n):
        if candidates[i].alive and candidates[i].gain > candidates[leader].gain:
            leader = i
    return leader


@kernel
def _error(candidate: Any, played: Number) -> Real:
    """Standard error of a mean gain.

    The one place of a race where numbers are not whole: made from exact sums by operations that round alike on every
    CPU. A compiler that joins a product and a sum into one rounding would have to be told not to.
    """
    if played < 2:
        return 0.0
    mean = candidate.gain / played
    return math.sqrt(max(candidate.gain_squared / played - mean * mean, 0.0) / (played - 1))


@outlined
def drop_worse(candidates: Any, n: Number, played: Number, reference: Number) -> None:
    """Drops moves that are clearly worse than the leader; the thumb's own move stays, as the yardstick."""
    leader = _leader(candidates, n, reference)
    floor = candidates[leader].gain / played - CLEARLY * _error(candidates[leader], played)
    for i in range(n):
        if candidates[i].alive and i not in (leader, reference):
            ceiling = candidates[i].gain / played + CLEARLY * _error(candidates[i], played)
            if ceiling < floor:
                candidates[i].alive = False


@outlined
def winner(candidates: Any, n: Number, played: Number, reference: Number, caution: Number) -> Number:
    """The move with the greatest gain over the thumb's own, if it is beyond `caution` errors; else the thumb's."""
    best = _leader(candidates, n, reference)
    error = _error(candidates[best], played)
    return best if candidates[best].gain / max(played, 1) > error * caution / MILLI else reference
