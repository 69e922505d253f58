"""How hard the tables are, for whom; and in which bands of the rulebook they end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.words import role, words
from houle.analysis.sampling.simulation import simulate_games
from houle.reports.blocks import PERCENT, Column, Section, figure, note, number, table, text
from houle.reports.context import Inquiry, variant
from houle.reports.html.format import listed

if TYPE_CHECKING:
    from houle.analysis.difficulty.bracket import Bracket, Level


def strategies_of(brackets: list[Bracket]) -> list[str]:
    return list(dict.fromkeys(level.strategy for one in brackets for level in one.levels))


def level_of(one: Bracket, strategy: str) -> Level | None:
    return next((level for level in one.levels if level.strategy == strategy), None)


def best_fair(one: Bracket) -> Level:
    """The strongest player that does not cheat: chosen by its kind, for the greatest number would be the luckiest."""
    return [level for level in one.levels if not level.strategy.startswith("clairvoyant")][-1]


def difficulty(inquiry: Inquiry) -> Section:
    section = Section("difficulty", "How hard it is, for whom")
    brackets = inquiry.brackets()
    if not brackets:
        section.add(
            text(
                "At every table of this report players compete, so a table is not hard or easy as such. "
                "How games go and how much better play wins is told below."
            )
        )
        return section
    names = strategies_of(brackets)
    roles = listed([f"{name} is {role(name)}" for name in names])
    section.add(
        text(
            f"Every kind of player meets the same deals: {roles}. "
            "The distance between them is what there is to learn at a table."
        )
    )
    from houle.reports.figures.difficulty import draw as draw_brackets

    alt = f"Win rates of {listed(names)} at {len(brackets)} tables of {inquiry.title}; the numbers are in the table."
    section.draw(
        figure("difficulty", "Games won at every table. The table below has the numbers.", alt),
        lambda path: draw_brackets(brackets, path),
    )
    columns = [Column("variant", "variant"), Column("players", inquiry.people)]
    columns += [Column(f"win_{name}", name, PERCENT) for name in names]
    columns.append(Column("word", "for the best of them"))
    rows: list[list[Any]] = []
    for one in brackets:
        found = [level_of(one, name) for name in names]
        wins = [number(level.win, PERCENT) if level else None for level in found]
        rows.append([variant(one.setup), one.setup.players, *wins, best_fair(one).word])
    section.add(table("difficulty", "Games won, in percent, with 95% intervals.", columns, rows))
    limits = words()["difficulty"]
    section.add(
        note(
            "Words by the share of games won: "
            + ", ".join(f"{limit['word']} from {100 * limit['least']:g}%" for limit in limits)
            + ". Two words where the interval allows both."
        )
    )
    _findings(section, inquiry, brackets)
    section.results["brackets"] = [one.as_json() for one in brackets]
    effort = inquiry.effort
    section.repeat = [
        f"houle bracket {inquiry.arguments(one.setup)} -s {','.join(names)} -n {effort['games']} "
        f"--search-games {effort['search_games']} --seed {inquiry.seed}"
        for one in sorted(brackets, key=lambda one: one.setup is not inquiry.main)
    ]
    return section


def _findings(section: Section, inquiry: Inquiry, brackets: list[Bracket]) -> None:
    """What is strange about the rules, told once for each kind."""
    worst: dict[str, tuple[Any, str]] = {}
    for one in brackets:
        for finding in one.findings:
            rate = worst.get(finding.what)
            if rate is None or (finding.rate.n, finding.rate.value) > (rate[0].rate.n, rate[0].rate.value):
                worst[finding.what] = (finding, f"{inquiry.table(one.setup)}, {finding.arm}")
    for what, (finding, where) in worst.items():
        section.add(text(f"A finding about the rules: {{rate}} of {what}; most often with {where}.",
                         rate=number(finding.rate, PERCENT)))  # fmt: skip


def bands(inquiry: Inquiry) -> Section:
    section = Section("bands", "How games end")
    brackets = [one for one in inquiry.brackets() if one.levels and one.levels[0].bands]
    if not brackets:
        return _quantiles(inquiry, section)
    usual = [one for one in brackets if one.setup.score == "cards_left"]
    own = brackets[0].levels[0].bands
    scale = listed([f"{band.label} ({band.word})" if band.word else band.label for band in own])
    section.add(text(f"The rulebook rates what is left at the end: {scale}."))
    name = inquiry.usual
    if usual:
        from houle.reports.figures.bands import draw as draw_bands

        shares = "; ".join(
            f"{inquiry.table(one.setup)}: " + ", ".join(f"{100 * share.value:.0f}%" for share in level.shares)
            for one in usual
            if (level := level_of(one, name))
        )
        section.draw(
            figure("bands", f"Share of games in each band, everyone plays {name}.", f"Shares of the bands. {shares}."),
            lambda path: draw_bands(usual, name, path),
        )
    columns = [Column("variant", "variant"), Column("players", inquiry.people), Column("strategy", "strategy")]
    columns += [Column(f"band_{band.label}", band.label, PERCENT) for band in own]
    columns.append(Column("mean", "mean score"))
    rows = []
    for one in brackets:
        for level in one.levels:
            if level.strategy in (name, inquiry.effort["search"]):
                shares_of = [number(found, PERCENT) for found in level.shares]
                rows.append([variant(one.setup), one.setup.players, level.strategy, *shares_of, number(level.score)])
    section.add(table("bands", "Share of games in each band, in percent, and the mean, with 95% intervals.",
                      columns, rows))  # fmt: skip
    others = sorted({one.setup.score for one in brackets} - {"cards_left"})
    if others:
        section.add(note(f"With nazare the score is {listed(others)}: cards laid face down instead of cards left."))
    return section


def _quantiles(inquiry: Inquiry, section: Section) -> Section:
    """Games whose rulebook rates no scores: the middle and the ends of the scores themselves."""
    section.add(text("The rulebook has no table that rates a score. What players score:"))
    brackets = inquiry.brackets()
    rows: list[list[Any]] = []
    for one in brackets:
        for level in one.levels:
            ends = [number(found) for found in level.quantiles.values()]
            rows.append([inquiry.table(one.setup), level.strategy, number(level.score), *ends])
    if not rows:
        games = inquiry.effort.number("games")
        for i, setup in enumerate(inquiry.setups):
            told = inquiry.progress(games, i / len(inquiry.setups), 1 / len(inquiry.setups))
            found = simulate_games(setup, inquiry.usual, games, inquiry.seed, 0, inquiry.threads, told)
            section.results.setdefault("simulations", []).append(found.as_json())
            side = found.sides[0]
            rows.append([inquiry.table(setup), inquiry.usual, number(side.score.interval),
                         *(_quantile(side.histogram, part) for part in (0.1, 0.5, 0.9))])  # fmt: skip
        section.repeat = [
            f"houle simulate {inquiry.arguments(inquiry.main)} -s {inquiry.usual} -n {games} --seed {inquiry.seed}"
        ]
    columns = [Column("table", "table"), Column("strategy", "strategy"), Column("mean", f"mean {inquiry.main.score}"),
               Column("q10", "one in ten up to"), Column("q50", "half up to"),
               Column("q90", "nine in ten up to")]  # fmt: skip
    caption = f"{inquiry.main.score.replace('_', ' ').capitalize()} of a side, with 95% intervals."
    section.add(table("scores", caption, columns, rows))
    return section


def _quantile(histogram: Any, part: float) -> dict[str, Any] | None:
    total, passed = sum(histogram.values()), 0
    for score in sorted(histogram):
        passed += histogram[score]
        if passed >= part * total:
            return {"value": float(score), "unit": ""}
    return None
