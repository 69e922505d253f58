"""Small reports of every game, made once and shared by all tests of a run.

Figures cost three times as much as the games of such a report, so most reports have small pictures in their place.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from houle import study
from houle.cli.commands.report import write_game, write_study
from houle.cli.framework.options import Asked
from houle.reports import build
from houle.reports.blocks import Report
from houle.reports.effort import Effort
from houle.reports.figures.style import PHONE, save, saved
from houle.reports.html import write
from houle.reports.html.page import clean
from houle.solver.rules import game_names
from tests.support.amounts import patience

# Setups that show every kind of section: cooperative, competitive, solo, teams, another score.
SETUPS = {
    "wave": Asked("wave", (3,), ("base", "nazare")),
    "sea-change": Asked("sea-change", (4, 1), ("base", "2v2")),
    "land-unter": Asked("land-unter", (3,), ("base", "open")),
    "vague-verte": Asked("vague-verte", (2,), ("base", "match")),
    "vague-attaque": Asked("vague-attaque", (2, 1), ("base",)),
}
GAMES = game_names()
# Reports of a cooperative and a competitive game in the ordinary run, of all games in the slow one.
ORDINARY = ("wave", "land-unter")
MARKED = [pytest.param(game, marks=[pytest.mark.slow] * (game not in ORDINARY)) for game in GAMES]

# Too few games to say anything, enough to fill every section.
TINY = Effort(
    "tiny",
    {
        "every_section": True,
        "games": 30,
        "search": "flat:4",
        "search_games": 4,
        "bound": True,
        "decisions_games": 1,
        "decisions_search": "flat:20",
        "strength_deals": 8,
        "strength_search_deals": 4,
        "suggestions_games": 200,
        "suggestions_fresh": 50,
        "rules_of_thumb_deals": 12,
        "positions": 12,
        "judge": "flat:4",
        "first_moves": 4,
        "examples": 1,
        "most_work": 1_000_000,
    },
)
# A quick report of your own variant has no suggestions.
NO_SUGGESTIONS = Effort("tiny", {key: TINY[key] for key in TINY.counts if not key.startswith("suggestions_")})
OWN, STUDY = "own", "study"  # a report of an own variant, and of a study
OTHERS = [*(game for game in GAMES if game != "wave"), OWN, STUDY]
RULES = 'game = "wave"\nname = "2+3"\n[set]\nhand.front = 2\nhand.back = 3\n'
SPEC = """name = "Cards in hand"
seed = 1
games = 200
targets = ["win=20%..40%@thumb"]
[[grid]]
game = "wave"
players = [3]
strategies = ["random", "thumb"]
[grid.set]
hand.front = [2, 3, 4]
hand.back = [1, 2, 3]
"""
PATIENCE = patience(500)  # seconds to wait for another worker

# The report of WAVE has all its figures as readers of pages get them, wide and for phones. Those of the own variant
# (its name stands in them) and of one competitive game are drawn once, wide. Slow tests draw the others, and all PNGs.
COMPLETE, WIDE = ("wave", STUDY), (OWN, "land-unter")
SKETCH = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"><!-- {name} --></svg>'


@contextmanager
def sketched(wide: Collection[str] | None = ()) -> Iterator[None]:
    """Writes small pictures instead of figures; figures in `wide` (None: all) are drawn, but only as one SVG."""

    def sketch(report: Report, folder: Path, _: object) -> dict[str, str]:
        pictures = {}
        for section in report.sections:
            for name, draw in section.drawings.items():
                picture = SKETCH.format(name=name)
                if wide is None or name in wide:
                    save(draw(), folder / f"{name}.svg")
                    picture = clean((folder / f"{name}.svg").read_text())
                for file in (name, f"{name}{PHONE}"):
                    (folder / f"{file}.svg").write_text(picture)
                    pictures[file] = picture
                (folder / f"{name}.png").touch()
        return pictures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "_draw_figures", sketch)
        patch.setattr(write.Gallery, "begin", lambda gallery, section: None)
        yield


@contextmanager
def without_pngs() -> Iterator[None]:
    """Writes empty PNGs: the pages show SVGs, and a PNG takes as long to draw as both of them."""

    def svg_only(figure: Figure, kind: str) -> bytes:
        return b"" if kind == "png" else saved(figure, kind)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "saved", svg_only)
        yield


@contextmanager
def only_sections(*names: str) -> Iterator[None]:
    """Makes only these sections of a report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "SECTIONS", tuple(step for step in build.SECTIONS if step.name in names))
        yield


def report_of(game: str, factory: pytest.TempPathFactory, complete: bool = False) -> Path:
    """The folder of a game's report; the first worker that asks makes it. `complete`: with all figures."""
    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    name = f"{game}-complete" if complete else game
    folder, mine = shared / f"report-{name}", shared / f"making-{name}"
    failed = mine / "failed"
    try:
        mine.mkdir()
    except FileExistsError:
        end = time.monotonic() + PATIENCE
        while not folder.exists():
            assert not failed.exists(), f"the report of {name} failed: {failed.read_text()}"
            assert time.monotonic() < end, f"nobody made the report of {name} in {PATIENCE} seconds"
            time.sleep(0.1)
        return folder
    try:
        with _drawing(game, complete):
            _make(game, mine, folder)
    except BaseException as fault:  # also Ctrl-C: other workers must not wait
        failed.write_text(repr(fault))
        raise
    return folder


def _drawing(game: str, complete: bool) -> AbstractContextManager[None]:
    """How much of the figures is drawn."""
    if complete:
        return nullcontext()
    return without_pngs() if game in COMPLETE else sketched(None if game in WIDE else ())


def made(asked: Asked, folder: Path, threads: int = 1, **run: Any) -> Path:
    """The page of a report with few games, with the words of its command."""
    words = [*asked.words(), "--effort", TINY.name, "--seed", "1"]
    return write_game(asked, folder, **{"effort": TINY, "seed": 1, "threads": threads, "command_words": words} | run)


def _make(game: str, inputs: Path, folder: Path) -> None:
    if game == STUDY:
        (inputs / "study.toml").write_text(SPEC)
        study(inputs / "study.toml", folder=inputs / "study", threads=1)
        write_study(str(inputs / "study"), folder)
    elif game == OWN:
        (inputs / "rules.toml").write_text(RULES)
        made(Asked("wave", players=(3,), variants=(), settings=(), files=(str(inputs / "rules.toml"),)), folder)
    else:
        made(SETUPS[game], folder)
