"""The command `houle`: subcommands by name, imported only when asked for, and one line for every fault."""

from __future__ import annotations

import errno
import importlib
import keyword
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from houle.cli.framework import streams
from houle.cli.framework.exits import BAD_INPUT, INTERRUPTED, SYSTEM
from houle.solver.errors import InputError
from houle.solver.ruleset import game_names, look_in, nearest
from houle.solver.ruleset.files import LONGEST_TEXT
from houle.solver.ruleset.texts import UNSEEN

# Name -> the module that has it, and its line in the list of commands: so that the list imports none of them.
COMMANDS = {
    "games": ("houle.cli.commands.games", "List the games, with their players and variants."),
    "rules": ("houle.cli.commands.rules", "Show the rules of GAME: those one can turn, and the others."),
    "players": ("houle.cli.commands.players", "Who plays GAME: every named player, and what it is not."),
    "try": ("houle.cli.commands.try_game", "Play a game of your own that is one class in plain Python."),
    "new": ("houle.cli.commands.new", "Write the skeleton of a game of your own, NAME."),
    "check": ("houle.cli.commands.check", "Hold GAME against the laws that every game obeys."),
    "simulate": ("houle.cli.commands.simulate", "Play many games of GAME; win rates and scores."),
    "compare": ("houle.cli.commands.compare", "Compare arms of GAME with the first of them, on the same games."),
    "sweep": ("houle.cli.commands.sweep", "Play every combination of settings of GAME."),
    "design": ("houle.cli.commands.design", "Find the fewest changes of GAME that make it as wanted."),
    "difficulty": ("houle.cli.commands.difficulty", "Say how hard a table of GAME is, and for whom."),
    "endings": ("houle.cli.commands.endings", "Show how long games of GAME live, and what ends them."),
    "trace": ("houle.cli.commands.trace", "Replay one game of GAME move by move."),
    "advise": ("houle.cli.commands.advise", "Say what to play in GAME at a position, and why."),
    "play": ("houle.cli.commands.play", "Play GAME: a table in the browser, or with --text in the terminal."),
    "review": ("houle.cli.commands.review", "Judge every decision of the game in the file RECORD."),
    "position": ("houle.cli.commands.position", "Write what the seat to move knows in GAME, a place a line."),
    "study": ("houle.cli.commands.study", "Run a grid of configurations that survives anything."),
    "strength": ("houle.cli.commands.strength", "Compare strategies of GAME, each with the one below it."),
    "openings": ("houle.cli.commands.openings", "Show the chances of GAME given the start."),
    "balance": ("houle.cli.commands.balance", "Show how even GAME is, and how its games go."),
    "decisions": ("houle.cli.commands.decisions", "What players of GAME decide about, and what hangs on it."),
    "skill": ("houle.cli.commands.skill", "How much of GAME is skill, and what luck decides."),
    "ablate": ("houle.cli.commands.ablate", "What a strategy of GAME loses by never doing something."),
    "report": ("houle.cli.commands.report", "Write a report about GAME, or about a finished study."),
    "tune": ("houle.cli.commands.tune", "Find the weights of GAME's rules of thumb."),
    "bench": ("houle.cli.bench.random", "Time random play, search or studies."),
}

GAME_PATH = "--game-path"
COMPILER = os.path.join("numba", "core", "")

# Faults of a name that was typed; all others are the system's.
NAMES = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)


class LazyGroup(click.Group):
    """Lazy subcommands, and exit codes that mean something: 2 for bad input, 130 for Ctrl-C."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        function = f"{name}_" if keyword.iskeyword(name) else name
        found: click.Command = getattr(importlib.import_module(COMMANDS[name][0]), function)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise InputError(f"unknown command {args[0]!r}{nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def main(  # type: ignore[override]  # always leaves by sys.exit, whatever the mode asked for
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        extra["standalone_mode"] = False  # click would print a usage text with every fault
        words: list[str] = []
        try:
            words = list(sys.argv[1:] if args is None else args)
            for word in words:
                _check_word(word)
            code = super().main(_take_game_paths(words), prog_name, **extra)
            streams.flush()
            sys.exit(code if isinstance(code, int) else 0)
        except click.exceptions.NoArgsIsHelpError as fault:
            click.echo(fault.format_message())
            sys.exit(0)
        except click.NoSuchOption as fault:
            hint = "; a deck is a knob: --set deck=FILE" if fault.option_name == "--deck" else ""
            _complain(f"{fault.format_message().rstrip('.')}{hint}")
        except click.ClickException as fault:
            _complain(fault.format_message())
        except InputError as fault:
            _complain(str(fault))
        except click.Abort:
            click.echo("houle: interrupted", err=True)
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # The reader has seen enough (`| head`); what is still buffered must not complain either.
            streams.discard()
            sys.exit(SYSTEM)
        except OSError as fault:
            if _stranded():
                _complain("the working folder is gone; change to one that is there", SYSTEM)
            where = f"{fault.filename}: " if fault.filename is not None else ""
            _complain(f"{where}{fault.strerror or fault}", BAD_INPUT if fault.errno in NAMES else SYSTEM)
        except MemoryError:
            _complain("out of memory; ask for less at a time", SYSTEM)
        except Exception as fault:
            problem = _kernel_fault(fault, words)
            if not problem:
                raise
            _complain(problem)


def _kernel_fault(fault: Exception, words: list[str]) -> str:
    """What the compiler could not compile, as plain Python says it; empty where the fault is not of that kind."""
    game = next((word for word in words if word in game_names()), "")
    # A field that is not there is a bare KeyError from inside the compiler, so it is told by where it came from.
    compiling = any(COMPILER in frame.filename for frame in traceback.extract_tb(fault.__traceback__))
    if not compiling or not game:
        return ""
    place = importlib.import_module("houle.solver.invariants.uncompiled").fault_in(game)
    if place:
        return f"{game}: {place}"
    first = next(filter(None, map(str.strip, str(fault).splitlines())), type(fault).__name__)
    return f"{game}: the compiler refuses a kernel, and without it no fault was found; it says: {first}"


def _check_word(word: str) -> None:
    """Words come back in answers: what a terminal would obey is refused here, once for all of them."""
    if len(word) > LONGEST_TEXT:
        raise click.UsageError(f"a word of {len(word):,} letters is not allowed; allowed: {LONGEST_TEXT:,}")
    # Bytes that are no text are halves of characters here; they are part of some names of files.
    unseen = [mark for mark in UNSEEN.findall(word) if not "\udc80" <= mark <= "\udcff"]
    if unseen:
        raise click.UsageError(f"{word!r}: the character {unseen[0]!a} is not allowed; it would not be seen")


def _take_game_paths(words: list[str]) -> list[str]:
    """The words without `--game-path FOLDER`, which may stand anywhere; the folders are where games are looked for."""
    left: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, folder = word.partition("=")
        if name != GAME_PATH:
            left.append(word)
            continue
        folder = folder if equals else next(rest, "")
        if not folder:
            raise click.UsageError(f"{GAME_PATH}: name the folder of a game")
        look_in(folder)
    return left


def _stranded() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _complain(problem: str, code: int = BAD_INPUT) -> NoReturn:
    streams.complain(problem)
    sys.exit(code)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="houle", message="houle %(version)s")
@click.option(GAME_PATH, metavar="FOLDER", expose_value=False, help="Also look for games there; in any command.")
def houle() -> None:
    """Monte Carlo solver for card games, and for games of one's own.

    \b
    houle games                        what can be played
    houle rules wave                   every rule that can be turned
    houle simulate wave -p 3 -n 1e6    a million games, and what they come to
    houle trace wave --seed 7 --game 3 one game, move by move
    houle report wave -o out/wave      everything about a game, on two pages
    """


def main() -> NoReturn:
    """The console script; leaves without the interpreter's clean-up, 0.2 s with the compiler loaded."""
    code = SYSTEM
    if streams.prepare():
        try:
            houle.main(prog_name="houle")
        except SystemExit as leave:
            code = leave.code if isinstance(leave.code, int) else SYSTEM
    else:
        streams.complain("stdout is closed; there is no place for an answer")
    with suppress(OSError):
        streams.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
