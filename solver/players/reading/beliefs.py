"""Beliefs: how likely thumbs make a move; worlds weighted by what the others did, and drawn by weight.

Worlds are stored as random keys only. A world is sampled once to compute its weight and again when it is drawn, which
saves memory. Draws step through the cumulated weights by the golden ratio. This spreads any number of draws evenly, as
systematic resampling does for a number known in advance.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import HALF, derive, mix, start_world
from houle.solver.compiler.kernels import entry, kernel, never_inline, outlined
from houle.solver.compiler.local_arrays import local_empty
from houle.solver.compiler.types import (
    Action,
    AllRules,
    Flag,
    Key,
    Number,
    Player,
    Players,
    Real,
    Rules,
    Seat,
    State,
    States,
)
from houle.solver.interface import by_game, is_signal, kind, legal, recall, to_move
from houle.solver.players.kinds import MILLI, MOST_WEIGHED
from houle.solver.players.reading.memory import MOST_REMEMBERED, WEIGHED, Memory, remembered
from houle.solver.players.thumb import LOWEST, RATING, rate
from houle.solver.players.workspace import Scene, imagine

SLIP = 0.02  # chance of a random move, so that one odd move rules out no world
STEPS = 64  # entries of the table per temperature below the best rating
FAR = 16  # temperatures below the best; moves rated lower have no odds
ODDS = np.array([round(math.exp(-i / STEPS) * 2**30) for i in range(STEPS * FAR)], np.int64)


@outlined
def chance_of(state: State, rules: Rules, action: Action, player: Player, temperature: Number, scene: Scene) -> Real:
    """The chance that a thumb of this temperature takes this action; 0 where it is impossible."""
    moves, table = scene.buffer, scene.table
    n = legal(state, rules, moves)
    if n == 1:
        return 1.0 if kind(state, rules, moves[0]) == kind(state, rules, action) else 0.0
    rate(state, rules, player.weights[:], moves, n, table)
    best = LOWEST
    for i in range(n):
        best = max(best, table[i, RATING])
    label = kind(state, rules, action)
    this, all_of_them, ways = 0, 0, 0
    for i in range(n):
        below = (best - table[i, RATING]) * (STEPS * MILLI) // temperature
        odds = ODDS[below] if below < STEPS * FAR else 0
        all_of_them += odds
        if kind(state, rules, moves[i]) == label:
            this += odds
            ways += 1
    return (1.0 - SLIP) * (this / all_of_them) + SLIP * (ways / n)


READING = U8(0x7265_6164)  # part of a decision's key, for the luck of reading
GOLDEN = U8(0x9E37_79B9_7F4A_7C15)  # 2**64 divided by the golden ratio
FINE = 1 << 22  # the greatest odds of one world: the sum of all stays below 32 bits


@kernel
def _key_of(key: Key, number: Number) -> Key:
    """The key of the number-th weighed world."""
    return derive(derive(key, READING), U8(number))


@never_inline
def _weigh_worlds(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, scene: Scene, memory: Memory
) -> Flag:
    """Writes the cumulated odds of the worlds; False where no earlier move distinguishes them."""
    telling = local_empty(MOST_REMEMBERED, np.int64)
    weights = local_empty(MOST_WEIGHED, np.float64)
    worlds = player.weighs if player.weighs > 0 else WEIGHED
    greatest, count = 0.0, 0
    for number in range(worlds):
        weights[number] = 0.0
        if not imagine(state, rules, player, seat, _key_of(key, number), scene):
            continue
        if greatest == 0.0:
            count = _find_telling(state, rules, player, seat, scene, memory, telling)
            if count == 0:
                return False
        weights[number] = _weight(state, rules, player, seat, scene, memory, telling, count, greatest / FINE * 0.5)
        greatest = max(greatest, weights[number])
    if greatest == 0.0:
        return False
    total = 0
    for number in range(len(memory.odds)):
        if number < worlds:
            total += np.int64(weights[number] / greatest * FINE)
        memory.odds[number] = total
    return True


@kernel
def _nothing_to_weigh(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, scene: Scene, memory: Memory
) -> Flag:
    return False


# (state, rules, player, seat, key, scene, memory): `_weigh_worlds`, or False in games without `recall`
weigh_worlds = by_game(lambda game: _weigh_worlds if game.has("recall") else _nothing_to_weigh)


@kernel
def _temperature(decision: State, player: Player) -> Number:
    """The assumed temperature of the player who made a decision; 0 if the player does not read such decisions."""
    return player.heeds if is_signal(decision) else player.reads


@outlined
def _find_telling(
    state: State, rules: Rules, player: Player, seat: Seat, scene: Scene, memory: Memory, telling: Number
) -> Number:
    """Lists the others' decisions that depend on the world. The list is the same in all worlds."""
    count = 0
    for place in range(remembered(memory)):
        if to_move(memory.states[place]) != seat and _temperature(memory.states[place], player) > 0:
            scene.worlds[1] = memory.states[place]
            if recall(scene.worlds[1], rules, seat, state, scene.worlds[0]):
                telling[count] = place
                count += 1
    return count


@outlined
def _weight(
    state: State,
    rules: Rules,
    player: Player,
    seat: Seat,
    scene: Scene,
    memory: Memory,
    telling: Number,
    count: Number,
    least: Real,
) -> Real:
    """The chance that the others made their moves in the imagined world; stops once it is below `least`."""
    weight = 1.0
    for i in range(count):
        place = telling[i]
        scene.worlds[1] = memory.states[place]
        recall(scene.worlds[1], rules, seat, state, scene.worlds[0])
        temperature = _temperature(memory.states[place], player)
        weight *= chance_of(scene.worlds[1], rules, memory.actions[place], player, temperature, scene)
        if weight < least:
            break
    return weight


@entry
def imagine_likely(
    states: States,
    all_rules: AllRules,
    players: Players,
    seat: Seat,
    key: Key,
    first: Number,
    scene: Scene,
    memory: Memory,
    worlds: States,
) -> Flag:
    """Fills `worlds` with worlds drawn by weight, from the draw number `first` on.

    Returns False where all weigh the same, and where a world is not found.
    """
    state, rules, player = states[0], all_rules[0], players[seat]
    if not weigh_worlds(state, rules, player, seat, key, scene, memory):
        return False
    for i in range(len(worlds)):
        if not imagine(state, rules, player, seat, drawn_world(key, first + i, memory), scene):
            return False
        start_world(scene.worlds[0], derive(key, U8(first + i)))  # a world may be drawn twice: new luck each time
        worlds[i] = scene.worlds[0]
    return True


@kernel
def drawn_world(key: Key, number: Number, memory: Memory) -> Key:
    """The key of the number-th drawn world."""
    point = mix(derive(key, READING)) + GOLDEN * U8(number)
    wanted = np.int64(((point >> HALF) * U8(memory.odds[-1])) >> HALF)
    low, high = 0, len(memory.odds) - 1
    while low < high:
        middle = (low + high) // 2
        if memory.odds[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return _key_of(key, low)
