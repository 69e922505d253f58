"""CUDA: compiles plain functions for a graphics card with numba-cuda, caches them on disk and starts them.

No other file imports numba-cuda or cuda-core. The solver's kernels are compiled for the card from the same sources as
for the CPU. Products and sums are never fused into one rounding, so floats have the same bits on both.

Machine code is cached in the same folders as that of the CPU (kernels.py). The keys contain a digest of the sources
that only the card uses.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
import numba_cuda
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, ObjectCode, Program, ProgramOptions, launch
from numba import cuda
from numba.core import types
from numba.cuda import compiler

from houle.solver.compiler import cache
from houle.solver.compiler.kernels import announce, cache_root, outside, source_digest

HERE = Path(__file__).parent
OWN = ("cuda.py", "gpu_games.py", "gpu_search.py", "gpu_tally.py")  # sources that only the card uses
REGISTERS = 144  # per thread at most: on an H200 searches are 10% faster than with 128 or 168
LENT = 8  # one part in LENT of the card's free memory is the heap of borrowed arrays
WAITING = 4  # blocks started per block that the card can hold, so that short ones make room for long ones

Capability = tuple[int, int]

card = cuda  # for functions that run on the card: card.grid, card.local.array, card.atomic.add, ...
called_on_card = cuda.jit(device=True)

turn = threading.Lock()  # one thread at a time uses the card


def is_there() -> bool:
    """Whether this machine has a usable card."""
    return bool(cuda.is_available())


def capability() -> Capability:
    """The compute capability of the card, as (9, 0) for an H200."""
    major, minor = Device().compute_capability
    return int(major), int(minor)


def intermediate(function: Callable[..., Any], arguments: tuple[Any, ...], target: Capability) -> str:
    """The function as PTX, with rounding after every product, as on the CPU.

    Tables of a game go to global memory: constant memory is small, and slow where lanes read different places of it.
    """
    library, _ = compiler._compile_pyfunc_with_fixup(
        function, types.void(*arguments), device=False, cc=target, abi="numba", opt=True
    )
    library._nvvm_options = {**library._nvvm_options, "fma": 0}
    ptx = "\n".join(library.get_asm_strs(cc=target))
    return re.sub(r"(?<![\w$])(cvta|ld)?\.const\b", r"\1.global", ptx)


def machine_code(ptx: str, target: Capability) -> bytes:
    options = ProgramOptions(arch=f"sm_{target[0]}{target[1]}", max_register_count=REGISTERS)
    return bytes(Program(ptx, "ptx", options).compile("cubin").code)


@lru_cache
def _own_digest() -> str:
    """The digest of the sources that only the card uses, and of the compiler's versions."""
    digest = hashlib.sha256(f"{numba.__version__} {numba_cuda.__version__}".encode())
    for name in OWN:
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()[:16]


def _place(name: str, arguments: tuple[Any, ...], package: str, target: Capability) -> tuple[Path, str] | None:
    """The cache file of a function and its key; None without a trusted cache, or for a game from outside houle."""
    game = package.rpartition(".")[2]
    folder = cache_root() / f"{game}-{source_digest((game,))}"
    if game in outside or not cache.make_private(cache_root(), folder):
        return None
    key = json.dumps([name, folder.name, list(map(str, arguments)), f"sm_{target[0]}{target[1]}", _own_digest()])
    return cache.file_of(folder, name, key), key


def compiled(function: Callable[..., Any], arguments: tuple[Any, ...], package: str, target: Capability) -> Any:
    """The name and machine code of a function, from the cache if possible."""
    place = _place(function.__name__, arguments, package, target)
    if place is not None and (stored := cache.load(*place)) is not None:
        return stored
    for listener in announce:
        listener(function.__name__, package.rpartition(".")[2])
    ptx = intermediate(function, arguments, target)
    code = ptx.split(".visible .entry ")[1].split("(")[0].strip(), machine_code(ptx, target)
    if place is not None:
        cache.save(*place, code)
    return code


@lru_cache
def _lend_memory() -> None:
    """Reserves memory for arrays that kernels borrow (local_arrays.py). Must run before the first kernel starts."""
    _, free, _ = driver.cuMemGetInfo()
    driver.cuCtxSetLimit(driver.CUlimit.CU_LIMIT_MALLOC_HEAP_SIZE, int(free) // LENT)


class OnCard:
    """A compiled function that can be started on the card."""

    def __init__(self, name: str, code: bytes, threads: int) -> None:
        self.threads = threads  # per block
        self.device = Device()
        self.device.set_current()
        _lend_memory()
        self.kernel = ObjectCode.from_cubin(code).get_kernel(name)
        held = self.kernel.occupancy.max_active_blocks_per_multiprocessor(threads, 0)
        self.most_blocks = max(1, int(held)) * int(self.device.properties.multiprocessor_count) * WAITING

    def blocks(self, threads: int) -> int:
        """The number of blocks for this many threads, at most `most_blocks`."""
        return max(1, min(-(-threads // self.threads), self.most_blocks))

    def __call__(self, blocks: int, *arguments: Any) -> None:
        """Runs the function and waits for it."""
        self.device.set_current()
        words = [word for argument in arguments for word in _words(argument)]
        stream = self.device.default_stream
        launch(stream, LaunchConfig(grid=blocks, block=self.threads), self.kernel, *words)
        stream.sync()


def on_card(plain: Any) -> Any:
    """A copy of an array in the memory of the card."""
    return cuda.to_device(np.ascontiguousarray(plain))


def room_on_card(shape: tuple[int, ...], dtype: Any) -> Any:
    """An uninitialised array in the memory of the card."""
    return cuda.device_array(shape, dtype)


def _words(argument: Any) -> list[Any]:
    """An argument as numba's functions expect it: an array is passed as its descriptor."""
    if not hasattr(argument, "copy_to_host"):
        return [argument]
    data = argument.__cuda_array_interface__["data"][0]
    facts = (0, 0, argument.size, argument.dtype.itemsize, data, *argument.shape, *argument.strides)
    return [np.int64(fact) for fact in facts]
