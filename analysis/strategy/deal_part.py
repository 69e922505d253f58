"""How much of who wins lies in the deal: what two different players, equally strong, have in common on the same deals.

One player alone cannot say it. Who never varies plays a deal to the same end every time, so that all of it seems to lie
in the cards; the same player with a noise that costs nothing finds another end to most deals. What two such players
share is the deal's, what only one of them makes of it is not. So every pair plays the same deals, each at its own table
with other luck after the deal, and the covariance of what they come to is the deal's part.

The pairs are the table's, whoever sits at it: the thumb and thumbs with noises too small to cost anything, the noisiest
of them twice, and a search that thinks twice. They differ a great deal, and the answer is their range: of the pairs
whose part is known to 15 points. Games that search are dear, and a part read off a few dozen deals may be anything.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.limits import SEED
from houle.analysis.result import interval_as_json
from houle.analysis.sampling.progress import part_of
from houle.analysis.sampling.same_deals import Arm, against, same_deals
from houle.analysis.stats.intervals import WHOLE_WIN, Interval
from houle.analysis.stats.variance import LEAST_DEALS, common_part
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks, play_chunk
from houle.solver.strategies.names import KINDS, THUMB, Strategy, parse
from houle.solver.strategies.player import LineUp, weights_entry
from houle.solver.tally import Counts, blank_ledger

NOISES = (0.03, 0.1)  # of a novice's temperature, at which half of what the thumb has over random play is lost
LEAST_COST = 0.005  # of a win: a noise that costs more makes another player, not the same one
KNOWN = 0.15  # of the variance: a part whose interval reaches farther is not known yet
STRENGTH = 5  # times the deals, to tell what a noise costs

Match = tuple[LineUp, int]  # all alike, and which take of the deals they play


@dataclass(frozen=True)
class PlayerPair:
    """Two players on the same deals, and the part of the outcome's variance that they have in common."""

    players: tuple[str, str]
    deals: int
    cost: Interval | None  # by how much the second wins less than the thumb; None for one that searches
    parts: dict[str, Interval | None]  # of "win" and of "score"; None where the outcome never varied

    @property
    def label(self) -> str:
        one, other = self.players
        return f"{one}, twice" if one == other else f"{one} and {other}"

    def known(self, outcome: str = "win") -> Interval | None:
        """The part, where there were deals enough to tell it."""
        part = self.parts[outcome]
        return part if part and part.half <= KNOWN else None

    def needed(self, outcome: str = "win") -> int:
        """About how many deals would tell it, in all; 0 where it is known, or the outcome never varied."""
        part = self.parts[outcome]
        if part is None or part.half <= KNOWN:
            return 0
        wanted = self.deals * (part.half / KNOWN) ** 2
        return -(-math.ceil(wanted) // 10) * 10

    def as_json(self) -> dict[str, Any]:
        parts = {name: interval_as_json(part) for name, part in self.parts.items()}
        needed = {name: self.needed(name) for name in self.parts}
        facts = {"players": list(self.players), "deals": self.deals, "cost": interval_as_json(self.cost)}
        return {**facts, **parts, "needed_deals": needed}


@dataclass(frozen=True)
class DealPart:
    """What every pair of a table has in common."""

    pairs: tuple[PlayerPair, ...]
    left_out: tuple[tuple[str, Interval], ...]  # noises that cost too much, and what they cost
    digest: str
    games: int
    seconds: float
    complete: bool

    def ends(self, outcome: str = "win") -> tuple[PlayerPair, PlayerPair] | None:
        """The pairs with the least and with the most in common, of those whose part is known; None if none is."""
        known = [(part.value, number) for number, pair in enumerate(self.pairs) if (part := pair.known(outcome))]
        return (self.pairs[min(known)[1]], self.pairs[max(known)[1]]) if known else None

    def as_json(self) -> dict[str, Any]:
        ends = {outcome: self.ends(outcome) for outcome in ("win", "score")}
        return {
            "pairs": [pair.as_json() for pair in self.pairs],
            "range": {name: [pair.as_json() for pair in found] if found else None for name, found in ends.items()},
            "left_out": [{"player": name, "cost": interval_as_json(cost)} for name, cost in self.left_out],
            "result_digest": self.digest,
        }


@dataclass(frozen=True)
class DealPlan:
    """Which players will be paired at a table."""

    setup: Setup
    thumb: Strategy  # or random play, where there are no rules of thumb
    noisy: tuple[Strategy, ...]
    search: Strategy | None
    deals: int
    search_deals: int

    @property
    def arms(self) -> list[Arm]:
        """The thumb and every noisy one of it, among thumbs."""
        others = None if self.setup.one_sided else self.thumb
        return [against(self.setup, player, others) for player in (self.thumb, *self.noisy)] if self.noisy else []

    @property
    def tables(self) -> int:
        """Tables that do not search, at most: noises that cost too much are not paired."""
        return 2 + len(self.noisy)

    @property
    def games(self) -> int:
        strength = STRENGTH * self.deals * sum(map(len, self.arms))
        return strength + self.deals * self.tables + 2 * self.search_deals * (self.search is not None)


def plan_deal_part(setup: Setup, strategies: Sequence[Strategy], deals: int, search_deals: int) -> DealPlan:
    """The pairs of the house; with the last of the strategies that searches, if one does."""
    searches = [one for one in strategies if THUMB < KINDS[one.name] < KINDS["clairvoyant"]]
    search = searches[-1] if searches else None
    if not setup.game.has_features:
        return DealPlan(setup, parse("random"), (), search, deals, search_deals)
    thumb = parse("thumb")
    novice = weights_entry(thumb, setup).get("novice", 0.0)
    noisy = tuple(parse(f"thumb[temperature={part * novice:.3g}]") for part in NOISES if part * novice >= 0.001)
    return DealPlan(setup, thumb, noisy, search, deals, min(deals, search_deals))


def play_deal_part(
    plan: DealPlan, seed: int = SEED, threads: int | None = None, progress: Progress | None = None
) -> DealPart | None:
    """Measures what the noises cost, then plays the pairs; None after Ctrl-C before there was a pair."""
    costs: list[Interval] = []
    games, seconds = 0, 0.0
    if plan.noisy:
        plays = sum(map(len, plan.arms))
        watched = part_of(progress, 0, 0.0, plays, "the deal's part")
        dealt = same_deals(plan.setup, plan.arms, seed, STRENGTH * plan.deals, 0, threads, watched)
        games, seconds = dealt.number * plays, dealt.seconds
        if dealt.number < STRENGTH * plan.deals:
            return None
        costs = [dealt.gain(0, arm) for arm in range(1, len(plan.arms))]
    strong = [(one, cost) for one, cost in zip(plan.noisy, costs, strict=True) if cost.value < LEAST_COST]
    weak = [(one.text, cost) for one, cost in zip(plan.noisy, costs, strict=True) if cost.value >= LEAST_COST]
    noisiest = strong[-1] if strong else (plan.thumb, None)
    pairs: list[tuple[Strategy, Strategy, Interval | None]] = [(plan.thumb, one, cost) for one, cost in strong]
    pairs.append((noisiest[0], *noisiest))
    found: list[PlayerPair] = []
    names: list[str] = []
    complete = True
    searching: list[tuple[Strategy, Strategy, Interval | None]] = []
    if plan.search is not None:
        searching.append((plan.search, plan.search, None))
    begin = plan.games - plan.deals * plan.tables - 2 * plan.search_deals * len(searching)
    for some, deals, plays in ((pairs, plan.deals, plan.tables), (searching, plan.search_deals, 2)):
        if not some or not complete:
            continue
        players = list(dict.fromkeys((one.text, take) for pair in some for take, one in enumerate(pair[:2])))
        by_name = {one.text: one for pair in some for one in pair[:2]}
        tables = [(LineUp(plan.setup, (by_name[name],) * plan.setup.players), take) for name, take in players]
        watched = part_of(progress, begin, seconds, plays, "the deal's part")
        outcomes, name, spent = _outcomes(plan.setup, tables, deals, seed, threads, watched)
        number = len(outcomes["win"][0])
        games, seconds, complete = games + number * len(tables), seconds + spent, number == deals
        begin += deals * plays
        if number < LEAST_DEALS:
            continue
        names.append(name)
        for one, other, cost in some:
            places = players.index((one.text, 0)), players.index((other.text, 1))
            parts = {key: common_part(*(values[place] for place in places)) for key, values in outcomes.items()}
            found.append(PlayerPair((one.text, other.text), number, cost, parts))
    return DealPart(tuple(found), tuple(weak), digest(names), games, seconds, complete) if found else None


@dataclass
class _Plays:
    """What tables came to: table x deal x side, in parts."""

    shares: list[Counts]
    points: list[Counts]
    entries: list[Counts]

    @property
    def games(self) -> int:
        """Deals, as chunks count them."""
        return sum(part.shape[1] for part in self.shares)

    def add(self, other: _Plays) -> None:
        self.shares += other.shares
        self.points += other.points
        self.entries += other.entries


def _outcomes(
    setup: Setup, tables: Sequence[Match], deals: int, seed: int, threads: int | None, progress: Progress | None
) -> tuple[dict[str, NDArray[np.float64]], str, float]:
    """Both outcomes, table x deal x side; a digest; and the seconds."""
    sides = list(setup.seats_by_side)
    number = int(setup.rules[0].sides)

    def job(begin: int, some: int) -> _Plays:
        ledger = blank_ledger(len(tables), some, number)
        for place, (line_up, take) in enumerate(tables):
            play_chunk(setup, line_up, seed, begin, some, take, ledger=ledger[place])
        read = ledger[:, :, sides]
        return _Plays([read.share], [read.points], [read.entries])

    play_chunk(setup, tables[0][0], seed, 0, 0, ledger=blank_ledger(0, number))
    total = _Plays([], [], [])
    seconds = in_chunks(job, total, deals, 0, threads, None, progress, first_chunk(*(table[0] for table in tables)))
    empty = np.zeros((len(tables), 0, len(sides)), np.int64)
    shares, points, entries = (
        np.concatenate([empty, *part], axis=1) for part in (total.shares, total.points, total.entries)
    )
    held = hashlib.sha256()
    for part in (shares, points, entries):
        held.update(np.ascontiguousarray(part, "<i8").tobytes())
    who = [[list(line_up.digests), take] for line_up, take in tables]
    facts = {"rules": setup.digest, "tables": who, "seed": seed, "deals": shares.shape[1], "plays": held.hexdigest()}
    return {"win": shares / WHOLE_WIN, "score": points / np.maximum(entries, 1)}, digest(facts), seconds
