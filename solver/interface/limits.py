"""Limits of the shared buffers and records, and the check that a game fits into them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from houle.solver.cards.streams import STREAM_FIELDS

MAX_SIDES = 10
MAX_COUNTS = 16
MAX_FEATURES = 32
MAX_CATEGORIES = 64
MOST_MOVES = 4096  # the limit of a game's MAX_MOVES
MAX_LINE = 128  # actions of a line found by an exact solver

OWNED = frozenset({*dir(np.record), *dir(np.recarray)})  # `record.size` would be numpy's, not the field


def faults(game: Any, own: str) -> Iterator[str]:
    """Why a game does not fit, one sentence each. Kernels would fail later, or silently play wrongly."""
    for what, dtype in (("STATE", game.STATE), ("RULES", game.RULES)):
        names = dtype.names or ()
        if own not in names or dtype[own] != np.uint8:
            yield f"{what} needs a byte named {own}, the marker of this game"
        for name in sorted(OWNED.intersection(names)):
            yield f"{what}: {name} is an attribute of numpy records; rename the field"
    streams = [field for field, _ in STREAM_FIELDS]
    if list(game.STATE.names or ())[: len(streams)] != streams:
        yield f"STATE must start with the streams {', '.join(streams)}"
    for name in ("seats", "sides", "side"):
        if name not in (game.RULES.names or ()):
            yield f"RULES needs a field {name}"
    if (sides := int(np.prod(game.RULES["side"].shape))) > MAX_SIDES:
        yield f"RULES: side has {sides} places; allowed: at most {MAX_SIDES}"
    if not 1 <= game.MAX_MOVES <= MOST_MOVES:
        yield f"MAX_MOVES is {game.MAX_MOVES}; allowed: 1 to {MOST_MOVES}"
    if tuple(game.COUNTS[:3]) != ("moves", "turns", "rounds"):
        yield f"COUNTS must start with moves, turns, rounds, not with {', '.join(game.COUNTS[:3])}"
    if len(game.COUNTS) > MAX_COUNTS:
        yield f"{len(game.COUNTS)} COUNTS; allowed: at most {MAX_COUNTS}"
    for name in sorted({part for rate in game.RATES.values() for part in rate} - {*game.COUNTS, "games"}):
        yield f"RATES: {name} is not in COUNTS"
    if len(game.FEATURES) > MAX_FEATURES:
        yield f"{len(game.FEATURES)} FEATURES; allowed: at most {MAX_FEATURES}"
    if len(game.CATEGORIES) > MAX_CATEGORIES:
        yield f"{len(game.CATEGORIES)} CATEGORIES; allowed: at most {MAX_CATEGORIES}"
    if not all(isinstance(name, str) for name in game.CATEGORIES):
        yield "CATEGORIES: write the names alone, without sentences"
    if game.LONGEST_LINE > MAX_LINE:
        yield f"LONGEST_LINE of the solver is {game.LONGEST_LINE}; allowed: at most {MAX_LINE}"
