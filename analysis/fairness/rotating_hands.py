"""Values of cards and seats in games whose hands rotate, where every seat plays every pack (dealt hand).

The points of a round are read in two ways. A linear model gives each weather card a value: how many more points per
round a pack wins if that card replaces an average one. Seats have effects of their own in the model. If a game has as
many rounds as players, its rounds form a Latin square of packs, seats and rounds, so the variance of the points can be
split between them. Intervals are clustered by game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houle.analysis.result import Record
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import t_quantile
from houle.solver.matches.opening import Sets, Values

MOST_KEPT = 200_000  # games, for the linear model; more would only cost memory
BLOCK = 4_000  # games at a time


@dataclass
class Packs:
    """The packs of some games and the points they won, round by round."""

    weather: int  # cards in the deck
    packs: Sets  # games x packs
    points: Values  # games x rounds x packs: points of the pack in that round, at any seat
    squares: Values  # sums over games of the columns of `_square`
    products: Values  # and of their products
    number: int  # games in those sums

    def add(self, other: Packs) -> None:
        room = max(0, MOST_KEPT - len(self.packs))
        self.packs = np.concatenate([self.packs, other.packs[:room]])
        self.points = np.concatenate([self.points, other.points[:room]])
        self.squares = self.squares + other.squares
        self.products = self.products + other.products
        self.number += other.number


@dataclass(frozen=True)
class RotatingHands:
    """Values of cards and seats, separated from each other."""

    games: int
    card_values: tuple[tuple[int, Estimate], ...]  # weather card, points per round above an average card
    seats: tuple[tuple[int, Estimate], ...]  # seat, points per round above an average seat, with equal packs
    parts: tuple[tuple[str, Estimate], ...]  # shares of the variance within rounds; empty without a Latin square

    def record(self) -> Record:
        return {
            "games": self.games,
            "card_values": [{"card": card, **value.as_json()} for card, value in self.card_values],
            "seats": [{"seat": seat, **value.as_json()} for seat, value in self.seats],
            "variance": [{"part": name, **part.as_json()} for name, part in self.parts],
        }


def collect(weather: int, packs: Sets, points: Values) -> Packs:
    """Packs with their points. `points`: games x rounds x seats; the pack dealt to seat p is at p + r in round r."""
    games, rounds, seats = points.shape
    by_pack = np.stack([np.roll(points[:, r], -r, axis=1) for r in range(rounds)], axis=1)
    square = _square(by_pack) if rounds == seats and games else np.zeros((games, 4), np.int64)
    return Packs(weather, packs, by_pack, square.sum(axis=0), square.T @ square, games)


def _square(by_pack: Values) -> Values:
    """Sums of squares of a Latin square as whole numbers: n^2 times those between packs, seats, rounds, and in all."""
    n = by_pack.shape[1]
    total = by_pack.sum(axis=(1, 2))
    seats = np.stack([np.roll(by_pack[:, r], r, axis=1) for r in range(n)], axis=1).sum(axis=1)
    between = [by_pack.sum(axis=1), seats, by_pack.sum(axis=2)]
    columns = [n * (sums**2).sum(axis=1) - total**2 for sums in between]
    return np.stack([*columns, n * n * (by_pack**2).sum(axis=(1, 2)) - total**2], axis=1)


def read_rotating_hands(packs: Packs) -> RotatingHands:
    """Values of cards and seats, and shares of the variance."""
    card_values, seats = _model(packs)
    parts = _parts(packs) if packs.points.shape[1] == packs.points.shape[2] else ()
    return RotatingHands(len(packs.packs), card_values, seats, parts)


def _rows(packs: Packs, first: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Design matrix and points of a block of games: games x units x columns (cards, then seats), games x units."""
    sets, points = packs.packs[first : first + BLOCK], packs.points[first : first + BLOCK]
    games, rounds, seats = points.shape
    held = (sets[:, :, None] >> np.arange(packs.weather, dtype=np.uint64) & np.uint64(1)).astype(float)
    at_seat = np.zeros((rounds, seats, seats))
    for r in range(rounds):
        at_seat[r, np.arange(seats), (np.arange(seats) + r) % seats] = 1
    cards = np.broadcast_to(held[:, None], (games, rounds, seats, packs.weather))
    where = np.broadcast_to(at_seat, (games, rounds, seats, seats))
    design = np.concatenate([cards, where], axis=3).reshape(games, rounds * seats, packs.weather + seats)
    return design, points.reshape(games, -1).astype(float)


def _model(packs: Packs) -> tuple[tuple[tuple[int, Estimate], ...], tuple[tuple[int, Estimate], ...]]:
    """Least squares of points on the cards held and the seat, each centred; errors clustered by game."""
    games, columns = len(packs.packs), packs.weather + packs.points.shape[2]
    square, product = np.zeros((columns, columns)), np.zeros(columns)
    for first in range(0, games, BLOCK):
        design, points = _rows(packs, first)
        flat = design.reshape(-1, columns)
        square += flat.T @ flat
        product += flat.T @ points.ravel()
    inverse = np.linalg.pinv(square, rcond=1e-10, hermitian=True)
    effects = inverse @ product
    meat = np.zeros((columns, columns))
    for first in range(0, games, BLOCK):
        design, points = _rows(packs, first)
        rest = points - design @ effects
        scores = np.einsum("gu,guc->gc", rest, design)
        meat += scores.T @ scores
    # All hands have the same size, so only differences between cards, and between seats, can be known.
    centre = np.zeros((columns, columns))
    for part in (slice(0, packs.weather), slice(packs.weather, columns)):
        size = len(range(*part.indices(columns)))
        centre[part, part] = np.eye(size) - 1 / size
    spread = centre @ inverse @ meat @ inverse @ centre * games / max(games - 1, 1)
    values, errors = centre @ effects, np.sqrt(np.maximum(np.diag(spread), 0))
    held = np.rint(np.diag(square)).astype(int)
    quantile = t_quantile(games - 1)
    intervals = [
        Estimate(float(value), float(value - quantile * error), float(value + quantile * error), int(n))
        for value, error, n in zip(values, errors, held, strict=True)
    ]
    cards = tuple((card + 1, intervals[card]) for card in range(packs.weather) if held[card])
    return cards, tuple(enumerate(intervals[packs.weather :]))


def _parts(packs: Packs) -> tuple[tuple[str, Estimate], ...]:
    """Shares of the variance within rounds: packs, seats, and the rest."""
    n = packs.points.shape[1]
    if n < 3 or packs.number < 2:
        return ()
    # Variance components: mean squares are weighted sums of the four columns, and their expectations give the parts.
    freedom, rest_freedom = n - 1, (n - 1) * (n - 2)
    rest = np.array([-1.0, -1.0, -1.0, 1.0]) / rest_freedom
    components = {}
    # Players compete for the points of a round, so seats differ more than rounds do: rounds are left out.
    for i, name in enumerate(("pack", "seat")):
        own = np.zeros(4)
        own[i] = 1 / freedom
        components[name] = (own - rest) / n
    components["rest"] = rest
    whole = np.sum(list(components.values()), axis=0)
    sums, products = packs.squares.astype(float), packs.products.astype(float)
    all_of_it = float(whole @ sums)
    shares = []
    for name, component in components.items():
        share = float(component @ sums) / all_of_it if all_of_it else math.nan
        form = (component - share * whole) / all_of_it if all_of_it else component
        error = math.sqrt(max(float(form @ products @ form), 0.0) * packs.number / (packs.number - 1))
        half = t_quantile(packs.number - 1) * error
        shares.append((name, Estimate(share, share - half, share + half, packs.number, PERCENT)))
    return tuple(shares)
