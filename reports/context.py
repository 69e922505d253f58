"""What all sections of a report share: the setups of a game, how much is played, and results that several of them need.

Sections take a Context and nothing else. Results that are expensive and needed more than once (difficulties, judged
positions) are played on first use and kept.
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
from houle.solver.ruleset import Setup, is_own, names_beside, value_text
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import seat_strategies, weights_of

OTHER_SETUPS = 4  # times the search games of the main setup, shared by all other setups
LEAST_SEARCHED = 40  # search games of each of them
FIRST_LEARNING_GAME = 1_000_000_000  # games from here on are learned from; those below measure what was learned
SET_BY_HAND = ("--set", "set")  # sources of a changed rule that are not files

Progress = Callable[[int, float], None]  # analyses call it with games done and seconds of play


@dataclass
class SectionProgress:
    """Turns the progress of an analysis into the progress of its section."""

    on_share: Callable[[float], None] | None  # called with the share of the section that is done
    games: int
    before: float
    part: float  # of the section that this analysis is

    def expect(self, games: int) -> None:
        """Correct the number of games, if an analysis knows better."""
        self.games = games

    def __call__(self, done: int, seconds: float) -> None:
        if self.on_share:
            self.on_share(self.before + self.part * min(1.0, done / max(self.games, 1)))


@dataclass
class Context:
    """Setups of one game, and the main one, which is analysed most closely."""

    setups: tuple[Setup, ...]
    main: Setup
    effort: Effort
    seed: int
    command_words: tuple[str, ...] = ()  # the words after `houle report` that make the same report
    threads: int | None = None
    left_out: tuple[tuple[str, str], ...] = ()  # setups that cannot be played, and why
    on_progress: Callable[[float], None] | None = None  # called with the share of a section that is done
    sections: dict[str, Section] = field(default_factory=dict)  # those made so far, by name

    @property
    def title(self) -> str:
        """`WAVE`; `WAVE, Storm` for a variant of your own."""
        game = self.main.ruleset.title
        return f"{game}, {self.name(self.main)}" if is_own(self.main) else game

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
    def usual_strategy(self) -> str:
        """The player in sections that need only one kind of player."""
        return "thumb" if self.has_thumb else "random"

    @property
    def everyone(self) -> str:
        """How the usual player plays, in words."""
        return "everyone follows the rules of thumb" if self.has_thumb else "everyone plays at random"

    @cached_property
    def family(self) -> str | None:
        """The strategy of the level `family`; None if the game has no rules of thumb."""
        strategies, _ = playable(self.main, ("family",))
        return strategies[0].text if self.has_thumb and strategies else None

    @property
    def strategies(self) -> list[str]:
        """Every kind of player that does not cheat, the weakest first."""
        family = [self.family] if self.family else []
        return ["random", *family, *(["thumb", self.effort["search"]] if self.has_thumb else [])]

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
        """A setup where everyone is the usual player, for comparisons."""
        return Arm(seat_strategies(setup, [self.usual_strategy]), {}, self.name(setup))

    def command(self, name: str, setup: Setup, *words: object) -> str:
        """The command line that repeats an analysis of a setup."""
        return command_line([name, *setup_words(setup), *map(str, words), "--seed", str(self.seed)], setup)

    def again(self, result: Result) -> str:
        """The command line that repeats a result."""
        return result.repeat(setup_words(result.setup))

    def progress(self, games: int, before: float = 0.0, part: float = 1.0) -> Progress:
        """The progress of an analysis of so many games that is a part of its section."""
        return SectionProgress(self.on_progress, games, before, part)

    def setup_progress(self, games: int, number: int, setups: int) -> Progress:
        """The progress of the same analysis of one setup after another."""
        return self.progress(games, number / setups, 1 / setups)

    @cached_property
    def difficulties(self) -> list[Difficulty]:
        """How hard every cooperative setup is; all but the main one share a limited number of search games."""
        games, searched = self.effort.number("games"), self.effort.number("search_games")
        others = OTHER_SETUPS * searched // max(1, len(self.cooperative) - 1)
        difficulties = []
        for i, setup in enumerate(self.cooperative):
            solved = bool(self.effort["bound"]) and setup.game.has_solver
            strategies = [*self.strategies, *(["clairvoyant"] if solved else [])]
            progress = self.setup_progress(games * len(strategies), i, len(self.cooperative))
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
        """Decisions in the main setup, judged by search."""
        return self._judged("positions", FIRST_LEARNING_GAME)

    @cached_property
    def first_choices(self) -> list[JudgedPosition]:
        """The first choices in games of the main setup, judged by search."""
        return self._judged("first_moves", 2 * FIRST_LEARNING_GAME)

    @cached_property
    def search_work(self) -> float:
        """The work of a search in one game of the main setup: moves of playouts for one world."""
        return search_work(self.main, self.seed)

    def searched(self, key: str, search: str, plays: int = 1) -> int:
        """How many games (or deals, each played `plays` times) of a search the effort and its limit on work allow."""
        worlds = parse(search).budget
        return games_within(self.effort.number(key), plays * worlds, self.search_work, self.effort["most_work"])

    def _judged(self, key: str, first: int) -> list[JudgedPosition]:
        count = self.effort.number(key)
        others = ["thumb", *([self.family] if self.family else [])]
        return judged_positions(
            self.main, count, self.effort["judge"], self.seed, first, others, key == "first_moves", self.progress(count)
        )


def setup_words(setup: Setup) -> list[str]:
    """A setup as words of a command line, with the files its rules come from."""
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
    """The context of a report on setups of one game, the main one first; they are shown by variant, then by players."""
    variants = list(dict.fromkeys(variant_name(setup) for setup in setups))
    ordered = sorted(setups, key=lambda setup: (variants.index(variant_name(setup)), setup.players))
    counts = load_effort(effort, setups[0].ruleset.name) if isinstance(effort, str) else effort
    return Context(tuple(ordered), setups[0], counts, seed, tuple(command_words), threads, tuple(left_out))
