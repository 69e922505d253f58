"""Both examples and a fresh skeleton as wheels in an environment of their own: every command knows them by their names.

Slow, `make examples`. The dependencies of houle are those of this environment; nothing is fetched. Commands play few
games, compiled: the first run takes some minutes for that. All commands of a game run in one process of that
environment, which loads numba and the kernels once.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from houle.cli.main import houle as every_command
from tests.support.call import good

ROOT = Path(__file__).parents[2]
IN_TURN = ROOT / "tests" / "support" / "commands_in_turn.py"
TABLES = {"black-hole": "black-hole -p 1", "the-game": "the-game -p 2", "my-game": "my-game -p 2"}
KNOBS = {"black-hole": "piles=15,16", "the-game": "hand=6,7", "my-game": "hand=4,5"}

# By the command's name, in the order in which they may need what another has written.
COMMANDS = {
    "games": ["games"],
    "rules": ["rules {game}", "rules {game} --write {folder}/{game}.toml"],
    "players": ["players {table}"],
    "try": ["try {plain} -p {players} -s random -n 4"],
    "new": ["new another-{game} --in {folder}"],
    "check": ["check {game} -p {players} -n 1"],
    "simulate": [
        "simulate {table} -n 20",
        "simulate {table} -s random -n 20 --rules {folder}/{game}.toml",
        "simulate {table} -s ismcts:4 -n 2",
    ],
    "compare": ["compare {table} --set {knob} -n 20"],
    "sweep": ["sweep {table} --set {knob} -n 20"],
    "design": ["design {table} --target length=1..500 --change {knob} -n 1000 --fresh 1000"],
    "difficulty": ["bracket {table} -s random,thumb,flat:2 -n 20 --search-games 4"],
    "endings": ["survival {table} -n 20"],
    "trace": ["trace {table} --short --record {folder}/{game}.txt", "trace {folder}/{game}.txt"],
    "position": ["position {table} --from 1/0/1"],
    "advise": ["advise {table} --from 1/0/1 --worlds 10"],
    "play": ["play {table} --text --seed 1"],
    "review": ["review {folder}/{game}.txt --worlds 10"],
    "study": [
        "study run {folder}/{game}.study.toml --db {folder}/{game}.db",
        "study resume {folder}/{game}.db",
        "study status {folder}/{game}.db",
        "study show {folder}/{game}.db",
        "study export {folder}/{game}.db -o {folder}/{game}.csv",
    ],
    "strength": ["ladder {table} -s random,thumb,flat:2 -n 20 --search-games 4"],
    "openings": ["setups {table} -n 40"],
    "balance": ["balance {table} -n 20"],
    "decisions": ["decisions {table} -s flat:20 -n 2", "decisions {table} --dry-run"],
    "skill": ["skill {table} -s random,thumb -n 50"],
    "ablate": ["restrict {table} -n 20"],
    "report": [
        "report {table} -v base -o {folder}/{game}-report",
        "report {folder}/{game}.db -o {folder}/{game}-study",
    ],
    "tune": [
        "tune {table} --generations 2 --population 4 -n 10 --check-games 100",
        "tune {table} --search flat:2 -n 4",
    ],
    "bench": ["bench {game} --repeats 1"],
}
# What a game has not got is one line, with exit code 2.
REFUSED = {
    ("endings", "my-game"): "does not end because a card cannot be played",
    ("difficulty", "my-game"): "players compete at this table",
}
STUDY = 'name = "few"\nseed = 1\ngames = 20\n[[grid]]\ngame = "{game}"\nplayers = [{players}]\n'


def well(*words: str | Path) -> str:
    found = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert found.returncode == 0, f"{words}\n{found.stdout}{found.stderr}"
    return found.stdout


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with houle and the three games, all from wheels."""
    folder = tmp_path_factory.mktemp("installed")
    good("new", "my-game", "--in", str(folder))
    sources = [ROOT, *sorted((ROOT / "examples" / "games").iterdir()), folder / "my-game"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    for source in sources:
        well(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder / "wheels", source)
    well(sys.executable, "-m", "venv", "--without-pip", folder / "env")
    python = folder / "env" / "bin" / "python"
    (site(folder / "env") / "dependencies.pth").write_text(f"{Path(click.__file__).parents[1]}\n")
    well(*pip, "--python", python, "install", "--no-deps", "--no-index", *sorted((folder / "wheels").glob("*.whl")))
    for game, table in TABLES.items():
        (folder / f"{game}.study.toml").write_text(STUDY.format(game=game, players=table.split()[-1]))
    return folder / "env"


def site(env: Path) -> Path:
    asked = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    return Path(well(env / "bin" / "python", "-c", asked).strip())


def test_no_command_is_forgotten() -> None:
    assert set(COMMANDS) == set(every_command.list_commands(click.Context(every_command)))
    study = every_command.get_command(click.Context(every_command), "study")
    assert isinstance(study, click.Group)
    assert {line.split()[1] for line in COMMANDS["study"]} == set(study.commands)


@pytest.mark.slow
def test_all_three_are_listed_with_where_they_live(env: Path) -> None:
    listed = well(env / "bin" / "houle", "games")
    assert all(f"{game} lives in " in listed for game in TABLES)


@pytest.fixture(scope="module")
def player(env: Path, request: pytest.FixtureRequest) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A game, and the process of that environment that runs its commands."""
    words = [str(env / "bin" / "python"), "-P", str(IN_TURN)]
    with subprocess.Popen(words, cwd=env.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield request.param, process


def answer(process: subprocess.Popen[str], words: list[str]) -> dict[str, Any]:
    assert process.stdin
    assert process.stdout
    print(json.dumps(words), file=process.stdin, flush=True)
    line = process.stdout.readline()
    assert line, f"{words}: the process has ended"
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("player", TABLES, indirect=True)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_knows_an_installed_game(env: Path, player: tuple[str, subprocess.Popen[str]], command: str) -> None:
    game, process = player
    plain = site(env) / game.replace("-", "_") / "plain.py"
    facts = {"game": game, "table": TABLES[game], "players": TABLES[game].split()[-1], "knob": KNOBS[game],
             "folder": env.parent, "plain": plain}  # fmt: skip
    for line in COMMANDS[command]:
        found = answer(process, shlex.split(line.format(**facts)))
        told = f"houle {line}: {found['code']}\n{found['out']}{found['err']}"
        if (command, game) in REFUSED:
            assert (found["code"], found["err"].count("\n")) == (2, 1), told
            assert REFUSED[command, game] in found["err"]
        else:
            assert found["code"] == 0, told
            assert found["out"] or " -o " in line, told
            assert "Traceback" not in found["err"], told
