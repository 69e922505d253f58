"""The arms of a comparison and the cells of a sweep: every combination of the alternatives that were asked for.

An arm is a table with its strategies. Player counts, variants, strategies, rule files and knobs may each have several
values; a value that is the same everywhere is no axis. The first arm is what the others are compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from houle.analysis.result import setup_columns
from houle.analysis.sampling.alternatives import MOST_ARMS, different, knob_values, several
from houle.analysis.sampling.lineups import line_up, setup, usual_strategy
from houle.solver.errors import InputError
from houle.solver.ruleset import (
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
from houle.solver.strategies.player import LineUp

LONGEST_NAME = 60  # letters of a name that is made from what a file sets
PRINTED = "base"  # among rule files: none of them
FIXED_AXES = ("players", "variants", "strategies", "rules")
OPTIONS = {"players": "-p", "variants": "-v", "strategies": "-s", "rules": "--rules"}


@dataclass(frozen=True)
class Arm:
    """A table, who decides at it, and by which of the alternatives it came about."""

    setup: Setup
    strategies: tuple[str, ...]
    values: Mapping[str, Any]  # axis -> value; every axis that was given
    label: str  # what tells it from the others

    @cached_property
    def line_up(self) -> LineUp:
        return line_up(self.setup, self.strategies)

    @property
    def settings(self) -> dict[str, Any]:
        """The knobs that were asked for, with their values at this table."""
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
    """All arms, the axes they differ along, and combinations that cannot be played."""

    arms: tuple[Arm, ...]
    axes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # only those with several values
    left_out: tuple[tuple[str, str], ...] = ()  # label, why
    given: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # every axis; none where arms are no product
    strict: bool = False  # whether an impossible combination is a fault
    place: str = "set"  # where knobs were turned, for faults
    names: Mapping[str, str] = field(default_factory=dict)  # what the variants in rules files are called

    @property
    def game(self) -> str:
        return self.arms[0].setup.ruleset.name

    @property
    def line_ups(self) -> tuple[str, ...]:
        """The strategies that were asked for, as typed."""
        return tuple(dict.fromkeys(short_line_up(arm.strategies) for arm in self.arms))

    def seated(self, strategies: str | Iterable[str] | None) -> Grid:
        """The same tables with other players: one line-up for all arms, or an axis of several; None: as it is."""
        if strategies is None:
            return self
        line_ups = several(strategies)
        if not self.given:
            return grid_of_setups([arm.setup for arm in self.arms[:: len(self.line_ups)]], line_ups)
        return make_grid(
            self.game, **{**{axis: self.given.get(axis, ()) for axis in FIXED_AXES}, "strategies": line_ups},
            settings={axis: values for axis, values in self.given.items() if axis not in FIXED_AXES},
            strict=self.strict, place=self.place,
        )  # fmt: skip

    def shown(self, axis: str, value: Any) -> str:
        """A value of an axis as people read it: a rules file goes by the name of its variant."""
        return self.names.get(str(value), str(value)) if axis == "rules" else value_text(value)

    def axis_text(self, axis: str, value: Any) -> str:
        """The same where no heading names the axis: `3 players`, `virage`, `hand.back=2`."""
        return self.shown(axis, value) if axis == "rules" else axis_text(axis, value)

    def differences(self) -> dict[str, list[str]]:
        """How users' own variants differ from print, by their names; then what the knobs on the axes are in print."""
        found: dict[str, list[str]] = {}
        turned: dict[str, list[str]] = {}
        on_an_axis = {knob_and_sign(axis)[0] for axis in self.axes}
        for table in (arm.setup for arm in self.arms):
            every = rule_changes(table)
            told = [change for change in every if change.knob not in on_an_axis or change.source not in BY_HAND]
            name = own_name(replace(table, changed={change.knob: change.source for change in told}))
            on_axes = [change for change in every if change not in told]
            if name:
                alone = any(
                    change.knob.startswith("deck") for change in on_axes
                )  # the deck is not as the axes leave it
                words = [change.words for change in told]
                found.setdefault(name, words if alone else words + difference_words(table)[len(every) :])
            for change in on_axes:
                printed = f"{value_shown(change.printed)} unless set ({change.provenance})"
                turned.setdefault(change.knob, []).append(printed)
        return found | {knob: list(dict.fromkeys(words)) for knob, words in turned.items()}

    def words(self) -> list[str] | None:
        """As words of a command line; None for tables that no options combine to."""
        if not self.given:
            return None
        words = [self.game]
        for axis, values in self.given.items():
            if axis in OPTIONS:
                words += [word for value in values for word in (OPTIONS[axis], str(value))]
            else:
                words += ["--set", f"{axis}={','.join(map(value_text, values))}"]
        return words


def short_line_up(strategies: Sequence[str]) -> str:
    return strategies[0] if len(set(strategies)) == 1 else ",".join(strategies)


def grid(
    game: str,
    *,
    players: int | Iterable[int] = (),
    variants: str | Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    rules: str | Path | Iterable[str | Path] = (),
    strategies: str | Iterable[str] | None = None,
    strict: bool = False,
) -> Grid:
    """Every combination of tables of a game, for `houle.sweep` and `houle.compare`.

    Parameters
    ----------
    game : str
        A game's name, as `houle games` lists it.
    players : int or iterable of int
        How many; several make an axis of the grid. 3 where nothing is said and the game allows it.
    variants : str or iterable of str
        Each is one alternative: `"virage+nazare"` is both together, `"base"` none.
    set : mapping, optional
        Knobs and their alternatives: `{"hand.back": range(5), "talk": ["silent", "open"]}`, or as typed after
        `--set`: `{"hand.back": "0..4"}`. A knob that is a list takes a list of lists for several.
    rules : path or iterable of paths
        Files with variants of one's own; `"base"` among them is the printed rules.
    strategies : str or iterable of str, optional
        Who decides; several make an axis. The thumb where the game has one.
    strict : bool
        Whether a combination that the rules forbid is a fault; otherwise it is left out, and named.

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
    ruleset = load(game)
    settings = {knob: knob_values(ruleset, knob, values, "set") for knob, values in (set or {}).items()}
    axes = (several(players), several(variants), [] if strategies is None else several(strategies), several(rules))
    return make_grid(game, *axes, settings, strict, "set")


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
    """Every combination; one that the rules forbid is left out, or with `strict` refused."""
    load(game)
    given: dict[str, list[Any]] = {
        "players": list(dict.fromkeys(players)),
        "variants": list(dict.fromkeys(variants)),
        "strategies": list(dict.fromkeys(strategies)) or [usual_strategy(setup(game))],
        "rules": list(dict.fromkeys(rules)),
        **{knob: list(values) for knob, values in (settings or {}).items()},
    }
    names = names_of_files(given["rules"], load(game))
    axes = {axis: tuple(values) for axis, values in given.items() if values}
    number = 1
    for values in axes.values():
        number *= len(values)
    if number > MOST_ARMS:
        raise InputError(f"{number:,} combinations are too many; allowed: {MOST_ARMS:,}")
    arms: list[Arm] = []
    left_out: list[tuple[str, str]] = []
    for combination in product(*axes.values()):
        values_of_arm = dict(zip(axes, combination, strict=True))
        label = _label(values_of_arm, axes, names)
        try:
            arms.append(_arm(game, values_of_arm, label, place))
        except InputError as fault:
            if strict or number == 1:
                raise
            left_out.append((label, str(fault)))
    if not arms:
        raise InputError(f"none of the {number} combinations can be played; the first: {left_out[0][1]}")
    return Grid(tuple(arms), _varied(axes), tuple(left_out), axes, strict, place, names)


def names_of_files(files: Iterable[str | Path], ruleset: Ruleset) -> dict[str, str]:
    """What the variants in rules files are called: their names, else what they set; a faulty file is refused here."""
    found: dict[str, str] = {}
    for file in files:
        name = PRINTED_RULES
        if file != PRINTED:
            custom = read_custom(file, ruleset)
            settings = [f"{knob}={value_text(value)}" for knob, value in custom["set"].items()]
            name = custom["name"] or ", ".join([*custom.get("variants", ()), *settings])
            name = name if name and len(name) <= LONGEST_NAME else Path(file).stem
        found[str(file)] = f"{name} ({file})" if name in found.values() else name
    return found


def _arm(game: str, values: Mapping[str, Any], label: str, place: str) -> Arm:
    file = values.get("rules", PRINTED)
    knobs = {axis: value for axis, value in values.items() if axis not in FIXED_AXES}
    variants = [values["variants"]] if "variants" in values else []
    setup = make_setup(game, values.get("players"), variants, knobs, None if file == PRINTED else file, place)
    names = line_up(setup, values["strategies"]).names
    return Arm(setup, names, values, label or short_name(setup))


def short_name(setup: Setup) -> str:
    """What tells a table where nothing else does: the name of one's own variant, or the printed ones as typed."""
    return own_name(setup) or "+".join(setup.variants) or PRINTED


def _varied(axes: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    return {axis: values for axis, values in axes.items() if len(values) > 1}


def _label(values: Mapping[str, Any], axes: Mapping[str, Sequence[Any]], names: Mapping[str, str]) -> str:
    varied = {axis: value for axis, value in values.items() if len(axes[axis]) > 1}
    return ", ".join(names[str(value)] if axis == "rules" else axis_text(axis, value) for axis, value in varied.items())


def axis_text(axis: str, value: Any) -> str:
    """`3 players`, `virage`, `hand.back=2`."""
    if axis == "players":
        return f"{value} player" + ("" if value == 1 else "s")
    return str(value) if axis in FIXED_AXES else f"{axis}={value_text(value)}"


def grid_of_setups(setups: Sequence[Setup], strategies: Sequence[str] = ()) -> Grid:
    """Tables that were made one by one, each with each line-up; what they differ in makes the axes."""
    games = dict.fromkeys(table.ruleset.name for table in setups)
    if len(games) != 1:
        raise InputError(f"tables of one game are compared, given: {', '.join(games) or 'none'}")
    knobs = dict.fromkeys(knob for table in setups for knob, _, _ in table.differences)
    line_ups = list(strategies) or [usual_strategy(setups[0])]
    seated = [(table, names, _values_of(table, names, knobs)) for table in setups for names in line_ups]
    axes = {axis: different(values[axis] for _, _, values in seated) for axis in seated[0][2]}
    arms = []
    for table, names, values in seated:
        told = {axis: value for axis, value in values.items() if not table.title or axis in FIXED_AXES}
        label = ", ".join([*([table.title] if table.title else []), *filter(None, [_label(told, axes, {})])])
        arms.append(Arm(table, line_up(table, names).names, values, label or short_name(table)))
    combined = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    given = axes if combined == [values for _, _, values in seated] else {}
    return Grid(tuple(arms), _varied(axes), (), given)


def _values_of(setup: Setup, line_up: str, knobs: Iterable[str]) -> dict[str, Any]:
    fixed = {"players": setup.players, "variants": "+".join(setup.variants) or PRINTED, "strategies": line_up}
    return {**fixed, **{knob: setup.shown_options[knob] for knob in knobs}}
