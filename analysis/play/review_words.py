"""What a review says, for the terminal, reports and the browser: the same words and the same rounded numbers.

`names` are what the players are called, `you` for the reader; without them players are named by their seats.
"""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.play.review import Account, Judged, Swing, digits_of
from houle.analysis.stats.estimate import Estimate
from houle.solver.language.seats import from_1, with_names


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


def better(one: Judged, worlds: int, names: Sequence[str] = ()) -> str:
    """What would have been better than a mistake, by how much, and why."""
    return f"{_named(from_1(one.best), names)}, which {cost(one, worlds)}. {one.why}".rstrip()


def _named(words: str, names: Sequence[str]) -> str:
    return with_names(words, names) if names else words


def mistake(one: Judged, worlds: int, names: Sequence[str] = ()) -> str:
    """A mistake in two sentences: what was played, and what is better."""
    who, made = _named(f"seat {one.seat + 1}", names), _named(from_1(one.made), names)
    return f"Move {one.number}, {who}: {made}. Better: {better(one, worlds, names)}"


def swing(one: Swing, worlds: int, names: Sequence[str] = ()) -> str:
    """What luck or another player did, and how the chance changed."""
    way = "rose" if one.change > 0 else "fell"
    change = f"The chance {way} from {percent(one.start, worlds)} to {percent(one.end, worlds)}."
    who, what, *effects = (_named(words, names) for words in (f"seat {one.seat + 1}", one.move, *one.events))
    what += f" ({'; '.join(effects)})" if effects else ""
    return f"Move {one.number}, {who}: {what}. {change}"


def effect(one: Judged, side: int, worlds: int) -> str:
    """What a mistake of another side changed for the reader's side; empty for the reader's own side."""
    return f"Your chance changed by {games(one.changes[side], worlds)} games in 100." if one.side != side else ""


def in_short(account: Account, who: str, over: bool, worlds: int) -> str:
    """The account of a side in two or three sentences. The numbers that are shown add up too."""
    end = "ended with" if over else "now have" if who == "You" else "now has"
    first, last = percent(account.first, worlds), percent(account.result, worlds)
    digits = digits_of(worlds)

    def shown(share: float) -> float:
        return round(100 * share, digits)

    own, others = shown(-account.lost), shown(account.others or 0.0)
    luck = shown(account.result) - shown(account.first) - own - others
    named = "luck and the others" if account.others is None else "luck"
    middle = "" if account.others is None else f"; mistakes of the others: {games(others / 100, worlds)}"
    parts = f"Own mistakes: {games(own / 100, worlds)} games in 100{middle}; {named}: {games(luck / 100, worlds)}."
    said = f"{who} started with a chance of {first} and {end} {last}. {parts}"
    more = "Mistakes can cost more than the first chance, because luck and the others give some of it back."
    return f"{said} {more}" if -own > shown(account.first) else said
