"""`import houle`: every public name is there, loads late, and is typed."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import houle

pytestmark = pytest.mark.quick

SCRIPT = Path(__file__).parent / "typing" / "user_script.py"


def test_the_typed_script_uses_every_public_name() -> None:
    """`make types` checks the script without Any, so each public name has its type."""
    used = {node.attr for node in ast.walk(ast.parse(SCRIPT.read_text())) if isinstance(node, ast.Attribute)}
    used |= {alias.name for node in ast.walk(ast.parse(SCRIPT.read_text())) if isinstance(node, ast.ImportFrom)
             for alias in node.names}  # fmt: skip
    assert set(houle.__all__) - {"Estimate", "InputError"} <= used


def test_public_names_exist_and_are_listed() -> None:
    assert dir(houle) == sorted(houle.__all__)
    for name in houle.__all__:
        assert getattr(houle, name).__name__ == name


def test_version_is_that_of_the_package() -> None:
    assert houle.__version__ == version("houle")
    with pytest.raises(AttributeError, match="nothing"):
        _ = houle.nothing


@pytest.mark.compiled
def test_import_houle_loads_no_compiler() -> None:
    code = "import sys, houle; print(sorted({'numba', 'pandas', 'numpy', 'matplotlib'} & {*sys.modules}))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
