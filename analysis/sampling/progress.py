"""The work of a game by kind of player, for progress bars: a game with a search is more work than many without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houle.solver.run import Progress
from houle.solver.strategies.names import CLAIRVOYANT, FLAT, ISMCTS, KINDS, RANDOM, THUMB, Strategy

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


def part_of(
    progress: Progress | None,
    games: int = 0,
    seconds: float = 0.0,
    plays: int = 1,
    doing: str = "",
    span: tuple[float, float] | None = None,
    total: int = 1,
) -> Progress | None:
    """Progress of a part that starts after `games` and `seconds` and counts in units of `plays` games.

    `span` is the share of all work that the `total` games of the part are.
    """
    if progress is None:
        return None

    def report(done: int, spent: float) -> None:
        if doing and hasattr(progress, "doing"):
            progress.doing = doing
        if span is not None and hasattr(progress, "share"):
            progress.share = span[0] + (span[1] - span[0]) * min(1.0, done * plays / max(total, 1))
        progress(games + done * plays, seconds + spent)

    return report


def expect(progress: Progress | None, games: int) -> None:
    """Pass on the expected number of games, if the progress object wants it."""
    if progress is not None and hasattr(progress, "expect"):
        progress.expect(games)
