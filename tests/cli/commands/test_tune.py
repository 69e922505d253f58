"""`houle tune` as a command."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from houle.analysis.players import weights_file
from houle.solver.players import player
from tests.support.call import good

pytestmark = pytest.mark.compiled

SMALL = (
    "tune",
    "wave",
    "-p",
    "3",
    "--weights",
    "mine",
    "--generations",
    "2",
    "--population",
    "4",
    "-n",
    "20",
    "--check-games",
    "100",
)


def test_the_weights_are_printed_as_toml() -> None:
    page = good(*SMALL)
    text, _, rest = page.partition("\n\n")
    entry = tomllib.loads(text)["player"][0]
    assert entry["name"] == "mine"
    assert entry["when"] == {"players": 3}
    assert entry["tuned"]["command"].startswith(
        "houle tune wave -p 3 --weights mine --generations 2 --population 4 -n 20"
    )
    repeat = rest.partition("repeat   ")[2]  # what was typed, with the seed
    assert sorted(shlex.split(repeat)) == sorted(shlex.split(entry["tuned"]["command"]))
    data = json.loads(good(*SMALL, "--json"))
    assert data["weights"] == entry["weights"]
    assert 0 <= data["reach"]["alone"]["low"] <= data["reach"]["alone"]["value"]
    assert data["result_digest"] in rest


def test_files(tmp_path: Path) -> None:
    table = tmp_path / "weights.csv"
    good(*SMALL, "-q", "-o", str(table))
    assert (
        table.read_text()
        .splitlines()[0]
        .startswith("game,players,variants,rules_name,strategies,seed,first,games,name,feature")
    )


def test_save_stores_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(player.weights_file("wave").read_text())
    for module in (player, weights_file):
        monkeypatch.setattr(module, "weights_file", lambda game: file)
    player.weights_of.cache_clear()
    try:
        assert "\nsaved" in good(*SMALL, "--save")
        names = [entry["name"] for entry in tomllib.loads(file.read_text())["player"]]
        assert names[-1] == "mine"
        assert "thumb[weights=mine]" in good("simulate", "wave", "-s", "thumb[weights=mine]", "-n", "20")
    finally:
        player.weights_of.cache_clear()


def test_dry_run_shows_the_time() -> None:
    page = good("tune", "wave", "-p", "3", "--dry-run")
    assert "searching: 640,000 deals, 640,000 games" in page
    assert "games, about" in page
