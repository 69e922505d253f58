"""The deck on the page of the studio for every game, and the page to send: it holds the state and is opened again."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from houle.analysis.kept import Kept
from houle.analysis.studio import single_changes
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import read_state
from houle.cli.commands.studio import sent_page
from houle.cli.framework.options import Asked
from houle.cli.studio import pages
from houle.cli.studio.answers import length_words
from houle.cli.studio.app import FOLDERS, page_words, turned_in
from houle.cli.studio.extras import Extras
from houle.cli.studio.log import Log
from houle.cli.web.languages import translated, words_for
from houle.solver.errors import InputError
from houle.solver.rules import make_setup
from tests.support.call import call
from tests.support.repeated import repeated

pytestmark = pytest.mark.compiled

SETUPS = ("game=wave&players=3&set+hand.back=3", "game=vague-verte&players=3", "game=land-unter&players=4",
          "game=sea-change&players=4", "game=vague-attaque&players=3")  # fmt: skip


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Few games of everything."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    monkeypatch.setattr(single_changes, "ROUNDS", (20, 20))
    monkeypatch.setattr(single_changes, "CARD_ROUNDS", (20,))


@cache
def counted(query: str) -> Extras:
    """A state with all cards and rules counted, shared by the tests that only read it."""
    live = StudioRows(read_state(query, make_setup("wave", 3)), CountedRows())
    while not live.counted:
        live.step(lambda: False)
    extras = Extras(live, Kept(50), deck_is_open=True)
    while extras.step(lambda: False):
        pass
    return extras


@pytest.mark.usefixtures("quick")
@repeated(1, 5)
def test_cards_are_shown_for_every_game(runs: int) -> None:
    for query in SETUPS[:runs]:
        extras = counted(query)
        parts = pages.event_data(extras, Log())["parts"]
        setup = extras.live.state.setup
        for change in setup.game.openings.card_changes(setup):
            assert change.card.partition(" ")[2] in parts["cards"]


@pytest.mark.usefixtures("quick")
def test_a_sent_page_is_opened_again(tmp_path: Path) -> None:
    extras, log = counted(f"{SETUPS[0]}&target=20..30@family&name=Harbour"), Log()
    log.note(extras.live, 1)
    log.set(extras.live.state.without_pin.query, "send", True)
    page = pages.send_page(extras, log)
    assert "http" not in page.replace("http-equiv", "")
    assert 'href="studio' not in page
    assert "WAVE, Harbour, 3 players" in page
    assert "The players are simulated" in page
    file = tmp_path / "harbour.html"
    file.write_text(page)
    found = sent_page(Asked(str(file)))
    assert found is not None
    assert found[0].query == extras.live.state.query
    (tmp_path / "other").mkdir()
    other = Log()
    other.entries.clear()
    other.take([*found[1], {"query": "forged"}, 7])
    assert list(other.entries) == [extras.live.state.query]


@pytest.mark.usefixtures("quick")
def test_the_page_speaks_french() -> None:
    """Names of rules, settings and games stay as they are; everything else has a translation."""
    extras, missing = counted(SETUPS[0]), list[str]()
    page = pages.studio_page(extras.live, Log(), "", "", extras)
    french = translated(page, words_for("fr", "wave", FOLDERS), "fr", missing.append)
    assert "Familles " in french
    assert "Qui gagne combien de fois" in french
    names = {*extras.live.state.setup.ruleset.knobs, *extras.live.state.setup.ruleset.variants, "hand.back, hand.front"}
    left = [text for text in missing if text not in names and not text.startswith(("set: ", "hand.back="))]
    assert [text for text in left if " " in text] == []


@pytest.mark.quick
def test_our_limit_of_turns_is_no_length() -> None:
    assert length_words(24, "turns", 20.0, 300) == "24 turns (8 minutes)"
    shown = [length_words(turns, "turns", 0.0, 300) for turns in (24, 300)]
    assert shown == ["24 turns", "300 turns (our limit)"]
    page = f"<p>: half of the games last at most {shown[0]}; nine in ten at most {shown[1]}</p>"
    french = translated(page, words_for("fr", "vague-verte", FOLDERS), "fr", list[str]().append)
    assert "neuf sur dix au plus 300 tours (notre limite)" in french


def refused(*words: str) -> str:
    """What `houle studio` says before it opens anything."""
    result = call("studio", *words)
    assert result.exit_code == 2
    return " ".join(result.stderr.split())


def test_a_file_that_is_no_page_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.html"
    file.write_text('<script type="application/json" id="houle-studio">[1]</script>')
    assert "not a page of the studio" in refused(str(file))
    file.write_text(f'<script type="application/json" id="houle-studio">{json.dumps({"query": "game=x", "tried": []})}'
                    "</script>")  # fmt: skip
    assert "unknown game 'x'" in refused(str(file))
    assert "its own rules" in refused(str(file), "-p", "3")


def test_refusals_are_in_the_words_of_the_page() -> None:
    """They stand at the rule that was turned, not at the one that the deal runs out of."""
    state = read_state("game=wave&players=3", make_setup("wave", 3))
    with pytest.raises(InputError) as caught:
        state.setup.turned({"hand.back": 14})
    problem = str(caught.value)
    words = page_words(problem, state.setup)
    assert "--" not in words
    assert not words.startswith("wave")
    assert "turn hand.front too" in words
    form = [("game", "wave"), ("set hand.back", "14"), ("set hand.front", "3")]
    assert turned_in(form, state, problem) == "hand.back"
