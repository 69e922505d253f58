"""`houle learning-curve`: what each rule of thumb adds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houle.analysis.strategy import learning_curve
from tests.cli.commands.test_skill import repeated
from tests.support.call import call, good

pytestmark = pytest.mark.compiled


def test_page_and_figure_repeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_curve, "LEARNING_ORDER", 10)
    picture = tmp_path / "learning.svg"
    page = good("learning-curve", "wave", "-p", "3", "-n", "20", "--figure", str(picture))
    assert "No rule: play at random." in page
    assert "who may try the same deal of base game five times" in " ".join(page.split())
    assert "<svg" in picture.read_text()
    data = json.loads(good(*repeated(page), "--json"))
    assert data["result_digest"] in page
    assert data["tries"]["player"] == "first-game"


def test_rivals_follow_every_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_curve, "LEARNING_ORDER", 10)
    page = good("learning-curve", "vague-verte", "-p", "2", "-n", "20")
    assert "One player learns, all others follow every rule of thumb" in " ".join(page.split())


@pytest.mark.quick
def test_too_few_deals_are_refused() -> None:
    result = call("learning-curve", "wave", "-n", "19")
    assert "-n: '19' is not allowed; allowed: a whole number from 20" in result.stderr
