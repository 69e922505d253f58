"""`simulate`: play a fixed number of games, play until win rates are precise, or rotate a line-up over the seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_GAMES
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.result import Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.plan import Plan, play_pilot
from houle.analysis.sampling.rotation import Rotation, rotate_line_up
from houle.analysis.sampling.simulation import Side, Simulation
from houle.analysis.stats.confidence_sequences import Prefix, boundaries, is_look
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.width import forecast
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup
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


@checked
def simulate(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    precision: float | None = None,
    rotate: bool = False,
    **run: Unpack[RunOptions],
) -> Simulation | Rotation:
    """Play many games of a setup: win rates and scores, with 95% intervals.

    Parameters
    ----------
    precision : float, optional
        Play until every side's win rate is known to this many percentage points, at most `games` games.
    rotate : bool
        Play every deal once per seat, moving the line-up by one seat each time.
    games : int
        100,000 by default; deals, with `rotate`.

    Returns
    -------
    Simulation or Rotation
        With `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.simulate(houle.setup("wave", players=3), strategies="thumb", games=2_000)
    >>> result
    Simulation(wave, 3 players, thumb: win ...% (... to ...), 2,000 games)
    >>> result.games, result.sides[0].name
    (2000, 'team')
    >>> result.repeat()
    'houle simulate wave -p 3 -s thumb -n 2000 --seed 1'
    """
    seated = line_up(as_setup(setup), strategies)
    if precision is not None:
        if rotate:
            raise InputError("rotate: not possible together with precision; give the number of deals")
        return simulate_precisely(seated, precision, RunSpec.of(run, MOST_GAMES))
    spec = RunSpec.of(run)
    return rotate_line_up(seated, spec) if rotate else Simulation(play_line_up(seated, spec))
