"""What decides a game: who plays, the seat, the deal, or what comes after. Shares of the outcome's variance.

Every deal is played several times with the same cards and other luck (takes), so that what differs between deals can be
told from what differs within one. A line-up of different players is taken to every seat on the same deals. The outcome
is a player's share of the win; or the player's mean score. How its variance is split: stats/variance.py. The deal is
all cards as they lie, the pile included; the rest is dice, ties, reshuffles, and what players decide at random.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.limits import SEED, SKILL_TAKES
from houle.analysis.result import interval_as_json
from houle.analysis.stats.intervals import WHOLE_WIN, Interval
from houle.analysis.stats.variance import LEAST_DEALS, variance_parts
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks, play_chunk
from houle.solver.strategies.player import LineUp
from houle.solver.tally import Counts, blank_ledger


@dataclass
class Plays:
    """Whole numbers of every play: deal x take x turn of the line-up x seat, for each of the two outcomes."""

    takes: int
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
    """The parts of the variance at one table."""

    setup: Setup
    strategies: tuple[str, ...]
    rotated: bool
    seed: int
    deals: int
    takes: int
    asked: int
    parts: dict[str, dict[str, Interval] | None]  # of "win" and of "score"; None where the outcome never varied
    digest: str
    seconds: float

    @property
    def competitive(self) -> bool:
        """Whether seats are rivals; where all are one side, neither player nor seat can have a part."""
        return not self.setup.one_sided

    @property
    def games(self) -> int:
        return self.deals * self.takes * (len(self.strategies) if self.rotated else 1)

    def as_json(self) -> dict[str, Any]:
        return {
            "strategies": list(self.strategies),
            "rotated": self.rotated,
            "deals": self.deals,
            "takes": self.takes,
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
    takes: int = SKILL_TAKES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Luck | None:
    """Plays every deal `takes` times, with a line-up of different players at every seat in turn.

    `progress` is told deals. Fewer of them after Ctrl-C; None if they are too few to say anything.
    """
    number = setup.players
    one_sided = setup.one_sided
    mixed = len(set(line_up.names)) > 1
    if mixed and one_sided:
        raise InputError("luck: all players are one side, so nobody of a line-up wins more than another")
    rotations = [
        LineUp(setup, tuple(line_up.strategies[(seat - turn) % number] for seat in range(number)))
        for turn in range(number if mixed else 1)
    ]
    sides = int(setup.rules[0].sides)
    side_of = (
        [next(iter(setup.seats_by_side))] if one_sided else [int(setup.rules[0].side[seat]) for seat in range(number)]
    )

    def job(begin: int, deals: int) -> Plays:
        ledger = blank_ledger(takes, len(rotations), deals, sides)
        for take in range(takes):
            for turn, rotation in enumerate(rotations):
                play_chunk(setup, rotation, seed, begin, deals, take, ledger=ledger[take, turn])
        read = ledger[:, :, :, side_of].transpose(2, 0, 1, 3)
        return Plays(takes, [read.share], [read.points], [read.entries])

    play_chunk(setup, line_up, seed, 0, 0, ledger=blank_ledger(0, sides))
    total = Plays(takes, [], [], [])
    seconds = in_chunks(job, total, deals, 0, threads, None, progress, first_chunk(line_up))
    if total.games < LEAST_DEALS:
        return None
    shares, points, entries = (np.concatenate(part) for part in (total.shares, total.points, total.entries))
    outcomes = {"win": shares / WHOLE_WIN, "score": points / np.maximum(entries, 1)}
    parts = {name: variance_parts(_by_player(values, mixed)) for name, values in outcomes.items()}
    name = _digest(setup, line_up, seed, takes, (shares, points, entries))
    return Luck(setup, line_up.names, mixed, seed, len(shares), takes, deals, parts, name, seconds)


def _by_player(values: NDArray[np.float64], mixed: bool) -> NDArray[np.float64]:
    """deal x take x turn x seat -> deal x take x player x seat."""
    if not mixed:
        return values
    number = values.shape[-1]
    seats = np.arange(number)
    return np.stack([values[:, :, (seats - player) % number, seats] for player in range(number)], axis=2)


def _digest(setup: Setup, line_up: LineUp, seed: int, takes: int, plays: tuple[Counts, ...]) -> str:
    held = hashlib.sha256()
    for part in plays:
        held.update(np.ascontiguousarray(part, "<i8").tobytes())
    facts = {"rules": setup.digest, "strategies": list(line_up.digests), "seed": seed, "takes": takes}
    return digest({**facts, "deals": len(plays[0]), "plays": held.hexdigest()})
