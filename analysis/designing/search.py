"""The search behind `houle design`: few candidates, many games of each.

1. Every single change is played on the same deals as the unchanged rules. After a short look only those that help most
   go on: the others alter no game, or lead away from the target.
2. A model adds up their effects (model.py) and ranks combinations, few and small changes first. The best are played in
   a few rounds; after each the model knows better how much of the sums remains.
3. The three best settings play fresh deals, because the games that chose a setting flatter it. If one of them may be
   inside the target, more fresh games decide. If all miss, the model learns from them and three others follow.

The number of games is known before the search starts. The shares of the stages follow from it, so the same number
gives the same answer on any machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from houle.analysis.designing.model import COST, EffectScale, Model, log_chance, propose
from houle.analysis.designing.space import AS_IT_IS, Change, Setting, Space
from houle.analysis.designing.wishes import Wish
from houle.analysis.limits import LEAST_DESIGN
from houle.analysis.measures.measures import difference, estimate, possible_measures
from houle.analysis.measures.targets import INSIDE, OUTSIDE, PERHAPS, worst
from houle.analysis.players.line_ups import has_search, line_up, usual_people
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.plan import Plan, play_pilot
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.looks import confidence_at
from houle.analysis.tables.effects import LEAST_IDLE
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Setup
from houle.solver.run import default_threads

LOOK, SINGLE, TRIED, FRESH = 0.1, 0.25, 0.25, 0.4  # shares of the games
LEAST_LOOK, MOST_LOOK = 20, 200  # deals of every single change at first
KEPT, LEAST_SINGLE, MOST_SINGLE = 40, 300, 2_000  # changes that go on, and the deals of each
ROUNDS, AT_ONCE, ENOUGH = (3, 10), 4, 3_000  # rounds of combinations, how many in each, deals that are enough to rank
FINALISTS, HEATS = 3, (2, 4)  # settings that play fresh deals, and how often such settings do
LOOKS = 2  # at the fresh games of a finalist: after them, and after those that decide
MOST_FRESH, MOST_TO_DECIDE = 20_000, 80_000  # fresh deals of each finalist, and of one that is open
SLOWER, LEAST_SLOW = 20, 20  # players that search play a twentieth of the deals, at least so many
LISTED, OF_A_LIST = 12, 3  # single changes that are shown for a wish; of these, changes of one list: cards
COUNTABLE = 64  # combinations that may all be played
PILOT_CHANGES, PILOT_SECONDS, SPARE = 6, 0.1, 0.75  # what is timed, how long, and the share of the time that is used

Key = tuple[str, str]  # line-up and measure
Measured = Mapping[Key, Estimate]


@dataclass(frozen=True)
class Proposal:
    """A setting in the answer, measured on the games that chose it and on fresh games."""

    setting: Setting
    setup: Setup
    label: str
    cost: float
    chosen: Measured
    fresh: Measured  # empty if no fresh games were played
    hit: str  # by the fresh games: inside, perhaps or outside
    elsewhere: Mapping[str, tuple[Estimate, Estimate]]  # other measures: with this setting, and unchanged

    @property
    def changes(self) -> int:
        return len(self.setting)

    @property
    def assumed(self) -> list[str]:
        """Changed knobs whose printed value is an assumption."""
        knobs = self.setup.ruleset.knobs
        return [knob for knob, _, _ in self.setup.differences if knobs[knob].provenance == "assumed"]


@dataclass(frozen=True)
class Shares:
    """How many deals each stage plays, from the games of the whole search."""

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
        return cls(look, kept, single, rounds, min(tried, 2 * ENOUGH))


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

    def play(self, deals: int, settings: Iterable[Setting] | None = None) -> bool:
        """Play settings up to so many deals; false after Ctrl-C."""
        chosen = self.settings if settings is None else list(settings)
        ends = {
            self.arm[name, setting]: deals_of(seated, deals)
            for name, seated in self.line_ups.items()
            for setting in chosen
        }
        return self.sample.play(list(ends.values()), list(ends))

    def known(self, name: str, setting: Setting) -> bool:
        return (name, setting) in self.arm and self.sample.deals(self.arm[name, setting]) > 0

    def estimate(self, key: Key, setting: Setting, confidence: float = CONFIDENCE) -> Estimate:
        return estimate(self.sample, self.arm[key[0], setting], key[1], confidence)

    def effect(self, key: Key, setting: Setting, confidence: float = CONFIDENCE) -> Estimate:
        """What a setting does, beside the first one."""
        arm, base = (self.arm[key[0], one] for one in (setting, self.settings[0]))
        return difference(self.sample, arm, key[1], confidence, base).interval

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


def games_in(seconds: float, space: Space, wishes: Sequence[Wish], spec: RunSpec) -> int:
    """How many games a search may play in this time, from the measured time of games; compiling is not counted."""
    changes = space.single_changes
    some = [AS_IT_IS, *(frozenset({one}) for one in changes[:: -(-len(changes) // PILOT_CHANGES)])]
    quick, asked = players_of(space, wishes)

    def pace(seated: LineUp) -> float:
        settings = some[:1] if has_search(seated) else some
        pilots = [
            play_pilot(seat(space.setup(one), seated.strategies), spec.seed, MOST_LOOK, PILOT_SECONDS)
            for one in settings
        ]
        return sum(1 / pilot.rate for pilot in pilots) / len(pilots)

    each = sum(map(pace, quick.values()))
    each += sum((TRIED + FRESH) * pace(seated) / SLOWER for seated in asked.values() if has_search(seated))
    games = SPARE * seconds * (spec.threads or default_threads()) / each
    step: int = 10 ** max(0, len(str(int(games))) - 2)
    return max(int(games) // step * step, LEAST_DESIGN)


class Search:
    """The stages, and what is known after them."""

    def __init__(self, space: Space, wishes: Sequence[Wish], spec: RunSpec) -> None:
        self.space, self.wishes, self.spec = space, wishes, spec
        self.quick, self.asked = players_of(space, wishes)
        self.shares = Shares.of(spec.games, len(space.single_changes))
        self.stages: list[Stage] = []
        self.played: dict[Setting, dict[Key, Estimate]] = {}  # by the games of the search
        self.effects: dict[Key, dict[Change, Estimate]] = {}  # of the changes that went on; intervals are joint
        self.models: list[Model] = []
        self.dead: list[str] = []  # changes that altered no game
        self.confirmed: dict[Setting, Proposal] = {}
        self.interrupted = False

    @property
    def plan(self) -> Plan:
        """At most: fresh games end when they decide."""
        shares, changes = self.shares, len(self.space.single_changes)
        quick = list(self.quick.values())
        stages = [("single changes", quick * (changes + 1), shares.look)]
        stages += [("single changes", quick * (shares.kept + 1), shares.single - shares.look)]
        for seated in self.asked.values():
            stages += [("combinations", [seated] * (shares.rounds * AT_ONCE), deals_of(seated, shares.tried))]
            finals = [seated] * (FINALISTS + 1)
            fresh = int(FRESH * self.spec.games / len(finals))
            stages += [("proposals on new deals", finals, deals_of(seated, fresh))]
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
        self._single_changes()
        for _ in range(self.shares.rounds if self.models else 0):
            self._try(propose(self.space, self.models, self.played, AT_ONCE))
        self._confirm()
        return self.answer()

    def _stage(
        self,
        line_ups: Mapping[str, LineUp],
        settings: Iterable[Setting],
        doing: str,
        first: int = 0,
        paired: bool = False,
    ) -> Stage:
        spec = self.spec.part(self.spec.games, first, doing)
        self.stages.append(Stage(self.space, line_ups, settings, spec, paired))
        return self.stages[-1]

    def _played(self, stage: Stage, deals: int, settings: Iterable[Setting] | None = None) -> Stage:
        self.interrupted = self.interrupted or not stage.play(deals, settings)
        return stage

    # Single changes.

    def _single_changes(self) -> None:
        """Play every single change, keep those that help most, and make the models."""
        slow = {name: seated for name, seated in self.asked.items() if name not in self.quick}
        if slow:
            self._know(self._played(self._stage(slow, [AS_IT_IS], "the rules as they are"), self.shares.tried))
        every = [frozenset({change}) for change in self.space.single_changes]
        stage = self._stage(self.quick, [AS_IT_IS, *every], "single changes", paired=True)
        self._played(stage, self.shares.look)
        alive = [one for one in every if all(stage.known(name, one) for name in self.quick)]
        dead = [one for one in alive if stage.same(one)]
        self.dead = [self.space.label(one) for one in dead if self.shares.look >= LEAST_IDLE]
        kept = sorted((one for one in alive if one not in dead), key=lambda one: self._distance(stage, one))
        kept = kept[: self.shares.kept]
        self._played(stage, self.shares.single, [AS_IT_IS, *kept])
        self._know(stage)
        confidence = confidence_at(1, len(kept) * len(self.wishes))
        for wish in self.wishes if self.played else ():
            key = self._measured_by(wish)
            base, own = stage.estimate(key, AS_IT_IS), self.played[AS_IT_IS].get(wish.key)
            single = {min(one): stage.effect(key, one) for one in kept}
            self.models.append(Model(wish, self.space, single, base, own if key != wish.key else None))
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

    def _try(self, settings: Sequence[Setting]) -> None:
        """Play combinations on the deals of the single changes, and learn from them."""
        if self.interrupted or not settings:
            return
        self._know(self._played(self._stage(self.asked, settings, "combinations"), self.shares.tried))
        self._tell()

    def _know(self, stage: Stage) -> None:
        """Keep what a stage measured; combinations teach the models."""
        new: dict[Key, dict[Setting, Estimate]] = {}
        for wish in self.wishes:
            for setting in stage.settings:
                if stage.known(wish.strategies, setting):
                    one = stage.estimate(wish.key, setting)
                    self.played.setdefault(setting, {})[wish.key] = one
                    new.setdefault(wish.key, {})[setting] = one
        for model in self.models:
            model.learn(new.get(model.wish.key, {}))

    def _tell(self) -> None:
        """Tell the progress which settings may fit so far; they are not confirmed."""
        fitting = [one for one in self._complete() if off(self.played[one], self.wishes) == 0]
        fitting = sorted(fitting, key=self.space.cost)[:FINALISTS]
        self.spec.watch.shown.found([self._proposal(one, {}, PERHAPS) for one in fitting])

    # Fresh games.

    def _complete(self) -> list[Setting]:
        """Settings that every line-up of a target has played."""
        return [one for one, known in self.played.items() if all(wish.key in known for wish in self.wishes)]

    def _likeliest(self) -> list[Setting]:
        """Settings that were played and are likely and small, several kinds before more of one."""
        scales = [EffectScale(wish.measure, int(self.space.base.rules[0].sides)) for wish in self.wishes]

        def score(setting: Setting) -> float:
            known = self.played[setting]
            chances = [
                log_chance(wish, scale, scale(known[wish.key].value), scale.error(known[wish.key]))
                for wish, scale in zip(self.wishes, scales, strict=True)
            ]
            return float(sum(chances)) - COST * self.space.cost(setting)

        order = sorted((one for one in self._complete() if one not in self.confirmed), key=score, reverse=True)
        kinds = {self.space.kind(one): one for one in reversed(order[: 2 * FINALISTS])}
        first = [one for one in order if kinds.get(self.space.kind(one)) == one]
        return [*first, *(one for one in order if one not in first)][:FINALISTS]

    def _confirm(self) -> None:
        """Play fresh games of the finalists until one is inside, or all heats are played."""
        begin = max((stage.sample.deals(arm) for stage in self.stages for arm in stage.arm.values()), default=0)
        settings = self._likeliest()
        number = within(self._deals_left(FINALISTS + 1, self.spec.games) // MOST_FRESH, HEATS)
        for heats in range(number, 0, -1):
            if self.interrupted or not settings:
                return
            deals = self._deals_left((len(settings) + 1) * (heats + 1), MOST_FRESH)  # the rest decides what is open
            stage = self._stage(self.asked, [AS_IT_IS, *settings], "proposals on new deals", begin)
            self._judge(self._played(stage, deals), settings)
            open_ones = [one for one in settings if fits(self.confirmed[one], self.wishes)]
            if self._found():
                return
            if open_ones:
                deals += self._deals_left(len(open_ones), MOST_TO_DECIDE)
                self._judge(self._played(stage, deals, open_ones), open_ones)
                return
            self._know(stage)
            begin += deals
            settings = propose(self.space, self.models, self.confirmed, FINALISTS)

    def _deals_left(self, settings: int, most: int) -> int:
        """The deals that are left for each of so many settings."""
        left = self.spec.games - self.games // len(self.asked)
        return min(max(left // settings, LEAST_LOOK), most)

    def _found(self) -> bool:
        return any(one.hit == INSIDE for one in self.confirmed.values())

    def _judge(self, stage: Stage, settings: Iterable[Setting]) -> None:
        """Proposals by their fresh games; both looks at these hold together."""
        confidence = confidence_at(LOOKS)
        for setting in settings:
            fresh: dict[Key, Estimate] = {}
            others: dict[str, tuple[Estimate, Estimate]] = {}
            for wish in (wish for wish in self.wishes if stage.known(wish.strategies, setting)):
                fresh[wish.key] = stage.estimate(wish.key, setting, confidence)
            name = self.wishes[0].strategies
            measures = possible_measures(self.space.setup(setting)) if stage.known(name, setting) else ()
            for measure in (one for one in measures if (name, one) not in fresh):
                here, before = (stage.estimate((name, measure), one) for one in (setting, AS_IT_IS))
                others[measure] = here, before
            hit = worst(wish.target.holds(fresh[wish.key]) for wish in self.wishes if wish.key in fresh) or OUTSIDE
            self.confirmed[setting] = self._proposal(setting, fresh, hit, others)

    def _proposal(
        self,
        setting: Setting,
        fresh: Measured,
        hit: str,
        elsewhere: Mapping[str, tuple[Estimate, Estimate]] | None = None,
    ) -> Proposal:
        space = self.space
        chosen = dict(self.played.get(setting, {}))
        return Proposal(
            setting,
            space.setup(setting),
            space.label(setting),
            space.cost(setting),
            chosen,
            fresh,
            hit,
            elsewhere or {},
        )

    def answer(self) -> list[Proposal]:
        """Proposals that fit, the smallest first, none that only adds to a smaller one; the nearest if none fits."""
        found = list(self.confirmed.values()) or [self._proposal(one, {}, PERHAPS) for one in self._likeliest()[:1]]
        order = sorted(found, key=lambda one: (one.hit != INSIDE, one.cost))
        fitting = [one for one in order if fits(one, self.wishes)]
        chosen = [one for i, one in enumerate(fitting) if not any(other.setting < one.setting for other in fitting[:i])]
        return chosen or sorted(order, key=lambda one: off(one.fresh or one.chosen, self.wishes))[:1]

    @property
    def all_miss(self) -> bool:
        """Whether every combination was played, and each certainly misses a target."""
        size = self.space.size
        if self.interrupted or size > COUNTABLE:
            return False
        confidence = confidence_at(1, size)
        missed = {
            setting
            for stage in self.stages
            for setting in stage.settings
            for wish in self.wishes
            if stage.known(wish.strategies, setting)
            and wish.target.holds(stage.estimate(wish.key, setting, confidence)) == OUTSIDE
        }
        return all(one in missed or not self.space.is_allowed(one) for one in self.space.settings())


def most_helpful(space: Space, wish: Wish, now: Estimate, effects: Mapping[Change, Estimate]) -> list[Change]:
    """One change of each rule (a few of each list), those first that bring the measure nearest to the wish."""
    place = {
        change: (abs(wish.target.off(now.shift(effect.value))) / wish.target.width, space.cost(frozenset({change})))
        for change, effect in effects.items()
    }
    taken: dict[int, int] = {}
    chosen = []
    for change in sorted(place, key=lambda change: place[change]):
        axis = change[0]
        taken[axis] = taken.get(axis, 0) + 1
        if taken[axis] <= (OF_A_LIST if space.axes[axis].is_list else 1):
            chosen.append(change)
    return chosen[:LISTED]


def off(measured: Measured, wishes: Sequence[Wish]) -> float:
    """How far measured values are outside their targets, summed in widths of the targets."""
    known = [wish for wish in wishes if wish.key in measured]
    return sum(abs(wish.target.off(measured[wish.key])) / wish.target.width for wish in known)


def fits(proposal: Proposal, wishes: Sequence[Wish]) -> bool:
    """Whether every measured value is inside its target, certainly or not."""
    known = {**proposal.chosen, **proposal.fresh}
    return proposal.hit == INSIDE or (proposal.hit == PERHAPS and off(known, wishes) == 0)
