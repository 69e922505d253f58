"""Blocks about what players do differently from search, for several sections: habits in a table, mistakes as cards."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.result import shown_side
from houle.analysis.sampling.players import role
from houle.analysis.sampling.positions import JudgedPosition, walk
from houle.analysis.strategy.habits import Habits, Mistake, habits
from houle.reports.blocks import IN_100, PERCENT, Block, Column, number, position, seat_words, table, text
from houle.reports.context import Context
from houle.reports.html.positions import position_rows
from houle.solver.views import move_in_words

MOST_HABITS = 8


def read_habits(context: Context, positions: Sequence[JudgedPosition], examples: int) -> Habits:
    """What a novice does differently from search in these positions."""
    return habits(context.main, positions, [context.novice or "thumb"], context.seed, examples)


def habit_table(result: Habits, name: str, who: str) -> list[Block]:
    """How often every player follows a rule, of those that search certainly follows more often than somebody."""
    telling = result.telling(who)[:MOST_HABITS]
    if not telling:
        return []
    columns = [Column("rule", "rule"), Column("asked", "positions")]
    columns += [Column(player, player.partition("[")[0], PERCENT) for player in telling[0].followed]
    rows = [
        [habit.sentence, habit.asked, *(number(share, PERCENT) for share in habit.followed.values())]
        for habit in telling
    ]
    caption = "How often a rule is followed, where moves differ in it; intervals clustered by game."
    return [table(name, caption, columns, rows)]


def drawn_mistake(context: Context, mistake: Mistake) -> Block:
    """A position drawn as cards, with the better move and the worse one."""
    game, ply = mistake.position.game, mistake.position.ply
    at_table = walk(context.main, context.seed, game, ply)
    played, best = mistake.words
    worse, better = (move_in_words(context.main, move) for move in (played, best))
    who = role(mistake.who)
    caption = text(
        "{who} makes the mistake. Where all play on by rules of thumb, the better move wins {wins} more games in 100.",
        who=f"{who[0].upper()}{who[1:]}",
        wins=number(mistake.wins, IN_100),
    )
    moves = [
        ("best", text("Better: {move}", move=seat_words(better))),
        ("other", text("Mistake: {move}", move=seat_words(worse))),
    ]
    alt = shown_side(f"{better} is better than {worse}.")
    return position(caption, position_rows(at_table, best, played), f"Game {game}, decision {ply}: {alt}", moves)
