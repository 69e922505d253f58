"""`houle trace`: one game move by move, with the real names of the cards."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.stats.estimate import PERCENT
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.cli.framework import options, text
from houle.cli.framework.advice import asked_position, put_position
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import write_text
from houle.cli.framework.progress import LongRun
from houle.solver.errors import InputError, StrategyError
from houle.solver.language.seats import from_1
from houle.solver.matches.record.setup_head import game_of
from houle.solver.rules.files import read_text

if TYPE_CHECKING:
    from houle import Trace
    from houle.analysis.advice.reasons import Reasons
    from houle.analysis.advice.trace import Ply
    from houle.solver.rules import Setup

MOST_WORLDS = 100_000
MOST_PLIES = 100_000
MOST_SEATS = 99
WORLDS = 100  # the default of --chances with --short


@command()
@options.setup_options
@options.strategy_option
@options.seed_option
@options.game_number_option
@click.option("--short", is_flag=True, help="Print one line per move, with the chances before and after it.")
@click.option("--why", is_flag=True, help="Explain each move by the rules of thumb, compared with the next best move.")
@options.whole_option(
    "--chances",
    least=0,
    most=MOST_WORLDS,
    help=f"Estimate chances by imagining the hidden cards N times (default: {WORLDS} with --short, else no chances).",
)
@options.language_option
@options.json_option
@options.out_file_option(".json", ".txt")
@options.record_option("Also write a record that houle can replay: .txt.")
@click.option("--cards", is_flag=True, help="With --record: write the cards instead of the seed.")
@options.whole_option(
    "--seen-by", least=1, most=MOST_SEATS, metavar="SEAT", help="With --record: write only what this seat saw."
)
@options.whole_option(
    "--at", "ply", least=0, most=MOST_PLIES, metavar="PLY",
    help="Print the position after so many moves instead, as `houle position` does.",
)  # fmt: skip
def trace(
    call: Call,
    index: int,
    short: bool,
    why: bool,
    chances: int | None,
    record: str | None,
    cards: bool,
    seen_by: int | None,
    ply: int | None,
    language: str,
) -> None:
    """Show one game move by move.

    For each move: the position, who moves, which moves were possible, which was chosen, and after > what happened, such
    as cards drawn or tricks won. Games have the same numbers as in `houle simulate`.

    A chance is the chance to win of the player to move, estimated from what that player knows. houle imagines the
    hidden cards several times and lets players that follow the rules of thumb finish the game. With --why each rule
    counts with its weight times the difference between the two moves.

    GAME can also be the file of a recorded game, which --record writes.

    \b
    Examples:
      houle trace wave --seed 7 --game 3
      houle trace wave --seed 7 --game 3 --record game.txt
      houle trace game.txt --short
      houle trace wave --seed 7 --game 3 --short --why
      houle trace vague-attaque -v teams --short --chances 0
      houle trace wave -v nazare --seed 7 --game 3 --json
      houle trace sea-change -p 4 -s random --seed 7
      houle trace wave --seed 7 --game 3 --record game.txt --seen-by 2
      houle trace game.txt --at 12
      houle trace wave --seed 7 --game 3 --short --language fr
    """
    from houle.analysis.advice.trace import notes_of, transcript_of

    call.ctx.with_resource(LongRun(call.silent))  # says that it compiles
    asked = call.asked
    worlds = (WORLDS if short else 0) if chances is None else chances
    if (cards or seen_by) and not record:
        raise InputError("trace: --cards and --seen-by need --record FILE")
    if ply is not None:
        if asked.is_record:
            written, given = _record_at(call)
            put_position(call, houle.position_in(written, ply, setup=given), language=language)
        else:
            put_position(call, asked_position(call, f"{call.seed}/{index}/{ply}", None), language=language)
        return
    if asked.is_record:
        written, given = _record_at(call)
        played = houle.replay(written, setup=given, why=why, chances=worlds, file=asked.game)
        setup = played.setup
    else:
        setup = call.setup
        played = houle.trace(setup, strategies=call.strategies, seed=call.seed, game=index, why=why, chances=worlds)
    said = asked.words(setup)[1:] if asked.is_record and asked.gives_rules else []
    flags = "".join(f" {shlex.quote(word)}" for word in said)
    flags += " --short" * short + " --why" * why + (f" --chances {chances}" if chances is not None else "")
    with text.speaking(language, setup):
        lines = [text.say(line) for line in (short_lines(played) if short else page_lines(played))]
    page = "\n".join([*lines, f"repeat   {played.repeat(asked.words(setup))}{flags}"]) + "\n"
    data = json.dumps(played.as_json(), indent=2) + "\n"
    if record:
        kept = played.record()
        if seen_by is not None and seen_by > setup.players:
            raise InputError(f"--seen-by: {seen_by} is not allowed; allowed: a seat from 1 to {setup.players}")
        no_cards = setup.game.openings.board is None  # so cards cannot be typed in
        if cards and no_cards:
            raise InputError(f"trace: --cards: {setup.ruleset.name} has no opening.py; --record alone keeps the seed")
        if seen_by and no_cards:
            write_text(record, transcript_of(kept, seen_by - 1))
        else:
            notes = notes_of(kept, None if seen_by is None else seen_by - 1) if cards or seen_by else kept
            write_text(record, notes.as_text())
    if call.out:
        write_text(call.out, data if call.out.endswith(".json") else page)
    click.echo(data if call.as_json else page, nl=False)


def _record_at(call: Call) -> tuple[str, Setup | None]:
    """The text of a record, and the setup if the command line gives one."""
    asked = call.asked
    if call.strategy:
        raise StrategyError(f"-s: not possible here; the record {asked.game} already says who plays")
    written = read_text(asked.game)
    if not asked.gives_rules:
        return written, None
    return written, replace(asked, game=game_of(written)).setup()


def page_lines(played: Trace) -> list[str]:
    """The start, each move with the position after it, and the end. Seats count from 1."""
    lines = head(played)
    for ply in played.plies:
        lines += ["", _move(ply), *(text.paragraph(f"> {from_1(event)}", 5, 4) for event in ply.events)]
        if ply.chances is not None:
            lines.append(f"     chance {_chances(ply)}")
        lines += why_lines(ply.why, from_1(ply.rival)) if ply.why is not None else []
        lines.append(_position(ply.shown))
    return lines + foot(played)


def short_lines(played: Trace) -> list[str]:
    """The start, then exactly one line per move, and the end."""
    lines = [*head(played), ""]
    for ply in played.plies:
        hand = "" if ply.acting == ply.seat else f" (for {from_1(ply.hand)})"
        happened = [f"seat {ply.seat + 1}{hand}: {from_1(ply.spoken)}", *map(from_1, ply.events)]
        parts = [f"{ply.number:>3}  {'; '.join(map(text.say, happened))}"]
        parts += [_chances(ply)] if ply.chances is not None else []
        parts += [_decided(ply.why)] if ply.why is not None else []
        lines.append(" | ".join(parts))
    return lines + foot(played)


def head(played: Trace) -> list[str]:
    """Which game it is, how chances were estimated, and the position at the start."""
    from houle.analysis.measures.goal import Goal

    setup = played.setup
    who = played.strategies[0] if len(set(played.strategies)) == 1 else ", ".join(played.strategies)
    lines = [
        *text.differences(setup),
        f"{text.setup_title(setup)}; {_cards_of(played)}, played by {who}",
    ]
    if played.worlds:
        widest = max((chance.half for ply in played.plies for chance in ply.chances or ()), default=0.0)
        goal = Goal(setup)
        what = f"{goal.score} at the end, from what the player to move knows"
        what = what if goal.is_score else "to win of the player to move, from what that player knows"
        correct = f"{widest:.1f}" if goal.is_score else f"{100 * widest:.0f} points"
        lines.append(
            text.paragraph(
                f"chance   {what}, before -> after the move; hidden cards imagined {played.worlds:,} times; correct to "
                f"± {correct} (95% intervals)",
                0,
                9,
            )
        )
    return [*lines, "", _position(played.shown)]


def _cards_of(played: Trace) -> str:
    """Where the cards come from."""
    record = played.recorded
    if record is not None and record.deck is not None:
        return "the deck of the record"
    if record is None or record.dealt is None:
        return f"seed {played.seed}, game {played.game}"
    return "cards typed in" if record.seen_by is None else f"cards typed in, as seat {record.seen_by + 1} saw them"


def foot(played: Trace) -> list[str]:
    why = [text.paragraph(from_1(line), 0, 4) for line in played.ending]
    over = [ending(played.setup, played.result)] if played.result is not None else []
    return ["", *why, *over, *text.notes(played.setup.notes)]


def _chances(ply: Ply) -> str:
    """`31% -> 35%`, or `18.2 -> 18.4`."""
    return " -> ".join(chance.short(0 if chance.unit == PERCENT else 1) for chance in ply.chances or ())


def _decided(why: Reasons) -> str:
    """The rule that decided, in one line."""
    if why.decided is not None:
        return f"{why.decided.sentence} (+{why.decided.points}, total +{why.margin})"
    return "no rule of thumb prefers it" if why.margin else "the rules of thumb see no difference"


def why_lines(why: Reasons, rival: str) -> list[str]:
    """Each rule of thumb in which the move differs from the next best one."""
    if why.margin > 0:
        head = f"why: {why.margin} points ahead of {rival}, the next best move by the rules of thumb"
    elif why.margin < 0:
        head = f"why: a search or luck; the rules of thumb put {rival} {-why.margin} points ahead"
    else:
        head = f"why: a search or luck; the rules of thumb rate {rival} the same"
    lines = [text.paragraph(head, 5, 4)]
    for reason in why.reasons:
        part = f"{reason.points:+d}  {reason.sentence} ({reason.value} against {reason.other}, weight {reason.weight})"
        lines.append(text.paragraph(part, 7, 4))
    return lines


def _position(shown: str) -> str:
    """The position as the game shows it, indented below the move."""
    lines = from_1(shown).splitlines()
    return "\n".join(text.paragraph(line.strip(), 5 + len(line) - len(line.lstrip()), 4) for line in lines)


def _move(ply: Ply) -> str:
    """Who moves and how, then what else was possible."""
    hand = "" if ply.acting == ply.seat else f" (with the hand of {from_1(ply.hand)})"
    line = f"{ply.number:>3}  " + text.say(f"seat {ply.seat + 1}{hand}: {from_1(ply.spoken)}")
    others = [from_1(name) for name in ply.others]
    if not ply.possible:
        return line  # one seat's record does not say what else was possible
    if not others:
        return f"{line}  {text.say('(nothing else was possible)')}"
    return line + "\n" + text.paragraph(f"instead of: {', '.join(others)}", 5, 4)


def ending(setup: Setup, result: dict[str, Any]) -> str:
    rows = []
    for side, (name, _) in enumerate(setup.game.side_names(setup)):
        share = result["shares"][side]
        verdict = "no" if share == 0 else "yes" if share == WHOLE_WIN else f"shared ({share / WHOLE_WIN:.3f})"
        rows.append([from_1(name), str(result["scores"][side]), verdict])
    end = "The game is over, without a winner" if result["drawn"] else "The game is over"
    counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in result["counts"].items())
    return "\n".join([end + ": " + counts, text.columns(["side", setup.score, "won"], rows, right=(1,))])
