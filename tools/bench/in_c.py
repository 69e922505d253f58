"""`--in-c`: how near random play of the kernels comes to the same game written in C (random.c).

The program in C plays the same random streams, so both must reach the same digest; a difference is an error. Both are
compiled for this very processor. CPU seconds of one thread are compared, and ratios are taken within a turn.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from houle.solver.interface import WIN
from houle.solver.players.player import LineUp, seat_strategies
from houle.solver.rules import make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import Tally, result_digest
from tools.bench.timing import games_lasting, repeated, spread

SOURCE = Path(__file__).with_name("random.c")
# As numba compiles the kernels: for this processor, and without fusing a product and a sum, which rounds differently.
OPTIONS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-semantic-interposition", "-shared", "-fPIC")
SETUP = make_setup("wave", 3, settings={"talk": "known"})  # what the program in C plays
SECONDS = 0.5  # of one measurement
SEED = 1


def bench_in_c(repeats: int) -> dict[str, Any]:
    """Games per CPU second of the kernels and of the program in C."""
    with tempfile.TemporaryDirectory() as folder:
        library = compile_c(Path(folder))
        if library is None:
            return {"repeats": repeats}
        players = seat_strategies(SETUP, ("random",))
        games = games_lasting(SECONDS, lambda number: play_kernel(players, number)[0], 1)
        check_digests(library, players, games)
        turns = repeated(repeats, lambda: (play_kernel(players, games)[0], play_c(library, games)[0]))
    return {
        "repeats": repeats,
        "games": games,
        "kernel": spread([games / kernel for kernel, _ in turns]),
        "c": spread([games / in_c for _, in_c in turns]),
        "kernel_over_c": spread([in_c / kernel for kernel, in_c in turns]),
    }


def compile_c(folder: Path) -> ctypes.CDLL | None:
    """The program as a library in the folder; None where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    target = folder / "wave.so"
    subprocess.run([compiler, *OPTIONS, "-o", target, SOURCE], check=True)
    return ctypes.CDLL(str(target))


def play_kernel(players: LineUp, games: int) -> tuple[float, Tally]:
    """CPU seconds and the tally."""
    start = time.thread_time()
    tally = play_chunk(players, SEED, 0, games)
    return time.thread_time() - start, tally


def play_c(library: ctypes.CDLL, games: int) -> tuple[float, Tally]:
    """The same of the program in C."""
    laid = np.zeros(games, np.int64)
    start = time.thread_time()
    library.play_random(*map(ctypes.c_uint64, (SEED, 0, games)), ctypes.c_void_p(laid.ctypes.data))
    return time.thread_time() - start, _tally(laid)


def check_digests(library: ctypes.CDLL, players: LineUp, games: int) -> str:
    """The digest of the games, as `houle simulate` prints it; a ClickException if the program in C differs."""
    tallies = play_kernel(players, games)[1], play_c(library, games)[1]
    kernel, in_c = (result_digest(SETUP, players.digests, SEED, first=0, tally=tally) for tally in tallies)
    if kernel != in_c:
        raise click.ClickException(f"kernel {kernel} and C {in_c} differ; allowed: equal digests")
    return kernel


def _tally(laid: Any) -> Tally:
    """The tally of games in which so many cards were laid."""
    tally = Tally.empty(SETUP)
    left = int(SETUP.rules[0].deck_size) - 1 - laid
    games, won = len(laid), int((left == 0).sum())
    totals, moments = tally.totals[0], tally.moments[0]
    totals.games = totals.entries = totals.entries_squared = games
    moments.share, moments.share_squared = WIN * won, WIN * WIN * won
    moments.points_squared, moments.points_entries = (left * left).sum(), left.sum()
    tally.counts[:] = laid.sum(), laid.sum(), games
    tally.histogram[0] = np.bincount(left, minlength=tally.histogram.shape[1])
    return tally


def describe(report: dict[str, Any]) -> str:
    if "games" not in report:
        return "kernels and C: not compared, because there is no C compiler (`cc`)"
    ratio = report["kernel_over_c"]
    return (
        f"{SETUP.ruleset.title} {SETUP.players}, talk known, random play: kernel {report['kernel']['median']:,.0f} "
        f"games/s, C {report['c']['median']:,.0f}; kernel / C {ratio['median']:.2f} "
        f"({ratio['low']:.2f} to {ratio['high']:.2f})"
    )
