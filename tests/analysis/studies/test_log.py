"""The logs of a study: what is read, what is refused with file and line, and parts put together by copying."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from houle import read_study, setup, simulate
from houle.analysis.studies import log as log_module
from houle.analysis.studies.cell import WHOLE, Chunk, Size, StudyPart
from houle.analysis.studies.log import sealed
from houle.solver.errors import DiskError, StudyError
from tests.support.studies import Stopping, digest, play, write_spec

pytestmark = pytest.mark.compiled

FACTS = {"games": 3_000, "chunk": 500}
PARTS = 3


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_spec(tmp_path_factory.mktemp("spec"), **FACTS)


@pytest.fixture(scope="module")
def whole(spec: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted run on one thread."""
    folder = tmp_path_factory.mktemp("whole") / "study"
    assert play(spec, folder, threads=1)
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def log_of(folder: Path) -> Path:
    return folder / WHOLE.file


def change(path: Path, number: int, **values: object) -> None:
    """Change a line of a log and seal it again, as a forger or other code would."""
    lines = path.read_bytes().splitlines(keepends=True)
    record = json.loads(lines[number - 1])
    del record["sum"]
    lines[number - 1] = sealed({**record, **values})
    path.write_bytes(b"".join(lines))


def test_cells_have_the_digest_of_simulate(whole: Path) -> None:
    frame = read_study(whole).frame()
    assert frame["done"].all()
    same = simulate(setup("wave", variants="virage"), strategies="random", games=3_000, seed=2).frame()
    row = frame[(frame["variants"] == "virage") & (frame["seed"] == 2)].iloc[0]
    assert (row["result_digest"], row["win_high"]) == (same["result_digest"][0], same["win_high"][0])


def test_every_chunk_belongs_to_one_part() -> None:
    sizes = [Size("wave", *size) for size in ((1_000, 300), (10, 10), (7, 2), (50_000, 999))]
    every = list(WHOLE.chunks(sizes))
    assert every[:4] == [Chunk(1, 0, 300), Chunk(1, 300, 300), Chunk(1, 600, 300), Chunk(1, 900, 100)]
    for of in (2, 5, 100):
        parts = [list(StudyPart(number, of).chunks(sizes)) for number in range(1, of + 1)]
        assert sorted(chunk for part in parts for chunk in part) == every
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_parts_are_put_together_by_copying(spec: str, whole: Path, tmp_path: Path) -> None:
    for number in range(1, PARTS + 1):
        assert play(spec, tmp_path / str(number), part=StudyPart(number, PARTS))
    together = tmp_path / "together"
    together.mkdir()
    for number in (1, 3):
        shutil.copy(tmp_path / str(number) / f"part-{number}-of-3.jsonl", together)
    missing = read_study(together)
    assert (missing.study_digest, missing.interrupted) == (None, True)
    shutil.copy(tmp_path / "2" / "part-2-of-3.jsonl", together)
    assert digest(together) == digest(whole)
    # A file twice counts once.
    shutil.copy(together / "part-2-of-3.jsonl", together / "again.jsonl")
    assert digest(together) == digest(whole)
    # What one part lacks, another run plays, however it is split.
    (together / "again.jsonl").unlink()
    (together / "part-1-of-3.jsonl").unlink()
    assert play(spec, together, part=StudyPart(1, 2))
    assert play(spec, together, part=StudyPart(2, 2))
    assert digest(together) == digest(whole)


@pytest.mark.parametrize("cut", [1, 5, 300])
def test_torn_last_line_is_played_again(spec: str, whole: Path, copy: Path, cut: int) -> None:
    path = log_of(copy)
    content = path.read_bytes()
    path.write_bytes(content[:-cut])
    torn = read_study(copy)
    assert torn.games == 18_000 - 500
    assert torn.study_digest is None
    assert play(spec, copy)
    assert digest(copy) == digest(whole)
    assert len(path.read_bytes().splitlines()) == len(content.splitlines())


def test_log_cut_in_its_head_begins_anew(spec: str, whole: Path, copy: Path) -> None:
    log_of(copy).write_bytes(log_of(copy).read_bytes()[:40])
    with pytest.raises(StudyError, match="no log of a study here"):
        read_study(copy)
    assert play(spec, copy)
    assert digest(copy) == digest(whole)


def test_changed_line_is_named(spec: str, copy: Path) -> None:
    path = log_of(copy)
    lines = path.read_text().splitlines(keepends=True)
    lines[4] = lines[4].replace('"first":', '"first": ')
    path.write_text("".join(lines))
    for read in (lambda: read_study(copy), lambda: play(spec, copy)):
        with pytest.raises(StudyError, match=r"part-1-of-1\.jsonl, line 5: the line was changed or is damaged"):
            read()


@pytest.mark.parametrize(
    ("number", "values", "problem"),
    [
        (1, {"study": "other"}, "line 1: the log of another study (small)"),
        (1, {"name": 3}, "line 1: not a line of a study's log"),
        (1, {"targets": [3]}, "line 1: not a line of a study's log"),
        (1, {"targets": ["win=maybe"]}, "line 1: targets: 'win=maybe' is not allowed"),
        (1, {"cells": [{"seed": "x"}]}, "line 1: not a line of a study's log"),
        (2, {"study": "other"}, "line 2: a chunk of another study"),
        (2, {"code": "other"}, "line 2: wave was played by other code than the rest"),
        (2, {"cell": 99}, "line 2: a chunk of another study"),
        (2, {"cell": 0}, "line 2: a chunk of another study"),
        (2, {"first": 1}, "line 2: not a chunk of this study"),
        (2, {"first": -500}, "line 2: not a chunk of this study"),
        (2, {"games": 499}, "line 2: not a chunk of this study"),
        (3, {"first": 0}, "line 3: games 0 to 499 of cell 1 were logged before with another result"),
    ],
)
def test_lines_that_do_not_fit_are_refused(copy: Path, number: int, values: dict[str, object], problem: str) -> None:
    change(log_of(copy), number, **values)
    with pytest.raises(StudyError) as fault:
        read_study(copy)
    assert problem in str(fault.value)
    assert "\n" not in str(fault.value)


def test_another_study_in_the_folder_is_refused(copy: Path, tmp_path: Path) -> None:
    other = write_spec(tmp_path, games=2_000, chunk=500)
    with pytest.raises(StudyError, match=r"part-1-of-1\.jsonl, line 1: the log of another study \(small\)"):
        play(other, copy)


def test_other_code_is_refused(spec: str, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "rules_code", lambda game: "other")
    with pytest.raises(StudyError, match="line 1: wave was played by other code than this"):
        play(spec, copy)


def test_full_disk_leaves_whole_lines(spec: str, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, real, written = tmp_path / "full", log_module.os.fsync, []

    def fsync(number: int) -> None:
        written.append(number)
        if len(written) == 6:
            raise OSError(28, "No space left on device")
        real(number)

    monkeypatch.setattr(log_module.os, "fsync", fsync)
    with pytest.raises(DiskError, match="No space left on device"):
        play(spec, folder)
    monkeypatch.undo()
    content = log_of(folder).read_bytes()
    assert content.endswith(b"\n")
    assert len(content.splitlines()) == 5 - 1  # head and three chunks: the first write only drops a torn line
    assert play(spec, folder)
    assert digest(folder) == digest(whole)


def test_second_process_on_a_part_is_refused(spec: str, tmp_path: Path) -> None:
    folder = tmp_path / "study"

    def other() -> bool:
        with pytest.raises(StudyError, match=r"part-1-of-1\.jsonl: another process is playing this part"):
            play(spec, folder)
        assert play(spec, folder, part=StudyPart(1, 500))  # another part is free
        return True

    assert not play(spec, folder, watch=Stopping(other))


@pytest.mark.quick
def test_database_of_0_4_is_named(tmp_path: Path) -> None:
    old = tmp_path / "study.db"
    old.write_bytes(b"SQLite format 3\0" + bytes(100))
    with pytest.raises(StudyError, match=r"study\.db: a study of houle 0\.4\.0; export it with that version"):
        read_study(old)


@pytest.mark.quick
def test_tallies_add_up_as_plain_data() -> None:
    one = {"counts": {"moves": 2}, "totals": [1, 2], "moments": [[1, 2], [3, 4]], "scores": [{"0": 1}, {"-3": 2}]}
    two = {"counts": {"moves": 5}, "totals": [10, 20], "moments": [[1, 1], [1, 1]], "scores": [{"1": 1}, {"-3": 2}]}
    assert log_module._total([one, two]) == {
        "counts": {"moves": 7},
        "totals": [11, 22],
        "moments": [[2, 3], [4, 5]],
        "scores": [{"0": 1, "1": 1}, {"-3": 4}],
    }
