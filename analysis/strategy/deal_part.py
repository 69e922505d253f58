"""How much the deal decides: what two equally strong players have in common when they play the same deals.

One player cannot show it. A player who never varies ends each deal in the same way, so everything seems to lie in the
cards; the same player with a harmless amount of noise ends most deals differently. So pairs of players play the same
deals in separate games, with different luck after the deal. The covariance of their results is the deal's part.

The pairs are fixed for each setup: the thumb with thumbs whose noise costs nothing, the noisiest thumb with itself, and
a search with itself. Their answers differ a lot, so the result is the range over all pairs whose part is known to
within 15 points. Search games are slow, and a part read from a few dozen deals may be anything.
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
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.stats.variance import LEAST_DEALS, common_part
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks, play_chunk
from houle.solver.strategies.names import KINDS, THUMB, Strategy, parse
from houle.solver.strategies.player import LineUp, weights_entry
from houle.solver.tally import Counts, blank_ledger

NOISES = (1 / 10, 1 / 3)  # of the noise of the thumbs that searches imagine
LEAST_COST = 0.005  # of a win: a noise that costs more makes a weaker player
KNOWN = 0.15  # of the variance: the largest half-width of a part that counts as known
STRENGTH = 5  # times the deals, to measure what a noise costs

Replay = tuple[LineUp, int]  # equal players, and which replay of the deals they play


@dataclass(frozen=True)
class PlayerPair:
    """Two players on the same deals, and the share of the outcome's variance that they have in common."""

    players: tuple[str, str]
    deals: int
    cost: Estimate | None  # by how much the second wins less than the thumb; None for a search
    parts: dict[str, Estimate | None]  # of "win" and "score"; None if the outcome never varied

    @property
    def label(self) -> str:
        one, other = self.players
        return f"{one}, twice" if one == other else f"{one} and {other}"

    def known(self, outcome: str = "win") -> Estimate | None:
        """The part, if there were enough deals to know it."""
        part = self.parts[outcome]
        return part if part and part.half <= KNOWN else None

    def needed(self, outcome: str = "win") -> int:
        """About how many deals it takes to know the part; 0 if it is known or the outcome never varied."""
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
    """What the pairs of players have in common in one setup."""

    pairs: tuple[PlayerPair, ...]
    left_out: tuple[tuple[str, Estimate], ...]  # players whose noise costs too much, and what it costs
    digest: str
    games: int
    seconds: float
    complete: bool

    def ends(self, outcome: str = "win") -> tuple[PlayerPair, PlayerPair] | None:
        """The known pairs with the least and the most in common; None if none is known."""
        known = [(part.value, number) for number, pair in enumerate(self.pairs) if (part := pair.known(outcome))]
        return (self.pairs[min(known)[1]], self.pairs[max(known)[1]]) if known else None

    def as_json(self) -> dict[str, Any]:
        ends = {outcome: self.ends(outcome) for outcome in ("win", "score")}
        return {
            "pairs": [pair.as_json() for pair in self.pairs],
            "range": {name: [pair.as_json() for pair in pairs] if pairs else None for name, pairs in ends.items()},
            "left_out": [{"player": name, "cost": interval_as_json(cost)} for name, cost in self.left_out],
            "result_digest": self.digest,
        }


@dataclass(frozen=True)
class DealPlan:
    """Which players will be paired in a setup."""

    setup: Setup
    thumb: Strategy  # random play in games without rules of thumb
    noisy: tuple[Strategy, ...]
    search: Strategy | None
    deals: int
    search_deals: int

    @property
    def arms(self) -> list[Arm]:
        """The thumb and its noisy versions, each among thumbs."""
        others = None if self.setup.one_sided else self.thumb
        return [against(self.setup, player, others) for player in (self.thumb, *self.noisy)] if self.noisy else []

    @property
    def quick_plays(self) -> int:
        """Games of one deal without search, at most: players whose noise costs too much are not paired."""
        return 2 + len(self.noisy)

    @property
    def games(self) -> int:
        strength = STRENGTH * self.deals * sum(map(len, self.arms))
        return strength + self.deals * self.quick_plays + 2 * self.search_deals * (self.search is not None)


def plan_deal_part(setup: Setup, strategies: Sequence[Strategy], deals: int, search_deals: int) -> DealPlan:
    """The pairs of a setup; the last of the strategies that searches is the search."""
    searches = [one for one in strategies if THUMB < KINDS[one.name] < KINDS["clairvoyant"]]
    search = searches[-1] if searches else None
    if not setup.game.has_features:
        return DealPlan(setup, parse("random"), (), search, deals, search_deals)
    thumb = parse("thumb")
    noise = weights_entry(thumb, setup).get("noise", 0.0)
    noisy = tuple(parse(f"thumb[temperature={part * noise:.3g}]") for part in NOISES if part * noise >= 0.001)
    return DealPlan(setup, thumb, noisy, search, deals, min(deals, search_deals))


def play_deal_part(
    plan: DealPlan, seed: int = SEED, threads: int | None = None, progress: Progress | None = None
) -> DealPart | None:
    """Measure what the noises cost, then play the pairs; None after Ctrl-C before the first pair."""
    costs: list[Estimate] = []
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
    pairs: list[tuple[Strategy, Strategy, Estimate | None]] = [(plan.thumb, one, cost) for one, cost in strong]
    pairs.append((noisiest[0], *noisiest))
    measured: list[PlayerPair] = []
    names: list[str] = []
    complete = True
    searching: list[tuple[Strategy, Strategy, Estimate | None]] = []
    if plan.search is not None:
        searching.append((plan.search, plan.search, None))
    begin = plan.games - plan.deals * plan.quick_plays - 2 * plan.search_deals * len(searching)
    for some, deals, plays in ((pairs, plan.deals, plan.quick_plays), (searching, plan.search_deals, 2)):
        if not some or not complete:
            continue
        players = list(dict.fromkeys((one.text, replay) for pair in some for replay, one in enumerate(pair[:2])))
        by_name = {one.text: one for pair in some for one in pair[:2]}
        replays = [(LineUp(plan.setup, (by_name[name],) * plan.setup.players), replay) for name, replay in players]
        watched = part_of(progress, begin, seconds, plays, "the deal's part")
        outcomes, name, spent = _outcomes(plan.setup, replays, deals, seed, threads, watched)
        number = len(outcomes["win"][0])
        games, seconds, complete = games + number * len(replays), seconds + spent, number == deals
        begin += deals * plays
        if number < LEAST_DEALS:
            continue
        names.append(name)
        for one, other, cost in some:
            rows = players.index((one.text, 0)), players.index((other.text, 1))
            parts = {key: common_part(*(values[row] for row in rows)) for key, values in outcomes.items()}
            measured.append(PlayerPair((one.text, other.text), number, cost, parts))
    return DealPart(tuple(measured), tuple(weak), digest(names), games, seconds, complete) if measured else None


@dataclass
class _Plays:
    """Results by replay x deal x side, in parts."""

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
    setup: Setup, replays: Sequence[Replay], deals: int, seed: int, threads: int | None, progress: Progress | None
) -> tuple[dict[str, NDArray[np.float64]], str, float]:
    """Both outcomes by replay x deal x side, a digest, and the seconds."""
    sides = list(setup.seats_by_side)
    number = int(setup.rules[0].sides)

    def job(begin: int, some: int) -> _Plays:
        ledger = blank_ledger(len(replays), some, number)
        for row, (line_up, replay) in enumerate(replays):
            play_chunk(setup, line_up, seed, begin, some, replay, ledger=ledger[row])
        read = ledger[:, :, sides]
        return _Plays([read.share], [read.points], [read.entries])

    play_chunk(setup, replays[0][0], seed, 0, 0, ledger=blank_ledger(0, number))
    total = _Plays([], [], [])
    seconds = in_chunks(job, total, deals, 0, threads, None, progress, first_chunk(*(each[0] for each in replays)))
    empty = np.zeros((len(replays), 0, len(sides)), np.int64)
    shares, points, entries = (
        np.concatenate([empty, *part], axis=1) for part in (total.shares, total.points, total.entries)
    )
    held = hashlib.sha256()
    for part in (shares, points, entries):
        held.update(np.ascontiguousarray(part, "<i8").tobytes())
    who = [[list(line_up.digests), replay] for line_up, replay in replays]
    facts = {"rules": setup.digest, "tables": who, "seed": seed, "deals": shares.shape[1], "plays": held.hexdigest()}
    return {"win": shares / WHOLE_WIN, "score": points / np.maximum(entries, 1)}, digest(facts), seconds
