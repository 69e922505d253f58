"""What was printed or written, as text to compare: without what differs between machines, and with long lists cut."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

import houle
from tests.support.sources import ROOT

ROWS = 5  # of a long list that are shown; of the others there is a digest
MOST_ROWS, MOST_LINES = 8, 90
# What is masked after clock, luck and machine are held still: it depends on the sources or the folder, not on answers.
MASKS = (
    (re.compile(r'("code": ?)"[0-9a-f]{16}"'), r'\1"<code>"'),
    (re.compile(r'("codes": ?)\{[^}]*\}'), r"\1<codes>"),
    (re.compile(r'("sum": ?)"[0-9a-f]+"'), r'\1"<sum>"'),
    (re.compile(r'("(?:host|machine|pid|process)": ?)("[^"]*"|\d+)'), r"\1<machine>"),
    (re.compile(rf"\b{re.escape(houle.__version__)}\b"), "<version>"),
    (re.compile(r"houle-[\w]{8}(?=[/\s])"), "<temporary>"),
    (re.compile(r"(\.\./)*\.\.(?=<root>)"), ""),
    (re.compile(r"\bat 0x[0-9a-f]+"), "at <place>"),
)
LONG_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d{7,}(?:e-?\d+)?\b")
PICTURE = re.compile(r"<(style|script|svg)\b[^>]*>.*?</\1>", re.DOTALL)
LINE = re.compile(
    r"</?(?:p|div|li|[uo]l|h\d|tr|table|section|form|main|header|footer|nav|details|summary|fieldset|label|option|button"
    r"|figure|article|d[ldt])\b[^>]*>"
)


def masked(text: str) -> str:
    """Without paths of this machine, digests of code and the version; numbers to six digits."""
    for path, name in ((str(Path.cwd()), "<work>"), (str(ROOT), "<root>")):
        text = text.replace(path, name)
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return LONG_NUMBER.sub(lambda match: f"{float(match[0]):.6g}", text)


def digest(text: str) -> str:
    return hashlib.sha1(masked(text).encode()).hexdigest()[:8]


def rows_of(lines: list[str], most: int = MOST_ROWS, shown: int = ROWS) -> list[str]:
    """A long list as its first rows and a digest of the others."""
    rest = lines[shown:]
    return lines if len(lines) <= most else [*lines[:shown], f"... {len(rest)} more, {digest(chr(10).join(rest))}"]


def json_text(data: Any) -> str:
    """JSON with long lists cut; what is short stands on one line."""
    text = json.dumps(_cut(data), indent=1, ensure_ascii=False)
    return re.sub(r"[\[{][^\[\]{}]{0,240}[\]}]", lambda match: re.sub(r"\s*\n\s*", " ", match[0]), text)


def _cut(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _cut(value) for name, value in data.items()}
    if not isinstance(data, list):
        return page_text(data).splitlines() if isinstance(data, str) and "<p" in data else data
    if len(data) <= MOST_ROWS:
        return [_cut(one) for one in data]
    return [*map(_cut, data[:ROWS]), f"{len(data) - ROWS} more, {digest(json.dumps(data[ROWS:]))}"]


def csv_text(text: str) -> str:
    """The head of a table, its first rows and a digest of the others."""
    return "\n".join(rows_of([",".join(row) for row in csv.reader(io.StringIO(text))]))


def page_text(page: str) -> str:
    """A digest of a page and the words that a reader sees, a line for each block."""
    whole = PICTURE.sub(lambda match: f"<{match[1]} {digest(match[0])}>", page)
    body = PICTURE.sub(" ", re.sub(r"<head>.*?</head>", "", page, flags=re.DOTALL))
    text = LINE.sub("\n", re.sub(r"</t[dh]>", " | ", body))
    lines = [" ".join(line.split()) for line in html.unescape(re.sub(r"<[^>]*>", " ", text)).splitlines()]
    return "\n".join([f"[page {digest(whole)}]", *filter(None, lines)])


def drawn(figure: Any) -> str:
    """What a figure says: texts, ticks, lines, bars and areas. What follows from the size of letters is left out."""
    lines = [f"figure {figure.get_figwidth():g} x {figure.get_figheight():.3g}", *map(_text, figure.texts)]
    for ax in figure.axes:
        titles = [ax.get_title(loc=side) for side in ("left", "center", "right")]
        lines.append(f"axes {''.join(titles)!r} {ax.get_xlabel()!r} {ax.get_ylabel()!r} {ax.get_xscale()}")
        for axis in (ax.xaxis, ax.yaxis):
            lines.append(f" {axis.axis_name} {' | '.join(label.get_text() for label in axis.get_ticklabels())}")
        lines += [f" {_text(text)} at {_few(getattr(text, 'xy', text.get_position()))}" for text in ax.texts]
        for line in ax.lines:
            looks = f"{_colour(line.get_color())} {line.get_linestyle()} {line.get_marker()}"
            lines.append(f" line {_few(line.get_xdata())}; {_few(line.get_ydata())} {looks}")
        for patch in ax.patches:
            box = patch.get_path().get_extents(patch.get_patch_transform())
            lines.append(f" {type(patch).__name__} {_few(box.bounds)} {_colour(patch.get_facecolor())}")
        for some in ax.collections:
            shapes = [_few(path.vertices) for path in some.get_paths()[:ROWS]]
            lines.append(f" {type(some).__name__} {_few(some.get_offsets())}; {'; '.join(shapes)}")
        lines += [f" image {_few(image.get_array())}" for image in ax.images]
        if ax.get_legend() is not None:
            lines.append(" legend " + " | ".join(text.get_text() for text in ax.get_legend().get_texts()))
    return "".join(f"{line}\n" for line in lines if not line.endswith("text ''"))


def _text(text: Any) -> str:
    return f"text {text.get_text()!r}"


def _colour(colour: Any) -> str:
    return str(colour) if isinstance(colour, str) else str(to_hex(colour))


def _few(values: Any) -> str:
    """Numbers to three digits; of many the first and a digest."""
    numbers = [f"{float(one):.3g}" for one in np.ma.filled(np.ma.asarray(values, float), np.nan).ravel()]
    return " ".join(numbers if len(numbers) <= 12 else [*numbers[:ROWS], digest(" ".join(numbers))])


def file_text(path: Path) -> str:
    """What a file says, by its ending."""
    if path.suffix == ".parquet":
        return csv_text(pd.read_parquet(path).to_csv(index=False))
    if path.suffix in (".png", ".pdf"):
        return f"{path.stat().st_size} bytes"
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".svg":
        return digest(text) if path.stem.endswith("-phone") else text[text.index("<!--") + 5 : text.rindex("-->")]
    if path.suffix == ".csv":
        return csv_text(text)
    if path.suffix == ".html":
        return page_text(text)
    if path.suffix == ".json":
        return digest(text) if path.name == "data.json" else json_text(json.loads(text))
    if path.suffix == ".jsonl":
        return "\n".join(rows_of([re.sub(r'"seconds": ?[\d.e-]+', '"seconds": 0', one) for one in text.splitlines()]))
    return printed(text)


def printed(text: str) -> str:
    """What a command printed; JSON and very long texts are cut."""
    if text.startswith(("{\n", "[\n")):
        return json_text(json.loads(text))
    lines = text.splitlines()
    if len(lines) <= MOST_LINES:
        return text
    head, middle, end = lines[:60], lines[60:-20], lines[-20:]
    return "\n".join([*head, f"... {len(middle)} lines, {digest(chr(10).join(middle))}", *end])
