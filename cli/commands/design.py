"""`houle design`: few and small rule changes that reach a target, and what each card does."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.limits import CARD_GAMES, DESIGN_FRESH, DESIGN_GAMES, DESIGN_SEARCH_GAMES, MOST_GAMES
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.files import check_new, write_text
from houle.cli.framework.options import WHO, Whole, force_option, search_games_option, whole_option
from houle.reports.rules_template import comment, template
from houle.solver.errors import InputError
from houle.solver.rules import Setup

if TYPE_CHECKING:
    from houle import CardEffects, Design
    from houle.analysis.designing.search import Proposal
    from houle.analysis.designing.wishes import Wish

MOST_CARDS = 40  # rows
WORTH_SAYING = 0.5  # seconds of compiling
UNITS = ("s", "m", "h")  # of times; a budget without one is a number of games


class Budget(Whole):
    """A time, as typed, or a number of games."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if str(value).strip()[-1:] in UNITS else super().convert(value, param, ctx)


@analysis_command(
    games=DESIGN_GAMES, least=1000, strategies=f"With --cards: {WHO[0].lower()}{WHO[1:]}",
    counted="How many games of fast players to play in all.",
)  # fmt: skip
@click.option(
    "--target", multiple=True, metavar="NAME=VALUE|LOW..HIGH[@PLAYER]",
    help="What you want, and for which player: win=40%@family, length:p90<=45, balance<=2%; 40%@family for the goal of "
    "the game; or a common wish: 'family game'. All targets must hold.",
)  # fmt: skip
@click.option("--cards", is_flag=True, help="Instead: rank single cards by what taking them out or adding one does.")
@click.option(
    "--change", multiple=True, default=("all",), show_default=True, metavar="KEY[=VALUES],...",
    help="What may change: rules of `houle rules GAME` with or without values, variants, or all.",
)  # fmt: skip
@click.option("--keep", multiple=True, metavar="KEY[=VALUE]", help="What must stay as it is, or stay at this value.")
@click.option(
    "--budget",
    type=Budget(1000, MOST_GAMES, ", as 1e6, or a time, as 90s, 10m, 1h"),
    metavar="TIME|GAMES",
    help="How long to search, without compiling: 90s, 10m or 1h; or a number of games, as -n.",
)
@whole_option("--steps", least=0, most=MOST_GAMES, help="End the search after so many steps, as a repeated run does.")
@search_games_option(DESIGN_SEARCH_GAMES)
@whole_option(
    "--confirm-games",
    least=100,
    most=MOST_GAMES,
    default=DESIGN_FRESH,
    help="How many new games to check each proposal.",
)
@click.option("--write", metavar="FILE", type=options.FileName(), help="Write the first proposal as a rules file.")
@click.option("--nearest", is_flag=True, help="With --write: also write a proposal that misses the target.")
@force_option
def design(
    call: Call,
    target: tuple[str, ...],
    cards: bool,
    change: tuple[str, ...],
    keep: tuple[str, ...],
    budget: str | int | None,
    steps: int | None,
    search_games: int,
    confirm_games: int,
    write: str | None,
    nearest: bool,
    force: bool,
) -> None:
    """Find few and small rule changes that reach a target.

    houle plays the present rules and every single change on the same deals, learns from that which combinations could
    reach the target, tries these, and confirms the best on new games.

    \b
    Examples:
      houle design wave -p 3 --target win=40%@family
      houle design wave -p 3 --target "win=30..45%@family and win<=80%@expert" --change hand.back=0..4,variants
      houle design vague-verte -p 4 --target "fair seats" --keep road --budget 2m
      houle design sea-change -p 4 --target "length:p90<=60" --write shorter.toml
      houle design wave -p 3 --cards
    """
    from houle.analysis.designing.space import parse_changes

    if cards:
        show_cards(call)
        return
    if call.strategy:
        raise InputError("-s is for --cards; write the players of a target after it, as win=40%@family")
    check_new(write, force)
    base, kept = keep_values(call.setup, keep)
    sizes: dict[str, Any] = {"search_games": search_games, "confirm_games": confirm_games, "steps": steps}
    if budget is not None:
        sizes["budget" if isinstance(budget, str) else "games"] = budget
    sizes |= {"targets": target, "change": parse_changes(base, change), "keep": kept}
    about = [text.setup_title(base), text.labelled("wanted", " and ".join(target))]
    result: Design = replace(call, strategy=None).play(houle.design, base, **sizes, about=about)
    written = write if write and result.proposals and (result.found or nearest) else None
    if written:
        again = result.repeat(call.asked.words(call.setup))
        write_text(
            written,
            "\n".join(written_numbers(result, again)) + "\n" + template(result.proposals[0].setup, Path(written), True),
        )
    call.show(result, page(result, written), head(result))
    if write and not written:
        raise InputError(f"{write} is not written: the target was not reached; --nearest writes the nearest setting")


def show_cards(call: Call) -> None:
    games = call.games if call.given("games") else CARD_GAMES
    result: CardEffects = call.play(houle.card_effects, call.setup, games=games)
    from houle.analysis.measures.measures import measure_name

    def effect(measure: str) -> text.Pick:
        return lambda row: row.effects[measure]

    picks: text.Picks = [("card", "card"), ("change", "what")]
    picks += [(measure_name(measure, result.setup), effect(measure)) for measure in result.measures]
    picks += [("its owner wins", "owner")] if any(row.owner for row in result.rows) else []
    lines = [text.table(result.rows[:MOST_CARDS], picks)]
    lines += [f"{len(result.rows) - MOST_CARDS} more with --json"] if len(result.rows) > MOST_CARDS else []
    lines += ["", *text.left_out_lines(result.left_out[:3])] if result.left_out else []
    lines += [f"{len(result.left_out) - 3} more with --json"] if len(result.left_out) > 3 else []
    lines += ["", text.joint_line(len(result.rows) * len(result.measures))]
    now = "; ".join(f"{measure_name(name, result.setup)} {one.text()}" for name, one in result.base.items())
    first = [*text.head(result), text.labelled("now", now), f"{result.each:,} games of each change, on the same deals"]
    call.show(result, lines, first)


def keep_values(base: Setup, keep: tuple[str, ...]) -> tuple[Setup, list[str]]:
    """The setup with the values that --keep gives, and the names of everything that is kept."""
    from houle.analysis.sampling.alternatives import parse_alternatives

    names = [pair.partition("=")[0].strip() for pair in keep]
    values = parse_alternatives(base.ruleset, [pair for pair in keep if "=" in pair])
    if not values:
        return base, names
    return base.turned({knob: some[0] for knob, some in values.items()}, "--keep"), names


def written_numbers(result: Design, again: str) -> list[str]:
    """The measured numbers as comments at the head of a rules file."""
    best = result.proposals[0]
    lines = comment(f"Made by houle design for {' and '.join(result.asked_for)}: {best.label}.")
    if not result.found:
        lines += comment("THIS MISSES THE TARGET; it is the nearest setting that was found.")
    for wish in result.wishes:
        if wish.key in best.fresh:
            one = best.fresh[wish.key]
            lines += comment(f"Measured: {wish.sentence(best.setup, one)}, {one.n:,} games; target {wish.target.text}.")
    return [*lines, f"# {again}", ""]


def head(result: Design) -> list[str]:
    from houle.analysis.designing.space import AS_IT_IS

    turned = ", ".join(axis.name for axis in result.space.axes)
    tried = f"{text.count_of(result.tried, 'combination')} of {turned}; {result.games:,} games"
    lines = [text.paragraph(result.sentence()), "", *text.differences(result.setup)]
    wanted = " and ".join(dict.fromkeys(wish.target.text for wish in result.wishes))
    lines += [text.setup_title(result.setup), text.labelled("wanted", wanted), *sources(result)]
    known = [(wish, result.played.get(AS_IT_IS, {}).get(wish.key)) for wish in result.wishes]
    now = [wish.sentence(result.setup, one) for wish, one in known if one is not None]
    lines += [text.labelled("now", "; ".join(now))] if now else []
    lines += [text.labelled("tried", tried)]
    if result.compiled >= WORTH_SAYING:
        lines.append(f"compiled for {result.compiled:.1f} s, not counted in the budget")
    lines += [text.labelled("untried", line) for line in result.not_tried]
    lines += [text.labelled("idle", f"{', '.join(idle(result))}: no game changed")] if result.dead else []
    return lines + dropped_lines(result)


def sources(result: Design) -> list[str]:
    """Where the numbers of common wishes come from."""
    from houle.analysis.designing.wishes import common_wishes

    names = [name.replace("-", " ") for name in result.asked_for]
    wishes = [common_wishes()[name] for name in names if name in common_wishes()]
    return [text.labelled("source", f"{wish['text']} {wish['source']}") for wish in wishes]


def idle(result: Design) -> list[str]:
    """Changes without effect: a knob by its name if none of its values changed a game, else how many of them."""
    alive = {result.space.axes[axis].name for axis, _ in result.space.single_changes}
    groups = groupby(result.dead, key=lambda words: words.partition("=")[0])
    return [f"{len(list(found))} values of {name}" if name in alive else name for name, found in groups]


def values_of(rule: str, changes: list[str]) -> str:
    """Several changes of a rule in a few words: `hand.front=10 to 13`."""
    values = [words.removeprefix(f"{rule}=") for words in changes]
    if len(values) < 3:
        return ", ".join(changes)
    numbers = all(value.isdigit() for value in values)
    return f"{rule}={values[0]} to {values[-1]}" if numbers else f"{len(values)} changes of {rule}"


def dropped_lines(result: Design) -> list[str]:
    """Values that cannot be played: those of rules that the user named, and how many others."""
    named = {written.partition("=")[0] for written in result.changed}
    mine = [one for one in result.space.dropped if re.split("[= ]", one[0])[0] in named]
    others = len(result.space.dropped) - len(mine)
    rules: dict[str, list[str]] = {}
    for words, _ in mine:
        rules.setdefault(re.split("[= ]", words)[0], []).append(words)
    # One line for a rule: its values, and the reason of the first of them.
    lines = text.left_out_lines((values_of(rule, some), dict(mine)[some[0]]) for rule, some in rules.items())
    forbidden = f"{text.count_of(others, 'other change')} that the rules forbid (--json)"
    return [*lines, *([text.labelled("left out", forbidden)] if others else [])]


def page(result: Design, written: str | None) -> list[str]:
    lines = []
    if len(result.proposals) > 1 or not (result.found or result.unranked):
        lines += [answers(result), ""]
    lines += [line for proposal in result.proposals[:1] for line in elsewhere(proposal)]
    lines += [text.labelled("note", line) for line in result.remarks()]
    effects = effect_lines(result)
    lines += ["", *effects] if effects else []
    if written:
        lines += [
            "",
            f"wrote {written}: {result.proposals[0].label}" + ("" if result.found else "; it misses the target"),
        ]
    return lines


def named(wish: Wish) -> str:
    return f"{wish.measure} of {wish.who}"


def answers(result: Design) -> str:
    """The proposals, with numbers from new games."""

    def fresh(wish: Wish) -> text.Pick:
        return lambda proposal: proposal.fresh.get(wish.key)

    wished: text.Picks = [(named(wish), fresh(wish)) for wish in result.wishes]
    picks = [("changes", "changes"), ("proposal", "label"), *wished, ("target", "hit")]
    return text.table(result.proposals, picks, flexible=("proposal",))


def elsewhere(proposal: Proposal) -> list[str]:
    """What else a proposal certainly changes, and which assumed rules it uses."""
    effects = []
    for measure, (here, before) in proposal.elsewhere.items():
        if here.low > before.high or here.high < before.low:
            effects.append(f"{measure} {here.text()} instead of {before.text()}")
    effects += [f"uses {', '.join(proposal.assumed)}, which is assumed"] if proposal.assumed else []
    return [text.paragraph(f"{proposal.label}: {'; '.join(effects)}", 0, 2)] if effects else []


def effect_lines(result: Design) -> list[str]:
    """What single changes do: a line for each rule that helps, the most helpful first."""
    lines: list[str] = []
    for wish in result.wishes:
        every = result.effects_on(wish)
        rows = [(change, wish.change(result.setup, effect)) for change, effect in every if result.helps(wish, effect)]
        others = [change for change, effect in every if not result.helps(wish, effect)]
        if rows:
            lines += [f"what single changes do to {named(wish)}, on {every[0][1].n:,} new games of each", ""]
            lines += [text.columns(["change", "effect"], [list(row) for row in rows])]
            lines += [text.joint_line(len(every) * len(result.listed))]
        lines += [text.labelled("no help", f"{', '.join(others)}, for {wish.target.text}")] if others else []
        lines += [""] if every else []
    return lines[:-1]
