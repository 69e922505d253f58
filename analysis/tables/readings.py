"""Other readings of the rules that the rulebook leaves open, and the setups in which they apply.

Alternatives are listed with the knob (`alternatives` in the rules of a game). Knobs without a list get default ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houle.analysis.players.line_ups import Strategies, line_up
from houle.analysis.sampling.grid import Arm, Grid
from houle.solver.errors import InputError, RulesError
from houle.solver.rules import Knob, Ruleset, Setup, make_setup, value_text

UNSETTLED = ("assumed", "inferred")
SMALL = 12  # numbers up to this are changed by 1, larger ones are halved and doubled


@dataclass(frozen=True)
class Turn:
    """A rule changed to another value, and the setup in which it applies."""

    knob: Knob
    value: Any
    players: int
    variants: tuple[str, ...]
    text: str  # the value, or `7=1, 12=0` if single values of a list are replaced
    where: str = ""  # the setup in words, if it is not the one that was asked for

    @property
    def label(self) -> str:
        """`talk=silent`, or `talk=silent (expert)` if the rule applies only in another setup."""
        what = f"{self.knob.name}: {self.text}" if "=" in self.text else f"{self.knob.name}={self.text}"
        return f"{what} ({self.where})" if self.where else what


def by_rule(knob: Knob, default: Any) -> list[Any]:
    """Default alternatives of a knob for which the rules list none."""
    if knob.type == "bool":
        return [not default]
    if knob.type == "choice":
        return [choice for choice in knob.choices if choice != default]
    if knob.type == "int":
        near = (default - 1, default + 1) if abs(default) <= SMALL else (default // 2, default * 2)
        return [value for value in near if knob.low is None or knob.high is None or knob.low <= value <= knob.high]
    return []


def turns_of(
    ruleset: Ruleset, players: int, variants: Sequence[str] = (), fixed: Iterable[str] = ()
) -> Iterator[Turn | tuple[str, str]]:
    """Every alternative of a game's open rules; (label, why) for those that cannot be played here."""
    for knob in ruleset.knobs.values():
        if not (knob.provenance in UNSETTLED or knob.ambiguous) or knob.name in fixed:
            continue
        for entry in knob.alternatives or ({},):
            # The number of players asked for, unless the rule applies only with another.
            counts = entry.get("players", [players])
            count = players if players in counts else counts[0]
            own = tuple(dict.fromkeys((*variants, *([entry["variant"]] if "variant" in entry else []))))
            words = [f"{count} players"] if count != players else []
            where = ", ".join([*words, *(name for name in own if name not in variants)])
            plain = make_setup(ruleset.name, count, own).options
            if "change" in entry:
                yield from _changes(knob, entry, plain, count, own)
                continue
            values = entry.get("values") or by_rule(knob, plain[knob.name])
            if not values:
                yield knob.name, "it has no alternatives"
            for value in values:
                if value != plain[knob.name]:
                    yield Turn(knob, value, count, own, value_text(value), where)


def _changes(
    knob: Knob, entry: Mapping[str, Any], plain: Mapping[str, Any], players: int, variants: tuple[str, ...]
) -> Iterator[Turn | tuple[str, str]]:
    """Single values of a list replaced, for cards that are in play: those that the knob `among` lists."""
    for change in entry["change"]:
        text = ", ".join(f"{index}={value}" for index, value in change.items())
        in_play = plain.get(entry.get("among", ""), [int(index) for index in change])
        if not any(int(index) in in_play for index in change):
            yield f"{knob.name}: {text}", f"no such card with {players} players"
            continue
        values = list(plain[knob.name])
        for index, value in change.items():
            values[int(index)] = value
        yield Turn(knob, values, players, variants, text)


def turned_grids(
    setup: Setup, strategies: Strategies = None
) -> tuple[list[tuple[list[Turn], Grid]], list[tuple[str, str]]]:
    """For every setup: its alternatives, and a grid of them with the rules as assumed first."""
    # The setup that was asked for comes first; other setups are only needed for rules that apply there.
    groups: dict[tuple[int, tuple[str, ...]], list[Turn]] = {(setup.players, setup.variants): []}
    left_out: list[tuple[str, str]] = []
    for turn in turns_of(setup.ruleset, setup.players, setup.variants, setup.changed):
        if isinstance(turn, Turn):
            groups.setdefault((turn.players, turn.variants), []).append(turn)
        else:
            left_out.append(turn)
    grids = []
    for (count, variants), turns in groups.items():
        try:
            assumed = setup.turned({}, players=count, variants=variants)
        except InputError as fault:  # your own deck or hands may not fit a variant that you do not play
            left_out += [(turn.label, f"your rules cannot be played there: {_short(fault)}") for turn in turns]
            continue
        arms, playable = [_arm(assumed, "as assumed", strategies)], []
        for turn in turns:
            try:
                turned = assumed.turned({turn.knob.name: turn.value}, "--set")
            except InputError as fault:
                left_out.append((turn.label, _short(fault)))
                continue
            arms.append(_arm(turned, turn.label, strategies, {turn.knob.name: turn.value}))
            playable.append(turn)
        if playable:
            grids.append((playable, Grid(tuple(arms))))
    if not grids:
        raise RulesError(f"{setup.summary}: the rulebook leaves no rule of this setup open")
    return grids, left_out


def _short(fault: InputError) -> str:
    """What is wrong, without the advice to change another rule."""
    return str(fault).partition(";")[0]


def _arm(setup: Setup, label: str, strategies: Strategies, values: Mapping[str, Any] | None = None) -> Arm:
    return Arm(line_up(setup, strategies), values or {}, label)
