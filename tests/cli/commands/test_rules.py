"""`houle games` and `houle rules`: every knob is shown, and the file it writes is a good start."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from houle.solver.rules import PROVENANCES, find_game, game_names, home, load, make_setup
from houle.solver.rules.files import read_text
from tests.support.call import call, good

pytestmark = pytest.mark.quick


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
        assert f"({knob.provenance}; {knob.allowed}" in page
        assert " ".join(knob.text.split()) in page
    for variant in ruleset.variants.values():
        assert f" {variant.name} ({variant.provenance}" in page
    for note in ruleset.notes:
        assert " ".join(note.split()) in page


def test_rules_of_other_numbers_of_players_are_one_line() -> None:
    page = good("rules", "wave", "-p", "3")
    assert "For other numbers of players: dummy.up, dummy.down, dummy_swaps." in page
    assert "dummy.up = " not in page
    assert "dummy.up = " in good("rules", "wave", "-p", "2")
    assert "dummy.up = 4" in good("rules", "wave", "-p", "3", "--set", "dummy.up=4")


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


def test_differences_come_first(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('name = "Big swell"\n[set]\nhand.front = 4\nhand.back = 2\n')
    page = good("rules", "wave", "--rules", str(file))
    assert page.startswith("Big swell differs from the printed rules of WAVE in 1 rule:\n")
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
    data = json.loads(good("rules", "wave", "--rules", str(one), "--rules", str(two), "--set", "talk=open", "--json"))
    changes = {change["knob"]: (change["now"], change["place"]) for change in data["differences"]}
    assert changes == {"hand.front": (2, str(two)), "hand.back": (1, str(one)), "talk": ("open", "--set")}
    assert data["players"] == 4
    assert [variant["name"] for variant in data["variants"] if variant["chosen"]] == ["virage"]


@pytest.mark.parametrize("faults", [["no ship"], []])
def test_decks_are_checked_by_their_game(faults: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game, deck = replace(find_game("wave"), check_deck=lambda path: [f"{path}: {one}" for one in faults]), "deck.toml"
    monkeypatch.chdir(tmp_path)
    Path(deck).write_text("")
    monkeypatch.setattr("houle.solver.rules.setup.find_game", lambda name: game)
    result = call("rules wave --check-deck deck.toml")
    assert (result.exit_code, result.stdout) == (len(faults), f"{deck}: {(faults or ['no errors'])[0]}\n")


def test_errors_of_cards_name_their_lines(tmp_path: Path) -> None:
    default = read_text(home("vague-attaque").folder / "decks" / "default.toml").split("\n")
    wrong = default.index("dedicated = true")
    other = next(row for row, line in enumerate(default) if line.startswith("anchor = "))
    deck = tmp_path / "deck.toml"
    deck.write_text(
        "\n".join(
            [
                *default[:wrong],
                "dedicatd = true",
                *default[wrong + 1 : other],
                'anchor = "anker"',
                *default[other + 1 :],
            ]
        )
    )
    said = call("rules", "vague-attaque", "--check-deck", str(deck)).stdout.split("\n")
    assert said[0].startswith(f"line {wrong + 1}: souvenir 1 (")
    assert said[0].endswith("unknown key 'dedicatd'; did you mean 'dedicated'?")
    assert said[1].startswith(f"line {default.index('[[souvenir]]') + 1}: souvenir 1 (")
    assert said[2].startswith(f"line {other + 1}: souvenir 2 (")
    deck.write_text('based_on = "default"\n[[encounter]]\nname = "Gale"\neffect = "gale"\n')
    said = call("rules", "vague-attaque", "--check-deck", str(deck)).stdout.split("\n")
    assert any(line.startswith("line 2: encounter 33 (Gale): colour is missing") for line in said)


@pytest.mark.compiled
def test_lists_grow_and_shrink_by_hand(tmp_path: Path) -> None:
    page = " ".join(good("rules", "wave", "--set", "deck.missing+=red 3", "--set", "deck.missing+=[red 4]").split())
    assert "deck.missing = [white 0, navy 5, red 3, red 4], not [white 0, navy 5] (printed)" in page
    assert "red 3 and red 4 are out now; 32 cards, not 34" in page
    assert "navy 5 is in now; 35 cards, not 34" in good("rules", "wave", "--set", "deck.missing-=navy 5")
    file = tmp_path / "my.toml"
    file.write_text('name = "Fewer"\n[set]\n"deck.missing+" = ["red 3"]\n')
    page = " ".join(good("rules", "wave", "--rules", str(file), "--set", "deck.missing-=white 0").split())
    assert "deck.missing = [navy 5, red 3], not [white 0, navy 5] (printed)" in page
    compared = good("compare", "wave", "--set", "deck.missing+=[],[red 3]", "-s", "random", "-n", "20")
    assert "deck.missing+=[red 3]" in compared
    assert "--set 'deck.missing+=[],[red 3]'" in compared


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (
            "wave --set 'deck.missing+=white 0'",
            "deck.missing: 'white 0' is already in the list; it holds: white 0, navy 5",
        ),
        ("wave --set 'deck.missing-=red 3'", "deck.missing: 'red 3' is not in the list; it holds: white 0, navy 5"),
        ("wave --set hand.front+=1", "hand.front: not a list, so nothing can be added or removed; write hand.front=1"),
        ("wave --set 'deck.mising+=red 3'", "wave has no knob 'deck.mising'; did you mean 'deck.missing'?"),
        ("wave --set deck.colours=[a,b,c]", "deck.missing has its default; set it too"),  # with usual cards left out
        ("wave --set bands=[5,2,0]", "does not rise"),
        ("wave --set bands=[2,2]", "does not rise"),
        ("sea-change -p 3 -v 2v2", "2v2 is for 4 players, not 3"),
        ("sea-change -p 6 -v 2v2v2+3v3", "exclude each other"),
        ("sea-change -p 6 -v 3v3+2v2v2", "exclude each other"),
        ("wave --write precious", "exists already; give another name"),
        ("vague-attaque --check-deck absent.toml", "absent.toml: no such file"),
    ],
)
def test_what_cannot_be_is_refused(words: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("precious").write_text("as it was")
    result = call("rules", *shlex.split(words))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert fault in result.stderr
    assert Path("precious").read_text() == "as it was"


@pytest.mark.compiled
@pytest.mark.parametrize("game", game_names())
def test_other_rules_are_shown_where_they_apply(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the page and in JSON; every one of them holds at some table, with a known provenance."""
    monkeypatch.setenv("COLUMNS", "120")
    ruleset = load(game)
    tables = [make_setup(game, players) for players in ruleset.players]
    tables += [make_setup(game, variants=[variant]) for variant in ruleset.variants]
    assert ruleset.fixed
    for rule in ruleset.fixed:
        assert any(rule in table.fixed_rules for table in tables)
    assert {rule.provenance for rule in ruleset.fixed} <= set(PROVENANCES)
    for table in tables[:: max(1, len(tables) - 1)]:
        words = ("rules", game, "-p", str(table.players), *(("-v", "+".join(table.variants)) if table.variants else ()))
        page = " ".join(good(*words).split())
        shown = json.loads(good(*words, "--json"))["rules"]
        assert shown == [{"text": rule.text, "provenance": rule.provenance} for rule in table.fixed_rules]
        for rule in ruleset.fixed:
            assert (f"{rule.text} ({rule.provenance})" in page) == (rule in table.fixed_rules)


@pytest.mark.parametrize("game", game_names())
def test_variants_that_contradict_each_other_are_declared(game: str) -> None:
    """Two that turn one knob differently cannot both hold."""
    ruleset = load(game)
    for one in ruleset.variants.values():
        for other in ruleset.variants.values():
            apart = any(other.set.get(knob, value) != value for knob, value in one.set.items())
            declared = any(one.name in group and other.name in group for group in ruleset.exclusive)
            assert apart == (declared and one is not other)


def test_unwinnable_solo_game_is_reported() -> None:
    words = ("rules", "sea-change", "-p", "1", "--set", "hand=9", "--set", "deck.values=[0,4,5,6,7,9,10,11,12]")
    assert "the player loses every round" in good(*words)
    assert "the player loses every round" not in good("rules", "sea-change", "-p", "1")
