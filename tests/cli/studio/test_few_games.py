"""The studio with few games: no rates in the sentence, a page to send without words of a page that still counts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from houle.analysis.kept import Kept
from houle.analysis.studio.rows import CountedRows, StudioRow, StudioRows
from houle.analysis.studio.state import StudioTarget, read_state
from houle.cli.framework.text import roughly
from houle.cli.studio import pages
from houle.cli.studio.answers import sentence
from houle.cli.studio.app import FOLDERS
from houle.cli.studio.extras import PANELS, Extras
from houle.cli.studio.jobs import Jobs, design_job
from houle.cli.studio.log import Log, shown_in
from houle.cli.web.languages import translated, words_for
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

RUNNING = ("is being counted", "after the others", "while you watch", "Counting", "in a moment", "Preparing")


def never() -> bool:
    return False


@cache
def counted() -> StudioRows:
    """Four games of families, with these rules and in print."""
    live = StudioRows(read_state("game=wave&players=3&set+hand.back=3", make_setup("wave", 3)), CountedRows())
    for one in live.aimed.both(0):
        one.play(4, never)
    return live


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Log:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    return Log()


def test_few_games_have_no_rates() -> None:
    assert sentence(counted()) == "Counting: 4 games so far."
    french = translated(f"<p>{sentence(counted())}</p>", words_for("fr", "wave", FOLDERS), "fr", list[str]().append)
    assert french == "<p>Comptage\u00a0: 4 parties jusqu\u2019ici.</p>"


def test_page_to_send_says_nothing_that_runs(log: Log) -> None:
    live = counted()
    extras = Extras(live, Kept(50), PANELS)
    log.note(live, 1)
    page = pages.send_page(extras, log)
    assert "Only 4 games so far." in page
    assert [words for words in RUNNING if words in page] == []
    shown = str(pages.answer_parts(live)["answers"])
    assert 'data-say="Only 4 games so far: send anyway?"' in shown
    assert [words for words in RUNNING[1:3] if words in shown] == list(RUNNING[1:3])


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "5 s"), (38.2, "40 s"), (57, "1 min"), (95, "2 min"), (490, "8 min")]
)
def test_estimates_are_rounded(seconds: float, words: str) -> None:
    assert roughly(seconds) == words


def test_equal_rules_have_one_row(log: Log) -> None:
    """Another target or name is another address, but no other setup; a star marks players that do not think yet."""
    live = counted()
    aimed = replace(live.state, target=StudioTarget(10, 20, "family"))
    named = replace(live.state, setup=replace(live.state.setup, title="Harbour"))
    for state in (live.state, aimed, named):
        log.note(StudioRows(state, live.memory), 1)
    assert len(log.entries) == 3
    (row,) = log.of("wave")
    family = live.aimed.mine.rate()
    assert shown_in(row)["family"] == (f"{family.short()}*", family.parts()[1])


def test_thought_replaces_the_habit_in_the_log(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if it has fewer games; the habit never replaces thought."""
    live = counted()
    log.note(live, 1)
    entry = log.entries[live.state.without_pins.query]
    entry["games"] = 900
    monkeypatch.setattr(StudioRow, "habit_only", False)
    log.note(live, 1)
    monkeypatch.undo()
    live.aimed.stages[0][0].play(5, never)
    log.note(live, 1)
    (row,) = log.of("wave")
    assert (row["thought"], row["games"], row["sentence"]) == (True, 4, "Only 4 games so far.")


def test_a_search_asked_for_twice_is_one() -> None:
    """A page that is loaded again asks again."""
    jobs, state = Jobs(), counted().state
    with jobs.lock:  # nothing starts
        first, again = (jobs.start(design_job(state)) for _ in range(2))
        other = jobs.start(design_job(replace(state, target=StudioTarget(10, 20, "family"))))
        for job in jobs.all.values():
            job.work = lambda job: None
    assert first == again
    assert other != first
