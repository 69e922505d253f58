"""Information-set tree search, ismcts:N: flat search whose simulations learn how the player goes on.

First moves race as in flat search (best_move_race.py). At its next decisions (LEARNED) the player itself moves by PUCT:
the mean result of a move so far, plus a bonus for promising moves that were little tried. The softmax of the thumb's
ratings is the prior, so moves that no thumb would make take few simulations. Later, and in all other seats, noisy
thumbs move: partners are expected to keep to their habits, because a plan that needs them to find it too fails. Deeper
trees did not pay: most positions there are met once or twice.

Results are kept per information set (what the root's seat has observed since the root) and kind of move. A first visit
plays as flat search does, with the same luck.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver import interface
from houle.solver.cards.bits import U8, ZERO, has
from houle.solver.cards.streams import advance, derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Categories, Flag, Label, Number, Player, Rules, Seat, State
from houle.solver.interface import UTILITY
from houle.solver.players.allowed_moves import act, bound_to, distinct_moves
from houle.solver.players.flat import far_enough, finish, imagined_move
from houle.solver.players.kinds import MILLI
from houle.solver.players.thumb import RATING, noisy, rate
from houle.solver.players.workspace import LEARNED, Scene, Tree

PROBES = 8  # slots that are tried for a label; then it is not kept
STEPS = 64  # of the table below, per unit of the exponent
# exp(-x) in 2**-20, rounded: the last bit of an exponential differs between machines and must not decide a move.
EXP = np.array([round(2**20 * math.exp(-i / STEPS)) for i in range(14 * STEPS)], np.int64)


@kernel
def clear(player: Player, tree: Tree) -> None:
    """Forgets the simulations of the last decision."""
    for i in range(player.slots):
        tree.slots[i].label = ZERO


@kernel
def _slot(tree: Tree, size: Number, label: Label, create: Flag) -> Number:
    """The slot of a label, created if asked for; -1 if it has none."""
    slots = tree.slots
    at = np.int64(label & U8(size - 1))
    for _ in range(PROBES):
        if slots[at].label == label:
            return at
        if slots[at].label == ZERO:
            if not create:
                return np.int64(-1)
            slots[at].label = label
            slots[at].total = slots[at].visits = 0
            return at
        at = (at + 1) & (size - 1)
    return np.int64(-1)


@outlined
def _rate_all(line: State, rules: Rules, player: Player, n: Number, scene: Scene, tree: Tree) -> Number:
    """Rates the moves in the buffer and writes the softmax of their ratings; returns its sum."""
    rate(line, rules, player.weights[:], scene.buffer, n, scene.table)
    top = scene.table[0, RATING]
    for i in range(1, n):
        top = max(top, scene.table[i, RATING])
    total = 0
    for i in range(n):
        gap = (top - scene.table[i, RATING]) * MILLI * STEPS // max(player.noise, 1)
        tree.priors[i] = EXP[min(gap, len(EXP) - 1)]
        total += tree.priors[i]
    return total


@outlined
def _learned_move(
    line: State, rules: Rules, player: Player, never: Categories, key: Label, depth: Number, scene: Scene, tree: Tree
) -> Action:
    """Chooses the player's move in an information set, and records the set and the move in the path."""
    moves, slots, path, size = scene.buffer, tree.slots, tree.path, player.slots
    n = distinct_moves(line, rules, never, moves)
    path[2 * depth] = path[2 * depth + 1] = -1
    if n == 1:
        return moves[0]
    stream = advance(line.choice)
    line.choice = stream
    priors = _rate_all(line, rules, player, n, scene, tree)
    node = _slot(tree, size, key, True)
    visits = slots[node].visits if node >= 0 else 0
    mean = slots[node].total / visits if visits > 0 else 0.0
    bonus = player.explore / MILLI * math.sqrt(visits)
    best, best_score, best_luck = 0, -1.0e300, ZERO
    for i in range(n):
        label = interface.kind(line, rules, moves[i])
        luck = derive(stream, label)
        if visits > 0:
            slot = _slot(tree, size, derive(key, label), False)
            tried = slots[slot].visits if slot >= 0 else 0
            value = slots[slot].total / tried if tried > 0 else mean  # untried: what the parent promises
            score = value / UTILITY + bonus * (tree.priors[i] / priors) / (1 + tried)
        else:
            score = float(noisy(scene.table[i, RATING], player.noise, luck))
        if score > best_score or (score == best_score and luck > best_luck):
            best, best_score, best_luck = i, score, luck
    path[2 * depth] = node
    path[2 * depth + 1] = _slot(tree, size, derive(key, interface.kind(line, rules, moves[best])), True)
    return moves[best]


@outlined
def simulate(rules: Rules, player: Player, seat: Seat, action: Action, scene: Scene, tree: Tree) -> Number:
    """Plays one simulation in the line's world from a root action; returns the utility for the seat's side."""
    line, path = scene.worlds[1], tree.path
    seen = derive(interface.observed(line, rules, action, seat), interface.kind(line, rules, action))
    act(line, rules, action)
    depth, plies = 0, 1
    while depth < LEARNED and not far_enough(line, player, scene):
        never, mover = bound_to(line, player, seat), interface.to_move(line)
        learns = mover == seat and not interface.is_signal(line)
        if interface.has_careless_players(line):
            learns = learns and not has(scene.counters[0].careless, mover)
        if learns:
            action = _learned_move(line, rules, player, never, seen, depth, scene, tree)
            depth += 1 if path[2 * depth] >= 0 else 0
        else:
            action = imagined_move(line, rules, player, never, scene)
        seen = derive(seen, interface.observed(line, rules, action, seat))
        act(line, rules, action)
        plies += 1
    value = finish(plies, rules, player, seat, scene)
    for i in range(2 * depth):
        if path[i] >= 0:
            tree.slots[path[i]].visits += 1
            tree.slots[path[i]].total += value
    return value
