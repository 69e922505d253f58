"""Options of a plain game as they are typed: `hand=7`, or several to compare, `hand=6,7` and `hand=5..8`."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable
from typing import Any

from houle.analysis.plain.plain_class import PlainClass
from houle.solver.errors import InputError
from houle.solver.ruleset import nearest

MOST_ARMS = 64


def parse_options(game: PlainClass, pairs: Iterable[str]) -> list[dict[str, Any]]:
    """Every combination of the values that were given; one of no changes where nothing was."""
    given: dict[str, list[Any]] = {}
    for pair in pairs:
        key, equals, text = (part.strip() for part in pair.partition("="))
        if not equals:
            raise InputError(f"--set: {pair!r} is not allowed; write KEY=VALUE")
        if key not in game.options:
            there = nearest(key, game.options) if game.options else "; it has no options"
            raise InputError(f"--set: {game.made.__name__} has no option {key!r}{there}")
        values = given.setdefault(key, [])
        values += [value for value in _values(text) if value not in values]
        for value in values:
            _check(key, value, game.options[key])
    combinations = itertools.product(*given.values())
    found = [dict(zip(given, values, strict=True)) for values in combinations]
    if len(found) > MOST_ARMS:
        raise InputError(f"--set: {len(found)} combinations; allowed: at most {MOST_ARMS}")
    return found


def _values(text: str) -> list[Any]:
    if match := re.fullmatch(r"(-?\d{1,9})\.\.(-?\d{1,9})", text):
        low, high = int(match[1]), int(match[2])
        if high - low >= MOST_ARMS:
            raise InputError(f"--set: {text} are more than {MOST_ARMS} values")
        return list(range(low, high + 1))
    return [_value(part) for part in re.split(r",(?![^\[]*\])", text)]


def _value(text: str) -> Any:
    """`true`, a number, a list in brackets, or a text."""
    text = text.strip()
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return found if isinstance(found, int | float | list | str) else text


def _check(key: str, value: Any, usual: Any) -> None:
    """A value of another type than the default is a slip; a whole number is a number too."""
    if usual is None or type(value) is type(usual) or (isinstance(usual, float) and type(value) is int):
        return
    raise InputError(f"--set {key}: {value!r} is not allowed; its default {usual!r} is of another type")
