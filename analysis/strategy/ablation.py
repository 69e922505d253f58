"""`houle ablate`: what each rule of thumb or sort of move is worth, measured by leaving it out.

Each thing left out is an arm on the same deals: one side plays without it and all others play in full, from every side
in turn. Where all players are one side (a team, a solo game) all of them play without it. The cost is the difference
to the full strategy on the same deals, with an interval clustered by deal. Rows are ranked by what they certainly cost.
A page shows dozens of costs, and by chance one in twenty looks real, so `stands` is corrected for all of them (Holm).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, about, text
from houle.analysis.limits import ABLATION_GAMES
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import Strategies, as_setup, one_strategy
from houle.analysis.result import Facts, Finished, Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.clustered_deals import DealArm, Deals, against, deals_digest, distinct_line_ups, same_deals
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.differences import near_end, standing
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.solver.errors import StrategyError
from houle.solver.matches.match import Match
from houle.solver.players.names import KINDS, OPTIONS, RANDOM, THUMB, WORDS, Strategy
from houle.solver.players.player import LineUp, weights_entry
from houle.solver.rules import Setup, nearest

LOOKS = 40  # games stepped through to see how often a sort of move comes up

NEVER, WITHOUT = "never", "without"


@dataclass(frozen=True)
class Chances:
    """How often a sort of move came up in some games."""

    decisions: int
    possible: int  # decisions with a move of the sort and one of another
    made: int  # decisions in which it was made
    games: int


@dataclass(frozen=True)
class AblationRow:
    """One thing that is left out, and what that costs."""

    option: str  # "never" or "without"
    name: str
    text: str  # for players; a rule of thumb is worded by the sign of its weight
    strategy: str
    win: Estimate | None  # share of the win without it, or points; None where leaving it out changes nothing
    cost: Estimate | None  # share of the win that is lost, or points
    score: Estimate | None  # by how much the score rises without it
    chances: Chances | None  # only for a sort of move
    remark: str  # why there is no number, or empty
    stands: bool = False  # the cost is certainly not 0, corrected for all rows (Holm)


@dataclass(frozen=True, repr=False)
class Ablation(Finished):
    """What each rule or sort of move of a strategy is worth, the largest certain cost first. Its games are deals."""

    strategy: Strategy
    full: Estimate  # share of the win, or points, with nothing left out
    rows: tuple[AblationRow, ...]
    one_sided: bool  # all players are one side
    plays: int  # games in all
    named: tuple[tuple[str, str], ...] | None  # option and name, in the order of play; None if all were tried

    command = "ablate"

    @property
    def headline(self) -> str:
        """The thing that is worth most, in words."""
        first = next((row for row in self.rows if row.stands and row.cost and row.cost.value > 0), None)
        if first is None or first.cost is None:
            return f"nothing that was left out certainly costs {self.goal.head}"
        return f"{first.option} {first.name} loses most: {self.goal.says(first.cost.scale(-1))}"

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    @property
    def harmful(self) -> list[AblationRow]:
        """Things without which the player certainly wins more."""
        return [row for row in self.rows if row.stands and row.cost and row.cost.high < 0]

    def sentences(self) -> list[Block]:
        """What the player wins with nothing left out, and what it should leave out."""
        goal = self.goal
        words = text("With nothing left out, this player {verb}s {full}.", verb=goal.verb, full=goal.shown(self.full))
        said = [about(words, self.player, goal.measure)]
        for row in self.harmful:
            words = text(
                "Our player weighs one rule badly: without \u201c{rule}\u201d it {verb}s more, {gain}. So that rule is "
                "no advice.",
                rule=row.text.rstrip("."),
                verb=goal.verb,
                gain=row.cost and goal.shown(row.cost.scale(-1)),
            )
            said.append(about(words, self.player, f"{goal.measure} without {row.name}"))
        return said

    @property
    def games_per_second(self) -> float:
        return self.plays / self.seconds if self.seconds else 0.0

    def words(self) -> list[str]:
        words = []
        for option in (NEVER, WITHOUT):
            names = [name for named, name in self.named or () if named == option]
            words += [f"--{option}", ",".join(names)] if names else []
        return words

    def records(self) -> list[Record]:
        return [
            {
                "option": row.option,
                "name": row.name,
                "text": row.text,
                "strategy": row.strategy,
                self.goal.measure: row.win or MISSING,
                "cost": row.cost or MISSING,
                "stands": row.stands,
                "score_name": self.setup.score,
                "score_change": row.score or MISSING,
                "possible": row.chances.possible if row.chances else None,
                "made": row.chances.made if row.chances else None,
                "comes_up": vars(row.chances) if row.chances else {},
                "remark": row.remark,
            }
            for row in self.rows
        ]

    def summary(self) -> Record:
        return {
            "strategy": self.strategy.text,
            "deals": self.games,
            "games": self.plays,
            "score": self.setup.score,
            "full": self.full,
        }


def leave_out(strategy: Strategy, option: str, name: str) -> Strategy:
    """The strategy with one more thing left out."""
    if option not in OPTIONS[strategy.name]:
        able = ", ".join(text for text, options in OPTIONS.items() if option in options)
        raise StrategyError(f"ablate: {strategy.text!r} has nothing to leave out; allowed: {able}")
    names = [*filter(None, strategy.options.get(option, "").split("+")), name]
    options = {**strategy.options, option: "+".join(dict.fromkeys(names))}
    words = (f"{key}={value}" if key in WORDS else f"{key}={value:g}" for key, value in sorted(options.items()))
    full = f"{strategy.code.partition('[')[0]}[{','.join(words)}]"
    without = f"{strategy.text.partition('[')[0]}[{option}={options[option]}]" if strategy.behind else full
    return replace(strategy, options=options, text=full, behind="").called(without)


def categories_of(setup: Setup) -> dict[str, str]:
    """The sorts of moves of a game, and their descriptions."""
    return dict(setup.game.CATEGORIES)


def rule_sentence(setup: Setup, feature: str, weight: float) -> str:
    """A rule of thumb in words: do more of it, or less if its weight is below 0."""
    more, less = setup.game.advice[feature]
    return less if weight < 0 else more


def rules_of_thumb(setup: Setup, strategy: Strategy) -> dict[str, str]:
    """The rules of thumb of a game, each worded by the sign of its weight."""
    weights = weights_entry(strategy, setup)["weights"]
    return {name: rule_sentence(setup, name, weights.get(name, 0)) for name, _ in setup.game.FEATURES}


def chosen(what: str, names: Iterable[str] | None, known: dict[str, str], setup: Setup) -> list[str]:
    """The given names, checked; all that the game has if none are given."""
    given = list(known) if names is None else list(dict.fromkeys(names))
    for name in given:
        if name not in known:
            hint = nearest(name, known) if known else "; it has none"
            raise StrategyError(f"{setup.ruleset.name} has no {what} {name!r}{hint}")
    return given


def comes_up(setup: Setup, strategy: Strategy, spec: RunSpec) -> dict[str, Chances]:
    """How often each sort of move is possible and is made, in the games of a short run.

    The rules of thumb decide in place of a search, which would take too long.
    """
    searches = KINDS[strategy.name] > THUMB
    plays = replace(strategy, name="thumb", options={}, text="thumb", behind="") if searches else strategy
    seated = LineUp(setup, (plays,) * setup.players)
    names = list(categories_of(setup))
    possible, made, decisions = dict.fromkeys(names, 0), dict.fromkeys(names, 0), 0
    for game in range(spec.games):
        match = Match(setup, spec.seed, spec.first + game)
        while match.to_move() >= 0:
            categories = {move: set(match.categories(move)) for move in match.moves()}
            move = match.decide(seated)
            decisions += 1
            for name in names:
                fitting = sum(name in having for having in categories.values())
                possible[name] += 0 < fitting < len(categories)
                made[name] += name in categories[move]
            match.apply(move)
    return {name: Chances(decisions, possible[name], made[name], spec.games) for name in names}


@checked
def ablate(
    setup: Setup | str,
    strategies: Strategies = None,
    *,
    never: Iterable[str] | None = None,
    without: Iterable[str] | None = None,
    **run: Unpack[RunOptions],
) -> Ablation:
    """Measure what each rule of thumb and each sort of move is worth by leaving it out.

    Parameters
    ----------
    strategies : str, optional
        The strategy to leave things out of; the thumb by default.
    never, without : iterable of str, optional
        Sorts of moves to forbid, and rules of thumb to ignore. By default all of both; `()` for none.
    games : int
        4,000 deals by default, which each row plays.

    Returns
    -------
    Ablation
        What each row costs, the largest certain cost first.

    Examples
    --------
    >>> import houle
    >>> result = houle.ablate("wave", "thumb", never=["reverse", "swap"], without=[], games=100)
    >>> [(row.option, row.name, row.remark) for row in result.rows][-1]
    ('never', 'swap', 'never came up: changed nothing in 100 deals')
    >>> result.repeat()
    'houle ablate wave -p 3 --never reverse,swap -s thumb -n 100 --seed 1'
    """
    spec = RunSpec.of(run, ABLATION_GAMES)
    played = as_setup(setup)
    return play_ablation(played, one_strategy("ablate", strategies, "thumb", played), spec, never, without)


def play_ablation(
    setup: Setup,
    strategy: Strategy,
    spec: RunSpec,
    never: Iterable[str] | None = None,
    without: Iterable[str] | None = None,
) -> Ablation:
    """Play every row on the same deals. Fewer deals after Ctrl-C."""
    every = never is None and without is None
    if KINDS[strategy.name] == RANDOM:
        leave_out(strategy, NEVER, "")
    named = [(NEVER, name) for name in chosen("sort of move", never, categories_of(setup), setup)]
    named += [(WITHOUT, name) for name in chosen("rule of thumb", without, rules_of_thumb(setup, strategy), setup)]
    weights = weights_entry(strategy, setup)["weights"]
    played = [(option, name) for option, name in named if option == NEVER or weights.get(name)]
    arms = [_full(setup, strategy), *(against(setup, leave_out(strategy, *what), strategy) for what in played)]
    plays = distinct_line_ups(arms)
    spec.begin(Plan.of(("", plays, spec.games)))
    looks = spec.but(games=LOOKS)
    chances = comes_up(setup, strategy, looks) if any(option == NEVER for option, _ in named) else {}
    dealt = same_deals(arms, spec)
    rows = []
    for what in named:
        arm = 1 + played.index(what) if what in played else 0
        rows.append(_row(setup, leave_out(strategy, *what), what, dealt, arm, chances))
    sure = standing([row.cost for row in rows])
    rows = [replace(row, stands=stands) for row, stands in zip(rows, sure, strict=True)]
    rows.sort(key=lambda row: (row.cost is None, [-size for size in certain_cost(row.cost)] if row.cost else []))
    full = arms[0][0][0]
    facts = Facts.of(full, spec, dealt.number, dealt.seconds, deals_digest(setup, arms, spec, dealt))
    return Ablation(
        facts, strategy, Goal(setup).reached(dealt, 0), tuple(rows), setup.one_sided, dealt.number * len(plays),
        None if every else tuple(named),
    )  # fmt: skip


def certain_cost(cost: Estimate) -> tuple[float, float]:
    """The certain part of a cost (below 0 if leaving it out helps), and its estimate."""
    return math.copysign(max(0.0, near_end(cost)), cost.value), cost.value


def _full(setup: Setup, strategy: Strategy) -> DealArm:
    """One play of every deal with nothing left out, read from all sides as the other arms are."""
    line_up = LineUp(setup, (strategy,) * setup.players)
    return [(line_up, side) for side in setup.seats_by_side]


def _row(
    setup: Setup, strategy: Strategy, what: tuple[str, str], dealt: Deals, arm: int, chances: dict[str, Chances]
) -> AblationRow:
    """What the deals say about one row; `arm` 0 means it was not played."""
    option, name = what
    text = (categories_of(setup) if option == NEVER else rules_of_thumb(setup, strategy))[name]
    seen = chances.get(name) if option == NEVER else None
    remark = ""
    if not arm:
        remark = "has no weight in this setup"
    elif dealt.same(0, arm):
        remark = f"changed nothing in {dealt.number:,} deals"
        if seen and not seen.possible:
            remark = f"never came up: {remark}"
    if remark:
        return AblationRow(option, name, text, strategy.text, None, None, None, seen, remark)
    goal, (low, high) = Goal(setup), setup.score_range
    cost, change = goal.gain(dealt, 0, arm).scale(goal.sign), dealt.score_gain(arm, 0, float(high - low))
    return AblationRow(option, name, text, strategy.text, goal.reached(dealt, arm), cost, change, seen, "")
