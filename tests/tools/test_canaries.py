"""Random command lines in a folder full of canaries: no traceback, no hang, no code that was not named."""

from __future__ import annotations

import json
import random
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.cli.main import COMMANDS
from houle.solver.rules import game_names
from houle.solver.rules.game_folders import _homes
from tools import canaries
from tools.canaries import FAULTS, GOOD, OTHERS, RAN, REFUSED, TRACEBACK, Aviary, Line, judged, sing, summary, verdict

pytestmark = pytest.mark.compiled


@pytest.fixture
def aviary(tmp_path: Path) -> Iterator[Aviary]:
    path = list(sys.path)
    yield Aviary(tmp_path, random.Random(1), plain=False)
    sys.path[:] = path
    _homes.cache_clear()


def test_faults_are_noticed(aviary: Aviary, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(aviary, Line(("rules", "wafe"))).verdict == REFUSED
    assert judged(aviary, Line(("rules", "wave"))).verdict == GOOD
    with monkeypatch.context() as patch:
        patch.setattr(canaries.program, "main", lambda *_: runpy.run_path("json.py"))
        assert judged(aviary, Line(())).verdict == RAN
        aviary.clean()
        patch.setattr(canaries.program, "main", lambda *_: {}["nothing"])
        assert judged(aviary, Line(())).verdict == TRACEBACK


def test_other_players_are_noticed(aviary: Aviary) -> None:
    """Numbers of random players under the name of another line."""
    said = json.dumps({"arms": [{"strategies": ["random", "random"]}]})
    assert verdict(aviary, Line(("simulate",), ("thumb",)), 0, False, said, "") == OTHERS
    assert verdict(aviary, Line(("simulate",), ("random",)), 0, False, said, "") == GOOD


def test_lines_are_about_every_command(aviary: Aviary) -> None:
    made = [aviary.command().words for _ in range(3_000)]
    assert {words[0] for words in made} == set(COMMANDS)
    about_games = {name for name, one in aviary.commands.items() if any(param.name == "game" for param in one.params)}
    games = {words[1] for words in made if words[0] in about_games}
    assert games == {*game_names()}  # a canary as GAME would be code that was named


@pytest.mark.slow
def test_random_lines_have_no_fault() -> None:
    ended = sing(3_000, 2, 120.0)
    assert [one for one in ended if one.verdict in FAULTS] == []
    assert sum(one.verdict == GOOD for one in ended) > len(ended) / 3, summary(ended)[:2]
