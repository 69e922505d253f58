"""Steps a game's kernels beside its version in plain Python: same luck, same moves, all compared at every ply."""

from __future__ import annotations

from typing import Any

from houle.analysis.plain.luck import CHANCE, DEAL, Chance, Luck, derive, game_key
from houle.analysis.plain.plain_class import PlainClass, load_class
from houle.solver.laws.broken import demand, difference
from houle.solver.position import Table
from houle.solver.ruleset import RulesetError, Setup
from houle.solver.ruleset.homes import home

PLAIN = "plain.py"


def plain_version(setup: Setup) -> PlainClass | None:
    """The plain version that lies in a game's folder; None where there is none."""
    file = home(setup.ruleset.name).folder / PLAIN
    return load_class(str(file)) if file.is_file() else None


def open_beside(game: PlainClass, table: Table) -> Any:
    """A game of the plain version with the luck of a table that has just been opened."""
    key = game_key(table.seed, table.game)
    line, chance = Luck(derive(key, DEAL)), Chance(derive(key, CHANCE))
    return game.open(table.setup.players, dict(table.setup.options), line, chance)


def plays_as_its_plain_version(setup: Setup, game: PlainClass, games: int, seed: int) -> int:
    """Plays random games on both sides; raises at the first difference, returns the number of plies."""
    plies = 0
    for number in range(games):
        table = Table(setup, seed, number)
        plain = open_beside(game, table)
        while True:
            compare(table, plain, game)
            if table.to_move() < 0:
                break
            action = table.random_move()
            name = table.name(action)
            demand(action in table.moves(), table, f"the random move {name!r} is not legal")
            # Of equal cards, which share a name, the plain version takes the lowest.
            table.apply(min(move for move in table.moves() if table.name(move) == name))
            game.guarded(lambda plain=plain, name=name: plain.apply(name), where(table, name))  # type: ignore[misc]
            plies += 1
        compare_results(table, game.guarded(plain.result, where(table)))
    return plies


def where(table: Table, move: str = "") -> str:
    return f"seed {table.seed}, game {table.game}, ply {table.ply}" + (f": {move}" if move else "")


def compare(table: Table, plain: Any, game: PlainClass) -> None:
    """Who is to move, the whole state and the legal moves."""
    here, there = table.to_move(), game.guarded(plain.to_move, where(table))
    demand(here == there, table, f"seat {here} is to move, in {PLAIN} seat {there}")
    if hasattr(plain, "snapshot"):
        found = difference(table.snapshot(), game.guarded(plain.snapshot, where(table)))
        demand(not found, table, f"compiled and in {PLAIN} {found}")
    moves, others = (
        sorted(table.names()),
        sorted(map(str, game.guarded(plain.legal, where(table)))) if here >= 0 else [],
    )
    demand(moves == others, table, f"legal are {moves}, in {PLAIN} {others}")


def compare_results(table: Table, plain: Any) -> None:
    """Scores, shares of the win, and what is counted."""
    if not isinstance(plain, dict):
        raise RulesetError(f"{PLAIN}: result() must return a dict, not {plain!r}")
    found = table.result()
    scores = plain.get("round_scores", [plain.get("scores")])[-1]
    demand(found["scores"] == scores, table, f"scores are {found['scores']}, in {PLAIN} {scores}")
    if "shares" in plain:
        shares = plain["shares"]
        demand(found["shares"] == shares, table, f"shares of 840 are {found['shares']}, in {PLAIN} {shares}")
    told = {name: plain[name] for name in ("moves", "turns", "rounds") if name in plain} | plain.get("counts", {})
    untold = [name for name in found["counts"] if name not in told] if "counts" in plain else []
    demand(not untold, table, f"{', '.join(untold)}: counted, and not in {PLAIN}")
    for name, number in told.items():
        here = found["counts"].get(name)
        demand(here == number, table, f"{name} are {here}, in {PLAIN} {number}")
