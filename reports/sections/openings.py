"""What the start tells: chances given what is known when the cards are dealt."""

from __future__ import annotations

from functools import partial

from houle.analysis.fairness.openings import Openings, read_openings
from houle.analysis.fairness.rotating_hands import RotatingHands
from houle.analysis.result import shown_side
from houle.reports.blocks import (
    PERCENT,
    PLAIN,
    POINTS,
    SEATS,
    Block,
    Column,
    Section,
    bullets,
    figure,
    note,
    number,
    seat_words,
    table,
    text,
)
from houle.reports.context import Context
from houle.reports.figures.openings import draw
from houle.reports.html.format import as_sentence, listed

MOST_FACTS = 4


def make_section(context: Context) -> Section:
    section = Section("openings", "What the start tells")
    games, strategy = context.effort.number("openings_games"), context.usual_strategy
    starts = read_openings(
        context.main, strategy, games, context.seed, context.threads, context.progress(2 * games), confirm=True
    )
    section.add(
        text(
            "With {table}, everyone playing {strategy}, {games} games told apart by how they began. The facts that "
            "tell most:",
            table=context.main_table,
            strategy=strategy,
            games=starts.games,
        )
    )
    lines = _facts_in_words(starts)
    if not lines:
        section.blocks.clear()
        return section
    section.add(bullets(lines), *_confirmed(starts))
    inside: list[Block] = []
    if starts.remark:
        inside.append(note("{remark}", remark=as_sentence(starts.remark)))
    if starts.tables:
        facts = listed([shown_side(fact.about) for fact in starts.tables[:MOST_FACTS]])
        drawn = figure(
            "openings",
            "What starts are worth, as differences from all starts.",
            f"Wins and scores by {facts}.",
        )
        inside += [section.drawn(drawn, partial(draw, starts)), _table(starts)]
    if starts.rotating_hands is not None:
        inside += _rotating_hands(starts.rotating_hands)
    section.add_fold("Every start", *inside)
    section.results["openings"] = starts.as_json()
    section.repeat = [context.again(starts)]
    return section


def _facts_in_words(starts: Openings) -> list[Block]:
    lines = []
    for fact in starts.tables[:MOST_FACTS]:
        values = sorted(fact.levels, key=lambda level: level.win_more.value)
        worst, best = values[0], values[-1]
        lines.append(
            text(
                "{fact}: {best_value} is best with {best}, {worst_value} worst with {worst}, against all starts.",
                fact=seat_words(f"{fact.about[0].upper()}{fact.about[1:]}"),
                best_value=seat_words(best.level),
                best=number(best.win_more, POINTS),
                worst_value=seat_words(worst.level),
                worst=number(worst.win_more, POINTS),
            )
        )
    return lines


def _confirmed(starts: Openings) -> list[Block]:
    """What differs most was picked for it: what fresh games say stands beside what the others said."""
    found = starts.confirmed
    if found is None:
        return []
    fact = next(table for table in starts.tables if table.name == found.fact)
    words = "Fresh games agree" if found.again else "Fresh games do not agree"
    unit = POINTS if found.measure == "win" else PLAIN
    return [
        note(
            "Largest of many: {fact}, {value}: {picked} in the games that picked it, {fresh} in as many fresh ones. "
            "{verdict}.",
            verdict=words,
            fact=seat_words(fact.about),
            value=seat_words(found.level),
            picked=number(found.picked, unit),
            fresh=number(found.fresh, unit),
        )
    ]


def _table(starts: Openings) -> Block:
    columns = [
        Column("fact", "what is known", SEATS),
        Column("level", "value", SEATS),
        Column("n", "seen"),
        Column("win", "wins", PERCENT),
        Column("win_more", "more than all", POINTS),
        Column("score", starts.played.score.replace("_", " ")),
    ]
    rows = [
        [
            fact.about,
            level.level,
            level.n,
            number(level.win, PERCENT),
            number(level.win_more, POINTS),
            number(level.score),
        ]
        for fact in starts.tables[:MOST_FACTS]
        for level in fact.levels
    ]
    return table("openings", "Chances given the start, with 95% intervals.", columns, rows, shown=False)


def _rotating_hands(hands: RotatingHands) -> list[Block]:
    """Hands that travel: what the hand decides apart from the seat, and the worth of each card."""
    parts = [[name, number(part, PERCENT)] for name, part in hands.parts]
    columns = [Column("part", "what decides a round's score"), Column("share", "share of its variance", PERCENT)]
    caption = "What decides a round: hands travel round the table, so that a hand can be told from who plays it."
    decides = table("travel", caption, columns, parts)
    cards = [[str(card), number(utility)] for card, utility in hands.utilities]
    columns = [Column("card", "weather card"), Column("utility", "points a round more than an average card")]
    return [decides, table("worths", "What a card in a hand is worth.", columns, cards, shown=False)]
