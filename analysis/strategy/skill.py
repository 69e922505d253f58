"""How much of a game is skill: the ladder's gaps, how near the best fair play comes to a bound, and what decides a win.

They are in ladder.py, skill_gap.py, deal_part.py and luck.py; here they are planned and played for one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.limits import (
    MOST_GAMES,
    SEED,
    SKILL_GAMES,
    SKILL_SEARCH_GAMES,
    SKILL_TAKES,
    check_int,
    check_run,
)
from houle.analysis.result import Facts, Finished, interval_columns, notes_of
from houle.analysis.sampling.lineups import Strategies, as_setup, names_of
from houle.analysis.sampling.lineups import line_up as seat
from houle.analysis.sampling.players import playable, usual_players
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.stats.intervals import Interval
from houle.analysis.stats.variance import LEAST_DEALS
from houle.analysis.strategy.deal_part import DealPart, DealPlan, plan_deal_part, play_deal_part
from houle.analysis.strategy.luck import Luck, luck_shares
from houle.analysis.strategy.skill_gap import SkillGap, gap_plays, has_bound, skill_gap
from houle.analysis.strategy.strength import Strength, StrengthPlan, plan_matchups, play_strength
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import KINDS, THUMB, Strategy
from houle.solver.strategies.player import LineUp

if TYPE_CHECKING:
    import pandas as pd

FAIR = usual_players("skill")
MOST_TAKES = 1000


@dataclass(frozen=True, repr=False)
class Skill(Finished):
    """Gaps, relative skill and luck of one table. Its games are deals, its strategies those of the ladder."""

    strength: Strength
    gap: SkillGap | None  # None where only one fair strategy plays, or after Ctrl-C
    deal: DealPart | None  # what lies in the deal: the range over pairs of players, whoever was asked for
    alike: Luck | None  # all play the same; its deal's part is this player's own
    mixed: Luck | None  # different players, at every seat in turn
    remarks: tuple[str, ...]  # what is not there, and why
    search_games: int
    takes: int
    line_up: tuple[str, ...]  # different players that were asked for, one each
    complete: bool

    command = "skill"

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
        return ["--takes", str(self.takes), *(["--line-up", ",".join(self.line_up)] if self.line_up else [])]

    def count_words(self) -> list[str]:
        return ["-n", str(self.asked), "--search-games", str(self.search_games)]

    def interruption(self, again: str) -> str:
        return f"the parts that were played show what they have; all of it: {again}"

    def frame(self) -> pd.DataFrame:
        """A row per number: what it is, of whom, its estimate."""
        import pandas as pd

        rows: list[tuple[str, str, Interval | None]] = []
        for matchup in self.strength.matchups:
            whom = matchup.strategy + (
                f" against {matchup.below}" if matchup.below and self.strength.fair is not None else ""
            )
            rows += [("ladder win", whom, matchup.win), ("ladder gain", whom, matchup.gain)]
        if self.gap:
            gap, whom = self.gap, f"{self.gap.best} over {self.gap.lowest}"
            rows += [("skill", whom, gap.skill), ("relative skill", whom, gap.relative)]
        for pair in self.deal.pairs if self.deal else ():
            rows += [(f"the deal, share of {outcome}", pair.label, part) for outcome, part in pair.parts.items()]
        for luck in (self.alike, self.mixed):
            for outcome, shares in (luck.parts if luck else {}).items():
                whom = ",".join(dict.fromkeys(luck.strategies)) if luck else ""
                rows += [(f"{part}, share of {outcome}", whom, share) for part, share in (shares or {}).items()]
        return pd.DataFrame(
            {
                **self.setup_columns(),
                "measure": measure,
                "of": whom,
                **interval_columns("value", interval),
                "value_n": interval.n,
                **self.digest_columns(),
            }
            for measure, whom, interval in rows
            if interval is not None
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle skill --json` prints."""
        return {
            **self.head(),
            "strength": self.strength.as_json(),
            "skill": self.gap.as_json() if self.gap else None,
            "luck": {
                "deal": self.deal.as_json() if self.deal else None,
                "alike": self.alike.as_json() if self.alike else None,
                "mixed": self.mixed.as_json() if self.mixed else None,
            },
            "remarks": list(self.remarks),
        }


@dataclass(frozen=True)
class SkillPlan:
    """What will be played for a table."""

    setup: Setup
    strategies: list[Strategy]  # from the lowest to the best
    strength: StrengthPlan
    deals: int
    search_deals: int
    gap_deals: int
    takes: int
    deal: DealPlan
    alike: LineUp
    mixed: LineUp | None
    line_up: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def games(self) -> int:
        gap = self.gap_deals * gap_plays(self.setup) if len(self.strategies) > 1 else 0
        luck = self.deals * sum(map(self.luck_plays, (self.alike, self.mixed)))
        return self.strength.games + gap + self.deal.games + luck

    def luck_plays(self, line_up: LineUp | None) -> int:
        """Games of one deal that tell what decides among these players."""
        if line_up is None:
            return 0
        return self.takes * (self.setup.players if len(set(line_up.names)) > 1 else 1)


def plan_skill(
    setup: Setup,
    fair: Iterable[str] | Sequence[Strategy] = FAIR,
    deals: int = SKILL_GAMES,
    search_deals: int = SKILL_SEARCH_GAMES,
    takes: int = SKILL_TAKES,
    line_up: Sequence[str] = (),
) -> SkillPlan:
    """Strategies from the lowest to the best. What searches is played on `search_deals`, all else on `deals`."""
    check_int("games", deals, LEAST_DEALS, MOST_GAMES)
    check_int("takes", takes, 2, MOST_TAKES)
    given = list(fair)
    ready = [strategy for strategy in given if isinstance(strategy, Strategy)]
    matchups, left_out = (ready, []) if ready else playable(setup, [name for name in given if isinstance(name, str)])
    if any(strategy.name == "clairvoyant" for strategy in matchups):
        raise InputError("skill: clairvoyant is no rung; the bound is played by itself where there is one")
    quick = [strategy for strategy in matchups if KINDS[strategy.name] <= THUMB]
    if not quick:
        raise InputError("skill: give at least one strategy that does not search")
    mixed, remarks = _different_players(setup, quick, line_up)
    if len(matchups) < 2:
        remarks.append(f"skill: there is no second strategy beside {matchups[0].text}")
    slow = has_bound(setup) or KINDS[matchups[-1].name] > THUMB
    return SkillPlan(
        setup, matchups, plan_matchups(setup, matchups, deals, search_deals, left_out), deals, search_deals,
        min(deals, search_deals) if slow else deals, takes, plan_deal_part(setup, matchups, deals, search_deals),
        LineUp(setup, (quick[-1],) * setup.players), mixed, tuple(line_up), tuple(remarks),
    )  # fmt: skip


def _different_players(setup: Setup, quick: list[Strategy], line_up: Sequence[str]) -> tuple[LineUp | None, list[str]]:
    """Those that were asked for; by default the best quick strategy among the next best. Or why there are none."""
    if setup.one_sided:
        if line_up:
            raise InputError("skill: line-up: all players are one side, nobody wins more than another")
        return None, ["who plays: all players are one side, nobody wins more than another"]
    if line_up:
        if len(line_up) != setup.players:
            allowed = "one strategy per player"
            raise InputError(f"skill: line-up: {len(line_up)} for {setup.players} players; allowed: {allowed}")
        return seat(setup, line_up), []
    if len(quick) < 2:
        return None, [f"who plays: there is no second strategy beside {quick[0].text}"]
    return LineUp(setup, (quick[-1], *(quick[-2],) * (setup.players - 1))), []


@checked
def skill(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int = SKILL_GAMES,
    search_games: int = SKILL_SEARCH_GAMES,
    takes: int = SKILL_TAKES,
    line_up: Strategies = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Skill:
    """How much of a game is skill, and how much the deal, the seat and the rest decide.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Fair ones from the lowest to the best, commas between them; by default from random play to flat search.
    games, search_games : int
        How many deals, and how many of them for what searches.
    takes : int
        How often a deal is played, with other luck.
    line_up : str or iterable of str, optional
        Different players, one each: is it they who decide? By default the best quick one among the next best.
    seed : int
        Which deals: numbers 0 to `games` - 1 of a seed.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Skill
        The gaps between strategies (`ladder`), how far the best comes towards what can be won (`gap`), how much of who
        wins lies in the deal (`deal`, a range over pairs of equally strong players), and what decides among players
        who are all alike (`alike`) and different ones (`mixed`).

    Examples
    --------
    >>> import houle
    >>> result = houle.skill("vague-verte", strategies="random,thumb", games=20, takes=2)
    >>> result.mixed.strategies
    ('thumb', 'random', 'random')
    >>> sorted(result.mixed.parts["win"])
    ['deal', 'player', 'rest', 'seat']
    """
    check_run(games, seed)
    players = names_of(line_up)
    plan = plan_skill(as_setup(setup), names_of(strategies) or FAIR, games, search_games, takes, players)
    expect(progress, plan.games)
    return play_skill(plan, seed, threads, progress)


def play_skill(
    plan: SkillPlan, seed: int = SEED, threads: int | None = None, progress: Progress | None = None
) -> Skill:
    """Plays what is planned. After Ctrl-C the parts that were played show what they have."""
    setup = plan.setup
    strength = play_strength(plan.strength, seed, threads, progress)
    games, seconds, interrupted = plan.strength.games, strength.seconds, strength.interrupted
    gap = None
    if not interrupted and len(plan.strategies) > 1:
        plays = gap_plays(setup)
        watched = part_of(progress, games, seconds, plays, "relative skill")
        gap = skill_gap(setup, plan.strategies[0], plan.strategies[-1], plan.gap_deals, seed, threads, watched)
        games, seconds = games + plan.gap_deals * plays, seconds + (gap.seconds if gap else 0.0)
        interrupted = gap is None or gap.deals < plan.gap_deals
    deal = None
    if not interrupted:
        deal = play_deal_part(plan.deal, seed, threads, part_of(progress, games, seconds))
        games, seconds = games + plan.deal.games, seconds + (deal.seconds if deal else 0.0)
        interrupted = deal is None or not deal.complete
    luck: list[Luck | None] = []
    for line_up in (plan.alike, plan.mixed):
        if line_up is None or interrupted:
            luck.append(None)
            continue
        plays = plan.luck_plays(line_up)
        watched = part_of(progress, games, seconds, plays, "luck")
        shares = luck_shares(setup, line_up, plan.deals, plan.takes, seed, threads, watched)
        luck.append(shares)
        games, seconds = games + plan.deals * plays, seconds + (shares.seconds if shares else 0.0)
        interrupted = shares is None or shares.deals < plan.deals
    name = digest([strength.digest, *(part.digest for part in (gap, deal, *luck) if part)])
    facts = Facts(setup, strength.strategies, seed, strength.games, plan.deals, seconds, name)
    return Skill(
        facts, strength, gap, deal, luck[0], luck[1], plan.remarks, plan.search_deals, plan.takes, plan.line_up,
        not interrupted,
    )  # fmt: skip
