"""`python -m tools.bench`: its numbers are present and consistent."""

from __future__ import annotations

import ctypes
import json
from typing import Any

import pytest
from click import ClickException
from click.testing import CliRunner

from houle.analysis.sampling.simulate import simulate
from houle.solver.players.player import seat_strategies
from tools.bench import in_c, random_play, search
from tools.bench.__main__ import bench

pytestmark = pytest.mark.compiled


def in_order(values: dict[str, float]) -> bool:
    return 0 < values["low"] <= values["median"] <= values["high"]


def output(*words: str) -> str:
    return CliRunner().invoke(bench, words, catch_exceptions=False).stdout


def numbers(*words: str) -> Any:
    return json.loads(output(*words, "--json"))


def test_random_play_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_play, "SECONDS", 0.001)
    report = numbers("wave", "--repeats", "2")
    assert report["repeats"] == 2
    variants = [row["variant"] for row in report["rows"]]
    assert variants[0] == "base"
    assert len(variants) == len(set(variants)) > 3
    for row in report["rows"]:
        assert (row["game"], row["players"], row["unit"]) == ("wave", 3, "games")
        assert in_order(row["rate"])
        assert in_order(row["ns_per_card"])
        # A game has at most 33 cards, so a card takes at least 1/33 of it.
        assert row["ns_per_card"]["high"] * row["rate"]["high"] * 33 > 1e9
        assert ("times_base_per_card" in row) == (row["variant"] != "base")
    assert "sea-change" in output("sea-change", "--repeats", "1")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    made = in_c.compile_c(tmp_path_factory.mktemp("library"))
    if made is None:
        pytest.skip("there is no C compiler")
    return made


def test_c_plays_the_games_of_the_kernels(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    players = seat_strategies(in_c.SETUP, ("random",))
    result = simulate(in_c.SETUP, strategies="random", games=2000, seed=in_c.SEED)
    assert in_c.check_digests(library, players, 2000) == result.digest
    monkeypatch.setattr(in_c, "play_c", lambda made, games: in_c.play_kernel(players, games - 1))
    with pytest.raises(ClickException, match="differ"):
        in_c.check_digests(library, players, 4)


def test_kernels_beside_c(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_c, "SECONDS", 0.002)
    report = numbers("--in-c", "--repeats", "2")
    assert all(in_order(report[key]) for key in ("kernel", "c", "kernel_over_c"))
    assert "kernel / C" in in_c.describe(report)


def test_search_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SECONDS", 0.002)
    monkeypatch.setattr(search, "FLAT", "flat:4")
    monkeypatch.setattr(search, "ISMCTS", "ismcts:8")
    report = numbers("wave", "--search", "--repeats", "2")
    assert (report["repeats"], report["flat"], report["ismcts"]) == (2, "flat:4", "ismcts:8")
    (row,) = report["rows"]
    assert all(in_order(row[key]) for key in ("thumb_plies", "flat_plies", "flat_over_thumb", "simulations"))
    assert "ismcts simulations/s" in search.describe(report)
