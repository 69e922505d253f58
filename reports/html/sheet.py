"""One page for a publisher, made from the files of a report: `sheet.html`, and as PDF if a browser can print it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from houle.analysis.blocks import sentence, shown_value
from houle.reports.blocks import every_block
from houle.reports.figures.style import PHONE
from houle.reports.html.page import TEMPLATES, VERDICT, inline, rendered, templates
from houle.reports.html.write import DATA, SHEET, SHEET_PDFS
from houle.solver.rules.files import write_whole
from houle.solver.texts import listed

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PATIENCE = 120.0  # seconds for one print; a busy machine is slow to start a browser
FIGURES = (
    "where_it_lies",
    "both_ways",
    "strength",
    "length",
)  # shown if the report has them, in the narrow shape that suits half a page
TABLES = ("levels", "glance", "seats")
PAPERS = ("A4", "letter")  # in the order of their files


def write_sheet(folder: Path) -> list[Path]:
    """Write the sheet of a report into its folder; returns the files, without PDFs if no browser is installed."""
    data = json.loads((folder / DATA).read_text(encoding="utf-8"))
    pictures = {
        name: (folder / "figures" / f"{name}{PHONE}.svg").read_text(encoding="utf-8")
        for name in FIGURES
        if (folder / "figures" / f"{name}{PHONE}.svg").exists()
    }
    write_whole(folder / SHEET, lambda path: path.write_text(sheet(data, pictures), encoding="utf-8"))
    written, browser = [folder / SHEET], browser_path()
    for name, paper in zip(SHEET_PDFS, PAPERS, strict=True):
        if browser is not None and print_page(browser, sheet(data, pictures, paper), folder / name):
            written.append(folder / name)
    return written


def sheet(data: Mapping[str, Any], pictures: Mapping[str, str], paper: str = "A4") -> str:
    """The page from the data of a report and its figures."""
    sections = {section["name"]: section for part in data["parts"] for section in part["sections"]}
    blocks = {name: list(every_block(section["blocks"])) for name, section in sections.items()}
    head = [rendered(block) for block in blocks[VERDICT] if block["kind"] in ("lead", "list")]
    tables = {block["name"]: block for some in blocks.values() for block in some if block["kind"] == "table"}
    shown = [rendered({**tables[name], "shown": True}) for name in TABLES if name in tables]
    drawn = [Markup(inline(picture, f"sheet-{name}", name.replace("_", " "))) for name, picture in pictures.items()]
    style = Markup((TEMPLATES / "style.css").read_text(encoding="utf-8"))
    return (
        templates()
        .get_template("sheet.html.j2")
        .render(
            title=data["parts"][0]["headline"],
            subtitle=data["subtitle"],
            head=head,
            tables=shown,
            pictures=drawn,
            notices=[sentence(notice) for notice in data["notices"]],
            sources=_sources(tables),
            paper=paper,
            style=style,
            facts=[*((name, shown_value(value)) for name, value in data["facts"].items()), ("date", data["date"])],
            command=_command(blocks),
        )
    )


def _sources(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Where the rules come from, counted: `12 printed, 3 assumed`."""
    count: Counter[str] = Counter()
    for name in ("rules", "fixed_rules"):
        if name in tables:
            place = [column["key"] for column in tables[name]["columns"]].index("provenance")
            count.update(str(row[place]) for row in tables[name]["rows"])
    return listed([f"{number} {source}" for source, number in count.most_common()])


def _command(blocks: Mapping[str, Any]) -> str:
    """The command that makes the report again; empty if there is none."""
    lines = [line for block in blocks.get("appendix", ()) if block["kind"] == "commands" for line in block["lines"]]
    return next((line for line in lines if line.startswith("houle report")), "")


def browser_path() -> str | None:
    """A browser that can print without a window; None if none is installed."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def print_page(browser: str, page: str, file: Path) -> bool:
    """Print a page into a PDF; False if the browser fails."""
    with tempfile.TemporaryDirectory(prefix="houle-sheet-", ignore_cleanup_errors=True) as home:
        source, made = Path(home) / "sheet.html", Path(home) / "sheet.pdf"
        source.write_text(page, encoding="utf-8")
        words = [
            browser,
            "--headless",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            f"--user-data-dir={home}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={made}",
            source.as_uri(),
        ]
        for more in ([], ["--no-sandbox"]):  # an administrator's browser starts only without its sandbox
            try:
                subprocess.run([*words[:2], *more, *words[2:]], check=True, capture_output=True, timeout=PATIENCE)
            except (OSError, subprocess.SubprocessError):
                continue
            if made.exists():
                write_whole(file, lambda path: shutil.copyfile(made, path))
                return True
        return False
