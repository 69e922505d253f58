"""`houle design`: the fewest changes of the rules that make a table as wanted."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import DESIGN_FRESH, DESIGN_GAMES, DESIGN_SEARCH_GAMES, MOST_GAMES
from houle.cli.commands.rules_template import template
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.files import write_text
from houle.cli.framework.options import Whole
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, make_setup

if TYPE_CHECKING:
    from houle import Design
    from houle.analysis.designing.search import Proposal, Wish

MOST_EFFECTS = 12  # changes of which effects are on the page
MOST_BESIDE, UNLIKE = 3, 0.2  # other changes beside each, and by what share of it they must alter its effect
UNITS = {"s": 1, "m": 60, "h": 3600}


@analysis_command(
    games=DESIGN_GAMES, least=1000, strategies=None,
    counted="How many games of cheap players, all settings together.",
)  # fmt: skip
@click.option(
    "--target", multiple=True, required=True, metavar="NAME=VALUE|LOW..HIGH[@PLAYER]",
    help="What is wanted, and of whom: win=40%@thumb, length=55..65; all of them must hold.",
)  # fmt: skip
@click.option(
    "--change", multiple=True, default=("all",), show_default=True, metavar="KEY[=VALUES],...",
    help="What may be changed: knobs, with their values or without, variants, or all.",
)  # fmt: skip
@click.option("--keep", multiple=True, metavar="KEY[=VALUE]", help="What stays as it is, or as said here.")
@click.option("--budget", metavar="TIME|GAMES", help="How long to look: 90s, 10m, 1h; or games, as -n.")
@click.option(
    "--search-games", type=Whole(1, MOST_GAMES), default=DESIGN_SEARCH_GAMES, show_default=True, metavar="N",
    help="Games of every setting that is left, for targets of players who search.",
)  # fmt: skip
@click.option(
    "--fresh", type=Whole(100, MOST_GAMES), default=DESIGN_FRESH, show_default=True, metavar="N",
    help="Fresh games that check every setting of the answer.",
)  # fmt: skip
@click.option("--write", metavar="FILE", type=click.Path(), help="Write the first setting as a rules file.")
@click.option("--force", is_flag=True, help="With --write: replace a file that is there.")
def design(
    call: Call,
    target: tuple[str, ...],
    change: tuple[str, ...],
    keep: tuple[str, ...],
    budget: str | None,
    search_games: int,
    fresh: int,
    write: str | None,
    force: bool,
) -> None:
    """Find the fewest changes of GAME that make it as wanted.

    The rules as they are and every single change are played on the same deals; a model of what changes do proposes
    others, fewest changes first, and what certainly misses drops out. Players who search play only what is left. The
    numbers of the answer are from fresh games, not from those that chose it.

    \b
    Examples:
      houle design wave -p 3 --target win=40%@thumb --change hand.front,hand.back,deck.missing
      houle design wave -p 3 --target win=40%@thumb --target win=0..70%@flat:50 --change hand.back=0..4,variants
      houle design vague-verte -p 4 --target first-seat=-2%..2% --change all --keep road --budget 2m
      houle design sea-change -p 4 --target length=50..60 --write shorter.toml
    """
    from houle.analysis.designing.space import parse_changes

    if write and os.path.exists(write) and not force:
        raise InputError(f"--write: {write} is there already; --force replaces it")
    base, kept = keep_values(call.setup, keep)
    games = call.games
    if budget is not None:
        games, search_games, fresh = budget_games(base, target, budget, call, search_games, fresh)
    result: Design = call.play(
        houle.design, base, targets=target, change=parse_changes(base, change), keep=kept, games=games,
        search_games=search_games, fresh=fresh, total=games,
    )  # fmt: skip
    if write and result.proposals:
        write_text(write, template(result.proposals[0].setup, Path(write), True))
    call.tell(result, page(result, write), head(result), result.repeat(call.asked.words(call.setup)))


def keep_values(base: Setup, keep: tuple[str, ...]) -> tuple[Setup, list[str]]:
    """The table with what shall be kept at a value, and the names of all that is kept."""
    from houle.analysis.sampling.alternatives import parse_alternatives

    names = [pair.partition("=")[0].strip() for pair in keep]
    values = parse_alternatives(base.ruleset, [pair for pair in keep if "=" in pair])
    if not values:
        return base, names
    settings = {knob: now for knob, _, now in base.differences} | {knob: found[0] for knob, found in values.items()}
    kept = make_setup(base.ruleset.name, base.players, base.variants, settings, place="--keep")
    return replace(kept, title=base.title), names


def budget_games(
    base: Setup, targets: tuple[str, ...], budget: str, call: Call, search_games: int, fresh: int
) -> tuple[int, int, int]:
    """`10m` -> games that fit into ten minutes; a number is the games themselves."""
    from houle.analysis.designing.budget import games_in

    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smh])\s*", budget)
    if match is None:
        return Whole(1000, MOST_GAMES, ", as 1e6, or a time, as 90s, 10m, 1h").convert(budget, None, None), \
            search_games, fresh  # fmt: skip
    seconds = float(match[1]) * UNITS[match[2]]
    found: tuple[int, int, int] = games_in(base, targets, seconds, call.seed, call.threads)
    return found


def head(result: Design) -> list[str]:
    turned = ", ".join(axis.name for axis in result.space.axes)
    played = f"{text.plural(result.tried, 'setting')} played, {result.games:,} games, seed {result.seed}"
    return [
        *text.differences(result.setup),
        text.table_line(result.setup),
        text.paragraph(f"wanted   {' and '.join(wish.target.text for wish in result.wishes)}", 0, 9),
        text.paragraph(f"changed  {turned}: {played}", 0, 9),
    ]


def page(result: Design, written: str | None) -> list[str]:
    lines = []
    if not result.found:
        lines += [text.paragraph("Nothing within these changes reaches it, as far as was looked; the nearest is:"), ""]
    lines += [answers(result), ""]
    lines += [line for proposal in result.proposals for line in elsewhere(result, proposal)]
    lines += ["", *effect_lines(result)]
    if written:
        lines += ["", f"{written} is written: {result.proposals[0].label}"]
    return lines


def named(wish: Wish) -> str:
    return f"{wish.target.measure} of {wish.strategies}"


def answers(result: Design) -> str:
    """The short list: fresh numbers first, then those of the games that chose it."""
    heads = ["changes", "setting", *(named(wish) for wish in result.wishes), "as chosen", "is"]
    rows = []
    for proposal in result.proposals:
        measured = [
            text.shown(proposal.fresh.get(wish.key), result.percent(wish.target.measure)) for wish in result.wishes
        ]
        chosen = [
            text.amount(proposal.chosen[wish.key].value, result.percent(wish.target.measure))
            for wish in result.wishes
            if wish.key in proposal.chosen
        ]
        row = [str(proposal.changes), proposal.label, *measured, ", ".join(chosen), proposal.hit]
        rows.append(row)
    return text.columns(heads, rows, flexible=[1])


def elsewhere(result: Design, proposal: Proposal) -> list[str]:
    """What a setting costs in other measures, where that is certain, and what it leans on."""
    told = []
    for measure, (here, before) in proposal.elsewhere.items():
        if here.low > before.high or here.high < before.low:
            now, was = (text.shown(found, result.percent(measure)) for found in (here, before))
            told.append(f"{measure} {now} instead of {was}")
    told += [f"leans on {', '.join(proposal.assumed)}, which is assumed"] if proposal.assumed else []
    return [text.paragraph(f"{proposal.label}: {'; '.join(told)}", 0, 2)] if told else []


def effect_lines(result: Design) -> list[str]:
    """What changes do by themselves, the largest first, and where another is made already if that is not the same."""
    lines = []
    for wish in result.wishes:
        rows = result.effects_beside(wish)
        if not rows:
            continue
        percent = result.percent(wish.target.measure)
        scale = 100 if percent else 1
        told = []
        for change, alone, beside in rows[:MOST_EFFECTS]:
            unlike = [
                f"{other} {scale * effect:+.1f}"
                for other, effect in beside
                if abs(effect - alone) >= UNLIKE * abs(alone)
            ]
            told.append([change, f"{scale * alone:+.1f}", "; ".join(unlike[:MOST_BESIDE])])
        heads = ["change", "by itself", "with another"]
        lines += [f"what changes do to {named(wish)}{', in points' if percent else ''}", ""]
        lines += [text.columns(heads, told, flexible=[0, 2], right=[1])]
        lines += [f"{len(rows) - MOST_EFFECTS} more with --json"] if len(rows) > MOST_EFFECTS else []
        lines.append("")
    return lines[:-1]
