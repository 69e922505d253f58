"""Information-set tree search: one tree over what the deciding seat observes, every simulation in another world.

Single observer, open loop: a node is the sequence of actions since the root as the root's seat sees them. Arms (the
statistics of a choice) and nodes are kept apart, so that a choice nobody sees yet (a committed card) is learned by
its own player alone while all such choices lead to the same node: decoupled selection. Simulations end with the
round, played out by noisy thumbs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from houle.solver.bitset import U8, ZERO
from houle.solver.contract import MAX_SIDES, kind, observed, round_over, to_move, worth
from houle.solver.kernels import kernel, rare
from houle.solver.strategies.flat import distinct_moves, imagine, play_out
from houle.solver.strategies.player import MILLI
from houle.solver.strategies.stakes import PLAYOUTS, PLIES
from houle.solver.strategies.thumb import act, thumb_move
from houle.solver.streams import advance, below, derive

NODE = np.dtype(
    [
        ("label", "u8"),  # what the root's seat observed on the way here from the parent
        ("sibling", "i4"),  # next child of the same parent, or -1
        ("child", "i4"),  # first child, or -1
        ("arm", "i4"),  # first arm, or -1
    ],
    align=True,
)
ARM = np.dtype(
    [
        ("label", "u8"),  # the action, as far as it is told apart
        ("total", "f8"),  # sum of worths for the side that chooses
        ("sibling", "i4"),  # next arm of the same node, or -1
        ("visits", "i4"),
        ("available", "i4"),  # simulations in which the action could be chosen
    ],
    align=True,
)
MAX_DEPTH = 256
NODES_PER_SIMULATION = 3

# Rounded, so that the last bit of a logarithm never decides a move.
_LOGS = 1 << 16
LOG = np.array([0.0, *(round(math.log(i) * 2**20) / 2**20 for i in range(1, _LOGS))])


@kernel
def _log(n: Any) -> Any:
    return LOG[n] if n < _LOGS else LOG[_LOGS - 1]


@rare
def _label(state: Any, rules: Any, action: Any, seat: Any) -> Any:
    """An arm's label: what the observer sees and which action it is (they differ for hidden choices)."""
    return derive(observed(state, rules, action, seat), kind(state, rules, action))


@kernel
def _child(nodes: Any, used: Any, parent: Any, label: Any) -> Any:
    """The child of a node with a label, made if it is new; returns it and the nodes used."""
    child = nodes[parent].child
    while child >= 0:
        if nodes[child].label == label:
            return child, used
        child = nodes[child].sibling
    if used == len(nodes):
        return -1, used
    nodes[used].label = label
    nodes[used].sibling = nodes[parent].child
    nodes[used].child = nodes[used].arm = -1
    nodes[parent].child = used
    return used, used + 1


@kernel
def _best_arm(arms: Any, found: Any, n: Any, explore: Any) -> Any:
    """Upper confidence bound over the arms that are available in this world."""
    best, best_bound = 0, -1.0e9
    for i in range(n):
        arm = arms[found[i]]
        bound = arm.total / arm.visits + explore * np.sqrt(_log(arm.available) / arm.visits)
        if bound > best_bound:
            best, best_bound = i, bound
    return best


@rare
def ismcts_move(
    state: Any,
    rules: Any,
    player: Any,
    seat: Any,
    key: Any,
    scratch: Any,
    nodes: Any,
    arms: Any,
    moves: Any,
    buffer: Any,
    table: Any,
    place: Any,
) -> Any:
    """The move of ismcts:N: the root's most visited arm."""
    n = distinct_moves(state, rules, player.never, moves)
    if n == 1:
        return moves[0]
    worths = np.zeros(MAX_SIDES, np.float64)
    found = np.zeros(len(moves), np.int64)
    path = np.zeros(MAX_DEPTH, np.int64)
    sides = np.zeros(MAX_DEPTH, np.int64)
    explore = player.explore / MILLI
    nodes[0].child = nodes[0].arm = -1
    used_nodes, used_arms = 1, 0
    line = scratch[0]
    for simulation in range(player.budget):
        stream = derive(key, U8(simulation))
        if not imagine(scratch, state, rules, player, seat, stream):
            continue
        node, depth, inside = 0, 0, True
        while inside and depth < MAX_DEPTH:
            mover = to_move(line)
            never = player.never if node == 0 else ZERO  # the root is the seat's own decision
            options = distinct_moves(line, rules, never, buffer)
            choice = 0
            if options > 1:
                untried = _match(line, rules, seat, nodes[node], arms, buffer, options, found)
                if untried > 0 and used_arms < len(arms):
                    stream = advance(stream)
                    choice = _expand(line, rules, player, never, stream, buffer, table, options, found, untried)
                    arm = arms[used_arms]
                    arm.label = _label(line, rules, buffer[choice], seat)
                    arm.total = 0.0
                    arm.visits, arm.available = 0, 1
                    arm.sibling = nodes[node].arm
                    nodes[node].arm = used_arms
                    found[choice] = used_arms
                    used_arms += 1
                    inside = False
                elif untried > 0:
                    inside = False
                else:
                    choice = _best_arm(arms, found, options, explore)
                if found[choice] >= 0:
                    path[depth] = found[choice]
                    sides[depth] = rules.side[mover]
                    depth += 1
            action = buffer[choice]
            seen = observed(line, rules, action, seat)
            act(line, rules, action)
            place[PLIES] += 1
            if round_over(line):
                break
            if inside:
                node, used_nodes = _child(nodes, used_nodes, node, seen)
                inside = node >= 0
        if not round_over(line):
            place[PLIES] += play_out(line, rules, player, buffer, table)
        place[PLAYOUTS] += 1
        worth(line, rules, worths)
        for i in range(depth):
            arms[path[i]].visits += 1
            arms[path[i]].total += worths[sides[i]]
    return _most_visited(state, rules, seat, nodes[0].arm, arms, moves, n)


@rare
def _match(line: Any, rules: Any, seat: Any, node: Any, arms: Any, moves: Any, n: Any, found: Any) -> Any:
    """Finds each move's arm and counts it as available; returns how many moves have none yet."""
    untried = 0
    for i in range(n):
        label = _label(line, rules, moves[i], seat)
        arm = node.arm
        while arm >= 0 and arms[arm].label != label:
            arm = arms[arm].sibling
        found[i] = arm
        if arm >= 0:
            arms[arm].available += 1
        else:
            untried += 1
    return untried


@rare
def _expand(
    line: Any,
    rules: Any,
    player: Any,
    never: Any,
    stream: Any,
    moves: Any,
    table: Any,
    n: Any,
    found: Any,
    untried: Any,
) -> Any:
    """Which move to try first: the thumb's, else one of the untried at random."""
    wanted = kind(line, rules, thumb_move(line, rules, player.weights, player.noise, never, moves, table))
    distinct_moves(line, rules, never, moves)
    skip = np.int64(below(stream, untried))
    chosen = 0
    for i in range(n):
        if found[i] < 0:
            if kind(line, rules, moves[i]) == wanted:
                return i
            if skip == 0:
                chosen = i
            skip -= 1
    return chosen


@rare
def _most_visited(state: Any, rules: Any, seat: Any, first: Any, arms: Any, moves: Any, n: Any) -> Any:
    best, most, total = 0, -1, 0.0
    for i in range(n):
        label = _label(state, rules, moves[i], seat)
        arm = first
        while arm >= 0 and arms[arm].label != label:
            arm = arms[arm].sibling
        if arm >= 0 and (arms[arm].visits > most or (arms[arm].visits == most and arms[arm].total > total)):
            best, most, total = i, arms[arm].visits, arms[arm].total
    return moves[best]
