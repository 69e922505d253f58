"""Two examples, both compiled skeletons and a class, in a new environment with wheels: every command works with them.

Slow, `make examples`. The dependencies of houle are those of this environment; nothing is downloaded. Commands play few
games, compiled, so the first run takes some minutes. All commands of a game run in one process of the new environment,
which loads numba and the kernels once.
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

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
IN_TURN = ROOT / "tests" / "support" / "commands_in_turn.py"
# The class is no package: it is found by its file. In `my-game`, the class and Quay players compete.
SETUPS = {
    "the-game": "the-game -p 2",
    "quay": "quay -p 4",
    "my-game": "my-game -p 2",
    "my-clues": "my-clues -p 2",
    "my_class.py": "my_class.py -p 2",
}
RESULTS = {"the-game": "win\nloss\n", "my-clues": "win\nloss\n"} | dict.fromkeys(
    ("quay", "my-game", "my_class.py"), "3\n5\n"
)
KNOBS = {
    "the-game": "hand=6,7",
    "quay": "rounds=1,2",
    "my-game": "hand=4,5",
    "my-clues": "hand=3,4",
    "my_class.py": "hand=4,5",
}

# By the command's name, in the order in which they may need what another has written. Few games each.
COMMANDS = {
    "games": ["games"],
    "rules": ["rules {game}"],
    "players": ["players {setup}", "players {setup} --fit {folder}/results.csv -n 100"],
    "new": ["new another-game --in {folder}"],
    "check": ["check {game} -p {players} -n 1"],
    "simulate": ["simulate {setup} -n 20", "simulate {setup} -s ismcts:4 -n 1"],
    "compare": ["compare {setup} -s random -s thumb -n 10"],
    "sweep": ["sweep {setup} -s random -s thumb -n 10", "sweep {setup} --set {knob} -n 20"],
    "design": ["design {setup} --target length=1..5000 --change {knob} --budget 2s"],
    "study": [
        "study run {folder}/study.toml -o {folder}/cells",
        "study show {folder}/cells",
        "study export {folder}/cells -o {folder}/cells.csv",
    ],
    "difficulty": ["difficulty {setup} -s random,thumb -n 10"],
    "strength": ["strength {setup} -s random,thumb -n 10"],
    "balance": ["balance {setup} -n 10"],
    "tune": ["tune {setup} --generations 1 --population 4 -n 10 --check-games 100"],
    "trace": ["trace {setup} --record {folder}/record.txt", "trace {folder}/record.txt"],
    "play": ["play {setup} --seed 1"],
    "advise": ["advise {setup} --from 1/0/1 --worlds 10"],
    "review": ["review {folder}/record.txt --worlds 10"],
    "studio": ["studio {setup} --help"],
    "demo": ["demo --help"],
    "report": ["report {setup} -v base -o {folder}/report", "report {folder}/cells -o {folder}/of-the-study"],
}
# What a game does not offer is refused in one line, with exit code 2.
REFUSED = {("difficulty", game): "players compete in this setup" for game in ("quay", "my-game", "my_class.py")} | {
    ("advise", "my_class.py"): "a class in plain Python has no positions"
}
STUDY = 'name = "few"\nseed = 1\ngames = 4\n[[grid]]\ngame = "{game}"\nplayers = [{players}]\n'


def well(*words: str | Path) -> str:
    run = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"{words}\n{run.stdout}{run.stderr}"
    return run.stdout


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with houle and the games, all from wheels."""
    folder = tmp_path_factory.mktemp("installed")
    good("new", "my-game", "--compiled", "--in", str(folder))
    good("new", "my-clues", "--compiled", "--like", "clues", "--in", str(folder))
    good("new", "my-class", "--in", str(folder))
    sources = [ROOT, *sorted((ROOT / "examples" / "games").iterdir()), folder / "my-game", folder / "my-clues"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    for source in sources:
        well(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder / "wheels", source)
    well(sys.executable, "-m", "venv", "--without-pip", folder / "env")
    python = folder / "env" / "bin" / "python"
    (site(folder / "env") / "dependencies.pth").write_text(f"{Path(click.__file__).parents[1]}\n")
    well(*pip, "--python", python, "install", "--no-deps", "--no-index", *sorted((folder / "wheels").glob("*.whl")))
    for game, setup in SETUPS.items():
        files = folder / "files" / game
        files.mkdir(parents=True)
        (files / "results.csv").write_text("result\n" + RESULTS[game] * 4)
        (files / "study.toml").write_text(STUDY.format(game=game, players=setup.split()[-1]))
    return folder / "env"


def site(env: Path) -> Path:
    code = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    return Path(well(env / "bin" / "python", "-c", code).strip())


def test_every_command_is_covered() -> None:
    assert set(COMMANDS) == set(every_command.list_commands(click.Context(every_command)))
    study = every_command.get_command(click.Context(every_command), "study")
    assert isinstance(study, click.Group)
    assert {line.split()[1] for line in COMMANDS["study"]} == set(study.commands)


@pytest.mark.slow
def test_installed_games_are_listed_with_their_folder(env: Path) -> None:
    listed = well(env / "bin" / "houle", "games")
    assert all(f"{game} lives in " in listed for game in SETUPS if not game.endswith(".py"))


@pytest.fixture(scope="module")
def player(env: Path, request: pytest.FixtureRequest) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A game, and the process of the new environment that runs its commands."""
    words = [str(env / "bin" / "python"), "-P", str(IN_TURN)]
    with subprocess.Popen(words, cwd=env.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        answer(process, ["rules", request.param])  # a class is code: its studies and records need it to be named
        yield request.param, process


def answer(process: subprocess.Popen[str], words: list[str]) -> dict[str, Any]:
    assert process.stdin
    assert process.stdout
    print(json.dumps(words), file=process.stdin, flush=True)
    line = process.stdout.readline()
    assert line, f"{words}: the process has ended"
    result: dict[str, Any] = json.loads(line)
    return result


def said_by(process: subprocess.Popen[str], line: str, refusal: str = "") -> str:
    """What a command says on stderr; it succeeds, or is refused in one line with these words."""
    result = answer(process, shlex.split(line))
    output = f"houle {line}: {result['code']}\n{result['out']}{result['err']}"
    if refusal:
        assert (result["code"], result["err"].count("\n")) == (2, 1), output
        assert refusal in result["err"], output
    else:
        assert result["code"] == 0, output
        assert "Traceback" not in result["err"], output
        assert result["out"] or " -o " in line, output
    return str(result["err"])


@pytest.mark.slow
@pytest.mark.parametrize("player", SETUPS, indirect=True)
@pytest.mark.parametrize("command", COMMANDS)
def test_command_works_with_installed_game(env: Path, player: tuple[str, subprocess.Popen[str]], command: str) -> None:
    game, process = player
    facts = {"game": game, "setup": SETUPS[game], "players": SETUPS[game].split()[-1], "knob": KNOBS[game]}
    for line in COMMANDS[command]:
        said_by(process, line.format(**facts, folder=env.parent / "files" / game), REFUSED.get((command, game), ""))
