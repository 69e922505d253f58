"""Plays games in plain Python in several processes, and says beforehand how long that takes.

Python runs one thread at a time, so chunks go to processes. They are forked, and know the line-ups that were made
before. Where the system cannot fork, games are played in this process.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from houle.solver.os_calls import default_threads

PARENT = "HOULE_PARENT"  # the environment variable that holds the number of the process to end with
PILOT_SECONDS = 0.3  # of play that measure the speed

Work = Callable[..., Any]


class Pool:
    """Forked processes that call the functions of `works` by their number."""

    works: list[Work] = []  # noqa: RUF012
    known = 0  # works that the processes know
    pool: ProcessPoolExecutor | None = None

    @classmethod
    def add(cls, work: Work) -> int:
        cls.works.append(work)
        return len(cls.works) - 1

    @classmethod
    def start(cls) -> None:
        """Forks processes that know all works; call it before threads use them."""
        if cls.known == len(cls.works) or "fork" not in multiprocessing.get_all_start_methods():
            return
        cls.stop()
        context = multiprocessing.get_context("fork")
        cls.pool = ProcessPoolExecutor(default_threads(), context, _begin)
        cls.known = len(cls.works)
        cls.pool.submit(int).result()  # forks all of them now

    @classmethod
    def stop(cls) -> None:
        """Ends the processes; whatever they are playing is not needed any more."""
        if cls.pool is not None:
            processes = list((getattr(cls.pool, "_processes", None) or {}).values())
            cls.pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
        cls.pool, cls.known = None, 0

    @classmethod
    def call(cls, number: int, *arguments: Any) -> Any:
        if cls.pool is None or number >= cls.known:
            return cls.works[number](*arguments)
        return cls.pool.submit(_called, number, *arguments).result()


def _called(number: int, *arguments: Any) -> Any:
    return Pool.works[number](*arguments)


def _begin() -> None:
    """A worker leaves Ctrl-C to its parent, and ends when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with(os.getppid())


def end_with(parent: int) -> None:
    """Ends this process when its parent is gone."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def time_of(plays: Sequence[Callable[[int], Any]], whole: Callable[[], Any], games: int, workers: int) -> float:
    """The seconds that the games of all line-ups will take, measured on a few of them.

    It is the time of this process, so a busy machine does not change the forecast.

    `plays` are done by the workers; the rest of `whole`, one game with all that is done with it, in this process.
    """
    seconds = rest = 0.0
    for play in plays:
        number, spent = 0, 0.0
        while spent < PILOT_SECONDS / len(plays) and number < min(games, 50):
            begin = time.thread_time()
            play(number)
            spent += time.thread_time() - begin
            number += 1
        seconds += games * spent / max(number, 1) / workers
        rest -= spent / max(number, 1)
    begin = time.thread_time()
    whole()
    return seconds + games * max(0.0, rest + time.thread_time() - begin)
