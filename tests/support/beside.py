"""The reference implementations of the shipped games, in the form of a game's plain.py."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.solver.plain.plain_class import PlainClass
from houle.solver.plain.random_streams import Chance, Luck
from houle.solver.rules import Setup
from tests import cases


@dataclass(frozen=True)
class Reference(PlainClass):
    """A reference for one setup, with its knobs or what the game's cases make of them."""

    setup: Setup

    @property
    def file_name(self) -> str:
        return "the reference"

    def open(self, players: int, settings: Mapping[str, Any], luck: Luck, chance: Chance) -> Any:
        own = getattr(cases.module(self.setup.ruleset.name), "reference_knobs", None)
        return super().open(players, own(self.setup) if own else settings, luck, chance)


def reference(setup: Setup) -> Reference:
    module = importlib.import_module(f"tests.reference.{setup.ruleset.name.replace('-', '_')}")
    asks = ("players", "knobs", "deal", "chance")
    return Reference(
        path=Path(str(module.__file__)),
        made=module.Game,
        asks=asks,
        options={},
        by_players={},
        rules=None,
        named={},
        sources={},
        setup=setup,
    )
