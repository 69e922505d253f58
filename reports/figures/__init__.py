"""Figures of results: `draw` finds the one for a result by the name of its class."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")

# Class of a result -> the module here that draws it. Modules are loaded when they are needed: they load matplotlib.
FIGURES = {
    "Ablation": "ablation",
    "Advice": "advice",
    "Assumptions": "assumptions",
    "Balance": "balance",
    "Difficulty": "difficulty",
    "Comparison": "compare",
    "CustomOpening": "custom_opening",
    "Decisions": "decisions",
    "Design": "design",
    "Strength": "strength",
    "League": "league",
    "LearningCurve": "learning_curve",
    "Calibration": "calibration",
    "Openings": "openings",
    "Responses": "response",
    "Review": "review",
    "Rotation": "rotation",
    "Simulation": "simulation",
    "Skill": "skill",
    "Endings": "endings",
    "Sweep": "sweep",
}


def draw(result: Any, path: str | Path | None = None) -> Figure:
    """The figure of a result, also written where a path is given; its ending says as what: .png, .svg or .pdf."""
    file = None if path is None else Path(path)
    if file is not None and file.suffix not in ENDINGS:
        raise ValueError(f"{file}: the file's ending says what to write; allowed: {', '.join(ENDINGS)}")
    name = next((FIGURES[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in FIGURES), None)
    if name is None:
        raise TypeError(f"there is no figure for {type(result).__name__}; there is one for: {', '.join(FIGURES)}")
    figure: Figure = importlib.import_module(f"{__name__}.{name}").draw(result, file)
    return figure
