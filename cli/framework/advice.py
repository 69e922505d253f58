"""Advice as text, for `houle advise` and `houle play`: the verdict, the moves, and the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houle.cli.framework import text
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle import Advice
    from houle.analysis.play.advise import AdvisedMove

import click

from houle.cli.framework.command import Call
from houle.cli.framework.files import write_text
from houle.solver.errors import PositionError
from houle.solver.language.languages import ENGLISH, Words, catalogue_files, words_in
from houle.solver.matches.record.line_parser import as_text, in_language
from houle.solver.texts import capital, count_of

if TYPE_CHECKING:
    from houle.solver.matches.record.position import Position

MOST_REASONS = 2
MOST_NAMED = 3  # moves that are named as good as the best
ALL_ALIKE = {
    "lost": "None of the imagined games was won, whatever was played.",
    "won": "All imagined games were won, whatever was played.",
}
UNSEEN = "@"  # in the name of a move with a card that the player does not see
LEAST_GAIN = 0.015  # of another side's chance that is a reason
LEAST_POINTS = 0.1  # of the mean score that is a reason
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


def verdict(advice: Advice, say: Words = from_1, settled: bool = True, more: bool = True) -> list[str]:
    """One move to play, the moves that are as good, and what the next one costs.

    `say` puts the name of a move into words. A verdict that is not `settled` comes from a first look and says only
    where it leans. With `more` it also says which option would tell the moves apart.
    """
    best, as_good, rival = say(advice.best.name), advice.contenders, advice.rival
    if rival is None:
        return [f"Only move: {best}."]
    if not settled:
        return [f"Leaning to {best}, still looking."]
    lines = [f"Best: {best}."]
    if advice.all_alike:
        lines.append(f"As good: every other move. {ALL_ALIKE[advice.all_alike]}")
        return lines
    if as_good:
        every = len(as_good) == len(advice.moves) - 1 > 1
        others = "every other move" if every else _either([say(move.name) for move in as_good])
        lines.append(f"As good, as far as {advice.games:,} imagined deals tell: {others}.")
    if rival.loss.low > 0:
        lines.append(f"Next: {say(rival.name)}, which costs {_size(advice, rival.loss.value)}.")
    if more and as_good:
        lines.append("A larger --worlds may tell them apart.")
    return lines


def _size(advice: Advice, loss: float) -> str:
    """A loss in words."""
    if advice.goal.is_score:
        return f"{loss:.1f} {advice.goal.score}"
    games = max(1, round(100 * loss))
    return f"{count_of(games, 'game')} in 100"


def _either(moves: list[str]) -> str:
    """`play 20, play 24 or play 16`; of many moves three are named."""
    named = moves if len(moves) <= MOST_NAMED + 1 else moves[:MOST_NAMED]
    last = f"{len(moves) - len(named)} more" if len(named) < len(moves) else named.pop() if len(named) > 1 else ""
    return ", ".join(named) + (f" or {last}" if last else "")


def plain_reason(advice: Advice, say: Words = from_1) -> str:
    """One reason for the best move rather than the next that is worse; empty if there is none or it does not matter.

    It is the rule of thumb that speaks most for it, or what the other move brings.
    """
    rival = advice.rival
    if rival is None or rival.loss.low <= 0:
        return ""
    unseen = UNSEEN in f"{advice.best.name} {rival.name}"  # a player cannot check what a rule says of such a card
    rule = advice.why.speaks if advice.why is not None and not unseen else None
    if rule is not None:
        return f"Why rather than {say(rival.name)}? {rule.sentence}"
    own = int(advice.setup.rules[0].side[advice.position.seat])
    names = [name for name, _ in advice.setup.game.side_names(advice.setup)]
    gains = [
        (after.value - before.value, side)
        for side, (before, after) in enumerate(zip(advice.best.sides, rival.sides, strict=True))
        if side != own
    ]
    if gains and max(gains)[0] >= LEAST_GAIN:
        side = max(gains)[1]
        then, now = (f"{100 * move.sides[side].value:.0f}" for move in (rival, advice.best))
        return capital(f"{say(rival.name)} instead: {say(names[side])} wins {then} games in 100, not {now}.")
    sign = -1 if advice.setup.ruleset.lower_is_better else 1
    if sign * (advice.best.points.value - rival.points.value) < LEAST_POINTS:
        return ""
    then, now = (f"{move.points.value:.1f}" for move in (rival, advice.best))
    return capital(f"{say(rival.name)} instead: {advice.setup.score.replace('_', ' ')} {then} on average, not {now}.")


def reason_lines(advice: Advice) -> list[str]:
    """Why the first move is better than the next, in the words of the rules of thumb."""
    if advice.why is None or advice.rival is None or not advice.matters:
        return []
    rival, reasons = from_1(advice.rival.name), advice.why.reasons
    speaks = [reason.sentence for reason in reasons if reason.points > 0][:MOST_REASONS]
    against = [reason.sentence for reason in reversed(reasons) if reason.points < 0][:1]
    lines = []
    if speaks:
        lines.append(f"Why rather than {rival}? {' '.join(speaks)}")
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
    shown = [advice.best, advice.rival] if advice.rival is not None else [advice.best]
    return [f"after {from_1(move.name)}: {_ends(advice, move)}" for move in shown if _ends(advice, move)]


def _ends(advice: Advice, move: AdvisedMove) -> str:
    if move.ends:
        ends = list(move.ends.items())[:MOST_ENDS]
        return ", ".join(f"{from_1(words)} {100 * often:.0f}%" for words, often in ends)
    names = [from_1(name) for name, _ in advice.setup.game.side_names(advice.setup)]
    if len(names) < 2:
        return ""
    return ", ".join(f"{name} wins {100 * win.value:.0f}%" for name, win in zip(names, move.sides, strict=True))


def asked_position(call: Call, where: str | None, given: str | None) -> Position:
    """The position of --from or --position."""
    from houle.analysis.play.positions import find_position

    if (where is None) == (given is None):
        raise PositionError(f"{call.ctx.info_name}: give either --from SEED/GAME/PLY or --position FILE|-|TEXT")
    return find_position(call.asked.setup_or_game(), where, given, call.strategies)


def put_position(call: Call, position: Position, language: str = ENGLISH) -> None:
    """Writes a position to the files of -o and prints it, as JSON with --json. Only text is in another language."""
    from houle.solver.matches.record.position import text_of  # loads the compiler, which a class is played without

    def written(form: str) -> str:
        if form != "text" or language == ENGLISH:
            return text_of(position, form)
        say = words_in(language, catalogue_files(language, position.setup.ruleset.name))
        return as_text(in_language(position.lines(), say))

    for file in call.files:
        write_text(file, written("json" if file.endswith(".json") else "text"))
    click.echo(written("json" if call.as_json else "text"), nl=False)
