"""What all sections of a report share: the setups of a game, how much is played, and results that several of them need.

A section keeps its results in `Context.results` for the sections after it. Judged positions are played on first use.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from houle.analysis.blocks import Block, about, text
from houle.analysis.explain.ablation import AblationRow
from houle.analysis.explain.balance import Balance, balance, play_course
from houle.analysis.explain.decisions import Decisions
from houle.analysis.explain.openings import OpeningGames
from houle.analysis.explain.openings import openings as play_deals
from houle.analysis.players.line_ups import EXPERT, line_up
from houle.analysis.players.named_players import FAMILY, SEASONED, levels, player_kind, players_of
from houle.analysis.result import Result, command_line, words_of_setup
from houle.analysis.run_options import Progress, RunOptions, RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.judged_positions import JudgedPosition, judged_positions
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.labels import agreement, base_of_label
from houle.analysis.tables.table import Row, Table
from houle.reports.blocks import Section
from houle.reports.effort import Effort, games_within, load_effort, search_work
from houle.solver.players.names import parse
from houle.solver.players.player import weights_of
from houle.solver.rules import Setup, is_own, names_beside, variant_name
from houle.solver.texts import capital, in_words


def strategies_of(difficulties: Sequence[Table]) -> list[str]:
    return list(dict.fromkeys(level.strategy for difficulty in difficulties for level in difficulty.levels))


def level_of(difficulty: Table, strategy: str | None) -> Row | None:
    return next((level for level in difficulty.levels if level.strategy == strategy), None)


def strongest_fair(difficulty: Table) -> Row:
    """The strongest player that does not cheat, by its kind: the highest win rate might only be the luckiest."""
    return [level for level in difficulty.levels if not level.is_bound][-1]


@dataclass(frozen=True)
class Opposed:
    """A variant that is certainly harder for one kind of player and easier for another."""

    variant: str
    changes: tuple[tuple[str, Estimate], ...]  # strategy, and what it wins (or scores) more than in the main setup

    def as_json(self) -> dict[str, Any]:
        changes = [{"strategy": strategy, "difference": change.as_json()} for strategy, change in self.changes]
        return {"variant": self.variant, "changes": changes}

    @property
    def sentence(self) -> Block:
        (harder, less), (easier, more) = sorted(self.changes, key=lambda change: change[1].value)
        words = text(
            "{variant} is harder for {one} players, {less}, and easier for {other} players, {more}.",
            variant=capital(self.variant),
            one=player_kind(harder),
            less=less,
            other=player_kind(easier),
            more=more,
        )
        return about(words, f"{harder}, {easier}", "win, change")


def opposed(name: str, variant: Table, main: Table, usual: str) -> Opposed | None:
    """What a variant changes for the level of the page and for the strongest player, if that is opposed."""
    changes = []
    for strategy in dict.fromkeys((usual, strongest_fair(main).strategy)):
        here, there = level_of(variant, strategy), level_of(main, strategy)
        if here and there:
            changes.append((strategy, here.value.difference(there.value)))
    signs = {change.value > 0 for _, change in changes if change.differs}
    return Opposed(name, tuple(changes)) if len(signs) > 1 else None


def label_lines(variant: Table, main: Table) -> list[str]:
    """Whether each level agrees with the label that print gives to a variant, if the main setup is the base game."""
    base = base_of_label(variant.setup)
    if base is None or base.digest != main.setup.digest:
        return []
    pairs = ((one, level_of(main, one.strategy)) for one in variant.levels if not one.is_bound)
    more = {one.strategy: one.value.difference(there.value) for one, there in pairs if there}
    return agreement(variant.setup, more, main.goal.sign < 0)


EXPERT_WORLDS = 200  # of flat search, which takes about as long as an expert in any game
NEEDS = Path(__file__).parent / "needs.toml"
FIRST_LEARNING_GAME = 1_000_000_000  # games from here on are learned from; those below measure what was learned


@dataclass(frozen=True)
class Need:
    """What a section of a report needs to appear: the number that it exists for, known so well."""

    number: str
    half_width: float  # a share of games, or a part of what scores can differ by


@lru_cache
def needs() -> dict[str, Need]:
    """By the name of the section; sections that check their findings one by one have none."""
    return {name: Need(**entry) for name, entry in tomllib.loads(NEEDS.read_text(encoding="utf-8")).items()}


@dataclass
class SectionProgress(Progress):
    """Turns the progress of an analysis into the progress of its section."""

    on_share: Callable[[float], None] | None  # called with the share of the section that is done
    games: int
    span: tuple[float, float]  # the share of the section before and after this analysis
    shared: dict[Any, Any] = field(default_factory=dict)  # games of people who think (sampling/engine.py)

    def expect(self, games: int) -> None:
        """Correct the number of games, if an analysis knows better."""
        self.games = games

    def __call__(self, done: int, seconds: float) -> None:
        if self.on_share:
            before, after = self.span
            self.on_share(before + (after - before) * min(1.0, done / max(self.games, 1)))


@dataclass
class Results:
    """Results of sections that later sections read; empty if a section is not part of the report, or failed."""

    difficulties: list[Table] = field(default_factory=list)  # of every cooperative setup
    opposed: list[Opposed] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # whether levels agree with the labels of print
    comparison: Table | None = None  # of the variants with as many players as the main setup
    balance: Balance | None = None  # of the main setup
    decisions: Decisions | None = None
    strength: Table | None = None  # where players compete
    by_level: dict[str, Row] = field(default_factory=dict)  # what your own variant changes for each level
    open_rules: Table | None = None
    rules: list[AblationRow] = field(default_factory=list)  # of thumb, those of the short list


@dataclass
class Context:
    """Setups of one game, and the main one, which is analysed most closely."""

    setups: tuple[Setup, ...]
    main: Setup
    effort: Effort
    spec: RunSpec  # seed and threads of every analysis
    command_words: tuple[str, ...] = ()  # the words after `houle report` that make the same report
    left_out: tuple[tuple[str, str], ...] = ()  # setups that cannot be played, and why
    seconds_per_decision: float | None = None  # of people, for the length in minutes
    asked_level: str = FAMILY  # the level that the page is about
    only: tuple[str, ...] = ()  # the sections asked for; empty for all
    on_progress: Callable[[float], None] | None = None  # called with the share of a section that is done
    sections: dict[str, Section] = field(default_factory=dict)  # those made so far, by name
    left_sections: list[str] = field(default_factory=list)  # those left out for lack of games, and why
    results: Results = field(default_factory=Results)
    shared: dict[Any, Any] = field(default_factory=dict)  # games that several sections need

    @property
    def title(self) -> str:
        """`WAVE`; `WAVE, Storm` for a variant."""
        game, main = self.main.ruleset.title, self.main
        one_variant = main.variants and all(setup.variants == main.variants for setup in self.setups)
        return f"{game}, {self.name(main)}" if is_own(main) or one_variant else game

    @cached_property
    def _names(self) -> dict[str, str]:
        return dict(zip([setup.digest for setup in self.setups], names_beside(self.setups), strict=True))

    def name(self, setup: Setup) -> str:
        """The name of a setup among the others: `2+3`, and `printed rules` for what it is compared with."""
        return self._names.get(setup.digest) or variant_name(setup)

    def is_main(self, setup: Setup) -> bool:
        return setup.digest == self.main.digest

    @cached_property
    def cooperative(self) -> tuple[Setup, ...]:
        """Setups whose players win or lose together."""
        return tuple(setup for setup in self.setups if setup.one_sided)

    @cached_property
    def competitive(self) -> tuple[Setup, ...]:
        return tuple(setup for setup in self.setups if setup not in self.cooperative)

    @cached_property
    def has_thumb(self) -> bool:
        """Whether the game has rules of thumb."""
        return bool(weights_of(self.main.ruleset.name))

    @property
    def level(self) -> str:
        """The players that the page is about: the level asked for, or random play in a game without rules of thumb."""
        return self.asked_level if self.has_thumb else "random"

    @property
    def seasoned(self) -> str:
        """The strongest level of people."""
        return SEASONED if self.has_thumb else "random"

    @property
    def games(self) -> int:
        """Games of every setup and level, but those of the main setup by the level of the page."""
        return self.effort.number("games")

    @property
    def level_games(self) -> int:
        """Games of the main setup by the level of the page: one count, so one thing has one number on all pages."""
        return max(self.games, int(self.effort.counts.get("level_games", 0)))

    @property
    def seat_games(self) -> int:
        """The same for seats, length and tension; more where players compete."""
        return (
            self.level_games if self.main.one_sided else max(self.games, int(self.effort.counts.get("seat_games", 0)))
        )

    @property
    def has_experts(self) -> bool:
        """Whether players that search play at this effort."""
        return self.has_thumb and "search_games" in self.effort

    def wants(self, section: Section) -> bool:
        """Whether a section is made at this effort; some are only made if `--only` names them."""
        if section.name in self.only or section.name not in self.effort.counts.get("only_when_asked", ()):
            return True
        self.left_sections.append(f"{section.title}: --only {section.name} plays it, or --effort normal.")
        return False

    def knows(self, section: Section, number: Estimate | None, span: float = 1.0) -> bool:
        """Whether the number that a section exists for is known well enough; if not, the section is left out."""
        need = needs()[section.name]
        if (number is not None and number.half <= need.half_width * span) or "every_section" in self.effort:
            return True
        known = "is not known" if number is None else f"is known to \u00b1{100 * number.half / span:.2g} points in 100"
        self.left_sections.append(f"{section.title}: {need.number} {known}, and {100 * need.half_width:g} are needed.")
        return False

    @property
    def expert(self) -> str:
        """The player that plans ahead; an effort of your own may have a faster one."""
        return str(self.effort.counts.get("search", EXPERT))

    @property
    def who(self) -> str:
        """The players that the page is about: `families`."""
        return players_of(self.level)

    @property
    def everyone(self) -> str:
        """Who plays, after `when`: `families play`."""
        return f"{self.who} play" if self.has_thumb else "everyone plays at random"

    @property
    def strategies(self) -> list[str]:
        """Every kind of player that does not cheat, the weakest first."""
        expert = [self.expert] if self.has_experts else []
        return ["random", *(level.name for level in levels()), *expert] if self.has_thumb else ["random"]

    @property
    def few_players(self) -> list[str]:
        """Some of them, for tables that have no room for all."""
        few = {"random", FAMILY, self.level, SEASONED, self.expert}
        return [name for name in self.strategies if name in few]

    def players_noun(self, players: int = 0) -> str:
        """The game's word for players: `surfers`; `surfer` for one."""
        noun = self.main.ruleset.player
        return noun if players == 1 else f"{noun}s"

    def players(self, setup: Setup) -> str:
        """`three players`."""
        return f"{in_words(setup.players)} {self.players_noun(setup.players)}"

    def described(self, setup: Setup) -> str:
        """`three players (base game)`."""
        return f"{self.players(setup)} ({self.name(setup)})"

    @property
    def main_setup(self) -> str:
        return self.described(self.main)

    def arm(self, setup: Setup) -> Arm:
        """A setup played by the level of the page, for comparisons."""
        return Arm(line_up(setup, self.level), {}, self.name(setup))

    def command(self, name: str, setup: Setup, *words: object) -> str:
        """The command line that repeats an analysis of a setup."""
        return command_line([name, *words_of_setup(setup), *map(str, words), "--seed", str(self.spec.seed)], setup)

    def again(self, result: Result) -> str:
        """The command line that repeats a result."""
        return result.repeat()

    def repeat_balance(self, section: Section) -> list[str]:
        """The command line that makes the numbers of a section again that shows how games go."""
        whole = self.seat_games == self.level_games
        return [self.again(self.main_balance)] if whole else self.repeat_section(section)

    def repeat_section(self, section: Section) -> list[str]:
        """The command line that makes one section again; none if no command makes this report."""
        if not self.command_words:
            return []
        return [command_line(["report", *self.command_words, "--only", section.name], self.main)]

    def part(self, games: int, plays: int = 1, span: tuple[float, float] = (0.0, 1.0)) -> RunSpec:
        """The run of an analysis that plays each of so many games `plays` times, as a part of its section."""
        progress = SectionProgress(self.on_progress, games * plays, span, self.shared)
        return self.spec.but(games=games, progress=progress)

    def run(self, games: int, plays: int = 1, span: tuple[float, float] = (0.0, 1.0)) -> RunOptions:
        """The same as options of a public function."""
        spec = self.part(games, plays, span)
        return {"games": spec.games, "seed": spec.seed, "threads": spec.threads, "progress": spec.progress}

    @property
    def main_balance(self) -> Balance:
        """How games of the main setup go; the first section that asks plays them."""
        if self.results.balance is None:
            if self.seat_games == self.level_games:
                played = balance(self.main, strategies=self.level, **self.run(self.level_games, 3))
            else:  # what the deal decides needs fewer games than the seats
                course = play_course(line_up(self.main, self.level), self.part(self.seat_games, span=(0.0, 0.6)))
                dealt = OpeningGames(self.main, self.level)
                deals = int(self.effort.counts.get("deal_games", self.level_games))
                found = play_deals(self.main, dealt, self.part(deals, 2, (0.6, 1.0)))
                played = replace(course, openings=found)
            self.results.balance = played
        return self.results.balance

    @property
    def main_difficulty(self) -> Table | None:
        """How hard the main setup is; None if its players compete."""
        return next((one for one in self.results.difficulties if self.is_main(one.setup)), None)

    @cached_property
    def positions(self) -> list[JudgedPosition]:
        """Decisions in the main setup, judged by search."""
        return self._judged("positions", FIRST_LEARNING_GAME)

    @cached_property
    def first_choices(self) -> list[JudgedPosition]:
        """The first choices in games of the main setup, judged by search."""
        return self._judged("first_moves", 2 * FIRST_LEARNING_GAME)

    @cached_property
    def search_work(self) -> float:
        """The work of a search in one game of the main setup: moves of playouts for one world."""
        return search_work(self.main, self.spec.seed)

    def searched(self, key: str, search: str, plays: int = 1) -> int:
        """How many games (or deals, each played `plays` times) of a search the effort and its limit on work allow."""
        worlds = EXPERT_WORLDS if search == EXPERT else parse(search).budget
        return games_within(self.effort.number(key), plays * worlds, self.search_work, self.effort["most_work"])

    def _judged(self, key: str, first: int) -> list[JudgedPosition]:
        count = self.effort.number(key)
        others = [self.seasoned, *([FAMILY] if self.has_thumb else [])]
        spec = self.part(count).but(first=first)
        return judged_positions(self.main, spec, self.effort["judge"], others, openings=key == "first_moves")


def make_context(
    setups: Sequence[Setup],
    effort: str | Effort,
    spec: RunSpec,
    command_words: Sequence[str] = (),
    left_out: Sequence[tuple[str, str]] = (),
    seconds_per_decision: float | None = None,
    level: str = FAMILY,
    only: Sequence[str] = (),
) -> Context:
    """The context of a report on setups of one game, the main one first; they are shown by variant, then by players."""
    variants = list(dict.fromkeys(variant_name(setup) for setup in setups))
    ordered = sorted(setups, key=lambda setup: (variants.index(variant_name(setup)), setup.players))
    counts = load_effort(effort, setups[0].ruleset.name) if isinstance(effort, str) else effort
    return Context(
        setups=tuple(ordered),
        main=setups[0],
        effort=counts,
        spec=spec,
        command_words=tuple(command_words),
        left_out=tuple(left_out),
        seconds_per_decision=seconds_per_decision,
        asked_level=level,
        only=tuple(only),
    )
