"""What a design may change: axes with their alternatives, and setups with some of them changed.

A setting is a set of single changes from the rules you start with. An axis has one of several values (a number, a
choice, a deck), or is a list from which any entries may be taken and to which any may be added: cards, variants.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np

from houle.analysis.sampling.alternatives import PRINTED, different, knob_values
from houle.solver.errors import InputError, RulesError
from houle.solver.rules import Knob, Setup, deck_names, find_knob, value_text

ALL, VARIANTS = "all", "variants"
NEAR = 3  # how far from its present value a whole number is changed, if no values are given
SPREAD = 20  # further values of such a number, spread over its range
REACH, LEAST_REACH, EACH_SIDE = 0.5, 2, 3  # of a small change: half of the number, at least 2; values on each side
QUARTER = 4  # a step of a number is a quarter of it
BACK_TO_PRINT = 0.25  # what a return to the printed value saves
VARIANT = 2  # how much of the game a variant touches at least

Change = tuple[int, int]  # the number of an axis, and of its value
Setting = frozenset[Change]

AS_IT_IS: Setting = frozenset()


@dataclass(frozen=True)
class Axis:
    """Something that may be changed. `values` begins with the present value; `words` describe the others.

    A number is the one that counts: where 0 stands for another number, that number.
    """

    name: str
    values: tuple[Any, ...]  # of a list: (sign, entry) after the present list
    words: tuple[str, ...] = ()
    is_list: bool = False
    cards: tuple[int, ...] = ()  # of a list: how many cards each change takes out or brings in
    printed: Any = None  # the printed value, if the present one is another


@dataclass(frozen=True)
class Space:
    """Everything that may be changed in a setup."""

    base: Setup
    axes: tuple[Axis, ...]
    dropped: tuple[tuple[str, str], ...] = ()  # values that cannot be played, and why
    untried: tuple[str, ...] = ()  # knobs that `all` leaves out, because nobody gave values
    identity: tuple[str, ...] = ()  # rules that `all` leaves out, because they are part of what the game is
    made: dict[Setting, Setup] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def single_changes(self) -> list[Change]:
        return [(i, j) for i, axis in enumerate(self.axes) for j in range(1, len(axis.values))]

    @cached_property
    def size(self) -> int:
        """The number of all settings."""
        return math.prod(2 ** (len(axis.values) - 1) if axis.is_list else len(axis.values) for axis in self.axes)

    def settings(self) -> Iterator[Setting]:
        """Every setting."""
        choices = []
        for i, axis in enumerate(self.axes):
            single = [(i, j) for j in range(1, len(axis.values))]
            numbers = range(len(single) + 1) if axis.is_list else range(2)
            choices.append([some for number in numbers for some in combinations(single, number)])
        for chosen in product(*choices):
            yield frozenset(change for some in chosen for change in some)

    def words(self, change: Change) -> str:
        """`hand.back=2`, `without sky 5`, `virage`."""
        axis = self.axes[change[0]]
        return axis.words[change[1] - 1] if axis.words else f"{axis.name}={value_text(axis.values[change[1]])}"

    def label(self, setting: Setting) -> str:
        """`hand.back=5, hand.front=4, without sky 5 and navy 4`."""
        words = [self.words(change) for change in sorted(setting)]
        parts = [word for word in words if not word.startswith(("with ", "without "))]
        for start in ("with ", "without "):
            cards = [word.removeprefix(start) for word in words if word.startswith(start)]
            parts += [start + listed(cards)] if cards else []
        return ", ".join(parts) or "no change"

    def cost(self, setting: Setting) -> float:
        """How much of the game a setting changes: a card counts 1, a number 1 for each quarter by which it changes.

        A change of a rule counts as much more as `touches` of its knob says.
        """
        return sum(self._cost(change) for change in setting)

    def _cost(self, change: Change) -> float:
        axis = self.axes[change[0]]
        now, value = axis.values[0], axis.values[change[1]]
        whole = all(isinstance(each, int) and not isinstance(each, bool) for each in (now, value))
        cards = axis.cards[change[1] - 1] if axis.cards else 1
        steps = abs(value - now) / max(1, abs(now) / QUARTER) if whole else cards
        return self.touches(change) * max(1.0, steps) - BACK_TO_PRINT * bool(value == axis.printed)

    def touches(self, change: Change) -> int:
        """How much of the game a change touches, as the rules say; a variant at least as much as the knobs it sets."""
        least = VARIANT if self.axes[change[0]].name == VARIANTS else 1
        return max(least, *(knob.touches for knob in self.knobs(change)))

    def knobs(self, change: Change) -> list[Knob]:
        """The knobs that a change sets: several of a variant."""
        axis, ruleset = self.axes[change[0]], self.base.ruleset
        if axis.name != VARIANTS:
            return [ruleset.knobs[axis.name]]
        return [ruleset.knobs[name] for name in ruleset.variants[axis.values[change[1]][1]].settings(self.base.players)]

    def is_allowed(self, setting: Setting) -> bool:
        """Whether the rules allow a setting."""
        try:
            self.setup(setting)
        except InputError:
            return False
        return True

    def kind(self, setting: Setting) -> frozenset[str]:
        """The axes that a setting changes: settings of another kind are real alternatives."""
        return frozenset(self.axes[axis].name for axis, _ in setting)

    def setup(self, setting: Setting) -> Setup:
        """The setup of a setting; InputError if the rules forbid it."""
        base = self.base
        if not setting:
            return base
        if setting not in self.made:
            values: dict[str, Any] = {}
            variants = list(base.variants)
            for number, value in sorted(setting):
                axis = self.axes[number]
                new = axis.values[value]
                if not axis.is_list:
                    values[axis.name] = new
                elif axis.name == VARIANTS:
                    variants = edited(variants, *new)
                else:
                    values[axis.name] = edited(values.get(axis.name, axis.values[0]), *new)
            # The changes are not those that the title of the base stands for.
            self.made[setting] = replace(base, title="").turned(values, "--change", variants=variants)
        return self.made[setting]


def edited(entries: list[Any], sign: str, entry: Any) -> list[Any]:
    """A list with an entry more or one less."""
    return [*entries, entry] if sign == "+" else [one for one in entries if one != entry]


def listed(names: Iterable[str]) -> str:
    """`sky 5, navy 4 and red 1`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def make_space(base: Setup, change: Mapping[str, Any] | Iterable[str], keep: Iterable[str] = ()) -> Space:
    """The axes of what may be changed: names with alternatives, names only, or `all`.

    A name without values means all values of a choice, numbers near the present one and others over their range, or any
    entries of a list. `all` means small changes only: numbers up to half away that do not cross zero, and nothing that
    is part of what the game is, such as table talk.
    """
    ruleset, kept = base.ruleset, set(keep)
    wanted = dict(change) if isinstance(change, Mapping) else dict.fromkeys(change)
    for name in (*wanted, *kept):
        if name not in (ALL, VARIANTS):
            find_knob(ruleset, name, "--change")
    named = set(wanted) - kept
    if ALL in wanted:
        every = [name for name, knob in ruleset.knobs.items() if knob.in_play(base.players, base.options)]
        wanted = {**({VARIANTS: None} if ruleset.variants else {}), **dict.fromkeys(every), **wanted}
        del wanted[ALL]
    axes, untried, identity, dropped, known = [], [], [], [], {base.digest}
    for name, given in wanted.items():
        if name in kept:
            continue
        small = name not in named
        if small and name != VARIANTS and not ruleset.knobs[name].tunable:
            identity.append(name)
            continue
        axis, faults = _axis(base, name, given, known, small=small)
        dropped += faults
        if len(axis.values) > 1:
            axes.append(axis)
        elif name in named and len(named) > 1 and not faults:
            raise RulesError(f"--change: {name} has no other value here; give some, as {name}=VALUE,...")
        elif name not in named and name != VARIANTS and ruleset.knobs[name].type == "ints":
            untried.append(name)
    if not axes:
        why = f"; {dropped[0][0]}: {dropped[0][1]}" if dropped else ""
        raise RulesError(f"--change: nothing is left to change; name knobs with other values than they have{why}")
    return Space(base=base, axes=tuple(axes), dropped=tuple(dropped), untried=tuple(untried), identity=tuple(identity))


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


def _axis(base: Setup, name: str, given: Any, known: set[str], small: bool) -> tuple[Axis, list[tuple[str, str]]]:
    """An axis with the values that the rules allow as a single change, and why others were dropped.

    A change that makes rules already in `known` is left out: many variants are also a knob. So is one without effect:
    numpy compares records field by field, without the bytes between the fields, which mean nothing.
    """
    knob = base.ruleset.knobs.get(name)
    is_list = name == VARIANTS or (knob is not None and knob.type == "names" and given is None)
    now = list(base.variants) if name == VARIANTS else meant(base, name, base.options[name])
    if name == VARIANTS:
        texts = given.split(",") if isinstance(given, str) else given or base.ruleset.variants
        asked = [one for text in texts for one in str(text).split("+") if one != PRINTED]
        values: Iterable[Any] = [("-", one) for one in now] + [("+", one) for one in different(asked) if one not in now]
    elif is_list:
        cards = [edit.value for edit in base.game.openings.card_changes(base) if edit.knob == name and edit.sign == "+"]
        values = [("-", one) for one in now] + [("+", one) for one in cards if one not in now]
    elif given is not None:
        values = knob_values(base.ruleset, name, given, "--change")
    else:
        values = _near(base, name, now, small)
    allowed, words, cards, dropped = [], [], [], []
    for value in different(values if is_list else (meant(base, name, value) for value in values)):
        if not is_list and (value == now or value_text(value) == value_text(now)):
            continue
        single = Space(base, (Axis(name, (now, value), is_list=is_list),))
        try:
            setup = single.setup(frozenset({(0, 1)}))
        except InputError as fault:
            word = " ".join(value) if is_list else value_text(value)
            dropped.append((f"{name}={word}" if not is_list else f"{name} {word}", str(fault)))
            continue
        if small and not all(knob.tunable for knob in single.knobs((0, 1))):
            continue
        if setup.digest in known or np.array_equal(setup.rules, base.rules):
            continue
        known.add(setup.digest)
        allowed.append(value)
        words.append(_list_words(base, setup, name, *value) if is_list else f"{name}={value_text(value)}")
        cards += [sum(map(Counter.total, _moved(base, setup)))] if is_list else []
    printed = meant(base, name, base.plain_options[name]) if name in base.changed else None
    return Axis(
        name, values=(now, *allowed), words=tuple(words), is_list=is_list, cards=tuple(cards), printed=printed
    ), dropped


def meant(base: Setup, name: str, value: Any) -> Any:
    """The number that counts: where 0 stands for another number, as for one round of each player, that number.

    It is the value that makes the same RULES record.
    """
    knob = base.ruleset.knobs[name]
    if knob.type != "int" or value != 0 or knob.low != 0:
        return value

    def record(number: int) -> Any:
        try:
            return base.turned({name: number}).rules
        except InputError:
            return None

    zero, others = record(0), range(1, (knob.high or 0) + 1)
    return next((one for one in others if (rules := record(one)) is not None and np.array_equal(rules, zero)), value)


def _moved(base: Setup, setup: Setup) -> tuple[Counter[str], Counter[str]]:
    """The cards that another setup takes out of the deck, and those that it brings in."""
    cards = base.game.openings.cards
    before, after = (Counter(cards(one)) if cards is not None else Counter() for one in (base, setup))
    return before - after, after - before


def _list_words(base: Setup, setup: Setup, name: str, sign: str, entry: str) -> str:
    """A change of a list: `without sky 5` if it takes the card out of the deck, `virage`, `deck.reverse+red 3`."""
    if name == VARIANTS:
        return entry if sign == "+" else f"no {entry}"
    out, into = _moved(base, setup)
    if out == {entry: 1}:
        return f"without {entry}"
    if into == {entry: 1}:
        return f"with {entry}"
    known = {(edit.knob, edit.sign, edit.value): edit.what for edit in base.game.openings.card_changes(base)}
    return (
        f"{entry} {known[name, sign, entry]}"
        if (name, sign, entry) in known
        else f"{name} {'with' if sign == '+' else 'without'} {entry}"
    )


def _small(now: int) -> list[int]:
    """Numbers up to half away from the present one, a few on each side."""
    reach = max(LEAST_REACH, round(REACH * abs(now)))
    steps = sorted({-(-reach * part // EACH_SIDE) for part in range(1, EACH_SIDE + 1)} | {1})
    return [*(now - step for step in reversed(steps)), *(now + step for step in steps)]


def _near(base: Setup, name: str, now: Any, small: bool) -> Iterable[Any]:
    """The alternatives of a knob that was named without values, or of one that was not named: only small changes."""
    knob = base.ruleset.knobs[name]
    if knob.type == "int" and small:
        return [number for number in _small(now) if number * now >= 0]  # points do not become a penalty
    if knob.type == "bool":
        return [not now]
    if knob.type == "choice":
        return knob.choices
    if knob.type == "int":
        low, high = (now - NEAR if knob.low is None else knob.low), (now + NEAR if knob.high is None else knob.high)
        spread = range(low, high + 1, -(-(high - low) // SPREAD) or 1)
        return sorted({*range(max(low, now - NEAR), min(high, now + NEAR) + 1), *spread, high})
    if knob.type == "deck":
        return knob_values(base.ruleset, name, ",".join(deck_names(knob.folder)), "--change")
    return []
