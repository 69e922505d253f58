"""`houle studio`: turn rules on a page and watch the difficulty move."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from houle.cli.commands.play import PAGE_NEEDS, prepare
from houle.cli.framework import options
from houle.cli.framework.command import Call, command
from houle.cli.waiting import FAMILIES
from houle.solver.errors import InputError
from houle.solver.rules import game_names, make_setup

if TYPE_CHECKING:
    from houle.analysis.studio.state import State
    from houle.cli.studio.log import Entry

PORT = 8574
MOST_BYTES = 20_000_000  # of a page that was sent


def setup_or_first(function: Any) -> Any:
    """The options of a setup; without a game the first one."""
    return options.setup_options(function, game_names()[0])


@command()
@setup_or_first
@options.whole_option(
    "--port",
    least=0,
    most=65535,
    default=PORT,
    help="Port of the page; another one if it is taken.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser, only print the address.")
def studio(call: Call, port: int, no_open: bool) -> None:
    """Turn rules on a page and watch the difficulty move.

    The page shows the rules you can turn on the left, and on the right who wins how often, mine beside print on the
    same deals, while games are counted. From there you can save the rules, play them, write a report, or let houle look
    for changes that reach your target. Everything it shows is also a command that you can copy. In place of GAME you
    can give a page that was saved with *A page to send*: the studio goes on where it was.

    \b
    Examples:
      houle studio
      houle studio wave -p 3
      houle studio wave --rules my.toml
      houle studio vague-attaque --set deck=my-deck.toml
      houle studio my_game.py -p 3
      houle studio wave-harbour.html
    """
    if missing := [name for name in PAGE_NEEDS if importlib.util.find_spec(name) is None]:
        raise InputError(f"studio: the page needs {' and '.join(missing)}: pip install 'houle[play]'")
    sent = sent_page(call.asked)
    setup = call.asked.setup() if sent is None else sent[0].setup
    from houle.cli.web.preparing import Prepared
    from houle.cli.web.server import serve

    def load(token: str) -> Prepared:
        prepare(setup.ruleset.name, FAMILIES)
        from houle.cli.studio.app import NEEDS, make_app

        first, tried = sent or (None, [])
        return Prepared(make_app(setup, token, first, tried), NEEDS, setup.ruleset.name)

    serve(load, port, not no_open)


def sent_page(asked: options.Asked) -> tuple[State, list[Entry]] | None:
    """The state and the log of a page that was sent; None if the argument is no file."""
    if not asked.is_record:
        return None
    from houle.cli.studio.pages import read_sent

    if asked.gives_rules:
        raise InputError(f"{asked.game}: a page of the studio has its own rules; give no -p, -v, --set or --rules")
    path = Path(asked.game)
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{asked.game}: larger than {MOST_BYTES:,} bytes, so it is no page of the studio")
    return read_sent(path.read_text(encoding="utf-8", errors="replace"), asked.game, make_setup(game_names()[0]))
