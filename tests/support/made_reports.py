"""Small reports of every game, made once and shared by all tests of a run."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from houle import study
from houle.cli.commands.report import write_game, write_study
from houle.cli.framework.options import Asked
from houle.reports.effort import Effort
from houle.solver.rules import game_names

# Setups that show every kind of section: cooperative, competitive, solo, teams, another score.
SETUPS = {
    "wave": Asked("wave", (3, 2), ("base", "virage", "nazare")),
    "sea-change": Asked("sea-change", (4, 1), ("base", "2v2")),
    "land-unter": Asked("land-unter", (3,), ("base", "open")),
    "vague-verte": Asked("vague-verte", (2,), ("base", "match")),
    "vague-attaque": Asked("vague-attaque", (2, 1), ("base",)),
}
GAMES = game_names()

# Too few games to say anything, enough to fill every section.
TINY = Effort(
    "tiny",
    {
        "games": 40,
        "search": "flat:4",
        "search_games": 4,
        "bound": True,
        "variants_games": 40,
        "endings_games": 60,
        "openings_games": 60,
        "balance_games": 60,
        "decisions_games": 2,
        "decisions_search": "flat:20",
        "skill_deals": 12,
        "skill_search_deals": 4,
        "assumptions_games": 20,
        "suggestions_games": 2_000,
        "suggestions_fresh": 100,
        "rules_of_thumb_deals": 12,
        "positions": 24,
        "judge": "flat:6",
        "first_moves": 8,
        "examples": 1,
        "most_work": 1_000_000,
    },
)
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
PATIENCE = 1200  # seconds to wait for another worker


def report_of(game: str, factory: pytest.TempPathFactory) -> Path:
    """The folder of a game's report; the first worker that asks makes it."""
    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder, mine = shared / f"report-{game}", shared / f"making-{game}"
    try:
        mine.mkdir()
    except FileExistsError:
        end = time.monotonic() + PATIENCE
        while not folder.exists():
            assert time.monotonic() < end, f"nobody made the report of {game}"
            time.sleep(0.5)
        return folder
    if game == STUDY:
        (mine / "study.toml").write_text(SPEC)
        study(mine / "study.toml", db=mine / "study.db", threads=1)
        return write_study(str(mine / "study.db"), folder).parent
    if game == OWN:
        (mine / "rules.toml").write_text(RULES)
        write_game(Asked("wave", (3,), (), (), (str(mine / "rules.toml"),)), TINY, 1, 1, folder)
        return folder
    write_game(SETUPS[game], TINY, 1, 1, folder)
    return folder
