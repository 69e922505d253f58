"""What a report is asked about: the tables of a game, how much to play, and what several sections share.

Sections take an Inquiry and nothing else. Expensive results that more than one of them needs (brackets, judged
positions) are found once and kept here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.solver.ruleset import RulesetError, Setup, nearest

if TYPE_CHECKING:
    from houle.analysis.difficulty.bracket import Bracket
    from houle.analysis.sampling.positions import Judged

FILE = Path(__file__).parent / "effort.toml"
EFFORTS = ("quick", "normal", "deep")
LEAST = 4  # games or deals that anything needs
SEARCHING = (
    "search_games",
    "decision_games",
    "skill_search_deals",
    "positions",
    "openings",
    "list_deals",
)
FRESH = 1_000_000_000  # games from here on teach; those below measure what was learned

Told = Callable[[float], None]  # how far a section is, from 0 to 1


@dataclass(frozen=True)
class Effort:
    """How much is played; the counts of effort.toml for one game."""

    name: str
    counts: dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.counts[key]

    def number(self, key: str) -> int:
        return int(self.counts[key])


def effort(name: str, game: str) -> Effort:
    """One of the efforts, cut to the speed of a game."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    if name not in data or name == "share":
        raise RulesetError(f"--effort: unknown effort {name!r}{nearest(name, EFFORTS)}")
    share = data["share"].get(game, {})
    counts = dict(data[name])
    # A test's tiny counts are as small as they can be already.
    for key, value in counts.items():
        if isinstance(value, int) and not isinstance(value, bool) and key != "examples" and name != "tiny":
            part = share.get("search" if key in SEARCHING else "games", 1.0)
            counts[key] = max(LEAST, round(value * part))
    return Effort(name, counts)


@dataclass
class Inquiry:
    """Tables of one game, and the one of them that is looked at most closely."""

    setups: tuple[Setup, ...]
    main: Setup
    effort: Effort
    seed: int
    words: tuple[str, ...] = ()  # the command line that asks the same again, from the game on
    threads: int | None = None
    told: Told | None = None
    left_out: tuple[tuple[str, str], ...] = ()  # tables that cannot be played, and why
    _kept: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return self.main.ruleset.title

    @property
    def people(self) -> str:
        """What players are called."""
        return "surfers" if self.main.ruleset.name == "wave" else "players"

    @cached_property
    def together(self) -> tuple[Setup, ...]:
        """Tables whose players are one side, and win or lose as such."""
        from houle.analysis.comparison.measures import together

        return tuple(setup for setup in self.setups if together(setup))

    @cached_property
    def rivals(self) -> tuple[Setup, ...]:
        return tuple(setup for setup in self.setups if setup not in self.together)

    @cached_property
    def thumbs(self) -> bool:
        """Whether the game has rules of thumb."""
        from houle.solver.strategies.player import weights_of

        return bool(weights_of(self.main.ruleset.name))

    @property
    def usual(self) -> str:
        """Who plays where one kind of player is enough."""
        return "thumb" if self.thumbs else "random"

    @cached_property
    def novice(self) -> str | None:
        """The weakest player that is not random."""
        from houle.analysis.strategy.ladder import standing

        found, _ = standing(self.main, ("novice", "greedy"))
        return found[0].text if found else None

    def progress(self, games: int, before: float = 0.0, part: float = 1.0) -> Callable[[int, float], None]:
        """For an analysis of so many games: how far the section is."""

        def told(done: int, seconds: float) -> None:
            self.tell(before + part * min(1.0, done / max(games, 1)))

        return told

    def tell(self, share: float) -> None:
        if self.told:
            self.told(share)

    def table(self, setup: Setup) -> str:
        """`three surfers (base game)`."""
        from houle.reports.html.format import in_words

        people = self.people if setup.players != 1 else self.people[:-1]
        return f"{in_words(setup.players)} {people} ({variant(setup)})"

    def arguments(self, setup: Setup) -> str:
        """A table as words of a command line."""
        words = [setup.ruleset.name, "-p", str(setup.players)]
        words += ["-v", "+".join(setup.variants)] if setup.variants else []
        for knob in setup.changed:
            if setup.changed[knob] == "--set":
                words += ["--set", f"{knob}={_typed(setup.options[knob])}"]
        words += [part for file in dict.fromkeys(setup.changed.values()) if file != "--set"
                  for part in ("--rules", file)]  # fmt: skip
        import shlex

        return shlex.join(words)

    def brackets(self) -> list[Bracket]:
        """How hard every table without rivals is."""
        if "brackets" not in self._kept:
            from houle.analysis.difficulty.bracket import bracket_setup

            rungs = ["random", *([self.novice] if self.novice else []), *(["thumb"] if self.thumbs else [])]
            rungs += [self.effort["search"]] if self.thumbs else []
            found = []
            for i, setup in enumerate(self.together):
                own = [*rungs, *(["clairvoyant"] if self._bound(setup) else [])]
                games, searched = self.effort.number("games"), self.effort.number("search_games")
                told = self.progress(games * len(own), i / len(self.together), 1 / len(self.together))
                found.append(bracket_setup(setup, games, searched, self.seed, own, self.threads, told))
            self._kept["brackets"] = found
        return list(self._kept["brackets"])

    def _bound(self, setup: Setup) -> bool:
        return bool(self.effort["bound"]) and setup.game.has_solver

    def positions(self) -> list[Judged]:
        """Decisions of the main table, judged by search."""
        return self._judged("positions", False, 0)

    def openings(self) -> list[Judged]:
        """The first choices of games of the main table, judged by search."""
        return self._judged("openings", True, FRESH)

    def _judged(self, key: str, openings: bool, first: int) -> list[Judged]:
        if key not in self._kept:
            from houle.analysis.sampling.positions import judged_positions

            number = self.effort.number(key)
            others = ["thumb", *([self.novice] if self.novice else [])]
            self._kept[key] = judged_positions(
                self.main, number, self.effort["judge"], self.seed, FRESH + first, others, openings,
                self.progress(number),
            )  # fmt: skip
        return list(self._kept[key])


def variant(setup: Setup) -> str:
    """`base game`, `virage + nazare`, or the name of one's own variant."""
    return setup.title or " + ".join(setup.variants) or "base game"


def _typed(value: Any) -> str:
    from houle.analysis.sampling.grid import value_text

    return value_text(value)


def make_inquiry(
    setups: Sequence[Setup], name: str, seed: int, words: Sequence[str] = (), threads: int | None = None
) -> Inquiry:
    """An inquiry about tables of one game, the main one first; they are shown by variant, then by players."""
    variants = list(dict.fromkeys(variant(setup) for setup in setups))
    ordered = sorted(setups, key=lambda setup: (variants.index(variant(setup)), setup.players))
    return Inquiry(tuple(ordered), setups[0], effort(name, setups[0].ruleset.name), seed, tuple(words), threads)
