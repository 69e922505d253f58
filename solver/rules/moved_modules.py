"""Modules that moved, for games written for an earlier version of houle: a game that imports one still loads.

`houle.own_game` has all names that a game needs, and they stay there.
"""

from __future__ import annotations

import importlib
import sys
import warnings

SOLVER, PUBLIC = "houle.solver", "houle.own_game"
# Old and new places, in houle.solver.
MOVED = {
    # 0.2.0
    "bitset": "cards.bits",
    "cardsets": "cards.cardsets",
    "declare": "interface.declare",
    "kernels": "compiler.kernels",
    # 0.3.0
    "compiler.bits": "cards.bits",
    "compiler.cardsets": "cards.cardsets",
    "compiler.observing": "cards.write_numbers",
    "compiler.piles": "cards.piles",
    "compiler.rows": "cards.rows",
    "compiler.seats": "cards.bits",
    "compiler.streams": "cards.streams",
    "matches.record.lines": "matches.record.line_parser",
    "rules.homes": "rules.game_folders",
}


def is_moved(fault: BaseException, game: str) -> bool:
    """Whether an import failed because a module moved. The old name then leads to the new place, with a warning."""
    if not isinstance(fault, ImportError):
        return False
    moved = next((old for old in MOVED if fault.name == f"{SOLVER}.{old}" or _names(fault, f"{SOLVER}.{old}")), "")
    old = f"{SOLVER}.{moved}"
    if not moved or old in sys.modules:
        return False
    parent, _, name = old.rpartition(".")
    sys.modules[old] = module = importlib.import_module(f"{SOLVER}.{MOVED[moved]}")
    if parent in sys.modules:  # for `from houle.solver.compiler import bits`
        setattr(sys.modules[parent], name, module)
    warnings.warn(f"{game}: {old} moved; import what your game needs from {PUBLIC}", stacklevel=2)
    return True


def _names(fault: ImportError, old: str) -> bool:
    """Whether `from parent import name` failed for this module."""
    parent, _, name = old.rpartition(".")
    return fault.name == parent and f"cannot import name {name!r}" in str(fault)
