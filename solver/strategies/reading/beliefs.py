"""Beliefs: worlds weighed by what the others did, and drawn by weight.

A world is its key: it is imagined once to be weighed and again when it is drawn, so that none has to be kept. Draws go
round the weights in steps of the golden ratio. That spreads any number of worlds evenly over them, as systematic
resampling does for a number known before, and the first few of them as well as all.
"""

from __future__ import annotations

import numpy as np

from houle.solver.bitset import U8
from houle.solver.interface import by_game, recall, to_move
from houle.solver.kernels import kernel, never_inline, outlined
from houle.solver.local_arrays import local_empty
from houle.solver.strategies.imagining import imagine
from houle.solver.strategies.names import MOST_WEIGHED
from houle.solver.strategies.reading.memory import MOST_REMEMBERED, WEIGHED, Memory, remembered
from houle.solver.strategies.reading.thumb_odds import chance_of
from houle.solver.strategies.workspace import Scene
from houle.solver.streams import HALF, derive, mix
from houle.solver.types import Flag, Key, Number, Player, Real, Rules, Seat, State

READING = U8(0x7265_6164)  # part of the key of a decision's search, for the luck of reading alone
GOLDEN = U8(0x9E37_79B9_7F4A_7C15)  # the golden ratio of a whole turn of 64 bits
FINE = 1 << 22  # the greatest odds of one world: those of all together stay below 32 bits


@kernel
def _key_of(key: Key, number: Number) -> Key:
    """The key of one of the worlds that are weighed."""
    return derive(derive(key, READING), U8(number))


@never_inline
def _weigh_worlds(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, scene: Scene, memory: Memory
) -> Flag:
    """Writes the odds of worlds, each with those before it; False where nothing that was done tells anything."""
    telling = local_empty(MOST_REMEMBERED, np.int64)
    weights = local_empty(MOST_WEIGHED, np.float64)
    worlds = player.weighs if player.weighs > 0 else WEIGHED
    greatest, told = 0.0, 0
    for number in range(worlds):
        weights[number] = 0.0
        if not imagine(state, rules, player, seat, _key_of(key, number), scene):
            continue
        if greatest == 0.0:
            told = _find_telling(state, rules, seat, scene, memory, telling)
            if told == 0:
                return False
        weights[number] = _weight(state, rules, player, seat, scene, memory, telling, told, greatest / FINE * 0.5)
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
def _nothing_told(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, scene: Scene, memory: Memory
) -> Flag:
    return False


# (state, rules, player, seat, key, scene, memory): see `_weigh_worlds`
weigh_worlds = by_game(lambda game: _weigh_worlds if game.can_be_read else _nothing_told)


@outlined
def _find_telling(state: State, rules: Rules, seat: Seat, scene: Scene, memory: Memory, telling: Number) -> Number:
    """Lists the others' decisions that look different from world to world, which is the same in all worlds."""
    told = 0
    for place in range(remembered(memory)):
        if to_move(memory.states[place]) != seat:
            scene.worlds[1] = memory.states[place]
            if recall(scene.worlds[1], rules, seat, state, scene.worlds[0]):
                telling[told] = place
                told += 1
    return told


@outlined
def _weight(
    state: State,
    rules: Rules,
    player: Player,
    seat: Seat,
    scene: Scene,
    memory: Memory,
    telling: Number,
    told: Number,
    least: Real,
) -> Real:
    """How likely the others did what they did, had they been in the imagined world; no further once below `least`."""
    weight = 1.0
    for i in range(told):
        place = telling[i]
        scene.worlds[1] = memory.states[place]
        recall(scene.worlds[1], rules, seat, state, scene.worlds[0])
        weight *= chance_of(scene.worlds[1], rules, memory.actions[place], player, scene)
        if weight < least:
            break
    return weight


@kernel
def drawn_world(key: Key, number: Number, memory: Memory) -> Key:
    """The key of the world that is drawn as the number-th, by its odds."""
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
