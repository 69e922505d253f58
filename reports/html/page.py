"""The pages: a report's plain data and its pictures as one HTML file that needs nothing else.

Every block has a template of its own under templates/; what they are given is text that is ready to be shown.
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

from houle.reports.figures.style import PHONE
from houle.reports.html.cards import face
from houle.reports.html.format import head_of, sentence, shown_rows, shown_value

TEMPLATES = Path(__file__).parent / "templates"
LONG_CELL = 24  # letters of a cell that needs a wide column
VERDICT = "verdict"  # the section that stands above the contents
SHAPES = (("wide", ""), ("phone", PHONE))  # how a figure is drawn, and what the names of its files end with
MOST_ON_A_PHONE = 2  # columns that stand side by side there; the cells of more are stacked
LONG_WORD = 10  # letters of a word that has no room beside its interval
MOST_BESIDE = 3  # estimates in a row that have room for their intervals beside them; else those go below


@lru_cache
def templates(folder: Path = TEMPLATES) -> Environment:
    """The templates of a folder: everything is escaped, and a name that is not given is a fault."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(data: Mapping[str, Any], pictures: Mapping[str, str], number: int = 0) -> str:
    """One page of a report from its JSON; `pictures` are SVG texts by the name of their figure."""
    part = data["parts"][number]
    sections = [
        {
            "name": section["name"],
            "title": section["title"],
            "blocks": [_block(block, pictures) for block in _with_command(section)],
        }
        for section in part["sections"]
    ]
    verdict = sections.pop(0) if sections and sections[0]["name"] == VERDICT else None
    contents = [_contents(other, "" if i == number else other["page"]) for i, other in enumerate(data["parts"])]
    style = Markup((TEMPLATES / "style.css").read_text(encoding="utf-8"))
    facts = [(name, shown_value(value)) for name, value in data["facts"].items()]
    return templates().get_template("page.html.j2").render(
        title=part["headline"] or data["title"], subtitle=data["subtitle"], date=data["date"], facts=facts,
        notices=[sentence(notice) for notice in data["notices"]], contents=contents, sections=sections, style=style,
        verdict=verdict,
    )  # fmt: skip


def _contents(part: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The contents of a page, for its own list or for that of another page."""
    links = [(f"{file}#{section['name']}", section["title"]) for section in part["sections"]
             if section["name"] != VERDICT]  # fmt: skip
    return {"title": part["title"], "file": file, "links": links}


def _with_command(section: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A section's blocks, with the command that gives its numbers again at the end of its last fold."""
    blocks = list(section["blocks"])
    if section["repeat"] and blocks and blocks[-1]["kind"] == "fold":
        again = {"kind": "commands", "lines": section["repeat"][:1]}  # the appendix has more
        blocks[-1] = {**blocks[-1], "blocks": [*blocks[-1]["blocks"], again]}
    return blocks


def _block(block: Mapping[str, Any], pictures: Mapping[str, str]) -> Markup:
    if not block.get("shown", True):
        return Markup("")
    values = _VALUES[block["kind"]](block, pictures)
    return Markup(templates().get_template(f"{block['kind']}.html.j2").render(values))


def _fold(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    return {"title": block["title"], "blocks": [_block(inner, pictures) for inner in block["blocks"]]}


def _sentence(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    return {"words": sentence(block)}


def _list(block: Mapping[str, Any], pictures: Mapping[str, str]) -> dict[str, Any]:
    items = [sentence(item) for item in block["items"]]
    return {"items": items, "tag": "ol" if block["numbered"] else "ul"}


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


# What the template of each kind of block is given.
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
    """A picture as the drawing library wrote it, without date, version and header."""
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    return svg[svg.index("<svg") :].strip()


def inline(svg: str, name: str, alt: str, shape: str = "wide") -> str:
    """A picture for the page: as wide as the page lets it be, with ids of its own and a text for who cannot see it."""
    body = clean(svg)
    head, _, rest = body.partition(">")
    box = re.search(r'viewBox="([^"]+)"', head)
    frame = box[1] if box else "0 0 100 100"
    width, height = frame.split()[2:]
    # Pictures on one page must not share names.
    rest = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', rest)
    rest = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', rest)
    rest = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", rest)
    return (
        f'<svg class="picture {shape}" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{frame}" width="{width}" height="{height}" role="img" aria-label="{escape(alt)}">{rest}'
    )
