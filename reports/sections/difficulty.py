"""How hard it is, and for whom: what every kind of player wins in every cooperative setup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from houle.analysis.blocks import Block, Column, about, note, table, text
from houle.analysis.measures.measures import words
from houle.analysis.players.line_ups import has_search, line_up
from houle.analysis.players.listing import role
from houle.analysis.players.named_players import calibration_note, player_kind
from houle.analysis.players.named_players import levels as people
from houle.analysis.stats.looks import joint
from houle.analysis.tables.difficulty import doubts, play_difficulty
from houle.analysis.tables.findings import Finding
from houle.analysis.tables.table import Table
from houle.reports.blocks import Section, figure
from houle.reports.context import Context, label_lines, level_of, opposed, strategies_of
from houle.reports.figures.table import draw
from houle.reports.figures.where_it_lies import Placed, reference_words
from houle.reports.figures.where_it_lies import draw as draw_places
from houle.reports.sections.verdict import MOST_COLUMNS, is_known
from houle.solver.rules import Setup, is_own, printed
from houle.solver.texts import capital, listed, range_of

OTHER_SETUPS = 2  # times the search games of the main setup, shared by all other setups
LEAST_SEARCHED = 20  # search games of each of them


def fill(context: Context, section: Section) -> None:
    difficulties = context.results.difficulties = play_difficulties(context)
    if not difficulties:
        return
    main = context.main_difficulty
    shown = level_of(main, context.level) if main else None
    if shown and not context.knows(
        section, shown.value, 1.0 if shown.measure == "win" else main.goal.span if main else 1.0
    ):
        return
    _where_it_lies(context, section)
    strategies = strategies_of(difficulties)
    roles = {
        level.strategy: role(level.arm.line_up.strategies[0])
        for difficulty in difficulties
        for level in difficulty.levels
    }
    goal = difficulties[0].goal
    reached = capital(goal.title)
    columns = [Column("variant", "variant"), Column("players", context.players_noun())]
    columns += [Column(f"{goal.measure}_{name}", name) for name in strategies]
    few = [i for i, name in enumerate(strategies) if name in (*context.few_players[1:], "clairvoyant")]
    if not goal.is_score:
        columns.append(Column("word", f"difficulty for {context.level}"))
    rows: list[list[Any]] = []
    for difficulty in difficulties:
        levels = [level_of(difficulty, strategy) for strategy in strategies]
        wins = [level and level.value for level in levels]
        shown_level = level_of(difficulty, context.level)
        word = [] if goal.is_score else [shown_level.note if shown_level else ""]
        rows.append([context.name(difficulty.setup), difficulty.setup.players, *wins, *word])
    _findings(context, section, difficulties)
    for difficulty in difficulties:
        for line in doubts(goal, difficulty.levels, difficulty.sample):
            section.add(note("{setup}: {line}", setup=context.described(difficulty.setup), line=line))
    chosen = [0, 1, *(2 + i for i in few), *range(2 + len(strategies), len(columns))]
    numbers = reached if goal.is_score else f"{reached}, in percent"
    few_rows = table(
        "difficulty-few",
        f"{numbers}, with 95% intervals; difficulty.csv has every kind of player.",
        [columns[i] for i in chosen],
        [[row[i] for i in chosen] for row in rows],
    )
    section.add_fold(
        "The numbers, and what the words mean",
        *([few_rows] if len(rows) > MOST_COLUMNS else []),  # else the head has them
        table("difficulty", f"{numbers}, with 95% intervals.", columns, rows, shown=False),
        note("{deals}", deals=_deals(context, difficulties)),
        note("The players. {roles}.", roles="; ".join(f"{one}: {role}" for one, role in roles.items())),
        *([] if goal.is_score else [_what_words_mean()]),
        *([note("{calibration}", calibration=calibration_note())] if context.has_thumb else []),
    )
    if main:
        others = [one for one in difficulties if one is not main and one.setup.players == main.setup.players]
        changes = [opposed(context.name(one.setup), one, main, context.level) for one in others]
        context.results.opposed = [change for change in changes if change]
        context.results.labels = [line for one in others for line in label_lines(one, main)]
    section.results["difficulties"], section.results["opposed"] = difficulties, context.results.opposed
    ordered = sorted(difficulties, key=lambda one: not context.is_main(one.setup))
    section.repeat = [line for one in ordered for line in _commands(context, one)]


def _deals(context: Context, difficulties: Sequence[Table]) -> str:
    """How many deals people and players that search play, and who plays only some setups."""
    levels = [level for difficulty in difficulties for level in difficulty.levels]
    people = range_of({level.value.n for level in levels if not has_search(level.arm.line_up)})
    searched = {level.value.n for level in levels if has_search(level.arm.line_up)}
    ahead = f", of players that plan ahead {range_of(searched)}" if searched else ""
    few = [name for name in strategies_of(difficulties) if not all(level_of(one, name) for one in difficulties)]
    some = f" Only some setups are played by: {listed(few)}; --effort normal plays all." if few else ""
    return f"Deals of each setup: {people}{ahead}.{some}"


def _what_words_mean() -> Block:
    limits = ", ".join(f"{limit['word']}: from {100 * limit['least']:g}% won" for limit in words()["difficulty"])
    return note("The words. {limits}. Two words mean that the interval allows both.", limits=limits)


def _where_it_lies(context: Context, section: Section) -> None:
    """Add the figure with the setups of the report that have as many players as the main one, for each level."""
    main = context.main_difficulty
    if main is None:
        return
    if not context.has_thumb or main.goal.is_score:  # the line is one of win rates
        caption = f"{capital(main.goal.title)} by every kind of player on the same deals, with {context.main_setup}."
        alt = "; ".join(f"{level.strategy}: {level.value.short()}" for level in main.levels)
        section.add_figure(figure("difficulty", caption, f"{alt}."), partial(draw, main))
        return
    names = [level.name for level in people()]
    played = [one for one in context.results.difficulties if one.setup.players == main.setup.players]
    rows: dict[str, list[Placed]] = {}
    for one in sorted(played, key=lambda one: bool(one.setup.variants)):
        own = one is main and is_own(main.setup)
        for level in one.levels:
            if level.strategy in (*names, context.expert) and is_known(level):
                rows.setdefault(level.strategy, []).append(Placed(context.name(one.setup), level.value, own))
    where = f"{context.title} for {context.players(main.setup)}: where it lies"
    alt = "; ".join(
        f"{level}: " + ", ".join(f"{placed.name} {placed.win.short()}" for placed in row) for level, row in rows.items()
    )
    section.add_figure(
        figure("where_it_lies", f"Every setup on a line from impossible to a gift. {reference_words()}", f"{alt}."),
        partial(draw_places, rows, where, [main.setup]),
    )


def play_difficulties(context: Context) -> list[Table]:
    """Play every cooperative setup; all but the main one share a limited number of search games.

    The level of the page plays more games of the main setup. Where an effort has no time for all levels, other numbers
    of players are played by levels up to that of the page.
    """
    setups = context.cooperative
    difficulties = []
    for i, setup in enumerate(setups):
        solved = bool(context.effort["bound"]) and setup.game.has("solve")
        players = context.strategies
        if not context.effort.counts.get("all_levels", True) and not context.is_main(setup):
            same = setup.players == context.main.players
            players = players if same else players[: players.index(context.level) + 1]
        names = [*players, *(["clairvoyant"] if solved else [])]
        run = context.run(context.games, len(names), (i / len(setups), (i + 1) / len(setups)))
        deals = _deals_of(context, setup, names)
        difficulties.append(play_difficulty(setup, names, run, alone=True, deals=deals))
    return difficulties


def _commands(context: Context, difficulty: Table) -> list[str]:
    """The commands for the levels of a setup: one for each number of deals."""
    names: dict[int, list[str]] = {}
    for level in difficulty.levels:
        names.setdefault(level.value.n, []).append(level.strategy)
    return [
        context.command("difficulty", difficulty.setup, "-s", ",".join(some), "-n", deals)
        for deals, some in names.items()
    ]


def _deals_of(context: Context, setup: Setup, names: Sequence[str]) -> dict[str, int]:
    """Deals of each player: more of the level of the page here and in print, few of players that search."""
    searched = int(context.effort.counts.get("search_games", LEAST_SEARCHED))
    others = OTHER_SETUPS * searched // max(1, len(context.cooperative) - 1)
    count = searched if context.is_main(setup) else min(searched, max(LEAST_SEARCHED, others))
    deals = dict.fromkeys(names, context.games)
    if setup.digest in (context.main.digest, printed(context.main).digest) and context.level in deals:
        deals[context.level] = context.level_games
    return {
        name: min(count, context.games) if has_search(line_up(setup, name)) else number
        for name, number in deals.items()
    }


def _findings(context: Context, section: Section, difficulties: Sequence[Table]) -> None:
    """Add what is strange about the rules, once for each kind, for the setup where it happens most."""
    seen: dict[str, list[tuple[Finding, Table]]] = {}
    for difficulty in difficulties:
        for finding in difficulty.findings:
            seen.setdefault(finding.what, []).append((finding, difficulty))
    for what, cases in seen.items():
        worst, difficulty = max(cases, key=lambda pair: (pair[0].rate.n, pair[0].rate.value))
        if worst.deals and context.is_main(difficulty.setup):  # the head says it
            continue
        names = {level.strategy: player_kind(level.strategy) for level in difficulty.levels}
        players = "" if worst.deals or not worst.arm else f" and {names.get(worst.arm, worst.arm)} players"
        words = text(
            "Worth a look: with {setup}{players}, {rate} of {what}.",
            setup=context.described(difficulty.setup),
            players=players,
            rate=joint(worst.rate, len(cases)),
            what=what,
        )
        section.add(about(words, worst.arm or "every player", f"share of {what}"))
