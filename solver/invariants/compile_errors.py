"""Cuts an error of the compiler to the game's own file, line and cause."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

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
