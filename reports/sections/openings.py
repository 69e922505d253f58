"""What the deal tells you: chances given what is known when the cards are dealt."""

from __future__ import annotations

from functools import partial

from houle.analysis.fairness.openings import Openings, read_openings
from houle.analysis.fairness.rotating_hands import RotatingHands
from houle.analysis.result import shown_side
from houle.analysis.run import RunSpec
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
    section = Section("openings", "What the deal tells you")
    games, strategy = context.effort.number("openings_games"), context.usual_strategy
    spec = RunSpec(games, context.seed, threads=context.threads, progress=context.progress(2 * games))
    result = read_openings(context.main, strategy, spec)
    lines = _facts_in_words(result)
    if not lines:
        return section
    section.add(
        text(
            "What changes the chances most, as seen right after the deal. Games won, compared with all deals, with "
            "{setup} when {everyone}:",
            setup=context.main_setup,
            everyone=context.everyone,
        ),
        bullets(lines),
        *_confirmed(result),
    )
    inside: list[Block] = []
    if result.remark:
        inside.append(note("{remark}", remark=as_sentence(result.remark)))
    if result.tables:
        facts = listed([shown_side(fact.about) for fact in result.tables[:MOST_FACTS]])
        drawn = figure(
            "openings",
            f"Chances by what the deal shows, compared with all deals; {result.games:,} games.",
            f"Games won and scores by {facts}.",
        )
        inside += [section.drawn(drawn, partial(draw, result)), _table(result)]
    if result.rotating_hands is not None:
        inside += _rotating_hands(result.rotating_hands)
    section.add_fold("All numbers", *inside)
    section.results["openings"] = result.as_json()
    section.repeat = [context.again(result)]
    return section


def _facts_in_words(result: Openings) -> list[Block]:
    lines = []
    for fact in result.tables[:MOST_FACTS]:
        values = sorted(fact.levels, key=lambda level: level.win_more.value)
        worst, best = values[0], values[-1]
        lines.append(
            text(
                "{fact}: best is {best_value}, {best}; worst is {worst_value}, {worst}.",
                fact=seat_words(f"{fact.about[0].upper()}{fact.about[1:]}"),
                best_value=seat_words(best.level),
                best=number(best.win_more, POINTS),
                worst_value=seat_words(worst.level),
                worst=number(worst.win_more, POINTS),
            )
        )
    return lines


def _confirmed(result: Openings) -> list[Block]:
    """The largest difference in new games: it was picked because it is large, so the first number may be luck."""
    check = result.confirmed
    if check is None:
        return []
    fact = next(table for table in result.tables if table.name == check.fact)
    words = "They agree" if check.again else "They do not agree"
    unit = POINTS if check.measure == "win" else PLAIN
    return [
        note(
            "The largest of these differences, checked in as many new games: {fact}, {value}: {picked} at first, "
            "{fresh} in the new games. {verdict}.",
            verdict=words,
            fact=seat_words(fact.about),
            value=seat_words(check.level),
            picked=number(check.picked, unit),
            fresh=number(check.fresh, unit),
        )
    ]


def _table(result: Openings) -> Block:
    columns = [
        Column("fact", "what the deal shows", SEATS),
        Column("level", "value", SEATS),
        Column("n", "times seen"),
        Column("win", "games won", PERCENT),
        Column("win_more", "compared with all deals", POINTS),
        Column("score", result.played.score.replace("_", " ")),
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
        for fact in result.tables[:MOST_FACTS]
        for level in fact.levels
    ]
    return table("openings", "Chances given the deal, with 95% intervals.", columns, rows, shown=False)


def _rotating_hands(hands: RotatingHands) -> list[Block]:
    """Where hands rotate between players: how much the hand decides, and the value of each card."""
    parts = [[name, number(part, PERCENT)] for name, part in hands.parts]
    columns = [Column("part", "what decides a round's score"), Column("share", "share of the variance", PERCENT)]
    caption = (
        "What decides a round. Every hand is played by every player, so the hand can be separated from the player."
    )
    decides = table("rotating_hands", caption, columns, parts)
    cards = [[str(card), number(utility)] for card, utility in hands.card_values]
    columns = [Column("card", "weather card"), Column("value", "points a round more than an average card")]
    return [decides, table("card_values", "What a card in a hand is worth.", columns, cards, shown=False)]
