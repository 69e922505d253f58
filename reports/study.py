"""The report of a study: how often its cells are won and what they score, from its file alone."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial

from houle.analysis.sampling.simulation import Simulation
from houle.analysis.studies.results import CellResult, read_study
from houle.reports.blocks import (
    PERCENT,
    SEATS,
    Block,
    Column,
    Part,
    Report,
    Section,
    bullets,
    figure,
    lead,
    note,
    number,
    table,
    text,
)
from houle.reports.figures.study import draw
from houle.reports.html.format import listed
from houle.reports.versions import made_by, versions_text

MOST_ROWS = 60  # cells in a figure; more go into figures of their own

Counted = tuple[CellResult, Simulation]  # a cell and what has been counted in it


def make_study_report(path: str, date: str | None = None) -> Report:
    """Everything that a study has come to."""
    study = read_study(path)
    name, cells = study.name, study.cells
    counted = [(cell, cell.simulation) for cell in cells if cell.simulation is not None]
    games = dict.fromkeys(simulation.setup.ruleset.name for _, simulation in counted)
    by_game = [[pair for pair in counted if pair[1].setup.ruleset.name == game] for game in games]
    sections = [_verdict(cells, counted), *(_games_won(name, own) for own in by_game), _appendix(counted)]
    titles = [_title(own) for own in by_game]
    subtitle = f"A study of {listed(titles)}" if titles else "A study without games yet"
    made = {"study": name, "made by": made_by()}
    today = datetime.date.today().isoformat()
    return Report("study", name, subtitle, made, date or today, [Part("The study", sections)])


def _label(cell: CellResult) -> str:
    return str(cell.row.label)


def _title(counted: Sequence[Counted]) -> str:
    return counted[0][1].setup.ruleset.title


def _verdict(cells: Sequence[CellResult], counted: Sequence[Counted]) -> Section:
    section = Section("verdict", "The verdict")
    if not counted:
        section.add(lead("Nothing is counted in this study yet."))
        return section
    numbers = {"cells": len(counted), "games": sum(simulation.games for _, simulation in counted)}
    one_sided = [pair for pair in counted if len(pair[1].sides) == 1]
    if one_sided:
        ranked = sorted(one_sided, key=lambda pair: pair[1].sides[0].win.value)
        (hardest, low), (easiest, high) = ranked[0], ranked[-1]
        section.add(
            lead(
                "The hardest cell is {hardest}, won in {low} of its games; the easiest is {easiest}, with {high}.",
                hardest=_label(hardest),
                low=number(low.sides[0].win, PERCENT),
                easiest=_label(easiest),
                high=number(high.sides[0].win, PERCENT),
            )
        )
    else:
        section.add(lead("{cells} cells of {games} games in all.", **numbers))
    unfinished = [cell for cell in cells if not cell.done]
    if unfinished:
        section.add(
            text(
                "The study is not finished: {open} of {cells} cells are under way and show what they have.",
                open=len(unfinished),
                cells=len(cells),
            )
        )
    section.add(note("{cells} cells, {games} games in all.", **numbers))
    return section


def _games_won(study: str, counted: Sequence[Counted]) -> Section:
    """The cells of one game."""
    game, title = counted[0][1].setup.ruleset.name, _title(counted)
    section = Section(f"difficulty-{game}", f"{title}: games won and scores")
    for start in range(0, len(counted), MOST_ROWS):
        drawn = [(_label(cell), simulation) for cell, simulation in counted[start : start + MOST_ROWS]]
        name = f"difficulty-{game}" + (f"-{start // MOST_ROWS + 1}" if len(counted) > MOST_ROWS else "")
        alt = f"Win rate of the first side in {len(drawn)} cells of the study {study}; the numbers are in the table."
        caption = "Games won by the first side of every cell, with 95% intervals."
        section.add_figure(figure(name, caption, alt), partial(draw, title, drawn))
    section.add(_table(game, counted))
    section.results["cells"] = [cell.as_json() for cell, _ in counted]
    return section


def _table(game: str, counted: Sequence[Counted]) -> Block:
    columns = [
        Column("cell", "cell"),
        Column("side", "side", SEATS),
        Column("games", "games"),
        Column("win", "wins", PERCENT),
        Column("score", "mean score"),
        Column("score_name", "score"),
    ]
    rows = [
        [
            _label(cell),
            side.name,
            simulation.games,
            number(side.win, PERCENT),
            number(side.score.interval),
            simulation.setup.score,
        ]
        for cell, simulation in counted
        for side in simulation.sides
    ]
    return table(f"difficulty-{game}", "Every cell and side, with 95% intervals.", columns, rows)


def _appendix(counted: Sequence[Counted]) -> Section:
    section = Section("appendix", "Appendix: rules, seeds, versions")
    columns = [Column("cell", "cell"), Column("seed", "seed"), Column("rules_digest", "rules digest"),
               Column("result_digest", "result digest")]  # fmt: skip
    rows = [
        [_label(cell), simulation.run.seed, simulation.setup.digest, simulation.run.digest if cell.done else None]
        for cell, simulation in counted
    ]
    section.add(table("digests", "What names each cell's rules and its result.", columns, rows))
    lines = dict.fromkeys(line for _, simulation in counted for line in simulation.notes)
    if lines:
        section.add(bullets([note("{remark}", remark=line) for line in lines]))
    section.add(text("Versions: {versions}.", versions=versions_text()))
    return section
