"""compare, sweep, open rules, difficulty and balance: pages, JSON, files, figures, one-line errors, Ctrl-C."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import pandas as pd
import pytest

from houle import balance, compare, difficulty, grid, setup, sweep
from tests.support.call import good, interrupted

pytestmark = pytest.mark.compiled

SURE = ("compare", "wave", "--set", "hand.back=2,3", "-s", "random", "--measure", "score", "--until-sure")
COMPARE = ("compare", "wave", "-v", "base", "-v", "virage", "-s", "random", "-n", "300")
SWEEP = ("sweep", "wave", "-p", "3", "-p", "4", "--set", "hand.back=1..2", "-s", "random", "-n", "200")
OPEN_RULES = ("compare", "sea-change", "--open-rules", "-s", "thumb", "-n", "60")
DIFFICULTY = ("difficulty", "wave", "-s", "random,thumb", "-n", "2000")
BALANCE = ("balance", "wave", "-p", "2", "-s", "random", "-n", "300")
CELLS = grid("wave", players=[3, 4], set={"hand.back": [1, 2]})
ALL = [COMPARE, SURE, SWEEP, OPEN_RULES, DIFFICULTY, BALANCE]
NAMES = ["compare", "until sure", "sweep", "open-rules", "difficulty", "balance"]


@pytest.mark.parametrize("words", ALL, ids=NAMES)
def test_pages_fit_and_can_be_repeated(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One page is made with a figure, which changes nothing on it."""
    figure, pages = tmp_path / "figure.png", []
    for width, drawn in ((100, ("-o", str(figure))), (120, ())):
        monkeypatch.setenv("COLUMNS", str(width))
        pages.append(good(*words, *drawn))
        for line in pages[-1].splitlines():
            assert len(line) <= width or line.startswith("repeat"), line
    assert figure.stat().st_size > 5_000
    again = shlex.split(pages[0].splitlines()[-1])
    assert again[:2] == ["repeat", "houle"]
    digest = json.loads(good(*again[2:], "--json"))["result_digest"]
    assert all(digest in page for page in pages)


def test_files_hold_the_frame(tmp_path: Path) -> None:
    frames = [
        (COMPARE, compare(grid("wave", variants=["base", "virage"]), strategies="random", games=300).frame()),
        (SWEEP, sweep(CELLS, strategies="random", games=200).frame()),
        (DIFFICULTY, difficulty("wave", games=2000, strategies=["random", "thumb"]).frame()),
        (BALANCE, balance(setup("wave", players=2), strategies="random", games=300).frame()),
    ]
    for words, frame in frames:
        table, columns, data = (tmp_path / f"{words[0]}.{ending}" for ending in ("csv", "parquet", "json"))
        for file in (table, columns):
            good(*words, "-o", str(file))
        shown = json.loads(good(*words, "--json", "-o", str(data)))
        pd.testing.assert_frame_equal(pd.read_csv(table), pd.read_csv(io.StringIO(frame.to_csv(index=False))))
        pd.testing.assert_frame_equal(pd.read_parquet(columns), frame, check_dtype=False)
        assert json.loads(data.read_text())["result_digest"] == shown["result_digest"]


def test_a_grid_chooses_its_kind_of_figure(tmp_path: Path) -> None:
    good(*SWEEP, "--target", "win=0%..1%", "-o", str(tmp_path / "line.png"))
    good(
        "sweep",
        "wave",
        "-v",
        "base",
        "-v",
        "nazare",
        "-s",
        "random",
        "-n",
        "50",
        "-o",
        str(tmp_path / "names.png"),
    )


@pytest.mark.parametrize(
    "words", [COMPARE, SWEEP, OPEN_RULES, DIFFICULTY], ids=["compare", "sweep", "open-rules", "difficulty"]
)
def test_dry_run_plays_no_games(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*arguments: object, **facts: object) -> None:
        raise AssertionError("a dry run played")

    monkeypatch.setattr("houle.analysis.sampling.experiment.play_games", refuse)
    out = tmp_path / "out.csv"
    page = good(*words, "--dry-run", "-j", "2", "-o", str(out))
    assert "on 2 threads" in page
    assert "games, about" in page
    assert not out.exists()


def test_unpaired_setups_are_reported() -> None:
    page = " ".join(good("compare", "wave", "-p", "3", "-p", "4", "-s", "random", "-n", "100").split())
    assert "unpaired 4 players: other deals than 3 players, because the number of players differs" in page


def test_one_variant_is_compared_with_print(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('name = "Big swell"\n[set]\nhand.front = 4\n')
    words = ("compare", "wave", "--rules", str(file), "-s", "random", "--measure", "win", "-n", "200")
    page = good(*words)
    assert "printed rules" in page
    assert "base game" in good("compare", "wave", "-v", "virage", "-s", "random", "-n", "100")
    again = shlex.split(page.splitlines()[-1])[2:]
    assert json.loads(good(*again, "--json"))["result_digest"] in page


def test_players_are_compared_within_themselves(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    words = ("compare", "wave", "--set", "hand.back=3", "-s", "family", "-s", "thumb", "--measure", "win", "-n", "300")
    data = json.loads(good(*words, "--json", "-o", str(out)))
    alone = [json.loads(good(*words[:4], "-s", name, *words[-4:], "--json")) for name in ("family", "thumb")]
    assert [arm["result_digest"] for arm in data["arms"][::2]] == [one["arms"][0]["result_digest"] for one in alone]
    assert [row["against"] for row in data["rows"]] == [None, data["rows"][0]["label"], None, data["rows"][2]["label"]]
    assert len(pd.read_csv(out)) == 4
    assert good(*words).count("the reference") == 2


def test_targets_on_the_page() -> None:
    page = good(*SWEEP, "--target", "win=0%..100%")
    assert "win=0%..100%, certainly: 4 setups" in page
    assert "win=0%..100%, outside: 0 setups" in page
    words = " ".join(page.split())
    assert "on the games that picked it" in words
    assert "new games" in words
    page = good(*SWEEP, "-s", "thumb", "--target", "win=90%@thumb")
    assert "win=90%@thumb, outside: 4 setups" in page
    rows = [line for line in page.splitlines() if "too hard by" in line]
    assert rows[0].split()[:3] == ["3", "thumb", "2"]
    assert ", of other players: 4 setups" in page


def test_own_variant_says_how_it_differs(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('name = "Big swell"\n[set]\nhand.front = 4\n')
    page = good("compare", "wave", "--rules", "base", "--rules", str(file), "-s", "random", "-n", "100")
    assert page.startswith("Big swell: hand.front = 4, not 3 (printed)\n")


def test_stalemates_are_reported() -> None:
    page = good("compare", "vague-verte", "-p", "2", "--set", "max_turns=10,20", "-s", "thumb", "-n", "50")
    assert "have no winner when the turn limit of 10 is reached" in " ".join(page.split())


def test_ctrl_c_keeps_what_was_played() -> None:
    words = ["compare", "wave", "-v", "base", "-v", "virage", "-s", "thumb", "-n", "1e9", "-j", "1", "--json"]
    stopped = interrupted(*words)
    assert stopped.returncode == 130, stopped.stderr
    assert "Traceback" not in stopped.stderr
    part = json.loads(stopped.stdout)
    assert part["interrupted"]
    assert "games are counted, each row with its own number; the whole again: houle compare" in stopped.stderr
    again = json.loads(good(*words[:8], "-n", str(part["games"]), "--json"))
    assert [row["value"] for row in again["rows"]] == [row["value"] for row in part["rows"]]
