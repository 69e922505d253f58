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
from tools.bench import in_c, search
from tools.bench.__main__ import bench

pytestmark = pytest.mark.compiled


def in_order(values: dict[str, float]) -> bool:
    return 0 < values["low"] <= values["median"] <= values["high"]


def output(*words: str) -> str:
    return CliRunner().invoke(bench, words, catch_exceptions=False).stdout


def numbers(*words: str) -> Any:
    return json.loads(output(*words, "--json"))


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


def test_search_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SECONDS", 0.002)
    monkeypatch.setattr(search, "FLAT", "flat:4")
    monkeypatch.setattr(search, "ISMCTS", "ismcts:8")
    report = numbers("wave", "--search", "--repeats", "2")
    assert (report["repeats"], report["flat"], report["ismcts"]) == (2, "flat:4", "ismcts:8")
    (row,) = report["rows"]
    assert all(in_order(row[key]) for key in ("thumb_plies", "flat_plies", "flat_over_thumb", "simulations"))
    assert "ismcts simulations/s" in search.describe(report)
