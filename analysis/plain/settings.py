"""Options of a plain game as users type them: `hand=7`, or several to compare: `hand=6,7`, `hand=5..8`."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable
from typing import Any

from houle.analysis.plain.plain_class import PlainClass
from houle.solver.errors import RulesError
from houle.solver.rules import nearest

MOST_ARMS = 64


def parse_options(game: PlainClass, pairs: Iterable[str]) -> list[dict[str, Any]]:
    """Every combination of the given values; without any, one setting that changes nothing."""
    given: dict[str, list[Any]] = {}
    for pair in pairs:
        key, equals, text = (part.strip() for part in pair.partition("="))
        if not equals:
            raise RulesError(f"--set: {pair!r} is not allowed; allowed: KEY=VALUE")
        if key not in game.options:
            hint = nearest(key, game.options) if game.options else "; it has no options"
            raise RulesError(f"--set: {game.made.__name__} has no option {key!r}{hint}")
        values = given.setdefault(key, [])
        values += [value for value in _values(text) if value not in values]
        for value in values:
            _check(key, value, game.options[key])
    combinations = itertools.product(*given.values())
    settings = [dict(zip(given, values, strict=True)) for values in combinations]
    if len(settings) > MOST_ARMS:
        raise RulesError(f"--set: {len(settings)} combinations; allowed: at most {MOST_ARMS}")
    return settings


def _values(text: str) -> list[Any]:
    if match := re.fullmatch(r"(-?\d{1,9})\.\.(-?\d{1,9})", text):
        low, high = int(match[1]), int(match[2])
        if high - low >= MOST_ARMS:
            raise RulesError(f"--set: {text} has too many values; allowed: at most {MOST_ARMS}")
        return list(range(low, high + 1))
    return [_value(part) for part in re.split(r",(?![^\[]*\])", text)]


def _value(text: str) -> Any:
    """`true`, a number, a list in brackets, or a text."""
    text = text.strip()
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, int | float | list | str) else text


def _check(key: str, value: Any, usual: Any) -> None:
    """Refuse a value of another type than the default; a whole number may stand for a decimal one."""
    if usual is None or type(value) is type(usual) or (isinstance(usual, float) and type(value) is int):
        return
    raise RulesError(f"--set {key}: {value!r} is not allowed; allowed: a value like its default {usual!r}")
