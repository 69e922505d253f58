"""`houle study`: its commands, what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from houle import read_study, study
from houle.analysis.studies import log as log_module
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
    return str(Path(spec).with_suffix(""))


def test_run_prints_cells_and_digest(spec: str) -> None:
    result = call("study", "run", spec, "--quiet")
    assert result.exit_code == 0, result.output
    assert result.stderr.count(" done: ") == 2
    assert result.stdout.startswith("Two tables: 2 of 2 cells done, 4,000 games; digest ")
    # Once more: nothing is left to do, and the digest is the same.
    again = call("study", "run", spec, "-q")
    assert (again.stdout, again.stderr) == (result.stdout, "")


def test_dry_run_writes_nothing(spec: str, tmp_path: Path) -> None:
    text = good("study", "run", spec, "--dry-run", "-j", "2")
    assert "2 cells, 4,000 games, about" in text
    assert "on 2 threads; nothing was written" in text
    data = json.loads(good("study", "run", spec, "--dry-run", "--json", "--part", "2/4"))
    assert [cell["games"] for cell in data["cells"]] == [500, 500]
    assert data["seconds"] == pytest.approx(sum(cell["seconds"] for cell in data["cells"]))
    assert [path.name for path in tmp_path.iterdir()] == ["two.toml"]


def test_part_says_what_is_left(spec: str, done: str, tmp_path: Path) -> None:
    half = str(tmp_path / "half")
    assert "0 of 2 cells done, 2,000 games of 4,000" in good("study", "run", spec, "-o", half, "--part", "1/2")
    page = good("study", "show", half, "--within", "0.1")
    assert "WAVE, 2 setups, base, everyone plays random; 95% intervals in brackets\n" in page
    rows = [line.split() for line in page.splitlines()[2:4]]
    assert [row[:5] for row in rows] == [["1", "3", "1,000", "of", "2,000"], ["2", "4", "1,000", "of", "2,000"]]
    assert all(int(row[-1].replace(",", "")) > 1_000 for row in rows)
    assert [line.split()[-1] for line in good("study", "show", half, "--within", "50").splitlines()[2:4]] == ["0", "0"]
    assert not read_study(half).frame()["result_digest"].notna().any()
    good("study", "run", spec, "-o", half, "--part", "2/2")
    assert good("study", "show", half) == good("study", "show", done)


def test_json_has_every_side_of_a_cell(tmp_path: Path) -> None:
    file = tmp_path / "rivals.toml"
    file.write_text('game = "land-unter"\nplayers = 3\nstrategies = "random"\ngames = 60\n')
    good("study", "run", str(file), "-o", str(tmp_path / "rivals"))
    cell = json.loads(good("study", "show", str(tmp_path / "rivals"), "--json"))["cells"][0]
    simulated = json.loads(good("simulate", "land-unter", "-p", "3", "-s", "random", "-n", "60", "--json"))
    assert [side["side"] for side in cell["sides"]] == ["seat 0", "seat 1", "seat 2"]
    assert cell["sides"] == simulated["sides"]


def test_show_and_export(done: str, tmp_path: Path) -> None:
    text = good("study", "show", done)
    assert text.splitlines()[1].split() == ["players", "games", "win", "cards_left"]
    shown = json.loads(good("study", "show", done, "--json"))
    simulated = json.loads(good("simulate", "wave", "-p", "4", "-s", "random", "-n", "2000", "--json"))
    assert shown["cells"][1]["result_digest"] == simulated["result_digest"]
    assert shown["cells"][1]["sides"] == simulated["sides"]
    assert shown["cells"][1]["measures"]["win"] == simulated["sides"][0]["win"]
    frame = read_study(done).frame()
    assert list(frame["cell"]) == [1, 2]
    assert frame.attrs["name"] == "Two tables"
    columns, data = (str(tmp_path / f"out.{kind}") for kind in ("parquet", "json"))
    assert good("study", "export", done, "-o", columns, "-o", data) == ""
    assert good("study", "export", done).splitlines()[0] == ",".join(frame.columns)
    pd.testing.assert_frame_equal(pd.read_parquet(columns), frame, check_dtype=False)
    assert json.loads(Path(data).read_text()) == shown


def test_targets_of_a_study(spec: str) -> None:
    text = Path(spec).read_text().replace('strategies = "random"', 'strategies = ["random", "thumb"]')
    folder = str(Path(spec).with_suffix(""))

    def run(targets: str) -> str:
        Path(spec).write_text(f"targets = [{targets}]\n{text}")
        return call("study", "run", spec, "-q").stderr

    assert "has no draws" in run('"win=20..40@thumb", "draws=0"')
    assert run('"win=20..40@thumb"').count("\n") == 4
    found = read_study(folder)
    assert [cell.target for cell in found.cells] == [None, "inside", None, "outside"]
    assert found.frame()["target"].fillna("").tolist() == ["", "inside", "", "outside"]
    assert [line.split()[-2:] for line in good("study", "show", folder).splitlines() if "target" in line] == [
        ["cards_left", "target"],
        ["on", "target"],
        ["off", "target"],
        ["target:", "win=20..40@thumb"],
    ]
    # Other targets for the same cells: nothing is played again.
    assert run('"win=5..20"') == ""
    assert [cell.target for cell in read_study(folder).cells] == ["outside", "outside", "outside", "inside"]
    assert "a study has no length; allowed: win, score, draws, first-seat" in run('"length=5"')
    assert "nobody plays flat:200 in this study" in run('"win=5%@flat"')


def test_a_study_from_python(spec: str) -> None:
    def interrupt(*words: object) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_module.Log, "append", interrupt)
        stopped = study(spec)
    assert (stopped.games, stopped.asked, stopped.interrupted, len(stopped.frame())) == (0, 4_000, True, 0)
    assert "0 of 2,000" in good(*stopped.repeat().split()[1:])
    found = study(spec)
    assert (found.name, found.games, found.asked, found.interrupted) == ("Two tables", 4_000, 4_000, False)
    assert found.as_json()["digest"] == found.digest
    assert study(spec, folder=Path(spec).with_suffix("")).digest == found.digest
    assert repr(found) == "StudyResult(wave, 3 players, 2 of 2 cells finished, 4,000 games)"
