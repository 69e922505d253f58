"""The device that plays: without the libraries of a graphics card, one line says what to install."""

from __future__ import annotations

import importlib.util

import pytest

from houle.solver.errors import DeviceError
from houle.solver.run.device import choose_device

pytestmark = pytest.mark.quick


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houle.solver.run.device.JIT", True)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DeviceError, match=r"numba-cuda is not installed; pip install 'houle\[gpu\]'"):
        choose_device("gpu")
