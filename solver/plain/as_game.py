"""A class in plain Python as a game of houle: every command plays it with the same engine, without the compiler.

A state holds how a game came about: the keys of its luck, and the moves and imagined worlds since the deal. So states
can be copied, kept and sent to other processes like those of compiled games. The objects of the class are kept beside
them by a label of that history; one that is missing is made again by replaying it.
"""

from __future__ import annotations

import pickle
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any
from zlib import crc32

import numpy as np

from houle.solver.cards.streams import STREAM_FIELDS, advance, start_world
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import RulesError
from houle.solver.games import defining
from houle.solver.interface import defaults
from houle.solver.interface.functions import random_move_among
from houle.solver.interface.game import BY_DTYPE, FUNCTIONS, Game
from houle.solver.interface.limits import MAX_FEATURES, MAX_SIDES, OWNED
from houle.solver.plain.plain_class import USUAL_PLAYERS, Outcome, PlainClass, load_class, read_result, side_of
from houle.solver.plain.random_streams import CHANCE, DEAL, SEARCH, Chance, Luck, derive, game_key
from houle.solver.plain.separate import Original
from houle.solver.rules import YOURS, Knob, Ruleset, Setup
from houle.solver.rules.game_folders import Home
from houle.solver.rules.knobs import TAKEN
from houle.solver.rules.rules_file import WIN_GOAL, read_goal, read_rules
from houle.solver.sources import outside

MOST_MOVES = 5_000  # a longer game counts as endless
LIVE, FROZEN = 512, 64  # objects that are kept, and copies of those that were asked for twice
RANGE = (-1_000, 10_000)  # scores of a class that does not give SCORE_RANGE
MASK = (1 << 64) - 1
# Reports play fewer games: a class plays some hundred times slower.
REPORT_SHARE = {"games": 0.01, "search": 0.05, "work": 0.001}
THUMB = (("sensible", "Make the move of rules_of_thumb().", "Make any other move."),)


def game_of(text: str) -> Home:
    """The home of the class in a file: `my_game.py`, or `my_game.py:ClassName`."""
    if JIT:
        how = "set NUMBA_DISABLE_JIT=1 before houle is imported, or use the command line"
        raise RulesError(f"{text}: a class in plain Python is played without the compiler; {how}")
    # Streams of luck wrap around, which numpy reports, in every thread.
    np.seterr(over="ignore")
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
    return _game_of(text)


@lru_cache
def _game_of(text: str) -> Home:
    plain = load_class(text)
    ruleset = _ruleset(text, plain)
    table = PlainTable(plain, ruleset)
    folder = plain.path.resolve().parent
    return Home(
        text,
        module=plain.made.__module__,
        folder=folder,
        source=plain.path,
        origin=str(plain.path),
        plain=(ruleset, table.game),
    )


def _ruleset(name: str, plain: PlainClass) -> Ruleset:
    """The rules.toml beside the class if it takes its knobs from there, else what the class itself says."""
    made = plain.made
    for option in plain.options:
        if option in OWNED or option in TAKEN:
            who = "numpy" if option in OWNED else "the command line"
            raise RulesError(f"{plain.path}: {option}: {who} uses this name; rename the option")
    if plain.rules is not None:
        return replace(_rules_beside(name, plain), report_share=REPORT_SHARE)
    choices: Mapping[str, Sequence[str]] = getattr(made, "CHOICES", {})
    players = getattr(made, "PLAYERS", USUAL_PLAYERS)
    lines = (made.__doc__ or plain.title).strip().splitlines()
    return Ruleset(
        name=name,
        title=plain.title,
        about=lines[0],
        players=tuple(int(number) for number in players),
        score=str(getattr(made, "SCORE", "score")),
        knobs={
            option: _knob(option, value, choices.get(option, ()), plain.by_players.get(option, {}))
            for option, value in plain.options.items()
        },
        variants={},
        lower_is_better=bool(getattr(made, "LOWER_IS_BETTER", False)),
        score_range=None if callable(scores := getattr(made, "SCORE_RANGE", RANGE)) else tuple(scores),
        goal=read_goal(getattr(made, "GOAL", WIN_GOAL), f"{plain.path}: GOAL"),
        all_open=bool(getattr(made, "ALL_OPEN", False)),
        report_share=REPORT_SHARE,
    )


def _rules_beside(name: str, plain: PlainClass) -> Ruleset:
    """The rules.toml beside the class. It may be that of the compiled game, with other rules of thumb."""
    assert plain.rules is not None
    ruleset = read_rules(name, plain.rules)
    known = {feature for feature, *_ in _sentences(plain)}
    marked = {key: tuple(one for one in names if one in known) for key, names in ruleset.marked_features.items()}
    return replace(ruleset, marked_features=marked, optional=())


def _sentences(plain: PlainClass) -> tuple[tuple[str, ...], ...]:
    """The rules of thumb: their names, with a sentence for and one against each."""
    if plain.has("features"):
        return tuple(getattr(plain.made, "FEATURES", ()))
    return THUMB if plain.has("rules_of_thumb") else ()


def _knob(name: str, value: Any, choices: Sequence[str], by_players: Mapping[str, Any]) -> Knob:
    kinds = {bool: "bool", int: "int", str: "choice", list: "ints", tuple: "ints"}
    if type(value) not in kinds:
        raise RulesError(
            f"the option {name} has the default {value!r}; allowed: a whole number, true or false, a text, a list"
        )
    kind = kinds[type(value)]
    words = tuple(choices) or ((value,) if kind == "choice" else ())
    default = list(value) if kind == "ints" else value
    numbers = {int(players): value for players, value in by_players.items()}
    return Knob(
        name,
        type=kind,
        default=default,
        provenance=YOURS,
        text="An option of the class.",
        by_players=numbers,
        choices=words,
        most=100,
    )


@dataclass
class LiveObject:
    """An object of the class; its legal moves by their codes, and what worlds are made from, once asked for."""

    played: Any
    moves: dict[int, Any] | None = None
    original: Original | None = None


# Options of RULES records by the name of their module: records may be older than the class, if its file was read again.
_options: dict[str, list[dict[str, Any]]] = {}


@dataclass(eq=False)
class PlainTable:
    """The game functions of a class."""

    plain: PlainClass
    ruleset: Ruleset
    live: OrderedDict[int, LiveObject] = field(default_factory=OrderedDict)
    frozen: OrderedDict[int, bytes] = field(default_factory=OrderedDict)
    missed: set[int] = field(default_factory=set)
    seated: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    options: list[dict[str, Any]] = field(init=False)  # of each RULES record, by its number

    def __post_init__(self) -> None:
        marker = self.plain.made.__module__
        self.options = _options.setdefault(marker, [])
        outside[marker] = self.plain.sources
        sentences = _sentences(self.plain)
        state: list[Any] = [
            *STREAM_FIELDS,
            (marker, "u1"),
            ("mover", "i1"),
            ("moves", "i8"),
            ("turns", "i8"),
            ("dealt", "u8", 2),
            ("label", "u8"),
            ("length", "i8"),
            ("line", "i8", MOST_MOVES),
        ]
        rules: list[Any] = [
            (marker, "u1"),
            ("seats", "i8"),
            ("sides", "i8"),
            ("side", "i8", MAX_SIDES),
            ("score_low", "i8"),
            ("score_high", "i8"),
            ("lower_is_better", "i8"),
            ("score_goal", "i8"),
            ("number", "i8"),
        ]
        most = int(getattr(self.plain.made, "MAX_MOVES", 256))
        own = {name: getattr(self, name) for name in FUNCTIONS if name in OWN}
        if not self.plain.has("standing"):
            own["standing"] = defaults.standing
        if not sentences:
            own["features"] = defaults.features
        functions: dict[str, Any] = {name: own.get(name, function.default) for name, function in FUNCTIONS.items()}
        functions["random_move"] = random_move_among(most)
        advice = {name: (texts[0], texts[-1]) for name, *texts in sentences}
        self.game = Game(
            name=self.ruleset.name,
            package=marker,
            functions=functions,
            RULES=np.dtype(rules, align=True),
            STATE=np.dtype(state, align=True),
            MAX_MOVES=most,
            make_rules=self.make_rules,
            side_names=self.side_names,
            score_range=self.score_range,
            snapshot=self.snapshot,
            show=self.show,
            action_name=self.action_name,
            house_rules=self.house_rules,
            number_of_cards=None,
            FEATURES=tuple((name, texts[0]) for name, texts in advice.items()),
            advice=advice,
            class_view=self,
        )
        BY_DTYPE[self.game.STATE] = BY_DTYPE[np.dtype((np.record, self.game.STATE))] = self.game

    # ---- Objects of the class by the history of a state

    def forget(self) -> None:
        """Drops all objects: labels do not tell games whose luck was changed by hand."""
        for kept in (self.live, self.frozen, self.missed):
            kept.clear()

    def keep(self, label: int, live: LiveObject) -> None:
        self.live[label] = live
        if len(self.live) > LIVE:
            self.live.popitem(last=False)

    def look(self, state: Any, rules: Any) -> LiveObject:
        """The object of a state; it must not be changed."""
        label = int(state.label)
        found = self.live.get(label)
        if found is None:
            found = self.replay(state, rules)
            self.keep(label, found)
        return found

    def take(self, state: Any, rules: Any) -> LiveObject:
        """The object of a state, to be changed: it is not kept for that state any more."""
        label = int(state.label)
        found = self.live.pop(label, None)
        return found if found is not None else self.replay(state, rules)

    def replay(self, state: Any, rules: Any) -> LiveObject:
        """Rebuilds the object of a state from its moves. The second request for the same state returns a copy."""
        label = int(state.label)
        if label in self.frozen:
            return LiveObject(pickle.loads(self.frozen[label]))  # our own copy, never from a file
        played = self.open(int(rules.seats), int(rules.number), *map(int, state.dealt))
        line = [int(code) for code in state.line[: int(state.length)]]
        while line:
            code = line.pop(0)
            if code < 0:
                played = self.imagined(LiveObject(played), -code - 1, line.pop(0) & MASK)
            else:
                played.apply(self.move_of({self.code(move): move for move in played.legal()}, code))
        if label in self.missed:
            try:
                self.frozen[label] = pickle.dumps(played)
            except Exception:  # not everything can be pickled; then it is replayed each time
                self.missed.discard(label)
            if len(self.frozen) > FROZEN:
                self.frozen.popitem(last=False)
        self.missed = self.missed if len(self.missed) < LIVE else set()
        self.missed.add(label)
        return LiveObject(played)

    def open(self, players: int, number: int, deal: int, chance: int) -> Any:
        return self.plain.open(players, self.options[number], Luck(deal), Chance(chance))

    def imagined(self, live: LiveObject, seat: int, key: int) -> Any:
        """A world for a seat; without `imagine` the same game with other luck.

        It is imagined in a copy with other luck, so nothing that it keeps or changes belongs to the real game.
        """
        original = live.original = live.original or Original(live.played)
        played = original.copied(key)
        if not self.plain.has("imagine"):
            if played is live.played:
                raise RulesError(f"{self.plain.path}: no search can copy a game: {original.why}")
            return played
        luck = Luck(derive(key, SEARCH))
        world = self.plain.guarded(lambda: played.imagine(seat, luck), where=f"imagined by seat {seat}")
        if world is played or not isinstance(world, self.plain.made):
            raise RulesError(f"{self.plain.path}: imagine() must return another game, a changed copy")
        if shared := original.with_own_luck(world, key):
            raise RulesError(f"{self.plain.path}: {shared}")
        return world

    def move_of(self, codes: Mapping[int, Any], code: int) -> Any:
        """The move of a code; legal before, it must be legal whenever the same game is played again."""
        if code not in codes:
            legal = ", ".join(map(str, codes.values()))
            why = "does it draw from anything but its luck, or depend on earlier games?"
            raise RulesError(f"{self.plain.path}: played again, the same game has other moves ({legal}); {why}")
        return codes[code]

    @staticmethod
    def code(move: Any) -> int:
        return crc32(repr(move).encode())

    # ---- Game functions

    def deal(self, state: Any, rules: Any) -> None:
        state.dealt[:] = state.deal, state.chance
        state.length = state.moves = state.turns = 0
        number = derive(int(rules.number) + 7, int(rules.seats))  # the same luck deals to any number of seats
        state.label = derive(derive(int(state.deal), number), int(state.chance))
        played = self.open(int(rules.seats), int(rules.number), int(state.deal), int(state.chance))
        self.enter(state, rules, LiveObject(played))

    def enter(self, state: Any, rules: Any, live: LiveObject) -> None:
        """Notes who is to move, and keeps the object."""
        seat = self.guarded(state, live.played.to_move)
        if seat is None or isinstance(seat, bool) or not isinstance(seat, int) or seat >= int(rules.seats):
            allowed = f"allowed: a seat from 0 to {int(rules.seats) - 1}, or -1 at the end"
            raise RulesError(f"{self.plain.path}: to_move() is {seat!r}; {allowed} (after {int(state.moves)} moves)")
        state.mover = max(-1, seat)
        self.keep(int(state.label), live)

    def guarded(self, state: Any, do: Callable[..., Any], *given: Any) -> Any:
        return self.plain.guarded(do, *given, where=f"move {int(state.moves) + 1}")

    def moves_of(self, state: Any, rules: Any) -> dict[int, Any]:
        """The legal moves by their codes."""
        live = self.look(state, rules)
        if live.moves is None:
            where = f"move {int(state.moves) + 1}"
            moves = self.plain.legal_moves(live.played, where) if state.mover >= 0 else []
            live.moves = {self.code(move): move for move in moves}
            if len(live.moves) < len(moves):
                raise RulesError(f"{self.plain.path}: legal() lists a move twice: {moves}")
        return live.moves

    def legal(self, state: Any, rules: Any, moves: Any) -> int:
        codes = self.moves_of(state, rules)
        if len(codes) > len(moves):
            raise RulesError(
                f"{self.plain.path}: {len(codes)} legal moves; write MAX_MOVES = {len(codes)} in the class"
            )
        moves[: len(codes)] = list(codes)
        return len(codes)

    def legal_at_the_end(self, state: Any, rules: Any) -> list[Any]:
        """What legal() lists in a game that is over; nothing if it fails, because nobody is to move."""
        try:
            return list(self.look(state, rules).played.legal())
        except Exception:  # there may be no seat whose moves it could list
            return []

    def apply(self, state: Any, rules: Any, action: int) -> None:
        move = self.move_of(self.moves_of(state, rules), int(action))
        live = self.take(state, rules)
        if state.length >= MOST_MOVES - 2:
            raise RulesError(f"{self.plain.path}: the game has not ended after {int(state.moves):,} moves")
        before = state.mover
        self.guarded(state, live.played.apply, move)
        self.note(state, int(action))
        state.moves += 1
        live.moves = live.original = None
        self.enter(state, rules, live)
        state.turns += before != state.mover

    def note(self, state: Any, *codes: int) -> None:
        label = int(state.label)
        for code in codes:
            state.line[state.length] = code if code < 1 << 63 else code - (1 << 64)
            state.length += 1
            label = derive(label, (code + 11) & MASK)
        state.label = label

    def determinize(self, state: Any, rules: Any, seat: int, key: int) -> bool:
        world = self.imagined(self.look(state, rules), int(seat), int(key))
        start_world(state, key)
        self.note(state, -int(seat) - 1, int(key))
        self.enter(state, rules, LiveObject(world))
        return True

    def outcome_of(self, state: Any, rules: Any) -> Outcome:
        played = self.look(state, rules).played
        result = self.guarded(state, played.result) if state.mover < 0 else self.so_far(state, rules, played)
        lower = bool(rules.lower_is_better)
        try:
            goal = None if self.ruleset.goal == WIN_GOAL else int(rules.score_goal)
            outcome = read_result(result, int(state.moves), lower, goal)
        except ValueError as fault:
            raise RulesError(f"{self.plain.path}: result() {fault} (after {int(state.moves)} moves)") from None
        if len(outcome.scores) != int(rules.sides):
            raise RulesError(
                f"{self.plain.path}: result() has {len(outcome.scores)} scores, but {int(rules.sides)} in others"
            )
        outside = [score for score in outcome.scores if not rules.score_low <= score <= rules.score_high]
        if outside:
            span = f"{int(rules.score_low)} to {int(rules.score_high)}"
            raise RulesError(
                f"{self.plain.path}: the score {outside[0]} is not within {span}; write SCORE_RANGE = (LOW, HIGH)"
            )
        return outcome

    def so_far(self, state: Any, rules: Any, played: Any) -> dict[str, Any]:
        """A result of a game under way, where a search stops early."""
        return {"scores": [0] * int(rules.sides), "winners": []}

    def round_scores(self, state: Any, rules: Any, scores: Any) -> None:
        outcome = self.outcome_of(state, rules)
        scores[: len(outcome.scores)] = outcome.scores

    def outcome(self, state: Any, rules: Any, shares: Any) -> bool:
        outcome = self.outcome_of(state, rules)
        shares[: len(outcome.shares)] = outcome.shares
        return len(outcome.shares) > 1 and not any(outcome.shares)

    def counts(self, state: Any, rules: Any, out: Any) -> None:
        outcome = self.outcome_of(state, rules)
        out[0] += outcome.moves
        out[1] += outcome.turns
        out[2] += outcome.rounds

    def standing(self, state: Any, rules: Any, out: Any) -> None:
        stands = self.guarded(state, self.look(state, rules).played.standing)
        out[: len(stands)] = stands

    def knows(self, state: Any, rules: Any, seat: int) -> int:
        return derive(crc32(repr(self.seen_by(state, rules, int(seat))).encode()), int(state.moves))

    def seen(self, state: Any, rules: Any, seat: int) -> dict[str, Any]:
        """What a person in this seat is shown: the class must say it, so that nothing hidden is."""
        if not self.plain.has("view"):
            raise RulesError(f"{self.plain.path}: write view(seat), a dict of what the seat sees")
        return {"you see": seen} if not isinstance(seen := self.seen_by(state, rules, seat), Mapping) else dict(seen)

    def seen_by(self, state: Any, rules: Any, seat: int) -> Any:
        """What a seat sees: its view, or only its legal moves if the class has no view."""
        if self.plain.has("view"):
            return self.guarded(state, self.look(state, rules).played.view, seat)
        return list(self.moves_of(state, rules)) if int(state.mover) == seat else []

    def features(self, state: Any, rules: Any, moves: Any, n: int, table: Any) -> None:
        codes, live = self.moves_of(state, rules), self.look(state, rules)
        if not self.plain.has("features"):
            sensible = self.guarded(state, live.played.rules_of_thumb)
            if sensible not in codes.values():
                raise RulesError(f"{self.plain.path}: rules_of_thumb() is {sensible!r}, which is not legal")
            for i in range(n):
                table[i, 0] = codes[int(moves[i])] == sensible
            return
        for i in range(n):
            row = list(self.guarded(state, live.played.features, codes[int(moves[i])]))
            if len(row) != (named := min(len(self.game.FEATURES), MAX_FEATURES)):
                allowed = f"{named}, one for each of FEATURES, at most {MAX_FEATURES}"
                raise RulesError(f"{self.plain.path}: features() has {len(row)} numbers; allowed: {allowed}")
            table[i, : len(row)] = row

    @cached_property
    def named(self) -> tuple[str, ...]:
        return tuple(self.plain.named)

    def named_move(self, state: Any, rules: Any, number: int) -> int:
        """The move of a named player. Its luck is a stream of its own at every decision."""
        codes = self.moves_of(state, rules)
        if len(codes) == 1:
            return int(next(iter(codes)))
        state.choice = advance(state.choice)
        played, seat, moves = self.look(state, rules).played, int(state.mover), list(codes.values())
        luck = Luck(derive(int(state.choice), SEARCH))
        move = self.guarded(state, lambda: self.plain.chosen_by(self.named[number], played, seat, moves, luck=luck))
        return list(codes)[moves.index(move)]

    @property
    def has_view(self) -> bool:
        return self.plain.has("view")

    @property
    def made(self) -> type:
        return self.plain.made

    # ---- Plain Python parts of a game

    def make_rules(self, options: Mapping[str, Any], players: int) -> Any:
        made = np.zeros(1, self.game.RULES).view(np.recarray)
        if dict(options) not in self.options:
            self.options.append(dict(options))
        number = self.options.index(dict(options))
        sides = self.sides(players, number)
        made[0].seats, made[0].sides, made[0].number = players, max(sides) + 1, number
        made[0].side[:players] = sides
        return made

    def sides(self, players: int, number: int) -> tuple[int, ...]:
        """The side of each seat, from the result of a first random game."""
        if (players, number) not in self.seated:
            self.seated[players, number] = self.first_sides(players, number)
        return self.seated[players, number]

    def first_game(self, players: int, settings: Mapping[str, Any]) -> tuple[list[Any], Any]:
        """The moves of a random game, and the object that played it."""
        key = game_key(0, 0)
        luck, chance = Luck(derive(key, DEAL)), Chance(derive(key, CHANCE))
        played, choices, made = self.plain.open(players, settings, luck, chance), Luck(key), list[Any]()
        while len(made) < MOST_MOVES:
            where = f"move {len(made) + 1}"
            seat = self.plain.guarded(played.to_move, where=where)
            if seat is None or not isinstance(seat, int) or seat < 0:
                return made, played
            made.append(choices.one_of(self.plain.legal_moves(played, where)))
            self.plain.guarded(played.apply, made[-1], where=where)
        raise RulesError(f"{self.plain.path}: to_move() never is -1: no end after {MOST_MOVES:,} moves")

    def first_sides(self, players: int, number: int) -> tuple[int, ...]:
        _, played = self.first_game(players, self.options[number])
        try:
            result = self.plain.guarded(played.result, where="at the end")
            goal = None if self.ruleset.goal == WIN_GOAL else 0  # only the number of scores counts here
            outcome = read_result(result, MOST_MOVES, self.ruleset.lower_is_better, goal)
        except ValueError as fault:
            raise RulesError(f"{self.plain.path}: result() {fault}") from None
        return tuple(side_of(seat, len(outcome.scores), players, played) for seat in range(players))

    def score_range(self, setup: Setup) -> tuple[int, int]:
        """SCORE_RANGE of the class, which may be a function of the number of players and the options."""
        given = getattr(self.plain.made, "SCORE_RANGE", None)
        if not callable(given):
            return self.ruleset.score_range or RANGE
        low, high = self.plain.guarded(given, setup.players, dict(setup.options), where="SCORE_RANGE")
        return int(low), int(high)

    def side_names(self, setup: Setup) -> list[tuple[str, list[int]]]:
        return defining.side_names(setup)

    def snapshot(self, state: Any, setup: Setup) -> dict[str, Any]:
        played = self.look(state, setup.rules[0]).played
        if self.plain.has("snapshot"):
            return dict(self.guarded(state, played.snapshot))
        same = self.options[int(setup.rules[0].number)].items()  # options that the class has kept
        return {
            name: value
            for name, value in vars(played).items()
            if not isinstance(value, Luck | Chance) and (name, value) not in same
        }

    def show(self, state: Any, setup: Setup) -> str:
        played = self.look(state, setup.rules[0]).played
        if self.plain.has("show"):
            return str(self.guarded(state, played.show))
        return "\n".join(f"{name}: {value}" for name, value in self.snapshot(state, setup).items())

    def action_name(self, state: Any, setup: Setup, action: int) -> str:
        return str(self.move_of(self.moves_of(state, setup.rules[0]), int(action)))

    def house_rules(self, setup: Setup) -> list[str]:
        seen = self.plain.has("imagine") or self.ruleset.all_open
        missing = [] if seen else ["searches see all cards, because the class has no imagine(seat, luck)"]
        return [f"played in plain Python, without the compiler: {self.plain.path}", *missing]


OWN = ("deal", "legal", "apply", "round_scores", "outcome", "counts", "standing", "determinize", "features")
