"""The report of a study: what varies, what each value changes, maps of the setups, and targets."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from houle.analysis.blocks import SEATS, Block, Column, lead, note, table, text
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.measures.targets import Target
from houle.analysis.players.named_players import players_of
from houle.analysis.result import command_line, words_of_setup
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.studies.results import CellResult, StudyResult, measured, read_study
from houle.reports.blocks import Report, ReportPart, Section, figure
from houle.reports.figures.study import draw, draw_map, goal_title, reached
from houle.reports.sections.appendix import made_by, versions_text
from houle.solver.rules import variant_name
from houle.solver.texts import as_sentence, capital, listed

AS_PRINTED = "as printed"  # a knob that only other cells set
PLAYER = "kind of player"  # the axis of strategies
WITHOUT_NAME = (PLAYER, "variant")  # axes whose values are clear without the name of the axis
MOST_ROWS = 40  # cells in a figure of rows; more are only in the table
MOST_PANELS = 9  # of a map; a study with more has its cells in rows
MOST_NEAR = 5  # cells off target that are listed


@dataclass(frozen=True)
class CountedCell:
    """A cell and its results."""

    cell: CellResult
    simulation: Simulation
    label: str = ""  # its values on the axes of the study

    @cached_property
    def values(self) -> dict[str, str]:
        """Everything that may distinguish cells, by axis."""
        setup = self.simulation.setup
        facts = {"players": str(setup.players), PLAYER: short_line_up(self.simulation.run.strategies)}
        return {**self.cell.settings, "variant": variant_name(setup) if not self.cell.settings else
                "+".join(setup.variants) or "base", **facts}  # fmt: skip

    @property
    def goal(self) -> Goal:
        return Goal(self.simulation.setup)

    @property
    def reached(self) -> Estimate:
        """What the first side wins, or scores if that is the goal."""
        return reached(self.simulation)


def make_study_report(path: str, date: str | None = None) -> Report:
    """The report of a study, from its file."""
    study = read_study(path)
    counted = [CountedCell(cell, cell.simulation) for cell in study.cells if cell.simulation is not None]
    games = dict.fromkeys(one.simulation.setup.ruleset.name for one in counted)
    by_game = [
        _labelled([one for one in counted if one.simulation.setup.ruleset.name == game], len(games) > 1)
        for game in games
    ]
    counted = [one for own in by_game for one in own]
    sections = [_verdict(study, counted)]
    for own in by_game:
        sections += _sections(study, own)
    titles = [_title(own) for own in by_game]
    subtitle = f"A study of {listed(titles)}" if titles else "A study without results yet"
    made = {"study": study.name, "made by": made_by()}
    part = ReportPart("The study", [*sections, _appendix(counted)], study.name)
    notices = [text("{line}.", line=line) for line in study.own_rules]
    return Report("study", study.name, subtitle, made, date or datetime.date.today().isoformat(), [part], notices)


def _labelled(counted: Sequence[CountedCell], several_games: bool) -> list[CountedCell]:
    """Cells of one game, labelled by their values on the axes, or in full if those labels are not unique."""
    axes = axes_of(counted)
    named = []
    for one in counted:
        parts = [_title(counted)] if several_games else []
        for axis in axes:
            value = one.values.get(axis, AS_PRINTED)
            parts.append(value if axis in WITHOUT_NAME else f"{axis} {value}")
        named.append(replace(one, label=", ".join(parts)))
    unique = len({one.label for one in named}) == len(named)
    return named if unique and axes else [replace(one, label=str(one.cell.row.label)) for one in counted]


def _title(counted: Sequence[CountedCell]) -> str:
    return counted[0].simulation.setup.ruleset.title


def _verdict(study: StudyResult, counted: Sequence[CountedCell]) -> Section:
    section = Section("verdict", "The verdict")
    if not counted:
        section.add(lead("This study has no results yet."))
        return section
    numbers = {"cells": len(counted), "games": sum(one.simulation.games for one in counted)}
    one_sided = [one for one in counted if len(one.simulation.sides) == 1]
    answers = _targets(study, counted)
    section.add(*answers)
    if one_sided:
        section.add(*_hardest_and_easiest(one_sided, lead if not answers else text))
    elif not answers:
        section.add(lead("{cells} setups, {games} games in all.", **numbers))
    waiting = [cell for cell in study.cells if cell.simulation is None]
    open_ones = [cell for cell in study.cells if cell.simulation is not None and not cell.done]
    if waiting or open_ones:
        section.add(
            text(
                "The study is not finished: of {cells} setups {open} have part of their games, {waiting} have none.",
                cells=len(study.cells),
                open=len(open_ones),
                waiting=len(waiting),
            )
        )
    section.add(note("{cells} setups, {games} games in all.", **numbers))
    return section


def _hardest_and_easiest(counted: Sequence[CountedCell], first: Callable[..., Block]) -> list[Block]:
    """The hardest and easiest setup for each kind of player, the player who wins most first."""
    groups: dict[str, list[CountedCell]] = {}
    for one in sorted(counted, key=lambda one: one.goal.sign * one.reached.value, reverse=True):
        groups.setdefault(one.values[PLAYER], []).append(one)
    if all(len(group) == 1 for group in groups.values()):
        what = capital(goal_title(one.simulation for one in counted))
        return [first("{what}: {cells}.", what=what, cells=[_shown(one) for one in counted])]
    blocks: list[Block] = []
    for who, ranked in groups.items():
        words = "For {who} players the hardest setup is {hardest}; the easiest is {easiest}."
        if len(ranked) == 1:
            words = "For {who} players: {easiest}."
        say = text if blocks else first
        blocks.append(say(words, who=who, hardest=[_shown(ranked[-1])], easiest=[_shown(ranked[0])]))
    return blocks


def _targets(study: StudyResult, counted: Sequence[CountedCell]) -> list[Block]:
    """The answer to the targets in words: how many setups reach them, which, and which come nearest."""
    if not study.targets:
        return []
    wanted = listed([target_words(target) for target in study.targets])
    inside, perhaps, outside = (
        [one for one in counted if one.cell.target == hit] for hit in ("inside", "perhaps", "outside")
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
            blocks.append(text("{sure}: {cells}.", sure=sure, cells=[_shown(one) for one in cells]))
    if outside:
        near = [_shown(one) for one in sorted(outside, key=_distance)[:MOST_NEAR]]
        blocks.append(text("Off target, nearest first: {cells}.", cells=near))
    if outside and not inside and not perhaps:
        setup = min(outside, key=_distance).simulation.setup
        words = [word for target in study.targets for word in ("--target", target.text)]
        command = command_line(["design", *words_of_setup(setup), *words], setup)
        blocks.append(text("To look for rules that do, from the nearest of these: {command}", command=command))
    return blocks


def target_words(target: Target) -> str:
    """A target in words: `games won from 38% to 42% for families`."""
    title, shown = measure_title(target.measure, []), (100.0, "%") if is_percent(target.measure) else (1.0, "")
    low, high = (f"{shown[0] * end:.4g}{shown[1]}" for end in (target.low, target.high))
    span = f"at most {high}" if math.isinf(target.low) else f"at least {low}" if math.isinf(target.high) else (
        f"from {low} to {high}")  # fmt: skip
    return f"{title} {span}" + (f" for {players_of(target.who or target.player)}" if target.player else "")


def _shown(one: CountedCell) -> Block:
    return text("{label} {reached}", label=one.label, reached=one.goal.shown(one.reached))


def _distance(one: CountedCell) -> float:
    """How far a cell is from its targets."""
    misses = [abs(target.off(measured(one.simulation, target.measure))) for target in one.cell.targets]
    return max(misses, default=math.inf)


def _sections(study: StudyResult, counted: Sequence[CountedCell]) -> list[Section]:
    """The cells of one game: what each axis changes, the map, every cell."""
    game, title = counted[0].simulation.setup.ruleset.name, _title(counted)
    axes = axes_of(counted)
    what = goal_title(one.simulation for one in counted)
    section = Section(f"difficulty-{game}", f"{title}: {what}")
    if axes:
        section.add(
            text("What varies: {axes}.", axes=[text("{axis} {values}", axis=axis, values=", ".join(values))
                                        for axis, values in axes.items()])
        )  # fmt: skip
        means = effects(counted, axes)
        section.add(_effects_table(game, what, means))
        section.results["effects"] = means
    mapped = _draw_map(study, section, game, title, axes, counted)
    inside: list[Block] = []
    if not mapped and len(counted) <= MOST_ROWS:
        alt = f"Win rate of the first side in {len(counted)} setups of the study {study.name}."
        block = figure(f"cells-{game}", f"{capital(what)} by the first side in every setup, with 95% intervals.", alt)
        drawn = [(one.label, one.simulation) for one in counted]
        inside.append(section.drawn(block, partial(draw, title, drawn)))
    section.add_fold(f"Every setup of {title}", *inside, _table(game, counted))
    section.results["cells"] = [one.cell for one in counted]
    return [section]


def axes_of(counted: Sequence[CountedCell]) -> dict[str, list[str]]:
    """What differs between the cells: name -> values; numbers and longer axes first."""
    names = dict.fromkeys(name for one in counted for name in one.values)
    axes = {name: list(dict.fromkeys(one.values.get(name, AS_PRINTED) for one in counted)) for name in names}
    varied = {name: _sorted(values) for name, values in axes.items() if len(values) > 1}
    return dict(sorted(varied.items(), key=lambda item: (not _numeric(item[1]), item[0] == "players", -len(item[1]))))


def _numeric(values: Sequence[str]) -> bool:
    return all(value.lstrip("-").isdigit() for value in values)


def _sorted(values: list[str]) -> list[str]:
    return sorted(values, key=int) if _numeric(values) else values


def effects(counted: Sequence[CountedCell], axes: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """The mean of games won, or of the score, over all cells with a value of an axis, for each kind of player."""
    means = []
    players = axes.get(PLAYER, [""])
    others = {axis: values for axis, values in axes.items() if axis != PLAYER} or axes
    rows = [(axis, player, value) for axis in others for player in players for value in others[axis]]
    for axis, player, value in rows:
        wins = [
            cell.reached
            for cell in counted
            if cell.values.get(axis, AS_PRINTED) == value and player in ("", cell.values[PLAYER])
        ]
        if not wins:
            continue
        mean = sum(win.value for win in wins) / len(wins)
        half = math.sqrt(sum(win.half**2 for win in wins)) / len(wins)
        interval = Estimate(mean, mean - half, mean + half, sum(win.n for win in wins), wins[0].unit)
        interval = interval.within(0, 1) if interval.unit == PERCENT else interval
        means.append({"player": player, "axis": axis, "value": value, "cells": len(wins), "win": interval})
    return means


def _effects_table(game: str, what: str, means: Sequence[Mapping[str, Any]]) -> Block:
    several = any(mean["player"] for mean in means)
    columns = [*([Column("player", PLAYER)] if several else []), Column("axis", "what varies"),
               Column("value", "value"), Column("cells", "setups"),
               Column("win", f"{what}, mean of these setups")]  # fmt: skip
    return table(f"effects-{game}", "What each value changes: the mean over all setups with it.", columns, means)


def _draw_map(
    study: StudyResult,
    section: Section,
    game: str,
    title: str,
    axes: Mapping[str, Sequence[str]],
    counted: Sequence[CountedCell],
) -> bool:
    """Add a map if there are at least two axes and not too many panels; returns whether there is one."""
    panels = math.prod(len(values) for values in list(axes.values())[2:])
    if len(axes) < 2 or panels > MOST_PANELS:
        return False
    along, across, *_ = axes
    cells = [
        ({axis: one.values.get(axis, AS_PRINTED) for axis in axes}, one.simulation, one.cell.target) for one in counted
    ]
    wanted = " and ".join(target.text for target in study.targets)
    what = goal_title(one.simulation for one in counted)
    caption = f"{capital(what)} by {along} and {across}."
    block = figure(f"map-{game}", caption, f"{title}: {what} in {len(cells)} setups.")
    section.add_figure(block, partial(draw_map, title, axes, cells, wanted))
    return True


def _table(game: str, counted: Sequence[CountedCell]) -> Block:
    columns = [
        Column("cell", "setup"),
        Column("side", "side", SEATS),
        Column("games", "games"),
        Column("win", "games won"),
        Column("score", "mean score"),
        Column("score_name", "score"),
    ]
    rows = [
        {"cell": one.label, "games": one.simulation.games}
        | {**record, "score_name": record["score_name"].replace("_", " ")}
        for one in counted
        for record in one.simulation.records()
    ]
    return table(f"difficulty-{game}", "Every setup and side, with 95% intervals.", columns, rows)


def _appendix(counted: Sequence[CountedCell]) -> Section:
    section = Section("appendix", "Appendix: seeds, digests, versions")
    columns = [Column("cell", "setup"), Column("seed", "seed"), Column("rules_digest", "rules digest"),
               Column("result_digest", "result digest")]  # fmt: skip
    rows = [
        [one.label, one.simulation.seed, one.simulation.rules_digest, one.simulation.digest if one.cell.done else None]
        for one in counted
    ]
    lines = dict.fromkeys(line for one in counted for line in one.simulation.notes)
    section.add(*(note("{remark}", remark=as_sentence(line)) for line in lines))
    section.add_fold(
        "Digests and versions",
        table("digests", "The digests of the rules and of the result of each setup.", columns, rows),
        text("Versions: {versions}.", versions=versions_text()),
    )
    return section
