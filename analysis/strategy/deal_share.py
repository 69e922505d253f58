"""How much the deal decides: what two equally strong players have in common when they play the same deals.

One player cannot show it. A player who never varies ends each deal in the same way, so everything seems to lie in the
cards; the same player with a harmless amount of noise ends most deals differently. So pairs of players play the same
deals in separate games, with different luck after the deal. The covariance of their results is the deal's part.

The pairs are fixed for each setup: the thumb with thumbs whose noise costs nothing, the noisiest thumb with itself, and
a search with itself. Their answers differ a lot, so the result is the range over all pairs whose part is known to
within 15 points. Search games are slow, and a part read from a few dozen deals may be anything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from houle.analysis.blocks import Block, Column, about, exact, note, table, text
from houle.analysis.measures.goal import Goal
from houle.analysis.result import Record
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import Play
from houle.analysis.sampling.clustered_deals import DealArm, against, distinct_line_ups, same_deals
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import picked
from houle.analysis.stats.variance import LEAST_DEALS, common_part
from houle.analysis.strategy.replays import Replays, play_replays
from houle.solver.players.names import KINDS, THUMB, Strategy, parse
from houle.solver.players.player import LineUp, weights_entry
from houle.solver.rules import Setup, digest

# Of the noise of the thumbs that searches imagine, and what players with so much are called.
NOISES = {1 / 10: "thumb with rare slips", 1 / 3: "thumb with some slips"}
LEAST_COST = 0.005  # of a win, or of the range of scores: a noise that costs more makes a weaker player
KNOWN = 0.15  # of the variance: the largest half-width of a part that counts as known
STRENGTH = 5  # times the deals, to measure what a noise costs
DOING = "the deal's part"  # for the progress bar

Pair = tuple[Strategy, Strategy, Estimate | None]  # two players, and what the noise of the second costs


@dataclass(frozen=True)
class PlayerPair:
    """Two players on the same deals, and the share of the outcome's variance that they have in common."""

    players: tuple[str, str]
    deals: int
    cost: Estimate | None  # by how much the second wins or scores less than the thumb; None for a search
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

    def record(self) -> Record:
        needed = {name: self.needed(name) for name in self.parts}
        facts = {"players": self.players, "deals": self.deals, "cost": self.cost}
        return {**facts, **self.parts, "needed_deals": needed}


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

    def sentences(self, goal: Goal) -> list[Block]:
        """How much the deal decides, from the least to the most of the pairs; shares near 0 may come out below it."""
        ends = self.ends(goal.measure)
        if ends is None:
            return []
        number = sum(pair.known(goal.measure) is not None for pair in self.pairs)
        least, most = (picked(part, number) for pair in ends if (part := pair.parts[goal.measure]))
        players = ", ".join(dict.fromkeys(pair.label for pair in ends))
        what = f"what separates high from low {goal.score}" if goal.is_score else "what separates won from lost games"
        if most.low <= 0:
            high = exact(max(most.high, 0.0), PERCENT)
            return [text("The deal decides at most {high} of {what}.", high=high, what=what)]
        words = text(
            "The deal decides from {least} to {most} of {what}, depending on how people play ({players}). The rest is "
            "other luck and choices.",
            least=least,
            most=most,
            what=what,
            players=players,
        )
        return [about(words, players, "share of the deal")]

    def details(self, goal: Goal) -> list[Block]:
        """What each pair has in common, and what that means."""
        outcomes = (
            {"score": f"of {goal.score}"} if goal.is_score else {"win": "of winning", "score": f"of {goal.score}"}
        )
        columns = [Column("players", "players"), Column("deals", "deals"),
                   *(Column("share" if name == "win" else name, head) for name, head in outcomes.items()),
                   Column("needed", "deals to know it")]  # fmt: skip
        rows = [[pair.label, pair.deals, *map(pair.known, outcomes), pair.needed(goal.measure) or None]
                for pair in self.pairs]  # fmt: skip
        caption = "How much the deal decides: what two equally strong groups have in common on the same deals."
        weak = [
            about(text("{name} {cost}", name=name, cost=goal.shown(cost)), name, f"{goal.measure}, change")
            for name, cost in self.left_out
        ]
        return [
            table("deal", caption, columns, rows),
            note("The deal is the order of all cards, including the pile. Two equally strong groups play the same "
                 "deals; what their results have in common is due to the deal (as a share of the variance). Too few "
                 "deals leave a cell empty."),
            *([note("Left out because too weak: {weak}.", weak=weak)] if weak else []),
        ]  # fmt: skip

    def record(self) -> Record:
        ends = {outcome: self.ends(outcome) for outcome in ("win", "score")}
        return {
            "pairs": [pair.record() for pair in self.pairs],
            "range": {name: [pair.record() for pair in pairs] if pairs else None for name, pairs in ends.items()},
            "left_out": [{"player": name, "cost": cost} for name, cost in self.left_out],
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
    def arms(self) -> list[DealArm]:
        """The thumb and its noisy versions, each among thumbs."""
        return [against(self.setup, player, self.thumb) for player in (self.thumb, *self.noisy)] if self.noisy else []

    @property
    def plan(self) -> Plan:
        """At most: players whose noise costs too much are not paired."""
        thumbs, searches = ([LineUp(self.setup, (one,) * self.setup.players)] if one else []
                            for one in (self.thumb, self.search))  # fmt: skip
        return Plan.of(
            (DOING, distinct_line_ups(self.arms), STRENGTH * self.deals),
            (DOING, thumbs * (2 + len(self.noisy)), self.deals),
            (DOING, searches * 2, self.search_deals),
        )


def plan_deal_part(setup: Setup, strategies: Sequence[Strategy], deals: int, search_deals: int) -> DealPlan:
    """The pairs of a setup; the last of the strategies that searches is the search."""
    searches = [one for one in strategies if THUMB < KINDS[one.name] < KINDS["clairvoyant"]]
    search = searches[-1] if searches else None
    if not setup.game.has_features:
        return DealPlan(setup, parse("random"), (), search, deals, search_deals)
    thumb = parse("thumb")
    noise = weights_entry(thumb, setup).get("noise", 0.0)
    noisy = tuple(
        parse(f"thumb[temperature={part * noise:.3g}]").called(name)
        for part, name in NOISES.items()
        if part * noise >= 0.001
    )
    return DealPlan(setup, thumb, noisy, search, deals, min(deals, search_deals))


def play_deal_part(plan: DealPlan, spec: RunSpec) -> DealPart | None:
    """Measure what the noises cost, then play the pairs; None after Ctrl-C before the first pair."""
    goal, costs = Goal(plan.setup), list[Estimate]()
    games, seconds = 0, 0.0
    if plan.noisy:
        arms, deals = plan.arms, STRENGTH * plan.deals
        dealt = same_deals(arms, spec.part(deals, doing=DOING))
        if dealt.number < deals:
            return None
        games, seconds = deals * sum(map(len, arms)), dealt.seconds
        costs = [goal.gain(dealt, 0, arm).scale(goal.sign) for arm in range(1, len(arms))]
    least = LEAST_COST * goal.span
    strong = [(one, cost) for one, cost in zip(plan.noisy, costs, strict=True) if cost.value < least]
    weak = [(one.text, cost) for one, cost in zip(plan.noisy, costs, strict=True) if cost.value >= least]
    noisiest = strong[-1] if strong else (plan.thumb, None)
    pairs: list[Pair] = [*((plan.thumb, one, cost) for one, cost in strong), (noisiest[0], *noisiest)]
    searching: list[Pair] = [(plan.search, plan.search, None)] if plan.search is not None else []
    measured: list[PlayerPair] = []
    names: list[str] = []
    complete = True
    for some, deals in ((pairs, plan.deals), (searching, plan.search_deals)):
        if not some or not complete:
            continue
        here = spec.part(deals, doing=DOING)
        found, played, name = _play_pairs(plan.setup, some, here)
        games, seconds = games + played.plays, seconds + played.seconds
        complete = played.games == deals
        measured += found
        names += [name] if found else []
    return DealPart(tuple(measured), tuple(weak), digest(names), games, seconds, complete) if measured else None


def _play_pairs(setup: Setup, pairs: Sequence[Pair], spec: RunSpec) -> tuple[list[PlayerPair], Replays, str]:
    """What each pair has in common, what was played, and a digest; the second of a pair plays another replay."""
    by_name = {one.text: one for pair in pairs for one in pair[:2]}
    players = list(dict.fromkeys((one.text, replay) for pair in pairs for replay, one in enumerate(pair[:2])))
    plays = [Play(LineUp(setup, (by_name[name],) * setup.players), replay) for name, replay in players]
    played = play_replays(plays, list(setup.seats_by_side), spec)
    found = []
    for one, other, cost in pairs if played.games >= LEAST_DEALS else ():
        mine, theirs = players.index((one.text, 0)), players.index((other.text, 1))
        parts = {name: common_part(values[:, mine], values[:, theirs]) for name, values in played.outcomes.items()}
        found.append(PlayerPair((one.text, other.text), played.games, cost, parts))
    who = [[list(play.line_up.digests), play.replay] for play in plays]
    facts = {"rules": setup.digest, "tables": who, "seed": spec.seed, "deals": played.games}
    return found, played, digest({**facts, "plays": played.digest(by_play=True)})
