"""Versions of what made a report."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("houle", "numba", "numpy", "scipy", "pandas", "matplotlib", "jinja2")


def versions() -> dict[str, str]:
    """Python and every package that is installed, by name."""
    numbers = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            numbers[name] = version(name)
        except PackageNotFoundError:
            continue
    return numbers


def versions_text() -> str:
    """`Python 3.11.7, houle 0.1.0, numba ...`."""
    return ", ".join(f"{name} {number}" for name, number in versions().items())


def made_by() -> str:
    """`houle 0.1.0`."""
    return f"houle {versions().get('houle', 'of unknown version')}"
