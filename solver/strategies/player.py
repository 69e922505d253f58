"""What a seat's strategy is: a name with options, checked, and the record that kernels read.

`thumb[temperature=0.3]`, `flat:200`, `ismcts:400[weights=rival]`: a name, a budget where the strategy searches, and
options in brackets. Weights of thumbs are data, `weights.toml` in the folder of the game.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from houle.solver.contract import MAX_FEATURES, blank
from houle.solver.ruleset import RulesetError, Setup, digest, nearest

GAMES = Path(__file__).parent.parent / "games"
MILLI = 1000  # temperatures and cautions are kept in thousandths

CHEATS = "clairvoyant cheats: it knows every hand and the order of the pile; a bound, not a player"

RANDOM, THUMB, FLAT, ISMCTS, CLAIRVOYANT = range(5)
KINDS = {
    "random": RANDOM,
    "greedy": THUMB,
    "novice": THUMB,
    "thumb": THUMB,
    "flat": FLAT,
    "ismcts": ISMCTS,
    "clairvoyant": CLAIRVOYANT,
}
BUDGETS = {"flat": 200, "ismcts": 400, "clairvoyant": 0}  # worlds, simulations; the clairvoyant's depends on the game
SOLVER_NODES = 200_000
PEEKING_WORLDS = 200  # of a clairvoyant whose game has no exact solver: flat search in the real world
OPTIONS: dict[str, tuple[str, ...]] = {
    "random": (),
    "greedy": ("temperature", "never", "without"),
    "novice": ("temperature", "weights", "never", "without"),
    "thumb": ("temperature", "weights", "never", "without"),
    "flat": ("weights", "noise", "caution", "never", "without"),
    "ismcts": ("weights", "noise", "explore", "never", "without"),
    "clairvoyant": ("weights",),
}
WORDS = ("weights", "never", "without")  # options that name things, several with +; the others are numbers

PLAYER = np.dtype(
    [
        ("kind", "u1"),  # RANDOM .. CLAIRVOYANT
        ("budget", "i8"),  # worlds of flat, simulations of ismcts, nodes of clairvoyant
        ("temperature", "i8"),  # noise on a thumb's ratings, in thousandths of a rating point
        ("noise", "i8"),  # the same for the players that a search imagines
        ("caution", "i8"),  # standard errors, in thousandths, before flat leaves the thumb's move
        ("explore", "i8"),  # exploration of ismcts, in thousandths
        ("never", "u8"),  # moves it may not make: bits of CATEGORIES
        ("weights", "i8", MAX_FEATURES),  # rating points per unit of each feature
    ],
    align=True,
)


@dataclass(frozen=True)
class Strategy:
    """A checked strategy, as it was written and as kernels read it."""

    text: str  # canonical: "flat:200[noise=0.5]"
    name: str
    budget: int
    options: Mapping[str, Any] = field(default_factory=dict)
    entry: Mapping[str, Any] | None = None  # weights that are in no file, as an entry of one: what tuning tries

    def record(self, setup: Setup) -> Any:
        """The PLAYER record of this strategy at this table."""
        one = blank(PLAYER)
        player = one[0]
        player.kind = KINDS[self.name]
        player.budget = self.budget
        if self.name == "clairvoyant" and not self.budget:
            player.budget = SOLVER_NODES if setup.game.has_solver else PEEKING_WORLDS
        if player.kind == RANDOM:
            return one
        entry = self.weights_entry(setup)
        features = [name for name, _ in setup.game.FEATURES]
        ignored = [features[i] for i in self._chosen("without", "rule of thumb", setup, features)]
        for name, weight in entry["weights"].items():
            player.weights[features.index(name)] = 0 if name in ignored else weight
        categories = [name for name, _ in setup.game.CATEGORIES]
        player.never = sum(1 << i for i in self._chosen("never", "sort of move", setup, categories))
        default = {
            "temperature": entry.get("novice", 0.0) if self.name == "novice" else 0.0,
            "noise": 0.0,
            "caution": 0.0,
            "explore": 0.7,
        }
        default |= {key: entry[key] for key in ("noise", "caution", "explore") if key in entry}
        for key, value in (default | dict(self.options)).items():
            if key not in WORDS:
                player[key] = round(value * MILLI)
        return one

    def _chosen(self, option: str, what: str, setup: Setup, known: list[str]) -> list[int]:
        """The places in `known` of the names that an option gives."""
        names = [name for name in self.options.get(option, "").split("+") if name]
        for name in names:
            if name not in known:
                raise RulesetError(
                    f"strategy {self.text!r}: {setup.ruleset.name} has no {what} {name!r}{nearest(name, known)}"
                )
        return [known.index(name) for name in names]

    def weights_entry(self, setup: Setup) -> Mapping[str, Any]:
        """The weights that fit the table best: same name, then most conditions met."""
        if self.entry is not None:
            return self.entry
        wanted = "greedy" if self.name == "greedy" else self.options.get("weights", "thumb")
        entries = [entry for entry in weights_of(setup.ruleset.name) if entry["name"] == wanted]
        fitting = [entry for entry in entries if _fits(entry, setup)]
        if not weights_of(setup.ruleset.name):
            raise RulesetError(
                f"{setup.ruleset.name} has no rules of thumb, so {self.name!r} cannot play it; allowed: random"
            )
        if not fitting:
            known = sorted({entry["name"] for entry in weights_of(setup.ruleset.name)} - {"greedy"})
            raise RulesetError(f"{setup.ruleset.name} has no weights {wanted!r}{nearest(wanted, known)}")
        return max(fitting, key=lambda entry: len(entry.get("when", {})))

    def digest(self, setup: Setup) -> str:
        """Names the strategy with its weights, for result digests."""
        if self.name == "random":
            return "random"
        record = self.record(setup)[0]
        return digest({"text": self.text, "player": [np.asarray(record[name]).tolist() for name in PLAYER.names or ()]})


def _fits(entry: Mapping[str, Any], setup: Setup) -> bool:
    facts = {**setup.shown_options, "players": setup.players}
    return all(facts.get(key) == value for key, value in entry.get("when", {}).items())


def weights_file(game: str) -> Path:
    return GAMES / game.replace("-", "_") / "weights.toml"


@lru_cache
def weights_of(game: str) -> list[dict[str, Any]]:
    """Every entry of a game's weights file; after a change of the file: weights_of.cache_clear()."""
    path = weights_file(game)
    if not path.exists():
        return []
    return list(tomllib.loads(path.read_text())["player"])


_SHAPE = re.compile(r"^([a-z]+)(?::([0-9_]+))?(?:\[(.*)\])?$")


def parse(text: str) -> Strategy:
    """One strategy as typed; a RulesetError of one line if it is none."""
    match = _SHAPE.match(text.strip())
    name = match[1] if match else text.partition(":")[0].partition("[")[0]
    if name not in KINDS:
        raise RulesetError(f"unknown strategy {name!r}{nearest(name, KINDS)}")
    if match is None:
        raise RulesetError(f"strategy {text!r}: write name, name:N or name[key=value,...]")
    budget = BUDGETS.get(name, 0)
    if match[2]:
        if name not in BUDGETS:
            raise RulesetError(f"strategy {text!r}: {name} takes no number")
        budget = int(match[2])
        if not 1 <= budget <= 100_000_000:
            raise RulesetError(f"strategy {text!r}: {budget} is not allowed; allowed: 1 to 100000000")
    options: dict[str, Any] = {}
    for pair in filter(None, (part.strip() for part in (match[3] or "").split(","))):
        key, _, value = (part.strip() for part in pair.partition("="))
        if key not in OPTIONS[name]:
            allowed = OPTIONS[name]
            hint = nearest(key, allowed) if allowed else "; it has no options"
            raise RulesetError(f"strategy {text!r}: {name} has no option {key!r}{hint}")
        options[key] = value if key in WORDS else _decimal(text, key, value)
    shown = f"{name}:{budget}" if budget else name
    if options:
        shown += (
            "["
            + ",".join(
                f"{key}={value}" if key in WORDS else f"{key}={value:g}" for key, value in sorted(options.items())
            )
            + "]"
        )
    return Strategy(shown, name, budget, options)


def _decimal(text: str, key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1_000_000:
        raise RulesetError(f"strategy {text!r}: {key}: {value!r} is not allowed; allowed: a number from 0 to 1000000")
    return number


def split(text: str) -> list[str]:
    """A line-up as typed: commas outside brackets separate seats."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]


@dataclass(frozen=True)
class LineUp:
    """One strategy per player of a table."""

    setup: Setup
    strategies: tuple[Strategy, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(strategy.text for strategy in self.strategies)

    @cached_property
    def digests(self) -> tuple[str, ...]:
        return tuple(strategy.digest(self.setup) for strategy in self.strategies)

    @cached_property
    def records(self) -> Any:
        """PLAYER records by seat."""
        records = blank(PLAYER, len(self.strategies))
        for seat, strategy in enumerate(self.strategies):
            records[seat] = strategy.record(self.setup)[0]
        return records

    @property
    def level(self) -> int:
        """What must be compiled for it: RANDOM, THUMB, or everything."""
        return max(KINDS[strategy.name] for strategy in self.strategies)


def line_up(setup: Setup, texts: Iterable[str]) -> LineUp:
    """One strategy for all seats, or one per player."""
    strategies = [parse(part) for text in texts for part in split(text)]
    if len(strategies) == 1:
        strategies *= setup.players
    if len(strategies) != setup.players:
        raise RulesetError(f"{len(strategies)} strategies for {setup.players} players; give one, or one per player")
    names = {strategy.name for strategy in strategies}
    if "clairvoyant" in names and len(names) > 1 and setup.game.has_solver:
        raise RulesetError(
            f"clairvoyant: in {setup.ruleset.name} it finds lines for the whole table; give it every seat"
        )
    found = LineUp(setup, tuple(strategies))
    _ = found.records  # weights exist
    return found
