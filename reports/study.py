"""The report of a study: its axes, what each of them does, maps of the cells, and targets; from its file alone."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from houle.analysis.result import interval_as_json
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.intervals import Interval
from houle.analysis.studies.results import CellResult, StudyResult, measured, read_study
from houle.reports.blocks import (
    PERCENT,
    SEATS,
    Block,
    Column,
    Part,
    Report,
    Section,
    figure,
    lead,
    note,
    number,
    table,
    text,
)
from houle.reports.figures.study import draw, draw_map
from houle.reports.html.format import as_sentence, listed
from houle.reports.versions import made_by, versions_text
from houle.solver.ruleset import variant_name

AS_PRINTED = "as printed"  # a knob that other cells set
SAY_THEMSELVES = ("strategies", "variant")  # axes whose values need no name
MOST_ROWS = 40  # cells in a figure of rows; more are in the table alone
MOST_PANELS = 9  # of a map; a study with more axes has its cells in rows
MOST_NEAR = 5  # cells outside the target that are listed


@dataclass(frozen=True)
class Counted:
    """A cell and what has been counted in it."""

    cell: CellResult
    simulation: Simulation
    label: str = ""  # where it lies on the study's axes

    @cached_property
    def values(self) -> dict[str, str]:
        """Everything that may tell a cell from another, by axis."""
        setup = self.simulation.setup
        facts = {"players": str(setup.players), "strategies": short_line_up(self.simulation.run.strategies)}
        return {**self.cell.settings, "variant": variant_name(setup) if not self.cell.settings else
                "+".join(setup.variants) or "base", **facts}  # fmt: skip

    @property
    def win(self) -> Interval:
        return self.simulation.sides[0].win


def make_study_report(path: str, date: str | None = None) -> Report:
    """Everything that a study has come to."""
    study = read_study(path)
    counted = [Counted(cell, cell.simulation) for cell in study.cells if cell.simulation is not None]
    games = dict.fromkeys(found.simulation.setup.ruleset.name for found in counted)
    by_game = [
        _labelled([found for found in counted if found.simulation.setup.ruleset.name == game], len(games) > 1)
        for game in games
    ]
    counted = [found for own in by_game for found in own]
    sections = [_verdict(study, counted)]
    for own in by_game:
        sections += _sections(study, own)
    titles = [_title(own) for own in by_game]
    subtitle = f"A study of {listed(titles)}" if titles else "A study without games yet"
    made = {"study": study.name, "made by": made_by()}
    part = Part("The study", [*sections, _appendix(counted)], study.name)
    notices = [text("{line}.", line=line) for line in study.own_rules]
    return Report("study", study.name, subtitle, made, date or datetime.date.today().isoformat(), [part], notices)


def _labelled(counted: Sequence[Counted], several_games: bool) -> list[Counted]:
    """Cells of one game, each called by its place on the axes; in full where that does not tell them apart."""
    axes = axes_of(counted)
    named = []
    for found in counted:
        parts = [_title(counted)] if several_games else []
        for axis in axes:
            value = found.values.get(axis, AS_PRINTED)
            parts.append(value if axis in SAY_THEMSELVES else f"{axis} {value}")
        named.append(replace(found, label=", ".join(parts)))
    unique = len({found.label for found in named}) == len(named)
    return named if unique and axes else [replace(found, label=str(found.cell.row.label)) for found in counted]


def _title(counted: Sequence[Counted]) -> str:
    return counted[0].simulation.setup.ruleset.title


def _verdict(study: StudyResult, counted: Sequence[Counted]) -> Section:
    section = Section("verdict", "The verdict")
    if not counted:
        section.add(lead("Nothing is counted in this study yet."))
        return section
    numbers = {"cells": len(counted), "games": sum(found.simulation.games for found in counted)}
    one_sided = [found for found in counted if len(found.simulation.sides) == 1]
    if one_sided:
        section.add(*_hardest_and_easiest(one_sided))
    else:
        section.add(lead("{cells} cells of {games} games in all.", **numbers))
    section.add(*_targets(study, counted))
    waiting = [cell for cell in study.cells if cell.simulation is None]
    open_ones = [cell for cell in study.cells if cell.simulation is not None and not cell.done]
    if waiting or open_ones:
        section.add(
            text(
                "The study is not finished: of {cells} cells {open} are under way and show what they have, {waiting} "
                "have not begun.",
                cells=len(study.cells),
                open=len(open_ones),
                waiting=len(waiting),
            )
        )
    section.add(note("{cells} cells, {games} games in all.", **numbers))
    return section


def _hardest_and_easiest(counted: Sequence[Counted]) -> list[Block]:
    """For each kind of player by itself, the one who wins most first: that better players win more is no finding."""
    groups: dict[str, list[Counted]] = {}
    for found in sorted(counted, key=lambda found: found.win.value, reverse=True):
        groups.setdefault(found.values["strategies"], []).append(found)
    if all(len(found) == 1 for found in groups.values()):
        return [lead("Games won: {cells}.", cells=[_told(found) for found in counted])]
    told: list[Block] = []
    for who, ranked in groups.items():
        words = "Played by {who}, the hardest cell is {hardest}; the easiest is {easiest}."
        if len(ranked) == 1:
            words = "Played by {who}: {easiest}."
        say = text if told else lead
        told.append(say(words, who=who, hardest=[_told(ranked[-1])], easiest=[_told(ranked[0])]))
    return told


def _targets(study: StudyResult, counted: Sequence[Counted]) -> list[Block]:
    """Which cells are as wanted, which may be, and which come nearest."""
    if not study.targets:
        return []
    wanted = listed([target.text for target in study.targets])
    blocks = []
    for hit, sure in (("inside", "Certainly"), ("perhaps", "Perhaps")):
        cells = [_told(found) for found in counted if found.cell.target == hit]
        if cells:
            blocks.append(text("{sure} {wanted}: {cells}.", sure=sure, wanted=wanted, cells=cells))
    if not blocks:
        blocks.append(text("No cell is {wanted}.", wanted=wanted))
    outside = sorted((found for found in counted if found.cell.target == "outside"), key=_distance)
    if outside:
        near = [_told(found) for found in outside[:MOST_NEAR]]
        blocks.append(text("Outside, the nearest first: {cells}.", cells=near))
    return blocks


def _told(found: Counted) -> Block:
    return text("{label} {win}", label=found.label, win=number(found.win, PERCENT))


def _distance(found: Counted) -> float:
    """How far a cell is from what is wanted of it."""
    misses = [abs(target.off(measured(found.simulation, target.measure))) for target in found.cell.targets]
    return max(misses, default=math.inf)


def _sections(study: StudyResult, counted: Sequence[Counted]) -> list[Section]:
    """The cells of one game: what each axis does, the map, every cell."""
    game, title = counted[0].simulation.setup.ruleset.name, _title(counted)
    axes = axes_of(counted)
    section = Section(f"difficulty-{game}", f"{title}: games won")
    if axes:
        section.add(
            text("Axes: {axes}.", axes=[text("{axis} {values}", axis=axis, values=", ".join(values))
                                        for axis, values in axes.items()])
        )  # fmt: skip
        found = effects(counted, axes)
        section.add(_effects_table(game, found))
        section.results["effects"] = found
    mapped = _draw_map(study, section, game, title, axes, counted)
    inside: list[Block] = []
    if not mapped and len(counted) <= MOST_ROWS:
        alt = f"Win rate of the first side in {len(counted)} cells of the study {study.name}."
        block = figure(f"cells-{game}", "Games won by the first side of every cell, with 95% intervals.", alt)
        drawn = [(found.label, found.simulation) for found in counted]
        inside.append(section.drawn(block, partial(draw, title, drawn)))
    section.add_fold(f"Every cell of {title}", *inside, _table(game, counted))
    section.results["cells"] = [found.cell.as_json() for found in counted]
    return [section]


def axes_of(counted: Sequence[Counted]) -> dict[str, list[str]]:
    """What differs between the cells, numbers and longer axes first: name -> values."""
    names = dict.fromkeys(name for found in counted for name in found.values)
    axes = {name: list(dict.fromkeys(found.values.get(name, AS_PRINTED) for found in counted)) for name in names}
    varied = {name: _sorted(values) for name, values in axes.items() if len(values) > 1}
    return dict(sorted(varied.items(), key=lambda item: (not _numeric(item[1]), item[0] == "players", -len(item[1]))))


def _numeric(values: Sequence[str]) -> bool:
    return all(value.lstrip("-").isdigit() for value in values)


def _sorted(values: list[str]) -> list[str]:
    return sorted(values, key=int) if _numeric(values) else values


def effects(counted: Sequence[Counted], axes: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Mean share of games won over all cells with a value of an axis; cells are independent."""
    found = []
    for axis, values in axes.items():
        for value in values:
            wins = [cell.win for cell in counted if cell.values.get(axis, AS_PRINTED) == value]
            mean = sum(win.value for win in wins) / len(wins)
            half = math.sqrt(sum(win.half**2 for win in wins)) / len(wins)
            interval = Interval(mean, mean - half, mean + half, sum(win.n for win in wins)).within(0, 1)
            found.append({"axis": axis, "value": value, "cells": len(wins), "win": interval_as_json(interval)})
    return found


def _effects_table(game: str, found: Sequence[Mapping[str, Any]]) -> Block:
    columns = [Column("axis", "axis"), Column("value", "value"), Column("cells", "cells"),
               Column("win", "games won, mean of the cells", PERCENT)]  # fmt: skip
    rows = [[row["axis"], row["value"], row["cells"], {**row["win"], "unit": PERCENT}] for row in found]
    return table(f"effects-{game}", "What each axis does: the mean over all cells with a value.", columns, rows)


def _draw_map(
    study: StudyResult,
    section: Section,
    game: str,
    title: str,
    axes: Mapping[str, Sequence[str]],
    counted: Sequence[Counted],
) -> bool:
    """A map where there are two axes, and not too many panels for the others; whether there is one."""
    panels = math.prod(len(values) for values in list(axes.values())[2:])
    if len(axes) < 2 or panels > MOST_PANELS:
        return False
    along, across, *_ = axes
    cells = [
        ({axis: found.values.get(axis, AS_PRINTED) for axis in axes}, found.simulation, found.cell.target)
        for found in counted
    ]
    wanted = " and ".join(target.text for target in study.targets)
    block = figure(f"map-{game}", f"Games won by {along} and {across}.", f"{title}: games won in {len(cells)} cells.")
    section.add_figure(block, partial(draw_map, title, axes, cells, wanted))
    return True


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
            found.label,
            side.name,
            found.simulation.games,
            number(side.win, PERCENT),
            number(side.score.interval),
            found.simulation.setup.score.replace("_", " "),
        ]
        for found in counted
        for side in found.simulation.sides
    ]
    return table(f"difficulty-{game}", "Every cell and side, with 95% intervals.", columns, rows)


def _appendix(counted: Sequence[Counted]) -> Section:
    section = Section("appendix", "Appendix: rules, seeds, versions")
    columns = [Column("cell", "cell"), Column("seed", "seed"), Column("rules_digest", "rules digest"),
               Column("result_digest", "result digest")]  # fmt: skip
    rows = [
        [found.label, found.simulation.run.seed, found.simulation.setup.digest,
         found.simulation.run.digest if found.cell.done else None]
        for found in counted
    ]  # fmt: skip
    lines = dict.fromkeys(line for found in counted for line in found.simulation.notes)
    section.add(*(note("{remark}", remark=as_sentence(line)) for line in lines))
    section.add_fold(
        "Digests and versions",
        table("digests", "What names each cell's rules and its result.", columns, rows),
        text("Versions: {versions}.", versions=versions_text()),
    )
    return section
