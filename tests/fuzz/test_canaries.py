"""Random command lines among canaries, and bad input in every file: one line, no hang, no code that was not named."""

from __future__ import annotations

import json
import random
import runpy
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.cli.main import COMMANDS
from houle.solver.compiler.kernels import JIT
from houle.solver.rules import game_names
from houle.solver.rules.game_folders import _homes
from tests.fuzz import canaries
from tests.fuzz.canaries import FAULTS, GOOD, OTHERS, RAN, Aviary, Line, ended, judged, verdict
from tests.fuzz.cases import cases, read
from tests.fuzz.formats import FORMATS
from tests.fuzz.judge import ACCEPTED, REFUSED, TRACEBACK, judge
from tests.fuzz.judge import FAULTS as BAD_ENDS
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

LINES = some(750) if JIT else some(250)


@pytest.fixture
def aviary(tmp_path: Path) -> Iterator[Aviary]:
    path = list(sys.path)
    yield Aviary(tmp_path, random.Random(1), plain=False)
    sys.path[:] = path
    _homes.cache_clear()


def test_faults_are_noticed(aviary: Aviary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also numbers of random players under the name of another line."""
    assert judged(aviary, Line(("rules", "wafe"))).verdict == REFUSED
    assert judged(aviary, Line(("rules", "wave"))).verdict == GOOD
    said = json.dumps({"arms": [{"strategies": ["random", "random"]}]})
    assert verdict(aviary, Line(("simulate",), ("thumb",)), code=0, asked=False, out=said, err="") == OTHERS
    assert verdict(aviary, Line(("simulate",), ("random",)), code=0, asked=False, out=said, err="") == GOOD
    monkeypatch.setattr(canaries.program, "main", lambda *_: runpy.run_path("json.py"))
    assert judged(aviary, Line(())).verdict == RAN
    aviary.clean()
    monkeypatch.setattr(canaries.program, "main", lambda *_: {}["nothing"])
    assert judged(aviary, Line(())).verdict == TRACEBACK


def test_lines_are_about_every_command(aviary: Aviary) -> None:
    made = [aviary.command().words for _ in range(3_000)]
    assert {words[0] for words in made} == set(COMMANDS)
    about_games = {name for name, one in aviary.commands.items() if any(param.name == "game" for param in one.params)}
    games = {words[1] for words in made if words[0] in about_games}
    assert games == {*game_names()}  # a canary as GAME would be code that was named


@pytest.mark.slow
def test_random_lines_have_no_fault() -> None:
    """About games, or about classes where the compiler is switched off: `make slow` runs both."""
    outcomes = list(ended(LINES, 2))
    assert [one for one in outcomes if one.verdict in FAULTS] == []
    counts = Counter(one.verdict for one in outcomes)
    assert counts[GOOD] > len(outcomes) / 3, counts


FEW, SEED = some(120), 42


@pytest.mark.parametrize("name", FORMATS)
def test_unchanged_files_are_accepted(name: str) -> None:
    """Otherwise the changed ones would show nothing."""
    for call in range(len(FORMATS[name].calls)):
        outcome = judge(read(name, call, FORMATS[name].text().encode()))
        assert outcome.kind == ACCEPTED, outcome


@pytest.mark.parametrize("number", [FEW, pytest.param(None, marks=pytest.mark.slow)])
def test_bad_input_is_one_line(number: int | None) -> None:
    ended = [judge(case) for case in cases(number, SEED)]
    faults = [(one.kind, one.case.words, one.line) for one in ended if one.kind in BAD_ENDS]
    assert faults == []
    assert Counter(one.kind for one in ended)[REFUSED] > len(ended) / 2
