"""The setups that shared tests play: every number of players, variant and knob of every game.

The ordinary run plays the usual game and the few cases that together have every number of players, every variant and
every value of every knob. The slow run plays all cases.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from houle.solver.rules import Setup, game_names, make_setup


def module(game: str) -> Any:
    return importlib.import_module(f"tests.cases.{game.replace('-', '_')}")


@cache
def setups(game: str) -> list[Setup]:
    """All cases of a game."""
    return [make_setup(game, *case) for case in module(game).CASES]


@cache
def few(game: str) -> list[Setup]:
    """The cases of the ordinary run."""
    every, usual = setups(game), make_setup(game)
    chosen = covering(every, 1)
    return [setup for setup in every if setup in chosen or traits(setup) == traits(usual)]


@cache
def knowledge(game: str) -> list[Setup]:
    """The setups that differ in what a seat knows; in most games these are all setups."""
    of = module(game)
    return [make_setup(game, *case) for case in getattr(of, "KNOWLEDGE", of.CASES)]


@cache
def few_knowledge(game: str) -> list[Setup]:
    """The setups of the ordinary run that differ in what a seat knows; where rules combine, every pair of them."""
    return covering(knowledge(game), 2) if hasattr(module(game), "KNOWLEDGE") else few(game)


Choice = Callable[[str], list[Setup]]
CHOICES = [pytest.param(few, id="few"), pytest.param(setups, id="all", marks=pytest.mark.slow)]
KNOWLEDGE = [pytest.param(few_knowledge, id="few"), pytest.param(knowledge, id="all", marks=pytest.mark.slow)]


def traits(setup: Setup) -> list[Hashable]:
    """The number of players, the variants, and every knob with its value."""
    knobs = [(knob, str(value)) for knob, value in setup.options.items()]
    return [setup.players, *sorted(setup.variants), *sorted(knobs)]


def covering(every: Sequence[Setup], size: int) -> list[Setup]:
    """Few setups that have every trait of the given ones (`size` 1), or every pair of traits (`size` 2).

    Each step takes the setup with most traits that are still missing, and the first of equal ones.
    """
    having = {number: set(combinations(traits(setup), size)) for number, setup in enumerate(every)}
    missing, chosen = set().union(*having.values()), []
    while missing:
        best = max(having, key=lambda number: len(having[number] & missing))
        chosen.append(best)
        missing -= having.pop(best)
    return [every[number] for number in sorted(chosen)]


def name(setup: Setup) -> str:
    """A short name for reports and golden files."""
    parts = [f"p{setup.players}", *setup.variants, *(f"{knob}={setup.options[knob]}" for knob in setup.changed)]
    return " ".join(str(part) for part in parts)
