"""`houle trace`: the game that `simulate` counts, move by move."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from houle import Simulation, read_position, setup
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.solver.matches.record.game import read_record
from houle.solver.rules import game_names
from tests.support.call import call, good
from tests.support.notes import notes_of

pytestmark = pytest.mark.compiled


@functools.cache
def traced(game: str, index: int) -> Any:
    """One game of every kind, shared by the tests that only read it."""
    return json.loads(good("trace", game, "--seed", "7", "--game", str(index), "--json"))


@pytest.mark.parametrize(("game", "index"), [("wave", 0), *((game, 3) for game in game_names())])
def test_a_trace_is_the_game_that_is_counted(game: str, index: int) -> None:
    trace = traced(game, index)
    counted = Simulation(play_line_up(line_up(setup(game), "thumb"), RunSpec(1, seed=7, first=index))).as_json()
    for name in ("moves", "turns", "rounds"):
        assert trace["result"]["counts"][name] == counted[name]["mean"]
    for side, share in zip(counted["sides"], trace["result"]["shares"], strict=True):
        assert side["win"]["value"] == share / 840
    assert trace["rules_digest"] == counted["rules_digest"]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("wave -p 2 -s random --seed 7 --game 2", r"\(with the hand of the dummy\): play"),  # with two surfers
        ("wave --seed 7", r"^WAVE, 3 players, base game; seed 7, game 0, played by thumb "),
        ("wave --game 4", "The game is over: moves 0,"),  # at the deal: nobody can beat the start card
        ("vague-attaque --seed 7 -s thumb", r"^(?!.*\bplace \d).*lay the place \w+ \([ab]\)"),
        ("vague-attaque --seed 7 -s thumb", r"\[shared, \w+/\w+/\w+\]"),
        ("sea-change -p 1 --seed 7", r"points player: 0 \(0 VP\), ai: 0 \(0 VP\)"),  # `player 5` is a score alone
        ("wave --seed 7 --game 3 --at 2", r" pile: 18 .*seat 2 front: \?, \?, \? "),  # hidden from seat 1
    ],
)
def test_pages_say_what_happens(words: str, shown: str) -> None:
    assert re.search(shown, " ".join(good("trace", *words.split()).split()))


def test_pages_count_seats_from_1_json_from_0() -> None:
    words = ("trace", "vague-attaque", "-p", "4", "-v", "teams", "-s", "thumb", "--seed", "7")
    page = good(*words)
    assert not re.search(r"\b(seat|team) 0\b", page)
    assert re.search(r"steal a card from seat 4\b", page)
    data = json.loads(good(*words, "--json"))
    assert {ply["seat"] for ply in data["plies"]} == {0, 1, 2, 3}
    assert "steal from seat 3" in {ply["action"] for ply in data["plies"]}


def test_a_record_is_written_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    page = good("trace", "wave", "-v", "virage", "--seed", "7", "--game", "3", "--record", str(file))
    again = good("trace", str(file))
    assert again.splitlines()[:-1] == page.splitlines()[:-1]
    assert again.splitlines()[-1] == f"repeat   houle trace {file}"


def test_a_position_of_a_game_and_back(tmp_path: Path) -> None:
    file, game = tmp_path / "here.txt", tmp_path / "game.txt"
    where = ("trace", "wave", "-v", "nazare", "--seed", "7", "--game", "3")
    page = good(*where, "--at", "5", "-o", str(file))
    assert file.read_text() == page
    assert "luck: 7/3/5\n" in page
    assert page.count(" play ") + page.count(" point ") == 5
    data = json.loads(good(*where, "--at", "5", "--json"))
    assert (data["variants"], len(data["moves"])) == ("nazare", 5)
    assert read_position(page).as_text() == page
    good(*where, "--record", str(game))
    assert good("trace", str(game), "--at", "5") == page


def test_notes_of_one_seat_are_shown(tmp_path: Path) -> None:
    """All cards, or one seat's, instead of the seed; a position of it can be asked about."""
    game, seen, here = (tmp_path / name for name in ("game.txt", "seen.txt", "here.txt"))
    where = ("trace", "wave", "--set", "talk=known", "--seed", "7", "--game", "3")
    page = good(*where, "--record", str(game))
    record = read_record(game.read_text())
    game.write_text(notes_of(record).as_text())
    again = good("trace", str(game))
    assert "; cards typed in, played by thumb" in again
    assert page.partition("\n\n")[2].partition("repeat")[0] == again.partition("\n\n")[2].partition("repeat")[0]
    seen.write_text(notes_of(record, 1).as_text())
    assert "cards typed in, as seat 2 saw them" in good("trace", str(seen))
    assert good("trace", str(seen), "--at", "1", "-o", str(here)) == here.read_text()
    assert json.loads(good("trace", str(seen), "--at", "1", "--json"))["seat"] == 2
    assert "seat 2" in good("advise", "wave", "--position", str(here), "--worlds", "20", "--quiet")


def test_errors_of_records_are_one_line(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    good("trace", "wave", "-v", "virage", "--seed", "7", "--game", "3", "--record", str(game))
    for words, fault in (
        (f"{game} -s thumb", "already says who plays"),
        (f"{game} -p 4", "record: players: this text is for 3, the setup has 4"),
        (f"{game} --at 999", "position: the record has"),
        ("wave --seed 7 --game 3 --at 99", "position: game 3 of seed 7 is over after"),
    ):
        result = call("trace", *words.split())
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert fault in result.stderr
    said = good("trace", str(game), "-v", "virage")
    assert said.splitlines()[:-1] == good("trace", str(game)).splitlines()[:-1]
    assert said.splitlines()[-1] == f"repeat   houle trace {game} -p 3 -v virage"


def test_record_with_own_deck_needs_its_path(tmp_path: Path) -> None:
    """A record has the deck's name; the cards are in a file, and the digest tells whether they are the same."""
    deck, game = tmp_path / "mine.toml", tmp_path / "game.txt"
    deck.write_text('based_on = "default"\nname = "storm"\n')
    words = ("--set", f"deck={deck}", "--set", "max_turns=20")
    page = good("trace", "vague-attaque", "--seed", "3", "--record", str(game), *words)
    assert good("trace", str(game), *words).splitlines()[:-1] == page.splitlines()[:-1]
    assert "write its path at `set deck`" in call("trace", str(game)).stderr
    game.write_text(game.read_text().replace("storm", str(deck)))
    assert "; seed 3, game 0, played by thumb" in good("trace", str(game))
