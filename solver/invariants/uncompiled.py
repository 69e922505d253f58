"""Finds the line of an error in a game's kernels by playing a little without the compiler.

The compiler's errors do not point to a line of the game; plain Python stops at the line. Run as
`python -m houle.solver.invariants.uncompiled GAME`.
"""

from __future__ import annotations

import os
import subprocess
import sys

from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.rules import home, load, make_setup
from houle.solver.rules.game_folders import fault_line
from houle.solver.trusted_code import python_module

PATIENCE = 60.0  # seconds
MOST_PLIES = 60


def fault_in(game: str) -> str:
    """The error of a game in plain Python, with file and line; empty if there is none."""
    if JIT:
        return _in_new_process(game)
    try:
        for players in load(game).players:
            _play(game, players)
    except Exception as fault:
        return fault_line(fault, home(game).folder)
    return ""


def _in_new_process(game: str) -> str:
    """The same in a new process, because numba reads NUMBA_DISABLE_JIT when it is imported."""
    try:
        done = subprocess.run(
            python_module("houle.solver.invariants.uncompiled", game),
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.strip()


def _play(game: str, players: int) -> None:
    """Calls the game functions at every ply of one random game."""
    match = Match(make_setup(game, players), 1)
    while (seat := match.to_move()) >= 0 and match.ply < MOST_PLIES:
        action = match.random_move()
        for other in range(players):
            match.knows(other)
            match.seen(action, other)
        match.imagine(seat, match.ply)
        if match.setup.game.has_features:
            match.features()
        match.categories(action)
        match.apply(action)
        match.name(action)
    match.snapshot()
    match.result()


if __name__ == "__main__":
    try:
        print(fault_in(sys.argv[1]))
    except InputError as fault:
        print(fault)
