"""The studio with a class in plain Python, with points as the goal, and with cards that change a deck."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

import houle
from houle.analysis.kept import Kept
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import read_state
from houle.cli.commands.studio import sent_page
from houle.cli.framework.options import Asked
from houle.cli.studio import pages
from houle.cli.studio.answers import commands
from houle.cli.studio.app import make_app
from houle.cli.studio.decks import near_deck, with_change
from houle.cli.studio.extras import Extras
from houle.cli.studio.log import Log
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.rules import Setup, make_setup
from tests.support.asking import ask
from tests.support.playing import WORD
from tests.support.studio import all_counted, few_games

pytestmark = pytest.mark.quick

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
    page = pages.studio_page(live, Log(), "", "", extras)
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
