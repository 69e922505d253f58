"""The page for a publisher: its numbers are those of the report, and it is one sheet of paper."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from houle.analysis.blocks import sentence
from houle.reports.html import sheet as sheets
from houle.reports.html.sheet import browser_path, write_sheet
from houle.reports.html.write import DATA, SHEET, SHEET_PDFS
from tests.reports.test_report import words_of
from tests.support.made_reports import report_of

PAPERS = {"sheet-a4.pdf": (595, 842), "sheet-letter.pdf": (612, 792)}  # points


@pytest.fixture(params=["land-unter", pytest.param("wave", marks=pytest.mark.slow)])
def folder(request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(report_of(request.param, tmp_path_factory), tmp_path / "report")


@pytest.mark.compiled
def test_sheet_has_the_answers_of_the_report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "BROWSERS", ())
    assert write_sheet(folder) == [folder / SHEET]
    shown = words_of((folder / SHEET).read_text())
    verdict = json.loads((folder / DATA).read_text())["parts"][0]["sections"][0]
    lead, answers = verdict["blocks"][:2]
    assert sentence(lead) in shown
    assert all(f"{item['label']} {sentence(item)}" in shown for item in answers["items"])
    assert re.search(r"come from: \d+ \w+", shown)
    assert "houle report" in shown


@pytest.mark.browser
@pytest.mark.skipif(browser_path() is None, reason="no browser is installed")
def test_sheet_is_printed_on_one_page(folder: Path) -> None:
    written = write_sheet(folder)
    assert [file.name for file in written] == [SHEET, *SHEET_PDFS]
    for file in written[1:]:
        printed = file.read_bytes()
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, file.name
        box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed)
        assert box
        assert [round(float(side)) for side in box.groups()] == pytest.approx(PAPERS[file.name], abs=1)
