"""What decides a game: the player, the seat, the deal, or later luck, as shares of the outcome's variance.

Every deal is played several times with the same cards and other luck (replays), which separates the variance between
deals from the variance within a deal. Different players rotate through all seats on the same deals. The outcome is a
player's share of the win, or the mean score; stats/variance.py splits its variance. The deal is all cards as they lie,
the pile included; the rest is dice, ties, reshuffles and random choices of players.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.limits import SEED, SKILL_REPLAYS
from houle.analysis.result import interval_as_json
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.stats.variance import LEAST_DEALS, variance_parts
from houle.solver.errors import RulesError
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks, play_chunk
from houle.solver.strategies.player import LineUp
from houle.solver.tally import Counts, blank_ledger


@dataclass
class Plays:
    """Whole numbers by deal x replay x rotation of the line-up x seat, for both outcomes."""

    replays: int
    shares: list[Counts]
    points: list[Counts]
    entries: list[Counts]

    @property
    def games(self) -> int:
        """Deals, as chunks count them."""
        return sum(map(len, self.shares))

    def add(self, other: Plays) -> None:
        self.shares += other.shares
        self.points += other.points
        self.entries += other.entries


@dataclass(frozen=True)
class Luck:
    """The parts of the variance in one setup."""

    setup: Setup
    strategies: tuple[str, ...]
    rotated: bool
    seed: int
    deals: int
    replays: int
    asked: int
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

    def as_json(self) -> dict[str, Any]:
        return {
            "strategies": list(self.strategies),
            "rotated": self.rotated,
            "deals": self.deals,
            "replays": self.replays,
            "games": self.games,
            "result_digest": self.digest,
            **{
                outcome: {part: interval_as_json(share) for part, share in shares.items()} if shares else None
                for outcome, shares in self.parts.items()
            },
        }


def luck_shares(
    setup: Setup,
    line_up: LineUp,
    deals: int,
    replays: int = SKILL_REPLAYS,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Luck | None:
    """Play every deal `replays` times; different players take every seat in turn.

    `progress` counts deals. Fewer deals after Ctrl-C; None if they are too few to say anything.
    """
    number = setup.players
    one_sided = setup.one_sided
    mixed = len(set(line_up.names)) > 1
    if mixed and one_sided:
        raise RulesError("luck: all players are one side, so no player of a line-up wins more than another")
    rotations = [
        LineUp(setup, tuple(line_up.strategies[(seat - turn) % number] for seat in range(number)))
        for turn in range(number if mixed else 1)
    ]
    sides = int(setup.rules[0].sides)
    side_of = (
        [next(iter(setup.seats_by_side))] if one_sided else [int(setup.rules[0].side[seat]) for seat in range(number)]
    )

    def job(begin: int, deals: int) -> Plays:
        ledger = blank_ledger(replays, len(rotations), deals, sides)
        for replay in range(replays):
            for turn, rotation in enumerate(rotations):
                play_chunk(setup, rotation, seed, begin, deals, replay, ledger=ledger[replay, turn])
        read = ledger[:, :, :, side_of].transpose(2, 0, 1, 3)
        return Plays(replays, [read.share], [read.points], [read.entries])

    play_chunk(setup, line_up, seed, 0, 0, ledger=blank_ledger(0, sides))
    total = Plays(replays, [], [], [])
    seconds = in_chunks(job, total, deals, 0, threads, None, progress, first_chunk(line_up))
    if total.games < LEAST_DEALS:
        return None
    shares, points, entries = (np.concatenate(part) for part in (total.shares, total.points, total.entries))
    outcomes = {"win": shares / WHOLE_WIN, "score": points / np.maximum(entries, 1)}
    parts = {name: variance_parts(_by_player(values, mixed)) for name, values in outcomes.items()}
    name = _digest(setup, line_up, seed, replays, (shares, points, entries))
    return Luck(setup, line_up.names, mixed, seed, len(shares), replays, deals, parts, name, seconds)


def _by_player(values: NDArray[np.float64], mixed: bool) -> NDArray[np.float64]:
    """deal x replay x rotation x seat -> deal x replay x player x seat."""
    if not mixed:
        return values
    number = values.shape[-1]
    seats = np.arange(number)
    return np.stack([values[:, :, (seats - player) % number, seats] for player in range(number)], axis=2)


def _digest(setup: Setup, line_up: LineUp, seed: int, replays: int, plays: tuple[Counts, ...]) -> str:
    held = hashlib.sha256()
    for part in plays:
        held.update(np.ascontiguousarray(part, "<i8").tobytes())
    facts = {"rules": setup.digest, "strategies": list(line_up.digests), "seed": seed, "takes": replays}
    return digest({**facts, "deals": len(plays[0]), "plays": held.hexdigest()})
