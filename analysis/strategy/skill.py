"""`houle skill`: how much of a game is skill, and how much is luck.

Four parts, planned and played here for one setup: strength.py (what each player wins), skill_gap.py (how close the best
comes to what can be won), deal_part.py (how much the deal decides) and luck.py (what decides a win).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_GAMES, SKILL_GAMES, SKILL_REPLAYS, SKILL_SEARCH_GAMES, check_int
from houle.analysis.players.line_ups import Strategies, as_setup, is_search, names_of
from houle.analysis.players.line_ups import line_up as seat
from houle.analysis.players.named_players import usual_players
from houle.analysis.players.read_players import playable
from houle.analysis.result import Facts, Finished, Record, notes_of
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.clustered_deals import distinct_line_ups
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.variance import LEAST_DEALS
from houle.analysis.strategy.advantage import SkillGap, gap_arms, gap_plays, has_bound, skill_gap
from houle.analysis.strategy.deal_share import DealPart, DealPlan, plan_deal_part, play_deal_part
from houle.analysis.strategy.strength import Strength, StrengthPlan, plan_matchups, play_strength
from houle.analysis.strategy.variance_shares import LuckShares, luck_shares, rotations
from houle.solver.errors import StrategyError
from houle.solver.players.names import Strategy
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, digest

FAIR = usual_players("skill")
MOST_REPLAYS = 1000


@dataclass(frozen=True, repr=False)
class Skill(Finished):
    """Skill and luck in one setup. Its games are deals."""

    strength: Strength
    gap: SkillGap | None  # None if only one fair strategy plays, or after Ctrl-C
    deal: DealPart | None  # how much the deal decides: a range over fixed pairs of players
    alike: LuckShares | None  # all players are the same; the deal's part holds only for this player
    mixed: LuckShares | None  # different players, in every seat in turn
    remarks: tuple[str, ...]  # what is missing, and why
    search_games: int
    replays: int
    line_up: tuple[str, ...]  # the different players asked for, one per seat
    complete: bool

    command = "skill"
    rows_key = ""

    @property
    def headline(self) -> str:
        """What skill wins, in words."""
        if self.gap is None:
            return "not enough was played to measure skill"
        gap = self.gap
        goal = self.strength.goal
        best = f"{gap.best} {goal.verb}s {goal.says(gap.best_win)}"
        if self.setup.one_sided:
            return f"{gap.lowest} {goal.verb}s {goal.says(gap.lowest_win)}, {best}"
        return f"{best} against {gap.lowest}"

    @property
    def interrupted(self) -> bool:
        return not self.complete

    @property
    def games_per_second(self) -> float:
        games = self.strength.quick.games + self.strength.searching.games
        games += self.gap.deals * gap_plays(self.setup) if self.gap else 0
        games += sum(luck.games for luck in (self.deal, self.alike, self.mixed) if luck)
        return games / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        bounded = self.gap is not None and self.gap.bound_win is not None
        return notes_of(self.setup, (*self.strategies, *(("clairvoyant",) if bounded else ())))

    def words(self) -> list[str]:
        return ["--replays", str(self.replays), *(["--line-up", ",".join(self.line_up)] if self.line_up else [])]

    def count_words(self) -> list[str]:
        return ["-n", str(self.asked), "--search-games", str(self.search_games)]

    def interruption(self, again: str) -> str:
        return f"Stopped early: only the parts that were played are shown. To play all: {again}"

    def records(self) -> list[Record]:
        """One row per estimate: its name and the players it is about."""
        rows: list[tuple[str, str, Estimate | None]] = []
        for matchup in self.strength.matchups:
            rival = matchup.below if self.strength.fair is not None else ""
            whom = matchup.strategy + (f" against {rival}" if rival else "")
            reached, more = self.strength.reached(matchup)
            rows += [(self.setup.goal, whom, reached), ("gain", whom, more)]
        if self.gap:
            gap, whom = self.gap, f"{self.gap.best} over {self.gap.lowest}"
            rows += [("skill", whom, gap.skill), ("relative skill", whom, gap.relative)]
        for pair in self.deal.pairs if self.deal else ():
            rows += [(f"the deal, share of {outcome}", pair.label, part) for outcome, part in pair.parts.items()]
        for luck in filter(None, (self.alike, self.mixed)):
            whom = ",".join(dict.fromkeys(luck.strategies))
            for outcome, shares in luck.parts.items():
                rows += [(f"{part}, share of {outcome}", whom, share) for part, share in (shares or {}).items()]
        return [
            {"measure": measure, "of": whom, "value": estimate, "value_n": estimate.n}
            for measure, whom, estimate in rows
            if estimate is not None
        ]

    def summary(self) -> Record:
        luck = {"deal": self.deal, "alike": self.alike, "mixed": self.mixed}
        return {
            "strength": self.strength.as_json(),
            "skill": self.gap and self.gap.record(),
            "luck": {name: part and part.record() for name, part in luck.items()},
            "remarks": self.remarks,
        }


@dataclass(frozen=True)
class SkillPlan:
    """What will be played for a setup."""

    setup: Setup
    strategies: list[Strategy]  # from the weakest to the best
    strength: StrengthPlan
    deals: int
    search_deals: int
    gap_deals: int
    replays: int
    deal: DealPlan
    alike: LineUp
    mixed: LineUp | None
    line_up: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def plan(self) -> Plan:
        worst, best = self.strategies[0], self.strategies[-1]
        arms = gap_arms(self.setup, worst, best) if len(self.strategies) > 1 else []
        lucks = [line_up for line_up in (self.alike, self.mixed) if line_up is not None]
        replays = [(line_up,) * self.replays * len(rotations(line_up)) for line_up in lucks]
        return (
            self.strength.plan
            + Plan.of(("relative skill", distinct_line_ups(arms), self.gap_deals))
            + self.deal.plan
            + Plan.of(*(("luck", players, self.deals) for players in replays))
        )


def plan_skill(
    setup: Setup,
    fair: Iterable[str] = FAIR,
    deals: int = SKILL_GAMES,
    search_deals: int = SKILL_SEARCH_GAMES,
    replays: int = SKILL_REPLAYS,
    line_up: Sequence[str] = (),
) -> SkillPlan:
    """Plan all parts. `fair`: strategies from the weakest to the best; searches play `search_deals`, others `deals`."""
    check_int("games", deals, LEAST_DEALS, MOST_GAMES)
    check_int("replays", replays, 2, MOST_REPLAYS)
    matchups, left_out = playable(setup, fair)
    if any(strategy.name == "clairvoyant" for strategy in matchups):
        raise StrategyError("skill: clairvoyant is a bound, not a player; leave it out, it is added where possible")
    quick = [strategy for strategy in matchups if not is_search(strategy)]
    if not quick:
        raise StrategyError("skill: all players search; add one that does not, such as thumb")
    mixed, remarks = _different_players(setup, quick, line_up)
    if len(matchups) < 2:
        remarks.append(f"skill: not measured, because {matchups[0].text} is the only player")
    slow = has_bound(setup) or is_search(matchups[-1])
    return SkillPlan(
        setup, matchups, plan_matchups(setup, matchups, deals, search_deals, left_out), deals, search_deals,
        min(deals, search_deals) if slow else deals, replays, plan_deal_part(setup, matchups, deals, search_deals),
        LineUp(setup, (quick[-1],) * setup.players), mixed, tuple(line_up), tuple(remarks),
    )  # fmt: skip


def _different_players(setup: Setup, quick: list[Strategy], line_up: Sequence[str]) -> tuple[LineUp | None, list[str]]:
    """The line-up asked for, or one of the best quick strategy among the next best; or why there is none."""
    if setup.one_sided:
        if line_up:
            raise StrategyError("skill: line-up: all players are one side, so none wins more than another")
        return None, ["the player's part: not measured, because all players are one side"]
    if line_up:
        if len(line_up) != setup.players:
            allowed = "one strategy per player"
            raise StrategyError(f"skill: line-up: {len(line_up)} for {setup.players} players; allowed: {allowed}")
        return seat(setup, line_up), []
    if len(quick) < 2:
        return None, [f"the player's part: not measured, because {quick[0].text} is the only player"]
    return LineUp(setup, (quick[-1], *(quick[-2],) * (setup.players - 1))), []


@checked
def skill(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    search_games: int = SKILL_SEARCH_GAMES,
    replays: int = SKILL_REPLAYS,
    line_up: Strategies = None,
    **run: Unpack[RunOptions],
) -> Skill:
    """Measure how much of a game is skill, and how much the deal, the seat and later luck decide.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Players from the weakest to the best, separated by commas; by default from random play to a search.
    replays : int
        How often each deal is played, with other luck.
    line_up : str or iterable of str, optional
        Different players, one per seat, to measure how much the player decides. By default the best quick player
        among the next best.
    games : int
        2,000 deals by default.

    Returns
    -------
    Skill
        What each player wins (`strength`), how close the best comes to what can be won (`gap`), how much the deal
        decides (`deal`, a range over pairs of equally strong players), and what decides among equal players (`alike`)
        and different ones (`mixed`).

    Examples
    --------
    >>> import houle
    >>> result = houle.skill("vague-verte", strategies="random,thumb", games=20, replays=2)
    >>> result.mixed.strategies
    ('thumb', 'random', 'random')
    >>> sorted(result.mixed.parts["win"])
    ['deal', 'player', 'rest', 'seat']
    """
    spec = RunSpec.of(run, SKILL_GAMES)
    players = names_of(line_up)
    plan = plan_skill(as_setup(setup), names_of(strategies) or FAIR, spec.games, search_games, replays, players)
    spec.begin(plan.plan)
    return play_skill(plan, spec)


def play_skill(plan: SkillPlan, spec: RunSpec) -> Skill:
    """Play the plan on the first deals of a run. After Ctrl-C the result holds the parts that were played."""
    setup = plan.setup
    strength = play_strength(plan.strength, spec)
    interrupted = strength.interrupted
    gap = None
    if not interrupted and len(plan.strategies) > 1:
        here = spec.part(plan.gap_deals, doing="relative skill")
        gap = skill_gap(setup, plan.strategies[0], plan.strategies[-1], here)
        interrupted = gap is None or gap.deals < plan.gap_deals
    deal = None
    if not interrupted:
        deal = play_deal_part(plan.deal, spec.part(plan.deals))
        interrupted = deal is None or not deal.complete
    lucks: list[LuckShares | None] = []
    for line_up in (plan.alike, plan.mixed):
        luck = None
        if line_up is not None and not interrupted:
            luck = luck_shares(line_up, plan.replays, spec.part(plan.deals, doing="luck"))
            interrupted = luck is None or luck.deals < plan.deals
        lucks.append(luck)
    seconds = sum(part.seconds for part in (strength, gap, deal, *lucks) if part)
    name = digest([strength.digest, *(part.digest for part in (gap, deal, *lucks) if part)])
    facts = Facts(setup, strength.strategies, spec.seed, strength.games, plan.deals, seconds, name, spec.first)
    return Skill(
        facts, strength, gap, deal, lucks[0], lucks[1], plan.remarks, plan.search_deals, plan.replays, plan.line_up,
        not interrupted,
    )  # fmt: skip
