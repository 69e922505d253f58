"""Every test states its cost class by a marker; docs/contributing/tests.md says what the classes are for."""

from __future__ import annotations

import gc
import os

import pytest

from houle.solver.rules.game_folders import VARIABLE
from tests.support.amounts import patience

COSTS = {
    "quick": "needs no compiler and no other program, takes less than a second",
    "compiled": "runs compiled kernels, starts a program or takes seconds",
    "browser": "opens pages in Chromium",
    "slow": "plays many games; not part of `make test`",
}
ORDINARY = "quick,compiled,browser"
# Seconds until a test that hangs fails, more on a busy machine. On a quiet one no test takes a tenth of it.
PATIENCE, LONG_PATIENCE = patience(600), patience(3 * 3600)

pytest_plugins = ["tests.support.browser"]  # the fixture `browser`


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cost", default=ORDINARY, help=f"cost classes to run (default: {ORDINARY}), or all")


def pytest_configure(config: pytest.Config) -> None:
    for name, text in COSTS.items():
        config.addinivalue_line("markers", f"{name}: {text}")


def pytest_collection(session: pytest.Session) -> None:
    """Collects no garbage while tests are collected: nearly everything that is imported stays until the end."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leaves everything that was imported out of garbage collection, which else takes a twentieth of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of the wanted classes. The nearest marker counts: one at a test overrides that of its file."""
    wanted = set(COSTS) if config.getoption("--cost") == "all" else set(config.getoption("--cost").split(","))
    if unknown := wanted - set(COSTS):
        raise pytest.UsageError(f"--cost: unknown class {', '.join(sorted(unknown))}; allowed: {', '.join(COSTS)}, all")
    kept, dropped = [], []
    for item in items:
        own = [marker.name for marker in item.own_markers if marker.name in COSTS][
            -1:
        ]  # that of a parameter comes last
        cost = next((name for name in (*own, *(marker.name for marker in item.iter_markers())) if name in COSTS), None)
        if cost is None:
            raise pytest.UsageError(f"{item.nodeid}: no cost class; mark it with one of {', '.join(COSTS)}")
        if not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_PATIENCE if cost == "slow" else PATIENCE))
        (kept if cost in wanted else dropped).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=dropped)


@pytest.fixture(autouse=True)
def no_new_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgets the folders of games that a test adds, because later tests of the same process would find them."""
    monkeypatch.setenv(VARIABLE, os.environ.get(VARIABLE, ""))
