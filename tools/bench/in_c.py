"""`--in-c`: how near the kernels come to the same game written in C (tools/bench/wave/), for several players.

The programs in C play the same random streams, so both must reach the same digest; a difference is an error. Both are
compiled for this very processor. CPU seconds of one thread are compared, and ratios are taken within a turn.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import click
import numpy as np

from houle.solver.interface import WIN, blank, entries
from houle.solver.players.player import LineUp, seat_strategies
from houle.solver.players.thumb import GUMBEL
from houle.solver.players.workspace import move_buffers
from houle.solver.rules import make_setup
from houle.solver.run.playout import decide, play_chunk
from houle.solver.run.tally import Tally, result_digest
from tools.bench.timing import games_lasting, repeated, spread

SOURCES = Path(__file__).parent / "wave"
# As numba compiles the kernels: for this processor, and without fusing a product and a sum, which rounds differently.
OPTIONS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-semantic-interposition", "-shared", "-fPIC")
SETUP = make_setup("wave", 3, settings={"talk": "known"})  # what the programs in C play
# The programs in C have no caution; the clairvoyant has as many nodes as the judge of readers.
PLAYERS = ("random", "thumb", "flat:50[caution=0]", "clairvoyant:2000")
POSITIONS, DEEPEST = 400, 24  # positions from which the clairvoyant begins, after up to so many plies of thumbs
SECONDS = 0.5  # of one measurement
SEED = 1


# State in wave.h.
STATE = np.dtype(
    [
        ("deal", "u8"),
        ("choice", "u8"),
        ("front", "u8", 3),
        ("back", "u8", 3),
        ("playable", "u8"),
        ("seen", "u8"),
        ("top", "u1"),
        ("turned", "u1"),
        ("acting", "u1"),
        ("laid", "u1"),
        ("pile_left", "u1"),
        ("pile", "u1", 34),
        ("slot", "u1", 36),
    ],
    align=True,
)


class Player(ctypes.Structure):
    """Player in search.h."""

    _fields_ = (
        ("noise", ctypes.c_int64),
        ("budget", ctypes.c_int64),
        ("weights", ctypes.c_void_p),
        ("gumbel", ctypes.c_void_p),
    )

    @classmethod
    def of(cls, line_up: LineUp) -> Player:
        record = line_up.records[0]
        weights, quantiles = np.ascontiguousarray(record.weights), GUMBEL.copy()
        made = cls(record.noise, record.budget, _at(weights), _at(quantiles))
        made.arrays = (weights, quantiles)  # which C reads
        return made


def bench_in_c(repeats: int) -> dict[str, Any]:
    """CPU seconds of the kernels and of the programs in C for the same games, by player."""
    with tempfile.TemporaryDirectory() as folder:
        library = compile_c(Path(folder))
        if library is None:
            return {"repeats": repeats, "rows": []}
        line_ups = [seat_strategies(SETUP, (who,)) for who in PLAYERS]
        games = [_games(line_up) for line_up in line_ups]
        for line_up, number in zip(line_ups, games, strict=True):
            check_digests(library, line_up, number)

        def turn() -> list[tuple[float, float]]:
            return [
                (play_kernel(line_up, number)[0], play_c(library, line_up, number)[0])
                for line_up, number in zip(line_ups, games, strict=True)
            ]

        turns = repeated(repeats, turn)
    rows = [
        {
            "player": who,
            "games": games[i],
            "kernel": spread([games[i] / turn[i][0] for turn in turns]),
            "c": spread([games[i] / turn[i][1] for turn in turns]),
            "kernel_over_c": spread([turn[i][1] / turn[i][0] for turn in turns]),
        }
        for i, who in enumerate(PLAYERS)
    ]
    return {"repeats": repeats, "rows": rows}


def compile_c(folder: Path) -> ctypes.CDLL | None:
    """The programs as a library in the folder; None where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    target = folder / "wave.so"
    subprocess.run([compiler, *OPTIONS, "-o", target, *sorted(SOURCES.glob("*.c")), "-lm"], check=True)
    return ctypes.CDLL(str(target))


@cache
def positions() -> Any:
    """Positions in games of thumbs, as states of the kernels."""
    line_up, moves = seat_strategies(SETUP, ("thumb",)), move_buffers(SETUP)[0]
    found, game, one = blank(SETUP.game.STATE, POSITIONS), 0, blank(SETUP.game.STATE)
    while game < POSITIONS:
        entries.open_game(one, SETUP.rules, SEED, game, 0)
        for _ in range(game % DEEPEST):
            if one[0].mover >= 0:
                entries.apply_move(one, SETUP.rules, decide(line_up, one, SEED, None, moves))
        found[game] = one[0]
        game += 1
    return found


def in_c(states: Any) -> Any:
    """States of the kernels as states of the programs in C."""
    made = np.zeros(len(states), STATE)
    for name in STATE.names or ():
        made[name] = states[name][:, : made[name].shape[1]] if made[name].ndim > 1 else states[name]
    made["playable"][states["mover"] < 0] = 0
    return made


def play_kernel(line_up: LineUp, games: int) -> tuple[float, Tally, list[int]]:
    """CPU seconds, tally, and plies and playouts inside searches."""
    effort = np.zeros(2, np.int64)
    openings = np.resize(positions(), games).view(np.recarray) if _is_solver(line_up) else None
    start = time.thread_time()
    tally = play_chunk(line_up, SEED, 0, games, effort=effort, openings=openings, given=openings is not None)
    return time.thread_time() - start, tally, effort.tolist()


def play_c(library: ctypes.CDLL, line_up: LineUp, games: int) -> tuple[float, Tally, list[int]]:
    """The same of the programs in C."""
    laid, effort = np.zeros(games, np.int64), np.zeros(2, np.int64)
    span = [ctypes.c_uint64(number) for number in (SEED, 0, games)]
    if _is_solver(line_up):
        seconds, laid, status, _ = solve_c(library, line_up, np.resize(in_c(positions()), games))
        return seconds, _tally(laid, int((status < 0).sum())), effort.tolist()
    start = time.thread_time()
    if line_up.names[0] == "random":
        library.play_random(*span, _at(laid))
    else:
        library.play_thinking(*span, ctypes.byref(Player.of(line_up)), _at(laid), _at(effort))
    return time.thread_time() - start, _tally(laid), effort.tolist()


def solve_c(library: ctypes.CDLL, line_up: LineUp, states: Any) -> tuple[float, Any, Any, Any]:
    """CPU seconds, and per position the cards laid, the status and the nodes of the solver in C."""
    laid, status, nodes = (np.zeros(len(states), np.int64) for _ in range(3))
    player = Player.of(line_up)
    start = time.thread_time()
    library.play_clairvoyant(
        _at(states), ctypes.c_uint64(len(states)), ctypes.byref(player), _at(laid), _at(status), _at(nodes)
    )
    return time.thread_time() - start, laid, status, nodes


def _is_solver(line_up: LineUp) -> bool:
    return line_up.names[0].startswith("clairvoyant")


def check_digests(library: ctypes.CDLL, line_up: LineUp, games: int) -> str:
    """The digest of the games, as `houle simulate` prints it; a ClickException if the program in C differs."""
    of_kernel, of_c = play_kernel(line_up, games)[1:], play_c(library, line_up, games)[1:]
    digests = [result_digest(SETUP, line_up.digests, SEED, 0, tally) for tally, _ in (of_kernel, of_c)]
    if digests[0] != digests[1] or of_kernel[1] != of_c[1]:
        raise click.ClickException(
            f"{line_up.names[0]}: kernel {digests[0]} {of_kernel[1]} and C {digests[1]} {of_c[1]} differ; "
            f"allowed: equal digests, plies and playouts"
        )
    return digests[0]


def _at(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _tally(laid: Any, unresolved: int = 0) -> Tally:
    """The tally of games in which so many cards were laid."""
    tally = Tally.empty(SETUP)
    left = int(SETUP.rules[0].deck_size) - 1 - laid
    games, won = len(laid), int((left == 0).sum())
    totals, moments = tally.totals[0], tally.moments[0]
    totals.games = totals.entries = totals.entries_squared = games
    totals.unresolved = unresolved
    moments.share, moments.share_squared = WIN * won, WIN * WIN * won
    moments.points_squared, moments.points_entries = (left * left).sum(), left.sum()
    tally.counts[:] = laid.sum(), laid.sum(), games
    tally.histogram[0] = np.bincount(left, minlength=tally.histogram.shape[1])
    return tally


def _games(line_up: LineUp) -> int:
    return games_lasting(SECONDS, lambda number: play_kernel(line_up, number)[0], 1)


def describe(report: dict[str, Any]) -> str:
    if not report["rows"]:
        return "kernels and C: not compared, because there is no C compiler (`cc`)"
    lines = [
        f"{SETUP.ruleset.title} {SETUP.players}, talk known{'kernel, games/s':>22}{'C':>12}{'kernel / C (range)':>28}"
    ]
    for row in report["rows"]:
        ratio = row["kernel_over_c"]
        shown = f"{ratio['median']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"
        lines.append(f"{row['player']:<18}{row['kernel']['median']:>22,.0f}{row['c']['median']:>12,.0f}{shown:>28}")
    return "\n".join(lines)
