"""Progress of a run that has several parts, told as progress of the whole.

Whoever plays games calls progress(games done, seconds of play so far) after every chunk. A listener may also have
`expect(games)`, for runs whose length is not known beforehand, `doing`, a word on the part under way, and `share`, how
much of the work is done: a game that searches is more work than a thousand that do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houle.solver.run import Progress
from houle.solver.strategies.names import CLAIRVOYANT, FLAT, ISMCTS, KINDS, RANDOM, THUMB, Strategy

# About how much work a game is, random play being 1, and for a search a world or line of each of its decisions.
WORK = {RANDOM: 1, THUMB: 10, FLAT: 100, ISMCTS: 30, CLAIRVOYANT: 1_000}


def work_of(strategies: Iterable[Strategy]) -> float:
    """About how much work a game of these players is; for shares of a bar, not for promises."""
    return sum(WORK[KINDS[each.name]] * max(1, each.budget) for each in strategies)


def spans_of(works: Sequence[float]) -> list[tuple[float, float]]:
    """Where each of several parts begins and ends, as shares of the whole work."""
    whole, found, before = sum(works) or 1.0, [], 0.0
    for work in works:
        found.append((before / whole, (before + work) / whole))
        before += work
    return found


def part_of(
    progress: Progress | None,
    games: int = 0,
    seconds: float = 0.0,
    plays: int = 1,
    doing: str = "",
    span: tuple[float, float] | None = None,
    total: int = 1,
) -> Progress | None:
    """For a part that begins after so many games and seconds, and counts in units of so many games.

    `span` is the share of all the work that the part's `total` games are.
    """
    if progress is None:
        return None

    def told(done: int, spent: float) -> None:
        if doing and hasattr(progress, "doing"):
            progress.doing = doing
        if span is not None and hasattr(progress, "share"):
            progress.share = span[0] + (span[1] - span[0]) * min(1.0, done * plays / max(total, 1))
        progress(games + done * plays, seconds + spent)

    return told


def expect(progress: Progress | None, games: int) -> None:
    """Tells a listener that wants to know how many games there will probably be."""
    if progress is not None and hasattr(progress, "expect"):
        progress.expect(games)
