"""Rules that the rulebook does not settle, the values they may be turned to, and the tables where they are in force.

What to turn is data (assumptions.toml); other knobs are turned by rule.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.analysis.sampling.grid import Arm, Grid
from houle.analysis.sampling.lineups import Strategies, line_up
from houle.solver.ruleset import Knob, Ruleset, RulesetError, Setup, make_setup, value_text

FILE = Path(__file__).parent / "assumptions.toml"
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
        """`facedown=free (nazare)`: the table is named where the rule is in force there only."""
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
    entries = [entry for entry in tomllib.loads(FILE.read_text())["assumption"] if entry["game"] == ruleset.name]
    for knob in ruleset.knobs.values():
        if not (knob.provenance in UNSETTLED or knob.ambiguous) or knob.name in fixed:
            continue
        named = [entry for entry in entries if entry["knob"] == knob.name]
        for entry in named or [{}]:
            # The number asked for, unless the rule is in force elsewhere only.
            counts = entry.get("players", [players])
            count = players if players in counts else counts[0]
            own = tuple(dict.fromkeys((*variants, *([entry["variant"]] if "variant" in entry else []))))
            words = [f"{count} players"] if count != players else []
            where = ", ".join([*words, *(name for name in own if name not in variants)])
            plain = make_setup(ruleset.name, count, own).options
            if "change" in entry:
                yield from _changes(knob, entry["change"], plain, count, own)
                continue
            values = entry.get("values") or by_rule(knob, plain[knob.name])
            if not values:
                yield knob.name, "it has no alternatives"
            for value in values:
                if value != plain[knob.name]:
                    yield Turn(knob, value, count, own, value_text(value), where)


def _changes(
    knob: Knob, changes: list[dict[str, int]], plain: Mapping[str, Any], players: int, variants: tuple[str, ...]
) -> Iterator[Turn | tuple[str, str]]:
    for change in changes:
        text = ", ".join(f"{place}={value}" for place, value in change.items())
        in_play = plain.get("deck.values", [int(place) for place in change])
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
        yardstick = make_setup(name, count, variants, settings)
        arms, playable = [_arm(yardstick, "as we read it", strategies)], []
        for turn in turns:
            try:
                turned = make_setup(name, count, variants, {**settings, turn.knob.name: turn.value})
            except RulesetError as fault:
                left_out.append((turn.label, str(fault)))
                continue
            arms.append(_arm(turned, turn.label, strategies))
            playable.append(turn)
        if playable:
            tables.append((playable, Grid(tuple(arms))))
    if not tables:
        raise RulesetError(f"{setup.ruleset.name}: no rule of this table is assumed or inferred")
    return tables, left_out


def _arm(setup: Setup, label: str, strategies: Strategies) -> Arm:
    return Arm(setup, line_up(setup, strategies).names, {}, label)
