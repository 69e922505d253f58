"""Many games stepped together, one decision of each at a time: the compiled entry behind analysis/adapters/batch.py."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from houle.solver.cards.streams import start_streams
from houle.solver.compiler.kernels import entry, kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import (
    AllRules,
    Features,
    Flag,
    Key,
    Moves,
    Number,
    Numbers,
    Players,
    Rules,
    Seat,
    State,
    States,
)
from houle.solver.interface import (
    MAX_SIDES,
    UTILITY,
    WIN,
    deal,
    kind,
    legal,
    observe,
    outcome,
    random_move,
    to_move,
    utility,
)
from houle.solver.players.allowed_moves import act
from houle.solver.players.names import RANDOM
from houle.solver.players.thumb import thumb_decision

NO_DECISION = -1  # what `step_games` returns if deal after deal ends before a decision
MOST_DEALS = 100_000


class Rows(NamedTuple):
    """The arrays of a batch, a row per game."""

    deals: Numbers  # the number of the deal
    moves: Numbers  # the legal actions of the decision
    places: Numbers  # the place of each in the list of actions
    legal: Numbers  # how many they are
    observation: Numbers
    mask: Any
    seat: Numbers  # the seat that decides
    reward: Any  # by seat, of the game that the last step finished
    finished: Any


class RowSpan(NamedTuple):
    """The rows first .. last - 1. Deals are those of a seed; a row plays every `stride`-th."""

    first: int
    last: int
    seed: Key
    stride: int
    begin: bool  # deal the first games instead of stepping
    by_utility: bool  # rewards are utilities instead of shares of the win


@entry
def step_games(
    states: States, all_rules: AllRules, rows: Rows, part: RowSpan, actions: Numbers, index: Numbers,
    others: Players | None, moves: Moves, table: Features,
) -> Number:  # fmt: skip
    """Applies an action in every row and goes on to the next decision; finished games are followed by new deals.

    `index` is the place of every kind of action in the list of actions, by seat. With `others`, only the seat of the
    deal's number (modulo the players) is left to decide, and these strategies play all other seats. Returns how many
    legal actions are not in the list, which must be 0, or NO_DECISION.
    """
    unlisted = 0
    for row in range(part.first, part.last):
        state, rules = states[row], all_rules[0]
        seat = np.int64(-1)
        rows.finished[row] = False
        if not part.begin:
            for i in range(rows.legal[row]):
                rows.mask[row, rows.places[row, i]] = False
            for i in range(rows.legal[row]):
                if rows.places[row, i] == actions[row]:
                    act(state, rules, rows.moves[row, i])
                    break
            seat = _next_decision(state, rules, rows.deals[row], len(index), others, moves, table)
            for player in range(len(index)):
                rows.reward[row, player] = 0.0
            if seat < 0:
                rows.finished[row] = True
                _pay(state, rules, part.by_utility, rows.reward[row])
                rows.deals[row] += part.stride
        for _ in range(MOST_DEALS):
            if seat >= 0:
                break
            start_streams(state, part.seed, rows.deals[row], 0)
            deal(state, rules)
            seat = _next_decision(state, rules, rows.deals[row], len(index), others, moves, table)
            rows.deals[row] += part.stride if seat < 0 else 0
        if seat < 0:
            return NO_DECISION
        rows.seat[row] = seat
        unlisted += _list(state, rules, index[seat], rows, row)
        for i in range(rows.observation.shape[1]):
            rows.observation[row, i] = 0
        observe(state, rules, seat, rows.observation[row])
    return unlisted


@kernel
def _next_decision(
    state: State, rules: Rules, number: Number, players: Number, others: Players | None, moves: Moves, table: Features
) -> Seat:
    """Lets the others play up to the learner's decision; returns the seat that decides, or -1."""
    seat = np.int64(to_move(state))
    if others is not None:
        while seat >= 0 and seat != number % players:
            if others[seat].kind == RANDOM:
                act(state, rules, random_move(state, rules))
            else:
                act(state, rules, thumb_decision(state, rules, others[seat], moves, table))
            seat = np.int64(to_move(state))
    return seat


@kernel
def _list(state: State, rules: Rules, index: Numbers, rows: Rows, row: Number) -> Number:
    """Lists the legal actions and marks them in the mask; returns how many are not in the list of actions."""
    n, listed = legal(state, rules, rows.moves[row]), 0
    for i in range(n):
        action = rows.moves[row, i]
        label = np.int64(kind(state, rules, action))
        place = index[label] if 0 <= label < len(index) else -1
        if place >= 0:
            rows.moves[row, listed], rows.places[row, listed] = action, place
            rows.mask[row, place] = True
            listed += 1
    rows.legal[row] = listed
    return n - listed


@outlined
def _pay(state: State, rules: Rules, by_utility: Flag, reward: Any) -> None:
    """Writes the reward of every seat at the end of a game."""
    paid = local_zeros(MAX_SIDES, np.int64)
    if by_utility:
        utility(state, rules, paid)
    else:
        outcome(state, rules, paid)
    for seat in range(len(reward)):
        reward[seat] = paid[rules.side[seat]] / (UTILITY if by_utility else WIN)
