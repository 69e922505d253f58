"""Which results stand on print and which on our reading: every assumed or inferred rule, turned and compared.

Each alternative is played on the same games as the rule we chose, at a table where the rule is in force, and the
alternatives are ranked by what they change. What to turn is data (assumptions.toml); other knobs are turned by rule.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.compare import Comparison, Row, compare_arms
from houle.analysis.limits import GAMES, SEED
from houle.analysis.sampling.grid import Arm, value_text
from houle.solver.ruleset import Knob, Ruleset, RulesetError, Setup, digest, make_setup

if TYPE_CHECKING:
    import pandas as pd

    from houle.solver.run import Progress

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


@dataclass(frozen=True)
class Turned:
    """One turn, and what it does to every measure."""

    turn: Turn
    rows: tuple[Row, ...]
    margins: Mapping[str, float]

    def size(self, row: Row) -> float:
        """A difference in units of what matters."""
        return abs(row.difference.interval.value) / self.margins[row.measure] if row.difference else 0.0

    @cached_property
    def most(self) -> Row:
        """The measure that it changes most."""
        return max(self.rows, key=self.size)


@dataclass(frozen=True)
class Assumptions:
    """All turns, the most consequential first."""

    game: str
    comparisons: tuple[Comparison, ...]  # one for every table that rules are in force at
    turns: tuple[tuple[Turn, ...], ...]  # of each comparison, in the order of its arms after the first
    left_out: tuple[tuple[str, str], ...]  # turn, why

    @property
    def interrupted(self) -> bool:
        return any(found.interrupted for found in self.comparisons)

    @property
    def digest(self) -> str:
        return digest([found.digest for found in self.comparisons])

    @property
    def measures(self) -> tuple[str, ...]:
        """Of all tables: a rule that is in force elsewhere may be measured by something else."""
        return tuple(dict.fromkeys(name for found in self.comparisons for name in found.measures))

    @property
    def seconds(self) -> float:
        return sum(found.played.seconds for found in self.comparisons)

    @cached_property
    def ranked(self) -> list[Turned]:
        found = []
        for comparison, turns in zip(self.comparisons, self.turns, strict=True):
            if comparison.played.lots[0].number < 2:
                continue
            for number, turn in enumerate(turns, 1):
                rows = tuple(row for row in comparison.rows if row.number == number)
                found.append(Turned(turn, rows, comparison.margins))
        return sorted(found, key=lambda one: -one.size(one.most))

    @cached_property
    def conclusions(self) -> list[tuple[str, list[str], list[str]]]:
        """Per measure: the knobs it hangs on, and those of which that is not known yet."""
        found = []
        for measure in self.measures:
            rows = [(one.turn.knob.name, row) for one in self.ranked for row in one.rows if row.measure == measure]
            hangs = [name for name, row in rows if _matters(row, self.comparisons[0].margins[measure])]
            open_ones = [name for name, row in rows if row.verdict and row.verdict.kind == "unknown"]
            hangs = list(dict.fromkeys(hangs))
            found.append((measure, hangs, [name for name in dict.fromkeys(open_ones) if name not in hangs]))
        return found

    def frame(self) -> pd.DataFrame:
        """One row per turn and measure, the most consequential turns first."""
        import pandas as pd

        parts = []
        whole = {id(found): found.frame() for found in self.comparisons}
        for rank, one in enumerate(self.ranked, 1):
            for comparison in self.comparisons:
                frame = whole[id(comparison)]
                mine = frame[[row.arm is one.rows[0].arm for row in comparison.rows]]
                if len(mine):
                    facts = {"knob": one.turn.knob.name, "turned_to": one.turn.text}
                    mine = mine.assign(**facts, provenance=one.turn.knob.provenance)
                    mine.insert(0, "rank", rank)
                    parts.append(mine)
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({"rank": []})

    def as_json(self) -> dict[str, Any]:
        """The object that `houle sweep --assumed --json` prints."""
        return {
            "game": self.game,
            "result_digest": self.digest,
            "turns": [
                {
                    "rank": rank,
                    "turn": one.turn.label,
                    "knob": one.turn.knob.name,
                    "provenance": one.turn.knob.provenance,
                    "text": one.turn.knob.text,
                    "changes_most": one.most.measure,
                    "verdict": one.most.verdict.text if one.most.verdict else None,
                }
                for rank, one in enumerate(self.ranked, 1)
            ],
            "conclusions": [
                {
                    "measure": measure,
                    "hangs_on": hangs,
                    "not_yet_known": unknown,
                    "stands_on_print": not hangs + unknown,
                }
                for measure, hangs, unknown in self.conclusions
            ],
            "comparisons": [found.as_json() for found in self.comparisons],
            "left_out": [{"turn": label, "why": why} for label, why in self.left_out],
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


def _matters(row: Row, margin: float) -> bool:
    """Certainly a difference, and not certainly a small one."""
    if row.difference is None or row.verdict is None or row.verdict.kind not in ("more", "less"):
        return False
    return max(abs(row.difference.interval.low), abs(row.difference.interval.high)) > margin


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
        if knob.provenance not in UNSETTLED or knob.name in fixed:
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


def assumptions(
    game: str,
    players: int | None = None,
    variants: Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    games: int = GAMES,
    seed: int = SEED,
    strategy: str | None = None,
    measures: Iterable[str] = (),
    threads: int | None = None,
    progress: Progress | None = None,
) -> Assumptions:
    """Turns every assumed or inferred rule of a game; by thumbs where the game has them, else at random."""
    from houle.analysis.sampling.paired import after

    setup = make_setup(game, players, list(variants), set)
    tables, left_out = tables_of(setup, set or {}, strategy)
    found, done, seconds = [], 0, 0.0
    for _, arms in tables:
        told = after(progress, done, 1, seconds)
        found.append(compare_arms(arms, games, seed, tuple(measures), None, threads, told))
        done, seconds = done + found[-1].played.games, seconds + found[-1].played.seconds
        if found[-1].interrupted:
            break
    turns = tuple(tuple(turns) for turns, _ in tables[: len(found)])
    return Assumptions(setup.ruleset.name, tuple(found), turns, tuple(left_out))


def tables_of(
    setup: Setup, settings: Mapping[str, Any], strategy: str | None = None
) -> tuple[list[tuple[list[Turn], list[Arm]]], list[tuple[str, str]]]:
    """For every table: its turns, and its arms with the rules as we read them first."""
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
        yardstick = _arm(make_setup(name, count, variants, settings), "as we read it", strategy)
        arms, playable = [yardstick], []
        for turn in turns:
            try:
                turned = make_setup(name, count, variants, {**settings, turn.knob.name: turn.value})
            except RulesetError as fault:
                left_out.append((turn.label, str(fault)))
                continue
            arms.append(_arm(turned, turn.label, strategy))
            playable.append(turn)
        if playable:
            tables.append((playable, arms))
    if not tables:
        raise RulesetError(f"{setup.ruleset.name}: no rule of this table is assumed or inferred")
    return tables, left_out


def _arm(setup: Setup, label: str, strategy: str | None) -> Arm:
    from houle.solver.strategies.player import seat_strategies, weights_of

    name = strategy or ("thumb" if weights_of(setup.ruleset.name) else "random")
    return Arm(setup, seat_strategies(setup, [name]).names, {}, label)
