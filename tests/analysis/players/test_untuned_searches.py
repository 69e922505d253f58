"""Searches with default settings in games that nobody tuned: not shown to be weaker than the rules of thumb."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.solver.players.names import parse
from houle.solver.players.player import CAUTION, player_record
from houle.solver.rules import make_setup
from houle.solver.rules.game_folders import VARIABLE, look_in

ROOT = Path(__file__).parents[3]
GAMES = {
    "six-nimmt": (ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt", 4),
    "quay": (ROOT / "examples" / "games" / "quay" / "quay", 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("search", ["flat:50", "ismcts:200"])
@pytest.mark.parametrize("game", GAMES)
def test_untuned_searches_are_not_below_the_thumb(game: str, search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, players = GAMES[game]
    monkeypatch.setenv(VARIABLE, "")
    look_in(folder)
    result = houle.strength(houle.setup(game, players=players), strategies=["thumb", search], games=200, seed=613)
    gain = result.of(result.measures[0])[-1].change
    assert gain is not None
    assert gain.high >= 0


@pytest.mark.quick
def test_partners_are_more_cautious_than_rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The team game has no weights file; WAVE's entry without a caution plays as an untuned team too."""
    monkeypatch.setenv(VARIABLE, "")
    entry = {"weights": {"room": 1}}
    bare = parse("flat:2")
    bare = type(bare)(bare.text, bare.name, bare.budget, {}, entry)
    assert player_record(bare, make_setup("wave", 3))[0].caution == 1000 * CAUTION[True]
    rivals = type(bare)(bare.text, bare.name, bare.budget, {}, {"weights": {}})
    assert player_record(rivals, make_setup("land-unter", 3))[0].caution == 1000 * CAUTION[False]
    assert player_record(type(bare)("thumb", "thumb", 0, {}, entry), make_setup("wave", 3))[0].caution == 0
