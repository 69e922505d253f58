"""What the right side of the studio shows of what was counted so far, as data for its template."""

from __future__ import annotations

from collections import Counter
from typing import Any

from houle.analysis.fairness.balance import read_measures
from houle.analysis.players.groups import groups
from houle.analysis.stats.estimate import Estimate
from houle.analysis.studio.growing_results import Growing
from houle.analysis.studio.rows import LESS, MORE, OPEN, Live, Row
from houle.cli.framework.text import duration
from houle.cli.studio.drawing import histogram, interval_row, quantile_of, scale_row
from houle.solver.language.seats import from_1
from houle.solver.rules import Setup
from houle.solver.texts import capital

SCALE, SCALE_STEP = 1.0, 0.2
TENSION = ("draws", "lead_changes", "comebacks", "last_turn", "runaway")


def shown(estimate: Estimate) -> str:
    """A rate for people; the first games show no decimals that mean nothing."""
    return estimate.text() if estimate.n else "not counted yet"


def sentence(live: Live) -> str:
    """The answer in one sentence."""
    state = live.state
    if not live.main.mine.games:
        return "Counting the first games."
    target = {"inside": "reached", "outside": "not reached"}.get(live.target_hit, "not known yet")
    sure = "settled" if live.settled else "still counting"
    if live.one_sided:
        row = live.aimed
        mine, before = row.mine.win(), row.print.win()
        if not row.mine.games or not row.print.games:
            return "Counting the first games."
        changed = row.mine is not row.print
        wins = f"{before.short()} → {mine.short()}" if changed else f"win {mine.short()}"
        word = {MORE: "easier", LESS: "harder"}.get(row.compared, "no difference shown" if row.settled else "open")
        first = f"{capital(row.people)} {wins}" + (f": {word}" if changed else "")
        return f"{first}; target {state.target.low:g} to {state.target.high:g}% {target}; {sure}."
    shares = [live.main.mine.win(side) for side in range(len(live.seats))]
    fair = 1 / max(1, len(shares))
    far = max(range(len(shares)), key=lambda side: abs(shares[side].value - fair))
    name = capital(from_1(live.seats[far]))
    return (f"{name} is farthest from an equal share of {100 * fair:.0f}%: it wins {shares[far].short()} among "
            f"{live.main.people}; target of {state.target.high:g} points {target}; {sure}.")  # fmt: skip


def compared_words(row: Row, one_sided: bool) -> str:
    if row.mine is row.print:
        return ""
    if not row.mine.games or not row.print.games:
        return "…"
    if row.compared == OPEN:
        return "no difference shown" if row.settled else "open"
    if not one_sided:
        return "gains more" if row.compared == MORE else "gains less"
    return "easier" if row.compared == MORE else "harder"


def row_data(row: Row, live: Live) -> dict[str, Any]:
    """A row of the table: names, numbers, picture, and the commands that give the same numbers."""
    state = live.state
    mine, before = row.mine.win(), row.print.win()
    rivals = not live.one_sided
    band = None
    if live.one_sided and row is live.aimed:
        band = (state.target.low / 100, state.target.high / 100)
    waiting = ""
    if row.searches and not row.settled:
        left = live.seconds_left(row)
        waiting = "after the others" if left is None else f"about {duration(left)} left"
    words = f"{row.people}: {shown(mine)}" + ("" if row.mine is row.print else f"; print {shown(before)}")
    fair = 1 / len(live.seats) if rivals else None
    now, then = mine if row.mine.games else None, before if row.print.games and row.mine is not row.print else None
    return {
        "name": row.name, "people": row.people, "mine": now, "before": then, "games": row.mine.games,
        "compared": compared_words(row, live.one_sided), "waiting": waiting,
        "grey": row.searches and not row.settled,
        "svg": interval_row(now, then, SCALE, band, words, fair),
        "group": row.name in groups(), "aimed": band is not None,
    }  # fmt: skip


def commands(live: Live) -> list[dict[str, str]]:
    """The commands that give the numbers again, with the digest of each result."""
    found = []
    for row in live.rows:
        for kind, one in (("mine", row.mine), ("print", row.print)):
            if one.games and (kind == "mine" or row.mine is not row.print):
                result = one.result
                found.append({"who": row.name, "kind": kind, "line": result.repeat(), "digest": result.digest})
    return found


def lengths(live: Live) -> dict[str, Any] | None:
    """How long games take: the median, and what nine in ten do not exceed."""
    mine, before = live.main.mine, live.main.print
    if not isinstance(mine, Growing) or not isinstance(before, Growing) or not mine.games or not before.games:
        return None
    unit, seconds = live.state.setup.ruleset.turns, live.state.seconds

    def words(turns: int) -> str:
        return f"{turns} {unit}" + (f" ({turns * seconds / 60:.0f} minutes)" if seconds else "")

    rows = []
    for title, share in (("half of the games last at most", 0.5), ("nine in ten at most", 0.9)):
        now, then = (quantile_of(one.course.lengths.tolist(), share) for one in (mine, before))
        rows.append({"title": title, "mine": words(now), "print": words(then), "same": now == then})
    counts = [Counter({i: int(n) for i, n in enumerate(one.course.lengths) if n}) for one in (mine, before)]
    text = f"Length of games of {live.main.people}: " + ", ".join(f"{row['title']} {row['mine']}" for row in rows)
    return {"rows": rows, "svg": histogram(counts[0], counts[1], unit, text), "unit": unit}


def scores(live: Live) -> dict[str, Any] | None:
    """The scores of the kind of player that the state shows."""
    mine, before = live.main.mine, live.main.print
    if not isinstance(mine, Growing) or not isinstance(before, Growing) or not mine.games or not before.games:
        return None
    sides = range(len(mine.prefix.scores)) if not live.one_sided else range(1)
    counts = [sum((Counter(one.prefix.tally.scores(side)) for side in sides), Counter()) for one in (mine, before)]
    name = live.state.setup.score.replace("_", " ")
    means = [sum(score * number for score, number in one.items()) / max(1, one.total()) for one in counts]
    text = f"{capital(name)} of {live.main.people}: {means[0]:.1f} on average, {means[1]:.1f} in print"
    return {"name": name, "svg": histogram(counts[0], counts[1], name, text), "mine": means[0], "print": means[1],
            "same": mine is before}  # fmt: skip


def seats(live: Live) -> dict[str, Any] | None:
    """The seats of a game of rivals, and how games go."""
    mine, before = live.main.mine, live.main.print
    if live.one_sided or not isinstance(mine, Growing) or not isinstance(before, Growing):
        return None
    fair = 1 / len(live.seats)
    most = 2 * fair if len(live.seats) > 2 else 1.0
    target = live.state.target.high / 100
    rows = []
    for side, name in enumerate(live.seats):
        if not mine.games or not before.games:
            break
        now, then = mine.win(side), before.win(side)
        words = f"{from_1(name)}: {shown(now)}; print {shown(then)}"
        rows.append({"name": capital(from_1(name)), "mine": now, "print": then,
                     "svg": interval_row(now, None if mine is before else then, most, (fair - target, fair + target),
                                         words, fair)})  # fmt: skip
    measures = []
    if mine.games and before.games:
        printed = {one.name: one for one in read_measures(before.course, before.setup)[0]}
        for one in read_measures(mine.course, mine.setup)[0]:
            if one.name in TENSION and one.name in printed:
                measures.append({"about": capital(one.about), "mine": one.value, "print": printed[one.name].value})
    return {"rows": rows, "measures": measures, "fair": 100 * fair, "same": mine is before,
            "scale": scale_row(most, most / 4)}  # fmt: skip


def answers(live: Live) -> dict[str, Any]:
    """Everything on the right side."""
    return {
        "sentence": sentence(live), "one_sided": live.one_sided, "state": live.state,
        "rows": [row_data(row, live) for row in live.rows if live.one_sided or row is not live.main],
        "scale": scale_row(SCALE, SCALE_STEP),
        "lengths": lengths(live), "scores": scores(live), "seats": seats(live), "who": live.main.people,
        "commands": commands(live), "settled": live.settled, "changed": live.main.mine is not live.main.print,
    }  # fmt: skip


def numbers(live: Live) -> dict[str, Any]:
    """The numbers of a state for the log: the sentence, and win rates by kind of player."""
    rows = {row.name: [round(100 * end, 2) for end in (win.value, win.low, win.high)] + [row.mine.games]
            for row in live.rows if row.mine.games and (win := row.mine.win())}  # fmt: skip
    result = {"sentence": sentence(live), "rows": rows}
    if not live.one_sided and isinstance(live.main.mine, Growing):
        result["seats"] = {from_1(name): round(100 * live.main.mine.win(side).value, 2)
                           for side, name in enumerate(live.seats)}  # fmt: skip
    if (long := lengths(live)) is not None:
        result["length"] = [row["mine"] for row in long["rows"]]
    return result


def title_of(setup: Setup) -> str:
    return setup.title or setup.ruleset.title
