"""Checks of the arguments of public functions: one clear error before any work starts.

`@checked` reads the annotations of a function and checks each argument against them:

    int, Whole              a whole number; 1e3 is accepted, 1.5 and True are not
    float                   a number; nan and infinity are not accepted
    bool, str, Path         exactly that
    Iterable[...]           one value or several; an iterator is read once and passed on as a tuple
    Mapping[str, ...]       a dict with texts as keys
    Strategies              None, or names of players
    OnGames, OnStep         a function
    tuple[str, str]         so many texts
    **run: Unpack[...]      the options that every analysis shares, see run_options.py
    any other class         an instance of a class with that name

Annotations that are not listed are not checked. RANGES holds the limits of arguments that many functions share.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from houle.analysis.limits import MOST_GAMES, MOST_SEED, MOST_THREADS, SEED, check_int, shown, whole
from houle.analysis.run_options import RunOptions
from houle.solver.errors import InputError
from houle.solver.texts import nearest

# By name; with `=None` for a parameter that may be left out.
SHARED = {
    "game": "str\n    Name of a game, as `houle games` lists it.",
    "setup": "Setup or str\n    From `houle.setup`, or the name of a game for its default setup.",
    "setup=None": "Setup or str, optional\n    The setup, if the text does not name it.",
    "strategies=None": "str or iterable of str, optional\n    Who plays: one for all players, or one each. Default: "
    "`family`, or `random` in a game without rules of thumb.",
    "measures": "str or iterable of str\n    What to compare, as in `houle.compare`.",
    "margin=None": "float, optional\n    The smallest difference that matters: in percentage points for rates (0.5 by "
    "default), else in the unit of the measure.",
    "threads=None": "int, optional\n    Number of threads; one per core by default. Results do not depend on it.",
    "moves": "bool\n    Whether to include the moves so far, as the player saw them.",
}
RUN = ("games", "seed", "threads", "progress")
PARAMETERS, RETURNS = "Parameters\n----------\n", "Returns\n-------\n"


def completed(doc: str, parameters: Iterable[inspect.Parameter]) -> str:
    """A docstring with an entry for every parameter, in the order of the signature."""
    before, _, after = inspect.cleandoc(doc).partition(RETURNS)
    about, _, listed = before.partition(PARAMETERS)
    own: dict[str, str] = {}  # entries by their names; an entry may have several
    for entry in re.findall(r"^\S.*\n(?:    .*\n)+", listed, re.MULTILINE):
        own |= dict.fromkeys(re.findall(r"\w+", re.split(r" :|\n", entry)[0]), entry)
    entries = []
    for parameter in parameters:
        if parameter.kind is not parameter.VAR_KEYWORD:
            shared = SHARED.get(f"{parameter.name}=None" if parameter.default is None else parameter.name)
            entries.append(own.get(parameter.name, f"{parameter.name} : {shared}\n" if shared else ""))
        elif "run" in own:
            entries.append(own["run"])
        else:
            entries += [own[name] for name in RUN if name in own]
            others = [f"`{name}`" + " (100,000 by default)" * (name == "games") for name in RUN if name not in own]
            entries.append(f"**run\n    {', '.join(others)}: see `houle.RunOptions`.\n")
    return f"{about}{PARAMETERS}{''.join(dict.fromkeys(entries))}\n{RETURNS}{after}"


P = ParamSpec("P")
R = TypeVar("R")

RANGES = {
    "games": (1, MOST_GAMES),
    "check_games": (1, MOST_GAMES),
    "seed": (0, MOST_SEED),
    "game": (0, MOST_GAMES),
    "ply": (0, MOST_GAMES),
    "threads": (1, MOST_THREADS),
}
ALIASES = {
    "Strategies": "str | Iterable[str] | None",
    "Whole": "int",
    "Results": "str | Path | Iterable[Mapping[str, Any] | str | Path]",
    "Setups": "Grid | Setup | str | Iterable[Setup | str]",
}
WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "str": "a text",
    "Path": "a path",
    "Setup": "a Setup (see houle.setup)",
    "Grid": "a Grid (see houle.grid)",
    "Position": "a Position (see houle.position)",
    "Mapping": "a dict with texts as keys",
    "OnGames": "a function of games and seconds",
    "OnStep": "a function of title, number, steps, share and seconds",
    "Effort": "an Effort",
    "tuple": "a pair of texts",
}
MEANS = {
    "game": {"str": "the name of a game"},
    "setup": {"str": "the name of a game"},
    "setups": {"str": "the name of a game"},
    "strategies": {"str": "the name of a player, as 'thumb'"},
}
LISTS = ("Iterable", "Sequence")
DEFAULTS = {"seed": SEED}  # of the shared options; the others are None


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments of a public function by its annotations before it runs, and complete its docstring."""
    written = inspect.signature(function)
    signature = _spelled_out(written)
    kinds = {name: _parts(parameter.annotation) for name, parameter in signature.parameters.items()}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        unknown = [name for name in kwargs if name not in kinds]
        if unknown:
            raise TypeError(f"{function.__name__}() has no argument {unknown[0]!r}{nearest(unknown[0], kinds)}")
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            bound.arguments[name] = _converted(name, kinds[name], value)
        return function(*bound.args, **bound.kwargs)

    call.__signature__ = signature  # type: ignore[attr-defined]
    if function.__doc__:  # not with python -OO
        call.__doc__ = completed(function.__doc__, written.parameters.values())
    return call


def _spelled_out(signature: inspect.Signature) -> inspect.Signature:
    """The signature with the shared options one by one instead of `**run`, for checks and for help()."""
    given = list(signature.parameters.values())
    if not given or given[-1].annotation != "Unpack[RunOptions]":
        return signature
    shared = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=DEFAULTS.get(name),
            annotation=getattr(kind, "__forward_arg__", str(kind)),
        )
        for name, kind in RunOptions.__annotations__.items()
    ]
    return signature.replace(parameters=[*given[:-1], *shared])


def _parts(annotation: str) -> list[str]:
    """`Setup | str` -> Setup, str; a bar in brackets does not separate."""
    parts = re.split(r"\s*\|\s*(?![^\[]*\])", annotation)
    return [one for part in parts for one in (_parts(ALIASES[part]) if part in ALIASES else [part])]


def _converted(name: str, parts: list[str], value: Any) -> Any:
    if value is None and "None" in parts:
        return None
    known = True
    for part in parts:
        if part == "None":
            continue
        accepted, converted = _accepted(part, value)
        if accepted:
            return check_int(name, converted, *RANGES[name]) if part == "int" and name in RANGES else converted
        known = known and accepted is not None
    if not known:
        return value
    raise InputError(f"{name}: {shown(value)} is not allowed; allowed: {_words(name, parts)}")


def _accepted(part: str, value: Any) -> tuple[bool | None, Any]:
    """Checks a value against a kind: whether it fits (None if this kind is not checked), and the converted value."""
    base, _, items = part.rstrip("]").partition("[")
    if part == "int":
        number = whole(value)
        return number is not None, number
    if part == "float":
        good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return good, value
    if base == "Literal":
        return value in re.findall(r"\w+", items), value
    if part in ("OnGames", "OnStep"):
        return callable(value), value
    if base == "tuple":
        good = isinstance(value, tuple) and len(value) == len(items.split(","))
        return good and all(isinstance(item, str) for item in value), value
    if base == "Mapping":
        return isinstance(value, Mapping) and all(isinstance(key, str) for key in value), value
    if base in LISTS:
        return _several(items, value)
    if part == "Path":
        return isinstance(value, Path), value
    if part in WORDS:
        return part in {one.__name__ for one in type(value).__mro__}, value
    return None, value


def _several(items: str, value: Any) -> tuple[bool | None, Any]:
    """Several values of one kind; a single text is a list of one."""
    kinds = _parts(items)
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        return (True, (value,)) if isinstance(value, str) and "str" in kinds else (False, value)
    converted = []
    for one in value:
        found = [_accepted(kind, one) for kind in kinds]
        good = next((new for accepted, new in found if accepted), None)
        if good is None and any(accepted is None for accepted, _ in found):
            return None, value
        if good is None:
            return False, value
        converted.append(good)
    return True, tuple(converted)


def _words(name: str, parts: list[str]) -> str:
    """What is allowed, in words: `a Setup (see houle.setup) or the name of a game`."""
    if name in RANGES and "int" in parts:
        least, most = RANGES[name]
        return f"a whole number from {least} to {most}"
    words: list[str] = []
    for part in parts:
        base, _, items = part.rstrip("]").partition("[")
        if base in LISTS:
            words.append("a list of them" if words else f"a list: {_words(name, _parts(items))}")
        elif base == "Literal":
            words += re.findall(r"\w+", items)
        elif part != "None":
            words.append(MEANS.get(name, {}).get(part, WORDS.get(base, base)))
    return " or ".join(words)
