"""Modules that moved, for games written for an earlier version of houle: a game that imports one still loads.

`houle.own_game` has all names that a game needs, and they stay there.
"""

from __future__ import annotations

import importlib
import sys
import warnings

PUBLIC = "houle.own_game"
MOVED = {
    # 0.2.0
    "houle.solver.bitset": "houle.solver.cards.bits",
    "houle.solver.cardsets": "houle.solver.cards.cardsets",
    "houle.solver.declare": "houle.solver.interface.declare",
    "houle.solver.kernels": "houle.solver.compiler.kernels",
    # 0.3.0
    "houle.solver.compiler.bits": "houle.solver.cards.bits",
    "houle.solver.compiler.cardsets": "houle.solver.cards.cardsets",
    "houle.solver.compiler.observing": "houle.solver.cards.write_numbers",
    "houle.solver.compiler.piles": "houle.solver.cards.piles",
    "houle.solver.compiler.rows": "houle.solver.cards.rows",
    "houle.solver.compiler.seats": "houle.solver.cards.bits",
    "houle.solver.compiler.streams": "houle.solver.cards.streams",
    "houle.solver.matches.record.lines": "houle.solver.matches.record.line_parser",
    "houle.solver.rules.homes": "houle.solver.rules.game_folders",
}


def is_moved(fault: BaseException, game: str) -> bool:
    """Whether an import failed because a module moved. The old name then leads to the new place, with a warning."""
    if not isinstance(fault, ImportError):
        return False
    old = next((old for old in MOVED if old == fault.name or _names(fault, old)), "")
    if not old or old in sys.modules:
        return False
    parent, _, name = old.rpartition(".")
    sys.modules[old] = module = importlib.import_module(MOVED[old])
    if parent in sys.modules:  # for `from houle.solver.compiler import bits`
        setattr(sys.modules[parent], name, module)
    warnings.warn(f"{game}: {old} moved; import what your game needs from {PUBLIC}", stacklevel=2)
    return True


def _names(fault: ImportError, old: str) -> bool:
    """Whether `from parent import name` failed for this module."""
    parent, _, name = old.rpartition(".")
    return fault.name == parent and f"cannot import name {name!r}" in str(fault)
