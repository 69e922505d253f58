"""The report of a study: which setups reach the targets, the figure of each game, every setup."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Sequence
from functools import partial

from houle.analysis.blocks import Block, Column, lead, note, table, text
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import is_percent, measure_name, measure_title
from houle.analysis.measures.targets import Target
from houle.analysis.players.named_players import players_of
from houle.analysis.result import command_line, words_of_setup
from houle.analysis.sampling.grid import Grid, short_line_up
from houle.analysis.studies.results import CellResult, StudyResult, read_study, shown_measures
from houle.reports.blocks import Report, ReportPart, Section, figure
from houle.reports.figures.sweep import draw_grid
from houle.reports.sections.appendix import made_by, versions_text
from houle.solver.texts import as_sentence, capital, listed, range_of

MOST_PANELS = 9  # of a figure; the setups of a larger study are only in the table
MOST_NEAR = 5  # cells off target that are listed


def make_study_report(path: str, date: str | None = None) -> Report:
    """The report of a study, from its folder."""
    study = read_study(path)
    counted = [cell for cell in study.cells if cell.games]
    by_game = [(grid, [cell for cell in cells if cell.games]) for grid, cells in study.games_of_setups]
    sections = [_verdict(study, counted), *(_game(study, grid, cells) for grid, cells in by_game if cells)]
    titles = [grid.arms[0].setup.ruleset.title for grid, cells in by_game if cells]
    subtitle = f"A study of {listed(titles)}" if titles else "A study without results yet"
    made = {"study": study.name, "made by": made_by()}
    part = ReportPart("The study", [*sections, _appendix(study, counted)], study.name)
    notices = [
        text("{name}: {changes}.", name=name, changes="; ".join(words))
        for grid, _ in by_game
        for name, words in grid.differences().items()
        if words
    ]
    return Report(
        "study",
        title=study.name,
        subtitle=subtitle,
        facts=made,
        date=date or datetime.date.today().isoformat(),
        parts=[part],
        notices=notices,
    )


def _verdict(study: StudyResult, counted: Sequence[CellResult]) -> Section:
    section = Section("verdict", "The verdict")
    if not counted:
        section.add(lead("This study has no results yet."))
        return section
    one_sided = [cell for cell in counted if cell.cell.setup.one_sided]
    section.add(*(answers := _targets(study, counted)))
    if one_sided:
        section.add(*_hardest_and_easiest(one_sided, text if answers else lead))
    if study.interrupted:
        some = sum(not cell.done for cell in counted)
        section.add(
            text(
                "The study is not finished: of {cells} setups {open} have part of their games, {waiting} have none.",
                cells=len(study.cells),
                open=some,
                waiting=len(study.cells) - len(counted),
            )
        )
    say = note if answers or one_sided else lead
    section.add(say("{cells} setups, {games} games in all.", cells=len(counted), games=study.games))
    return section


def _hardest_and_easiest(counted: Sequence[CellResult], first: Callable[..., Block]) -> list[Block]:
    """The hardest and easiest setup for each kind of player, the player who wins most first."""
    groups: dict[str, list[CellResult]] = {}
    for cell in sorted(counted, key=lambda cell: _goal(cell).sign * cell.reached.value, reverse=True):
        groups.setdefault(short_line_up(cell.cell.strategies), []).append(cell)
    blocks: list[Block] = []
    for who, ranked in groups.items():
        words = "For {who} players the hardest setup is {hardest}; the easiest is {easiest}."
        if len(ranked) == 1:
            words = "For {who} players: {easiest}."
        say = text if blocks else first
        blocks.append(say(words, who=who, hardest=[_shown(ranked[-1])], easiest=[_shown(ranked[0])]))
    return blocks


def _goal(cell: CellResult) -> Goal:
    return Goal(cell.cell.setup)


def _shown(cell: CellResult) -> Block:
    return text("{label} {reached}", label=cell.label, reached=_goal(cell).shown(cell.reached))


def _targets(study: StudyResult, counted: Sequence[CellResult]) -> list[Block]:
    """The answer to the targets in words: how many setups reach them, which, and which come nearest."""
    if not study.targets:
        return []
    wanted = listed([target_words(target) for target in study.targets])
    inside, perhaps, outside = (
        [cell for cell in counted if cell.target == hit] for hit in ("inside", "perhaps", "outside")
    )
    values = {"wanted": wanted, "number": len(inside), "perhaps": len(perhaps)}
    if inside:
        blocks = [lead("{number} of these setups give {wanted}.", **values)]
    elif perhaps:
        blocks = [lead("No setup certainly gives {wanted}; {perhaps} may.", **values)]
    else:
        blocks = [lead("No setup gives {wanted}.", **values)]
    for cells, sure in ((inside, "On target"), (perhaps, "Perhaps on target, more games would tell")):
        if cells:
            blocks.append(text("{sure}: {cells}.", sure=sure, cells=[_shown(cell) for cell in cells]))
    if outside:
        near = [_shown(cell) for cell in sorted(outside, key=_distance)[:MOST_NEAR]]
        blocks.append(text("Off target, nearest first: {cells}.", cells=near))
    if outside and not inside and not perhaps:
        setup = min(outside, key=_distance).cell.setup
        words = [word for target in study.targets for word in ("--target", target.text)]
        command = command_line(["design", *words_of_setup(setup), *words], setup)
        blocks.append(text("To look for rules that do, from the nearest of these: {command}", command=command))
    return blocks


def target_words(target: Target) -> str:
    """A target in words: `games won from 38% to 42% for families`."""
    title, shown = measure_title(target.measure, []), (100.0, "%") if is_percent(target.measure) else (1.0, "")
    low, high = (f"{shown[0] * end:.4g}{shown[1]}" for end in (target.low, target.high))
    span = (
        f"at most {high}"
        if math.isinf(target.low)
        else f"at least {low}"
        if math.isinf(target.high)
        else (f"from {low} to {high}")
    )
    return f"{title} {span}" + (f" for {players_of(target.who or target.player)}" if target.player else "")


def _distance(cell: CellResult) -> float:
    """How far a cell is from its targets."""
    return max((abs(target.off(cell.measures[target.measure])) for target in cell.targets), default=math.inf)


def _game(study: StudyResult, grid: Grid, cells: Sequence[CellResult]) -> Section:
    """The cells of one game: a figure of the first measure over the grid, and every setup."""
    game, title = grid.game, grid.arms[0].setup.ruleset.title
    measures = shown_measures(cells, study.targets)
    what = measure_title(measures[0], [cell.cell.setup for cell in cells])
    section = Section(f"difficulty-{game}", f"{title}: {what}")
    axes = [
        text("{axis} {values}", axis=axis, values=", ".join(grid.shown(axis, value) for value in values))
        for axis, values in grid.axes.items()
    ]
    if axes:
        section.add(text("What varies: {axes}.", axes=axes))
    panels = math.prod(sorted(map(len, grid.axes.values()))[:-2])
    places = {str(cell.arm.values) for cell in cells}
    if axes and panels <= MOST_PANELS and len(places) == len(cells):  # not several seeds of a setup
        counted = f"{range_of(cell.games for cell in cells)} games of each setup, seed {cells[0].cell.seed}"
        caption = f"{capital(what)}, with 95% intervals."
        block = figure(f"map-{game}", caption, f"{title}: {what} in {len(cells)} setups.")
        section.add_figure(block, partial(draw_grid, grid, cells, measures[0], study.targets, counted))
    heads = {name: measure_name(name, cells[0].cell.setup).replace("_", " ") for name in measures}
    columns = [Column("cell", "setup"), Column("games", "games"), *(Column(*each) for each in heads.items())]
    rows = [{"cell": cell.label, "games": cell.games, **cell.measures} for cell in cells]
    words = "Every setup, with 95% intervals; measures of sides are those of the first."
    section.add_fold(f"Every setup of {title}", table(f"difficulty-{game}", words, columns, rows))
    section.results["cells"] = [cell.record() for cell in cells]
    return section


def _appendix(study: StudyResult, counted: Sequence[CellResult]) -> Section:
    section = Section("appendix", "Appendix: seeds, digests, versions")
    columns = [
        Column("cell", "setup"),
        Column("seed", "seed"),
        Column("rules_digest", "rules digest"),
        Column("result_digest", "result digest"),
    ]
    rows = [[cell.label, cell.cell.seed, cell.cell.setup.digest, cell.digest] for cell in counted]
    notes = [*study.code_notes, *(line for cell in counted for line in cell.simulation.notes)]
    lines = dict.fromkeys(notes)
    section.add(*(note("{remark}", remark=as_sentence(line)) for line in lines))
    section.add_fold(
        "Digests and versions",
        table("digests", "The digests of the rules and of the result of each setup.", columns, rows),
        text("Versions: {versions}.", versions=versions_text()),
    )
    return section
