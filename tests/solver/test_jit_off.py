"""With the compiler off the same code runs as plain Python and gives the same integers."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from houle.solver.rules import game_names
from tests.support.call import said_without_compiler
from tests.support.plain import LEVELS, results

pytestmark = pytest.mark.compiled


@cache
def without_compiler(choice: str) -> Any:
    """Results of all games from one process, because each new process imports everything again."""
    return said_without_compiler("-m", "tests.support.plain", choice)


@pytest.mark.parametrize("choice", ["few", *(pytest.param(name, marks=pytest.mark.slow) for name in ("all", LEVELS))])
@pytest.mark.parametrize("game", game_names())
def test_jit_off_equals_jit_on(game: str, choice: str) -> None:
    plain = without_compiler(choice)[game]
    compiled = json.loads(json.dumps(results(game, choice)))
    assert plain.pop("jit") is False
    assert compiled.pop("jit") is True
    assert plain == compiled
