"""The page "How to play": it says the same in both languages, about rules that exist, on one screen."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from houle.solver.language.how_to_play import FILE, TITLES, how_to_play
from houle.solver.language.languages import LANGUAGES
from houle.solver.rules import game_names, home, load, make_setup
from houle.solver.rules.files import read_toml
from houle.solver.rules.rules_file import flat

pytestmark = pytest.mark.quick

SHIPPED = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
MOST_WORDS = 290  # of a page with one variant


@pytest.mark.parametrize("game", SHIPPED)
def test_entries_are_complete_and_name_real_rules(game: str) -> None:
    data, rules = read_toml(home(game).folder / FILE), load(game)
    assert set(data) <= {"part", "decision", "reading"}
    for entry in chain(*data.values()):
        known = {"about", "moves", "knob", "value", "rule", "players", "needs", "unless", *LANGUAGES}
        assert set(entry) <= known, entry
        for knob, value in (flat(entry.get("needs", {})) | flat(entry.get("unless", {}))).items():
            rules.knobs[knob].check(value)
        if "rule" in entry:
            assert entry["rule"] in [rule.text for rule in rules.fixed]
        texts = [entry.get(language, entry.get("rule")) for language in LANGUAGES]
        assert all(texts), entry
        english, french = (re.findall(r"\{([\w.]+)\}", str(text)) for text in texts)
        assert sorted(english) == sorted(french), entry
        if "moves" in entry:
            assert len(texts[0]) == len(texts[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_page_fits_on_a_screen(game: str, language: str) -> None:
    rules = load(game)
    for players in rules.players:
        page = how_to_play(make_setup(game, players), language)
        assert page is not None
        titles = [title for title, _ in page.parts]
        assert titles[0] == TITLES[language]["aim"]
        assert TITLES[language]["turn"] in titles
        assert 100 < sum(len(text.split()) for _, texts in page.parts for text in texts) < MOST_WORDS


@pytest.mark.parametrize("game", ["wave", "land-unter", "vague-verte"])
def test_every_variant_changes_the_page(game: str) -> None:
    rules = load(game)
    for variant in rules.variants:
        players = rules.players[0]
        assert how_to_play(make_setup(game, players, [variant])) != how_to_play(make_setup(game, players)), variant


def test_page_says_the_values_of_knobs() -> None:
    changed = how_to_play(make_setup("vague-verte", 3, settings={"road": 9}), "fr")
    assert changed is not None
    assert "9 cases" in changed.parts[0][1][0]


def test_readings_show_where_they_come_from() -> None:
    page = how_to_play(make_setup("vague-verte", 3))
    assert page is not None
    read = {one.text: one.provenance for one in page.readings}
    assert any("last square" in text and source == "assumed" for text, source in read.items())
    assert any("ambulance" in text and source == "unclear" for text, source in read.items())
    other = how_to_play(make_setup("vague-verte", 3, ["last-square"]))
    assert other is not None
    assert not any("last square" in one.text for one in other.readings)


def test_games_without_the_file_have_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup("wave", 3)
    monkeypatch.setattr("houle.solver.language.how_to_play.FILE", "no_such_file.toml")
    assert how_to_play(setup) is None


def test_all_games_of_the_package_have_the_page() -> None:
    assert set(SHIPPED) <= set(game_names())
    assert all((home(game).folder / FILE).is_file() for game in SHIPPED)
