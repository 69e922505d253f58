"""`make demo` writes a report and says where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.cli.framework.options import Asked
from tests.support.made_reports import TINY, sketched
from tools import demo

pytestmark = pytest.mark.compiled


def test_demo_writes_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiling in two processes is tested in tests/cli/test_warm.py; here the kernels are compiled already."""
    warmed: list[str] = []
    monkeypatch.setattr(demo, "warm_halves", warmed.append)
    with sketched():
        demo.main(tmp_path / "new" / "folder", TINY, Asked("wave", (2,), ("base",)))
    assert warmed == ["wave"]
    printed = capsys.readouterr().out
    page = tmp_path / "new" / "folder" / "index.html"
    assert f"saved {page}" in printed
    assert page.resolve().as_uri() in printed
    assert "WAVE" in page.read_text()
    assert "houle play wave " in printed.splitlines()[-1]
    assert (tmp_path / "new" / "folder" / "tables" / "difficulty.csv").exists()
