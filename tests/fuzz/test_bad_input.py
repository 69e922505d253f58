"""Bad input of every kind through every command: no traceback, no hang, one line for an error."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz.cases import cases, read
from tests.fuzz.formats import FORMATS
from tests.fuzz.judge import ACCEPTED, FAULTS, REFUSED, judge
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

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
    faults = [(one.kind, one.case.words, one.line) for one in ended if one.kind in FAULTS]
    assert faults == []
    assert Counter(one.kind for one in ended)[REFUSED] > len(ended) / 2
