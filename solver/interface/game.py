"""The record that holds a game: everything the house asks of one."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from houle.solver.declare import Fields
from houle.solver.definition import action_name, score_range, side_names

Function = Callable[..., Any]
Named = tuple[tuple[str, str], ...]
Rates = Mapping[str, tuple[str, str]]


class GameError(TypeError):
    """A game that breaks the contract, in one line."""


# Where a game's folder holds a field of its record, under the same name.
_STATE, _TEXT, _SCORE, _FEATURES, _CATEGORIES, _DECK, _CLAIRVOYANT = (
    {"file": name} for name in ("state", "text", "score", "features", "categories", "deck", "clairvoyant")
)


def _nothing_to_say(setup: Any) -> list[str]:
    return []


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """Everything the house asks of a game; setups come from `ruleset`, states are records of STATE."""

    name: str  # as users write it, with hyphens
    package: str  # the module that defined it
    functions: Mapping[str, Function]  # the kernels, every verb below

    # The two records: RULES has `seats`, `sides` and `side` (the side of each seat), STATE starts with the streams.
    RULES: np.dtype[Any] = field(metadata=_STATE)
    STATE: np.dtype[Any] = field(metadata=_STATE)
    MAX_MOVES: int = field(metadata=_STATE)  # capacity of a move buffer, whatever the knobs
    # What `counts` writes; the first three are moves, turns, rounds.
    COUNTS: tuple[str, ...] = field(default=("moves", "turns", "rounds"), metadata=_STATE)
    RATES: Rates = field(
        default_factory=dict, metadata=_STATE
    )  # published means: name -> (count, per); both from COUNTS, or "games"
    make_rules: Function = field(metadata=_STATE)  # (options, players) -> one RULES record, or a KnobError
    side_names: Function = field(default=side_names, metadata=_STATE)  # (setup) -> who is scored: names and seats
    score_range: Function = field(default=score_range, metadata=_STATE)  # (setup) -> the least and the greatest score

    snapshot: Function = field(metadata=_TEXT)  # (state, setup) -> the whole state as plain data
    show: Function = field(metadata=_TEXT)  # (state, setup) -> the state as text for people
    # (state, setup, action) -> the canonical name of a move
    action_name: Function = field(default=action_name, metadata=_TEXT)
    house_rules: Function = field(default=_nothing_to_say, metadata=_TEXT)  # (setup) -> what every result must say
    number_of_cards: Function | None = field(default=None, metadata=_TEXT)  # (snapshot) -> cards in it, for the laws
    # (setup) -> Endings, see endings.py, of games that die of a card that does not fit; text where this table cannot
    end_reader: Function | None = field(default=None, metadata=_SCORE)
    declared: Fields | None = None  # who sees which field, where the game says it

    # Names with a sentence each: the rules of thumb as `features` writes them, the bits of `category_bits`. In its file
    # a rule of thumb has two: what to do for more of the feature, and for less of it.
    FEATURES: Named = field(default=(), metadata=_FEATURES)
    advice: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    CATEGORIES: Named = field(default=(), metadata=_CATEGORIES)

    check_deck: Function | None = field(default=None, metadata=_DECK)  # (path) -> faults of a deck of one's own
    solver_memory: Function | None = field(default=None, metadata=_CLAIRVOYANT)  # (setup) -> what `solve` works in
    LONGEST_LINE: int = field(default=0, metadata=_CLAIRVOYANT)  # actions of the longest line that `solve` writes

    has_features: bool = False  # rules of thumb: it can be played by more than chance
    has_solver: bool = False  # `solve` answers something
    has_standing: bool = False  # somebody can be ahead while a game is under way
    can_be_read: bool = False  # it says what a seat held at an earlier decision, so that searches can read others
    has_tricks: bool = False  # it says how many tricks are left, so that searches can play the last ones exactly
    is_cooperative: bool = False  # all players win or lose together, at every table
    hands_rotate: bool = False  # hands go round the table, so that everybody plays each of them

    def file(self, name: str) -> ModuleType | None:
        """A file of the game's folder that is loaded when somebody asks, such as `opening`; None if it has none."""
        return file_of(self.package, name)


def file_of(package: str, name: str) -> ModuleType | None:
    if not hasattr(sys.modules[package], "__path__"):
        return None
    full = f"{package}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) else None


def held(package: str, file: str, name: str) -> Any:
    """What a game holds under a name, in the file of its folder or in the module itself; None if nowhere."""
    places = (file_of(package, file), sys.modules[package])
    found = (getattr(place, name, None) for place in places if place is not None)
    return next((value for value in found if value is not None and not isinstance(value, ModuleType)), None)
