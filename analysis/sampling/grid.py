"""Grids: the arms of a comparison and the cells of a sweep, as every combination of the alternatives given.

An arm is a setup with its strategies. Numbers of players, variants, strategies, rules files and knobs may each have
several values; those that do are the axes. The other arms are compared with the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from houle.analysis.arguments import checked
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, names_of, usual_people
from houle.analysis.result import setup_columns
from houle.analysis.sampling.alternatives import (
    FIXED_AXES,
    MOST_ARMS,
    PRINTED,
    combinations,
    different,
    knob_values,
    several,
)
from houle.solver.errors import InputError, RulesError
from houle.solver.players.player import LineUp
from houle.solver.rules import (
    BY_HAND,
    PRINTED_RULES,
    Ruleset,
    Setup,
    difference_words,
    knob_and_sign,
    load,
    make_setup,
    own_name,
    read_custom,
    rule_changes,
    value_shown,
    value_text,
)
from houle.solver.texts import count_of

LONGEST_NAME = 60  # characters of a name that is made from what a file sets
Seating = tuple[LineUp, int]  # who sits where, and the side whose result counts
OPTIONS = {"players": "-p", "variants": "-v", "strategies": "-s", "rules": "--rules"}


@dataclass(frozen=True)
class Seated:
    """A setup and its players."""

    line_up: LineUp

    @property
    def setup(self) -> Setup:
        return self.line_up.setup

    @property
    def strategies(self) -> tuple[str, ...]:
        return self.line_up.names


@dataclass(frozen=True)
class Arm(Seated):
    """A setup, its players, and which of the alternatives it combines."""

    values: Mapping[str, Any] = field(default_factory=dict)  # axis -> value; every axis that was given
    label: str = ""  # in what it differs from the others
    seatings: tuple[Seating, ...] = ()  # whose results are summed in each deal; () for the first side of the line-up

    @property
    def plays(self) -> tuple[Seating, ...]:
        """Who sits where in the games of a deal, and the side whose result counts."""
        return self.seatings or ((self.line_up, 0),)

    @property
    def settings(self) -> dict[str, Any]:
        """The knobs that were given, with their values in this setup."""
        return {axis: value for axis, value in self.values.items() if axis not in FIXED_AXES}

    @property
    def columns(self) -> dict[str, Any]:
        """The arm as columns of a frame."""
        return {
            **setup_columns(self.setup),
            "strategies": short_line_up(self.strategies),
            **({"rules": str(self.values["rules"])} if "rules" in self.values else {}),
            **{f"set.{knob}": value_text(value) for knob, value in self.settings.items()},
        }


@dataclass(frozen=True)
class Grid:
    """All arms, the axes along which they differ, and the combinations that cannot be played."""

    arms: tuple[Arm, ...]
    axes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # only those with several values
    left_out: tuple[tuple[str, str], ...] = ()  # label, why
    given: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # every axis; empty if arms are no product
    strict: bool = False  # whether an impossible combination is an error
    place: str = "set"  # what errors about knobs begin with
    names: Mapping[str, str] = field(default_factory=dict)  # names of the variants in rules files

    def __repr__(self) -> str:
        axes = ", ".join(f"{axis}: {len(values)}" for axis, values in self.axes.items())
        return f"Grid({self.game}, {len(self.arms)} arms{', ' + axes if axes else ''})"

    @property
    def game(self) -> str:
        return self.arms[0].setup.ruleset.name

    @property
    def line_ups(self) -> tuple[str, ...]:
        """The different line-ups, as typed."""
        return tuple(dict.fromkeys(short_line_up(arm.strategies) for arm in self.arms))

    def seated(self, strategies: Strategies) -> Grid:
        """The same setups with other players: one line-up for all, or an axis of several; None changes nothing."""
        if strategies is None:
            return self
        line_ups = several(strategies)
        if not self.given:
            return grid_of_setups([arm.setup for arm in self.arms[:: len(self.line_ups)]], line_ups)
        return make_grid(
            self.game,
            **{**{axis: self.given.get(axis, ()) for axis in FIXED_AXES}, "strategies": line_ups},
            settings={axis: values for axis, values in self.given.items() if axis not in FIXED_AXES},
            strict=self.strict,
            place=self.place,
        )

    def shown(self, axis: str, value: Any) -> str:
        """A value of an axis for people: a rules file is shown by the name of its variant."""
        return self.names.get(str(value), str(value)) if axis == "rules" else value_text(value)

    def axis_text(self, axis: str, value: Any) -> str:
        """Like `shown`, with the name of the axis: `3 players`, `virage`, `hand.back=2`."""
        return self.shown(axis, value) if axis == "rules" else axis_text(axis, value)

    def differences(self) -> dict[str, list[str]]:
        """How variants of the user differ from print, by name; then the printed values of the knobs on the axes."""
        own: dict[str, list[str]] = {}
        printed: dict[str, list[str]] = {}
        on_an_axis = {knob_and_sign(axis)[0] for axis in self.axes}
        for setup in (arm.setup for arm in self.arms):
            every = rule_changes(setup)
            fixed = [change for change in every if change.knob not in on_an_axis or change.source not in BY_HAND]
            name = own_name(replace(setup, changed={change.knob: change.source for change in fixed}))
            on_axes = [change for change in every if change not in fixed]
            if name:
                words = [change.words for change in fixed]
                # What the changes do to the deck is left out if an axis changes the deck.
                if not any(change.knob.startswith("deck") for change in on_axes):
                    words += difference_words(setup)[len(every) :]
                own.setdefault(name, words)
            for change in on_axes:
                value = f"{value_shown(change.printed)} unless set ({change.provenance})"
                printed.setdefault(change.knob, []).append(value)
        return own | {knob: list(dict.fromkeys(words)) for knob, words in printed.items()}

    def words(self) -> list[str] | None:
        """The grid as words of a command line; None for setups that no options combine to."""
        if not self.given:
            return None
        words = [self.game]
        for axis, values in self.given.items():
            if axis in OPTIONS:
                words += [word for value in values for word in (OPTIONS[axis], str(value))]
            else:
                words += ["--set", f"{axis}={','.join(map(value_text, values))}"]
        return words


Setups = Grid | Setup | str | Iterable[Setup | str]


def short_line_up(strategies: Sequence[str]) -> str:
    """One name if all players are the same."""
    return strategies[0] if len(set(strategies)) == 1 else ",".join(strategies)


@checked
def grid(
    game: str,
    *,
    players: int | Iterable[int] = (),
    variants: str | Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    rules: str | Path | Iterable[str | Path] = (),
    strategies: Strategies = None,
    strict: bool = False,
) -> Grid:
    """Every combination of alternatives of a game, for `houle.sweep` and `houle.compare`.

    Parameters
    ----------
    players : int or iterable of int
        Numbers of players; 3 if none is given and the game allows it.
    variants : str or iterable of str
        Each is one alternative: `"virage+nazare"` is both together, `"base"` is none.
    set : mapping, optional
        Rules and their alternatives: `{"hand.back": range(5), "talk": ["silent", "open"]}`, or as typed after
        `--set`: `{"hand.back": "0..4"}`. For a rule that is a list, give a list of lists.
    rules : path or iterable of paths
        Rules files with variants of your own; `"base"` stands for the printed rules.
    strategies : str or iterable of str, optional
        Who plays; each is one alternative. Default: `family`, or `random` in a game without weights.
    strict : bool
        Whether a combination that the rules forbid is an error. Otherwise it is listed in `.left_out`.

    Returns
    -------
    Grid
        With `.arms`, `.axes` and `.left_out`.

    Examples
    --------
    >>> import houle
    >>> grid = houle.grid("wave", players=[2, 3], set={"hand.back": range(3)})
    >>> len(grid.arms), list(grid.axes), grid.arms[0].label
    (6, ['players', 'hand.back'], '2 players, hand.back=0')
    """
    names_of(strategies)
    ruleset = load(game)
    settings = {knob: knob_values(ruleset, knob, values, "set") for knob, values in (set or {}).items()}
    axes = (several(players), several(variants), [] if strategies is None else several(strategies), several(rules))
    return make_grid(game, *axes, settings=settings, strict=strict, place="set")


def make_grid(
    game: str,
    players: Iterable[int] = (),
    variants: Iterable[str] = (),
    strategies: Iterable[str] = (),
    rules: Iterable[str | Path] = (),
    settings: Mapping[str, Sequence[Any]] | None = None,
    strict: bool = False,
    place: str = "--set",
) -> Grid:
    """Every combination; one that the rules forbid is left out, or with `strict` an error."""
    load(game)
    given: dict[str, list[Any]] = {
        "players": list(dict.fromkeys(players)),
        "variants": list(dict.fromkeys(variants)),
        "strategies": list(dict.fromkeys(strategies)) or [usual_people(make_setup(game))],
        "rules": list(dict.fromkeys(rules)),
        **{knob: list(values) for knob, values in (settings or {}).items()},
    }
    names = names_of_files(given["rules"], load(game))
    axes = {axis: tuple(values) for axis, values in given.items() if values}
    number = math.prod(map(len, axes.values()))
    if number > MOST_ARMS:
        raise InputError(f"the grid has {number:,} combinations; allowed: {MOST_ARMS:,}")
    arms: list[Arm] = []
    left_out: list[tuple[str, str]] = []
    for values, seated in combinations(game, axes, place):
        label = _label(values, axes, names)
        if isinstance(seated, LineUp):
            arms.append(Arm(seated, values, label or short_name(seated.setup)))
        elif strict or number == 1:
            raise seated
        else:
            left_out.append((label, str(seated)))
    if not arms:
        raise RulesError(f"none of the {number} combinations can be played; the first: {left_out[0][1]}")
    return Grid(
        arms=tuple(arms),
        axes=_varied(axes),
        left_out=tuple(left_out),
        given=axes,
        strict=strict,
        place=place,
        names=names,
    )


def names_of_files(files: Iterable[str | Path], ruleset: Ruleset) -> dict[str, str]:
    """Names of the variants in rules files: the given name, else what they set. Raises for a file with errors."""
    names: dict[str, str] = {}
    for file in files:
        name = PRINTED_RULES
        if file != PRINTED:
            custom = read_custom(file, ruleset)
            settings = [f"{knob}={value_text(value)}" for knob, value in custom["set"].items()]
            name = custom["name"] or ", ".join([*custom.get("variants", ()), *settings])
            name = name if name and len(name) <= LONGEST_NAME else Path(file).stem
        names[str(file)] = f"{name} ({file})" if name in names.values() else name
    return names


def short_name(setup: Setup) -> str:
    """A short name of a setup: of the user's own variant, or the printed variants as typed."""
    return own_name(setup) or "+".join(setup.variants) or PRINTED


def _varied(axes: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    return {axis: values for axis, values in axes.items() if len(values) > 1}


def _label(values: Mapping[str, Any], axes: Mapping[str, Sequence[Any]], names: Mapping[str, str]) -> str:
    varied = {axis: value for axis, value in values.items() if len(axes[axis]) > 1}
    return ", ".join(names[str(value)] if axis == "rules" else axis_text(axis, value) for axis, value in varied.items())


def axis_text(axis: str, value: Any) -> str:
    """`3 players`, `virage`, `hand.back=2`."""
    if axis == "players":
        return count_of(value, "player")
    return str(value) if axis in FIXED_AXES else f"{axis}={value_text(value)}"


def as_grid(setups: Setups, strategies: Strategies, strict: bool = False) -> Grid:
    """What `compare` and `sweep` take as their first argument, as a grid."""
    line_ups = [] if strategies is None else several(strategies)
    names_of(line_ups)
    if isinstance(setups, Grid):
        return setups.seated(line_ups or None)
    if isinstance(setups, str):
        return make_grid(setups, strategies=line_ups, strict=strict, place="set")
    return grid_of_setups([as_setup(one) for one in several(setups)], line_ups)


def grid_of_setups(setups: Sequence[Setup], strategies: Sequence[str] = ()) -> Grid:
    """Each setup with each line-up; what the setups differ in makes the axes."""
    games = dict.fromkeys(setup.ruleset.name for setup in setups)
    if len(games) != 1:
        raise InputError(f"setups: give setups of one game; given: {', '.join(games) or 'none'}")
    knobs = dict.fromkeys(knob for setup in setups for knob, _, _ in setup.differences)
    line_ups = list(strategies) or [usual_people(setups[0])]
    seated = [(setup, names, _values_of(setup, names, knobs)) for setup in setups for names in line_ups]
    axes = {axis: different(values[axis] for _, _, values in seated) for axis in seated[0][2]}
    arms = []
    for setup, names, values in seated:
        named = {axis: value for axis, value in values.items() if not setup.title or axis in FIXED_AXES}
        label = ", ".join([*([setup.title] if setup.title else []), *filter(None, [_label(named, axes, {})])])
        arms.append(Arm(line_up(setup, names), values, label or short_name(setup)))
    combined = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    given = axes if combined == [values for _, _, values in seated] else {}
    return Grid(tuple(arms), _varied(axes), (), given)


def _values_of(setup: Setup, line_up: str, knobs: Iterable[str]) -> dict[str, Any]:
    fixed = {"players": setup.players, "variants": "+".join(setup.variants) or PRINTED, "strategies": line_up}
    return {**fixed, **{knob: setup.shown_options[knob] for knob in knobs}}
