"""Names of setups, variants and players in pages and figures."""

from __future__ import annotations

from collections.abc import Iterable

from houle.analysis.sampling.grid import short_line_up
from houle.solver.rules import Setup, variant_name

__all__ = ["count_of", "player_kind", "players_of", "range_of", "setup_title", "short_line_up", "variant_name"]


def count_of(number: int, noun: str) -> str:
    """`1 player`, `3 players`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def range_of(numbers: Iterable[int]) -> str:
    """`1,000`, or `400 to 1,000`."""
    ends = sorted(set(numbers)) or [0]
    return " to ".join(f"{end:,}" for end in dict.fromkeys((ends[0], ends[-1])))


def setup_title(setup: Setup) -> str:
    """`WAVE, 3 players, base game`."""
    return f"{setup.ruleset.title}, {count_of(setup.players, 'player')}, {variant_name(setup)}"


def player_kind(strategy: str) -> str:
    """The name of a player before the word `player`: `family`, `rule-of-thumb`."""
    return "rule-of-thumb" if strategy == "thumb" else strategy


PLURALS = {
    "random": "players who move at random",
    "first-game": "people in their first game",
    "family": "families",
    "regular": "regular players",
    "seasoned": "seasoned players",
    "expert": "experts, who plan ahead,",
}


def players_of(strategy: str) -> str:
    """Several players of a kind: `families`, `flat:50 players`."""
    return PLURALS.get(strategy, f"{player_kind(strategy)} players")
