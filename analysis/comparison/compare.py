"""What a change does: arms on the same games, their difference with its interval, and a verdict in words.

from houle.analysis import compare
compare("wave", players=[3], strategies=["thumb"], set={"hand.back": [2, 3]}).frame()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.limits import GAMES, MOST_SEED, SEED, check_int
from houle.analysis.sampling.grid import Arm, make_grid
from houle.analysis.stats.intervals import Interval, known, plain
from houle.solver.ruleset import RulesetError, load

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.comparison.findings import Finding
    from houle.analysis.comparison.measures import Difference
    from houle.analysis.comparison.verdicts import Verdict
    from houle.analysis.sampling.paired import Played
    from houle.solver.run import Progress


@dataclass(frozen=True)
class Row:
    """One measure of one arm, beside the first arm."""

    arm: Arm
    number: int  # of the arm
    measure: str
    value: Interval
    difference: Difference | None  # None for the first arm, and where the two cannot be compared
    verdict: Verdict | None


@dataclass(frozen=True)
class Comparison:
    """Arms that were played, read measure by measure."""

    played: Played
    measures: tuple[str, ...]
    margins: Mapping[str, float]

    @property
    def arms(self) -> tuple[Arm, ...]:
        return self.played.arms

    @property
    def interrupted(self) -> bool:
        return self.played.interrupted

    @property
    def digest(self) -> str:
        return self.played.digest

    @property
    def unpaired(self) -> list[Arm]:
        """Arms that play other games than the first."""
        return [arm for i, arm in enumerate(self.arms) if self.played.firsts[i] != self.played.firsts[0]]

    @cached_property
    def rows(self) -> list[Row]:
        """By measure, then by arm."""
        return [self._row(arm, measure) for measure in self.measures for arm in range(len(self.arms))]

    @cached_property
    def findings(self) -> list[Finding]:
        from houle.analysis.comparison.findings import all_findings

        return all_findings(self.played)

    def _row(self, number: int, measure: str) -> Row:
        from houle.analysis.comparison.measures import difference, estimate
        from houle.analysis.comparison.verdicts import Verdict, directions, judge, judge_unchanged

        first, arm = self.arms[0], self.arms[number]
        value = estimate(self.played, number, measure)
        if number == 0:
            return Row(arm, number, measure, value, None, None)
        if measure in ("score", "spread") and arm.setup.score != first.setup.score:
            why = f"another score: {arm.setup.score}, not {first.setup.score}"
            return Row(arm, number, measure, value, None, Verdict("unknown", why))
        found = difference(self.played, number, measure)
        margin = self.margins[measure]
        if found.unchanged:
            return Row(arm, number, measure, value, found, judge_unchanged(found.interval, margin))
        verdict = judge(measure, found.interval, margin, *directions(measure, first, arm))
        return Row(arm, number, measure, value, found, verdict)

    def frame(self) -> pd.DataFrame:
        """One row per measure and arm; differences are to the first arm."""
        import pandas as pd

        return pd.DataFrame(
            {
                **row.arm.facts,
                "arm": row.arm.label,
                "measure": row.measure,
                **_columns("value", row.value),
                "n": row.value.n,
                **_columns("difference", row.difference.interval if row.difference else None),
                "paired": row.difference.paired if row.difference else None,
                "changed": row.difference.changed if row.difference else None,
                "variance_ratio": row.difference.variance_ratio if row.difference else None,
                "games_saved": row.difference.games_saved if row.difference else None,
                "verdict": row.verdict.text if row.verdict else None,
                "more_games": row.verdict.more_games if row.verdict else None,
                "seed": self.played.seed,
                "first": self.played.firsts[row.number],
                "rules_digest": row.arm.setup.digest,
                "result_digest": self.digest,
            }
            for row in self.rows
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle compare --json` prints."""
        return {
            "game": self.arms[0].setup.ruleset.name,
            "seed": self.played.seed,
            "games": self.played.lots[0].number,
            "result_digest": self.digest,
            "notes": list(self.arms[0].setup.notes),
            "arms": [
                {
                    "arm": arm.label,
                    "players": arm.setup.players,
                    "variants": list(arm.setup.variants),
                    "options": arm.setup.shown_options,
                    "strategies": list(arm.strategies),
                    "first": self.played.firsts[i],
                    "rules_digest": arm.setup.digest,
                    "measures": {row.measure: _row_as_json(row) for row in self.rows if row.number == i},
                }
                for i, arm in enumerate(self.arms)
            ],
            "findings": [finding.as_json() for finding in self.findings],
            "interrupted": self.interrupted,
            "seconds": self.played.seconds,
        }


def _columns(name: str, found: Interval | None) -> dict[str, float | None]:
    parts = (found.value, found.low, found.high) if found else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), parts, strict=True))


def _row_as_json(row: Row) -> dict[str, Any]:
    data: dict[str, Any] = plain(row.value)
    data["difference"] = None
    if row.difference:
        data["difference"] = {
            **plain(row.difference.interval),
            "paired": row.difference.paired,
            "changed": row.difference.changed,
            "variance_ratio": known(row.difference.variance_ratio),
            "games_saved": row.difference.games_saved,
        }
    data["verdict"] = row.verdict.text if row.verdict else None
    data["more_games"] = row.verdict.more_games if row.verdict else None
    return data


def compare(
    game: str,
    players: Iterable[int] = (),
    variants: Iterable[str] = (),
    set: Mapping[str, Sequence[Any]] | None = None,
    games: int = GAMES,
    seed: int = SEED,
    strategies: Iterable[str] = (),
    rules: Iterable[str] = (),
    measures: Iterable[str] = (),
    margin: Mapping[str, float] | None = None,
    threads: int | None = None,
) -> Comparison:
    """Every combination of what is given, each compared with the first; `set` takes a list of values per knob."""
    load(game)
    grid = make_grid(game, players, variants, strategies, rules, set, strict=True)
    return compare_arms(grid.arms, games, seed, tuple(measures), margin, threads)


def compare_arms(
    arms: Sequence[Arm],
    games: int = GAMES,
    seed: int = SEED,
    measures: Sequence[str] = (),
    margin: Mapping[str, float] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    first: int = 0,
) -> Comparison:
    """As compare, for arms that are made already."""
    from houle.analysis.comparison.measures import check_measures, usual_measures
    from houle.analysis.comparison.verdicts import margins
    from houle.analysis.sampling.paired import STRETCH, TOGETHER, play_arms

    if not 2 <= len(arms) <= TOGETHER:
        more = "give -v, -p, -s, --rules or --set several values" if len(arms) < 2 else "a sweep takes more"
        raise RulesetError(f"a comparison has 2 to {TOGETHER} arms, this has {len(arms)}; {more}")
    check_int("games", games, 2, STRETCH)
    check_int("seed", seed, 0, MOST_SEED)
    chosen = check_measures(measures) or usual_measures([arm.setup for arm in arms])
    found = margins(margin)
    return Comparison(play_arms(arms, seed, games, threads, progress, first), chosen, found)
