"""The end of a game that people played: who won, the scores, why it is over, and the rulebook's word for the score."""

from __future__ import annotations

from dataclasses import dataclass

from houle.analysis.advice.trace import ending
from houle.analysis.comparison.words import bands
from houle.analysis.play.sitting import Course
from houle.analysis.result import shown_side
from houle.analysis.stats.intervals import WHOLE_WIN


@dataclass(frozen=True)
class SideResult:
    """The result of one side."""

    name: str  # seats count from 1
    seats: tuple[int, ...]
    score: int
    share: float  # of the win
    band: str  # the rulebook's word for the score; empty if it has none

    @property
    def verdict(self) -> str:
        if self.share in (0.0, 1.0):
            return "won" if self.share else "not won"
        return f"shares the win ({self.share:.2f})"


@dataclass(frozen=True)
class Ending:
    """A finished game."""

    why: tuple[str, ...]
    drawn: bool
    score: str  # what is scored
    sides: tuple[SideResult, ...]
    counts: dict[str, int]
    shown: str  # the final state, all cards face up


def ending_of(course: Course) -> Ending:
    """How a finished game ended; all cards may be shown now."""
    setup, result = course.setup, course.match.result()
    words = bands(setup)
    sides = []
    for side, (name, seats) in enumerate(setup.game.side_names(setup)):
        score = int(result["scores"][side])
        band = next(
            (band.word for band in words if band.low <= score and (band.high is None or score <= band.high)), ""
        )
        share = result["shares"][side] / WHOLE_WIN
        sides.append(SideResult(shown_side(name), tuple(seats), score, share, band))
    why = tuple(shown_side(line) for line in ending(course.match))
    shown = shown_side(str(setup.game.show(course.match.state, setup)))
    return Ending(why, bool(result["drawn"]), setup.score.replace("_", " "), tuple(sides), result["counts"], shown)
