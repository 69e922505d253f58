"""Games that grow while one watches: results so far, with intervals that hold at every look.

Games are added up to fixed counts, so what is shown after n games depends on n only, and the digest is that of a
command that plays n games at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from houle.analysis.fairness.balance import CourseSums, sum_course
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import LEDGER, Chunk, Play
from houle.analysis.sampling.clustered_deals import Deals, same_deals
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.rotation import Rotation, rotated
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.confidence_sequences import BetTuning, Prefix, Start, rate_sequence
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.compiler.kernels import JIT
from houle.solver.players.names import THUMB
from houle.solver.rules import Setup
from houle.solver.run import Run, default_threads
from houle.solver.run.tally import Tally, blank_ledger

UNCOMPILED_ENDS = () if JIT else (4, 12, 40, 120)  # so that a first number is there after seconds
ENDS = (
    *UNCOMPILED_ENDS,
    300,
    1_000,
    *(1_000 * 2**i for i in range(1, 10)),
)  # games after which results of fast players are shown
SEARCH_ENDS = (4, 8, 16, 32, 64, 96, 128, 192, 256)  # the same for players that search
PRECISION = 1.0  # percentage points at which the intervals are narrowest compared with others
CHUNK_SECONDS = 0.1  # a change of the rules waits at most about so long

Stop = Callable[[], bool]


def ends_of(searches: bool) -> Sequence[int]:
    return SEARCH_ENDS if searches else ENDS


@dataclass
class _Both:
    """What is kept of a chunk: the tally, and the course of its games."""

    tally: Tally
    course: CourseSums

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, other: _Both) -> None:
        self.tally.add(other.tally)
        self.course.add(other.course)


class Growing:
    """Games of one line-up."""

    def __init__(self, setup: Setup, strategies: str, seed: int) -> None:
        self.line_up = line_up(setup, strategies)
        self.setup, self.seed = setup, seed
        self.prefix = Prefix(PRECISION, Tally.empty(setup))
        self.course = self._course(0, None)
        self.seconds = 0.0

    def _course(self, draws: int, ledger: object) -> CourseSums:
        rows = blank_ledger(0, int(self.setup.rules[0].sides)) if ledger is None else ledger
        return sum_course(rows, self.setup, draws)

    @property
    def searches(self) -> bool:
        return self.line_up.level > THUMB

    @property
    def games(self) -> int:
        return self.prefix.tally.games

    def play(self, end: int, stop: Stop) -> bool:
        total = _Both(Tally.empty(self.setup), self._course(0, None))

        def fold(chunks: list[Chunk], _: int) -> _Both:
            return _Both(chunks[0].tally, self._course(chunks[0].tally.draws, chunks[0].ledger))

        number = end - self.games
        spec = RunSpec(number, self.seed, self.games, progress=_stopping(stop))
        chunk = _chunk(number, self.games, self.seconds)
        self.seconds += play_games([Play(self.line_up)], spec, fold, total, LEDGER, chunk)
        if total.games < number:
            return False
        self.prefix.add(total.tally)
        self.course.add(total.course)
        return True

    def win(self, side: int = 0) -> Estimate:
        return self.prefix.win(side)

    @property
    def result(self) -> Simulation:
        return Simulation(Run(self.setup, self.line_up, self.seed, 0, self.prefix.tally, self.games, self.seconds))


class GrowingRotation:
    """One player among others, in every seat in turn; games are deals."""

    def __init__(self, setup: Setup, player: str, others: str, seed: int) -> None:
        self.line_up = line_up(setup, [player, *[others] * (setup.players - 1)])
        self.setup, self.seed = setup, seed
        self.arms = rotated(self.line_up)
        self.deals = Deals.empty(tuple(map(len, self.arms)))
        self.start: Start | None = None
        self.seconds = 0.0

    @property
    def searches(self) -> bool:
        return self.line_up.level > THUMB

    @property
    def games(self) -> int:
        return self.deals.number

    def play(self, end: int, stop: Stop) -> bool:
        number = end - self.games
        played = same_deals(self.arms, RunSpec(number, self.seed, self.games, progress=_stopping(stop)))
        self.seconds += played.seconds
        if played.number < number:
            return False
        self.deals.add(played)
        if self.start is None and self.games >= 1_000:
            self.start = Start(self.games, self._won(0))
        return True

    def _won(self, player: int) -> float:
        """Sum over deals of the player's mean share of the win."""
        return self.deals.moments.sum((player, "share")) / (WHOLE_WIN * self.deals.plays[player])

    def win(self, side: int = 0) -> Estimate:
        return rate_sequence(self._won(side), self.games, BetTuning(PRECISION), self.start if side == 0 else None)

    @property
    def result(self) -> Rotation:
        return Rotation(self.line_up, self.arms, self.deals, RunSpec(self.games, self.seed))


def _stopping(stop: Stop) -> Callable[[int, float], None]:
    """A progress that ends a run as Ctrl-C does."""

    def progress(games: int, seconds: float) -> None:
        if stop():
            raise KeyboardInterrupt

    return progress


def _chunk(number: int, games: int, seconds: float) -> int | None:
    """Games of a chunk: a thread's share, but no more than can be played in the time of a chunk."""
    share = -(-number // (2 * default_threads()))
    return share if not seconds else max(1, min(share, int(games / seconds * CHUNK_SECONDS)))
