"""The report of a study: how often its cells are won and what they score, from its file alone."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from houle.reports.blocks import (
    PERCENT,
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
from houle.reports.sections.ground import versions

if TYPE_CHECKING:
    from houle.analysis.sampling.simulation import Simulation
    from houle.analysis.studies.results import CellResult

MOST_ROWS = 60  # cells in a figure; more go into figures of their own


def make_study_report(path: str, date: str | None = None) -> Report:
    """Everything that a study has come to."""
    from houle.analysis.studies.results import results
    from houle.analysis.studies.store import Store

    with Store(path, write=False) as store:
        facts, cells = store.facts(), results(store)
    counted = [(cell, cell.simulation) for cell in cells if cell.simulation is not None]
    name = str(facts["name"])
    games = list(dict.fromkeys(found.setup.ruleset.title for _, found in counted))
    parts = [Part("The study", [_verdict(name, cells, counted), *_sections(name, counted), _appendix(counted)])]
    named = {"study": name, "made by": next(word for word in versions() if word.startswith("houle"))}
    subtitle = f"A study of {listed(games)}" if games else "A study without games yet"
    return Report("study", name, subtitle, named, date or datetime.date.today().isoformat(), parts)


def _verdict(name: str, cells: Sequence[CellResult], counted: list[tuple[CellResult, Simulation]]) -> Section:
    section = Section("verdict", "The verdict")
    played = sum(found.games for _, found in counted)
    if not counted:
        section.add(lead("Nothing is counted in this study yet."))
        return section
    alone = [(cell, found) for cell, found in counted if len(found.sides) == 1]
    if alone:
        ranked = sorted(alone, key=lambda pair: pair[1].sides[0].win.value)
        hardest, easiest = ranked[0], ranked[-1]
        section.add(
            lead(
                f"The hardest cell is {_label(hardest[0])}, won in {{low}} of its games; the easiest is "
                f"{_label(easiest[0])}, with {{high}}.",
                low=number(hardest[1].sides[0].win, PERCENT),
                high=number(easiest[1].sides[0].win, PERCENT),
            )
        )
    else:
        section.add(lead("{cells} cells of {games} games in all.", cells=len(counted), games=played))
    open_cells = [cell for cell in cells if not cell.done]
    if open_cells:
        section.add(text("The study is not finished: {open} of {cells} cells are under way and show what they have.",
                         open=len(open_cells), cells=len(cells)))  # fmt: skip
    section.add(note("{cells} cells, {games} games in all.", cells=len(counted), games=played))
    return section


def _label(cell: CellResult) -> str:
    return str(cell.row.label)


def _sections(name: str, counted: list[tuple[CellResult, Simulation]]) -> list[Section]:
    """One for every game of the study."""
    found = []
    for game in dict.fromkeys(one.setup.ruleset.name for _, one in counted):
        own = [(cell, one) for cell, one in counted if one.setup.ruleset.name == game]
        title = own[0][1].setup.ruleset.title
        section = Section(f"difficulty-{game}", f"{title}: games won and scores")
        for start in range(0, len(own), MOST_ROWS):
            some = own[start : start + MOST_ROWS]
            stem = f"difficulty-{game}" + (f"-{start // MOST_ROWS + 1}" if len(own) > MOST_ROWS else "")
            alt = f"Win rate of the first side in {len(some)} cells of the study {name}; the numbers are in the table."
            section.draw(
                figure(stem, "Games won by the first side of every cell, with 95% intervals.", alt),
                partial(draw, title, [(_label(cell), one) for cell, one in some]),
            )
        section.add(_table(game, own))
        section.results["cells"] = [cell.as_json() for cell, _ in own]
        found.append(section)
    return found


def _table(game: str, own: list[tuple[CellResult, Simulation]]) -> dict[str, Any]:
    columns = [
        Column("cell", "cell"),
        Column("side", "side"),
        Column("games", "games"),
        Column("win", "wins", PERCENT),
        Column("score", "mean score"),
        Column("score_name", "score"),
    ]
    rows = [
        [_label(cell), side.name, one.games, number(side.win, PERCENT), number(side.score.interval), one.setup.score]
        for cell, one in own
        for side in one.sides
    ]
    return table(f"difficulty-{game}", "Every cell and side, with 95% intervals.", columns, rows)


def _appendix(counted: list[tuple[CellResult, Simulation]]) -> Section:
    section = Section("appendix", "Appendix: rules, seeds, versions")
    rows = [[_label(cell), one.run.seed, one.setup.digest, one.run.digest if cell.done else None]
            for cell, one in counted]  # fmt: skip
    columns = [Column("cell", "cell"), Column("seed", "seed"), Column("rules_digest", "rules digest"),
               Column("result_digest", "result digest")]  # fmt: skip
    section.add(table("digests", "What names each cell's rules and its result.", columns, rows))
    lines = list(dict.fromkeys(line for _, one in counted for line in one.notes))
    if lines:
        section.add(bullets([note(_escaped(line)) for line in lines]))
    section.add(text("Versions: " + ", ".join(versions()) + "."))
    return section


def _escaped(words: str) -> str:
    return words.replace("{", "{{").replace("}", "}}")
