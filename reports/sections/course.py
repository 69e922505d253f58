"""The course of games where players compete and no variant is compared: length, draws, first seat, spread of points."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.blocks import Column, table, text
from houle.analysis.measures.measures import estimate, is_percent, possible_measures, usual_measures, words
from houle.analysis.sampling.paired_arms import play_arms
from houle.reports.blocks import Section
from houle.reports.context import Context
from houle.solver.rules import Setup, is_own

MOST_ROWS = 3  # in a table outside a fold


def fill(context: Context, section: Section) -> None:
    counts = [setup.players for setup in context.setups]
    setups = [setup for setup in context.competitive if counts.count(setup.players) == 1]
    if not setups or setups == [context.main]:  # the section on balance has the numbers of one setup
        return
    names = [name for name in usual_measures(setups) if all(name in possible_measures(setup) for setup in setups)]
    games = context.games
    arms = [context.arm(setup) for setup in setups]
    played = play_arms(arms, context.part(games, len(arms)), pairs=False)
    estimates = [{name: estimate(played, i, name) for name in names} for i in range(len(setups))]
    records = [
        {"variant": context.name(setup), "players": setup.players, "rules_digest": setup.digest, **measured}
        for setup, measured in zip(setups, estimates, strict=True)
    ]
    measures = words()["measures"]
    columns = [Column("variant", "variant"), Column("players", "players")]
    columns += [Column(name, measures[name]["title"]) for name in names]
    section.add(text("{games} games of every setup, when {everyone}.", games=games, everyone=context.everyone))
    blocks = [table("course", "The course of games, with 95% intervals.", columns, records)]
    if len(records) > MOST_ROWS:
        section.add_fold("Every setup", *blocks)
    else:
        section.add(*blocks)
    section.results["setups"] = [
        {**record, **{name: {"percent": is_percent(name), **one.as_json()} for name, one in measured.items()}}
        for record, measured in zip(records, estimates, strict=True)
    ]
    section.repeat = _commands(context, setups, names, games)


def _commands(context: Context, setups: Sequence[Setup], measures: Sequence[str], games: int) -> list[str]:
    """One sweep if only the number of players differs; else one for each setup, with random play as a second arm."""
    first, *others = setups
    players = [word for setup in others for word in ("-p", str(setup.players))]
    counts = ("-s", context.level, "-n", games)
    if others and all(setup.variants == first.variants and not is_own(setup) for setup in setups):
        return [context.command("sweep", first, *players, *counts, "--measure", ",".join(measures))]
    measured = ("-s", "random", "--measure", ",".join(measures))
    return [context.command("sweep", setup, *counts, *measured) for setup in setups]
