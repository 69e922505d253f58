"""What a designer would change: the knobs that may be turned, their alternatives, and tables with some of them turned.

A setting is what differs from the rules one begins with: a set of changes, so that few of them can be preferred. The
variants are an axis like any knob.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import Any

from houle.analysis.sampling.alternatives import different, knob_values
from houle.solver.errors import InputError
from houle.solver.opening import opening_of
from houle.solver.ruleset import Knob, Ruleset, Setup, deck_names, make_setup, nearest, value_text

ALL = "all"
VARIANTS = "variants"
NONE = "base"  # among variants: none of them
NEAR = 3  # steps from the value one begins with, where a whole number has no range of its own
MOST_CHANGES = 3  # from the rules one begins with
MOST_SETTINGS = 20_000  # that are thought of; more changes at once are left out before that

Change = tuple[int, int]  # the number of an axis, and of its value
Setting = frozenset[Change]

AS_IT_IS: Setting = frozenset()


@dataclass(frozen=True)
class Axis:
    """A knob that may be turned, or the variants; the first value is the one that one begins with."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Space:
    """All that may be changed at a table."""

    base: Setup
    axes: tuple[Axis, ...]

    @cached_property
    def single_changes(self) -> list[Change]:
        return [(i, j) for i, axis in enumerate(self.axes) for j in range(1, len(axis.values))]

    def settings(self) -> Iterator[Setting]:
        """Every setting, fewest changes first, up to as many changes as can be looked through."""
        yield AS_IT_IS
        thought_of = 1
        for number in range(1, min(MOST_CHANGES, len(self.axes)) + 1):
            every = 0
            for axes in combinations(range(len(self.axes)), number):
                size = 1
                for axis in axes:
                    size *= len(self.axes[axis].values) - 1
                every += size
            if number > 1 and thought_of + every > MOST_SETTINGS:
                return
            thought_of += every
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
        """As `words`; of a list only what is put in or taken out, `deck.missing +white 3`."""
        axis = self.axes[change[0]]
        now, value = axis.values[0], self.value(change)
        if not isinstance(value, list):
            return self.words(change)
        turned = [f"+{one}" for one in value if one not in now] + [f"-{one}" for one in now if one not in value]
        return " ".join([axis.name, *turned])

    def label(self, setting: Setting) -> str:
        return ", ".join(self.words(change) for change in sorted(setting)) or "as it is"

    def table(self, setting: Setting) -> Setup:
        """The table of a setting; a RulesetError where the rules forbid it."""
        base = self.base
        if not setting:
            return base
        changed = {self.axes[axis].name: self.axes[axis].values[value] for axis, value in setting}
        key = repr((base.digest, base.variants, sorted((name, value_text(value)) for name, value in changed.items())))
        return _turned(_Turned(key, base, changed))


@dataclass(frozen=True)
class _Turned:
    """A table with some knobs turned; its key alone tells it from others."""

    key: str
    base: Setup = field(compare=False)
    changed: Mapping[str, Any] = field(compare=False)


@lru_cache(maxsize=4096)
def _turned(asked: _Turned) -> Setup:
    """Made once: a table is asked for when its values are looked through, when it is played, and when it is told."""
    base, changed = asked.base, dict(asked.changed)
    variants = [changed.pop(VARIANTS)] if VARIANTS in changed else list(base.variants)
    own = {knob: now for knob, _, now in base.differences}
    return make_setup(base.ruleset.name, base.players, variants, {**own, **changed}, place="--change")


def make_space(base: Setup, change: Mapping[str, Any] | Iterable[str], keep: Iterable[str] = ()) -> Space:
    """The axes of what may be changed: names with alternatives, names alone, or `all`.

    A name alone stands for all values of a choice, numbers near the present one, a list with one card more or less.
    """
    ruleset, kept = base.ruleset, set(keep)
    wanted = dict(change) if isinstance(change, Mapping) else dict.fromkeys(change)
    for name in (*wanted, *kept):
        if name not in (ALL, VARIANTS) and name not in ruleset.knobs:
            raise InputError(f"--change: {ruleset.name} has no knob {name!r}{nearest(name, ruleset.knobs)}")
    if ALL in wanted:
        every = [name for name, knob in ruleset.knobs.items() if knob.in_force(base.options)]
        wanted = {**dict.fromkeys(every), **({VARIANTS: None} if ruleset.variants else {}), **wanted}
        del wanted[ALL]
    axes = [_axis(base, name, given) for name, given in wanted.items() if name not in kept]
    named = set(dict(change) if isinstance(change, Mapping) else change)
    alone = [axis.name for axis in axes if len(axis.values) == 1 and axis.name in named]
    if alone and len(alone) < len(axes):
        raise InputError(f"--change: {alone[0]} has no other value here; give some, as {alone[0]}=VALUE,...")
    found = Space(base, tuple(axis for axis in axes if len(axis.values) > 1))
    if not found.axes:
        raise InputError("--change: nothing is left to change; name knobs with other values than they have")
    return found


def parse_changes(base: Setup, texts: Iterable[str]) -> dict[str, Any]:
    """`hand.front,hand.back=0..4,talk=silent,open` -> names with their alternatives, None where there are none.

    A comma begins another knob where a knob's name follows, and another value of the same knob elsewhere.
    """
    names = {ALL, VARIANTS, *base.ruleset.knobs}
    found: dict[str, Any] = {}
    for text in texts:
        last = ""
        for part in (part.strip() for part in re.split(r",(?![^\[]*\])", text)):
            name, equals, values = part.partition("=")
            if not equals and part not in names and last and found[last] is not None:
                found[last] += f",{part}"
                continue
            last = name.strip()
            found[last] = values if equals else None
    return found


def _axis(base: Setup, name: str, given: Any) -> Axis:
    ruleset = base.ruleset
    if name == VARIANTS:
        now = "+".join(base.variants) or NONE
        named = given.split(",") if isinstance(given, str) else given
        return Axis(name, _possible(base, name, now, named or [NONE, *ruleset.variants]))
    now = base.options[name]
    if given is not None:
        return Axis(name, _possible(base, name, now, knob_values(ruleset, name, given, "--change")))
    return Axis(name, _possible(base, name, now, _near(base, ruleset, ruleset.knobs[name], now)))


def _near(base: Setup, ruleset: Ruleset, knob: Knob, now: Any) -> Iterable[Any]:
    """The alternatives of a knob for which nobody gave any."""
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
    """The cards of a game by name, as far as it can say: what `setups --setup` is written in."""
    try:
        board = opening_of(base).board(base)
    except (InputError, AttributeError):
        return []
    return list(dict.fromkeys(name for names in board.names.values() for name in names))


def _possible(base: Setup, name: str, now: Any, values: Iterable[Any]) -> tuple[Any, ...]:
    """The present value, then the others that the rules allow by themselves."""
    found = [now]
    for value in different(values):
        if value == now or value_text(value) == value_text(now):
            continue
        try:
            Space(base, (Axis(name, (now, value)),)).table(frozenset({(0, 1)}))
        except InputError:
            continue
        found.append(value)
    return tuple(found)
