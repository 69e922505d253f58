"""Whole games, played and counted: the entries behind every simulation, and a table to step one game by hand."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from houle.solver import contract
from houle.solver.bitset import U8
from houle.solver.contract import (
    MAX_SIDES,
    apply,
    counts,
    deal,
    determinize,
    features,
    kind,
    knows,
    legal,
    observed,
    outcome,
    random_move,
    random_ply,
    round_over,
    round_scores,
    to_move,
    worth,
)
from houle.solver.kernels import entry, kernel, rare
from houle.solver.ruleset import Setup
from houle.solver.strategies.flat import flat_move
from houle.solver.strategies.player import MAX_FEATURES, RANDOM, THUMB, LineUp, line_up
from houle.solver.strategies.thumb import thumb_move
from houle.solver.streams import SEARCH, derive, start_streams
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
def play_random(
    states: Any, all_rules: Any, seed: Any, first: Any, number: Any, take: Any, lowest: Any, totals: Any, moments: Any,
    histogram: Any, ledger: Any,
) -> None:  # fmt: skip
    """Games first .. first+number-1 of a seed with every seat at random; adds to the tally's arrays."""
    state, rules = states[0], all_rules[0]
    scores = np.zeros(MAX_SIDES, np.int64)
    shares = np.zeros(MAX_SIDES, np.int64)
    sums = np.zeros(MAX_SIDES, np.int64)
    for game in range(first, first + number):
        start_streams(state, seed, game, take)
        deal(state, rules)
        entries = 0
        while to_move(state) >= 0:
            random_ply(state, rules)
            if round_over(state):
                _note_entry(state, rules, histogram, lowest, scores, sums)
                entries += 1
        if entries == 0:  # over before the first move
            _note_entry(state, rules, histogram, lowest, scores, sums)
            entries = 1
        _note_game(state, rules, totals, moments, entries, shares, sums, ledger, game - first)


@entry
def play_thumbs(
    states: Any, all_rules: Any, players: Any, moves: Any, seed: Any, first: Any, number: Any, take: Any, lowest: Any,
    totals: Any, moments: Any, histogram: Any, ledger: Any,
) -> None:  # fmt: skip
    """As play_random, with a player record per seat: at random or by rules of thumb."""
    state, rules = states[0], all_rules[0]
    scores = np.zeros(MAX_SIDES, np.int64)
    shares = np.zeros(MAX_SIDES, np.int64)
    sums = np.zeros(MAX_SIDES, np.int64)
    table = np.zeros((len(moves), MAX_FEATURES), np.int64)
    for game in range(first, first + number):
        start_streams(state, seed, game, take)
        deal(state, rules)
        entries = 0
        seat = to_move(state)
        while seat >= 0:
            player = players[seat]
            if player.kind == RANDOM:
                random_ply(state, rules)
            else:
                apply(state, rules, thumb_move(state, rules, player.weights, player.temperature, moves, table))
            if round_over(state):
                _note_entry(state, rules, histogram, lowest, scores, sums)
                entries += 1
            seat = to_move(state)
        if entries == 0:  # over before the first move
            _note_entry(state, rules, histogram, lowest, scores, sums)
            entries = 1
        _note_game(state, rules, totals, moments, entries, shares, sums, ledger, game - first)


@entry
def play_search(
    states: Any, all_rules: Any, players: Any, moves: Any, buffer: Any, seed: Any, first: Any, number: Any, take: Any,
    lowest: Any, totals: Any, moments: Any, histogram: Any, ledger: Any,
) -> None:  # fmt: skip
    """As play_random, with any strategy in any seat. `states` holds the game and two states to search in."""
    state, rules = states[0], all_rules[0]
    scratch = states[1:]
    scores = np.zeros(MAX_SIDES, np.int64)
    shares = np.zeros(MAX_SIDES, np.int64)
    sums = np.zeros(MAX_SIDES, np.int64)
    table = np.zeros((len(moves), MAX_FEATURES), np.int64)
    for game in range(first, first + number):
        start_streams(state, seed, game, take)
        search = derive(derive(derive(U8(seed), SEARCH), game), take)
        deal(state, rules)
        entries = ply = 0
        seat = to_move(state)
        while seat >= 0:
            player = players[seat]
            if player.kind == RANDOM:
                random_ply(state, rules)
            elif player.kind == THUMB:
                apply(state, rules, thumb_move(state, rules, player.weights, player.temperature, moves, table))
            else:
                key = derive(search, U8(ply))
                apply(state, rules, flat_move(state, rules, player, seat, key, scratch, moves, buffer, table))
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
    if players.level == RANDOM:
        play_random(*table, *span)
    elif players.level == THUMB:
        play_thumbs(*table, players.records, moves, *span)
    else:
        play_search(*table, players.records, moves, np.zeros(game.MAX_MOVES, np.int64), *span)
    return tally


@entry
def _open(states: Any, all_rules: Any, seed: Any, game: Any, take: Any) -> None:
    start_streams(states[0], seed, game, take)
    deal(states[0], all_rules[0])


@entry
def _moves(states: Any, all_rules: Any, moves: Any) -> Any:
    return legal(states[0], all_rules[0], moves)


@entry
def _apply(states: Any, all_rules: Any, action: Any) -> None:
    apply(states[0], all_rules[0], action)


@entry
def _features(states: Any, all_rules: Any, moves: Any, table: Any) -> Any:
    n = legal(states[0], all_rules[0], moves)
    features(states[0], all_rules[0], moves, n, table)
    return n


@entry
def _random_move(states: Any, all_rules: Any) -> Any:
    return random_move(states[0], all_rules[0])


@entry
def _to_move(states: Any) -> Any:
    return to_move(states[0])


@entry
def _result(states: Any, all_rules: Any, scores: Any, shares: Any, out: Any) -> Any:
    round_scores(states[0], all_rules[0], scores)
    counts(states[0], all_rules[0], out)
    return outcome(states[0], all_rules[0], shares)


@entry
def _determinize(states: Any, all_rules: Any, seat: Any, key: Any) -> Any:
    return determinize(states[0], all_rules[0], seat, key)


@entry
def _knows(states: Any, all_rules: Any, seat: Any) -> Any:
    return knows(states[0], all_rules[0], seat)


@entry
def _seen(states: Any, all_rules: Any, action: Any, seat: Any) -> Any:
    return observed(states[0], all_rules[0], action, seat), kind(states[0], all_rules[0], action)


class Table:
    """One game, stepped by hand with the real kernels: for traces, tests and reports."""

    def __init__(self, setup: Setup, seed: int, game: int = 0, take: int = 0) -> None:
        self.setup = setup
        self.states = contract.blank(setup.game.STATE)
        self._buffer = np.zeros(setup.game.MAX_MOVES, np.int64)
        _open(self.states, setup.rules, U8(seed), game, take)

    @property
    def state(self) -> Any:
        return self.states[0]

    def to_move(self) -> int:
        return int(_to_move(self.states))

    def moves(self) -> list[int]:
        return [int(action) for action in self._buffer[: _moves(self.states, self.setup.rules, self._buffer)]]

    def features(self) -> Counts:
        """The rules of thumb of every possible move, a row per move."""
        table = np.zeros((len(self._buffer), MAX_FEATURES), np.int64)
        n = _features(self.states, self.setup.rules, self._buffer, table)
        return table[:n, : len(self.setup.game.FEATURES)]

    def random_move(self) -> int:
        return int(_random_move(self.states, self.setup.rules))

    def apply(self, action: int) -> None:
        _apply(self.states, self.setup.rules, action)

    def names(self) -> list[str]:
        return [self.name(action) for action in self.moves()]

    def name(self, action: int) -> str:
        return str(self.setup.game.action_name(self.state, self.setup, action))

    def snapshot(self) -> dict[str, Any]:
        return dict(self.setup.game.snapshot(self.state, self.setup))

    def knows(self, seat: int) -> int:
        return int(_knows(self.states, self.setup.rules, seat))

    def seen(self, action: int, seat: int) -> tuple[int, int]:
        """What `seat` sees of an action about to be taken, and the action's kind."""
        label, kind = _seen(self.states, self.setup.rules, action, seat)
        return int(label), int(kind)

    def imagine(self, seat: int, key: int) -> Table:
        """A table in a world that `seat` cannot tell from this one."""
        other = copy(self)
        other.states = self.states.copy()
        if not _determinize(other.states, self.setup.rules, seat, U8(key)):
            raise RuntimeError("no world was found within the bounded tries")
        return other

    def result(self) -> dict[str, Any]:
        """Scores of the last entry, shares of the win and the game's counts; only when it is over."""
        sides = int(self.setup.rules[0].sides)
        names = self.setup.game.COUNTS
        scores, shares = np.zeros(MAX_SIDES, np.int64), np.zeros(MAX_SIDES, np.int64)
        totals = np.zeros(len(names), np.int64)
        drawn = bool(_result(self.states, self.setup.rules, scores, shares, totals))
        return {
            "scores": scores[:sides].tolist(),
            "shares": shares[:sides].tolist(),
            "drawn": drawn,
            "counts": dict(zip(names, totals.tolist(), strict=True)),
        }
