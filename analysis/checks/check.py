"""`houle check`: check that a game is correct and fair.

Besides the invariants of the solver: the plain version in the game's folder gives the same games, worlds and random
moves are uniform, and results are the same without the compiler. An error ends only its own check, so one run shows
everything that is wrong. The checks run in plain Python first, on the smallest and largest setups; the compiled game is
checked only if they pass, in a process of its own, whose crash or endless loop is a verdict: compiled code may write
outside an array and end the process. It prints a line of JSON before and after every check.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from typing import Any

from houle.analysis.checks.against_plain import PLAIN, plain_version, plays_as_its_plain_version
from houle.analysis.checks.compiler_agrees import (
    same_in_every_run,
    same_without_the_compiler,
    stays_within_its_arrays,
)
from houle.analysis.checks.worlds import worlds_are_uniform
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.invariants import CLASS_INVARIANTS, INVARIANTS, InvariantBroken
from houle.solver.invariants.errors import FAILED, LEFT_OUT, PASSED, Check, begin, demand, words_of_error
from houle.solver.invariants.knowledge import fair_play
from houle.solver.invariants.redealt import has_thumb
from houle.solver.matches.match import Match
from houle.solver.os_calls import patience
from houle.solver.rules import Setup, home, load, make_setup
from houle.solver.trusted_code import python_module

UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}

Started = Callable[[str], None]
Invariant = Callable[[Setup, int, int], int]  # setup, games, seed -> number of things checked

ALL_OPEN = "all cards are open"
END = "games end"
EVERY_RUN = "same results in every run"
NO_THUMB = "the game has no weights for rules of thumb"
SAME_AS_PLAIN = "same games as the plain version"
NOT_OF_A_CLASS = (SAME_AS_PLAIN, "earlier states come from what is known", "positions read back")
NOT_ABOUT_KNOWLEDGE = (
    END,
    "legal moves until the end",
    "same seed, same game",
    "cards are conserved",
    "random moves are uniform",
)
MODULE = "houle.analysis.checks.check"  # run as a program
ANEW, SEPARATE = "hidden cards are imagined anew", "imagined worlds are separate games"
COMPILED, UNIFORM = "same results without the compiler", "imagined worlds are uniform"
DEPTHS = 4  # plies at which random moves are drawn
DRAWS = 200  # random moves per legal move
UNLIKELY = 5.5  # standard errors that count as a failure: 1 in 25 million by chance


def setups_of(game: str, players: Sequence[int] = ()) -> list[Setup]:
    """The printed rules for every number of players, and every variant with its usual number."""
    ruleset = load(game)
    setups = [make_setup(game, number) for number in players or ruleset.players]
    if not players:
        setups += [make_setup(game, None, (variant,)) for variant in ruleset.variants]
    return setups


def check_game(
    game: str,
    players: Sequence[int] = (),
    games: int = 4,
    seed: int = 1,
    bounds: bool = False,
    started: Started | None = None,
) -> list[Check]:
    """Run every check; `started` is called with the name of each before it starts.

    Every setup is made first, so that bad rules are an InputError here.
    """
    with nullcontext() if JIT else patience(str(home(game).folder.resolve())):
        for setup in setups_of(game, players):
            _ = setup.rules
        if not JIT:
            return list(run_checks(game, players, games=games, seed=seed, bounds=bounds, few=False, started=started))
    asked = {"game": game, "players": list(players), "seed": seed}
    plain = checks_apart(MODULE, {**asked, "games": 1, "bounds": False, "few": True}, UNCOMPILED, started)
    if any(check.verdict == FAILED for check in plain):
        return [*plain, Check(COMPILED, LEFT_OUT, 0, "the game is compiled once it passes in plain Python")]
    passed = {check.name: check for check in plain if check.verdict == PASSED}
    checks = checks_apart(MODULE, {**asked, "games": games, "bounds": bounds, "few": False}, {}, started)
    return [passed.get(check.name, check) if check.verdict == LEFT_OUT else check for check in checks]


def run_checks(
    game: str, players: Sequence[int], games: int, seed: int, bounds: bool, few: bool, started: Started | None = None
) -> Iterator[Check]:
    """Every check in this process; with `few` only the first and the last setup.

    The test of many worlds then runs only if another check fails: it may say better what is wrong.
    """
    setups = setups_of(game, players)
    setups = [setups[0], setups[-1]] if few and len(setups) > 1 else setups
    failed, crashes = False, dict[str, str]()
    is_class = setups[0].game.class_view is not None
    # Some numbers of players get as many games as all of them would.
    ruleset = setups[0].ruleset
    each = -(-games * (len(ruleset.players) + len(ruleset.variants)) // len(setups)) if is_class else games
    checks = _checks(setups, bounds)
    for name, invariant in _of_a_class(setups[0], checks) if is_class else checks:
        if name == UNIFORM and few and not failed:
            continue
        if started:
            started(name)
        check = _checked(name, invariant, setups, games if name == UNIFORM else each, seed=seed)
        if check.crash and crashes.setdefault(check.crash, name) != name:
            check = Check(name, LEFT_OUT, 0, "stopped by the same error")
        if name == UNIFORM and check.verdict == PASSED and (untested := forgotten(setups)):
            check = replace(check, words=untested)
        failed |= check.verdict == FAILED
        yield check
        if check.verdict == FAILED and name == END and re.search(r"does not end|no end after", check.words):
            return  # the other checks would play such games too, for minutes each


def _checks(setups: Sequence[Setup], bounds: bool) -> Iterator[tuple[str, Invariant | str]]:
    """Names of checks, each with its function or with the reason why it is left out."""
    first = setups[0]
    plain = plain_version(first)
    if plain is None:
        yield SAME_AS_PLAIN, f"there is no {PLAIN} in the game's folder"
    else:
        version = plain
        yield (
            SAME_AS_PLAIN,
            lambda setup, games, seed: plays_as_its_plain_version(setup, version, games, seed),
        )
    for name, invariant in INVARIANTS.items():
        yield name, invariant if invariant is not fair_play or has_thumb(first) else NO_THUMB
    exact = [setup for setup in setups if not setup.worlds_forget]
    of_all = _only(first, lambda _, games, seed: worlds_are_uniform(exact, games, seed))
    yield UNIFORM, ALL_OPEN if first.ruleset.all_open else of_all if exact else forgotten(setups)
    yield "random moves are uniform", random_moves_are_uniform
    if not JIT:
        return
    yield COMPILED, _only(first, same_without_the_compiler)
    within = "takes a minute, because it compiles the game again; add --bounds to run it"
    yield "no access outside an array", _only(first, stays_within_its_arrays) if bounds else within


def _of_a_class(setup: Setup, checks: Iterator[tuple[str, Invariant | str]]) -> Iterator[tuple[str, Invariant | str]]:
    """The checks that apply to a class. Without view and imagine nothing says what a seat knows."""
    assert setup.game.class_view is not None
    lacks = [method for method in ("view", "imagine") if not hasattr(setup.game.class_view.made, method)]
    unknown = f"the class has no {' or '.join(lacks)}: all cards are open to players"
    for name, invariant in checks:
        if name in NOT_OF_A_CLASS:
            continue
        if name == ANEW and "imagine" not in lacks:
            yield SEPARATE, CLASS_INVARIANTS[SEPARATE]
        hides = name not in NOT_ABOUT_KNOWLEDGE and not setup.ruleset.all_open
        of_class = invariant if isinstance(invariant, str) else CLASS_INVARIANTS.get(name, invariant)
        yield name, unknown if lacks and hides else of_class
    yield EVERY_RUN, _only(setup, same_in_every_run)


def forgotten(setups: Sequence[Setup]) -> str:
    """Which setups have worlds that are not uniform, as the game says itself; empty if none has."""
    found = [f"{setup.summary} ({setup.worlds_forget})" for setup in setups if setup.worlds_forget]
    return f"not tested, because the game says that worlds are approximate: {', '.join(found)}" if found else ""


def _only(first: Setup, invariant: Invariant) -> Invariant:
    """An invariant that runs once, at the first setup."""

    def check(setup: Setup, games: int, seed: int) -> int:
        return invariant(setup, games, seed) if setup is first else 0

    return check


def _checked(name: str, invariant: Invariant | str, setups: Sequence[Setup], games: int, seed: int) -> Check:
    if isinstance(invariant, str):
        return Check(name, LEFT_OUT, 0, invariant)
    number = 0
    for setup in setups:
        try:
            number += invariant(setup, games, seed)
        except InvariantBroken as fault:
            return Check(name, FAILED, number, str(fault))
        except InputError as fault:
            return Check(name, FAILED, number=number, words=str(fault), crash=str(fault).split(" (")[0])
        except Exception as fault:  # a game may fail in any way
            return Check(name, FAILED, number, words_of_error(fault, home(setup.ruleset.name).folder))
    if number == 0:
        nothing = ALL_OPEN if setups[0].ruleset.all_open else "the game has nothing to check here"
        return Check(name, LEFT_OUT, 0, nothing)
    return Check(name, PASSED, number, "")


def matches_under_way(setup: Setup, games: int, seed: int) -> Iterator[Match]:
    """The first games of a seed after 0, 3, 6 or 9 random moves, if they are not over by then."""
    for number in range(games):
        match = Match(setup, seed, number)
        for _ in range(3 * (number % DEPTHS)):
            if match.to_move() >= 0:
                match.apply(match.random_move())
        if match.to_move() >= 0:
            yield match


def random_moves_are_uniform(setup: Setup, games: int, seed: int) -> int:
    """Check that random play makes all moves of a decision equally often."""
    checked = 0
    for match in matches_under_way(setup, games, seed):
        moves = match.moves()
        if len(moves) < 2:
            continue
        draws = DRAWS * len(moves)
        begin(match)
        seen = Counter(match.random_move() for _ in range(draws))
        most = UNLIKELY * (draws * (1 - 1 / len(moves)) / len(moves)) ** 0.5
        for move in moves:
            off, name = abs(seen[move] - DRAWS), match.name(move)
            demand(off <= most, match, f"{name!r} is {seen[move]} of {draws} random moves, expected about {DRAWS}")
        checked += 1
    return checked


def main(asked: Mapping[str, Any]) -> None:
    """The checks in this process, as `checks_apart` reads them."""
    warnings.simplefilter("ignore")  # plain Python warns where whole numbers wrap around
    out = sys.stdout

    def tell(what: Any) -> None:
        print(json.dumps(what), file=out, flush=True)

    # What the game prints is for people.
    with redirect_stdout(sys.stderr), nullcontext() if JIT else patience(str(home(asked["game"]).folder.resolve())):
        for check in run_checks(**asked, started=tell):
            tell(vars(check))


def checks_apart(
    module: str,
    asked: Mapping[str, Any],
    settings: Mapping[str, str],
    started: Started | None = None,
) -> list[Check]:
    """The checks of a game in a new process with other settings of the compiler; its death fails the current check."""
    command = python_module(module, json.dumps(asked))
    env = {**os.environ, **settings}
    checks: list[Check] = []
    now = "the game can be loaded"
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            told = json.loads(line)
            if isinstance(told, str):
                now = told
                if started:
                    started(now)
            else:
                checks.append(Check(**told))
        process.wait()
        errors.seek(0)
        words = errors.read()
    if process.returncode:
        checks.append(Check(now, FAILED, 0, _death(process.returncode, words.strip().splitlines())))
    else:
        sys.stderr.write(words)  # what the game prints
    return checks


def fault_without_compiler(game: str) -> str:
    """What the checks find first when a game is played without the compiler, with the line of its file."""
    asked = {"game": game, "players": [], "games": 1, "seed": 1, "bounds": False, "few": True}
    checks = checks_apart(MODULE, asked, UNCOMPILED)
    return next((check.words for check in checks if check.verdict == FAILED), "")


def _death(code: int, words: list[str]) -> str:
    if code >= 0:
        return words[-1] if words else f"the process ended with {code}"
    name = signal.Signals(-code).name
    why = "the compiled game reads or writes outside an array" if name in ("SIGSEGV", "SIGBUS", "SIGABRT") else ""
    return f"the process died of {name}" + (f": {why}; add --bounds to see where" if why else "")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
