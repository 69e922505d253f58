"""A start of one's own beside the free deal, on the same games: the numbers behind `houle setups --setup`.

Every game is dealt and played; then the wished cards change places in its deal, and it is played again with the same
luck. So the two are paired game by game, and their difference is known better than either.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.fairness.openings import GAMES
from houle.analysis.fairness.strata import widened
from houle.analysis.fairness.typed_cards import Wish, arrange, read_wishes
from houle.analysis.limits import SEED
from houle.analysis.sampling.lineups import line_up
from houle.analysis.sampling.same_deals import clustered_rate
from houle.analysis.stats.intervals import SHARE, Interval, plain, ratio, t_quantile
from houle.solver.opening import keep_apart
from houle.solver.playout import play_chunk
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks
from houle.solver.tally import Counts, blank_ledger

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("share", "points", "entries")
WIDTH = len(COLUMNS)
ESTIMATES = ("win", "free_win", "win_more", "score", "free_score", "score_more")


@dataclass
class Pairs:
    """Sums over games, per side: the columns with the wish, then without it, and all their products."""

    number: int
    sums: Counts  # side x 2 WIDTH
    products: Counts  # side x 2 WIDTH x 2 WIDTH

    @property
    def games(self) -> int:
        return self.number

    def add(self, other: Pairs) -> None:
        self.number += other.number
        self.sums += other.sums
        self.products += other.products


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
            "options": dict(self.setup.options),
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
        table = np.stack([ledger[name] for ledger in (wished, free) for name in COLUMNS], axis=2)
        return Pairs(number, table.sum(axis=0), np.einsum("gsa,gsb->sab", table, table))

    sides = int(setup.rules[0].sides)
    total = Pairs(0, np.zeros((sides, 2 * WIDTH), np.int64), np.zeros((sides, 2 * WIDTH, 2 * WIDTH), np.int64))
    seconds = in_chunks(job, total, games, 0, threads, None, progress, first_chunk(players))
    text = said(wishes)
    name = digest(
        {
            "rules": setup.digest,
            "setup": text,
            "strategies": list(players.digests),
            "seed": seed,
            "games": total.number,
            "sums": [total.sums.tolist(), total.products.tolist()],
        }
    )
    found = tuple(
        read_side(side_name, total.number, total.sums[side], total.products[side], setup.score_range)
        for side, (side_name, _) in enumerate(setup.game.side_names(setup))
    )
    return Arranged(
        setup, text, players.names, seed, games, total.number, found, name, seconds, list(setup.notes)
    )  # fmt: skip


def said(wishes: list[Wish]) -> str:
    """The wishes as one would type them."""
    places: dict[str, list[str]] = {}
    for wish in wishes:
        places.setdefault(wish.place, []).append(wish.card)
    return "; ".join(f"{place}: {', '.join(cards)}" for place, cards in places.items())


def read_side(name: str, games: int, sums: Counts, products: Counts, score_range: tuple[int, int]) -> Side:
    """The estimates of one side, from its sums with the wish and without it."""
    wins, scores, win_forms, score_forms = [], [], [], []
    for first in (0, WIDTH):
        share, points, entries = (first + column for column in range(WIDTH))
        won = int(sums[share])
        variance = (int(products[share, share]) * games - won**2) / max(games * (games - 1), 1) / SHARE**2
        wins.append(clustered_rate(won / max(SHARE * games, 1), variance, games))
        parts = (sums[points], sums[entries], products[points, points], products[points, entries])
        scores.append(ratio(games, (*map(int, parts), int(products[entries, entries]))).within(*score_range))  # type: ignore[arg-type]
        form = np.zeros(len(sums))
        form[share] = 1 / max(SHARE * games, 1)
        win_forms.append(form)
        form = np.zeros(len(sums))
        if sums[entries]:
            form[points], form[entries] = 1 / sums[entries], -scores[-1].value / sums[entries]
        score_forms.append(form)
    win_more = _difference(wins[0].value - wins[1].value, win_forms[0] - win_forms[1], sums, products, games)
    if not 0 < wins[0].value < 1:
        win_more = widened(win_more, wins[0])
    if not 0 < wins[1].value < 1:
        win_more = widened(win_more, Interval(-wins[1].value, -wins[1].high, -wins[1].low, games))
    score_more = _difference(scores[0].value - scores[1].value, score_forms[0] - score_forms[1], sums, products, games)
    return Side(name, wins[0], wins[1], win_more, scores[0], scores[1], score_more)


def _difference(value: float, form: Any, sums: Counts, products: Counts, games: int) -> Interval:
    """A difference of two means with its interval, from the spread of a linear form between games."""
    if games < 2:
        return Interval(value, -math.inf, math.inf, games)
    square = float(form @ products.astype(float) @ form) - float(form @ sums) ** 2 / games
    half = t_quantile(games - 1) * math.sqrt(max(square, 0.0) * games / (games - 1))
    return Interval(value, value - half, value + half, games)
