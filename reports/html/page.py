"""Renders a report's plain data and pictures as a self-contained HTML page.

Every kind of block has its own template in templates/, which gets text that is ready to show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from houle.analysis.blocks import sentence, shown_value
from houle.reports.cards import face
from houle.reports.figures.style import PHONE
from houle.reports.html.format import head_of, shown_rows

TEMPLATES = Path(__file__).parent / "templates"
LONG_CELL = 24  # letters; longer cells get a wide column
VERDICT = "verdict"  # the section above the contents
SHAPES = (("wide", ""), ("phone", PHONE))  # shapes of a figure, and the suffixes of their files
MOST_ON_A_PHONE = 2  # columns side by side; with more, cells are stacked
LONG_WORD = 10  # letters; longer words do not fit beside an interval
MOST_BESIDE = 3  # estimates in a row with intervals beside them; with more, intervals go below


@lru_cache
def templates(folder: Path = TEMPLATES) -> Environment:
    """The templates of a folder; values are escaped, and a missing name is an error."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(data: Mapping[str, Any], pictures: Mapping[str, str], number: int = 0) -> str:
    """One page of a report from its JSON; `pictures` are SVG texts by figure name."""
    part = data["parts"][number]
    sections = [
        {
            "name": section["name"],
            "title": section["title"],
            "blocks": [_block(block, pictures) for block in section["blocks"]],
        }
        for section in part["sections"]
    ]
    verdict = sections.pop(0) if sections and sections[0]["name"] == VERDICT else None
    contents = [_contents(other, "" if i == number else other["page"]) for i, other in enumerate(data["parts"])]
    style = Markup((TEMPLATES / "style.css").read_text(encoding="utf-8"))
    facts = [(name, shown_value(value)) for name, value in data["facts"].items()]
    return (
        templates()
        .get_template("page.html.j2")
        .render(
            title=part["headline"] or data["title"],
            subtitle=data["subtitle"],
            date=data["date"],
            facts=facts,
            notices=[sentence(notice) for notice in data["notices"]],
            contents=contents,
            sections=sections,
            style=style,
            verdict=verdict,
        )
    )


def _contents(part: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The links of a page, for its own contents or for another page's."""
    links = [
        (f"{file}#{section['name']}", section["title"]) for section in part["sections"] if section["name"] != VERDICT
    ]
    return {"title": part["title"], "file": file, "links": links}


def _block(block: Mapping[str, Any], pictures: Mapping[str, str]) -> Markup:
    if not block.get("shown", True):
        return Markup("")
    values = _VALUES[block["kind"]](block, pictures)
    return Markup(templates().get_template(f"{block['kind']}.html.j2").render(values))


def rendered(block: Mapping[str, Any]) -> Markup:
    """A block without figures."""
    return _block(block, {})


def _fold(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    return {"title": block["title"], "blocks": [_block(inner, pictures) for inner in block["blocks"]]}


def _sentence(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    return {"words": sentence(block)}


def _list(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    items = [{"label": item.get("label", ""), "words": sentence(item)} for item in block["items"]]
    shape = "answers" if any(item["label"] for item in items) else ""
    return {"items": items, "tag": "ol" if block["numbered"] else "ul", "shape": shape}


def _table(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    rows = shown_rows(block)
    numbers = [
        any(row[i]["align"] == "number" and row[i]["text"] for row in rows) for i in range(len(block["columns"]))
    ]
    for row in rows:
        for cell, number in zip(row, numbers, strict=True):
            cell["align"] = "number" if number else "word long" if len(cell["text"]) > LONG_CELL else "word"
    heads = [
        {"text": head_of(column), "align": "number" if number else "word"}
        for column, number in zip(block["columns"], numbers, strict=True)
    ]
    spans = [any(row[i]["span"] for row in rows) for i in range(len(heads))]
    words = [max(len(row[i]["word"]) for row in rows) if rows else 0 for i in range(len(heads))]
    crowded = (
        sum(spans) > (MOST_BESIDE - 1 if any(words) else MOST_BESIDE)
        or len(heads) > 2 * MOST_BESIDE - 1
        or any(letters > LONG_WORD for letters in words)
    )
    for row in rows:
        for cell, letters in zip(row, words, strict=True):
            cell["align"] += " worded" if letters else ""
    shape = "stacked" if crowded else "beside"
    shape += " many" if len(heads) > MOST_ON_A_PHONE else ""
    for row in rows:
        for cell, head in zip(row, heads, strict=True):
            cell["head"] = head["text"]
    return {"name": block["name"], "caption": block["caption"], "heads": heads, "rows": rows, "shape": shape}


def _figure(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    name = block["name"]
    shapes = [(shape, f"{name}{ending}") for shape, ending in SHAPES if f"{name}{ending}" in pictures]
    drawn = [Markup(inline(pictures[file], file, block["alt"], shape)) for shape, file in shapes]
    return {"name": name, "caption": block["caption"], "pictures": drawn}


def _position(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    rows = [
        {"label": row["label"], "text": row.get("text", ""), "cards": [Markup(face(card)) for card in row["cards"]]}
        for row in block["rows"]
    ]
    moves = [{"ring": move["ring"], "words": sentence(move)} for move in block["moves"]]
    return {"caption": sentence(block["caption"]), "rows": rows, "alt": block["alt"], "moves": moves}


# The values for the template of each kind of block.
_VALUES = {
    "text": _sentence,
    "lead": _sentence,
    "note": _sentence,
    "list": _list,
    "commands": lambda block, pictures: {"lines": block["lines"]},
    "table": _table,
    "figure": _figure,
    "position": _position,
    "fold": _fold,
}


def clean(svg: str) -> str:
    """An SVG picture without its header, date and version."""
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    return svg[svg.index("<svg") :].strip()


def inline(svg: str, name: str, alt: str, shape: str = "wide") -> str:
    """An SVG picture for the page: as wide as the page, with unique ids and a text for screen readers."""
    body = clean(svg)
    head, _, rest = body.partition(">")
    box = re.search(r'viewBox="([^"]+)"', head)
    frame = box[1] if box else "0 0 100 100"
    width, height = frame.split()[2:]
    # Ids must be unique on the page.
    rest = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', rest)
    rest = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', rest)
    rest = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", rest)
    return (
        f'<svg class="picture {shape}" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{frame}" width="{width}" height="{height}" role="img" aria-label="{escape(alt)}">{rest}'
    )
