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


KERNEL = """
import numpy as np

from houle.own_game import kernel
from houle.solver.compiler.kernels import entry


@kernel
def inner(card):
    odd = CALL
    return odd[0] + card


@entry
def outer(card):
    return inner(card) + 1
"""


def loaded(file: Path) -> Any:
    """The module of a file."""
    spec = importlib.util.spec_from_file_location("cut_game", file)
    assert spec
    assert spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not JIT, reason="needs the compiler")
@pytest.mark.parametrize("call", ["np.zeros(3, np.int64)", "np.ones(2)", "[1, 2]"])
def test_kernels_are_told_to_use_local_zeros(tmp_path: Path, call: str) -> None:
    file = tmp_path / "game.py"
    file.write_text(KERNEL.replace("CALL", call))
    with pytest.raises(Exception, match="nopython") as fault:
        loaded(file).outer(3)
    cut = cut_error(str(fault.value), tmp_path)
    assert cut.startswith(f"{file.resolve()}:10: ")
    assert cut.endswith("a kernel makes no lists and no numpy arrays: write local_zeros(size, dtype) of houle.own_game")
    assert "\n" not in cut


@pytest.mark.skipif(not JIT, reason="needs the compiler")
@pytest.mark.parametrize(
    ("call", "cause"),
    [
        ("helper(card)", "helper is a function in plain Python; a kernel calls only kernels: write @kernel above it"),
        (
            "card + None",
            "No implementation of function Function(<built-in function add>) found for signature: add(int64, none)",
        ),
        ("card.size", "Unknown attribute 'size' of type int64"),
    ],
)
def test_error_names_line_source_and_cause(tmp_path: Path, call: str, cause: str) -> None:
    file = tmp_path / "game.py"
    file.write_text(GAME.replace("CALL", call))
    with pytest.raises(Exception, match="File") as fault:
        loaded(file).outer(3)
    assert cut_error(str(fault.value), tmp_path) == f"{file.resolve()}:11: odd = {call}: {cause}"
    assert cut_error(str(fault.value), tmp_path / "other") == ""
