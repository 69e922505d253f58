"""A position that a command asks for or prints, for `houle advise`, `houle position` and `houle trace`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.framework.command import Call
from houle.cli.framework.files import write_text
from houle.solver.errors import PositionError
from houle.solver.language.languages import ENGLISH, catalogue_files, words_in
from houle.solver.matches.record.line_parser import as_text, in_language

if TYPE_CHECKING:
    from houle.analysis.advice.positions import Position


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
