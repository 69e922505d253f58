"""The verdict: the main results of a report in plain words. It is read first and written last, from other sections.

It says only what is certain and useful about the main setup, and every number in it is also in another section.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from houle.analysis.comparison.measures import measure_title
from houle.analysis.difficulty.difficulty import Difficulty
from houle.analysis.fairness.balance import Balance
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.blocks import Block, Column, Section, bullets, exact, lead, seat_words, table, text, with_word
from houle.reports.context import Context
from houle.reports.difficulties import level_of, strongest_fair
from houle.reports.html.format import in_words, listed
from houle.reports.names import player_kind
from houle.reports.sections.assumptions import doubts, in_force
from houle.reports.sections.balance import LIKELY
from houle.reports.sections.variants import own_change, verdict_word

# Shares of games that are worth a sentence.
LEAST_EARLY, LEAST_LATE, LEAST_RUNAWAY, LEAST_BEHIND = 0.02, 0.4, 0.2, 0.3
FEW_LEAD_CHANGES = 1.0  # in a game
LEAST_NEARLY, LEAST_END = 0.2, 0.05  # shares that are worth a sentence: of lost games, and of games
LEAST_DRAWS = 0.005  # share of games without a winner that is worth a sentence


def fill(context: Context, section: Section) -> None:
    main, difficulties = context.main_difficulty, context.results.difficulties
    if main is not None:
        opposed = [one.sentence for one in context.results.opposed]
        section.add(_difficulty(context, main), *_compared_with_print(context), *opposed)
    else:
        section.add(*_rivals(context), *_compared_with_print(context))
    lines = [*_tension(context), *_strength(context), _choices(context), *_doubts(context), _assumptions(context)]
    lines.append(_short_list(context))
    if any(lines):
        section.add(bullets([line for line in lines if line]))
    if main is not None and len(difficulties) > 1:
        section.add(_glance(context, difficulties))


def _difficulty(context: Context, main: Difficulty) -> Block:
    """What each kind of player wins, the family first."""
    setup, variant = main.setup, context.name(main.setup).removesuffix(" game")
    best, weakest = strongest_fair(main), main.levels[0]
    if best is weakest:
        return lead(
            "With {players}, random play wins {win} of {variant} games: {word}.",
            players=context.players(setup),
            variant=variant,
            win=best.win,
            word=best.word,
        )
    values = {
        "players": context.players(setup),
        "variant": variant,
        "best": best.win,
        "best_word": best.word,
        "name": best.strategy,
        "weakest": weakest.win,
    }
    family, thumb = level_of(main, context.family), level_of(main, context.usual_strategy)
    if family is None or thumb is None or thumb is best:
        return lead(
            "With {players}, the best player here ({name}) wins {best} of {variant} games: {best_word}. "
            "Random play wins {weakest}.",
            **values,
        )
    return lead(
        "With {players}, a simulated family wins {family} of {variant} games: {word}. Seasoned players, who "
        "follow every rule of thumb, win {thumb}. Experts, who plan ahead, win {best}: {best_word} for them. Random "
        "play wins {weakest}.",
        **values,
        family=family.win,
        word=family.word,
        thumb=thumb.win,
    )


def _compared_with_print(context: Context) -> list[Block]:
    """What a variant of your own changes."""
    row = own_change(context)
    if row is None or row.difference is None:
        return []
    values = {
        "variant": row.arm.label,
        "measure": measure_title(row.measure, [row.arm.setup]).replace("_", " "),
        "verdict": row.verdict.text if row.verdict else "",
    }
    if not verdict_word(row):
        return [text("Compared with the printed rules, {measure}: {verdict}.", **values)]
    return [
        text(
            "Compared with the printed rules {variant} is {verdict}. Change in {measure}: {difference}.",
            **values,
            difference=row.difference.interval,
        )
    ]


def _rivals(context: Context) -> list[Block]:
    """Where players compete: whether seats are equal, how long games are, how many have no winner."""
    balance = context.results.balance
    if balance is None:
        return []
    values = {measure.name: measure.value for measure in balance.measures}
    draws: list[Block] = []
    if values["draws"].low > LEAST_DRAWS:
        draws.append(text(" {draws} of games end without a winner.", draws=values["draws"]))
    return [
        lead(
            "With {setup}, {seats}. Half of the games last at most {half} {turns}, nine in ten at most {most}.{draws}",
            setup=context.main_setup,
            seats=_seats(context, balance),
            half=values["turns_50"],
            turns=context.main.ruleset.turns,
            most=values["turns_90"],
            draws=draws,
        )
    ]


def _seats(context: Context, balance: Balance) -> Block:
    sides = balance.sides
    if balance.fair is None:
        side, win = sides[0]
        return text("the {side} wins {win} of games", side=side, win=win)
    sizes = [len(seats) for _, seats in context.main.game.side_names(context.main)]
    best, worst = (choose(sides, key=lambda side: side[1].value) for choose in (max, min))
    if len(set(sizes)) > 1:
        size = in_words(sizes[sides.index(best)])
        return text("the team of {size} wins {best} of games between equally good players", size=size, best=best[1])
    if balance.even is not None and balance.even.p <= LIKELY:
        return text(
            "the seat matters: between equally good players {best_side} wins {best} and {worst_side} {worst}, where an "
            "equal share is {fair}",
            best=best[1],
            best_side=seat_words(best[0]),
            worst_side=seat_words(worst[0]),
            worst=worst[1],
            fair=exact(balance.fair, PERCENT),
        )
    return text(
        "no seat is better than another by more than {most} points between equally good players",
        most=f"{most_between([win for _, win in sides]):.1f}",
    )


def most_between(wins: Sequence[Estimate]) -> float:
    """The largest possible difference between two seats, in points: from the lowest to the highest interval end."""
    most = max(win.high for win in wins) - min(win.low for win in wins)
    return math.ceil(1000 * most) / 10


def _strength(context: Context) -> list[Block]:
    """Where players compete: what the better of two kinds of players wins against the other; random play left out."""
    skill = context.results.skill
    if skill is None or skill.strength.fair is None:
        return []
    lines = []
    for matchup in skill.strength.matchups:
        if not matchup.win or not matchup.gain or matchup.below in ("", "random"):
            continue
        values = {"player": player_kind(matchup.strategy), "below": player_kind(matchup.below),
                  "win": matchup.win, "fair": exact(skill.strength.fair, PERCENT)}  # fmt: skip
        if matchup.gain.low > 0:
            words = text("Better players win more: one {player} player among {below} players wins {win}, where an "
                         "equal share is {fair}.", **values)  # fmt: skip
        elif matchup.gain.high < 0:
            words = text("One {player} player among {below} players wins only {win}, less than an equal share of "
                         "{fair}.", **values)  # fmt: skip
        else:
            words = text("One {player} player among {below} players wins {win}: no better, as far as these games "
                         "show.", **values)  # fmt: skip
        lines.append(words)
    return lines


def _tension(context: Context) -> list[Block]:
    """What people feel about a game, where it stands out: early ends, late decisions, runaway leads, ends."""
    balance, endings = context.results.balance, context.results.endings
    lines: list[Block] = []
    if balance is None:
        return lines
    values = {measure.name: measure.value for measure in balance.measures}
    nothing = Estimate(0.0, 0.0, 0.0, 0, PERCENT)
    early, late, runaway, behind = (
        values.get(name, nothing) for name in ("before_acting", "last_turn", "runaway", "behind_75")
    )
    if early.low > LEAST_EARLY:
        lines.append(text("{value} of games are over before every player could act.", value=early))
    if late.low > LEAST_LATE:
        turn = context.main.ruleset.turns.removesuffix("s")
        lines.append(text("{value} of games are decided only in the last {turn}.", value=late, turn=turn))
    if runaway.low > LEAST_RUNAWAY:
        lines.append(text("In {value} of games the winner leads for good from the first quarter on.", value=runaway))
    if behind.low > LEAST_BEHIND:
        lines.append(text("{value} of winners were behind after three quarters of the game.", value=behind))
    if "lead_changes" in values and values["lead_changes"].high < FEW_LEAD_CHANGES:
        lines.append(text("The lead changes only {value} times in a game.", value=values["lead_changes"]))
    if endings is not None and endings.nearly.low > LEAST_NEARLY:
        lines.append(text("{value} of lost games are lost with at most {close} cards left.",
                          value=endings.nearly, close=in_words(endings.close)))  # fmt: skip
    rare = [(words, share) for words, share in balance.ends if share.low > LEAST_END and share.high < 0.5]
    if context.main.game.end_conditions is not None and rare:
        ends = [text("{end} in {share}", end=words, share=share) for words, share in rare]
        lines.append(text("Not every game ends the same way: {ends} of games.", ends=ends))
    return lines


def _choices(context: Context) -> Block | None:
    decisions = context.results.decisions
    if decisions is None:
        return None
    return text(
        "In an average game {matter} decisions matter: there the best move wins at least {least} more games in 100 "
        "than a random one.",
        matter=decisions.whole.estimates["matter_per_game"],
        least=f"{100 * decisions.least:g}",
    )


def _doubts(context: Context) -> list[Block]:
    return doubts(context.results.assumptions) if context.results.assumptions else []


def _assumptions(context: Context) -> Block | None:
    """Which of the rules that we had to interpret certainly change the results."""
    if context.results.assumptions is None:
        return None
    open_rules = in_force(context.results.assumptions)
    if open_rules.certain:
        several = len(open_rules.certain) > 1
        return text(
            "These results depend on how we read {what}: {rules}.",
            what="rules that the rulebook leaves open" if several else "a rule that the rulebook leaves open",
            rules=listed(open_rules.certain),
        )
    if open_rules.turned:
        return text("The rules that we had to interpret make no difference that matters, as far as these games show.")
    return None


def _short_list(context: Context) -> Block | None:
    """What a short list of rules wins, compared with all rules of thumb."""
    few = context.results.few_rules
    if few is None or not few.worth_remembering:
        return None
    values = {"rules": in_words(len(few.rules)), "list": few.wins["list"], "thumb": few.wins["thumb"]}
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
    name = next(iter(shown.values())).strategy
    counts = sorted({players for _, players in shown})
    rows: list[list[Any]] = []
    for variant in dict.fromkeys(variant for variant, _ in shown):
        levels = [shown.get((variant, players)) for players in counts]
        rows.append([variant, *(level and with_word(level.win, level.word) for level in levels)])
    columns = [Column("variant", "variant")]
    columns += [Column(f"win_{players}", f"{players} {context.players_noun(players)}") for players in counts]
    return table("glance", f"At a glance: games won by {name} players.", columns, rows)
