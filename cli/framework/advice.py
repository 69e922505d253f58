"""Advice as text, for `houle advise` and `houle play`: the verdict, the moves, and the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houle.cli.framework import text
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houle import Advice
    from houle.analysis.advice.advise import AdvisedMove
from pathlib import Path

import click

from houle.cli.framework.command import Call
from houle.cli.framework.files import write_text
from houle.solver.errors import PositionError
from houle.solver.language.languages import ENGLISH, catalogue_files, words_in
from houle.solver.matches.record.line_parser import as_text, in_language

if TYPE_CHECKING:
    from houle.analysis.advice.positions import Position

MOST_REASONS = 2
MOST_ENDS = 4  # ways to end that are shown


def move_table(advice: Advice) -> str:
    """All moves, from best to worst."""
    picks: text.Picks = [
        ("", lambda move: advice.moves.index(move) + 1),
        ("move", lambda move: from_1(move.name)),
        (advice.goal.head, advice.reached),
        ("loses", lambda move: None if move is advice.best else move.loss),
        *([] if advice.setup.one_sided else [(advice.setup.score.replace("_", " "), "points")]),
        ("chosen by", lambda move: ", ".join(move.players)),
    ]
    return text.table(advice.moves, picks)


def verdict(advice: Advice, more: bool = True, called: Sequence[str] = ()) -> list[str]:
    """What to play, and how much it matters; with `more` also which option would make it certain.

    `called` are the words for the moves, in their order; by default their names.
    """
    names = called or [from_1(move.name) for move in advice.moves]
    best, number = names[0], len(advice.moves)
    if number == 1:
        return [f"It does not matter: {best} is the only move."]
    if advice.all_alike == "lost":
        return [f"Every move loses: none of {advice.games:,} imagined games was won, whatever was played."]
    if advice.all_alike == "won":
        return [f"Every move wins: all of {advice.games:,} imagined games were won, whatever was played."]
    if not advice.matters:
        worst = _size(advice, max(move.loss.high for move in advice.moves[1:]))
        return [f"It does not matter: {best} is as good as any. No move loses more than {worst}."]
    alike = [name for move, name in zip(advice.moves, names, strict=True) if move in advice.contenders]
    if not alike:
        return [f"Best: {best}. Every other move is worse."]
    most = f"by at most {_size(advice, advice.most_lost)}"
    if advice.decided:
        close = advice.goal.pick("one point", "a hundredth of the range of scores")
        return [f"Best: {best}, or at most {close} behind: {', '.join(alike)} may be as good."]
    option = "--certain" if not advice.certain else "a larger --worlds"
    hint = f" {option} would tell." if more else ""
    return [f"Not settled yet: {best} is ahead so far; {', '.join(alike)} may be better, {most}.{hint}"]


def _size(advice: Advice, loss: float) -> str:
    """A loss in words."""
    return f"{loss:.2f} {advice.goal.score}" if advice.goal.is_score else f"{100 * loss:.1f} games in 100"


def plain_reason(advice: Advice) -> str:
    """One reason for the best move, as a rule of thumb; empty if it does not matter."""
    if advice.why is None or not advice.matters or advice.all_alike:
        return ""
    decided = advice.why.decided
    return decided.sentence if decided else "No rule of thumb says so; it shows when the game is played on."


def reason_lines(advice: Advice) -> list[str]:
    """Why the first move is better than the next, in the words of the rules of thumb."""
    if advice.why is None or not advice.matters:
        return []
    rival, reasons = from_1(advice.moves[1].name), advice.why.reasons
    speaks = [reason.sentence for reason in reasons if reason.points > 0][:MOST_REASONS]
    against = [reason.sentence for reason in reversed(reasons) if reason.points < 0][:1]
    lines = []
    if speaks:
        lines.append(f"Why rather than {rival}: {' '.join(speaks)}")
    if against and advice.why.margin < 0:
        lines.append(f"Rules of thumb prefer {rival}: {against[0]} Playing the games on shows otherwise.")
    elif against:
        lines.append(f"Against it: {against[0]}")
    elif not speaks:
        lines.append(f"Rules of thumb see no difference to {rival}; playing the games on shows one.")
    return [text.paragraph(line, 0, 4) for line in lines]


def foreseen(advice: Advice) -> list[str]:
    """How the imagined games end after the best two moves, or who wins them."""
    if not advice.matters:
        return []
    return [f"after {from_1(move.name)}: {_ends(advice, move)}" for move in advice.moves[:2] if _ends(advice, move)]


def _ends(advice: Advice, move: AdvisedMove) -> str:
    if move.ends:
        ends = list(move.ends.items())[:MOST_ENDS]
        return ", ".join(f"{from_1(words)} {100 * often:.0f}%" for words, often in ends)
    names = [from_1(name) for name, _ in advice.setup.game.side_names(advice.setup)]
    if len(names) < 2:
        return ""
    return ", ".join(f"{name} wins {100 * win.value:.0f}%" for name, win in zip(names, move.sides, strict=True))


def asked_position(call: Call, where: str | None, given: str | None, moves: bool = True) -> Position:
    """The position of --from or --position."""
    from houle.analysis.advice.positions import find_position

    if (where is None) == (given is None):
        raise PositionError(f"{call.ctx.info_name}: give either --from SEED/GAME/PLY or --position FILE|-|TEXT")
    return find_position(call.asked.setup_or_game(), where, given, call.strategies, moves)


def put_position(call: Call, position: Position, form: str = "text", language: str = ENGLISH) -> None:
    """Writes a position to the file of -o and prints it, as JSON with --json. Only text is in another language."""
    from houle.analysis.advice.positions import text_of

    def written(form: str) -> str:
        if form != "text" or language == ENGLISH:
            return text_of(position, form)
        say = words_in(language, catalogue_files(language, position.setup.ruleset.name))
        return as_text(in_language(position.lines(), say))

    if call.out:
        ending = Path(call.out).suffix[1:]
        write_text(call.out, written("text" if ending == "txt" else ending))
    click.echo(written("json" if call.as_json else form), nl=False)
