"""What a review says, for the terminal, reports and the browser: the same words and the same rounded numbers.

`you` is the seat of the reader; without it players are named by their seats.
"""

from __future__ import annotations

from houle.analysis.play.review import Account, Judged, Swing, digits_of
from houle.analysis.stats.estimate import Estimate
from houle.solver.language.seats import from_1, with_names

MOST_SEATS = 8
AHEAD = "No rule of thumb says so; it shows when the game is played on."


def percent(share: float, worlds: int) -> str:
    """A chance, rounded as everywhere in a review."""
    return f"{100 * share:.{digits_of(worlds)}f}%"


def games(share: float, worlds: int) -> str:
    """A change of a chance, in games of 100, with its sign."""
    text = f"{100 * share:+.{digits_of(worlds)}f}"
    return text if text.strip("+-0.") else text[1:]


def chance(estimate: Estimate, worlds: int) -> str:
    """A chance with its interval."""
    return estimate.text(digits_of(worlds))


def cost(one: Judged, worlds: int) -> str:
    """How much better the best move is: `wins 23 more games in 100 (12 to 34)`."""
    value, interval = (part.replace("+", "") for part in one.loss.parts(digits_of(worlds)))
    return f"wins {value} more games in 100" + (f" ({interval})" if interval else "")


def better(one: Judged, worlds: int) -> str:
    """What would have been better than a mistake, by how much, and why."""
    return f"{from_1(one.best)}, which {cost(one, worlds)}. {one.why or AHEAD}"


def player(seat: int, you: int | None) -> str:
    return "you" if seat == you else f"seat {seat + 1}"


def mistake(one: Judged, worlds: int, you: int | None = None) -> str:
    """A mistake in two sentences: what was played, and what is better."""
    who = player(one.seat, you)
    return f"Move {one.number}, {who}: {from_1(one.made)}. Better: {better(one, worlds)}"


def swing(one: Swing, worlds: int, you: int | None = None) -> str:
    """What luck or another player did, and how the chance changed."""
    way = "rose" if one.change > 0 else "fell"
    change = f"The chance {way} from {percent(one.start, worlds)} to {percent(one.end, worlds)}."
    who = player(one.seat, you)
    what = one.move + (f" ({'; '.join(one.events)})" if one.events else "")
    what = what if you is None else with_names(what, [player(seat, you) for seat in range(MOST_SEATS)])
    return f"Move {one.number}, {who}: {what}. {change}"


def in_short(account: Account, who: str, over: bool, worlds: int) -> str:
    """The account of a side in two sentences."""
    end = "ended with" if over else "now have" if who == "You" else "now has"
    first, last = percent(account.first, worlds), percent(account.result, worlds)
    own, rest = games(-account.lost, worlds), games(account.rest, worlds)
    return (
        f"{who} started with a chance of {first} and {end} {last}. Own choices changed it by {own} games in 100, "
        f"luck and the others by {rest}."
    )
