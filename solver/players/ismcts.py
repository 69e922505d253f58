"""Information-set tree search: one tree over what the deciding seat observes, and a new world for every simulation.

Single observer, open loop: a node is the sequence of actions since the root as the root's seat sees them. The first
move is chosen by the race of race.py. Below it the player's own side learns its moves by upper confidence bounds. The
others act as noisy thumbs: they cannot answer a card that is still hidden, and with affordable numbers of visits
learned opponents would play almost at random. Simulations end with the round.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.streams import advance, below, derive
from houle.solver.compiler.types import Action, Categories, Label, Number, Player, Real, Rules, Seat, State, Stream
from houle.solver.interface import UTILITY, is_signal, kind, observed, to_move, utility
from houle.solver.players.flat import far_enough, imagined_move, play_out
from houle.solver.players.moves import act, bound_to, distinct_moves
from houle.solver.players.player import MILLI
from houle.solver.players.workspace import MAX_DEPTH, Scene, Tree

# Rounded: the last bit of a logarithm differs between machines and must not decide a move.
_LOGS = 1 << 16
LOG = np.array([0.0, *(round(math.log(i) * 2**20) / 2**20 for i in range(1, _LOGS))])


@kernel
def _log(n: Number) -> Real:
    return LOG[n] if n < _LOGS else LOG[_LOGS - 1]


@outlined
def _label(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """An arm's label: what the observer sees, and the kind of the action. They differ for hidden choices."""
    return derive(observed(state, rules, action, seat), kind(state, rules, action))


@kernel
def plant(counters: Any, tree: Tree) -> None:
    """Resets the tree to a root without children."""
    tree.nodes[0].child = tree.nodes[0].arm = -1
    counters.nodes, counters.arms = 1, 0


@kernel
def _child(nodes: Any, counters: Any, parent: Number, label: Label) -> Number:
    """The child of a node with this label, created if missing; -1 if the tree is full."""
    child = nodes[parent].child
    while child >= 0:
        if nodes[child].label == label:
            return np.int64(child)
        child = nodes[child].sibling
    number = counters.nodes
    if number == len(nodes):
        return np.int64(-1)
    nodes[number].label = label
    nodes[number].sibling = nodes[parent].child
    nodes[number].child = nodes[number].arm = -1
    nodes[parent].child = number
    counters.nodes += 1
    return number


@kernel
def _best_arm(arms: Any, tried: Any, n: Number, explore: Real) -> Number:
    """The arm with the highest upper confidence bound, of those available in this world."""
    best, best_bound = 0, -1.0e9
    for i in range(n):
        arm = arms[tried[i]]
        bound = arm.total / (UTILITY * arm.visits) + explore * np.sqrt(_log(arm.available) / arm.visits)
        if bound > best_bound:
            best, best_bound = i, bound
    return best


@outlined
def simulate(
    rules: Rules, player: Player, seat: Seat, action: Action, stream: Stream, scene: Scene, tree: Tree
) -> Number:
    """Plays one simulation in the line's world from a root action; returns the utility for the seat's side."""
    line, counters, path = scene.worlds[1], scene.counters[0], tree.path
    side = rules.side[seat]
    explore = player.explore / MILLI
    node, depth, inside, plies = np.int64(0), 0, True, 0
    while True:
        seen = observed(line, rules, action, seat)
        act(line, rules, action)
        plies += 1
        if far_enough(line, player, scene) or not inside or depth == MAX_DEPTH:
            break
        node = _child(tree.nodes, counters, node, seen)
        if node < 0:
            break
        never = bound_to(line, player, seat)
        if rules.side[to_move(line)] != side or is_signal(line):
            action = imagined_move(line, rules, player, never, scene)
            continue
        options = distinct_moves(line, rules, never, scene.buffer)
        choice = 0
        if options > 1:
            untried = _match(line, rules, seat, node, options, scene, tree)
            if untried > 0:
                if counters.arms == len(tree.arms):
                    break
                stream = advance(stream)
                choice = _expand(line, rules, player, never, options, np.int64(below(stream, untried)), scene, tree)
                tree.tried[choice] = _new_arm(
                    tree.nodes[node], tree.arms, counters, _label(line, rules, scene.buffer[choice], seat)
                )
                inside = False
            else:
                choice = _best_arm(tree.arms, tree.tried, options, explore)
            path[depth] = tree.tried[choice]
            depth += 1
        action = scene.buffer[choice]
    if not far_enough(line, player, scene):
        plies += play_out(line, rules, player, seat, scene)
    counters.plies += plies
    counters.playouts += 1
    utilities = scene.utilities
    utility(line, rules, utilities)
    for i in range(depth):
        tree.arms[path[i]].visits += 1
        tree.arms[path[i]].total += utilities[side]
    return utilities[side]


@kernel
def _new_arm(node: Any, arms: Any, counters: Any, label: Label) -> Number:
    number = counters.arms
    arm = arms[number]
    arm.label = label
    arm.total = 0
    arm.visits, arm.available = 0, 1
    arm.sibling = node.arm
    node.arm = number
    counters.arms += 1
    return number


@outlined
def _match(line: State, rules: Rules, seat: Seat, node: Number, n: Number, scene: Scene, tree: Tree) -> Number:
    """Finds the arm of each move in the buffer and counts it as available; returns the number of moves without one."""
    arms, untried = tree.arms, 0
    for i in range(n):
        label = _label(line, rules, scene.buffer[i], seat)
        arm = tree.nodes[node].arm
        while arm >= 0 and arms[arm].label != label:
            arm = arms[arm].sibling
        tree.tried[i] = arm
        if arm >= 0:
            arms[arm].available += 1
        else:
            untried += 1
    return untried


@outlined
def _expand(
    line: State, rules: Rules, player: Player, never: Categories, n: Number, skip: Number, scene: Scene, tree: Tree
) -> Number:
    """The untried move to add: the thumb's, else the one after `skip` others."""
    moves = scene.buffer
    wanted = kind(line, rules, imagined_move(line, rules, player, never, scene))
    distinct_moves(line, rules, never, moves)
    chosen = 0
    for i in range(n):
        if tree.tried[i] < 0:
            if kind(line, rules, moves[i]) == wanted:
                return i
            if skip == 0:
                chosen = i
            skip -= 1
    return chosen
