"""Text for people: columns that fit the window, numbers with their intervals, values as one types them."""

from __future__ import annotations

import math
import shutil
import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from houle.analysis.result import Result
from houle.solver.ruleset import Setup, difference_words, is_own, rule_changes, variant_name

if TYPE_CHECKING:
    from houle.analysis.comparison.findings import Finding
    from houle.analysis.sampling.grid import Grid
    from houle.analysis.sampling.timing import TimeNeeded
    from houle.analysis.stats.intervals import Interval

WIDEST = 120  # longer lines are hard to read
NARROWEST = 60
GAP = "  "


def window() -> int:
    """Columns to write in; 100 where there is no window."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((100, 24)).columns))


def paragraph(text: str, indent: int = 0, hang: int = 0) -> str:
    """Text wrapped to the window; `hang` more columns of indent from the second line on."""
    return textwrap.fill(
        text,
        window(),
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_long_words=False,
        break_on_hyphens=False,
    )


def columns(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    flexible: Collection[int] = (),
    right: Collection[int] = (),
) -> str:
    """A table; the flexible columns wrap and share what room the others leave, `right` ones are numbers."""
    table = [list(heads), *map(list, rows)]
    wide = [max(len(row[i]) for row in table) for i in range(len(heads))]
    rest = window() - len(GAP) * (len(heads) - 1) - sum(wide[i] for i in range(len(heads)) if i not in flexible)
    wanted = sum(wide[i] for i in flexible)
    if wanted > rest:
        for i in flexible:
            wide[i] = max(12, rest * wide[i] // wanted)
    lines = []
    for row in table:
        cells = [
            textwrap.wrap(text, wide[i], break_on_hyphens=False) or [""] if i in flexible else [text]
            for i, text in enumerate(row)
        ]
        for k in range(max(map(len, cells))):
            parts = [cell[k] if k < len(cell) else "" for cell in cells]
            padded = (part.rjust(wide[i]) if i in right else part.ljust(wide[i]) for i, part in enumerate(parts))
            lines.append(GAP.join(padded).rstrip())
    return "\n".join(lines)


def span(numbers: Sequence[int]) -> str:
    """2, 3, 4 -> `2-4`; 1, 3 -> `1, 3`."""
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers))


def estimate(value: float, low: float, high: float, unit: str = "") -> str:
    """`0.223% (0.214 to 0.233)`, with as many digits as the interval deserves."""
    if not math.isfinite(value):
        return "unknown"
    half = (high - low) / 2
    digits = 2 if half <= 0 else max(0, min(7, 1 - math.floor(math.log10(half))))
    # Adding 0 to what was rounded makes -0.0 a plain 0.
    value, low, high = (round(number, digits) + 0.0 for number in (value, low, high))
    return f"{value:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def shown(found: Interval | None, percent: bool = False) -> str:
    """An estimate with its interval, rates in percent; empty where there is none."""
    if found is None:
        return ""
    if not math.isfinite(found.half):
        return "unknown"
    scale = 100 if percent else 1
    return estimate(scale * found.value, scale * found.low, scale * found.high, "%" if percent else "")


def amount(value: float, percent: bool = False) -> str:
    """A size with two digits that count; a rate's in points."""
    shown = 100 * value if percent else value
    digits = max(0, min(7, 1 - math.floor(math.log10(shown)))) if 0 < shown < math.inf else 1
    return f"{shown:.{digits}f}"


def span_of(least: float, greatest: float, percent: bool = False) -> str:
    """`0.41 points`, or `0.41 to 0.62 points` where the two differ."""
    ends = list(dict.fromkeys([amount(least, percent), amount(greatest, percent)]))
    return " to ".join(ends) + (" points" if percent else "")


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def duration(seconds: float) -> str:
    """`3.2 s`, `12 min`, `5 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def needed(time: TimeNeeded) -> str:
    """What a dry run says: how many games, how long, on how many threads."""
    return f"{plural(time.games, 'game')}, about {duration(time.seconds)} on {plural(time.threads, 'thread')}"


def table_line(setup: Setup) -> str:
    """What is played, in a line: `WAVE, 3 players, base game`, or the name of one's own variant."""
    return f"{setup.ruleset.title}, {plural(setup.players, 'player')}, {variant_name(setup)}"


def deciders(strategies: Sequence[str]) -> str:
    """Who plays, in a few words."""
    if len(set(strategies)) == 1:
        return f"everyone plays {strategies[0]}"
    return "strategies " + ", ".join(strategies)


def differences(setup: Setup) -> list[str]:
    """How a user's own rules differ from print; empty where nothing was set."""
    if not setup.changed and not is_own(setup):
        return []
    name = variant_name(setup) if is_own(setup) else "This table"
    changes = rule_changes(setup)
    if not changes:
        return [f"{name} changes no rule of {setup.ruleset.title}."]
    lines = [f"{name} differs from the printed rules of {setup.ruleset.title} in {plural(len(changes), 'place')}:"]
    lines += [paragraph(f"{change.words}; set by {change.source}", 2, 4) for change in changes]
    return [*lines, *(paragraph(words, 2, 4) for words in difference_words(setup)[len(changes) :])]


def grid_differences(grid: Grid) -> list[str]:
    """The same for several tables: a line for each variant of one's own, and for each knob that an axis turns."""
    ruleset = grid.arms[0].setup.ruleset
    lines = []
    for name, words in grid.differences().items():
        told = "; ".join(words) or f"changes no rule of {ruleset.title}"
        lines.append(paragraph(f"{name}: {told}", 0, 4))
    return lines


def notes(lines: Iterable[str]) -> list[str]:
    """What must be said with the numbers."""
    return [paragraph(f"note: {line}", 0, 6) for line in lines]


def head(result: Result, unit: str = "game") -> list[str]:
    """How a page begins: how the rules differ from print, the table and who plays, which games."""
    last = result.first + result.games - 1
    return [
        *differences(result.setup),
        f"{table_line(result.setup)}, {deciders(result.strategies)}",
        f"{plural(result.games, unit)} of seed {result.seed}, numbers {result.first:,} to {last:,}, 95% intervals",
    ]


def foot(result: Result) -> list[str]:
    """How a page ends: the time it took, the digests, and what must be said with the numbers."""
    return [
        f"time     {result.seconds:.2f} s, {result.games_per_second:,.0f} games a second",
        f"digests  rules {result.rules_digest}, result {result.digest}",
        *notes(result.notes),
    ]


def finding_lines(found: Iterable[Finding]) -> list[str]:
    """What the games say about the rules."""
    from houle.analysis.comparison.findings import finding_texts

    return [paragraph(f"finding  {line}", 0, 9) for line in finding_texts(found)]
