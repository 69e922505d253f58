"""What all figures share: the style, headline and caption, intervals as bars, axes in percent.

Figures are made without pyplot, so drawing one changes nothing in the user's notebook or program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib.style
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from matplotlib.ticker import FixedLocator, FuncFormatter

from houle.analysis.sampling.grid import Grid
from houle.analysis.stats.estimate import SCALES, Estimate
from houle.solver.rules import Setup, differences_line

STYLE = Path(__file__).parent / "houle.mplstyle"
QUIET = "#555555"  # captions and guide lines
UNSURE = "#888888"  # differences that may be 0
HEAD = 1.2  # inches for title, caption and axis
TICK_ROOM = 6  # pixels between two numbers under an axis
HEADLINE_LETTERS, CAPTION_LETTERS = 8, 13.5  # per inch
MOST_LENGTHENINGS = 30  # of an axis, until the words beside its bars fit
LENGTHENING = 1.3  # times the missing length, because a longer axis also shortens its bars
LINE = 0.15  # inches per line of the caption
PHONE = "-phone"  # suffix of the narrow copy of a figure


@dataclass(frozen=True)
class Shape:
    """The size of figures and what fits into one."""

    width: float  # inches; a page shows the wide ones 784 pixels wide, a phone the narrow ones 358
    least: float  # points of the smallest letters: 11 pixels as shown
    label: int  # letters of a row's name before it wraps
    title: int  # letters of a panel's title
    one_by_one: bool  # whether panels are below each other


WIDE = Shape(width=8.0, least=8.7, label=40, title=42, one_by_one=False)
NARROW = Shape(width=3.8, least=8.9, label=17, title=20, one_by_one=True)
_shape: ContextVar[Shape] = ContextVar("shape", default=WIDE)
_in_report: ContextVar[bool] = ContextVar("in_report", default=False)

Row = tuple[str, Estimate, str]  # label, estimate, colour


@contextmanager
def for_phones() -> Iterator[None]:
    """Draw narrow figures in this context: panels below each other, labels wrapped."""
    token = _shape.set(NARROW)
    try:
        yield
    finally:
        _shape.reset(token)


@contextmanager
def in_report() -> Iterator[None]:
    """Draw figures for a page whose head already says how your own rules differ from print."""
    token = _in_report.set(True)
    try:
        yield
    finally:
        _in_report.reset(token)


def is_in_report() -> bool:
    """Whether the figure is drawn for a report, which shows some things in other figures."""
    return _in_report.get()


def our_style() -> AbstractContextManager[None]:
    """Draw with our style and nothing else in this context.

    Matplotlib reads a file `matplotlibrc` of the current folder, which may come from anybody. It keeps no setting here.
    What a reset leaves, such as the backend, is for windows and dates, and no figure has them.
    """
    return matplotlib.style.context(str(STYLE), after_reset=True)


def make_figure(
    title: str,
    caption: str,
    size: tuple[float, float],
    paint: Callable[[Any], None],
    setups: Iterable[Setup] = (),
    own: Iterable[str] = (),
    rows: int = 1,
) -> Figure:
    """Make a figure that `paint` fills, and add headline and caption.

    All figures of a shape are equally wide; the height is for one row of panels and grows with their `rows`. Above the
    caption stands how your own rules differ from print: those of `setups`, and the lines of `own`; not in a report.
    """
    shape = _shape.get()
    headline = fill(title, int(HEADLINE_LETTERS * shape.width))
    changed = [] if _in_report.get() else [*own, *map(differences_line, setups)]
    lines = [line for line in dict.fromkeys(changed) if line]
    below = "\n".join(fill(line, int(CAPTION_LETTERS * shape.width)) for line in [*lines, *caption.split("\n")])
    more = below.count("\n") * LINE + headline.count("\n") * 2 * LINE
    with our_style():
        figure = Figure(figsize=(shape.width, size[1]), layout="constrained")
        paint(figure)
        _wrap_titles(figure, shape.title)
        tall = 0.5 + 0.5 * _wrap_labels(figure, shape.label)
        figure.suptitle(headline, x=0.01, ha="left", fontweight="bold", fontsize=13)
        figure.supxlabel(below, x=0.01, ha="left", fontsize=8, color=QUIET)
        for words in figure.findobj(Text):
            words.set_fontsize(max(words.get_fontsize(), shape.least))
        figure.set_figheight(HEAD + more + (size[1] - HEAD) * rows * tall)
        for words in _words_beside_bars(figure):
            words.set_in_layout(False)  # a longer axis makes room for them, not a smaller panel
        figure.draw_without_rendering()
        figure.set_layout_engine(None)  # the layout is done; it must not run again for every file
        _keep_words_inside(figure)
        _thin_ticks(figure)
        _keep_titles_inside(figure)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure with our style."""
    path.write_bytes(saved(figure, path.suffix[1:]))


def saved(figure: Figure, kind: str) -> bytes:
    """A figure as a file, with our style: colours such as `C0` are looked up only when a figure is saved."""
    file = BytesIO()
    with our_style():
        figure.savefig(file, format=kind)
    return file.getvalue()


def differences(grid: Grid) -> list[str]:
    """How your own variants in a comparison or sweep differ from print."""
    return [f"{name}: {'; '.join(words) or 'no rule differs from print'}" for name, words in grid.differences().items()]


def panel_rows(number: int, most: int = 2) -> int:
    """The number of rows for so many panels, `most` in a row; narrow figures have one in a row."""
    return number if _shape.get().one_by_one else -(-number // most)


def side_by_side(
    figure: Any, number: int, most: int = 2, ratios: Sequence[float] = (), same_rows: bool = False
) -> list[Any]:
    """Make panels in `panel_rows` rows, the last as wide as the space left; they may share the names of their rows."""
    down = panel_rows(number, most)
    across = -(-number // max(down, 1))
    grid = figure.add_gridspec(down, across, width_ratios=ratios if len(ratios) == across else None)
    axes: list[Any] = []
    for i in range(number):
        row, column = divmod(i, across)
        place = grid[row, column:] if i == number - 1 else grid[row, column]
        axes.append(figure.add_subplot(place, sharey=axes[0] if same_rows and axes else None))
        if same_rows and column:
            axes[-1].tick_params(labelleft=False)
    return axes


def wrapped_label(words: str) -> str:
    """Wrap a heading between rows, with twice the room of a row's name."""
    return fill(words, 2 * _shape.get().label)


def _wrap_titles(figure: Any, letters: int) -> None:
    for ax in figure.axes:
        lines = ax.get_title(loc="left").split("\n")
        ax._left_title.set_text("\n".join(fill(line, letters) for line in lines))  # set_title would undo its pad


def _wrap_labels(figure: Any, letters: int) -> int:
    """Wrap long names of rows; returns the largest number of lines of a name."""
    most = 1
    for ax in figure.axes:
        if isinstance(ax.yaxis.get_major_locator(), FixedLocator):
            names = [_broken(label.get_text(), letters) for label in ax.get_yticklabels()]
            lines = max((name.count("\n") + 1 for name in names), default=1)
            if lines > 1:
                ax.set_yticks(ax.get_yticks(), names)
            most = max(most, lines)
    return most


def _broken(name: str, letters: int) -> str:
    """Wrap a name; a long strategy is broken before its options, and a word only if it leaves no room for bars."""
    if any(len(word) > letters for word in name.split()):
        name = name.replace("[", " [")
    return fill(name, min(3 * letters // 2, max([letters, *map(len, name.split())])))


def _words_beside_bars(artist: Any) -> list[Annotation]:
    return [words for words in artist.findobj(Annotation) if words.xycoords == "data"]


def _keep_words_inside(figure: Any) -> None:
    """Lengthen axes until the words beside the bars fit into the panel."""
    # One renderer measures all words: without it Matplotlib makes a canvas of the whole figure for each of them.
    renderer = RendererAgg(figure.bbox.width, figure.bbox.height, figure.dpi)  # type: ignore[no-untyped-call]
    for ax in figure.axes:
        words = _words_beside_bars(ax)
        for _ in range(MOST_LENGTHENINGS if words else 0):
            boxes = [text.get_window_extent(renderer) for text in words]
            left = ax.bbox.x0 - min(box.x0 for box in boxes)
            right = max(box.x1 for box in boxes) - _right_end(figure, ax)
            if left <= 0 and right <= 0:
                break
            low, high = ax.get_xlim()
            unit = LENGTHENING * (high - low) / ax.bbox.width
            ax.set_xlim(low - unit * max(left, 0), high + unit * max(right, 0))


def _right_end(figure: Any, ax: Any) -> float:
    """The right limit of a panel: the next panel in its row, or the edge of the figure."""
    beside = [
        other.bbox.x0
        for other in figure.axes
        if other.bbox.x0 >= ax.bbox.x1 and other.bbox.y0 < ax.bbox.y1 and ax.bbox.y0 < other.bbox.y1
    ]
    return float(min([*beside, figure.bbox.x1])) - TICK_ROOM


def _thin_ticks(figure: Any) -> None:
    """Leave out numbers under an axis that would touch each other or stick out of the figure."""
    for ax in figure.axes:
        low, high = sorted(ax.get_xlim())
        ax.get_xticklabels()  # updates the ticks of a lengthened axis
        shown = [
            (tick.get_loc(), tick.label1.get_text(), tick.label1.get_window_extent())
            for tick in ax.xaxis.get_major_ticks()
            if low <= tick.get_loc() <= high and tick.label1.get_text()
        ]
        inside = [one for one in shown if one[2].x1 <= figure.bbox.x1]
        cut, shown = len(inside) < len(shown), inside
        step = 1
        while step < len(shown) and any(
            one[2].x1 + TICK_ROOM > other[2].x0 for one, other in zip(shown[::step], shown[step::step], strict=False)
        ):
            step += 1
        if step > 1 or cut:
            kept = shown[::step]
            ax.set_xticks([place for place, _, _ in kept], [name for _, name, _ in kept])


def _keep_titles_inside(figure: Any) -> None:
    """Align titles that would stick out on the right with the right end of their panel."""
    for ax in figure.axes:
        words = ax.get_title(loc="left")
        if words and ax._left_title.get_window_extent().x1 > figure.bbox.x1:
            size = ax._left_title.get_fontsize()
            ax.set_title("", loc="left")
            ax.set_title(words, loc="right", fontsize=size)


def interval_bar(ax: Any, interval: Estimate, y: float, colour: str, text: str = "") -> None:
    """Draw an estimate as a dot on a line with words beside it."""
    low, value, high = scaled(interval)
    ax.plot([low, high], [y, y], color=colour, solid_capstyle="butt")
    ax.plot([value], [y], "o", color=colour)
    if text:
        place, shift, side = (low, -6, "right") if value < 0 else (high, 6, "left")
        ax.annotate(
            fill(text, _shape.get().title),
            (place, y),
            (shift, 0),
            textcoords="offset points",
            color=colour,
            va="center",
            ha=side,
            fontsize=8.5,
        )


def interval_rows(ax: Any, rows: Sequence[Row]) -> None:
    """Draw a labelled line for every estimate, the first on top."""
    for y, (_, interval, colour) in enumerate(rows):
        interval_bar(ax, interval, y, colour, text=interval.short())
    ax.set_yticks(range(len(rows)), [label for label, _, _ in rows])
    ax.set_ylim(max(len(rows), 1) - 0.5, -0.5)


def scaled(interval: Estimate) -> tuple[float, float, float]:
    """Low end, value and high end as people read them: shares in percent."""
    shown = interval.scale(SCALES.get(interval.unit, 1.0))
    return shown.low, shown.value, shown.high


def percent_axis(axis: Any) -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))


def wins_axis(ax: Any, margin: float) -> None:
    """Format a panel of wins: in percent, with room for the numbers, not far below 0."""
    ax.margins(x=margin)
    ax.set_xlim(left=max(ax.get_xlim()[0], -2))
    percent_axis(ax.xaxis)
    ax.set_title("Games won")


def equal_share_line(ax: Any, share: float, y: float) -> None:
    """Draw what everybody would win if all were equal, with a word at height `y`."""
    ax.axvline(100 * share, color=QUIET, linewidth=1, linestyle="--", zorder=1)
    ax.annotate("equal share", (100 * share, y), (3, 0), textcoords="offset points", fontsize=8, color=QUIET, va="top")
