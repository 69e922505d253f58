"""Typical mistakes: the costliest ones of family players as drawn positions, and rules they follow too seldom."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.blocks import Block, Column, about, note, seat_words, table, text
from houle.analysis.explain.few_rules import asks_for
from houle.analysis.explain.habits import Habits, Mistake, habits
from houle.analysis.measures.goal import Goal
from houle.analysis.players.named_players import FAMILY, THUMB
from houle.analysis.sampling.judged_positions import JudgedPosition, walk
from houle.reports.blocks import Section, position
from houle.reports.cards import position_rows
from houle.reports.context import Context
from houle.solver.language.seats import from_1
from houle.solver.matches.views import move_in_words
from houle.solver.texts import capital

MOST_HABITS = 8
OPEN = 2  # mistakes shown outside the fold


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb or not context.positions:
        return
    result = read_habits(context, context.positions, context.effort.number("examples"))
    rules = habit_table(result, "mistakes", FAMILY)
    drawn = drawn_mistakes(context, result)
    if drawn:
        section.add(
            text(
                "Mistakes of simulated family players, as the player saw the game. A solid ring marks the better move, "
                "a dashed ring the mistake. Gains are for players who go on by the rules of thumb."
            ),
            *drawn[:OPEN],
        )
        section.add_fold("More mistakes", *drawn[OPEN:])
    else:
        section.add(text("None of {positions} positions shows a mistake that is certain.", positions=result.positions))
    if rules:
        section.add_fold(
            "Rules that family players follow too seldom",
            *rules,
            note("The table shows how moves differ, not why: rules overlap."),
        )
    section.results["habits"] = result


def drawn_mistakes(context: Context, result: Habits) -> list[Block]:
    """The mistakes that certainly lose games; none that a rule of the short list asks for."""
    rules, main = context.results.rules, context.main
    return [
        drawn_mistake(context, one)
        for one in result.mistakes
        if one.wins.low > 0 and not asks_for(rules, main, one.position, one.chosen, other=one.position.best)
    ]


def read_habits(context: Context, positions: Sequence[JudgedPosition], examples: int) -> Habits:
    """What family players do differently from search in these positions."""
    return habits(context.main, positions, [FAMILY], context.spec.seed, examples=examples)


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
    goal = Goal(context.main)
    what, more = capital(goal.title), goal.shown(mistake.wins)
    caption = text("A common mistake. {what} with the better move: {more}.", what=what, more=more)
    caption = about(caption, THUMB, f"{goal.measure} with the better move")
    moves = [
        ("best", text("Better: {move}", move=seat_words(better))),
        ("other", text("Mistake: {move}", move=seat_words(worse))),
    ]
    alt = f"{from_1(better)} is better than {from_1(worse)}."
    actions = {match.name(action): action for action in match.moves()}
    rows = position_rows(match, actions[best], actions[played])
    return position(caption, rows, f"Game {game}, decision {ply}: {alt}", moves)
