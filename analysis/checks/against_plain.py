"""Compare a compiled game with its version in plain Python: same luck and moves, states compared at every move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from houle.solver.errors import RulesError
from houle.solver.invariants.errors import demand, difference, place
from houle.solver.invariants.play import scores_in_range
from houle.solver.matches.match import Match
from houle.solver.plain.plain_class import PlainClass, load_class
from houle.solver.plain.random_streams import CHANCE, DEAL, Chance, Luck, derive, game_key
from houle.solver.rules import Setup
from houle.solver.rules.game_folders import home

PLAIN = "plain.py"


def plain_version(setup: Setup) -> PlainClass | None:
    """The plain version in a game's folder; None if there is none."""
    file = home(setup.ruleset.name).folder / PLAIN
    return load_class(str(file)) if file.is_file() else None


def open_beside(game: PlainClass, match: Match) -> Any:
    """A game of the plain version with the luck of a match that has just started."""
    key = game_key(match.seed, match.game)
    line, chance = Luck(derive(key, DEAL)), Chance(derive(key, CHANCE))
    return game.open(match.setup.players, dict(match.setup.options), line, chance)


def plays_as_its_plain_version(setup: Setup, game: PlainClass, games: int, seed: int) -> int:
    """Play random games in both versions; raises at the first difference, returns the number of moves."""
    return sum(1 for _ in decisions_beside(setup, game, games, seed))


def decisions_beside(setup: Setup, game: PlainClass, games: int, seed: int) -> Iterator[tuple[Match, Any]]:
    """Every decision of random games, in both versions; raises at the first difference."""
    for number in range(games):
        match = Match(setup, seed, number)
        plain = open_beside(game, match)
        while True:
            compare(match, plain, game)
            if match.to_move() < 0:
                break
            yield match, plain
            action = match.random_move()
            name = match.name(action)
            demand(action in match.moves(), match, f"the random move {name!r} is not legal")
            # The plain version plays the lowest of equal cards, which share a name.
            match.apply(min(move for move in match.moves() if match.name(move) == name))
            game.guarded(plain.apply, name, where=place(match))
        compare_results(match, game.guarded(plain.result, where=place(match)), game.file_name)


def compare(match: Match, plain: Any, game: PlainClass) -> None:
    """Compare whose turn it is, the whole state and the legal moves."""
    name, here, there = game.file_name, match.to_move(), game.guarded(plain.to_move, where=place(match))
    demand(here == there, match, f"it is seat {here}'s turn, but seat {there}'s in {name}")
    if hasattr(plain, "snapshot"):
        differs = difference(match.snapshot(), game.guarded(plain.snapshot, where=place(match)))
        demand(not differs, match, f"compiled and in {name} {differs}")
    moves = sorted(match.names())
    others = sorted(map(str, game.legal_moves(plain, place(match)))) if here >= 0 else []
    demand(moves == others, match, f"legal moves are {moves}, in {name} {others}")


def compare_results(match: Match, plain: Any, name: str = PLAIN) -> None:
    """Compare scores, shares of the win, and counts; scores must also be within the declared range."""
    if not isinstance(plain, dict):
        raise RulesError(f"{name}: result() must return a dict, not {plain!r}")
    result = match.result()
    scores_in_range(match, result["scores"])
    scores = plain.get("round_scores", [plain.get("scores")])[-1]
    demand(result["scores"] == scores, match, f"scores are {result['scores']}, in {name} {scores}")
    if "shares" in plain:
        shares = plain["shares"]
        demand(result["shares"] == shares, match, f"shares of 840 are {result['shares']}, in {name} {shares}")
    counts = {count: plain[count] for count in ("moves", "turns", "rounds") if count in plain} | plain.get("counts", {})
    missing = [count for count in result["counts"] if count not in counts] if "counts" in plain else []
    demand(not missing, match, f"{', '.join(missing)}: counted, but not in {name}")
    for count, number in counts.items():
        here = result["counts"].get(count)
        demand(here == number, match, f"{count} are {here}, in {name} {number}")
