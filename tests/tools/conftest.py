"""Tools add folders of games to the environment; tests that run later in the same process must not see these games."""

from __future__ import annotations

import os

import pytest

from houle.solver.rules.game_folders import VARIABLE


@pytest.fixture(autouse=True)
def no_new_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgets the folders that a test adds."""
    monkeypatch.setenv(VARIABLE, os.environ.get(VARIABLE, ""))
