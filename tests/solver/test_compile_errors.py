"""Errors of the compiler, cut to the game's own file, line and cause."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from houle.solver.compiler.kernels import JIT
from houle.solver.invariants.compile_errors import cut_error

pytestmark = pytest.mark.compiled

GAME = """
import numba


def helper(card):
    return {"card": card}


@numba.njit
def inner(card):
    odd = CALL
    return odd


@numba.njit
def outer(card):
    return inner(card) + 1
"""


@pytest.mark.skipif(not JIT, reason="needs the compiler")
@pytest.mark.parametrize(
    ("call", "cause"),
    [
        ("helper(card)", "helper is a function in plain Python; a kernel calls only kernels: write @kernel above it"),
        ("card + None", "No implementation of function Function(<built-in function add>) found for signature: "
                        "add(int64, none)"),
        ("card.size", "Unknown attribute 'size' of type int64"),
    ],
)  # fmt: skip
def test_error_names_line_source_and_cause(tmp_path: Path, call: str, cause: str) -> None:
    file = tmp_path / "game.py"
    file.write_text(GAME.replace("CALL", call))
    spec = importlib.util.spec_from_file_location("cut_game", file)
    assert spec
    assert spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(Exception, match="File") as fault:
        module.outer(3)
    assert cut_error(str(fault.value), tmp_path) == f"{file.resolve()}:11: odd = {call}: {cause}"
    assert cut_error(str(fault.value), tmp_path / "other") == ""
