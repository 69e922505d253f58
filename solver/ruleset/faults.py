"""Faults in what a user asked for, as one line; and the digest that names rules and results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class RulesetError(ValueError):
    """A fault in what the user asked for: one line, ready to print."""


class KnobError(ValueError):
    """A game's complaint about a knob; becomes a RulesetError that names the place it was set."""

    def __init__(self, knob: str, problem: str) -> None:
        super().__init__(f"{knob}: {problem}")
        self.knob, self.problem = knob, problem


def digest(data: Any) -> str:
    """First 16 hex digits of SHA-256 over canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def nearest(name: str, known: Iterable[str]) -> str:
    """'; did you mean X?' where something is near, else what there is."""
    known = sorted(known)
    # Half a name is nearer to the names it begins than to others of its length.
    close = [other for other in known if name and other.startswith(name)]
    close = close or get_close_matches(name, known, n=1, cutoff=0.4)
    return f"; did you mean {close[0]!r}?" if close else f"; there is {', '.join(known)}"
