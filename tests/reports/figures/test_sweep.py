"""The figure of a sweep: the lowest panels have numbers, and cells on target have frames."""

from __future__ import annotations

from typing import Any

import pytest

import houle
from houle.reports.figures.sweep import draw

pytestmark = pytest.mark.compiled

PANELS = 4  # in rows of three: nothing is below the second and third panel


@pytest.fixture(scope="module")
def drawn() -> tuple[Any, Any]:
    grid = houle.grid(
        "wave", players=[2, 3], variants=["base", "nazare"], set={"hand.front": [2, 3, 4], "hand.back": [1, 2, 3, 4]}
    )
    result = houle.sweep(grid, strategies="random", games=40, targets=["win=0..2%"], threads=1)
    return result, draw(result, kind="heat")


def test_lowest_panels_have_axis_numbers(drawn: tuple[Any, Any]) -> None:
    _, figure = drawn
    panels = [ax for ax in figure.axes if ax.get_images() and ax.get_title(loc="left").strip()]
    assert len(panels) == PANELS
    shown = [ax.xaxis.get_tick_params()["labelbottom"] for ax in panels]
    assert shown == [False, True, True, True]
    assert [ax.get_xlabel() for ax in panels] == ["", "hand.back", "hand.back", "hand.back"]


def test_cells_perhaps_on_target_have_dashed_frames(drawn: tuple[Any, Any]) -> None:
    result, figure = drawn
    targets = [row.target for row in result.of("win")]
    assert {"perhaps"} <= set(targets)
    lines = [patch.get_linestyle() for ax in figure.axes for patch in ax.patches if not patch.get_fill()]
    assert lines.count("dashed") == targets.count("perhaps")
    assert lines.count("solid") == targets.count("inside")
    assert "(dashed: perhaps)" in " ".join(figure.get_supxlabel().split())
