"""`houle advise`: all moves in a position from best to worst, and why the best is best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.cli.framework import options, text
from houle.cli.framework.advice import asked_position, foreseen, move_table, reason_lines, verdict
from houle.cli.framework.command import Call, command
from houle.solver.language.languages import ENGLISH

if TYPE_CHECKING:
    from houle import Advice

MOST_WORLDS = 1_000_000
WORLDS = 400


@command()
@options.setup_options
@options.strategy_option_of("With --from: who played so far (default: thumb).")
@options.position_options
@options.worlds_option(WORLDS, 1, MOST_WORLDS)
@options.worlds_seed_option
@options.language_option
@options.json_option
@options.drawn_option
@options.quiet_option
def advise(
    call: Call,
    where: str | None,
    given: str | None,
    worlds: int,
    language: str,
) -> None:
    """Find the best move in a position, and say why.

    houle imagines the hidden cards many times, always in agreement with what the player to move knows. Each time it
    tries every move and lets players that follow the rules of thumb finish the game. The table shows how often each
    move wins, how many games in 100 it loses compared with the best move, and which players would choose it.

    \b
    Examples:
      houle advise wave --from 7/3/5
      houle advise wave --position here.txt --worlds 4000
      houle advise wave --position "seat: 1; top: white 3; ..." --worlds 2000
      houle advise wave --from 7/3/5 --language fr
    """
    with call.watch(worlds) as progress:
        position = asked_position(call, where, given)
        advice = houle.advise(position, worlds=worlds, seed=call.seed, progress=progress)
    with text.speaking(language, advice.setup):
        call.put(advice, page_lines(advice, language), advice.plot)


def page_lines(advice: Advice, language: str = ENGLISH) -> list[str]:
    """The verdict, the moves, the reasons, and the command that repeats it."""
    setup, seat, goal = advice.setup, advice.position.seat, advice.goal
    loses = goal.pick("how many fewer games in 100 it wins", f"by how much its {goal.score} are worse")
    lines = [
        *text.differences(setup),
        f"{text.setup_title(setup)}; seat {seat + 1} is to move",
        "",
        *(text.paragraph(line, 0, 4) for line in verdict(advice)),
        "",
        move_table(advice),
        text.paragraph(
            f"loses: {loses} than the first move. Hidden cards imagined "
            f"{advice.games:,} times; {text.INTERVALS}, for losses valid for all pairs of moves together",
        ),
        "",
        *reason_lines(advice),
        *(text.paragraph(line, 0, 4) for line in foreseen(advice)),
        "",
        *text.notes(setup.notes),
        text.repeated(advice.repeat(), language),
    ]
    if advice.unasked:
        lines.insert(-1, f"note     {advice.unasked}")
    if advice.position.luck is None:
        lines.insert(
            -1, "note     without a line `luck` in the position, players that choose at random use a fixed seed"
        )
    return lines
