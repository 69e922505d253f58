"""How hard a table is, for whom: random, beginner, rules of thumb, search and the bound on the same deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.findings import Finding, all_findings
from houle.analysis.comparison.words import Band, bands, difficulty_span, role
from houle.analysis.limits import DEALS, MOST_GAMES, MOST_SEED, SEARCH_DEALS, SEED, check_int
from houle.analysis.result import Facts, Result, interval_as_json, interval_columns
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.lineups import as_setup, line_up
from houle.analysis.sampling.paired import Played, play_arms
from houle.analysis.sampling.progress import part_of
from houle.analysis.sampling.same_deals import seats_of
from houle.analysis.stats.intervals import Interval, mean_score, score_quantile, score_share, win_rate
from houle.analysis.strategy.ladder import playable
from houle.solver.ruleset import RulesetError, Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import KINDS, THUMB, split
from houle.solver.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

RUNGS = ("random", "novice", "thumb", "flat:100", "clairvoyant")
QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True)
class Level:
    """What one kind of player makes of the table."""

    strategy: str
    role: str
    tally: Tally
    bands: tuple[Band, ...]

    @cached_property
    def win(self) -> Interval:
        return win_rate(self.tally, 0)

    @cached_property
    def score(self) -> Interval:
        return mean_score(self.tally, 0).interval

    @cached_property
    def quantiles(self) -> dict[float, Interval]:
        return {q: score_quantile(self.tally, 0, q) for q in QUANTILES}

    @cached_property
    def shares(self) -> list[Interval]:
        """Of the rulebook's bands."""
        return [score_share(self.tally, 0, band.low, band.high) for band in self.bands]

    @property
    def word(self) -> str:
        """`hard`; what a bound could win says nothing about how hard it is."""
        return "" if self.strategy.startswith("clairvoyant") else difficulty_span(self.win)


@dataclass(frozen=True, repr=False)
class Bracket(Result):
    """A table's difficulty from below to above. Its games are those of the strategies that are quick."""

    table: Setup
    played: tuple[Played, ...]  # quick strategies on all the deals, those that search on the first of them
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    numbers: tuple[int, int]  # deals that were asked for, and how many of them for strategies that search

    command = "bracket"

    @cached_property
    def facts(self) -> Facts:
        quick = self.played[0]
        names = tuple(arm.label for part in self.played for arm in part.arms)
        seconds = sum(part.seconds for part in self.played)
        name = digest([part.digest for part in self.played])
        return Facts(self.table, names, quick.seed, quick.lots[0].number, quick.asked, seconds, name)

    @property
    def interrupted(self) -> bool:
        return any(part.interrupted for part in self.played)

    @property
    def games_per_second(self) -> float:
        played = sum(part.games for part in self.played)
        return played / self.seconds if self.seconds else 0.0

    def count_words(self) -> list[str]:
        games, searched = self.numbers
        for part in self.played:
            number = part.lots[0].number
            games, searched = (games, number) if searching(part.arms) else (number, searched)
        return ["-n", str(games), "--search-games", str(searched)]

    def interruption(self, again: str) -> str:
        counted = ", ".join(f"{part.lots[0].number:,} of {part.asked:,}" for part in self.played)
        return f"{counted} deals are counted; exactly this part again: {again}"

    @cached_property
    def levels(self) -> list[Level]:
        """From the weakest; those of which a game was played."""
        own = tuple(bands(self.setup))
        return [
            Level(arm.label, role(arm.label), part.tally(i), own)
            for part in self.played
            for i, arm in enumerate(part.arms)
            if part.tally(i).games
        ]

    @cached_property
    def findings(self) -> list[Finding]:
        return [finding for part in self.played for finding in all_findings(part)]

    @cached_property
    def verdict(self) -> list[str]:
        """The table in sentences."""
        lines = [f"{level.word} for {level.role}: {_percent(level.win)}" for level in self.levels if level.word]
        bound = next((level for level in self.levels if not level.word), None)
        said = ["; ".join(lines)] if lines else []
        if bound is not None:
            undecided = " or undecided" if bound.tally.unresolved else ""
            said.append(f"{_percent(bound.win)} of the deals can be won at all; the rest is lost{undecided}")
        return said

    def frame(self) -> pd.DataFrame:
        """One row per strategy."""
        import pandas as pd

        return pd.DataFrame([self._row(level) for level in self.levels])

    def _row(self, level: Level) -> dict[str, Any]:
        estimates = {"win": level.win, "score": level.score}
        estimates |= {f"score_q{round(100 * q)}": found for q, found in level.quantiles.items()}
        names = (f"band_{band.label}" for band in level.bands)
        estimates |= dict(zip(names, level.shares, strict=True))
        return {
            **self.table_columns(),
            "games": level.tally.games,
            "strategy": level.strategy,
            "role": level.role,
            "n": level.tally.games,
            "word": level.word,
            "score_name": self.setup.score,
            **{key: end for name, found in estimates.items() for key, end in interval_columns(name, found).items()},
            **self.digest_columns(),
        }

    def as_json(self) -> dict[str, Any]:
        """The object that `houle bracket --json` prints."""
        return {
            **self.head(),
            "score": self.setup.score,
            "verdict": self.verdict,
            "levels": [
                {
                    "strategy": level.strategy,
                    "role": level.role,
                    "word": level.word or None,
                    "n": level.tally.games,
                    "win": interval_as_json(level.win),
                    "score": interval_as_json(level.score),
                    "quantiles": {str(q): interval_as_json(found) for q, found in level.quantiles.items()},
                    "bands": [
                        {"band": band.label, "word": band.word, **interval_as_json(found)}
                        for band, found in zip(level.bands, level.shares, strict=True)
                    ],
                    "histogram": {str(score): number for score, number in level.tally.scores(0).items()},
                }
                for level in self.levels
            ],
            "left_out": [{"strategy": text, "why": why} for text, why in self.left_out],
            "findings": [finding.as_json() for finding in self.findings],
        }


def _percent(found: Interval) -> str:
    return f"{100 * found.value:.3g}% ({100 * found.low:.3g} to {100 * found.high:.3g})"


def levels_of(setup: Setup, texts: Sequence[str] = ()) -> tuple[list[list[Arm]], list[tuple[str, str]]]:
    """The arms that are quick and those that search, and why some strategies are left out."""
    if len(seats_of(setup)) > 1:
        name = setup.ruleset.name
        raise RulesetError(
            f"{name}: players compete at this table, so it is not hard or easy as such; see houle ladder {name}"
        )
    found, left_out = playable(setup, texts or RUNGS)
    stages: list[list[Arm]] = [[], []]
    for strategy in found:
        if not texts and strategy.name == "clairvoyant" and not setup.game.has_solver:
            left_out.append((strategy.text, "the game has no exact solver"))
            continue
        names = line_up(setup, strategy.text).names
        stages[KINDS[strategy.name] > THUMB].append(Arm(setup, names, {}, strategy.text))
    return [stage for stage in stages if stage], left_out


def stages_of(
    setup: Setup, strategies: str | Iterable[str] | None, games: int, search_games: int
) -> tuple[list[tuple[list[Arm], int]], list[tuple[str, str]]]:
    """What is played: arms and how many deals of each; fewer where a move takes a search. And what is left out."""
    given = (strategies,) if isinstance(strategies, str) else tuple(strategies or ())
    stages, left_out = levels_of(setup, [part for text in given for part in split(text)])
    return [(arms, min(games, search_games) if searching(arms) else games) for arms in stages], left_out


def searching(arms: Sequence[Arm]) -> bool:
    return max(arm.line_up.level for arm in arms) > THUMB


def bracket(
    setup: Setup | str,
    *,
    strategies: str | Iterable[str] | None = None,
    games: int = DEALS,
    search_games: int = SEARCH_DEALS,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
    **old: Any,
) -> Bracket:
    """Say how hard a table is, and for whom: from play at random up to what nobody can beat.

    For games that a team or a player alone wins or loses.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Other players than random, novice, thumb, search and the clairvoyant bound, from the weakest.
    games, search_games : int
        How many deals, and how many of them for strategies that search.
    seed : int
        Names the deals.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Bracket
        With `.levels`, `.verdict`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> from houle import analysis as houle
    >>> result = houle.bracket(houle.setup("wave"), strategies=["random", "thumb"], games=4_000)
    >>> [(level.strategy, level.word) for level in result.levels]
    [('random', 'all but impossible'), ('thumb', 'hard')]
    """
    table = as_setup(setup, old)
    check_int("games", games, 2, MOST_GAMES)
    check_int("search_games", search_games, 1, MOST_GAMES)
    check_int("seed", seed, 0, MOST_SEED)
    stages, left_out = stages_of(table, strategies, games, search_games)
    parts: list[Played] = []
    for arms, number in stages:
        if parts and parts[-1].interrupted:
            break
        told = part_of(progress, sum(part.games for part in parts), sum(part.seconds for part in parts))
        parts.append(play_arms(arms, seed, number, threads, told))
    return Bracket(table, tuple(parts), tuple(left_out), (games, search_games))
