"""The function that draws a result. `houle` sets it: analysis must not import reports, and works without matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol


class Draw(Protocol):
    """Draws the figure of a result and writes it, if there is a path."""

    def __call__(self, result: Any, path: str | Path | None = None, **options: Any) -> Any: ...


draw: Draw
