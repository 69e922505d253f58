"""What decides a game: who plays, the seat, the deal, or what comes after. Shares of the outcome's variance.

Every deal is played several times with the same cards and other luck (takes), so that what differs between deals can be
told from what differs within one. A line-up of different players is taken to every seat on the same deals. The outcome
is a player's share of the win; or the player's mean score. Its variance is the sum of four parts:

    player   between the means of the players of the line-up; none where all play alike
    seat     between the seats, for the same player
    deal     between deals, for the same player at the same seat
    rest     within a deal: dice, ties, reshuffles, and what players decide at random

The deal is all cards as they lie, the pile included. Of every part what chance alone would make of it is taken off,
so that a part that is nothing reads 0 on average and may read below. Intervals are jackknifed over the deals.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.sampling.same_deals import seats_of
from houle.analysis.stats.clusters import Vector
from houle.analysis.stats.intervals import LEVEL, Interval, plain, t_quantile
from houle.solver.playout import play_chunk
from houle.solver.ruleset import RulesetError, Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks
from houle.solver.strategies.player import LineUp
from houle.solver.tally import Counts, blank_ledger

TAKES = 4
LEAST = 3  # deals of which one can be left out
PARTS = ("player", "seat", "deal", "rest")
WIN, SCORE = "win", "score"


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
        return len(seats_of(self.setup)) > 1

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
                outcome: {part: plain(one) for part, one in found.items()} if found else None
                for outcome, found in self.parts.items()
            },
        }


def variance_parts(values: NDArray[np.float64], level: float = LEVEL) -> dict[str, Interval] | None:
    """The shares of the four parts, from values of deal x take x player x seat; None where nothing varies.

    Of the last two axes either each player was at each seat, or there is one player (all play alike).
    """
    deals, takes = values.shape[:2]
    if deals < LEAST or takes < 2:
        raise ValueError("it takes three deals and two takes to tell parts of a variance apart")
    mean = values.mean(axis=1)  # deal x player x seat
    within = values.var(axis=1, ddof=1).reshape(deals, -1).mean(axis=1)
    player = mean.mean(axis=2) - mean.mean(axis=(1, 2))[:, None]
    seat = (mean - mean.mean(axis=2, keepdims=True)).reshape(deals, -1)
    cells = mean.reshape(deals, -1)
    sizes = [player.shape[1], seat.shape[1], cells.shape[1]]
    columns = np.concatenate([player, seat, cells, player**2, seat**2, cells**2, within[:, None]], axis=1)
    whole = columns.mean(axis=0)
    found = _shares(whole[None], deals, takes, sizes)[0]
    if not np.isfinite(found).all():
        return None
    without_one = (deals * whole - columns) / (deals - 1)
    apart = _shares(without_one, deals - 1, takes, sizes)
    errors = np.sqrt((deals - 1) * apart.var(axis=0))
    half = t_quantile(deals - 1, level) * errors
    return {
        part: Interval(float(x), float(x - h), float(x + h), deals)
        for part, x, h in zip(PARTS, found, half, strict=True)
    }


def _shares(means: Vector, deals: int, takes: int, sizes: list[int]) -> Vector:
    """The four shares from means over deals, a row each: first moments, second moments, variance within a deal."""
    ends = np.cumsum([*sizes, *sizes])
    first, second = np.split(means[:, :-1], ends[:-1], axis=1)[:3], np.split(means[:, :-1], ends[:-1], axis=1)[3:]
    within = means[:, -1]
    spreads = [np.maximum(b - a**2, 0.0) * deals / (deals - 1) for a, b in zip(first, second, strict=True)]
    # What the means of deals vary by chance is no difference between players, seats or deals.
    player, seat = ((first[i] ** 2 - spreads[i] / deals).mean(axis=1) for i in (0, 1))
    deal = spreads[2].mean(axis=1) - within / takes
    parts = np.stack([player, seat, deal, within], axis=1)
    total = parts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total > 1e-12, parts / total, np.nan)


def measure_luck(
    setup: Setup,
    players: LineUp,
    deals: int,
    takes: int = TAKES,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Luck | None:
    """Plays every deal `takes` times, with a line-up of different players at every seat in turn.

    `progress` is told deals. Fewer of them after Ctrl-C; None if they are too few to say anything.
    """
    number = setup.players
    together = len(seats_of(setup)) == 1
    mixed = len(set(players.names)) > 1
    if mixed and together:
        raise RulesetError("luck: all players are one side, so nobody of a line-up wins more than another")
    turns = [
        LineUp(setup, tuple(players.strategies[(seat - turn) % number] for seat in range(number)))
        for turn in range(number if mixed else 1)
    ]
    sides = int(setup.rules[0].sides)
    seated = [next(iter(seats_of(setup)))] if together else [int(setup.rules[0].side[seat]) for seat in range(number)]

    def job(begin: int, some: int) -> Plays:
        ledger = blank_ledger(takes, len(turns), some, sides)
        for take in range(takes):
            for turn, line_up in enumerate(turns):
                play_chunk(setup, line_up, seed, begin, some, take, ledger=ledger[take, turn])
        read = ledger[:, :, :, seated].transpose(2, 0, 1, 3)
        return Plays(takes, [read.share], [read.points], [read.entries])

    play_chunk(setup, players, seed, 0, 0, ledger=blank_ledger(0, sides))
    total = Plays(takes, [], [], [])
    seconds = in_chunks(job, total, deals, 0, threads, None, progress, first_chunk(players))
    if total.games < LEAST:
        return None
    shares, points, entries = (np.concatenate(part) for part in (total.shares, total.points, total.entries))
    outcomes = {WIN: shares / 840, SCORE: points / np.maximum(entries, 1)}
    parts = {name: variance_parts(_by_player(values, mixed)) for name, values in outcomes.items()}
    name = _digest(setup, players, seed, takes, (shares, points, entries))
    return Luck(setup, players.names, mixed, seed, len(shares), takes, deals, parts, name, seconds)


def _by_player(values: NDArray[np.float64], mixed: bool) -> NDArray[np.float64]:
    """deal x take x turn x seat -> deal x take x player x seat."""
    if not mixed:
        return values
    number = values.shape[-1]
    seats = np.arange(number)
    return np.stack([values[:, :, (seats - player) % number, seats] for player in range(number)], axis=2)


def _digest(setup: Setup, players: LineUp, seed: int, takes: int, plays: tuple[Counts, ...]) -> str:
    held = hashlib.sha256()
    for part in plays:
        held.update(np.ascontiguousarray(part, "<i8").tobytes())
    facts = {"rules": setup.digest, "strategies": list(players.digests), "seed": seed, "takes": takes}
    return digest({**facts, "deals": len(plays[0]), "plays": held.hexdigest()})
