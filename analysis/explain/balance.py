"""`houle balance`: how games go: seats, length, tension, what ends games, and what the deal decides.

Whether seats are equal is in seats.py, what ends games in endings.py, what the deal decides in openings.py.

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
from houle.analysis.blocks import OWN, SEATS, Block, Column, about, note, sentence, table, text, whole
from houle.analysis.explain.endings import EndCounts, Endings
from houle.analysis.explain.openings import OpeningGames, Openings
from houle.analysis.explain.openings import openings as play_openings
from houle.analysis.explain.seats import fairness
from houle.analysis.limits import BALANCE_GAMES, BALANCE_SECONDS, GAMES, THINKING_GAMES
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import SEAT_GAP
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, thinks, usual_games
from houle.analysis.players.named_players import seated_players
from houle.analysis.result import Facts, Finished, Record, run_digest
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.backends import Chunk, Keep, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import (
    WHOLE_WIN,
    around,
    normal_quantile,
    shared_rate,
    wilson,
    with_prior,
)
from houle.analysis.stats.looks import joint
from houle.analysis.stats.moments import Moments
from houle.analysis.stats.seat_gap import MARGIN, SeatGap, competes_evenly, fair_margin, seat_gap
from houle.solver.interface.files import EndReader, end_reader_of
from houle.solver.language.seats import from_1
from houle.solver.matches.opening import Values
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, digest
from houle.solver.run.tally import Counts, blank_ledger
from houle.solver.texts import capital, in_words

MILLION = 1_000_000  # parts of a game's length, in whole numbers
TENTHS = (0.1, 0.5, 0.9)
LIMIT = "max_turns"  # the knob that stops games which would not end; no rule of print

# Sums per game: decisions, turns, lead changes; and for games with a single winner that it was one, after which part of
# the game the winner led for good, and whether the winner was not ahead, or behind somebody, after each quarter.
QUARTERS = (25, 50, 75)
NOT_AHEAD, BEHIND = (tuple(f"{what} {part}" for part in QUARTERS) for what in ("not ahead", "behind"))
# Then what people feel: over before everyone could act, decided in the last turn, led for good from the first quarter.
COLUMNS = ("plies", "turns", "changes", "alone", "decided", *NOT_AHEAD, *BEHIND, "early", "last turn", "runaway")
FEWEST = 1_000  # games: a run that ends by the clock ends at a multiple
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
    last_cards: EndCounts | None = None  # in games that are lost when no card fits

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
        if self.last_cards is None:
            self.last_cards = other.last_cards
        elif other.last_cards is not None:
            self.last_cards.add(other.last_cards)

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


@dataclass(frozen=True, repr=False)
class Balance(Finished):
    """How games go: how even the seats are, length, tension, what ends games, what the deal decides."""

    sides: tuple[tuple[str, Estimate], ...]  # games won, or the score where it is the goal
    fair: float | None  # the equal share of each side; None unless players compete
    gap: SeatGap | None  # how far apart the sides are; None unless players compete
    margin: float  # a gap of at most this counts as fair
    measures: tuple[CourseMeasure, ...]
    missing: tuple[str, ...]  # what cannot be measured in this setup, in words
    lengths: tuple[tuple[int, int], ...]  # turns, number of games
    ends: tuple[tuple[str, Estimate], ...] = ()  # how games end, in words, and how often
    scores: tuple[tuple[int, int], ...] = ()  # score, number of times; all sides together, every round that is scored
    endings: Endings | None = None  # in games that are lost when no card fits
    openings: Openings | None = None  # None after Ctrl-C

    command = "balance"
    rows_key = None

    @property
    def headline(self) -> str:
        """How far apart the sides are, or what the first side reaches."""
        if not self.sides:
            return ""
        if self.gap is not None:
            return f"seat gap {self.gap.interval.text()}"
        name, win = self.sides[0]
        return f"{from_1(name)} {self.goal.verb}s {self.goal.says(win)}"

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    @property
    def who(self) -> str:
        return seated_players(self.strategies)

    @property
    def interrupted(self) -> bool:
        return super().interrupted or self.openings is None or self.openings.interrupted

    @property
    def part(self) -> None:
        """None: fewer games would also show what the deal decides, which Ctrl-C leaves out."""

    @property
    def parts(self) -> list[Balance | Endings | Openings]:
        """This result about seats, length and tension; what ends games; what the deal decides."""
        return [part for part in (self, self.endings, self.openings) if part is not None]

    def sentences(self, seconds_per_decision: float | None = None) -> list[Block]:
        """Whether the seats are equally good, how long games are, and when they are decided."""
        seats = self.seats()
        return [*([whole(seats)] if seats else []), self.length(seconds_per_decision), *self.tension()]

    def tension(self) -> list[Block]:
        """How often the lead changes, and when games are decided; nothing in games without a lead."""
        values = {measure.name: measure.value for measure in self.measures}
        if "comebacks" not in values:
            return []
        words = text(
            "Between {who}, {comebacks} of the winners were not in the lead at half-time. The lead changes {changes} "
            "times in a game, and the winner takes it for good after {decided} of the game.",
            who=self.who,
            comebacks=values["comebacks"],
            changes=values["lead_changes"],
            decided=values["decided"],
        )
        return [about(words, self.player, "comebacks, lead_changes, decided")]

    @property
    def shown_sides(self) -> list[tuple[str, Estimate]]:
        """What the sides win (or score), with intervals that hold for all of them: the best is picked by its value."""
        among = 1 if self.fair is None else len(self.sides)
        return [(name, joint(reached, among)) for name, reached in self.sides]

    def seats(self) -> Block | None:
        """Whether the seats are equally good, as a part of a sentence; None if all players are one side."""
        words = self._seats()
        return about(words, self.player, SEAT_GAP if self.gap else "win of each side") if words else None

    def _seats(self) -> Block | None:
        if self.gap is not None:
            return fairness(self.gap, self.setup, self.strategies, self.margin)
        if len(self.sides) == 1:
            return None
        sizes = [len(seats) for _, seats in self.setup.game.side_names(self.setup)]
        side, win = max(self.shown_sides, key=lambda one: one[1].value) if self.fair else self.sides[0]
        if self.fair:
            size = in_words(sizes[[name for name, _ in self.sides].index(side)])
            return text("between {who} the team of {size} wins {best} of games", size=size, best=win, who=self.who)
        return text("the {side} wins {win} of games of {who}", side=side, win=win, who=self.who)

    def length(self, seconds_per_decision: float | None = None) -> Block:
        """How long half and nine in ten of the games last; in minutes too, if the seconds of a decision are given."""
        half, most, endless = (self.measure(name) for name in ("turns_50", "turns_90", "endless"))
        who, turns, limit = self.who, self.setup.ruleset.turns, self.setup.options.get(LIMIT)
        minutes = self._minutes(seconds_per_decision)
        measure = "length:p50, length:p90"
        if endless is not None and most is not None and limit is not None and most.value >= limit:  # ours, no length
            words = text(
                "Half of the games of {who} last at most {half} {turns}; {endless} do not end within {limit} "
                "{turns}, where we stop them.{minutes}",
                who=who,
                half=half,
                turns=turns,
                endless=endless,
                limit=limit,
                minutes=minutes,
            )
            measure = "length:p50, endless"
        elif half is not None and most is not None and half.value == most.value:
            words = text(
                "Nine in ten games of {who} last at most {most} {turns}.{minutes}",
                who=who,
                most=most,
                turns=turns,
                minutes=minutes,
            )
            measure = "length:p90"
        else:
            words = text(
                "Half of the games of {who} last at most {half} {turns}, nine in ten at most {most}.{minutes}",
                who=who,
                half=half,
                turns=turns,
                most=most,
                minutes=minutes,
            )
        return about(words, self.player, f"{measure}, decisions" if minutes else measure)

    def _minutes(self, seconds: float | None) -> list[Block]:
        """How many decisions a game has, and how long they take; nothing without the seconds of a decision."""
        decisions = self.measure("decisions")
        if seconds is None or decisions is None:
            return []
        minutes = f"{max(1, round(decisions.value * seconds / 60)):,}"
        words = text(
            " A game has {decisions} decisions on average: about {minutes} minutes at {seconds} seconds each.",
            decisions=decisions,
            minutes=minutes,
            seconds=f"{seconds:g}",
        )
        return [words]

    def details(self) -> list[Block]:
        """All numbers: wins by seat, how games go, how they end; and how the seats were tested."""
        goal = self.goal
        seats = [Column("side", "side", SEATS), Column(goal.measure, goal.title)]
        sides = [[name, goal.shown(reached)] for name, reached in self.shown_sides]
        measures = [Column("measure", "how games go"), Column("value", "value", OWN)]
        ends = [Column("end", "how games end"), Column("share", "games")]
        rows = [[measure.about, measure.value] for measure in self.measures]
        blocks = [
            table(
                "seats", f"{capital(goal.title)} by seat; the 95% intervals hold together.", seats, sides, shown=False
            ),
            table("balance", "Balance and length of games, with 95% intervals.", measures, rows),
            *([table("ends", "How games end.", ends, self.ends)] if self.ends else []),
        ]
        return [*blocks, *(note("{line}", line=line) for line in self.missing)]

    def measure(self, name: str) -> Estimate | None:
        """A measure by its name, such as `turns_50`, half of the games are over by then, or `lead_changes`."""
        return next((measure.value for measure in self.measures if measure.name == name), None)

    def records(self) -> list[Record]:
        """One row per number: its part, its measure, and the side, card, end or value of a fact that it is about."""
        rows = [("seats", self.goal.measure, name, reached) for name, reached in self.sides]
        rows += [("course", measure.name, "", measure.value) for measure in self.measures]
        rows += [("ends", "end", words, share) for words, share in self.ends]
        rows += [("endings", *row) for row in (self.endings.rows() if self.endings else [])]
        rows += [("openings", *row) for row in (self.openings.rows() if self.openings else [])]
        return [
            {"part": part, "measure": measure, "which": which, "value": value, "n": value.n}
            for part, measure, which, value in rows
        ]

    def summary(self) -> Record:
        return {
            "sides": [{"side": name, self.goal.measure: reached} for name, reached in self.sides],
            "fair_share": self.fair,
            "seat_gap": self.gap and self.gap.interval,
            "fairness": self.gap and self.gap.verdict(self.margin),
            "margin": 100 * self.margin,
            "measures": {measure.name: measure.value for measure in self.measures},
            "ends": dict(self.ends),
            "lengths": {str(turns): games for turns, games in self.lengths},
            "scores": {str(score): number for score, number in self.scores},
            "missing": self.missing,
            "endings": self.endings.summary() if self.endings else None,
            "openings": self.openings.summary() if self.openings else None,
        }


@checked
def balance(
    setup: Setup | str, *, strategies: Strategies = None, margin: float | None = None, **run: Unpack[RunOptions]
) -> Balance:
    """Measure how games go: seats, length, tension, what ends games, what the deal decides.

    Parameters
    ----------
    margin : float, optional
        Seats count as fair if the best one wins at most so many percentage points more than the worst; 3 by default.
    games : int
        100,000 by default, 20,000 if people think (fewer if these take more than 20 seconds), and 200 if players
        search.

    Returns
    -------
    Balance
        The win rate of every side, how many more of the games the best one wins than the worst (`.gap`), and measures
        of how games go. `.endings` has what ends games, where a card that cannot be played does. `.openings` has what
        the deal decides, from as many games and as many again to check it; if people think, from 5,000, or from a
        quarter of the games if that is more.

    Examples
    --------
    >>> import houle
    >>> result = houle.balance("wave", games=50)
    >>> result.measure("turns_50").n, len(result.endings.alive), result.openings.tables[0].name
    (50, 34, 'first hand fits')
    """
    played, most = as_setup(setup), fair_margin(margin)
    seated, openings = line_up(played, strategies), OpeningGames(played, strategies)
    in_time = run.get("games") is None and thinks(seated)
    spec = RunSpec.of(run, BALANCE_GAMES if in_time else usual_games([seated], GAMES))
    deals = spec.part(min(spec.games, max(THINKING_GAMES, spec.games // 4)) if thinks(seated) else spec.games)
    spec.begin(Plan.of(("seats, length, endings", [seated], spec.games), ("deals", [openings.seated] * 2, deals.games)))
    course = play_course(seated, spec, most, BALANCE_SECONDS if in_time else math.inf)
    if course.games < course.asked:
        return course
    dealt = play_openings(played, openings, deals)
    result = replace(course, openings=dealt)
    whole = digest([part.digest for part in result.parts])
    return replace(result, origin=replace(course.facts, seconds=course.seconds + dealt.seconds, digest=whole))


def play_course(seated: LineUp, spec: RunSpec, margin: float = MARGIN, seconds: float = math.inf) -> Balance:
    """Seats, length, tension and endings, without what the deal decides.

    With `seconds` the games of the run are played as far as the clock allows, after a first answer.
    """
    played, sides = seated.setup, int(seated.setup.rules[0].sides)
    total = sum_course(blank_ledger(0, sides), played)

    def fold(chunks: list[Chunk], _: int) -> CourseSums:
        course = sum_course(chunks[0].ledger, played, chunks[0].tally.draws, chunks[0].final_states)
        for side in range(sides):
            course.scores = dict(Counter(course.scores) + Counter(chunks[0].tally.scores(side)))
        return course

    first = spec.part(min(spec.games, THINKING_GAMES)) if seconds < math.inf else spec
    spent = play_games([Play(seated)], first, fold, total, keep=KEPT)
    if total.games == first.games < spec.games:
        early = _course(seated, first, total, spent, margin=margin).sentences()[0]
        spec.tell(f"{first.games:,} games: {sentence(early, '-')}")
        fit = int(first.games * seconds / spent) // FEWEST * FEWEST
        spec = spec.part(min(spec.games, max(first.games, fit)))
        if rest := spec.games - first.games:
            spent += play_games([Play(seated)], spec.part(rest, first.games), fold, total, keep=KEPT)
    return _course(seated, spec, total, spent, margin=margin)


def _course(seated: LineUp, spec: RunSpec, total: CourseSums, seconds: float, margin: float) -> Balance:
    """What the sums of games say."""
    played, sides = seated.setup, int(seated.setup.rules[0].sides)
    fair = 1 / sides if len(played.seats_by_side) == sides > 1 else None
    measures, missing = read_measures(total, played)
    if fair is None:
        alone = "All players are one side" if sides == 1 else "A single player plays against the game"
        missing = (f"{alone}, so there are no seats to compare.", *missing)
    name = run_digest(seated, spec, games=total.games, draws=total.draws, sums=total.as_data())
    facts = Facts.of(seated, spec, total.games, seconds, digest=name)
    reader, endings = end_reader_of(played), None
    if total.last_cards is not None and isinstance(reader, EndReader):
        deaths = {key: counts.tolist() for key, counts in vars(total.last_cards).items()}
        endings = Endings(replace(facts, digest=run_digest(seated, spec, deaths=deaths)), total.last_cards, reader)
    return Balance(
        facts,
        sides=read_sides(total, played),
        fair=fair,
        gap=seat_gap(total.shares) if competes_evenly(played) else None,
        margin=margin,
        measures=measures,
        missing=missing,
        lengths=tuple((int(turns), int(total.lengths[turns])) for turns in np.flatnonzero(total.lengths)),
        ends=tuple((words, wilson(number / max(total.games, 1), total.games)) for words, number in total.ends.items()),
        scores=tuple(total.scores.items()),
        endings=endings,
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
    reader = None if final_states is None else end_reader_of(setup)
    last_cards = EndCounts.of(reader, final_states) if isinstance(reader, EndReader) else None
    wins = Moments.of(range(sides), share)
    return CourseSums(
        draws=draws,
        sums=Moments.of(COLUMNS, columns),
        shares=wins,
        lengths=np.bincount(turns),
        ends=ends,
        last_cards=last_cards,
    )


def end_masks(ledger: Any, final_states: Any, setup: Setup) -> dict[str, Any]:
    """Which games ended in each way: as the game says, or only by who won."""
    if final_states is None or not len(final_states):
        return {}
    reader = end_reader_of(setup)
    if not isinstance(reader, str):
        ends = reader.read(final_states)
        stuck = {
            f"{from_1(who)} cannot play": (ends.laid < reader.most) & (ends.stuck == i)
            for i, who in enumerate(reader.who)
            if who
        }
        return {"all cards are played": ends.laid >= reader.most, **stuck}
    if setup.game.end_conditions is not None:
        masks: dict[str, Any] = setup.game.end_conditions(final_states, setup)
        return masks
    best, total = ledger.share.max(axis=1), ledger.share.sum(axis=1)
    if Goal(setup).is_score:
        return {}
    if ledger.shape[1] == 1:
        return {"won": best > 0, "lost": best == 0}
    return {
        "one side wins": best == WHOLE_WIN,
        "sides share the win": (best < WHOLE_WIN) & (total > 0),
        "nobody wins": total == 0,
    }


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


def read_measures(course: CourseSums, setup: Setup) -> tuple[tuple[CourseMeasure, ...], tuple[str, ...]]:
    """How games go, and what cannot be measured in this setup."""
    games, alone = course.games, course.sums.sum("alone")
    measures = [
        CourseMeasure("decisions", "decisions per game", _mean(course, "plies", games)),
        CourseMeasure("turns", f"{setup.ruleset.turns} per game", _mean(course, "turns", games)),
        *(
            CourseMeasure(
                f"turns_{int(100 * part)}",
                f"{setup.ruleset.turns} after which {int(100 * part)}% of games are over",
                quantile(course.lengths, part),
            )
            for part in TENTHS
        ),
    ]
    limit = setup.options.get(LIMIT)
    if limit is not None:
        stopped = int(course.lengths[limit:].sum())
        words = f"games that do not end within {limit} {setup.ruleset.turns}, where we stop them"
        measures += [CourseMeasure("endless", words, wilson(stopped / max(games, 1), games))] if stopped else []
    early = wilson(course.sums.sum("early") / max(games, 1), games)
    measures.append(CourseMeasure("before_acting", "games over before every player could act", early))
    if int(setup.rules[0].sides) > 1:  # a team that loses has no winner either, but that is not a draw
        measures.append(CourseMeasure("draws", "games without a winner", wilson(course.draws / max(games, 1), games)))
    if not setup.game.has("standing"):
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
