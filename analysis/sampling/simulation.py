"""Many games of one setup, and what they came to: the numbers behind `houle simulate`.

from houle.analysis import simulate
simulate("wave", players=3, variants=["nazare"], set={"hand.front": 4}, games=100_000).frame()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.stats.intervals import Interval, Mean, draw_rate, known, mean_score, per, win_rate
from houle.solver.ruleset import RulesetError, Setup, make_setup

if TYPE_CHECKING:
    import pandas as pd

    from houle.solver.run import Progress, Run

GAMES = 100_000
SEED = 1
MOST_GAMES = 10**12  # sums of squared shares stay below 2^63
MOST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Side:
    """Who is scored: a seat, a team, or everyone together."""

    name: str
    seats: tuple[int, ...]
    win: Interval
    score: Mean
    histogram: Mapping[int, int]  # entries by score


@dataclass(frozen=True)
class Simulation:
    """A finished run, read as rates and means."""

    run: Run

    @property
    def setup(self) -> Setup:
        return self.run.setup

    @property
    def games(self) -> int:
        return self.run.tally.games

    @cached_property
    def sides(self) -> list[Side]:
        tally = self.run.tally
        return [
            Side(name, tuple(seats), win_rate(tally, side), mean_score(tally, side), tally.scores(side))
            for side, (name, seats) in enumerate(self.setup.game.side_names(self.setup))
        ]

    @cached_property
    def draws(self) -> Interval:
        return draw_rate(self.run.tally)

    @property
    def notes(self) -> list[str]:
        """What must be said with the numbers."""
        from houle.solver.strategies.player import CHEATS

        return [*self.setup.notes, *([CHEATS] if self.unresolved is not None else [])]

    @property
    def unresolved(self) -> float | None:
        """Share of games a clairvoyant table left open; None where nobody is clairvoyant."""
        if not any(name.startswith("clairvoyant") for name in self.run.strategies):
            return None
        return self.run.tally.unresolved / max(1, self.games)

    def mean(self, count: str) -> float:
        """Mean per game of moves, turns or rounds."""
        return per(self.run.tally, count)

    @cached_property
    def rates(self) -> dict[str, float]:
        """The game's own published means."""
        return {name: per(self.run.tally, *parts) for name, parts in self.setup.game.RATES.items()}

    @property
    def games_per_second(self) -> float:
        return self.games / self.run.seconds if self.run.seconds else 0.0

    def frame(self) -> pd.DataFrame:
        """One row per side."""
        import pandas as pd

        run, setup = self.run, self.setup
        return pd.DataFrame(
            {
                "game": setup.ruleset.name,
                "players": setup.players,
                "variants": "+".join(setup.variants) or "base",
                "strategies": ",".join(run.strategies),
                "seed": run.seed,
                "first": run.first,
                "games": self.games,
                "side": side.name,
                "seats": " ".join(map(str, side.seats)),
                "win": side.win.value,
                "win_low": side.win.low,
                "win_high": side.win.high,
                "score_name": setup.score,
                "score_n": side.score.interval.n,
                "score": side.score.interval.value,
                "score_low": side.score.interval.low,
                "score_high": side.score.interval.high,
                "score_sd": side.score.sd,
                "rules_digest": setup.digest,
                "result_digest": run.digest,
            }
            for side in self.sides
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle simulate --json` prints; what cannot be known from so few games is null."""
        run, setup = self.run, self.setup
        return {
            "game": setup.ruleset.name,
            "players": setup.players,
            "variants": list(setup.variants),
            "options": dict(setup.options),
            "strategies": list(run.strategies),
            "seed": run.seed,
            "first": run.first,
            "games": self.games,
            "rules_digest": setup.digest,
            "result_digest": run.digest,
            "notes": self.notes,
            "sides": [self._side_as_json(side) for side in self.sides],
            "draws": _rate(self.draws),
            **({"unresolved": {"rate": self.unresolved}} if self.unresolved is not None else {}),
            "moves": {"mean": known(self.mean("moves"))},
            "turns": {"mean": known(self.mean("turns"))},
            "rounds": {"mean": known(self.mean("rounds"))},
            "counts": {name: known(value) for name, value in self.rates.items()},
            "seconds": run.seconds,
            "games_per_second": self.games_per_second,
        }

    def _side_as_json(self, side: Side) -> dict[str, Any]:
        mean = side.score.interval
        return {
            "side": side.name,
            "seats": list(side.seats),
            "win": _rate(side.win),
            "score": {
                "name": self.setup.score,
                "n": mean.n,
                "mean": known(mean.value),
                "low": known(mean.low),
                "high": known(mean.high),
                "sd": known(side.score.sd),
                "histogram": {str(score): number for score, number in side.histogram.items()},
            },
        }


def _rate(interval: Interval) -> dict[str, float | None]:
    return {"rate": known(interval.value), "low": interval.low, "high": interval.high}


def line_up(strategies: str | Iterable[str], players: int) -> tuple[str, ...]:
    """One strategy per player, as it is written in full: one name stands for all of them."""
    names = (strategies,) if isinstance(strategies, str) else tuple(strategies)
    if set(names) != {"random"}:
        from houle.solver.strategies.player import parse

        names = tuple(parse(name).text for name in names)
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise RulesetError(f"strategies: {len(names)} for {players} players; allowed: one for all, or one per player")
    return names


def whole(what: str, value: int, least: int, most: int) -> int:
    """A whole number in its range, or a fault of one line."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RulesetError(f"{what}: {value!r} is not allowed; allowed: a whole number from {least} to {most}")
    return value


def simulate(
    game: str,
    players: int | None = None,
    variants: str | Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    games: int = GAMES,
    seed: int = SEED,
    strategies: str | Iterable[str] = "random",
    rules: str | Path | Iterable[str | Path] | None = None,
    first: int = 0,
    threads: int | None = None,
    precision: float | None = None,
) -> Simulation:
    """Plays games first .. first + games - 1 of a seed; the same numbers on any machine and with any threads.

    With a `precision` it plays until every side's win rate is known to that many percentage points, instead.
    `set` turns knobs, `rules` names one's own variant file; a fault in either is a RulesetError of one line.
    """
    names = (variants,) if isinstance(variants, str) else variants
    setup = make_setup(game, players, names, set, rules, place="set")
    if precision is not None:
        from houle.analysis.sampling.precision import simulate_precisely

        return simulate_precisely(setup, precision, seed, strategies, first, threads)
    return simulate_setup(setup, games, seed, strategies, first, threads)


def simulate_setup(
    setup: Setup,
    games: int = GAMES,
    seed: int = SEED,
    strategies: str | Iterable[str] = "random",
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """As simulate, for a setup that is made already."""
    whole("games", games, 1, MOST_GAMES)
    whole("first", first, 0, MOST_GAMES)
    whole("seed", seed, 0, MOST_SEED)
    names = line_up(strategies, setup.players)
    from houle.solver.run import play

    return Simulation(play(setup, names, seed, games, first, threads, progress=progress))
