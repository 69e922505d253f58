"""The search behind a design: cheap players race many settings, dear ones those that are left, fresh games check.

Who is still in the race, what to try next, and what the answer is, for wishes of several players at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from houle.analysis.comparison.measures import estimate, is_percent, possible_measures
from houle.analysis.comparison.targets import INSIDE, OUTSIDE, PERHAPS, Target, worst
from houle.analysis.designing.effects import Effects, fit_effects
from houle.analysis.designing.race import Race
from houle.analysis.designing.space import AS_IT_IS, Setting, Space
from houle.analysis.sampling.grid import grid_of_setups
from houle.analysis.sampling.lineups import line_up
from houle.analysis.sampling.paired import play_arms
from houle.analysis.sampling.progress import part_of
from houle.analysis.stats.intervals import Interval
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.names import THUMB

FIRST_STRETCH = 1_000
AT_ONCE = 16  # settings that are proposed together
ROUNDS = 8
SHORT_LIST = 5  # settings of the answer
FINALISTS = 8  # that dear players play
MOST_GAMES_OF_ONE = 64_000  # while settings are looked for


@dataclass(frozen=True)
class Wish:
    """A target, with who plays where it is wanted."""

    target: Target
    strategies: str

    @property
    def key(self) -> tuple[str, str]:
        return self.strategies, self.target.measure


@dataclass(frozen=True)
class Proposal:
    """A setting of the answer: by the games that chose it and by fresh ones."""

    setting: Setting
    table: Setup
    label: str
    chosen: Mapping[tuple[str, str], Interval]
    fresh: Mapping[tuple[str, str], Interval]  # empty where fresh games were not played
    hit: str  # of the fresh games: inside, perhaps or outside
    elsewhere: Mapping[str, tuple[Interval, Interval]]  # other measures: here, and as it is

    @property
    def changes(self) -> int:
        return len(self.setting)

    @property
    def assumed(self) -> list[str]:
        """Changed knobs whose printed value is a guess of ours anyway."""
        knobs = self.table.ruleset.knobs
        return [knob for knob, _, _ in self.table.differences if knobs[knob].provenance == "assumed"]


def searches(base: Setup, strategies: str) -> bool:
    return line_up(base, strategies).level > THUMB


class Search:
    """The races of all line-ups, and who is still in all of them."""

    def __init__(
        self, space: Space, wishes: Sequence[Wish], seed: int, threads: int | None, progress: Progress | None
    ) -> None:
        self.space, self.wishes, self.seed, self.threads, self.progress = space, wishes, seed, threads, progress
        self.races: dict[str, Race] = {}

    @property
    def games(self) -> int:
        return sum(race.games for race in self.races.values())

    @property
    def seconds(self) -> float:
        return sum(race.seconds for race in self.races.values())

    @property
    def interrupted(self) -> bool:
        return any(race.interrupted for race in self.races.values())

    def _race(self, strategies: str) -> Race:
        if strategies not in self.races:
            wanted = [wish.target for wish in self.wishes if wish.strategies == strategies]
            tell = part_of(self.progress, self.games, self.seconds)
            self.races[strategies] = Race(self.space, strategies, wanted, self.seed, 0, self.threads, tell)
        return self.races[strategies]

    def begin(self, strategies: Iterable[str], games: int, settings: Iterable[Setting] | None = None) -> None:
        """So many games of settings by some line-ups: those given, or the rules as they are and every single change."""
        singles = [frozenset({change}) for change in self.space.single_changes]
        chosen = [AS_IT_IS, *singles] if settings is None else list(settings)
        for name in strategies:
            race = self._race(name)
            race.enter([setting for setting in chosen if setting not in race.runners], games)

    def look(self, strategies: Sequence[str], games: int) -> None:
        """Proposes and plays settings until enough are known to fit, or the games are spent."""
        self.begin(strategies, FIRST_STRETCH)
        for _ in range(ROUNDS):
            while not self.interrupted and self.games < games and (going := self._unsure(strategies)):
                for name in strategies:
                    self.races[name].double(setting for setting in going if setting in self.races[name].runners)
            if self.interrupted or self.games >= games or len(self._fitting(strategies)) >= SHORT_LIST:
                return
            proposed = self._propose(strategies)
            if not proposed:
                return
            self.begin(strategies, FIRST_STRETCH, proposed)

    def _alive(self, strategies: Iterable[str]) -> list[Setting]:
        races = [self.races[name] for name in strategies]
        return [
            setting
            for setting in races[0].runners
            if all(setting in race.runners and not race.runners[setting].dropped for race in races)
        ]

    def _unsure(self, strategies: Sequence[str]) -> list[Setting]:
        """Settings still in the race that deserve more games, the nearest few first."""
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
            wish.target.holds(race.runners[setting].found(wish.target.measure))
            for wish in self.wishes
            if (race := self.races.get(wish.strategies)) and setting in race.runners
        ]
        return worst(hits) or OUTSIDE

    def _off(self, setting: Setting) -> float:
        """How far a setting that was played is from what is wanted, in widths of the targets."""
        return sum(
            wish.target.off_middle(race.runners[setting].found(wish.target.measure))
            for wish in self.wishes
            if (race := self.races.get(wish.strategies)) and setting in race.runners
        )

    def models(self) -> dict[tuple[str, str], Effects]:
        """What changes do, for the line-ups that played every single one of them."""
        return {
            wish.key: fit_effects(
                {setting: runner.found(wish.target.measure) for setting, runner in race.runners.items()},
                is_percent(wish.target.measure) and wish.target.measure != "first-seat",
            )
            for wish in self.wishes
            if (race := self.races.get(wish.strategies)) and self._played_singles(race)
        }

    def _played_singles(self, race: Race) -> bool:
        singles = (frozenset({change}) for change in self.space.single_changes)
        return all(setting in race.runners or setting in race.impossible for setting in singles)

    def estimates(self) -> dict[Setting, dict[tuple[str, str], Interval]]:
        """What was played of every setting while it was looked for."""
        found: dict[Setting, dict[tuple[str, str], Interval]] = {}
        for wish in self.wishes:
            for setting, runner in self.races[wish.strategies].runners.items():
                found.setdefault(setting, {})[wish.key] = runner.found(wish.target.measure)
        return found

    def _propose(self, strategies: Sequence[str]) -> list[Setting]:
        """Settings that nobody played and that the model puts nearest to what is wanted, fewer changes first."""
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
                guess = Interval(value, value, value, 1)
                width = (wish.target.high - wish.target.low) or 1.0
                outside += abs(wish.target.off(guess)) / width
                off += wish.target.off_middle(guess)
            rated.append((outside > 0, outside if outside > 0 else len(setting), len(setting), off, setting))
        rated.sort(key=lambda one: one[:4])
        return [one[4] for one in rated[:AT_ONCE]]

    def finalists(self, most: int, among: Iterable[Setting] | None = None) -> list[Setting]:
        """Settings that fit or may fit every target so far, fewest changes first; where none is left the nearest."""
        every = next(iter(self.races.values())).runners if among is None else among
        played = [setting for setting in every if all(setting in race.runners for race in self.races.values())]
        rank = {INSIDE: 0, PERHAPS: 1}
        left = [(rank[hit], len(setting), self._off(setting), setting) for setting in played
                if (hit := self._hit(setting)) in rank]  # fmt: skip
        left.sort(key=lambda one: one[:3])
        chosen: list[Setting] = []
        for _, _, _, setting in left:
            # Where fewer changes certainly do, more of them beside those are no answer.
            if not any(fewer < setting and self._hit(fewer) == INSIDE for fewer in chosen):
                chosen.append(setting)
        return chosen[:most] or sorted(played, key=self._off)[:1]

    def check(self, settings: Sequence[Setting], fresh: int, search_games: int) -> list[Proposal]:
        """Fresh games of what was chosen, and of the rules as they are beside it."""
        found = []
        tables = {setting: self.space.table(setting) for setting in dict.fromkeys([AS_IT_IS, *settings])}
        measured: dict[Setting, dict[tuple[str, str], Interval]] = {setting: {} for setting in tables}
        for name, race in list(self.races.items()):
            if self.interrupted:
                break
            number = search_games if searches(self.space.base, name) else fresh
            arms = grid_of_setups(list(tables.values()), [name]).arms
            first = max(runner.growing.played.asked for runner in race.runners.values())
            tell = part_of(self.progress, self.games, self.seconds)
            played = play_arms(arms, self.seed, number, self.threads, tell, first, pairs=False)
            race.games += played.games
            race.seconds += played.seconds
            race.interrupted = played.interrupted
            for place, setting in enumerate(tables):
                for measure in possible_measures(tables[setting]):
                    measured[setting][name, measure] = estimate(played, place, measure)
        for setting in settings:
            found.append(self._proposal(setting, tables[setting], measured))
        return found

    def _proposal(
        self, setting: Setting, table: Setup, measured: Mapping[Setting, Mapping[tuple[str, str], Interval]]
    ) -> Proposal:
        keys = [wish.key for wish in self.wishes]
        chosen = {(name, measure): self.races[name].runners[setting].found(measure) for name, measure in keys}
        fresh = {key: measured[setting][key] for key in keys if key in measured[setting]}
        hit = worst(wish.target.holds((fresh or chosen)[wish.key]) for wish in self.wishes) or OUTSIDE
        name = self.wishes[0].strategies
        wanted = {measure for player, measure in keys if player == name}
        elsewhere = {
            measure: (found, measured[AS_IT_IS][player, measure])
            for (player, measure), found in measured[setting].items()
            if player == name and measure not in wanted and (player, measure) in measured[AS_IT_IS]
        }
        return Proposal(setting, table, self.space.label(setting), chosen, fresh, hit, elsewhere)
