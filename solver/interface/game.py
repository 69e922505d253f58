"""The class Game: everything that houle needs of a game."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from houle.solver.games.declared import action_name, score_range, side_names
from houle.solver.interface.declare import Fields

Function = Callable[..., Any]
Named = tuple[tuple[str, str], ...]
Rates = Mapping[str, tuple[str, str]]


class GameError(TypeError):
    """A game does not fit the game interface. The message is one line."""


# The file of a game's folder that holds a field of Game, under the same name.
_STATE, _TEXT, _SCORE, _FEATURES, _CATEGORIES, _DECK, _CLAIRVOYANT = (
    {"file": name} for name in ("state", "text", "score", "features", "categories", "deck", "clairvoyant")
)


def _no_house_rules(setup: Any) -> list[str]:
    return []


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """Everything that houle needs of a game. Comments give arguments and results; states are records of STATE."""

    name: str  # as users write it, with hyphens
    package: str  # the module that defines it
    functions: Mapping[str, Function]  # the game functions (functions.py), defaults included

    # RULES has `seats`, `sides` and `side` (the side of each seat). STATE starts with the streams.
    RULES: np.dtype[Any] = field(metadata=_STATE)
    STATE: np.dtype[Any] = field(metadata=_STATE)
    MAX_MOVES: int = field(metadata=_STATE)  # the most legal moves of a position, for any knobs
    # The names of what `counts` counts; the first three are moves, turns, rounds.
    COUNTS: tuple[str, ...] = field(default=("moves", "turns", "rounds"), metadata=_STATE)
    # Means that results show: name -> (count, per), both from COUNTS or "games".
    RATES: Rates = field(default_factory=dict, metadata=_STATE)
    make_rules: Function = field(metadata=_STATE)  # (options, players) -> one RULES record, or a KnobError
    side_names: Function = field(default=side_names, metadata=_STATE)  # (setup) -> names and seats of the sides
    score_range: Function = field(default=score_range, metadata=_STATE)  # (setup) -> the least and the greatest score

    snapshot: Function = field(metadata=_TEXT)  # (state, setup) -> the whole state as plain data
    show: Function = field(metadata=_TEXT)  # (state, setup) -> the state as text for people
    # (state, setup, action) -> the canonical name of a move
    action_name: Function = field(default=action_name, metadata=_TEXT)
    house_rules: Function = field(default=_no_house_rules, metadata=_TEXT)  # (setup) -> notes for every result
    number_of_cards: Function | None = field(default=None, metadata=_TEXT)  # (snapshot) -> cards in it, for invariants
    # (setup) -> EndReader for games that end when a card cannot be played; a sentence where this setup has none.
    end_reader: Function | None = field(default=None, metadata=_SCORE)
    declared: Fields | None = None  # the declared fields (declare.py)

    # Names with a sentence each: the columns of `features`, and the bits of `category_bits`. In features.py a rule of
    # thumb has two sentences: advice for a positive weight and for a negative one (kept in `advice`).
    FEATURES: Named = field(default=(), metadata=_FEATURES)
    advice: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    CATEGORIES: Named = field(default=(), metadata=_CATEGORIES)

    check_deck: Function | None = field(default=None, metadata=_DECK)  # (path) -> faults in a user's deck
    solver_memory: Function | None = field(default=None, metadata=_CLAIRVOYANT)  # (setup) -> memory for `solve`
    LONGEST_LINE: int = field(default=0, metadata=_CLAIRVOYANT)  # most actions that `solve` writes

    has_features: bool = False  # it has rules of thumb, so thumbs and searches can play it
    has_solver: bool = False  # it has `solve`
    has_standing: bool = False  # it has `standing`: somebody can lead during a game
    can_be_read: bool = False  # it has `recall`: searches can read others (`reads=`)
    has_tricks: bool = False  # it has `tricks_to_come`: searches can play the last tricks exactly (`ends=`)
    is_cooperative: bool = False  # all players win or lose together, in every setup
    hands_rotate: bool = False  # hands are passed on, so everybody plays each of them

    def file(self, name: str) -> ModuleType | None:
        """A file of the game's folder as a module, such as `opening`; None if the game does not have it."""
        return file_of(self.package, name)


def file_of(package: str, name: str) -> ModuleType | None:
    if not hasattr(sys.modules[package], "__path__"):
        return None
    full = f"{package}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) else None


def value_in_files(package: str, file: str, name: str) -> Any:
    """The value of a name in a file of the game's folder, or in the module itself; None if it is in neither."""
    modules = (file_of(package, file), sys.modules[package])
    values = (getattr(module, name, None) for module in modules if module is not None)
    return next((value for value in values if value is not None and not isinstance(value, ModuleType)), None)
