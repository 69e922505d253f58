"""The figure of where a variant lies: all variants by name, and the band with its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.figures.style import save
from houle.reports.figures.where_it_lies import Placed, draw, reference_words
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled


def placed(name: str, win: float, own: bool = False) -> Placed:
    return Placed(name, Estimate(win, win - 0.01, win + 0.01, 1000, PERCENT), own)


def test_variants_and_sources_are_in_the_figure(tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    rows = {
        "family": [placed("base game", 0.1), placed("virage", 0.11), placed("Storm", 0.06, own=True)],
        "expert": [placed("base game", 0.7), placed("Storm", 0.35, own=True)],
    }
    save(draw(rows, "WAVE for three surfers: where it lies", [make_setup("wave", 3)]), file)
    drawn = " ".join(file.read_text().split())
    for words in ("Storm", "base game", "virage", "6.0%", "impossible", "a gift", "typical", "family"):
        assert words in drawn
    assert "1431162" in reference_words()  # the caption beside the figure names the sources


def test_the_band_has_a_source() -> None:
    words = reference_words()
    assert "30 to 40%" in words
    assert "BoardGameGeek" in words
    assert "1431162" in words
