"""Figures of results: `draw` chooses the figure by the class of the result."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")

# Class of a result -> the module that draws it. Modules are imported when needed, because they import matplotlib.
FIGURES = {
    "Advice": "advice",
    "Balance": "balance",
    "Design": "design",
    "Openings": "openings",
    "Review": "review",
    "Simulation": "balance",
    "Endings": "endings",
    "Table": "table",
}


def draw(result: Any, path: str | Path | None = None, **options: Any) -> Figure:
    """Draw the figure of a result; with a path, also write it as .png, .svg or .pdf."""
    file = None if path is None else Path(path)
    if file is not None and file.suffix not in SUFFIXES:
        raise ValueError(f"{file}: cannot write this kind of file; allowed: {', '.join(SUFFIXES)}")
    name = next((FIGURES[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in FIGURES), None)
    if name is None:
        raise TypeError(f"no figure for {type(result).__name__}; allowed: {', '.join(FIGURES)}")
    figure: Figure = importlib.import_module(f"{__name__}.{name}").draw(result, **options)
    if file is not None:
        importlib.import_module(f"{__name__}.style").save(figure, file)
    return figure
