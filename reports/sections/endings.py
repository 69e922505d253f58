"""How long games live, and what kills them: for games that end by a card that cannot be laid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from houle.analysis.difficulty.endings import Endings, check_mortal, endings
from houle.reports.blocks import PERCENT, SEATS, Block, Column, Section, figure, number, table, text
from houle.reports.context import Context
from houle.reports.figures.endings import draw
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup

MOST_CARDS = 5
STEPS = 8  # rows of the table of games alive, about


def make_section(context: Context) -> Section:
    section = Section("endings", "How long games live, and what kills them")
    mortal = [setup for setup in context.setups if _can_die(setup)]
    if not mortal:
        return section
    main = context.main if context.main in mortal else mortal[0]
    setups = [main, *(setup for setup in mortal if setup.players == main.players and setup is not main)]
    games, strategy = context.effort.number("endings_games"), context.usual_strategy
    results: list[Endings] = []
    for i, setup in enumerate(setups):
        progress = context.table_progress(games, i, len(setups))
        results.append(
            endings(
                setup, strategies=strategy, games=games, seed=context.seed, threads=context.threads, progress=progress
            )
        )
    first = results[0]
    _sentences(context, section, first)
    section.add_figure(
        figure(
            "endings",
            f"Lives and deaths with {context.table(main)}.",
            f"Chance to be alive by cards laid; {100 * first.alive[-1].value:.0f}% are won in the end.",
        ),
        partial(draw, first),
    )
    columns = [Column("who", "who", SEATS), Column("share", "lost games", PERCENT)]
    stuck = [[name, number(rate, PERCENT)] for name, rate in first.died_at.items()]
    section.add_fold(
        "Every variant card by card, the deadliest cards, at whom games end",
        _alive(context, results),
        _deadliest_cards(first),
        table("stuck", "At whom lost games end.", columns, stuck),
    )
    section.results["endings"] = [result.as_json() for result in results]
    section.repeat = [context.again(result) for result in results]
    return section


def _can_die(setup: Setup) -> bool:
    try:
        check_mortal(setup)
    except InputError:
        return False
    return True


def _sentences(context: Context, section: Section, first: Endings) -> None:
    half = next((laid for laid, alive in enumerate(first.alive) if alive.value < 0.5), None)
    who = {"table": context.table(first.setup), "strategy": context.usual_strategy}
    if half is None:
        section.add(text("With {table}, everyone playing {strategy}, more than half of the games are won.", **who))
    else:
        section.add(
            text(
                "With {table}, everyone playing {strategy}, half of the games are over before card {half} is laid.",
                **who,
                half=half,
            )
        )
    deadliest, rate = max(first.deadly.items(), key=lambda item: item[1].value)
    left, left_rate = max(first.left_close.items(), key=lambda item: item[1].value)
    if rate.n:
        section.add(
            text(
                "The deadliest card to leave on top is {deadliest}: {rate} of the times it lies there the game ends. "
                "In games that nearly succeed the card most often left over is {left_card}: {left}.",
                deadliest=deadliest,
                rate=number(rate, PERCENT),
                left_card=left,
                left=number(left_rate, PERCENT),
            )
        )


def _alive(context: Context, results: Sequence[Endings]) -> Block:
    last = len(results[0].alive) - 1
    places = [*range(0, last, max(1, last // STEPS)), last]
    variants = [context.name(result.setup) for result in results]
    columns = [Column("cards", "cards laid"), *(Column(f"alive_{name}", name, PERCENT) for name in variants)]
    rows = [
        [laid, *(number(result.alive[laid], PERCENT) if laid < len(result.alive) else None for result in results)]
        for laid in places
    ]
    players = results[0].setup.players
    return table("endings", f"Games still alive, in percent; {players} {context.players_noun()}.", columns, rows)


def _deadliest_cards(first: Endings) -> Block:
    columns = [
        Column("card", "card on top"),
        Column("deadly", "game ends on it, of the times on top", PERCENT),
        Column("died_on", "of all lost games", PERCENT),
        Column("left_close", "left over, of games nearly won", PERCENT),
    ]
    ranked = sorted(first.deadly.items(), key=lambda item: -item[1].value)[:MOST_CARDS]
    rows = [
        [card, number(rate, PERCENT), number(first.died_on[card], PERCENT), number(first.left_close[card], PERCENT)]
        for card, rate in ranked
    ]
    return table("killers", "The deadliest cards to leave on top.", columns, rows)
