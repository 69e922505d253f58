"""What the right side of the studio shows of what was counted so far, as data for its template."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from houle.analysis.blocks import sentence as block_sentence
from houle.analysis.blocks import whole
from houle.analysis.explain.balance import LIMIT, read_measures
from houle.analysis.explain.seats import fairness
from houle.analysis.measures.goal import Goal
from houle.analysis.stats.estimate import PERCENTAGE_POINTS, Estimate
from houle.analysis.studio.growing_results import Growing, Played
from houle.analysis.studio.rows import MORE, OPEN, StudioRow, StudioRows
from houle.analysis.studio.single_changes import SingleChanges
from houle.cli.framework.text import duration
from houle.cli.studio.drawing import histogram, interval_row, quantile_of, scale_row
from houle.solver.language.seats import from_1
from houle.solver.rules import Setup
from houle.solver.texts import capital

AWAY = ", away from the target"
LEAST = 100  # games, below which the sentence has an interval in place of what was found
TENSION = ("draws", "lead_changes", "comebacks", "last_turn", "runaway")


def shown(estimate: Estimate) -> str:
    """A rate for people; the first games show no decimals that mean nothing."""
    return estimate.text() if estimate.n else "not counted yet"


def so_far(live: StudioRows) -> str:
    games = live.aimed.mine.games
    return f"{games:,} game{'s' * (games != 1)} so far"


def change_words(by: Estimate, goal: Goal) -> str:
    """A difference for people: many games have points of their own, so shares differ in percentage points."""
    return goal.more(by if goal.is_score else replace(by, unit=PERCENTAGE_POINTS))


def sentence(live: StudioRows, sent: bool = False) -> str:
    """The answer in one sentence; `sent` if nobody will see it grow."""
    row, goal = live.aimed, live.goal
    if sent and not row.known:
        return f"Only {so_far(live)}."
    if not live.first_counted:
        return "Counting the first games."
    hit = {"inside": "reached", "outside": "not reached"}.get(live.target_hit, "not known yet")
    target = live.state.target
    if not live.one_sided:
        return seats_sentence(live)
    mine, before = row.mine.rate(), row.print.rate()
    unit = f" {goal.score}" if goal.is_score else ""
    if row.mine.games < LEAST:
        return f"{capital(row.people)} {goal.verb} {mine.text()}{unit}: {so_far(live)}."
    rates = f"{goal.verb} {mine.short()}{unit}"
    if row.changed:
        rates += f" (printed rules {before.short()}): {compared_words(row, live)}"
    return f"{capital(row.people)} {rates}; target {target.low:g} to {target.high:g}{unit or '%'} {hit}."


def seats_sentence(live: StudioRows) -> str:
    """Whether the seats are fair, or what the teams of uneven sizes win."""
    state, who = live.state, live.main.people
    if live.gap is not None:
        return block_sentence(whole(fairness(live.gap, state.setup, [state.who], state.target.high / 100)), "-")
    far = farthest(live.main.mine, len(live.seats))
    name = capital(from_1(live.seats[far]))
    return f"{name} wins {live.seat_wins[far].short()} among {who}, where an equal share is {100 * live.fair:.0f}%."


def status(live: StudioRows, sent: bool = False) -> str:
    """What the numbers are of, and whether they will still change; `sent` if nobody will see it."""
    row = live.aimed
    number = f"{row.mine.games:,} games of {row.people}"
    if sent and not live.settled:
        return number
    return f"settled: {number}" if live.settled else f"still counting: {number}"


def compared_words(row: StudioRow, live: StudioRows) -> str:
    """By how much the rules are easier or harder than the printed ones, as far as that is known."""
    if not row.changed:
        return ""
    if not row.counted:
        return "not known yet"
    by = change_words(row.difference, live.goal)
    if row.compared == OPEN:
        return f"{'no difference shown' if row.settled else 'not known yet'}, {by}"
    words = ("easier", "harder") if live.one_sided else ("gains more", "gains less")
    return f"{words[(row.compared == MORE) != (live.goal.sign > 0)]}, {by}"


def direction(live: StudioRows) -> int:
    """Whether the aim of the target has to rise (1) or fall (-1); 0 if the target is reached or nothing is known."""
    if not live.first_counted or live.target_hit == "inside":
        return 0
    if not live.one_sided:
        return -1
    low, high = live.band(live.fair)
    return (live.aimed.mine.rate().value < low) - (live.aimed.mine.rate().value > high)


def hint(changes: SingleChanges, rule: str, want: int) -> str:
    """What a step of a rule does toward the target, once its sign is known."""
    steps = changes.steps(rule)
    if not steps or changes.idle(rule):
        return ""
    step, by = steps[-1] if want >= 0 else steps[0]
    words = f"{step}: {change_words(by, changes.goal)}"
    if not want:
        return words
    return words + (", toward the target" if (by.value > 0) == (want > 0) else AWAY)


def row_data(row: StudioRow, live: StudioRows, sent: bool) -> dict[str, Any]:
    """A row of the table: names, numbers, picture, and the commands that give the same numbers."""
    mine, before = row.mine.rate(), row.print.rate()
    band = live.band(live.fair) if live.one_sided and row is live.aimed else None
    waiting = ""
    if row.searches and not row.settled and not sent:
        left = live.seconds_left(row)
        waiting = "after the others" if left is None else f"about {duration(left)} left" if left else "few games"
    words = f"{row.people}: {shown(mine)}" + (f"; printed rules {shown(before)}" if row.changed else "")
    fair = None if live.one_sided else live.fair
    now, then = mine if row.mine.games else None, before if row.print.games and row.changed else None
    return {
        "name": row.name,
        "people": row.people,
        "mine": now,
        "before": then,
        "games": row.mine.games,
        "waiting": waiting,
        "against": row.difference if row.changed and row.counted else None,
        "word": compared_words(row, live).partition(",")[0],
        "grey": row.searches and not row.settled,
        "svg": interval_row(now, then, live.scale, band, words=words, fair=fair),
        "aimed": band is not None,
    }


def commands(live: StudioRows, sent: bool = False) -> list[dict[str, str]]:
    """The commands that give the numbers again, with the digest of each result; `sent`: of what is known."""
    found = []
    for row in live.rows if not sent else known_rows(live):
        for kind, one in (("mine", row.mine), ("print", row.print)):
            if one.games and (kind == "mine" or row.changed):
                found.append({"who": row.name, "kind": kind, "line": one.command, "digest": one.digest})
    return found


def known_rows(live: StudioRows) -> list[StudioRow]:
    """The rows that are known well enough for somebody who does not see them grow."""
    return [row for row in live.rows if row.known]


def alike(live: StudioRows) -> tuple[Growing, Growing] | None:
    """The games with these and with the printed rules in which all seats play like those shown in detail."""
    mine, before = live.main.mine.alike, live.main.print.alike
    return (mine, before) if mine is not None and before is not None else None


def lengths(live: StudioRows) -> dict[str, Any] | None:
    """How long games take: the median, and what nine in ten do not exceed."""
    if not live.main.counted or (both := alike(live)) is None:
        return None
    mine, before = both
    setup = live.state.setup
    unit, limits = setup.ruleset.turns, [options.get(LIMIT) for options in (setup.options, setup.plain_options)]
    rows = []
    for title, share in (("half of the games last at most", 0.5), ("nine in ten at most", 0.9)):
        now, then = (quantile_of(one.course.lengths.tolist(), share) for one in (mine, before))
        shown = [length_words(turns, unit, limit) for turns, limit in zip((now, then), limits, strict=True)]
        rows.append({"title": title, "mine": shown[0], "print": shown[1], "same": now == then})
    counts = [Counter({i: int(n) for i, n in enumerate(one.course.lengths) if n}) for one in (mine, before)]
    text = f"Length of games of {live.main.people}: " + ", ".join(f"{row['title']} {row['mine']}" for row in rows)
    return {"rows": rows, "svg": histogram(counts[0], counts[1], unit, text), "unit": unit}


def length_words(turns: int, unit: str, limit: int | None) -> str:
    """A length: `24 turns`, or `300 turns (our limit)` where houle stops games."""
    return f"{turns} {unit}" + (" (our limit)" if limit is not None and turns >= limit else "")


def scores(live: StudioRows) -> dict[str, Any] | None:
    """The scores of the kind of player that the state shows."""
    if not live.main.counted or (both := alike(live)) is None:
        return None
    mine, before = both
    sides = range(len(mine.tally.moments)) if not live.one_sided else range(1)
    counts = [sum((Counter(one.tally.scores(side)) for side in sides), Counter()) for one in (mine, before)]
    name = live.state.setup.score.replace("_", " ")
    means = [sum(score * number for score, number in one.items()) / max(1, one.total()) for one in counts]
    text = f"{capital(name)} of {live.main.people}: {means[0]:.1f} on average, {means[1]:.1f} with the printed rules"
    return {
        "name": name,
        "svg": histogram(counts[0], counts[1], name, text),
        "mine": means[0],
        "print": means[1],
        "same": mine is before,
    }


def seats(live: StudioRows) -> dict[str, Any] | None:
    """The seats of a game of rivals, and how games go."""
    if live.one_sided or (both := alike(live)) is None:
        return None
    mine, before = both
    fair = live.fair
    ends = seat_scale(fair)
    rows = []
    for side, name in enumerate(live.seats):
        if not mine.games or not before.games:
            break
        now, then = mine.rate(side), before.rate(side)
        words = f"{from_1(name)}: {shown(now)}; printed rules {shown(then)}"
        svg = interval_row(now, None if mine is before else then, ends, live.band(fair), words=words, fair=fair)
        rows.append({"name": capital(from_1(name)), "mine": now, "print": then, "svg": svg})
    measures = []
    if mine.games and before.games:
        printed = {one.name: one for one in read_measures(before.course, before.setup)[0]}
        for one in read_measures(mine.course, mine.setup)[0]:
            if one.name in TENSION and one.name in printed:
                measures.append({"about": capital(one.about), "mine": one.value, "print": printed[one.name].value})
    return {
        "rows": rows,
        "measures": measures,
        "fair": 100 * fair,
        "same": mine is before,
        "scale": scale_row(ends, True),
    }


def seat_scale(fair: float) -> tuple[float, float]:
    """The scale for seats: an equal share is in the middle."""
    return 0.0, min(1.0, 2 * fair)


def farthest(one: Played, sides: int) -> int:
    """The side that is farthest from an equal share."""
    return max(range(sides), key=lambda side: abs(one.rate(side).value - 1 / sides))


def small(live: StudioRows) -> Markup:
    """The answer as one small picture, for a narrow window: the row of the target, or the seat farthest off."""
    if not live.first_counted:
        return Markup("")
    row, ends, far = live.aimed, live.scale, 0
    if not live.one_sided:
        ends, far = seat_scale(live.fair), farthest(row.mine, len(live.seats))
    before = row.print.rate(far) if row.changed else None
    return interval_row(row.mine.rate(far), before, ends, live.band(live.fair), words=sentence(live))


def answers(live: StudioRows, sent: bool = False) -> dict[str, Any]:
    """Everything on the right side; `sent`: only what is known, without what is said to somebody who watches."""
    rows, main = known_rows(live) if sent else live.rows, live.main.known or not sent
    return {
        "sentence": sentence(live, sent),
        "status": status(live, sent),
        "small": small(live),
        "sent": sent,
        "early": "" if live.known else so_far(live),
        "one_sided": live.one_sided,
        "state": live.state,
        "rows": [row_data(row, live, sent) for row in rows if live.one_sided or row is not live.main],
        "scale": scale_row(live.scale, not live.goal.is_score),
        "ends": live.scale,
        "goal": live.goal,
        "lengths": lengths(live) if main else None,
        "scores": scores(live) if main else None,
        "seats": seats(live) if main else None,
        "who": live.main.people,
        "commands": commands(live, sent),
        "changed": live.main.changed,
        "aimed": live.aimed,
    }


def numbers(live: StudioRows) -> dict[str, Any]:
    """The numbers of a state for the log: win rates by kind of player."""
    times, unit = (1, "") if live.goal.is_score else (100, "%")
    rows = {
        row.name: [round(times * end, 2) for end in (rate.value, rate.low, rate.high)] + [row.mine.games]
        for row in live.rows
        if row.mine.games and (rate := row.mine.rate())
    }
    return {"rows": rows, "unit": unit}


def title_of(setup: Setup) -> str:
    return setup.title or setup.ruleset.title
