"""Studies in parts: each is played on its own, and merged they are the study of one machine."""

from __future__ import annotations

import itertools
import os
import random
import re
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest

from houle import merge_study, read_study
from houle.analysis.studies.cell import StudyPart, measure
from houle.analysis.studies.spec import read_spec
from houle.analysis.studies.store import create
from houle.solver.errors import StudyError
from tests.support.call import call, good
from tests.support.studies import (
    as_json,
    check_whole,
    counted,
    exit_code,
    finished,
    kill,
    play,
    spawn,
    wait_for,
    write_spec,
)

pytestmark = pytest.mark.compiled

FACTS = {"games": 3_000, "chunk": 200}
PARTS = 4


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str | None]:
    return finished(tmp_path_factory.mktemp("calm") / "one", **FACTS)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that was played in parts."""
    folder = tmp_path_factory.mktemp("parts")
    study = read_spec(write_spec(folder, **FACTS))
    paces = [measure(cell) for cell in study.cells]
    for number in range(1, PARTS + 1):
        path = str(folder / f"{number}.db")
        create(path, study, paces, StudyPart(number, PARTS))
        assert play(path)
        check_whole(path)
    return folder


@pytest.fixture
def parts(played: Path, tmp_path: Path) -> list[str]:
    """Copies of the parts."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return [str(tmp_path / f"{number}.db") for number in range(1, PARTS + 1)]


def digests(path: str) -> list[str | None]:
    return [cell.row.result_digest for cell in read_study(path).cells]


def refused(*words: str) -> str:
    result = call("study", "merge", *words)
    assert (result.exit_code, result.stderr.count("\n"), result.stdout) == (2, 1, ""), result.output
    return result.stderr


@pytest.mark.quick
def test_parts_share_all_games_once() -> None:
    for of in (1, 2, 3, 7, 20):
        parts = [StudyPart(number, of) for number in range(1, of + 1)]
        for cell in (1, 2, 19, 40):
            for games in (1, 5, 400, 10**12 + 7):
                shares = sorted(part.share(cell, games, whole=False) for part in parts)
                assert [shares[0][0], shares[-1][1]] == [0, games]
                assert all(one[1] == other[0] for one, other in itertools.pairwise(shares))
                sizes = [stop - start for start, stop in shares]
                assert max(sizes) - min(sizes) <= 1
                assert sorted(part.share(cell, games, whole=True) for part in parts)[-2:].count((0, games)) == 1


@pytest.mark.quick
@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/2/3", "٣/٤", "1/99999", "1.0/2"])
def test_wrong_parts_are_refused(text: str) -> None:
    with pytest.raises(StudyError, match=r"--part: .* is not allowed; allowed: NUMBER/PARTS"):
        StudyPart.parse(text)


def test_merged_parts_are_the_study_of_one_machine(parts: list[str], wanted: list[str | None], tmp_path: Path) -> None:
    db = str(tmp_path / "all.db")
    said = good("study", "merge", *parts, "--db", db, "--audit")
    assert digests(db) == wanted
    assert f"digest {read_study(db).digest}" in said
    check_whole(db)
    assert re.search(r"audit    \d+ of [\d,]+ chunks played again, all equal", said)
    again = call("study", "merge", *reversed(parts), "--db", db, "--force", "--json")
    assert as_json(again.stdout)["missing"] == []
    assert digests(db) == wanted
    assert not list(tmp_path.glob("*-merging*"))


def test_missing_parts_are_listed_and_can_be_played(
    parts: list[str], wanted: list[str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = good("study", "merge", parts[0], parts[3], "--db", "some.db").splitlines()
    assert said[1:] == [f"missing  part {n}/4: houle study run study.toml --part {n}/4" for n in (2, 3)]
    good("study", "run", "study.toml", "--part", "2/4", "--db", "again.db", "-q")
    monkeypatch.setattr("houle.analysis.studies.merge.ONE_IN", 1)
    said = good("study", "merge", "some.db", "again.db", parts[2], "--db", "all.db", "--audit")
    assert digests("all.db") == wanted
    chunks = sum(1 for part in (*parts,) for _ in sqlite3.connect(part).execute("SELECT 1 FROM chunk"))
    assert f"{chunks} of {chunks} chunks played again, all equal" in said
    good("study", "resume", "some.db", "-q")  # or here
    assert digests("some.db") == wanted


def test_a_part_has_a_file_of_its_own(tmp_path: Path) -> None:
    spec = write_spec(tmp_path, games=400, chunk=100)
    good("study", "run", spec, "--part", "03/12", "-q")
    path = tmp_path / "study-03-of-12.db"
    assert path.exists()
    assert not (tmp_path / "study.db").exists()
    good("study", "run", spec, "--part", "3/12", "-q")  # again: nothing is left to do
    other = call("study", "run", spec, "--part", "4/12", "--db", str(path))
    assert other.stderr == f"houle: {path}: holds part 3/12, not part 4/12; use another --db\n"
    whole = call("study", "run", spec, "--db", str(path))
    assert whole.stderr == f"houle: {path}: holds part 3/12, not a whole study; use another --db\n"
    assert "unfinished" in good("study", "show", str(tmp_path / "study-03-of-12.db")) or counted(str(path)) > 0


def test_the_same_games_are_refused(parts: list[str], tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    shutil.copy(parts[1], copy)
    db = ("--db", str(tmp_path / "all.db"))
    said = refused(*parts, copy, *db)
    assert f"{parts[1]} and {copy} hold the same games (games " in said
    assert f"{parts[1]}, given twice, hold the same games" in refused(parts[1], parts[1], *db)
    assert not (tmp_path / "all.db").exists()


def test_other_studies_and_code_are_refused(parts: list[str], tmp_path: Path) -> None:
    db = ("--db", str(tmp_path / "all.db"))
    with sqlite3.connect(parts[2]) as other:
        other.execute("UPDATE cell SET code='another' WHERE id=2")
    other.close()
    assert f"{parts[2]}: was played with other code for wave than {parts[0]}" in refused(*parts, *db)
    folder = tmp_path / "other"
    folder.mkdir()
    study = read_spec(write_spec(folder, games=10, chunk=5))
    stranger = str(folder / "study.db")
    create(stranger, study, [measure(cell) for cell in study.cells])
    assert f"{stranger}: is a part of another study" in refused(parts[0], stranger, *db)
    assert "no such study" in refused(parts[0], str(tmp_path / "none.db"), *db)
    assert not (tmp_path / "all.db").exists()


def test_changed_parts_are_refused(parts: list[str], tmp_path: Path) -> None:
    for statement in (
        "UPDATE stretch SET tally=replace(tally, '7', '8') WHERE cell=1",
        "UPDATE stretch SET spans=replace(spans, '-', '1-') WHERE cell=1",
        "UPDATE study SET value='2/4' WHERE key='part'",
        "UPDATE cell SET ended=ended-1 WHERE id=1",
        "UPDATE cell SET seed='9' WHERE id=1",
    ):
        changed = str(tmp_path / "changed.db")
        shutil.copy(parts[0], changed)
        with sqlite3.connect(changed) as db:
            db.execute(statement)
        db.close()
        assert refused(changed, *parts[1:], "--db", str(tmp_path / "all.db"))


def test_an_audit_finds_a_wrong_count(parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houle.analysis.studies.merge.ONE_IN", 1)
    with sqlite3.connect(parts[3]) as db:
        db.execute("UPDATE chunk SET digest='0123456789abcdef' WHERE cell=2")
    db.close()
    said = refused(*parts, "--db", str(tmp_path / "all.db"), "--audit")
    assert re.search(rf"{parts[3]}: games [\d,]+ to [\d,]+ of cell 2 give another result here", said)
    assert not (tmp_path / "all.db").exists()


def test_merge_leaves_existing_files(parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "merged.db"
    db.write_text("mine")
    monkeypatch.chdir(tmp_path)
    assert "merged.db exists already; give another name, or --force to replace it" in refused(*parts)
    assert "is one of the parts" in refused(*parts, "--db", parts[0], "--force")
    assert db.read_text() == "mine"
    with pytest.raises(StudyError, match="no files are given"):
        merge_study([])


LARGE = """
name = "in parts"
chunk = 3
games = 60
strategies = ["thumb", "flat:4", "random", "ismcts:8"]
[[grid]]
game = "wave"
players = [2, 3]
[grid.set]
hand.front = [2, 3, 4, 5]
[[grid]]
game = "wave"
players = 4
variants = ["base", "virage"]
precision = 4
games = 1_000
strategies = ["random", "thumb"]
seed = [1, 2]
"""


@pytest.mark.slow
def test_killed_parts_change_nothing(tmp_path: Path) -> None:
    """Forty cells in twenty parts; every third part is killed at a random time and run again."""
    spec = tmp_path / "study.toml"
    spec.write_text(LARGE)
    assert len(read_spec(spec).cells) == 40
    one = str(tmp_path / "one.db")
    good("study", "run", str(spec), "--db", one, "-q")
    dice, killed, folder = random.Random(3), 0, tmp_path / "parts"
    folder.mkdir()
    for number in range(1, 21):
        path, log = str(folder / f"{number}.db"), tmp_path / "log"
        words = ("study", "run", str(spec), "--part", f"{number}/20", "--db", path, "-j", "1")
        if number % 3 == 0:
            process = spawn(*words, log=log)
            wait_for(
                lambda path=path, process=process: counted(path) > 0 or not process.is_alive(), "a game is counted"
            )
            process.join(dice.uniform(0.0, 0.3))
            killed += kill(process) == -signal.SIGKILL
        assert exit_code(spawn(*words, log=log)) == 0, log.read_text()
    assert killed >= 4, "the parts ended before their kills"
    merged = merge_study(sorted(map(str, folder.glob("*.db"))), db=tmp_path / "all.db", audit=True)
    assert digests(str(tmp_path / "all.db")) == digests(one)
    assert merged.result.digest == read_study(one).digest
    assert (merged.missing, merged.audited >= 20) == ((), True)
    assert os.path.getsize(tmp_path / "all.db") > 0
