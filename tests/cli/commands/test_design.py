"""`houle design` from the command line."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from tests.support.call import call, good

ASKED = ["design", "wave", "-p", "3", "--target", "win=40%@thumb", "--change", "hand.front=2..4,hand.back=1..4"]
FEW = ["-n", "60000", "--fresh", "5000"]


def test_the_page_has_the_list_its_price_and_the_effects(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    page = good(*ASKED, *FEW, "--write", str(file))
    assert "wanted   win=40%@thumb" in page
    assert "what changes do to win of thumb, in points" in page
    assert re.search(r"^hand\.front=2 +-1\d\.\d  hand\.back=4 -\d", page, re.MULTILINE), page
    assert "instead of" in page
    again = shlex.split(page[page.index("houle design") :])
    assert json.loads(good(*again[1:], "--json"))["result_digest"] in page
    assert "hand." in good("rules", "wave", "--rules", str(file)).splitlines()[1]
    assert call(*ASKED, *FEW, "--write", str(file)).exit_code == 2


def test_where_nothing_fits_the_nearest_and_the_trades_are_shown(tmp_path: Path) -> None:
    figure = tmp_path / "trades.svg"
    page = good(*ASKED, "--target", "length=0..5", *FEW, "--figure", str(figure))
    assert "Nothing within these changes reaches it" in page
    told = " ".join(re.findall(r"<!-- (.*?) -->", figure.read_text()))
    assert "nothing within" in told
    assert "a: hand." in told


def test_a_time_is_a_budget_and_what_is_kept_stays() -> None:
    found = json.loads(good(*ASKED, "--budget", "0.2s", "--keep", "hand.front=4", "--json"))
    assert found["options"]["hand.front"] == 4
    assert list(found["change"]) == ["hand.back"]


def test_bad_input_is_one_line() -> None:
    for words in (["--target", "winn=40"], ["--change", "hand.bakc"], ["--budget", "soon"], ["--keep", "hand.front=x"]):
        result = call(*ASKED, *FEW, *words)
        assert result.exit_code == 2, words
        assert len(result.stderr.strip().splitlines()) == 1
