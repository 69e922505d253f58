"""Small reports of every game, made once and shared by all tests of a run."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from houle.cli.commands.report import write_game
from houle.cli.framework.options import Asked
from houle.solver.ruleset import game_names

# Tables that show every kind of section: with and without rivals, alone, teams, another score.
TABLES = {
    "wave": Asked("wave", (3, 2), ("base", "virage", "nazare")),
    "sea-change": Asked("sea-change", (4, 1), ("base", "2v2")),
    "land-unter": Asked("land-unter", (3,), ("base", "open")),
    "vague-verte": Asked("vague-verte", (2,), ("base", "match")),
    "vague-attaque": Asked("vague-attaque", (2, 1), ("base",)),
}
GAMES = game_names()
PATIENCE = 1200  # seconds another worker may take for a report


def report_of(game: str, factory: pytest.TempPathFactory) -> Path:
    """The folder of a game's report; the worker that asks first makes it."""
    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    place, mine = shared / f"report-{game}", shared / f"making-{game}"
    try:
        mine.mkdir()
    except FileExistsError:
        end = time.monotonic() + PATIENCE
        while not place.exists():
            assert time.monotonic() < end, f"nobody made the report of {game}"
            time.sleep(0.5)
        return place
    write_game(TABLES[game], "tiny", 1, 1, place)
    return place
