"""A kernel that cannot be compiled: one line with the file and the line of the game, not the compiler's hundreds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from houle.solver.rules.game_folders import VARIABLE
from tests.support.call import call
from tests.support.toys.quay import FOLDER

pytestmark = pytest.mark.compiled


def test_misspelt_field_is_reported_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "misspelt"
    folder.mkdir(mode=0o755)
    shutil.copy(FOLDER / "rules.toml", folder)
    code = (FOLDER / "quay.py").read_text().replace("state.points[team] +=", "state.topp = state.points[team] +")
    (folder / "game.py").write_text(code)
    for path in folder.iterdir():
        path.chmod(0o644)
    line = next(number for number, text in enumerate(code.splitlines(), 1) if "topp" in text)
    monkeypatch.setenv(VARIABLE, str(folder))
    result = call("simulate", "misspelt", "-p", "2", "-n", "5")
    assert result.exit_code == 2
    compiling, error = result.stderr.splitlines()
    assert compiling.startswith("compiling misspelt for this machine")
    assert f"misspelt: {folder / 'game.py'}:{line}: AttributeError: " in error
    assert "topp" in error
