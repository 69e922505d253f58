"""A study as text: how far it is, and tables of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from houle.cli.framework import text
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle import StudyResult
    from houle.analysis.studies.results import CellResult
    from houle.analysis.studies.status import Status

WORDS = {"inside": ", on target", "perhaps": ", perhaps on target", "outside": ", off target"}


def summary(status: Status, path: str) -> str:
    """How far a study is, in one line."""
    line = f"{status.name}: {status.ended} of {text.count_of(len(status.rows), 'cell')} done, "
    line += f"{sum(status.games.values()):,} games"
    if status.digest:
        return f"{line}; digest {status.digest}"
    if not status.running:
        return f"{line}; not running: houle study resume {path}"
    if status.rate:
        line += f", {text.speed(status.rate)}"
    return f"{line}, {text.duration(status.left)} left" if status.left is not None else f"{line}, running"


def shared_words(labels: Sequence[str]) -> tuple[str, list[str]]:
    """What all labels have in common, and the rest of each: `wave 3 players seed 1`, and `hand.back=2 thumb`."""
    words = [label.replace(" players", "_players").replace("seed ", "seed_").split() for label in labels]
    shared = [word for word in words[0] if all(word in other for other in words)] if len(words) > 1 else []
    short = [" ".join(word for word in each if word not in shared) for each in words]
    plain = [text.replace("_players", " players").replace("seed_", "seed ") for text in [" ".join(shared), *short]]
    return plain[0], [own or label for own, label in zip(plain[1:], labels, strict=True)]


def progress_table(status: Status) -> str:
    """How far each cell is."""
    rows = []
    shared, labels = shared_words([row.label for row in status.rows])
    for row, label in zip(status.rows, labels, strict=True):
        games, goal = status.games.get(row.id, 0), status.goal(row)
        part = "done" if row.ended is not None else f"{min(99, 100 * games // goal)}%" if games else ""
        about = "about " if (row.precision or row.margin) and row.ended is None else ""
        rows.append([str(row.id), label, f"{games:,}", f"{about}{goal:,}", part])
    table = text.columns(["cell", "setup", "games", "of", ""], rows, flexible=(1,), right=(0, 2, 3, 4))
    return f"all: {shared}\n{table}" if shared else table


def page(result: StudyResult) -> str:
    """One line per cell and below it one line per side, all in the same columns."""
    rows = [row for cell in result.cells for row in _sides(cell)]
    table = text.columns(["", "side", "wins", "", "score"], rows).splitlines()
    shared, labels = shared_words([cell.row.label for cell in result.cells])
    sides, lines = iter(table[1:]), [text.paragraph(line) for line in result.own_rules]
    lines += [*([f"all: {shared}"] if shared else []), *([table[0]] if rows else [])]
    for cell, label in zip(result.cells, labels, strict=True):
        games = cell.simulation.games if cell.simulation else 0
        wanted = WORDS.get(cell.target or "", "") + ("" if cell.done else ", unfinished")
        lines.append(f"{cell.row.id}. {label}, {text.count_of(games, 'game')}{wanted}")
        lines += [next(sides) for _ in _sides(cell)]
    if result.targets:
        lines += [f"target: {' and '.join(target.text for target in result.targets)}"]
    return "\n".join(lines)


def _sides(cell: CellResult) -> list[list[str]]:
    if cell.simulation is None:
        return []
    name = cell.simulation.setup.score
    is_score = cell.simulation.setup.goal == "score"
    return [
        ["", from_1(side.name), "" if is_score else side.win.text(), name, side.score.interval.text()]
        for side in cell.simulation.sides
    ]
