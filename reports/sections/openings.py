"""What the deal tells you: chances given what is known when the cards are dealt."""

from __future__ import annotations

from functools import partial

from houle.analysis.blocks import SEATS, Block, Column, bullets, note, table, text
from houle.analysis.fairness.openings import Openings, openings
from houle.analysis.fairness.rotating_hands import RotatingHands
from houle.analysis.players.named_players import THUMB, players_of
from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.openings import draw
from houle.solver.language.seats import from_1
from houle.solver.texts import as_sentence, capital, listed

MOST_FACTS = 4


def fill(context: Context, section: Section) -> None:
    # Where hands rotate, every round is played as the last one of a shorter game. People who think plan for the last
    # round, so they would play it differently.
    who = THUMB if context.main.game.hands_rotate and context.has_thumb else context.level
    result = openings(context.main, strategies=who, **context.run(context.games, 2))
    assert isinstance(result, Openings)  # because no opening was given
    lines = result.sentences(MOST_FACTS)
    if not lines:
        return
    section.add(
        text(
            "What changes the chances most, as seen right after the deal. {measure}, compared with all deals, with "
            "{setup} when {everyone}:",
            measure=capital(result.goal.title),
            setup=context.main_setup,
            everyone=context.everyone if who == context.level else f"{players_of(who)} play",
        ),
        bullets(lines),
    )
    inside: list[Block] = []
    if result.confirmed:
        inside.append(note("The largest of these differences is taken from as many new games."))
    if result.remark:
        inside.append(note("{remark}", remark=as_sentence(result.remark)))
    if result.tables:
        facts = listed([from_1(fact.about) for fact in result.tables[:MOST_FACTS]])
        drawn = figure(
            "openings",
            f"Chances by what the deal shows, compared with all deals; {result.games:,} games.",
            f"Games won and scores by {facts}.",
        )
        inside += [section.drawn(drawn, partial(draw, result, MOST_FACTS)), _table(result)]
    if result.rotating_hands is not None:
        inside += _rotating_hands(result.rotating_hands)
    section.add_fold("All numbers", *inside)
    section.results["openings"] = context.results.openings = result
    section.repeat = [context.again(result)]


def _table(result: Openings) -> Block:
    columns = [
        Column("fact", "what the deal shows", SEATS),
        Column("level", "value", SEATS),
        Column("n", "times seen"),
        *result.goal.pick([Column("win", "games won"), Column("win_more", "compared with all deals")], []),
        Column("score", result.goal.score),
        *result.goal.pick([], [Column("score_more", "compared with all deals")]),
    ]
    rows = [
        [
            fact.about,
            level.level,
            level.n,
            *result.goal.pick((level.win, level.win_more, level.score), (level.score, level.score_more)),
        ]
        for fact in result.tables[:MOST_FACTS]
        for level in fact.levels
    ]
    return table("openings", "Chances given the deal, with 95% intervals.", columns, rows, shown=False)


def _rotating_hands(hands: RotatingHands) -> list[Block]:
    """Where hands rotate between players: how much the hand decides, and the value of each card."""
    columns = [Column("part", "what decides a round's score"), Column("share", "share of the variance")]
    caption = (
        "What decides a round. Every hand is played by every player, so the hand can be separated from the player."
    )
    decides = table("rotating_hands", caption, columns, hands.parts)
    cards = [[str(card), utility] for card, utility in hands.card_values]
    columns = [Column("card", "weather card"), Column("value", "points a round more than an average card")]
    return [decides, table("card_values", "What a card in a hand is worth.", columns, cards, shown=False)]
