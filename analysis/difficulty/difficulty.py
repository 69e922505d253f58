"""`houle difficulty`: the win rate of each kind of player, from the weakest, on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.comparison.findings import Finding, all_findings
from houle.analysis.difficulty.labels import agreement, base_of_label
from houle.analysis.difficulty.prediction import Prediction, point_line_ups, predict
from houle.analysis.limits import DEALS, SEARCH_DEALS
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import Band, bands, difference, difficulty_span, gain_on_arm_before
from houle.analysis.players.groups import Group
from houle.analysis.players.line_ups import as_setup, has_search, names_of
from houle.analysis.players.read_players import EXPERT, expert_of_game, group_of, playable, role, usual
from houle.analysis.result import Facts, Record, Result
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.group_points import games_per_point
from houle.analysis.sampling.paired_arms import PlayedArms, play_matchups, searches
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.stats.intervals import mean_score, score_quantile, score_share, win_rate
from houle.analysis.stats.spread import spread
from houle.analysis.strategy.strength import doubt
from houle.analysis.tuning.tune_search import find_expert
from houle.solver.errors import BudgetError, RulesError
from houle.solver.players.names import LEVEL, THUMB
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import PRINTED_RULES, Setup, digest, printed
from houle.solver.run.tally import Tally
from houle.solver.texts import count_of

QUANTILES = (0.1, 0.5, 0.9)
NEXT_GAMES = 10
BASE_GAME = "base game"


@dataclass(frozen=True)
class LevelResult:
    """The results of one kind of player."""

    strategy: str
    role: str
    tally: Tally
    bands: tuple[Band, ...]
    printed: Estimate | None = None  # of the goal, for the same player under the printed rules, on the same deals
    more: Estimate | None = None  # the difference to that
    gain: Estimate | None = None  # over the player before; None for the first, and beside the printed rules
    predicted: Prediction | None = None  # of a group of people
    kind: int = THUMB  # of its strategy, from random play to the clairvoyant
    goal: Goal | None = None  # None: games won
    of_group: Estimate | None = None  # what a group of people reaches, with all that is not known about it

    @cached_property
    def win(self) -> Estimate:
        """The win rate of this player; of a group of people that at the middle of its points."""
        return win_rate(self.tally, 0)

    @property
    def searches(self) -> bool:
        """Whether it plans ahead, which takes long, so it plays fewer games."""
        return THUMB < self.kind < LEVEL

    @property
    def reached(self) -> Estimate:
        """What the goal of the game measures: the win rate, or the mean score."""
        return self.score if self.goal and self.goal.is_score else self.win

    @property
    def rate(self) -> Estimate:
        """The same as people read it: of a group with all that is not known about the group."""
        return self.of_group or self.reached

    @property
    def is_bound(self) -> bool:
        """Whether it is the most possible and not a player."""
        return self.strategy.startswith("clairvoyant")

    @cached_property
    def score(self) -> Estimate:
        return mean_score(self.tally, 0).interval

    @cached_property
    def quantiles(self) -> dict[float, Estimate]:
        return {q: score_quantile(self.tally, 0, q) for q in QUANTILES}

    @cached_property
    def shares(self) -> list[Estimate]:
        """Share of games in each score band of the rulebook."""
        return [score_share(self.tally, 0, band.low, band.high) for band in self.bands]

    @property
    def beside(self) -> str:
        """Compared with the printed rules: `easier`, `harder` or `no difference shown`."""
        if self.more is None:
            return ""
        more = self.more.scale(self.goal.sign) if self.goal else self.more
        return "easier" if more.low > 0 else "harder" if more.high < 0 else "no difference shown"

    @property
    def word(self) -> str:
        """`hard`, for example; empty for a bound, and where the score is the goal."""
        return "" if self.is_bound or (self.goal and self.goal.is_score) else difficulty_span(self.rate)


@dataclass(frozen=True, repr=False)
class Difficulty(Result):
    """Win rates from the weakest player to the best. Its games are those of the quick strategies."""

    rated: Setup
    # Quick strategies play all deals, searches the first of them. Beside the printed rules each strategy is a part of
    # its own, with the printed rules as its first arm.
    played: tuple[PlayedArms, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    numbers: tuple[int, int]  # deals asked for, and deals asked for with search
    # What groups of people may play like: a part for every point of a group, as the parts above.
    points: tuple[tuple[Group, tuple[PlayedArms, ...]], ...] = ()
    next_games: int = NEXT_GAMES
    stopped: bool = False  # before all players were ready

    command = "difficulty"
    rows_key = "levels"

    @property
    def headline(self) -> str:
        """The win rate of a family, or of the first player where no family plays."""
        players = [level for level in self.levels if not level.is_bound]
        if not players:
            return ""
        shown = next((level for level in players if level.strategy == "family"), players[0])
        return f"{shown.strategy} {self.goal.verb}s {self.goal.says(shown.rate)}"

    @property
    def goal(self) -> Goal:
        return Goal(self.rated)

    @cached_property
    def facts(self) -> Facts:
        quick = self.played[0]
        names = tuple(arm.label for part in self.played for arm in part.arms if arm.setup is self.rated)
        seconds = sum(part.seconds for part in self._every)
        name, number = digest([part.digest for part in self._every]), quick.batches[0].number
        return Facts(self.rated, names, quick.seed, number, quick.asked, seconds, name, quick.firsts[0])

    @property
    def _every(self) -> list[PlayedArms]:
        """All parts, those of groups last."""
        return [*self.played, *(part for _, parts in self.points for part in parts)]

    @property
    def interrupted(self) -> bool:
        return self.stopped or any(part.interrupted for part in self._every)

    @property
    def games_per_second(self) -> float:
        played = sum(part.games for part in self._every)
        return played / self.seconds if self.seconds else 0.0

    @property
    def printed(self) -> Setup | None:
        """The printed rules, if they were played too."""
        first = self.played[0].arms[0].setup
        return None if first is self.rated else first

    def words(self) -> list[str]:
        words = ["--alone"] if self.printed is None and rules_beside(self.rated) else []
        if EXPERT not in self.facts.strategies or expert_of_game(self.rated):
            return words
        arms = [arm for part in self.played for arm in part.arms if arm.setup is self.rated]
        codes = {arm.label: arm.line_up.strategies[0].code for arm in arms}
        # Its expert was found on this machine; others get the same player by its strategy.
        return [*words, "-s", ",".join(codes[name] if name == EXPERT else name for name in self.facts.strategies)]

    def count_words(self) -> list[str]:
        games, searched = self.numbers
        for part in self.played if self.printed is None else ():
            number = part.batches[0].number
            games, searched = (games, number) if any(map(searches, part.arms)) else (number, searched)
        return ["-n", str(games), "--search-games", str(searched)]

    def interruption(self, again: str) -> str:
        counted = ", ".join(f"{part.batches[0].number:,} of {part.asked:,}" for part in self.played)
        what = "repeat exactly this part" if self.printed is None else "play all"
        return f"{counted} deals counted. To {what}: {again}"

    @cached_property
    def levels(self) -> list[LevelResult]:
        """From the weakest player; only those with games."""
        own = tuple(bands(self.setup))
        levels: list[LevelResult] = []
        for part in self.played:
            for i, arm in enumerate(part.arms):
                if part.tally(i).games and arm.setup is self.rated:
                    gain = self._gain(part, i, levels)
                    who = role(arm.line_up.strategies[0])
                    guess, reached = self.predictions.get(arm.label), self._of_points(arm.label, self._reached)
                    reached = guess.rate if guess and not self.goal.is_score else reached
                    more = (*self._beside(part, i), gain, guess, arm.line_up.level, self.goal, reached)
                    levels.append(LevelResult(arm.label, who, part.tally(i), own, *more))
        return levels

    @cached_property
    def predictions(self) -> dict[str, Prediction]:
        """What the groups of people among the players will win, by their names."""
        ends = {
            arm.label: win_rate(part.tally(i), 0)
            for part in self.played
            for i, arm in enumerate(part.arms)
            if arm.setup is self.rated
        }
        found = {}
        for group, parts in self.points:
            if self._whole(group, parts):
                beyond = ends.get({1: EXPERT, -1: "random"}.get(group.beyond, ""))
                rates = [win_rate(part.tally(len(part.arms) - 1), 0) for part in parts]
                found[group.name] = predict(group, rates, self.next_games, beyond)
        return found

    def _reached(self, part: PlayedArms) -> Estimate:
        """What players reach with these rules, the last arm of a part."""
        return self.goal.in_tally(part.tally(len(part.arms) - 1))

    def _of_points(self, name: str, measured: Callable[[PlayedArms], Estimate]) -> Estimate | None:
        """What is measured at the points of a group, with all that is not known about it; None for other players."""
        for group, parts in self.points:
            if group.name == name and self._whole(group, parts):
                return spread([measured(part) for part in parts])
        return None

    def _whole(self, group: Group, parts: Sequence[PlayedArms]) -> bool:
        """Whether every point of a group was played."""
        return len(parts) == len(group.points) and not any(part.interrupted for part in parts)

    def _gain(self, part: PlayedArms, arm: int, before: Sequence[LevelResult]) -> Estimate | None:
        """By how much a player wins (or scores) more than the one before, on the same deals.

        A search plays fewer deals than a quick player before it; the two are treated as independent, which makes the
        interval too wide rather than too narrow.
        """
        groups = {group.name for group, _ in self.points}
        if self.printed is not None or not before or groups & {part.arms[arm].label, before[-1].strategy}:
            return None  # a group's interval has more than the luck of the deals
        if self.goal.is_score:
            return self.goal.in_tally(part.tally(arm)).difference(before[-1].score)
        return gain_on_arm_before(part, arm) or win_rate(part.tally(arm), 0).difference(before[-1].win)

    def _beside(self, part: PlayedArms, arm: int) -> tuple[Estimate | None, Estimate | None]:
        """What the same player wins (or scores) under the printed rules, and the difference."""
        if self.printed is None:
            return None, None
        name = part.arms[arm].label
        by_print = self._of_points(name, lambda one: self.goal.in_tally(one.tally(0)))
        more = self._of_points(name, lambda one: difference(one, 1, self.goal.measure).interval)
        if by_print is not None:
            return by_print, more
        return self.goal.in_tally(part.tally(0)), difference(part, arm, self.goal.measure).interval

    @cached_property
    def findings(self) -> list[Finding]:
        findings = (finding for part in self.played for finding in all_findings(part))
        return [finding for finding in findings if finding.arm != PRINTED_RULES]

    @cached_property
    def doubts(self) -> list[str]:
        """A sentence for each search that is certainly worse than the player before it."""
        pairs = zip(self.levels[1:], self.levels, strict=False) if self.printed is None else ()
        sentences = [
            doubt(self.setup, level.strategy, before.strategy, level.gain, level.score.difference(before.score))
            for level, before in pairs
            if not level.is_bound and not before.is_bound
        ]
        return [sentence for sentence in sentences if sentence]

    @cached_property
    def verdict(self) -> list[str]:
        """The answer in sentences: who wins how often, easier or harder than print, and how much can be won."""
        verb, says = self.goal.verb, self.goal.says
        players = [
            f"{level.strategy} {verb}s {says(level.rate)}" + (f": {level.word}" if level.word else "")
            for level in self.levels
            if not level.is_bound
        ]
        bound = next((level for level in self.levels if level.is_bound), None)
        sentences = ["; ".join(players)] if players else []
        sentences += [guess.sentence for guess in self.predictions.values()]
        sentences += [*self._beside_print(), *self.agreement, *self.doubts]
        if bound is not None and self.goal.is_score:
            sentences.append(f"With all cards known, {bound.strategy} scores {says(bound.rate)}")
        elif bound is not None:
            undecided = " or undecided" if bound.tally.unresolved else ""
            share = bound.win.text()
            sentences.append(f"With all cards known, {share} of deals can be won; the others are lost{undecided}")
        return sentences

    @property
    def beside_name(self) -> str:
        """The name of what this setup is compared with: the printed rules, or the base game."""
        of_label = self.printed is not None and self.rated.variants != self.printed.variants
        return BASE_GAME if of_label else PRINTED_RULES

    @property
    def agreement(self) -> list[str]:
        """Whether players agree with the label that print gives to this variant; empty if it has none."""
        if self.beside_name != BASE_GAME:
            return []
        more = {level.strategy: level.more for level in self.levels if level.more is not None and not level.is_bound}
        return agreement(self.rated, more, self.goal.sign < 0)

    def _beside_print(self) -> list[str]:
        """For whom this variant is easier or harder than the printed rules."""
        whom: dict[str, list[str]] = {}
        for level in self.levels:
            if level.more is not None:
                whom.setdefault(level.beside, []).append(level.strategy)
        parts = [f"{word} for {', '.join(names)}" for word, names in whom.items()]
        return [f"Compared with the {self.beside_name}: {'; '.join(parts)}"] if parts else []

    used_columns = (
        "strategy",
        "word",
        "games",
        "win",
        "predicted",
        "gain",
        "printed_win",
        "more_than_printed",
        "score",
    )

    def records(self) -> list[Record]:
        """One row per strategy."""
        return [
            {
                "strategy": level.strategy,
                "role": level.role,
                "word": level.word or None,
                "games": level.tally.games,
                "n": level.tally.games,
                "win": level.win,
                "predicted": level.predicted.rate if level.predicted else MISSING,
                "gain": level.gain or MISSING,
                f"printed_{self.goal.measure}": level.printed or MISSING,
                "more_than_printed": level.more or MISSING,
                "beside_print": level.beside or None,
                "score_name": self.setup.score,
                "score": level.score,
                **{f"score_q{round(100 * q)}": quantile for q, quantile in level.quantiles.items()},
                "band": {band.label: share for band, share in zip(level.bands, level.shares, strict=True)},
                "histogram": {str(score): number for score, number in level.tally.scores(0).items()},
            }
            for level in self.levels
        ]

    def summary(self) -> Record:
        return {
            "score": self.setup.score,
            "verdict": self.verdict,
            "bands": [{"band": band.label, "word": band.word} for band in bands(self.setup)],
            "predictions": {name: guess.as_json() for name, guess in self.predictions.items()},
            "left_out": [{"strategy": text, "why": why} for text, why in self.left_out],
            "findings": [finding.as_json() for finding in self.findings],
        }


def levels_of(setup: Setup, texts: Sequence[str] = ()) -> tuple[list[list[LineUp]], list[tuple[str, str]]]:
    """The quick players and those that search, and why some are left out."""
    if not setup.one_sided:
        name = setup.ruleset.name
        raise RulesError(f"{name}: players compete in this setup, so it has no difficulty; see houle strength {name}")
    players, left_out = playable(setup, texts) if texts else usual(setup, "difficulty")
    stages: list[list[LineUp]] = [[], []]
    for strategy in players:
        seated = seat(setup, [strategy])
        stages[has_search(seated)].append(seated)
    return [stage for stage in stages if stage], left_out


def differs(setup: Setup) -> bool:
    """Whether a setup differs from the printed rules."""
    return setup.digest != printed(setup).digest


def rules_beside(setup: Setup) -> Setup | None:
    """What a setup is compared with: rules of your own with print, a variant that print labels with the base game."""
    return printed(setup) if differs(setup) else base_of_label(setup)


def plan_difficulty(
    setup: Setup,
    strategies: str | Iterable[str] | None,
    games: int,
    search_games: int,
    beside_print: bool | None = None,
) -> tuple[Plan, list[Group]]:
    """What `difficulty` plays, and the groups of people that the last stages are for.

    Beside the printed rules every player is a stage of its own: first under the printed rules, then in this setup.
    """
    levels, left_out = levels_of(setup, names_of(strategies))
    players = {one.strategies[0].text: one.strategies[0] for stage in levels for one in stage}
    groups = [group for strategy in players.values() if (group := group_of(strategy))]
    points = [[(group, [one]) for one in point_line_ups(setup, group)] for group in groups]
    by_print = rules_beside(setup)
    if by_print is not None and beside_print is not False:
        levels = [[seat(by_print, one.strategies), one] for stage in levels for one in stage]
        points = [[(group, [seat(by_print, one.strategies), one]) for group, (one,) in some] for some in points]
    fewer = min(games, search_games)
    stages = [("", some, fewer if any(map(has_search, some)) else games) for some in levels]
    of_groups = ((group.name, some, games_per_point(games)) for each in points for group, some in each)
    return Plan.of(*stages, *of_groups, left_out=left_out), groups


@checked
def difficulty(
    setup: Setup | str,
    *,
    strategies: str | Iterable[str] | None = None,
    search_games: int = SEARCH_DEALS,
    alone: bool = False,
    next_games: int = NEXT_GAMES,
    **run: Unpack[RunOptions],
) -> Difficulty:
    """Measure how hard a cooperative or solo game is for each kind of player, from random play to the best possible.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Players from the weakest; by default the named ones (`houle players GAME`).
    alone : bool
        Whether to leave out the printed rules, which rules of your own are compared with on the same deals.
    next_games : int
        For groups of people (`houle.calibrate`): how many games to predict, beside the long-run rate.
    games : int
        Deals, 4,000 by default.

    Returns
    -------
    Difficulty
        With `.levels`, `.verdict`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.difficulty(houle.setup("wave"), strategies=["random", "thumb"], games=4_000)
    >>> [(level.strategy, level.word) for level in result.levels]
    [('random', 'nearly impossible'), ('thumb', 'hard')]
    """
    played, spec = as_setup(setup), RunSpec.of(run, DEALS, least=2)
    plan, groups = plan_difficulty(played, strategies, spec.games, search_games, False if alone else None)
    spec.begin(plan)
    if EXPERT in (names_of(strategies) or [EXPERT]):  # a game without an expert gets one now
        find_expert(played, run.get("progress"))
        plan, groups = plan_difficulty(played, strategies, spec.games, search_games, False if alone else None)
    parts, left_out, goal, stopped = list[PlayedArms](), plan.left_out, Goal(played), False
    for stage in plan.stages:
        if stopped:
            break
        arms = [Arm(one, {}, one.names[0] if one.setup is played else PRINTED_RULES) for one in stage.line_ups]

        def tell(arm: int, so_far: PlayedArms, of_group: bool = bool(stage.name)) -> None:
            if not of_group:  # the points of a group are no rows
                name, tally = so_far.arms[arm].label, so_far.tally(arm)
                spec.tell(f"{name} {goal.verb}s {goal.says(goal.in_tally(tally))}, {count_of(tally.games, 'deal')}")

        try:
            parts.append(play_matchups(arms, spec.part(stage.games, doing=stage.name), tell))
        except BudgetError as fault:
            if not parts:
                raise
            left_out += tuple((arm.label, str(fault)) for arm in arms)
            continue
        stopped = parts[-1].interrupted or len(parts[-1].arms) < len(arms)
    of_players = len(plan.stages) - sum(len(group.points) for group in groups)
    points = iter(parts[of_players:])
    of_groups = tuple((group, tuple(islice(points, len(group.points)))) for group in groups)
    numbers = (spec.games, search_games)
    return Difficulty(played, tuple(parts[:of_players]), left_out, numbers, of_groups, next_games, stopped)
