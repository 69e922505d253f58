"""Whole games on a graphics card, one game per thread, with the same integer counts as on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import types

from houle.solver.cards.streams import start_streams
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.interface import (
    MAX_COUNTS,
    MAX_FEATURES,
    MAX_SIDES,
    Game,
    deal,
    has_standing,
    is_signal,
    outcome,
    random_ply,
    random_round,
    round_over,
    to_move,
)
from houle.solver.players.allowed_moves import act
from houle.solver.players.names import RANDOM
from houle.solver.players.player import PLAYER
from houle.solver.players.thumb import thumb_decision
from houle.solver.run.cuda import card
from houle.solver.run.gpu_tally import FEATURE, MOMENTS, MOST_BINS, THREADS, TOTALS, WORDS, add_up, note_entry, row_of
from houle.solver.run.playout import note_game, note_leader, note_ledger
from houle.solver.run.tally import LEDGER, TallyArrays


def games_function(game: Game, by_thumb: bool, apart: bool) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """The function that plays a chunk, and the types of its arguments; `apart`: with a ledger.

    The threads of a block add up their counts first; then the block adds them to the sums of the chunk.
    """
    state_type, most_moves = numba.from_dtype(game.STATE), game.MAX_MOVES if by_thumb else 1

    def play_games(
        blanks: Any, all_rules: Any, players: Any, seed: Any, first: Any, number: Any, replay: Any, lowest: Any,
        bins: Any, words: Any, histogram: Any, ledger: Any, courses: Any,
    ) -> None:  # fmt: skip
        states = card.local.array(1, state_type)
        moves = card.local.array(most_moves, types.int64)
        table = card.local.array((most_moves, MAX_FEATURES), FEATURE)
        scores = local_zeros(MAX_SIDES, np.int64)
        shares = local_zeros(MAX_SIDES, np.int64)
        points = local_zeros(MAX_SIDES, np.int64)
        totals = local_zeros(TOTALS, np.int64)
        counted = local_zeros(MAX_COUNTS, np.int64)
        moments = local_zeros((MAX_SIDES, MOMENTS), np.int64)
        sums = TallyArrays(lowest, totals, counted, moments, moments)
        of_block = card.shared.array(WORDS, types.int64)
        bins_of_block = card.shared.array(MOST_BINS, types.int64)
        states[0] = blanks[0]
        state, rules = states[0], all_rules[0]
        here = card.threadIdx.x
        for k in range(here, WORDS, THREADS):
            of_block[k] = 0
        for k in range(here, MOST_BINS, THREADS):
            bins_of_block[k] = 0
        card.syncthreads()
        for step in range(-(-number // card.gridsize(1))):
            row = step * card.gridsize(1) + card.grid(1)
            if row < number:
                start_streams(state, seed, first + row, replay)
                deal(state, rules)
                entries = ply = signals = 0
                seat = to_move(state)
                while seat >= 0:
                    if by_thumb and players[seat].kind != RANDOM:
                        player = players[seat]
                        signals += 1 if is_signal(state) else 0
                        act(state, rules, thumb_decision(state, rules, player, moves, table))
                    elif by_thumb or apart:
                        random_ply(state, rules)
                    else:
                        ply += random_round(state, rules) - 1
                    if apart and has_standing(state):
                        note_leader(state, rules, courses[card.grid(1)], ply)
                    ply += 1
                    if round_over(state):
                        note_entry(state, rules, scores, points, lowest, bins, bins_of_block, histogram)
                        entries += 1
                    seat = to_move(state)
                if entries == 0:  # over before the first move
                    note_entry(state, rules, scores, points, lowest, bins, bins_of_block, histogram)
                    entries = 1
                if apart:
                    outcome(state, rules, shares)
                    note_ledger(
                        state, rules, entries, ply - signals, shares, points, courses[card.grid(1)], ledger[row]
                    )
                note_game(state, rules, entries, ply - signals, shares, points, sums, None, row)
            card.syncwarp()  # keeps the lanes of a warp in step, which is faster
        add_up(totals, counted, moments, of_block)
        card.syncthreads()
        for k in range(here, WORDS, THREADS):
            if of_block[k] != 0:
                card.atomic.add(words, k, of_block[k])
        for k in range(here, MOST_BINS, THREADS):
            if bins_of_block[k] != 0:
                card.atomic.add(histogram, k, bins_of_block[k])

    play_games.__name__ = f"play_games_{'thumb' if by_thumb else 'random'}{'_apart' if apart else ''}"
    record, whole = numba.from_dtype, types.int64
    arguments = (
        row_of(state_type), row_of(record(game.RULES)), row_of(record(PLAYER)), types.uint64, whole, whole, whole,
        whole, whole, row_of(whole), row_of(whole), types.Array(record(LEDGER), 2, "C"),
        types.Array(types.int8, 2, "C"),
    )  # fmt: skip
    return play_games, arguments
