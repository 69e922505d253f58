"""Entries: the game functions on a single state, for Python."""

from __future__ import annotations

from houle.solver.cards.streams import start_streams
from houle.solver.compiler.kernels import entry
from houle.solver.compiler.types import (
    Action,
    AllRules,
    Categories,
    Features,
    Flag,
    Key,
    Label,
    Moves,
    Number,
    Numbers,
    Seat,
    States,
)
from houle.solver.interface import functions


@entry
def open_game(states: States, all_rules: AllRules, seed: Key, game: Number, replay: Number) -> None:
    start_streams(states[0], seed, game, replay)
    functions.deal(states[0], all_rules[0])


@entry
def list_moves(states: States, all_rules: AllRules, moves: Moves) -> Number:
    return functions.legal(states[0], all_rules[0], moves)


@entry
def apply_move(states: States, all_rules: AllRules, action: Action) -> Flag:
    functions.apply(states[0], all_rules[0], action)
    return functions.round_over(states[0])


@entry
def move_features(states: States, all_rules: AllRules, moves: Moves, table: Features) -> Number:
    n = functions.legal(states[0], all_rules[0], moves)
    functions.features(states[0], all_rules[0], moves, n, table)
    return n


@entry
def draw_move(states: States, all_rules: AllRules) -> Action:
    return functions.random_move(states[0], all_rules[0])


@entry
def seat_to_move(states: States) -> Seat:
    return functions.to_move(states[0])


@entry
def final_result(states: States, all_rules: AllRules, scores: Numbers, shares: Numbers, out: Numbers) -> Flag:
    functions.round_scores(states[0], all_rules[0], scores)
    functions.counts(states[0], all_rules[0], out)
    return functions.outcome(states[0], all_rules[0], shares)


@entry
def replace_unknown(states: States, all_rules: AllRules, seat: Seat, key: Key) -> Flag:
    return functions.determinize(states[0], all_rules[0], seat, key)


@entry
def recall_states(past: States, all_rules: AllRules, seat: Seat, now: States, world: States) -> None:
    for i in range(len(past)):
        functions.recall(past[i], all_rules[0], seat, now[0], world[0])


@entry
def observe_seat(states: States, all_rules: AllRules, seat: Seat, out: Numbers) -> Number:
    return functions.observe(states[0], all_rules[0], seat, out)


@entry
def label_seen(states: States, all_rules: AllRules, action: Action, seat: Seat) -> tuple[Label, Label]:
    return functions.observed(states[0], all_rules[0], action, seat), functions.kind(states[0], all_rules[0], action)


@entry
def move_categories(states: States, all_rules: AllRules, action: Action) -> Categories:
    return functions.category_bits(states[0], all_rules[0], action)
