"""Holds a game against everything that every game must obey, table by table, and says what it found.

Beside the laws of the solver: the plain version in the game's folder, worlds and random moves that are uniform, the
same results without the compiler. A fault ends its own check only, so that one run tells all there is to mend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from houle.analysis.checks.beside import PLAIN, plain_version, plays_as_its_plain_version
from houle.analysis.checks.compiled import has_thumb, same_without_the_compiler, stays_within_its_arrays
from houle.analysis.checks.worlds import has_uniform_worlds, worlds_are_uniform
from houle.solver.errors import InputError
from houle.solver.invariants import INVARIANTS, InvariantBroken
from houle.solver.invariants.broken import demand
from houle.solver.invariants.knowledge import fair_play
from houle.solver.match import Match
from houle.solver.ruleset import Setup, load, make_setup

Told = Callable[[str], None]
Invariant = Callable[[Setup, int, int], int]  # table, games, seed -> how many things were looked at

PASSED, FAILED, LEFT_OUT = "passed", "FAILED", "left out"
NO_DECLARATION = (
    "the game deals its worlds itself, not by a declaration of who sees which cards: a test of its own shows it"
)
ALL_OPEN = "all cards lie open"
NO_THUMB = "no weights are found for rules of thumb, so that no thumb plays it"
DRAWS = 200  # random moves for every legal one
UNLIKELY = 5.5  # standard errors by which a move may come up too often: 1 in 25 million


@dataclass(frozen=True)
class Check:
    """One check on all tables."""

    name: str
    verdict: str
    number: int  # of things that were looked at
    words: str  # what failed and where, or why it was left out


def tables_of(game: str, players: Sequence[int] = ()) -> list[Setup]:
    """The printed rules for every number of players, and every variant at its usual table."""
    ruleset = load(game)
    found = [make_setup(game, number) for number in players or ruleset.players]
    if not players:
        found += [make_setup(game, None, (variant,)) for variant in ruleset.variants]
    return found


def check_game(game: str, players: Sequence[int] = (), games: int = 4, seed: int = 1, bounds: bool = False,
               told: Told | None = None) -> list[Check]:  # fmt: skip
    """Every check in turn; `told` hears of each before it begins."""
    tables = tables_of(game, players)
    found = []
    for name, invariant in _checks(tables[0], bounds):
        if told:
            told(name)
        found.append(_checked(name, invariant, tables, games, seed))
    return found


def _checks(first: Setup, bounds: bool) -> Iterator[tuple[str, Invariant | str]]:
    """Names, and either what to do with a table or why nothing is done."""
    plain = plain_version(first)
    if plain is None:
        yield "plays as its plain version", f"there is no {PLAIN} in the game's folder"
    else:
        version = plain
        yield (
            "plays as its plain version",
            lambda setup, games, seed: plays_as_its_plain_version(setup, version, games, seed),
        )
    for name, invariant in INVARIANTS.items():
        yield name, invariant if invariant is not fair_play or has_thumb(first) else NO_THUMB
    why_not = ALL_OPEN if first.ruleset.all_open else NO_DECLARATION
    yield "imagined worlds are uniform", worlds_are_uniform if has_uniform_worlds(first) else why_not
    yield "random moves are uniform", random_moves_are_uniform
    yield "same without the compiler", _at(first, same_without_the_compiler)
    within = "compiles the game anew; --bounds asks for it"
    yield "stays within its arrays", _at(first, stays_within_its_arrays) if bounds else within


def _at(first: Setup, invariant: Invariant) -> Invariant:
    """A law for one table alone: what it costs is a process of its own."""

    def asked(setup: Setup, games: int, seed: int) -> int:
        return invariant(setup, games, seed) if setup.players == first.players and not setup.variants else 0

    return asked


def _checked(name: str, invariant: Invariant | str, setups: Sequence[Setup], games: int, seed: int) -> Check:
    if isinstance(invariant, str):
        return Check(name, LEFT_OUT, 0, invariant)
    number = 0
    for setup in setups:
        try:
            number += invariant(setup, games, seed)
        except (InvariantBroken, InputError) as fault:
            return Check(name, FAILED, number, str(fault))
        except Exception as fault:  # a kernel may fail in any way
            table = f"{setup.ruleset.name} p{setup.players} {'+'.join(setup.variants)}".strip()
            return Check(name, FAILED, number, f"{table}, seed {seed}: {type(fault).__name__}: {fault}")
    if number == 0:
        return Check(name, LEFT_OUT, 0, "the game has nothing that it could be asked of")
    return Check(name, PASSED, number, "")


def random_moves_are_uniform(setup: Setup, games: int, seed: int) -> int:
    """At a decision with several moves each of them comes up equally often."""
    checked = 0
    for number in range(games):
        match = Match(setup, seed, number)
        for _ in range(3 * number):
            if match.to_move() >= 0:
                match.apply(match.random_move())
        moves = match.moves()
        if len(moves) < 2:
            continue
        draws = DRAWS * len(moves)
        seen = Counter(match.random_move() for _ in range(draws))
        most = UNLIKELY * (draws * (1 - 1 / len(moves)) / len(moves)) ** 0.5
        for move in moves:
            off = abs(seen[move] - DRAWS)
            demand(
                off <= most, match, f"of {draws} random moves {match.name(move)!r} is {seen[move]}, not about {DRAWS}"
            )
        checked += 1
    return checked
