"""How much is played for a report: the efforts of effort.toml or your own counts, and the work of a search.

Work is counted in moves of playouts. Unlike seconds, it does not depend on the machine, so the same seed gives the same
report everywhere. A search plays every possible move to the end of the round in every world, so its work grows with the
square of a game's length.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, load, nearest

FILE = Path(__file__).parent / "effort.toml"
EFFORTS = ("quick", "normal", "deep")
DEMO = "demo"  # a still smaller one, for `houle demo`
LEAST_COUNT = 4  # games or deals
SAMPLE = 12  # games played by rules of thumb, to estimate the work of a search
FIXED_COUNTS = ("examples",)  # the same for every game
# Of people of one level, who think: they take about as long in all games that play at least so large a share of games.
LEVEL_COUNTS, LEVEL_SHARE = ("level_games", "seat_games", "strength_deals"), 0.3
KINDS = {"most_work": "work", "deal_games": "deals"}  # a game has fewer deals as it has fewer games, or says how many
SEARCH_COUNTS = (
    "search_games",
    "decisions_games",
    "strength_search_deals",
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

    def __contains__(self, key: str) -> bool:
        return key in self.counts

    def number(self, key: str) -> int:
        return int(self.counts[key])


def load_effort(name: str, game: str) -> Effort:
    """An effort of effort.toml, with fewer games for slower games."""
    if name not in (DEMO, *EFFORTS):
        raise InputError(f"--effort: unknown effort {name!r}{nearest(name, EFFORTS)}")
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    share = load(game).report_share
    counts = dict(data[name])
    fewest = counts.pop("least_games", LEAST_COUNT)
    for key, value in counts.items():
        if isinstance(value, int) and not isinstance(value, bool) and key not in FIXED_COUNTS:
            kind = KINDS.get(key, "search" if key in SEARCH_COUNTS else "games")
            part = share.get(kind, share.get("games", 1.0) if kind == "deals" else 1.0)
            part = min(1.0, part / LEVEL_SHARE) if key in LEVEL_COUNTS else part
            counts[key] = max(fewest if key == "games" else LEAST_COUNT, round(value * part))
    return Effort(name, counts)


def search_work(setup: Setup, seed: int, sample: int = SAMPLE) -> float:
    """Moves of playouts that one world costs in a game: the mean over some games played by rules of thumb."""
    thumbs = seat_strategies(setup, ["thumb"])
    total = 0
    for game in range(sample):
        match = Match(setup, seed, game)
        rounds: dict[object, list[int]] = {}
        while match.to_move() >= 0:
            rounds.setdefault(match.snapshot().get("round", 0), []).append(len(match.moves()))
            match.apply(match.decide(thumbs))
        for choices in rounds.values():
            total += sum(moves * (len(choices) - i) for i, moves in enumerate(choices) if moves > 1)
    return total / sample


def games_within(games: int, worlds: int, work: float, most: float) -> int:
    """The number of search games, reduced so that the work stays below `most`; at least a few."""
    return max(LEAST_COUNT, min(games, int(most / max(worlds * work, 1.0))))
