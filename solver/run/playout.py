"""Plays and counts whole games: the compiled entry behind every simulation."""

from __future__ import annotations

from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np

from houle.solver import interface
from houle.solver.cards.bits import U8
from houle.solver.cards.streams import derive, start_streams
from houle.solver.compiler.kernels import entry, kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import (
    Action,
    AllRules,
    Features,
    Key,
    Moves,
    Number,
    Numbers,
    Players,
    Rules,
    State,
    States,
)
from houle.solver.interface import MAX_COUNTS, MAX_SIDES
from houle.solver.players.allowed_moves import act
from houle.solver.players.any_move import any_move
from houle.solver.players.best_move_race import foresee, search_key
from houle.solver.players.kinds import RANDOM
from houle.solver.players.player import LineUp
from houle.solver.players.reading.memory import forget, remember
from houle.solver.players.workspace import Search, Thinking, Workspace, make_thinking, mark_part, move_buffers
from houle.solver.rules import Setup
from houle.solver.run import tally as tallies
from houle.solver.run.tally import Counts, Tally, TallyArrays, blank_ledger

# How games begin: with a deal; from given openings; from a given opening, only to decide the next move.
DEALT, GIVEN, DECIDE = range(3)
TURNS = 1  # index of the turns in `counts`
MAX_COURSE = 1 << 16  # plies of a game for which the leader is stored


class Span(NamedTuple):
    """Games first .. first + number - 1 of a seed. `replay` numbers several plays of one deal."""

    seed: Key
    first: int
    number: int
    replay: int


class Ledger(NamedTuple):
    """Results, openings and final states of single games. Each array may be empty."""

    sides: Any  # LEDGER records, game x side
    openings: States  # states after the deal, or to begin from if `given` is set
    final_states: States
    given: Numbers  # one number: DEALT, GIVEN or DECIDE


@kernel
def _note_entry(state: State, rules: Rules, sums: TallyArrays, scores: Numbers, points: Numbers) -> None:
    """Adds a scored entry (a round or a whole game) to the histogram and to the points of the game."""
    interface.round_scores(state, rules, scores)
    for side in range(rules.sides):
        sums.histogram[side, scores[side] - sums.lowest] += 1
        points[side] += scores[side]


@outlined
def note_leader(state: State, rules: Rules, course: Numbers, ply: Number) -> None:
    """Stores who leads alone after a ply."""
    stands = local_zeros(MAX_SIDES, np.int64)
    interface.standing(state, rules, stands)
    best, leader = stands[0], 1
    for side in range(1, rules.sides):
        if stands[side] > best:
            best, leader = stands[side], side + 1
        elif stands[side] == best:
            leader = 0
    course[min(ply, len(course) - 1)] = leader


@outlined
def note_course(course: Numbers, plies: Number, sides: Number, row: Any) -> None:
    """Writes lead changes, since when a side led to the end, and who led after each quarter of the game."""
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
def note_ledger(
    state: State,
    rules: Rules,
    entries: Number,
    plies: Number,
    shares: Numbers,
    points: Numbers,
    course: Numbers | None,
    row: Any,
) -> None:
    """Writes one game into its row of the ledger."""
    utilities = local_zeros(MAX_SIDES, np.int64)
    interface.utility(state, rules, utilities)
    totals = local_zeros(MAX_COUNTS, np.int64)
    interface.counts(state, rules, totals)
    if course is not None:  # not compiled in games without a lead
        note_course(course, plies, rules.sides, row)
    for side in range(rules.sides):
        row[side].plies = plies
        row[side].turns = totals[TURNS]
        row[side].share = shares[side]
        row[side].points = points[side]
        row[side].entries = entries
        row[side].utility = utilities[side]


@kernel
def note_game(
    state: State,
    rules: Rules,
    entries: Number,
    plies: Number,
    shares: Numbers,
    points: Numbers,
    sums: TallyArrays,
    ledger: Ledger | None,
    course: Numbers | None,
    row: Number,
) -> None:
    """Adds one game to the tally, and to the ledger if there is one."""
    drawn = interface.outcome(state, rules, shares)
    if ledger is not None:  # not compiled without a ledger
        if row < len(ledger.sides):
            note_ledger(state, rules, entries, plies, shares, points, course, ledger.sides[row])
        if row < len(ledger.final_states):
            ledger.final_states[row] = state
    totals, moments = sums.totals, sums.moments
    totals[tallies.GAMES] += 1
    totals[tallies.DRAWS] += 1 if drawn else 0
    totals[tallies.ENTRIES] += entries
    totals[tallies.ENTRIES_SQUARED] += entries * entries
    interface.counts(state, rules, sums.counts)
    for side in range(rules.sides):
        share, sum_of_scores = shares[side], points[side]
        moments[side, tallies.SHARE] += share
        moments[side, tallies.SHARE_SQUARED] += share * share
        moments[side, tallies.POINTS_SQUARED] += sum_of_scores * sum_of_scores
        moments[side, tallies.POINTS_ENTRIES] += sum_of_scores * entries
        points[side] = 0


@entry
def play_random(states: States, all_rules: AllRules, span: Span, sums: TallyArrays) -> None:
    """Plays the games of a span at random and adds them to the sums of a tally. It compiles fast."""
    state, rules = states[0], all_rules[0]
    scores = local_zeros(MAX_SIDES, np.int64)
    shares = local_zeros(MAX_SIDES, np.int64)
    points = local_zeros(MAX_SIDES, np.int64)
    for row in range(span.number):
        start_streams(state, span.seed, span.first + row, span.replay)
        interface.deal(state, rules)
        entries = plies = 0
        while interface.to_move(state) >= 0:
            plies += interface.random_round(state, rules)
            if interface.round_over(state):
                _note_entry(state, rules, sums, scores, points)
                entries += 1
        if entries == 0:  # over before the first move
            _note_entry(state, rules, sums, scores, points)
            entries = 1
        note_game(state, rules, entries, plies, shares, points, sums, None, None, row)


@entry
def play_games(
    states: States,
    all_rules: AllRules,
    players: Players,
    work: Workspace | None,
    search: Search | None,
    solver: Any,
    moves: Moves,
    table: Features,
    span: Span,
    sums: TallyArrays,
    ledger: Ledger,
    course: Numbers | None,
) -> Action:
    """Plays the games of a span and adds them to the sums of a tally.

    With DECIDE it returns the move of the seat to move instead, with the span's seed as the key of a search: another
    entry would compile every strategy again. `work`, `search` and `solver` are None where nobody needs them (Thinking),
    and `course`, which says who led alone after each ply (side + 1, or 0), in games without a lead. numba drops
    branches on None, so this source compiles into an entry for rules of thumb, one for people, one for searches, and
    one for players with an exact solver.
    """
    seed, replay = span.seed, span.replay
    state, rules = states[0], all_rules[0]
    scores = local_zeros(MAX_SIDES, np.int64)
    shares = local_zeros(MAX_SIDES, np.int64)
    points = local_zeros(MAX_SIDES, np.int64)
    reading = False
    if work is not None:
        reading = len(work.memory.actions) > 0
    for row in range(span.number):
        game = span.first + row
        deciding = ledger.given[0] == DECIDE
        if ledger.given[0] != DEALT:
            states[0] = ledger.openings[row]
        else:
            start_streams(state, seed, game, replay)
            interface.deal(state, rules)
            if row < len(ledger.openings):
                ledger.openings[row] = state
        if work is not None:
            work.scene.counters[0].foreseen = 0
            if not deciding:
                forget(work.memory)
                sums.totals[tallies.UNRESOLVED] += foresee(state, rules, players, work, solver)
        entries = ply = signals = 0
        seat = interface.to_move(state)
        while seat >= 0:
            signal = interface.is_signal(state)
            if players[seat].kind == RANDOM and not reading:  # `act`, because others at the table use it too
                act(state, rules, interface.random_move(state, rules))
            elif work is not None and not signal and work.scene.counters[0].foreseen > ply - signals:
                act(state, rules, work.line[ply - signals])
            else:
                key = seed if deciding else derive(search_key(seed, game, replay), U8(ply))
                action = any_move(state, rules, players[seat], seat, key, moves, table, work, search, solver, deciding)
                if deciding:
                    ledger.openings[0].choice = state.choice
                    return action
                if work is not None and reading:
                    remember(state, action, work.memory)
                act(state, rules, action)
            if course is not None and row < len(ledger.sides):
                note_leader(state, rules, course, ply)
            ply += 1
            signals += 1 if signal else 0
            if interface.round_over(state):
                _note_entry(state, rules, sums, scores, points)
                entries += 1
                if work is not None:
                    forget(work.memory)
            seat = interface.to_move(state)
        if entries == 0:  # over before the first move
            _note_entry(state, rules, sums, scores, points)
            entries = 1
        note_game(state, rules, entries, ply - signals, shares, points, sums, ledger, course, row)
    return np.int64(-1)


def _ledger(setup: Setup, sides: Any, openings: States, final_states: States, given: int) -> Ledger:
    state = setup.game.STATE
    return Ledger(
        blank_ledger(0, 0) if sides is None else sides,
        interface.blank(state, 0) if openings is None else openings,
        interface.blank(state, 0) if final_states is None else final_states,
        np.array([given], np.int64),
    )


class Filled(TypedDict, total=False):
    """What a chunk of games fills on the way, where it is given."""

    ledger: Any  # blank_ledger(number, sides): every game
    openings: States  # interface.blank(STATE, number): the first states
    given: bool  # whether games begin from these openings instead of a deal
    final_states: States  # the last states
    effort: Counts | None  # two numbers: the plies and playouts of searches


def play_chunk(line_up: LineUp, seed: int, first: int, number: int, replay: int = 0, **filled: Unpack[Filled]) -> Tally:
    """Plays a chunk of games. The tally depends only on the arguments and is the same on every machine."""
    ledger, openings, final_states = (filled.get(name) for name in ("ledger", "openings", "final_states"))
    setup, effort = line_up.setup, filled.get("effort")
    tally = Tally.empty(setup)
    span, states = Span(U8(seed), first, number, replay), interface.blank(setup.game.STATE)
    if line_up.level == RANDOM and all(part is None for part in (ledger, openings, final_states)):
        play_random(states, setup.rules, span, tally.sums)
        return tally
    begin = GIVEN if filled.get("given") and openings is not None else DEALT
    kept = _ledger(setup, ledger, openings, final_states, given=begin)
    thinking, (moves, table) = make_thinking(setup, line_up), move_buffers(setup)
    work = thinking.work
    _run(line_up, states, thinking=thinking, moves=moves, table=table, span=span, tally=tally, ledger=kept)
    if work is not None and effort is not None:
        effort[:] = work.scene.counters[0].plies, work.scene.counters[0].playouts
    return tally


def _run(
    line_up: LineUp,
    states: States,
    thinking: Thinking,
    moves: Moves,
    table: Features,
    span: Span,
    tally: Tally,
    ledger: Ledger,
) -> int:
    """Runs `play_games` and notes what is compiled by now."""
    setup = line_up.setup
    course = np.zeros(MAX_COURSE if len(ledger.sides) else 1, np.int8) if setup.game.has("standing") else None
    action = play_games(states, setup.rules, line_up.records, *thinking, moves, table, span, tally.sums, ledger, course)
    if thinking.work is not None:
        mark_part(setup.game, thinking.part)
    return int(action)


def decide(line_up: LineUp, states: States, key: int, thinking: Thinking, moves: Moves) -> int:
    """The move of the seat to move in `states[0]`. Only the stream of choices advances."""
    setup = line_up.setup
    tally, ledger = Tally.empty(setup), _ledger(setup, sides=None, openings=states, final_states=None, given=DECIDE)
    board, span, (_, table) = interface.blank(setup.game.STATE), Span(U8(key), 0, 1, 0), move_buffers(setup)
    return _run(line_up, board, thinking=thinking, moves=moves, table=table, span=span, tally=tally, ledger=ledger)
