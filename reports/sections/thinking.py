"""What there is to decide, how much of it matters, and how far skill reaches against luck."""

from __future__ import annotations

from typing import Any

from houle.reports.blocks import OWN, PERCENT, POINTS, Column, Section, figure, note, number, table, text
from houle.reports.context import Inquiry

# What decides, as a reader says it.
PARTS = {"player": "who plays", "seat": "the seat", "deal": "the deal", "rest": "luck of the draw and choices"}


def decisions(inquiry: Inquiry) -> Section:
    section = Section("decisions", "What there is to decide")
    if not inquiry.thumbs:
        section.add(text(f"{inquiry.title} has no rules of thumb yet, so search cannot say what a decision is worth."))
        return section
    from houle.analysis.strategy.decisions import MEASURES, SHARES, note_decisions
    from houle.reports.figures.decisions import draw

    games, search = inquiry.effort.number("decision_games"), inquiry.effort["decision_search"]
    found = note_decisions(
        inquiry.main, search, games, inquiry.seed, threads=inquiry.threads, progress=inquiry.progress(games)
    )
    whole = found.whole.estimates
    section.add(
        text(
            f"With {inquiry.table(inquiry.main)} a game has {{per_game}} decisions; {{forced}} of them leave no "
            "choice. Of the choices {matters} matter: the best move is better than a random one beyond the error.",
            per_game=number(whole["per_game"]),
            forced=number(whole["forced"], PERCENT),
            matters=number(whole["matters"], PERCENT),
        )
    )
    alt = "Stakes of a decision and how often it matters, from the first to the last tenth of a game; see the table."
    section.draw(
        figure("decisions", "What hangs on a decision as the game goes on.", alt), lambda path: draw(found, path)
    )
    rows = []
    for name, about in MEASURES.items():
        one = whole.get(name)
        rows.append([about, number(one, PERCENT if name in SHARES else "")])
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    caption = f"All decisions of {games:,} games, {search} in every seat; intervals clustered by game."
    section.add(table("decisions", caption, columns, rows))
    section.add(note("Stakes are differences of search's measure of the end of a round, which runs from 0 to 1."))
    section.results["decisions"] = found.as_json()
    section.repeat = [f"houle decisions {inquiry.arguments(inquiry.main)} -s {search} -n {games} --seed {inquiry.seed}"]
    return section


def skill(inquiry: Inquiry) -> Section:
    section = Section("skill", "Skill and luck")
    from houle.analysis.strategy import skill as reckoning
    from houle.reports.figures.skill import draw

    effort = inquiry.effort
    fair = ["random", *([inquiry.novice] if inquiry.novice else []), *(["thumb"] if inquiry.thumbs else [])]
    fair += [effort["search"]] if inquiry.thumbs else []
    deals, searched = effort.number("skill_deals"), effort.number("skill_search_deals")
    planned = reckoning.plan(inquiry.main, fair, deals, searched)

    def told(done: int, seconds: float, doing: str) -> None:
        inquiry.tell(min(1.0, done / max(planned.games, 1)))

    found = reckoning.play_plan(planned, inquiry.seed, inquiry.threads, told)
    _ladder(inquiry, section, found)
    gap = found.relative
    if gap and gap.skill:
        section.add(
            text(
                f"Of what {gap.lowest} play does not win, {gap.best} wins {{skill}}"
                + (", and {relative} of what could be won at all with every card known." if gap.relative else "."),
                skill=number(gap.skill, PERCENT),
                relative=number(gap.relative, PERCENT),
            )
        )
    rows: list[list[Any]] = []
    for found_luck in (found.alike, found.mixed):
        shares = found_luck.parts["win"] if found_luck else None
        if found_luck is None or shares is None:
            continue
        who = ", ".join(dict.fromkeys(found_luck.strategies))
        for part, share in shares.items():
            if part in ("deal", "rest") or (part == "player" and found_luck.rotated) or (
                part == "seat" and found_luck.competitive
            ):  # fmt: skip
                rows.append([who, PARTS[part], number(share, PERCENT)])
    if rows:
        columns = [Column("who", "who plays"), Column("part", "what decides"), Column("share", "share", PERCENT)]
        section.add(
            table("luck", "What decides who wins: shares of the variance of a win, with 95% intervals.", columns, rows)
        )
        section.add(note("The deal is all cards as they lie, the pile included. A part that is nothing may read "
                         "slightly below 0."))  # fmt: skip
    for remark in found.remarks:
        section.add(note(f"{remark[0].upper()}{remark[1:]}."))
    alt = "Win rates of the strategies and shares of what decides a win; the numbers are in the tables."
    section.draw(figure("skill", "Skill and luck at the main table.", alt), lambda path: draw(found, path))
    section.results["skill"] = found.as_json()
    section.repeat = [
        f"houle skill {inquiry.arguments(inquiry.main)} -s {','.join(fair)} -n {deals} --search-games {searched} "
        f"--seed {inquiry.seed}"
    ]
    return section


def _ladder(inquiry: Inquiry, section: Section, found: Any) -> None:
    together = found.ladder.fair is None
    best = found.ladder.rungs[-1]
    if together:
        section.add(text(f"With {inquiry.table(inquiry.main)}, each kind of player on the same deals:"))
    else:
        section.add(
            text(
                f"With {inquiry.table(inquiry.main)}, one of each kind meets the kind below at every seat in turn; an "
                "equal share is {fair}." + (" The best of them gets {win}." if best.win else ""),
                fair=number(found.ladder.fair, PERCENT),
                **({"win": number(best.win, PERCENT)} if best.win else {}),
            )
        )
    columns = [Column("strategy", "player"), Column("below", "on top of" if together else "against"),
               Column("win", "wins", PERCENT)]  # fmt: skip
    columns += [Column("gain", "gain", POINTS)] if together else []
    rows = []
    for rung in found.ladder.rungs:
        row = [rung.strategy, rung.below, number(rung.win, PERCENT)]
        rows.append(row + ([number(rung.gain, POINTS)] if together else []))
    section.add(table("ladder", "The ladder of players, with 95% intervals.", columns, rows))
