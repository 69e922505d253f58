"""Hand-made positions: moves by name, what the rules of thumb say of them, and imagined worlds against all ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

from scipy.stats import chisquare

from houle.solver.matches.match import Match

UNLIKELY = 1e-5  # a chance that counts of equally likely ways fall below only if something is wrong


def act(match: Match, *names: str) -> None:
    """Takes the named moves one after another; each must be legal."""
    for name in names:
        moves = dict(zip(match.names(), match.moves(), strict=True))
        assert name in moves, f"{name!r} is not among {sorted(moves)}"
        match.apply(moves[name])


def rated(match: Match) -> dict[str, dict[str, int]]:
    """The rules of thumb that say something of each move, by the name of the move."""
    rules = [name for name, *_ in match.setup.game.FEATURES]
    return {
        name: {rule: int(value) for rule, value in zip(rules, row, strict=True) if value}
        for name, row in zip(match.names(), match.features(), strict=True)
    }


def column(match: Match, rule: str) -> list[int]:
    """What one rule of thumb says of the moves, in their order."""
    return [values.get(rule, 0) for values in rated(match).values()]


def assert_even(times: Counter[Any], ways: Collection[Any], all_seen: bool = True) -> None:
    """Only these ways came up, and each as often as its weight says; all of them, unless they are too many for that."""
    weights = ways if isinstance(ways, Mapping) else dict.fromkeys(ways, 1)
    assert set(times) == set(weights) if all_seen else set(times) <= set(weights)
    mean = times.total() / sum(weights.values())
    assert chisquare([times[way] for way in weights], [mean * weight for weight in weights.values()]).pvalue > UNLIKELY


Hands = tuple[tuple[int, ...], ...]


def all_deals(
    cards: Collection[int], sizes: Sequence[int], fits: Callable[[int, tuple[int, ...]], bool] = lambda *_: True
) -> set[Hands]:
    """Every way to deal hands of these sizes in which each hand fits its place; cards may be left over."""
    ways: list[tuple[Hands, set[int]]] = [((), set(cards))]
    for place, size in enumerate(sizes):
        ways = [
            ((*hands, hand), left.difference(hand))
            for hands, left in ways
            for hand in combinations(sorted(left), size)
            if fits(place, hand)
        ]
    return {hands for hands, _ in ways}
