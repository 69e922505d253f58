"""Cards of LAND UNTER in hand-made positions."""

from __future__ import annotations


def bits(*cards: int) -> int:
    """Weather cards as a set of a state."""
    return sum(1 << card - 1 for card in cards)
