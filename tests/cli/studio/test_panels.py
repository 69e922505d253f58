"""The studio's page for every game: the deck, the rules in play, and the page to send, which is opened again."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from houle.analysis.kept import Kept
from houle.analysis.studio.growing_results import Growing
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
from houle.solver.rules import Knob, game_names, load, make_setup
from tests.support.call import call
from tests.support.repeated import repeated
from tests.support.studio import all_counted, few_games

pytestmark = pytest.mark.compiled

SETUPS = ("game=wave&players=3&set+hand.back=3", "game=vague-verte&players=3", "game=land-unter&players=4",
          "game=sea-change&players=4", "game=vague-attaque&players=3")  # fmt: skip


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few_games(monkeypatch, tmp_path)


@cache
def counted(query: str) -> Extras:
    """Shared by the tests that only read it."""
    return all_counted(read_state(query, make_setup("wave", 3)))


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
    shown = [length_words(turns, "turns", 300) for turns in (24, 300)]
    assert shown == ["24 turns", "300 turns (our limit)"]
    page = f"<p>: half of the games last at most {shown[0]}; nine in ten at most {shown[1]}</p>"
    french = translated(page, words_for("fr", "vague-verte", FOLDERS), "fr", list[str]().append)
    assert "neuf sur dix au plus 300 tours (notre limite)" in french


@pytest.mark.parametrize(("data", "words", "problem"), [
    ("[1]", "", "not a page of the studio"),
    ('{"query": "game=x", "tried": []}', "", "unknown game 'x'"),
    ('{"query": "game=x", "tried": []}', "-p 3", "its own rules"),
])  # fmt: skip
def test_a_file_that_is_no_page_is_refused(data: str, words: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.html"
    file.write_text(f'<script type="application/json" id="houle-studio">{data}</script>')
    result = call("studio", str(file), *words.split())
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.split())


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


def rules_of(query: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> tuple[list[str], str]:
    """The rules of a page in their order up to the line about those that are not in play, and the page."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(folder))
    live = StudioRows(read_state(query, make_setup("wave", 3)), CountedRows())
    page = pages.studio_page(live, Log(), "", "", Extras(live, Kept(9)))
    return re.findall(r'data-knob="([\w.]+)"', page.partition('id="rest"')[0]), page


@pytest.mark.quick
def test_rules_that_are_not_in_play_are_behind_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rules, page = rules_of("game=wave&players=3", monkeypatch, tmp_path)
    assert rules == ["hand.front", "hand.back", "deck.missing", "deck.reverse", "talk", "deck.colours", "deck.numbers"]
    assert "8 rules are not in play here" in page
    assert 'type="hidden" name="set deck.missing"' in page
    two, _ = rules_of("game=wave&players=2&variant=virage", monkeypatch, tmp_path)
    assert {"dummy.up", "dummy.down", "dummy_swaps", "virage_must_fit"} <= {*two}


@pytest.mark.quick
def test_a_variant_has_one_switch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A rule that was set without its variant is on the page, so that it can be undone."""
    for variant, rule in (("tide-colours", "tide.colours"), ("nazare", "nazare")):
        rules, page = rules_of(f"game=wave&players=3&variant={variant}", monkeypatch, tmp_path)
        assert f'value="{variant}" data-whole checked' in page
        assert rule not in rules
    assert "tide.numbers" in rules_of("game=wave&players=3&set+tide.numbers=true", monkeypatch, tmp_path)[0]
    assert 'value="2v2"' not in rules_of("game=sea-change&players=3", monkeypatch, tmp_path)[1]


def other_value(knob: Knob, now: object) -> object:
    """Another value of a rule with single values; None for lists."""
    if knob.type == "int" and isinstance(now, int):
        return now + 1
    return {"bool": not now, "choice": next((one for one in knob.choices if one != now), None)}.get(knob.type)


@repeated(1, 3)
def test_rules_that_are_not_in_play_change_no_game(runs: int) -> None:
    tried = set()
    for setup in (make_setup(name, players) for name in game_names() for players in load(name).players[: runs + 1]):
        for knob in setup.ruleset.knobs.values():
            value = other_value(knob, setup.options[knob.name])
            if value is None or knob.in_play(setup.players, setup.options):
                continue
            try:
                changed = setup.turned({knob.name: value})
            except InputError:
                continue
            games = [Growing(one, "random", 1) for one in (setup, changed)]
            for one in games:
                one.play(60, lambda: False)
            assert games[0].tally.as_data() == games[1].tally.as_data(), knob.name
            tried.add(knob.name)
    assert {"virage_must_fit", "dummy.up", "facedown"} <= tried
