"""What the studio counts first: the people of the target, then the open deck; a search gets all cores."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.studio.rows import StudioRows
from houle.cli.studio.app import Studio
from houle.cli.studio.extras import Extras
from houle.cli.studio.jobs import Job
from houle.solver.rules import make_setup
from tests.support.playing import WORD

pytestmark = pytest.mark.quick


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Studio:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    return Studio(make_setup("wave", 3), WORD)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked to count, in order; nothing is counted."""
    found: list[str] = []

    def note(name: str) -> Any:
        def step(*_: Any, **options: Any) -> bool:
            found.append("cards" if options.get("only_cards") else name)
            return True

        return step

    monkeypatch.setattr(StudioRows, "step", note("answers"))
    monkeypatch.setattr(Extras, "step", note("rules"))
    return found


def known(monkeypatch: pytest.MonkeyPatch, first: bool, rest: bool) -> None:
    monkeypatch.setattr(StudioRows, "first_counted", first)
    monkeypatch.setattr(StudioRows, "known", rest)


def test_first_games_come_first(studio: Studio, counted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    extras, stop = studio.extras(studio.first, True), threading.Event()
    known(monkeypatch, False, False)
    with studio.counting:  # somebody else counts
        assert studio._step(extras, stop, True)
    for rest in (False, True):
        known(monkeypatch, True, rest)
        studio._step(extras, stop, True)
        studio._step(extras, stop, False)
    assert counted == ["answers", "cards", "answers", "rules", "answers"]


def test_counting_rests_while_a_job_runs(
    studio: Studio, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    extras, stop = studio.extras(studio.first), threading.Event()
    stop.set()  # it does not rest long
    known(monkeypatch, True, True)
    job = Job("A search", studio.first, lambda job: None, "")
    studio.jobs.all[job.id] = job
    assert studio._step(extras, stop, False)
    assert counted == []
    job.done = True
    stop.clear()
    studio._step(extras, stop, False)
    assert counted == ["answers"]
