"""Every test states its cost class by a marker; tests/README.md says what the classes are for."""

from __future__ import annotations

import pytest

COSTS = {
    "quick": "needs no compiler, no other program and less than a second; run by `make quick` too",
    "compiled": "runs compiled kernels, starts a program or takes seconds",
    "browser": "opens pages in Chromium; run by `make browser` too",
    "slow": "plays many games; left out of `make test`, run by `make slow`",
    "gpu": "needs a CUDA graphics card; left out of `make test`, run by `make gpu`",
}
# Seconds until a test that hangs fails. On a quiet machine no ordinary test takes a tenth of it.
PATIENCE, LONG_PATIENCE = 600, 3 * 3600


def pytest_configure(config: pytest.Config) -> None:
    for name, text in COSTS.items():
        config.addinivalue_line("markers", f"{name}: {text}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        names = {marker.name for marker in item.iter_markers()}
        if not names & set(COSTS):
            raise pytest.UsageError(f"{item.nodeid}: no cost class; mark it with one of {', '.join(COSTS)}")
        if "timeout" not in names:
            item.add_marker(pytest.mark.timeout(LONG_PATIENCE if "slow" in names else PATIENCE))
