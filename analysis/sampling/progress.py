"""The work of a game by kind of player, for progress bars: a game with a search is more work than many without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houle.solver.players.names import CLAIRVOYANT, FLAT, ISMCTS, KINDS, RANDOM, THUMB, Strategy

# Rough work per game, in units of a game of random play; for searches per world or simulation.
WORK = {RANDOM: 1, THUMB: 10, FLAT: 100, ISMCTS: 30, CLAIRVOYANT: 1_000}


def work_of(strategies: Iterable[Strategy]) -> float:
    """Rough work of a game of these players, for progress bars."""
    return sum(WORK[KINDS[each.name]] * max(1, each.budget) for each in strategies)


def spans_of(works: Sequence[float]) -> list[tuple[float, float]]:
    """The start and end of each part, as shares of the whole work."""
    whole, spans, before = sum(works) or 1.0, [], 0.0
    for work in works:
        spans.append((before / whole, (before + work) / whole))
        before += work
    return spans
