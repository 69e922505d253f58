"""How games end: result bands or scores, and, where a card that cannot be played ends the game, how long games last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from houle.analysis.blocks import Block, Column, about, bullets, note, table, text
from houle.analysis.difficulty.difficulty import Difficulty
from houle.analysis.difficulty.endings import Endings, endings, require_end_reader
from houle.reports.blocks import Section, figure
from houle.reports.context import Context, level_of
from houle.reports.figures.endings import draw
from houle.reports.figures.result_bands import draw as draw_bands
from houle.solver.errors import InputError
from houle.solver.rules import Setup
from houle.solver.texts import capital

STEPS = 8  # rows in the table of games still running, about
BAND_WORK = 0.5  # share of the section's progress before the last cards are played


def fill(context: Context, section: Section) -> None:
    difficulties = [one for one in context.results.difficulties if one.levels and one.levels[0].bands]
    if difficulties:
        _bands(context, section, difficulties)
    elif context.main_difficulty:
        _scores(context, section)
    _last_cards(context, section)


def _bands(context: Context, section: Section, difficulties: Sequence[Difficulty]) -> None:
    """Add the share of games in each result band of the rulebook."""
    bands, strategy = difficulties[0].levels[0].bands, context.level
    main = next((difficulty for difficulty in difficulties if context.is_main(difficulty.setup)), difficulties[0])
    shown = level_of(main, strategy) or main.levels[0]
    words = text(
        "Results by {score}, as the rulebook rates them, with {setup} when {everyone}: {bands}.",
        score=main.setup.score.replace("_", " "),
        setup=context.described(main.setup),
        everyone=context.everyone,
        bands=[
            text("{label} {share}", label=f"{band.label} ({band.word})" if band.word else band.label, share=share)
            for band, share in zip(bands, shown.shares, strict=True)
        ],
    )
    section.add(about(words, shown.strategy, "score bands"))
    inside: list[Block] = []
    drawn = [difficulty for difficulty in difficulties if difficulty.setup.score == difficulty.setup.ruleset.score]
    if drawn:
        shares = "; ".join(
            f"{context.described(difficulty.setup)}: " + ", ".join(share.short() for share in level.shares)
            for difficulty in drawn
            if (level := level_of(difficulty, strategy))
        )
        block = figure(
            "result_bands", f"Share of games in each result band, when {context.everyone}.", f"Shares: {shares}."
        )
        names = [context.name(difficulty.setup) for difficulty in drawn]
        inside.append(section.drawn(block, partial(draw_bands, drawn, names, strategy)))
    columns = [Column("variant", "variant"), Column("players", context.players_noun()), Column("player", "player")]
    columns += [Column(f"band_{band.label}", band.label) for band in bands]
    columns.append(Column("mean", "mean score"))
    rows = [
        [
            context.name(difficulty.setup),
            difficulty.setup.players,
            level.strategy,
            *(share for share in level.shares),
            level.score,
        ]
        for difficulty in difficulties
        for level in difficulty.levels
        if level.strategy in (strategy, context.seasoned, context.expert)
    ]
    caption = "Share of games in each result band, in percent, and the mean score, with 95% intervals"
    few = [row for row in rows if row[1] == main.setup.players]
    if len(few) < len(rows):  # the figure shows every setup
        inside.append(table("result_bands-main", f"{caption}; result_bands.csv has every setup.", columns, few))
    inside.append(table("result_bands", f"{caption}.", columns, rows, shown=len(few) == len(rows)))
    ruleset = context.main.ruleset
    for knob, score in ruleset.score_when.items():
        if any(difficulty.setup.score == score for difficulty in difficulties):
            meaning = f": {ruleset.score_words[score]}" if score in ruleset.score_words else ""
            inside.append(note("With {knob} the score is {score}{meaning}.", knob=knob, score=score, meaning=meaning))
    section.add_fold("Results in every setup", *inside)


def _scores(context: Context, section: Section) -> None:
    """Add the scores, if the rulebook has no result bands."""
    rows: list[list[Any]] = [
        [
            context.described(difficulty.setup),
            level.strategy,
            level.score,
            *(quantile for quantile in level.quantiles.values()),
        ]
        for difficulty in context.results.difficulties
        for level in difficulty.levels
    ]
    score = context.main.score.replace("_", " ")
    columns = [Column("setup", "setup"), Column("player", "player"), Column("mean", f"mean {score}"),
               Column("q10", "one in ten ends at or below"), Column("q50", "half end at or below"),
               Column("q90", "nine in ten end at or below")]  # fmt: skip
    if not rows:
        return
    usual = [row for row in rows if row[1] == context.level]
    main = next((row for row in usual if row[0] == context.main_setup), (usual or rows)[0])
    words = text(
        "A side ends with {mean} {score} on average, with {setup} when {everyone}. Half end with at most {half}, nine "
        "in ten with at most {most}.",
        mean=main[2],
        score=score,
        setup=main[0],
        everyone=context.everyone,
        half=main[4],
        most=main[5],
    )
    section.add(about(words, main[1], "score, score:p50, score:p90"))
    caption = f"{capital(score)} of a side, with 95% intervals."
    section.add_fold("Scores in every setup", table("scores", caption, columns, rows))


def _last_cards(context: Context, section: Section) -> None:
    """Add how long games last and which card ends them, if games end with a card that cannot be played."""
    mortal = [setup for setup in context.setups if _is_mortal(setup)]
    if not mortal:
        return
    main = context.main if context.main in mortal else mortal[0]
    setups = [main, *(setup for setup in mortal if setup.players == main.players and setup is not main)]
    games, strategy = context.games, context.level
    results: list[Endings] = []
    for i, setup in enumerate(setups):
        part = (1 - BAND_WORK) / len(setups)
        before = BAND_WORK + i * part
        results.append(endings(setup, strategies=strategy, **context.run(games, span=(before, before + part))))
    first = results[0]
    section.add(text("When {everyone}:", everyone=context.everyone), bullets(first.sentences()))
    section.add_figure(
        figure(
            "endings",
            f"How long games last and which cards end them, with {context.described(main)}.",
            f"Games still running, by cards played; {first.alive[-1].short()} are won in the end.",
        ),
        partial(draw, first),
    )
    section.add_fold(
        "How long games last in every variant, and the most dangerous cards",
        _running(context, results),
        *({**block, "shown": block["name"] != "stuck"} for block in first.details()),  # "balance" shows how games end
    )
    section.results["endings"] = results
    context.results.endings = first if main is context.main else None
    section.repeat += [context.again(result) for result in results]


def _is_mortal(setup: Setup) -> bool:
    try:
        require_end_reader(setup)
    except InputError:
        return False
    return True


def _running(context: Context, results: Sequence[Endings]) -> Block:
    last = len(results[0].alive) - 1
    counts = [*range(0, last, max(1, last // STEPS)), last]
    variants = [context.name(result.setup) for result in results]
    columns = [Column("cards", "cards played"), *(Column(f"running_{name}", name) for name in variants)]
    rows = [
        [played, *(result.alive[played] if played < len(result.alive) else None for result in results)]
        for played in counts
    ]
    players = results[0].setup.players
    return table("endings", f"Games still running, in percent; {players} {context.players_noun()}.", columns, rows)
