"""A game of tossed coins: seats move in turn, and each move may win its side a point.

A knob says what decides the points, so luck and skill are known exactly:

    equal     a toss that is new after every move: all moves are equal, but not in every single world
    dealt     the deal: one side gets all the points, no matter what anyone does
    solved    the right move, which everyone sees
    guessed   the right move, which nobody can know before
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO
from houle.solver.cards.streams import STREAM_FIELDS, advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel
from houle.solver.games import define
from houle.solver.interface import UTILITY, WIN, blank
from houle.solver.interface.seen import number, seen
from houle.solver.rules import Setup

MODES = ("equal", "dealt", "solved", "guessed")
EQUAL, DEALT, SOLVED, GUESSED = range(len(MODES))
MAX_MOVES = 8
MAX_SEATS = 4

COUNTS = ("moves", "turns", "rounds")
RATES: dict[str, tuple[str, str]] = {}
FEATURES = (("right", "Make the right move."), ("idle", "Make a move."))
CATEGORIES = ("right", "zero", "absent")

RULES = np.dtype(
    [
        ("coin", "u1"),  # marker
        ("decisions", "u1"),  # of a game
        ("seats", "u1"),
        ("sides", "u1"),
        ("side", "u1", 8),
        ("mode", "u1"),  # index in MODES
        ("moves", "u1"),  # moves of a decision
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("coin", "u1"),  # marker
        ("made", "u1"),  # decisions made
        ("mover", "i1"),  # -1 when over
        ("right", "u1"),  # solved: the right move now
        ("lucky", "u1"),  # dealt: the side that gets the points
        ("points", "u1", MAX_SEATS),
    ],
    align=True,
)


def make_rules(options: Mapping[str, Any], players: int) -> Any:
    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.decisions, rules.moves, rules.mode = options["decisions"], options["moves"], MODES.index(options["mode"])
    rules.seats = players
    rules.sides = 1 if options["team"] else players
    for seat in range(players):
        rules.side[seat] = 0 if options["team"] else seat
    return all_rules


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    if setup.options["team"]:
        return [("team", list(range(setup.players)))]
    return [(f"seat {seat}", [seat]) for seat in range(setup.players)]


def score_range(setup: Setup) -> tuple[int, int]:
    return 0, int(setup.options["decisions"])


def snapshot(state: Any, setup: Setup) -> dict[str, Any]:
    return {"mover": int(state.mover), "points": state.points.tolist(), "right": int(state.right)}


def show(state: Any, setup: Setup) -> str:
    return str(snapshot(state, setup))


def action_name(state: Any, setup: Setup, action: int) -> str:
    return f"move {action}"


@kernel
def deal(state: Any, rules: Any) -> None:
    state.made = 0
    state.mover = 0
    state.points[:] = 0
    state.right = below(state.deal, rules.moves)
    state.deal = advance(state.deal)
    state.lucky = below(state.deal, U8(2) if rules.sides == 1 else rules.sides)


@kernel
def legal(state: Any, rules: Any, moves: Any) -> Any:
    if state.mover < 0:
        return 0
    for action in range(rules.moves):
        moves[action] = action
    return np.int64(rules.moves)


@kernel
def random_move(state: Any, rules: Any) -> Any:
    state.choice = advance(state.choice)
    return np.int64(below(state.choice, rules.moves))


@kernel
def apply(state: Any, rules: Any, action: Any) -> None:
    side = rules.side[state.mover]
    if rules.mode == EQUAL:
        state.chance = derive(state.chance, U8(action) + ONE)
        won = below(state.chance, 2) == ONE
    elif rules.mode == DEALT:
        won = state.lucky == side
    elif rules.mode == SOLVED:
        won = action == state.right
        state.deal = advance(state.deal)
        state.right = below(state.deal, rules.moves)
    else:
        won = U8(action) == below(state.chance, rules.moves)
        state.chance = advance(state.chance)
    state.points[side] += 1 if won else 0
    state.made += 1
    state.mover = -1 if state.made == rules.decisions else (state.mover + 1) % rules.seats


@kernel
def round_scores(state: Any, rules: Any, scores: Any) -> None:
    for side in range(rules.sides):
        scores[side] = state.points[side]


@kernel
def outcome(state: Any, rules: Any, shares: Any) -> Any:
    """The most points win, ties share; a team needs all of them."""
    best = rules.decisions if rules.sides == 1 else state.points[0]
    for side in range(1, rules.sides):  # numpy's max counts references, which kernels do without
        best = max(best, state.points[side])
    winners = 0
    for side in range(rules.sides):
        winners += 1 if state.points[side] == best else 0
    for side in range(rules.sides):
        shares[side] = WIN // winners if state.points[side] == best else 0
    return False


@kernel
def counts(state: Any, rules: Any, out: Any) -> None:
    out[0] += state.made
    out[1] += state.made
    out[2] += 1


@kernel
def utility(state: Any, rules: Any, out: Any) -> None:
    for side in range(rules.sides):
        out[side] = UTILITY * np.int64(state.points[side]) // np.int64(rules.decisions)


@kernel
def determinize(state: Any, rules: Any, seat: Any, key: Any) -> Any:
    start_world(state, key)
    state.lucky = below(derive(key, ONE), U8(2) if rules.sides == 1 else rules.sides)
    return True


SEEN = seen(number("made"), number("right"))


@kernel
def features(state: Any, rules: Any, moves: Any, n: Any, table: Any) -> None:
    for i in range(n):
        table[i, 0] = 1 if rules.mode == SOLVED and moves[i] == state.right else 0
        table[i, 1] = 1


@kernel
def category_bits(state: Any, rules: Any, action: Any) -> Any:
    bits = ONE if rules.mode == SOLVED and action == state.right else ZERO
    return bits | (U8(2) if action == 0 else ZERO)


def solver_memory(setup: Setup) -> Any:
    return np.zeros(1, np.int64)


@kernel
def solve(state: Any, rules: Any, limit: Any, line: Any, memory: Any) -> Any:
    """The tosses to come, for a player who can see them; nothing if there is nothing to guess."""
    if rules.mode != GUESSED:
        return 0, 0, 0
    stream = state.chance
    for ply in range(rules.decisions):
        line[ply] = below(stream, rules.moves)
        stream = advance(stream)
    return 1, np.int64(rules.decisions), 0


GAME = define(__name__)
