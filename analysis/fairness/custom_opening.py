"""A start of one's own beside the free deal, on the same games: the numbers behind `houle setups --setup`.

Every game is dealt and played; then the wished cards change places in its deal, and it is played again with the same
luck. So the two are paired game by game, and their difference is known better than either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.fairness.openings import GAMES
from houle.analysis.fairness.typed_cards import Wish, arrange, read_wishes
from houle.analysis.limits import SEED
from houle.analysis.sampling.lineups import line_up
from houle.analysis.stats.intervals import WHOLE_WIN, Interval, plain
from houle.analysis.stats.moments import Moments
from houle.solver.opening import keep_apart
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks
from houle.solver.tally import blank_ledger

if TYPE_CHECKING:
    import pandas as pd

LEDGER = ("share", "points", "entries")
COLUMNS = (*LEDGER, *(f"free {name}" for name in LEDGER))  # with the wish, and without it
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
class Side:
    """What a side gets with the wish and without it."""

    name: str
    win: Interval
    free_win: Interval
    win_more: Interval
    score: Interval
    free_score: Interval
    score_more: Interval


@dataclass(frozen=True)
class Arranged:
    """A start of one's own, played."""

    setup: Setup
    wish: str
    strategies: tuple[str, ...]
    seed: int
    asked: int
    games: int
    sides: tuple[Side, ...]
    digest: str
    seconds: float
    notes: list[str] = field(default_factory=list)

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    def frame(self) -> pd.DataFrame:
        """One row per side."""
        import pandas as pd

        rows = []
        for side in self.sides:
            row: dict[str, Any] = {
                "game": self.setup.ruleset.name,
                "players": self.setup.players,
                "variants": "+".join(self.setup.variants) or "base",
                "setup": self.wish,
                "strategies": ",".join(self.strategies),
                "seed": self.seed,
                "n": self.games,
                "side": side.name,
                "score_name": self.setup.score,
            }
            for name in ESTIMATES:
                interval = getattr(side, name)
                row |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
            rows.append(row | {"rules_digest": self.setup.digest, "result_digest": self.digest})
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        """The object that `houle setups --setup --json` prints."""
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "options": self.setup.shown_options,
            "setup": self.wish,
            "strategies": list(self.strategies),
            "seed": self.seed,
            "games": self.games,
            "score": self.setup.score,
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "notes": self.notes,
            "sides": [
                {"side": side.name, **{name: plain(getattr(side, name)) for name in ESTIMATES}} for side in self.sides
            ],
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


def play_arranged(
    setup: Setup,
    wish: str,
    games: int = GAMES,
    seed: int = SEED,
    strategies: str | Iterable[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Arranged:
    """Plays a start of one's own (a text or a file, see openings/arranging.py) and the free deal beside it."""
    players = line_up(setup, strategies)
    wishes = read_wishes(setup, wish, keep_apart(setup, players, seed, 0, 1)[1])

    def job(first: int, number: int) -> Pairs:
        free, openings, _ = keep_apart(setup, players, seed, first, number)
        arrange(openings, setup, wishes)
        wished = blank_ledger(*free.shape)
        play_chunk(setup, players, seed, first, number, ledger=wished, openings=openings, given=True)
        table = np.stack([ledger[name] for ledger in (wished, free) for name in LEDGER], axis=2)
        return Pairs([Moments.of(COLUMNS, table[:, side]) for side in range(sides)])

    sides = int(setup.rules[0].sides)
    total = Pairs([Moments.empty(COLUMNS) for _ in range(sides)])
    seconds = in_chunks(job, total, games, 0, threads, None, progress, first_chunk(players))
    text = said(wishes)
    name = digest(
        {
            "rules": setup.digest,
            "setup": text,
            "strategies": list(players.digests),
            "seed": seed,
            "games": total.games,
            "sums": [list(part) for part in zip(*(side.as_data() for side in total.sides), strict=True)],
        }
    )
    found = tuple(
        read_side(side_name, total.sides[side], setup.score_range)
        for side, (side_name, _) in enumerate(setup.game.side_names(setup))
    )
    return Arranged(
        setup, text, players.names, seed, games, total.games, found, name, seconds, list(setup.notes)
    )  # fmt: skip


def said(wishes: list[Wish]) -> str:
    """The wishes as one would type them."""
    places: dict[str, list[str]] = {}
    for wish in wishes:
        places.setdefault(wish.place, []).append(wish.card)
    return "; ".join(f"{place}: {', '.join(cards)}" for place, cards in places.items())


def read_side(name: str, sums: Moments, score_range: tuple[int, int]) -> Side:
    """The estimates of one side."""
    win, free_win = (sums.mean(column, WHOLE_WIN) for column in ("share", "free share"))
    score, free_score = (sums.per(f"{whose}points", f"{whose}entries") for whose in ("", "free "))
    low, high = score_range
    return Side(
        name,
        sums.rate(win),
        sums.rate(free_win),
        sums.rate_difference(win, free_win),
        sums.ratio("points", "entries").within(low, high),
        sums.ratio("free points", "free entries").within(low, high),
        sums.mean_difference(score, free_score, float(high - low)),
    )
