"""`houle studio`: turn rules on a page and watch the difficulty move."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import click

from houle.cli.commands.play import PAGE_NEEDS, prepare
from houle.cli.framework import options
from houle.cli.framework.command import Call, command
from houle.solver.errors import InputError
from houle.solver.rules import game_names

PORT = 8574


def setup_or_first(function: Any) -> Any:
    """The options of a setup; without a game the first one."""
    return options.setup_options(function, game_names()[0])


@command()
@setup_or_first
@options.whole_option(
    "--port", least=0, most=65535, default=PORT,
    help="Port of the local page; if it is taken, another one is used (0 for any).",
)  # fmt: skip
@click.option("--no-open", is_flag=True, help="Do not open a browser, only print the address.")
def studio(call: Call, port: int, no_open: bool) -> None:
    """Turn rules on a page and watch the difficulty move.

    The page shows the rules you can turn on the left, and on the right who wins how often, mine beside print on the
    same deals, while games are counted. From there you can save the rules, play them, write a report, or let houle look
    for changes that reach your target. Everything it shows is also a command that you can copy.

    \b
    Examples:
      houle studio
      houle studio wave -p 3
      houle studio wave --rules my.toml
      houle studio vague-attaque --set deck=my-deck.toml
    """
    if missing := [name for name in PAGE_NEEDS if importlib.util.find_spec(name) is None]:
        raise InputError(f"studio: the page needs {' and '.join(missing)}: pip install 'houle[play]'")
    if not call.asked.setup().game.is_compiled:
        reason = "a class in plain Python has no studio: it is too slow for numbers that follow every click"
        raise InputError(f"{call.asked.game}: {reason}; declare its fields")
    from houle.cli.web.preparing import Prepared
    from houle.cli.web.server import serve

    def load(token: str) -> Prepared:
        setup = call.asked.setup()
        prepare(setup.ruleset.name)
        from houle.cli.studio.app import NEEDS, make_app

        return Prepared(make_app(setup, token), NEEDS, setup.ruleset.name)

    serve(load, port, not no_open, words=sys.argv[1:])
