"""What every analysis returns: the facts of its run, a frame, JSON, a picture, and the command that repeats it.

An estimate has one shape everywhere: in a frame x, x_low, x_high; in JSON {"value", "low", "high", "n"}. Data counts
seats from 0, as arrays do; what people read counts them from 1 (`shown_side`).
"""

from __future__ import annotations

import html
import importlib
import math
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, overload

from houle.analysis.limits import MOST_GAMES
from houle.solver.record.lines import from_1
from houle.solver.ruleset import Setup, differences_line, is_own, rule_changes, shown_value, value_text, variant_name
from houle.solver.ruleset.homes import homes

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.stats.intervals import Interval

CHEATS = "clairvoyant cheats: it knows every hand and the order of the pile; a bound, not a player"
EXACT = "clairvoyant is the exact solver: all cards lie open here, so that it knows no more than a player"


@dataclass(frozen=True)
class Facts:
    """Where a result comes from: the table, who played, which games, how long it took, and its name."""

    setup: Setup
    strategies: tuple[str, ...]  # one per player, as written in full
    seed: int
    games: int  # that were played; deals where every deal is played several times
    asked: int  # more than `games` after an interruption
    seconds: float  # wall time of play, without compilation
    digest: str  # equal for equal integers, whatever the threads, chunks, machine or time
    first: int = 0  # number of the first game


class Result(ABC):
    """A finished analysis. A subclass is a dataclass with `repr=False` that tells its facts, rows and JSON."""

    command: ClassVar[str]  # that prints it: `houle COMMAND`

    @property
    @abstractmethod
    def facts(self) -> Facts: ...

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """The numbers as a table, every estimate as x, x_low, x_high."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """The object that the command prints with --json."""

    def words(self) -> list[str]:
        """What the command needs beside table, strategies, games and seed to give this result again."""
        return []

    def count_words(self) -> list[str]:
        """How many games the command plays to give this result again."""
        return ["-n", str(self.games)]

    @property
    def setup(self) -> Setup:
        return self.facts.setup

    @property
    def strategies(self) -> tuple[str, ...]:
        return self.facts.strategies

    @property
    def seed(self) -> int:
        return self.facts.seed

    @property
    def first(self) -> int:
        return self.facts.first

    @property
    def games(self) -> int:
        return self.facts.games

    @property
    def asked(self) -> int:
        return self.facts.asked

    @property
    def seconds(self) -> float:
        return self.facts.seconds

    @property
    def digest(self) -> str:
        return self.facts.digest

    @property
    def rules_digest(self) -> str:
        """Names the rules that were played."""
        return self.setup.digest

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        """What must be said with the numbers: the game's own notes, and that a clairvoyant is no player."""
        return notes_of(self.setup, self.strategies)

    def table_columns(self) -> dict[str, Any]:
        """The columns every frame begins with."""
        return {
            **setup_columns(self.setup),
            "strategies": ",".join(self.strategies),
            "seed": self.seed,
            "first": self.first,
            "games": self.games,
        }

    def digest_columns(self) -> dict[str, Any]:
        """The columns every frame ends with."""
        return {"rules_digest": self.rules_digest, "result_digest": self.digest}

    def head(self) -> dict[str, Any]:
        """What every JSON object begins with."""
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

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that gives exactly this result again; `setup_words` where the table was typed as a command."""
        table = words_of_setup(self.setup) if setup_words is None else setup_words
        own = self.words()
        words = [self.command, *table, *own]
        if "-s" not in own and self.strategies:
            words += ["-s", self.strategies[0] if len(set(self.strategies)) == 1 else ",".join(self.strategies)]
        words += [*self.count_words(), "--seed", str(self.seed)] + (["--first", str(self.first)] if self.first else [])
        return command_line(words, self.setup)

    def interruption(self, again: str) -> str:
        """What is said of a run that was stopped: how much is counted, and the command for exactly that part."""
        counted = f"{self.games:,} of {self.asked:,}" if self.asked < MOST_GAMES else f"{self.games:,}"
        return f"{counted} are counted; exactly this part again: {again}"

    def plot(self, path: str | Path | None = None) -> Any:
        """The figure of this result (matplotlib), also written where a path is given: .png, .svg or .pdf.

        Drawing stands above analysis; it is looked up by name, so that numbers can be had without pictures.
        """
        return importlib.import_module("houle.reports.figures").draw(self, path)

    def __repr__(self) -> str:
        hidden = "variants" if is_own(self.setup) else "rules_name"  # one of the two says it
        columns = setup_columns(self.setup).items()
        table = ", ".join(f"{key}={value}" for key, value in columns if key != hidden)
        return f"<{type(self).__name__}: {table}, games={self.games:,}, seed={self.seed}, digest={self.digest}>"

    def _repr_html_(self) -> str:
        """What a notebook shows for a cell that ends in a result."""
        caption = f"<p>{html.escape(repr(self).strip('<>'))}</p>"
        return caption + str(self.frame().to_html(index=False, max_rows=30, float_format=lambda x: f"{x:.4g}"))


def notes_of(setup: Setup, strategies: Iterable[str]) -> list[str]:
    """What must be said with numbers of a table and its players."""
    solved = any(name.startswith("clairvoyant") for name in strategies)
    said = EXACT if setup.ruleset.all_open else CHEATS
    return [*setup.notes, *([said] if solved else [])]


@dataclass(frozen=True, repr=False)
class Finished(Result):
    """A result that is handed its facts when it is finished; others work them out of what they hold."""

    origin: Facts

    @property
    def facts(self) -> Facts:
        return self.origin


def setup_columns(setup: Setup) -> dict[str, Any]:
    """A table as columns of a frame."""
    variants = "+".join(setup.variants) or "base"
    name = variant_name(setup)
    return {"game": setup.ruleset.name, "players": setup.players, "variants": variants, "rules_name": name}


def setup_as_json(setup: Setup) -> dict[str, Any]:
    """A table as plain data: its name, what differs from print, every effective knob; a deck goes by its name."""
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
    """What differs from print, rule by rule; nothing for the printed rules."""
    return [
        {"knob": change.knob, "before": shown_value(change.printed), "now": shown_value(change.now)}
        | {"provenance": change.provenance, "place": change.source, "words": change.words}
        for change in rule_changes(setup)
    ]


def game_path_words(setup: Setup) -> list[str]:
    """Where a game is found that is not installed."""
    place = homes().games.get(setup.ruleset.name)
    return ["--game-path", str(place.folder)] if place is not None and place.source is not None else []


def command_line(words: Sequence[str], *setups: Setup) -> str:
    """A command as a shell takes it; games of these tables that are not installed are found by it again."""
    places = dict.fromkeys(tuple(game_path_words(setup)) for setup in setups)
    return shlex.join(["houle", *words, *(word for place in places for word in place)])


def words_of_setup(setup: Setup) -> list[str]:
    """A table as words of a command line: what was changed is set by hand, wherever it came from."""
    words = [setup.ruleset.name, "-p", str(setup.players)]
    words += ["-v", "+".join(setup.variants)] if setup.variants else []
    for knob, _, value in setup.differences:
        words += ["--set", f"{knob}={value_text(value)}"]
    return words


def interval_columns(name: str, interval: Interval | None) -> dict[str, float | None]:
    """An estimate as columns of a frame: x, x_low, x_high; empty where there is none."""
    parts = (interval.value, interval.low, interval.high) if interval else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), parts, strict=True))


@overload
def interval_as_json(interval: Interval) -> dict[str, Any]: ...


@overload
def interval_as_json(interval: None) -> None: ...


def interval_as_json(interval: Interval | None) -> dict[str, Any] | None:
    """An estimate as plain data: value, low, high, n; what cannot be known is null."""
    if interval is None:
        return None
    ends = {"value": interval.value, "low": interval.low, "high": interval.high}
    return {name: known(end) for name, end in ends.items()} | {"n": interval.n}


def known(value: float | None) -> float | None:
    """What can be known, for JSON, which has no infinity."""
    return value if value is not None and math.isfinite(value) else None


def shown_side(name: str) -> str:
    """A side as people count: `seat 0` of the data is `seat 1`, `team 0` is `team 1`; others as they are."""
    return from_1(name)


def shown_seats(seats: Iterable[int]) -> list[int]:
    """Seats as people count them, from 1."""
    return [seat + 1 for seat in seats]
