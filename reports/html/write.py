"""Writes a report: its pages, the tables as CSV, the data as JSON, the figures as PNG and SVG.

The files are written to a temporary folder and moved when complete, so an interruption leaves one whole report.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from houle.analysis.blocks import note
from houle.reports.blocks import Draw, Report, Section, every_block
from houle.reports.figures.style import PHONE, for_phones, in_report, saved
from houle.reports.html.format import csv_rows
from houle.reports.html.page import clean, page
from houle.solver.rules.files import file_error
from houle.solver.texts import csv_cell

PAGE, PLAYER_PAGE, DATA = "index.html", "player.html", "data.json"
SHEET, SHEET_PDFS = "sheet.html", ("sheet-a4.pdf", "sheet-letter.pdf")  # one page for a publisher, if asked for
FOLDERS = ("figures", "tables")


class Gallery:
    """Draws the figures of finished sections in a thread of its own, while later sections play.

    Kernels release the interpreter, so drawing costs them little time. One thread draws all: Matplotlib allows no more.
    """

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1)
        self.drawn: dict[Draw, Future[dict[str, bytes]]] = {}

    def begin(self, section: Section) -> None:
        """Start to draw the figures of a section."""
        for name, draw in section.drawings.items():
            self.drawn[draw] = self.pool.submit(figure_files, name, draw)

    def files(self, name: str, draw: Draw) -> dict[str, bytes]:
        """The files of a figure; one that was not begun is drawn now."""
        return (self.drawn.get(draw) or self.pool.submit(figure_files, name, draw)).result()


def figure_files(name: str, draw: Draw) -> dict[str, bytes]:
    """A figure as SVG and PNG, and as a narrow SVG for phones: texts of files by their names."""
    with in_report():
        drawn = draw()
        files = {f"{name}.{kind}": saved(drawn, kind) for kind in ("svg", "png")}
        with for_phones():
            return files | {f"{name}{PHONE}.svg": saved(draw(), "svg")}


def write(report: Report, folder: Path, gallery: Gallery | None = None) -> Path:
    """Write the report into a folder and return the path of its page; `gallery` may have drawn its figures."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        inside = folder if folder.is_dir() else folder.parent
        new = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=inside))
        try:
            _write_files(report, new, gallery or Gallery())
            _replace(folder, new)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as fault:  # the temporary folder's name would say nothing
        raise file_error(folder, fault) from None
    return folder / PAGE


def _write_files(report: Report, folder: Path, gallery: Gallery) -> None:
    for name in FOLDERS:
        (folder / name).mkdir()
    pictures = _draw_figures(report, folder / "figures", gallery)
    text = json.dumps(report.as_json(), indent=1, ensure_ascii=False) + "\n"
    (folder / DATA).write_text(text, encoding="utf-8")
    data = json.loads(text)
    for part in data["parts"]:
        for section in part["sections"]:
            for block in every_block(section["blocks"]):
                if block["kind"] == "table":
                    _write_table(block, folder / "tables" / f"{block['name']}.csv")
    for number, part in enumerate(data["parts"]):
        (folder / part["page"]).write_text(page(data, pictures, number), encoding="utf-8")


def _write_table(block: dict[str, Any], path: Path) -> None:
    heads, rows = csv_rows(block)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(map(csv_cell, row) for row in rows)


def _draw_figures(report: Report, folder: Path, gallery: Gallery) -> dict[str, str]:
    """Write every figure; returns the SVG texts by name.

    A figure that fails is replaced by a line that says why, so that the reader still gets the numbers.
    """
    pictures: dict[str, str] = {}
    for section in report.sections:
        for name, draw in section.drawings.items():
            try:
                files = gallery.files(name, draw)
            except Exception as fault:
                if is_strict():
                    raise
                _explain(section, name, fault)
                continue
            for file, content in files.items():
                if file.endswith(".svg"):
                    pictures[file.removesuffix(".svg")] = picture = clean(content.decode("utf-8"))
                    content = f"{picture}\n".encode()
                (folder / file).write_bytes(content)
    return pictures


def _explain(section: Section, name: str, fault: Exception) -> None:
    """Replace a figure by a line that says why it is missing."""
    for block in every_block(section.blocks):
        if block["kind"] == "figure" and block["name"] == name:
            reason = f"{type(fault).__name__}: {fault}"
            line = note("This figure is missing: {caption} ({reason})", caption=block["caption"], reason=reason)
            block.clear()
            block |= line


def _replace(folder: Path, new: Path) -> None:
    """Replace an older report; other files in the folder stay."""
    new.chmod(0o755)  # temporary folders are private
    if not folder.exists():
        os.replace(new, folder)
        return
    for name in FOLDERS:
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
        os.replace(new / name, folder / name)
    for name in (DATA, PLAYER_PAGE, PAGE, SHEET, *SHEET_PDFS):
        (folder / name).unlink(missing_ok=True)
        if (new / name).exists():
            os.replace(new / name, folder / name)


def is_strict() -> bool:
    """Whether a fault in a part of a report stops the report (HOULE_STRICT, in tests); readers get a line instead."""
    return bool(os.environ.get("HOULE_STRICT"))
