"""`houle study`: its commands, what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from houle import read_study, study
from houle.analysis.studies.cell import measure
from houle.analysis.studies.runner import Progress
from houle.analysis.studies.spec import read_spec
from houle.analysis.studies.store import create
from houle.analysis.studies.study import Listener
from tests.support.call import call, good

pytestmark = pytest.mark.compiled

SPEC = """
name = "Two tables"
game = "wave"
strategies = "random"
games = 2_000
players = [3, 4]
chunk = 500
"""


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "two.toml"
    path.write_text(SPEC)
    return str(path)


@pytest.fixture
def done(spec: str) -> str:
    good("study", "run", spec)
    return str(Path(spec).with_suffix(".db"))


def test_run_logs_cells_and_prints_digest(spec: str) -> None:
    result = call("study", "run", spec, "--quiet")
    assert result.exit_code == 0, result.output
    assert result.stderr.count(" done: wave ") == 2
    assert result.stdout.startswith("Two tables: 2 of 2 cells done, 4,000 games; digest ")
    # Once more: nothing is left to do, and the digest is the same.
    assert good("study", "run", spec) == result.stdout


def test_dry_run_says_how_much_and_writes_nothing(spec: str, tmp_path: Path) -> None:
    text = good("study", "run", spec, "--dry-run", "-j", "2")
    assert "2 cells, 4,000 games, about" in text
    assert "on 2 threads; nothing was written" in text
    data = json.loads(good("study", "run", spec, "--dry-run", "--json"))
    assert data["games"] == 4_000
    assert len(data["cells"]) == 2
    assert data["minutes"] > 0
    assert not list(tmp_path.glob("*.db*"))


def test_status(done: str) -> None:
    assert "2 of 2 cells done" in good("study", "status", done)
    assert good("study", "status", "--db", done) == good("study", "status", done)
    data = json.loads(good("study", "status", done, "--json"))
    assert data["ended"] == 2
    assert data["running"] is False
    assert [cell["games"] for cell in data["cells"]] == [2_000, 2_000]
    assert data["sessions"][0]["games"] == 4_000


def test_show_and_export(done: str, tmp_path: Path) -> None:
    text = good("study", "show", done)
    assert text.startswith("all: wave base random seed 1\n")
    assert "1. 3 players, 2,000 games" in text
    shown = json.loads(good("study", "show", done, "--json"))
    simulated = json.loads(good("simulate", "wave", "-p", "4", "-s", "random", "-n", "2000", "--json"))
    assert shown["cells"][1]["result_digest"] == simulated["result_digest"]
    assert shown["cells"][1]["sides"] == simulated["sides"]
    frame = read_study(done).frame()
    assert list(frame["cell"]) == [1, 2]
    assert frame.attrs["name"] == "Two tables"
    table, columns, data = (str(tmp_path / f"out.{kind}") for kind in ("csv", "parquet", "json"))
    assert good("study", "export", done, "--format", "csv", "-o", table) == ""
    assert Path(table).read_text() == good("study", "export", done)
    good("study", "export", done, "-o", columns)
    pd.testing.assert_frame_equal(pd.read_parquet(columns), frame, check_dtype=False)
    good("study", "export", done, "--format", "json", "-o", data)
    assert json.loads(Path(data).read_text()) == shown
    assert list(frame.filter(like="draws")) == ["draws", "draws_low", "draws_high"]


def test_file_ending_must_match_format(done: str, tmp_path: Path) -> None:
    for name, words in (
        ("s.xlsx", "allowed: .json, .csv, .parquet"),
        ("s.csv", "the ending does not match --format json"),
    ):
        result = call("study", "export", done, "--format", "json", "-o", str(tmp_path / name))
        assert result.exit_code == 2
        assert words in result.stderr
        assert not (tmp_path / name).exists()


def test_targets_of_a_study(spec: str, tmp_path: Path) -> None:
    text = Path(spec).read_text().replace('strategies = "random"', 'strategies = ["random", "thumb"]')
    Path(spec).write_text(f'targets = ["win=20..40@thumb", "draws=0"]\n{text}')
    assert "has no draws" in call("study", "run", spec).stderr
    Path(spec).write_text(f'targets = ["win=20..40@thumb"]\n{text}')
    good("study", "run", spec)
    db = str(Path(spec).with_suffix(".db"))
    found = read_study(db)
    assert [cell.target for cell in found.cells] == [None, "inside", None, "outside"]
    assert found.frame()["target"].tolist() == [None, "inside", None, "outside"]
    page = good("study", "show", db)
    assert "2. 3 players thumb, 2,000 games, on target\n" in page
    assert "target: win=20..40@thumb" in page
    # Other wishes for the same cells: nothing is played again.
    Path(spec).write_text(f'targets = ["win=5..20"]\n{text}')
    good("study", "run", spec)
    assert [cell["target"] for cell in json.loads(good("study", "show", db, "--json"))["cells"]] == [
        "outside", "outside", "outside", "inside",
    ]  # fmt: skip
    Path(spec).write_text(f'targets = ["length=5"]\n{text}')
    assert "a study has no length; allowed: win, score, draws, first-seat" in call("study", "run", spec).stderr
    Path(spec).write_text(f'targets = ["win=5%@flat"]\n{text}')
    assert "nobody plays flat:200 in this study" in call("study", "run", spec).stderr


def test_a_study_from_python(spec: str) -> None:
    found = study(spec)
    assert (found.name, found.games, found.asked, found.interrupted) == ("Two tables", 4_000, 4_000, False)
    assert found.as_json()["digest"] == found.digest
    assert study(spec, db=Path(spec).with_suffix(".db")).digest == found.digest
    assert found.repeat() == f"houle study resume {Path(spec).with_suffix('.db')}"
    assert "digest" in good(*found.repeat().split()[1:])
    assert repr(found) == "StudyResult(wave, 3 players, 2 of 2 cells finished, 4,000 games)"


@pytest.mark.quick
def test_thumb_plays_by_default(spec: str) -> None:
    Path(spec).write_text(Path(spec).read_text().replace('strategies = "random"\n', ""))
    assert [cell.strategies[0] for cell in read_spec(spec).cells] == ["thumb", "thumb"]


def test_stopping_keeps_what_is_finished(spec: str) -> None:
    class Stopping(Listener):
        def report(self, progress: Progress) -> None:
            raise KeyboardInterrupt

    part = study(spec, progress=Stopping())
    assert part.as_json()["digest"] == (part.digest or None)
    assert study(spec).games == 4_000


@pytest.mark.quick
@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["status"], "give the file of the study once"),
        (["status", "a.db", "--db", "b.db"], "give the file of the study once"),
        (["resume", "none.db"], "no such study"),
        (["export", "none.db", "--format", "xls"], "'xls' is not one of"),
        (["export", "none.db", "--format", "parquet"], "cannot be printed; give -o FILE"),
        (["run", "none.toml"], "No such file"),
        (["rum"], "No such command"),
    ],
)
def test_bad_words(words: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = call("study", *words)
    assert result.exit_code == 2
    assert part in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_impossible_folder_is_one_line(done: str) -> None:
    result = call("study", "export", done, "--format", "parquet", "-o", f"{done}/a.parquet")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_nothing_is_counted_yet(spec: str, tmp_path: Path) -> None:
    path = str(tmp_path / "new.db")
    asked = read_spec(spec)
    create(path, asked, [measure(cell) for cell in asked.cells])
    assert "0 of 2 cells done, 0 games; not running: houle study resume" in good("study", "status", path)
    page = good("study", "show", path)
    assert "all: wave base random seed 1" in page
    assert "1. 3 players, 0 games, unfinished" in page
    assert good("study", "export", path).startswith("cell,done")
    assert len(read_study(path).frame()) == 0
