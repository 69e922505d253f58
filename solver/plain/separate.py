"""Copies of a game of a class that share nothing with it, and what the state of such a game is made of.

A world that draws from the luck of the real game sees its future, and one that changes a list of the real game changes
its past. So `imagine()` is called in a copy that has other luck, and whatever it forgets to copy is harmless.
"""

from __future__ import annotations

import copy
import functools
import io
import pickle
import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from houle.solver.plain.random_streams import CHANCE, DEAL, Chance, Luck, derive

# Objects that draw random numbers: a copy in a world starts from the key of the world.
SOURCES = (Luck, Chance, random.Random, np.random.Generator, np.random.RandomState)
VALUES = (str, bytes, int, float, complex, type(None))


def other_luck(source: Any, key: int, number: int) -> Any:
    """A source of random numbers like another one, for a world; `number` counts the sources of the same kind."""
    if isinstance(source, Chance):
        return Chance(derive(derive(key, CHANCE), number) if number else derive(key, CHANCE))
    own = derive(derive(key, DEAL), number) if number else derive(key, DEAL)
    if isinstance(source, Luck):
        return Luck(own)
    if isinstance(source, random.Random):
        return random.Random(own)
    if isinstance(source, np.random.Generator):
        return np.random.default_rng(own)
    return np.random.RandomState(own & 0xFFFF_FFFF)


class _Frozen(pickle.Pickler):
    """Pickles a game; its sources of random numbers stay outside."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.sources: list[Any] = []

    def persistent_id(self, value: Any) -> int | None:
        if not isinstance(value, SOURCES):
            return None
        for number, source in enumerate(self.sources):
            if source is value:
                return number
        self.sources.append(value)
        return len(self.sources) - 1


class _Thawed(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, sources: list[Any]) -> None:
        super().__init__(file)
        self.sources = sources

    def persistent_load(self, number: int) -> Any:
        return self.sources[number]


class Original:
    """A game from which copies with other luck are made."""

    def __init__(self, played: Any) -> None:
        self.played, self.sources, self.bytes, self.why = played, list[Any](), b"", ""
        file = io.BytesIO()
        pickler = _Frozen(file)
        try:
            pickler.dump(played)
        except Exception:  # not everything can be pickled; it is copied in another way
            self.sources = [value for _, value in parts(played) if isinstance(value, SOURCES)]
        else:
            self.bytes, self.sources = file.getvalue(), pickler.sources

    def copied(self, key: int) -> Any:
        """A copy with the luck of a world; the game itself if it cannot be copied."""
        kinds = [isinstance(source, Chance) for source in self.sources]
        others = [
            other_luck(source, key, kinds[:number].count(kinds[number])) for number, source in enumerate(self.sources)
        ]
        if self.bytes:
            return _Thawed(io.BytesIO(self.bytes), others).load()  # our own copy, never from a file
        memo = {id(source): other for source, other in zip(self.sources, others, strict=True)}
        try:
            return copy.deepcopy(self.played, memo)
        except Exception as fault:  # such as a generator; `houle check` names it
            self.why = str(fault)
            return self.played

    def with_own_luck(self, world: Any, key: int) -> str:
        """Replaces what a world still draws from; says what it shares with the real game nevertheless.

        Only a game that could not be pickled can share anything: a function keeps what it was made with.
        """
        if self.bytes:
            return ""
        for name, value in vars(world).items():
            if any(value is source for source in self.sources):
                vars(world)[name] = other_luck(value, key, 0)
        return kept_luck(self.played, world) or shared_iterator(self.played, world)


def parts(value: Any, name: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """All values that a game consists of, with where they are (`hand[0][2]`, `deck.luck`); entered only once each."""
    seen = set() if seen is None else seen
    if isinstance(value, type | ModuleType):
        return
    yield name, value
    if id(value) not in seen and not isinstance(value, VALUES):
        seen.add(id(value))
        for inner, one in _inside(value, name):
            yield from parts(one, inner, seen)


def _inside(value: Any, name: str) -> Iterable[tuple[str, Any]]:
    if isinstance(value, (*SOURCES, np.ndarray)):
        return
    if isinstance(value, Mapping):
        yield from ((f"{name}[{key!r}]", one) for key, one in value.items())
    elif isinstance(value, list | tuple | deque):
        yield from ((f"{name}[{number}]", one) for number, one in enumerate(value))
    elif isinstance(value, set | frozenset):
        yield from ((f"{name}[{number}]", one) for number, one in enumerate(sorted(value, key=repr)))
    elif isinstance(value, MethodType):
        yield f"{name}, its object", value.__self__
        yield name, value.__func__
    elif isinstance(value, functools.partial):
        yield f"{name}, its function", value.func
        yield from ((f"{name}, its argument", one) for one in (*value.args, *value.keywords.values()))
    elif isinstance(value, FunctionType):
        cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
        yield from ((f"{name}, its {free}", cell.cell_contents) for free, cell in cells)
        yield from ((f"{name}, its default {number}", one) for number, one in enumerate(value.__defaults__ or (), 1))
        return
    dot = f"{name}." if name else ""
    slots = {slot for kind in type(value).__mro__ for slot in _slots(kind) if hasattr(value, slot)}
    yield from ((f"{dot}{slot}", getattr(value, slot)) for slot in sorted(slots))
    yield from ((f"{dot}{attribute}", one) for attribute, one in getattr(value, "__dict__", {}).items())


def _slots(kind: type) -> tuple[str, ...]:
    given = kind.__dict__.get("__slots__", ())
    names = (given,) if isinstance(given, str) else tuple(given)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def leaves(value: Any, name: str = "") -> dict[str, Any]:
    """What can change in a game, by where it is: values, lengths, and how far sources of random numbers are."""
    found = dict[str, Any]()
    for place, one in parts(value, name):
        if isinstance(one, Luck):
            found[place] = one.key, one.position
        elif isinstance(one, Chance):
            found[place] = one.key
        elif isinstance(one, random.Random):
            found[place] = one.getstate()
        elif isinstance(one, np.random.Generator):
            found[place] = str(one.bit_generator.state)
        elif isinstance(one, np.random.RandomState):
            found[place] = str(one.get_state())
        elif isinstance(one, np.ndarray):
            found[place] = one.tolist()
        elif isinstance(one, VALUES):
            found[place] = one
        elif hasattr(one, "__len__"):
            found[place] = f"{len(one)} values"
        else:
            found[place] = type(one).__name__
    return found


def kept_luck(played: Any, world: Any) -> str:
    """Says which luck of the real game a world draws from; empty if it has its own."""
    real = [value for _, value in parts(played) if isinstance(value, SOURCES) and not isinstance(value, Chance)]
    states = [_drawn(value) for value in real]
    for place, value in parts(world):
        if isinstance(value, SOURCES) and any(value is one for one in real) | (_drawn(value) in states):
            kept = f"imagine() keeps the real luck in {place}, so searches see what will be drawn"
            if "," in place:  # inside a function, where no line can replace it
                return f"{kept}; write a method that draws from self.luck instead"
            return f"{kept}; add the line: world.{place} = {_anew(value)}"
    return ""


def _anew(source: Any) -> str:
    """What replaces a source of random numbers in imagine()."""
    if isinstance(source, Luck):
        return "luck"
    if isinstance(source, np.random.Generator):
        return "numpy.random.default_rng(luck(2**32))"
    module = "numpy.random" if isinstance(source, np.random.RandomState) else "random"
    return f"{module}.{type(source).__name__}(luck(2**32))"


def _drawn(source: Any) -> Any:
    """What a source of random numbers will draw: for a Luck its key, whatever its position."""
    return source.key if isinstance(source, Luck) else leaves(source)


def shared_iterator(played: Any, world: Any) -> str:
    """Names an iterator that a world shares with the real game: nothing tells how far it is."""
    real = {id(value) for _, value in parts(played) if isinstance(value, Iterator)}
    for place, value in parts(world):
        if id(value) in real:
            kind = type(value).__name__
            return (
                f"a world shares {place} ({kind}) with the real game, which goes on where the world stops; use a list"
            )
    return ""
