"""Question d: is variant A harder than variant B? Asked of pairs of variants whose results of people clearly differ.

Each variant is played from its rules alone: nothing is tuned to it, and no variant is named here.
docs/method/people-questions.md says what was asked.
"""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import houle
from houle.solver.errors import InputError
from tools.people.games import HANABI
from tools.people.variants import Variant, ranked
from tools.rows import Row, read_rows

GAMES = {"thumb": 10_000, "family": 1_000, "seasoned": 300, "flat:20": 4}
OTHERS = 300  # games of all other players
SEED, TOLD_APART, RESAMPLES, LUCK = 141, 3, 2_000, 1
RARE = 0.01  # a variant with fewer wins is not ranked by wins
FEWEST = 3  # variants of a table or a group
FILE = "people-pairs.csv"
KEY = ("suits", "special", "players", "player", "games", "seed")
COLUMNS = ("variant", *KEY, "wins", "near", "points", "seconds")

Numbers = NDArray[np.float64]


def play(variant: Variant, players: int, player: str, games: int, threads: int) -> Row:
    """The games of one player in a variant: how many are won, the mean of exp(-points missing), and the points."""
    houle.look_in(HANABI)
    setup = houle.setup("hanabi", players=players, set=variant.settings)
    start = time.process_time()
    result = houle.simulate(setup, strategies=player, games=games, seed=SEED, threads=threads)
    seconds = time.process_time() - start
    assert isinstance(result, houle.Simulation)
    points, most = result.sides[0].histogram, 5 * int(variant.settings["suits"])
    near = sum(number * math.exp(score - most) for score, number in points.items()) / games
    mean = sum(number * score for score, number in points.items()) / games
    numbers = (points.get(most, 0), f"{near:.6f}", f"{mean:.3f}", f"{seconds:.1f}")
    return dict(zip(COLUMNS, map(str, (*_named(variant), players, player, games, SEED, *numbers)), strict=True))


def _named(variant: Variant) -> tuple[str, int, str]:
    return variant.name, variant.settings["suits"], " + ".join(variant.words)


def play_all(
    variants: Sequence[Variant],
    player: str,
    players: Sequence[int],
    games: int,
    threads: int,
    kept: Path | None,
    shown: Callable[[int], None],
) -> list[Row]:
    """The rows of a player in all variants. `kept` is a CSV of what was played before, and grows."""
    before = read_rows(kept) if kept else []
    found = {tuple(row[name] for name in KEY): row for row in before}
    rows = []
    for done, (one, number) in enumerate([(one, number) for one in variants for number in players], 1):
        key = tuple(map(str, (*_named(one)[1:], number, player, games, SEED)))
        if key not in found:
            found[key] = play(one, number, player, games, threads=threads)
            if kept:
                _append(kept, found[key])
        rows.append(found[key])
        shown(done)
    return rows


def _append(path: Path, row: Row) -> None:
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)


@dataclass(frozen=True)
class Values:
    """What a player reaches in each variant, the mean over the numbers of players."""

    player: str
    players: tuple[str, ...]
    games: int
    seconds: float
    wins: Numbers
    near: Numbers  # the mean of exp(-points missing)

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Values:
        games, players = int(rows[0]["games"]), tuple(dict.fromkeys(row["players"] for row in rows))
        wins = np.array([int(row["wins"]) / games for row in rows]).reshape(-1, len(players)).mean(axis=1)
        near = np.array([float(row["near"]) for row in rows]).reshape(-1, len(players)).mean(axis=1)
        return cls(
            player=rows[0]["player"],
            players=players,
            games=games,
            seconds=sum(float(row["seconds"]) for row in rows),
            wins=wins,
            near=near,
        )

    @property
    def is_won_often(self) -> bool:
        """Whether all variants are won often enough to rank them by games won."""
        return bool(self.wins.min() >= RARE)

    @property
    def easy(self) -> Numbers:
        """What the variants are ranked by; more is easier."""
        return self.wins if self.is_won_often else self.near

    @property
    def logits(self) -> Numbers:
        """The logits of that."""
        share = np.clip(self.easy, 1e-6, 1 - 1e-6)
        logits: Numbers = np.log(share / (1 - share))
        return logits


@dataclass(frozen=True)
class Share:
    """How many pairs are ordered right, with the interval from resampled variants, and how many are tied."""

    right: float
    low: float
    high: float
    tied: float
    pairs: int

    def __str__(self) -> str:
        tied = f", {100 * self.tied:.1f}% tied" if self.tied else ""
        return f"{100 * self.right:.1f}% ({100 * self.low:.1f} to {100 * self.high:.1f}){tied}" if self.pairs else ""


class Pairs:
    """The special variants of a table, the pairs that people tell apart, and draws of variants for intervals."""

    def __init__(self, variants: Sequence[Variant], path: Path) -> None:
        self.variants = [one for one in variants if one.words]
        number = len(self.variants)
        self.wins = np.array([one.win for one in self.variants])
        self.once = np.array([float(one.once) for one in self.variants])
        self.untouched = np.array([float(one.untouched) for one in self.variants])
        self.both = self.once + self.untouched / 100  # the second count breaks ties of the first
        spread = self.wins * (1 - self.wins) / np.array([one.games for one in self.variants])
        self.first, self.second = np.triu_indices(number, 1)
        gaps = np.abs(self._gaps(self.wins))
        self.told = gaps > TOLD_APART * np.sqrt(spread[self.first] + spread[self.second])
        if number < FEWEST or not self.told.any():
            raise InputError(
                f"{path}: {number} variants with special suits, and people tell {int(self.told.sum())} pairs apart; "
                f"needed: {FEWEST} such variants, and a pair"
            )
        self.draws = np.random.default_rng(LUCK).integers(0, number, (RESAMPLES, number))

    def _gaps(self, values: Numbers) -> Numbers:
        gaps: Numbers = values[self.first] - values[self.second]
        return gaps

    def ties(self, values: Numbers) -> NDArray[np.bool_]:
        """The pairs that have equal values."""
        same: NDArray[np.bool_] = self._gaps(values) == 0
        return same

    def share(self, easy: Numbers, among: NDArray[np.bool_] | None = None) -> Share:
        """How many of the pairs that people tell apart are ordered as people order them; a tie is not right."""
        asked = self.told if among is None else self.told & among
        if not asked.any():
            return Share(right=0.0, low=0.0, high=0.0, tied=0.0, pairs=0)
        gaps = self._gaps(easy)[asked]
        right = gaps * self._gaps(self.wins)[asked] > 0
        times = np.array([np.bincount(draw, minlength=len(self.wins)) for draw in self.draws])
        weights = times[:, self.first[asked]] * times[:, self.second[asked]]
        drawn = weights.sum(axis=1)
        shares = (weights * right).sum(axis=1)[drawn > 0] / drawn[drawn > 0]
        low, high = np.quantile(shares, (0.025, 0.975))
        return Share(
            right=float(right.mean()),
            low=float(low),
            high=float(high),
            tied=float((gaps == 0).mean()),
            pairs=int(asked.sum()),
        )

    def rank(self, easy: Numbers) -> tuple[float, float, float]:
        """Spearman's rank correlation with people's wins, with its interval."""
        low, high = np.quantile(ranked(-easy[self.draws], self.wins[self.draws]), (0.025, 0.975))
        return float(ranked(-easy, self.wins)), float(low), float(high)

    def rank_within(self, easy: Numbers, once: int) -> float:
        """The same within the variants that have so many suits of single cards."""
        own = self.once == once
        return float(ranked(-easy[own], self.wins[own]))

    def line_error(self, *sizes: Numbers) -> float:
        """The mean error, in percentage points, of a line to the logit of people's wins; each variant by the others."""
        wins, games = (np.array([float(getattr(one, name)) for one in self.variants]) for name in ("wins", "games"))
        goal = np.log((wins + 0.5) / (games - wins + 0.5))
        table, errors = np.column_stack([np.ones(len(wins)), *sizes]), []
        for at in range(len(wins)):
            rest = np.arange(len(wins)) != at
            line = np.linalg.lstsq(table[rest], goal[rest], rcond=None)[0]
            errors.append(abs(1 / (1 + math.exp(-float(table[at] @ line))) - self.wins[at]))
        return 100 * float(np.mean(errors))


def lines(pairs: Pairs, found: Values) -> list[str]:
    """The answer for a player, beside the two counts. The last three lines are the share, its interval and the rank."""
    easy, first, both = found.easy, -pairs.once, -pairs.both
    same_first, same_both = pairs.ties(first), pairs.ties(both)
    share, rank = pairs.share(easy), pairs.rank(easy)
    sizes = [int((pairs.told & same).sum()) for same in (same_first, same_both)]
    table = [
        ("", found.player, "suits of single cards", "and suits that no clue touches"),
        (f"pairs ordered right ({share.pairs:,})", share, pairs.share(first), pairs.share(both)),
        (f"  with equal first count ({sizes[0]:,})", pairs.share(easy, same_first), "", pairs.share(both, same_first)),
        (f"  with both counts equal ({sizes[1]:,})", pairs.share(easy, same_both), "", ""),
        (f"rank correlation ({len(easy)})", *(_ranked(pairs.rank(values)) for values in (easy, first, both))),
    ]
    for once in sorted(set(map(int, pairs.once))):
        size = int((pairs.once == once).sum())
        if size >= FEWEST:
            own, count = (f"{pairs.rank_within(values, once):.2f}" for values in (easy, both))
            table.append((f"  with {once} suits of single cards ({size})", own, "", count))
    of_counts = (pairs.line_error(pairs.once), pairs.line_error(pairs.once, pairs.untouched))
    errors = (pairs.line_error(found.logits), *of_counts)
    table.append(("error of a line, percentage points", *(f"{error:.1f}" for error in errors)))
    if not found.is_won_often:
        table.append(("by games won: pairs ordered right", pairs.share(found.wins), "", ""))
        table.append(("by games won: rank correlation", _ranked(pairs.rank(found.wins)), "", ""))
    widths = [max(len(str(row[column])) for row in table) for column in range(len(table[0]))]
    return [
        f"{found.player}: {found.games:,} games in each of {len(easy)} variants, players {', '.join(found.players)}, "
        f"seed {SEED}, "
        f"{found.seconds:,.0f} CPU seconds; wins {100 * found.wins.min():.2f} to {100 * found.wins.max():.1f}%, "
        f"ranked by {'games won' if found.is_won_often else 'the mean of exp(-points missing)'}",
        *("  ".join(f"{cell!s:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in table),
        "",
        f"share of pairs ordered right: {100 * share.right:.1f}%",
        f"interval: {100 * share.low:.1f} to {100 * share.high:.1f}%",
        f"rank correlation: {rank[0]:.2f}",
    ]


def _ranked(found: tuple[float, float, float]) -> str:
    return "{:.2f} ({:.2f} to {:.2f})".format(*found)
