"""The verdict: what the report comes to, in plain words, before everything else; written last, from the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houle.analysis.difficulty.bracket import Bracket
from houle.reports.blocks import (
    PERCENT,
    Block,
    Column,
    Section,
    bullets,
    lead,
    number,
    seat_words,
    table,
    text,
    with_word,
)
from houle.reports.brackets import level_of, strongest_fair
from houle.reports.context import Context
from houle.reports.html.format import in_words, listed
from houle.reports.names import variant_name

TALK = {
    "silent": " and no word at the table",
    "advice": " and advice at the table",
    "open": " and all hands open",
}


def make_section(context: Context) -> Section:
    section = Section("verdict", "The verdict")
    brackets = context.brackets
    main = next((bracket for bracket in brackets if bracket.setup is context.main), None)
    if main is not None:
        _difficulty(context, section, main)
        _other_variants(section, main, brackets)
    elif "skill" in _results(context, "skill"):
        _best_player(context, section)
        _seats(context, section)
    lines = [_luck(context), _choices(context), _assumed_rules(context), _short_list(context)]
    if any(lines):
        section.add(bullets([line for line in lines if line]))
    if main is not None and len(brackets) > 1:
        section.add(_glance(context, brackets))
    return section


def _results(context: Context, section: str) -> dict[str, Any]:
    """The analyses behind a section that is made already; none where it has none."""
    return context.sections[section].results if section in context.sections else {}


def _shown(estimate: dict[str, Any], unit: str = "") -> dict[str, Any]:
    """An estimate of a result's JSON as a number of the page."""
    return {**estimate, "unit": unit}


def _difficulty(context: Context, section: Section, main: Bracket) -> None:
    setup = main.setup
    best, weakest = strongest_fair(main), main.levels[0]
    if best is weakest:
        section.add(
            lead(
                "With {players}, random play wins {best} of the games: {word}.",
                players=context.players(setup),
                best=number(best.win, PERCENT),
                word=best.word,
            )
        )
        return
    usual = level_of(main, context.usual_strategy)
    values = {
        "players": context.players(setup),
        "talk": TALK[setup.options["talk"]] if "talk" in setup.options else "",
        "strategy": best.strategy,
        "best": number(best.win, PERCENT),
        "variant": variant_name(setup).removesuffix(" game"),
        "word": best.word,
        "weakest": number(weakest.win, PERCENT),
    }
    if usual is not None and usual is not best:
        section.add(
            lead(
                "With {players}{talk}, players who think ahead ({strategy}) win {best} of {variant} games: {word} for "
                "them. Players who follow rules of thumb win {usual}, random play wins {weakest}.",
                **values,
                usual=number(usual.win, PERCENT),
            )
        )
    else:
        section.add(
            lead(
                "With {players}{talk}, players who think ahead ({strategy}) win {best} of {variant} games: {word} for "
                "them. Random play wins {weakest}.",
                **values,
            )
        )


def _other_variants(section: Section, main: Bracket, brackets: Sequence[Bracket]) -> None:
    others = [bracket for bracket in brackets if bracket.setup.players == main.setup.players and bracket is not main]
    parts = [
        text(
            "{variant} {win}, {word}",
            variant=variant_name(bracket.setup),
            win=number(strongest_fair(bracket).win, PERCENT),
            word=strongest_fair(bracket).word,
        )
        for bracket in others
    ]
    if parts:
        section.add(text("The same players in the variants: {variants}.", variants=parts))


def _best_player(context: Context, section: Section) -> None:
    """Among rivals: what one good player wins."""
    skill = _results(context, "skill")["skill"]
    gap = skill["skill"]
    if gap and gap["best_win"]:
        section.add(
            lead(
                "With {table}, one good player ({best_strategy}) among {lowest} ones wins {best}, where an equal share "
                "is {fair}.",
                table=context.main_table,
                best_strategy=gap["best"],
                lowest=gap["lowest"],
                best=_shown(gap["best_win"], PERCENT),
                fair=number(skill["ladder"]["fair_share"], PERCENT),
            )
        )


def _seats(context: Context, section: Section) -> None:
    """Among rivals: which seat is best, how long games are."""
    balance = _results(context, "balance").get("balance")
    if not balance or balance["fair_share"] is None:
        return
    best = max(balance["sides"], key=lambda side: side["win"]["value"])
    worst = min(balance["sides"], key=lambda side: side["win"]["value"])
    section.add(
        text(
            "Between equal players {best_side} wins most with {best} and {worst_side} least with {worst}; a game has "
            "{length} decisions, and {draws} end without a winner.",
            best_side=seat_words(best["side"]),
            best=_shown(best["win"], PERCENT),
            worst_side=seat_words(worst["side"]),
            worst=_shown(worst["win"], PERCENT),
            length=_shown(balance["measures"]["decisions"]),
            draws=_shown(balance["measures"]["draws"], PERCENT),
        )
    )


def _luck(context: Context) -> Block | None:
    skill = _results(context, "skill").get("skill")
    shares = skill["luck"]["alike"]["win"] if skill and skill["luck"]["alike"] else None
    if not shares:
        return None
    deal = {**shares["deal"], "high": min(1.0, shares["deal"]["high"])}
    return text(
        "Among equal players {deal} of who wins lies in the deal, the order of the piles included.",
        deal=_shown(deal, PERCENT),
    )


def _choices(context: Context) -> Block | None:
    decisions = _results(context, "decisions").get("decisions")
    if not decisions:
        return None
    whole = decisions["groups"][0]
    return text(
        "A game has {decisions} decisions, of which {matter} certainly matter.",
        decisions=_shown(whole["per_game"]),
        matter=_shown(whole["matter_per_game"]),
    )


def _assumed_rules(context: Context) -> Block | None:
    assumptions = _results(context, "assumed").get("assumptions")
    if not assumptions:
        return None
    knobs = list(dict.fromkeys(knob for conclusion in assumptions["conclusions"] for knob in conclusion["hangs_on"]))
    if knobs:
        return text("These results hang on rules that print does not settle: {rules}.", rules=listed(knobs))
    return text("No rule that print does not settle changes these results by more than matters, as far as is known.")


def _short_list(context: Context) -> Block | None:
    shortlist = _results(context, "shortlist").get("shortlist")
    if not shortlist or not shortlist["kept"]:
        return None
    return text(
        "A list of {rules} rules keeps {kept} of what search has over random play.",
        rules=in_words(len(shortlist["lines"])),
        kept=_shown(shortlist["kept"], PERCENT),
    )


def _glance(context: Context, brackets: Sequence[Bracket]) -> Block:
    """Variants down, players across: what the strongest player that does not cheat wins, with its word."""
    strongest = {(variant_name(bracket.setup), bracket.setup.players): strongest_fair(bracket) for bracket in brackets}
    best = strongest_fair(brackets[0])
    counts = sorted({players for _, players in strongest})
    rows: list[list[Any]] = []
    for variant in dict.fromkeys(variant for variant, _ in strongest):
        levels = [strongest.get((variant, players)) for players in counts]
        rows.append([variant, *(level and with_word(number(level.win, PERCENT), level.word) for level in levels)])
    columns = [Column("variant", "variant")]
    columns += [Column(f"win_{players}", f"{players} {context.players_noun(players)}", PERCENT) for players in counts]
    return table("glance", f"At a glance: games won by {best.strategy} ({best.role}).", columns, rows)
