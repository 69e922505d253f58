"""A graphics card simulated with Python threads: runs the code for a card without the compiler, beside the CPU's.

`python -m tests.support.card_by_hand GAME PLAYERS GAMES STRATEGY...` prints both tallies and ledgers as JSON. Only for
few games: each lane is a thread.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

CUDA_MODULE = "houle.solver.run.cuda"
LANES, BLOCKS = 4, 2


class Block:
    """One block: its shared arrays, and the barrier of its lanes."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.barrier = threading.Barrier(LANES)
        self.shared: list[Any] = []
        self.lock = threading.Lock()

    def array(self, place: int, make: Callable[[], Any]) -> Any:
        with self.lock:
            if place == len(self.shared):
                self.shared.append(make())
            return self.shared[place]


here = threading.local()
adding = threading.Lock()


def _array(shape: Any, dtype: Any) -> Any:
    kind = dtype.dtype if hasattr(dtype, "dtype") else np.dtype(str(dtype))
    return np.zeros(shape, kind).view(np.recarray) if kind.names else np.zeros(shape, kind)


def _shared(shape: Any, dtype: Any) -> Any:
    here.arrays += 1
    return here.block.array(here.arrays - 1, lambda: _array(shape, dtype))


def _add(array: Any, place: int, number: int) -> None:
    with adding:
        array[place] += number


class Card:
    """The part of numba's `cuda` that the functions for a card use."""

    shared, local, atomic = SimpleNamespace(array=_shared), SimpleNamespace(array=_array), SimpleNamespace(add=_add)
    gridDim = SimpleNamespace(x=BLOCKS)  # noqa: N815

    @property
    def threadIdx(self) -> Any:  # noqa: N802
        return SimpleNamespace(x=here.lane)

    @property
    def blockIdx(self) -> Any:  # noqa: N802
        return SimpleNamespace(x=here.block.number)

    def syncthreads(self) -> None:
        here.block.barrier.wait(600)  # an end for a lane that never comes, also on a busy machine


def start(function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Runs a function in all lanes of all blocks."""
    faults: list[BaseException] = []

    def run(block: Block, lane: int) -> None:
        here.block, here.lane, here.arrays = block, lane, 0
        try:
            function(*arguments)
        except BaseException as fault:
            faults.append(fault)
            block.barrier.abort()

    blocks = [Block(number) for number in range(BLOCKS)]
    lanes = [threading.Thread(target=run, args=(block, lane)) for block in blocks for lane in range(LANES)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    if faults:
        raise faults[0]


def main(game: str, players: int, games: int, strategies: list[str]) -> None:
    module = ModuleType(CUDA_MODULE)
    vars(module).update(card=Card(), called_on_card=lambda function: function)
    sys.modules[CUDA_MODULE] = module
    from houle.solver.cards.bits import U8
    from houle.solver.interface import blank
    from houle.solver.players.best_move_race import BATCH
    from houle.solver.players.player import seat_strategies
    from houle.solver.players.workspace import CANDIDATE
    from houle.solver.rules import make_setup
    from houle.solver.run import gpu_search, gpu_tally
    from houle.solver.run.playout import MAX_COURSE, play_chunk
    from houle.solver.run.tally import Tally, blank_ledger

    gpu_search.LANES = LANES
    setup = make_setup(game, players)
    line_up, sides = seat_strategies(setup, strategies), int(setup.rules[0].sides)
    there, rows = Tally.empty(setup), blank_ledger(games, sides)
    words, bins = gpu_tally.blank_words(), gpu_tally.blank_bins(there)
    function, _ = gpu_search.search_function(setup.game)
    start(function, (
        blank(setup.game.STATE), setup.rules, line_up.records, U8(3), 7, games, 0, there.lowest,
        there.histogram.shape[1], words, bins, rows, 1, np.zeros((BLOCKS, MAX_COURSE), np.int8),
        np.zeros((BLOCKS, BATCH, setup.game.MAX_MOVES), np.int64),
        np.zeros((BLOCKS, setup.game.MAX_MOVES), CANDIDATE).view(np.recarray),
    ))  # fmt: skip
    gpu_tally.fill(there, words, bins)
    kept = blank_ledger(games, sides)
    on_cpu = play_chunk(line_up, 3, 7, games, ledger=kept)
    both = ((on_cpu, kept), (there, rows))
    print(json.dumps([[tally.as_data(), np.asarray(ledger).tolist()] for tally, ledger in both]))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
