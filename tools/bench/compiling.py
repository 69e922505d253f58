"""`--compile`: processor seconds from an empty cache to the first number, each player in a fresh process."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from statistics import median
from typing import Any

PLAYERS = {"thumb": "thumb", "family": "level[slips=20,thought=1]", "flat:20": "flat:20"}
# Plays one game: as a command, less what reads and prints.
FIRST_NUMBER = """
import sys
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from houle.solver.run.playout import play_chunk

play_chunk(seat_strategies(make_setup(sys.argv[1]), [sys.argv[2]]), 1, 0, 1)
"""


def seconds_to_number(game: str, player: str, cache: str) -> float:
    """Processor seconds of a fresh process that plays one game, with this cache of kernels."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", FIRST_NUMBER, game, player]
    subprocess.run(command, check=True, env=os.environ | {"HOULE_CACHE_DIR": cache})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bench_compiling(names: list[str], repeats: int) -> dict[str, Any]:
    """Seconds of every player, by game, each time with an empty cache."""
    rows = []
    for name in names:
        for player, strategy in PLAYERS.items():
            fresh = []
            for _ in range(repeats):
                with tempfile.TemporaryDirectory() as cache:
                    fresh.append(seconds_to_number(name, strategy, cache))
            rows.append({"game": name, "player": player, "seconds": fresh})
    return {"repeats": repeats, "rows": rows}


def describe(report: dict[str, Any]) -> str:
    lines = [f"{'game':<14}{'player':<10}{'CPU s to the first number (range)':>36}"]
    for row in report["rows"]:
        times = row["seconds"]
        shown = f"{median(times):.1f} ({min(times):.1f} to {max(times):.1f})"
        lines.append(f"{row['game']:<14}{row['player']:<10}{shown:>36}")
    return "\n".join(lines)
