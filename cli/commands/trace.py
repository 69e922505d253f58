"""`houle trace`: one game move by move, with the real names of the cards, to be checked by hand."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.result import shown_side
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.cli.framework import options, text
from houle.cli.framework.files import check_file, write_text
from houle.solver.errors import InputError
from houle.solver.record.head import game_of
from houle.solver.ruleset import game_names
from houle.solver.ruleset.files import read_text

if TYPE_CHECKING:
    from houle import Trace
    from houle.analysis.advice.reasons import Reasons
    from houle.analysis.advice.trace import Ply
    from houle.solver.ruleset import Setup

MOST_WORLDS = 100_000
MOST_PLIES = 100_000
MOST_SEATS = 99
WORLDS = 100  # for a chance of --short, unless --chances says otherwise
ENDINGS = (".json", ".txt")


@click.command()
@options.setup_options
@options.strategy_option
@options.seed_option
@options.game_number_option
@click.option("--short", is_flag=True, help="One line a move: who, what, what came of it, the chance before and after.")
@click.option("--why", is_flag=True, help="Hold every move against the next best one, rule of thumb by rule of thumb.")
@click.option(
    "--chances",
    type=options.Whole(0, MOST_WORLDS),
    metavar="N",
    help=f"Worlds to imagine for a chance, from 0 (none) to {MOST_WORLDS:,}; {WORLDS} with --short, else none.",
)
@options.json_option
@click.option("-o", "--out", type=click.Path(), metavar="FILE", help="Also write it: .json or .txt.")
@click.option("--record", type=click.Path(), metavar="FILE", help="Also write the moves by name, to be replayed: .txt.")
@click.option("--cards", is_flag=True, help="With --record: the cards dealt and drawn instead of the seed.")
@click.option(
    "--seen-by", type=options.Whole(1, MOST_SEATS), metavar="SEAT", help="With --record: only what this seat saw."
)
@click.option(
    "--at",
    "ply",
    type=options.Whole(0, MOST_PLIES),
    metavar="PLY",
    help="Write the position after so many moves instead, as who has to move sees it (see `houle position`).",
)
def trace(
    asked: options.Asked,
    strategy: tuple[str, ...],
    seed: int,
    index: int,
    short: bool,
    why: bool,
    chances: int | None,
    as_json: bool,
    out: str | None,
    record: str | None,
    cards: bool,
    seen_by: int | None,
    ply: int | None,
) -> None:
    """Replay one game of GAME move by move.

    The table, who moves, what was possible, what was done, and behind > what came of it: draws, dice, tricks, turns
    missed, ends of rounds. Game N of a seed is the game that `simulate` counts under that number. The thumb plays
    unless -s says otherwise.

    A chance is that of the side of who moves, as the mover sees it: in worlds that agree with what the mover knows,
    thumbs play on to the end. After a move it holds what was drawn too. With --why the part of a rule is its weight x
    the difference of the two moves in it; where a search or luck decided instead, that is said.

    GAME may also be the file of a record (--record writes one): its moves are replayed, and one that is not possible is
    named.

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
    """
    from houle.analysis.advice.trace import notes_of

    check_file("-o", out, ENDINGS)
    check_file("--record", record, (".txt",))
    worlds = (WORLDS if short else 0) if chances is None else chances
    if (cards or seen_by) and not record:
        raise InputError("trace: --cards and --seen-by say what --record FILE writes")
    recorded = asked.game not in game_names() and os.path.isfile(asked.game)
    if ply is not None:
        _write_position(asked, strategy, f"{seed}/{index}/{ply}", ply, as_json, out, recorded)
        return
    if recorded:
        written, table = _record_at(asked, strategy)
        played = houle.replay(written, setup=table, why=why, chances=worlds, file=asked.game)
        setup = played.setup
    else:
        setup = asked.setup()
        played = houle.trace(setup, strategies=strategy or None, seed=seed, game=index, why=why, chances=worlds)
    said = asked.words(setup)[1:] if recorded and _says_a_table(asked) else []
    flags = "".join(f" {shlex.quote(word)}" for word in said)
    flags += " --short" * short + " --why" * why + (f" --chances {chances}" if chances is not None else "")
    lines = short_lines(played) if short else page_lines(played)
    page = "\n".join([*lines, f"repeat   {played.repeat(asked.words(setup))}{flags}"]) + "\n"
    data = json.dumps(played.as_json(), indent=2) + "\n"
    if record:
        kept = played.record()
        if seen_by is not None and seen_by > setup.players:
            raise InputError(f"--seen-by: there are {setup.players} seats, from 1 to {setup.players}")
        if cards or seen_by:
            kept = notes_of(kept, None if seen_by is None else seen_by - 1)
        write_text(record, kept.as_text())
    if out:
        write_text(out, data if out.endswith(".json") else page)
    click.echo(data if as_json else page, nl=False)


def _record_at(asked: options.Asked, strategy: tuple[str, ...]) -> tuple[str, Setup | None]:
    """The text of a record, and the table that the command says, where it says one."""
    if strategy:
        raise InputError(f"trace: {asked.game} is a record, which says itself who plays")
    written = read_text(asked.game)
    if not _says_a_table(asked):
        return written, None
    return written, replace(asked, game=game_of(written)).setup()


def _says_a_table(asked: options.Asked) -> bool:
    return bool(asked.players or asked.variants or asked.settings or asked.files)


def _write_position(
    asked: options.Asked,
    strategy: tuple[str, ...],
    where: str,
    ply: int,
    as_json: bool,
    out: str | None,
    recorded: bool,
) -> None:
    """What the seat to move knows after so many moves, of a record or of a game that is played for it."""
    from houle.analysis.advice.positions import find_position, text_of

    if recorded:
        written, table = _record_at(asked, strategy)
        found = houle.position_in(written, ply, setup=table)
    else:
        found = find_position(asked.setup(), where, None, strategy or None, True)
    if out:
        write_text(out, text_of(found, "json" if out.endswith(".json") else "text"))
    click.echo(text_of(found, "json" if as_json else "text"), nl=False)


def page_lines(played: Trace) -> list[str]:
    """The start, every move with the table after it, and the end. Seats of the game's own texts count from 1 here."""
    lines = head(played)
    for ply in played.plies:
        lines += ["", _move(ply), *(text.paragraph(f"> {shown_side(event)}", 5, 4) for event in ply.events)]
        if ply.chances is not None:
            lines.append(f"     chance {_chances(ply)}")
        lines += why_lines(ply.why, shown_side(ply.rival)) if ply.why is not None else []
        lines.append(_table(ply.shown))
    return lines + foot(played)


def short_lines(played: Trace) -> list[str]:
    """The start, then exactly one line a move, however long, and the end."""
    lines = [*head(played), ""]
    for ply in played.plies:
        told = "; ".join([shown_side(ply.spoken), *map(shown_side, ply.events)])
        hand = "" if ply.acting == ply.seat else f" (for {shown_side(ply.hand)})"
        parts = [f"{ply.number:>3}  seat {ply.seat + 1}{hand}: {told}"]
        parts += [_chances(ply)] if ply.chances is not None else []
        parts += [_decided(ply.why)] if ply.why is not None else []
        lines.append(" | ".join(parts))
    return lines + foot(played)


def head(played: Trace) -> list[str]:
    """Which game it is, how chances were found, and the table at the start."""
    setup = played.setup
    who = played.strategies[0] if len(set(played.strategies)) == 1 else ", ".join(played.strategies)
    lines = [
        *text.differences(setup),
        f"{text.table_line(setup)}; {_cards_of(played)}, strategy {who}",
    ]
    if played.worlds:
        widest = max((chance.half for ply in played.plies for chance in ply.chances or ()), default=0.0)
        lines.append(
            text.paragraph(
                f"chance   of the side of who moves, as the mover sees it, before -> after the move: {played.worlds:,} "
                f"worlds imagined for each, played on by thumbs; 95% intervals are ± {100 * widest:.0f} points or less",
                0,
                9,
            )
        )
    return [*lines, "", _table(played.shown)]


def _cards_of(played: Trace) -> str:
    """Where the cards come from."""
    record = played.recorded
    if record is None or record.dealt is None:
        return f"seed {played.seed}, game {played.game}"
    return "typed in" if record.seen_by is None else f"typed in, as seat {record.seen_by + 1} saw it"


def foot(played: Trace) -> list[str]:
    told = [text.paragraph(shown_side(line), 0, 4) for line in played.ending]
    over = [ending(played.setup, played.result)] if played.result is not None else []
    return ["", *told, *over, *text.notes(played.setup.notes)]


def _chances(ply: Ply) -> str:
    """`31% -> 35%`"""
    return " -> ".join(f"{100 * chance.value:.0f}%" for chance in ply.chances or ())


def _decided(why: Reasons) -> str:
    """The rule that decided, in one line."""
    if why.decided is not None:
        return f"{why.decided.sentence} (+{why.decided.points}, in all +{why.margin})"
    return "no rule of thumb prefers it" if why.margin else "the rules of thumb see no difference"


def why_lines(why: Reasons, rival: str) -> list[str]:
    """Every rule in which the move differs from the next best one, and what it gives."""
    if why.margin > 0:
        head = f"why: {why.margin} points ahead of {rival}, the next best by the rules of thumb"
    elif why.margin < 0:
        head = f"why: not by the rules of thumb, which put {rival} {-why.margin} points ahead: a search or luck"
    else:
        head = f"why: the rules of thumb see no difference to {rival}: luck, or a search"
    lines = [text.paragraph(head, 5, 4)]
    for reason in why.reasons:
        part = f"{reason.points:+d}  {reason.sentence} ({reason.value} against {reason.other}, x {reason.weight})"
        lines.append(text.paragraph(part, 7, 4))
    return lines


def _table(shown: str) -> str:
    """The table as the game shows it, below the number of the move."""
    lines = shown_side(shown).splitlines()
    return "\n".join(text.paragraph(line.strip(), 5 + len(line) - len(line.lstrip()), 4) for line in lines)


def _move(ply: Ply) -> str:
    """Who moves and what, then what else was possible."""
    hand = "" if ply.acting == ply.seat else f" (with the hand of {shown_side(ply.hand)})"
    line = f"{ply.number:>3}  seat {ply.seat + 1}{hand}: {shown_side(ply.spoken)}"
    others = [shown_side(name) for name in ply.others]
    if not ply.possible:
        return line  # what else was possible is not in one seat's notes
    if not others:
        return line + "  (nothing else was possible)"
    return line + "\n" + text.paragraph(f"instead of: {', '.join(others)}", 5, 4)


def ending(setup: Setup, result: dict[str, Any]) -> str:
    rows = []
    for side, (name, _) in enumerate(setup.game.side_names(setup)):
        share = result["shares"][side]
        verdict = "no" if share == 0 else "yes" if share == WHOLE_WIN else f"{share / WHOLE_WIN:.3f} of it"
        rows.append([shown_side(name), str(result["scores"][side]), verdict])
    end = "over, without a winner" if result["drawn"] else "over"
    counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in result["counts"].items())
    return "\n".join([end + ": " + counts, text.columns(["side", setup.score, "won"], rows, right=(1,))])
