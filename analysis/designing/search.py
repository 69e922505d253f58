"""The search behind `houle design`.

Fast players race many settings. Players that search play only the settings that are left. Fresh games check the
proposals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from houle.analysis.comparison.measures import estimate, is_percent, possible_measures
from houle.analysis.comparison.targets import INSIDE, OUTSIDE, PERHAPS, Target, worst
from houle.analysis.designing.effects import Effects, fit_effects
from houle.analysis.designing.race import Race
from houle.analysis.designing.space import AS_IT_IS, Setting, Space
from houle.analysis.run import RunSpec
from houle.analysis.sampling.arms import GrowingArms
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.lineups import line_up
from houle.analysis.stats.estimate import Estimate
from houle.solver.players.names import THUMB
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Setup

FIRST_STRETCH, LEAST_STRETCH = 1_000, 100  # games of a setting when it enters, and the fewest if the budget is small
AT_ONCE = 16  # settings proposed in one round
ROUNDS = 8
SHORT_LIST = 5  # settings in the answer
FINALISTS = 8  # settings that players who search play
MOST_GAMES_OF_ONE = 64_000  # of one setting during the search


@dataclass(frozen=True)
class Wish:
    """A target and the players it is for."""

    target: Target
    strategies: str

    @property
    def key(self) -> tuple[str, str]:
        return self.strategies, self.target.measure


@dataclass(frozen=True)
class Proposal:
    """A setting in the answer, measured on the games that chose it and on fresh games."""

    setting: Setting
    setup: Setup
    label: str
    chosen: Mapping[tuple[str, str], Estimate]
    fresh: Mapping[tuple[str, str], Estimate]  # empty if no fresh games were played
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


def shown_first(proposals: Sequence[Proposal]) -> tuple[list[Proposal], bool]:
    """The proposals in the order shown, fewest changes first, and whether any fits; only the nearest if none fits."""
    fitting = [proposal for proposal in proposals if proposal.hit != OUTSIDE]
    return sorted(fitting, key=lambda p: (p.hit != INSIDE, p.changes)) or list(proposals[:1]), bool(fitting)


def searches(seated: LineUp) -> bool:
    return seated.level > THUMB


class Search:
    """The races of all line-ups, and the settings that are still in all of them."""

    def __init__(self, space: Space, wishes: Sequence[Wish], spec: RunSpec) -> None:
        self.space, self.wishes, self.spec = space, wishes, spec
        self.line_ups = {wish.strategies: line_up(space.base, wish.strategies) for wish in wishes}
        self.races: dict[str, Race] = {}
        self.fresh: dict[str, GrowingArms] = {}  # fresh games of the proposals, by line-up
        self.interrupted = False

    @property
    def games(self) -> int:
        return sum(map(self.games_of, self.races))

    @property
    def seconds(self) -> float:
        played = [growing for race in self.races.values() for growing in race.growings]
        return sum(growing.seconds for growing in (*played, *self.fresh.values()))

    def games_of(self, strategies: str) -> int:
        """All games of a line-up."""
        return self.races[strategies].games + (self.fresh[strategies].done if strategies in self.fresh else 0)

    def run(self, search_games: int, fresh: int) -> list[Proposal]:
        """The whole search: fast players, then players that search, then fresh games of what is left."""
        slow = [name for name, seated in self.line_ups.items() if searches(seated)]
        fast = [name for name in self.line_ups if name not in slow]
        if fast:
            self.look(fast, self.spec.games)
        else:
            self.begin(slow, search_games)
        finalists = self.finalists(FINALISTS if slow else SHORT_LIST)
        if slow and fast:
            self.begin(slow, search_games, dict.fromkeys([AS_IT_IS, *finalists]))
            finalists = self.finalists(SHORT_LIST, finalists)
        return self.check(finalists[:SHORT_LIST], fresh, search_games)

    def _race(self, strategies: str) -> Race:
        if strategies not in self.races:
            wanted = [wish.target for wish in self.wishes if wish.strategies == strategies]
            self.races[strategies] = Race(self.space, self.line_ups[strategies], wanted, self.spec)
        race = self.races[strategies]
        race.spec = self._part(self.games - race.games, self.seconds - race.seconds)
        return race

    def _part(self, done: int, seconds: float) -> RunSpec:
        return self.spec.part(self.spec.games, done=done, seconds=seconds)

    def begin(self, strategies: Iterable[str], games: int, settings: Iterable[Setting] | None = None) -> None:
        """Play settings with some line-ups: those given, or the unchanged rules and every single change."""
        singles = [frozenset({change}) for change in self.space.single_changes]
        chosen = [AS_IT_IS, *singles] if settings is None else list(settings)
        for race in (self._race(name) for name in strategies if not self.interrupted):
            race.enter([setting for setting in chosen if setting not in race.runners], games)
            self.interrupted = race.interrupted

    def look(self, strategies: Sequence[str], games: int) -> None:
        """Propose and play settings until enough of them fit, or the games are used up."""
        # Single changes get at most half of the games, so that games are left for settings near the target.
        singles = len(strategies) * (1 + len(self.space.single_changes))
        stretch = max(LEAST_STRETCH, min(FIRST_STRETCH, games // (2 * singles)))
        self.begin(strategies, stretch)
        for _ in range(ROUNDS):
            while not self.interrupted and self.games < games and (going := self._unsure(strategies)):
                for race in (self._race(name) for name in strategies if not self.interrupted):
                    race.double(setting for setting in going if setting in race.runners)
                    self.interrupted = race.interrupted
            if self.interrupted or self.games >= games or len(self._fitting(strategies)) >= SHORT_LIST:
                return
            proposed = self._propose(strategies)
            if not proposed:
                return
            self.begin(strategies, stretch, proposed)

    def _alive(self, strategies: Iterable[str]) -> list[Setting]:
        races = [self.races[name] for name in strategies]
        return [
            setting
            for setting in races[0].runners
            if all(setting in race.runners and not race.runners[setting].dropped for race in races)
        ]

    def _unsure(self, strategies: Sequence[str]) -> list[Setting]:
        """Settings still in the race that need more games, only the nearest ones."""
        races = [self.races[name] for name in strategies]
        going = [
            setting
            for setting in self._alive(strategies)
            if not all(race.is_narrow(setting) for race in races)
            and races[0].runners[setting].games < MOST_GAMES_OF_ONE
        ]
        return sorted(going, key=self._off)[: 2 * SHORT_LIST]

    def _fitting(self, strategies: Sequence[str]) -> list[Setting]:
        return [setting for setting in self._alive(strategies) if self._hit(setting) == INSIDE]

    def _hit(self, setting: Setting) -> str:
        hits = [
            wish.target.holds(race.runners[setting].estimate(wish.target.measure))
            for wish in self.wishes
            if (race := self.races.get(wish.strategies)) and setting in race.runners
        ]
        return worst(hits) or OUTSIDE

    def _off(self, setting: Setting) -> float:
        """How far a played setting is from its targets, in widths of the targets."""
        return sum(
            wish.target.off_middle(race.runners[setting].estimate(wish.target.measure))
            for wish in self.wishes
            if (race := self.races.get(wish.strategies)) and setting in race.runners
        )

    def models(self) -> dict[tuple[str, str], Effects]:
        """A model of the effects, for each line-up that played every single change."""
        return {
            wish.key: fit_effects(
                {setting: runner.estimate(wish.target.measure) for setting, runner in race.runners.items()},
                is_percent(wish.target.measure) and wish.target.measure != "first-seat",
            )
            for wish in self.wishes
            if (race := self.races.get(wish.strategies)) and self._played_singles(race)
        }

    def _played_singles(self, race: Race) -> bool:
        singles = (frozenset({change}) for change in self.space.single_changes)
        return all(setting in race.runners or setting in race.impossible for setting in singles)

    def estimates(self) -> dict[Setting, dict[tuple[str, str], Estimate]]:
        """The estimates of every setting that was played during the search."""
        estimates: dict[Setting, dict[tuple[str, str], Estimate]] = {}
        for wish in (wish for wish in self.wishes if wish.strategies in self.races):
            for setting, runner in self.races[wish.strategies].runners.items():
                estimates.setdefault(setting, {})[wish.key] = runner.estimate(wish.target.measure)
        return estimates

    def _propose(self, strategies: Sequence[str]) -> list[Setting]:
        """Settings not played yet that the model predicts nearest to the targets, fewer changes first."""
        models = self.models()
        wishes = [wish for wish in self.wishes if wish.strategies in strategies]
        known = {setting for race in self.races.values() for setting in (*race.runners, *race.impossible)}
        rated = []
        for setting in self.space.settings():
            if setting in known or not all(models[wish.key].knows(setting) for wish in wishes):
                continue
            outside = off = 0.0
            for wish in wishes:
                value = models[wish.key].predict(setting)
                guess = Estimate(value, value, value, 1)
                width = (wish.target.high - wish.target.low) or 1.0
                outside += abs(wish.target.off(guess)) / width
                off += wish.target.off_middle(guess)
            rated.append((outside > 0, outside if outside > 0 else len(setting), len(setting), off, setting))
        rated.sort(key=lambda one: one[:4])
        return [one[4] for one in rated[:AT_ONCE]]

    def finalists(self, most: int, among: Iterable[Setting] | None = None) -> list[Setting]:
        """Settings that fit or may fit every target, fewest changes first; the nearest setting if there are none."""
        every = next(iter(self.races.values())).runners if among is None else among
        played = [setting for setting in every if all(setting in race.runners for race in self.races.values())]
        rank = {INSIDE: 0, PERHAPS: 1}
        left = [(rank[hit], len(setting), self._off(setting), setting) for setting in played
                if (hit := self._hit(setting)) in rank]  # fmt: skip
        left.sort(key=lambda one: one[:3])
        chosen: list[Setting] = []
        for _, _, _, setting in left:
            # If some of its changes are certainly enough, a setting with more changes is no better answer.
            if not any(fewer < setting and self._hit(fewer) == INSIDE for fewer in chosen):
                chosen.append(setting)
        return chosen[:most] or sorted(played, key=self._off)[:1]

    def check(self, settings: Sequence[Setting], fresh: int, search_games: int) -> list[Proposal]:
        """Play fresh games of the chosen settings and of the unchanged rules."""
        setups = {setting: self.space.setup(setting) for setting in dict.fromkeys([AS_IT_IS, *settings])}
        measured: dict[Setting, dict[tuple[str, str], Estimate]] = {setting: {} for setting in setups}
        for name, race in list(self.races.items()):
            if self.interrupted:
                break
            number = search_games if searches(self.line_ups[name]) else fresh
            arms = [Arm(seat(setup, self.line_ups[name].strategies)) for setup in setups.values()]
            first = max(runner.growing.played.asked for runner in race.runners.values())
            spec = self.spec.part(number, first, done=self.games, seconds=self.seconds)
            fresh_games = GrowingArms(arms, spec, pairs=False)
            self.interrupted = not fresh_games.play(range(len(arms)), number)
            self.fresh[name] = fresh_games
            played = fresh_games.played
            for arm, setting in enumerate(setups):
                for measure in possible_measures(setups[setting]) if played.tally(arm).games else ():
                    measured[setting][name, measure] = estimate(played, arm, measure)
        return [self._proposal(setting, setups[setting], measured) for setting in settings]

    def _proposal(
        self, setting: Setting, setup: Setup, measured: Mapping[Setting, Mapping[tuple[str, str], Estimate]]
    ) -> Proposal:
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
            measure: (interval, measured[AS_IT_IS][player, measure])
            for (player, measure), interval in measured[setting].items()
            if player == name and measure not in wanted and (player, measure) in measured[AS_IT_IS]
        }
        return Proposal(setting, setup, self.space.label(setting), chosen, fresh, hit, elsewhere)
