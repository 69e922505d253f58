"""Words for numbers: how hard a win rate is, what a difference means, the rulebook's words for a score.

The data is words.toml, and for scores the rules of a game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.analysis.stats.estimate import Estimate
from houle.solver.rules import Setup

FILE = Path(__file__).parent / "words.toml"


@lru_cache
def words() -> Mapping[str, Any]:
    """The file, read once."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def difficulty_word(rate: float) -> str:
    """A win rate in a word: `hard`."""
    return next(str(level["word"]) for level in words()["difficulty"] if rate >= level["least"])


def difficulty_span(win: Estimate) -> str:
    """The same for an interval: `hard`, or `hard to medium` where it is not sure which."""
    low, high = difficulty_word(win.low), difficulty_word(win.high)
    return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class Band:
    """A range of scores with the rulebook's word for it."""

    low: int
    high: int | None  # None: and above
    word: str

    @property
    def label(self) -> str:
        if self.high is None:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


def bands(setup: Setup) -> list[Band]:
    """The rulebook's ranges of scores, from the best; empty if the rulebook has none."""
    ruleset = setup.ruleset
    if not ruleset.band_knob:
        return []
    ends = list(setup.options[ruleset.band_knob])
    names = ruleset.band_words if len(ruleset.band_words) == len(ends) + 1 else [""] * (len(ends) + 1)
    starts = [0, *(end + 1 for end in ends)]
    return [Band(low, high, word) for low, high, word in zip(starts, [*ends, None], names, strict=True)]
