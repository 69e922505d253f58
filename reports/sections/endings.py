"""How games end: result bands or scores, and, where a card that cannot be played ends the game, how long games last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from houle.analysis.blocks import Column, about, bullets, note, table, text
from houle.analysis.measures.measures import band_shares, bands
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.table import Row, Table
from houle.reports.blocks import Section, as_files, figure
from houle.reports.context import Context, level_of
from houle.reports.figures.endings import draw
from houle.solver.texts import capital


def fill(context: Context, section: Section) -> None:
    difficulties = [one for one in context.results.difficulties if one.levels and bands(one.main)]
    if difficulties:
        _bands(context, section, difficulties)
    elif context.main_difficulty:
        _scores(context, section)
    _last_cards(context, section)


def _bands(context: Context, section: Section, difficulties: Sequence[Table]) -> None:
    """Add the share of games in each result band of the rulebook."""
    kinds, strategy = bands(difficulties[0].main), context.level
    main = next((difficulty for difficulty in difficulties if context.is_main(difficulty.setup)), difficulties[0])
    shown = level_of(main, strategy) or main.levels[0]
    words = text(
        "Results by {score}, as the rulebook rates them, with {setup} when {everyone}: {bands}.",
        score=main.setup.score.replace("_", " "),
        setup=context.described(main.setup),
        everyone=context.everyone,
        bands=[
            text("{label} {share}", label=f"{band.label} ({band.word})" if band.word else band.label, share=share)
            for band, share in zip(kinds, _shares(main, shown), strict=True)
        ],
    )
    section.add(about(words, shown.strategy, "score bands"))
    columns = [Column("variant", "variant"), Column("players", context.players_noun()), Column("player", "player")]
    columns += [Column(f"band_{band.label}", band.label) for band in kinds]
    columns.append(Column("mean", "mean score"))
    rows = [
        [
            context.name(difficulty.setup),
            difficulty.setup.players,
            level.strategy,
            *_shares(difficulty, level),
            _of(difficulty, level, "score"),
        ]
        for difficulty in difficulties
        for level in difficulty.levels
        if level.strategy in (strategy, context.seasoned, context.expert)
    ]
    caption = "Share of games in each result band, in percent, and the mean score, with 95% intervals."
    inside = [table("result_bands", caption, columns, rows)]
    section.results["bands"] = [
        {
            "setup": str(name),
            "player": player,
            "shares": dict(zip((band.label for band in kinds), shares, strict=False)),
        }
        for name, _, player, *shares in rows
    ]
    ruleset = context.main.ruleset
    for knob, score in ruleset.score_when.items():
        if any(difficulty.setup.score == score for difficulty in difficulties):
            meaning = f": {ruleset.score_words[score]}" if score in ruleset.score_words else ""
            inside.append(note("With {knob} the score is {score}{meaning}.", knob=knob, score=score, meaning=meaning))
    section.add_fold("Results in every setup", *inside)


def _shares(difficulty: Table, level: Row) -> list[Estimate]:
    """The share of games in each band of the rulebook."""
    return band_shares(difficulty.sample.tally(level.number), bands(difficulty.main))


def _of(difficulty: Table, level: Row, measure: str) -> Estimate | None:
    row = difficulty.row(level.label, measure)
    return row.value if row else None


def _scores(context: Context, section: Section) -> None:
    """Add the scores, if the rulebook has no result bands."""
    rows: list[list[Any]] = [
        [
            context.described(difficulty.setup),
            level.strategy,
            *(_of(difficulty, level, measure) for measure in ("score", "score:p10", "score:p50", "score:p90")),
        ]
        for difficulty in context.results.difficulties
        for level in difficulty.levels
    ]
    score = context.main.score.replace("_", " ")
    columns = [
        Column("setup", "setup"),
        Column("player", "player"),
        Column("mean", f"mean {score}"),
        Column("q10", "one in ten ends at or below"),
        Column("q50", "half end at or below"),
        Column("q90", "nine in ten end at or below"),
    ]
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
    result = context.main_balance.endings
    if result is None:
        return
    section.add(text("When {everyone}:", everyone=context.everyone), bullets(result.sentences()))
    section.add_figure(
        figure(
            "endings",
            f"How long games last and which cards end them, with {context.main_setup}.",
            f"Games still running, by cards played; {result.alive[-1].short()} are won in the end.",
        ),
        partial(draw, result),
    )
    section.add(*as_files(result.details()))
    section.results["endings"] = result
    section.repeat += context.repeat_balance(section)
