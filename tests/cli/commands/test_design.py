"""`houle design` from the command line."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.support.call import call, good

pytestmark = pytest.mark.compiled

ASKED = ["design", "wave", "-p", "3", "--target", "win=40%@thumb", "--change", "hand.front=2..4,hand.back=1..4"]
FEW = ["-n", "20000", "--confirm-games", "1000"]
PAIRS = ["-n", "60000", "--confirm-games", "1000"]  # enough to measure two changes together


def test_page_shows_proposals_and_effects(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    page = good(*ASKED, *PAIRS, "--write", str(file))
    assert "wanted   win=40%@thumb" in page
    assert "what changes do to win of thumb, in points" in page
    assert re.search(r"^hand\.front=2 +-1\d\.\d  hand\.back=4 -\d", page, re.MULTILINE), page
    assert "instead of" in page
    assert "hand." in good("rules", "wave", "--rules", str(file)).splitlines()[1]
    assert call(*ASKED, *FEW, "--write", str(file)).exit_code == 2


def test_nearest_proposal_is_shown_if_nothing_fits(tmp_path: Path) -> None:
    figure = tmp_path / "trades.svg"
    page = good(*ASKED, "--target", "length=0..5", *FEW, "--figure", str(figure))
    assert "No combination of these changes reaches the target" in page
    again = shlex.split(page[page.index("houle design") :])
    assert json.loads(good(*again[1:], "--json"))["result_digest"] in page
    caption = " ".join(re.findall(r"<!-- (.*?) -->", figure.read_text()))
    assert "no setting that was tried reaches it" in caption
    assert "a: hand." in caption


def test_budget_in_seconds_and_kept_values() -> None:
    data = json.loads(good(*ASKED, "--budget", "0.2s", "--keep", "hand.front=4", "--json"))
    assert data["options"]["hand.front"] == 4
    assert list(data["change"]) == ["hand.back"]


@pytest.mark.quick
def test_bad_input_is_one_line() -> None:
    for words in (["--target", "winn=40"], ["--change", "hand.bakc"], ["--budget", "soon"], ["--keep", "hand.front=x"]):
        result = call(*ASKED, *FEW, *words)
        assert result.exit_code == 2, words
        assert len(result.stderr.strip().splitlines()) == 1
