"""How hard a table is, for whom: random, beginner, rules of thumb, search and the bound on the same deals.

from houle.analysis import bracket
bracket("wave", players=3, variants=["virage"]).frame()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.words import Band, bands, difficulty_span, role
from houle.analysis.limits import MOST_GAMES, MOST_SEED, SEED, check_int
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.intervals import Interval, mean_score, plain, score_quantile, score_share, win_rate
from houle.solver.ruleset import RulesetError, Setup, digest, make_setup

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.comparison.findings import Finding
    from houle.analysis.sampling.paired import Played
    from houle.solver.run import Progress
    from houle.solver.tally import Tally

RUNGS = ("random", "novice", "thumb", "flat:100", "clairvoyant")
DEALS, SEARCH_DEALS = 20_000, 400
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


@dataclass(frozen=True)
class Bracket:
    """A table's difficulty from below to above."""

    setup: Setup
    played: tuple[Played, ...]  # quick strategies on all the deals, those that search on the first of them
    left_out: tuple[tuple[str, str], ...]  # strategy, why

    @property
    def interrupted(self) -> bool:
        return any(part.interrupted for part in self.played)

    @property
    def seed(self) -> int:
        return self.played[0].seed

    @property
    def digest(self) -> str:
        return digest([part.digest for part in self.played])

    @property
    def seconds(self) -> float:
        return sum(part.seconds for part in self.played)

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
        from houle.analysis.comparison.findings import all_findings

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
        setup = self.setup
        row: dict[str, Any] = {
            "game": setup.ruleset.name,
            "players": setup.players,
            "variants": "+".join(setup.variants) or "base",
            "strategy": level.strategy,
            "role": level.role,
            "n": level.tally.games,
            "word": level.word,
            "score_name": setup.score,
        }
        estimates = {"win": level.win, "score": level.score}
        estimates |= {f"score_q{round(100 * q)}": found for q, found in level.quantiles.items()}
        names = (f"band_{band.label}" for band in level.bands)
        estimates |= dict(zip(names, level.shares, strict=True))
        for name, found in estimates.items():
            row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        return {**row, "seed": self.seed, "rules_digest": setup.digest, "result_digest": self.digest}

    def as_json(self) -> dict[str, Any]:
        """The object that `houle bracket --json` prints."""
        setup = self.setup
        return {
            "game": setup.ruleset.name,
            "players": setup.players,
            "variants": list(setup.variants),
            "options": setup.shown_options,
            "seed": self.seed,
            "score": setup.score,
            "rules_digest": setup.digest,
            "result_digest": self.digest,
            "notes": list(setup.notes),
            "verdict": self.verdict,
            "levels": [
                {
                    "strategy": level.strategy,
                    "role": level.role,
                    "word": level.word or None,
                    "n": level.tally.games,
                    "win": plain(level.win),
                    "score": plain(level.score),
                    "quantiles": {str(q): plain(found) for q, found in level.quantiles.items()},
                    "bands": [
                        {"band": band.label, "word": band.word, **plain(found)}
                        for band, found in zip(level.bands, level.shares, strict=True)
                    ],
                    "histogram": {str(score): number for score, number in level.tally.scores(0).items()},
                }
                for level in self.levels
            ],
            "left_out": [{"strategy": text, "why": why} for text, why in self.left_out],
            "findings": [finding.as_json() for finding in self.findings],
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


def _percent(found: Interval) -> str:
    return f"{100 * found.value:.3g}% ({100 * found.low:.3g} to {100 * found.high:.3g})"


def levels_of(setup: Setup, texts: Sequence[str] = ()) -> tuple[list[list[Arm]], list[tuple[str, str]]]:
    """The arms that are quick and those that search, and why some strategies are left out."""
    from houle.analysis.sampling.same_deals import seats_of
    from houle.analysis.strategy.ladder import playable
    from houle.solver.strategies.names import KINDS, THUMB
    from houle.solver.strategies.player import seat_strategies

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
        names = seat_strategies(setup, [strategy.text]).names
        stages[KINDS[strategy.name] > THUMB].append(Arm(setup, names, {}, strategy.text))
    return [stage for stage in stages if stage], left_out


def bracket(
    game: str,
    players: int | None = None,
    variants: str | Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    games: int = DEALS,
    search_games: int = SEARCH_DEALS,
    seed: int = SEED,
    strategies: Sequence[str] = (),
    rules: str | Iterable[str] | None = None,
    threads: int | None = None,
) -> Bracket:
    """How hard a table is; strategies that search play the first `search_games` of the deals."""
    names = (variants,) if isinstance(variants, str) else variants
    setup = make_setup(game, players, names, set, rules, place="set")
    return bracket_setup(setup, games, search_games, seed, strategies, threads)


def bracket_setup(
    setup: Setup,
    games: int = DEALS,
    search_games: int = SEARCH_DEALS,
    seed: int = SEED,
    strategies: Sequence[str] = (),
    threads: int | None = None,
    progress: Progress | None = None,
) -> Bracket:
    """As bracket, for a setup that is made already."""
    from houle.analysis.sampling.paired import after, play_arms

    check_int("games", games, 2, MOST_GAMES)
    check_int("search_games", search_games, 1, MOST_GAMES)
    check_int("seed", seed, 0, MOST_SEED)
    stages, left_out = levels_of(setup, strategies)
    parts: list[Played] = []
    for arms in stages:
        if parts and parts[-1].interrupted:
            break
        number = stage_games(arms, games, search_games)
        told = after(progress, sum(part.games for part in parts), 1, sum(part.seconds for part in parts))
        parts.append(play_arms(arms, seed, number, threads, told))
    return Bracket(setup, tuple(parts), tuple(left_out))


def stage_games(arms: Sequence[Arm], games: int, search_games: int) -> int:
    """Deals of a stage: fewer where a move takes a search."""
    from houle.solver.strategies.names import THUMB

    return min(games, search_games) if max(arm.line_up.level for arm in arms) > THUMB else games
