"""`houle simulate`: the JSON object, the page, the files, and that a result can be repeated."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.players.line_ups import line_up
from houle.cli.framework.options import Whole
from houle.solver.errors import InputError
from houle.solver.rules import find_game, game_names, load, make_setup
from tests.support.call import call, good

pytestmark = pytest.mark.compiled

TOP = [
    "game", "players", "variants", "rules_name", "differences", "differs", "options", "strategies", "seed", "first",
    "games", "asked", "interrupted", "rules_digest", "result_digest", "notes", "seconds", "sides", "draws", "moves",
    "turns", "rounds", "counts", "games_per_second",
]  # fmt: skip


def simulated(*words: str) -> Any:
    return json.loads(good("simulate", *words, "--json"))


@pytest.mark.parametrize("game", game_names())
def test_json_is_complete(game: str) -> None:
    data = simulated(game, "-n", "30", "--seed", "5")
    setup = make_setup(game)
    assert list(data) == TOP
    assert (data["game"], data["players"], data["games"], data["seed"], data["first"]) == (
        game,
        setup.players,
        30,
        5,
        0,
    )
    assert data["options"] == setup.shown_options
    assert data["strategies"] == ["family"] * setup.players
    assert data["rules_digest"] == setup.digest
    assert data["notes"] == setup.notes
    assert [(side["side"], side["seats"]) for side in data["sides"]] == setup.game.side_names(setup)
    assert list(data["counts"]) == list(setup.game.RATES)
    for side in data["sides"]:
        assert list(side) == ["side", "seats", "win", "score_name", "score_n", "score", "score_sd", "histogram"]
        assert_rate(side["win"])
        score = side["score"]
        assert list(score) == ["value", "low", "high", "n"]
        assert side["score_name"] == setup.score
        assert score["n"] == side["score_n"] == sum(side["histogram"].values()) >= 30
        total = sum(int(points) * number for points, number in side["histogram"].items())
        assert score["value"] == pytest.approx(total / score["n"])
        assert score["low"] <= score["value"] <= score["high"]
    assert_rate(data["draws"])
    for name in ("moves", "turns", "rounds"):
        assert list(data[name]) == ["mean"]
    assert sum(side["win"]["value"] for side in data["sides"]) <= 1 + 1e-12


def assert_rate(rate: Any) -> None:
    assert list(rate) == ["value", "low", "high", "n"]
    assert 0 <= rate["low"] <= rate["value"] <= rate["high"] <= 1


def test_every_card_is_laid_or_left() -> None:
    """Of 34 cards one starts; the others are laid or left, also when the game is over at the deal."""
    data = simulated("wave", "-n", "2000")
    score = data["sides"][0]["score"]
    assert score["n"] == 2000
    assert data["moves"]["mean"] + score["value"] == pytest.approx(33)


def test_knobs_can_rename_the_score() -> None:
    assert simulated("wave", "-n", "50")["sides"][0]["score_name"] == "cards_left"
    assert simulated("wave", "-v", "nazare", "-n", "50")["sides"][0]["score_name"] == "facedown"
    assert simulated("wave", "--set", "nazare=true", "-n", "50")["sides"][0]["score_name"] == "facedown"


def test_one_game_is_enough() -> None:
    data = simulated("wave", "-n", "1")
    assert data["games"] == 1
    assert data["sides"][0]["score_sd"] is None
    assert "\n1 game; 95% intervals" in good("simulate", "wave", "-n", "1")


def test_threads_change_nothing() -> None:
    whole = simulated("wave", "-n", "5000", "-j", "1")
    assert simulated("wave", "-n", "5k", "-j", "7")["result_digest"] == whole["result_digest"]


def test_the_page_says_how_to_repeat_it(tmp_path: Path) -> None:
    file = tmp_path / "big swell.toml"
    file.write_text('name = "Big swell"\nvariants = ["virage"]\n[set]\nhand.front = 4\n')
    words = [
        "simulate",
        "wave",
        "-p",
        "4",
        "-v",
        "nazare",
        "--rules",
        str(file),
        "--set",
        "talk=open",
        "-n",
        "2k",
        "--seed",
        "9",
    ]
    page = good(*words)
    name = "Big swell, virage + nazare, talk=open"
    assert page.startswith(
        f"{name} differs from the printed rules of WAVE in 2 rules:\n  hand.front = 4, not 3 (printed);"
    )
    assert "talk = open, not points (printed); set by --set" in page
    assert f"WAVE, 4 players, {name}, everyone plays" in page
    repeat = next(line for line in page.splitlines() if line.startswith("repeat"))
    again = shlex.split(repeat)[1:]
    assert again[0] == "houle"
    first, second = (json.loads(good(*line, "--json")) for line in (words, again[1:]))
    assert first["result_digest"] == second["result_digest"]
    assert first["result_digest"] in page


def test_printed_rules_list_no_differences() -> None:
    assert good("simulate", "wave", "-n", "100").startswith("WAVE, 3 players, base game, everyone plays family\n")


def test_notes_are_shown_with_every_result(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = replace(find_game("wave"), house_rules=lambda setup: [f"house rule at {setup.players}"])
    monkeypatch.setattr("houle.solver.rules.setup.find_game", lambda name: changed)
    assert "note: house rule at 3" in good("simulate", "wave", "-n", "10")
    assert "note: house rule at 2" in good("rules", "wave", "-p", "2")
    assert "note: house rule at 3" in good("trace", "wave")
    for words in (("simulate", "wave", "-n", "10"), ("trace", "wave"), ("rules", "wave")):
        assert json.loads(good(*words, "--json"))["notes"] == ["house rule at 3"]


def test_files_are_written(tmp_path: Path) -> None:
    """In a folder that is made with them, too."""
    table, data = tmp_path / "result.csv", tmp_path / "some" / "where" / "result.json"
    good("simulate", "wave", "-n", "100", "-o", str(table))
    good("simulate", "wave", "-n", "100", "-o", str(data), "-o", str(tmp_path / "drawn" / "it.svg"))
    assert (tmp_path / "drawn" / "it.svg").stat().st_size > 1000
    header, row = table.read_text().splitlines()
    assert header.startswith(
        "game,players,variants,rules_name,strategies,seed,first,games,side,seats,win,win_low,win_high"
    )
    assert row.startswith('wave,3,base,base game,"family,family,family",1,0,100,team,0 1 2,')
    assert list(json.loads(data.read_text())) == TOP


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e6", 10**6),
        ("1M", 10**6),
        ("1_000_000", 10**6),
        ("2.5k", 2500),
        ("1.5e3", 1500),
        ("7", 7),
        ("1G", 10**9),
        ("1E3", 1000),
    ],
)
def test_large_numbers_as_people_write_them(text: str, number: int) -> None:
    assert Whole(1, 10**12).convert(text, None, None) == number


@pytest.mark.quick
def test_a_strategy_per_player() -> None:
    setup = make_setup("wave", 3)
    assert line_up(setup).names == ("family",) * 3
    assert line_up(setup, "random").names == ("random",) * 3
    assert line_up(setup, ("random,thumb", "random")).names == ("random", "thumb", "random")
    with pytest.raises(InputError, match=r"'thumb\[a=1,b=2\]': thumb has no option 'a'"):
        line_up(setup, "random,random,thumb[a=1,b=2]")


@pytest.mark.parametrize("width", ["80", pytest.param("120", marks=pytest.mark.slow)])
def test_pages_fit_the_window(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    pages = [good("games")]
    for game in game_names():
        pages += [good("rules", game), good("trace", game)]
        for variant in load(game).variants:
            # A variant may need another number of players than the usual one.
            result = call("rules", game, "-v", variant)
            pages += [result.stdout] if result.exit_code == 0 else []
    for line in "\n".join(pages).splitlines():
        assert len(line) <= int(width) or line.startswith("repeat"), line


@pytest.mark.parametrize("command", ["simulate", "balance"])
def test_dry_run_prints_only_a_plan(command: str, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    page = good(command, "wave", "-n", "1000", "-j", "2", "--dry-run", "-o", str(out))
    assert page.startswith("WAVE, 3 players, base game, everyone plays family\n")
    assert "000 games, about " in page
    assert "on 2 threads" in page
    assert not out.exists()
