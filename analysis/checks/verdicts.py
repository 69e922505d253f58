"""The verdict of a check."""

from __future__ import annotations

from dataclasses import dataclass

PASSED, FAILED, LEFT_OUT = "passed", "FAILED", "left out"


@dataclass(frozen=True)
class Check:
    """The result of one check on all setups."""

    name: str
    verdict: str
    number: int  # of things checked
    words: str  # what failed and where, or why it was left out
