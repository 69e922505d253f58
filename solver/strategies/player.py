"""Players: what a strategy is at a table, as a record that kernels read; weights from files; who sits where.

Weights of thumbs are data, `weights.toml` in the folder of the game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from houle.solver.errors import InputError
from houle.solver.interface import MAX_FEATURES, blank
from houle.solver.ruleset import Setup, digest, nearest
from houle.solver.ruleset.homes import homes
from houle.solver.ruleset.weights import check_weights, equal_weights
from houle.solver.strategies.names import KINDS, LAPSES, OPTIONS, RANDOM, WORDS, Strategy, parse, split

GAMES = Path(__file__).parent.parent / "games"
MILLI = 1000  # temperatures, cautions and percents are kept in thousandths
SOLVER_NODES = 200_000
PEEKING_WORLDS = 200  # of a clairvoyant whose game has no exact solver: flat search in the real world

PLAYER = np.dtype(
    [
        ("kind", "u1"),  # RANDOM .. CLAIRVOYANT
        ("budget", "i8"),  # worlds of flat, simulations of ismcts, nodes of clairvoyant
        ("temperature", "i8"),  # noise on a thumb's ratings, in thousandths of a rating point
        ("noise", "i8"),  # the same for the players that a search imagines
        ("caution", "i8"),  # standard errors, in thousandths, before a search leaves the thumb's move
        ("explore", "i8"),  # exploration of ismcts, in thousandths
        ("reads", "i8"),  # temperature of the thumbs that it takes the others for when it reads them; 0: it does not
        ("weighs", "i8"),  # worlds that it weighs at a decision when it reads; 0: as many as usual
        ("judge", "i8"),  # nodes of the exact solver that judges imagined worlds; 0: none
        ("plays", "i8"),  # how much of a win found there hangs on playing it out, in thousandths of a percent
        ("mix", "i8"),  # chance of a move drawn by regrets, in thousandths of a percent; 0: the best one, always
        ("ends", "i8"),  # last tricks that are played exactly in imagined worlds; 0: none
        ("never", "u8"),  # moves it may not make: bits of CATEGORIES
        ("weights", "i8", MAX_FEATURES),  # rating points per unit of each feature
        ("forgets", "i8"),  # the chance of lapses at a decision, in thousandths of a percent, see thumb.py
        ("nearsighted", "i8"),
        ("loses_count", "i8"),
        ("far", "u8"),  # bits of FEATURES: those that the nearsighted do not see
        ("memory", "u8"),  # and those that need memory of what was played
    ],
    align=True,
)
OF_LAPSES = (*LAPSES, "far", "memory")  # no part of the digest of a player who has none
READERS = ("reads", "weighs", "judge", "plays")  # what a reader is
EXTRAS = (*READERS, "mix", "ends")  # what searches may have or not: no part of the digest of a player without them


def player_record(strategy: Strategy, setup: Setup) -> Any:
    """The PLAYER record of a strategy at a table."""
    one = blank(PLAYER)
    player = one[0]
    player.kind = KINDS[strategy.name]
    player.budget = strategy.budget
    if strategy.name == "clairvoyant" and not strategy.budget:
        player.budget = SOLVER_NODES if setup.game.has_solver else PEEKING_WORLDS
    if player.kind == RANDOM:
        return one
    entry = weights_entry(strategy, setup)
    features = [name for name, _ in setup.game.FEATURES]
    ignored = [features[i] for i in _chosen(strategy, "without", "rule of thumb", setup, features)]
    if not entry["weights"].keys() <= {*features}:
        check_weights(weights_file(setup.ruleset.name), features)
    for name, weight in entry["weights"].items():
        player.weights[features.index(name)] = 0 if name in ignored else weight
    categories = [name for name, _ in setup.game.CATEGORIES]
    player.never = sum(1 << i for i in _chosen(strategy, "never", "sort of move", setup, categories))
    default = {
        "temperature": entry.get("novice", 0.0) if strategy.name == "novice" else 0.0,
        "noise": 0.0,
        "caution": 0.0,
        "explore": 0.7,
    }
    default |= {key: entry[key] for key in ("noise", "caution", "explore") if key in entry}
    default |= {key: entry[key] for key in READERS if key in entry and key in OPTIONS[strategy.name]}
    for key, value in (default | dict(strategy.options)).items():
        if key not in WORDS:
            player[key] = round(value * MILLI)
    if any(player[lapse] for lapse in LAPSES):
        player.far, player.memory = (_marked(setup, key, features) for key in ("far", "memory"))
    player.judge //= MILLI
    player.weighs //= MILLI
    player.ends //= MILLI
    _refuse_missing(strategy, player, setup)
    return one


def _marked(setup: Setup, key: str, features: list[str]) -> int:
    """The rules of thumb that the game's rules.toml marks so, as bits."""
    names = setup.ruleset.marked_features.get(key, ())
    for name in names:
        if name not in features:
            raise InputError(
                f"{setup.ruleset.name}: rules.toml: features.{key}: there is no rule of thumb {name!r}"
                f"{nearest(name, features)}"
            )
    return sum(1 << features.index(name) for name in {*names})


def _refuse_missing(strategy: Strategy, player: Any, setup: Setup) -> None:
    """A RulesetError where an option needs what the game does not have."""
    game = setup.game.name
    if player.reads and not setup.game.can_be_read:
        raise InputError(f"strategy {strategy.text!r}: {game} cannot say what a seat held before; allowed: reads=0")
    if player.judge and not setup.game.has_solver:
        raise InputError(f"strategy {strategy.text!r}: {game} has no exact solver; allowed: judge=0")
    if player.ends and not setup.game.has_tricks:
        raise InputError(f"strategy {strategy.text!r}: {game} has no last tricks to play exactly; allowed: ends=0")


def _chosen(strategy: Strategy, option: str, what: str, setup: Setup, known: list[str]) -> list[int]:
    """The places in `known` of the names that an option gives."""
    names = [name for name in strategy.options.get(option, "").split("+") if name]
    for name in names:
        if name not in known:
            raise InputError(
                f"strategy {strategy.text!r}: {setup.ruleset.name} has no {what} {name!r}{nearest(name, known)}"
            )
    return [known.index(name) for name in names]


def player_digest(strategy: Strategy, setup: Setup) -> str:
    """Names a strategy with its weights, for result digests."""
    if strategy.name == "random":
        return "random"
    record = player_record(strategy, setup)[0]
    lapses = any(record[lapse] for lapse in LAPSES)
    unused = {name for name in EXTRAS if not record[name]} | (set() if lapses else {*OF_LAPSES})
    fields = [name for name in PLAYER.names or () if name not in unused]
    return digest({"text": strategy.text, "player": [np.asarray(record[name]).tolist() for name in fields]})


def weights_entry(strategy: Strategy, setup: Setup) -> Mapping[str, Any]:
    """The weights that fit the table best: same name, then most conditions met."""
    if strategy.entry is not None:
        return strategy.entry
    wanted = "greedy" if strategy.name == "greedy" else strategy.options.get("weights", "thumb")
    entries = [entry for entry in weights_of(setup.ruleset.name) if entry["name"] == wanted]
    fitting = [entry for entry in entries if _fits(entry, setup)]
    if not weights_of(setup.ruleset.name) and setup.game.has_features and wanted == "thumb":
        return _first_weights(setup)
    if not weights_of(setup.ruleset.name):
        raise InputError(
            f"{setup.ruleset.name} has no rules of thumb, so {strategy.name!r} cannot play it; allowed: random"
        )
    if not fitting:
        known = sorted({entry["name"] for entry in weights_of(setup.ruleset.name)} - {"greedy"})
        raise InputError(f"{setup.ruleset.name} has no weights {wanted!r}{nearest(wanted, known)}")
    return max(fitting, key=lambda entry: len(entry.get("when", {})))


_first: dict[str, Mapping[str, Any]] = {}


def _first_weights(setup: Setup) -> Mapping[str, Any]:
    """Of a game that nobody has tuned yet: every rule of thumb counts alike."""
    if setup.digest not in _first:
        _first[setup.digest] = equal_weights(setup)
    return _first[setup.digest]


def _fits(entry: Mapping[str, Any], setup: Setup) -> bool:
    facts = {**setup.shown_options, "players": setup.players}
    return all(facts.get(key) == value for key, value in entry.get("when", {}).items())


def weights_file(game: str) -> Path:
    place = homes().found.get(game.replace("_", "-"))
    return place.weights if place else GAMES / game.replace("-", "_") / "weights.toml"


@lru_cache
def weights_of(game: str) -> list[dict[str, Any]]:
    """Every entry of a game's weights file; after a change of the file: weights_of.cache_clear()."""
    path = weights_file(game)
    if not path.exists():
        return []
    return list(tomllib.loads(path.read_text())["player"])


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
        return tuple(player_digest(strategy, self.setup) for strategy in self.strategies)

    @cached_property
    def records(self) -> Any:
        """PLAYER records by seat."""
        records = blank(PLAYER, len(self.strategies))
        for seat, strategy in enumerate(self.strategies):
            records[seat] = player_record(strategy, self.setup)[0]
        return records

    @property
    def reads(self) -> bool:
        """Whether somebody reads what the others do."""
        return bool(np.any(self.records.reads))

    @property
    def level(self) -> int:
        """What must be compiled for it: RANDOM, THUMB, or everything."""
        return max(KINDS[strategy.name] for strategy in self.strategies)


def seat_strategies(setup: Setup, texts: Iterable[str]) -> LineUp:
    """The line-up of a table: one strategy for all seats, or one per player."""
    strategies = [parse(part) for text in texts for part in split(text)]
    if len(strategies) == 1:
        strategies *= setup.players
    if len(strategies) != setup.players:
        raise InputError(f"{len(strategies)} strategies for {setup.players} players; give one, or one per player")
    names = {strategy.name for strategy in strategies}
    if "clairvoyant" in names and len(names) > 1 and setup.game.has_solver:
        raise InputError(f"clairvoyant: in {setup.ruleset.name} it finds lines for the whole table; give it every seat")
    found = LineUp(setup, tuple(strategies))
    _ = found.records  # weights exist
    return found
