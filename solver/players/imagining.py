"""Samples the worlds that searches play in."""

from __future__ import annotations

from houle.solver.cards.bits import ZERO
from houle.solver.compiler.kernels import outlined
from houle.solver.compiler.records import put
from houle.solver.compiler.types import Flag, Key, Player, Rules, Seat, State
from houle.solver.interface import careless, determinize, in_use
from houle.solver.players.names import CLAIRVOYANT
from houle.solver.players.workspace import Scene


@outlined
def imagine(state: State, rules: Rules, player: Player, seat: Seat, key: Key, scene: Scene) -> Flag:
    """Samples a world that the seat cannot tell from the real one; a clairvoyant gets the real one."""
    put(scene.worlds, 0, state, in_use(state, rules))
    scene.counters[0].careless = ZERO
    if player.kind == CLAIRVOYANT:
        scene.worlds[0].choice = key
        return True
    scene.counters[0].careless = careless(state, rules, seat, key)
    return determinize(scene.worlds[0], rules, seat, key)
