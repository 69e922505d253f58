"""The search behind a design: cheap players race many settings, dear ones those that are left, fresh games check.

Who is still in the race, what to try next, and what the answer is, for wishes of several players at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from houle.analysis.comparison.measures import estimate, is_percent, possible_measures
from houle.analysis.comparison.targets import INSIDE, OUTSIDE, PERHAPS, Target, worst
from houle.analysis.designing.effects import Effects, fit_effects
from houle.analysis.designing.memory import Memory, grow
from houle.analysis.designing.race import Race
from houle.analysis.designing.space import AS_IT_IS, Setting, Space
from houle.analysis.sampling.grid import grid_of_setups
from houle.analysis.sampling.growing import Growing
from houle.analysis.sampling.lineups import line_up
from houle.analysis.sampling.progress import part_of
from houle.analysis.stats.intervals import Interval
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.names import THUMB

FIRST_STRETCH, LEAST_STRETCH = 1_000, 100  # games of a setting when it enters: fewer where there are few in all
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


def shown_first(proposals: Sequence[Proposal]) -> tuple[list[Proposal], bool]:
    """What the answer shows, fewest changes first, and whether it fits; the nearest alone where nothing does."""
    fitting = [proposal for proposal in proposals if proposal.hit != OUTSIDE]
    return sorted(fitting, key=lambda p: (p.hit != INSIDE, p.changes)) or list(proposals[:1]), bool(fitting)


def searches(base: Setup, strategies: str) -> bool:
    return line_up(base, strategies).level > THUMB


class Search:
    """The races of all line-ups, and who is still in all of them."""

    def __init__(
        self,
        space: Space,
        wishes: Sequence[Wish],
        seed: int,
        threads: int | None = None,
        progress: Progress | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.space, self.wishes, self.seed = space, wishes, seed
        self.threads, self.progress, self.memory = threads, progress, memory
        self.races: dict[str, Race] = {}
        self.fresh: dict[str, Growing] = {}  # games of the answer, by who played them
        self.interrupted = False

    @property
    def games(self) -> int:
        return sum(map(self.games_of, self.races))

    @property
    def seconds(self) -> float:
        played = [growing for race in self.races.values() for growing in race.growings]
        return sum(growing.seconds for growing in (*played, *self.fresh.values()))

    def games_of(self, strategies: str) -> int:
        """All that a line-up played."""
        return self.races[strategies].games + (self.fresh[strategies].done if strategies in self.fresh else 0)

    def run(self, games: int, search_games: int, fresh: int) -> list[Proposal]:
        """All of it: cheap players, then those who search, then fresh games of the few that are left."""
        names = list(dict.fromkeys(wish.strategies for wish in self.wishes))
        dear = [name for name in names if searches(self.space.base, name)]
        cheap = [name for name in names if name not in dear]
        if cheap:
            self.look(cheap, games)
        else:
            self.begin(dear, search_games)
        finalists = self.finalists(FINALISTS if dear else SHORT_LIST)
        if dear and cheap:
            self.begin(dear, search_games, dict.fromkeys([AS_IT_IS, *finalists]))
            finalists = self.finalists(SHORT_LIST, finalists)
        return self.check(finalists[:SHORT_LIST], fresh, search_games)

    def _race(self, strategies: str) -> Race:
        if strategies not in self.races:
            wanted = [wish.target for wish in self.wishes if wish.strategies == strategies]
            self.races[strategies] = Race(
                self.space, strategies, wanted, self.seed, 0, self.threads, memory=self.memory
            )
        race = self.races[strategies]
        race.progress = part_of(self.progress, self.games - race.games, self.seconds - race.seconds)
        return race

    def begin(self, strategies: Iterable[str], games: int, settings: Iterable[Setting] | None = None) -> None:
        """So many games of settings by some line-ups: those given, or the rules as they are and every single change."""
        singles = [frozenset({change}) for change in self.space.single_changes]
        chosen = [AS_IT_IS, *singles] if settings is None else list(settings)
        for race in (self._race(name) for name in strategies if not self.interrupted):
            race.enter([setting for setting in chosen if setting not in race.runners], games)
            self.interrupted = race.interrupted

    def look(self, strategies: Sequence[str], games: int) -> None:
        """Proposes and plays settings until enough are known to fit, or the games are spent."""
        # Single changes get half of the games at most, or nothing is left to look at those that come near.
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
        for wish in (wish for wish in self.wishes if wish.strategies in self.races):
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
            fresh_games = Growing(arms, self.seed, first, False, self.threads, tell)
            self.interrupted = not grow(fresh_games, range(len(arms)), number, self.memory)
            self.fresh[name] = fresh_games
            for place, setting in enumerate(tables):
                for measure in possible_measures(tables[setting]) if fresh_games.games_of(place) else ():
                    measured[setting][name, measure] = estimate(fresh_games.played, place, measure)
        for setting in settings:
            found.append(self._proposal(setting, tables[setting], measured))
        return found

    def _proposal(
        self, setting: Setting, setup: Setup, measured: Mapping[Setting, Mapping[tuple[str, str], Interval]]
    ) -> Proposal:
        keys = [wish.key for wish in self.wishes]
        chosen = {
            (name, measure): self.races[name].runners[setting].found(measure)
            for name, measure in keys
            if name in self.races and setting in self.races[name].runners
        }
        fresh = {key: measured[setting][key] for key in keys if key in measured[setting]}
        known = {**chosen, **fresh}
        hit = worst(wish.target.holds(known[wish.key]) for wish in self.wishes if wish.key in known) or OUTSIDE
        name = self.wishes[0].strategies
        wanted = {measure for player, measure in keys if player == name}
        elsewhere = {
            measure: (found, measured[AS_IT_IS][player, measure])
            for (player, measure), found in measured[setting].items()
            if player == name and measure not in wanted and (player, measure) in measured[AS_IT_IS]
        }
        return Proposal(setting, setup, self.space.label(setting), chosen, fresh, hit, elsewhere)
