"""Plays the chunks that the logs of a study lack, on threads of this process or on a Dask cluster."""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path

from houle.analysis.sampling.backends import count_games
from houle.analysis.sampling.plan import work_of
from houle.analysis.studies.cell import Cell, Chunk, Listener, Played, Study, StudyPart
from houle.analysis.studies.cluster import on_cluster
from houle.analysis.studies.log import Log, Logged
from houle.solver.run import default_threads
from houle.solver.run.tally import Tally

AHEAD = 2  # chunks per thread: one to play, one waiting


def play_study(
    study: Study,
    folder: str | Path,
    part: StudyPart,
    cluster: str | None,
    threads: int | None,
    listener: Listener,
) -> bool:
    """Plays what a part lacks and logs it; returns whether the part is complete."""
    with closing(Log(folder, part, study)) as log:
        logged = Logged(folder, study)
        log.begin(logged.heads.get(part.file))
        wanted = list(part.chunks(study.sizes))
        missing = [chunk for chunk in wanted if not logged.has(chunk)]
        work = [work_of(cell.line_up) for cell in study.cells]
        whole = sum(work[chunk.cell - 1] * chunk.games for chunk in wanted)
        left = sum(work[chunk.cell - 1] * chunk.games for chunk in missing)
        counted = {number: sums.games for number, sums in logged.cells.items()}
        start, done, games = time.perf_counter(), 0, 0
        if cluster is None:
            played = in_threads(study.cells, missing, threads or default_threads(), listener)
        else:
            played = on_cluster(study, missing, cluster, listener)
        for chunk, tally in played:
            log.append(chunk, tally)
            done, games = done + 1, games + chunk.games
            left -= work[chunk.cell - 1] * chunk.games
            counted[chunk.cell] = counted.get(chunk.cell, 0) + chunk.games
            if counted[chunk.cell] == study.cells[chunk.cell - 1].games:
                listener.finish(f"cell {chunk.cell} done: {study.labels[chunk.cell]}, {counted[chunk.cell]:,} games")
            seconds = time.perf_counter() - start
            listener.report(games, seconds, 1 - left / max(whole, 1e-9), f"{done}/{len(missing)} chunks")
        return done == len(missing)


def in_threads(cells: tuple[Cell, ...], chunks: Iterable[Chunk], threads: int, listener: Listener) -> Played:
    """Plays chunks on threads and yields them as they end; when it is stopped, those that were begun still end."""
    compiled: set[tuple[str, int]] = set()

    def play(chunk: Chunk) -> Tally:
        cell = cells[chunk.cell - 1]
        return count_games(cell.line_up, cell.seed, chunk.first, chunk.games)

    running: dict[Future[Tally], Chunk] = {}
    rest = iter(chunks)
    pool = ThreadPoolExecutor(threads)
    try:
        while True:
            while len(running) < AHEAD * threads and not listener.stopping():
                chunk = next(rest, None)
                if chunk is None:
                    break
                line_up = cells[chunk.cell - 1].line_up
                kernel = line_up.setup.ruleset.name, line_up.level
                if kernel not in compiled:  # here, before several threads would
                    count_games(line_up, 0, 0, 0)
                    compiled.add(kernel)
                running[pool.submit(play, chunk)] = chunk
            if listener.stopping():
                running = {future: chunk for future, chunk in running.items() if not future.cancel()}
            if not running:
                return
            for future in sorted(wait(running, return_when=FIRST_COMPLETED).done, key=running.__getitem__):
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(cancel_futures=True)  # after a fault, such as a full disk
