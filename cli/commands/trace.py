"""`houle trace`: one game move by move, with the real names of the cards."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.cli.framework import options, text
from houle.cli.framework.advice import put_position
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import write_text
from houle.cli.framework.progress import LongRun
from houle.solver.errors import StrategyError
from houle.solver.language.seats import from_1
from houle.solver.matches.record.setup_head import game_of
from houle.solver.rules.files import read_text

if TYPE_CHECKING:
    from houle import Trace
    from houle.analysis.play.trace import Ply
    from houle.solver.matches.record.position import Position
    from houle.solver.rules import Setup

MOST_PLIES = 100_000


@command()
@options.setup_options
@options.strategy_option
@options.seed_option
@options.game_number_option
@options.language_option
@options.json_option
@options.out_file_option(".json", ".txt")
@options.record_option("Also write a record that houle can replay: .txt.")
@options.whole_option(
    "--at",
    "ply",
    least=0,
    most=MOST_PLIES,
    metavar="PLY",
    help="Print instead what the player to move knows after so many moves; `houle advise --position` reads it.",
)
def trace(call: Call, index: int, record: str | None, ply: int | None, language: str) -> None:
    """Show one game move by move.

    For each move: the position, who moves, which moves were possible, which was chosen, and after > what happened.

    --at prints one position as text that you can edit: what the player to move knows. A `?` is a card that the player
    cannot see. With the line `luck` players who choose at random decide as they did in the game.

    GAME can also be the file of a recorded game, which --record writes. `houle review` judges its moves.

    \b
    Examples:
      houle trace wave --seed 7 --game 3
      houle trace wave --seed 7 --game 3 --record game.txt
      houle trace sea-change -p 4 -s random --seed 7
      houle trace game.txt
      houle trace game.txt --at 12 -o here.txt
      houle trace wave --seed 7 --game 3 --language fr
    """
    call.ctx.with_resource(LongRun(call.silent))  # says that it compiles
    asked = call.asked
    if ply is not None:
        put_position(call, _position_at(call, index, ply), language)
        return
    if asked.is_record:
        written, given = _record_at(call)
        played = houle.replay(written, setup=given, file=asked.game)
        setup = played.setup
    else:
        setup = call.setup
        played = houle.trace(setup, strategies=call.strategies, seed=call.seed, game=index)
    said = asked.words(setup)[1:] if asked.is_record and asked.gives_rules else []
    flags = "".join(f" {shlex.quote(word)}" for word in said)
    with text.speaking(language, setup):
        lines = [text.say(line) for line in page_lines(played)]
    page = "\n".join([*lines, text.repeated(played.repeat(asked.words(setup)) + flags, language)]) + "\n"
    data = json.dumps(played.as_json(), indent=2) + "\n"
    if record:
        write_text(record, played.record().as_text())
    for file in call.files:
        write_text(file, data if file.endswith(".json") else page)
    click.echo(data if call.as_json else page, nl=False)


def _position_at(call: Call, index: int, ply: int) -> Position:
    """The position after so many moves of the game."""
    if call.asked.is_record:
        written, given = _record_at(call)
        return houle.position_in(written, ply, setup=given)
    setup = call.asked.setup_or_game()
    return houle.position(setup, seed=call.seed, game=index, ply=ply, strategies=call.strategies)


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
        lines.append(_position(ply.shown))
    return lines + foot(played)


def head(played: Trace) -> list[str]:
    """Which game it is, and the position at the start."""
    setup = played.setup
    who = played.strategies[0] if len(set(played.strategies)) == 1 else ", ".join(played.strategies)
    lines = [
        *text.differences(setup),
        f"{text.setup_title(setup)}; {_cards_of(played)}, played by {who}",
    ]
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
