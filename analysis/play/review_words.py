"""What a review says, for the terminal, reports and the browser: the same words and the same rounded numbers.

`names` are what the players are called, `you` for the reader; without them players are named by their seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from houle.analysis.measures.goal import Goal
from houle.analysis.play.review import Account, Judged, Swing, digits_of
from houle.analysis.stats.estimate import Estimate
from houle.solver.language.seats import from_1, with_names

LEAST_FALL = 0.1  # of the chance, to be named
LONGEST_FALL = 0.2  # of the moves of a game: what takes longer is no turn
Point = tuple[int, float]  # a move, and the chance or score there


def level(value: float, goal: Goal, worlds: int) -> str:
    """A chance or a score, rounded as everywhere in a review."""
    digits = digits_of(worlds, goal)
    return f"{value:.{digits}f} {goal.score}" if goal.is_score else f"{100 * value:.{digits}f}%"


def change(value: float, goal: Goal, worlds: int) -> str:
    """A change of a chance, in games of 100, or of a score, with its sign."""
    text = f"{goal.pick(100, 1) * value:+.{digits_of(worlds, goal)}f}"
    return text if text.strip("+-0.") else text[1:]


def chance(one: Estimate, goal: Goal, worlds: int) -> str:
    """A chance or a score, with its interval."""
    return goal.says(one, digits_of(worlds, goal))


def cost(one: Judged, worlds: int) -> str:
    """How much better the best move is: `wins 23 more games in 100 (12 to 34)`."""
    value, interval = (part.replace("+", "") for part in one.loss.parts(digits_of(worlds, one.goal)))
    way = "more" if one.goal.sign > 0 else "fewer"
    what = f"scores {value} {way} {one.goal.score}" if one.goal.is_score else f"wins {value} more games in 100"
    return what + (f" ({interval})" if interval else "")


def better(one: Judged, worlds: int, names: Sequence[str] = ()) -> str:
    """What would have been better than a mistake, by how much, and why."""
    return f"{_named(from_1(one.best), names)}, which {cost(one, worlds)}. {one.why}".rstrip()


def _named(words: str, names: Sequence[str]) -> str:
    return with_names(words, names) if names else words


def mistake(one: Judged, worlds: int, names: Sequence[str] = ()) -> str:
    """A mistake in two sentences: what was played, and what is better."""
    who, made = _named(f"seat {one.seat + 1}", names), _named(from_1(one.made), names)
    return f"Move {one.number}, {who}: {made}. Better: {better(one, worlds, names)}"


def doubt(one: Judged, worlds: int, names: Sequence[str] = ()) -> str:
    """A choice that is too close to tell: what may be better, and by how much."""
    made, digits = _named(from_1(one.made), names), digits_of(worlds, one.goal)
    value, interval = one.loss.parts(digits)
    cost = f"{value} {one.goal.pick('games in 100', one.goal.score)} ({interval})"
    return f"Move {one.number}: {made}. Perhaps better: {_named(from_1(one.best), names)}, {cost}."


def swing(one: Swing, goal: Goal, worlds: int, names: Sequence[str] = ()) -> str:
    """What luck or another player did, and how the chance changed."""
    way = "rose" if one.change > 0 else "fell"
    what = goal.pick("The chance", f"The {goal.score} to expect")
    changed = f"{what} {way} from {level(one.start, goal, worlds)} to {level(one.end, goal, worlds)}."
    who, made, *effects = (_named(words, names) for words in (f"seat {one.seat + 1}", one.move, *one.events))
    made += f" ({'; '.join(effects)})" if effects else ""
    return f"Move {one.number}, {who}: {made}. {changed}"


def largest_fall(points: Sequence[Point], goal: Goal, moves: int) -> tuple[Point, Point] | None:
    """The points between which a chance fell most, in at most a fifth of the game; None if it never fell much."""

    def fall(ends: tuple[Point, Point]) -> tuple[float, int]:
        (start, high), (end, low) = ends
        return goal.sign * (high - low), start - end  # of equal falls the shortest

    near = (ends for ends in combinations(points, 2) if ends[1][0] - ends[0][0] < LONGEST_FALL * moves)
    most = max(near, key=fall, default=None)
    return most if most is not None and fall(most)[0] >= LEAST_FALL * goal.span else None


def turn(before: Point, after: Point, goal: Goal, worlds: int) -> str:
    """The largest fall of a chance, where no move was certainly a mistake."""
    (start, high), (end, low) = before, after
    fell = f"from {level(high, goal, worlds)} to {level(low, goal, worlds)}"
    where = f"moves {start} to {end}" if start != end else f"move {end}"
    return f"The turn: {where}, {fell}: luck, or choices too close to tell."


def effect(one: Judged, side: int, worlds: int) -> str:
    """What a mistake of another side changed for the reader's side; empty for the reader's own side."""
    changed = change(one.changes[side], one.goal, worlds) if one.side != side else ""
    return f"Your chance changed by {changed} games in 100." if changed else ""


def in_short(account: Account, goal: Goal, who: str, over: bool, worlds: int) -> str:
    """The account of a side in two or three sentences. The numbers that are shown add up too."""
    end = "ended with" if over else "now have" if who == "You" else "now has"
    first, last = level(account.first, goal, worlds), level(account.result, goal, worlds)
    digits, unit = digits_of(worlds, goal), goal.pick(100, 1)

    def shown(value: float) -> float:
        return round(unit * value, digits)

    def changed(value: float) -> str:
        return change(value / unit, goal, worlds)

    own, others = shown(-account.lost), shown(account.others or 0.0)
    luck = shown(account.result) - shown(account.first) - own - others
    named = "luck and the others" if account.others is None else "luck"
    middle = "" if account.others is None else f"; mistakes of the others: {changed(others)}"
    parts = f"Own mistakes: {changed(own)} {goal.pick('games in 100', goal.score)}{middle}; {named}: {changed(luck)}."
    said = f"{who} {goal.pick('started with a chance of', 'could expect')} {first} and {end} {last}. {parts}"
    more = "Mistakes can cost more than the first chance, because luck and the others give some of it back."
    return f"{said} {more}" if not goal.is_score and -own > shown(account.first) else said
