"""Alternatives: their values as typed (`hand.back=0..4`) or given in Python, and every combination of them.

An axis is something that may have several values: players, variants, strategies, rules files, or any knob. Sweeps,
studies and designs all make their setups here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from houle.analysis.limits import shown
from houle.analysis.players.line_ups import line_up
from houle.solver.errors import FileError, InputError, RulesError, StrategyError
from houle.solver.players.player import LineUp
from houle.solver.rules import Knob, KnobError, Ruleset, Setup, find_knob, make_setup, parse_setting

Values = Mapping[str, Any]  # axis -> value

MOST_ARMS = 10_000
PRINTED = "base"  # among variants and rules files: none of them
FIXED_AXES = ("players", "variants", "strategies", "rules")  # all other axes are knobs


def combinations(
    game: str, axes: Mapping[str, Sequence[Any]], place: str
) -> Iterator[tuple[Values, LineUp | InputError]]:
    """Every combination of the values of all axes: who plays what, or why it cannot be played.

    Errors about knobs begin with `place`. Without an axis of strategies the default player plays.
    """
    made: dict[str, Setup] = {}
    for chosen in product(*axes.values()):
        values = dict(zip(axes, chosen, strict=True))
        key = repr([value for axis, value in values.items() if axis != "strategies"])
        try:
            if key not in made:
                knobs = {axis: value for axis, value in values.items() if axis not in FIXED_AXES}
                file = () if values.get("rules", PRINTED) == PRINTED else values["rules"]
                variants = (values.get("variants", PRINTED),)
                made[key] = make_setup(game, values.get("players"), variants, knobs, file=file, place=place)
        except FileError:  # a broken file is no combination that the rules forbid
            raise
        except InputError as fault:
            yield values, fault
            continue
        try:
            seated = line_up(made[key], values.get("strategies"))
        except StrategyError as fault:
            yield values, fault
        else:
            yield values, seated


def several(values: Any) -> list[Any]:
    """One value or several, as a list."""
    single = isinstance(values, str | Path | Setup | Mapping) or not isinstance(values, Iterable)
    return [values] if single else list(values)


def different(values: Iterable[Any]) -> tuple[Any, ...]:
    """Each value once, also lists, which cannot be hashed."""
    kept: list[Any] = []
    for value in values:
        if value not in kept:
            kept.append(value)
    return tuple(kept)


def parse_alternatives(ruleset: Ruleset, pairs: Iterable[str]) -> dict[str, list[Any]]:
    """`hand.back=0..4`, `talk=silent,open`, `deck.missing+=[],[red 3]` -> the values of each knob."""
    values: dict[str, list[Any]] = {}
    for pair in pairs:
        knob, sign, text = parse_setting(ruleset, pair)
        key = f"{knob.name}{sign}"
        if key in values:
            raise RulesError(f"--set: {key} is given twice; write its alternatives as {key}=a,b")
        values[key] = knob_values(ruleset, key, text, "--set")
    return values


def knob_values(ruleset: Ruleset, key: str, given: Any, place: str) -> list[Any]:
    """The alternatives of a knob, given as text, as one value or as several; each is checked against the knob."""
    if not isinstance(key, str):
        raise RulesError(f"{place}: {shown(key)} is not allowed; allowed: the name of a knob, as 'hand.front'")
    knob, sign = find_knob(ruleset, key, place)
    if isinstance(given, str):
        # A comma inside brackets belongs to a list.
        parts = [part.strip() for part in re.split(r",(?![^\[]*\])", given)]
        values = [value for part in parts for value in _typed(knob, part, place)]
    elif knob.type in ("ints", "names"):
        lists = isinstance(given, list | tuple) and len(given) > 0 and all(isinstance(v, list | tuple) for v in given)
        values = [list(value) for value in given] if lists else [given]
    else:
        values = several(given)
    if not values:
        raise RulesError(f"{place}: {key}: the list of alternatives is empty; give at least one value")
    for value in values:
        try:
            knob.check_items(value) if sign else knob.check(value)
        except KnobError as fault:
            raise RulesError(f"{place}: {fault}") from None
    return list(different(values))


def _typed(knob: Knob, text: str, place: str) -> list[Any]:
    """A value as typed; `0..4` is all numbers of the range."""
    span = re.fullmatch(r"(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})", text)
    if knob.type == "int" and span:
        low, high = int(span[1]), int(span[2])
        if low > high:
            raise RulesError(f"{place}: {knob.name}: {text!r} is empty; write the smaller number first")
        if high - low >= MOST_ARMS:
            raise RulesError(f"{place}: {knob.name}: {text!r} is not allowed; allowed: {knob.allowed}")
        return list(range(low, high + 1))
    if knob.type == "int" and re.fullmatch(r"\d+\s*(-|to)\s*\d+", text):
        raise RulesError(f"{place}: {knob.name}: {text!r} is not allowed; write a range as 1..3, several values as 1,3")
    if knob.type in ("ints", "names") and not (text.startswith("[") and text.endswith("]")):
        raise RulesError(f"{place}: {knob.name}: {text!r} is not allowed; write a list as [a,b], several as [a],[b]")
    return [knob.parse(text)]
