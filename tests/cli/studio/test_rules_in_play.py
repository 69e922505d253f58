"""The rules on the studio's page: those in play, cards in one way, variants with one switch."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houle.analysis.kept import Kept
from houle.analysis.studio.growing_results import Growing
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import read_state
from houle.cli.studio import pages
from houle.cli.studio.extras import Extras
from houle.cli.studio.log import Log
from houle.solver.errors import InputError
from houle.solver.rules import Knob, game_names, load, make_setup
from tests.support.repeated import repeated

GAMES = 60


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


@pytest.mark.compiled
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
                one.play(GAMES, lambda: False)
            assert games[0].tally.as_data() == games[1].tally.as_data(), knob.name
            tried.add(knob.name)
    assert {"virage_must_fit", "dummy.up", "facedown"} <= tried
