"""Blocks about what players do differently from search, for several sections: habits in a table, mistakes as cards."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.comparison.words import role
from houle.analysis.result import shown_side
from houle.analysis.sampling.positions import JudgedPosition, walk
from houle.analysis.strategy.habits import Habits, Mistake, habits
from houle.reports.blocks import PERCENT, Block, Column, note, number, position, seat_words, table, text
from houle.reports.context import Context
from houle.reports.html.positions import move_in_words, position_rows

MOST_HABITS = 8


def nothing_to_learn_from(context: Context) -> Block:
    return text("{game} has no rules of thumb yet, so there is nothing to learn this from.", game=context.title)


def read_habits(context: Context, positions: Sequence[JudgedPosition], examples: int) -> Habits:
    """What a beginner does differently from search in these positions."""
    return habits(context.main, positions, [context.novice or "thumb"], context.seed, examples)


def habit_table(result: Habits, name: str) -> Block:
    """How often every player follows each rule; a line where there are too few positions to say."""
    if not result.habits:
        return note("In so few positions moves differ too seldom to tell players apart.")
    columns = [Column("rule", "what search does"), Column("asked", "asked")]
    columns += [Column(player, player.partition("[")[0], PERCENT) for player in result.habits[0].followed]
    rows = [
        [habit.sentence, habit.asked, *(number(share, PERCENT) for share in habit.followed.values())]
        for habit in result.habits[:MOST_HABITS]
    ]
    caption = "How often a rule is followed, where moves differ in it; intervals clustered by game."
    return table(name, caption, columns, rows)


def drawn_mistake(context: Context, mistake: Mistake) -> Block:
    """A position drawn as cards, with the better move and the worse one."""
    game, ply = mistake.position.game, mistake.position.ply
    at_table = walk(context.main, context.seed, game, ply)
    played, best = mistake.words
    worse, better = move_in_words(at_table, played), move_in_words(at_table, best)
    who = role(mistake.who)
    caption = text(
        "{who} would {worse}. Search would {better}: better by {price} of its measure of the end of a round, which "
        "runs from 0 to 1.",
        who=f"{who[0].upper()}{who[1:]}",
        worse=seat_words(worse),
        better=seat_words(better),
        price=number(mistake.price),
    )
    alt = shown_side(f"{better} is better than {worse}.")
    return position(caption, position_rows(at_table, best, played), f"Game {game}, decision {ply}: {alt}")
