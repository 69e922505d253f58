"""Kernels are linked into entries; without numba's private names they are compiled in numba's own way."""

from __future__ import annotations

import subprocess
import sys

import numba
import numpy as np
import pytest
from llvmlite.binding import parse_assembly

from houle.solver.compiler import linking
from houle.solver.compiler.kernels import JIT, entry, kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.records import filler

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(not JIT, reason="without the compiler nothing is linked")]

SEATS, CARDS = 3, 5


@kernel
def _next(number):  # type: ignore[no-untyped-def]
    return number + 1


@outlined
def _add(number, sums):  # type: ignore[no-untyped-def]
    for i in range(len(sums)):
        sums[i] += _next(number)
    return _next(number) * 2


@outlined
def _twice(number, sums):  # type: ignore[no-untyped-def]
    return _add(number, sums) + _add(number, sums)


@kernel
def _thrice(number, sums):  # type: ignore[no-untyped-def]
    return _add(number, sums) + _add(number, sums) + _add(number, sums)


RECORD = np.dtype([("kept", "i8"), ("one", "f8", 1), ("two", "f8", 2), ("row", "i2", 3)], align=True)
_clear = filler(RECORD, {"one": 0, "two": 0, "row": -1})


@entry
def _fill(records):  # type: ignore[no-untyped-def]
    _clear(records[0])


@kernel
def _marks(number):  # type: ignore[no-untyped-def]
    """Marks one place of a new table, which must be empty."""
    table = local_zeros((SEATS, CARDS), np.uint8)
    order = local_empty(SEATS, np.int64)
    for seat in range(SEATS):
        order[seat] = (number + seat) % SEATS
    table[order[0], number % CARDS] += 1
    return table.sum()


@entry
def _marks_left(number):  # type: ignore[no-untyped-def]
    most = 0
    for i in range(number):
        most = max(most, _marks(i))
    return most


def test_idle_compiler_passes_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: dict[str, list[str]] = {}
    run = linking._Passes._runPass

    def noted(self, index, step, state):  # type: ignore[no-untyped-def]
        ran.setdefault(state.func_id.func_name, []).append(type(step).__name__)
        run(self, index, step, state)

    @kernel
    def bare(number):  # type: ignore[no-untyped-def]
        return number * 3

    @kernel
    def holding(number):  # type: ignore[no-untyped-def]
        def more(other):  # type: ignore[no-untyped-def]
            return other + number

        return more(1) + more(2)

    monkeypatch.setattr(linking._Passes, "_runPass", noted)
    assert numba.njit(lambda number: bare(number) + holding(number))(4) == 12 + 11
    assert {*ran["bare"]}.isdisjoint(linking.IDLE | linking.NESTED | linking.NAMED.keys())
    assert {*ran["holding"]} >= linking.NESTED
    assert "NativeLowering" in ran["bare"]


def test_outlined_kernels_stay_calls_inside_inlined_ones() -> None:
    numba.njit(lambda number, sums: _thrice(number, sums))(1, np.zeros(3, np.int8))
    attributes = {
        name: {*library._final_module.get_function(made.fndesc.llvm_func_name).attributes}
        for name, kernel in (("inlined", _thrice), ("outlined", _add))
        for made in kernel.overloads.values()
        for library in [made.library]
    }
    assert b"alwaysinline" in attributes["inlined"]
    assert b"alwaysinline" not in attributes["outlined"]


def test_fields_are_filled_with_0_or_minus_1() -> None:
    records = np.ones(1, RECORD).view(np.recarray)
    _fill(records)
    assert records[0].kept == 1
    assert records[0].one.tolist() == [0]
    assert records[0].two.tolist() == [0, 0]
    assert records[0].row.tolist() == [-1, -1, -1]


def test_kernels_are_private_to_their_entry() -> None:
    own = numba.njit(lambda number, sums: _twice(number, sums), pipeline_class=linking.ENTRY_PIPELINE)
    assert own(1, np.zeros(2, np.int64)) == 8
    (made,) = own.overloads.values()
    open_to_all = [found.name for found in made.library.get_defined_functions() if found.linkage.name != "internal"]
    assert made.fndesc.llvm_func_name in open_to_all
    assert not any("_add" in name or "_twice" in name for name in open_to_all)


def test_local_arrays_are_fresh_at_every_call() -> None:
    assert _marks_left(1000) == 1


def test_local_arrays_need_constant_sizes() -> None:
    @entry
    def grown(number):  # type: ignore[no-untyped-def]
        return local_zeros(number, np.int64).sum()

    with pytest.raises(numba.core.errors.TypingError, match="must be a constant"):
        grown(3)


def test_kernels_compile_without_numbas_private_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert linking.POSSIBLE
    monkeypatch.delattr(linking.JITCodeLibrary, "get_pointer_to_function")
    assert not linking._is_possible()
    monkeypatch.undo()
    monkeypatch.setattr(linking, "POSSIBLE", False)
    plain = linking.linked(lambda number: number + 1)
    assert plain(2) == 3
    assert plain.overloads


CODE = """
from numba.core.compiler import CompileResult
del CompileResult._rebuild
from houle.solver.compiler.kernels import entry

@entry
def next_number(number):
    return number + 1

print(next_number(1), next_number(2.5))
"""


def test_without_numbas_cache_every_run_compiles() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "2 3.5\n"
    said = [line for line in run.stderr.splitlines() if "compiled code is not cached" in line]
    assert len(said) == 1
    assert "every run compiles again" in said[0]


def _library(text: str, *below: linking._KernelLibrary) -> linking._KernelLibrary:
    """The intermediate code of a kernel, and the libraries of its callees."""
    made = linking._KernelLibrary.__new__(linking._KernelLibrary)
    made._final_module, made._linking_libraries = parse_assembly(text), list(below)
    return made


def test_a_function_needed_later_is_linked() -> None:
    """A kernel that nothing calls comes first and brings `_ZN3min`; the kernel that calls it comes later."""
    smaller = _library("define linkonce_odr i64 @_ZN3min(i64 %n) { ret i64 %n }")
    unused = _library("define linkonce_odr i64 @_ZN6unused(i64 %n) { ret i64 %n }", smaller)
    call = "define linkonce_odr i64 @{}(i64 %n) {{ %m = call i64 @{}(i64 %n) ret i64 %m }} declare i64 @{}(i64)"
    called = _library(call.format("_ZN6called", "_ZN3min", "_ZN3min"), smaller)
    whole = parse_assembly(call.format("_ZN5entry", "_ZN6called", "_ZN6called"))
    linking._link_all(whole, _library("", unused, called))
    assert {one.name for one in whole.functions if not one.is_declaration} == {"_ZN5entry", "_ZN6called", "_ZN3min"}
    assert not any(one.is_declaration for one in whole.functions)
