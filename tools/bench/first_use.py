"""First use of each game in Chromium, nothing compiled: how soon a table takes a click and a studio shows a number.

The clock begins with the command. Each measurement has an empty cache of its own; a table takes its first click before
the game is compiled. On a busy machine the clock says little, so the processor seconds of all processes of houle until
then are printed too.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from tests.support.browser import Browser, browsing, chromium
from tests.support.call import PATIENCE
from tests.support.playing import serving

LOOK = 0.05  # seconds between two looks at a page
SEED = "7"  # of a deal that begins with a move in all games: WAVE may begin with pointing, which is clicked otherwise
TICKS = os.sysconf("SC_CLK_TCK")
BUTTON = "document.querySelector('.on-card:not(.some):not(.told), .moves-to-make button:not(.carded)')"
PLY = "document.querySelector('[name=\"ply\"]').value"  # how many moves were made
TAKES_A_CLICK = f"Boolean({BUTTON} && !{BUTTON}.disabled)"
# A later decision, whose cards may have two moves each.
ASKS = "Boolean(document.querySelector('.on-card:not(.told), .moves-to-make button:not(.carded)'))"
SHOWS_A_NUMBER = "Boolean(document.body && document.body.dataset.shown)"


def until(browser: Browser, shown: str, what: str) -> float:
    """When an expression is true in the page; pages that wait load themselves again meanwhile."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if browser.ask(shown):
                return time.monotonic()
        except RuntimeError:  # between two pages
            pass
        if time.monotonic() > end:
            raise RuntimeError(f"{what}: nothing in {PATIENCE:.0f} seconds")
        time.sleep(LOOK)


def needed(folder: str) -> float:
    """Processor seconds so far of all processes that use a cache folder, and of those that they started."""
    seconds = 0.0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if folder.encode() in (process / "environ").read_bytes():
                stat = (process / "stat").read_text().rpartition(")")[2].split()
                seconds += sum(map(int, stat[11:15])) / TICKS
    return seconds


def bench_page(browser: Browser, command: str, name: str) -> dict[str, float]:
    """Seconds to the first page that can be used; of `play` also to the page after the first move."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        words = (command, name, *(("--seed", SEED) if command == "play" else ()))
        with serving(*words, state=Path(folder) / "state", HOULE_CACHE_DIR=f"{folder}/cache") as home:
            browser.call("Page.navigate", url=home)
            if command == "studio":
                seconds = {"number": until(browser, SHOWS_A_NUMBER, name) - begin, "number_cpu": needed(folder)}
            else:
                seconds = {"table": (clicked := until(browser, TAKES_A_CLICK, name)) - begin}
                seconds["table_cpu"] = needed(folder)
                before = browser.ask(f"(ply => ({BUTTON}.click(), ply))({PLY})")
                seconds["move"] = until(browser, f"{ASKS} && {PLY} !== '{before}'", name) - clicked
            browser.call("Page.navigate", url="about:blank")
    return seconds


def bench_first_use(names: list[str]) -> dict[str, Any]:
    if (path := chromium()) is None:
        raise click.ClickException("no browser is installed (Debian: apt-get install chromium)")
    rows = []
    with browsing(path) as browser:
        for name in names:
            row = {"game": name} | bench_page(browser, "play", name) | bench_page(browser, "studio", name)
            rows.append(row | {"load": os.getloadavg()[0]})
            click.echo(f"  {json.dumps(rows[-1])}", err=True)
    return {"first_use": rows}


def describe(report: dict[str, Any]) -> str:
    lines = ["seconds with nothing compiled (processor seconds), and the load"]
    lines.append(f"{'game':16}{'table':>14}{'first move':>12}{'studio':>14}{'load':>6}")
    for one in report["first_use"]:
        table, number = (f"{one[key]:.1f} ({one[f'{key}_cpu']:.1f})" for key in ("table", "number"))
        lines.append(f"{one['game']:16}{table:>14}{one['move']:>12.1f}{number:>14}{one['load']:>6.1f}")
    return "\n".join(lines)
