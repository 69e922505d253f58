"""Whole games, played and counted: the one entry behind every simulation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from houle.solver import contract
from houle.solver.bitset import U8
from houle.solver.contract import (
    MAX_FEATURES,
    MAX_SIDES,
    counts,
    deal,
    has_standing,
    outcome,
    random_ply,
    round_over,
    round_scores,
    standing,
    to_move,
    worth,
)
from houle.solver.kernels import entry, kernel, outlined
from houle.solver.ruleset import Setup
from houle.solver.strategies.decision_log import GAME, PLIES, PLY, USED, NotesFullError
from houle.solver.strategies.player import RANDOM, THUMB, LineUp, line_up
from houle.solver.strategies.search import any_move, foresee, make_trees, search_key
from houle.solver.strategies.thumb import act
from houle.solver.streams import derive, start_streams
from houle.solver.tally import WORTH_UNIT, Counts, Tally, blank_ledger

# Where games begin: dealt; from the openings given; there too, but only to say what the seat to move would do.
DEALT, GIVEN, DECIDE = range(3)
MAX_COURSE = 1 << 16  # plies of a game whose leader is remembered


class Span(NamedTuple):
    """Games first .. first + number - 1 of a seed; `take` tells apart several plays of one deal."""

    seed: Any
    first: int
    number: int
    take: int


class Ledger(NamedTuple):
    """Every game apart: what it came to, how it began, how it ended. Any of the three may have no rows."""

    sides: Any  # LEDGER records, game x side
    openings: Any  # the state after the deal, or where `given` is set the state to begin from
    endings: Any  # the last state
    given: Any  # one number: DEALT, GIVEN, or DECIDE
    course: Any  # who was alone in front after each ply of the game under way: side + 1, or 0


@kernel
def _note_entry(state: Any, rules: Any, sums: Any, scores: Any, points: Any) -> None:
    """One scored entry (a round, or a whole game): into the histogram and the points of the game."""
    round_scores(state, rules, scores)
    for side in range(rules.sides):
        sums.histogram[side, scores[side] - sums.lowest] += 1
        points[side] += scores[side]


@outlined
def _note_leader(state: Any, rules: Any, course: Any, ply: Any) -> None:
    """Who is alone in front after a ply."""
    stands = np.zeros(MAX_SIDES, np.int64)
    standing(state, rules, stands)
    best, leader = stands[0], 1
    for side in range(1, rules.sides):
        if stands[side] > best:
            best, leader = stands[side], side + 1
        elif stands[side] == best:
            leader = 0
    course[min(ply, len(course) - 1)] = leader


@outlined
def _note_course(course: Any, plies: Any, sides: Any, row: Any) -> None:
    """Lead changes, since when a side led for good, and who led at each quarter of the game."""
    known = min(plies, len(course))
    changes, leader, since = 0, 0, 0
    for ply in range(known):
        if course[ply] != 0 and course[ply] != leader:
            changes += 1 if leader != 0 else 0
            leader = course[ply]
        if ply > 0 and course[ply] != course[ply - 1]:
            since = ply
    last = course[known - 1] if known > 0 else 0
    for side in range(sides):
        row[side].changes = changes
        row[side].decided = since if last == side + 1 else plies
        for quarter in range(3):
            if known > 0 and course[(quarter + 1) * known // 4] == side + 1:
                row[side].quarters |= 1 << quarter


@outlined
def _note_apart(
    state: Any, rules: Any, entries: Any, plies: Any, shares: Any, points: Any, course: Any, row: Any
) -> None:
    """One game into its row of the ledger."""
    worths = np.zeros(MAX_SIDES, np.float64)
    worth(state, rules, worths)
    if has_standing(state):
        _note_course(course, plies, rules.sides, row)
    for side in range(rules.sides):
        row[side].plies = plies
        row[side].share = shares[side]
        row[side].points = points[side]
        row[side].entries = entries
        row[side].worth = np.int64(worths[side] * WORTH_UNIT)


@kernel
def _note_game(
    state: Any, rules: Any, sums: Any, entries: Any, plies: Any, shares: Any, points: Any, ledger: Any, row: Any
) -> None:
    """One game into the tally, and into the ledger if there is one."""
    drawn = outcome(state, rules, shares)
    if ledger is not None:  # without a ledger nothing of this is compiled
        if row < len(ledger.sides):
            _note_apart(state, rules, entries, plies, shares, points, ledger.course, ledger.sides[row])
        if row < len(ledger.endings):
            ledger.endings[row] = state
    totals = sums.totals[0]
    totals.games += 1
    totals.draws += 1 if drawn else 0
    totals.entries += entries
    totals.entries_squared += entries * entries
    counts(state, rules, sums.counts)
    for side in range(rules.sides):
        moments = sums.moments[side]
        moments.share += shares[side]
        moments.share_squared += shares[side] * shares[side]
        moments.points_squared += points[side] * points[side]
        moments.points_entries += points[side] * entries
        points[side] = 0


@entry
def play_games(
    states: Any, all_rules: Any, players: Any, trees: Any, moves: Any, span: Any, sums: Any, ledger: Any
) -> Any:
    """The games of a span, added to the sums of a tally.

    Asked to DECIDE it returns the move of the seat to move, with the span's seed as the key of a search: a second
    entry for that would compile every strategy again. Without `players` every seat is at random, without `trees`
    nobody searches: numba drops what cannot happen, so this one source is three entries, and random play compiles
    random play alone.
    """
    seed, take = span.seed, span.take
    state, rules = states[0], all_rules[0]
    scores = np.zeros(MAX_SIDES, np.int64)
    shares = np.zeros(MAX_SIDES, np.int64)
    points = np.zeros(MAX_SIDES, np.int64)
    table = np.zeros((len(moves), MAX_FEATURES), np.int64)
    for row in range(span.number):
        game = span.first + row
        deciding = False
        if ledger is not None:
            deciding = ledger.given[0] == DECIDE
        if ledger is not None and ledger.given[0] != DEALT:
            states[0] = ledger.openings[row]
        else:
            start_streams(state, seed, game, take)
            deal(state, rules)
            if ledger is not None and row < len(ledger.openings):
                ledger.openings[row] = state
        if trees is not None:
            trees.place[GAME] = game
            trees.foreseen[0] = 0
        if trees is not None and not deciding:
            sums.totals[0].unresolved += foresee(state, rules, players, trees)
        entries = ply = 0
        seat = to_move(state)
        while seat >= 0:
            if players is None or players[seat].kind == RANDOM:
                random_ply(state, rules)
            elif trees is not None and trees.foreseen[0] > ply:
                act(state, rules, trees.line[ply])
            else:
                if trees is not None:
                    trees.place[PLY] = ply
                key = seed if deciding else derive(search_key(seed, game, take), U8(ply))
                action = any_move(state, rules, players[seat], seat, key, states[1:], trees, moves, table)
                if ledger is not None and ledger.given[0] == DECIDE:
                    ledger.openings[0].choice = state.choice
                    return action
                act(state, rules, action)
            if ledger is not None and has_standing(state) and row < len(ledger.sides):
                _note_leader(state, rules, ledger.course, ply)
            ply += 1
            if round_over(state):
                _note_entry(state, rules, sums, scores, points)
                entries += 1
            seat = to_move(state)
        if entries == 0:  # over before the first move
            _note_entry(state, rules, sums, scores, points)
            entries = 1
        _note_game(state, rules, sums, entries, ply, shares, points, ledger, row)
    return np.int64(-1)


def _ledger(setup: Setup, sides: Any, openings: Any, endings: Any, given: int) -> Ledger:
    state = setup.game.STATE
    return Ledger(
        blank_ledger(0, 0) if sides is None else sides,
        contract.blank(state, 0) if openings is None else openings,
        contract.blank(state, 0) if endings is None else endings,
        np.array([given], np.int64),
        np.zeros(MAX_COURSE if sides is not None else 1, np.int8),
    )


def play_chunk(
    setup: Setup,
    strategies: tuple[str, ...] | LineUp,
    seed: int,
    first: int,
    number: int,
    take: int = 0,
    ledger: Any = None,
    openings: Any = None,
    endings: Any = None,
    given: bool = False,
    notes: Any = None,
    effort: Counts | None = None,
) -> Tally:
    """A chunk of games, a pure function of its arguments: the same integers on every machine.

    A `ledger` (blank_ledger(number, sides)) is filled with every game apart, blank `openings` and `endings`
    (contract.blank(STATE, number)) with the states that games begin and end with. With `given`, games begin from the
    openings instead of a deal. `notes` (rows x NOTE_COLUMNS) takes the decisions of flat search, a row each;
    rows that were not needed stay 0 in NOTE_MOVES. `effort` (two numbers) takes the plies and playouts of searches.
    """
    players = strategies if isinstance(strategies, LineUp) else line_up(setup, strategies)
    game = setup.game
    tally = Tally.empty(setup)
    table = (contract.blank(game.STATE, 3), setup.rules)
    apart = None
    if players.level > RANDOM or any(part is not None for part in (ledger, openings, endings)):
        # Random play loses a fifth of its speed by the mere chance of a ledger; others do not, and compile once.
        apart = _ledger(setup, ledger, openings, endings, GIVEN if given and openings is not None else DEALT)
    moves = np.zeros(game.MAX_MOVES, np.int64)
    records = None if players.level == RANDOM else players.records
    trees = None if players.level <= THUMB else make_trees(setup, players, notes)
    play_games(*table, records, trees, moves, Span(U8(seed), first, number, take), tally.sums, apart)
    if trees is not None and effort is not None:
        effort[:] = trees.place[PLIES:]
    if trees is not None and notes is not None and trees.place[USED] == len(notes):
        raise NotesFullError("there were more decisions than rows for notes")
    return tally


def decide(players: LineUp, states: Any, key: int, trees: Any, moves: Any) -> int:
    """What the seat to move would do in `states[0]`, which it leaves alone but for the choice it draws."""
    setup = players.setup
    tally = Tally.empty(setup)
    ledger = _ledger(setup, None, states, None, DECIDE)
    states, span = contract.blank(setup.game.STATE, 3), Span(U8(key), 0, 1, 0)
    return int(play_games(states, setup.rules, players.records, trees, moves, span, tally.sums, ledger))
