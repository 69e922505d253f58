"""The setups that shared tests play: every player count, variant and knob of every game."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from houle.solver.rules import Setup, game_names, make_setup


def module(game: str) -> Any:
    return importlib.import_module(f"tests.cases.{game.replace('-', '_')}")


def setups(game: str) -> Iterator[Setup]:
    for players, variants, settings in module(game).CASES:
        yield make_setup(game, players, variants, settings)


@cache
def knowledge(game: str) -> list[Setup]:
    """The setups that differ in what a seat knows; in most games these are all setups."""
    of = module(game)
    return [make_setup(game, *case) for case in getattr(of, "KNOWLEDGE", of.CASES)]


def all_cases() -> list[tuple[str, int]]:
    """(game, number of the case) for parametrized tests."""
    return [(game, i) for game in game_names() for i in range(len(module(game).CASES))]


def case(game: str, number: int) -> Setup:
    players, variants, settings = module(game).CASES[number]
    return make_setup(game, players, variants, settings)


def name(setup: Setup) -> str:
    """A short name for reports and golden files."""
    parts = [f"p{setup.players}", *setup.variants, *(f"{knob}={setup.options[knob]}" for knob in setup.changed)]
    return " ".join(str(part) for part in parts)
