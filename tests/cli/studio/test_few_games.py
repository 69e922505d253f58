"""The studio with few games: a sentence with an interval, a page to send with nothing that is not known."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from houle.analysis.kept import Kept
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import StudioTarget, read_state
from houle.cli.framework.text import roughly
from houle.cli.studio import pages
from houle.cli.studio.answers import answers, commands, sentence
from houle.cli.studio.app import FOLDERS
from houle.cli.studio.extras import Extras
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
    for one in live.aimed.both():
        one.play(4, never)
    return live


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Log:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    return Log()


def test_few_games_have_an_interval() -> None:
    """And nothing of what is not known goes to somebody who does not see it grow."""
    live = counted()
    assert sentence(live) == f"Families win {live.aimed.mine.rate().text()}: 4 games so far."
    assert sentence(live, sent=True) == "Only 4 games so far."
    assert answers(live, sent=True)["rows"] == commands(live, sent=True) == []
    missing = list[str]()
    french = translated(f"<p>{sentence(live)}</p>", words_for("fr", "wave", FOLDERS), "fr", missing.append)
    assert "4 parties jusqu" in french
    assert missing == []


def test_page_to_send_says_nothing_that_runs(log: Log) -> None:
    live = counted()
    extras = Extras(live, Kept(50), deck_is_open=True)
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
    """Another target or name is another address, but no other setup."""
    live = counted()
    aimed = replace(live.state, target=StudioTarget(10, 20, "family"))
    named = replace(live.state, setup=replace(live.state.setup, title="Harbour"))
    for state in (live.state, aimed, named):
        log.note(StudioRows(state, live.memory), 1)
    assert len(log.entries) == 3
    (row,) = log.of("wave")
    family = live.aimed.mine.rate()
    assert shown_in(row)["family"] == (family.short(), family.parts()[1])


def test_only_chosen_settings_are_sent(log: Log) -> None:
    live = counted()
    log.note(live, 1)
    extras, query = Extras(live, Kept(50)), live.state.without_pin.query
    assert "What was tried" not in pages.send_page(extras, log)
    log.set(query, "send", True)
    assert "What was tried" in pages.send_page(extras, log)


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
