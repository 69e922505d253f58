"""Base class of all results: rows, a data frame, JSON, a figure, and the command that repeats the analysis.

A result declares its rows once, as `records`: dicts with estimates and plain values. The frame, the JSON and the tables
on pages follow from them. An estimate is x, x_low, x_high in a frame and {"value", "low", "high", "n"} in JSON. Data
counts seats from 0, texts for people count them from 1 (`from_1`).
"""

from __future__ import annotations

import html
import importlib
import math
import os
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, overload

from houle.analysis.limits import MOST_GAMES
from houle.analysis.stats.estimate import MISSING, POINTS, Estimate
from houle.solver.rules import (
    Deck,
    Setup,
    differences_line,
    digest,
    rule_changes,
    shown_value,
    value_text,
    variant_name,
)
from houle.solver.rules.game_folders import homes, is_plain
from houle.solver.texts import count_of

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.run_options import RunSpec
    from houle.solver.players.player import LineUp

Fact = TypeVar("Fact")
Record = Mapping[str, Any]  # a row: estimates, numbers and texts by column; nested data is only for JSON

FIGURES = "reports.figures"
CHEATS = "clairvoyant sees every hand and the order of the pile; its result is a bound that no player can exceed"
EXACT = "clairvoyant is the exact solver; all cards are open in this game, so it knows no more than a player"


@dataclass(frozen=True)
class Facts:
    """Where a result comes from: setup, players, games, time and digest."""

    setup: Setup
    strategies: tuple[str, ...]  # one per player, in full
    seed: int
    games: int  # played; deals if each deal is played several times
    asked: int  # more than `games` after an interruption
    seconds: float  # wall time of play, without compilation
    digest: str  # equal for equal results, whatever the threads, chunks or machine
    first: int = 0  # number of the first game

    @classmethod
    def of(cls, line_up: LineUp, spec: RunSpec, games: int, seconds: float, digest: str) -> Facts:
        """The facts of a run of one line-up; `games` were played."""
        return cls(
            line_up.setup,
            strategies=line_up.names,
            seed=spec.seed,
            games=games,
            asked=spec.games,
            seconds=seconds,
            digest=digest,
            first=spec.first,
        )


def run_digest(line_up: LineUp, spec: RunSpec, **integers: Any) -> str:
    """Identifies the result of a run of one line-up by its whole numbers."""
    first = {"first": spec.first} if spec.first else {}
    who = {"rules": line_up.setup.digest, "strategies": list(line_up.digests), "seed": spec.seed}
    return digest({**who, **first, **integers})


class FromFacts(Generic[Fact]):
    """An attribute of a result that its facts hold under the same name."""

    def __set_name__(self, owner: type[Result], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, result: None, owner: type[Result]) -> Self: ...

    @overload
    def __get__(self, result: Result, owner: type[Result]) -> Fact: ...

    def __get__(self, result: Result | None, owner: type[Result]) -> Self | Fact:
        if result is None:
            return self
        fact: Fact = getattr(result.facts, self.name)
        return fact


class Result(ABC):
    """A finished analysis. Subclasses are dataclasses with `repr=False` that define facts and records."""

    command: str  # `houle COMMAND` prints this result
    rows_key: ClassVar[str | None] = "rows"  # the key of the records in JSON; None if only the summary is written
    used_columns: ClassVar[tuple[str, ...]] = ()  # of a frame that is not whole; empty for all

    @property
    @abstractmethod
    def facts(self) -> Facts: ...

    @abstractmethod
    def records(self) -> Iterable[Record]:
        """The rows of this result."""

    def summary(self) -> Record:
        """What JSON has beside the head and the rows."""
        return {}

    def frame(self, whole: bool = False) -> pd.DataFrame:
        """The rows as a data frame, every estimate as x, x_low, x_high; some results have more columns if `whole`."""
        import pandas as pd

        ends = self.digest_columns()
        frame = pd.DataFrame([{**self.setup_columns(), **flat(record), **ends} for record in self.records()])
        used = [name for name in frame.columns if re.sub("_(low|high)$", "", name) in self.used_columns]
        return frame[used] if used and not whole else frame

    def as_json(self) -> dict[str, Any]:
        """The object that the command prints with --json; what is unknown is null."""
        rows = {self.rows_key: [plain(record) for record in self.records()]} if self.rows_key else {}
        return {**self.head(), **rows, **plain(self.summary())}

    def words(self) -> list[str]:
        """Options that repeat this result, beside setup, players and seed."""
        return ["-n", str(self.games)]

    @property
    def headline(self) -> str:
        """The main number in a few words, as `repr` shows it; empty if there is none."""
        return ""

    setup = FromFacts[Setup]()
    strategies = FromFacts[tuple[str, ...]]()
    seed = FromFacts[int]()
    first = FromFacts[int]()
    games = FromFacts[int]()
    asked = FromFacts[int]()
    seconds = FromFacts[float]()
    digest = FromFacts[str]()

    @property
    def player(self) -> str:
        """The name of the players if all are alike, else all names: `family`, `family,expert`."""
        return self.strategies[0] if len(set(self.strategies)) == 1 else ",".join(self.strategies)

    @property
    def rules_digest(self) -> str:
        """Identifies the rules that were played."""
        return self.setup.digest

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    @property
    def part(self) -> int | None:
        """The number of games that repeats what Ctrl-C left; None without Ctrl-C, and if only the whole repeats."""
        return self.games if self.interrupted else None

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        """What readers of the numbers must know: the notes of the game, and what a clairvoyant is."""
        return notes_of(self.setup, self.strategies)

    def setup_columns(self) -> dict[str, Any]:
        """The first columns of every frame."""
        return {
            **setup_columns(self.setup),
            "strategies": ",".join(self.strategies),
            "seed": self.seed,
            "first": self.first,
            "games": self.games,
        }

    def digest_columns(self) -> dict[str, Any]:
        """The last columns of every frame."""
        return {"rules_digest": self.rules_digest, "result_digest": self.digest}

    def head(self) -> dict[str, Any]:
        """The first keys of every JSON object."""
        return {
            **setup_as_json(self.setup),
            "strategies": list(self.strategies),
            "seed": self.seed,
            "first": self.first,
            "games": self.games,
            "asked": self.asked,
            "interrupted": self.interrupted,
            "rules_digest": self.rules_digest,
            "result_digest": self.digest,
            "notes": self.notes,
            "seconds": self.seconds,
        }

    def repeat(self) -> str:
        """The command that gives exactly this result again."""
        words = [self.command, *words_of_setup(self.setup)]
        words += ["-s", self.player] if self.strategies else []
        return command_line([*words, *self.words(), "--seed", str(self.seed)], self.setup)

    def interruption(self, again: str) -> str:
        """The message after Ctrl-C: how many games are counted, and the command for exactly these or for the whole."""
        if self.part is None:
            return f"only the whole can be repeated: {again}"
        counted = f"{self.games:,} of {self.asked:,}" if self.asked < MOST_GAMES else f"{self.games:,}"
        return f"{counted} are counted; exactly this part again: {again}"

    def plot(self, path: str | Path | None = None) -> Any:
        """The figure of this result (matplotlib); with a path it is also written, as .png, .svg or .pdf."""
        return draw(self, path)

    def __repr__(self) -> str:
        parts = [self.setup.summary, self.headline, f"{self.games:,} games"]
        stopped = [f"interrupted, {self.asked:,} asked for"] if self.interrupted else []
        return f"{type(self).__name__}({', '.join([*filter(None, parts), *stopped])})"

    def _repr_html_(self) -> str:
        """What a notebook shows for a result."""
        caption = f"<p>{html.escape(repr(self))}</p>"
        return caption + str(self.frame().to_html(index=False, max_rows=30, float_format=lambda x: f"{x:.4g}"))


def notes_of(setup: Setup, strategies: Iterable[str]) -> list[str]:
    """What readers of numbers of this setup and these players must know."""
    solved = any(name.startswith("clairvoyant") for name in strategies)
    note = EXACT if setup.ruleset.all_open else CHEATS
    fitted = refit_notes(setup) or borrowed_notes(setup, strategies)
    return [*setup.notes, *([note] if solved else []), *fitted]


def refit_notes(setup: Setup) -> list[str]:
    """What players fitted to a setup gain; empty for players made for print."""
    if not setup.refit:
        return []
    value, low, high, number = setup.refit["gain"]
    unit, what = (POINTS, "wins") if setup.goal == "win" else ("", setup.score)
    gain = Estimate(value, low, high, n=number, unit=unit)
    return [f"the rules of thumb are fitted to this variant: {gain.text()} more {what} than those made for print"]


def borrowed_notes(setup: Setup, strategies: Iterable[str]) -> list[str]:
    """Whose weights the players use if none were tuned for this setup; empty if it has its own."""
    from houle.solver.players.player import borrowed_weights

    note = borrowed_weights(setup) if {*strategies} != {"random"} else ""
    return [note] if note else []


@dataclass(frozen=True, repr=False)
class Finished(Result):
    """A result that is given its facts when it is made; other results compute them."""

    origin: Facts

    @property
    def facts(self) -> Facts:
        return self.origin


def setup_title(setup: Setup) -> str:
    """The setup in a line: `WAVE, 3 players, base game`, or the name of your own rules."""
    return f"{setup.ruleset.title}, {count_of(setup.players, 'player')}, {variant_name(setup)}"


def setup_columns(setup: Setup) -> dict[str, Any]:
    """A setup as columns of a frame."""
    variants = "+".join(setup.variants) or "base"
    name = variant_name(setup)
    return {"game": setup.ruleset.name, "players": setup.players, "variants": variants, "rules_name": name}


def setup_as_json(setup: Setup) -> dict[str, Any]:
    """A setup as plain data: its name, what differs from print, every knob; a deck is shown by its name."""
    return {
        "game": setup.ruleset.name,
        "players": setup.players,
        "variants": list(setup.variants),
        "rules_name": variant_name(setup),
        "differences": differences_as_json(setup),
        "differs": differences_line(setup),
        "options": setup.shown_options,
        **({"source": setup.source} if setup.source else {}),
    }


def differences_as_json(setup: Setup) -> list[dict[str, Any]]:
    """What differs from print, rule by rule; empty for the printed rules."""
    return [
        {"knob": change.knob, "before": shown_value(change.printed), "now": shown_value(change.now)}
        | {"provenance": change.provenance, "place": change.source, "words": change.words}
        for change in rule_changes(setup)
    ]


def game_path(setup: Setup) -> str:
    """Where a game is that is not installed: the file of a class, or a folder; empty for other games."""
    name = setup.ruleset.name
    home = homes().games.get(name)
    return name if is_plain(name) else str(home.folder) if home is not None and home.source is not None else ""


def command_line(words: Sequence[str], setup: Setup) -> str:
    """A command for the shell, with --game-path if the game is not installed and no word is its file."""
    path = game_path(setup)
    return shlex.join(["houle", *words, *(["--game-path", path] if path and path not in words else [])])


def words_of_setup(setup: Setup) -> list[str]:
    """A setup as words of a command line: rules that come from a file by that file, all others with --set."""
    files = [source for source in dict.fromkeys(setup.changed.values()) if os.path.isfile(source)]
    words = [setup.ruleset.name, "-p", str(setup.players)]
    words += ["-v", "+".join(setup.variants)] if setup.variants else []
    words += [word for file in files for word in ("--rules", file)]
    for knob, source in setup.changed.items():
        value = setup.options[knob]
        typed = value.path if isinstance(value, Deck) and value.path else value_text(value)
        words += ["--set", f"{knob}={typed}"] if source not in files else []
    return words


def flat(record: Record) -> dict[str, Any]:
    """A record as columns of a frame: estimates as x, x_low, x_high; a mapping of estimates too, key by key.

    A list of plain values is joined by spaces. Other nested data is only for JSON.
    """
    row: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Estimate):
            row |= dict.fromkeys(value.columns(name)) if value is MISSING else value.columns(name)
        elif isinstance(value, Mapping):
            row |= flat({f"{name}_{part}": one for part, one in value.items() if isinstance(one, Estimate)})
        elif not isinstance(value, list | tuple):
            row[name] = value
        elif all(isinstance(one, str | int) for one in value):
            row[name] = " ".join(map(str, value))
    return row


def plain(value: Any) -> Any:
    """A value as data for JSON: estimates as value, low, high, n; what is infinite, unknown or missing is None."""
    if value is MISSING:
        return None
    if isinstance(value, Estimate):
        return value.as_json()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return known(value) if isinstance(value, float) else value


def known(value: float | None) -> float | None:
    """A finite number, or None: JSON has no infinity."""
    return value if value is not None and math.isfinite(value) else None


def shown_seats(seats: Iterable[int]) -> list[int]:
    """Seats as people count them, from 1."""
    return [seat + 1 for seat in seats]


def draw(result: Result, path: str | Path | None = None, **options: Any) -> Any:
    """The figure of a result, written if there is a path. Reports are above, so they are loaded by name."""
    return importlib.import_module(f"houle.{FIGURES}").draw(result, path, **options)
