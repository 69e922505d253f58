"""A study as text: how far it is in a line, its results in a table or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from houle.cli import tables

if TYPE_CHECKING:
    from houle.analysis.results import CellResult, Status


def duration(seconds: float) -> str:
    """`3.2 s`, `12 min`, `5 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def summary(status: Status, path: str) -> str:
    line = f"{status.name}: {status.ended} of {tables.plural(len(status.rows), 'cell')} done, "
    line += f"{sum(status.games.values()):,} games"
    if status.digest:
        return f"{line}; digest {status.digest}"
    if not status.running:
        return f"{line}; not running: houle study resume {path}"
    if status.rate:
        line += f", {status.rate:,.0f} games a second"
    return f"{line}, {duration(status.left)} left" if status.left is not None else f"{line}, running"


def lines(result: CellResult) -> list[list[str]]:
    if result.simulation is None:
        return [[str(result.row.id), result.row.label, "0", "", "", ""]]
    mark = "" if result.done else "*"
    lines: list[list[str]] = []
    for side in result.simulation.sides:
        win, score = side.win, side.score.interval
        first = not lines
        lines.append(
            [
                str(result.row.id) if first else "",
                result.row.label if first else "",
                f"{result.simulation.games:,}{mark}" if first else "",
                side.name,
                tables.estimate(100 * win.value, 100 * win.low, 100 * win.high, "%"),
                tables.estimate(score.value, score.low, score.high),
            ]
        )
    return lines


def as_text(state: Status, found: list[CellResult]) -> str:
    data = {"name": state.name, "digest": state.digest, "cells": [result.as_json() for result in found]}
    return json.dumps(data, indent=2) + "\n"
