"""Where games are played: on the CPU, or on a graphics card. Never part of a result, which is the same on both.

`HOULE_DEVICE` (cpu or gpu) says it for a process and all that it starts; `--device` of a command sets it.
"""

from __future__ import annotations

import importlib.util
import os
import warnings
from typing import Any

from houle.solver.errors import InputError
from houle.solver.kernels import JIT
from houle.solver.playout import play_chunk as play_on_cpu
from houle.solver.ruleset import Setup, nearest
from houle.solver.strategies.names import FLAT, THUMB
from houle.solver.strategies.player import EXTRAS, LineUp, seat_strategies
from houle.solver.tally import Tally
from houle.solver.types import Player

VARIABLE = "HOULE_DEVICE"
CPU, GPU = DEVICES = ("cpu", "gpu")
NEEDED = ("numba_cuda", "cuda")  # what the extra `gpu` installs

_told: set[str] = set()


def chosen_device() -> str:
    """What HOULE_DEVICE says; a RulesetError where that is no device."""
    name = os.environ.get(VARIABLE) or CPU
    if name not in DEVICES:
        raise InputError(f"{VARIABLE}: {name!r} is no device{nearest(name, DEVICES)}")
    return name


def choose_device(name: str) -> None:
    """Plays there from now on, in this process and those it starts; refuses in one line what cannot be."""
    if name == GPU:
        check_card()
    os.environ[VARIABLE] = name


def check_card() -> None:
    """A RulesetError where there is no card to play on."""
    if not JIT:
        raise InputError("--device gpu: needs the compiler, which NUMBA_DISABLE_JIT has switched off")
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise InputError("--device gpu: numba-cuda is not installed; pip install 'houle[gpu]' installs it")
    from houle.solver.run import cuda  # loads CUDA

    if not cuda.is_there():
        raise InputError("--device gpu: there is no CUDA graphics card that can be used here; --device cpu plays on")


def plays_on_card(*line_ups: LineUp) -> bool:
    """Whether games of these line-ups are played on a card; says once what is left to the CPU instead."""
    if chosen_device() == CPU:
        return False
    seated = [pair for line_up in line_ups for pair in zip(line_up.names, line_up.records, strict=True)]
    others = {name for name, player in seated if not _fits_a_card(player)}
    if others:
        _tell(f"{', '.join(sorted(others))}: played on the CPU; a card plays random, greedy, novice, thumb and flat")
        return False
    check_card()
    return True


def _fits_a_card(player: Player) -> bool:
    """A tree of ismcts and what the extras of flat search remember are the CPU's alone.

    It is the record that says what a player has: weights give it extras as well as a name does.
    """
    return bool(player.kind <= THUMB or (player.kind == FLAT and not any(player[name] for name in EXTRAS)))


def _tell(line: str) -> None:
    if line not in _told:
        _told.add(line)
        warnings.warn(line, stacklevel=3)


def play_chunk(
    setup: Setup,
    strategies: tuple[str, ...] | LineUp,
    seed: int,
    first: int,
    number: int,
    replay: int = 0,
    ledger: Any = None,
    **apart: Any,
) -> Tally:
    """`playout.play_chunk` on the device that was chosen; states kept apart (openings, endings) are the CPU's alone."""
    line_up = strategies if isinstance(strategies, LineUp) else seat_strategies(setup, strategies)
    if any(part is not None for part in apart.values()) or not plays_on_card(line_up):
        return play_on_cpu(setup, line_up, seed, first, number, replay, ledger, **apart)
    from houle.solver.run.gpu_chunk import play_chunk_on_card  # loads CUDA

    return play_chunk_on_card(setup, line_up, seed, first, number, replay, ledger)
