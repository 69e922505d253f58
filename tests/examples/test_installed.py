"""Both examples and a fresh skeleton as wheels in an environment of their own: commands know them by their names.

Slow, `make examples`. The dependencies of houle are those of this environment; nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.support.call import good

ROOT = Path(__file__).parents[2]
GAMES = {"black-hole": 1, "the-game": 2, "my-game": 2}

# With few games and players at random, which every game has.
COMMANDS = (
    "rules {game}",
    "simulate {game} -p {players} -s random -n 4",
    "trace {game} -p {players} -s random",
    "sweep {game} -p {players} -s random --set {knob} -n 4",
    "compare {game} -p {players} -s random --set {knob} -n 4",
    "setups {game} -p {players} -s random -n 20",
    "balance {game} -p {players} -s random -n 10",
    "check {game} -p {players} -n 1",
)
KNOBS = {"black-hole": "piles=15,16", "the-game": "hand=6,7", "my-game": "hand=4,5"}


def run(*words: str | Path, **more: str) -> str:
    found = subprocess.run(
        [str(word) for word in words], env={**os.environ, **more}, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, f"{words}\n{found.stdout}{found.stderr}"
    return found.stdout


@pytest.fixture(scope="module")
def houle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh environment with houle and the three games, all from wheels."""
    folder = tmp_path_factory.mktemp("installed")
    good("new", "my-game", "--in", str(folder))
    sources = [ROOT, *sorted((ROOT / "examples" / "games").iterdir()), folder / "my-game"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    for source in sources:
        run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder / "wheels", source)
    run(sys.executable, "-m", "venv", "--without-pip", folder / "env")
    python = folder / "env" / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").strip())
    (site / "dependencies.pth").write_text(f"{Path(click.__file__).parents[1]}\n")
    run(*pip, "--python", python, "install", "--no-deps", "--no-index", *sorted((folder / "wheels").glob("*.whl")))
    return folder / "env" / "bin" / "houle"


@pytest.mark.slow
def test_all_three_are_listed(houle: Path) -> None:
    listed = run(houle, "games")
    assert all(game in listed for game in GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_a_command_knows_an_installed_game(houle: Path, game: str, command: str) -> None:
    words = command.format(game=game, players=GAMES[game], knob=KNOBS[game]).split()
    assert len(run(houle, *words, NUMBA_DISABLE_JIT="1").splitlines()) > 4
