"""How games go: how long they live and what kills them, what the start tells, how even it is."""

from __future__ import annotations

from typing import Any

from houle.reports.blocks import (
    OWN,
    PERCENT,
    POINTS,
    Block,
    Column,
    Section,
    bullets,
    figure,
    note,
    number,
    table,
    text,
)
from houle.reports.context import Inquiry, variant
from houle.reports.html.format import listed
from houle.solver.ruleset import RulesetError

MOST_CARDS = 5
MOST_FACTS = 4


def survival(inquiry: Inquiry) -> Section:
    section = Section("survival", "How long games live, and what kills them")
    from houle.analysis.difficulty.survival import Survival, check_mortal, survival_setup

    mortal = []
    for setup in inquiry.setups:
        try:
            check_mortal(setup)
            mortal.append(setup)
        except RulesetError:
            continue
    if not mortal:
        section.add(text(f"A game of {inquiry.title} does not end by a card that cannot be laid: no survival curve."))
        return section
    main = inquiry.main if inquiry.main in mortal else mortal[0]
    chosen = [main, *(setup for setup in mortal if setup.players == main.players and setup is not main)]
    games = inquiry.effort.number("survival_games")
    found: list[Survival] = []
    for i, setup in enumerate(chosen):
        told = inquiry.progress(games, i / len(chosen), 1 / len(chosen))
        found.append(survival_setup(setup, games, inquiry.seed, inquiry.usual, inquiry.threads, told))
    first = found[0]
    deadly = sorted(first.deadly.items(), key=lambda item: -item[1].value)
    left = sorted(first.left_close.items(), key=lambda item: -item[1].value)
    half = next((k for k, alive in enumerate(first.alive) if alive.value < 0.5), None)
    section.add(
        text(
            f"With {inquiry.table(main)}, everyone playing {inquiry.usual}, "
            + ("half of the games are over before card {half} is laid." if half is not None else
               "more than half of the games are won."),
            **({"half": half} if half is not None else {}),
        )
    )  # fmt: skip
    if deadly[0][1].n:
        section.add(
            text(
                f"The deadliest card to leave on top is {deadly[0][0]}: {{rate}} of the times it lies there the game "
                f"ends. In games that nearly succeed the card most often left over is {left[0][0]}: {{left}}.",
                rate=number(deadly[0][1], PERCENT),
                left=number(left[0][1], PERCENT),
            )
        )
    from houle.reports.figures.survival import draw

    alt = f"Chance to be alive by cards laid; {100 * first.alive[-1].value:.0f}% are won in the end."
    section.draw(
        figure("survival", f"Lives and deaths with {inquiry.table(main)}.", alt), lambda path: draw(first, path)
    )
    step = max(1, (len(first.alive) - 1) // 8)
    places = [*range(0, len(first.alive) - 1, step), len(first.alive) - 1]
    columns = [Column("cards", "cards laid")] + [
        Column(f"alive_{variant(one.setup)}", variant(one.setup), PERCENT) for one in found
    ]
    rows: list[list[Any]] = []
    for k in places:
        rows.append([k, *(number(one.alive[k], PERCENT) if k < len(one.alive) else None for one in found)])
    section.add(table("survival", f"Games still alive, in percent; {main.players} {inquiry.people}.", columns, rows))
    killers = [
        [name, number(rate, PERCENT), number(first.died_on[name], PERCENT), number(first.left_close[name], PERCENT)]
        for name, rate in deadly[:MOST_CARDS]
    ]
    columns = [
        Column("card", "card on top"),
        Column("deadly", "game ends on it, of the times on top", PERCENT),
        Column("died_on", "of all lost games", PERCENT),
        Column("left_close", "left over, of games nearly won", PERCENT),
    ]
    section.add(table("killers", "The deadliest cards to leave on top.", columns, killers))
    who = [[name, number(rate, PERCENT)] for name, rate in first.died_at.items()]
    section.add(
        table("stuck", "At whom lost games end.", [Column("who", "who"), Column("share", "lost games", PERCENT)], who)
    )
    section.results["survival"] = [one.as_json() for one in found]
    section.repeat = [f"houle survival {inquiry.arguments(main)} -s {inquiry.usual} -n {games} --seed {inquiry.seed}"]
    return section


def starts(inquiry: Inquiry) -> Section:
    section = Section("setups", "What the start tells")
    from houle.analysis.fairness.openings import read_setups

    games = inquiry.effort.number("setups_games")
    found = read_setups(inquiry.main, games, inquiry.seed, inquiry.usual, inquiry.threads, inquiry.progress(games))
    lines: list[Block] = []
    for fact in found.tables[:MOST_FACTS]:
        levels = sorted(fact.levels, key=lambda level: level.win_more.value)
        worst, best = levels[0], levels[-1]
        lines.append(
            text(
                f"{fact.about[0].upper()}{fact.about[1:]}: {best.level} is best with {{best}}, {worst.level} worst "
                "with {worst}, against all starts.",
                best=number(best.win_more, POINTS),
                worst=number(worst.win_more, POINTS),
            )
        )
    section.add(
        text(
            f"With {inquiry.table(inquiry.main)}, everyone playing {inquiry.usual}, {{games}} games told apart by how "
            "they began. The facts that tell most:",
            games=found.games,
        )
    )
    section.add(bullets(lines) if lines else text("No fact of the start tells anything at this table."))
    if found.remark:
        section.add(note(_closed(found.remark)))
    if found.tables:
        from houle.reports.figures.openings import draw

        alt = f"Wins and scores by {listed([fact.about for fact in found.tables[:MOST_FACTS]])}; numbers in the table."
        section.draw(
            figure("setups", "What starts are worth, as differences from all starts.", alt),
            lambda path: draw(found, path),
        )
        score = found.played.score.replace("_", " ")
        columns = [
            Column("fact", "what is known"),
            Column("level", "value"),
            Column("n", "seen"),
            Column("win", "wins", PERCENT),
            Column("win_more", "more than all", POINTS),
            Column("score", score),
        ]
        rows = [
            [fact.about, level.level, level.n, number(level.win, PERCENT), number(level.win_more, POINTS),
             number(level.score)]
            for fact in found.tables[:MOST_FACTS]
            for level in fact.levels
        ]  # fmt: skip
        section.add(table("setups", "Chances given the start, with 95% intervals.", columns, rows))
    if found.travel is not None:
        _travel(section, found.travel)
    section.results["setups"] = found.as_json()
    section.repeat = [
        f"houle setups {inquiry.arguments(inquiry.main)} -s {inquiry.usual} -n {games} --seed {inquiry.seed}"
    ]
    return section


def _travel(section: Section, travel: Any) -> None:
    """Hands that travel: what the hand decides apart from the seat, and the worth of each card."""
    section.add(text("Hands travel round the table, so that a hand can be told from who plays it."))
    parts = [[name, number(part, PERCENT)] for name, part in travel.parts]
    columns = [Column("part", "what decides a round's score"), Column("share", "share of its variance", PERCENT)]
    section.add(table("travel", "What decides a round.", columns, parts))
    cards = [[str(card), number(worth)] for card, worth in travel.worths]
    heads = [Column("card", "weather card"), Column("worth", "points a round more than an average card")]
    section.add(table("worths", "What a card in a hand is worth.", heads, cards))


def _closed(words: str) -> str:
    return words if words.endswith(".") else f"{words}."


def evenness(inquiry: Inquiry) -> Section:
    section = Section("balance", "Balance and course")
    from houle.analysis.fairness.balance import read_balance

    games = inquiry.effort.number("balance_games")
    found = read_balance(inquiry.main, games, inquiry.seed, inquiry.usual, inquiry.threads, inquiry.progress(games))
    section.add(
        text(
            f"With {inquiry.table(inquiry.main)}, everyone playing {inquiry.usual}, {{games}} games.", games=found.games
        )
    )
    if found.even is not None and found.fair is not None:
        sure = "all seats may be equal" if found.even.p > 0.05 else "seats are not equal"
        section.add(
            text(
                f"An equal share is {{fair}}. By a chi-square test {sure} (p = {found.even.p:.2g}).",
                fair=number(found.fair, PERCENT),
            )
        )
        columns = [Column("side", "side"), Column("win", "wins", PERCENT)]
        rows = [[name, number(win, PERCENT)] for name, win in found.sides]
        section.add(table("seats", "Wins by seat, with 95% intervals.", columns, rows))
    for line in found.missing:
        section.add(text(_closed(line)))
    rows = [[measure.about, number(measure.value, PERCENT if measure.percent else "")] for measure in found.measures]
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    section.add(table("course", "The course of games, with 95% intervals.", columns, rows))
    from houle.reports.figures.balance import draw

    lengths = f"decisions of a game: {listed([str(plies) for plies, _ in found.lengths[:3]])} and more"
    section.draw(
        figure("balance", "Seats, course and length of games.", f"{inquiry.title}: {lengths}; numbers in the table."),
        lambda path: draw(found, path),
    )
    section.results["balance"] = found.as_json()
    section.repeat = [
        f"houle balance {inquiry.arguments(inquiry.main)} -s {inquiry.usual} -n {games} --seed {inquiry.seed}"
    ]
    return section
