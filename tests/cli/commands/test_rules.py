"""`houle games` and `houle rules`: every knob is shown, and the file it writes is a good start."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from houle.solver import contract
from houle.solver.ruleset import game_names, load, make_setup
from tests.support.call import call, good


def test_games_are_listed() -> None:
    page = good("games")
    listed = json.loads(good("games", "--json"))
    assert [game["game"] for game in listed] == game_names()
    for game in listed:
        assert game["game"] in page
        assert game["title"] in page


@pytest.mark.parametrize("game", game_names())
def test_every_rule_is_shown(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    page = " ".join(good("rules", game).split())
    ruleset = load(game)
    for knob in ruleset.knobs.values():
        assert f" {knob.name} = " in page
        assert f"({knob.provenance}; {knob.allowed})" in page
        assert " ".join(knob.text.split()) in page
    for variant in ruleset.variants.values():
        assert f" {variant.name} ({variant.provenance}" in page
    for note in ruleset.notes:
        assert " ".join(note.split()) in page


@pytest.mark.parametrize("game", game_names())
def test_the_written_file_is_the_printed_game(game: str, tmp_path: Path) -> None:
    """As written it changes nothing; with every line switched on it still changes nothing."""
    file = tmp_path / "my.toml"
    assert str(file) in good("rules", game, "--write", str(file))
    plain = make_setup(game)
    assert make_setup(game, file=file).digest == plain.digest
    text = file.read_text()
    knobs = load(game).knobs
    for name in knobs:
        assert f"\n# {name} = " in text
    opened = re.sub(rf"^# ({'|'.join(map(re.escape, (*knobs, 'players')))}) = ", r"\1 = ", text, flags=re.MULTILINE)
    assert opened.count("\n# ") < text.count("\n# ")
    file.write_text(opened)
    custom = make_setup(game, file=file)
    assert set(custom.changed) == set(knobs)
    assert custom.differences == []
    assert custom.digest == plain.digest


def test_the_written_file_keeps_what_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    good("rules", "wave", "-p", "2", "-v", "virage", "--set", "hand.front=4", "--write", str(file))
    asked, written = make_setup("wave", 2, ["virage"], {"hand.front": 4}), make_setup("wave", file=file)
    assert (written.digest, written.players, written.variants) == (asked.digest, 2, ("virage",))
    assert written.title == "deep"


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("precious")
    result = call("rules", "wave", "--write", str(file))
    assert result.exit_code == 2
    assert "is there already; --force replaces it" in result.stderr
    assert file.read_text() == "precious"
    good("rules", "wave", "--write", str(file), "--force")
    assert 'game = "wave"' in file.read_text()


def test_differences_come_first(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('name = "Big swell"\n[set]\nhand.front = 4\nhand.back = 2\n')
    page = good("rules", "wave", "--rules", str(file))
    assert page.startswith("Big swell differs from the rules of WAVE in 1 place:\n")
    assert json.loads(good("rules", "wave", "--rules", str(file), "--json"))["differences"] == [
        {"knob": "hand.front", "before": 3, "now": 4, "place": str(file)}
    ]
    file.write_text('name = "Calm"\n')
    assert good("rules", "wave", "--rules", str(file)).startswith("Calm changes no rule of WAVE.\n")


def test_files_combine(tmp_path: Path) -> None:
    """Later files win, and --set wins over both."""
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text('name = "One"\nplayers = 4\n[set]\nhand.front = 4\nhand.back = 1\n')
    two.write_text('name = "Two"\nvariants = ["virage"]\n[set]\nhand.front = 2\n')
    found = json.loads(good("rules", "wave", "--rules", str(one), "--rules", str(two), "--set", "talk=open", "--json"))
    changes = {change["knob"]: (change["now"], change["place"]) for change in found["differences"]}
    assert changes == {"hand.front": (2, str(two)), "hand.back": (1, str(one)), "talk": ("open", "--set")}
    assert found["players"] == 4
    assert [variant["name"] for variant in found["variants"] if variant["chosen"]] == ["virage"]


def test_decks_are_checked_by_their_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = contract.game("wave")
    deck = tmp_path / "deck.toml"
    deck.write_text("")
    faulty = replace(game, check_deck=lambda path: [f"{path}: no cards", "no ship"])
    monkeypatch.setattr(contract, "game", lambda name: faulty)
    result = call("rules", "wave", "--deck", str(deck), "--check")
    assert (result.exit_code, result.stdout) == (1, f"{deck}: no cards\nno ship\n")
    sound = replace(game, check_deck=lambda path: [])
    monkeypatch.setattr(contract, "game", lambda name: sound)
    result = call("rules", "wave", "--deck", str(deck), "--check")
    assert (result.exit_code, result.stdout) == (0, f"{deck}: no fault found\n")
    result = call("rules", "wave", "--deck", "absent.toml", "--check")
    assert (result.exit_code, result.stderr) == (2, "houle: --deck: absent.toml: no such file\n")
