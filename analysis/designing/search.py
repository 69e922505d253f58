"""The search behind `houle design`: few candidates, many games of each, in passes that grow.

1. Every single change is played on the same deals as the unchanged rules. After a short look only those that help most
   go on: the others alter no game, or lead away from the target.
2. A model adds up their effects (model.py) and ranks combinations, few and small changes first. The best are played in
   a few rounds; after each the model knows better how much of the sums remains.
3. The three best settings play new deals, because the games that chose a setting flatter it. Those that may be inside
   the target play on until one is. Then the best one plays again without each of its changes.

A pass does all three, and each has twice the games of the one before, until a way is found. The search ends with two
ways, or some passes after the first one. It also ends at its time, or before a step with more games than it may still
play. A step that is cut short is dropped, so the answer follows from the number of games that were played.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace

from houle.analysis.designing.model import COST, EffectScale, Model, log_chance, propose
from houle.analysis.designing.space import AS_IT_IS, Change, Setting, Space
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.measures import difference, estimate, possible_measures
from houle.analysis.measures.targets import INSIDE, OUTSIDE, PERHAPS, worst
from houle.analysis.players.line_ups import has_search, line_up, usual_people
from houle.analysis.run_options import Progress, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.experiment import Experiment, Sample
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.looks import confidence_at
from houle.analysis.tables.effects import LEAST_IDLE
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Setup
from houle.solver.rules.knobs import SETTLED

LEAST_PASS, EACH_CHANGE = 2_000, 80  # games of the first pass: at least so many, and so many for each change
LOOK, SINGLE, TRIED, FRESH = 0.2, 0.5, 0.25, 0.2  # shares of a pass; single changes keep the games of earlier ones
EXPLAIN = 0.2  # games that explain the best proposal, as a share of all before
LEAST_LOOK, MOST_LOOK = 20, 200  # deals of every single change at first
KEPT, LEAST_SINGLE, MOST_SINGLE = 40, 300, 2_000  # changes that go on, and the deals of each
ROUNDS, AT_ONCE, ENOUGH = (3, 10), 4, 3_000  # rounds of combinations, how many in each, deals that are enough to rank
FINALISTS = 3  # settings that play new deals together
MORE = 3  # passes that look for another way, after the first one was found
NEAREST = 8  # times the games of a pass from which the nearest ones play, if every combination misses
LOOKS = 5  # at the new games of a finalist, each after twice the games
MOST_FRESH, MOST_EXPLAINED = 20_000, 4_000  # new deals of a finalist at first, and of each setting without a change
SLOWER, LEAST_SLOW = 20, 20  # players that search play a twentieth of the deals, at least so many
COUNTABLE = 64  # combinations that may all be played

NEW_DEALS = 10**8  # the first deal that chooses nothing
TIME, GAMES, ASKED = "time", "games", "asked"  # why a search ended before it had enough

Key = tuple[str, str]  # line-up and measure
Measured = Mapping[Key, Estimate]
# A setting without one of its changes: what is measured then, and what the change does beside the others.
Without = Mapping[Change, Mapping[Key, tuple[Estimate, Estimate]]]


@dataclass(frozen=True)
class Proposal:
    """A setting in the answer, measured on games that did not choose it."""

    setting: Setting
    setup: Setup
    label: str
    cost: float
    chosen: Measured  # on the games that chose it
    fresh: Measured
    hit: str  # by the new games: inside, perhaps or outside
    elsewhere: Mapping[str, tuple[Estimate, Estimate]]  # other measures: with this setting, and unchanged
    without: Without = field(default_factory=dict)

    @property
    def changes(self) -> int:
        return len(self.setting)

    @property
    def open_rules(self) -> list[str]:
        """Changed knobs whose usual value is not settled by the rulebook."""
        knobs = self.setup.ruleset.knobs
        return [knob for knob, _, _ in self.setup.differences if knobs[knob].provenance not in SETTLED]


@dataclass(frozen=True)
class Shares:
    """How many deals the stages of a pass play."""

    games: int  # of the pass
    look: int  # of every single change
    kept: int  # single changes that go on
    single: int  # of each of these
    rounds: int  # of combinations
    tried: int  # of each of these

    @classmethod
    def of(cls, games: int, changes: int) -> Shares:
        look = min(max(int(LOOK * games / (changes + 1)), LEAST_LOOK), MOST_LOOK)
        for_single = (LOOK + SINGLE) * games - look * (changes + 1)
        kept = min(changes, KEPT, max(int(for_single / LEAST_SINGLE), FINALISTS))
        single = min(max(look + int(for_single / (kept + 1)), look), MOST_SINGLE)
        rounds = within(int(TRIED * games / (AT_ONCE * ENOUGH)), ROUNDS)
        tried = max(int(TRIED * games / (rounds * AT_ONCE)), LEAST_LOOK)
        return cls(games=games, look=look, kept=kept, single=single, rounds=rounds, tried=min(tried, 2 * ENOUGH))

    @property
    def fresh(self) -> int:
        """New deals of each finalist, and of the unchanged rules."""
        return within(int(FRESH * self.games / (FINALISTS + 1)), (LEAST_LOOK, MOST_FRESH))


def within(number: int, ends: tuple[int, int]) -> int:
    """The number, or the nearer end."""
    return min(max(number, ends[0]), ends[1])


class Stage:
    """Some settings on the same deals, played by one or more line-ups; the first setting is the base of differences."""

    def __init__(
        self,
        space: Space,
        line_ups: Mapping[str, LineUp],
        settings: Iterable[Setting],
        spec: RunSpec,
        paired: bool = False,
    ) -> None:
        self.settings, self.line_ups = list(dict.fromkeys(settings)), line_ups
        names = [(name, setting) for name in line_ups for setting in self.settings]
        self.arm = {key: i for i, key in enumerate(names)}
        arms = [Arm(seat(space.setup(setting), line_ups[name].strategies)) for name, setting in names]
        pairs = [
            (i, self.arm[name, self.settings[0]])
            for (name, setting), i in self.arm.items()
            if setting != self.settings[0]
        ]
        self.sample = Sample(Experiment(tuple(arms), tuple(pairs) if paired else ()), spec)

    def ends(self, deals: int, settings: Iterable[Setting]) -> dict[int, int]:
        """Where each arm of some settings ends, if so many deals are played; without those that have as many."""
        every = {
            self.arm[name, setting]: deals_of(seated, deals)
            for name, seated in self.line_ups.items()
            for setting in settings
        }
        return {arm: end for arm, end in every.items() if end > self.sample.deals(arm)}

    def play(self, ends: Mapping[int, int]) -> bool:
        """Play arms up to so many deals each; false if that was cut short, when none of them has more."""
        before = copy(self.sample)
        before.sums, before.both, before.asked = deepcopy((before.sums, before.both, before.asked))
        if not ends or self.sample.play(list(ends.values()), list(ends)):
            return True
        self.sample = before
        return False

    def known(self, name: str, setting: Setting) -> bool:
        return (name, setting) in self.arm and self.sample.deals(self.arm[name, setting]) > 0

    def estimate(self, key: Key, setting: Setting, confidence: float = CONFIDENCE) -> Estimate:
        return estimate(self.sample, self.arm[key[0], setting], key[1], confidence)

    def effect(self, key: Key, setting: Setting, confidence: float = CONFIDENCE) -> Estimate:
        """What a setting does, beside the first one."""
        arm, base = (self.arm[key[0], one] for one in (setting, self.settings[0]))
        return difference(self.sample, arm, key[1], confidence, other=base).interval

    def same(self, setting: Setting) -> bool:
        """Whether a setting altered no game of any line-up."""
        base = self.settings[0]
        return all(self.sample.both[self.arm[name, setting], self.arm[name, base]].same for name in self.line_ups)


def deals_of(seated: LineUp, deals: int) -> int:
    """Fewer deals for players that search."""
    return max(LEAST_SLOW, deals // SLOWER) if has_search(seated) else deals


def players_of(space: Space, wishes: Sequence[Wish]) -> tuple[dict[str, LineUp], dict[str, LineUp]]:
    """Who plays single changes, and who plays the settings: single changes are not played by players that search."""
    asked = {wish.strategies: line_up(space.base, wish.strategies) for wish in wishes}
    quick = {name: seated for name, seated in asked.items() if not has_search(seated)}
    usual = usual_people(space.base)
    return quick or {usual: line_up(space.base, usual)}, asked


class Clock(Progress):
    """Ends a search at its time, and says which share of its time or of its games is over."""

    budget = math.inf  # the search keeps to its own time

    def __init__(self, spec: RunSpec, seconds: float) -> None:
        self.watch, self.shared = spec.watch, spec.watch.shown.shared
        self.seconds, self.games, self.began = seconds, spec.games, math.inf

    def start(self) -> None:
        self.began = time.monotonic()

    def stops(self) -> bool:
        return time.monotonic() > self.began + self.seconds or self.watch.stopped or self.watch.shown.stops()

    @property
    def reason(self) -> str:
        """Why a search ends before it has enough: it was asked to, its time is over, or its games."""
        asked = self.watch.stopped or self.watch.shown.stops()
        return ASKED if asked else TIME if self.stops() else GAMES

    def __call__(self, games: int, seconds: float) -> None:
        spent = time.monotonic() - self.began
        self.watch.shown.share = min(1.0, max(spent / self.seconds, games / self.games))
        self.watch(games, seconds, doing=self.doing)


class Ended(Exception):  # noqa: N818 - no error
    """The next step does not fit into the games of a search, or was cut short."""


class Search:
    """The passes, and what is known after them. `seconds` is the time that they may take, compiling not counted."""

    def __init__(self, space: Space, wishes: Sequence[Wish], spec: RunSpec, seconds: float = math.inf) -> None:
        self.space, self.wishes, self.watch = space, wishes, spec.watch
        self.spec, self.clock = spec, Clock(spec, seconds)
        self.quick, self.asked = players_of(space, wishes)
        self.stages: list[Stage] = []  # in the order in which they were begun
        self.played: dict[Setting, dict[Key, Estimate]] = {}  # by the games of the search
        self.learned: dict[Key, dict[Setting, Estimate]] = {}  # of these, what corrects the models
        self.effects: dict[Key, dict[Change, Estimate]] = {}  # of the changes that went on; intervals are joint
        self.models: list[Model] = []
        self.dead: list[str] = []  # changes that altered no game
        self.confirmed: dict[Setting, Proposal] = {}
        self.explained: dict[Setting, Without] = {}
        self.explained_on: dict[Setting, int] = {}  # so many deals
        self.new_deals = NEW_DEALS
        self.stopped = ""  # why it ended before it had enough

    @property
    def first_pass(self) -> Shares:
        changes = len(self.space.single_changes)
        return Shares.of(max(LEAST_PASS, EACH_CHANGE * (changes + 1)), changes)

    @property
    def plan(self) -> Plan:
        """The first pass. Others follow if it does not find enough."""
        shares, quick = self.first_pass, list(self.quick.values())
        stages = [("single changes", quick * (len(self.space.single_changes) + 1), shares.look)]
        stages += [("single changes", quick * (shares.kept + 1), shares.single - shares.look)]
        for seated in self.asked.values():
            stages += [("combinations", [seated] * (shares.rounds * AT_ONCE), deals_of(seated, shares.tried))]
            stages += [("proposals on new deals", [seated] * (FINALISTS + 1), deals_of(seated, shares.fresh))]
        return Plan.of(*stages)

    @property
    def games(self) -> int:
        return sum(stage.sample.games for stage in self.stages)

    @property
    def seconds(self) -> float:
        return sum(stage.sample.seconds for stage in self.stages)

    def run(self) -> list[Proposal]:
        """The answer: proposals that reach the targets, the smallest first; the nearest one if none does."""
        self.spec.begin(self.plan)
        for seated in {**self.quick, **self.asked}.values():
            play_line_up(seated, self.spec.but(games=0))  # compiles before the time begins
        self.clock.start()
        self.spec = self.spec.but(progress=self.clock)
        try:
            self._passes()
        except Ended:
            self.stopped = self.clock.reason
        return self.answer()

    def _passes(self) -> None:
        """Pass after pass, until enough is found or no combination is left."""
        every = [AS_IT_IS, *(frozenset({change}) for change in self.space.single_changes)]
        slow = {name: seated for name, seated in self.asked.items() if name not in self.quick}
        single = self._stage(self.quick, every, "single changes", paired=True)
        unchanged = self._stage(slow, [AS_IT_IS], "the rules as they are")
        shares, more = self.first_pass, MORE
        while not self.all_miss:
            self._know(self._step(unchanged, shares.tried), teaches=False)
            self._single_changes(single, shares)
            self._combinations(shares)
            self._confirm(shares)
            best, *others = self.answer()
            if best.hit != INSIDE:
                shares = Shares.of(2 * shares.games, len(self.space.single_changes))
            elif others or not best.setting or not more:
                return
            else:
                more -= 1
        self._confirm(Shares.of(NEAREST * shares.games, len(self.space.single_changes)))

    def _stage(
        self,
        line_ups: Mapping[str, LineUp],
        settings: Iterable[Setting],
        doing: str,
        first: int = 0,
        paired: bool = False,
    ) -> Stage:
        self.stages.append(
            Stage(self.space, line_ups, settings, self.spec.part(self.spec.games, first, doing), paired=paired)
        )
        return self.stages[-1]

    def _step(self, stage: Stage, deals: int, settings: Iterable[Setting] | None = None) -> Stage:
        """Play settings of a stage up to so many deals; Ended if these are too many games, or if they are cut short."""
        ends = stage.ends(deals, stage.settings if settings is None else settings)
        games = sum(end - stage.sample.deals(arm) for arm, end in ends.items())
        if self.games + games > self.spec.games or self.clock.stops() or not stage.play(ends):
            raise Ended
        return stage

    # Single changes.

    def _single_changes(self, stage: Stage, shares: Shares) -> None:
        """Play every single change, keep those that help most, and make the models."""
        self._step(stage, shares.look)
        every = stage.settings[1:]
        dead = [one for one in every if stage.same(one)]
        self.dead = [self.space.label(one) for one in dead if shares.look >= LEAST_IDLE]
        kept = sorted((one for one in every if one not in dead), key=lambda one: self._distance(stage, one))
        kept = kept[: shares.kept]
        self._know(self._step(stage, shares.single, [AS_IT_IS, *kept]), teaches=False)
        confidence = confidence_at(1, len(kept) * len(self.wishes))
        self.models = []
        for wish in self.wishes:
            key = self._measured_by(wish)
            base, own = stage.estimate(key, AS_IT_IS), self.played[AS_IT_IS].get(wish.key)
            single = {min(one): stage.effect(key, one) for one in kept}
            self.models.append(Model(wish, self.space, single, base, own=own if key != wish.key else None))
            self.models[-1].learn(self.learned.get(wish.key, {}))
            self.effects[key] = {min(one): stage.effect(key, one, confidence) for one in kept}

    def _measured_by(self, wish: Wish) -> Key:
        """Who shows what single changes do to a wish: its players, or others if they search."""
        name = wish.strategies if wish.strategies in self.quick else next(iter(self.quick))
        return name, wish.measure

    def _distance(self, stage: Stage, setting: Setting) -> float:
        """How far from the targets a single change leads, and how large it is."""
        away = 0.0
        for wish in self.wishes:
            key = self._measured_by(wish)
            own = self.played.get(AS_IT_IS, {}).get(wish.key) or stage.estimate(key, AS_IT_IS)
            away += abs(wish.target.off(own.shift(stage.effect(key, setting).value))) / wish.target.width
        return away + COST * self.space.cost(setting)

    # Combinations.

    def _combinations(self, shares: Shares) -> None:
        """Play the likeliest combinations on the deals of the single changes, and learn from them.

        If there are few of them, each is played with more games in every pass, until it certainly misses.
        """
        tried: set[Setting] = set()
        for _ in range(shares.rounds):
            known = tried | (self.missed if self.space.size <= COUNTABLE else self.played.keys())
            if not (settings := propose(self.space, self.models, known, AT_ONCE)):
                return
            self._know(self._step(self._stage(self.asked, settings, "combinations"), shares.tried))
            tried.update(settings)

    def _know(self, stage: Stage, teaches: bool = True) -> None:
        """Keep what a stage measured; if it `teaches`, it corrects the models."""
        for wish in self.wishes:
            known = [one for one in stage.settings if stage.known(wish.strategies, one)]
            new = {setting: stage.estimate(wish.key, setting) for setting in known}
            for setting, one in new.items():
                before = self.played.setdefault(setting, {}).get(wish.key, one)
                self.played[setting][wish.key] = max(one, before, key=lambda one: one.n)
            if teaches:
                self.learned.setdefault(wish.key, {}).update(new)
                for model in (model for model in self.models if model.wish == wish):
                    model.learn(new)

    # New deals.

    def _complete(self, known: Measured) -> bool:
        """Whether every line-up of a target has played."""
        return all(wish.key in known for wish in self.wishes)

    def _likeliest(self) -> list[Setting]:
        """Settings that were played, are likely and small, and not decided; several kinds before more of one.

        The last one is the nearest, or all are if every combination certainly misses.
        """
        scales = [EffectScale(wish.measure, int(self.space.base.rules[0].sides)) for wish in self.wishes]

        def score(setting: Setting) -> float:
            known = self.played[setting]
            chances = [
                log_chance(wish, scale, scale(known[wish.key].value), scale.error(known[wish.key]))
                for wish, scale in zip(self.wishes, scales, strict=True)
            ]
            return float(sum(chances)) - COST * self.space.cost(setting)

        inside = [setting for setting, one in self.confirmed.items() if one.hit == INSIDE]
        missed = [setting for setting, one in self.confirmed.items() if one.hit == OUTSIDE]
        every = [one for one, known in self.played.items() if self._complete(known) and one not in missed]
        order = sorted((one for one in every if not any(way <= one for way in inside)), key=score, reverse=True)
        kinds = {self.space.kind(one): one for one in reversed(order[: 2 * FINALISTS])}
        first = [one for one in order if kinds.get(self.space.kind(one)) == one]
        likely = [*first, *(one for one in order if one not in first)][: 0 if self.all_miss else FINALISTS - 1]
        nearest = sorted(order, key=lambda one: (off(self.played[one], self.wishes), self.space.cost(one)))
        return list(dict.fromkeys([*likely, *nearest]))[:FINALISTS]

    def _confirm(self, shares: Shares) -> None:
        """Play new deals with the finalists, twice as many each time, until one of them is inside or all miss."""
        settings = self._likeliest()
        stage = self._stage(self.asked, [AS_IT_IS, *settings], "proposals on new deals", self.new_deals)
        deals, undecided = shares.fresh, stage.settings
        for _ in range(LOOKS):
            self._judge(self._step(stage, deals, undecided), undecided)
            self._explain()
            undecided = [one for one in undecided if one in settings and fits(self.confirmed[one], self.wishes)]
            if not undecided or any(self.confirmed[one].hit == INSIDE for one in undecided):
                break
            deals *= 2
        self.new_deals += max(deals, *self.explained_on.values(), 0)
        if not undecided:
            self._know(stage)

    def _judge(self, stage: Stage, settings: Iterable[Setting]) -> None:
        """Proposals by their new games; all looks at these hold together."""
        confidence = confidence_at(LOOKS)
        for setting in settings:
            fresh = {wish.key: stage.estimate(wish.key, setting, confidence) for wish in self.wishes}
            name, elsewhere = self.wishes[0].strategies, {}
            for measure in possible_measures(self.space.setup(setting)):
                if (name, measure) not in fresh:
                    here, before = (stage.estimate((name, measure), one) for one in (setting, AS_IT_IS))
                    elsewhere[measure] = here, before
            hit = worst(wish.target.holds(fresh[wish.key]) for wish in self.wishes) or OUTSIDE
            self.confirmed[setting] = self._proposal(setting, fresh, hit, elsewhere)
        self.watch.shown.found(self.answer())

    def _proposal(
        self, setting: Setting, fresh: Measured, hit: str, elsewhere: Mapping[str, tuple[Estimate, Estimate]]
    ) -> Proposal:
        space, chosen = self.space, dict(self.played.get(setting, {}))
        setup, label, cost = space.setup(setting), space.label(setting), space.cost(setting)
        return Proposal(
            setting=setting,
            setup=setup,
            label=label,
            cost=cost,
            chosen=chosen,
            fresh=fresh,
            hit=hit,
            elsewhere=elsewhere,
        )

    def _explain(self) -> None:
        """Play the best proposal without each of its changes, on new deals."""
        best = self.answer()[0].setting
        fewer = [one for change in sorted(best) if self.space.is_allowed(one := best - {change})]
        deals = within(int(EXPLAIN * self.games / (len(fewer) + 1)), (LEAST_LOOK, MOST_EXPLAINED))
        if not fewer or deals < 2 * self.explained_on.get(best, 0):
            return
        stage = self._stage(self.asked, [best, *fewer], "the best proposal", self.new_deals, paired=True)
        self._step(stage, deals)
        self.explained_on[best] = deals
        confidence = confidence_at(1, len(fewer) * len(self.wishes))
        self.explained[best] = {
            min(best - one): {
                wish.key: (stage.estimate(wish.key, one), stage.effect(wish.key, one, confidence).scale(-1))
                for wish in self.wishes
            }
            for one in fewer
        }
        self._know(stage)  # a change that does nothing here is left out later

    def answer(self) -> list[Proposal]:
        """Proposals that fit, the smallest first, none that only adds to a smaller one; the nearest if none fits."""
        found = [replace(one, without=self.explained.get(one.setting, {})) for one in self.confirmed.values()]
        order = sorted(found, key=lambda one: (one.hit != INSIDE, one.cost))
        fitting = [one for one in order if fits(one, self.wishes)]
        chosen = [one for i, one in enumerate(fitting) if not any(other.setting < one.setting for other in fitting[:i])]
        return chosen or sorted(order, key=lambda one: off(one.fresh, self.wishes))[:1]

    @property
    def missed(self) -> set[Setting]:
        """Settings that certainly miss a target by the games of the search, whichever of few is picked."""
        confidence = confidence_at(LOOKS, self.space.size)
        return {
            setting
            for stage in self.stages
            for setting in stage.settings
            for wish in self.wishes
            if stage.known(wish.strategies, setting)
            and wish.target.holds(stage.estimate(wish.key, setting, confidence)) == OUTSIDE
        }

    @property
    def all_miss(self) -> bool:
        """Whether every combination was played, and each certainly misses a target."""
        if self.space.size > COUNTABLE or any(one.hit != OUTSIDE for one in self.confirmed.values()):
            return False
        missed = self.missed
        return all(one in missed or not self.space.is_allowed(one) for one in self.space.settings())


def off(measured: Measured, wishes: Sequence[Wish]) -> float:
    """How far measured values are outside their targets, summed in widths of the targets."""
    return sum(abs(wish.target.off(measured[wish.key])) / wish.target.width for wish in wishes)


def fits(proposal: Proposal, wishes: Sequence[Wish]) -> bool:
    """Whether every measured value is inside its target, certainly or not."""
    return proposal.hit == INSIDE or (proposal.hit == PERHAPS and off(proposal.fresh, wishes) == 0)
