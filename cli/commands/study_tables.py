"""A study as text: how far it is in a line, its results in a table or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from houle.cli.framework import text as tables

if TYPE_CHECKING:
    from houle.analysis.studies.results import CellResult, Status


def duration(seconds: float) -> str:
    """`3.2 s`, `12 min`, `5 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def summary(status: Status, path: str) -> str:
    """How far it is, in a line."""
    line = f"{status.name}: {status.ended} of {tables.plural(len(status.rows), 'cell')} done, "
    line += f"{sum(status.games.values()):,} games"
    if status.digest:
        return f"{line}; digest {status.digest}"
    if not status.running:
        return f"{line}; not running: houle study resume {path}"
    if status.rate:
        line += f", {status.rate:,.0f} games a second"
    return f"{line}, {duration(status.left)} left" if status.left is not None else f"{line}, running"


def page(found: list[CellResult]) -> str:
    """Every cell with a line of its own, and below it a line for each side; the columns of all cells agree."""
    rows = [row for result in found for row in _sides(result)]
    table = tables.columns(["", "side", "wins", "", "score"], rows).splitlines()
    sides, told = iter(table[1:]), [table[0]] if rows else []
    for result in found:
        games = result.simulation.games if result.simulation else 0
        unfinished = "" if result.done else ", unfinished"
        told.append(f"{result.row.id}. {result.row.label}, {tables.plural(games, 'game')}{unfinished}")
        told += [next(sides) for _ in _sides(result)]
    return "\n".join(told)


def _sides(result: CellResult) -> list[list[str]]:
    if result.simulation is None:
        return []
    name = result.simulation.setup.score
    return [
        [
            "",
            side.name,
            tables.estimate(100 * side.win.value, 100 * side.win.low, 100 * side.win.high, "%"),
            name,
            tables.estimate(side.score.interval.value, side.score.interval.low, side.score.interval.high),
        ]
        for side in result.simulation.sides
    ]


def as_text(state: Status, found: list[CellResult]) -> str:
    """Everything as JSON."""
    data = {"name": state.name, "digest": state.digest, "cells": [result.as_json() for result in found]}
    return json.dumps(data, indent=2) + "\n"
