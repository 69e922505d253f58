"""Play until the win rates are precise enough: `houle simulate --precision`.

The run is checked after 1,000 games and then after every 2% more, and ends when every side's win rate has the wanted
half-width. It stops on width only, so ordinary intervals hold (see stats/width.py). A run that was stopped by hand
shows confidence sequences instead, which hold at any time (see stats/confidence_sequences.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from houle.analysis.limits import MOST_GAMES
from houle.analysis.result import Record
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.plan import Plan, play_pilot
from houle.analysis.sampling.simulation import Side, Simulation
from houle.analysis.stats.confidence_sequences import Prefix, boundaries, is_look
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.width import forecast
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp
from houle.solver.run import Run, default_threads
from houle.solver.run.chunks import CHUNK_SECONDS
from houle.solver.run.tally import Tally

FINEST, COARSEST = 0.001, 50.0  # percentage points; a finer precision would need too many games


@dataclass(frozen=True, repr=False)
class PreciseSimulation(Simulation):
    """A run that stopped when it was precise enough, or was interrupted before."""

    prefix: Prefix
    most: int = MOST_GAMES  # games allowed

    @cached_property
    def sides(self) -> list[Side]:
        prefix = self.prefix
        win, score = (prefix.win, prefix.score) if self.interrupted else (prefix.win_at_stop, prefix.score_at_stop)
        return [
            Side(name, tuple(seats), win(side), score(side), self.run.tally.scores(side))
            for side, (name, seats) in enumerate(self.setup.game.side_names(self.setup))
        ]

    @cached_property
    def draws(self) -> Estimate:
        return self.prefix.draws() if self.interrupted else self.prefix.draws_at_stop()

    @property
    def verdict(self) -> str:
        """Whether the precision is reached, in one line."""
        asked, half = self.prefix.tuning.precision, self.prefix.half
        reached = "is reached" if self.prefix.reached else f"is not reached (now {half:.3g})"
        return f"sure     +- {asked:g} points {reached}"

    def words(self) -> list[str]:
        return ["--precision", f"{self.prefix.tuning.precision:g}"]

    def count_words(self) -> list[str]:
        if self.interrupted:
            return super().count_words()
        return ["-n", str(self.most)] if self.most != MOST_GAMES else []

    def summary(self) -> Record:
        return {
            **super().summary(),
            "precision": {
                "asked": self.prefix.tuning.precision,
                "half_width": self.prefix.half,
                "reached": self.prefix.reached,
                "intervals": "sequence" if self.interrupted else "fixed",
            },
        }


def check_precision(value: Any) -> float:
    """Checks how precise a run should be (half the width of an interval, in points); InputError if not allowed."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not FINEST <= value <= COARSEST:
        allowed = f"percentage points from {FINEST} to {COARSEST:.0f}"
        raise InputError(f"precision: {value!r} is not allowed; allowed: {allowed}")
    return float(value)


def simulate_precisely(line_up: LineUp, precision: float, spec: RunSpec) -> PreciseSimulation:
    """Play until every side's win rate is known to +- `precision` percentage points, at most the games of the run.

    At every check, the progress hears of the forecast number of games.
    """
    check_precision(precision)
    workers = spec.threads or default_threads()
    prefix = Prefix(precision, Tally.empty(line_up.setup))
    seconds, rate, asked = 0.0, 0.0, spec.games
    shares = play_pilot(line_up, spec.seed, boundaries(spec.games)[0]).shares
    likely = max(forecast(share, precision, spec.games) for share in shares)
    spec.begin(Plan.of(("", [line_up], likely)))
    for end in boundaries(spec.games):
        done = prefix.tally.games
        # Small chunks, so that no thread waits long for the last chunk before a look.
        chunk = max(1, min((end - done) // (4 * workers), int(rate * CHUNK_SECONDS / workers)))
        here = spec.part(end - done, done)
        part = play_line_up(line_up, here, chunk if rate else None)
        prefix.add(part.tally)
        seconds += part.seconds
        rate = part.tally.games / part.seconds if part.seconds else rate
        if part.interrupted:
            break
        if is_look(end, spec.games):
            if prefix.reached:
                asked = end
                break
            spec.expect(expected(prefix, spec.games))
    run = Run(line_up.setup, line_up, spec.seed, spec.first, prefix.tally, asked, seconds)
    return PreciseSimulation(run, prefix, spec.games)


def expected(prefix: Prefix, most: int) -> int:
    """The forecast number of games, from the rates so far."""
    rates = [prefix.win_at_stop(side).value for side in range(len(prefix.scores))]
    return max(forecast(rate, prefix.tuning.precision, most) for rate in rates)
