"""What all sections of a report share: the tables of a game, how much is played, and results that several of them need.

Sections take a Context and nothing else. What is expensive and needed more than once (brackets, judged positions) is
played on first use and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from houle.analysis.difficulty.difficulty import Difficulty, difficulty
from houle.analysis.result import Result, command_line
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.players import playable
from houle.analysis.sampling.positions import JudgedPosition, judged_positions
from houle.reports.blocks import Section
from houle.reports.effort import Effort, load_effort
from houle.reports.html.format import in_words
from houle.reports.names import variant_name
from houle.reports.work import games_within, search_work
from houle.solver.ruleset import Setup, names_beside, value_text
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import seat_strategies, weights_of

OTHER_TABLES = 4  # times as many games of a search as the main table has, for all the others together
LEAST_SEARCHED = 40  # of one of them
FIRST_LEARNING_GAME = 1_000_000_000  # games from here on teach; those below measure what was learned
SET_BY_HAND = ("--set", "set")  # where a changed rule comes from, if not from a file

Progress = Callable[[int, float], None]  # games done, seconds of play: what analyses call


@dataclass
class SectionProgress:
    """Listens to an analysis, and passes on how far its section is."""

    on_share: Callable[[float], None] | None  # told how far the section is, from 0 to 1
    games: int
    before: float
    part: float  # of the section

    def expect(self, games: int) -> None:
        """How many games there will be, where an analysis knows better."""
        self.games = games

    def __call__(self, done: int, seconds: float) -> None:
        if self.on_share:
            self.on_share(self.before + self.part * min(1.0, done / max(self.games, 1)))


@dataclass
class Context:
    """Tables of one game, and the one of them that is looked at most closely."""

    setups: tuple[Setup, ...]
    main: Setup
    effort: Effort
    seed: int
    command_words: tuple[str, ...] = ()  # the command line that makes the same report, from the game on
    threads: int | None = None
    left_out: tuple[tuple[str, str], ...] = ()  # tables that cannot be played, and why
    on_progress: Callable[[float], None] | None = None  # told how far a section is, from 0 to 1
    sections: dict[str, Section] = field(default_factory=dict)  # those that are made already, by name

    @property
    def title(self) -> str:
        return self.main.ruleset.title

    @cached_property
    def _names(self) -> dict[str, str]:
        return dict(zip([setup.digest for setup in self.setups], names_beside(self.setups), strict=True))

    def name(self, setup: Setup) -> str:
        """What a table is called beside the others: `2+3`, and `printed rules` where that is compared with it."""
        return self._names.get(setup.digest) or variant_name(setup)

    def is_main(self, setup: Setup) -> bool:
        return setup.digest == self.main.digest

    @cached_property
    def cooperative(self) -> tuple[Setup, ...]:
        """Tables whose players are one side, and win or lose as such."""
        return tuple(setup for setup in self.setups if setup.one_sided)

    @cached_property
    def competitive(self) -> tuple[Setup, ...]:
        return tuple(setup for setup in self.setups if setup not in self.cooperative)

    @cached_property
    def has_thumb(self) -> bool:
        """Whether the game has rules of thumb."""
        return bool(weights_of(self.main.ruleset.name))

    @property
    def usual_strategy(self) -> str:
        """Who plays where one kind of player is enough."""
        return "thumb" if self.has_thumb else "random"

    @cached_property
    def novice(self) -> str | None:
        """The weakest player that is not random."""
        strategies, _ = playable(self.main, ("novice", "greedy"))
        return strategies[0].text if strategies else None

    @property
    def strategies(self) -> list[str]:
        """Every kind of player that does not cheat, the weakest first."""
        novice = [self.novice] if self.novice else []
        return ["random", *novice, *(["thumb", self.effort["search"]] if self.has_thumb else [])]

    def players_noun(self, players: int = 0) -> str:
        """What so many players are called: `players`; `player` for one."""
        noun = self.main.ruleset.player
        return noun if players == 1 else f"{noun}s"

    def players(self, setup: Setup) -> str:
        """`three players`."""
        return f"{in_words(setup.players)} {self.players_noun(setup.players)}"

    def table(self, setup: Setup) -> str:
        """`three players (base game)`."""
        return f"{self.players(setup)} ({self.name(setup)})"

    @property
    def main_table(self) -> str:
        return self.table(self.main)

    def arm(self, setup: Setup) -> Arm:
        """A table where everyone is the usual player, for comparisons."""
        return Arm(setup, seat_strategies(setup, [self.usual_strategy]).names, {}, self.name(setup))

    def command(self, name: str, setup: Setup, *words: object) -> str:
        """The command line that gives an analysis of a table again."""
        return command_line([name, *setup_words(setup), *map(str, words), "--seed", str(self.seed)], setup)

    def again(self, result: Result) -> str:
        """The command line that gives a result again."""
        return result.repeat(setup_words(result.setup))

    def progress(self, games: int, before: float = 0.0, part: float = 1.0) -> Progress:
        """For an analysis of so many games: how far the section is, of which it is a part."""
        return SectionProgress(self.on_progress, games, before, part)

    def table_progress(self, games: int, table: int, tables: int) -> Progress:
        """For the same analysis at one table after another."""
        return self.progress(games, table / tables, 1 / tables)

    @cached_property
    def difficulties(self) -> list[Difficulty]:
        """How hard every cooperative table is; tables beside the main one share the games of the search."""
        games, searched = self.effort.number("games"), self.effort.number("search_games")
        others = OTHER_TABLES * searched // max(1, len(self.cooperative) - 1)
        difficulties = []
        for i, setup in enumerate(self.cooperative):
            solved = bool(self.effort["bound"]) and setup.game.has_solver
            strategies = [*self.strategies, *(["clairvoyant"] if solved else [])]
            progress = self.table_progress(games * len(strategies), i, len(self.cooperative))
            count = searched if self.is_main(setup) else min(searched, max(LEAST_SEARCHED, others))
            difficulties.append(
                difficulty(
                    setup, strategies=strategies, games=games, search_games=count, beside_print=False,
                    seed=self.seed, threads=self.threads, progress=progress,
                )
            )  # fmt: skip
        return difficulties

    @cached_property
    def positions(self) -> list[JudgedPosition]:
        """Decisions of the main table, judged by search."""
        return self._judged("positions", FIRST_LEARNING_GAME)

    @cached_property
    def openings(self) -> list[JudgedPosition]:
        """The first choices of games of the main table, judged by search."""
        return self._judged("first_moves", 2 * FIRST_LEARNING_GAME)

    @cached_property
    def search_work(self) -> float:
        """What a game of the main table costs a search, in moves of playouts for one world."""
        return search_work(self.main, self.seed)

    def searched(self, key: str, search: str, plays: int = 1) -> int:
        """So many games, or deals of so many plays, of a search as the effort says, or as its work allows."""
        worlds = parse(search).budget
        return games_within(self.effort.number(key), plays * worlds, self.search_work, self.effort["most_work"])

    def _judged(self, key: str, first: int) -> list[JudgedPosition]:
        count = self.effort.number(key)
        others = ["thumb", *([self.novice] if self.novice else [])]
        return judged_positions(
            self.main, count, self.effort["judge"], self.seed, first, others, key == "first_moves", self.progress(count)
        )


def setup_words(setup: Setup) -> list[str]:
    """A table as words of a command line, with the files its rules come from."""
    words = [setup.ruleset.name, "-p", str(setup.players)]
    words += ["-v", "+".join(setup.variants)] if setup.variants else []
    for knob, source in setup.changed.items():
        words += ["--set", f"{knob}={value_text(setup.options[knob])}"] if source in SET_BY_HAND else []
    files = [source for source in dict.fromkeys(setup.changed.values()) if source not in SET_BY_HAND]
    words += [word for file in files for word in ("--rules", file)]
    return [*words, *(["--name", setup.title] if setup.title and not files else [])]


def make_context(
    setups: Sequence[Setup],
    effort: str | Effort,
    seed: int,
    command_words: Sequence[str] = (),
    threads: int | None = None,
    left_out: Sequence[tuple[str, str]] = (),
) -> Context:
    """For a report about tables of one game, the main one first; they are shown by variant, then by players."""
    variants = list(dict.fromkeys(variant_name(setup) for setup in setups))
    ordered = sorted(setups, key=lambda setup: (variants.index(variant_name(setup)), setup.players))
    counts = load_effort(effort, setups[0].ruleset.name) if isinstance(effort, str) else effort
    return Context(tuple(ordered), setups[0], counts, seed, tuple(command_words), threads, tuple(left_out))
