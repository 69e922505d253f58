"""`houle design`: few and small rule changes that reach a target, and what each of them does there."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.limits import DESIGN_TIME, MOST_GAMES
from houle.analysis.result import command_line, words_of_setup
from houle.analysis.run_options import read_time
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.files import check_new, write_text
from houle.reports.rules_template import comment, template
from houle.solver.errors import InputError
from houle.solver.rules import Setup, read_custom

if TYPE_CHECKING:
    from houle import Design
    from houle.analysis.designing.search import Proposal
    from houle.analysis.designing.wishes import Wish

# Why a search ended before it had enough.
STOPPED = {
    "time": "at the end of its time (--budget); a step that was not finished does not count",
    "games": "before a step that needs more games than were left (-n)",
    "asked": "as you asked; a step that was not finished does not count",
}


@analysis_command(
    strategies=None,
    counted="Games to play at most, in place of a time.",
)
@click.option(
    "--target",
    multiple=True,
    metavar="TARGET",
    help="What you want, and for whom: win=40%@family, length:p90<=45, seat-gap<=3%. All must hold.",
)
@click.option(
    "--change",
    multiple=True,
    default=("all",),
    show_default=True,
    metavar="KEYS",
    help="What may change: rules as KEY or KEY=VALUES, variants, or all (small changes).",
)
@click.option("--keep", multiple=True, metavar="KEY", help="What must stay as it is, or with KEY=VALUE at this value.")
@click.option(
    "--budget",
    default=DESIGN_TIME,
    show_default=True,
    metavar="TIME",
    help="How long to search, without compiling: 90s, 10m or 1h.",
)
@click.option("--write", metavar="FILE", type=options.FileName(), help="Write the first proposal as a rules file.")
def design(
    call: Call,
    target: tuple[str, ...],
    change: tuple[str, ...],
    keep: tuple[str, ...],
    budget: str,
    write: str | None,
) -> None:
    """Find few and small rule changes that reach a target.

    houle plays every single change on the same deals as the present rules, adds up what helps, plays the likeliest
    combinations, and checks the best three on new deals. The answer is the smallest change that reaches the target.
    The search ends when two ways are found, or at its time.

    \b
    Examples:
      houle design wave -p 3 --target win=40%@family
      houle design wave -p 3 --target "win=30..45%@family and win<=80%@expert" --change hand.back=0..4
      houle design vague-verte -p 4 --target "seat-gap<=5% and draws<=5%" --keep road --write fair.toml
    """
    from houle.analysis.designing.space import parse_changes

    check_new(write)
    read_time(budget)
    if call.given("games") and call.given("budget"):
        raise InputError("--budget: -n is given too; allowed: one of them")
    base, kept = keep_values(call.setup, keep)
    asked: dict[str, Any] = {"targets": target, "change": parse_changes(base, change), "keep": kept}
    most = text.count_of(call.games, "game") if call.games else budget
    about = [text.setup_title(base), text.labelled("wanted", " and ".join(target)), text.labelled("at most", most)]
    result: Design = call.play(houle.design, base, **asked, budget=budget, about=about)
    written, again = write if write and result.found else None, call.typed(base, max(result.games, 1))
    if written:
        mine = replace(result.proposals[0].setup, title=base.title)  # still the game of its author
        files = [read_custom(file, base.ruleset) for file in call.asked.files]
        with_players = not files or any("players" in file for file in files)
        numbers = "\n".join(written_numbers(result, again))
        write_text(written, f"{numbers}\n{template(mine, Path(written), with_players)}")
    call.show(result, page(result, written), head(result), again)
    if write and not written and result.proposals:
        nearest = command_line(["rules", *words_of_setup(result.proposals[0].setup), "--write", write], base)
        raise InputError(f"{write} is not written: the target was not reached; the nearest setting: {nearest}")


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
    for wish in result.wishes:
        if wish.key in best.fresh:
            one = best.fresh[wish.key]
            lines += comment(f"Measured: {wish.sentence(best.setup, one)}, {one.n:,} games; target {wish.target.text}.")
    return [*lines, f"# {again}", ""]


def head(result: Design) -> list[str]:
    turned = ", ".join(axis.name for axis in result.space.axes)
    most = f" of {result.limit:,}" if result.limit < MOST_GAMES else ""
    tried = f"{text.count_of(result.tried, 'combination')} of {turned}; {result.games:,}{most} games"
    lines = [text.paragraph(result.sentence()), "", *text.differences(result.setup)]
    wanted = " and ".join(dict.fromkeys(wish.target.text for wish in result.wishes))
    lines += [text.setup_title(result.setup), text.labelled("wanted", wanted)]
    now = [wish.sentence(result.setup, result.now[wish.key]) for wish in result.wishes if wish.key in result.now]
    lines += [text.labelled("now", "; ".join(now))] if now else []
    lines += [text.labelled("tried", tried)]
    lines += [text.labelled("stopped", STOPPED[result.stopped])] if result.stopped else []
    lines += [text.labelled("untried", line) for line in result.not_tried]
    lines += [text.labelled("idle", f"{', '.join(idle(result))}: no game changed")] if result.dead else []
    return lines + dropped_lines(result)


def idle(result: Design) -> list[str]:
    """Changes without effect: a knob by its name if none of its values changed a game, else how many of them."""
    space = result.space
    alive = {space.axes[one[0]].name for one in space.single_changes if space.words(one) not in result.dead}
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
    if len(result.proposals) > 1 or not result.found:
        lines += [answers(result), ""]
    lines += [line for proposal in result.proposals[:1] for line in elsewhere(proposal)]
    lines += [text.labelled("note", line) for line in result.remarks()]
    lines += [line for wish in result.wishes for line in without_lines(result, wish)]
    if written:
        lines += [
            "",
            f"wrote {written}: {result.proposals[0].label}",
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
    effects += [f"uses {', '.join(proposal.open_rules)}, which the rulebook leaves open"] if proposal.open_rules else []
    return [text.paragraph(f"{proposal.label}: {'; '.join(effects)}", 0, 2)] if effects else []


def without_lines(result: Design, wish: Wish) -> list[str]:
    """What is reached without each change of the first proposal, and so what the change does there."""
    rows = [
        (result.space.words(change), *known[wish.key])
        for proposal in result.proposals[:1]
        for change, known in proposal.without.items()
    ]
    if not rows:
        return []
    title = f"what each change does to {named(wish)} in {result.proposals[0].label}, on {rows[0][1].n:,} new deals"
    cells = [[change, value.text(), wish.change(result.setup, effect)] for change, value, effect in rows]
    lines = [text.paragraph(title), "", text.columns(["change", "without it", "its effect"], cells)]
    number = len(rows) * len(result.wishes)
    return ["", *lines, *([text.joint_line(number)] if number > 1 else [])]
