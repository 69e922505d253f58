"""Reports and figures: `from houle.reports import report` writes all about a game; names are loaded on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from houle.reports.build import report
    from houle.reports.figures import draw

# Public name -> the module that has it.
_PUBLIC = {"draw": "figures", "report": "build"}

__all__ = ["draw", "report"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
