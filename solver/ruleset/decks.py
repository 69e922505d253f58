"""Decks of cards as files: those that ship in a game's folder, and a user's own by its path."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from houle.solver.ruleset.faults import KnobError, nearest

GAMES = Path(__file__).parent.parent / "games"


class Deck(str):
    """A deck of cards read from a file: shown by its name, told from others by its cards."""

    cards: Mapping[str, Any]

    def __new__(cls, name: str, cards: Mapping[str, Any]) -> Deck:
        deck = super().__new__(cls, name)
        deck.cards = cards
        return deck

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any]]:  # type: ignore[override]
        return str(self), self.cards

    def __eq__(self, other: object) -> bool:
        return self.cards == other.cards if isinstance(other, Deck) else str(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def deck_names() -> list[str]:
    """The decks that ship with the games."""
    return sorted(_shipped())


def _shipped() -> dict[str, Path]:
    return {path.stem: path for path in GAMES.glob("*/decks/*.toml")}


def read_deck(name: str) -> Deck:
    """A shipped deck by its name, or a user's own by its path; what the cards mean is for the game to check."""
    shipped = _shipped()
    path = shipped.get(name, Path(name))
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        hint = nearest(name, shipped) if path.suffix == "" else ""
        raise KnobError("deck", f"{name}: {fault.strerror or fault}{hint}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise KnobError("deck", f"{name}: not valid TOML: {fault}") from None
    return Deck(str(data.get("name", path.stem)), data)
