"""How much is played for a report: the efforts of effort.toml, or your own counts."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.solver.errors import InputError
from houle.solver.rules import load, nearest

FILE = Path(__file__).parent / "effort.toml"
EFFORTS = ("quick", "normal", "deep")
LEAST_COUNT = 4  # games or deals
FIXED_COUNTS = ("examples",)  # the same for every game
SEARCH_COUNTS = (
    "search_games",
    "decisions_games",
    "skill_search_deals",
    "positions",
    "first_moves",
)


@dataclass(frozen=True)
class Effort:
    """Counts of games and deals for one game, as in effort.toml."""

    name: str
    counts: dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.counts[key]

    def number(self, key: str) -> int:
        return int(self.counts[key])


def load_effort(name: str, game: str) -> Effort:
    """An effort of effort.toml, with fewer games for slower games."""
    if name not in EFFORTS:
        raise InputError(f"--effort: unknown effort {name!r}{nearest(name, EFFORTS)}")
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    share = load(game).report_share
    counts = dict(data[name])
    for key, value in counts.items():
        if isinstance(value, int) and not isinstance(value, bool) and key not in FIXED_COUNTS:
            kind = "work" if key == "most_work" else "search" if key in SEARCH_COUNTS else "games"
            part = share.get(kind, 1.0)
            counts[key] = max(LEAST_COUNT, round(value * part))
    return Effort(name, counts)
