"""How a person decides: by habit, and with some thought where it matters.

The habit is the rules of thumb, with slips: noise on the ratings makes near-best moves by chance, and rules that look
far or need memory are missed by chance. A slip never reaches for an optional help, such as a swap: that is open to the
habit only where all rules of thumb together rate it above every other move.

Thought is a few imagined deals, and comes only where the habit is unsure or an optional help is on offer. A few
promising moves are played out in each deal. The score of a move is its gains plus caution times its rating with the
slip (best_move_race.py), so a slip stays unless another move is clearly better.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import U8, ZERO
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Action, Flag, Key, Moves, Number, Player, Rules, Seat, State
from houle.solver.interface import MAX_FEATURES, category_bits, features, is_signal, kind, weighted_sum
from houle.solver.players.allowed_moves import distinct_moves
from houle.solver.players.best_move_race import measure, winner
from houle.solver.players.flat import play_candidate
from houle.solver.players.player import MILLI
from houle.solver.players.reading.beliefs import drawn_world, weigh_worlds
from houle.solver.players.thumb import LOWEST, NOISE_UNIT, noisy, remembered_weights
from houle.solver.players.workspace import Workspace, imagine

THOUGHT = U8(0x7468_696E)  # part of a decision's key, for the chance of one more deal
UNSURE = 1000  # rating points: the habit is unsure where another move is rated less than this below its own
TEMPTED = 3000  # the same for an optional help
TRIES = 3  # moves that are played out


@outlined
def person_move(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, moves: Moves, work: Workspace
) -> Action:
    """The move of a person. `key` is the random stream of the thought at this decision."""
    candidates = work.candidates
    n = distinct_moves(state, rules, player.never, moves)
    if n == 1:
        return moves[0]
    own = _habit(state, rules, player, moves, n, work)
    if is_signal(state) or not _matters(player, candidates, n, own):
        return moves[own]
    deals = player.thought // MILLI
    deals += 1 if np.int64(below(derive(key, THOUGHT), MILLI)) < player.thought % MILLI else 0
    if deals == 0:
        return moves[own]
    _keep_promising(candidates, n, own)
    return moves[_think(state, rules, player, seat, key, moves, n, own, deals, work)]


@outlined
def _habit(state: State, rules: Rules, player: Player, moves: Moves, n: Number, work: Workspace) -> Number:
    """Rates the moves by the rules of thumb, with slips; returns the index of the move that the habit makes."""
    candidates, table = work.candidates, work.scene.table
    missed = player.nearsighted + player.loses_count + player.forgets > 0
    weights = local_zeros(MAX_FEATURES, np.int64)
    if missed:
        remembered_weights(state, player, weights)
    stream = advance(state.choice)
    state.choice = stream
    features(state, rules, moves, n, table)
    usual = LOWEST  # the best rating of a move that is no optional help, without slips
    for i in range(n):
        one = candidates[i]
        one.alive, one.gain, one.gain_squared = True, 0, 0
        one.value = weighted_sum(state, player.weights[:], table, i)
        one.help = player.optional != ZERO and category_bits(state, rules, moves[i]) & player.optional != ZERO
        usual = usual if one.help else max(usual, one.value)
    own, own_luck = -1, U8(0)
    for i in range(n):
        one = candidates[i]
        luck = derive(stream, kind(state, rules, moves[i]))  # as a thumb's (thumb.py)
        one.rating = noisy(weighted_sum(state, weights, table, i) if missed else one.value, player.temperature, luck)
        if one.help and one.value <= usual:
            continue
        ahead = 1 if own < 0 else one.rating - candidates[own].rating
        if ahead > 0 or (ahead == 0 and luck > own_luck):
            own, own_luck = i, luck
    best = candidates[own].rating
    for i in range(n):
        one = candidates[i]
        if one.help and one.value <= usual:  # it keeps its distance: a slip does not lift it
            one.rating = best - (usual - one.value) * NOISE_UNIT
        one.rating = (one.rating - best) // NOISE_UNIT
    return own


@kernel
def _matters(player: Player, candidates: Any, n: Number, own: Number) -> Flag:
    """Whether a decision is worth a thought: another move is rated nearly as high, or an optional help is on offer."""
    if player.thought == 0:
        return False
    for i in range(n):
        near = TEMPTED if candidates[i].help else UNSURE
        if i != own and candidates[i].rating + near >= 0:
            return True
    return False


@kernel
def _keep_promising(candidates: Any, n: Number, own: Number) -> None:
    """Keeps the own move, the best-rated others up to TRIES moves in all, and the best-rated optional help."""
    for i in range(n):
        candidates[i].alive = i == own
    helped = candidates[own].help
    for kept in range(1, n):
        best = -1
        for i in range(n):
            fits = kept < TRIES or (candidates[i].help and not helped)
            if not candidates[i].alive and fits and (best < 0 or candidates[i].rating > candidates[best].rating):
                best = i
        if best < 0:
            return
        candidates[best].alive = True
        helped = helped or candidates[best].help


@outlined
def _think(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, moves: Moves, n: Number, own: Number,
    deals: Number, work: Workspace,
) -> Number:  # fmt: skip
    """The index of the best move in some imagined deals, in which all moves still in the race are played out."""
    candidates, scene = work.candidates, work.scene
    reading = player.heeds > 0 and weigh_worlds(state, rules, player, seat, key, scene, work.memory)
    played = 0
    for deal in range(1, deals + 1):
        stream = derive(key, U8(deal))
        if not imagine(state, rules, player, seat, drawn_world(key, deal, work.memory) if reading else stream, scene):
            continue
        if reading:
            start_world(scene.worlds[0], stream)  # a world may be drawn twice: new luck each time
        played += 1
        for i in range(n):
            if candidates[i].alive:
                scene.worlds[1] = scene.worlds[0]
                candidates[i].value = play_candidate(rules, player, seat, moves[i], scene)
        measure(candidates, n, own)
    return winner(candidates, n, played, own, player.caution)
