"""Command lines in a folder full of canaries: no traceback, no hang, no code that was not named."""

from __future__ import annotations

import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.cli.main import COMMANDS
from tests.fuzz.canaries import Aviary, aviary
from tests.fuzz.cases import Case
from tests.fuzz.judge import ACCEPTED, FAULTS, RAN, REFUSED, TRACEBACK, judge
from tests.support.amounts import some

pytestmark = pytest.mark.compiled


@pytest.fixture
def canaries(tmp_path: Path) -> Iterator[Aviary]:
    with aviary(tmp_path / "root") as made:
        yield made


def test_canaries_sing(canaries: Aviary, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the current folder, and where a word names code, which it may."""
    assert judge(Case("", "", ("rules", "wafe")), canaries).kind == REFUSED
    assert judge(Case("", "", ("rules", "wave")), canaries).kind == ACCEPTED
    monkeypatch.setattr("houle.cli.commands.rules.rules.callback", lambda *_, **__: runpy.run_path("json.py"))
    assert judge(Case("", "", ("rules", "wave")), canaries).kind == RAN
    monkeypatch.setattr("houle.cli.commands.rules.rules.callback", lambda *_, **__: {}["nothing"])
    assert judge(Case("", "", ("rules", "wave")), canaries).kind == TRACEBACK


@pytest.mark.parametrize("number", [some(40), pytest.param(some(1_500), marks=pytest.mark.slow)])
def test_no_canary_runs(number: int, canaries: Aviary) -> None:
    cases = list(canaries.cases(number, 2))
    ended = [judge(case, canaries) for case in cases]
    assert [(one.kind, one.case.words, one.line) for one in ended if one.kind in FAULTS] == []
    assert Counter(one.kind for one in ended)[REFUSED] > number / 3
    assert number < 1_000 or {case.words[0] for case in cases} >= set(COMMANDS)
