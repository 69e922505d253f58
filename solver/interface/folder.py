"""Reads the modules in the folder of a game: `define` takes its kernels from them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any


def file_of(package: str, name: str) -> ModuleType | None:
    """A file of a game's folder as a module; None if the game does not have it."""
    full = f"{package}.{name}"
    there = hasattr(sys.modules[package], "__path__") and importlib.util.find_spec(full) is not None
    return importlib.import_module(full) if there else None


def value_in_files(package: str, file: str, name: str) -> Any:
    """The value of a name in a file of the game's folder, or in the module itself; None if it is in neither."""
    modules = (file_of(package, file), sys.modules[package])
    values = (getattr(module, name, None) for module in modules if module is not None)
    return next((value for value in values if value is not None and not isinstance(value, ModuleType)), None)
