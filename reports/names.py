"""What tables and their variants are called in pages and figures."""

from __future__ import annotations

from houle.solver.ruleset import Setup, variant_name

__all__ = ["count_of", "players_title", "table_title", "variant_name"]


def count_of(number: int, noun: str) -> str:
    """`1 player`, `3 players`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def players_title(setup: Setup) -> str:
    """`WAVE, 3 players`."""
    return f"{setup.ruleset.title}, {count_of(setup.players, 'player')}"


def table_title(setup: Setup) -> str:
    """`WAVE, 3 players, base game`."""
    return f"{players_title(setup)}, {variant_name(setup)}"
