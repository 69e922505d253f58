"""What differs between machines and moments, held still while a page is played."""

from __future__ import annotations

import datetime
import os
import secrets
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib.figure import Figure

from houle.analysis.play import review_steps
from houle.analysis.players import refit
from houle.analysis.result import Result
from houle.analysis.studio import growing_results, single_changes
from houle.cli import warm
from houle.cli.commands import demo
from houle.cli.framework import text
from houle.cli.framework.progress import LongRun
from houle.cli.play import forms
from houle.cli.studio import app as studio
from houle.reports import build, effort
from houle.reports import study as study_report
from houle.reports.html import sheet
from houle.solver.compiler.kernels import cache_root
from houle.solver.plain.processes import Pool
from houle.solver.rules import game_folders
from houle.solver.run import chunks
from tests.pages.shown import drawn

NOW = 1_767_355_200.0  # noon of 2 January 2026
TODAY = datetime.date(2026, 1, 2)
TICK, PILOT = 2**-20, 2**-3  # seconds between two looks at the clock, and at that of a thread, which times a few games
CACHE = "HOULE_CACHE_DIR"  # of compiled kernels: the only thing that a page shares with other runs


class AtOnce(Executor):
    """In place of threads: does work when it is given, so that Ctrl-C always comes after the same games."""

    def __init__(self, workers: int) -> None: ...

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*given, **named))
        return done


class Clock:
    """Seconds that depend only on how often one has looked since the line began."""

    def __init__(self) -> None:
        self.looks = self.thread_looks = 0

    def look(self) -> float:
        self.looks += 1
        return TICK * self.looks

    def look_at_thread(self) -> float:
        self.thread_looks += 1
        return PILOT * self.thread_looks


CLOCK = Clock()


def hold_still(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Freezes clock, date, luck and machine, makes what counts by the clock count by games, and figures texts."""
    forget_games()
    patch.setattr(game_folders, "named_plain", set())
    for name in [name for name in os.environ if name.startswith("HOULE_") and name != CACHE]:
        patch.delenv(name)
    here = {"HOULE_STATE_DIR": folder / "state", "HOULE_CONFIG_DIR": folder / "config", "HOME": folder / "home"}
    terminal = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    for name, value in {**terminal, **here, "HOULE_STRICT": "1", CACHE: cache_root()}.items():
        patch.setenv(name, str(value))
    strftime = time.strftime
    for name in ("time", "monotonic"):
        patch.setattr(time, name, lambda: NOW)
    patch.setattr(time, "perf_counter", CLOCK.look)  # speeds are divided by its seconds
    patch.setattr(time, "thread_time", CLOCK.look_at_thread)
    patch.setattr(text, "BEGAN", 0.0)
    patch.setattr(Result, "seconds", 0.0)  # other threads look at the clock too
    patch.setattr(time, "strftime", lambda form, when=None: strftime(form, when or time.gmtime(NOW)))
    for module in (build, study_report):
        patch.setattr(module, "datetime", SimpleNamespace(date=SimpleNamespace(today=lambda: TODAY)))
    patch.setattr(forms, "date", SimpleNamespace(today=lambda: TODAY))
    patch.setattr(secrets, "randbelow", lambda most: 7 % most)
    patch.setattr(secrets, "choice", lambda letters: letters[0])
    patch.setattr(secrets, "token_urlsafe", lambda number: "T" * number)
    patch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
    patch.setattr(chunks, "ThreadPoolExecutor", AtOnce)
    patch.setattr(Pool, "start", lambda: None)  # classes are played in this process
    patch.setattr(warm, "is_warm", lambda game: True)
    patch.setattr(LongRun, "_compiling", lambda *_: None)  # whether kernels are compiled already
    patch.setattr(refit, "cache_folder", lambda: folder / "refits")
    for name, number in (("GENERATIONS", 3), ("POPULATION", 4), ("GAMES", 100)):
        patch.setattr(refit, name, number)
    patch.setattr(effort, "FILE", Path(__file__).with_name("effort.toml"))
    patch.setattr(single_changes, "ROUNDS", (6, 6))
    patch.setattr(single_changes, "CARD_ROUNDS", (4,))
    patch.setattr(studio, "BUTTON_SECONDS", -1)
    paces = (growing_results.PEOPLE, (8, 40)), (growing_results.SEATS, (8, 40)), (growing_results.PLANNING, (2, 4))
    for pace, ends in paces:
        patch.setitem(vars(pace), "ends", ends)  # a frozen record
    patch.setattr(demo, "GAMES", 100)
    patch.setattr(sheet, "browser_path", lambda: None)  # some machines have one, which prints the sheet
    patch.setattr(review_steps.Reviewing.__init__, "__defaults__", ((2, 4), review_steps.SEED))
    patch.setattr(Figure, "savefig", save_as_text)


def forget_games() -> None:
    """Forgets the files of rules and classes that were read: another page has others of the same names."""
    for name, module in list(sys.modules.items()):
        for value in vars(module).values() if name.startswith(("houle.solver.rules", "houle.solver.plain")) else ():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def save_as_text(figure: Any, file: Any, format: str, **_: Any) -> None:
    """In place of a picture: an SVG that holds only what the figure says, or an empty file."""
    words = f'<svg viewBox="0 0 100 50"><!--\n{drawn(figure)}--></svg>' if format == "svg" else ""
    file.write(words.encode())
