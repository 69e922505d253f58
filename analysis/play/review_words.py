"""What a review says, for the terminal, reports and the browser: the same words and the same rounded numbers.

`names` are what the players are called, `you` for the reader; without them players are named by their seats.
"""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.play.review import Account, Judged, Swing, digits_of
from houle.analysis.stats.estimate import Estimate
from houle.solver.language.seats import from_1, with_names

AHEAD = "No rule of thumb says so; it shows when the game is played on."


def percent(share: float, worlds: int, score: str = "") -> str:
    """A chance, or with the name of a `score` a score, rounded as everywhere in a review."""
    digits = digits_of(worlds, score)
    return f"{share:.{digits}f} {score}" if score else f"{100 * share:.{digits}f}%"


def games(share: float, worlds: int, score: str = "") -> str:
    """A change of a chance, in games of 100, or of a score, with its sign."""
    text = f"{share if score else 100 * share:+.{digits_of(worlds, score)}f}"
    return text if text.strip("+-0.") else text[1:]


def chance(estimate: Estimate, worlds: int, score: str = "") -> str:
    """A chance or a score with its interval."""
    return estimate.text(digits_of(worlds, score))


def cost(one: Judged, worlds: int) -> str:
    """How much better the best move is: `wins 23 more games in 100 (12 to 34)`."""
    value, interval = (part.replace("+", "") for part in one.loss.parts(digits_of(worlds, one.score)))
    way = "fewer" if one.before.value < one.after.value else "more"  # where a low score is good
    more = f"brings {value} {way} {one.score}" if one.score else f"wins {value} more games in 100"
    return more + (f" ({interval})" if interval else "")


def better(one: Judged, worlds: int, names: Sequence[str] = ()) -> str:
    """What would have been better than a mistake, by how much, and why."""
    return f"{_named(from_1(one.best), names)}, which {cost(one, worlds)}. {one.why or AHEAD}"


def _named(words: str, names: Sequence[str]) -> str:
    return with_names(words, names) if names else words


def mistake(one: Judged, worlds: int, names: Sequence[str] = ()) -> str:
    """A mistake in two sentences: what was played, and what is better."""
    who, made = _named(f"seat {one.seat + 1}", names), _named(from_1(one.made), names)
    return f"Move {one.number}, {who}: {made}. Better: {better(one, worlds, names)}"


def swing(one: Swing, worlds: int, names: Sequence[str] = ()) -> str:
    """What luck or another player did, and how the chance changed."""
    way = "rose" if one.change > 0 else "fell"
    what = f"expected {one.score}" if one.score else "chance"
    start, end = (percent(value, worlds, one.score).removesuffix(f" {one.score}") for value in (one.start, one.end))
    change = f"The {what} {way} from {start} to {end}."
    who, what, *effects = (_named(words, names) for words in (f"seat {one.seat + 1}", one.move, *one.events))
    what += f" ({'; '.join(effects)})" if effects else ""
    return f"Move {one.number}, {who}: {what}. {change}"


def in_short(account: Account, who: str, over: bool, worlds: int) -> str:
    """The account of a side in two sentences."""
    end = "ended with" if over else "now have" if who == "You" else "now has"
    first, last = (percent(value, worlds, account.score) for value in (account.first, account.result))
    own, rest = (games(value, worlds, account.score) for value in (-account.lost, account.rest))
    if account.score:
        return (
            f"{who} started with {first} to expect and {end} {last}. Own choices changed this by {own}, luck and the "
            f"others by {rest}."
        )
    return (
        f"{who} started with a chance of {first} and {end} {last}. Own choices changed it by {own} games in 100, "
        f"luck and the others by {rest}."
    )
