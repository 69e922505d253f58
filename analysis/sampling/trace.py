"""One game move by move, as data: the game that `simulate` counts under the same seed and number."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from houle.analysis.limits import MOST_SEED, SEED, check_int
from houle.analysis.result import setup_as_json, words_of_setup
from houle.analysis.sampling.lineups import Strategies, as_setup, line_up
from houle.solver.position import Table
from houle.solver.ruleset import RulesetError, Setup

MOST_INDEX = 2**62


@dataclass(frozen=True)
class Ply:
    """One decision: who moved with whose hand, what was possible, what was done, and the table after it."""

    number: int  # from 1
    seat: int
    acting: int  # whose hand is used; another one where a dummy's cards are played
    possible: tuple[str, ...]
    action: str
    after: dict[str, Any]
    shown: str  # the table after it, as the game shows it

    def as_json(self) -> dict[str, Any]:
        return {
            "ply": self.number,
            "seat": self.seat,
            "acting": self.acting,
            "possible": list(self.possible),
            "action": self.action,
            "after": self.after,
        }


@dataclass(frozen=True)
class Trace:
    """A whole game."""

    setup: Setup
    strategies: tuple[str, ...]
    seed: int
    game: int
    start: dict[str, Any]
    shown: str  # the table at the start, as the game shows it
    plies: tuple[Ply, ...]
    result: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The object that `houle trace --json` prints."""
        return {
            **setup_as_json(self.setup),
            "strategies": list(self.strategies),
            "seed": self.seed,
            "index": self.game,
            "rules_digest": self.setup.digest,
            "notes": list(self.setup.notes),
            "start": self.start,
            "plies": [ply.as_json() for ply in self.plies],
            "result": self.result,
        }

    def repeat(self, setup_words: list[str] | None = None) -> str:
        """The command that shows this game again; `setup_words` where the table was typed as a command."""
        words = ["trace", *(words_of_setup(self.setup) if setup_words is None else setup_words), "-s"]
        words.append(self.strategies[0] if len(set(self.strategies)) == 1 else ",".join(self.strategies))
        return shlex.join(["houle", *words, "--seed", str(self.seed), "--game", str(self.game)])


def trace(setup: Setup | str, *, strategies: Strategies = None, seed: int = SEED, game: int = 0) -> Trace:
    """Replay one game move by move.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Who decides: one for all players, or one each; the thumb where the game has one.
    seed, game : int
        Which game: the one that `simulate` counts under this number of the seed.

    Returns
    -------
    Trace
        What was possible and what was done at every decision, with the table before and after it.

    Examples
    --------
    >>> from houle import analysis as houle
    >>> game = houle.trace("wave", strategies="random", seed=7, game=3)
    >>> game.plies[0].seat, game.plies[0].action
    (0, 'play white 3')
    """
    table_setup = as_setup(setup)
    check_int("seed", seed, 0, MOST_SEED)
    check_int("game", game, 0, MOST_INDEX)
    seated = line_up(table_setup, strategies)
    if any(strategy.name == "clairvoyant" for strategy in seated.strategies):
        raise RulesetError("strategies: clairvoyant finds whole games, it cannot be traced move by move")
    table = Table(table_setup, seed, game)
    start, shown = table.snapshot(), _shown(table)
    plies: list[Ply] = []
    while (seat := table.to_move()) >= 0:
        action = table.decide(seated)
        name, possible = table.name(action), tuple(table.names())
        acting = int(getattr(table.state, "acting", seat))
        table.apply(action)
        plies.append(Ply(len(plies) + 1, seat, acting, possible, name, table.snapshot(), _shown(table)))
    return Trace(table_setup, seated.names, seed, game, start, shown, tuple(plies), table.result())


def _shown(table: Table) -> str:
    return str(table.setup.game.show(table.state, table.setup))
