"""Names of setups, variants and players in pages and figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houle.analysis.sampling.grid import short_line_up
from houle.analysis.sampling.players import player_of
from houle.solver.rules import Setup, variant_name

__all__ = ["count_of", "line_up_name", "player_kind", "player_name", "range_of", "setup_title", "variant_name"]


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


def player_name(strategy: str) -> str:
    """The name of a player: `family`; a strategy without a name is shown as it is typed: `flat:200`."""
    player = player_of(strategy)
    return player.name if player else strategy


def line_up_name(strategies: Sequence[str]) -> str:
    """The names of the players at all seats, as short as possible."""
    return short_line_up([player_name(strategy) for strategy in strategies])


def player_kind(strategy: str) -> str:
    """The name of a player before the word `player`: `family`, `rule-of-thumb`."""
    return "rule-of-thumb" if strategy == "thumb" else player_name(strategy)
