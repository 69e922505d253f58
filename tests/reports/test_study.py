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
    assert "What varies: hand.front 2, 3, 4; hand.back 1, 2, 3; strategies random, thumb." in lines(section)
    cells = {cell["label"]: cell["sides"][0]["win"]["value"] for cell in section["results"]["cells"]}
    assert len(cells) == 18
    assert (folder / "figures" / "map-wave.svg").exists()
    said = " ".join(lines(sections(data)["verdict"]))
    assert "games won from 20% to 40% for players who follow every rule of thumb" in said
    wanted = [cell for cell in section["results"]["cells"] if cell.get("target")]
    assert {cell["target"] for cell in wanted} >= {"outside"}
    for cell in wanted:
        if cell["target"] in ("inside", "perhaps"):
            assert cell["label"] in said
    assert "Off target, nearest first:" in said


@pytest.mark.quick
def test_missed_targets_name_the_next_command(tmp_path: Path) -> None:
    file, folder = tmp_path / "study.toml", str(tmp_path / "study")
    file.write_text(
        'games = 12\ntargets = ["win=90%..95%@random"]\n[[grid]]\ngame = "wave"\nplayers = 3\n'
        'strategies = ["random"]\n[grid.set]\nhand.back = [1, 3]\n'
    )
    study(str(file), folder=folder)
    said = " ".join(lines(sections(make_study_report(folder).as_json())["verdict"]))
    assert "No setup gives games won from 90% to 95%" in said
    assert re.search(r"houle design wave -p 3 --set hand\.back=[13] --target win=90%\.\.95%@random", said)
