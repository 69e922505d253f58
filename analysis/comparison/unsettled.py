"""Rules that the rulebook does not settle, the values they may be turned to, and the tables where they are in force.

What to turn is said where the knob is (`alternatives` in the rules of a game); other knobs are turned by rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.sampling.grid import Arm, Grid
from houle.analysis.sampling.lineups import Strategies, line_up
from houle.solver.errors import InputError
from houle.solver.ruleset import Knob, Ruleset, Setup, make_setup, value_text

UNSETTLED = ("assumed", "inferred")
SMALL = 12  # numbers up to this have neighbours at 1, larger ones at half and double


@dataclass(frozen=True)
class Turn:
    """A rule turned to another value, and the table where it is in force."""

    knob: Knob
    value: Any
    players: int
    variants: tuple[str, ...]
    text: str  # `7=1, 12=0` where single values of a list are replaced, else the value
    where: str = ""  # a table of its own, in words

    @property
    def label(self) -> str:
        """`talk=silent (expert)`: the table is named where the rule is in force there only."""
        what = f"{self.knob.name}: {self.text}" if "=" in self.text else f"{self.knob.name}={self.text}"
        return f"{what} ({self.where})" if self.where else what


def by_rule(knob: Knob, default: Any) -> list[Any]:
    """Alternatives of a knob that the data does not name."""
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
    """Every turn of a game's unsettled knobs; (knob or turn, why) for what cannot be turned here."""
    for knob in ruleset.knobs.values():
        if not (knob.provenance in UNSETTLED or knob.ambiguous) or knob.name in fixed:
            continue
        for entry in knob.alternatives or ({},):
            # The number asked for, unless the rule is in force elsewhere only.
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
    """Single values of a list replaced, of cards that are in play: those that the knob `among` lists."""
    for change in entry["change"]:
        text = ", ".join(f"{place}={value}" for place, value in change.items())
        in_play = plain.get(entry.get("among", ""), [int(place) for place in change])
        if not any(int(place) in in_play for place in change):
            yield f"{knob.name}: {text}", f"no such card with {players} players"
            continue
        values = list(plain[knob.name])
        for place, value in change.items():
            values[int(place)] = value
        yield Turn(knob, values, players, variants, text)


def tables_of(
    setup: Setup, strategies: Strategies = None
) -> tuple[list[tuple[list[Turn], Grid]], list[tuple[str, str]]]:
    """For every table: its turns, and its arms with the rules as we read them first."""
    settings = {knob: setup.options[knob] for knob in setup.changed}
    # The table that was asked for comes first; the others are only there for their rules.
    groups: dict[tuple[int, tuple[str, ...]], list[Turn]] = {(setup.players, setup.variants): []}
    left_out: list[tuple[str, str]] = []
    for turn in turns_of(setup.ruleset, setup.players, setup.variants, settings):
        if isinstance(turn, Turn):
            groups.setdefault((turn.players, turn.variants), []).append(turn)
        else:
            left_out.append(turn)
    tables = []
    for (count, variants), turns in groups.items():
        name = setup.ruleset.name
        yardstick = _as_yours(make_setup(name, count, variants, settings), setup)
        arms, playable = [_arm(yardstick, "as we read it", strategies)], []
        for turn in turns:
            try:
                turned = _as_yours(make_setup(name, count, variants, {**settings, turn.knob.name: turn.value}), setup)
            except InputError as fault:
                left_out.append((turn.label, str(fault)))
                continue
            arms.append(_arm(turned, turn.label, strategies))
            playable.append(turn)
        if playable:
            tables.append((playable, Grid(tuple(arms))))
    if not tables:
        raise InputError(f"{setup.ruleset.name}: no rule of this table is assumed or inferred")
    return tables, left_out


def _as_yours(made: Setup, setup: Setup) -> Setup:
    """Under the name of the table that was asked for, with what was set where it was set."""
    return replace(made, title=setup.title, changed={**made.changed, **setup.changed})


def _arm(setup: Setup, label: str, strategies: Strategies) -> Arm:
    return Arm(setup, line_up(setup, strategies).names, {}, label)
