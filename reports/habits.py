"""Blocks about what players do differently from search: habits as a table, mistakes as drawn positions."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.blocks import Block, Column, seat_words, table, text
from houle.analysis.sampling.judged_positions import JudgedPosition, walk
from houle.analysis.strategy.habits import Habits, Mistake, habits
from houle.reports.blocks import position
from houle.reports.context import Context
from houle.reports.positions import position_rows
from houle.solver.language.seats import from_1
from houle.solver.matches.views import move_in_words

MOST_HABITS = 8


def read_habits(context: Context, positions: Sequence[JudgedPosition], examples: int) -> Habits:
    """What family players do differently from search in these positions."""
    return habits(context.main, positions, [context.family or "thumb"], context.spec.seed, examples)


def habit_table(result: Habits, name: str, who: str) -> list[Block]:
    """How often every player follows a rule, for rules that search certainly follows more often than `who`."""
    telling = result.telling(who)[:MOST_HABITS]
    if not telling:
        return []
    columns = [Column("rule", "rule"), Column("positions", "positions")]
    columns += [Column(title, title) for title in telling[0].followed]
    rows = [[habit.sentence, habit.asked, *habit.followed.values()] for habit in telling]
    return [table(name, "How often a rule is followed where it makes a difference, in percent.", columns, rows)]


def drawn_mistake(context: Context, mistake: Mistake) -> Block:
    """A position drawn as cards, with the better move and the mistake."""
    game, ply = mistake.position.game, mistake.position.ply
    match = walk(context.main, context.spec.seed, game, ply)
    played, best = mistake.words
    worse, better = (move_in_words(context.main, move) for move in (played, best))
    caption = text("A common mistake. Games won with the better move: {more}.", more=mistake.wins)
    moves = [
        ("best", text("Better: {move}", move=seat_words(better))),
        ("other", text("Mistake: {move}", move=seat_words(worse))),
    ]
    alt = f"{from_1(better)} is better than {from_1(worse)}."
    actions = {match.name(action): action for action in match.moves()}
    rows = position_rows(match, actions[best], actions[played])
    return position(caption, rows, f"Game {game}, decision {ply}: {alt}", moves)
