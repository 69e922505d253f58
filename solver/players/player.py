"""Players: a strategy in a setup as a record that kernels read, the weights of thumbs, and line-ups.

Weights come from `weights.toml` in the folder of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from houle.solver.errors import RulesError, StrategyError
from houle.solver.interface import MAX_FEATURES, blank
from houle.solver.players.evaluation import FILE, HIDDEN, WIDTH, network_of
from houle.solver.players.kinds import CLAIRVOYANT, FLAT, ISMCTS, LEVEL, MILLI, RANDOM
from houle.solver.players.names import KINDS, LAPSES, OPTIONS, WORDS, Strategy, parse, split
from houle.solver.players.weights import check_weights, equal_weights, read_weights
from houle.solver.rules import Setup, digest, nearest
from houle.solver.rules.game_folders import RULES, found

GAMES = Path(__file__).parent.parent / "games"
SOLVER_NODES = 200_000
# The caution of a search where weights.toml says nothing, by whether all players are on one side. Partners rely on
# habits, so a search leaves them only for a clear gain. Rivals do not, and the habits of a game that nobody tuned are
# weak (docs/method/experiments.md).
CAUTION = {True: 3.0, False: 0.3}
# The thought of people (person.py): less caution than above and few weighed worlds, because they think little; and
# turns until an evaluation ends an imagined deal, in games that have one.
PEOPLE = {"caution": 2.0, "weighs": 20.0}
AHEAD_OF_PEOPLE = 8.0
PEEKING_WORLDS = 200  # of a clairvoyant without an exact solver: it uses flat search in the real world

PLAYER = np.dtype(
    [
        ("kind", "u1"),  # RANDOM .. CLAIRVOYANT
        ("budget", "i8"),  # worlds of flat, simulations of ismcts, nodes of clairvoyant, 1 + number of a class's player
        ("temperature", "i8"),  # noise on a thumb's ratings, in thousandths of a rating point
        ("noise", "i8"),  # the same for the players imagined by a search
        ("caution", "i8"),  # how much the thumb's ratings count beside the gains of a search, in thousandths
        ("explore", "i8"),  # of tree search: weight of the bonus for moves that were little tried, in thousandths
        ("reads", "i8"),  # reading: the assumed temperature of the others; 0: no reading
        ("heeds", "i8"),  # the assumed temperature of the others' signals; 0: worlds are not weighed by signals
        ("weighs", "i8"),  # worlds weighed at a decision; 0: the usual number
        ("judge", "i8"),  # nodes of the exact solver that judges imagined worlds; 0: no judge
        ("plays", "i8"),  # how much of a win found by the judge depends on a playout, in thousandths of a percent
        ("slots", "i8"),  # of tree search: room for what it learns at a decision; a power of two
        ("ahead", "i8"),  # turns until a playout ends and is evaluated; 0: it is played to the end
        ("inner", "i2", (HIDDEN, WIDTH)),  # the network that evaluates: weights of its inputs, ...
        ("outer", "i2", (2, HIDDEN)),  # ... and of its hidden units for a win and for a draw
        ("never", "u8"),  # moves it may not make, as bits of CATEGORIES
        ("weights", "i8", MAX_FEATURES),  # rating points per unit of each feature
        ("forgets", "i8"),  # chances of lapses per decision, in thousandths of a percent (thumb.py)
        ("nearsighted", "i8"),
        ("loses_count", "i8"),
        ("far", "u8"),  # bits of FEATURES that the nearsighted do not see
        ("memory", "u8"),  # bits of FEATURES that need memory of what was played
        ("slips", "i8"),  # of a person (person.py): slips of the habit, in thousandths of a percent
        ("thought", "i8"),  # of a person: imagined deals where a decision matters, in thousandths
        ("optional", "u8"),  # of a person: bits of CATEGORIES that are optional helps
    ],
    align=True,
)
# Fields that are left out of the digest of a player who does not use them, so a new option renames no player.
OF_LAPSES = (*LAPSES, "far", "memory")
READERS = ("reads", "heeds", "weighs", "judge", "plays")
EXTRAS = (*READERS, "ahead", "inner", "outer", "slots", "slips", "thought", "optional")
SLOTS, MOST_SLOTS = 8, 1 << 20  # per simulation, twice what it can fill; in all
DIGESTED = 16  # weights in a digest, or as many as the game has: more room for weights renames no player


def player_record(strategy: Strategy, setup: Setup) -> Any:
    """The PLAYER record of a strategy in a setup."""
    one = blank(PLAYER)
    player = one[0]
    player.kind = KINDS[strategy.name]
    player.budget = strategy.budget
    if strategy.name == "clairvoyant" and not strategy.budget:
        player.budget = SOLVER_NODES if setup.game.has("solve") else PEEKING_WORLDS
    if player.kind == RANDOM:
        return one
    if (wanted := strategy.options.get("weights")) in named_in(setup):
        if strategy.name != "thumb" or len(strategy.options) > 1:
            raise StrategyError(f"strategy {strategy.text!r}: {wanted} is a player of the class; allowed: -s {wanted}")
        player.budget = 1 + named_in(setup).index(wanted)
        return one
    entry = weights_entry(strategy, setup)
    features = [name for name, _ in setup.game.FEATURES]
    ignored = [features[i] for i in _chosen(strategy, "without", "rule of thumb", setup, known=features)]
    if not entry["weights"].keys() <= {*features}:
        check_weights(weights_file(setup.ruleset.name), features)
    for name, weight in entry["weights"].items():
        player.weights[features.index(name)] = 0 if name in ignored else weight
    categories = [*setup.game.CATEGORIES]
    player.never = sum(1 << i for i in _chosen(strategy, "never", "sort of move", setup, known=categories))
    default = {"noise": 0.0, "explore": 0.7}
    default |= {"caution": CAUTION[setup.one_sided]} if "caution" in OPTIONS[strategy.name] else {}
    default |= {key: entry[key] for key in default if key in entry}
    default |= {key: entry[key] for key in READERS if key in entry and key in OPTIONS[strategy.name]}
    if player.kind == LEVEL:
        slips = strategy.options.get("slips", 0.0)
        ahead = AHEAD_OF_PEOPLE if _network(setup) else 0.0
        default |= {"nearsighted": slips, "loses_count": slips, "ahead": ahead, **PEOPLE}
    for key, value in (default | dict(strategy.options)).items():
        if key not in WORDS:
            player[key] = round(value * MILLI)
    if player.kind == LEVEL:
        player.optional = _marked(setup, "moves.optional", setup.ruleset.optional, "sort of move", known=categories)
    if any(player[lapse] for lapse in LAPSES):
        marked = setup.ruleset.marked_features
        player.far, player.memory = (
            _marked(setup, f"features.{key}", marked.get(key, ()), "rule of thumb", known=features)
            for key in ("far", "memory")
        )
    if not setup.has_signals:
        player.heeds = 0
    player.judge //= MILLI
    player.weighs //= MILLI
    player.ahead //= MILLI
    if player.ahead:
        if (network := _network(setup)) is None:
            raise StrategyError(
                f"strategy {strategy.text!r}: {setup.game.name} has no evaluation of positions; allowed: ahead=0"
            )
        player.inner[:], player.outer[:] = network
    if player.kind == ISMCTS:
        player.slots = min(1 << (SLOTS * strategy.budget).bit_length(), MOST_SLOTS)
    _refuse_missing(strategy, player, setup)
    return one


def _marked(setup: Setup, key: str, names: Sequence[str], what: str, known: list[str]) -> int:
    """What rules.toml lists under a key, as bits."""
    for name in names:
        if name not in known:
            raise RulesError(
                f"{setup.ruleset.name}: rules.toml: {key}: there is no {what} {name!r}{nearest(name, known)}"
            )
    return sum(1 << known.index(name) for name in {*names})


def _refuse_missing(strategy: Strategy, player: Any, setup: Setup) -> None:
    """Raises StrategyError where an option needs something that the game does not have."""
    game = setup.game.name
    if player.reads and not setup.game.has("recall"):
        raise StrategyError(f"strategy {strategy.text!r}: {game} cannot be read (it has no `recall`); allowed: reads=0")
    if player.judge and not setup.game.has("solve"):
        raise StrategyError(f"strategy {strategy.text!r}: {game} has no exact solver; allowed: judge=0")


def _network(setup: Setup) -> tuple[Any, Any] | None:
    """The network that evaluates positions of a game; None if it has none."""
    return network_of(weights_file(setup.ruleset.name).with_name(FILE)) if setup.game.has("prospects") else None


def _chosen(strategy: Strategy, option: str, what: str, setup: Setup, known: list[str]) -> list[int]:
    """The indices in `known` of the names that an option lists."""
    names = [name for name in strategy.options.get(option, "").split("+") if name]
    for name in names:
        if name not in known:
            raise StrategyError(
                f"strategy {strategy.text!r}: {setup.ruleset.name} has no {what} {name!r}{nearest(name, known)}"
            )
    return [known.index(name) for name in names]


def player_digest(strategy: Strategy, setup: Setup) -> str:
    """The digest of a strategy with its weights, a part of result digests."""
    if strategy.name == "random":
        return "random"
    record = player_record(strategy, setup)[0]
    lapses = any(record[lapse] for lapse in LAPSES)
    unused = {name for name in EXTRAS if not np.any(record[name])} | (set() if lapses else {*OF_LAPSES})
    fields = [name for name in PLAYER.names or () if name not in unused]
    values = {name: np.asarray(record[name]).tolist() for name in fields}
    values["weights"] = values["weights"][: max(len(setup.game.FEATURES), DIGESTED)]
    return digest({"text": strategy.code, "player": list(values.values())})


def named_in(setup: Setup) -> Sequence[str]:
    """The players that a class in plain Python names; `thumb[weights=NAME]` is such a player."""
    return setup.game.class_view.named if setup.game.class_view else ()


def weights_entry(strategy: Strategy, setup: Setup) -> Mapping[str, Any]:
    """The weights that fit the setup best: of the right name, the entry with the most conditions met."""
    if strategy.entry is not None:
        return strategy.entry
    wanted = strategy.options.get("weights", "thumb")
    if setup.refit and wanted == "thumb":
        return setup.refit
    if wanted in named_in(setup):
        return {"name": wanted, "weights": {}}
    tuned = weights_of(setup.ruleset.name)
    if not setup.game.is_compiled and weights_file(setup.ruleset.name).with_name(RULES).exists():
        # The weights are those of the compiled game in this folder; the class may have other rules of thumb.
        features = {name for name, _ in setup.game.FEATURES}
        tuned = [entry for entry in tuned if entry["weights"].keys() <= features]
    entries = [entry for entry in tuned if entry["name"] == wanted]
    fitting = best_fitting(entries, setup)
    if not tuned and setup.game.has("features") and wanted == "thumb":
        return _first_weights(setup)
    if not tuned and not setup.game.has("features"):
        raise StrategyError(
            f"{setup.ruleset.name} has no rules of thumb, so {strategy.name!r} cannot play it; allowed: random"
        )
    if not tuned:
        raise StrategyError(
            f"{setup.ruleset.name} has no weights {wanted!r}; there is thumb: all rules of thumb count the same "
            "until `houle tune` finds weights"
        )
    if not entries:
        known = sorted({entry["name"] for entry in tuned})
        raise StrategyError(f"{setup.ruleset.name} has no weights {wanted!r}{nearest(wanted, known)}")
    return fitting or min(entries, key=lambda entry: distance(entry, setup))


_first: dict[tuple[str, str], Mapping[str, Any]] = {}  # by game and digest: classes of one name have the same digest


def _first_weights(setup: Setup) -> Mapping[str, Any]:
    """Weights of a game that has not been tuned: every rule of thumb counts alike."""
    key = setup.ruleset.name, setup.digest
    if key not in _first:
        _first[key] = equal_weights(setup)
    return _first[key]


def best_fitting(entries: Iterable[Mapping[str, Any]], setup: Setup) -> Mapping[str, Any] | None:
    """The entry of a weights file with the most conditions (`when`) that the setup all meets; None if none fits."""
    fitting = [entry for entry in entries if not unmet(entry, setup)]
    return max(fitting, key=lambda entry: len(entry.get("when", {})), default=None)


def unmet(entry: Mapping[str, Any], setup: Setup) -> dict[str, Any]:
    """The conditions of an entry of a weights file that a setup does not meet."""
    facts = {**setup.shown_options, "players": setup.players}
    conditions = entry.get("when", {}).items()
    return {key: one for key, one in conditions if facts.get(key) not in (one if isinstance(one, list) else [one])}


def distance(entry: Mapping[str, Any], setup: Setup) -> tuple[int, int]:
    """How far an entry is from a setup that it was not tuned for: conditions not met, then players more or fewer."""
    players = entry.get("when", {}).get("players", setup.players)
    apart = min(abs(number - setup.players) for number in (players if isinstance(players, list) else [players]))
    return len(unmet(entry, setup)), apart


def borrowed_weights(setup: Setup) -> str:
    """A sentence if the rules of thumb play with weights of another setup, because it has none of its own."""
    entries = [entry for entry in weights_of(setup.ruleset.name) if entry["name"] == "thumb"]
    if not entries or not setup.game.has("features"):
        return ""
    missed = unmet(weights_entry(parse("thumb"), setup), setup)
    tuned = ", ".join(f"{key}={value}" for key, value in missed.items())
    return f"no weights were tuned for this setup: the nearest are used, those for {tuned}" if missed else ""


def weights_file(game: str) -> Path:
    home = found(game)
    return home.weights if home else GAMES / game.replace("-", "_") / "weights.toml"


@lru_cache
def weights_of(game: str) -> list[dict[str, Any]]:
    """Every entry of a game's weights file. Call weights_of.cache_clear() after the file has changed."""
    path = weights_file(game)
    if not path.exists():
        return []
    return list(read_weights(path).get("player", []))


@dataclass(frozen=True)
class LineUp:
    """One strategy per player of a setup."""

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
        """Whether any player reads the moves of the others."""
        return bool(np.any(self.records.reads))

    @property
    def remembers(self) -> bool:
        """Whether any player reads moves or signals, so that decisions must be remembered."""
        return self.reads or bool(np.any(self.records.heeds))

    @property
    def level(self) -> int:
        """What must be compiled: RANDOM, THUMB, or anything above, of which `searches` and `solves` say more."""
        return max(KINDS[strategy.name] for strategy in self.strategies)

    @property
    def searches(self) -> bool:
        """Whether any player searches, as people do not."""
        return any(KINDS[strategy.name] in (FLAT, ISMCTS, CLAIRVOYANT) for strategy in self.strategies)

    @property
    def solves(self) -> bool:
        """Whether any player uses the exact solver of a game that has one."""
        return bool(np.any(self.records.judge)) or CLAIRVOYANT in self.records.kind


def seat_strategies(setup: Setup, texts: Iterable[str]) -> LineUp:
    """Reads a line-up as typed: one strategy for all seats, or one per player."""
    return seat(setup, [parse(part) for text in texts for part in split(text)])


def seat(setup: Setup, given: Sequence[Strategy]) -> LineUp:
    """A line-up: one strategy for all seats, or one per player. Raises StrategyError if they do not fit the setup."""
    strategies = list(given)
    if len(strategies) == 1:
        strategies *= setup.players
    if len(strategies) != setup.players:
        raise StrategyError(f"{len(strategies)} strategies for {setup.players} players; give one, or one per player")
    names = {strategy.name for strategy in strategies}
    if "clairvoyant" in names and len(names) > 1 and setup.game.has("solve"):
        raise StrategyError(f"clairvoyant: in {setup.ruleset.name} it plans for all players; give it every seat")
    line_up = LineUp(setup, tuple(strategies))
    _ = line_up.records  # raises where weights are missing
    return line_up
