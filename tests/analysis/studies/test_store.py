"""The file of a study: every error of the file or disk is one clear line, and nothing committed is lost."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path

import pytest

from houle.analysis.studies import database
from houle.analysis.studies import serialize as portable
from houle.analysis.studies.executors import Threads
from houle.analysis.studies.status import read_status
from houle.analysis.studies.store import Store, _seal
from tests.support.call import call, good
from tests.support.studies import begin, check_whole, counted, digests, exit_code, finished, play, spawn, write_spec

pytestmark = pytest.mark.compiled

NOBODY = 65_534


FACTS = {"games": 40_000, "chunk": 1_000}


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str | None]:
    return finished(tmp_path_factory.mktemp("calm") / "one", **FACTS)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study with some of its games played."""
    folder = tmp_path_factory.mktemp("started")
    path = begin(folder, **FACTS)
    assert not play(path, Threads(1), stopping=lambda: counted(path) >= 10_000)
    return folder


@pytest.fixture
def path(started: Path, tmp_path: Path) -> str:
    """A copy of that study."""
    shutil.copytree(started, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "study.db")


def refused(*words: str, code: int = 2) -> str:
    """The one line of an error."""
    result = call(*words)
    assert result.exit_code == code, result.output
    lines = [line for line in result.stderr.splitlines() if " done: " not in line]  # cells that ended before
    assert len(lines) == 1, result.stderr
    assert result.stdout == ""
    return lines[0]


def change(path: str, statement: str, *values: object) -> None:
    """Change a file behind houle's back."""
    db = sqlite3.connect(path)
    db.execute(statement, values)
    db.commit()
    db.close()


def test_full_disk(path: str, wanted: list[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    kept = counted(path)
    with Store(path, write=False) as store:
        pages = store.db.execute("PRAGMA page_count").fetchone()[0]
    monkeypatch.setattr(database, "PRAGMAS", (*database.PRAGMAS, f"max_page_count={pages}"))
    # Small rows fill a page slowly; a long version string fills it at once.
    with monkeypatch.context() as patch:
        patch.setattr("houle.analysis.studies.store.package_version", lambda name: "x" * 9_000)
        assert "the disk is full; finished games are kept" in refused("study", "resume", path, code=1)
    assert counted(path) >= kept
    monkeypatch.undo()
    good("study", "resume", path, "--quiet")
    assert digests(path) == wanted
    check_whole(path)


def test_disk_full_while_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begin(tmp_path, games=400_000, chunk=100)
    with Store(path, write=False) as store:
        pages = store.db.execute("PRAGMA page_count").fetchone()[0]
    monkeypatch.setattr(database, "PRAGMAS", (*database.PRAGMAS, f"max_page_count={pages + 4}"))
    assert "the disk is full" in refused("study", "resume", path, code=1)
    kept = counted(path)
    assert kept > 0
    monkeypatch.undo()
    assert not play(path, stopping=lambda: counted(path) > kept)
    assert counted(path) > kept


def test_a_disk_that_cannot_be_written(path: str, tmp_path: Path) -> None:
    """A real process whose files may not grow."""
    kept = counted(path)
    log = tmp_path / "log"
    process = spawn("study", "resume", path, log=log, largest=os.path.getsize(path))
    assert exit_code(process) == 1, log.read_text()
    assert "finished games are kept" in log.read_text()
    assert sum(line.startswith("houle:") for line in log.read_text().splitlines()) == 1
    assert counted(path) >= kept


def test_a_kill_within_a_transaction(path: str, tmp_path: Path) -> None:
    """The journal beside a half-written file is undone before anything is read.

    A process that is killed while it turns the write-ahead log on or off leaves such a journal.
    """
    status, bytes_before = read_status(path), Path(path).read_bytes()
    half = tmp_path / "half.db"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA cache_size=1")  # pages are written before the transaction ends
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE chunk SET games=0")
    db.execute("UPDATE stretch SET games=0, tally='x' || tally")
    for kind in ("", "-journal"):
        shutil.copy(f"{path}{kind}", f"{half}{kind}")
    db.execute("ROLLBACK")
    db.close()
    assert half.read_bytes() != bytes_before
    assert read_status(half) == status
    assert half.read_bytes() == bytes_before
    assert not play(str(half), stopping=lambda: True)


def test_read_only_file(started: Path) -> None:
    """Permissions do not bind root, so the command then runs as nobody."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(started, folder, dirs_exist_ok=True)
        path = str(folder / "study.db")
        kept = digests(path), counted(path)
        os.chmod(path, 0o444)
        os.chmod(folder, 0o777)
        for file in folder.glob("study.db-lock"):
            os.chmod(file, 0o666)
        log = folder / "log"
        process = spawn("study", "resume", path, log=log, user=NOBODY if os.getuid() == 0 else None)
        assert exit_code(process) == 2, log.read_text()
        assert sum(line.startswith("houle:") for line in log.read_text().splitlines()) == 1
        assert "the file is read-only" in log.read_text()
        assert (digests(path), counted(path)) == kept


@pytest.mark.parametrize("left", [0, 50, 5_000, -1])
def test_truncated_file(path: str, tmp_path: Path, left: int) -> None:
    size = os.path.getsize(path)
    os.truncate(path, left if left >= 0 else size - 4_096)
    before = Path(path).read_bytes()
    for command in ("resume", "status", "show", "export"):
        assert "nothing was written to it" in refused("study", command, path)
    assert "nothing was written" in refused("study", "run", str(tmp_path / "study.toml"), "--db", path)
    assert Path(path).read_bytes() == before


def test_overwritten_pages(path: str) -> None:
    with open(path, "r+b") as file:
        file.seek(4_096)
        file.write(b"\xff" * 8_192)
    assert "damaged" in refused("study", "resume", path)


def test_an_emptied_file_keeps_its_log(path: str) -> None:
    """SQLite would treat the empty file as a new database and delete the log."""
    log = Path(f"{path}-wal")
    log.write_bytes(b"a log that may still be of use")
    os.truncate(path, 0)
    refused("study", "resume", path)
    assert log.read_bytes() == b"a log that may still be of use"


def test_other_schemas_are_refused(path: str) -> None:
    kept = counted(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version=99")
    db.commit()
    db.close()
    for command in ("resume", "status", "show", "export"):
        assert "newer houle (schema 99, known here: 4)" in refused("study", command, path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version=3")
    db.commit()
    assert "older houle (schema 3, known here: 4)" in refused("study", "resume", path)
    db.execute("PRAGMA user_version=4")
    db.commit()
    db.close()
    assert counted(path) == kept


def test_not_a_study(tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE cell (id)")
    db.commit()
    db.close()
    assert "another program" in refused("study", "status", other)
    text = tmp_path / "text.db"
    text.write_text("not a database at all " * 20)
    assert "not an SQLite file" in refused("study", "resume", str(text))
    assert "no such study" in refused("study", "resume", str(tmp_path / "none.db"))
    assert "is a folder" in refused("study", "resume", str(tmp_path))
    spec = write_spec(tmp_path)
    assert "no folder" in refused("study", "run", spec, "--db", str(tmp_path / "nowhere" / "a.db"))
    assert not list(tmp_path.glob("none.db*"))


def test_a_changed_spec(path: str, tmp_path: Path) -> None:
    kept = counted(path)
    spec = tmp_path / "study.toml"
    text = spec.read_text()
    spec.write_text(text.replace("seed = [1, 2]", "seed = [1, 7]"))
    assert "made from another spec (cell 2 was wave 3 players" in refused("study", "run", str(spec), "--db", path)
    spec.write_text(text.replace("seed = [1, 2]", "seed = [1, 2, 5]"))
    assert "made from another spec" in refused("study", "run", str(spec), "--db", path)
    # A spec with the same cells may have another text.
    spec.write_text("# a remark\n" + text.replace("small", "tiny"))
    good("study", "run", str(spec), "--db", path, "--quiet")
    assert counted(path) > kept


def test_other_rules(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = counted(path)
    monkeypatch.setattr("houle.analysis.studies.store.rules_code", lambda game: "another")
    assert "other code for wave" in refused("study", "resume", path)
    monkeypatch.undo()
    db = sqlite3.connect(path)
    db.execute("UPDATE cell SET setup=replace(setup, '\"hand.front\"', '\"hand.fore\"')")
    db.commit()
    db.close()
    portable.line_up_from.cache_clear()
    assert "the study was made with other rules than those installed here" in refused("study", "resume", path)
    assert read_status(path).games
    assert counted(path) == kept


CHANGES = {"more": "{0}+1", "less": "{0}-1", "text": "replace({0}, '1', '2')"}


@pytest.mark.parametrize("how", ["more", *(pytest.param(how, marks=pytest.mark.slow) for how in ("less", "text"))])
def test_no_changed_value_gives_a_wrong_result(path: str, wanted: list[str | None], how: str, tmp_path: Path) -> None:
    """What is counted is sealed: a study with a changed row is refused, or ends with the right result."""
    db = sqlite3.connect(path)
    tables = ("chunk", "stretch")
    columns = [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]
    db.close()
    if how == "more":
        columns = [(table, column) for table, column in columns if column not in ("cell", "tally", "seal", "digest")]
    for table, column in columns:
        copy = str(tmp_path / f"{table}-{column}.db")
        shutil.copy(path, copy)
        with sqlite3.connect(copy) as db:
            last = f"(SELECT max(rowid_) FROM (SELECT {column} AS rowid_ FROM {table}))"
            db.execute(f"UPDATE OR REPLACE {table} SET {column}={CHANGES[how].format(column)} WHERE {column}={last}")
        db.close()
        done = call("study", "resume", copy, "-q")
        assert done.exit_code in (0, 2), (column, done.output)
        assert done.exit_code == 2 or digests(copy) == wanted, (table, column)


def test_moved_games_are_refused(path: str) -> None:
    """As many games as before, but others: they would be played twice, and some never."""
    with Store(path, write=False) as store:
        cell, spans = store.db.execute("SELECT cell, spans FROM stretch WHERE cell<=4 LIMIT 1").fetchone()
    first, last = map(int, re.findall(r"\d+", spans)[:2])
    change(
        path,
        "UPDATE stretch SET spans=? WHERE cell=?",
        spans.replace(f"{first}-{last}", f"{first + 1}-{last + 1}"),
        cell,
    )
    assert "its tally was changed after it was written" in refused("study", "resume", path)


@pytest.mark.parametrize("years", [-1, 95])
def test_a_wrong_clock_changes_nothing(
    path: str, wanted: list[str | None], years: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + years * 365 * 86_400)
    good("study", "resume", path, "-q")
    assert digests(path) == wanted


def test_games_and_tally_must_agree(path: str) -> None:
    """Also in a row whose seal fits."""
    with Store(path, write=False) as store:
        cell, number, games, spans, tally, _ = store.db.execute("SELECT * FROM stretch LIMIT 1").fetchone()
    other = spans.replace(spans.rpartition("-")[2], str(int(spans.rpartition("-")[2]) + 1))
    seal = _seal(cell, number, games, other, tally)
    change(path, "UPDATE stretch SET spans=?, seal=? WHERE cell=? AND number=?", other, seal, cell, number)
    assert "its games and its tally differ" in refused("study", "resume", path)


@pytest.mark.parametrize("table", ["chunk", "stretch"])
def test_a_lost_row_is_played_again(path: str, table: str, wanted: list[str | None]) -> None:
    change(path, f"DELETE FROM {table} WHERE cell=1")
    good("study", "resume", path, "-q")
    assert digests(path) == wanted


@pytest.mark.parametrize("column", ["ended", "precision", "margin", "own_chunk", "rate", "games"])
def test_wrong_values_in_a_file_are_refused(path: str, column: str) -> None:
    """SQLite allows any value in any column; an empty text is not a missing value."""
    for value in ("", b"", "x", -1, float("inf")):
        change(path, f"UPDATE cell SET {column}=? WHERE id=1", value)
        for words in (("status", path, "--json"), ("show", path, "--json"), ("resume", path)):
            assert "the file is damaged" in refused("study", *words)


def test_drafts_of_killed_processes_are_deleted(path: str, tmp_path: Path) -> None:
    spec, other = str(tmp_path / "study.toml"), str(tmp_path / "other.db")
    for words in (("resume", path), ("run", spec, "--db", other)):
        for draft in (f"{words[-1]}-new", f"{words[-1]}-new-journal"):
            Path(draft).write_text("half a study")
        good("study", *words, "--quiet")
    assert digests(other) == digests(path)
    assert not list(tmp_path.glob("*-new*"))


def test_changed_digits_are_refused(tmp_path: Path) -> None:
    """In finished and unfinished cells, in tallies, digests and the setups that were played."""
    path = begin(tmp_path, games=1_000)
    assert play(path)
    for problem, statement in (
        ("its tally was changed", "UPDATE stretch SET tally=replace(tally, '1000', '1001') WHERE cell=1"),
        ("its tally was changed", "UPDATE stretch SET games=games+1 WHERE cell=2"),
        ("cell 1: its tally does not match its digest", "UPDATE cell SET result_digest='0123456789abcdef' WHERE id=1"),
        ("its cells were changed", "UPDATE cell SET seed='9', ended=NULL, result_digest=NULL WHERE id=1"),
        ("its cells were changed", "UPDATE cell SET games=1001 WHERE id=1"),
    ):
        copy = str(tmp_path / "changed.db")
        shutil.copy(path, copy)
        change(copy, statement)
        for command in ("show", "export", "resume"):
            assert problem in refused("study", command, copy)


def test_a_copy_can_be_continued(path: str, tmp_path: Path, wanted: list[str | None]) -> None:
    """A study that is not running is one file."""
    assert sorted(file.name for file in tmp_path.glob("study.db*")) == ["study.db", "study.db-lock"]
    copy = str(tmp_path / "copy.db")
    shutil.copy(path, copy)
    assert play(copy)
    assert digests(copy) == wanted
