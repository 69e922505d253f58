"""`--studies`: what a study costs beyond its games, and worker processes compared with threads.

The cost of a chunk is measured on a study whose chunks are single games. Games a second are counted in the steady
state, in chunks of half a second, on two threads and on two Dask worker processes in turn.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.bench.timing import repeated, spread

if TYPE_CHECKING:
    from houle.analysis.studies.executors import Crew
    from houle.analysis.studies.runner import Progress

WORKERS = 2
SINGLE_GAMES = 3_000  # chunks of one game each
WARM_SECONDS, STEADY_SECONDS = 2.0, 8.0

Hire = Callable[[], "Crew"]


def bench_studies(repeats: int) -> dict[str, Any]:
    """Seconds per chunk and games per second, by threads and by processes, and their ratio."""
    from distributed import LocalCluster

    from houle.analysis.studies.executors import Cluster, Threads

    with LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        crews: dict[str, Hire] = {
            "threads": lambda: Threads(WORKERS),
            "processes": lambda: Cluster(cluster.scheduler_address),
        }
        for hire in crews.values():  # so that every worker loads the compiled kernels
            _rate(hire)

        def turn() -> tuple[dict[str, float], dict[str, float]]:
            costs = {name: _cost(hire) for name, hire in crews.items()}
            return costs, {name: _rate(hire) for name, hire in crews.items()}

        turns = repeated(repeats, turn)
    return {
        "repeats": repeats,
        "workers": WORKERS,
        "chunks": SINGLE_GAMES,
        "seconds_per_chunk": {name: spread([costs[name] for costs, _ in turns]) for name in crews},
        "games_per_second": {name: spread([rates[name] for _, rates in turns]) for name in crews},
        "processes_over_threads": spread([rates["processes"] / rates["threads"] for _, rates in turns]),
    }


def _study(hire: Hire, spec: str, watch: Callable[[Progress], None], stopping: Callable[[], bool] = bool) -> float:
    """Plays a study in a temporary folder and returns the seconds."""
    from houle.analysis.studies.cell import measure
    from houle.analysis.studies.runner import execute
    from houle.analysis.studies.spec import read_spec
    from houle.analysis.studies.store import Store, create

    with tempfile.TemporaryDirectory() as folder:
        file, path = Path(folder, "bench.toml"), str(Path(folder, "bench.db"))
        file.write_text(spec)
        study = read_spec(file)
        create(path, study, [measure(cell) for cell in study.cells])
        crew = hire()
        try:
            with Store(path, write=True) as store:
                start = time.perf_counter()
                execute(store, crew, watch, stopping=stopping)
                return time.perf_counter() - start
        finally:
            crew.close()


def _cost(hire: Hire) -> float:
    """Seconds per chunk when a chunk is one game."""
    spec = f'game = "wave"\nstrategies = "random"\nplayers = 3\nchunk = 1\ngames = {SINGLE_GAMES}\n'
    return _study(hire, spec, lambda progress: None) / SINGLE_GAMES


def _rate(hire: Hire) -> float:
    """Games a second in the steady state, in chunks of half a second."""
    seen: list[tuple[float, int]] = []
    end = time.perf_counter() + WARM_SECONDS + STEADY_SECONDS

    def watch(progress: Progress) -> None:
        # Only when a chunk came in: between chunks the count stands still.
        if progress.seconds >= WARM_SECONDS and (not seen or progress.played > seen[-1][1]):
            seen.append((progress.seconds, progress.played))

    spec = 'game = "wave"\nstrategies = "random"\nplayers = 3\ngames = 1e12\n'
    _study(hire, spec, watch, lambda: time.perf_counter() > end)
    (start, before), (stop, after) = seen[0], seen[-1]
    if stop == start:  # only one chunk came in: count it from the start
        start, before = 0.0, 0
    return (after - before) / (stop - start)


def describe(report: dict[str, Any]) -> str:
    """The report as lines of text."""
    lines = [f"{'studies':<28}{'cost of a chunk, median (range)':>40}{'games per second, median (range)':>44}"]
    for name in ("threads", "processes"):
        cost, rate = report["seconds_per_chunk"][name], report["games_per_second"][name]
        shown = f"{1e3 * cost['median']:.2f} ms ({1e3 * cost['low']:.2f} to {1e3 * cost['high']:.2f})"
        speed = f"{rate['median']:,.0f} ({rate['low']:,.0f} to {rate['high']:,.0f})"
        who = f"{report['workers']} {'threads' if name == 'threads' else 'Dask worker processes'}"
        lines.append(f"{who:<28}{shown:>40}{speed:>44}")
    ratio = report["processes_over_threads"]
    lines.append(f"processes / threads: {ratio['median']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})")
    return "\n".join(lines)
