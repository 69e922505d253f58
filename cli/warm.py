"""`python -m houle.cli.warm`: compiles all games ahead, each in its own process, two at a time.

With the name of a game it compiles that game in this process: `--families` only what families need, `--search` only
its searches, `--rest` only what few commands use, `--quick` all the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from houle.analysis.players.line_ups import line_up
from houle.solver.compiler.kernels import mark_of
from houle.solver.plain.processes import PARENT, end_with
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, find_game, game_names, make_setup
from houle.solver.rules.game_folders import home
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger
from houle.solver.trusted_code import python_module

MODULE = "houle.cli.warm"  # `__name__` is another if this file is the program
FAMILIES = "--families"
HALVES = SEARCH, QUICK = "--search", "--quick"  # of the kernels of a game; what takes longest begins first
AT_A_TIME = 2
REST = "--rest"


def warm(name: str, parts: Sequence[str] = HALVES) -> None:
    """Calls every kernel of a game once, which compiles it unless it is cached."""
    for part in parts:
        _PARTS[part](make_setup(name))
        with suppress(OSError):
            mark(name, part).touch(0o600)


def _warm_families(setup: Setup) -> None:
    """Compiles what families need."""
    play_chunk(line_up(setup), 1, 0, 1, ledger=blank_ledger(1, int(setup.rules[0].sides)))


def _warm_quick(setup: Setup) -> None:
    """Compiles players without thought, and matches."""
    from houle.solver.matches.match import Match

    levels = ["random", "thumb"] if setup.game.has("features") else ["random"]
    for strategy in levels:
        play_chunk(seat_strategies(setup, (strategy,)), 1, 0, 1)
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


def _warm_search(setup: Setup) -> None:
    """Compiles searches and advice."""
    if not setup.game.has("features"):
        return
    from houle.analysis.play.advise import advise
    from houle.analysis.play.positions import position

    play_chunk(seat_strategies(setup, ("flat:1",)), 1, 0, 1)
    advise(position(setup, seed=1, game=0, ply=0), worlds=2)


def _warm_rest(setup: Setup) -> None:
    """Compiles worlds that explain signals, and the exact solver, whose entry then plays every search.

    Tests need them all. In this process they cost less than later, because numba knows the rules already.
    """
    if not setup.game.has("features"):
        return
    from houle.solver.matches.match import Match

    if setup.game.has("solve"):
        play_chunk(seat_strategies(setup, ("flat:1[judge=1]",)), 1, 0, 1)
    match = Match(setup, 1)
    while (seat := match.to_move()) >= 0:
        match.categories(match.moves()[0])
        match.imagine_many(seat, 1, 0, 1)
        match.apply(match.random_move())


_PARTS = {FAMILIES: _warm_families, QUICK: _warm_quick, SEARCH: _warm_search, REST: _warm_rest}


def mark(name: str, part: str) -> Path:
    """A file in the cache that says that a part of a game is compiled; there is none if its code changed since."""
    return mark_of(find_game(name).marker, f"warm{part}")


def is_warm(name: str) -> bool:
    """Whether a game is compiled."""
    return all(mark(name, half).exists() for half in HALVES)


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
        parts = [word for word in sys.argv[1:] if word in _PARTS] or [REST, SEARCH, QUICK]
        for name in (word for word in sys.argv[1:] if word not in parts):
            warm(name, parts)
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
