"""Order of chunks: largest first, few at a time, beyond a look only if workers are idle."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from houle import grid, read_study, sweep
from houle.analysis.studies import runner as execute
from houle.analysis.studies import study as study_module
from houle.analysis.studies.cell import Cell, Pace
from houle.analysis.studies.executors import Result, Task
from houle.analysis.studies.serialize import play_portable
from houle.analysis.studies.spec import read_spec
from houle.analysis.studies.status import read_status
from houle.analysis.studies.store import create
from houle.solver.errors import StudyError
from tests.support.studies import begin, check_whole, counted, digests, finished, play

pytestmark = pytest.mark.compiled


class Slow:
    """Workers that return results in any order and remember their tasks."""

    def __init__(self, limit: int = 4, seed: int = 1) -> None:
        self.name, self.note = "slow", ""
        self.limit = limit
        self.under_way: list[Task] = []
        self.sent: list[Task] = []
        self.most = 0
        self._rng = random.Random(seed)

    def expect(self, codes: Mapping[str, str]) -> None: ...

    def room(self) -> int:
        return self.limit - len(self.under_way)

    def submit(self, task: Task) -> None:
        self.under_way.append(task)
        self.sent.append(task)
        self.most = max(self.most, len(self.under_way))

    def finished(self, seconds: float) -> list[Result]:
        if not self.under_way:
            return []
        task = self.under_way.pop(self._rng.randrange(len(self.under_way)))
        return [(task, play_portable(*task.arguments))]

    def close(self) -> None: ...


def test_any_order_gives_the_same_digests(tmp_path: Path) -> None:
    wanted = finished(tmp_path / "calm", games=5_000, chunk=300)
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = begin(folder, games=5_000, chunk=300)
        crew = Slow(limit=7, seed=seed)
        assert play(path, crew)
        assert crew.most <= 7
        assert digests(path) == wanted
        check_whole(path)


def study(folder: Path, rates: list[float], text: str) -> str:
    """A study whose cells have the given speeds."""
    spec = folder / "study.toml"
    spec.write_text(f'strategies = "random"\n{text}')
    asked = read_spec(spec)
    path = str(folder / "study.db")
    paces = [Pace(cell.chunk or 1, rate, (0.5,)) for cell, rate in zip(asked.cells, rates, strict=True)]
    create(path, asked, paces)
    return path


def test_largest_chunks_come_first(tmp_path: Path) -> None:
    path = study(tmp_path, [50.0, 1.0, 10.0], 'game = "wave"\ngames = 1000\nchunk = 100\nseed = [1, 2, 3]\n')
    crew = Slow()
    assert play(path, crew)
    assert [task.cell for task in crew.sent] == [2] * 10 + [3] * 10 + [1] * 10


PRECISE = """
game = "wave"
chunk = 100
[[grid]]
precision = 0.3
[[grid]]
games = 40_000
seed = 2
"""


def test_a_precision_cell_waits_at_its_looks(tmp_path: Path) -> None:
    path = study(tmp_path, [1.0, 1.0], PRECISE)
    crew = Slow()
    assert play(path, crew)
    status = read_status(path)
    games = status.rows[0].ended or 0
    precise = [number for number, task in enumerate(crew.sent) if task.cell == 1]
    others = [number for number, task in enumerate(crew.sent) if task.cell == 2]
    # While there was other work, nothing was played beyond the last look.
    assert max(precise) < max(others)
    assert sum(crew.sent[number].games for number in precise) == games
    check_whole(path)


def test_results_are_kept_when_workers_are_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute, "COMMIT_SECONDS", 3600.0)
    path = study(tmp_path, [1.0], 'game = "wave"\ngames = 1000\nchunk = 100\n')
    crew = Slow()
    real = crew.finished

    def lost(seconds: float) -> list[Result]:
        if len(crew.sent) > 6:
            raise StudyError("gone")
        return real(seconds)

    monkeypatch.setattr(crew, "finished", lost)
    with pytest.raises(StudyError, match="gone"):
        play(path, crew)
    assert counted(path) == 300
    assert play(path)
    check_whole(path)


def test_idle_workers_play_ahead(tmp_path: Path) -> None:
    """Games beyond the last look are dropped."""
    text = 'game = "wave"\nchunk = 100\nprecision = 1\n'
    path = study(tmp_path, [1.0], text)
    crew = Slow(limit=12)
    assert play(path, crew)
    games = read_status(path).rows[0].ended or 0
    assert sum(task.games for task in crew.sent) > games
    check_whole(path)
    alone = tmp_path / "alone"
    alone.mkdir()
    other = study(alone, [1.0], text)
    assert play(other, Slow(limit=1))
    assert digests(other) == digests(path)


DECIDED = """
game = "wave"
until_decided = true
margin = 1
targets = ["score=10..22.8"]
chunk = 300
[set]
hand.back = [0, 2, 4]
"""


def test_targets_are_decided_as_in_a_sweep(tmp_path: Path) -> None:
    """The same games, the same answers, the same intervals."""
    path = study(tmp_path, [1.0] * 3, DECIDED)
    assert play(path)
    found = read_study(path)
    assert found.headline.startswith("3 of 3 cells finished, ")
    facts = {"strategies": "random", "targets": "score=10..22.8", "until_decided": True, "margin": 1.0}
    same = sweep(grid("wave", set={"hand.back": [0, 2, 4]}), **facts)
    assert [cell.row.ended for cell in found.cells] == [same.played.tally(number).games for number in range(3)]
    assert [cell.target for cell in found.cells] == [cell.target for cell in same.cells]
    for cell, other in zip(found.cells, same.cells, strict=True):
        assert cell.simulation is not None
        assert cell.simulation.digest == other.digest
        assert cell.simulation.sides[0].score.interval == other.measures["score"]
    check_whole(path)


def test_equal_setups_are_timed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timed: list[Cell] = []
    monkeypatch.setattr(study_module, "measure", lambda cell: timed.append(cell) or Pace(5, 1000.0, (0.5,)))
    file = tmp_path / "many.toml"
    file.write_text('game = "wave"\nstrategies = "random"\nplayers = [2, 3]\ngames = 10\nseed = [1, 2, 3]\n')
    paces = study_module.measure_cells(read_spec(file).cells, study_module.Silent())
    assert (len(paces), [cell.setup.players for cell in timed]) == (6, [2, 3])


@pytest.mark.quick
def test_times_are_medians_of_like_cells(tmp_path: Path) -> None:
    """One slow measurement on a busy machine does not make a cell of a second take minutes."""
    file = tmp_path / "study.toml"
    file.write_text(
        'name = "x"\n[[grid]]\ngame = "wave"\nstrategies = ["random"]\ngames = 9\n[grid.set]\nhand.back = [1, 2, 3]\n'
    )
    assert study_module.usual_rates(read_spec(file).cells, [100.0, 0.1, 90.0]) == [90.0] * 3
