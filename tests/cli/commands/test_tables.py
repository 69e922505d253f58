"""Pages and data of simulate, players, compare, sweep, difficulty and balance, besides what all commands share."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from houle.analysis.players.line_ups import line_up
from houle.solver.errors import InputError
from houle.solver.rules import find_game, game_names, load, make_setup
from tests.support.call import call, good

pytestmark = pytest.mark.compiled

SWEEP = "sweep wave -p 3 -p 4 --set hand.back=1..2 -s random -n 200"


def said(words: str, *more: str) -> str:
    """What a command prints, on one line."""
    return " ".join(good(words, *more).split())


@pytest.mark.parametrize(
    "words",
    [
        "compare wave --set hand.back=2,3 -s random --measure score --until-sure",
        "compare sea-change --open-rules -s thumb -n 60",
        f"{SWEEP} --target win=0%..1%",
        "sweep wave -v base -v nazare -s random -n 50",
        "balance land-unter -s random -n 60",
    ],
)
def test_kinds_of_rows_have_figures_and_repeat(words: str, tmp_path: Path) -> None:
    figure = tmp_path / "figure.png"
    page = good(words, "-o", str(figure))
    assert figure.stat().st_size > 5_000
    again = shlex.split(page.splitlines()[-1])
    assert again[:2] == ["repeat", "houle"]
    assert json.loads(good(*again[2:], "--json"))["result_digest"] in page


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("compare wave -p 3 -p 4 -s random -n 100", "unpaired 4 players: other deals than 3 players"),
        ("compare wave -v virage -s random -n 100", "base game"),
        ("compare sea-change --open-rules -s thumb -n 60 --margin 20", "longer, but by less than 20"),
        ("compare vague-verte -p 2 --set max_turns=10,20 -s thumb -n 50", "when the turn limit of 10 is reached"),
        ("balance sea-change -n 200", "one round is played"),
        ("balance vague-verte -p 2 -n 400 -s thumb,random", "The seats or their players make a difference"),
    ],
)
def test_page_says_what_limits_its_numbers(words: str, shown: str) -> None:
    assert shown in said(words)


def test_players_are_compared_within_themselves(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    words = "compare wave --set hand.back=3 --measure win -n 300"
    players = ("-s", "family", "-s", "thumb")
    data = json.loads(good(words, *players, "--json", "-o", str(out)))
    alone = [json.loads(good(words, *one, "--json")) for one in (players[:2], players[2:])]
    assert [arm["result_digest"] for arm in data["arms"][::2]] == [one["arms"][0]["result_digest"] for one in alone]
    assert [row["against"] for row in data["rows"]] == [None, data["rows"][0]["label"], None, data["rows"][2]["label"]]
    assert len(pd.read_csv(out)) == 4
    assert good(words, *players).count("the reference") == 2


def test_targets_on_the_page() -> None:
    page = said(SWEEP, "--target", "win=0%..100%")
    for words in (
        "win=0%..100%, certainly: 4 setups",
        "win=0%..100%, outside: 0 setups",
        "on the games that picked it",
    ):
        assert words in page
    page = good(SWEEP, "-s", "thumb", "--target", "win=90%@thumb")
    assert "win=90%@thumb, outside: 4 setups" in page
    rows = [line for line in page.splitlines() if "too hard by" in line]
    assert rows[0].split()[:3] == ["3", "thumb", "2"]
    assert ", of other players: 4 setups" in page


def test_balance_answers_before_its_numbers(tmp_path: Path) -> None:
    file = tmp_path / "balance.json"
    page = good("balance wave -p 3 -s thumb -n 3000 --seed 4", "-o", str(file))
    parts = ("The most dangerous card", "What the deal decides", "how games go")
    assert [page.index(part) for part in parts] == sorted(page.index(part) for part in parts)
    assert "WAVE has no lead" in page
    assert "cards of the first surfer that beat the start card" in page
    result = json.loads(file.read_text())
    level = result["openings"]["facts"][0]["levels"][0]
    assert {"level", "n", "games", "win", "win_more", "score", "score_more", "fresh", "named"} == set(level)
    assert {"value", "low", "high", "n"} == set(level["win"])
    assert result["endings"]["lost"] == sum(int(turns != "33") * games for turns, games in result["lengths"].items())


TOP = [
    "game",
    "players",
    "variants",
    "rules_name",
    "differences",
    "differs",
    "options",
    "strategies",
    "seed",
    "first",
    "games",
    "asked",
    "interrupted",
    "rules_digest",
    "result_digest",
    "notes",
    "seconds",
    "sides",
    "draws",
    "moves",
    "turns",
    "rounds",
    "counts",
    "games_per_second",
    "seat_gap",
    "fairness",
]
SIDE = ["side", "seats", "win", "score_name", "score_n", "score", "score_sd", "histogram"]


def simulated(words: str) -> Any:
    return json.loads(good("simulate", *words.split(), "--json"))


@pytest.mark.parametrize("game", game_names())
def test_json_is_complete(game: str) -> None:
    data, setup = simulated(f"{game} -n 30 --seed 5"), make_setup(game)
    assert list(data) == TOP
    facts = {
        "game": game,
        "players": setup.players,
        "games": 30,
        "seed": 5,
        "first": 0,
        "options": setup.shown_options,
        "strategies": ["family"] * setup.players,
        "rules_digest": setup.digest,
        "notes": setup.notes,
    }
    assert {name: data[name] for name in facts} == facts
    assert [(side["side"], side["seats"]) for side in data["sides"]] == setup.game.side_names(setup)
    assert list(data["counts"]) == list(setup.game.RATES)
    for side in data["sides"]:
        assert list(side) == SIDE
        assert_interval(side["win"], 0, 1)
        score, histogram = side["score"], {int(points): number for points, number in side["histogram"].items()}
        assert_interval(score, min(histogram), max(histogram))
        assert side["score_name"] == setup.score
        assert score["n"] == side["score_n"] == sum(histogram.values()) >= 30
        total = sum(points * number for points, number in histogram.items())
        assert score["value"] == pytest.approx(total / score["n"])
    assert_interval(data["draws"], 0, 1)
    for name in ("moves", "turns", "rounds"):
        assert list(data[name]) == ["mean"]
    assert sum(side["win"]["value"] for side in data["sides"]) <= 1 + 1e-12


def assert_interval(rate: Any, least: float, most: float) -> None:
    assert list(rate) == ["value", "low", "high", "n"]
    assert rate["low"] <= rate["value"] <= rate["high"]
    assert least <= rate["value"] <= most


def test_every_card_is_laid_or_left() -> None:
    """Of 34 cards one starts; the others are laid or left, also when the game is over at the deal."""
    data = simulated("wave -n 2000")
    score = data["sides"][0]["score"]
    assert score["n"] == 2000
    assert data["moves"]["mean"] + score["value"] == pytest.approx(33)


def test_the_page_says_how_to_repeat_it(tmp_path: Path) -> None:
    file = tmp_path / "big swell.toml"
    file.write_text('name = "Big swell"\nvariants = ["virage"]\n[set]\nhand.front = 4\n')
    words = ["simulate wave -p 4 -v nazare --set talk=open -n 2k --seed 9", "--rules", str(file)]
    page, name = good(*words), "Big swell, virage + nazare, talk=open"
    assert page.startswith(f"{name} differs from the printed rules of WAVE in 2 rules:\n  hand.front = 4, not 3 ")
    assert "talk = open, not points (ours); set by --set" in page
    assert f"WAVE, 4 players, {name}, everyone plays" in page
    again = shlex.split(next(line for line in page.splitlines() if line.startswith("repeat")))[2:]
    first, second = (json.loads(good(*line, "--json")) for line in (words, again))
    assert first["result_digest"] == second["result_digest"]
    assert first["result_digest"] in page


def test_notes_are_shown_with_every_result(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = replace(find_game("wave"), house_rules=lambda setup: [f"house rule at {setup.players}"])
    monkeypatch.setattr("houle.solver.rules.setup.find_game", lambda name: changed)
    for words in ("simulate wave -p 2 -n 10", "trace wave -p 2", "rules wave -p 2"):
        assert "note: house rule at 2" in good(words)
        assert json.loads(good(words, "--json"))["notes"] == ["house rule at 2"]


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


@pytest.mark.quick
def test_page_and_json_list_all_levels() -> None:
    page = good("players", "wave")
    data = json.loads(good("players", "vague-verte", "--json"))
    levels = [one["name"] for one in data["named"] if one["level"]]
    assert levels[:3] == ["first-game", "family", "regular"]
    assert all(f"\n{name} = " in page for name in levels)
    assert all(f"\n  {option}  " in page for option in ("forgets", "nearsighted", "loses_count"))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "results.csv"
    file.write_text("players,result,variant\n" + "3,win,\n" * 12 + "3,loss,base\n" * 68)
    return file


@pytest.mark.compiled
def test_page_answers_first_and_repeats(results: Path, tmp_path: Path) -> None:
    table = tmp_path / "levels.csv"
    page = good("players", "wave", "--set", "talk=known", "--fit", str(results), "-n", "100", "-o", str(table))
    assert "verdict  Your 80 results " in page
    assert "80 results: 3 players, talk=known" in page
    again = next(line for line in page.splitlines() if line.startswith("repeat"))
    data = json.loads(good(*shlex.split(again)[2:], "--json"))
    assert data["result_digest"] in page
    assert data["fitting"] + data["ruled_out"]
    assert [row["level"] for row in data["levels"]] == pd.read_csv(table)["level"].tolist()


@pytest.mark.quick
def test_bad_result_names_its_line(results: Path) -> None:
    results.write_text(results.read_text() + "3,perhaps,\n")
    result = call("players", "wave", "--fit", str(results))
    assert result.exit_code == 2
    assert f"{results}: line 82: result: 'perhaps' is not allowed" in result.stderr
