"""The search behind `houle design`.

1. The unchanged rules and every single change are played on the same deals (tables/effects.py). Changes that alter
   no game are left out.
2. A model of these effects (model.py) proposes combinations, few and small changes first. They race (race.py): more
   games for those that may reach the targets, none for those that certainly miss. What they show improves the model.
3. Players that search play only settings that fast players leave in the race.
4. Settings that reach the targets are confirmed on fresh deals, because the games that chose a setting flatter it. If
   none is confirmed, the search goes on until its games or its time are used up, or until every combination has been
   counted.
5. Before the search gives up, the single changes that seem nearest race too. The nearest of all settings then play
   fresh deals, so the nearest in the answer is the nearest of those tried. Proposals of people who think get more
   fresh deals if none of them is certainly inside.
6. The single changes that help most are measured again on fresh deals, because they were picked for their size.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from houle.analysis.designing.model import COUNTABLE, Model, best_first, propose
from houle.analysis.designing.race import Race
from houle.analysis.designing.space import AS_IT_IS, Change, Setting, Space
from houle.analysis.designing.wishes import Wish
from houle.analysis.limits import (
    DESIGN_GAMES,
    DESIGN_HABIT,
    DESIGN_SEARCH_GAMES,
    DESIGN_THINKING,
    DESIGN_THINKING_FRESH,
)
from houle.analysis.measures.measures import estimate, possible_measures
from houle.analysis.measures.targets import INSIDE, OUTSIDE, PERHAPS, worst
from houle.analysis.players.line_ups import habit_of, has_search, line_up, thinks, usual_strategy
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample, play_arms
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.effects import Effects, effects, plan_changes
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Setup

# Shares of the time. Where no target names a player that searches, that share goes to the fast players.
PARTS = {"fast": 0.5, "search": 0.4, "fresh": 0.1}
LEAST = {"fast": 20_000, "search": 20, "fresh": 2_000}
FOR_PILOT = 0.03  # share of the time that measures the speed
PILOT_ARMS, FIRST_PILOT = 24, 40  # changes that are timed, because their games may be longer; first games of each
FORGETS = 0.7  # of a long step, with every step after it
SLOW_SETTINGS = 16  # settings that players who search play, in all


@dataclass
class Clock:
    """Says when a search has to end."""

    end: float | None = None  # the time when everything has to be done
    before: float | None = None  # the time when the last step began
    usual: float = 0.0  # seconds of the next step, by those of the last ones
    late: bool = False

    def goes_on(self, last: float) -> bool:
        """Whether there is time for another step, if the end of the run takes `last` seconds."""
        now = time.perf_counter()
        self.usual = max(FORGETS * self.usual, now - self.before) if self.before is not None else 0.0
        self.before = now
        self.late = self.late or (self.end is not None and now + last + self.usual > self.end)
        return not self.late


def compile_first(line_ups: Iterable[LineUp], spec: RunSpec) -> float:
    """Compile what these players need; returns the seconds, which are no part of a time budget."""
    start = time.perf_counter()
    for seated in line_ups:
        play_arms([Arm(seated)], spec.but(games=1, progress=None))
    return time.perf_counter() - start


def games_in(seconds: float, paces: Mapping[bool, float], number: int, short_list: int) -> tuple[int, int, int]:
    """Games of fast players in total, games per setting of players that search, fresh games per proposal.

    `paces` are seconds of a game of all line-ups that search, and of all `number` others. `short_list` proposals are
    played again.
    """
    slow, fast, settings = paces[True], paces[False], SLOW_SETTINGS + short_list + 1
    share = PARTS["fast"] + (0.0 if slow else PARTS["search"])
    return (
        max(LEAST["fast"], int(share * seconds / fast * number)),
        max(LEAST["search"], int(PARTS["search"] * seconds / slow / settings)) if slow else DESIGN_SEARCH_GAMES,
        max(LEAST["fresh"], int(PARTS["fresh"] * seconds / fast / (short_list + 1))),
    )


def pace_of(space: Space, seated: LineUp, spec: RunSpec, seconds: float) -> float:
    """Seconds of a game, from about so many seconds of the unchanged rules and some single changes.

    Players that search play only the unchanged rules.
    """
    changes = [] if searches(seated) else space.single_changes[:: -(-len(space.single_changes) // PILOT_ARMS)]
    setups = [space.base, *(space.setup(frozenset({change})) for change in changes)]
    arms = tuple(Arm(seat(setup, seated.strategies)) for setup in setups)
    sample = Sample(Experiment(arms), spec.but(progress=None))
    games = 1 if searches(seated) else FIRST_PILOT
    while sample.seconds < seconds:
        sample.play(games)
        games *= 2
    return sample.seconds / sample.games


LISTED = 12  # single changes that are shown for each wish
OF_A_LIST = 3  # of these, changes of one list: cards
FOR_EFFECTS = 0.35  # share of the games that measure single changes
FIRST_STRETCH, LEAST_STRETCH = 10_000, 100  # most and fewest games of each single change
ENTRY = 2_000  # most games of a setting when it enters the race
AT_ONCE = 16  # settings proposed in one round
ROUNDS_AFTER = 4  # rounds after a setting is found, for alternatives of other kinds
SHORT_LIST = 6  # settings that are confirmed: the answer and five alternatives
SLOW_AT_ONCE = 4  # settings that players who search play in a round
LEAST_FRESH = 300  # fresh games, if the time is short
LONGER, STILL_OPEN = 4, 2  # times the fresh games of people who think, and proposals that get them
FOR_FRESH = 0.3  # share of the time left after the single changes that proposals and listed changes may take again
DOUBLINGS = 3  # of the games of settings that are not decided, before new ones are proposed
AT_A_TIME = 0.2  # share of the games left that may be spent on more games of the nearest settings
MOST_GAMES_OF_ONE = 64_000  # of one setting during the search

NO_OTHERS = "A longer budget tries no others"

Key = tuple[str, str]  # line-up and measure
Measured = Mapping[Key, Estimate]


@dataclass(frozen=True)
class Proposal:
    """A setting in the answer, measured on the games that chose it and on fresh games."""

    setting: Setting
    setup: Setup
    label: str
    kind: frozenset[str]  # the axes that it changes
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


def searches(seated: LineUp) -> bool:
    """Whether players are slow: they search, or they are people who think."""
    return has_search(seated) or thinks(seated)


class Search:
    """The races of all line-ups, and the settings that are still in all of them."""

    def __init__(
        self,
        space: Space,
        wishes: Sequence[Wish],
        spec: RunSpec,
        search_games: int,
        fresh: int,
    ) -> None:
        self.space, self.wishes, self.spec = space, wishes, spec
        self.search_games, self.fresh_games, self.slow_fresh = search_games, fresh, search_games
        self.longer = 0  # fresh games of people who think, for proposals that are still open
        self.line_ups = {wish.strategies: line_up(space.base, wish.strategies) for wish in wishes}
        self.slow = [name for name, seated in self.line_ups.items() if searches(seated)]
        self.fast = [name for name in self.line_ups if name not in self.slow]
        # Effects for players that search come from a fast player, those for people who think from their habit.
        thinking = [name for name in self.slow if thinks(self.line_ups[name])]
        self.scout = habit_of(self.line_ups[thinking[0]]) if thinking else usual_strategy(space.base)
        if self.slow and thinking == self.slow:
            self.search_games, self.slow_fresh = max(search_games, DESIGN_THINKING), min(fresh, DESIGN_THINKING_FRESH)
            self.longer = min(fresh, LONGER * DESIGN_THINKING_FRESH)
            self.spec = spec.but(games=DESIGN_HABIT) if spec.games == DESIGN_GAMES else spec
        if self.scout not in self.fast and self.fast:
            self.scout = self.fast[0]
        self.line_ups.setdefault(self.scout, line_up(space.base, self.scout))
        self.fast = self.fast or [self.scout]
        self.clock, self.compiled = Clock(), 0.0
        self.races: dict[str, Race] = {}
        self.base: dict[Key, Estimate] = {}  # the unchanged rules
        self.single: dict[Key, dict[Change, Estimate]] = {}  # what each change does by itself
        self.listed: dict[Key, dict[Change, Estimate]] = {}  # the largest of these, on fresh games
        self.measured: dict[str, list[Effects]] = {name: [] for name in self.fast}  # what single changes were played
        self.dead: list[str] = []  # changes that altered no game
        self.played_fresh: list[Sample] = []
        self.confirmed: dict[Setting, Proposal] = {}
        self.fresh_first = 0  # number of the next fresh game
        self.nothing_left = False  # whether the model has nothing else to propose
        self.interrupted = False

    def fit(self, seconds: float) -> None:
        """Choose numbers of games that fit into a time, which starts now, after compiling."""
        self.compiled = compile_first(self.line_ups.values(), self.spec)
        self.clock.end = time.perf_counter() + seconds
        paces = {True: 0.0, False: 0.0}  # by whether players search
        for seated in self.line_ups.values():
            part = FOR_PILOT * seconds / len(self.line_ups)
            paces[searches(seated)] += pace_of(self.space, seated, self.spec, part)
        games, self.search_games, self.fresh_games = games_in(seconds, paces, len(self.fast), SHORT_LIST)
        self.slow_fresh, self.longer = self.search_games, 0  # all games must fit into the time
        self.spec = self.spec.but(games=games)

    def _fit_again(self) -> None:
        """Fresh games that fit into the time that is left, by the speed so far."""
        if self.clock.end is not None and not self.interrupted:
            left, pace = self.clock.end - time.perf_counter(), sum(map(self._pace, self.fast))
            fitting = int(FOR_FRESH * left / pace / (SHORT_LIST + LISTED))
            self.fresh_games = max(LEAST_FRESH, min(self.fresh_games, fitting))

    # What will be played, and what was played so far.

    @cached_property
    def stretch(self) -> int:
        """Games of each single change; the largest effects are measured twice."""
        settings = len(self.fast) * (2 + len(self.space.single_changes) + LISTED)
        return max(LEAST_STRETCH, min(FIRST_STRETCH, int(FOR_EFFECTS * self.spec.games / settings)))

    @property
    def plan(self) -> Plan:
        """At most: the search ends when it has an answer."""
        changes = len(self.space.single_changes)
        stages = Plan(())
        for name in self.fast:
            seated, share = self.line_ups[name], self.spec.games // len(self.fast)
            single = plan_changes(seated, changes, self.stretch, "single changes")
            stages += single + Plan.of(("combinations", [seated], max(0, share - single.games)))
            stages += Plan.of(("the largest changes again", [seated] * (LISTED + 1), self._listed_games))
        slow = [self.line_ups[name] for name in self.slow]
        stages += Plan.of(("combinations, by players that search", slow * SLOW_SETTINGS, self.search_games))
        for name in dict.fromkeys(wish.strategies for wish in self.wishes):
            proposals = [self.line_ups[name]] * (SHORT_LIST + 1)
            stages += Plan.of(("proposals again", proposals, self._fresh_games(name)))
            if self.longer:
                stages += Plan.of(("proposals again", proposals[: STILL_OPEN + 1], self.longer))
        return stages

    @property
    def games(self) -> int:
        return sum(self.games_of.values())

    @property
    def games_of(self) -> dict[str, int]:
        games = {name: race.games for name, race in self.races.items()}
        for name, measured in self.measured.items():
            games[name] = games.get(name, 0) + sum(one.games for one in measured)
        return games | {"fresh": sum(sample.games for sample in self.played_fresh)}

    @property
    def seconds(self) -> float:
        played: list[Sample | Effects] = [*self.played_fresh]
        for race in self.races.values():
            played += race.samples
        for measured in self.measured.values():
            played += measured
        return sum(one.seconds for one in played)

    def _goes_on(self) -> bool:
        """Whether there is room for another step."""
        if self.interrupted or (self._games_left <= 0 and self.clock.end is None):
            return False
        if self._slow_are_done:
            return False
        # Kept for the end, at the speed so far: the proposals, the nearest again, and the largest single changes.
        fresh = {wish.strategies: (SHORT_LIST + 3) * self._fresh_games(wish.strategies) for wish in self.wishes}
        listed = dict.fromkeys(self.fast, (LISTED + 1) * self._listed_games)
        seconds = sum(self._pace(name) * number for last in (fresh, listed) for name, number in last.items())
        return self.clock.goes_on(seconds)

    @property
    def _slow_are_done(self) -> bool:
        return any(len(self.races[name].runners) >= SLOW_SETTINGS for name in self.slow if name in self.races)

    @property
    def advice(self) -> str:
        """What may help where nothing was found: a longer budget only if it would try other settings."""
        if self._slow_are_done:
            most = f"players who think or search play at most {SLOW_SETTINGS} combinations"
            return f"{NO_OTHERS}, because {most}; fewer changes to choose from may find one."
        return "Nothing else is left to try." if self.nothing_left else "A longer budget may find one."

    @property
    def _games_left(self) -> int:
        return self.spec.games - sum(self.games_of[name] for name in self.fast)

    @property
    def _listed_games(self) -> int:
        return min(self.stretch, self.fresh_games)

    def _pace(self, name: str) -> float:
        """Seconds of a game of a line-up so far."""
        played: list[Sample | Effects] = [*self.races[name].samples, *self.measured.get(name, ())]
        return sum(one.seconds for one in played) / max(self.games_of[name], 1)

    def _fresh_games(self, name: str) -> int:
        return max(self.search_games, self.slow_fresh) if name in self.slow else self.fresh_games

    @property
    def tried(self) -> list[Setting]:
        """Every setting that was played, single changes included."""
        singles = [frozenset({change}) for change in self.space.single_changes]
        raced = (setting for race in self.races.values() for setting in race.runners)
        return list(dict.fromkeys([AS_IT_IS, *singles, *raced]))

    @property
    def tried_in_races(self) -> set[Setting]:
        """The settings that raced, or that the rules forbid."""
        return {setting for race in self.races.values() for setting in (*race.runners, *race.impossible)}

    @property
    def all_miss(self) -> bool:
        """Whether every combination was counted, and each certainly misses a target."""
        if self.interrupted or self.space.size > COUNTABLE:
            return False
        races = self.races.values()
        return all(
            any(setting in race.impossible or (setting in race.runners and race.runners[setting].dropped)
                for race in races)
            for setting in self.space.settings()
        )  # fmt: skip

    def estimates(self) -> dict[Setting, dict[Key, Estimate]]:
        """The estimates of every setting during the search."""
        estimates: dict[Setting, dict[Key, Estimate]] = {}
        for wish in (wish for wish in self.wishes if wish.strategies in self.races):
            for setting, one in self.races[wish.strategies].estimates(wish.measure).items():
                estimates.setdefault(setting, {})[wish.key] = one
        return estimates

    # The search.

    def run(self) -> list[Proposal]:
        """The answer; then the largest single changes are measured again."""
        self.spec.begin(self.plan)
        self._measure_effects()
        proposals = self._search()
        self._list_effects()
        return proposals

    def _search(self) -> list[Proposal]:
        """Search until a setting is confirmed, games or time are used up, or nothing is left to try."""
        found_for = 0
        while self._goes_on():
            proposed = self._propose()
            if not proposed:
                self.nothing_left = True
                break
            self._play(proposed)
            self._tell()
            inside = self._fitting(INSIDE)
            found_for += bool(inside)
            kinds = {self.space.kind(setting) for setting in inside}
            if inside and (len(kinds) >= SHORT_LIST or found_for > ROUNDS_AFTER):
                self._confirm(self._short_list(inside))
                if any(proposal.hit == INSIDE for proposal in self.confirmed.values()):
                    return self.answer()
        return self._last()

    def _tell(self) -> None:
        """Tell a progress that has `found` which settings may fit so far; they are not confirmed."""
        tell = getattr(getattr(self.spec.progress, "shown", None), "found", None)
        if tell is not None:
            fitting = self._short_list(self._fitting(INSIDE, PERHAPS))
            nothing: dict[Setting, Measured] = {setting: {} for setting in (AS_IT_IS, *fitting)}
            tell([self._proposal(setting, self.space.setup(setting), nothing) for setting in fitting])

    def _last(self) -> list[Proposal]:
        """The answer when the search ends: what may fit is confirmed, else the nearest setting is measured again."""
        if not self.interrupted and not self._fitting(INSIDE):
            self._enter_single_changes()
        if not self.interrupted:
            fitting = [setting for setting in self._fitting(INSIDE, PERHAPS) if setting not in self.confirmed]
            nearest = [] if self.confirmed else sorted(self._settings_of_all(), key=self._near)[:SHORT_LIST]
            self._confirm(self._short_list(fitting) if fitting else nearest)
            if not any(fits(proposal, self.wishes) for proposal in self.confirmed.values()):
                # Being the nearest of several is luck too, so the nearest is played once more.
                nearest = [one.setting for one in self.answer()]
                self.confirmed.clear()
                self._confirm(nearest)
            self._decide()
        return self.answer()

    def _decide(self) -> None:
        """Give proposals of people who think more fresh games if none of them is certainly inside."""
        fitting = [one for one in self.answer() if fits(one, self.wishes)]
        if self.longer > self.slow_fresh and fitting and not any(one.hit == INSIDE for one in fitting):
            self.slow_fresh = self.longer
            self._confirm([one.setting for one in fitting[:STILL_OPEN]])

    def _enter_single_changes(self) -> None:
        """Let the single changes race that seem nearest by their effects: few games may have left none to propose."""
        now = self.estimates().get(AS_IT_IS, {})

        def distance(change: Change) -> float:
            by = {key: self.single.get(key) or self.single.get((self.scout, key[1]), {}) for key in now}
            return off({key: now[key].shift(by[key][change].value) for key in now if change in by[key]}, self.wishes)

        left = [change for change in self.space.single_changes if frozenset({change}) not in self.tried_in_races]
        near = [frozenset({change}) for change in sorted(left, key=distance)[:SHORT_LIST]]
        self._enter(self.fast, near, min(self.stretch, ENTRY))
        if self.slow and not self.clock.late:
            room = SLOW_SETTINGS - len(self.races[self.slow[0]].runners)
            self._enter(self.slow, near[: min(room, SLOW_AT_ONCE)], self.search_games)

    def answer(self) -> list[Proposal]:
        """Proposals that fit, the cheapest first, each of another kind; the nearest one if none fits.

        What changes the idea of the game (`is_heavy`) is no proposal where something smaller fits too.
        """
        order = sorted(self.confirmed.values(), key=lambda one: (one.hit != INSIDE, one.cost))
        fitting = [one for one in order if fits(one, self.wishes)]
        light = [one for one in fitting if not self.space.is_heavy(one.setting)]
        chosen: list[Proposal] = []
        for one in light or fitting:
            if not any(alike(one.kind, before.kind) for before in chosen):
                chosen.append(one)
        if chosen:
            return chosen
        return sorted(order, key=lambda one: off(one.fresh or one.chosen, self.wishes))[:1]

    def _measure_effects(self) -> None:
        """Play the unchanged rules and every single change with the fast players; leave out what changes nothing."""
        changes, found = self.space.single_changes, {}
        for name in self.fast:
            found[name] = dict(zip(changes, self._effects(name, changes).rows, strict=False))
        dead = {change for change in changes if all(change in rows and rows[change].idle for rows in found.values())}
        self.dead = [self.space.words(change) for change in sorted(dead)]
        left = [change for change in changes if change not in dead]
        self.space = self.space.without(dead)
        renamed = dict(zip(left, self.space.single_changes, strict=True))
        for name, rows in found.items():
            for measure, known in self.measured[name][0].base.items():
                self.base[name, measure] = known
                self.single[name, measure] = {
                    renamed[change]: one.by[measure] for change, one in rows.items() if change in renamed
                }
        self._enter(self.fast, [AS_IT_IS], min(self.stretch, ENTRY))
        self._enter(self.slow, [AS_IT_IS], self.search_games)
        self._fit_again()

    def _race(self, name: str) -> Race:
        if name not in self.races:
            wanted = [wish.target for wish in self.wishes if wish.strategies == name]
            share = self.space.size if self.space.size <= COUNTABLE else 1
            most = MOST_GAMES_OF_ONE if name in self.fast else 0
            self.races[name] = Race(self.space, self.line_ups[name], wanted, self.spec, share, most)
        return self.races[name]

    def _propose(self) -> list[Setting]:
        known = self.tried_in_races
        models = self._models
        inside: dict[frozenset[str], float] = {}
        for setting in self._fitting(INSIDE):
            kind = self.space.kind(setting)
            inside[kind] = min(self.space.cost(setting), inside.get(kind, math.inf))
        return propose(self.space, models, known, AT_ONCE, inside) if models and self.space.axes else []

    @property
    def _models(self) -> list[Model]:
        return [model for wish in self.wishes if (model := self._model(wish)) is not None]

    def _model(self, wish: Wish) -> Model | None:
        """The model of a wish; None as long as nobody has played the unchanged rules."""
        race = self.races.get(wish.strategies)
        measured = race.estimates(wish.measure) if race else {}
        seen = self.scout, wish.measure
        confidence = self.measured[self.scout if wish.key not in self.base else wish.strategies][0].confidence
        if wish.key in self.base:
            model = Model(wish, self.space, self.base[wish.key], self.single[wish.key], confidence)
        elif seen in self.base and AS_IT_IS in measured:
            model = Model(wish, self.space, measured[AS_IT_IS], self.single[seen], confidence, self.base[seen])
        else:
            return None
        model.learn({setting: one for setting, one in measured.items() if setting})
        return model

    def _play(self, settings: Sequence[Setting]) -> None:
        """Play settings: fast players first, then players that search those that are still in the race."""
        self._enter(self.fast, settings, min(self.stretch, ENTRY))
        for _ in range(DOUBLINGS):
            going = self._unsure() if self._goes_on() else []
            for race in (self._race(name) for name in self.fast if not self.interrupted):
                race.double(going)
                self.interrupted = race.interrupted
        if self.slow and not self.interrupted:
            known = self.races[self.slow[0]].runners
            alive = [one for one in self.races[self.fast[0]].runners if one not in known and self._alive(one)]
            for setting in best_first(self.space, self._models, alive)[: min(SLOW_SETTINGS - len(known), SLOW_AT_ONCE)]:
                if self._goes_on():
                    self._enter(self.slow, [setting], self.search_games)

    def _enter(self, names: Iterable[str], settings: Sequence[Setting], games: int) -> None:
        for race in (self._race(name) for name in names if not self.interrupted):
            race.enter(settings, games)
            self.interrupted = race.interrupted

    def _alive(self, setting: Setting) -> bool:
        races = [race for race in self.races.values() if setting in race.runners]
        return bool(races) and not any(race.runners[setting].dropped for race in races)

    def _unsure(self) -> list[Setting]:
        """Settings still in the race that need more games, only the nearest ones."""
        races = [self.races[name] for name in self.fast]
        going = [
            setting
            for setting, runner in races[0].runners.items()
            if all(setting in race.runners for race in races)
            and self._alive(setting)
            and not all(race.is_narrow(setting) for race in races)
            and runner.games < MOST_GAMES_OF_ONE
            and setting not in self.confirmed
        ]
        going.sort(key=self._near)
        left = max(self._games_left, self.spec.games // 4) if self.clock.end is not None else self._games_left
        room = AT_A_TIME * left / len(races)
        spent = list(accumulate(races[0].runners[setting].games for setting in going))
        return going[: max(2, min(2 * SHORT_LIST, bisect_right(spent, room)))]

    def _settings_of_all(self) -> list[Setting]:
        """Settings that every line-up of a target has played."""
        races = [self.races[wish.strategies] for wish in self.wishes if wish.strategies in self.races]
        every = [setting for setting in races[0].runners if all(setting in race.runners for race in races)]
        return every if len(races) == len(self.wishes) else []

    def _fitting(self, *hits: str) -> list[Setting]:
        fitting = []
        for setting in self._settings_of_all():
            got = worst(self.races[wish.strategies].runners[setting].hit(wish.target) for wish in self.wishes)
            slow = self.slow and got == PERHAPS and self._off(setting) == 0  # few games: the interval is wide
            if got in hits or slow:
                fitting.append(setting)
        return fitting

    def _off(self, setting: Setting) -> float:
        """How far a played setting is from its targets."""
        races = ((wish, self.races[wish.strategies]) for wish in self.wishes if wish.strategies in self.races)
        measured = {wish.key: race.runners[setting].estimate(wish.measure) for wish, race in races
                    if setting in race.runners}  # fmt: skip
        return off(measured, self.wishes)

    def _near(self, setting: Setting) -> tuple[float, float]:
        return self._off(setting), self.space.cost(setting)

    def _short_list(self, settings: Sequence[Setting]) -> list[Setting]:
        """The cheapest setting, then the cheapest of every other kind; none that only adds to a shorter one."""
        heavy = self.space.is_heavy
        order = sorted(settings, key=lambda setting: (heavy(setting), self._off(setting) > 0, self.space.cost(setting)))
        order = [setting for i, setting in enumerate(order) if not any(other < setting for other in order[:i])]
        kinds: dict[frozenset[str], Setting] = {}
        for setting in order:
            kinds.setdefault(self.space.kind(setting), setting)
        return list(dict.fromkeys([*kinds.values(), *order]))[:SHORT_LIST]

    def _confirm(self, settings: Sequence[Setting]) -> None:
        """Play fresh games of some settings and of the unchanged rules; no later confirmation uses these games."""
        if not settings:
            return
        setups = {setting: self.space.setup(setting) for setting in dict.fromkeys([AS_IT_IS, *settings])}
        measured: dict[Setting, dict[Key, Estimate]] = {setting: {} for setting in setups}
        names = dict.fromkeys(wish.strategies for wish in self.wishes)
        self._skip_played()
        for name in names:
            number = self._fresh_games(name)
            arms = [Arm(seat(setup, self.line_ups[name].strategies)) for setup in setups.values()]
            spec = self.spec.part(number, self.fresh_first, doing="proposals again")
            sample = Sample(Experiment(tuple(arms)), spec)
            self.interrupted = self.interrupted or not sample.play(number)
            self.played_fresh.append(sample)
            for arm, setting in enumerate(setups):
                wanted = [wish.measure for wish in self.wishes if wish.strategies == name]
                for measure in (*possible_measures(setups[setting]), *wanted) if sample.deals(arm) else ():
                    measured[setting][name, measure] = estimate(sample, arm, measure)
            if self.interrupted:
                break
        self.fresh_first += max(self.fresh_games, self.search_games, self.slow_fresh)
        for setting in settings:
            self.confirmed[setting] = self._proposal(setting, setups[setting], measured)

    def _skip_played(self) -> None:
        """Fresh games come after all that were played."""
        runners = [runner for race in self.races.values() for runner in race.runners.values()]
        self.fresh_first = max(self.fresh_first, self.stretch, *(max(runner.sample.asked) for runner in runners))

    def _effects(self, name: str, changes: Sequence[Change], first: int = 0) -> Effects:
        """What single changes do, by one line-up."""
        seated = self.line_ups[name]
        measures = dict.fromkeys(wish.measure for wish in self.wishes if name in (wish.strategies, self.scout))
        arms = [Arm(seat(self.space.setup(frozenset({change})), seated.strategies)) for change in changes]
        spec = self.spec.part(self._listed_games if first else self.stretch, first, doing="single changes")
        self.measured[name].append(effects(Arm(seated), arms, tuple(measures), spec))
        self.interrupted = self.interrupted or self.measured[name][-1].interrupted
        return self.measured[name][-1]

    def _list_effects(self) -> None:
        """Measure the largest effects again on fresh games."""
        self._skip_played()
        for name in self.fast if not self.interrupted else ():
            largest = {
                wish.key: most_helpful(self.space, wish, self.base[wish.key], effects)
                for wish in self.wishes
                if wish.strategies == name and (effects := self.single[wish.key])
            }
            changes = list(dict.fromkeys(change for some in largest.values() for change in some))
            if not changes:
                continue
            rows = dict(zip(changes, self._effects(name, changes, self.fresh_first).rows, strict=False))
            for key, some in largest.items():
                self.listed[key] = {change: rows[change].by[key[1]] for change in some if change in rows}

    def _proposal(self, setting: Setting, setup: Setup, measured: Mapping[Setting, Measured]) -> Proposal:
        keys = [wish.key for wish in self.wishes]
        chosen = {
            (name, measure): self.races[name].runners[setting].estimate(measure)
            for name, measure in keys
            if name in self.races and setting in self.races[name].runners
        }
        fresh = {key: measured[setting][key] for key in keys if key in measured[setting]}
        known = {**chosen, **fresh}
        hit = worst(wish.target.holds(known[wish.key]) for wish in self.wishes if wish.key in known) or OUTSIDE
        name = self.wishes[0].strategies
        wanted = {measure for player, measure in keys if player == name}
        elsewhere = {
            measure: (one, measured[AS_IT_IS][player, measure])
            for (player, measure), one in measured[setting].items()
            if player == name and measure not in wanted and (player, measure) in measured[AS_IT_IS]
        }
        space = self.space
        return Proposal(setting, setup, space.label(setting), space.kind(setting), space.cost(setting), chosen, fresh,
                        hit, elsewhere)  # fmt: skip


def alike(kind: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two settings change mostly the same rules."""
    return 2 * len(kind & other) > len(kind | other)


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
