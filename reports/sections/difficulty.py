"""How hard it is, and for whom: what every kind of player wins in every cooperative setup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from houle.analysis.blocks import Block, Column, about, note, table, text
from houle.analysis.comparison.findings import Finding
from houle.analysis.difficulty.difficulty import Difficulty
from houle.analysis.difficulty.difficulty import difficulty as play_difficulty
from houle.analysis.measures.measures import words
from houle.analysis.players.named_players import calibration_note, named_player, player_kind
from houle.analysis.players.named_players import levels as people
from houle.analysis.players.read_players import EXPERT
from houle.analysis.stats.intervals import picked
from houle.analysis.strategy.learning_curve import learning_curve
from houle.analysis.tuning.refit import refit_gain, warning
from houle.reports.blocks import Section, figure
from houle.reports.context import Context, label_lines, level_of, opposed, strategies_of
from houle.reports.figures.difficulty_by_setup import draw
from houle.reports.figures.where_it_lies import Placed, reference_words
from houle.reports.figures.where_it_lies import draw as draw_places
from houle.reports.sections.verdict import is_known
from houle.solver.rules import is_own
from houle.solver.texts import capital, listed, range_of

OTHER_SETUPS = 2  # times the search games of the main setup, shared by all other setups
LEAST_SEARCHED = 20  # search games of each of them
LEAST_DEALS = 20  # of a learning curve
WORTH_A_TRY = 500  # games of a setup; a smaller report does not try to refit its players


def fill(context: Context, section: Section) -> None:
    if context.games >= WORTH_A_TRY:
        gain = refit_gain(context.main, threads=context.spec.threads)
        context.results.refit = warning(context.main, gain) if gain else ""
    difficulties = context.results.difficulties = play_difficulties(context)
    if not difficulties:
        return
    _where_it_lies(context, section)
    strategies = strategies_of(difficulties)
    roles = {level.strategy: level.role for difficulty in difficulties for level in difficulty.levels}
    where = f"{len(difficulties)} setups of {context.title}"
    goal = difficulties[0].goal
    reached = capital(goal.title)
    alt = f"{reached if goal.is_score else 'Win rates'} of {listed(strategies)} in {where}; the table has the numbers."
    players = {difficulty.setup.players for difficulty in difficulties}
    if "where_it_lies" not in section.drawings or len(players) > 1:  # else that figure has the same setups
        section.add_figure(
            figure("difficulty", f"{reached} in every setup, by every kind of player on the same deals.", alt),
            partial(draw, difficulties, [context.name(difficulty.setup) for difficulty in difficulties]),
        )
    columns = [Column("variant", "variant"), Column("players", context.players_noun())]
    columns += [Column(f"{goal.measure}_{name}", name) for name in strategies]
    few = [i for i, name in enumerate(strategies) if name in (*context.few_players[1:], "clairvoyant")]
    if not goal.is_score:
        columns.append(Column("word", f"difficulty for {context.level}"))
    rows: list[list[Any]] = []
    for difficulty in difficulties:
        levels = [level_of(difficulty, strategy) for strategy in strategies]
        wins = [level and level.reached for level in levels]
        shown_level = level_of(difficulty, context.level)
        word = [] if goal.is_score else [shown_level.word if shown_level else ""]
        rows.append([context.name(difficulty.setup), difficulty.setup.players, *wins, *word])
    _findings(context, section, difficulties)
    for difficulty in difficulties:
        for line in difficulty.doubts:
            section.add(note("{setup}: {line}.", setup=context.described(difficulty.setup), line=line))
    shown = [0, 1, *(2 + i for i in few), *range(2 + len(strategies), len(columns))]
    numbers = reached if goal.is_score else f"{reached}, in percent"
    section.add_fold(
        "The numbers, and what the words mean",
        table(
            "difficulty-few",
            f"{numbers}, with 95% intervals; difficulty.csv has every kind of player.",
            [columns[i] for i in shown],
            [[row[i] for i in shown] for row in rows],
        ),
        table("difficulty", f"{numbers}, with 95% intervals.", columns, rows, shown=False),
        note("{deals}", deals=_deals(context, difficulties)),
        note("The players. {roles}.", roles="; ".join(f"{one}: {role}" for one, role in roles.items())),
        *([] if goal.is_score else [_what_words_mean()]),
    )
    again = _levels(context, section)
    if main := context.main_difficulty:
        others = [one for one in difficulties if one is not main and one.setup.players == main.setup.players]
        changes = [opposed(context.name(one.setup), one, main, context.level) for one in others]
        context.results.opposed = [change for change in changes if change]
        context.results.labels = [line for one in others for line in label_lines(one, main)]
    section.results["difficulties"], section.results["opposed"] = difficulties, context.results.opposed
    ordered = sorted(difficulties, key=lambda difficulty: not context.is_main(difficulty.setup))
    section.repeat = [context.again(difficulty) for difficulty in ordered] + again


def _deals(context: Context, difficulties: Sequence[Difficulty]) -> str:
    """How many deals people and players that search play, and who plays only some setups."""
    levels = [level for difficulty in difficulties for level in difficulty.levels]
    people = range_of({level.tally.games for level in levels if not level.searches})
    searched = {level.tally.games for level in levels if level.searches}
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
    if main is None or not context.has_thumb or main.goal.is_score:  # the line is one of win rates
        return
    names = [level.name for level in people()]
    played = [one for one in context.results.difficulties if one.setup.players == main.setup.players]
    rows: dict[str, list[Placed]] = {}
    for one in sorted(played, key=lambda one: bool(one.setup.variants)):
        own = one is main and is_own(main.setup)
        for level in one.levels:  # the head says of the others that they played too few games
            if level.strategy in (*names, context.expert) and is_known(level):
                rows.setdefault(level.strategy, []).append(Placed(context.name(one.setup), level.win, own))
    where = f"{context.title} for {context.players(main.setup)}: where it lies"
    alt = "; ".join(
        f"{level}: " + ", ".join(f"{placed.name} {placed.win.short()}" for placed in row) for level, row in rows.items()
    )
    section.add_figure(
        figure("where_it_lies", f"Every setup on a line from impossible to a gift. {reference_words()}", f"{alt}."),
        partial(draw_places, rows, where, [main.setup]),
    )


def play_difficulties(context: Context) -> list[Difficulty]:
    """Play every cooperative setup; all but the main one share a limited number of search games.

    Where an effort has no time for all levels, experts play only the main setup, and other numbers of players are
    played by levels up to that of the page.
    """
    games, searched = context.games, context.effort.number("search_games")
    setups = context.cooperative
    others = OTHER_SETUPS * searched // max(1, len(setups) - 1)
    difficulties = []
    for i, setup in enumerate(setups):
        solved = bool(context.effort["bound"]) and setup.game.has_solver
        players = context.strategies
        if not context.effort.counts.get("all_levels", True) and not context.is_main(setup):
            same = setup.players == context.main.players
            players = [name for name in players if name != context.expert]
            players = players if same else players[: players.index(context.level) + 1]
        strategies = [*players, *(["clairvoyant"] if solved else [])]
        count = searched if context.is_main(setup) else min(searched, max(LEAST_SEARCHED, others))
        run = context.run(games, len(strategies), (i / len(setups), (i + 1) / len(setups)))
        difficulties.append(
            play_difficulty(setup, strategies=strategies, search_games=count, alone=True, **run)
        )  # fmt: skip
    return difficulties


def _levels(context: Context, section: Section) -> list[str]:
    """Add what levels of people win in the main setup and what each rule adds; returns the commands that repeat it."""
    setup, deals = context.main, max(LEAST_DEALS, context.effort.number("skill_deals"))
    played = context.main_difficulty
    if played is None or not context.has_thumb:
        return []
    curve = learning_curve(setup, **context.run(deals, span=(1.0, 1.0)))
    section.add(*curve.sentences())
    won_by = {level.strategy: level.reached for level in played.levels}
    levels = [[one.name, one.what, won_by.get(one.name)] for one in (*people(), named_player(EXPERT)) if one]
    section.add_fold(
        "From first game to experience, and what there is to learn",
        table(
            "players", f"{capital(played.goal.title)} by levels of people, with {context.main_setup}.",
            [Column("level", "level"), Column("what", "how it plays"), Column(played.goal.measure, played.goal.title)],
            levels,
        ),
        note("{calibration}", calibration=calibration_note()),
        *curve.details(),
    )  # fmt: skip
    section.results["learning_curve"] = curve
    return [context.again(curve)]


def _findings(context: Context, section: Section, difficulties: Sequence[Difficulty]) -> None:
    """Add what is strange about the rules, once for each kind, for the setup where it happens most."""
    seen: dict[str, list[tuple[Finding, Difficulty]]] = {}
    for difficulty in difficulties:
        for finding in difficulty.findings:
            seen.setdefault(finding.what, []).append((finding, difficulty))
    for what, cases in seen.items():
        worst, difficulty = max(cases, key=lambda pair: (pair[0].rate.n, pair[0].rate.value))
        names = {level.strategy: player_kind(level.strategy) for level in difficulty.levels}
        players = "" if worst.deals or not worst.arm else f" and {names.get(worst.arm, worst.arm)} players"
        words = text(
            "Worth a look: with {setup}{players}, {rate} of {what}.",
            setup=context.described(difficulty.setup),
            players=players,
            rate=picked(worst.rate, len(cases)),
            what=what,
        )
        section.add(about(words, worst.arm or "every player", f"share of {what}"))
