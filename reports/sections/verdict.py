"""The verdict: the main results of a report in plain words. It is read first and written last, from other sections.

It says only what is certain and useful about the main setup, and every number in it is also in another section.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from houle.analysis.difficulty.difficulty import Difficulty
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
from houle.reports.context import Context
from houle.reports.difficulties import level_of, strongest_fair
from houle.reports.html.format import in_words, listed
from houle.reports.names import player_kind, player_name
from houle.reports.sections.balance import LIKELY
from houle.reports.sections.difficulty import opposed_sentence

TALK = {
    "silent": " and no table talk",
    "known": " who know their own back cards",
    "open": " and all hands open",
}
LEAST_DRAWS = 0.005  # share of games without a winner that is worth a sentence


def make_section(context: Context) -> Section:
    section = Section("verdict", "The verdict")
    difficulties = context.difficulties
    main = next((difficulty for difficulty in difficulties if context.is_main(difficulty.setup)), None)
    if main is not None:
        section.add(_difficulty(context, main), *_compared_with_print(context), *_opposed(context))
    else:
        section.add(*_rivals(context), *_compared_with_print(context))
    lines = [*_strength(context), _choices(context), _assumptions(context), _short_list(context)]
    if any(lines):
        section.add(bullets([line for line in lines if line]))
    if main is not None and len(difficulties) > 1:
        section.add(_glance(context, difficulties))
    return section


def _results(context: Context, section: str) -> dict[str, Any]:
    """The results of another section; empty if the report does not have it."""
    return context.sections[section].results if section in context.sections else {}


def _shown(estimate: dict[str, Any], unit: str = "") -> dict[str, Any]:
    """An estimate of a result's JSON as a value of a sentence."""
    return {**estimate, "unit": unit}


def _difficulty(context: Context, main: Difficulty) -> Block:
    """What each kind of player wins, the family first."""
    setup, variant = main.setup, context.name(main.setup).removesuffix(" game")
    best, weakest = strongest_fair(main), main.levels[0]
    if best is weakest:
        return lead(
            "With {players}, random play wins {win} of {variant} games: {word}.",
            players=context.players(setup),
            variant=variant,
            win=number(best.win, PERCENT),
            word=best.word,
        )
    values = {
        "players": context.players(setup),
        "talk": TALK.get(str(setup.options.get("talk")), ""),
        "variant": variant,
        "best": number(best.win, PERCENT),
        "best_word": best.word,
        "name": player_name(best.strategy),
        "weakest": number(weakest.win, PERCENT),
    }
    family, thumb = level_of(main, context.family), level_of(main, "thumb")
    if family is None or thumb is None or thumb is best:
        return lead(
            "With {players}{talk}, the best player here ({name}) wins {best} of {variant} games: {best_word}. "
            "Random play wins {weakest}.",
            **values,
        )
    return lead(
        "With {players}{talk}, a simulated family wins {family} of {variant} games: {word}. Players who follow every "
        "rule of thumb win {thumb}. Players who think ahead ({name}) win {best}: {best_word} for them. Random play "
        "wins {weakest}.",
        **values,
        family=number(family.win, PERCENT),
        word=family.word,
        thumb=number(thumb.win, PERCENT),
    )


def _compared_with_print(context: Context) -> list[Block]:
    """What a variant of your own changes."""
    change = _results(context, "variants").get("compared_with_print")
    if not change:
        return []
    values = {"variant": change["variant"], "measure": change["measure"], "verdict": change["verdict"]}
    if not change["known"]:
        return [text("Compared with the printed rules, {measure}: {verdict}.", **values)]
    return [
        text(
            "Compared with the printed rules {variant} is {verdict}. Change in {measure}: {difference}.",
            **values,
            difference=_shown(change["difference"], change["unit"]),
        )
    ]


def _opposed(context: Context) -> list[Block]:
    """Variants that are harder for one kind of player and easier for another."""
    return [opposed_sentence(opposed) for opposed in _results(context, "difficulty").get("opposed", ())]


def _rivals(context: Context) -> list[Block]:
    """Where players compete: whether seats are equal, how long games are, how many have no winner."""
    balance = _results(context, "balance").get("balance")
    if not balance:
        return []
    measures, sides = balance["measures"], balance["sides"]
    draws: list[Block] = []
    if measures["draws"]["low"] > LEAST_DRAWS:
        draws.append(text(" {draws} of games end without a winner.", draws=_shown(measures["draws"], PERCENT)))
    return [
        lead(
            "With {setup}, {seats}. Half of the games last at most {half} {turns}, nine in ten at most {most}.{draws}",
            setup=context.main_setup,
            seats=_seats(context, balance, sides),
            half=_shown(measures["turns_50"]),
            turns=context.main.ruleset.turns,
            most=_shown(measures["turns_90"]),
            draws=draws,
        )
    ]


def _seats(context: Context, balance: dict[str, Any], sides: Sequence[dict[str, Any]]) -> Block:
    sizes = [len(seats) for _, seats in context.main.game.side_names(context.main)]
    best = max(sides, key=lambda side: side["win"]["value"])
    worst = min(sides, key=lambda side: side["win"]["value"])
    values = {"best": _shown(best["win"], PERCENT)}
    if balance["fair_share"] is None:
        first = sides[0]
        return text("the {side} wins {win} of games", side=first["side"], win=_shown(first["win"], PERCENT))
    if len(set(sizes)) > 1:
        size = sizes[sides.index(best)]
        return text("the team of {size} wins {best} of games between equally good players", **values,
                    size=in_words(size))  # fmt: skip
    if balance["even"] is not None and balance["even"]["p"] <= LIKELY:
        return text(
            "the seat matters: between equally good players {best_side} wins {best} and {worst_side} {worst}, where an "
            "equal share is {fair}",
            **values,
            best_side=seat_words(best["side"]),
            worst_side=seat_words(worst["side"]),
            worst=_shown(worst["win"], PERCENT),
            fair=number(balance["fair_share"], PERCENT),
        )
    return text(
        "no seat is better than another by more than {most} points between equally good players",
        most=f"{most_between(sides):.1f}",
    )


def most_between(sides: Sequence[dict[str, Any]]) -> float:
    """The largest possible difference between two seats, in points: from the lowest to the highest interval end."""
    wins = [side["win"] for side in sides]
    most: float = max(win["high"] for win in wins) - min(win["low"] for win in wins)
    return math.ceil(1000 * most) / 10


def _strength(context: Context) -> list[Block]:
    """Where players compete: what the better of two kinds of players wins against the other; random play left out."""
    skill = _results(context, "skill").get("skill")
    if not skill or skill["strength"]["fair_share"] is None:
        return []
    fair = skill["strength"]["fair_share"]
    lines = []
    for matchup in skill["strength"]["matchups"]:
        win, gain = matchup["win"], matchup["gain"]
        if not win or not gain or matchup["below"] in (None, "random"):
            continue
        values = {"player": player_kind(matchup["strategy"]), "below": player_kind(matchup["below"]),
                  "win": _shown(win, PERCENT), "fair": number(fair, PERCENT)}  # fmt: skip
        if gain["low"] > 0:
            words = text("Better players win more: one {player} player among {below} players wins {win}, where an "
                         "equal share is {fair}.", **values)  # fmt: skip
        elif gain["high"] < 0:
            words = text("One {player} player among {below} players wins only {win}, less than an equal share of "
                         "{fair}.", **values)  # fmt: skip
        else:
            words = text("One {player} player among {below} players wins {win}: no better, as far as these games "
                         "show.", **values)  # fmt: skip
        lines.append(words)
    return lines


def _choices(context: Context) -> Block | None:
    decisions = _results(context, "decisions").get("decisions")
    if not decisions:
        return None
    return text(
        "In an average game {matter} decisions matter: there the best move wins at least {least} more games in 100 "
        "than a random one.",
        matter=_shown(decisions["groups"][0]["matter_per_game"]),
        least=f"{100 * decisions['least']:g}",
    )


def _assumptions(context: Context) -> Block | None:
    """Which of the rules that we had to interpret certainly change the results."""
    in_force = _results(context, "assumptions").get("in_force")
    if in_force is None:
        return None
    if in_force["certain"]:
        return text(
            "These results depend on how we read {what}: {rules}.",
            what="a rule that the rulebook leaves open"
            if len(in_force["certain"]) == 1
            else "rules that the rulebook leaves open",
            rules=listed(in_force["certain"]),
        )
    if in_force["turned"]:
        return text("The rules that we had to interpret make no difference that matters, as far as these games show.")
    return None


def _short_list(context: Context) -> Block | None:
    """What a short list of rules wins, compared with all rules of thumb."""
    few = _results(context, "rules-of-thumb").get("few_rules")
    if not few or not few["worth_remembering"]:
        return None
    values = {
        "rules": in_words(len(few["rules"])),
        "list": _shown(few["wins"]["list"], PERCENT),
        "thumb": _shown(few["wins"]["thumb"], PERCENT),
    }
    if context.main.one_sided:
        return text("A player who remembers only {rules} rules wins {list}; all rules of thumb win {thumb}.", **values)
    return text(
        "A player who remembers only {rules} rules wins {list} against players who follow all rules of thumb; an equal "
        "share is {thumb}.",
        **values,
    )


def _glance(context: Context, difficulties: Sequence[Difficulty]) -> Block:
    """Variants down, players across: what a family wins in each setup, with its word."""
    shown = {
        (context.name(difficulty.setup), difficulty.setup.players): level_of(difficulty, context.family)
        or strongest_fair(difficulty)
        for difficulty in difficulties
    }
    name = player_name(next(iter(shown.values())).strategy)
    counts = sorted({players for _, players in shown})
    rows: list[list[Any]] = []
    for variant in dict.fromkeys(variant for variant, _ in shown):
        levels = [shown.get((variant, players)) for players in counts]
        rows.append([variant, *(level and with_word(number(level.win, PERCENT), level.word) for level in levels)])
    columns = [Column("variant", "variant")]
    columns += [Column(f"win_{players}", f"{players} {context.players_noun(players)}", PERCENT) for players in counts]
    return table("glance", f"At a glance: games won by {name} players.", columns, rows)
