"""houle runs where POSIX calls are missing: they are in one file, and the basic commands work without them."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from houle.solver import os_calls, trusted_code
from tests.support.call import PATIENCE
from tests.support.sources import ROOT, mentions, nodes_of, python_files

MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "posix", "syslog")
IN_OS = (
    "getuid",
    "geteuid",
    "getgid",
    "setuid",
    "umask",
    "fork",
    "forkpty",
    "link",
    "mkfifo",
    "chown",
    "fchmod",
    "killpg",
    "setsid",
    "nice",
    "getloadavg",
    "sched_getaffinity",
    "sched_setaffinity",
    "O_NONBLOCK",
    "O_NOFOLLOW",
    "uname",
    "sysconf",
)
IN_SIGNAL = ("SIGALRM", "SIGHUP", "SIGPIPE", "SIGKILL", "SIGUSR1", "SIGCHLD", "setitimer", "alarm", "pthread_sigmask")

# Libraries are loaded first: on this system they may need what is hidden from houle.
WITHOUT = f"""
import os, signal, sys
import asyncio, concurrent.futures, multiprocessing, sqlite3, subprocess, tempfile
import click, jinja2, matplotlib.pyplot, numba.core.caching, pandas, rich.progress, scipy.stats
for name in {MODULES!r}:
    sys.modules[name] = None
for module, names in ((os, {IN_OS!r}), (signal, {IN_SIGNAL!r})):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
from houle.cli.main import houle
for line in sys.argv[1:]:
    try:
        houle.main(line.split(), "houle")
    except SystemExit as leave:
        assert leave.code == 0, line
"""


@pytest.mark.quick
def test_posix_calls_are_in_one_file() -> None:
    names = "|".join((*(rf"os\.{name}\b" for name in IN_OS), *(rf"signal\.{name}\b" for name in IN_SIGNAL)))
    modules = "|".join(rf"^\s*(?:import|from) {name}\b" for name in MODULES)
    call = re.compile(f"{names}|{modules}", re.MULTILINE)
    found = {str(path.relative_to(ROOT)) for path in python_files() if call.search(path.read_text(encoding="utf-8"))}
    assert found == {"solver/os_calls.py"}


@pytest.mark.quick
def test_texts_are_read_and_written_as_utf_8() -> None:
    """Without an encoding Windows would use another one."""
    found = []
    for path in python_files():
        for node in nodes_of(path) if mentions(path, ("read_text", "write_text")) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                named = {keyword.arg for keyword in node.keywords}
                if node.func.attr in ("read_text", "write_text") and "encoding" not in named:
                    found.append(f"{path}:{node.lineno}")
    assert found == []


@pytest.mark.slow
def test_basic_commands_run_without_posix_calls(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('game = "wave"\nstrategies = "random"\ngames = 2000\n', encoding="utf-8")
    lines = [
        "games",
        "rules wave --write my.toml",
        "simulate wave --rules my.toml -s random -n 500 -o out.csv",
        "study run study.toml -q",
        "study show study",
        "trace wave -s random --record game.txt",
        "review game.txt --worlds 4",
    ]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *lines],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "result_digest" in (tmp_path / "out.csv").read_text(encoding="utf-8")


@pytest.mark.quick
def test_fallbacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("getuid", "sched_getaffinity"):
        monkeypatch.delattr(os, name, raising=False)
    assert os_calls.user_id() is None
    assert os_calls.default_threads() == os.cpu_count()
    assert trusted_code.replaceable(tmp_path) == trusted_code.distrust(str(tmp_path), tmp_path.stat()) == ""
