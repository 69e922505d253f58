"""The expert of a game without one is found once, kept, and named in full where others repeat a result."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.analysis.players import experts, line_ups
from houle.analysis.players import find_expert as expert
from houle.analysis.players.experts import kept_expert
from houle.analysis.players.find_expert import CAUTIONS, find_expert
from houle.analysis.players.line_ups import expert_strategy, read_strategy
from houle.solver.errors import FileError
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

OPEN = make_setup("wave", 3, settings={"talk": "known"})


@pytest.fixture
def no_expert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """WAVE as if it came without an expert, and an empty folder for what is found."""
    for module in (line_ups, expert):
        monkeypatch.setattr(module, "expert_of_game", lambda setup: "")
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(expert, "TRIED", "flat:2")
    monkeypatch.setattr(expert, "GAMES", 4)
    return tmp_path / experts.FILE


def test_an_expert_is_found_once_and_kept(no_expert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert expert_strategy(OPEN) == "flat:200"
    found = find_expert(OPEN)
    assert found in ("thumb", *(f"flat:200[caution={caution:g}]" for caution in CAUTIONS))
    assert found == kept_expert(OPEN) == expert_strategy(OPEN) == read_strategy("expert", OPEN).code
    assert kept_expert(make_setup("wave", 4, settings={"talk": "known"})) == ""
    monkeypatch.setattr(expert, "GAMES", -1)  # would be refused
    assert find_expert(OPEN) == found


def test_thumb_is_the_expert_where_searches_lose(no_expert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that only imagine one world without caution lose to the rules of thumb with silent partners."""
    silent = make_setup("wave", 3, settings={"talk": "silent"})
    monkeypatch.setattr(expert, "TRIED", "flat:1")
    monkeypatch.setattr(expert, "CAUTIONS", (0.0,))
    monkeypatch.setattr(expert, "GAMES", 100)
    assert find_expert(silent) == "thumb"


def test_difficulty_finds_an_expert_for_a_game_without(no_expert: Path) -> None:
    result = houle.difficulty(OPEN, strategies="seasoned,expert", games=4, alone=True)
    assert [row.label for row in result.levels] == ["seasoned", "expert"]
    assert kept_expert(OPEN)


@pytest.mark.quick
def test_a_broken_file_of_experts_is_named(no_expert: Path) -> None:
    no_expert.write_text('"wave 1" = 7\n')
    with pytest.raises(FileError, match="wave 1: 7 is not allowed"):
        kept_expert(OPEN)
