"""Numbers from games: `from houle.analysis import simulate, compare, sweep`.

Every analysis returns an object with `frame()` (pandas, every estimate as x, x_low, x_high with its n) and `as_json()`.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.assumptions import Assumptions, assumptions
from houle.analysis.comparison.compare import Comparison, compare
from houle.analysis.comparison.sweep import Sweep, sweep
from houle.analysis.difficulty.bracket import Bracket, bracket
from houle.analysis.difficulty.survival import Survival, survival
from houle.analysis.sampling.simulation import Simulation, simulate

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.fairness.balance import read_balance
    from houle.analysis.fairness.custom_opening import play_arranged
    from houle.analysis.fairness.openings import read_setups
    from houle.analysis.strategy.ablation import restrict
    from houle.analysis.strategy.decisions import note_decisions
    from houle.analysis.strategy.luck import measure_luck
    from houle.analysis.strategy.skill import measure_skill
    from houle.analysis.strategy.skill_gap import relative_skill

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
    "measure_luck",
    "measure_skill",
    "note_decisions",
    "play_arranged",
    "read_balance",
    "read_setups",
    "read_study",
    "relative_skill",
    "restrict",
    "simulate",
    "survival",
    "sweep",
]

# Imported on first use: they need the compiler.
_LATER = {
    "measure_luck": "luck",
    "measure_skill": "skill",
    "note_decisions": "decisions",
    "play_arranged": "arranged",
    "read_balance": "balance",
    "read_setups": "setups",
    "relative_skill": "relative",
    "restrict": "restricted",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)


def read_study(path: str | Path) -> pd.DataFrame:
    """A study's file as a frame, also while it runs: one row per cell and side."""
    from houle.analysis.studies.results import read_study as read

    return read(path)
