"""What is tuned, against whom and how long: the task of `houle tune`, checked.

Seeds from TRAINING_SEED on are for tuning and nothing else; what is shown comes from seeds below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from houle.analysis.limits import (
    CHECK_GAMES,
    CHECK_SEED,
    TRAINING_SEED,
    TUNING_GAMES,
    TUNING_GENERATIONS,
    TUNING_POPULATION,
)
from houle.analysis.result import command_line, words_of_setup
from houle.analysis.sampling.same_deals import Arm, Deals, against, same_deals
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup
from houle.solver.strategies.names import Strategy, parse
from houle.solver.strategies.player import player_record, weights_entry

FINAL = 8  # times the deals of a generation, for the final choice and its comparison
NOVICE_STEPS = 9  # temperatures tried, twice
SAMPLE = 400  # deals that tell how long it will take
LOST_UTILITY = 0.1  # weight of a lost game's worth, where there is nobody to win against: a slope to climb from nothing


@dataclass(frozen=True)
class TuningTask:
    """What to tune, against whom, and how long."""

    setup: Setup
    name: str = "thumb"
    generations: int = TUNING_GENERATIONS
    population: int = TUNING_POPULATION
    games: int = TUNING_GAMES  # deals a candidate plays in a generation
    seed: int = TRAINING_SEED
    opponents: tuple[str, ...] = ()  # the others at the table, each kind in turn; by default the present weights
    fresh: bool = False  # start from nothing
    minutes: float | None = None
    check_seed: int = CHECK_SEED
    check_games: int = CHECK_GAMES
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.seed < TRAINING_SEED:
            allowed = f"{TRAINING_SEED} and above; the seeds below are for evaluation"
            raise InputError(f"seed: {self.seed} is not allowed; allowed for tuning: {allowed}")
        if not 0 <= self.check_seed < TRAINING_SEED:
            raise InputError(f"check_seed: {self.check_seed} is not allowed; allowed: 0 to {TRAINING_SEED - 1}")
        if self.name in ("greedy", "novice", "random"):
            raise InputError(f"name: {self.name} is not tuned; allowed: thumb, rival or a name of your own")
        if not self.setup.game.has_features:
            raise InputError(f"{self.setup.ruleset.name} has no rules of thumb to tune")
        _ = self.others

    @cached_property
    def present(self) -> Strategy | None:
        """The player as its weights file has it, if it has."""
        strategy = parse("thumb" if self.name == "thumb" else f"thumb[weights={self.name}]")
        return strategy if _exists(strategy, self.setup) else None

    @cached_property
    def others(self) -> tuple[Strategy, ...]:
        """Who sits on the other sides; nobody where the players are one side."""
        if self.setup.one_sided:
            if self.opponents:
                raise InputError("opponents: all players are on one side at this table")
            return ()
        if self.opponents:
            opponents = tuple(parse(text) for text in self.opponents)
            for strategy in opponents:
                player_record(strategy, self.setup)
            return opponents
        if self.present:
            return (self.present,)
        greedy = parse("greedy")
        return (greedy if _exists(greedy, self.setup) else parse("random"),)

    @property
    def plays(self) -> int:
        """Games a candidate plays on one deal."""
        return max(1, len(self.others)) * (len(self.setup.seats_by_side) if self.others else 1)

    @property
    def total_games(self) -> int:
        """Of the whole tuning, about: the search, the choice, the comparison, the novice, the measurement."""
        finals = FINAL * self.games * (4 + 2 + NOVICE_STEPS * 2)
        return self.plays * (self.generations * self.population * self.games + finals) + 2 * self.check_games

    def expected_seconds(self) -> float:
        """Wall time of the whole tuning, as a few deals predict."""
        arm = self.arm(self.present or thumb({}))
        rate = SAMPLE * len(arm) / same_deals(self.setup, [arm], self.seed, SAMPLE, 0, self.threads).seconds
        return self.total_games / rate

    @property
    def last_seed(self) -> int:
        """The last training seed."""
        return self.seed + self.generations + 2

    def words(self) -> list[str]:
        """The task as words of a command line, beside its table."""
        words = ["--weights", self.name, "--generations", str(self.generations), "--population", str(self.population)]
        words += ["-n", str(self.games)]
        words += [word for other in self.opponents for word in ("--opponent", other)]
        words += ["--from-scratch"] if self.fresh else []
        return [*words, "--check-seed", str(self.check_seed), "--check-games", str(self.check_games)]

    @property
    def command(self) -> str:
        """The command that does exactly this."""
        return command_line(["tune", *words_of_setup(self.setup), *self.words(), "--seed", str(self.seed)], self.setup)

    def arm(self, strategy: Strategy) -> Arm:
        """A candidate's plays of one deal: against each kind of opponents, from every side."""
        if not self.others:
            return against(self.setup, strategy, None)
        return [play for other in self.others for play in against(self.setup, strategy, other)]

    def objective(self, deals: Deals, arm: int) -> float:
        return deals.share(arm) + (0.0 if self.others else LOST_UTILITY * deals.utility(arm))


def _exists(strategy: Strategy, setup: Setup) -> bool:
    try:
        weights_entry(strategy, setup)
    except InputError:
        return False
    return True


def thumb(weights: dict[str, int], temperature: float = 0.0) -> Strategy:
    """A thumb with weights that are in no file."""
    return Strategy("thumb", "thumb", 0, {"temperature": temperature}, {"weights": weights})
