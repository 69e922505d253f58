"""Information-set tree search: one tree over what the deciding seat observes, every simulation in another world.

Single observer, open loop: a node is the sequence of actions since the root as the root's seat sees them. The first
move is chosen as in flat search, by playing every candidate in the same worlds, because only pairs tell small
differences apart; below it the own side learns what to do next, by upper confidence bounds. The others act as the
noisy thumbs of playouts: choices are decoupled, so nobody answers a card that still lies hidden, and with the visits
one can afford learned opponents would play almost at random. Simulations end with the round.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from houle.solver.bitset import U8, ZERO
from houle.solver.contract import MAX_SIDES, kind, observed, round_over, to_move, worth
from houle.solver.kernels import kernel, outlined
from houle.solver.strategies.decision_log import PLAYOUTS, PLIES
from houle.solver.strategies.flat import BATCH, best_of, distinct_moves, drop_worse, imagine, own_move, play_out
from houle.solver.strategies.player import MILLI
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
        ("total", "f8"),  # sum of worths for the own side
        ("sibling", "i4"),  # next arm of the same node, or -1
        ("visits", "i4"),
        ("available", "i4"),  # simulations in which the action could be chosen
    ],
    align=True,
)
MAX_DEPTH = 256
NODES_PER_SIMULATION = 4

# Rounded, so that the last bit of a logarithm never decides a move.
_LOGS = 1 << 16
LOG = np.array([0.0, *(round(math.log(i) * 2**20) / 2**20 for i in range(1, _LOGS))])


@kernel
def _log(n: Any) -> Any:
    return LOG[n] if n < _LOGS else LOG[_LOGS - 1]


@outlined
def _label(state: Any, rules: Any, action: Any, seat: Any) -> Any:
    """An arm's label: what the observer sees and which action it is (they differ for hidden choices)."""
    return derive(observed(state, rules, action, seat), kind(state, rules, action))


@kernel
def _child(nodes: Any, used: Any, parent: Any, label: Any) -> Any:
    """The child of a node with a label, made if it is new; -1 if there is no room for it."""
    child = nodes[parent].child
    while child >= 0:
        if nodes[child].label == label:
            return np.int64(child)
        child = nodes[child].sibling
    number = used[0]
    if number == len(nodes):
        return np.int64(-1)
    nodes[number].label = label
    nodes[number].sibling = nodes[parent].child
    nodes[number].child = nodes[number].arm = -1
    nodes[parent].child = number
    used[0] += 1
    return number


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


@outlined
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
    """The move of ismcts:N, which makes N simulations, each move of a world one."""
    n = distinct_moves(state, rules, player.never, moves)
    if n == 1:
        return moves[0]
    imagine(scratch, state, rules, player, seat, derive(key, U8(0)))
    reference = own_move(scratch, rules, player, buffer, table, state, moves, n)
    alive = np.ones(n, np.bool_)
    value = np.zeros(n, np.float64)
    gain = np.zeros(n, np.float64)
    gain_squared = np.zeros(n, np.float64)
    found = np.zeros(len(moves), np.int64)
    path = np.zeros(MAX_DEPTH, np.int64)
    used = np.zeros(2, np.int64)  # nodes and arms
    nodes[0].child = nodes[0].arm = -1
    used[0] = 1
    played = made = world = 0
    while made < player.budget:
        world += 1
        stream = derive(key, U8(world))
        if not imagine(scratch, state, rules, player, seat, stream):
            made += 1
            continue
        played += 1
        for i in range(n):
            if alive[i]:
                scratch[1] = scratch[0]
                value[i] = _simulate(
                    scratch[1],
                    rules,
                    player,
                    seat,
                    moves[i],
                    stream,
                    nodes,
                    arms,
                    used,
                    found,
                    path,
                    buffer,
                    table,
                    place,
                )
                made += 1
        for i in range(n):
            if alive[i]:
                difference = value[i] - value[reference]
                gain[i] += difference
                gain_squared[i] += difference * difference
        if world % BATCH == 0:
            drop_worse(alive, gain, gain_squared, played, reference)
    return moves[best_of(alive, gain, gain_squared, played, reference, player.caution)]


@outlined
def _simulate(
    line: Any,
    rules: Any,
    player: Any,
    seat: Any,
    action: Any,
    stream: Any,
    nodes: Any,
    arms: Any,
    used: Any,
    found: Any,
    path: Any,
    buffer: Any,
    table: Any,
    place: Any,
) -> Any:
    """One simulation that begins with an action of the root; returns what it came to for the seat's side."""
    side = rules.side[seat]
    explore = player.explore / MILLI
    node, depth, inside, plies = np.int64(0), 0, True, 0
    while True:
        seen = observed(line, rules, action, seat)
        act(line, rules, action)
        plies += 1
        if round_over(line) or not inside or depth == MAX_DEPTH:
            break
        node = _child(nodes, used, node, seen)
        if node < 0:
            break
        if rules.side[to_move(line)] != side:
            action = thumb_move(line, rules, player.weights, player.noise, ZERO, buffer, table)
            continue
        options = distinct_moves(line, rules, ZERO, buffer)
        choice = 0
        if options > 1:
            untried = _match(line, rules, seat, nodes[node], arms, buffer, options, found)
            if untried > 0:
                if used[1] == len(arms):
                    break
                stream = advance(stream)
                choice = _expand(line, rules, player, stream, buffer, table, options, found, untried)
                found[choice] = _new_arm(nodes[node], arms, used, _label(line, rules, buffer[choice], seat))
                inside = False
            else:
                choice = _best_arm(arms, found, options, explore)
            path[depth] = found[choice]
            depth += 1
        action = buffer[choice]
    if not round_over(line):
        plies += play_out(line, rules, player, buffer, table)
    place[PLIES] += plies
    place[PLAYOUTS] += 1
    worths = np.zeros(MAX_SIDES, np.float64)
    worth(line, rules, worths)
    for i in range(depth):
        arms[path[i]].visits += 1
        arms[path[i]].total += worths[side]
    return worths[side]


@kernel
def _new_arm(node: Any, arms: Any, used: Any, label: Any) -> Any:
    number = used[1]
    arm = arms[number]
    arm.label = label
    arm.total = 0.0
    arm.visits, arm.available = 0, 1
    arm.sibling = node.arm
    node.arm = number
    used[1] += 1
    return number


@outlined
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


@outlined
def _expand(
    line: Any, rules: Any, player: Any, stream: Any, moves: Any, table: Any, n: Any, found: Any, untried: Any
) -> Any:
    """Which move to try first: the thumb's, else one of the untried at random."""
    wanted = kind(line, rules, thumb_move(line, rules, player.weights, player.noise, ZERO, moves, table))
    distinct_moves(line, rules, ZERO, moves)
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
