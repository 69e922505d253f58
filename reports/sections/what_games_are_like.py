"""What games are like at tables with rivals: length, draws, the first seat, how far apart sides end."""

from __future__ import annotations

from houle.analysis.comparison.measures import estimate, is_percent, possible_measures
from houle.analysis.comparison.words import words
from houle.analysis.sampling.paired import play_arms
from houle.reports.blocks import PERCENT, POINTS, Column, Section, note, number, table, text
from houle.reports.context import Context
from houle.reports.html.format import as_sentence
from houle.reports.names import variant_name

UNITS = {"length": "", "draws": PERCENT, "first-seat": POINTS, "spread": ""}


def make_section(context: Context) -> Section:
    section = Section("shape", "What games are like")
    setups = context.competitive
    if not setups:
        section.add(text("All players are one side at every table of this report: nobody is ahead of anybody."))
        return section
    names = [name for name in UNITS if all(name in possible_measures(setup) for setup in setups)]
    games = context.effort.number("games")
    arms = [context.arm(setup) for setup in setups]
    progress = context.progress(games * len(arms))
    played = play_arms(arms, context.seed, games, context.threads, progress, pairs=False)
    measures = words()["measures"]
    columns = [Column("variant", "variant"), Column("players", "players")]
    columns += [Column(name, measures[name]["title"], UNITS[name]) for name in names]
    rows = [
        [
            variant_name(setup),
            setup.players,
            *(number(estimate(played, i, name), UNITS[name]) for name in names),
        ]
        for i, setup in enumerate(setups)
    ]
    explained = "; ".join(
        f"{measures[name]['title']}: {measures[name]['about']}"
        for name in names
        if measures[name]["about"] != measures[name]["title"]
    )
    section.add(
        text("Everyone plays {strategy}, {games} games of every table.", strategy=context.usual_strategy, games=games),
        table("shape", "What games are like at every table, with 95% intervals.", columns, rows),
        note("{measures}", measures=as_sentence(explained)),
    )
    section.results["tables"] = [
        {
            "table": variant_name(setup),
            "players": setup.players,
            "rules_digest": setup.digest,
            **{name: {"percent": is_percent(name), **(number(estimate(played, i, name)) or {})} for name in names},
        }
        for i, setup in enumerate(setups)
    ]
    section.repeat = [context.command("sweep", setups[0], "-s", context.usual_strategy, "-n", games)]
    return section
