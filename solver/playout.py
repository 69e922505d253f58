"""Whole games, played and counted: the one entry behind every simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver import contract
from houle.solver.bitset import U8
from houle.solver.contract import (
    MAX_SIDES,
    counts,
    deal,
    outcome,
    random_ply,
    round_over,
    round_scores,
    to_move,
    worth,
)
from houle.solver.kernels import entry, kernel, rare
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import MAX_FEATURES, RANDOM, THUMB, LineUp, line_up
from houle.solver.strategies.search import any_move, foresee, make_trees, search_key
from houle.solver.strategies.thumb import act
from houle.solver.streams import derive, start_streams
from houle.solver.tally import (
    DRAWS,
    ENTRIES,
    ENTRIES_SQUARED,
    FIRST_COUNT,
    GAMES,
    LEDGER_COLUMNS,
    LEDGER_ENTRIES,
    LEDGER_POINTS,
    LEDGER_SHARE,
    LEDGER_WORTH,
    UNRESOLVED,
    WORTH_UNIT,
    Counts,
    Tally,
)


@kernel
def _note_entry(state: Any, rules: Any, histogram: Any, lowest: Any, scores: Any, sums: Any) -> None:
    """One scored entry (a round, or a whole game): into the histogram and the game's running sums."""
    round_scores(state, rules, scores)
    for side in range(rules.sides):
        histogram[side, scores[side] - lowest] += 1
        sums[side] += scores[side]


@rare
def _note_apart(state: Any, rules: Any, entries: Any, shares: Any, sums: Any, row: Any) -> None:
    """One game into its row of the ledger."""
    worths = np.zeros(MAX_SIDES, np.float64)
    worth(state, rules, worths)
    for side in range(rules.sides):
        row[side, LEDGER_SHARE] = shares[side]
        row[side, LEDGER_POINTS] = sums[side]
        row[side, LEDGER_ENTRIES] = entries
        row[side, LEDGER_WORTH] = np.int64(worths[side] * WORTH_UNIT)


@kernel
def _note_game(
    state: Any, rules: Any, totals: Any, moments: Any, entries: Any, shares: Any, sums: Any, ledger: Any, row: Any
) -> None:
    drawn = outcome(state, rules, shares)
    if ledger is not None and row < len(ledger):  # without a ledger nothing of this is compiled
        _note_apart(state, rules, entries, shares, sums, ledger[row])
    totals[GAMES] += 1
    totals[DRAWS] += 1 if drawn else 0
    totals[ENTRIES] += entries
    totals[ENTRIES_SQUARED] += entries * entries
    counts(state, rules, totals[FIRST_COUNT:])
    for side in range(rules.sides):
        share, points = shares[side], sums[side]
        moments[side, 0] += share
        moments[side, 1] += share * share
        moments[side, 2] += points * points
        moments[side, 3] += points * entries
        sums[side] = 0


@entry
def play_games(
    states: Any, all_rules: Any, players: Any, trees: Any, moves: Any, seed: Any, first: Any, number: Any, take: Any,
    lowest: Any, totals: Any, moments: Any, histogram: Any, ledger: Any,
) -> None:  # fmt: skip
    """Games first .. first+number-1 of a seed; adds to the tally's arrays.

    Without `players` every seat is at random, without `trees` nobody searches: numba drops what cannot happen, so
    this one source is three entries, and random play compiles random play alone.
    """
    state, rules = states[0], all_rules[0]
    scores = np.zeros(MAX_SIDES, np.int64)
    shares = np.zeros(MAX_SIDES, np.int64)
    sums = np.zeros(MAX_SIDES, np.int64)
    table = np.zeros((len(moves), MAX_FEATURES), np.int64)
    for game in range(first, first + number):
        start_streams(state, seed, game, take)
        deal(state, rules)
        if trees is not None:
            totals[UNRESOLVED] += foresee(state, rules, players, trees)
        entries = ply = 0
        seat = to_move(state)
        while seat >= 0:
            if players is None or players[seat].kind == RANDOM:
                random_ply(state, rules)
            elif trees is not None and trees.foreseen[0] > ply:
                act(state, rules, trees.line[ply])
            else:
                key = derive(search_key(seed, game, take), U8(ply))
                act(state, rules, any_move(state, rules, players[seat], seat, key, states[1:], trees, moves, table))
            ply += 1
            if round_over(state):
                _note_entry(state, rules, histogram, lowest, scores, sums)
                entries += 1
            seat = to_move(state)
        if entries == 0:  # over before the first move
            _note_entry(state, rules, histogram, lowest, scores, sums)
            entries = 1
        _note_game(state, rules, totals, moments, entries, shares, sums, ledger, game - first)


def play_chunk(
    setup: Setup,
    strategies: tuple[str, ...] | LineUp,
    seed: int,
    first: int,
    number: int,
    take: int = 0,
    ledger: Counts | None = None,
) -> Tally:
    """A chunk of games, a pure function of its arguments: the same integers on every machine.

    A blank `ledger` (number x sides x LEDGER_COLUMNS) is filled with every game apart.
    """
    players = strategies if isinstance(strategies, LineUp) else line_up(setup, strategies)
    game = setup.game
    tally = Tally.empty(setup)
    table = (contract.blank(game.STATE, 3), setup.rules)
    if ledger is None and players.level > RANDOM:
        # Random play loses a fifth of its speed by the mere chance of a ledger; others do not, and compile once.
        ledger = np.zeros((0, 0, LEDGER_COLUMNS), np.int64)
    span = (U8(seed), first, number, take, tally.lowest, tally.totals, tally.moments, tally.histogram, ledger)
    moves = np.zeros(game.MAX_MOVES, np.int64)
    records = None if players.level == RANDOM else players.records
    trees = None if players.level <= THUMB else make_trees(setup, players)
    play_games(*table, records, trees, moves, *span)
    return tally
