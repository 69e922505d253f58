"""How hard it is, and for whom: what every kind of player wins in every cooperative setup."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from houle.analysis.comparison.findings import Finding
from houle.analysis.comparison.words import words
from houle.analysis.difficulty.difficulty import Difficulty
from houle.analysis.difficulty.difficulty import difficulty as play_difficulty
from houle.analysis.result import interval_as_json
from houle.analysis.sampling.levels import levels as people
from houle.analysis.sampling.players import calibration_note, role
from houle.analysis.strategy.learning_curve import learning_curve
from houle.reports.blocks import PERCENT, POINTS, Block, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.difficulties import level_of, strategies_of, strongest_fair
from houle.reports.figures.difficulty_by_setup import draw
from houle.reports.html.format import as_sentence, in_words, listed
from houle.reports.names import player_kind, player_name

LEAST_DEALS = 20  # of a learning curve


def make_section(context: Context) -> Section:
    section = Section("difficulty", "How hard is it, and for whom?")
    difficulties = context.difficulties
    if not difficulties:
        return section
    strategies = strategies_of(difficulties)
    names = list(map(player_name, strategies))
    alt = f"Win rates of {listed(names)} in {len(difficulties)} setups of {context.title}; the table has the numbers."
    section.add_figure(
        figure("difficulty", "Games won in every setup, by every kind of player on the same deals.", alt),
        partial(draw, difficulties, [context.name(difficulty.setup) for difficulty in difficulties]),
    )
    columns = [Column("variant", "variant"), Column("players", context.players_noun())]
    columns += [Column(f"win_{name}", name, PERCENT) for name in names]
    columns.append(Column("word", f"difficulty for {player_name(strongest_fair(difficulties[0]).strategy)}"))
    rows: list[list[Any]] = []
    for difficulty in difficulties:
        levels = [level_of(difficulty, strategy) for strategy in strategies]
        wins = [number(level.win, PERCENT) if level else None for level in levels]
        rows.append([context.name(difficulty.setup), difficulty.setup.players, *wins, strongest_fair(difficulty).word])
    _findings(context, section, difficulties)
    for difficulty in difficulties:
        for line in difficulty.doubts:
            section.add(note("{setup}: {line}.", setup=context.described(difficulty.setup), line=line))
    section.add_fold(
        "The numbers, and what the words mean",
        table("difficulty", "Games won, in percent, with 95% intervals.", columns, rows),
        note("The players. {roles}.", roles="; ".join(f"{player_name(one)}: {role(one)}" for one in strategies)),
        note(
            "The words. {limits}. Two words mean that the interval allows both.",
            limits=", ".join(f"{limit['word']}: from {100 * limit['least']:g}% won" for limit in words()["difficulty"]),
        ),
    )
    again = _levels(context, section)
    section.results["difficulties"] = [difficulty.as_json() for difficulty in difficulties]
    section.results["opposed"] = _opposed(context, difficulties)
    ordered = sorted(difficulties, key=lambda difficulty: not context.is_main(difficulty.setup))
    section.repeat = [context.again(difficulty) for difficulty in ordered] + again
    return section


def _levels(context: Context, section: Section) -> list[str]:
    """Add what levels of people win in the main setup and what each rule adds; returns the commands that repeat it."""
    setup, deals = context.main, max(LEAST_DEALS, context.effort.number("skill_deals"))
    if setup not in context.cooperative or not context.has_thumb:
        return []
    played = play_difficulty(
        setup, strategies=[level.strategy for level in people()], games=context.effort.number("games"),
        beside_print=False, seed=context.seed, threads=context.threads,
    )  # fmt: skip
    curve = learning_curve(setup, games=deals, seed=context.seed, threads=context.threads)
    if curve.tries is not None:
        section.add(
            text(
                "A simulated beginner (level {level}) wins {win} of games. With {tries} tries at the same deal, it "
                "wins {once} of deals at least once.",
                level=curve.tries.player,
                win=number(curve.tries.win, PERCENT),
                once=number(curve.tries.once, PERCENT),
                tries=in_words(curve.tries.tries),
            )
        )
    levels = [
        [one.name, one.what, number(level.win, PERCENT)] for one, level in zip(people(), played.levels, strict=True)
    ]
    steps = [
        [known, step.sentence or "No rule: play at random.", number(step.win, PERCENT)]
        for known, step in enumerate(curve.steps)
    ]
    won = Column("win", "games won", PERCENT)
    section.add_fold(
        "From first game to experience, and what there is to learn",
        table(
            "levels", f"Games won by levels of people, with {context.main_setup}.",
            [Column("level", "level"), Column("what", "how it plays"), won], levels,
        ),
        note("{calibration}", calibration=calibration_note()),
        table(
            "learning_curve", "Games won by a player who knows more and more rules of thumb, added one at a time.",
            [Column("known", "rules known"), Column("rule", "rule added"), won], steps,
        ),
        note("{sentence}", sentence=as_sentence(curve.sentence)),
    )  # fmt: skip
    section.results["levels"], section.results["learning_curve"] = played.as_json(), curve.as_json()
    return [context.again(played), context.again(curve)]


def _opposed(context: Context, difficulties: Sequence[Difficulty]) -> list[dict[str, Any]]:
    """Variants of the main setup that are certainly harder for one kind of player and easier for another."""
    main = next((difficulty for difficulty in difficulties if context.is_main(difficulty.setup)), None)
    opposed = []
    for difficulty in difficulties:
        if main is None or difficulty is main or difficulty.setup.players != main.setup.players:
            continue
        changes = []
        for strategy in dict.fromkeys((context.usual_strategy, strongest_fair(main).strategy)):
            here, there = level_of(difficulty, strategy), level_of(main, strategy)
            if here and there:
                changes.append((strategy, here.win.difference(there.win)))
        signs = {math.copysign(1, change.value) for _, change in changes if not change.low <= 0 <= change.high}
        if len(signs) > 1:
            opposed.append(
                {
                    "variant": context.name(difficulty.setup),
                    "changes": [
                        {"strategy": strategy, "difference": interval_as_json(change)} for strategy, change in changes
                    ],
                }
            )
    return opposed


def opposed_sentence(opposed: dict[str, Any]) -> Block:
    """A variant that is harder for one kind of player and easier for another, in words."""
    harder, easier = sorted(opposed["changes"], key=lambda change: change["difference"]["value"])
    return text(
        "{variant} is harder for {one} players, {less}, and easier for {other} players, {more}.",
        variant=f"{opposed['variant'][:1].upper()}{opposed['variant'][1:]}",
        one=player_kind(harder["strategy"]),
        less={**harder["difference"], "unit": POINTS},
        other=player_kind(easier["strategy"]),
        more={**easier["difference"], "unit": POINTS},
    )


def _findings(context: Context, section: Section, difficulties: Sequence[Difficulty]) -> None:
    """Add what is strange about the rules, once for each kind, for the setup where it happens most."""
    seen: dict[str, list[tuple[Finding, Difficulty]]] = {}
    for difficulty in difficulties:
        for finding in difficulty.findings:
            seen.setdefault(finding.what, []).append((finding, difficulty))
    for what, cases in seen.items():
        worst, difficulty = max(cases, key=lambda pair: (pair[0].rate.n, pair[0].rate.value))
        names = {level.strategy: player_kind(level.strategy) for level in difficulty.levels}
        players = "" if worst.deals or not worst.arm else f" and {names.get(worst.arm, worst.arm)} players"
        section.add(
            text(
                "Worth a look: with {setup}{players}, {rate} of {what}.",
                setup=context.described(difficulty.setup),
                players=players,
                rate=number(worst.rate, PERCENT),
                what=what,
            )
        )
