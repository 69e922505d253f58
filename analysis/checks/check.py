"""`houle check`: check that a game is correct and fair.

Besides the invariants of the solver: the plain version in the game's folder gives the same games, worlds and random
moves are uniform, and results are the same without the compiler. An error ends only its own check, so one run shows
everything that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from houle.analysis.checks.beside import PLAIN, plain_version, plays_as_its_plain_version
from houle.analysis.checks.compiled import has_thumb, same_without_the_compiler, stays_within_its_arrays
from houle.analysis.checks.worlds import UNLIKELY, has_uniform_worlds, matches_under_way, worlds_are_uniform
from houle.solver.errors import InputError
from houle.solver.invariants import INVARIANTS, InvariantBroken
from houle.solver.invariants.broken import demand
from houle.solver.invariants.knowledge import fair_play
from houle.solver.rules import Setup, load, make_setup

Started = Callable[[str], None]
Invariant = Callable[[Setup, int, int], int]  # setup, games, seed -> number of things checked

PASSED, FAILED, LEFT_OUT = "passed", "FAILED", "left out"
NO_DECLARATION = "the game does not declare who sees which cards; its own tests must check its worlds"
ALL_OPEN = "all cards are open"
NO_THUMB = "the game has no weights for rules of thumb"
DRAWS = 200  # random moves per legal move


@dataclass(frozen=True)
class Check:
    """The result of one check on all setups."""

    name: str
    verdict: str
    number: int  # of things checked
    words: str  # what failed and where, or why it was left out


def setups_of(game: str, players: Sequence[int] = ()) -> list[Setup]:
    """The printed rules for every number of players, and every variant with its usual number."""
    ruleset = load(game)
    setups = [make_setup(game, number) for number in players or ruleset.players]
    if not players:
        setups += [make_setup(game, None, (variant,)) for variant in ruleset.variants]
    return setups


def check_game(game: str, players: Sequence[int] = (), games: int = 4, seed: int = 1, bounds: bool = False,
               started: Started | None = None) -> list[Check]:  # fmt: skip
    """Run every check; `started` is called with the name of each before it starts."""
    setups = setups_of(game, players)
    checks = []
    for name, invariant in _checks(setups[0], bounds):
        if started:
            started(name)
        checks.append(_checked(name, invariant, setups, games, seed))
    return checks


def _checks(first: Setup, bounds: bool) -> Iterator[tuple[str, Invariant | str]]:
    """Names of checks, each with its function or with the reason why it is left out."""
    plain = plain_version(first)
    if plain is None:
        yield "same games as the plain version", f"there is no {PLAIN} in the game's folder"
    else:
        version = plain
        yield (
            "same games as the plain version",
            lambda setup, games, seed: plays_as_its_plain_version(setup, version, games, seed),
        )
    for name, invariant in INVARIANTS.items():
        yield name, invariant if invariant is not fair_play or has_thumb(first) else NO_THUMB
    why_not = ALL_OPEN if first.ruleset.all_open else NO_DECLARATION
    yield "imagined worlds are uniform", worlds_are_uniform if has_uniform_worlds(first) else why_not
    yield "random moves are uniform", random_moves_are_uniform
    yield "same results without the compiler", _only(first, same_without_the_compiler)
    within = "takes a minute, because it compiles the game again; add --bounds to run it"
    yield "no access outside an array", _only(first, stays_within_its_arrays) if bounds else within


def _only(first: Setup, invariant: Invariant) -> Invariant:
    """An invariant for the first setup only, because it needs a process of its own."""

    def check(setup: Setup, games: int, seed: int) -> int:
        return invariant(setup, games, seed) if setup.players == first.players and not setup.variants else 0

    return check


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
            where = f"{setup.ruleset.name} p{setup.players} {'+'.join(setup.variants)}".strip()
            return Check(name, FAILED, number, f"{where}, seed {seed}: {type(fault).__name__}: {fault}")
    if number == 0:
        return Check(name, LEFT_OUT, 0, "the game has nothing to check here")
    return Check(name, PASSED, number, "")


def random_moves_are_uniform(setup: Setup, games: int, seed: int) -> int:
    """Check that random play makes all moves of a decision equally often."""
    checked = 0
    for match in matches_under_way(setup, games, seed):
        moves = match.moves()
        if len(moves) < 2:
            continue
        draws = DRAWS * len(moves)
        seen = Counter(match.random_move() for _ in range(draws))
        most = UNLIKELY * (draws * (1 - 1 / len(moves)) / len(moves)) ** 0.5
        for move in moves:
            off, name = abs(seen[move] - DRAWS), match.name(move)
            demand(off <= most, match, f"{name!r} is {seen[move]} of {draws} random moves, expected about {DRAWS}")
        checked += 1
    return checked
