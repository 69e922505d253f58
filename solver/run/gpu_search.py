"""Games with flat search on a graphics card: one game per warp, with the imagined worlds spread over its lanes.

One decision cannot fill a card, so it plays as many games at a time as it can hold. Within a game the lanes share the
pairs of world and move of one batch (race.py). Utilities are whole numbers, so the sums equal those of the CPU. Only
the first lane does the rest of a game and plays the seats that do not search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import types

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import derive, start_streams
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.records import put
from houle.solver.compiler.types import Rules, State
from houle.solver.interface import (
    MAX_COUNTS,
    MAX_FEATURES,
    MAX_SIDES,
    Game,
    deal,
    has_standing,
    in_use,
    outcome,
    random_ply,
    round_over,
    searches_to_round_end,
    to_move,
)
from houle.solver.players.allowed_moves import act, distinct_moves
from houle.solver.players.best_move_race import BATCH, drop_worse, search_key, start_race, winner
from houle.solver.players.flat import play_candidate
from houle.solver.players.names import FLAT, RANDOM
from houle.solver.players.player import PLAYER
from houle.solver.players.thumb import thumb_decision
from houle.solver.players.workspace import CANDIDATE, COUNTERS, Scene, imagine
from houle.solver.run.cuda import called_on_card, card
from houle.solver.run.gpu_tally import FEATURE, LANES, MOMENTS, TOTALS, add_up, note_entry, row_of
from houle.solver.run.playout import note_game, note_leader, note_ledger
from houle.solver.run.tally import LEDGER, TallyArrays

SEAT, MOVES, OWN, ALIVE, PLAYED, CHOSEN, FACTS = range(7)  # values shared by the lanes of a game


@called_on_card  # type: ignore[untyped-decorator]
def _list_alive(candidates: Any, alive: Any, facts: Any) -> None:
    """Lists the moves that are still in the race."""
    n = 0
    for i in range(facts[MOVES]):
        if candidates[i].alive:
            alive[n] = i
            n += 1
    facts[ALIVE] = n


@called_on_card  # type: ignore[untyped-decorator]
def _play_batch(
    state: State, rules: Rules, player: Any, seat: Any, key: Any, first: Any, batch: Any, moves: Any, alive: Any,
    facts: Any, possible: Any, values: Any, scene: Any, imagined: Any,
) -> None:  # fmt: skip
    """Plays this lane's share of a batch: every LANES-th pair of world and move.

    A world is sampled again for every move, because reading it from the card's memory takes as long. It is played in
    directly, unless the game needs the root of the line (`search_over`).
    """
    n, own = facts[ALIVE], facts[OWN]
    for pair in range(card.threadIdx.x, batch * n, LANES):
        world, i = pair // n, alive[pair % n]
        sampled = imagine(state, rules, player, seat, derive(key, U8(first + world)), imagined)
        if sampled:
            if len(imagined.worlds) > 1:
                put(scene.worlds, 1, scene.worlds[0], in_use(state, rules))
            values[world, i] = play_candidate(rules, player, seat, moves[i], scene)
        if i == own:
            possible[world] = 1 if sampled else 0


@called_on_card  # type: ignore[untyped-decorator]
def _measure_batch(batch: Any, alive: Any, facts: Any, possible: Any, values: Any, candidates: Any) -> None:
    """Adds a batch to the moves of this lane, as `_measure` in race.py does world by world."""
    own = facts[OWN]
    for j in range(card.threadIdx.x, facts[ALIVE], LANES):
        i = alive[j]
        for world in range(batch):
            if possible[world] == 1:
                difference = values[world, i] - values[world, own]
                candidates[i].gain += difference
                candidates[i].gain_squared += difference * difference


def search_function(game: Game) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The function that plays a chunk in which somebody searches, and the types of its arguments."""
    state_type, most_moves = numba.from_dtype(game.STATE), game.MAX_MOVES
    counters_type = numba.from_dtype(COUNTERS)
    first_world = 1 if searches_to_round_end(game) else 0  # where a world is sampled: as the line, or beside it

    def search_games(
        blanks: Any, all_rules: Any, players: Any, seed: Any, first: Any, number: Any, replay: Any, lowest: Any,
        bins: Any, words: Any, histogram: Any, ledger: Any, kept: Any, courses: Any, all_values: Any,
        all_candidates: Any,
    ) -> None:  # fmt: skip
        states = card.shared.array(1, state_type)
        moves = card.shared.array(most_moves, types.int64)
        alive = card.shared.array(most_moves, types.int64)
        possible = card.shared.array(BATCH, types.int64)
        facts = card.shared.array(FACTS, types.int64)
        scene = Scene(
            card.local.array(1, counters_type), card.local.array(2, state_type),
            card.local.array(most_moves, types.int64), card.local.array((most_moves, MAX_FEATURES), FEATURE),
            local_zeros(MAX_SIDES, np.int64),
        )  # fmt: skip
        imagined = Scene(scene.counters, scene.worlds[first_world:], scene.buffer, scene.table, scene.utilities)
        scores = local_zeros(MAX_SIDES, np.int64)
        shares = local_zeros(MAX_SIDES, np.int64)
        points = local_zeros(MAX_SIDES, np.int64)
        totals = local_zeros(TOTALS, np.int64)
        counted = local_zeros(MAX_COUNTS, np.int64)
        moments = local_zeros((MAX_SIDES, MOMENTS), np.int64)
        sums = TallyArrays(lowest, totals, counted, moments, moments)
        is_first = card.threadIdx.x == 0
        if is_first:
            states[0] = blanks[0]
        state, rules, values = states[0], all_rules[0], all_values[card.blockIdx.x]
        course, candidates = courses[card.blockIdx.x], all_candidates[card.blockIdx.x]
        for row in range(card.blockIdx.x, number, card.gridDim.x):
            entries = ply = 0
            if is_first:
                start_streams(state, seed, first + row, replay)
                deal(state, rules)
                facts[SEAT] = to_move(state)
            card.syncthreads()
            seat = facts[SEAT]
            while seat >= 0:
                player = players[seat]
                if player.kind == FLAT:
                    key = derive(search_key(seed, first + row, replay), U8(ply))
                    if is_first:
                        facts[MOVES] = distinct_moves(state, rules, player.never, moves)
                        facts[CHOSEN] = 0
                        if facts[MOVES] > 1:
                            imagine(state, rules, player, seat, derive(key, U8(0)), scene)
                            facts[OWN] = start_race(rules, player, moves, facts[MOVES], candidates, scene)
                            facts[PLAYED] = 0
                            _list_alive(candidates, alive, facts)
                    card.syncthreads()
                    played = 0 if facts[MOVES] > 1 else player.budget
                    while played < player.budget:
                        batch = min(BATCH, player.budget - played)
                        _play_batch(
                            state, rules, player, seat, key, played + 1, batch, moves, alive, facts, possible, values,
                            scene, imagined,
                        )  # fmt: skip
                        card.syncthreads()
                        _measure_batch(batch, alive, facts, possible, values, candidates)
                        card.syncthreads()
                        if is_first:
                            for world in range(batch):
                                facts[PLAYED] += possible[world]
                            if batch == BATCH and possible[BATCH - 1] == 1:
                                drop_worse(candidates, facts[MOVES], facts[PLAYED], facts[OWN])
                                _list_alive(candidates, alive, facts)
                        played += batch
                        card.syncthreads()
                    if is_first and facts[MOVES] > 1:
                        facts[CHOSEN] = winner(candidates, facts[MOVES], facts[PLAYED], facts[OWN], player.caution)
                if is_first:
                    if player.kind == RANDOM:
                        random_ply(state, rules)
                    elif player.kind == FLAT:
                        act(state, rules, moves[facts[CHOSEN]])
                    else:
                        act(state, rules, thumb_decision(state, rules, player, scene.buffer, scene.table))
                    if kept != 0 and has_standing(state):
                        note_leader(state, rules, course, ply)
                    if round_over(state):
                        note_entry(state, rules, scores, points, lowest, bins, histogram, histogram)
                        entries += 1
                ply += 1
                card.syncthreads()  # all lanes have read whose turn it was
                if is_first:
                    facts[SEAT] = to_move(state)
                card.syncthreads()
                seat = facts[SEAT]
            if is_first:
                if entries == 0:  # over before the first move
                    note_entry(state, rules, scores, points, lowest, bins, histogram, histogram)
                    entries = 1
                if kept != 0:
                    outcome(state, rules, shares)
                    note_ledger(state, rules, entries, ply, shares, points, course, ledger[row])
                note_game(state, rules, entries, ply, shares, points, sums, None, row)
            card.syncthreads()
        if is_first:
            add_up(totals, counted, moments, words)

    record, whole = numba.from_dtype, types.int64
    arguments = (
        row_of(state_type), row_of(record(game.RULES)), row_of(record(PLAYER)), types.uint64, whole, whole, whole,
        whole, whole, row_of(whole), row_of(whole), types.Array(record(LEDGER), 2, "C"), whole,
        types.Array(types.int8, 2, "C"), types.Array(whole, 3, "C"), types.Array(record(CANDIDATE), 2, "C"),
    )  # fmt: skip
    return search_games, arguments
