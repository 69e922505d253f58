"""Functions by the names and calls of 0.1.0, on top of those of today; they go with the next release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from houle.analysis.fairness.balance import Balance, balance
from houle.analysis.fairness.custom_opening import CustomOpening, play_opening
from houle.analysis.fairness.openings import Openings, read_openings
from houle.analysis.limits import ABLATION_GAMES, GAMES, SEED, SKILL_GAMES, SKILL_SEARCH_GAMES, SKILL_TAKES
from houle.analysis.result import shown_side
from houle.analysis.strategy.ablation import Ablation, play_restricted
from houle.analysis.strategy.luck import Luck, luck_shares
from houle.analysis.strategy.skill import FAIR, Skill, plan_skill, play_skill
from houle.analysis.strategy.skill_gap import SkillGap, skill_gap
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.names import Strategy, parse
from houle.solver.strategies.player import LineUp

Names = str | Iterable[str] | None


def read_balance(
    setup: Setup,
    games: int = GAMES,
    seed: int = SEED,
    strategies: Names = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Balance:
    """`balance` now."""
    return balance(setup, strategies=strategies, games=games, seed=seed, threads=threads, progress=progress)


def read_setups(
    setup: Setup,
    games: int = GAMES,
    seed: int = SEED,
    strategies: Names = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Openings:
    """`openings` now."""
    return read_openings(setup, strategies, games, seed, threads, progress)


def play_arranged(
    setup: Setup,
    wish: str,
    games: int = GAMES,
    seed: int = SEED,
    strategies: Names = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CustomOpening:
    """`openings(setup, opening=...)` now, whose seats count from 1; here they count from 0."""
    text = wish if ":" in wish else Path(wish).read_text(encoding="utf-8")
    return play_opening(setup, shown_side(text), strategies, games, seed, threads, progress)


def measure_skill(
    setup: Setup,
    fair: Sequence[str] | Sequence[Strategy] = FAIR,
    deals: int = SKILL_GAMES,
    search_deals: int = SKILL_SEARCH_GAMES,
    takes: int = SKILL_TAKES,
    mixed: Sequence[str] = (),
    seed: int = SEED,
    threads: int | None = None,
    told: Callable[[int, float, str], None] | None = None,
) -> Skill:
    """`skill` now."""
    plan = plan_skill(setup, fair, deals, search_deals, takes, mixed)
    return play_skill(plan, seed, threads, (lambda done, seconds: told(done, seconds, "")) if told else None)


def measure_luck(
    setup: Setup,
    players: LineUp,
    deals: int,
    takes: int = SKILL_TAKES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Luck | None:
    """`skill(...).alike` and `.mixed` now."""
    return luck_shares(setup, players, deals, takes, seed, threads, progress)


def relative_skill(
    setup: Setup,
    lowest: Strategy,
    best: Strategy,
    deals: int,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SkillGap | None:
    """`skill(...).gap` now."""
    return skill_gap(setup, lowest, best, deals, seed, threads, progress)


def restrict(
    setup: Setup,
    strategy: str | Strategy = "thumb",
    never: Iterable[str] | None = None,
    without: Iterable[str] | None = None,
    deals: int = ABLATION_GAMES,
    seed: int = SEED,
    threads: int | None = None,
    told: Callable[[int, float, int], None] | None = None,
) -> Ablation:
    """`ablate` now."""
    free = parse(strategy) if isinstance(strategy, str) else strategy
    watched = Counting(told) if told else None
    return play_restricted(setup, free, never, without, deals, seed, threads, watched)


@dataclass
class Counting:
    """A listener of 0.1.0, which is told with every call how many games there will be."""

    told: Callable[[int, float, int], None]
    games: int = 0

    def expect(self, games: int) -> None:
        self.games = games

    def __call__(self, done: int, seconds: float) -> None:
        self.told(done, seconds, self.games)
