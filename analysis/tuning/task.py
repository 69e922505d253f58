"""What is tuned, against whom and how long: the task of `houle tune`, checked.

Seeds from TRAINING on are for tuning and nothing else; what is shown comes from seeds below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from houle.analysis.sampling.same_deals import Arm, Deals, against, seats_of
from houle.solver.ruleset import RulesetError, Setup
from houle.solver.strategies.player import Strategy, parse

TRAINING = 1000
CHECK_SEED = 7
CHECK_GAMES = 20_000
FINAL = 8  # times the deals of a generation, for the final choice and its comparison
NOVICE_STEPS = 9  # temperatures tried, twice
SMALL = 0.1  # weight of the worth of a lost game, where there is nobody to win against: a slope to climb from nothing


@dataclass(frozen=True)
class Task:
    """What to tune, against whom, and how long."""

    setup: Setup
    name: str
    generations: int
    population: int
    games: int  # deals a candidate plays in a generation
    seed: int = TRAINING
    opponents: tuple[str, ...] = ()  # the others at the table, each kind in turn; by default the present weights
    fresh: bool = False  # start from nothing
    minutes: float | None = None
    check_seed: int = CHECK_SEED
    check_games: int = CHECK_GAMES
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.seed < TRAINING:
            allowed = f"{TRAINING} and above; the seeds below are for evaluation"
            raise RulesetError(f"--seed: {self.seed} is not allowed; allowed for tuning: {allowed}")
        if not 0 <= self.check_seed < TRAINING:
            raise RulesetError(f"--check-seed: {self.check_seed} is not allowed; allowed: 0 to {TRAINING - 1}")
        if self.name in ("greedy", "novice", "random"):
            raise RulesetError(f"--name: {self.name} is not tuned; allowed: thumb, rival or a name of your own")
        if not self.setup.game.has_features:
            raise RulesetError(f"{self.setup.ruleset.name} has no rules of thumb to tune")
        _ = self.others

    @cached_property
    def present(self) -> Strategy | None:
        """The player as its weights file has it, if it has."""
        strategy = parse("thumb" if self.name == "thumb" else f"thumb[weights={self.name}]")
        return strategy if _exists(strategy, self.setup) else None

    @cached_property
    def others(self) -> tuple[Strategy, ...]:
        """Who sits on the other sides; nobody where the players are one side."""
        if len(seats_of(self.setup)) == 1:
            if self.opponents:
                raise RulesetError("--opponent: all players are on one side at this table")
            return ()
        if self.opponents:
            found = tuple(parse(text) for text in self.opponents)
            for strategy in found:
                strategy.record(self.setup)
            return found
        if self.present:
            return (self.present,)
        greedy = parse("greedy")
        return (greedy if _exists(greedy, self.setup) else parse("random"),)

    @property
    def plays(self) -> int:
        """Games a candidate plays on one deal."""
        return max(1, len(self.others)) * (len(seats_of(self.setup)) if self.others else 1)

    @property
    def total_games(self) -> int:
        """Of the whole tuning, about: the search, the choice, the comparison, the novice, the measurement."""
        finals = FINAL * self.games * (4 + 2 + NOVICE_STEPS * 2)
        return self.plays * (self.generations * self.population * self.games + finals) + 2 * self.check_games

    def arm(self, strategy: Strategy) -> Arm:
        """A candidate's plays of one deal: against each kind of opponents, from every side."""
        if not self.others:
            return against(self.setup, strategy, None)
        return [play for other in self.others for play in against(self.setup, strategy, other)]

    def objective(self, deals: Deals, arm: int) -> float:
        return deals.share(arm) + (0.0 if self.others else SMALL * deals.worth(arm))


def _exists(strategy: Strategy, setup: Setup) -> bool:
    try:
        strategy.weights_entry(setup)
    except RulesetError:
        return False
    return True


def thumb(weights: dict[str, int], temperature: float = 0.0) -> Strategy:
    """A thumb with weights that are in no file."""
    return Strategy("thumb", "thumb", 0, {"temperature": temperature}, {"weights": weights})
