"""The device that plays games: the CPU or a graphics card. Results are the same on both.

`HOULE_DEVICE` (cpu or gpu) applies to a process and those it starts; the option `--device` sets it.
"""

from __future__ import annotations

import importlib.util
import os
import warnings

import numpy as np

from houle.solver.compiler.kernels import JIT
from houle.solver.compiler.types import Player
from houle.solver.errors import DeviceError
from houle.solver.players.names import FLAT, RANDOM, THUMB
from houle.solver.players.player import EXTRAS, LineUp
from houle.solver.rules import nearest

VARIABLE = "HOULE_DEVICE"
CPU, GPU = DEVICES = ("cpu", "gpu")
NEEDED = ("numba_cuda", "cuda")  # what the extra `gpu` installs

_warned: set[str] = set()


def chosen_device() -> str:
    """The device of HOULE_DEVICE, by default the CPU. Raises DeviceError for an unknown name."""
    name = os.environ.get(VARIABLE) or CPU
    if name not in DEVICES:
        raise DeviceError(f"{VARIABLE}: {name!r} is not a device{nearest(name, DEVICES)}")
    return name


def choose_device(name: str) -> None:
    """Sets the device of this process and those it starts. Raises DeviceError if it cannot be used."""
    if name == GPU:
        check_card()
    os.environ[VARIABLE] = name


def check_card() -> None:
    """Raises DeviceError if there is no usable graphics card."""
    if not JIT:
        raise DeviceError("--device gpu: needs the compiler, which NUMBA_DISABLE_JIT switches off")
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise DeviceError("--device gpu: numba-cuda is not installed; pip install 'houle[gpu]'")
    from houle.solver.run import cuda  # loads CUDA

    if not cuda.is_there():
        raise DeviceError("--device gpu: there is no CUDA graphics card on this machine; use --device cpu")


def plays_on_card(*line_ups: LineUp, device: str | None = None) -> bool:
    """Whether a graphics card plays these line-ups. Warns once about players that only the CPU supports."""
    if (device or chosen_device()) == CPU:
        return False
    seated = [pair for line_up in line_ups for pair in zip(line_up.names, line_up.records, strict=True)]
    others = {name for name, player in seated if not _fits_a_card(player)}
    if others:
        _warn(f"{', '.join(sorted(others))}: played on the CPU; a graphics card plays random, thumb and flat only")
        return False
    if any(_needs_signals(line_up) for line_up in line_ups):
        _warn("signals: played on the CPU; with signals a graphics card plays only games of random or of thumbs")
        return False
    check_card()
    return True


def _needs_signals(line_up: LineUp) -> bool:
    """Whether searches, or random players beside others, give signals: the card has no code for these."""
    kinds = {int(player.kind) for player in line_up.records}
    return line_up.setup.has_signals and kinds not in ({RANDOM}, {THUMB})


def _fits_a_card(player: Player) -> bool:
    """Whether a card can play this player: ismcts and the extras of flat search need the CPU.

    The record decides, because weights can set extras too.
    """
    return bool(player.kind <= THUMB or (player.kind == FLAT and not any(np.any(player[name]) for name in EXTRAS)))


def _warn(line: str) -> None:
    if line not in _warned:
        _warned.add(line)
        warnings.warn(line, stacklevel=3)
