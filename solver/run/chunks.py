"""Runs many games in chunks over threads. The result does not depend on threads or chunk size.

Kernels release the GIL, so threads are enough. They do not react to Ctrl-C, so a chunk lasts about a fifth of a second.
An interrupted run returns the longest contiguous prefix of its games, which can be repeated exactly.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from houle.solver.os_calls import default_threads
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup
from houle.solver.run.tally import Tally, result_digest

CHUNK_SECONDS = 0.2
FIRST_CHUNK = 64


class Addable(Protocol):
    """The result of a chunk: a Tally, or anything else that can be added."""

    @property
    def games(self) -> int: ...

    def add(self, other: Self) -> None: ...


Part = TypeVar("Part", bound=Addable)


@dataclass(frozen=True)
class Run:
    """Games first .. first + tally.games - 1 of a seed, played and counted."""

    setup: Setup
    line_up: LineUp
    seed: int
    first: int
    tally: Tally
    asked: int  # games requested; more than tally.games after an interruption
    seconds: float  # wall time without compilation

    @property
    def strategies(self) -> tuple[str, ...]:
        return self.line_up.names

    @property
    def interrupted(self) -> bool:
        return self.tally.games < self.asked

    @property
    def digest(self) -> str:
        return result_digest(self.setup, self.line_up.digests, self.seed, self.first, tally=self.tally)


def in_chunks(
    job: Callable[[int, int], Part],
    total: Part,
    games: int,
    first: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Callable[[int, float], None] | None = None,
    start_with: int = FIRST_CHUNK,
) -> float:
    """Runs job(begin, number) for games first .. first + games - 1 in chunks over threads; returns the seconds.

    Results are added to `total` in the order of the games. After Ctrl-C they are a contiguous prefix. Chunks have at
    least `start_with` games: on a busy machine, or with many line-ups, smaller ones would take longer than their games.
    """
    start = time.perf_counter()
    done: dict[int, tuple[int, Part]] = {}  # finished chunks after the contiguous prefix, by first game
    running: dict[Future[Part], tuple[int, int]] = {}
    size = least = chunk or min(start_with, games)
    ahead, prefix, end = first, first, first + games

    def collect(futures: set[Future[Part]]) -> None:
        nonlocal prefix
        for future in futures:
            begin, number = running.pop(future)
            done[begin] = (number, future.result())
        while prefix in done:
            number, part = done.pop(prefix)
            total.add(part)
            prefix += number

    workers = threads or default_threads()
    with ThreadPoolExecutor(workers) as pool:
        try:
            while prefix < end:
                while ahead < end and len(running) < 2 * workers:
                    number = min(size, end - ahead)
                    running[pool.submit(job, ahead, number)] = (ahead, number)
                    ahead += number
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                collect(finished)
                seconds = time.perf_counter() - start
                if chunk is None and total.games:
                    size = max(least, min(8 * size, int(total.games / seconds * CHUNK_SECONDS / workers)))
                if progress:
                    progress(total.games, seconds)
        except KeyboardInterrupt:
            for future in running:
                future.cancel()
            collect({future for future in wait(running).done if not future.cancelled() and not future.exception()})
    return time.perf_counter() - start
