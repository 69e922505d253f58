"""Generated bad input over all commands and files: no traceback, no hang, nothing half-written, exit 0, 1, 2 or 130."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from houle.analysis.studies.cells import measure
from houle.analysis.studies.spec import read_spec
from houle.analysis.studies.store import create
from tests.support import hostile
from tests.support.call import call, good

pytestmark = pytest.mark.compiled

FEW, MANY = 60, 2_000
QUIET = list(HealthCheck)


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    """What good calls need is compiled before the clock is looked at."""
    for command in hostile.QUICK:
        call(
            command, "wave", "-s", "random", "-v", "base", "-v", "virage", *(() if command == "trace" else ("-n", "2"))
        )
    good("simulate", "vague-attaque", "-s", "random", "-n", "2")


@cache
def study() -> bytes:
    """The file of a small study that is finished."""
    with tempfile.TemporaryDirectory() as folder:
        spec, path = Path(folder, "spec.toml"), Path(folder, "study.db")
        spec.write_text(hostile.SPEC)
        asked = read_spec(spec)
        create(path, asked, [measure(cell) for cell in asked.cells])
        good("study", "resume", str(path), "-q")
        return path.read_bytes()


def judged(bad: hostile.Bad) -> tuple[int, float]:
    """Exit code and seconds of a call that was made in an empty folder."""
    before = os.getcwd()
    folder = Path(tempfile.mkdtemp())
    try:
        study()
        os.chdir(folder)
        result, seconds = hostile.judged(bad, folder, study)
        return result.exit_code, seconds
    finally:
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


@settings(max_examples=FEW, deadline=None, derandomize=True, database=None, suppress_health_check=QUIET)
@given(hostile.calls())
def test_bad_input_is_one_line(bad: hostile.Bad) -> None:
    judged(bad)


@pytest.mark.slow
def test_two_thousand_bad_inputs() -> None:
    codes: Counter[int] = Counter()
    commands: Counter[str] = Counter()
    longest = 0.0
    start = time.perf_counter()

    @settings(
        max_examples=MANY, deadline=None, database=None, suppress_health_check=QUIET, phases=[Phase.generate],
        report_multiple_bugs=False,
    )  # fmt: skip
    @given(hostile.calls())
    def one(bad: hostile.Bad) -> None:
        nonlocal longest
        code, seconds = judged(bad)
        codes[code] += 1
        commands[bad.words[0]] += 1
        longest = max(longest, seconds)

    one()
    known = {name: number for name, number in commands.items() if number > 20}
    print(f"\n{sum(codes.values()):,} calls in {time.perf_counter() - start:.0f} s, longest {longest:.1f} s")
    print(f"exit codes {dict(codes)}; commands {known}")
    assert sum(codes.values()) >= MANY
    assert codes[2] > MANY / 2
