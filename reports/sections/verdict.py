"""The verdict: what the report comes to, in plain words, before everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houle.reports.blocks import PERCENT, Block, Column, Section, bullets, lead, number, table, text, worded
from houle.reports.context import Inquiry, variant
from houle.reports.html.format import in_words, listed
from houle.reports.sections.difficulty import best_fair, level_of

if TYPE_CHECKING:
    from houle.analysis.difficulty.bracket import Bracket

TALK = {
    "silent": " and no word at the table",
    "advice": " and advice at the table",
    "open": " and all hands open",
}


def verdict(inquiry: Inquiry, sections: dict[str, Section]) -> Section:
    """Written last, from what the other sections found."""
    section = Section("verdict", "The verdict")
    brackets = inquiry.brackets()
    main = next((one for one in brackets if one.setup is inquiry.main), None)
    if main is not None:
        _together(inquiry, section, main, brackets)
    elif "ladder" in _tables(sections.get("skill")):
        _rivals(inquiry, section, sections)
    items = [line for line in (_luck(sections), _choices(sections), _standing(sections), _list(sections)) if line]
    if items:
        section.add(bullets(items))
    if main is not None and len(brackets) > 1:
        _glance(inquiry, section, brackets)
    return section


def _together(inquiry: Inquiry, section: Section, main: Bracket, brackets: list[Bracket]) -> None:
    setup = main.setup
    best, weakest = best_fair(main), main.levels[0]
    people = inquiry.people if setup.players != 1 else inquiry.people[:-1]
    talk = TALK[setup.options["talk"]] if "talk" in setup.options else ""
    usual = level_of(main, inquiry.usual)
    words = (
        f"With {in_words(setup.players)} {people}{talk}, players who think ahead ({best.strategy}) win {{best}} of "
        f"{'base' if not setup.variants else variant(setup)} games: {best.word} for them."
    )
    if usual is not None and usual is not best:
        words += " Players who follow rules of thumb win {usual}, random play wins {weakest}."
        section.add(lead(words, best=number(best.win, PERCENT), usual=number(usual.win, PERCENT),
                         weakest=number(weakest.win, PERCENT)))  # fmt: skip
    elif best is weakest:
        section.add(
            lead(f"With {in_words(setup.players)} {people}, random play wins {{best}} of the games: {best.word}.",
                 best=number(best.win, PERCENT))
        )  # fmt: skip
    else:
        section.add(lead(f"{words} Random play wins {{weakest}}.", best=number(best.win, PERCENT),
                         weakest=number(weakest.win, PERCENT)))  # fmt: skip
    same = [one for one in brackets if one.setup.players == setup.players and one is not main]
    parts, values = [], {}
    for i, one in enumerate(same):
        parts.append(f"{variant(one.setup)} {{v{i}}}, {best_fair(one).word}")
        values[f"v{i}"] = number(best_fair(one).win, PERCENT)
    if parts:
        section.add(text(f"The same players in the variants: {'; '.join(parts)}.", **values))


def _rivals(inquiry: Inquiry, section: Section, sections: dict[str, Section]) -> None:
    found = sections["skill"].results["skill"]
    relative = found["skill"]
    balance = sections["balance"].results.get("balance") if "balance" in sections else None
    if relative and relative["best_win"]:
        words = (
            f"With {inquiry.table(inquiry.main)}, one good player ({relative['best']}) among {relative['lowest']} ones "
            "wins {best}, where an equal share is {fair}."
        )
        section.add(lead(words, best={**relative["best_win"], "unit": PERCENT},
                         fair=number(found["ladder"]["fair_share"], PERCENT)))  # fmt: skip
    if balance and balance["fair_share"] is not None:
        wins = [(side["side"], side["win"]) for side in balance["sides"]]
        best, worst = max(wins, key=lambda one: one[1]["value"]), min(wins, key=lambda one: one[1]["value"])
        length = balance["measures"]["decisions"]
        section.add(
            text(
                f"Between equal players {best[0]} wins most with {{best}} and {worst[0]} least with {{worst}}; a game "
                "has {length} decisions, and {draws} end without a winner.",
                best={**best[1], "unit": PERCENT},
                worst={**worst[1], "unit": PERCENT},
                length={**length, "unit": ""},
                draws={**balance["measures"]["draws"], "unit": PERCENT},
            )
        )


def _tables(section: Section | None) -> dict[str, Block]:
    return {block["name"]: block for block in section.blocks if block["kind"] == "table"} if section else {}


def _luck(sections: dict[str, Section]) -> Block | None:
    found = sections["skill"].results.get("skill") if "skill" in sections else None
    shares = found["luck"]["alike"]["win"] if found and found["luck"]["alike"] else None
    if not shares:
        return None
    return text(
        "Among equal players {deal} of who wins lies in the deal, the order of the piles included.",
        deal={**shares["deal"], "high": min(1.0, shares["deal"]["high"]), "unit": PERCENT},
    )


def _choices(sections: dict[str, Section]) -> Block | None:
    found = sections["decisions"].results.get("decisions") if "decisions" in sections else None
    if not found:
        return None
    whole = found["groups"][0]
    return text(
        "A game has {decisions} decisions, of which {matter} certainly matter.",
        decisions={**whole["per_game"], "unit": ""},
        matter={**whole["matter_per_game"], "unit": ""},
    )


def _standing(sections: dict[str, Section]) -> Block | None:
    found = sections["assumed"].results.get("assumptions") if "assumed" in sections else None
    if not found:
        return None
    hangs = list(dict.fromkeys(knob for one in found["conclusions"] for knob in one["hangs_on"]))
    if hangs:
        return text(f"These results hang on rules that print does not settle: {listed(hangs)}.")
    return text("No rule that print does not settle changes these results by more than matters, as far as is known.")


def _list(sections: dict[str, Section]) -> Block | None:
    found = sections["shortlist"].results.get("shortlist") if "shortlist" in sections else None
    if not found or not found["kept"]:
        return None
    kept = {**found["kept"], "unit": PERCENT}
    number_of = in_words(len(found["lines"]))
    return text(f"A list of {number_of} rules keeps {{kept}} of what search has over random play.", kept=kept)


def _glance(inquiry: Inquiry, section: Section, brackets: list[Bracket]) -> None:
    """Variants down, players across: what the strongest player that does not cheat wins, with its word."""
    best = best_fair(brackets[0])
    counts = sorted({one.setup.players for one in brackets})
    variants = list(dict.fromkeys(variant(one.setup) for one in brackets))
    rows: list[list[Any]] = []
    for name in variants:
        row: list[Any] = [name]
        for players in counts:
            one = next((one for one in brackets if variant(one.setup) == name and one.setup.players == players), None)
            row.append(worded(number(best_fair(one).win, PERCENT), best_fair(one).word) if one else None)
        rows.append(row)
    columns = [Column("variant", "variant")]
    for players in counts:
        people = inquiry.people if players != 1 else inquiry.people[:-1]
        columns.append(Column(f"win_{players}", f"{players} {people}", PERCENT))
    section.add(
        table(
            "glance",
            f"At a glance: games won by {best.strategy} ({best.role}).",
            columns,
            rows,
        )
    )
