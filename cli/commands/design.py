"""`houle design`: the fewest rule changes that reach a target."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import DESIGN_FRESH, DESIGN_GAMES, DESIGN_SEARCH_GAMES, MOST_GAMES
from houle.cli.commands.rules_template import template
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.files import check_new, write_text
from houle.cli.framework.options import Whole, force_option, search_games_option, whole_option
from houle.solver.rules import Setup, make_setup

if TYPE_CHECKING:
    from houle import Design
    from houle.analysis.designing.search import Proposal, Wish

MOST_EFFECTS = 12  # changes whose effects are shown
MOST_BESIDE, UNLIKE = 3, 0.2  # other changes shown with each, if they alter its effect by this share
UNITS = {"s": 1, "m": 60, "h": 3600}


@analysis_command(
    games=DESIGN_GAMES, least=1000, strategies=None,
    counted="How many games of fast players to play in all.", dry_run=False,
)  # fmt: skip
@click.option(
    "--target", multiple=True, required=True, metavar="NAME=VALUE|LOW..HIGH[@PLAYER]",
    help="What you want, and for which player: win=40%@thumb, length=55..65. All targets must hold.",
)  # fmt: skip
@click.option(
    "--change", multiple=True, default=("all",), show_default=True, metavar="KEY[=VALUES],...",
    help="What may change: rules of `houle rules GAME` with or without values, variants, or all.",
)  # fmt: skip
@click.option("--keep", multiple=True, metavar="KEY[=VALUE]", help="What must stay as it is, or stay at this value.")
@click.option("--budget", metavar="TIME|GAMES", help="How long to search: 90s, 10m or 1h; or a number of games, as -n.")
@search_games_option(DESIGN_SEARCH_GAMES)
@whole_option(
    "--confirm-games",
    least=100,
    most=MOST_GAMES,
    default=DESIGN_FRESH,
    help="How many new games to check each proposal.",
)
@click.option("--write", metavar="FILE", type=options.FileName(), help="Write the first proposal as a rules file.")
@force_option
def design(
    call: Call,
    target: tuple[str, ...],
    change: tuple[str, ...],
    keep: tuple[str, ...],
    budget: str | None,
    search_games: int,
    confirm_games: int,
    write: str | None,
    force: bool,
) -> None:
    """Find the fewest rule changes that reach a target.

    houle plays the present rules and every single change on the same deals, learns from that which combinations could
    reach the target, and tries these, fewest changes first. The numbers it prints come from new games.

    \b
    Examples:
      houle design wave -p 3 --target win=40%@thumb --change hand.front,hand.back,deck.missing
      houle design wave -p 3 --target win=40%@thumb --target win=0..70%@flat:50 --change hand.back=0..4,variants
      houle design vague-verte -p 4 --target first-seat=-2%..2% --change all --keep road --budget 2m
      houle design sea-change -p 4 --target length=50..60 --write shorter.toml
    """
    from houle.analysis.designing.space import parse_changes

    check_new(write, force)
    base, kept = keep_values(call.setup, keep)
    games = call.games
    if budget is not None:
        games, search_games, confirm_games = budget_games(base, target, budget, call, search_games, confirm_games)
    result: Design = call.play(
        houle.design, base, targets=target, change=parse_changes(base, change), keep=kept, games=games,
        search_games=search_games, fresh=confirm_games, total=games,
    )  # fmt: skip
    if write and result.proposals:
        write_text(write, template(result.proposals[0].setup, Path(write), True))
    call.show(result, page(result, write), head(result))


def keep_values(base: Setup, keep: tuple[str, ...]) -> tuple[Setup, list[str]]:
    """The setup with the values that --keep gives, and the names of everything that is kept."""
    from houle.analysis.sampling.alternatives import parse_alternatives

    names = [pair.partition("=")[0].strip() for pair in keep]
    values = parse_alternatives(base.ruleset, [pair for pair in keep if "=" in pair])
    if not values:
        return base, names
    settings = {knob: now for knob, _, now in base.differences} | {knob: some[0] for knob, some in values.items()}
    kept = make_setup(base.ruleset.name, base.players, base.variants, settings, place="--keep")
    return replace(kept, title=base.title), names


def budget_games(
    base: Setup, targets: tuple[str, ...], budget: str, call: Call, search_games: int, confirm_games: int
) -> tuple[int, int, int]:
    """`10m` -> the games that take ten minutes; a plain number is a number of games."""
    from houle.analysis.designing.budget import games_in

    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smh])\s*", budget)
    if match is None:
        return Whole(1000, MOST_GAMES, ", as 1e6, or a time, as 90s, 10m, 1h").convert(budget, None, None), \
            search_games, confirm_games  # fmt: skip
    seconds = float(match[1]) * UNITS[match[2]]
    return games_in(base, targets, seconds, call.seed, call.threads)


def head(result: Design) -> list[str]:
    turned = ", ".join(axis.name for axis in result.space.axes)
    games = f"{result.games:,} games"
    return [
        *text.differences(result.setup),
        text.setup_line(result.setup),
        text.labelled("wanted", " and ".join(wish.target.text for wish in result.wishes)),
        text.labelled("changed", f"{turned}: {text.plural(result.tried, 'combination')} played, {games}"),
    ]


def page(result: Design, written: str | None) -> list[str]:
    lines = []
    if not result.found:
        lines += [
            text.paragraph(
                "No combination of these changes reaches the target, among those that were tried. The nearest:"
            ),
            "",
        ]
    lines += [answers(result), ""]
    lines += [line for proposal in result.proposals for line in elsewhere(result, proposal)]
    lines += ["", *effect_lines(result)]
    if written:
        lines += ["", f"wrote {written}: {result.proposals[0].label}"]
    return lines


def named(wish: Wish) -> str:
    return f"{wish.target.measure} of {wish.strategies}"


def answers(result: Design) -> str:
    """The proposals, with numbers from new games first, then from the games that chose them."""

    def chosen(proposal: Proposal) -> str:
        return ", ".join(proposal.chosen[wish.key].short() for wish in result.wishes if wish.key in proposal.chosen)

    def fresh(wish: Wish) -> text.Pick:
        return lambda proposal: proposal.fresh.get(wish.key)

    wished: text.Picks = [(named(wish), fresh(wish)) for wish in result.wishes]
    picks = [("changes", "changes"), ("proposal", "label"), *wished, ("when chosen", chosen), ("target", "hit")]
    return text.table(result.proposals, picks, flexible=("proposal",))


def elsewhere(result: Design, proposal: Proposal) -> list[str]:
    """What else a proposal certainly changes, and which assumed rules it uses."""
    effects = []
    for measure, (here, before) in proposal.elsewhere.items():
        if here.low > before.high or here.high < before.low:
            effects.append(f"{measure} {here.text()} instead of {before.text()}")
    effects += [f"uses {', '.join(proposal.assumed)}, which is assumed"] if proposal.assumed else []
    return [text.paragraph(f"{proposal.label}: {'; '.join(effects)}", 0, 2)] if effects else []


def effect_lines(result: Design) -> list[str]:
    """What each change does by itself, the largest first, and together with others if that differs."""
    lines = []
    for wish in result.wishes:
        rows = result.effects_beside(wish)
        if not rows:
            continue
        percent = result.percent(wish.target.measure)
        scale = 100 if percent else 1
        table = []
        for change, alone, beside in rows[:MOST_EFFECTS]:
            unlike = [
                f"{other} {scale * effect:+.1f}"
                for other, effect in beside
                if abs(effect - alone) >= UNLIKE * abs(alone)
            ]
            table.append([change, f"{scale * alone:+.1f}", "; ".join(unlike[:MOST_BESIDE])])
        heads = ["change", "by itself", "with another"]
        lines += [f"what changes do to {named(wish)}{', in points' if percent else ''}", ""]
        lines += [text.columns(heads, table, flexible=[0, 2], right=[1])]
        lines += [f"{len(rows) - MOST_EFFECTS} more with --json"] if len(rows) > MOST_EFFECTS else []
        lines.append("")
    return lines[:-1]
