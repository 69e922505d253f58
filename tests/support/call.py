"""Calls the command line from tests: in this process, or as a new process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from click.testing import CliRunner, Result

from houle.cli.main import houle


def call(*words: str) -> Result:
    """Runs a command in this process, with stdout and stderr separate."""
    return CliRunner().invoke(houle, list(words))


def spawn(*words: str, **facts: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command as a new process, as users do."""
    command = [sys.executable, "-m", "houle.cli.main", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **facts)


def good(*words: str) -> str:
    """What a command prints; it must succeed."""
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result.stdout
