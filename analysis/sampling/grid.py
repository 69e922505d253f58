"""The arms of a comparison and the cells of a sweep: every combination of the alternatives that were asked for.

An arm is a table with its strategies. Player counts, variants, strategies, rule files and knobs may each have several
values; a value that is the same everywhere is no axis. The first arm is what the others are compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from houle.solver.ruleset import Knob, Ruleset, RulesetError, Setup, load, make_setup, nearest

if TYPE_CHECKING:
    from houle.solver.strategies.player import LineUp

MOST_ARMS = 10_000
PRINTED = "base"  # among rule files: none of them


@dataclass(frozen=True)
class Arm:
    """A table, who decides at it, and by which of the alternatives it came about."""

    setup: Setup
    strategies: tuple[str, ...]
    values: Mapping[str, Any]  # axis -> value; every axis that was given
    label: str  # what tells it from the others

    @cached_property
    def line_up(self) -> LineUp:
        from houle.solver.strategies.player import seat_strategies

        return seat_strategies(self.setup, self.strategies)

    @property
    def facts(self) -> dict[str, Any]:
        """The arm as columns of a frame."""
        knobs = {f"set.{axis}": value_text(value) for axis, value in self.values.items() if axis not in FIXED_AXES}
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": "+".join(self.setup.variants) or "base",
            "strategies": short_line_up(self.strategies),
            **({"rules": self.values["rules"]} if "rules" in self.values else {}),
            **knobs,
        }


FIXED_AXES = ("players", "variants", "strategies", "rules")


@dataclass(frozen=True)
class Grid:
    """All arms, the axes they differ along, and combinations that cannot be played."""

    arms: tuple[Arm, ...]
    axes: Mapping[str, tuple[Any, ...]]  # only those with several values
    left_out: tuple[tuple[str, str], ...] = ()  # label, why


def value_text(value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "[" + ",".join(map(str, value)) + "]" if isinstance(value, list | tuple) else str(value)


def short_line_up(strategies: Sequence[str]) -> str:
    return strategies[0] if len(set(strategies)) == 1 else ",".join(strategies)


def make_grid(
    game: str,
    players: Iterable[int] = (),
    variants: Iterable[str] = (),
    strategies: Iterable[str] = (),
    rules: Iterable[str] = (),
    settings: Mapping[str, Sequence[Any]] | None = None,
    strict: bool = False,
) -> Grid:
    """Every combination; one that the rules forbid is left out, or with `strict` refused."""
    load(game)
    given: dict[str, list[Any]] = {
        "players": list(dict.fromkeys(players)),
        "variants": list(dict.fromkeys(variants)),
        "strategies": list(dict.fromkeys(strategies)),
        "rules": list(dict.fromkeys(rules)),
        **{knob: list(values) for knob, values in (settings or {}).items()},
    }
    axes = {axis: values for axis, values in given.items() if values}
    number = 1
    for several in axes.values():
        number *= len(several)
    if number > MOST_ARMS:
        raise RulesetError(f"{number:,} combinations are too many; allowed: {MOST_ARMS:,}")
    arms: list[Arm] = []
    left_out: list[tuple[str, str]] = []
    for combination in product(*axes.values()):
        values = dict(zip(axes, combination, strict=True))
        label = _label(values, axes)
        try:
            arms.append(_arm(game, values, label))
        except RulesetError as fault:
            if strict or number == 1:
                raise
            left_out.append((label, str(fault)))
    if not arms:
        raise RulesetError(f"none of the {number} combinations can be played; the first: {left_out[0][1]}")
    varied = {axis: tuple(several) for axis, several in axes.items() if len(several) > 1}
    return Grid(tuple(arms), varied, tuple(left_out))


def _arm(game: str, values: Mapping[str, Any], label: str) -> Arm:
    from houle.solver.strategies.player import seat_strategies

    file = values.get("rules", PRINTED)
    knobs = {axis: value for axis, value in values.items() if axis not in FIXED_AXES}
    variants = [values["variants"]] if "variants" in values else []
    setup = make_setup(game, values.get("players"), variants, knobs, None if file == PRINTED else file)
    names = seat_strategies(setup, [values.get("strategies", "random")]).names
    return Arm(setup, names, values, label or "+".join(setup.variants) or "base")


def _label(values: Mapping[str, Any], axes: Mapping[str, Sequence[Any]]) -> str:
    words = []
    for axis, value in values.items():
        if len(axes[axis]) > 1:
            words.append(axis_text(axis, value))
    return ", ".join(words)


def axis_text(axis: str, value: Any) -> str:
    """`3 players`, `virage`, `hand.back=2`."""
    if axis == "players":
        return f"{value} player" + ("" if value == 1 else "s")
    return str(value) if axis in FIXED_AXES else f"{axis}={value_text(value)}"


def parse_alternatives(ruleset: Ruleset, pairs: Iterable[str]) -> dict[str, list[Any]]:
    """`hand.back=0..4`, `talk=silent,open`, `deck.missing=[],[white 0]` -> the values of each knob."""
    found: dict[str, list[Any]] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        key = key.strip()
        if not equals:
            raise RulesetError(f"--set {pair}: write key=value")
        knob = ruleset.knobs.get(key)
        if knob is None:
            raise RulesetError(f"--set: {ruleset.name} has no knob {key!r}{nearest(key, ruleset.knobs)}")
        if key in found:
            raise RulesetError(f"--set: {key} is given twice; write its alternatives as {key}=a,b")
        # A comma inside brackets belongs to a list.
        parts = [part.strip() for part in re.split(r",(?![^\[]*\])", text)]
        values = [value for part in parts for value in _values(knob, part)]
        found[key] = [value for i, value in enumerate(values) if value not in values[:i]]
    return found


def _values(knob: Knob, text: str) -> list[Any]:
    span = re.fullmatch(r"(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})", text)
    if knob.type == "int" and span:
        low, high = int(span[1]), int(span[2])
        if low > high:
            raise RulesetError(f"--set: {knob.name}: {text!r} is empty; write the smaller number first")
        for end in (low, high):
            _check(knob, end)
        return list(range(low, high + 1))
    if knob.type in ("ints", "names") and not (text.startswith("[") and text.endswith("]")):
        raise RulesetError(f"--set: {knob.name}: {text!r} is not allowed; lists are written [a,b], several [a],[b]")
    value = knob.parse(text)
    _check(knob, value)
    return [value]


def _check(knob: Knob, value: Any) -> None:
    from houle.solver.ruleset import KnobError

    try:
        knob.check(value)
    except KnobError as fault:
        raise RulesetError(f"--set: {fault}") from None
