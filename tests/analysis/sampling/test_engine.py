"""The engine: the same games for several line-ups, whatever the threads, chunks and interruptions."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.players.line_ups import read_strategy
from houle.analysis.run_options import Progress, RunSpec
from houle.analysis.sampling.backends import FINAL_STATES, LEDGER, OPENINGS, Chunk, Keep, Kernels, Play, check_scores
from houle.analysis.sampling.engine import play_games
from houle.solver.errors import RulesError
from houle.solver.players.player import seat, seat_strategies
from houle.solver.rules import make_setup
from tests.support import synthetic

pytestmark = pytest.mark.compiled

SETUP = make_setup("wave", 3)

RANDOM = seat_strategies(SETUP, ["random"])

THUMB = seat_strategies(SETUP, ["thumb"])


class Shares:
    """The shares of the win of every game, one column per line-up."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows

    @property
    def games(self) -> int:
        return len(self.rows)

    def add(self, other: Shares) -> None:
        self.rows = np.concatenate([self.rows, other.rows])


class EndStates:
    """How many final states were kept."""

    def __init__(self, games: int) -> None:
        self.games = games

    def add(self, other: EndStates) -> None:
        self.games += other.games


def shares(chunks: list[Chunk], _: int) -> Shares:
    return Shares(np.stack([chunk.ledger.share[:, 0] for chunk in chunks], axis=1))


def played(plays: list[Play], spec: RunSpec, chunk: int | None = None) -> np.ndarray:
    total = Shares(np.zeros((0, len(plays)), np.int64))
    play_games(plays, spec, shares, total, keep=LEDGER, chunk=chunk)
    return total.rows


def test_threads_and_chunks_change_nothing() -> None:
    plays = [Play(RANDOM), Play(THUMB), Play(THUMB, replay=1)]
    one = played(plays, RunSpec(200, seed=4, first=7, threads=1), chunk=9)
    assert (one == played(plays, RunSpec(200, seed=4, first=7, threads=2))).all()
    assert (one[50:] == played(plays, RunSpec(150, seed=4, first=57))).all()
    assert (one[:, 1] != one[:, 2]).any()  # another play of the same deal


def test_an_offset_moves_the_games() -> None:
    rows = played([Play(THUMB), Play(THUMB, offset=30)], RunSpec(60))
    assert (rows[30:, 0] == rows[:30, 1]).all()


def test_progress_counts_the_games_of_all_line_ups() -> None:
    seen: list[int] = []
    played([Play(RANDOM), Play(THUMB)], RunSpec(90, progress=lambda games, seconds: seen.append(games)))
    assert seen == sorted(seen)
    assert seen[-1] == 180


def test_ctrl_c_leaves_a_prefix() -> None:
    def stop(games: int, seconds: float) -> None:
        raise KeyboardInterrupt

    rows = played([Play(THUMB)], RunSpec(500, threads=1, progress=stop), chunk=40)
    assert 0 < len(rows) < 500
    assert (rows == played([Play(THUMB)], RunSpec(len(rows)))).all()


def test_shared_games_are_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of people who think, whatever an analysis keeps of them; results are those of games played again."""

    class Report(Progress):
        def __init__(self) -> None:
            self.shared = {}

        def __call__(self, games: int, seconds: float) -> None: ...

    numbers: list[int] = []

    def counted(self: Kernels, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
        numbers.append(number)
        return real(self, play, seed, first, number=number, keep=keep)

    family, real = seat(SETUP, [read_strategy("family", SETUP)]), Kernels.play
    alone = played([Play(THUMB), Play(family)], RunSpec(30, seed=5, threads=1))
    monkeypatch.setattr(Kernels, "play", counted)
    report = Report()
    spec = RunSpec(30, seed=5, threads=1, progress=report)
    assert (played([Play(THUMB), Play(family)], spec) == alone).all()
    before = sum(numbers)
    assert before == 2 * 30
    ends = EndStates(0)
    play_games([Play(family)], spec, lambda chunks, _: EndStates(len(chunks[0].final_states)), ends, keep=FINAL_STATES)
    assert (ends.games, sum(numbers)) == (30, before)
    played([Play(family)], spec.but(seed=6))
    assert sum(numbers) == before + 30


def test_chunks_of_people_are_not_single_games() -> None:
    """A chunk has a cost of its own, so only searches play chunks of one game."""
    sizes = [
        Kernels().first_chunk(Play(seat(SETUP, [read_strategy(name, SETUP)])))
        for name in ("flat:5", "family", "level[slips=20]", "thumb")
    ]
    assert sizes[0] == 1
    assert 1 < sizes[1] < sizes[2] == sizes[3]


def test_kept_states_are_those_of_the_games() -> None:
    chunk = Kernels().play(Play(THUMB), seed=3, first=0, number=5, keep=OPENINGS)
    again = Kernels().play(Play(THUMB), seed=3, first=0, number=5, keep=FINAL_STATES)
    assert chunk.tally.as_data() == again.tally.as_data()
    assert len(chunk.openings) == len(again.final_states) == len(chunk.ledger) == 5
    assert chunk.final_states is None
    assert again.ledger is None


@pytest.mark.quick
@pytest.mark.parametrize(
    ("counted", "allowed"),
    [
        pytest.param([3, 5, 5], True, id="as scored"),
        pytest.param([3, 5], False, id="written beside the table"),
        pytest.param([3, 5, 7], False, id="counted as another score"),
    ],
)
def test_scores_outside_the_range_are_refused(counted: list[int], allowed: bool) -> None:
    tally = synthetic.played([synthetic.rows_of(np.zeros(3, np.int64), np.array([3, 5, 5]))]).tally(0)
    tally.histogram[0] = np.bincount(counted, minlength=tally.histogram.shape[1])
    if allowed:
        check_scores(SETUP, tally)
        return
    low, high = SETUP.score_range
    with pytest.raises(RulesError, match=f"wave: scores are not within {low} to {high}, the declared range"):
        check_scores(SETUP, tally)
