"""Toy games whose luck and skill are known, to test what the analyses find in real ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from houle.solver.interface import Game
from houle.solver.players.names import Strategy, parse
from houle.solver.rules import Ruleset, Setup
from tests.support.toys import coin

RULESET = Ruleset("coin", title="COIN", about="A toy.", players=(1, 2, 3, 4), score="points", knobs={}, variants={})


@dataclass(frozen=True)
class ToySetup(Setup):
    """A setup of a game that is not part of houle."""

    @cached_property
    def game(self) -> Game:
        return coin.GAME


def toy(mode: str, players: int = 2, team: bool = False, decisions: int = 6, moves: int = 3) -> Setup:
    """The coin game; `mode` says what decides it, see coin.MODES."""
    options: dict[str, Any] = {"mode": mode, "team": team, "decisions": decisions, "moves": moves}
    return ToySetup(RULESET, players, (), options)


def toy_player(text: str, right: int = 1) -> Strategy:
    """A strategy for the coin game with a weight for the right move: -1 plays wrong on purpose, 0 ignores it."""
    plain = parse(text)
    entry = {"weights": {"right": right, "idle": 1}}
    return Strategy(plain.text, plain.name, budget=plain.budget, options=plain.options, entry=entry)
