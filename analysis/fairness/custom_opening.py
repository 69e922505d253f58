"""`houle openings --deal`: what your own opening changes, compared with random deals on the same games.

Every game is dealt and played. Then the chosen cards swap places in its deal and it is played again with the same luck.
The two are paired game by game, so their difference is more precise than either. If hands are dealt anew every round,
only one round is played, because the opening arranges only the first round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from houle.analysis.players.line_ups import Strategies, line_up
from houle.analysis.result import Facts, Finished, Record, run_digest
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import OPENINGS, Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.stats.moments import Moments
from houle.solver.language.seats import from_1
from houle.solver.matches.opening import play_with_ledger
from houle.solver.matches.record.typed_cards import arrange, read_wishes, wishes_as_text
from houle.solver.rules import Setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger

OUTCOMES = ("share", "points", "entries")
COLUMNS = (*OUTCOMES, *(f"free {name}" for name in OUTCOMES))  # with the opening, and with the random ("free") deal
ESTIMATES = ("win", "free_win", "win_more", "score", "free_score", "score_more")


@dataclass
class Pairs:
    """Sums over games, per side."""

    sides: list[Moments]  # of COLUMNS

    @property
    def games(self) -> int:
        return self.sides[0].clusters

    def add(self, other: Pairs) -> None:
        for mine, more in zip(self.sides, other.sides, strict=True):
            mine.add(more)


@dataclass(frozen=True)
class OpeningSide:
    """The results of one side with the opening and with the random ("free") deal."""

    name: str
    win: Estimate
    free_win: Estimate
    win_more: Estimate
    score: Estimate
    free_score: Estimate
    score_more: Estimate


@dataclass(frozen=True, repr=False)
class CustomOpening(Finished):
    """What your own opening changes."""

    played: Setup  # the setup, or one round of it if hands are dealt anew every round
    remark: str  # says so, if it is not the whole game
    opening: str  # as it is typed
    sides: tuple[OpeningSide, ...]

    command = "openings"
    rows_key = "sides"

    @property
    def headline(self) -> str:
        """How the opening changes the win rate of the first side."""
        side = self.sides[0]
        win, free = side.win.text(), side.free_win.text()
        return f"{from_1(side.name)} wins {win} with this opening, {free} without it"

    @property
    def rules_digest(self) -> str:
        return self.played.digest

    def words(self) -> list[str]:
        return ["--deal", self.opening]

    def setup_columns(self) -> dict[str, Any]:
        own = {"opening": self.opening, "n": self.games, "score_name": self.setup.score}
        return super().setup_columns() | own

    def records(self) -> list[Record]:
        """One row per side."""
        return [{"side": side.name, **{name: getattr(side, name) for name in ESTIMATES}} for side in self.sides]

    def summary(self) -> Record:
        return {
            "options": self.played.shown_options,
            "remark": self.remark or None,
            "opening": self.opening,
            "score": self.setup.score,
        }


def play_opening(setup: Setup, opening: str, strategies: Strategies, spec: RunSpec) -> CustomOpening:
    """Play an opening (a text or a file, see typed_cards.py) and the random deal on the same games."""
    played, remark = setup.game.openings.scene(setup)
    seated = line_up(played, strategies)
    wishes = read_wishes(played, opening, play_with_ledger(played, seated, spec.seed, spec.first, 1)[1])

    spec.begin(Plan.of(("", [seated] * 2, spec.games)))

    def fold(chunks: list[Chunk], first: int) -> Pairs:
        free, openings = chunks[0].ledger, chunks[0].openings
        arrange(openings, played, wishes)
        wished = blank_ledger(*free.shape)
        play_chunk(seated, spec.seed, first, len(free), ledger=wished, openings=openings, given=True)
        columns = np.stack([ledger[name] for ledger in (wished, free) for name in OUTCOMES], axis=2)
        return Pairs([Moments.of(COLUMNS, columns[:, side]) for side in range(sides)])

    sides = int(played.rules[0].sides)
    total = Pairs([Moments.empty(COLUMNS) for _ in range(sides)])
    seconds = play_games([Play(seated)], spec, fold, total, OPENINGS)
    text = wishes_as_text(wishes)
    sums = [list(part) for part in zip(*(side.as_data() for side in total.sides), strict=True)]
    facts = Facts.of(
        seated, spec, total.games, seconds, run_digest(seated, spec, setup=text, games=total.games, sums=sums)
    )
    read = tuple(
        read_side(whose, total.sides[side], setup.score_range)
        for side, (whose, _) in enumerate(setup.game.side_names(setup))
    )
    return CustomOpening(replace(facts, setup=setup), played, remark if played is not setup else "", from_1(text), read)


def read_side(name: str, sums: Moments, score_range: tuple[int, int]) -> OpeningSide:
    """The estimates of one side."""
    win, free_win = (sums.mean(column, WHOLE_WIN) for column in ("share", "free share"))
    score, free_score = (sums.per(f"{whose}points", f"{whose}entries") for whose in ("", "free "))
    low, high = score_range
    return OpeningSide(
        name,
        sums.rate(win),
        sums.rate(free_win),
        sums.rate_difference(win, free_win),
        sums.ratio("points", "entries").within(low, high),
        sums.ratio("free points", "free entries").within(low, high),
        sums.mean_difference(score, free_score, float(high - low)),
    )
