"""How much is played for a report: the efforts of effort.toml, or counts of one's own."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.analysis.sampling.players import expert
from houle.solver.errors import InputError
from houle.solver.ruleset import load, nearest

FILE = Path(__file__).parent / "effort.toml"
EFFORTS = ("quick", "normal", "deep")
LEAST_COUNT = 4  # games or deals that anything needs
FIXED_COUNTS = ("examples",)  # the same for every game, however slow
SEARCH_COUNTS = (
    "search_games",
    "decision_games",
    "skill_search_deals",
    "positions",
    "first_moves",
)


@dataclass(frozen=True)
class Effort:
    """The counts of effort.toml for one game, under a name."""

    name: str
    counts: dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.counts[key]

    def number(self, key: str) -> int:
        return int(self.counts[key])


def load_effort(name: str, game: str) -> Effort:
    """One of the efforts, cut to the speed of a game."""
    if name not in EFFORTS:
        raise InputError(f"--effort: unknown effort {name!r}{nearest(name, EFFORTS)}")
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    share = load(game).report_share
    counts = dict(data[name]) | {"search": expert()}  # who searches is the same at every effort
    for key, value in counts.items():
        if isinstance(value, int) and not isinstance(value, bool) and key not in FIXED_COUNTS:
            kind = "work" if key == "most_work" else "search" if key in SEARCH_COUNTS else "games"
            part = share.get(kind, 1.0)
            counts[key] = max(LEAST_COUNT, round(value * part))
    return Effort(name, counts)
