"""How a person decides: by habit, and with some thought where it matters.

The habit is the rules of thumb, with slips. Noise on the ratings makes near-best moves by chance; it grows with the
spread of the ratings, so a slip means the same in every game. Rules that look far or need memory are missed by chance
(thumb.py). A slip never reaches for an optional help, such as a swap: that is open to the habit only where all rules of
thumb together rate it above every other move.

Thought is a few imagined deals, in which a few promising moves are played out. The score of a move is its gains plus
caution times its rating with the slip (best_move_race.py), so the habit is kept, with its slip, unless another move is
clearly better. Where no other move is rated near enough to be that, there is no thought.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import U8, ZERO
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Action, Flag, Key, Moves, Number, Player, Rules, Seat, State
from houle.solver.interface import MAX_FEATURES, category_bits, is_signal, kind, weighted_sum
from houle.solver.players.allowed_moves import distinct_moves
from houle.solver.players.best_move_race import HABIT, measure, winner
from houle.solver.players.flat import play_candidate
from houle.solver.players.kinds import MILLI
from houle.solver.players.reading.beliefs import drawn_world, weigh_worlds
from houle.solver.players.thumb import CERTAIN, LOWEST, NOISE_UNIT, RATING, noisy, rate, remembered_weights
from houle.solver.players.workspace import Workspace, imagine

NOISE = 2000  # thousandths of the mean deviation of the ratings: the temperature of a habit that only slips
LARGE = 1500  # thousandths of a usual difference between moves: gains above it in every deal are not expected
TRIES = 3  # moves that are played out, besides an optional help
THOUGHT = U8(0x7468_696E)  # part of a decision's key, for the chance of one more deal


@outlined
def person_move(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, moves: Moves, work: Workspace
) -> Action:
    """The move of a person. `key` is the random stream of the thought at this decision."""
    n = distinct_moves(state, rules, player.never, moves)
    if n == 1:
        return moves[0]
    own = _habit(state, rules, player, moves, n, work)
    deals = player.thought // MILLI
    deals += 1 if np.int64(below(derive(key, THOUGHT), MILLI)) < player.thought % MILLI else 0
    if deals == 0 or is_signal(state) or not _finds_rivals(player, work.candidates, n, own, deals):
        return moves[own]
    return moves[_think(state, rules, player, seat, key, moves, n, own, deals, work)]


@outlined
def _habit(state: State, rules: Rules, player: Player, moves: Moves, n: Number, work: Workspace) -> Number:
    """Rates the moves by the rules of thumb, with slips; returns the index of the move that the habit makes."""
    candidates, table = work.candidates, work.scene.table
    weights = local_zeros(MAX_FEATURES, np.int64)
    remembered_weights(state, player, weights)
    stream = advance(state.choice)
    state.choice = stream
    rate(state, rules, player.weights[:], moves, n, table)
    usual = LOWEST  # the best rating of a move that is no optional help
    for i in range(n):
        candidates[i].value = table[i, RATING]
        helps = player.optional != ZERO and category_bits(state, rules, moves[i]) & player.optional != ZERO
        candidates[i].help = helps
        usual = usual if helps else max(usual, candidates[i].value)
    temperature = NOISE * _deviation(candidates, n, usual) * player.slips // CERTAIN
    own, own_luck = -1, U8(0)
    for i in range(n):
        luck = derive(stream, kind(state, rules, moves[i]))  # as that of a thumb (thumb.py)
        candidates[i].rating = noisy(weighted_sum(state, weights, table, i), temperature, luck)
        if _is_open(candidates[i], usual):
            ahead = candidates[i].rating - candidates[max(own, 0)].rating
            if own < 0 or ahead > 0 or (ahead == 0 and luck > own_luck):
                own, own_luck = i, luck
    best = candidates[own].rating
    for i in range(n):
        if _is_open(candidates[i], usual):
            candidates[i].rating = (candidates[i].rating - best) // NOISE_UNIT
        else:  # no slip lifts it
            candidates[i].rating = candidates[i].value - usual
    return own


@kernel
def _is_open(candidate: Any, usual: Number) -> Flag:
    """Whether the habit may choose a move: an optional help must be rated above all others, without slips."""
    return not candidate.help or candidate.value > usual


@kernel
def _deviation(candidates: Any, n: Number, usual: Number) -> Number:
    """The mean deviation of the ratings without slips, of the moves that are open to the habit."""
    total, number, apart = 0, 0, 0
    for i in range(n):
        if _is_open(candidates[i], usual):
            total += candidates[i].value
            number += 1
    for i in range(n):
        if _is_open(candidates[i], usual):
            apart += abs(candidates[i].value * number - total)
    return apart // (number * number)


@outlined
def _finds_rivals(player: Player, candidates: Any, n: Number, own: Number, deals: Number) -> Flag:
    """Lets the moves into the race that thought may prefer to the habit's; returns whether there are any.

    These are the best-rated ones, and the best-rated optional help, if large gains in all deals make up for its rating.
    """
    for i in range(n):
        candidates[i].alive = i == own
        candidates[i].gain = candidates[i].gain_squared = 0
    helped, rivals = candidates[own].help, 0
    for kept in range(1, n):
        best = -1
        for i in range(n):
            fits = kept < TRIES or (candidates[i].help and not helped)
            if not candidates[i].alive and fits and (best < 0 or candidates[i].rating > candidates[best].rating):
                best = i
        if best < 0 or -candidates[best].rating * player.caution > deals * LARGE * (HABIT // MILLI):
            break
        candidates[best].alive = True
        helped = helped or candidates[best].help
        rivals += 1
    return rivals > 0


@outlined
def _think(
    state: State,
    rules: Rules,
    player: Player,
    seat: Seat,
    key: Key,
    moves: Moves,
    n: Number,
    own: Number,
    deals: Number,
    work: Workspace,
) -> Number:
    """The index of the best move in some imagined deals, in which all moves in the race are played out."""
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
