"""The class Game: everything that houle needs of a game, and how kernels find the functions of a game.

The function of a game is found by the dtype of the state: when an entry is compiled, or at once in plain Python.
Dispatch costs nothing at run time, and only games in use are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from houle.solver.compiler.kernels import kernel, stands_for
from houle.solver.compiler.types import State
from houle.solver.interface.files import ClassView, Draws, OpeningFacts, PositionText, TableView, Words, provided
from houle.solver.interface.seen import Seen

Function = Callable[..., Any]
Named = tuple[tuple[str, str], ...]
Rates = Mapping[str, tuple[str, str]]


# The file of a game's folder that holds a field of Game, under the same name.
_RULES, _WORDS, _THUMBS, _DECK, _CLAIRVOYANT = (
    {"file": name} for name in ("rules", "words", "thumbs", "deck", "clairvoyant")
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """Everything that houle needs of a game. Comments give arguments and results; states are records of STATE."""

    name: str  # as users write it, with hyphens
    package: str  # the module that defines it
    functions: Mapping[str, Function]  # the game functions (functions.py), defaults included

    # RULES has `seats`, `sides` and `side` (the side of each seat). STATE starts with the streams.
    RULES: np.dtype[Any] = field(metadata=_RULES)
    STATE: np.dtype[Any] = field(metadata=_RULES)
    MAX_MOVES: int = field(metadata=_RULES)  # the most legal moves of a position, for any knobs
    # The names of what `counts` counts; the first three are moves, turns, rounds.
    COUNTS: tuple[str, ...] = field(default=("moves", "turns", "rounds"), metadata=_RULES)
    # Means that results show: name -> (count, per), both from COUNTS or "games".
    RATES: Rates = field(default_factory=dict, metadata=_RULES)
    make_rules: Function = field(metadata=_RULES)  # (options, players) -> one RULES record, or a KnobError
    side_names: Function = field(metadata=_RULES)  # (setup) -> names and seats of the sides
    score_range: Function = field(metadata=_RULES)  # (setup) -> the least and the greatest score

    snapshot: Function = field(metadata=_WORDS)  # (state, setup) -> the whole state as plain data
    show: Function = field(metadata=_WORDS)  # (state, setup) -> the state as text for people
    # (state, setup, action) -> the canonical name of a move
    action_name: Function = field(metadata=_WORDS)
    house_rules: Function = field(metadata=_WORDS)  # (setup) -> notes for every result
    number_of_cards: Function | None = field(default=None, metadata=_WORDS)  # (snapshot) -> cards in it, for invariants
    # (setup) -> EndReader for games that end when a card cannot be played; a sentence where this setup has none.
    end_reader: Function | None = field(default=None, metadata=_WORDS)
    # (final states, setup) -> which of them ended in each way, in words; games that can end in several ways have it.
    end_conditions: Function | None = field(default=None, metadata=_WORDS)
    declared: Any = None  # the declared fields (declared/fields.py)
    class_view: ClassView | None = None  # of a class in plain Python (solver/plain)

    # The columns of `features`, each a name with a sentence. In thumbs.py a rule of thumb has two sentences: advice for
    # a positive weight and for a negative one (kept in `advice`).
    FEATURES: Named = field(default=(), metadata=_THUMBS)
    advice: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    CATEGORIES: Sequence[str] = field(default=(), metadata=_THUMBS)  # names of the bits of `category_bits`

    check_deck: Function | None = field(default=None, metadata=_DECK)  # (path) -> faults in a user's deck
    solver_memory: Function | None = field(default=None, metadata=_CLAIRVOYANT)  # (setup) -> memory for `solve`
    # What a seat sees (knows.py): the table SEEN. None for a class in plain Python, which has a view.
    seen: Seen | None = None
    LONGEST_LINE: int = field(default=0, metadata=_CLAIRVOYANT)  # most actions that `solve` writes

    is_cooperative: bool = False  # all players win or lose together, in every setup
    hands_rotate: bool = False  # hands are passed on, so everybody plays each of them

    @property
    def is_compiled(self) -> bool:
        """Whether kernels play it; a class in plain Python is played in processes."""
        return self.class_view is None

    def has(self, function: str) -> bool:
        """Whether the game has a function of its own, such as `features` (rules of thumb) or `solve`."""
        return self.functions[function] is not FUNCTIONS[function].default

    @property
    def marker(self) -> str:
        """The field of STATE and RULES that is named after the game."""
        return self.package.rpartition(".")[2]

    # The plain files of the game (files.py), read when they are first used.

    @cached_property
    def words(self) -> Words:
        return provided(Words, self.package)

    @cached_property
    def table(self) -> TableView:
        return provided(TableView, self.package)

    @cached_property
    def positions(self) -> PositionText:
        return provided(PositionText, self.package)

    @cached_property
    def draws(self) -> Draws:
        return provided(Draws, self.package)

    @cached_property
    def openings(self) -> OpeningFacts:
        return provided(OpeningFacts, self.package)


def blank(dtype: np.dtype[Any], number: int | tuple[int, ...] = 1) -> Any:
    """Zeroed records with attribute access (`record.field`), as in kernels."""
    return np.zeros(number, dtype).view(np.recarray)


# ---- Dispatch

BY_DTYPE: dict[np.dtype[Any], Game] = {}  # for plain Python
BY_TYPE: dict[Any, Game] = {}  # for the compiler, by numba's type of the state


class GameFunction(NamedTuple):
    """The file of a game that holds a function, and its default."""

    file: str
    default: Function | None
    state: tuple[str, ...]  # fields of STATE and RULES that the default reads: a game without them has no default
    rules: tuple[str, ...]


FUNCTIONS: dict[str, GameFunction] = {}


def game_function(
    name: str, file: str, default: Function | None = None, state: tuple[str, ...] = (), rules: tuple[str, ...] = ()
) -> Function:
    """Declares a game function; returns what kernels and plain Python call."""
    FUNCTIONS[name] = GameFunction(file, default, state, rules)
    plain = by_game(lambda game: game.functions[name])
    plain.__name__ = plain.__qualname__ = name
    return plain


def default_of(name: str) -> Callable[[Function], Function]:
    """Decorator: the kernel is the default of a game function."""

    def register(default: Function) -> Function:
        FUNCTIONS[name] = FUNCTIONS[name]._replace(default=default)
        return default

    return register


def by_game(choose: Callable[[Game], Function]) -> Function:
    """A function chosen by the game of its first argument, a state."""

    def plain(state: State, *rest: Any) -> Any:
        return choose(BY_DTYPE[state.dtype])(state, *rest)

    stands_for(plain, lambda state, *rest: choose(BY_TYPE[state]))
    return plain


def fact(read: Callable[[Game], Any]) -> Function:
    """A fact about the game of a state, which is a constant to the compiler."""

    return by_game(lambda game: _constant(read(game)))


@lru_cache(typed=True)
def _constant(value: Any) -> Function:
    def constant(state: State) -> Any:
        return value

    return kernel(constant)
