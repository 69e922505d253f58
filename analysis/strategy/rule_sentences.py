"""Rules of thumb as advice: what a move with more of a feature does, and what a move with less of it does."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).parent / "advice.toml"


@lru_cache
def _advice() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def advice(game: str, feature: str, sign: int) -> str:
    """The sentence for more (1) or less (-1) of a feature."""
    more, less = _advice()[game][feature]
    return more if sign > 0 else less
