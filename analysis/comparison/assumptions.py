"""Which results stand on print and which on our reading: every assumed or inferred rule, turned and compared.

Each alternative is played on the same games as the rule we chose, at a table where the rule is in force, and the
alternatives are ranked by what they certainly change. There are dozens of differences on such a page: a result hangs on
a rule only where its difference stands beside all of them (Holm), and the first of the ranking, which was picked for
its size, is played again on fresh games.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.compare import Comparison, Row, compare_grid
from houle.analysis.comparison.confirmation import Confirmed
from houle.analysis.comparison.measures import check_measures
from houle.analysis.comparison.unsettled import Turn, tables_of
from houle.analysis.comparison.verdicts import amount
from houle.analysis.limits import GAMES, SEED
from houle.analysis.result import Facts, Result
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.grid import Grid
from houle.analysis.sampling.lineups import Strategies, as_setup, line_up
from houle.analysis.sampling.progress import part_of
from houle.analysis.stats.multiplicity import near_end, standing
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Turned:
    """One turn, and what it does to every measure."""

    turn: Turn
    rows: tuple[Row, ...]
    margins: Mapping[str, float]

    def size(self, row: Row) -> tuple[float, float]:
        """What a difference certainly is, and what it seems to be, in units of what matters."""
        if row.difference is None:
            return 0.0, 0.0
        found, margin = row.difference.interval, self.margins[row.measure]
        return max(0.0, near_end(found)) / margin, abs(found.value) / margin

    @cached_property
    def most(self) -> Row:
        """The measure that it changes most."""
        return max(self.rows, key=self.size)


@dataclass(frozen=True, repr=False)
class Assumptions(Result):
    """All turns, the most consequential first."""

    table: Setup
    comparisons: tuple[Comparison, ...]  # one for every table that rules are in force at
    turns: tuple[tuple[Turn, ...], ...]  # of each comparison, in the order of its arms after the first
    left_out: tuple[tuple[str, str], ...]  # turn, why
    confirmed: Confirmed | None = None  # None where nothing was picked, or it was not asked for
    confirm: bool = True

    command = "assumptions"

    @cached_property
    def facts(self) -> Facts:
        one = self.comparisons[0]
        seconds = sum(found.seconds for found in self.comparisons)
        name = digest([found.digest for found in self.comparisons])
        # Tables may have other numbers of players: who plays is said for the one that was asked for.
        strategies = line_up(self.table, one.grid.line_ups[0]).names
        return Facts(self.table, strategies, one.seed, one.games, one.asked, seconds, name)

    @property
    def interrupted(self) -> bool:
        return any(found.interrupted for found in self.comparisons)

    @property
    def games_per_second(self) -> float:
        played = sum(found.played.games for found in self.comparisons)
        return played / self.seconds if self.seconds else 0.0

    @property
    def measures(self) -> tuple[str, ...]:
        """Of all tables: a rule that is in force elsewhere may be measured by something else."""
        return tuple(dict.fromkeys(name for found in self.comparisons for name in found.measures))

    def words(self) -> list[str]:
        # Where tables have other measures than the first, nobody has named any.
        same = len({found.measures for found in self.comparisons}) == 1
        fresh = [] if self.confirm else ["--no-confirm"]
        return [*fresh, *(word for name in self.measures if same for word in ("--measure", name))]

    def interruption(self, again: str) -> str:
        number = sum(found.played.games for found in self.comparisons)
        return f"{number:,} games are counted; the whole again: {again}"

    def count_words(self) -> list[str]:
        return ["-n", str(self.asked)]

    @cached_property
    def ranked(self) -> list[Turned]:
        found = []
        for comparison, turns in zip(self.comparisons, self.turns, strict=True):
            if comparison.games < 2:
                continue
            for number, turn in enumerate(turns, 1):
                rows = tuple(row for row in comparison.rows if row.number == number)
                found.append(Turned(turn, rows, comparison.margins))
        return sorted(found, key=lambda one: one.size(one.most), reverse=True)

    @cached_property
    def differences(self) -> int:
        """How many were looked at."""
        return sum(row.difference is not None for one in self.ranked for row in one.rows)

    @cached_property
    def certain(self) -> set[tuple[str, str]]:
        """Turns and measures whose differences stand, all of them looked at together."""
        rows = [(one.turn.label, row) for one in self.ranked for row in one.rows]
        found = standing([row.difference.interval if row.difference else None for _, row in rows])
        return {(label, row.measure) for (label, row), stands in zip(rows, found, strict=True) if stands}

    @cached_property
    def conclusions(self) -> list[tuple[str, list[str], list[str]]]:
        """Per measure: the knobs it hangs on, and those of which that is not known yet."""
        found = []
        for measure in self.measures:
            margin = self.comparisons[0].margins[measure]
            rows = [(one.turn, row) for one in self.ranked for row in one.rows if row.measure == measure]
            seen = [(turn, (turn.label, measure) in self.certain) for turn, row in rows if _matters(row, margin)]
            hangs = [turn.knob.name for turn, stands in seen if stands]
            open_ones = [turn.knob.name for turn, row in rows if row.verdict and row.verdict.kind == "unknown"]
            open_ones += [turn.knob.name for turn, stands in seen if not stands]
            hangs = list(dict.fromkeys(hangs))
            found.append((measure, hangs, [name for name in dict.fromkeys(open_ones) if name not in hangs]))
        return found

    @cached_property
    def sentences(self) -> list[str]:
        """The same in words."""
        return [self._sentence(*parts) for parts in self.conclusions]

    def _sentence(self, measure: str, hangs: list[str], unknown: list[str]) -> str:
        if hangs:
            text = f"hangs on our reading of {', '.join(hangs)}"
        elif unknown:
            text = "nothing is known to move it"
        else:
            margin = amount(measure, self.comparisons[0].margins[measure])
            text = f"stands on print: no reading moves it by more than {margin}"
        return f"{measure}: {text}" + (f"; not yet known for {', '.join(unknown)}" if unknown else "")

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
        """The object that `houle assumptions --json` prints."""
        return {
            **self.head(),
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
            "differences": self.differences,
            "confirmed": self.confirmed.as_json() if self.confirmed else None,
            "comparisons": [found.as_json() for found in self.comparisons],
            "left_out": [{"turn": label, "why": why} for label, why in self.left_out],
        }


def _matters(row: Row, margin: float) -> bool:
    """Certainly a difference, and not certainly a small one."""
    if row.difference is None or row.verdict is None or row.verdict.kind not in ("more", "less"):
        return False
    return max(abs(row.difference.interval.low), abs(row.difference.interval.high)) > margin


def assumptions(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int = GAMES,
    seed: int = SEED,
    measures: str | Iterable[str] = (),
    margins: Mapping[str, float] | None = None,
    confirm: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
    **old: Any,
) -> Assumptions:
    """Turn every rule that the rulebook does not settle, and rank them by what they change.

    Rules that the table itself changes are left as they are. A rule that is in force elsewhere only is turned there.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Who decides: one for all players; the thumb where the game has one.
    games : int
        How many games of every reading.
    seed : int
        Names the games.
    measures : str or iterable of str
        What to compare, as in `houle.compare`.
    margins : mapping, optional
        The smallest difference that matters, by measure.
    confirm : bool
        Whether the first of the ranking is played again on as many fresh games.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Assumptions
        With `.ranked`, `.conclusions`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.assumptions(houle.setup("wave"), strategies="random", games=100, measures=["score"])
    >>> sorted({one.turn.knob.name for one in result.ranked})
    ['dummy_swaps', 'facedown', 'facedown_reverses', 'heights', 'talk', 'virage_must_fit']
    """
    if "strategy" in old:  # its name in 0.1.0
        warnings.warn("strategy is called strategies", DeprecationWarning, stacklevel=2)
        strategies = old.pop("strategy")
    table, chosen = as_setup(setup, old), check_measures(several(measures))
    tables, left_out = tables_of(table, strategies)
    found: list[Comparison] = []
    for _, grid in tables:
        done, seconds = sum(one.played.games for one in found), sum(one.seconds for one in found)
        found.append(compare_grid(grid, games, seed, chosen, margins, threads, part_of(progress, done, seconds)))
        if found[-1].interrupted:
            break
    turns = tuple(tuple(turns) for turns, _ in tables[: len(found)])
    result = Assumptions(table, tuple(found), turns, tuple(left_out), None, confirm)
    if not confirm or result.interrupted or not result.certain:
        return result
    done, seconds = sum(one.played.games for one in found), result.seconds
    return replace(result, confirmed=_play_again(result, games, seed, threads, part_of(progress, done, seconds)))


def _play_again(
    result: Assumptions, games: int, seed: int, threads: int | None, progress: Progress | None
) -> Confirmed | None:
    """The first of the ranking on the games after those that picked it; None after Ctrl-C."""
    one = result.ranked[0]
    row = one.most
    if row.difference is None or (one.turn.label, row.measure) not in result.certain:
        return None
    found = next(comparison for comparison in result.comparisons if row.arm in comparison.arms)
    grid = Grid((found.arms[0], row.arm))
    fresh = compare_grid(grid, games, seed, (row.measure,), found.margins, threads, progress, found.first + games)
    again = fresh.rows[1].difference
    if fresh.interrupted or again is None:
        return None
    return Confirmed(one.turn, row.measure, row.difference.interval, again.interval, fresh)
