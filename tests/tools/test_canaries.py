"""Random input in a folder full of canaries: no traceback, no hang, and no code runs that was not named."""

from __future__ import annotations

import random
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.solver.rules.game_folders import _homes
from tools.canaries import GOOD, RAN, REFUSED, TRACEBACK, Aviary, Case, judged, sing

pytestmark = pytest.mark.compiled


@pytest.fixture
def aviary(tmp_path: Path) -> Iterator[Aviary]:
    path = list(sys.path)
    yield Aviary(tmp_path, random.Random(1))
    sys.path[:] = path
    _homes.cache_clear()


def test_canaries_and_tracebacks_are_noticed(aviary: Aviary) -> None:
    assert judged(aviary, Case("call", (), lambda: runpy.run_path("json.py")), False).verdict == RAN
    aviary.clean()
    assert judged(aviary, Case("command", ("rules", str(aviary.evil))), True).verdict == RAN  # named, so it may
    aviary.clean()
    assert judged(aviary, Case("call", (), lambda: {}["nothing"]), False).verdict == TRACEBACK
    assert judged(aviary, Case("command", ("rules", "wafe")), False).verdict == REFUSED
    assert judged(aviary, Case("command", ("rules", "wave")), False).verdict == GOOD


@pytest.mark.slow
def test_random_input_runs_no_foreign_code() -> None:
    counts, faults = sing(1_500, 2)
    assert [(one.verdict, one.case.words, one.said[-300:]) for one in faults] == []
    assert sum(counts.values()) == 1_500
