"""`houle bench`: the numbers it prints are there, hang together, and are those of the games it timed."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from houle.cli.bench import card as bench_card
from houle.cli.bench import random as bench_random
from houle.cli.bench import search as bench_search
from houle.cli.bench import studies as bench_studies
from houle.cli.bench.timing import games_lasting, repeated, spread, timed
from houle.solver.errors import InputError
from houle.solver.run import chunks, device
from tests.support.call import call


def in_order(found: dict[str, float]) -> bool:
    return 0 < found["low"] <= found["median"] <= found["high"]


def bench(*words: str) -> Any:
    return json.loads(call("bench", *words, "--json").stdout)


def test_a_spread_is_the_median_and_the_ends() -> None:
    assert spread([3.0, 1.0, 2.0]) == {"median": 2.0, "low": 1.0, "high": 3.0}
    assert spread([5.0]) == {"median": 5.0, "low": 5.0, "high": 5.0}


def test_enough_games_are_found_without_counting_the_first() -> None:
    asked = []

    def play(games: int) -> float:
        asked.append(games)
        return 9.0 if len(asked) == 1 else games / 1000  # the first one compiles

    assert games_lasting(0.5, play, 64) == 500
    assert asked == [1, 64, 128]
    assert games_lasting(0.001, lambda games: 2.0 * games, 1) == 1  # at least one, however slow


def test_repeats_are_made_in_turn_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    made = iter("abc")
    assert repeated(3, lambda: next(made)) == ["a", "b", "c"]
    assert capsys.readouterr().err.endswith("repeat 3 of 3\n")
    seconds, found = timed(lambda: "done")
    assert found == "done"
    assert seconds >= 0


def test_random_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_random, "SECONDS", 0.01)
    found = bench("wave", "--repeats", "3")
    assert found["repeats"] == 3
    variants = [row["variant"] for row in found["rows"]]
    assert variants[0] == "base"
    assert len(variants) == len(set(variants)) > 3
    for row in found["rows"]:
        assert (row["game"], row["players"], row["unit"]) == ("wave", 3, "games")
        assert in_order(row["rate"])
        assert in_order(row["ns_per_card"])
        # A game has at most 33 cards to lay, so that much must a card take of it.
        assert row["ns_per_card"]["high"] * row["rate"]["high"] * 33 > 1e9
        assert ("times_base_per_card" in row) == (row["variant"] != "base")
    if shutil.which("cc"):
        assert in_order(found["c_twin"]["kernel_over_c"])
    shown = call("bench", "sea-change", "--repeats", "1").stdout
    assert "sea-change" in shown
    assert "in C" not in shown


def test_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_search, "SECONDS", 0.02)
    monkeypatch.setattr(bench_search, "FLAT", "flat:4")
    monkeypatch.setattr(bench_search, "ISMCTS", "ismcts:8")
    found = bench("wave", "--search", "--repeats", "2")
    assert (found["repeats"], found["flat"], found["ismcts"]) == (2, "flat:4", "ismcts:8")
    (row,) = found["rows"]
    assert all(in_order(row[key]) for key in ("thumb_plies", "flat_plies", "flat_over_thumb", "simulations"))
    assert row["flat_plies"]["median"] < 3 * row["thumb_plies"]["median"]  # what flat does is play thumbs
    assert "ismcts simulations/s" in bench_search.describe(found)


def test_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_studies, "SINGLE_GAMES", 20)
    monkeypatch.setattr(bench_studies, "WARM_SECONDS", 0.1)
    monkeypatch.setattr(bench_studies, "STEADY_SECONDS", 1.5)
    found = bench("--studies", "--repeats", "1")
    assert (found["repeats"], found["workers"], found["chunks"]) == (1, 2, 20)
    for crew in ("threads", "processes"):
        assert in_order(found["seconds_per_chunk"][crew])
        assert in_order(found["games_per_second"][crew])
    assert in_order(found["processes_over_threads"])
    assert "processes / threads" in bench_studies.describe(found)


def test_a_card_against_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a card the CPU stands on both sides: the same games, so the ratio is near 1."""
    monkeypatch.setenv(device.VARIABLE, device.CPU)
    monkeypatch.setattr(device, "check_card", lambda: None)
    monkeypatch.setattr(device, "plays_on_card", lambda *line_ups: False)
    monkeypatch.setattr(chunks, "plays_on_card", lambda *line_ups: False)
    monkeypatch.setattr(bench_card, "SECONDS", 0.1)
    found = bench_card.bench_card(["wave"], 1)
    assert [(row["game"], row["strategy"]) for row in found["rows"]] == [
        ("wave", "random"),
        ("wave", "thumb"),
        ("wave", "flat:50"),
    ]
    for row in found["rows"]:
        assert all(in_order(row[name]) for name in ("gpu_games", "gpu_decisions", "cpu_games", "gpu_over_cpu"))
        assert row["gpu_decisions"]["median"] > row["gpu_games"]["median"]
        assert 0.02 < row["gpu_over_cpu"]["median"] < 50
    assert "thumb" in bench_card.describe(found)


@pytest.mark.gpu
def test_a_card_is_faster_than_all_cores() -> None:
    try:
        device.check_card()
    except InputError as fault:
        pytest.skip(str(fault))
    rows = bench("wave", "--device", "gpu", "--repeats", "1")["rows"]
    assert all(row["gpu_over_cpu"]["median"] > 1 for row in rows)
