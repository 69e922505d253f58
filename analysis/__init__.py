"""Numbers from games: `from houle.analysis import simulate, compare, sweep`.

Every analysis returns an object with `frame()` (pandas, every estimate as x, x_low, x_high with its n) and `as_json()`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from houle.analysis.assumptions import Assumptions, assumptions
from houle.analysis.bracket import Bracket, bracket
from houle.analysis.compare import Comparison, compare
from houle.analysis.simulation import Simulation, simulate
from houle.analysis.survival import Survival, survival
from houle.analysis.sweep import Sweep, sweep

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Assumptions",
    "Bracket",
    "Comparison",
    "Simulation",
    "Survival",
    "Sweep",
    "assumptions",
    "bracket",
    "compare",
    "read_study",
    "simulate",
    "survival",
    "sweep",
]


def read_study(path: str | Path) -> pd.DataFrame:
    """A study's file as a frame, also while it runs: one row per cell and side."""
    from houle.analysis.results import read_study as read

    return read(path)
