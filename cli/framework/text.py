"""Text for people: columns that fit the window, and numbers with their intervals."""

from __future__ import annotations

import shutil
import textwrap
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.blocks import SEATS, Block, estimate_of, sentence
from houle.analysis.result import Result, shown_seats
from houle.analysis.result import setup_title as setup_title
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.solver.language.languages import ENGLISH, Words, catalogue_files, words_in
from houle.solver.language.seats import from_1
from houle.solver.rules import Setup, difference_words, is_own, rule_changes, variant_name
from houle.solver.texts import count_of as count_of

if TYPE_CHECKING:
    from houle.analysis.sampling.grid import Grid
    from houle.analysis.tables.table import Table

Pick = str | Callable[[Any], Any]  # the key of a record, the name of an attribute, or a function of the row
Picks = list[tuple[str, Pick]]  # headings, and what stands below them

BEGAN = time.perf_counter()  # about when the command was started: what people wait for counts compiling too
WIDEST = 120  # longer lines are hard to read
NARROWEST = 60
GAP = "  "
MOST_LINES = 60  # of a table on the screen
SHORT = 32  # words in a table that are longer may wrap
INTERVALS = "95% intervals in brackets"
WORDS = Path(__file__).parent.parent / "play"  # the folder with the words of pages and commands

_spoken: list[Words] = []  # the language in which text is written, the innermost last


@contextmanager
def speaking(language: str, setup: Setup) -> Iterator[None]:
    """Texts made meanwhile are in this language, as far as the catalogues know them."""
    _spoken.append(words_in(language, catalogue_files(language, setup.ruleset.name, [WORDS])))
    try:
        yield
    finally:
        _spoken.pop()


def say(text: str) -> str:
    """A text in the language of the reader."""
    return _spoken[-1](text) if _spoken else text


def window() -> int:
    """The width to write in; 100 without a window."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((100, 24)).columns))


def paragraph(text: str, indent: int = 0, hang: int = 0) -> str:
    """Text wrapped to the window; lines after the first are indented by `hang` more columns."""
    return textwrap.fill(
        say(text),
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
    table = [[say(cell) for cell in row] for row in (heads, *rows)]
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


def cell(value: Any) -> str:
    """A value in a table: an estimate with its interval, a whole number with commas; empty for what does not exist."""
    if value is None or value is MISSING:
        return ""
    if isinstance(value, Estimate):
        return value.text()
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(rows: Iterable[Any], picks: Sequence[tuple[str, Pick]], flexible: Collection[str] = ()) -> str:
    """The rows of a result as aligned text; whole numbers align right, and the columns named in `flexible` wrap."""
    picked = [[_picked(row, pick) for _, pick in picks] for row in rows]
    heads = [head for head, _ in picks]
    whole = [i for i in range(len(heads)) if all(isinstance(row[i], int | None) for row in picked)]
    wrapped = [i for i, head in enumerate(heads) if head in flexible]
    return columns(heads, [list(map(cell, row)) for row in picked], wrapped, whole)


def _picked(row: Any, pick: Pick) -> Any:
    if callable(pick):
        return pick(row)
    return row[pick] if isinstance(row, Mapping) else getattr(row, pick)


def said(blocks: Iterable[Block]) -> list[str]:
    """What a result says, as lines: sentences as paragraphs, tables in columns with empty lines around them."""
    lines: list[str] = []
    for block in blocks:
        if block["kind"] == "table":
            lines += [*([""] if lines and lines[-1] else []), _block_table(block), ""]
        elif block["kind"] == "list":
            lines += [paragraph(f"- {sentence(item, '-')}", 0, 2) for item in block["items"]]
        elif "label" in block:
            lines.append(labelled(block["label"], sentence(block, "-")))
        else:
            lines.append(paragraph(sentence(block, "-")))
    return lines if lines and lines[-1] else lines[:-1]


def _block_table(block: Block) -> str:
    heads, units = ([column[key] for column in block["columns"]] for key in ("title", "unit"))
    rows = [
        [
            cell(estimate_of(one) if isinstance(one, dict) else from_1(one) if unit == SEATS else one)
            for unit, one in zip(units, row, strict=True)
        ]
        for row in block["rows"]
    ]
    whole = [i for i in range(len(heads)) if all(isinstance(row[i], int | None) for row in block["rows"])]
    wrapped = [
        i
        for i in range(len(heads))
        if any(
            len(row[i]) > SHORT and isinstance(before[i], str) for row, before in zip(rows, block["rows"], strict=True)
        )
    ]
    shown, more = columns(heads, rows[:MOST_LINES], wrapped, whole), len(rows) - MOST_LINES
    return shown if more <= 0 else f"{shown}\nand {more} more; -o FILE.csv has them all"


def labelled(label: str, words: str) -> str:
    """`verdict  ...`: a paragraph whose first word stands in a column of its own."""
    return paragraph(f"{label:<8} {words}", 0, 9)


def sides_table(records: Iterable[Mapping[str, Any]], score: str) -> str:
    """Wins and scores by side."""
    picks: Picks = [
        ("side", lambda row: from_1(row["side"])),
        ("seats", lambda row: span(shown_seats(row["seats"]))),
        ("wins", "win"),
        (score, "score"),
    ]
    return table(records, picks)


def lengths(means: Mapping[str, float]) -> str:
    """`a game   31.20 turns, 4.00 rounds`: each number once."""
    shown = {name: mean for name, mean in means.items() if mean and not (name == "rounds" and mean == 1)}
    if shown.get("moves") == shown.get("turns"):
        shown.pop("moves", None)
    return "a game   " + ", ".join(f"{mean:.2f} {name.replace('_', ' ')}" for name, mean in shown.items())


def duration(seconds: float) -> str:
    """`3.2 s`, `12 min`, `5 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def roughly(seconds: float) -> str:
    """A time for an estimate: `5 s`, `40 s`, `1 min`."""
    if seconds < 55:
        return f"{max(5, 5 * round(seconds / 5))} s"
    return duration(seconds) if seconds >= 100 else f"{round(seconds / 60)} min"


def joint_line(number: int) -> str:
    """What joint intervals mean."""
    return labelled("joint", f"all {count_of(number, 'interval')} hold together in 95 of 100 runs")


def deciders(strategies: Sequence[str]) -> str:
    """Who plays, in a few words."""
    if len(set(strategies)) == 1:
        return f"everyone plays {strategies[0]}"
    return "players " + ", ".join(strategies)


def only_random(setup: Setup) -> str:
    """What follows the players in a game in which only random players can play."""
    return "" if setup.game.has("features") else " (only random play: the game has no rules of thumb)"


def differences(setup: Setup) -> list[str]:
    """How the rules differ from the printed ones; empty if nothing was changed."""
    if not setup.changed and not is_own(setup):
        return []
    name = variant_name(setup) if is_own(setup) else "This setup"
    changes = rule_changes(setup)
    if not changes:
        return [f"{name} changes no rule of {setup.ruleset.title}."]
    lines = [f"{name} differs from the printed rules of {setup.ruleset.title} in {count_of(len(changes), 'rule')}:"]
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


def head(result: Result, unit: str = "game", who: str = "", counted: str = "") -> list[str]:
    """The first lines of a result: changed rules, setup, who plays, and what was counted."""
    return [
        *differences(result.setup),
        f"{setup_title(result.setup)}, {who or deciders(result.strategies)}{only_random(result.setup)}",
        f"{counted or count_of(result.games, unit)}; {INTERVALS}",
    ]


def of_each(result: Table, unit: str) -> str:
    """How often each arm was played: `4,000 deals of each`."""
    counts = sorted({result.sample.deals(arm) for arm in range(len(result.arms))})
    return f"{count_of(counts[0], unit) if len(counts) == 1 else f'{counts[0]:,} to {counts[-1]:,} {unit}s'} of each"


def table_head(result: Table) -> list[str]:
    """The first lines of a result with several players: changed rules, setup, and how many deals each played."""
    title = f"{setup_title(result.setup)}{only_random(result.setup)}"
    return [*differences(result.setup), title, f"{of_each(result, 'deal')}; {INTERVALS}"]


def foot(result: Result) -> list[str]:
    """The last lines of a result: time, what identifies it, and notes."""
    stopped = ["interrupted; only the whole can be repeated"] if result.interrupted and result.part is None else []
    return [
        f"time     {time.perf_counter() - BEGAN:.1f} s in all; {result.seconds:.2f} s of play, "
        f"{speed(result.games_per_second)}",
        f"seed     {result.seed}; digests: rules {result.rules_digest}, result {result.digest}",
        *notes([*result.notes, *stopped]),
    ]


def repeated(again: str, language: str = ENGLISH) -> str:
    """The last line of a page: the command that prints it again."""
    return f"repeat   {again}" + (f" --language {language}" if language != ENGLISH else "")


def speed(rate: float) -> str:
    """`1,200 games per second`; `3.1 seconds per game` for slow games."""
    return f"{1 / rate:,.1f} seconds per game" if 0 < rate < 1 else f"{count_of(round(rate), 'game')} per second"


def left_out_lines(left_out: Iterable[tuple[str, str]]) -> list[str]:
    """What was not played, and why."""
    return [labelled("left out", f"{name}: {why}") for name, why in left_out]
