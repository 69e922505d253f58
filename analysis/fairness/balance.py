"""`houle balance`: whether all seats win equally often, and how games go: length, draws, comebacks, lead changes, ends.

A side is ahead if it alone is in front by what the game counts on the way (points, lifebelts, squares, rank: its
`standing`). This is read after every decision; with secret choices the lead changes when a trick is resolved. Comebacks
and the moment of decision are measured in games with a single winner. Everything comes from whole-number sums.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.blocks import OWN, SEATS, Block, Column, about, exact, note, seat_words, table, text, whole
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.players.named_players import seated_players
from houle.analysis.result import Facts, Finished, Record, run_digest
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.backends import LEDGER, Chunk, Keep, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.analysis.stats.intervals import (
    CONFIDENCE,
    WHOLE_WIN,
    around,
    normal_quantile,
    picked,
    shared_rate,
    wilson,
    with_prior,
)
from houle.analysis.stats.moments import Moments
from houle.solver import interface
from houle.solver.interface.files import end_reader_of
from houle.solver.language.seats import from_1
from houle.solver.matches.opening import Values
from houle.solver.rules import Setup
from houle.solver.run.device import plays_on_card
from houle.solver.run.tally import Counts, blank_ledger
from houle.solver.texts import capital, in_words

MILLION = 1_000_000  # parts of a game's length, in whole numbers
TENTHS = (0.1, 0.5, 0.9)
LIMIT = "max_turns"  # the knob that stops games which would not end; no rule of print
WHOLE_POINTS = 0.05  # a bound from here on is shown in whole points
LIKELY = 0.05  # seats may be equally good if the p-value is larger
LEAST_P = 0.001  # smaller p-values are shown as `p < 0.001`

# Sums per game: decisions, turns, lead changes; and for games with a single winner that it was one, after which part of
# the game the winner led for good, and whether the winner was not ahead, or behind somebody, after each quarter.
QUARTERS = (25, 50, 75)
NOT_AHEAD, BEHIND = (tuple(f"{what} {part}" for part in QUARTERS) for what in ("not ahead", "behind"))
# Then what people feel: over before everyone could act, decided in the last turn, led for good from the first quarter.
COLUMNS = ("plies", "turns", "changes", "alone", "decided", *NOT_AHEAD, *BEHIND, "early", "last turn", "runaway")
IN_DIGEST = 11  # columns, from the first, that name a result
KEPT = Keep(ledger=True, final_states=True)


@dataclass
class CourseSums:
    """Sums over games."""

    draws: int
    sums: Moments  # of COLUMNS
    shares: Moments  # of the sides
    lengths: Counts  # games by their number of turns
    ends: dict[str, int] = field(default_factory=dict)  # games by how they ended
    scores: dict[int, int] = field(default_factory=dict)  # of all sides together

    @property
    def games(self) -> int:
        return self.sums.clusters

    def add(self, other: CourseSums) -> None:
        self.draws += other.draws
        self.sums.add(other.sums)
        self.shares.add(other.shares)
        self.ends = {name: self.ends.get(name, 0) + other.ends.get(name, 0) for name in {**self.ends, **other.ends}}
        self.scores = dict(sorted((Counter(self.scores) + Counter(other.scores)).items()))
        size = max(len(self.lengths), len(other.lengths))
        self.lengths = np.pad(self.lengths, (0, size - len(self.lengths))) + np.pad(
            other.lengths, (0, size - len(other.lengths))
        )

    def as_data(self) -> list[Any]:
        """The integers, for digests."""
        squares = self.sums.products.diagonal()[:IN_DIGEST]
        return [self.sums.sums[:IN_DIGEST].tolist(), squares.tolist(), *self.shares.as_data(), self.lengths.tolist()]


@dataclass(frozen=True)
class CourseMeasure:
    """One number about the course of games."""

    name: str
    about: str
    value: Estimate

    @property
    def percent(self) -> bool:
        return self.value.unit == PERCENT


@dataclass(frozen=True)
class EvenTest:
    """Whether all sides win equally often: chi-square test with the covariance of the shares."""

    statistic: float
    freedom: int
    p: float


@dataclass(frozen=True)
class Excess:
    """The side farthest from an equal share, and by how much; its interval is corrected for picking it."""

    side: str
    points: Estimate  # share of the win above an equal share


@dataclass(frozen=True, repr=False)
class Balance(Finished):
    """How even the seats are and how games go."""

    sides: tuple[tuple[str, Estimate], ...]  # games won, or the score where it is the goal
    excess: Excess | None  # None unless players compete
    fair: float | None  # the equal share of each side; None unless players compete
    even: EvenTest | None
    measures: tuple[CourseMeasure, ...]
    missing: tuple[str, ...]  # what cannot be measured in this setup, in words
    lengths: tuple[tuple[int, int], ...]  # turns, number of games
    ends: tuple[tuple[str, Estimate], ...] = ()  # how games end, in words, and how often
    scores: tuple[tuple[int, int], ...] = ()  # score, number of times; all sides together, every round that is scored

    command = "balance"
    rows_key = None

    @property
    def headline(self) -> str:
        """The win rate of the side farthest from an equal share."""
        if not self.sides:
            return ""
        name, win = self.sides[0]
        if self.excess is not None and self.fair is not None:
            name, win = next((side for side in self.sides if side[0] == self.excess.side), self.sides[0])
            return f"{from_1(name)} wins {win.text()}, an equal share is {100 * self.fair:.3g}%"
        return f"{from_1(name)} {self.goal.verb}s {self.goal.says(win)}"

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    @property
    def who(self) -> str:
        return seated_players(self.strategies)

    def sentences(self, seconds_per_turn: float | None = None) -> list[Block]:
        """Whether the seats are equally good, how long games are, and when they are decided."""
        seats, values = self.seats(), {measure.name: measure.value for measure in self.measures}
        said = [*([whole(seats)] if seats else []), self.length(seconds_per_turn)]
        if "comebacks" in values:
            words = text(
                "Between {who}, {comebacks} of the winners were not in the lead at half-time. The lead changes "
                "{changes} times in a game, and the winner takes it for good after {decided} of the game.",
                who=self.who,
                comebacks=values["comebacks"],
                changes=values["lead_changes"],
                decided=values["decided"],
            )
            said.append(about(words, self.player, "comebacks, lead_changes, decided"))
        return said

    def seats(self) -> Block | None:
        """Whether the seats are equally good, as a part of a sentence; None if all players are one side."""
        words = self._seats()
        return about(words, self.player, "win of each side") if words else None

    def _seats(self) -> Block | None:
        if self.fair is None:
            side, win = self.sides[0]
            return (
                text("the {side} wins {win} of games of {who}", side=side, win=win, who=self.who)
                if len(self.sides) > 1
                else None
            )
        alike = len(set(self.strategies)) == 1
        who = f" between {self.who}" if alike else ""
        sizes = [len(seats) for _, seats in self.setup.game.side_names(self.setup)]
        best, worst = (choose(self.sides, key=lambda side: side[1].value) for choose in (max, min))
        if len(set(sizes)) > 1:
            size = in_words(sizes[self.sides.index(best)])
            return text("the team of {size} wins {best} of games{who}", size=size, best=best[1], who=who)
        if self.even is None or self.even.p > LIKELY:
            most = max(win.high for _, win in self.sides) - min(win.low for _, win in self.sides)
            points = f"{math.ceil(100 * most)}" if most >= WHOLE_POINTS else f"{math.ceil(1000 * most) / 10:.1f}"
            return text("no seat is better than another by more than {points} points{who}", points=points, who=who)
        highest, lowest = (picked(win, len(self.sides)) for _, win in (best, worst))
        values = {"best_side": seat_words(best[0]), "best": highest, "worst_side": seat_words(worst[0]),
                  "worst": lowest, "fair": exact(self.fair, PERCENT)}  # fmt: skip
        if not alike:  # then this is no test of the seats
            return text("the seats or their players make a difference: {best_side} wins {best} and {worst_side} "
                        "{worst}, where an equal share is {fair}", **values)  # fmt: skip
        return text("the seat matters: between {who} {best_side} wins {best} and {worst_side} {worst}, where an equal "
                    "share is {fair}", who=self.who, **values)  # fmt: skip

    def length(self, seconds_per_turn: float | None = None) -> Block:
        """How long half and nine in ten of the games last; in minutes too, if the seconds of a turn are given."""
        half, most = (self.measure(name) for name in ("turns_50", "turns_90"))
        values = {"half": half, "most": most, "turns": self.setup.ruleset.turns, "who": self.who}
        measure = "length:p50, length:p90"
        endless, limit = self.measure("endless"), self.setup.options.get(LIMIT)
        stops = endless is not None and most is not None and limit is not None and most.value >= limit
        if stops:  # the limit is ours, no length of a game
            minutes = half.value * seconds_per_turn / 60 if half and seconds_per_turn else None
            values |= {"endless": endless, "limit": limit}
            values["about"] = f", about {max(1, round(minutes)):,} minutes" if minutes else ""
            words = text("Half of the games of {who} last at most {half} {turns}{about}; {endless} do not end within "
                         "{limit} {turns}, where we stop them.", **values)  # fmt: skip
            return about(words, self.player, "length:p50, endless")
        if seconds_per_turn is None or half is None or most is None:
            words = text(
                "Half of the games of {who} last at most {half} {turns}, nine in ten at most {most}.", **values
            )
            return about(words, self.player, measure)
        short, long = (f"{max(1, round(part.value * seconds_per_turn / 60)):,}" for part in (half, most))
        words = text(
            "Half of the games of {who} last at most {half} {turns}, about {short} minutes; nine in ten at most "
            "{most}, about {long} minutes ({seconds} seconds for each of the {turns}).",
            short=short,
            long=long,
            seconds=f"{seconds_per_turn:g}",
            **values,
        )
        return about(words, self.player, measure)

    def details(self) -> list[Block]:
        """All numbers: wins by seat, how games go, how they end; and how the seats were tested."""
        goal = self.goal
        seats = [Column("side", "side", SEATS), Column(goal.measure, goal.title)]
        sides = [[name, goal.shown(reached)] for name, reached in self.sides]
        measures = [Column("measure", "how games go"), Column("value", "value", OWN)]
        ends = [Column("end", "how games end"), Column("share", "games")]
        rows = [[measure.about, measure.value] for measure in self.measures]
        blocks = [
            table("seats", f"{capital(goal.title)} by seat, with 95% intervals.", seats, sides, shown=False),
            table("balance", "Balance and length of games, with 95% intervals.", measures, rows),
            *([table("ends", "How games end.", ends, self.ends)] if self.ends else []),
        ]
        if self.excess is not None:
            words = note("Farthest from an equal share is {side}, by {points}.",
                         side=seat_words(self.excess.side), points=self.excess.points)  # fmt: skip
            blocks.append(about(words, self.player, "win of a side, difference from an equal share"))
        if self.even is not None:
            p = f"p = {self.even.p:.2g}" if self.even.p >= LEAST_P else f"p < {LEAST_P:g}"
            blocks.append(note("Whether seats are equal was tested with a chi-square test: {p}.", p=p))
        return [*blocks, *(note("{line}", line=line) for line in self.missing)]

    def measure(self, name: str) -> Estimate | None:
        """A measure by its name, such as `turns_50`, half of the games are over by then, or `lead_changes`."""
        return next((measure.value for measure in self.measures if measure.name == name), None)

    def records(self) -> list[Record]:
        """One row per side's win rate and per measure."""
        rows = [(self.goal.measure, name, reached) for name, reached in self.sides]
        rows += [(measure.name, "", measure.value) for measure in self.measures]
        rows += [("end", words, share) for words, share in self.ends]
        return [{"measure": measure, "side": side, "value": value, "n": value.n} for measure, side, value in rows]

    def summary(self) -> Record:
        even, excess = self.even, self.excess
        return {
            "sides": [{"side": name, self.goal.measure: reached} for name, reached in self.sides],
            "fair_share": self.fair,
            "excess": {"side": excess.side, **excess.points.as_json()} if excess else None,
            "even": {"chi_square": even.statistic, "freedom": even.freedom, "p": even.p} if even else None,
            "measures": {measure.name: measure.value for measure in self.measures},
            "ends": dict(self.ends),
            "lengths": {str(turns): games for turns, games in self.lengths},
            "scores": {str(score): number for score, number in self.scores},
            "missing": self.missing,
        }


@checked
def balance(setup: Setup | str, *, strategies: Strategies = None, **run: Unpack[RunOptions]) -> Balance:
    """Measure whether all seats win equally often, and how games go: length, comebacks, lead changes.

    Returns
    -------
    Balance
        The win rate of every side with a test of all together, and measures of how games go.

    Examples
    --------
    >>> import houle
    >>> result = houle.balance("land-unter", games=50)
    >>> [name for name, win in result.sides], result.even.freedom
    (['seat 0', 'seat 1', 'seat 2'], 2)
    """
    played, spec = as_setup(setup), RunSpec.of(run)
    seated, sides = line_up(played, strategies), int(played.rules[0].sides)
    total = sum_course(blank_ledger(0, sides), played)

    def fold(chunks: list[Chunk], _: int) -> CourseSums:
        course = sum_course(chunks[0].ledger, played, chunks[0].tally.draws, chunks[0].final_states)
        for side in range(sides):
            course.scores = dict(Counter(course.scores) + Counter(chunks[0].tally.scores(side)))
        return course

    keep = LEDGER if plays_on_card(seated, device=spec.device) else KEPT  # a card keeps no states
    seconds = play_games([Play(seated)], spec, fold, total, keep)
    fair = 1 / sides if len(played.seats_by_side) == sides > 1 else None
    measures, missing = read_measures(total, played)
    if fair is None:
        alone = "All players are one side" if sides == 1 else "A single player plays against the game"
        missing = (f"{alone}, so there are no seats to compare.", *missing)
    name = run_digest(seated, spec, games=total.games, draws=total.draws, sums=total.as_data())
    return Balance(
        Facts.of(seated, spec, total.games, seconds, name),
        read_sides(total, played),
        largest_excess(total, played, fair) if fair is not None else None,
        fair,
        evenness(total) if fair is not None else None,
        measures,
        missing,
        tuple((int(turns), int(total.lengths[turns])) for turns in np.flatnonzero(total.lengths)),
        tuple((words, wilson(number / max(total.games, 1), total.games)) for words, number in total.ends.items()),
        tuple(total.scores.items()),
    )


def sum_course(ledger: Any, setup: Setup, draws: int = 0, final_states: Any = None) -> CourseSums:
    """The sums of some games from their ledger and final states; `draws` had no winner."""
    games, sides = ledger.shape[:2]
    share, plies = ledger.share, ledger.plies[:, 0]
    winner = share.argmax(axis=1)
    alone = share.max(axis=1, initial=0) == WHOLE_WIN
    rows = np.arange(games)
    decided = np.where(alone, ledger.decided[rows, winner] * MILLION // np.maximum(plies, 1), 0)
    not_ahead, behind = [], []
    for quarter in range(len(QUARTERS)):
        ahead = ledger.quarters >> quarter & 1
        led = ahead[rows, winner]
        not_ahead.append(alone & (led == 0))
        behind.append(alone & (ahead.sum(axis=1) > led))
    turns, since = ledger.turns[:, 0], ledger.decided[rows, winner]
    tension = [plies < setup.players, alone & (since * turns >= plies * (turns - 1)), alone & (4 * since <= plies)]
    columns = np.stack([plies, turns, ledger.changes[:, 0], alone, decided, *not_ahead, *behind, *tension], axis=1)
    ends = {words: int(which.sum()) for words, which in end_masks(ledger, final_states, setup).items()}
    return CourseSums(draws, Moments.of(COLUMNS, columns), Moments.of(range(sides), share), np.bincount(turns), ends)


def end_masks(ledger: Any, final_states: Any, setup: Setup) -> dict[str, Any]:
    """Which games ended in each way: as the game says, or only by who won."""
    if final_states is None or not len(final_states):
        return {}
    reader = end_reader_of(setup)
    if not isinstance(reader, str):
        ends = reader.read(final_states)
        stuck = {f"{from_1(who)} cannot play": (ends.laid < reader.most) & (ends.stuck == i)
                 for i, who in enumerate(reader.who) if who}  # fmt: skip
        return {"all cards are played": ends.laid >= reader.most, **stuck}
    if setup.game.end_conditions is not None:
        masks: dict[str, Any] = setup.game.end_conditions(final_states, setup)
        return masks
    best, total = ledger.share.max(axis=1), ledger.share.sum(axis=1)
    if Goal(setup).is_score:
        return {}
    if ledger.shape[1] == 1:
        return {"won": best > 0, "lost": best == 0}
    return {"one side wins": best == WHOLE_WIN, "sides share the win": (best < WHOLE_WIN) & (total > 0),
            "nobody wins": total == 0}  # fmt: skip


def read_sides(course: CourseSums, setup: Setup) -> tuple[tuple[str, Estimate], ...]:
    games, goal = course.games, Goal(setup)
    if goal.is_score:  # of a team or a single player
        scores, often = np.array(list(course.scores)), list(course.scores.values())
        mean = float(np.average(scores, weights=often))
        spread = float(np.average((scores - mean) ** 2, weights=often))
        reached = around(mean, spread, games).within(*setup.score_range)
        return tuple((name, reached) for name, _ in setup.game.side_names(setup))
    return tuple(
        (name, shared_rate(course.shares.sum(side), course.shares.product(side, side), games))
        for side, (name, _) in enumerate(setup.game.side_names(setup))
    )


def largest_excess(course: CourseSums, setup: Setup, fair: float) -> Excess | None:
    """The side farthest from an equal share, with an interval for all sides together (Bonferroni)."""
    shares, games = course.shares, course.games
    if games < 2:
        return None
    names = [name for name, _ in setup.game.side_names(setup)]
    confidence = 1 - (1 - CONFIDENCE) / len(names)
    rates = [shared_rate(shares.sum(side), shares.product(side, side), games, confidence) for side in range(len(names))]
    side = max(range(len(names)), key=lambda side: abs(rates[side].value - fair))
    rate = rates[side]
    return Excess(names[side], replace(rate.shift(-fair), unit=POINTS))


def evenness(course: CourseSums) -> EvenTest | None:
    """Chi-square test that all sides have the same mean share; for whole wins nearly Pearson's test."""
    from scipy.stats import chi2

    shares = course.shares
    if shares.clusters < 2:
        return None
    *others, last = (shares.mean(side) for side in shares.columns)
    contrasts, sides = [one - last for one in others], len(shares.columns)
    values, errors = np.array([float(one.value) for one in contrasts]), shares.covariances(contrasts)
    if np.linalg.matrix_rank(errors) < sides - 1:
        return None
    statistic = float(values @ np.linalg.solve(errors, values))
    return EvenTest(statistic, sides - 1, float(chi2.sf(statistic, sides - 1)))


def read_measures(course: CourseSums, setup: Setup) -> tuple[tuple[CourseMeasure, ...], tuple[str, ...]]:
    """How games go, and what cannot be measured in this setup."""
    games, alone = course.games, course.sums.sum("alone")
    measures = [
        CourseMeasure("decisions", "decisions per game", _mean(course, "plies", games)),
        CourseMeasure("turns", f"{setup.ruleset.turns} per game", _mean(course, "turns", games)),
        *(CourseMeasure(f"turns_{int(100 * part)}",
                        f"{setup.ruleset.turns} after which {int(100 * part)}% of games are over",
                        quantile(course.lengths, part)) for part in TENTHS),
    ]  # fmt: skip
    limit = setup.options.get(LIMIT)
    if limit is not None:
        stopped = int(course.lengths[limit:].sum())
        words = f"games that do not end within {limit} {setup.ruleset.turns}, where we stop them"
        measures += [CourseMeasure("endless", words, wilson(stopped / max(games, 1), games))] if stopped else []
    early = wilson(course.sums.sum("early") / max(games, 1), games)
    measures.append(CourseMeasure("before_acting", "games over before every player could act", early))
    if int(setup.rules[0].sides) > 1:  # a team that loses has no winner either, but that is not a draw
        measures.append(CourseMeasure("draws", "games without a winner", wilson(course.draws / max(games, 1), games)))
    if not interface.has_standing(interface.blank(setup.game.STATE)[0]):
        lead = f"{setup.ruleset.title} has no lead, so there are no comebacks, lead changes or early decisions."
        own = not setup.game.package.startswith("houle.") and int(setup.rules[0].sides) > 1
        return tuple(measures), (f"{lead} Write `standing` in your game to see them." if own else lead,)
    measures.append(CourseMeasure("lead_changes", "times the lead changes hands", _mean(course, "changes", games)))
    if alone == 0:
        return tuple(measures), ("No game had a single winner, so there are no comebacks.",)

    def share(column: str) -> Estimate:
        return wilson(course.sums.sum(column) / alone, alone)

    measures.append(CourseMeasure("comebacks", "winners who were not ahead at half-time", share(NOT_AHEAD[1])))
    for part, column, when in zip(QUARTERS, BEHIND, ("a quarter", "half", "three quarters"), strict=True):
        about = f"winners who were behind a leader after {when} of the game"
        measures.append(CourseMeasure(f"behind_{part}", about, share(column)))
    decided = replace(_mean(course, "decided", alone, MILLION).within(0, 1), unit=PERCENT)
    measures.append(CourseMeasure("decided", "part of the game after which the winner leads for good", decided))
    unit = setup.ruleset.turns.removesuffix("s")
    measures.append(CourseMeasure("last_turn", f"games decided in the last {unit}", share("last turn")))
    measures.append(CourseMeasure("runaway", "winners who lead for good from the first quarter on", share("runaway")))
    return tuple(measures), ()


def _mean(course: CourseSums, column: str, games: int, unit: int = 1) -> Estimate:
    """Mean over so many games: all of them, or those with a single winner."""
    sums = course.sums.only(games)
    mean = with_prior(sums.interval(sums.mean(column, unit)), games).within(0.0, math.inf)
    return mean if games > 1 else replace(mean, value=math.nan)


def quantile(counts: Values, part: float) -> Estimate:
    """A quantile of whole numbers from their counts, with an interval by order statistics."""
    n = int(counts.sum())
    if n == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    passed = np.cumsum(counts)
    spread = normal_quantile() * math.sqrt(part * (1 - part) / n)
    ends = (part, max(part - spread, 0.0), min(part + spread, 1.0))
    value, low, high = (float(np.searchsorted(passed, max(1, math.ceil(end * n)))) for end in ends)
    return Estimate(value, low, high, n)
