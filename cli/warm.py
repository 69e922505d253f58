"""`python -m houle.cli.warm`: compiles all games ahead, each in its own process, two at a time.

With the name of a game it compiles that game in this process: `--search` only its searches, `--rest` only what few
commands use, `--quick` all the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from houle.solver.plain.processes import PARENT, end_with
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, find_game, game_names, make_setup
from houle.solver.rules.game_folders import home
from houle.solver.trusted_code import python_module

MODULE = "houle.cli.warm"  # `__name__` is another if this file is the program
HALVES = SEARCH, QUICK = "--search", "--quick"  # of the kernels of a game; what takes longest begins first
AT_A_TIME = 2
REST = "--rest"


def warm(name: str, halves: Sequence[str] = (QUICK, SEARCH)) -> None:
    """Calls every kernel of a game once, which compiles it unless it is cached."""
    from houle.analysis.play.advise import advise
    from houle.analysis.play.positions import position
    from houle.solver.matches.match import Match
    from houle.solver.run.playout import play_chunk

    setup = make_setup(name)
    levels = ["random", "thumb"] if setup.game.has("features") else ["random"]
    for strategy in levels if QUICK in halves else ():
        play_chunk(seat_strategies(setup, (strategy,)), 1, 0, 1)
    if SEARCH in halves and len(levels) > 1:
        # All games for tests: an entry with the exact solver, which then plays every search.
        search = "flat:1[judge=1]" if REST in halves and setup.game.has("solve") else "flat:1"
        play_chunk(seat_strategies(setup, (search,)), 1, 0, 1)
        advise(position(setup, seed=1, game=0, ply=0), worlds=2)
    if REST in halves and len(levels) > 1:
        _warm_rest(setup)
    if QUICK not in halves:
        return
    match = Match(setup, 1)
    while (seat := match.to_move()) >= 0:
        action = match.moves()[0]
        match.seen(action, seat)
        match.knows(seat)
        match.imagine(seat, 1)
        if len(levels) > 1:
            match.features()
        match.apply(match.random_move())
    match.result()


def _warm_rest(setup: Setup) -> None:
    """Compiles weights, and worlds that explain signals.

    Tests need them all. In this process they cost less than later, because numba knows the rules already.
    """
    from houle.solver.matches.match import Match
    from houle.solver.players.weights import feature_spreads

    feature_spreads(setup, 1, 1, 1)
    match = Match(setup, 1)
    while (seat := match.to_move()) >= 0:
        match.categories(match.moves()[0])
        match.imagine_many(seat, 1, 0, 1)
        match.apply(match.random_move())


def marks(name: str) -> list[Path]:
    """Files in the cache that say that a game is compiled, a half each; none if its code changed since."""
    from houle.solver.compiler.kernels import cache_root, source_digest

    package = find_game(name).package.rpartition(".")[2]
    folder = cache_root() / f"{package}-{source_digest((package,))}"
    return [folder / f"warm{half}" for half in (QUICK, SEARCH)]


def is_warm(name: str) -> bool:
    """Whether a game is compiled."""
    return all(mark.exists() for mark in marks(name))


def _warm_apart(name: str) -> tuple[str, float, int]:
    start = time.perf_counter()
    done = subprocess.run(python_module(MODULE, name), check=False)
    return name, time.perf_counter() - start, done.returncode


def _sources(name: str) -> int:
    """The bytes of a game's Python files: what takes longest to compile comes first, so that nothing waits for it."""
    return sum(file.stat().st_size for file in home(name).folder.rglob("*.py"))


def main() -> int:
    if parent := os.environ.get(PARENT):
        end_with(int(parent))
    if sys.argv[1:]:
        parts = [word for word in sys.argv[1:] if word in (SEARCH, QUICK, REST)] or [SEARCH, QUICK, REST]
        for name in (word for word in sys.argv[1:] if word not in parts):
            warm(name, parts)
            for mark, half in zip(marks(name), (QUICK, SEARCH), strict=True):
                if mark.parent.is_dir() and half in parts:
                    mark.touch(0o600)
        return 0
    failed = 0
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for name, seconds, code in pool.map(_warm_apart, sorted(game_names(), key=_sources, reverse=True)):
            print(
                f"{name:<14} {seconds:5.1f} s" + ("" if code == 0 else f"  failed with exit code {code}"),
                flush=True,
            )
            failed += code != 0
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
