"""Finds the line of an error in a game's kernels by playing a little without the compiler.

The compiler's errors do not point to a line of the game; plain Python stops at the line. Run as
`python -m houle.solver.invariants.uncompiled GAME`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

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
        if match.setup.game.has("features"):
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


PLACE = re.compile(
    r'\s*File "(?P<file>[^"]+)", line (?P<line>\d+):|During: lowering .* at (?P<at>.+) \((?P<number>\d+)\)$'
)
STEP = "Failed in nopython mode pipeline"
PLAIN = re.compile(r"Untyped global name '(\w+)':.*<class 'function'>")
NO_MEMORY = ("Only accept returning of array", "NRT required")  # kernels allocate nothing
USE = "a kernel makes no lists and no numpy arrays: write local_zeros(size, dtype) of houle.own_game"
LONGEST = 240


def cut_error(text: str, folder: Path) -> str:
    """`/home/me/game.py:12: odd = helper(row): ...`; empty if the text names no file of the folder."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        place = PLACE.match(line)
        if place and (file := Path(place["file"] or place["at"]).resolve()).is_relative_to(folder.resolve()):
            where = f"{file}:{place['line'] or place['number']}"
            return ": ".join(filter(None, [where, _source(lines[number + 1 :]), _cause(lines[:number])]))
    return ""


def _source(lines: list[str]) -> str:
    """The line of the game that the compiler points at with ^."""
    for before, line in pairwise(lines):
        if line.strip() == "^":
            return before.strip()
    return ""


def _cause(lines: list[str]) -> str:
    steps = [number for number, line in enumerate(lines) if STEP in line]
    words = [line.strip() for line in lines[steps[-1] + 1 if steps else 0 :] if line.strip()]
    if not words:
        return ""
    if plain := PLAIN.search(words[0]):
        return f"{plain[1]} is a function in plain Python; a kernel calls only kernels: write @kernel above it"
    if words[0].startswith(NO_MEMORY):
        return USE
    call = words[1].removeprefix(">>> ") if len(words) > 1 and words[1].startswith(">>> ") else ""
    cause = f"{words[0].rstrip(':')}: {call}" if call else words[0]
    return cause if len(cause) <= LONGEST else f"{cause[:LONGEST]}..."
