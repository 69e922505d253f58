"""Start-up: the compiler, pandas and matplotlib are loaded only when needed; help and completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from houle.cli.main import COMMANDS, GROUPS
from tests.support.call import PATIENCE, call, good, helped, spawn

pytestmark = pytest.mark.compiled

HEAVY = ("numba", "numpy", "pandas", "matplotlib", "scipy.special", "scipy.stats", "rich")


def loaded(*words: str) -> set[str]:
    """The heavy packages that a command imports."""
    code = "import sys\nfrom houle.cli.main import houle\n"
    code += "try: houle.main(sys.argv[1:])\nexcept SystemExit: pass\n"
    code += "print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    return set(HEAVY) & set(done.stderr.split())


@pytest.mark.parametrize("words", [("--help",), ("simulate", "--help"), ("games",), ("--version",)])
def test_light_commands_load_nothing_heavy(words: tuple[str, ...]) -> None:
    assert loaded(*words) == set()


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"demo", "new"}))
def test_commands_load_no_compiler_before_the_game(command: str) -> None:
    """A class in plain Python is played without the compiler, which must be known before it is loaded."""
    assert "numba" not in loaded(command, "--help")


def test_large_simulation_loads_only_numba() -> None:
    assert loaded("simulate", "wave", "-s", "random", "-n", "1.1e5") == {"numba", "numpy"}


@pytest.mark.quick
@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example(command: str) -> None:
    text = good(command, "--help")
    assert text.count(f"houle {command} ") + text.count(f"houle {command}\n") >= 2


@pytest.mark.quick
def test_help_lists_every_command_in_full() -> None:
    text = helped()
    rows = [line.split("  ") for line in text.partition("Commands:\n")[2].splitlines()]
    listed = [tuple(part.strip() for part in row if part.strip())[-2:] for row in rows]
    assert listed == list(COMMANDS.items())
    for command, line in COMMANDS.items():
        assert good(command, "--help").split("\n\n")[1].strip() == line, command
    for group in GROUPS:
        assert f"\n  {group} " in text
    assert good("-h") == good("--help") == call().stdout


def completed(words: str, index: int) -> list[str]:
    facts = {"_HOULE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(index)}
    code = "from houle.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **facts},
        timeout=PATIENCE,
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_completion() -> None:
    assert completed("houle si", 1) == ["simulate"]
    assert completed("houle simulate wa", 2) == ["wave"]
    assert completed("houle simulate wave -v virage+na", 4) == ["virage+nazare"]
    assert completed("houle rules wave --set hand", 4) == ["hand.front=", "hand.back="]


def test_closed_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m houle.cli.main rules wave | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("WAVE, 3 players, base game\n", "")


def test_version() -> None:
    assert spawn("--version").stdout.startswith("houle ")
