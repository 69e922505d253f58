"""A designer's search: which few changes of the rules make a table as wanted.

Cheap players come first. The rules as they are and every single change are played on the same deals; a model of what
changes do (effects.py) proposes settings, fewest changes first; what certainly misses a target drops out (race.py).
What is left is played by the dear players that targets name. The best are played again on fresh deals, and the numbers
of the answer are those: the games that chose a setting flatter it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.measures import estimate, is_percent, possible_measures
from houle.analysis.comparison.targets import INSIDE, OUTSIDE, PERHAPS, Target, parse_target, worst
from houle.analysis.designing.effects import Effects, fit_effects
from houle.analysis.designing.race import Race
from houle.analysis.designing.space import AS_IT_IS, Setting, Space, make_space
from houle.analysis.limits import SEED, check_int, check_run
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns, setup_as_json
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.grid import grid_of_setups
from houle.analysis.sampling.lineups import setup as table_of
from houle.analysis.sampling.lineups import usual_strategy
from houle.analysis.sampling.paired import play_arms
from houle.analysis.stats.intervals import Interval
from houle.solver.ruleset import RulesetError, Setup, digest, value_text
from houle.solver.run import Progress
from houle.solver.strategies.names import THUMB, split
from houle.solver.strategies.player import seat_strategies

if TYPE_CHECKING:
    import pandas as pd

GAMES = 2_000_000  # of cheap players, all settings together
SEARCH_GAMES = 400  # of every setting that is left, where somebody searches
FRESH = 100_000  # that check a setting of the answer
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


@dataclass(frozen=True, repr=False)
class Design(Finished):
    """What was found, and what it was found with."""

    space: Space
    wishes: tuple[Wish, ...]
    proposals: tuple[Proposal, ...]  # fewest changes first; the nearest one where nothing fits
    effects: Mapping[tuple[str, str], Effects]
    played: Mapping[Setting, Mapping[tuple[str, str], Interval]]  # every setting that was tried, by who played it
    found: bool  # whether some setting fits, for all that is known
    search_games: int = SEARCH_GAMES
    fresh_games: int = FRESH
    changed: tuple[str, ...] = ()  # what may be changed, as written
    limit: int = GAMES  # of the games of cheap players
    kept: tuple[str, ...] = ()

    command = "design"

    @property
    def tried(self) -> int:
        """Settings that were played."""
        return len(self.played)

    def best_trades(self) -> list[Setting]:
        """Settings that no other beats in every wish at once: the front where wishes conflict."""
        keys = [wish.key for wish in self.wishes]
        off = {
            setting: [abs(wish.target.off(found[wish.key])) for wish in self.wishes]
            for setting, found in self.played.items()
            if all(key in found for key in keys)
        }

        def beaten(setting: Setting) -> bool:
            mine = off[setting]
            return any(
                all(a <= b for a, b in zip(other, mine, strict=True)) and other != mine for other in off.values()
            )

        return [setting for setting in off if not beaten(setting)]

    def count_words(self) -> list[str]:
        return ["-n", str(self.limit)]

    def words(self) -> list[str]:
        words = [word for wish in self.wishes for word in ("--target", wish.target.text)]
        words += [word for text in self.changed for word in ("--change", text)]
        words += [word for knob in self.kept for word in ("--keep", knob)]
        words += ["--search-games", str(self.search_games)] if self.search_games != SEARCH_GAMES else []
        return words + (["--fresh", str(self.fresh_games)] if self.fresh_games != FRESH else [])

    def effect_rows(self) -> list[dict[str, Any]]:
        """Every change by itself, then pairs that do more or less than both, for each wish."""
        rows = []
        for wish in (wish for wish in self.wishes if wish.key in self.effects):
            model = self.effects[wish.key]
            parts: list[tuple[Setting, float]] = [(frozenset({c}), model.alone(c)) for c in sorted(model.single)]
            parts += [(pair, model.beyond(pair)) for pair in model.pairs]
            for setting, effect in parts:
                what = " with ".join(self.space.words(change) for change in sorted(setting))
                kind = "alone" if len(setting) == 1 else "beyond both"
                rows.append({"strategies": wish.strategies, "measure": wish.target.measure, "change": what,
                             "kind": kind, "effect": effect})  # fmt: skip
        return rows

    def frame(self) -> pd.DataFrame:
        """One row per setting of the answer; every target as x (fresh games) and x_chosen (those that chose it)."""
        import pandas as pd

        rows = []
        for proposal in self.proposals:
            row = {**self.table_columns(), "setting": proposal.label, "changes": proposal.changes, "hit": proposal.hit}
            for wish in self.wishes:
                name = f"{wish.target.measure}@{wish.strategies}"
                row |= interval_columns(name, proposal.fresh.get(wish.key))
                row |= interval_columns(f"{name}_chosen", proposal.chosen.get(wish.key))
            rows.append({**row, **self.digest_columns()})
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        return {
            **self.head(),
            "targets": [wish.target.text for wish in self.wishes],
            "change": {axis.name: list(axis.values) for axis in self.space.axes},
            "tried": self.tried,
            "found": self.found,
            "proposals": [self._as_json(proposal) for proposal in self.proposals],
            "effects": self.effect_rows(),
        }

    def _as_json(self, proposal: Proposal) -> dict[str, Any]:
        return {
            "setting": proposal.label,
            "changes": proposal.changes,
            "hit": proposal.hit,
            "table": setup_as_json(proposal.table),
            "targets": [
                {"target": wish.target.text, "player": wish.strategies}
                | {"chosen": interval_as_json(proposal.chosen.get(wish.key))}
                | {"fresh": interval_as_json(proposal.fresh.get(wish.key))}
                for wish in self.wishes
            ],
            "elsewhere": {
                name: {"here": interval_as_json(here), "before": interval_as_json(before)}
                for name, (here, before) in proposal.elsewhere.items()
            },
            "assumed": proposal.assumed,
        }


def design(
    table: Setup | str,
    *,
    targets: str | Iterable[str],
    change: Mapping[str, Any] | Iterable[str] = ("all",),
    keep: Iterable[str] = (),
    games: int = GAMES,
    search_games: int = SEARCH_GAMES,
    fresh: int = FRESH,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Design:
    """Find the fewest changes of the rules that make a table as wanted.

    Parameters
    ----------
    table : Setup or str
        What one begins with: a table, as `houle.setup` makes it, or a game's name.
    targets : str or iterable of str
        What is wanted, as for `houle.sweep`: `"win=40%@thumb"`, `"length=55..65"`. All of them must hold; who plays
        where no player is named is the thumb.
    change : mapping or iterable of str
        Knobs that may be turned, with their alternatives (`{"hand.back": "0..4"}`) or by name alone; `"variants"` is
        one of them, `"all"` is everything.
    keep : iterable of str
        Knobs that stay as they are, where all may be changed.
    games : int
        How many of cheap players, all settings together.
    search_games : int
        How many of each setting that is left where somebody searches.
    fresh : int
        How many fresh games check each setting of the answer; as many as `search_games` where somebody searches.
    seed : int
        Of the games that choose; fresh ones are other games of the same seed.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Design
        With `.proposals`, `.effects`, `.frame()`, `.as_json()` and `.repeat()`.

    Examples
    --------
    >>> from houle import analysis as houle
    >>> found = houle.design("wave", targets="win=40%", change={"hand.back": [0, 1, 2, 3]}, games=40_000, fresh=20_000)
    >>> [(proposal.label, proposal.hit) for proposal in found.proposals]
    [('hand.back=3', 'inside')]
    """
    base = table_of(table) if isinstance(table, str) else table
    check_run(games, seed, 0)
    check_int("search_games", search_games, 1, games)
    changes = dict(change) if isinstance(change, Mapping) else dict.fromkeys(several(change))
    space = make_space(base, changes, keep)
    wishes = _wishes(base, several(targets))
    cheap = [name for name in dict.fromkeys(wish.strategies for wish in wishes) if not _searches(base, name)]
    dear = [name for name in dict.fromkeys(wish.strategies for wish in wishes) if name not in cheap]
    search = _Search(space, wishes, seed, threads, progress)
    if cheap:
        search.look(cheap, games)
    else:
        search.begin(dear, search_games)
    finalists = search.finalists(FINALISTS if dear else SHORT_LIST)
    if dear and cheap:
        search.begin(dear, search_games, dict.fromkeys([AS_IT_IS, *finalists]))
        finalists = search.finalists(SHORT_LIST, finalists)
    proposals = search.check(finalists[:SHORT_LIST], fresh, search_games)
    fitting = [proposal for proposal in proposals if proposal.hit != OUTSIDE]
    order = sorted(fitting, key=lambda p: (p.hit != INSIDE, p.changes)) or proposals[:1]
    played = {name: race.games for name, race in search.races.items()}
    name = digest({"setup": base.digest, "seed": seed, "played": played, "proposals": [p.label for p in order]})
    facts = Facts(base, (), seed, search.games, search.games, search.seconds, name)
    if search.interrupted:
        facts = Facts(base, (), seed, search.games, max(games, search.games + 1), search.seconds, name)
    values = {axis.name: ",".join(map(value_text, axis.values)) for axis in space.axes}
    written = tuple(knob if given is None else f"{knob}={values[knob]}" for knob, given in changes.items()
                    if given is None or knob in values)  # fmt: skip
    return Design(facts, space, tuple(wishes), tuple(order), search.models(), search.estimates(), bool(fitting),
                  search_games, fresh, written, games, tuple(keep))  # fmt: skip


def _wishes(base: Setup, targets: Sequence[str]) -> list[Wish]:
    if not targets:
        raise RulesetError("--target: say what is wanted, as win=40%")
    wishes = []
    for text in targets:
        target = parse_target(text, "--target")
        if target.measure not in possible_measures(base):
            has = ", ".join(possible_measures(base))
            raise RulesetError(f"--target: {target.measure}: {base.ruleset.name} at this table has only {has}")
        wishes.append(Wish(target, target.player or usual_strategy(base)))
    return wishes


def _searches(base: Setup, strategies: str) -> bool:
    return seat_strategies(base, tuple(split(strategies))).level > THUMB


class _Search:
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
            before, spent = self.games, self.seconds

            def tell(done: int, seconds: float) -> None:
                if self.progress:
                    self.progress(before + done, spent + seconds)

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
        return [one[3] for one in left[:most]] or sorted(played, key=self._off)[:1]

    def check(self, settings: Sequence[Setting], fresh: int, search_games: int) -> list[Proposal]:
        """Fresh games of what was chosen, and of the rules as they are beside it."""
        found = []
        tables = {setting: self.space.table(setting) for setting in dict.fromkeys([AS_IT_IS, *settings])}
        measured: dict[Setting, dict[tuple[str, str], Interval]] = {setting: {} for setting in tables}
        for name, race in list(self.races.items()):
            if self.interrupted:
                break
            number = search_games if _searches(self.space.base, name) else fresh
            arms = grid_of_setups(list(tables.values()), [name]).arms
            first = max(runner.growing.played.asked for runner in race.runners.values())
            before = self.games, self.seconds

            def tell(done: int, seconds: float, before: tuple[int, float] = before) -> None:
                if self.progress:
                    self.progress(before[0] + done, before[1] + seconds)

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
