"""Figures: one for each class of result, in three formats, without pyplot."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import houle
from houle.analysis.explain.balance import Balance
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.grid import Arm, Grid
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.figures import FIGURES, draw
from houle.reports.figures.style import (
    for_phones,
    interval_bar,
    interval_rows,
    make_figure,
    save,
    side_by_side,
)
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

SEA_CHANGE = make_setup("sea-change", 3)


@pytest.fixture(scope="module")
def balance() -> Balance:
    return houle.balance(SEA_CHANGE, strategies="random", games=60, threads=1)


def words_of(figure: object) -> list[str]:
    """Every text that a figure shows."""
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]  # type: ignore[attr-defined]


@pytest.mark.quick
@pytest.mark.parametrize("module", sorted(set(FIGURES.values())))
def test_every_figure_has_its_result_class(module: str) -> None:
    drawn = importlib.import_module(f"houle.reports.figures.{module}")
    names = [name for name, file in FIGURES.items() if file == module]
    assert all(hasattr(drawn, name) for name in names), names


@pytest.mark.parametrize(("suffix", "first"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_figure_is_returned_and_written(balance: Balance, suffix: str, first: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"balance{suffix}"
    figure = draw(balance, path)
    assert path.read_bytes().startswith(first)
    assert "SEA CHANGE, 3 players, base game: how games go" in words_of(figure)
    assert "Points, share of scores" in words_of(figure)


def test_seats_are_counted_from_one(balance: Balance) -> None:
    assert [name for name, _ in balance.sides] == ["seat 0", "seat 1", "seat 2"]
    shown = {text for text in words_of(draw(balance)) if re.fullmatch(r"seat \d", text)}
    assert shown == {"seat 1", "seat 2", "seat 3"}


def test_simulation_shows_sides_and_scores() -> None:
    words = words_of(draw(houle.simulate(SEA_CHANGE, strategies="random", games=60, threads=1)))
    assert {"seat 1", "seat 2", "seat 3", "Games won"} <= set(words)
    assert "seat 0" not in words


def test_strength_shows_its_matchups() -> None:
    words = words_of(draw(houle.strength(SEA_CHANGE, strategies="random,thumb", games=20, threads=1)))
    assert "thumb against random" in words


def test_names_are_not_read_as_formulas() -> None:
    arms = [Arm(line_up(SEA_CHANGE, "random"), {}, label) for label in (r"$\frac", "$x$ {y} 100%")]
    words = words_of(draw(houle.compare(Grid(tuple(arms)), games=40, measures="length", threads=1)))
    assert r"$\frac" in words
    assert "$x$ {y} 100%" in words


def test_unknown_results_and_file_types_are_refused(balance: Balance, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no figure for int"):
        draw(3)
    with pytest.raises(ValueError, match=r"balance\.gif: cannot write this kind of file"):
        draw(balance, tmp_path / "balance.gif")


def test_subclass_has_the_figure_of_its_class(balance: Balance) -> None:
    class Own(Balance):
        pass

    assert "Games won" in words_of(draw(Own(**vars(balance))))


@pytest.mark.quick
def test_same_drawing_gives_same_bytes(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        save(make_figure("t", "c", (3, 2), lambda figure: figure.subplots().plot([1, 2], [3, 4])), tmp_path / name)
    one, two = ((tmp_path / name).read_text() for name in ("one.svg", "two.svg"))
    date = re.compile("<dc:date>.*?</dc:date>")
    assert date.sub("", one) == date.sub("", two)


def test_drawing_does_not_import_pyplot() -> None:
    code = "import sys, houle.reports.figures.balance; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.quick
def test_bars_reach_from_low_to_high() -> None:
    ax = Figure().subplots()
    interval_bar(ax, Estimate(0.5, 0.4, 0.7, 10, PERCENT), 3, "C0")
    bar, dot = [(list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines]
    assert bar == ([40, 70], [3, 3])
    assert dot == ([50], [3])


@pytest.mark.quick
@pytest.mark.parametrize("narrow", [False, True])
def test_words_beside_bars_stay_inside(narrow: bool) -> None:
    """With a long verdict to the right and to the left of the longest bar."""

    def paint(figure: Any) -> None:
        for ax in side_by_side(figure, 2):
            interval_bar(ax, Estimate(0.5, 0.4, 0.6, 10), 0, "C0", "wider apart, but by less than 0.10")
            interval_bar(ax, Estimate(-0.5, -0.6, -0.4, 10), 1, "C0", "first side loses")

    with for_phones() if narrow else nullcontext():
        figure = make_figure("A title", "a caption", (8, 4), paint)
    for ax in figure.axes:
        for words in ax.texts:
            box = words.get_window_extent()
            assert ax.bbox.x0 <= box.x0 + 2
            assert box.x1 <= figure.bbox.x1 + 2
    if not narrow:
        one, other = figure.axes
        assert max(words.get_window_extent().x1 for words in one.texts) <= other.bbox.x0


@pytest.mark.quick
def test_long_row_names_are_wrapped() -> None:
    rows = [
        ("thumb and thumb[temperature=50.4]", Estimate(0.5, 0.4, 0.6, 10), "C0"),
        ("short", Estimate(0, 0, 1, 9), "C0"),
    ]
    with for_phones():
        figure = make_figure("A title", "", (8, 3), lambda drawn: interval_rows(drawn.subplots(), rows))
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names[1] == "short"
    assert names[0].split("\n")[0] == "thumb and thumb"
    assert names[0].split("\n")[1] == "[temperature=50.4]"
