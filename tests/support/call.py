"""The command line as a test calls it: in this process, or as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from click.testing import CliRunner, Result

from houle.cli.main import houle


def call(*words: str) -> Result:
    """In this process; stdout and stderr apart."""
    return CliRunner().invoke(houle, list(words))


def spawn(*words: str, **facts: Any) -> subprocess.CompletedProcess[str]:
    """As a process of its own, as users run it."""
    command = [sys.executable, "-m", "houle.cli.main", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **facts)


def good(*words: str) -> str:
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result.stdout
