"""What the plain files of a game provide beside the game functions, with types and defaults.

Each class is a part of words.py or position.py in a game's folder. `provided` fills it from the file and refuses names
that are misspelt or take other arguments. All names are optional.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, Protocol, TypedDict, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from houle.solver.cards.piles import lay_stack
from houle.solver.compiler.types import AllRules, State, States
from houle.solver.interface.folder import file_of

Setup = Any  # a setup: rules are above this folder
Known = Any  # what a seat knows (matches/known.py)
Lines = Any  # the lines of a position (matches/record/line_parser.py)
Places = dict[str, list[str]]  # the name of a line -> its words
LIKE = 0.84  # how like a known name another one must be to be its misspelling


class GameError(TypeError):
    """A game does not fit the game interface. The message is one line."""


class Face(TypedDict, total=False):
    """A card as it is drawn. A card that the seat does not see is `hidden`; `empty` is a place without a card."""

    name: str
    word: str  # the words on it, if others than its name
    top: str  # its number, or the number on its back
    paint: str  # its colour
    mark: str
    icon: str  # an SVG path, 24 by 24
    lamp: str
    place: str  # in a hand
    pointing: list[str]  # who points at it
    owner: str  # who played it
    about: str  # what it does
    blocked: str  # why it cannot be played
    column: int  # in a layout of columns
    hidden: bool
    empty: bool
    wide: bool  # drawn as words
    ring: str  # drawn around it
    known: str  # what its owner knows about it, as words on it
    typed: str  # how positions name it
    moves: tuple[int, ...]  # the kinds of the actions that it can mean (`kind` of the game)


class Row(TypedDict, total=False):
    """A row of what a seat sees. Players are `seat 0`, `seat 1`, ... in all words; `views` puts names in."""

    label: str  # its words, with the player it belongs to
    title: str  # the same without
    cards: list[Face]
    text: str  # what it shows instead of cards
    own: bool  # its cards can mean a move
    region: str  # `hand` (the viewer's cards), `middle`, `seat` (before a player), `fact` (always in sight)
    seat: int | None  # the player it belongs to
    layout: str  # `row`, `lane` (squares; lanes lie above each other), `columns` (bottom up), `stack`, `past` (small)
    values: list[Any]  # one value per seat
    drawn: str  # how the values are drawn at the table: `bar` up to `most`, `rings`, or a `fan` of backs
    most: int
    note: str  # words beside it, such as `validated`
    remark: bool  # long words


@dataclass(frozen=True, kw_only=True)
class Words:
    """words.py: the game in words. Seats count from 0."""

    # (state, setup): what the player to move decides, as a question
    asked: Callable[[State, Setup], str] | None = None
    # (setup, seat): whose hand is played, if that is not a player's
    hand_name: Callable[[Setup, int], str] | None = None
    # (before, after, setup, action, again): the events of a move; `again(**rules)` makes it with other rules
    happened: Callable[[State, State, Setup, int, Any], Sequence[str]] | None = None
    # (state, setup, action): a move for people, if its name is a code
    spoken: Callable[[State, Setup, int], str] | None = None
    # (state, setup): how a finished game was decided
    ending: Callable[[State, Setup], Sequence[str]] | None = None
    # rules of thumb whose sentences say nothing about a single move: hints give other reasons
    GENERAL: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class TableView:
    """words.py: a position as rows of cards."""

    # (known, setup): rows beside the facts of the table SEEN
    view: Callable[[Known, Setup], list[Row]] | None = None
    # (before, after, setup, action, again): the row of the trick that a move ended, without cards after a round's last
    last_trick: Callable[[State, State, Setup, int, Any], Row | None] | None = None
    # (state, setup): the part of the game, for its history
    chapter: Callable[[State, Setup], str] | None = None
    # (before, after, setup, action, viewer, events): the events as the viewer sees them
    visible_events: Callable[[State, State, Setup, int, int, Iterable[str]], list[str]] | None = None
    # (before, now): whether all know a secret move by now
    is_revealed: Callable[[State, State], bool] | None = None
    # (setup, name): a move's name for people
    move_in_words: Callable[[Setup, str], str] | None = None
    # what words of the game are called at the table
    CALLED: Mapping[str, str] = field(default_factory=dict)


class ClassView(Protocol):
    """What a class in plain Python says that a seat sees; other games have a table (seen.py)."""

    @property
    def made(self) -> type: ...

    @property
    def has_view(self) -> bool: ...

    @property
    def named(self) -> Sequence[str]:
        """The names of its players."""

    def named_move(self, state: State, rules: Any, number: int) -> int: ...

    def seen(self, state: State, rules: Any, seat: int) -> dict[str, Any]: ...

    def knows(self, state: State, rules: Any, seat: int) -> int: ...


@dataclass(frozen=True, kw_only=True)
class PositionText:
    """position.py: positions as lines."""

    # (lines, setup, state, seat): fills a blank state after the plain lines were read
    read: Callable[[Lines, Setup, State, int], Any] | None = None
    # (setup, card): how positions name a card
    name_of_card: Callable[[Setup, int], str] | None = None
    # by the name of a part: (known, who) -> its lines, if they have a syntax of their own
    LINES: Mapping[str, Callable[[Known, int], Places]] = field(default_factory=dict)
    # (state, setup, action, seat, done): a move as a seat sees it, before or after it is done
    move_name: Callable[[State, Setup, int, int, bool], str] | None = None
    # (states, setup): earlier decisions that the state tells: the state before each, and the action
    earlier_decisions: Callable[[States, Setup], list[tuple[States, int]]] | None = None
    # (states, setup): how finished games ended, in words
    how_it_ends: Callable[[States, Setup], list[str]] | None = None


@dataclass(frozen=True, kw_only=True)
class Draws:
    """words.py: which cards left a pile."""

    # (before, after, setup): the cards that left a pile, each with all its names; by default those of `pile`
    drawn: Callable[[State, State, Setup], list[tuple[str, ...]]] | None = None
    # (state, setup): the cards that may be drawn, each with all its names; by default those of `pile`
    in_piles: Callable[[State, Setup], list[tuple[int, tuple[str, ...]]]] | None = None
    # (state, setup, action, viewer): the place in a hand of a move's card; 0 if the viewer knows the card
    place_of: Callable[[State, Setup, int, int | None], int] | None = None
    # (state, cards): lays cards on top of their piles, the first one on top; by default on the stack
    lay_on_top: Callable[[State, Sequence[int]], None] = lay_stack
    # (setup, moves, hands): what later moves tell about the deal
    hindsight: Callable[[Setup, Any, Any], Places] | None = None


@dataclass(frozen=True, kw_only=True)
class OpeningFacts:
    """words.py: what describes the start of a game (matches/opening.py)."""

    # (setup): the facts that describe an opening
    facts: Callable[[Setup], list[Any]] | None = None
    # (setup): where cards can lie, for openings that are typed in
    board: Callable[[Setup], Any] | None = None
    # (state, setup): the card in each position of the board after a deal
    lying: Callable[[State, Setup], list[int]] | None = None
    # (setup, cards): the rules whose piles are dealt in this order; by default the draws of a deal come from a stack
    ordered_rules: Callable[[Setup, Sequence[int]], AllRules] | None = None
    # (setup): the changes of single cards, for `houle design --cards` and lists of cards in a design
    card_changes: Callable[[Setup], list[Any]] = lambda setup: []
    # (setup): the deck by name
    cards: Callable[[Setup], list[str]] | None = None
    # (setup): the setup that is played to value an opening, and a note where it is not the whole game
    scene: Callable[[Setup], tuple[Setup, str]] = lambda setup: (setup, "")
    # (face): cards of different kinds never change places
    kind_of: Callable[[int], int] = lambda face: 0
    # whether every round deals new hands
    DEALT_ANEW: bool = False


FILES: dict[type, str] = {
    Words: "words",
    TableView: "words",
    PositionText: "position",
    Draws: "words",
    OpeningFacts: "words",
}
# The files of a game's folder, and those of 0.4.0 whose functions each has.
BEFORE = {
    "rules": ("state", "play", "score"),
    "knows": ("seen", "worlds"),
    "thumbs": ("features", "prospects"),
    "words": ("text", "view", "opening"),
}
Provided = TypeVar("Provided")


def refuse_older_files(package: str) -> None:
    """Raises a GameError, which says what to rename, for a folder with the files of 0.4.0."""
    module = sys.modules[package]
    there = {path.stem for folder in getattr(module, "__path__", ()) for path in Path(folder).glob("*.py")}
    renamed = [
        f"{new}.py has what was in {', '.join(f'{one}.py' for one in old if one in there)}"
        for new, old in BEFORE.items()
        if new not in there and there & {*old}
    ]
    if renamed:
        raise GameError(f"{package.rpartition('.')[2]}: rename its files: {'; '.join(renamed)}")


def provided(kind: type[Provided], package: str) -> Provided:
    """What a file of a game provides; a GameError if a name is misspelt or takes other arguments."""
    file, own = FILES[kind], package.rpartition(".")[2]
    hints = get_type_hints(kind)
    names = {part.name for part in fields(kind)}  # type: ignore[arg-type]
    # A game of one module may have words in it; other names there can be those of imported functions, such as `cards`.
    module = file_of(package, file) or (sys.modules[package] if kind is Words else None)
    given = {name: value for name in names if (value := getattr(module, name, None)) is not None}
    refuse_misspelt(package, file, names - given.keys())
    for name, value in given.items():
        if problem := misfit(value, hints[name]):
            raise GameError(f"{own}: {file}.py: {name} {problem}")
    return kind(**given)


def refuse_misspelt(package: str, file: str, missing: Iterable[str]) -> None:
    """Raises a GameError for a function of a game's file that is named almost like one that houle looks for.

    Without a file it is a game of one module.
    """
    module = file_of(package, file) if file else sys.modules[package]
    if module is None:
        return
    for name, value in vars(module).items():
        here = getattr(value, "py_func", value)
        if name.startswith("_") or not inspect.isfunction(here) or here.__module__ != module.__name__:
            continue
        for meant in get_close_matches(name, missing, 1, LIKE):
            where = [package.rpartition(".")[2], *([f"{file}.py"] if file else [])]
            raise GameError(f"{': '.join(where)}: houle looks for no {name}; did you mean {meant}?")


def misfit(value: Any, hint: Any) -> str:
    """Why a value does not fit its type; empty if it does."""
    kinds = [one for one in (get_args(hint) if isinstance(hint, UnionType) else (hint,)) if get_origin(one) is Callable]
    if callable(value) != bool(kinds):
        return "is no function" if kinds else "is a function; houle reads a value"
    wanted = get_args(kinds[0])[0] if kinds else ...
    if wanted is ...:
        return ""
    try:
        inspect.signature(getattr(value, "py_func", value)).bind(*wanted)
    except TypeError:
        return f"does not take {len(wanted)} arguments"
    return ""


Whole = NDArray[np.int64]


class GameEnds(NamedTuple):
    """How some games ended, one entry per game."""

    laid: Whole  # cards laid when the game ended
    last: Whole  # the card that nobody could follow
    stuck: Whole  # who could not follow: an index into `EndReader.who`
    seen: NDArray[np.bool_]  # games x card numbers: whether the card was laid, the first one included


@dataclass(frozen=True)
class EndReader:
    """How to read the ends of a setup's games; made by `end_reader(setup)` in the game's words.py."""

    most: int  # cards laid in a game that is won; the score of a deal in which no card can be laid
    cards: Mapping[int, str]  # names of the cards of the deck, by number
    who: tuple[str, ...]  # at whose turn a game can end; an empty name: never
    read: Callable[[Any], GameEnds]  # final states -> how the games ended
    size: int  # card numbers are below this


def end_reader_of(setup: Any) -> EndReader | str:
    """The EndReader of a setup, or a sentence why there is none."""
    if setup.game.end_reader is None:
        return f"a game of {setup.ruleset.name} does not end because a card cannot be played"
    reader: EndReader | str = setup.game.end_reader(setup)
    return reader
