"""A design log: what each version of a variant measured, one line of JSON for each, drawn over the versions."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.comparison.compare import Comparison
from houle.analysis.difficulty.difficulty import Difficulty
from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.figures.style import make_figure, percent_axis, save, scaled
from houle.solver.errors import InputError
from houle.solver.rules import plain_differences, variant_name
from houle.solver.rules.files import write_whole

Entry = dict[str, Any]


def files(name: str) -> tuple[Path, Path]:
    """The files of a log: its entries, and its picture."""
    return Path(f"{name}.log.jsonl"), Path(f"{name}.log.svg")


def entries_of(result: Difficulty | Comparison, command: str) -> list[Entry]:
    """What a result says about its variant: one entry for each measure, with all players."""
    if isinstance(result, Difficulty):
        setup, measured = result.setup, {result.goal.measure: {one.strategy: one.reached for one in result.levels}}
    else:
        rows = [row for row in result.rows if row.number == len(result.arms) - 1]
        setup = rows[0].arm.setup
        measured = {row.measure: {short_line_up(row.arm.strategies): row.value} for row in rows}
    facts = {"date": datetime.date.today().isoformat(), "game": setup.ruleset.name, "players": setup.players}
    facts |= {"name": variant_name(setup), "changes": plain_differences(setup), "rules_digest": setup.digest}
    return [
        {**facts, "measure": measure, "values": {who: one.as_json() for who, one in values.items()}, "command": command}
        for measure, values in measured.items()
    ]


def keep(name: str, entries: list[Entry]) -> list[Path]:
    """Add entries to a log and draw it again; returns its files."""
    log, picture = files(name)
    every = [*read(log), *entries]
    lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in every)
    write_whole(log, lambda path: path.write_text(lines, encoding="utf-8"))
    save(draw(name, every), picture)
    return [log, picture]


def read(log: Path) -> list[Entry]:
    """The entries of a log; InputError if a line is no entry."""
    entries = []
    for number, line in enumerate(log.read_text(encoding="utf-8").splitlines() if log.exists() else (), 1):
        try:
            entry = json.loads(line)
            entry["measure"], entry["values"], entry["name"]
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{log}, line {number}: no entry of a design log; allowed: lines that --log wrote"
            ) from None
        entries.append(entry)
    return entries


def draw(name: str, entries: list[Entry]) -> Figure:
    """Draw each measure over the versions, a line for each kind of players."""
    measures = list(dict.fromkeys(entry["measure"] for entry in entries))

    def paint(figure: Any) -> None:
        panels = figure.subplots(len(measures), 1, squeeze=False)[:, 0]
        for ax, measure in zip(panels, measures, strict=True):
            some = [entry for entry in entries if entry["measure"] == measure]
            for i, who in enumerate(dict.fromkeys(who for entry in some for who in entry["values"])):
                known = [(x, _estimate(entry, who)) for x, entry in enumerate(some) if who in entry["values"]]
                ends = [scaled(one) for _, one in known]
                at = [x for x, _ in known]
                ax.fill_between(
                    at, [low for low, _, _ in ends], [high for _, _, high in ends], color=f"C{i}", alpha=0.2
                )
                ax.plot(at, [value for _, value, _ in ends], marker="o", color=f"C{i}", label=who)
            ax.set_xticks(range(len(some)), [entry["name"] for entry in some])
            if is_percent(measure):
                percent_axis(ax.yaxis)
            ax.set_title(measure_title(measure, []))
            ax.legend(fontsize=8.5, frameon=False)

    caption = f"{len(entries)} entries; bands are 95% intervals"
    return make_figure(f"{name}: every version", caption, (8, 3.2), paint, rows=len(measures))


def _estimate(entry: Entry, who: str) -> Estimate:
    one = entry["values"][who]
    return Estimate(one["value"], one["low"], one["high"], one["n"], PERCENT if is_percent(entry["measure"]) else "")
