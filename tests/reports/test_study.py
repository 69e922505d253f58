"""The report of a study: what varies, what each value changes, a map, and targets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from houle import study
from houle.reports.html.write import DATA
from houle.reports.study import make_study_report
from tests.reports.test_verdict import lines, sections
from tests.support.made_reports import STUDY, report_of

pytestmark = pytest.mark.compiled


def test_study_report_shows_axes_and_targets(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = report_of(STUDY, tmp_path_factory)
    data = json.loads((folder / DATA).read_text())
    section = sections(data)["difficulty-wave"]
    assert "What varies: hand.front 2, 3, 4; hand.back 1, 2, 3; kind of player random, thumb." in lines(section)
    effects = {(row["player"], row["axis"], row["value"]): row for row in section["results"]["effects"]}
    assert len(effects) == 12
    cells = {cell["label"]: cell["sides"][0]["win"]["value"] for cell in section["results"]["cells"]}
    assert len(cells) == 18
    thumbs = [win for label, win in cells.items() if "thumb" in label and "hand.front=2" in label]
    shown = effects["thumb", "hand.front", "2"]
    assert (shown["win"]["value"], shown["cells"]) == (pytest.approx(sum(thumbs) / 3), 3)
    assert (folder / "figures" / "map-wave.svg").exists()
    said = " ".join(lines(sections(data)["verdict"]))
    assert "games won from 20% to 40% for players who follow every rule of thumb" in said
    wanted = [cell for cell in section["results"]["cells"] if cell.get("target")]
    assert {cell["target"] for cell in wanted} >= {"outside"}
    for cell in wanted:
        if cell["target"] in ("inside", "perhaps"):
            axes = [part.replace("=", " ") for part in cell["label"].split() if "=" in part]
            assert ", ".join([*axes, "thumb"]) in said
    assert "Off target, nearest first:" in said


@pytest.mark.quick
def test_missed_targets_name_the_next_command(tmp_path: Path) -> None:
    file, db = tmp_path / "study.toml", str(tmp_path / "study.db")
    file.write_text(
        'games = 12\ntargets = ["win=90%..95%@random"]\n[[grid]]\ngame = "wave"\nplayers = 3\n'
        'strategies = ["random"]\n[grid.set]\nhand.back = [1, 3]\n'
    )
    study(str(file), db=db)
    said = " ".join(lines(sections(make_study_report(db).as_json())["verdict"]))
    assert "No setup gives games won from 90% to 95%" in said
    assert re.search(r"houle design wave -p 3 --set hand\.back=[13] --target win=90%\.\.95%@random", said)
