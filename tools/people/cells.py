"""Question b: mean scores of first games by deck and partner, simulated and predicted.

A person is a point of the plane of levels in compiled Hanabi, the partner a bot of the plain class; both see the same
recorded deck. docs/method/people.md says what was asked.
"""

from __future__ import annotations

import importlib
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.plain.random_streams import Luck, derive, game_key
from tools.people.games import PARTNER, PERSON, converter
from tools.people.move_chances import chances_at

SLIPS, THOUGHTS = (20, 35, 50, 70, 100), (0, 1, 4)
POINTS = tuple(f"level[slips={slips},thought={thought}]" for slips in SLIPS for thought in THOUGHTS)
GAMES, SEED = 40, 1  # per cell and point

Cell = tuple[str, str]  # the deck, by its number, and the partner
Numbers = NDArray[np.float64]
Result = tuple[int, bool, int]  # points, whether the third life was lost, moves


@dataclass(frozen=True)
class Played:
    """Games of one cell: their points, whether the third life was lost, and their lengths in moves."""

    points: float
    struck_out: float
    moves: float

    @classmethod
    def of(cls, games: Sequence[Result]) -> Played:
        return cls(*(float(np.mean([game[i] for game in games])) for i in range(3)))


def first_games(games: Sequence[dict[str, Any]]) -> dict[Cell, list[dict[str, Any]]]:
    """The first games of all people by cell."""
    people, cells = converter(), defaultdict(list)
    for game in games:
        if game["nth"] == 1 and not people.has_changed_places(game):
            cells[str(game["deck_seed"]), game["partner"]].append(game)
    return dict(sorted(cells.items()))


def played_by_people(cells: dict[Cell, list[dict[str, Any]]]) -> dict[Cell, dict[str, Result]]:
    """The result of every person in every cell."""
    people, found = converter(), dict[Cell, dict[str, Result]]()
    for cell, games in cells.items():
        found[cell] = {}
        for game in games:
            *_, (match, _) = people.replay(game)
            found[cell][game["person"]] = (game["score"], match.lives == 0, len(game["moves"]))
    return found


def means_of(
    people: dict[Cell, dict[str, Result]], removed: frozenset[str] | set[str] = frozenset()
) -> dict[Cell, Played]:
    """The means of the cells, without some people; cells in which nobody is left are left out."""
    kept = {cell: [own[who] for who in own if who not in removed] for cell, own in people.items()}
    return {cell: Played.of(results) for cell, results in kept.items() if results}


def simulated(cells: dict[Cell, list[dict[str, Any]]], point: str) -> dict[Cell, Played]:
    """What a point of the plane plays in every cell. All games go on turn by turn, so that people decide together."""
    running = []
    for cell, games in cells.items():
        deck = read_record(converter().record_of(games[0])).deck
        assert deck is not None
        running += [Table(cell, deck.start(), converter().deal(games[0]), number) for number in range(GAMES)]
    turn = 0
    while any(table.match.to_move() >= 0 for table in running):
        turn += 1
        waiting = [table for table in running if table.match.to_move() == PERSON]
        matches = [table.match for table in waiting]
        chances = chances_at(matches, point, repeats=1, floor=0.0, seed=turn, threads=1)
        for table, here in zip(waiting, chances, strict=True):
            table.play(here.match.name(int(here.actions[int(np.argmax(here.chances))])))
        for table in running:
            if table.match.to_move() == PARTNER:
                table.play(table.answer())
    results: dict[Cell, list[Result]] = defaultdict(list)
    for table in running:
        results[table.cell].append((table.match.result()["scores"][0], table.plain.lives == 0, table.moves))
    return {cell: Played.of(games) for cell, games in results.items()}


class Table:
    """A game of a person and a partner: the same position in the compiled game and in the plain class."""

    def __init__(self, cell: Cell, match: Match, plain: Any, number: int) -> None:
        self.cell, self.match, self.plain, self.moves = cell, match, plain, 0
        self.bots = importlib.import_module("bots")
        self.luck = Luck(derive(game_key(SEED, number), 3))

    def answer(self) -> str:
        """The move of the partner."""
        bot = self.bots.BOTS[f"partner-{self.cell[1]}"]
        move: str = self.bots.decide(bot, self.bots.Seen.of(self.plain), self.luck)
        return move

    def play(self, move: str) -> None:
        action = self.match.moves()[self.match.names().index(move)]
        self.moves += 1
        self.match.apply(action)
        self.plain.apply(move)


def simulate_all(
    cells: dict[Cell, list[dict[str, Any]]], jobs: int, kept: Path | None, shown: Callable[[int], None]
) -> dict[str, dict[Cell, Played]]:
    """What every point of the grid plays in every cell. `kept` is a JSON file of what was played before."""
    found: dict[str, dict[str, list[float]]] = json.loads(kept.read_text()) if kept and kept.exists() else {}
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(simulated, cells, point): point for point in POINTS if point not in found}
        for done, one in enumerate(as_completed(running), 1):
            found[running[one]] = {" ".join(cell): list(astuple(here)) for cell, here in one.result().items()}
            if kept:
                kept.write_text(json.dumps(found, indent=1))
            shown(done)
    return {point: {cell: Played(*found[point][" ".join(cell)]) for cell in cells} for point in POINTS}


@dataclass(frozen=True)
class CellsAnswer:
    """Predictions for the cells, and those of the partner's mean."""

    cells: tuple[Cell, ...]
    people: Numbers
    predicted: Numbers
    simple: Numbers
    points: dict[str, str]  # by deck, the point fitted to the others

    @property
    def passed(self) -> bool:
        (correlation, error), (least, most) = self.fit(self.predicted), self.fit(self.simple)
        return correlation > least and error < most

    def fit(self, values: Numbers) -> tuple[float, float]:
        """Correlation with people's means, and the mean absolute error in points."""
        return float(np.corrcoef(values, self.people)[0, 1]), float(np.abs(values - self.people).mean())

    def lines(self) -> list[str]:
        rows = [f"b. mean points of first games in {len(self.cells)} cells of deck and partner"]
        for name, values in (
            ("predicted by houle", self.predicted),
            ("partner's mean on the other decks", self.simple),
        ):
            correlation, error = self.fit(values)
            rows.append(f"   {name:<34} correlation {correlation:+.2f}, mean error {error:.2f} points")
        return [*rows, f"   fitted points: {', '.join(dict.fromkeys(self.points.values()))}"]


def answer(people: dict[Cell, Played], played: dict[str, dict[Cell, Played]]) -> CellsAnswer:
    """Question b: each deck predicted from the others."""
    cells = tuple(people)
    decks, means = [cell[0] for cell in cells], np.array([people[cell].points for cell in cells])
    table = {point: np.array([found[cell].points for cell in cells]) for point, found in played.items()}
    predicted, simple, points = np.zeros(len(cells)), np.zeros(len(cells)), {}
    for deck in dict.fromkeys(decks):
        others = np.array([one != deck for one in decks])
        points[deck] = min(table, key=lambda point: float(((table[point] - means)[others] ** 2).sum()))
        own = table[points[deck]]
        for at, cell in enumerate(cells):
            if cell[0] == deck:
                alike = others & np.array([one[1] == cell[1] for one in cells])
                simple[at] = means[alike].mean()
                predicted[at] = simple[at] + own[at] - own[alike].mean()
    return CellsAnswer(cells=cells, people=means, predicted=predicted, simple=simple, points=points)


def beside(people: dict[Cell, Played], played: dict[str, dict[Cell, Played]], points: Sequence[str]) -> list[str]:
    """Points, strike-outs and lengths by partner, of people and of points of the plane: without a verdict."""
    lines = []
    for partner in dict.fromkeys(cell[1] for cell in people):
        for who, found in (("people", people), *((point, played[point]) for point in dict.fromkeys(points))):
            own = [found[cell] for cell in people if cell[1] == partner]
            mean = [float(np.mean([getattr(one, name) for one in own])) for name in ("points", "struck_out", "moves")]
            lines.append(
                f"     {partner}, {who}: {mean[0]:.1f} points, {100 * mean[1]:.0f}% strike out, {mean[2]:.0f} moves"
            )
    return lines
