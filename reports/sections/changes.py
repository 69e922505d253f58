"""What a variant changes, on the same games; and what tables with rivals are like."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from houle.reports.blocks import PERCENT, POINTS, Column, Section, figure, note, number, table, text
from houle.reports.context import Inquiry, variant

if TYPE_CHECKING:
    from houle.analysis.comparison.compare import Comparison
    from houle.analysis.sampling.grid import Arm
    from houle.solver.ruleset import Setup


def _arm(setup: Setup, strategy: str) -> Arm:
    from houle.analysis.sampling.grid import Arm
    from houle.solver.strategies.player import line_up

    return Arm(setup, line_up(setup, [strategy]).names, {}, variant(setup))


def shape(inquiry: Inquiry) -> Section:
    """Tables with rivals: length, draws, the first seat, how far apart sides end."""
    section = Section("shape", "What games are like")
    if not inquiry.rivals:
        section.add(text("All players are one side at every table of this report: nobody is ahead of anybody."))
        return section
    from houle.analysis.comparison.measures import estimate, is_percent, possible_measures
    from houle.analysis.comparison.words import words
    from houle.analysis.sampling.paired import play_arms

    names = [name for name in ("length", "draws", "first-seat", "spread")
             if all(name in possible_measures(setup) for setup in inquiry.rivals)]  # fmt: skip
    games = inquiry.effort.number("games")
    arms = [_arm(setup, inquiry.usual) for setup in inquiry.rivals]
    told = inquiry.progress(games * len(arms))
    played = play_arms(arms, inquiry.seed, games, inquiry.threads, told, pairs=False)
    measures = words()["measures"]
    columns = [Column("variant", "variant"), Column("players", "players")]
    columns += [Column(name, measures[name]["title"], _unit(name)) for name in names]
    rows = [
        [variant(arm.setup), arm.setup.players, *(number(estimate(played, i, name), _unit(name)) for name in names)]
        for i, arm in enumerate(arms)
    ]
    about = "; ".join(
        f"{measures[name]['title']}: {measures[name]['about']}"
        for name in names
        if measures[name]["about"] != measures[name]["title"]
    )
    section.add(
        text(f"Everyone plays {inquiry.usual}, {{games}} games of every table.", games=games),
        table("shape", "What games are like at every table, with 95% intervals.", columns, rows),
        note(f"{about[0].upper()}{about[1:]}."),
    )
    section.results["tables"] = [
        {
            "table": variant(arm.setup),
            "players": arm.setup.players,
            "rules_digest": arm.setup.digest,
            **{name: {"percent": is_percent(name), **(number(estimate(played, i, name)) or {})} for name in names},
        }
        for i, arm in enumerate(arms)
    ]
    section.repeat = [
        f"houle sweep {inquiry.arguments(inquiry.rivals[0])} -s {inquiry.usual} -n {games} --seed {inquiry.seed}"
    ]
    return section


def _unit(name: str) -> str:
    return POINTS if name == "first-seat" else PERCENT if name == "draws" else ""


def changes(inquiry: Inquiry) -> Section:
    """Paired differences between the variants, for every number of players."""
    section = Section("changes", "What a variant changes")
    counts = list(dict.fromkeys(setup.players for setup in inquiry.setups))
    groups = [[setup for setup in inquiry.setups if setup.players == players] for players in counts]
    groups = [group for group in groups if len(group) > 1]
    if not groups:
        section.add(text("This report has no two variants with the same number of players."))
        return section
    from houle.analysis.comparison.compare import compare_arms

    games = inquiry.effort.number("compare_games")
    found: list[Comparison] = []
    for i, group in enumerate(groups):
        arms = [_arm(setup, inquiry.usual) for setup in group]
        told = inquiry.progress(games * len(arms), i / len(groups), 1 / len(groups))
        found.append(compare_arms(arms, games, inquiry.seed, (), None, inquiry.threads, told))
    section.add(
        text(
            f"Each variant plays the same {{games}} games of the seed as {found[0].arms[0].label} does, everyone plays "
            f"{inquiry.usual}, so that the luck of the deal cancels as far as the rules allow.",
            games=games,
        )
    )
    from houle.reports.figures.compare import draw

    first = next((one for one in found if inquiry.main in [arm.setup for arm in one.arms]), found[0])
    alt = "; ".join(
        f"{row.arm.label}, {row.measure}: {row.verdict.text}" for row in first.rows if row.verdict and row.difference
    )
    players = first.arms[0].setup.players
    # Two measures side by side still read on a phone.
    for i in range(0, len(first.measures), 2):
        some = replace(first, measures=first.measures[i : i + 2])
        name = "changes" if i == 0 else f"changes-{i // 2 + 1}"
        caption = f"Differences from {first.arms[0].label}, {players} {inquiry.people}."
        section.draw(figure(name, caption, f"{alt}."), partial(draw, some))
    for measure in first.measures:
        section.add(_table(inquiry, found, measure))
    section.results["comparisons"] = [one.as_json() for one in found]
    for group in sorted(groups, key=lambda group: inquiry.main not in group):
        words = f"{group[0].ruleset.name} -p {group[0].players} " + " ".join(
            f"-v {'+'.join(setup.variants) or 'base'}" for setup in group
        )
        section.repeat.append(f"houle compare {words} -s {inquiry.usual} -n {games} --seed {inquiry.seed}")
    return section


def _table(inquiry: Inquiry, found: list[Comparison], measure: str) -> dict[str, Any]:
    from houle.analysis.comparison.measures import is_percent, measure_title

    percent = is_percent(measure)
    rows = []
    for one in found:
        for row in one.rows:
            if row.measure != measure:
                continue
            unit = PERCENT if percent else ""
            more = number(row.difference.interval, POINTS if percent else "") if row.difference else None
            verdict = row.verdict.text if row.verdict else "yardstick"
            rows.append([row.arm.setup.players, row.arm.label, number(row.value, unit), more, verdict])
    title = measure_title(measure, [arm.setup for arm in found[0].arms]).replace("_", " ")
    columns = [
        Column("players", inquiry.people),
        Column("variant", "variant"),
        Column("value", title, PERCENT if percent else ""),
        Column("difference", "difference", POINTS if percent else ""),
        Column("verdict", "verdict"),
    ]
    name = f"changes-{measure}"
    return table(name, f"{title.capitalize()}, and the difference from the same games of the yardstick.", columns, rows)
