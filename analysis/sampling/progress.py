"""Progress of a run that has several parts, told as progress of the whole.

Whoever plays games calls progress(games done, seconds of play so far) after every chunk. A listener may also have
`expect(games)`, for runs whose length is not known beforehand, and `doing`, a word on the part under way.
"""

from __future__ import annotations

from houle.solver.run import Progress


def part_of(
    progress: Progress | None, games: int = 0, seconds: float = 0.0, plays: int = 1, doing: str = ""
) -> Progress | None:
    """For a part that begins after so many games and seconds, and counts in units of so many games."""
    if progress is None:
        return None

    def told(done: int, spent: float) -> None:
        if doing and hasattr(progress, "doing"):
            progress.doing = doing
        progress(games + done * plays, seconds + spent)

    return told


def expect(progress: Progress | None, games: int) -> None:
    """Tells a listener that wants to know how many games there will probably be."""
    if progress is not None and hasattr(progress, "expect"):
        progress.expect(games)
