"""Start-up loads only what is needed; help fits a screen; `make warm` compiles each game in a process of its own."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from houle.cli import waiting, warm
from houle.cli.main import COMMANDS, GROUPS, houle
from houle.solver.errors import InputError
from houle.solver.rules import game_names
from tests.support.call import PATIENCE, call, good, helped, spawn

pytestmark = pytest.mark.compiled

HEAVY = ("numba", "numpy", "pandas", "matplotlib", "scipy.special", "scipy.stats", "rich")
LINES = 40  # of a screen
FLAGS = 280  # of all pages of help together


def started(code: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a new process."""
    command, env = [sys.executable, "-c", code, *words], {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env, timeout=PATIENCE)


def loaded(*words: str) -> set[str]:
    """The heavy packages that a command imports."""
    code = "import sys\nfrom houle.cli.main import houle\n"
    code += "try: houle.main(sys.argv[1:])\nexcept SystemExit: pass\n"
    code += "print(*sys.modules, file=sys.stderr)"
    return set(HEAVY) & set(started(code, *words).stderr.split())


@pytest.mark.parametrize("words", [("--help",), ("simulate", "--help"), ("games",), ("--version",)])
def test_light_commands_load_nothing_heavy(words: tuple[str, ...]) -> None:
    assert loaded(*words) == set()


def test_commands_load_no_compiler_before_the_game() -> None:
    """A class in plain Python is played without the compiler, which must be known before it is loaded."""
    code = "import sys\nfrom houle.cli.main import houle\nfor command in sys.argv[1:]:\n"
    code += "    try: houle.main([command, '--help'])\n    except SystemExit: pass\n"
    code += "    print(command, 'numba' in sys.modules, file=sys.stderr)"
    commands = sorted(COMMANDS.keys() - {"demo", "new"})
    assert started(code, *commands).stderr.splitlines() == [f"{command} False" for command in commands]


def test_a_compiler_switched_off_by_a_file_is_reported(tmp_path: Path) -> None:
    """numba reads the file where PyYAML is installed, as with `houle[cluster]`."""
    pytest.importorskip("yaml")
    variables = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-m", "houle.cli.main", "trace", "wave", "-s", "random"]
    said = []
    for line in ("disable_jit: 1", "disable_jit: 0"):
        (tmp_path / ".numba_config.yaml").write_text(line)
        run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=variables, timeout=PATIENCE)
        assert run.returncode == 0, run.stderr
        said.append([line for line in run.stderr.splitlines() if "warning" in line])
    off = "houle: warning: .numba_config.yaml in the current folder switches the compiler off, so games are slow"
    assert said == [[off], []]


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


def pages(command: click.Command = houle, *words: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The words and the help of every command and subcommand."""
    yield words, helped(*words).splitlines()
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from pages(below, *words, name)


@pytest.mark.quick
def test_every_help_fits_one_screen() -> None:
    """And all together print few options."""
    every = {" ".join(words): lines for words, lines in pages()}
    assert {name: len(lines) for name, lines in every.items() if len(lines) > LINES} == {}
    flags = {
        name: sum(line.startswith("  -") for line in lines[lines.index("Options:") :]) for name, lines in every.items()
    }
    assert sum(flags.values()) <= FLAGS, flags


def completed(words: str, index: int) -> list[str]:
    facts = {"_HOULE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(index)}
    done = started("from houle.cli.main import main; main()", **facts)
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_completion() -> None:
    assert completed("houle si", 1) == ["simulate"]
    assert completed("houle simulate wa", 2) == ["wave"]
    assert completed("houle simulate wave -v virage+na", 4) == ["virage+nazare"]
    assert completed("houle rules wave --set hand", 4) == ["hand.front=", "hand.back="]


def test_version() -> None:
    assert spawn("--version").stdout.startswith("houle ")


def test_parts_of_a_game_are_compiled_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What families need, then search in one process and everything else in another."""
    played: list[str] = []
    monkeypatch.setattr(warm, "mark", lambda game, part: tmp_path / part)
    importlib.import_module("houle.analysis.play.advise")  # takes the real function with it
    monkeypatch.setattr(warm, "play_chunk", lambda line_up, *rest, **filled: played.append(line_up.names[0]))
    for part, players in ((warm.FAMILIES, ["family"]), (warm.SEARCH, ["flat:1"]), (warm.QUICK, ["random", "thumb"])):
        warm.warm("wave", (part,))
        assert played == players
        assert (tmp_path / part).exists()
        played.clear()


def test_families_need_no_other_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where families are compiled, the studio shows a number, and the time is remembered."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    monkeypatch.setattr(warm, "warm", lambda game, parts: warm.mark(game, *parts))
    monkeypatch.setattr(warm, "mark", lambda game, part: tmp_path / part)
    waiting.compile_families("wave")
    assert waiting.FAMILIES in waiting._known_seconds()
    (tmp_path / waiting.FILE).unlink()
    (tmp_path / warm.SEARCH).touch()  # its entry plays families too
    waiting.compile_families("wave")
    assert waiting._known_seconds() == {}


@pytest.mark.parametrize(("game", "noted"), [("wave", True), ("wafe", False)])
def test_time_of_both_halves_is_remembered(
    game: str, noted: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each half in a process; here in processes that do not load the compiler. One that fails says nothing."""
    started: list[str] = []

    def start(command: list[str], **facts: Any) -> subprocess.Popen[bytes]:
        command = command[command.index(sys.executable) :]  # after `nice`, where there is one
        assert command[:4] == [sys.executable, "-P", "-m", "houle.cli.warm"]
        assert facts["env"]["HOULE_PARENT"] == str(os.getpid()), "it ends with this process"
        started.extend(command[5:])
        return real([sys.executable, "-c", f"raise SystemExit({command[4:] == ['wafe', warm.QUICK]:d})"], **facts)

    real = subprocess.Popen
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", start)
    waiting.Compiling(game).wait()
    assert started == [warm.SEARCH, warm.QUICK]
    assert (tmp_path / waiting.FILE).exists() == noted


def test_warm_compiles_one_game() -> None:
    command = [sys.executable, "-m", "houle.cli.warm", "wave"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with pytest.raises(InputError, match="unknown game 'wafe'"):
        warm.warm("wafe")


@pytest.mark.quick
def test_warm_compiles_every_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seen = []

    def compiled(name: str) -> tuple[str, float, int]:
        seen.append(name)
        return name, 1.0, int(name == "wave")

    monkeypatch.setattr(warm, "_warm_apart", compiled)
    monkeypatch.setattr(sys, "argv", ["warm"])
    assert warm.main() == 1
    assert sorted(seen) == sorted(game_names())
    assert "failed" in capsys.readouterr().out
