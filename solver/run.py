"""Many games: chunks over threads, the same result whatever the threads and the chunk size.

Kernels release the GIL, so threads are enough; they are deaf to Ctrl-C, so chunks last about a fifth of a second.
Interrupted, a run returns the longest contiguous prefix of its games: that part can be repeated exactly.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup
from houle.solver.tally import Tally, result_digest

CHUNK_SECONDS = 0.2
FIRST_CHUNK = 64

Progress = Callable[[int, float], None]  # games done, seconds of play so far


@dataclass(frozen=True)
class Run:
    """Games first .. first + tally.games - 1 of a seed, played and counted."""

    setup: Setup
    strategies: tuple[str, ...]
    seed: int
    first: int
    tally: Tally
    asked: int  # games asked for; more than tally.games after an interruption
    seconds: float  # wall time of play, without compilation

    @property
    def interrupted(self) -> bool:
        return self.tally.games < self.asked

    @property
    def digest(self) -> str:
        return result_digest(self.setup, self.strategies, self.seed, self.first, self.tally)


def default_threads() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def play(
    setup: Setup,
    strategies: tuple[str, ...],
    seed: int,
    games: int,
    first: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Plays the games and counts them. `chunk` fixes the games per chunk (by default the measured rate does)."""
    total = Tally.empty(setup)
    play_chunk(setup, strategies, seed, first, 0)  # compiles, or loads what was compiled, outside the clock
    start = time.perf_counter()
    done: dict[int, tuple[int, Tally]] = {}  # finished chunks beyond the contiguous prefix, by their first game
    running: dict[Future[Tally], tuple[int, int]] = {}
    size = chunk or min(FIRST_CHUNK, games)
    ahead, prefix, end = first, first, first + games

    def collect(futures: set[Future[Tally]]) -> None:
        nonlocal prefix
        for future in futures:
            begin, number = running.pop(future)
            done[begin] = (number, future.result())
        while prefix in done:
            number, tally = done.pop(prefix)
            total.add(tally)
            prefix += number

    workers = threads or default_threads()
    with ThreadPoolExecutor(workers) as pool:
        try:
            while prefix < end:
                while ahead < end and len(running) < 2 * workers:
                    number = min(size, end - ahead)
                    running[pool.submit(play_chunk, setup, strategies, seed, ahead, number)] = (ahead, number)
                    ahead += number
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                collect(finished)
                seconds = time.perf_counter() - start
                if chunk is None and total.games:
                    size = max(1, min(8 * size, int(total.games / seconds * CHUNK_SECONDS / workers)))
                if progress:
                    progress(total.games, seconds)
        except KeyboardInterrupt:
            for future in running:
                future.cancel()
            collect({future for future in wait(running).done if not future.cancelled()})
    return Run(setup, strategies, seed, first, total, games, time.perf_counter() - start)
