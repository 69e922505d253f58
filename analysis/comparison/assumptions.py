"""`assumptions`: which results depend on rules that the rulebook leaves open.

Each alternative of an open rule is played on the same games as the assumed rule, in a setup in which the rule applies.
Alternatives are ranked by what they certainly change. There are dozens of differences, so their intervals are joint
(effects.py). The first of the ranking was picked for its size and is played again on fresh games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, about, note, text
from houle.analysis.comparison.compare import ComparedRow, Comparison, compare_grid
from houle.analysis.comparison.confirmation import Confirmed
from houle.analysis.comparison.effects import JOINT, effects
from houle.analysis.comparison.open_rules import Turn, turned_grids
from houle.analysis.measures.measures import check_measures, usual_measures
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.players.named_players import seated_players
from houle.analysis.result import Facts, Record, Result
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.grid import Grid
from houle.analysis.sampling.paired_arms import STRETCH
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.differences import near_end
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, digest
from houle.solver.texts import in_words, listed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Turned:
    """One alternative of a rule, and what it does to every measure."""

    turn: Turn
    comparison: Comparison
    rows: tuple[ComparedRow, ...]

    def size(self, row: ComparedRow) -> tuple[float, float]:
        """The certain and the estimated size of a difference, in units of the margin."""
        if row.difference is None:
            return 0.0, 0.0
        difference, margin = row.difference.interval, self.comparison.margins[row.measure]
        return max(0.0, near_end(difference)) / margin, abs(difference.value) / margin

    @cached_property
    def most(self) -> ComparedRow:
        """The measure that it changes most."""
        return max(self.rows, key=self.size)


@dataclass(frozen=True)
class InForce:
    """The open rules in play in a setup."""

    turned: int  # other readings that were tried
    rules: int
    certain: list[str]  # rules that certainly change something


@dataclass(frozen=True, repr=False)
class Assumptions(Result):
    """The alternatives of all open rules, the most consequential first."""

    line_up: LineUp  # of the setup that was asked for
    comparisons: tuple[Comparison, ...]  # one for every setup in which open rules apply
    turns: tuple[tuple[Turn, ...], ...]  # of each comparison, in the order of its arms after the first
    left_out: tuple[tuple[str, str], ...]  # label, why
    confirmed: Confirmed | None = None  # None if nothing was picked, or it was not asked for
    confirm: bool = True

    command = "assumptions"
    rows_key = "turns"

    @cached_property
    def facts(self) -> Facts:
        one = self.comparisons[0]
        seconds = sum(comparison.seconds for comparison in self.comparisons)
        name = digest([comparison.digest for comparison in self.comparisons])
        return Facts(self.line_up.setup, self.line_up.names, one.seed, one.games, one.asked, seconds, name, one.first)

    @property
    def headline(self) -> str:
        rules = list(dict.fromkeys(rule for _, depends, _ in self.conclusions for rule in depends))
        return f"depends on {', '.join(rules)}" if rules else "depends on no open rule, as far as known"

    @property
    def interrupted(self) -> bool:
        return any(comparison.interrupted for comparison in self.comparisons)

    @property
    def games_per_second(self) -> float:
        played = sum(comparison.played.games for comparison in self.comparisons)
        return played / self.seconds if self.seconds else 0.0

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of all setups; a setup with other sides has other measures."""
        return tuple(dict.fromkeys(name for comparison in self.comparisons for name in comparison.measures))

    def words(self) -> list[str]:
        # If setups have different measures, these are defaults and need no option.
        same = len({comparison.measures for comparison in self.comparisons}) == 1
        fresh = [] if self.confirm else ["--no-confirm"]
        return [*fresh, *(word for name in self.measures if same for word in ("--measure", name))]

    def interruption(self, again: str) -> str:
        number = sum(comparison.played.games for comparison in self.comparisons)
        return f"{number:,} games are counted; the whole again: {again}"

    def count_words(self) -> list[str]:
        return ["-n", str(self.asked)]

    @cached_property
    def ranked(self) -> list[Turned]:
        every = [
            Turned(turn, comparison, tuple(row for row in comparison.rows if row.number == number))
            for comparison, turns in zip(self.comparisons, self.turns, strict=True)
            for number, turn in enumerate(turns if comparison.games > 1 else (), 1)
        ]
        return sorted(every, key=lambda one: one.size(one.most), reverse=True)

    @cached_property
    def differences(self) -> int:
        """The number of differences."""
        return sum(row.difference is not None for one in self.ranked for row in one.rows)

    @cached_property
    def conclusions(self) -> list[tuple[str, list[str], list[str]]]:
        """Per measure: the rules it depends on, and those for which this is not known yet."""
        conclusions = []
        for measure in self.measures:
            margin = self.comparisons[0].margins[measure]
            rows = [(one.turn, row) for one in self.ranked for row in one.rows if row.measure == measure]
            depends = list(dict.fromkeys(turn.knob.name for turn, row in rows if matters(row, margin)))
            unknown = [turn.knob.name for turn, row in rows if row.verdict and row.verdict.kind == "unknown"]
            conclusions.append((measure, depends, [name for name in dict.fromkeys(unknown) if name not in depends]))
        return conclusions

    @cached_property
    def in_force(self) -> InForce:
        """Which open rules are in play in this setup, and which of them certainly change something."""
        here = [turned for turned in self.ranked if not turned.turn.where]
        certain = [
            turned.turn.knob.name
            for turned in here
            for row in turned.rows
            if matters(row, turned.comparison.margins[row.measure])
        ]
        return InForce(len(here), len({turned.turn.knob.name for turned in here}), list(dict.fromkeys(certain)))

    def sentences(self) -> list[Block]:
        """Which open rules change the results, what other readings win, and what is not known yet."""
        rules, certain = self.in_force.rules, self.in_force.certain
        if not certain:
            verdict = "No other reading makes a difference that matters, as far as these games show"
        else:
            rest = "; the others make no difference that matters" if len(certain) < rules else ""
            verb = "changes" if len(certain) == 1 else "change"
            verdict = f"On the same deals, another reading of {listed(certain)} {verb} the results{rest}"
        if not rules:
            return [text("The rulebook leaves no rule in play here open."), *self.doubts()]
        said = text(
            "The rulebook leaves {rules} of the rules in play here open, so we had to choose. {verdict}.",
            rules=in_words(rules),
            verdict=verdict,
        )
        return [said, *self.doubts()]

    def doubts(self) -> list[Block]:
        """What the other readings of a rule would make of the win rate, where the rules have words for them."""
        tried: dict[str, list[Block]] = {}
        for turned in self.ranked:
            knob = turned.turn.knob
            wins = [row.value for row in turned.rows if row.measure == "win"]
            if knob.doubt and wins and not turned.turn.where and turned.turn.value in knob.readings:
                parts = tried.setdefault(knob.doubt, [])
                reading = text("{reading} {win}", reading=knob.readings[turned.turn.value], win=wins[0])
                parts.append(about(reading, self.player, f"win with {turned.turn.label}"))
        return [
            text(
                "{doubt}: {who} win {readings} of games.",
                doubt=doubt,
                who=seated_players(self.strategies),
                readings=parts,
            )
            for doubt, parts in tried.items()
        ]

    def not_known(self) -> list[Block]:
        """Which open rules may change something that these games do not show."""
        known = {name for _, depends, _ in self.conclusions for name in depends}
        names = dict.fromkeys(name for _, _, names in self.conclusions for name in names if name not in known)
        said = note("Not known yet, for lack of games: the effect of {rules}.", rules=listed(list(names)))
        return [said] if names else []

    def frame(self, whole: bool = False) -> pd.DataFrame:
        """One row per alternative and measure, the most consequential alternatives first."""
        import pandas as pd

        return pd.DataFrame([
            {
                "rank": rank,
                **one.comparison.row(row.number, one.comparison.record(row)),
                "knob": one.turn.knob.name,
                "turned_to": one.turn.text,
                "provenance": one.turn.knob.provenance,
                "intervals": JOINT,
            }
            for rank, one in enumerate(self.ranked, 1)
            for row in one.rows
        ], columns=None if self.ranked else ["rank"])  # fmt: skip

    def records(self) -> list[Record]:
        return [
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
        ]

    def summary(self) -> Record:
        return {
            "conclusions": [
                {
                    "measure": measure,
                    "depends_on": depends,
                    "not_yet_known": unknown,
                    "depends_on_none": not depends + unknown,
                }
                for measure, depends, unknown in self.conclusions
            ],
            "differences": self.differences,
            "intervals": JOINT,
            "confirmed": self.confirmed.record if self.confirmed else None,
            "comparisons": [comparison.as_json() for comparison in self.comparisons],
            "left_out": [{"turn": label, "why": why} for label, why in self.left_out],
        }


def matters(row: ComparedRow, margin: float) -> bool:
    """Whether there is certainly a difference, and it is not certainly small."""
    if row.difference is None or row.verdict is None or row.verdict.kind not in ("more", "less"):
        return False
    return max(abs(row.difference.interval.low), abs(row.difference.interval.high)) > margin


@checked
def assumptions(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    measures: str | Iterable[str] = (),
    margins: Mapping[str, float] | None = None,
    confirm: bool = True,
    **run: Unpack[RunOptions],
) -> Assumptions:
    """Change each rule that the rulebook leaves open, and rank these rules by what they change.

    Rules that the setup itself changes stay as they are. A rule that applies only in another setup is changed there.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Who plays: one for all players. Default: `thumb`, or `random` in a game without weights.
    games : int
        Of each alternative, 100,000 by default.

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
    seated, chosen = line_up(as_setup(setup), strategies), check_measures(several(measures))
    spec, margin = RunSpec.of(run, least=2, most=STRETCH), margins_of(margins)
    grids, left_out = turned_grids(seated.setup, strategies)
    again = ("the largest again", [seated] * 2 * confirm, spec.games)
    spec.begin(Plan.of(*(("", [arm.line_up for arm in grid.arms], spec.games) for _, grid in grids), again))
    named = [chosen or usual_measures([arm.setup for arm in grid.arms]) for _, grid in grids]
    number = sum(len(turns) * len(names) for (turns, _), names in zip(grids, named, strict=True))
    comparisons: list[Comparison] = []
    turned: list[tuple[Turn, ...]] = []
    for (turns, grid), names in zip(grids, named, strict=True):
        if comparisons and comparisons[-1].interrupted:
            break
        found = effects(grid.arms[0], grid.arms[1:], names, spec, number)
        turn_of = {id(arm): turn for arm, turn in zip(grid.arms[1:], turns, strict=True)}
        for played in found.played:
            turned.append(tuple(turn_of[id(arm)] for arm in played.arms[1:]))
            arms = Grid(played.arms)
            comparisons.append(Comparison(arms, played, names, margin, confidence=found.confidence))
    result = Assumptions(seated, tuple(comparisons), tuple(turned), tuple(left_out), None, confirm)
    if not confirm or result.interrupted:
        return result
    return replace(result, confirmed=_play_again(result, spec.part(spec.games, spec.games)))


def _play_again(result: Assumptions, spec: RunSpec) -> Confirmed | None:
    """The first of the ranking on fresh games; None after Ctrl-C."""
    one = result.ranked[0]
    row = one.most
    if row.difference is None or not row.difference.interval.differs:
        return None
    grid = Grid((one.comparison.arms[0], row.arm))
    fresh = compare_grid(grid, spec, (row.measure,), one.comparison.margins)
    again = fresh.rows[1].difference
    if fresh.interrupted or again is None:
        return None
    return Confirmed(one.turn, row.measure, row.difference.interval, again.interval, fresh)
