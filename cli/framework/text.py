"""Text for people: columns that fit the window, and numbers with their intervals."""

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
    from houle.analysis.stats.estimate import Estimate

WIDEST = 120  # longer lines are hard to read
NARROWEST = 60
GAP = "  "
INTERVALS = "95% intervals in brackets"


def window() -> int:
    """The width to write in; 100 without a window."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((100, 24)).columns))


def paragraph(text: str, indent: int = 0, hang: int = 0) -> str:
    """Text wrapped to the window; lines after the first are indented by `hang` more columns."""
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
    """Rows as aligned text. Columns in `flexible` wrap to fit the window, columns in `right` align right."""
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
    """`0.223% (0.214 to 0.233)`, with as many digits as the interval supports."""
    if not math.isfinite(value):
        return "unknown"
    half = (high - low) / 2
    digits = 2 if half <= 0 else max(0, min(7, 1 - math.floor(math.log10(half))))
    # Adding 0 to what was rounded makes -0.0 a plain 0.
    value, low, high = (round(number, digits) + 0.0 for number in (value, low, high))
    return f"{value:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def shown(estimated: Estimate | None, percent: bool = False) -> str:
    """An estimate with its interval, in percent if `percent`; empty for None."""
    if estimated is None:
        return ""
    if not math.isfinite(estimated.half):
        return "unknown"
    scale = 100 if percent else 1
    return estimate(scale * estimated.value, scale * estimated.low, scale * estimated.high, "%" if percent else "")


def points(estimated: Estimate | None) -> str:
    """A difference of rates with its interval, in percentage points but without the sign %."""
    return shown(estimated, percent=True).replace("%", "", 1)


def amount(value: float, percent: bool = False) -> str:
    """A number with two significant digits; rates in points."""
    shown = 100 * value if percent else value
    digits = max(0, min(7, 1 - math.floor(math.log10(shown)))) if 0 < shown < math.inf else 1
    return f"{shown:.{digits}f}"


def span_of(least: float, greatest: float, percent: bool = False) -> str:
    """`0.41 points`, or `0.41 to 0.62 points` if the two differ."""
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
    """What --dry-run prints: how many games, how long, on how many threads."""
    return f"{plural(time.games, 'game')}, about {duration(time.seconds)} on {plural(time.threads, 'thread')}"


def setup_line(setup: Setup) -> str:
    """The setup in a line: `WAVE, 3 players, base game`, or the name of your own rules."""
    return f"{setup.ruleset.title}, {plural(setup.players, 'player')}, {variant_name(setup)}"


def deciders(strategies: Sequence[str]) -> str:
    """Who plays, in a few words."""
    if len(set(strategies)) == 1:
        return f"everyone plays {strategies[0]}"
    return "players " + ", ".join(strategies)


def differences(setup: Setup) -> list[str]:
    """How the rules differ from the printed ones; empty if nothing was changed."""
    if not setup.changed and not is_own(setup):
        return []
    name = variant_name(setup) if is_own(setup) else "This setup"
    changes = rule_changes(setup)
    if not changes:
        return [f"{name} changes no rule of {setup.ruleset.title}."]
    lines = [f"{name} differs from the printed rules of {setup.ruleset.title} in {plural(len(changes), 'rule')}:"]
    lines += [paragraph(f"{change.words}; set by {change.source}", 2, 4) for change in changes]
    return [*lines, *(paragraph(words, 2, 4) for words in difference_words(setup)[len(changes) :])]


def grid_differences(grid: Grid) -> list[str]:
    """The same for several setups: a line for each set of own rules and each knob that varies."""
    ruleset = grid.arms[0].setup.ruleset
    lines = []
    for name, words in grid.differences().items():
        changes = "; ".join(words) or f"changes no rule of {ruleset.title}"
        lines.append(paragraph(f"{name}: {changes}", 0, 4))
    return lines


def notes(lines: Iterable[str]) -> list[str]:
    """Notes below a result, one per line."""
    return [paragraph(f"note: {line}", 0, 6) for line in lines]


def head(result: Result, unit: str = "game") -> list[str]:
    """The first lines of a result: changed rules, setup, players, and how many games were played."""
    return [
        *differences(result.setup),
        f"{setup_line(result.setup)}, {deciders(result.strategies)}",
        f"{plural(result.games, unit)}; {INTERVALS}",
    ]


def short_head(setup: Setup) -> list[str]:
    """The first lines of a result with several players or numbers of games."""
    return [*differences(setup), f"{setup_line(setup)}; {INTERVALS}"]


def foot(result: Result) -> list[str]:
    """The last lines of a result: time, what identifies it, and notes."""
    return [
        f"time     {result.seconds:.2f} s, {result.games_per_second:,.0f} games per second",
        f"seed     {result.seed}; digests: rules {result.rules_digest}, result {result.digest}",
        *notes(result.notes),
    ]


def finding_lines(findings: Iterable[Finding]) -> list[str]:
    """Findings about the rules, one per line."""
    from houle.analysis.comparison.findings import finding_texts

    return [paragraph(f"finding  {line}", 0, 9) for line in finding_texts(findings)]
