"""Finds the function of a game by the dtype of the state: when an entry is compiled, or at once in plain Python.

Dispatch costs nothing at run time, and only games in use are compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from houle.solver.compiler.kernels import stands_for
from houle.solver.compiler.types import State
from houle.solver.interface.game import Function, Game

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

    @stands_for(plain)
    def chosen(state: State, *rest: Any) -> Any:
        play = choose(BY_TYPE[state])

        def call(state: State, *rest: Any) -> Any:
            return play(state, *rest)

        return call

    return plain


def fact(read: Callable[[Game], Any]) -> Function:
    """A fact about the game of a state, which is a constant to the compiler."""

    def plain(state: State) -> Any:
        return read(BY_DTYPE[state.dtype])

    @stands_for(plain)
    def chosen(state: State) -> Any:
        value = read(BY_TYPE[state])

        def call(state: State) -> Any:
            return value

        return call

    return plain
