"""The studio in Chromium: how soon numbers follow a change of rules.

A change turns one to three rules, drawn from a seed. For each: the time to the first numbers, and to two percentage
points. The clock is that of the page.
"""

from __future__ import annotations

import math
import os
import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import click

from houle.analysis.studio.state import turnable
from houle.solver.rules import Setup, make_setup
from tests.support.browser import Browser, browsing, chromium
from tests.support.call import PATIENCE
from tests.support.playing import serving

SEED = 61
SURE = 2.0  # points
LONGEST = 90.0  # seconds that a change is watched
BACK = 3.0  # seconds after which the address has the changed rules
KEYS = ("first", "sure")  # what is timed: first numbers, two percentage points

# Turns rules as a user does, and notes when the page shows numbers of the new setup.
TURN = """(changes => {
  window.seen = {};
  const begin = performance.now(), before = document.body.dataset.shown || "";
  let turned = false;
  for (const [rule, value] of changes) {
    const control = document.querySelector(`.knob[data-knob="${rule}"] [data-plain]`);
    turned ||= control.value !== value;
    control.value = value;
    control.dispatchEvent(new Event("input", {bubbles: true}));
  }
  clearInterval(window.looking);
  if (!turned) { window.seen.refused = true; return; }
  window.looking = setInterval(() => {
    const note = document.querySelector("#precision"), now = (performance.now() - begin) / 1000, seen = window.seen;
    // After a refused change, the next one may lead back to the rules that are shown: then nothing was changed either.
    const back = now > BACK && location.search.slice(1) === before;
    seen.refused = back || document.querySelectorAll("#setup .refused:not([hidden])").length > 0;
    if (!note || document.body.classList.contains("stale") || document.body.dataset.shown === before) return;
    if (!seen.first) { seen.first = now; seen.games = +note.dataset.games; }
    if (!seen.sure && +note.dataset.half <= SURE) seen.sure = now;
  }, 20);
})""".replace("SURE", str(SURE)).replace("BACK", str(BACK))


def changes_of(setup: Setup, luck: random.Random) -> list[tuple[str, str]]:
    """One to three rules with values near print."""
    turned = [knob for knob in setup.ruleset.knobs.values() if turnable(knob, setup)]
    knobs = [knob for knob in turned if knob.type in ("int", "bool", "choice")]
    chosen = []
    for knob in luck.sample(knobs, min(len(knobs), luck.randint(1, 3))):
        now = setup.options[knob.name]
        values = {"bool": ["true", "false"], "choice": list(knob.choices)}.get(knob.type) or [
            value
            for value in (now - 1, now + 1)
            if (knob.low is None or value >= knob.low) and (knob.high is None or value <= knob.high)
        ]
        chosen.append((knob.name, str(luck.choice(values))))
    return chosen


def watch(browser: Browser, changes: list[tuple[str, str]], until: str) -> dict[str, float] | None:
    """What the page saw after a change; None if the rules refuse it, or nothing was turned."""
    browser.ask(f"{TURN}({[list(one) for one in changes]!r})")
    end = time.monotonic() + LONGEST
    while True:
        time.sleep(0.05)
        seen: dict[str, float] = browser.ask("window.seen")
        if seen.get("refused"):
            return None
        if until in seen or time.monotonic() > end:
            return seen


def open_studio(browser: Browser, home: str, setup: Setup) -> None:
    """Opens the printed rules and waits for their numbers."""
    browser.call("Page.navigate", url=f"{home}studio?game={setup.ruleset.name}&players={setup.players}")
    end = time.monotonic() + PATIENCE
    while not browser.ask("Boolean(document.body && document.body.dataset.shown)"):
        if time.monotonic() > end:
            raise RuntimeError(f"{setup.ruleset.name}: no numbers in {PATIENCE:.0f} seconds")
        time.sleep(0.2)


def bench_game(browser: Browser, name: str, number: int) -> dict[str, Any]:
    luck, setup = random.Random(SEED), make_setup(name)
    with tempfile.TemporaryDirectory() as state, serving("studio", name, state=Path(state)) as home:
        open_studio(browser, home, setup)
        seen: list[dict[str, float]] = []
        while len(seen) < number:
            if (one := watch(browser, changes_of(setup, luck), "sure")) is not None:
                seen.append(one)
                told = ", ".join(f"{key} {one[key]:.2f}" for key in KEYS if key in one)
                click.echo(f"  {name}: {len(seen)} of {number} changes: {told}", err=True)
        browser.call("Page.navigate", url="about:blank")
    load = os.getloadavg()[0]
    times = {key: [one.get(key, LONGEST) for one in seen] for key in KEYS}
    return {
        "game": name,
        "changes": number,
        "load": load,
        "games": min(one.get("games", 0) for one in seen),
        **{key: spread(some) for key, some in times.items()},
    }


def spread(seconds: list[float]) -> dict[str, float]:
    """The median, and what 95% do not exceed."""
    return {"median": median(seconds), "95%": sorted(seconds)[math.ceil(0.95 * len(seconds)) - 1]}


def bench_studio(names: list[str], number: int) -> dict[str, Any]:
    """Measures so many changes of each game."""
    if (path := chromium()) is None:
        raise click.ClickException("no browser is installed (Debian: apt-get install chromium)")
    with browsing(path) as browser:
        return {"studio": [bench_game(browser, name, number) for name in names]}


def describe(report: dict[str, Any]) -> str:
    lines = ["seconds after a change (median, 95%), and the load of the machine"]
    lines.append(f"{'game':16}{'first numbers':>18}{'games':>7}{'2 points':>18}{'load':>6}")
    for one in report["studio"]:
        cells = [f"{one[key]['median']:.2f}, {one[key]['95%']:.2f}" for key in KEYS]
        lines.append(f"{one['game']:16}{cells[0]:>18}{one['games']:>7}{cells[1]:>18}{one['load']:>6.1f}")
    return "\n".join(lines)
