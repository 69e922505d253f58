"""Figures: one for each class of result, in three formats; the panels of a sweep and where a variant lies."""

from __future__ import annotations

import importlib
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

import houle
from houle.analysis.explain.balance import Balance
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.grid import Arm, Grid
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.figures import FIGURES, draw, sweep, where_it_lies
from houle.reports.figures.style import for_phones, interval_bar, make_figure, save, side_by_side
from houle.reports.figures.where_it_lies import Placed, reference_words
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

SEA_CHANGE = make_setup("sea-change", 3)


@pytest.fixture(scope="module")
def balance() -> Balance:
    return houle.balance(SEA_CHANGE, strategies="random", games=60, threads=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("figures")


@pytest.fixture(scope="module")
def figure(balance: Balance, folder: Path) -> Figure:
    return draw(balance, folder / "balance.svg")


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


def test_figure_is_returned_and_written(figure: Figure, folder: Path) -> None:
    for suffix, first in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        path = folder / f"balance{suffix}"
        if suffix != ".svg":  # written when it was drawn
            save(figure, path)
        assert path.read_bytes().startswith(first)
    assert "SEA CHANGE, 3 players, base game: how games go" in words_of(figure)
    assert "Points, share of scores" in words_of(figure)


def test_seats_are_counted_from_one(balance: Balance, figure: Figure) -> None:
    assert [name for name, _ in balance.sides] == ["seat 0", "seat 1", "seat 2"]
    shown = {text for text in words_of(figure) if re.fullmatch(r"seat \d", text)}
    assert shown == {"seat 1", "seat 2", "seat 3"}


def test_rows_without_common_players_name_none() -> None:
    """One better player among others: the rows name both."""
    drawn = draw(houle.strength(SEA_CHANGE, strategies=["random", "thumb"], games=4))
    assert "4 games of each row, seed 1; bars are 95% intervals" in words_of(drawn)


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


@pytest.mark.quick
def test_bars_reach_from_low_to_high() -> None:
    ax = Figure().subplots()
    interval_bar(ax, Estimate(0.5, 0.4, 0.7, n=10, unit=PERCENT), 3, "C0")
    bar, dot = [(list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines]
    assert bar == ([40, 70], [3, 3])
    assert dot == ([50], [3])


@pytest.mark.quick
@pytest.mark.parametrize("narrow", [False, True])
def test_words_beside_bars_stay_inside(narrow: bool) -> None:
    """With a long verdict to the right and to the left of the longest bar."""

    def paint(figure: Any) -> None:
        for ax in side_by_side(figure, 2):
            interval_bar(ax, Estimate(0.5, 0.4, 0.6, 10), y=0, colour="C0", text="wider apart, but by less than 0.10")
            interval_bar(ax, Estimate(-0.5, -0.6, -0.4, 10), y=1, colour="C0", text="first side loses")

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


PANELS = 4  # in rows of three: nothing is below the second and third panel


@pytest.fixture(scope="module")
def drawn() -> tuple[Any, Any]:
    grid = houle.grid(
        "wave", players=[2, 3], variants=["base", "nazare"], set={"hand.front": [2, 3, 4], "hand.back": [1, 2, 3, 4]}
    )
    result = houle.sweep(grid, strategies="random", games=40, targets=["win=0..2%"], threads=1)
    return result, sweep.draw(result, kind="heat")


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


def placed(name: str, win: float, own: bool = False) -> Placed:
    return Placed(name, Estimate(win, win - 0.01, win + 0.01, n=1000, unit=PERCENT), own)


def test_variants_and_sources_are_in_the_figure(tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    rows = {
        "family": [placed("base game", 0.1), placed("virage", 0.11), placed("Storm", 0.06, own=True)],
        "expert": [placed("base game", 0.7), placed("Storm", 0.35, own=True)],
    }
    save(where_it_lies.draw(rows, "WAVE for three surfers: where it lies", [make_setup("wave", 3)]), file)
    drawn = " ".join(file.read_text().split())
    for words in ("Storm", "base game", "virage", "6.0%", "impossible", "a gift", "typical", "family"):
        assert words in drawn
    assert all(words in reference_words() for words in ("30 to 40%", "BoardGameGeek", "1431162"))  # the caption


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
def test_other_settings_change_no_figure(ending: str, balance: Balance, tmp_path: Path) -> None:
    """Settings of a `matplotlibrc`, also of the current folder; and drawing leaves those of a notebook as they are."""
    others = {"text.usetex": True, "figure.facecolor": "red", "lines.linestyle": ":", "savefig.bbox": "tight"}
    plain, other = tmp_path / f"plain{ending}", tmp_path / f"other{ending}"
    with mpl.rc_context():
        mpl.rcdefaults()
        draw(balance, plain)
        mpl.rcParams.update(others | {"backend": "svg", "timezone": "Pacific/Tahiti", "interactive": True})
        before = mpl.rcParams.copy()
        draw(balance, other)
        assert mpl.rcParams == before
    dates = re.compile(rb"CreationDate.*|<dc:date>.*")
    assert dates.sub(b"", other.read_bytes()) == dates.sub(b"", plain.read_bytes())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["x" * 300, "word " * 300, "x" * 5_000])
def test_long_names_leave_room_for_the_figure(name: str) -> None:
    """A rules file may have any name; matplotlib gives up and warns where words fill the whole width."""

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_bar(ax, Estimate(0.4, 0.3, 0.5, n=100, unit=PERCENT), 0, "C0")
        ax.set_yticks([0], [name])

    for shape in (nullcontext, for_phones):
        with shape():
            figure = make_figure(name[:300], "caption", (3, 2), paint)
        assert figure.axes[0].bbox.width > figure.bbox.width / 4
