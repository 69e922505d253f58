"""The changes that a design may make: knobs with their alternatives, and setups with some of them changed.

A setting is a set of changes from the rules you start with, so that settings with few changes can be preferred.
Variants are an axis like any knob.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from typing import Any

from houle.analysis.sampling.alternatives import PRINTED, different, knob_values, setup_of
from houle.solver.errors import InputError, RulesError
from houle.solver.matches.opening import opening_of
from houle.solver.rules import Knob, Ruleset, Setup, deck_names, nearest, value_text

ALL = "all"
VARIANTS = "variants"
NEAR = 3  # how far from its present value a whole number is changed, if no values are given
MOST_CHANGES = 3  # in one setting
MOST_SETTINGS = 20_000  # considered; settings with more changes are left out before this is exceeded

Change = tuple[int, int]  # the number of an axis, and of its value
Setting = frozenset[Change]

AS_IT_IS: Setting = frozenset()


@dataclass(frozen=True)
class Axis:
    """A knob that may be changed, or the variants; the first value is the present one."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Space:
    """Everything that may be changed in a setup."""

    base: Setup
    axes: tuple[Axis, ...]
    made: dict[str, Setup] = field(default_factory=dict, compare=False, repr=False)  # setups by label

    @cached_property
    def single_changes(self) -> list[Change]:
        return [(i, j) for i, axis in enumerate(self.axes) for j in range(1, len(axis.values))]

    def settings(self) -> Iterator[Setting]:
        """Every setting, fewest changes first, up to MOST_CHANGES changes and about MOST_SETTINGS settings."""
        yield AS_IT_IS
        considered = 1
        for number in range(1, min(MOST_CHANGES, len(self.axes)) + 1):
            every = sum(math.prod(len(axis.values) - 1 for axis in axes) for axes in combinations(self.axes, number))
            if number > 1 and considered + every > MOST_SETTINGS:
                return
            considered += every
            for axes in combinations(range(len(self.axes)), number):
                for values in product(*(range(1, len(self.axes[axis].values)) for axis in axes)):
                    yield frozenset(zip(axes, values, strict=True))

    def value(self, change: Change) -> Any:
        axis, number = change
        return self.axes[axis].values[number]

    def words(self, change: Change) -> str:
        """`hand.back=2`, `virage`."""
        name, value = self.axes[change[0]].name, self.value(change)
        return str(value) if name == VARIANTS else f"{name}={value_text(value)}"

    def brief(self, change: Change) -> str:
        """Like `words`, but a list shows only what is added or removed: `deck.missing +white 3`."""
        axis = self.axes[change[0]]
        now, value = axis.values[0], self.value(change)
        if not isinstance(value, list):
            return self.words(change)
        edits = [f"+{one}" for one in value if one not in now] + [f"-{one}" for one in now if one not in value]
        return " ".join([axis.name, *edits])

    def label(self, setting: Setting) -> str:
        return ", ".join(self.words(change) for change in sorted(setting)) or "as it is"

    def setup(self, setting: Setting) -> Setup:
        """The setup of a setting; InputError if the rules forbid it."""
        base, label = self.base, self.label(setting)
        if not setting:
            return base
        if label not in self.made:
            own = {knob: now for knob, _, now in base.differences}
            changed = {self.axes[change[0]].name: self.value(change) for change in setting}
            values = {"players": base.players, VARIANTS: "+".join(base.variants) or PRINTED, **own, **changed}
            self.made[label] = setup_of(base.ruleset.name, values, "--change")
        return self.made[label]


def make_space(base: Setup, change: Mapping[str, Any] | Iterable[str], keep: Iterable[str] = ()) -> Space:
    """The axes of what may be changed: names with alternatives, names only, or `all`.

    A name without values means all values of a choice, numbers near the present one, or a list with one card more or
    less.
    """
    ruleset, kept = base.ruleset, set(keep)
    wanted = dict(change) if isinstance(change, Mapping) else dict.fromkeys(change)
    for name in (*wanted, *kept):
        if name not in (ALL, VARIANTS) and name not in ruleset.knobs:
            raise RulesError(f"--change: {ruleset.name} has no knob {name!r}{nearest(name, ruleset.knobs)}")
    if ALL in wanted:
        every = [name for name, knob in ruleset.knobs.items() if knob.in_force(base.options)]
        wanted = {**dict.fromkeys(every), **({VARIANTS: None} if ruleset.variants else {}), **wanted}
        del wanted[ALL]
    made: dict[str, Setup] = {}
    axes = [_axis(base, name, given, made) for name, given in wanted.items() if name not in kept]
    named = set(dict(change) if isinstance(change, Mapping) else change)
    fixed = [axis.name for axis in axes if len(axis.values) == 1 and axis.name in named]
    if fixed and len(fixed) < len(axes):
        raise RulesError(f"--change: {fixed[0]} has no other value here; give some, as {fixed[0]}=VALUE,...")
    space = Space(base, tuple(axis for axis in axes if len(axis.values) > 1), made)
    if not space.axes:
        raise RulesError("--change: nothing is left to change; name knobs with other values than they have")
    return space


def parse_changes(base: Setup, texts: Iterable[str]) -> dict[str, Any]:
    """`hand.front,hand.back=0..4,talk=silent,open` -> names with their alternatives, None if there are none.

    After a comma comes another knob if its name follows, otherwise another value of the same knob.
    """
    names = {ALL, VARIANTS, *base.ruleset.knobs}
    changes: dict[str, Any] = {}
    for text in texts:
        last = ""
        for part in (part.strip() for part in re.split(r",(?![^\[]*\])", text)):
            name, equals, values = part.partition("=")
            if not equals and part not in names and last and changes[last] is not None:
                changes[last] += f",{part}"
                continue
            last = name.strip()
            changes[last] = values if equals else None
    return changes


def _axis(base: Setup, name: str, given: Any, made: dict[str, Setup]) -> Axis:
    """The present value, then the others that the rules allow as a single change."""
    ruleset = base.ruleset
    now = ("+".join(base.variants) or PRINTED) if name == VARIANTS else base.options[name]
    if name == VARIANTS:
        values = (given.split(",") if isinstance(given, str) else given) or [PRINTED, *ruleset.variants]
    elif given is not None:
        values = knob_values(ruleset, name, given, "--change")
    else:
        values = _near(base, ruleset, ruleset.knobs[name], now)
    allowed = [now]
    for value in different(values):
        if value == now or value_text(value) == value_text(now):
            continue
        with suppress(InputError):
            Space(base, (Axis(name, (now, value)),), made).setup(frozenset({(0, 1)}))
            allowed.append(value)
    return Axis(name, tuple(allowed))


def _near(base: Setup, ruleset: Ruleset, knob: Knob, now: Any) -> Iterable[Any]:
    """The alternatives of a knob that was named without values."""
    if knob.type == "bool":
        return [False, True]
    if knob.type == "choice":
        return knob.choices
    if knob.type == "int":
        low, high = (now - NEAR if knob.low is None else knob.low), (now + NEAR if knob.high is None else knob.high)
        return range(max(low, now - NEAR), min(high, now + NEAR) + 1)
    if knob.type == "deck":
        return knob_values(ruleset, knob.name, ",".join(deck_names(knob.folder)), "--change")
    if knob.type != "names":
        return []
    fewer = [[card for card in now if card != out] for out in now]
    return [*fewer, *([*now, card] for card in _cards(base) if card not in now)]


def _cards(base: Setup) -> list[str]:
    """The names of the cards of a game, as custom openings are written; empty if the game cannot say."""
    try:
        board = opening_of(base).board(base)
    except (InputError, AttributeError):
        return []
    return list(dict.fromkeys(name for names in board.names.values() for name in names))
