"""Steps a game's kernels beside its version in plain Python: same luck, same moves, all compared at every ply."""

from __future__ import annotations

from typing import Any

from houle.analysis.plain.luck import CHANCE, DEAL, Chance, Luck, derive, game_key
from houle.analysis.plain.plain_class import PlainClass, load_class
from houle.solver.errors import InputError
from houle.solver.invariants.broken import demand, difference
from houle.solver.match import Match
from houle.solver.ruleset import Setup
from houle.solver.ruleset.homes import home

PLAIN = "plain.py"


def plain_version(setup: Setup) -> PlainClass | None:
    """The plain version that lies in a game's folder; None where there is none."""
    file = home(setup.ruleset.name).folder / PLAIN
    return load_class(str(file)) if file.is_file() else None


def open_beside(game: PlainClass, match: Match) -> Any:
    """A game of the plain version with the luck of a table that has just been opened."""
    key = game_key(match.seed, match.game)
    line, chance = Luck(derive(key, DEAL)), Chance(derive(key, CHANCE))
    return game.open(match.setup.players, dict(match.setup.options), line, chance)


def plays_as_its_plain_version(setup: Setup, game: PlainClass, games: int, seed: int) -> int:
    """Plays random games on both sides; raises at the first difference, returns the number of plies."""
    plies = 0
    for number in range(games):
        match = Match(setup, seed, number)
        plain = open_beside(game, match)
        while True:
            compare(match, plain, game)
            if match.to_move() < 0:
                break
            action = match.random_move()
            name = match.name(action)
            demand(action in match.moves(), match, f"the random move {name!r} is not legal")
            # Of equal cards, which share a name, the plain version takes the lowest.
            match.apply(min(move for move in match.moves() if match.name(move) == name))
            game.guarded(lambda plain=plain, name=name: plain.apply(name), where(match, name))  # type: ignore[misc]
            plies += 1
        compare_results(match, game.guarded(plain.result, where(match)))
    return plies


def where(match: Match, move: str = "") -> str:
    return f"seed {match.seed}, game {match.game}, ply {match.ply}" + (f": {move}" if move else "")


def compare(match: Match, plain: Any, game: PlainClass) -> None:
    """Who is to move, the whole state and the legal moves."""
    here, there = match.to_move(), game.guarded(plain.to_move, where(match))
    demand(here == there, match, f"seat {here} is to move, in {PLAIN} seat {there}")
    if hasattr(plain, "snapshot"):
        found = difference(match.snapshot(), game.guarded(plain.snapshot, where(match)))
        demand(not found, match, f"compiled and in {PLAIN} {found}")
    moves, others = (
        sorted(match.names()),
        sorted(map(str, game.guarded(plain.legal, where(match)))) if here >= 0 else [],
    )
    demand(moves == others, match, f"legal are {moves}, in {PLAIN} {others}")


def compare_results(match: Match, plain: Any) -> None:
    """Scores, shares of the win, and what is counted."""
    if not isinstance(plain, dict):
        raise InputError(f"{PLAIN}: result() must return a dict, not {plain!r}")
    found = match.result()
    scores = plain.get("round_scores", [plain.get("scores")])[-1]
    demand(found["scores"] == scores, match, f"scores are {found['scores']}, in {PLAIN} {scores}")
    if "shares" in plain:
        shares = plain["shares"]
        demand(found["shares"] == shares, match, f"shares of 840 are {found['shares']}, in {PLAIN} {shares}")
    told = {name: plain[name] for name in ("moves", "turns", "rounds") if name in plain} | plain.get("counts", {})
    untold = [name for name in found["counts"] if name not in told] if "counts" in plain else []
    demand(not untold, match, f"{', '.join(untold)}: counted, and not in {PLAIN}")
    for name, number in told.items():
        here = found["counts"].get(name)
        demand(here == number, match, f"{name} are {here}, in {PLAIN} {number}")
