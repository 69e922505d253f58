"""`houle demo` writes a report and says where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.cli.commands import demo
from houle.cli.framework.options import Asked
from tests.support.call import good
from tests.support.made_reports import TINY, sketched

pytestmark = pytest.mark.compiled


def test_demo_writes_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling in two processes is tested in tests/cli/test_warm.py; here the kernels are compiled already."""
    warmed: list[str] = []
    monkeypatch.setattr(demo, "warm_halves", warmed.append)
    whole = demo.write_game
    monkeypatch.setattr(
        demo, "write_game", lambda asked, effort, *more: whole(Asked(asked.game, (2,), ("base",)), TINY, *more)
    )
    folder = tmp_path / "new" / "folder"
    with sketched():
        printed = good("demo", "-o", str(folder))
    assert warmed == ["wave"]
    page = folder / "index.html"
    assert f"saved {page}" in printed
    assert page.resolve().as_uri() in printed
    assert "WAVE" in page.read_text(encoding="utf-8")
    assert "houle play wave " in printed.splitlines()[-1]
    assert (folder / "tables" / "difficulty.csv").exists()
