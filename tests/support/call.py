"""Calls the command line from tests: in this process, or as a new process."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from typing import Any

from click.testing import Result

from tests.support.amounts import patience
from tests.support.commands_in_turn import run
from tests.support.sources import ROOT

PATIENCE = patience(240.0)  # seconds to wait for a process

# Writes a byte into the pipe of the first argument when games are counted or a section of a report has begun.
TELLING = """
import os, sys
from houle.cli import main
from houle.cli.framework import progress

pipe = int(sys.argv.pop(1))


def telling(kind):
    poll = kind.__call__

    def told(self, done, *facts):
        poll(self, done, *facts)  # first: from now on Ctrl-C keeps what is done
        if done:
            kind.__call__ = poll
            os.write(pipe, b".")

    kind.__call__ = told


telling(progress.GamesProgress)
telling(progress.SectionsProgress)
main.main()
"""


def call(*words: str) -> Result:
    """Runs a command in this process, with stdout and stderr separate; `play` prints its first page.

    The first words may stand together, as in call("rules wave", "--rules", file).
    """
    first = words[0].split() if words else []
    return run([*first, *words[1:]])


def spawn(*words: str, patience: float = PATIENCE, **facts: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command as a new process, as users do; it must end within `patience` seconds."""
    command = [sys.executable, "-m", "houle.cli.main", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience, **facts)


def said_without_compiler(*words: str) -> Any:
    """What Python prints as JSON with these words in a new process, in which kernels are plain functions."""
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, *words], env=plain, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    assert "Warning" not in run.stderr
    return json.loads(run.stdout)


def good(*words: str) -> str:
    """What a command prints; it must succeed."""
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def helped(*words: str) -> str:
    """The help of a command on a terminal of 100 columns, of which Click leaves two empty."""
    return run([*words, "--help"], terminal_width=98).stdout


def interrupted(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as a new process, and sends it one Ctrl-C as soon as it plays."""
    reading, writing = os.pipe()
    command = [sys.executable, "-c", TELLING, str(writing), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[writing])
    os.close(writing)
    try:
        ready = select.select([reading], [], [], PATIENCE)[0]
        assert ready, f"houle {words[0]}: played nothing in {PATIENCE:.0f} s"
        if os.read(reading, 1):  # otherwise it ended before it played: its stderr says why
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        os.close(reading)
        process.kill()
        process.wait()
    return subprocess.CompletedProcess(command, process.returncode, out, err)
