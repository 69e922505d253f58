"""What decides a game: the player, the seat, the deal, or later luck, as shares of the outcome's variance.

Every deal is played several times with the same cards and other luck (replays), which separates the variance between
deals from the variance within a deal. Different players rotate through all seats on the same deals. The outcome is a
player's share of the win, or the mean score; stats/variance.py splits its variance. The deal is all cards as they lie,
the pile included; the rest is dice, ties, reshuffles and random choices of players.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houle.analysis.result import Record
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import Play
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.variance import LEAST_DEALS, Vector, variance_parts
from houle.analysis.strategy.replays import play_replays
from houle.solver.errors import RulesError
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, digest


@dataclass(frozen=True)
class LuckShares:
    """The parts of the variance in one setup."""

    setup: Setup
    strategies: tuple[str, ...]
    rotated: bool
    deals: int
    replays: int
    parts: dict[str, dict[str, Estimate] | None]  # of "win" and "score"; None if the outcome never varied
    digest: str
    seconds: float

    @property
    def competitive(self) -> bool:
        """Whether players compete; if all are one side, neither player nor seat has a part."""
        return not self.setup.one_sided

    @property
    def games(self) -> int:
        return self.deals * self.replays * (len(self.strategies) if self.rotated else 1)

    def record(self) -> Record:
        return {
            "strategies": self.strategies,
            "rotated": self.rotated,
            "deals": self.deals,
            "replays": self.replays,
            "games": self.games,
            "result_digest": self.digest,
            **self.parts,
        }


def rotations(line_up: LineUp) -> list[LineUp]:
    """A line-up with every player in every seat in turn; only itself if all players are the same."""
    number, players = line_up.setup.players, line_up.strategies
    turns = number if len(set(line_up.names)) > 1 else 1
    return [LineUp(line_up.setup, tuple(players[(i - turn) % number] for i in range(number))) for turn in range(turns)]


def luck_shares(line_up: LineUp, replays: int, spec: RunSpec) -> LuckShares | None:
    """Play every deal `replays` times; different players take every seat in turn.

    Fewer deals after Ctrl-C; None if they are too few to say anything.
    """
    setup, number = line_up.setup, line_up.setup.players
    mixed = len(set(line_up.names)) > 1
    if mixed and setup.one_sided:
        raise RulesError(
            "line-up: all players are one side in this setup, so different players cannot be compared; give no line-up"
        )
    seated = rotations(line_up)
    sides = [int(setup.rules[0].side[seat]) for seat in range(number)]
    if setup.one_sided:
        sides = list(setup.seats_by_side)
    plays = [Play(rotation, replay) for replay in range(replays) for rotation in seated]
    played = play_replays(plays, sides, spec)
    if played.games < LEAST_DEALS:
        return None
    shape = (played.games, replays, len(seated), len(sides))
    parts = {name: variance_parts(_by_player(values.reshape(shape), mixed)) for name, values in played.outcomes.items()}
    facts = {"rules": setup.digest, "strategies": list(line_up.digests), "seed": spec.seed, "takes": replays}
    name = digest({**facts, "deals": played.games, "plays": played.digest()})
    return LuckShares(setup, line_up.names, mixed, played.games, replays, parts, name, played.seconds)


def _by_player(values: Vector, mixed: bool) -> Vector:
    """deal x replay x rotation x seat -> deal x replay x player x seat."""
    if not mixed:
        return values
    number = values.shape[-1]
    seats = np.arange(number)
    return np.stack([values[:, :, (seats - player) % number, seats] for player in range(number)], axis=2)
