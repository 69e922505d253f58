"""What the studio says of few games, what it counts first, and its answers for games and decks of your own."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, unquote

import pytest

import houle
from houle.analysis.kept import Kept
from houle.analysis.measures.goal import Goal
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import StudioTarget, read_state
from houle.cli.commands.studio import sent_page
from houle.cli.framework.options import Asked
from houle.cli.framework.text import roughly
from houle.cli.studio import pages
from houle.cli.studio.answers import answers, commands, hint, sentence
from houle.cli.studio.app import FOLDERS, Studio, make_app
from houle.cli.studio.decks import near_deck, with_change
from houle.cli.studio.extras import Extras
from houle.cli.studio.jobs import Job, Jobs, Watched, design_job
from houle.cli.studio.log import Log, shown_in
from houle.cli.web.languages import translated, words_for
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.rules import Setup, make_setup
from houle.solver.rules import setup as setups
from tests.support.asking import ask
from tests.support.playing import WORD
from tests.support.studio import all_counted, few_games

pytestmark = pytest.mark.quick

RUNNING = ("is being counted", "after the others", "while you watch", "Counting", "in a moment", "Preparing")


@cache
def counted(change: str = "&set+hand.back=3") -> StudioRows:
    """Four games of families, with these rules and in print."""
    live = StudioRows(read_state(f"game=wave&players=3{change}", make_setup("wave", 3)), CountedRows())
    for one in live.aimed.both():
        one.play(4, lambda: False)
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


def test_a_target_has_the_unit_of_the_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houle.cli.studio.answers.LEAST", 0)
    live = StudioRows(counted().state, counted().memory)
    live.goal = Goal(live.state.setup, "score")
    assert "; target 38 to 42 cards left " in sentence(live)


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


def test_print_is_not_compared_with_itself(log: Log) -> None:
    words = "the line is the printed rules"
    assert words in pages.send_page(Extras(counted(), Kept(50)), log)
    assert words not in pages.send_page(Extras(counted(""), Kept(50)), log)


def test_estimates_are_rounded() -> None:
    words = {1: "5 s", 38.2: "40 s", 57: "1 min", 95: "2 min", 490: "8 min"}
    assert {seconds: roughly(seconds) for seconds in words} == words


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


def test_a_search_says_how_long_it_takes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its clock is its time, not a guess from its games."""
    now = 100.0
    monkeypatch.setattr("houle.cli.studio.jobs.time.monotonic", lambda: now)
    job = Job("Towards", counted().state, lambda job: None, "houle design", seconds=90.0, began=90.0)
    watched = Watched(job)
    watched.share, watched.doing = 0.1, "single changes"
    watched(3_000, 9.0)
    assert job.words == "single changes: 3,000 games (10.0 s so far, at most 81.0 s left)"
    now = 150.0
    assert job.words.endswith("(60.0 s so far, at most 31.0 s left)")
    assert not watched.stops()
    job.stopping = True
    assert watched.stops()


def effect(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half, n=200, unit=POINTS)


def changes(down: Estimate, up: Estimate) -> Any:
    """A rule with two steps, of which one lowers wins; those whose sign is known."""
    known = [(step, by) for step, by in (("hand=2", down), ("hand=4", up)) if by.differs]
    return SimpleNamespace(goal=Goal(make_setup("wave", 3)), steps=lambda rule: known, idle=lambda rule: False)


@pytest.mark.parametrize(
    ("down", "up", "toward", "words"),
    [
        ((-0.04, 0.01), (0.06, 0.02), 1, "hand=4: +6 percentage points (+4 to +8), toward the target"),
        ((-0.04, 0.01), (0.06, 0.02), -1, "hand=2: -4.0 percentage points (-5.0 to -3.0), toward the target"),
        ((-0.04, 0.01), (0.06, 0.02), 0, "hand=4: +6 percentage points (+4 to +8)"),
        ((-0.04, 0.01), (0.01, 0.02), 1, "hand=2: -4.0 percentage points (-5.0 to -3.0), away from the target"),
        ((-0.01, 0.02), (0.01, 0.02), 1, ""),
    ],
)
def test_hints_say_what_helps(down: tuple[float, float], up: tuple[float, float], toward: int, words: str) -> None:
    """Under a rule stands the step that helps toward the target, where games show one."""
    assert hint(changes(effect(*down), effect(*up)), "hand", toward) == words


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Studio:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    return Studio(make_setup("wave", 3), WORD)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
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


def test_first_games_come_first(studio: Studio, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    extras, stop = studio.extras(studio.first, True), threading.Event()
    known(monkeypatch, False, False)
    with studio.counting:  # somebody else counts
        assert studio._step(extras, stop, True)
    for rest in (False, True):
        known(monkeypatch, True, rest)
        studio._step(extras, stop, True)
        studio._step(extras, stop, False)
    assert asked == ["answers", "cards", "answers", "rules", "answers"]


def test_counting_rests_while_a_job_runs(studio: Studio, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    extras, stop = studio.extras(studio.first), threading.Event()
    stop.set()  # it does not rest long
    known(monkeypatch, True, True)
    job = Job("A search", studio.first, lambda job: None, "")
    studio.jobs.all[job.id] = job
    assert studio._step(extras, stop, False)
    assert asked == []
    job.done = True
    stop.clear()
    studio._step(extras, stop, False)
    assert asked == ["answers"]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The digests of all setups that were made since."""
    found: list[str] = []
    check = setups._playable

    def counted(setup: Setup) -> Setup:
        found.append(setup.digest)
        return check(setup)

    monkeypatch.setattr(setups, "_playable", counted)
    monkeypatch.setattr(StudioRows, "next", lambda live: None)  # nothing is counted
    monkeypatch.setattr(Extras, "step", lambda extras, stop, only_cards=False: False)
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    return found


def test_a_turned_rule_makes_its_setup_once(made: list[str]) -> None:
    near = make_setup("wave", 3, (), {"hand.front": 4})
    app, digests = make_app(near, WORD), []
    made.clear()
    last = ask(app, f"/{WORD}/")[1]["location"].partition("?")[2]
    assert made == []
    for value in (3, 4):
        status, _, text = ask(app, f"/{WORD}/check?{last}&set+hand.back={value}&last={quote(last)}")
        assert status == 200
        last = json.loads(text)["query"]
        assert ask(app, f"/{WORD}/live?{last}&tab=one")[0] == 200
        digests.append(make_setup("wave", 3, (), {"hand.front": 4, "hand.back": value}).digest)
        made.pop()
        assert made == digests
        last = last.replace(f"&set+hand.back={value}", "") if value == 3 else last
    assert ask(app, f"/{WORD}/check?{last}&set+hand.front=99&last={quote(last)}")[0] == 422
    assert made == digests


# Players climb together: a safe step, or a leap that may miss. Points count, and few steps are left.
CLIMB = '''
class Climb:
    """Climb together as high as you can."""

    PLAYERS = (2, 3)
    GOAL = "score"
    SCORE_RANGE = (0, 100)

    def __init__(self, players, luck, steps=6, leap=4):
        self.luck, self.left, self.leap, self.height, self.turn, self.players = luck, steps, leap, 0, 0, players

    def to_move(self):
        return self.turn % self.players if self.left else -1

    def legal(self):
        return ["step", "leap"]

    def apply(self, move):
        self.height += 1 if move == "step" else self.leap * self.luck(2)
        self.left, self.turn = self.left - 1, self.turn + 1
        assert self.leap < 7, "too far"

    def result(self):
        return {"scores": [self.height]}

    def rules_of_thumb(self):
        return "leap" if self.leap > 2 else "step"

    def imagine(self, seat, luck):
        import copy
        other = copy.copy(self)
        other.luck = luck
        return other
'''


@pytest.fixture
def climb(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Setup:
    """A class in plain Python; few games of everything."""
    if JIT:
        pytest.skip("classes are played without the compiler")
    few_games(monkeypatch, tmp_path / "state")
    file = tmp_path / "climb.py"
    file.write_text(CLIMB)
    return houle.setup(str(file), players=2)


def test_a_class_has_all_answers_in_points(climb: Setup) -> None:
    """The sentence, the target, and the hints are in points, not in wins."""
    extras = all_counted(read_state(f"game={quote(climb.ruleset.name)}&players=2&set+leap=6", climb))
    live = extras.live
    assert re.match(r"Families score .* score: 4 games so far\.", pages.event_data(extras, Log())["parts"]["sentence"])
    for one in live.aimed.both():
        one.play(100, lambda: False)
    data = pages.event_data(extras, Log())
    said = (
        r"Families score \S+ score \(printed rules \S+\): (easier|not known yet), \S+ score \(.*\); "
        "target 60 to 70 score not"
    )
    assert re.match(said, data["parts"]["sentence"])
    assert data["rules"]["steps"]["words"].startswith("steps=7: +")
    assert "Who reaches how many score" in data["parts"]["answers"]
    page = pages.studio_page(live, Log(), problem="", knob="", extras=extras)
    assert page.count("<option") < 30  # no other game to choose


def test_the_numbers_of_a_class_equal_their_command(climb: Setup) -> None:
    live = StudioRows(read_state(f"game={quote(climb.ruleset.name)}&players=2", climb), CountedRows())
    while live.aimed.mine.games < 12:
        live.step(lambda: False)
    shown = next(one for one in commands(live) if one["who"] == "family")
    again = houle.simulate(climb, strategies="family", games=12)
    assert again.digest == shown["digest"]
    assert live.aimed.mine.rate().value == again.sides[0].score.interval.value


def test_a_change_of_a_deck_is_applied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The address names the changed deck, its file is what a command plays, and changes add up."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    monkeypatch.setattr(StudioRows, "next", lambda live: None)  # nothing is counted
    near = make_setup("wave", 3)
    app, query = make_app(near, WORD), "game=vague-attaque&players=3"
    setup = make_setup("vague-attaque", 3)
    for number in (1, 4):
        change = setup.game.openings.card_changes(setup)[number]
        do = quote(f"{change.card}: {change.what}")
        status, head, _ = ask(app, f"/{WORD}/studio?{query}&do={do}")
        assert status == 303
        query = head["location"].partition("?")[2]
        expected = setup.turned({"deck": change.value}).options["deck"]
        setup = read_state(query, near_deck(query, near)).setup
        assert setup.options["deck"].cards["souvenir"] == expected.cards["souvenir"]
    name = unquote(query).partition("set+deck=")[2]
    assert houle.setup("vague-attaque", players=3, set={"deck": setup.options["deck"].path}).digest == setup.digest
    assert name.startswith("default-")
    with pytest.raises(InputError, match="not possible"):
        with_change(setup, "souvenir", "flies")


def test_a_sent_page_brings_its_deck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A page with a changed deck of Vague & Attaque is opened where that deck is not known."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path / "mine"))
    near = make_setup("vague-attaque", 3)
    rule, name = with_change(near, "souvenir steal", "one more")
    query = f"game=vague-attaque&players=3&set+{rule}={quote(name)}"
    live = StudioRows(read_state(query, near_deck(query, near)), CountedRows())
    file = tmp_path / "sent.html"
    file.write_text(pages.send_page(Extras(live, Kept(10)), Log()))
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path / "theirs"))
    found = sent_page(Asked(str(file)))
    assert found is not None
    assert found[0].query == live.state.query
    assert found[0].setup.digest == live.state.setup.digest != near.digest
    assert found[0].setup.options[rule].path.startswith(str(tmp_path / "theirs"))
