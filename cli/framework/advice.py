"""Advice as text, for `houle advise` and `houle play`: the verdict, the moves, and the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houle.analysis.result import shown_side
from houle.cli.framework import text

if TYPE_CHECKING:
    from houle import Advice
    from houle.analysis.advice.advise import AdvisedMove
    from houle.analysis.advice.reasons import Reason

MOST_ENDS = 4  # ways to end that are shown


def move_table(advice: Advice) -> str:
    """All moves, from best to worst."""
    picks: text.Picks = [
        ("", lambda move: advice.moves.index(move) + 1),
        ("move", lambda move: shown_side(move.name)),
        ("wins", "win"),
        ("loses", lambda move: None if move is advice.best else move.loss),
        *([] if advice.setup.one_sided else [(advice.setup.score.replace("_", " "), "points")]),
        ("chosen by", lambda move: ", ".join(move.players)),
    ]
    return text.table(advice.moves, picks)


def verdict(advice: Advice, more: bool = True) -> list[str]:
    """What to play, and how much it matters; with `more` also which option would make it certain."""
    best = shown_side(advice.best.name)
    if len(advice.moves) == 1:
        return [f"It does not matter: {best} is the only move."]
    if not advice.matters:
        worst = max(move.loss.high for move in advice.moves[1:])
        return [
            f"It does not matter: {best} is as good as any. No move loses more than {100 * worst:.1f} games in 100."
        ]
    alike = [shown_side(move.name) for move in advice.contenders]
    if not alike:
        return [f"Best: {best}. Every other move is worse."]
    most = f"it is at most {100 * advice.most_lost:.1f} games in 100 worse than the best of them"
    if advice.decided:
        return [f"Best: {best}, or at most one point behind: {', '.join(alike)} may be as good ({most})."]
    option = "--certain" if not advice.certain else "a larger --worlds"
    hint = f"; {option} would tell" if more else ""
    return [f"Best so far: {best}. {', '.join(alike)} may be better ({most}{hint})."]


def reason_lines(advice: Advice) -> list[str]:
    """The best move compared with the next, one rule of thumb per line."""
    if advice.why is None or not advice.matters:
        return []
    rival, margin = shown_side(advice.moves[1].name), advice.why.margin
    if margin > 0:
        head = f"The rules of thumb prefer it to {rival}, by {margin} points:"
    elif margin < 0:
        head = f"The rules of thumb prefer {rival}, by {-margin} points, but looking ahead shows otherwise:"
    else:
        head = f"The rules of thumb rate {rival} the same."
    return [text.paragraph(head, 0, 4), *(reason_line(reason) for reason in advice.why.reasons)]


def reason_line(reason: Reason) -> str:
    """One rule of thumb: how much it speaks for or against the move."""
    way = "for" if reason.points > 0 else "against"
    return text.paragraph(f"{reason.points:+d} {way}: {reason.sentence} ({reason.value} against {reason.other})", 2, 4)


def foreseen(advice: Advice) -> list[str]:
    """How the imagined games end after the best two moves, or who wins them."""
    if not advice.matters:
        return []
    return [f"after {shown_side(move.name)}: {_ends(advice, move)}" for move in advice.moves[:2] if _ends(advice, move)]


def _ends(advice: Advice, move: AdvisedMove) -> str:
    if move.ends:
        ends = list(move.ends.items())[:MOST_ENDS]
        return ", ".join(f"{shown_side(words)} {100 * often:.0f}%" for words, often in ends)
    names = [shown_side(name) for name, _ in advice.setup.game.side_names(advice.setup)]
    if len(names) < 2:
        return ""
    return ", ".join(f"{name} wins {100 * win.value:.0f}%" for name, win in zip(names, move.sides, strict=True))
