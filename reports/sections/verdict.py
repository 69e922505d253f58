"""The verdict: what the report comes to, in plain words, before everything else; written last, from the others.

It says only what is certain, useful and about the table at hand, and every number in it stands further down too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from houle.analysis.difficulty.difficulty import Difficulty
from houle.analysis.sampling.players import role
from houle.reports.blocks import (
    PERCENT,
    POINTS,
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
from houle.reports.context import Context
from houle.reports.difficulties import level_of, strongest_fair
from houle.reports.html.format import in_words, listed
from houle.reports.sections.balance import LIKELY

TALK = {
    "silent": " and no word at the table",
    "known": " and known back cards",
    "open": " and all hands open",
}
LEAST_DRAWS = 0.005  # games without a winner that are worth a word


def make_section(context: Context) -> Section:
    section = Section("verdict", "The verdict")
    difficulties = context.difficulties
    main = next((difficulty for difficulty in difficulties if context.is_main(difficulty.setup)), None)
    if main is not None:
        _difficulty(context, section, main)
        section.add(*_beside_print(context), *_opposed(context))
    else:
        _rivals(context, section)
    lines = [*_strength(context), _choices(context), _assumed_rules(context), _short_list(context)]
    if any(lines):
        section.add(bullets([line for line in lines if line]))
    if main is not None and len(difficulties) > 1:
        section.add(_glance(context, difficulties))
    return section


def _results(context: Context, section: str) -> dict[str, Any]:
    """The analyses behind a section that is made already; none where it has none."""
    return context.sections[section].results if section in context.sections else {}


def _shown(estimate: dict[str, Any], unit: str = "") -> dict[str, Any]:
    """An estimate of a result's JSON as a number of the page."""
    return {**estimate, "unit": unit}


def _difficulty(context: Context, section: Section, main: Difficulty) -> None:
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
        "variant": context.name(setup).removesuffix(" game"),
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


def _beside_print(context: Context) -> list[Block]:
    """What a variant of one's own changes for the usual player, where that is known."""
    found = _results(context, "changes").get("beside_print")
    if not found:
        return []
    return [
        text(
            "Beside the printed rules {variant} is {word} for {strategy}: {difference}.",
            variant=found["variant"],
            word=found["word"],
            strategy=found["strategy"],
            difference=_shown(found["difference"], POINTS),
        )
    ]


def _opposed(context: Context) -> list[Block]:
    """Variants that are harder for one kind of player and easier for another."""
    return [opposed_sentence(found) for found in _results(context, "difficulty").get("opposed", ())]


def opposed_sentence(found: dict[str, Any]) -> Block:
    """One variant, with what it changes for two kinds of players."""
    harder, easier = sorted(found["changes"], key=lambda change: change["difference"]["value"])
    return text(
        "{variant} is harder for {one} ({less}) and easier for {other} ({more}).",
        variant=f"{found['variant'][:1].upper()}{found['variant'][1:]}",
        one=harder["strategy"],
        less=_shown(harder["difference"], POINTS),
        other=easier["strategy"],
        more=_shown(easier["difference"], POINTS),
    )


def _rivals(context: Context, section: Section) -> None:
    """Among rivals: whether seats are equal, how long games are, how many have no winner."""
    balance = _results(context, "balance").get("balance")
    if not balance:
        return
    measures, sides = balance["measures"], balance["sides"]
    draws: list[Block] = []
    if measures["draws"]["low"] > LEAST_DRAWS:
        draws.append(text(" {draws} end without a winner.", draws=_shown(measures["draws"], PERCENT)))
    section.add(
        lead(
            "With {table}, {seats}. Half of the games are over after {half} {turns}, nine in ten after {most}.{draws}",
            table=context.main_table,
            seats=_seats(context, balance, sides),
            half=_shown(measures["turns_50"]),
            turns=context.main.ruleset.turns,
            most=_shown(measures["turns_90"]),
            draws=draws,
        )
    )


def _seats(context: Context, balance: dict[str, Any], sides: Sequence[dict[str, Any]]) -> Block:
    sizes = [len(seats) for _, seats in context.main.game.side_names(context.main)]
    best = max(sides, key=lambda side: side["win"]["value"])
    worst = min(sides, key=lambda side: side["win"]["value"])
    values = {"player": context.usual_strategy, "best": _shown(best["win"], PERCENT)}
    if balance["fair_share"] is None:
        first = sides[0]
        return text("the {side} ({player}) wins {best}", **{**values, "best": _shown(first["win"], PERCENT)},
                    side=first["side"])  # fmt: skip
    if len(set(sizes)) > 1:
        size = sizes[sides.index(best)]
        return text("the team of {size} wins {best}, all of them playing {player}", **values, size=in_words(size))
    if balance["even"] is not None and balance["even"]["p"] <= LIKELY:
        return text(
            "{best_side} wins {best} and {worst_side} {worst} between equal players ({player}), where an equal share "
            "is {fair}",
            **values,
            best_side=seat_words(best["side"]),
            worst_side=seat_words(worst["side"]),
            worst=_shown(worst["win"], PERCENT),
            fair=number(balance["fair_share"], PERCENT),
        )
    return text(
        "no seat is better than another by more than {most} points between equal players ({player})",
        **values,
        most=f"{most_between(sides):.1f}",
    )


def most_between(sides: Sequence[dict[str, Any]]) -> float:
    """How far apart two seats may be at most, in points: from the lowest end of an interval to the highest."""
    wins = [side["win"] for side in sides]
    most: float = max(win["high"] for win in wins) - min(win["low"] for win in wins)
    return math.ceil(1000 * most) / 10


def _strength(context: Context) -> list[Block]:
    """Among rivals: what the better of two kinds of players wins against the other, random play apart."""
    skill = _results(context, "skill").get("skill")
    if not skill or skill["strength"]["fair_share"] is None:
        return []
    fair = skill["strength"]["fair_share"]
    lines = []
    for matchup in skill["strength"]["rungs"]:
        win, gain = matchup["win"], matchup["gain"]
        if not win or not gain or matchup["below"] in (None, "random"):
            continue
        values = {"strategy": matchup["strategy"], "who": role(matchup["strategy"]), "below": matchup["below"],
                  "win": _shown(win, PERCENT), "fair": number(fair, PERCENT)}  # fmt: skip
        if gain["low"] > 0:
            words = text("{who} ({strategy}) among {below} players wins {win}, where an equal share is {fair}.",
                         **{**values, "who": _capital(values["who"])})  # fmt: skip
        elif gain["high"] < 0:
            words = text("{strategy} loses to {below}: one among them wins {win}, less than an equal share of {fair}.",
                         **values)  # fmt: skip
        else:
            words = text("{strategy} is not shown to be better than {below}: one among them wins {win}.", **values)
        lines.append(words)
    return lines


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _choices(context: Context) -> Block | None:
    decisions = _results(context, "decisions").get("decisions")
    if not decisions:
        return None
    whole = decisions["groups"][0]
    return text(
        "{matter} decisions of a game matter: the best move wins at least {least} points more than a random one.",
        matter=_shown(whole["matter_per_game"]),
        least=f"{100 * decisions['least']:g}",
    )


def _assumed_rules(context: Context) -> Block | None:
    """Of the rules that print does not settle, those in play here that certainly change something."""
    assumed = _results(context, "assumptions").get("in_force")
    if assumed is None:
        return None
    if assumed["certain"]:
        return text(
            "These results hang on {what} that print does not settle: {rules}.",
            what="a rule" if len(assumed["certain"]) == 1 else "rules",
            rules=listed(assumed["certain"]),
        )
    if assumed["turned"]:
        return text("No rule that print does not settle is known to change these results by more than matters.")
    return None


def _short_list(context: Context) -> Block | None:
    """What a few rules are worth, beside all rules of thumb."""
    few = _results(context, "rules-of-thumb").get("few_rules")
    if not few or not few["worth_remembering"]:
        return None
    return text(
        "A list of {rules} rules wins {list}, all rules of thumb win {thumb}.",
        rules=in_words(len(few["rules"])),
        list=_shown(few["wins"]["list"], PERCENT),
        thumb=_shown(few["wins"]["thumb"], PERCENT),
    )


def _glance(context: Context, difficulties: Sequence[Difficulty]) -> Block:
    """Variants down, players across: what the strongest player that does not cheat wins, with its word."""
    strongest = {
        (context.name(difficulty.setup), difficulty.setup.players): strongest_fair(difficulty)
        for difficulty in difficulties
    }
    best = strongest_fair(difficulties[0])
    counts = sorted({players for _, players in strongest})
    rows: list[list[Any]] = []
    for variant in dict.fromkeys(variant for variant, _ in strongest):
        levels = [strongest.get((variant, players)) for players in counts]
        rows.append([variant, *(level and with_word(number(level.win, PERCENT), level.word) for level in levels)])
    columns = [Column("variant", "variant")]
    columns += [Column(f"win_{players}", f"{players} {context.players_noun(players)}", PERCENT) for players in counts]
    return table("glance", f"At a glance: games won by {best.strategy} ({best.role}).", columns, rows)
