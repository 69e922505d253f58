"""A report on disk: the page, the tables as CSV, the data as JSON, the figures as PNG and SVG.

Everything is written beside its place first and moved there when it is complete, so that an interruption leaves either
the old report or the new one.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from houle.reports.blocks import Report
from houle.reports.html.format import csv_rows
from houle.reports.html.page import clean, page

PAGE, DATA = "index.html", "data.json"
FOLDERS = ("figures", "tables")


def write(report: Report, folder: Path) -> Path:
    """Writes the report into a folder and returns the page's path."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _write_files(report, new)
        _replace(folder, new)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder / PAGE


def _write_files(report: Report, folder: Path) -> None:
    for name in FOLDERS:
        (folder / name).mkdir()
    pictures = _draw_figures(report, folder / "figures")
    text = json.dumps(report.as_json(), indent=1, ensure_ascii=False) + "\n"
    (folder / DATA).write_text(text, encoding="utf-8")
    data = json.loads(text)
    for part in data["parts"]:
        for section in part["sections"]:
            for block in section["blocks"]:
                if block["kind"] == "table":
                    _write_table(block, folder / "tables" / f"{block['name']}.csv")
    (folder / PAGE).write_text(page(data, pictures), encoding="utf-8")


def _write_table(block: dict[str, Any], path: Path) -> None:
    heads, rows = csv_rows(block)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


def _draw_figures(report: Report, folder: Path) -> dict[str, str]:
    """Every figure as PNG and SVG; returns the SVG texts by name."""
    pictures = {}
    for section in report.sections:
        for name, draw in section.drawings.items():
            draw(folder / f"{name}.png")
            file = folder / f"{name}.svg"
            draw(file)
            pictures[name] = clean(file.read_text(encoding="utf-8"))
            file.write_text(pictures[name] + "\n", encoding="utf-8")
    return pictures


def _replace(folder: Path, new: Path) -> None:
    """Puts the new report in the place of an older one; other files of the folder stay."""
    new.chmod(0o755)  # a temporary folder is made for its owner alone
    if not folder.exists():
        os.replace(new, folder)
        return
    for name in FOLDERS:
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
        os.replace(new / name, folder / name)
    for name in (DATA, PAGE):
        os.replace(new / name, folder / name)
