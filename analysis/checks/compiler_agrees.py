"""Results of a game as text, to compare runs: with and without the compiler, with indices checked, in a new process.

Run as a module in its own process, it prints them: GAME PLAYERS GAMES SEED.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

from houle.solver.invariants.classes import variables_of
from houle.solver.invariants.errors import InvariantBroken
from houle.solver.invariants.redealt import has_thumb, players_of
from houle.solver.matches.match import Match
from houle.solver.plain.whole_games import play_whole_games
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, digest, make_setup
from houle.solver.rules.game_folders import find_game, name_plain
from houle.solver.run.playout import play_chunk
from houle.solver.trusted_code import python_module

SEARCH = "flat:2"
SECONDS = 600
OTHERS = 200  # games that are played before those that are compared
VARIABLE = "variable "  # begins the name of one in results
NOT_REPEATED = "it depends on hash(), the order of a set, the clock, or earlier games; sort sets, and keep all in self"


def comes_to(game: str, players: int, games: int, seed: int) -> dict[str, str]:
    """Digests of games of random players and thumbs, and the first decision of a search."""
    setup = make_setup(game, players)
    results = {"random play": digest(play_chunk(seat_strategies(setup, ("random",)), seed, 0, games).as_data())}
    if has_thumb(setup):
        results["thumb"] = digest(play_chunk(seat_strategies(setup, ("thumb",)), seed, 0, 1).as_data())
        match = Match(setup, seed, 0)
        if match.to_move() >= 0:
            results[f"a decision of {SEARCH}"] = match.name(match.decide(seat_strategies(setup, [SEARCH]), seed))
    return results


def comes_to_of_a_class(game: str, players: int, games: int, seed: int) -> dict[str, str]:
    """The same of a class; in a new process its variables, and then a first game, are as they are before any other."""
    table: Any = find_game(game).class_view
    results = {f"{VARIABLE}{place}": repr(value) for place, value in variables_of(table.made).items()}
    moves, played = table.first_game(players, table.plain.options_for(players))
    results["random play"] = digest([*map(str, moves), str(played.result())])
    setup = make_setup(game, players)
    tallies = {name: play_chunk(player.line_up, seed, 0, games) for name, player in players_of(setup).items()}
    return results | {name: digest(tally.as_data()) for name, tally in tallies.items()}


def same_in_every_run(setup: Setup, games: int, seed: int) -> int:
    """Check that a class gives the same results after other games as in a new process with another order of sets."""
    line_ups = [seat_strategies(setup, ("random",)), *(player.line_up for player in players_of(setup).values())]
    for line_up in line_ups:
        play_whole_games(line_up, seed, games, OTHERS // len(line_ups))
    here = comes_to_of_a_class(setup.ruleset.name, setup.players, games, seed)
    there = elsewhere(setup, games, seed, {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"})
    differ = [name for name, value in here.items() if there.get(name) != value]
    if results := [name for name in differ if not name.startswith(VARIABLE)]:
        kept = dict.fromkeys(name.removeprefix(VARIABLE).split("[")[0] for name in differ if name not in results)
        why = f"earlier games changed {', '.join(kept)}; keep it in self" if kept else NOT_REPEATED
        raise InvariantBroken(f"{setup.summary}, seed {seed}: {results[0]} goes otherwise in a new process: {why}")
    return len(here) - len(differ)


def elsewhere(setup: Setup, games: int, seed: int, settings: Mapping[str, str]) -> dict[str, str]:
    """The same, of a process of its own with other settings of the compiler; InvariantBroken where that fails."""
    words = (setup.ruleset.name, str(setup.players), str(games), str(seed))
    run = subprocess.run(
        python_module("houle.analysis.checks.compiler_agrees", *words),
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if run.returncode:
        lines = run.stderr.strip().splitlines() or ["no reason given"]
        places = [line.strip() for line in lines if line.strip().startswith("File ")]
        how = " ".join(f"{name}={value}" for name, value in settings.items() if name != "HOULE_CACHE_DIR")
        raise InvariantBroken(f"{setup.ruleset.name} with {how}: {lines[-1]}" + (f" ({places[-1]})" if places else ""))
    results: dict[str, str] = json.loads(run.stdout.splitlines()[-1])
    return results


def same_without_the_compiler(setup: Setup, games: int, seed: int) -> int:
    """Check that plain Python gives the same results: a difference is arithmetic that numba does differently."""
    here = comes_to(setup.ruleset.name, setup.players, games, seed)
    there = elsewhere(setup, games, seed, {"NUMBA_DISABLE_JIT": "1"})
    for name, value in here.items():
        if there.get(name) != value:
            raise InvariantBroken(
                f"{setup.ruleset.name} p{setup.players}, seed {seed}: {name} is {value} compiled, and "
                f"{there.get(name)} with NUMBA_DISABLE_JIT=1"
            )
    return len(here)


def stays_within_its_arrays(setup: Setup, games: int, seed: int) -> int:
    """Check that no kernel reads or writes outside an array: compiled again with index checks, in about a minute."""
    with tempfile.TemporaryDirectory() as folder:
        return len(elsewhere(setup, games, seed, {"NUMBA_BOUNDSCHECK": "1", "HOULE_CACHE_DIR": folder}))


if __name__ == "__main__":
    name, players, games, seed = sys.argv[1:]
    with redirect_stdout(sys.stderr):  # what the game prints
        of = comes_to_of_a_class if name_plain(name) else comes_to
        results = of(name, int(players), int(games), int(seed))
    print(json.dumps(results))
