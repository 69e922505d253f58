"""`houle play`: play a game yourself in the browser."""

from __future__ import annotations

import importlib.util
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options
from houle.cli.framework.command import Call, command
from houle.cli.waiting import ALL
from houle.solver.errors import InputError, PositionError
from houle.solver.rules.files import read_text

if TYPE_CHECKING:
    from houle.analysis.play.ending import KeptResults
    from houle.analysis.play.table_game import Sitting
    from houle.solver.rules import Setup

PORT = 8573
PAGE_NEEDS = ("starlette", "uvicorn", "segno")
LETTERS, CODE = "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 6  # no letters that look alike
LAN = """{drawing}
join code: {code}; the picture opens the page to join
Warning: everybody on this network who has the code can join, and the connection is not encrypted."""
MOST_NEW_SEED = 10**9  # short enough to read aloud


@command()
@options.setup_options
@options.strategy_option_of("Who plays in the other seats, in all or one each: a,b (default: thumb).")
@click.option(
    "--seats", default="1", show_default=True, metavar="N[,N...]", help="Which seats people play, from 1; or all."
)
@options.seed_option_of("Random seed: the same seed gives the same deal (default: a new one).", None)
@options.record_option("Keep the game in this .txt file, and continue from it if it exists.")
@click.option(
    "--results",
    type=options.File(".csv"),
    metavar="FILE",
    help="Keep the result in this .csv file, for `houle players --fit` (default: nothing is kept).",
)
@options.language_option
@options.whole_option(
    "--port",
    least=0,
    most=65535,
    default=PORT,
    help="Port of the page; another one if it is taken.",
)
@click.option(
    "--lan",
    is_flag=True,
    help="Let others on your network join with a code, each on an own phone. People then play all seats.",
)
@click.option("--no-hints", is_flag=True, help="With --lan: nobody can ask for a hint.")
@click.option("--no-open", is_flag=True, help="Do not open a browser, only print the address.")
def play(
    call: Call,
    seats: str,
    record: str | None,
    results: str | None,
    language: str,
    port: int,
    lan: bool,
    no_hints: bool,
    no_open: bool,
) -> None:
    """Play a game in the browser.

    You play seat 1, and simulated players take the other seats. Several people can share one screen: their hands are
    hidden from each other. With the same seed the cards are the same, and the players answer the same moves in the same
    way.

    GAME can also be a link that the page shows, or the file of a recorded game: you continue from there.

    \b
    Examples:
      houle play wave
      houle play land-unter --seats 1,2 -s family --record game.txt
      houle play game.txt
      houle play wave -s family --results results.csv
      houle play wave --language fr
      houle play wave --seats 1,2 --lan
    """
    asked = call.asked
    if no_hints and not lan:
        raise InputError("play: --no-hints is for --lan: alone you need not ask")
    if lan and not call.given("seats"):
        seats = "all"
    link = asked.game if "game=" in asked.game else ""
    file = asked.game if asked.is_record else ""
    if (link or file) and (asked.gives_rules or call.given("seed")):
        raise PositionError(
            "play: the link or record already says what is played; give no -p, -v, --set, --rules or --seed"
        )

    seed = call.seed if call.given("seed") else secrets.randbelow(MOST_NEW_SEED)

    def start() -> tuple[Sitting, KeptResults | None]:
        sitting = first_game(call, link, file, seats, seed=seed, record=record)
        from houle.analysis.play.ending import KeptResults, check_named_rules

        kept = KeptResults(results) if results else None
        if kept is not None:
            check_named_rules(sitting.setup)
        return sitting, kept

    again = [*sys.argv[1:], *([] if link or file else ["--seed", str(seed)])]
    play_in_browser(
        start,
        record or file or None,
        port=port,
        show=not no_open,
        language=language,
        lan=lan,
        hints=not no_hints,
        again=again,
    )


def first_game(call: Call, link: str, file: str, seats: str, seed: int, record: str | None) -> Sitting:
    """The game to start with: from a link, from a record, or on a new deal; refused players before it is prepared."""
    from houle.analysis.play.link import read_link
    from houle.analysis.play.table_game import Course, from_record, people_and, seats_of_people, sit_down
    from houle.analysis.players.line_ups import names_of
    from houle.solver.matches.record.game import read_record

    def seated(setup: Setup) -> tuple[str, ...]:
        return people_and(setup, seats_of_people(seats, setup.players), names_of(call.strategy))

    if link:
        sitting = read_link(link)
        prepare(sitting.setup.ruleset.name)
        return Course(sitting).sitting  # the moves are checked
    if file or (record and os.path.isfile(record)):
        kept = read_record(read_text(file or str(record)), None if file else call.setup)
        who = seated(kept.setup)
        prepare(kept.setup.ruleset.name)
        return from_record(kept, who)
    who = seated(call.setup)
    prepare(call.asked.game)
    return sit_down(call.setup, who, seed)


def prepare(game: str, first: str = ALL) -> None:
    """Loads or compiles a game, or what comes first of it, while the page says so."""
    from houle.cli.web.preparing import PREPARATION

    PREPARATION.wait(game, first)


def play_in_browser(
    start: Callable[[], tuple[Sitting, KeptResults | None]],
    record: str | None,
    port: int,
    show: bool,
    language: str,
    lan: bool,
    hints: bool,
    again: Sequence[str],
) -> None:
    """Serves the pages; their game is compiled after the address is printed. `again`: the command with its deal."""
    if missing := [name for name in PAGE_NEEDS if importlib.util.find_spec(name) is None]:
        raise InputError(f"play: the page needs {' and '.join(missing)}: pip install 'houle[play]'")
    from houle.cli.web.preparing import Prepared
    from houle.cli.web.server import in_terminal, join_address, serve

    shown: list[Callable[[], Sitting]] = []  # the last game that a page showed
    first: list[Sitting] = []
    code = new_code() if lan else ""

    def load(token: str) -> Prepared:
        sitting, kept = start()
        first.append(sitting)
        from houle.cli.play import app, pages
        from houle.cli.play import lan as network
        from houle.cli.web.languages import words_for

        # A broken catalogue is found before the page is shown.
        words_for(language, sitting.setup.ruleset.name, (pages.TEMPLATES.parent,))

        if lan:
            together = network.LanApp(sitting, code, record, kept, language=language, hints=hints)
            shown.append(lambda: together.game.sitting)
            return Prepared(together, network.NEEDS, sitting.setup.ruleset.name, language=language)
        alone = app.make_app(sitting, record, token, kept, language=language)
        shown.append(lambda: alone.state.pages.shown)
        return Prepared(alone, app.NEEDS, sitting.setup.ruleset.name, language=language)

    def about_lan(server: str) -> str:
        return LAN.format(drawing=in_terminal(join_address(server, code)), code=code)

    serve(load, port, show, about_lan if lan else None, language=language, words=() if lan else again)
    if shown and (lan or shown[0]() is not first[0]):  # else no page was shown, or another process showed it
        from houle.analysis.play.link import link_of

        click.echo(f"\nTo go on where you were:   houle play {link_of(shown[0]())!r}{' --lan' if lan else ''}")


def new_code() -> str:
    """A join code that can be read aloud: about 30 bits, which nobody tries out at five a minute."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))
