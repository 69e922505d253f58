"""The command `houle`: imports a subcommand only when it is called, and prints one line for every error."""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from houle.cli import removed
from houle.cli.framework import options, streams
from houle.cli.framework.streams import BAD_INPUT, INTERRUPTED, SYSTEM, Interrupted
from houle.solver.errors import DiskError, InputError
from houle.solver.rules import game_names, nearest
from houle.solver.rules.files import LONGEST_TEXT
from houle.solver.rules.game_folders import home
from houle.solver.texts import UNSEEN

# The commands by group, each with its line in `houle --help`: the list imports no command.
GROUPS = {
    "Look up": {
        "games": "List the games, with their numbers of players and variants.",
        "rules": "Show the rules of a game, and which of them you can change.",
        "players": "List the players to simulate, and find which play like your group.",
    },
    "Measure": {
        "difficulty": "Show how hard a game is, and for whom.",
        "simulate": "Play many games and show win rates and scores.",
        "compare": "Compare variants of a game on the same deals.",
        "sweep": "Play every combination of the settings you give.",
        "balance": "Show how games go: seats, length, tension, endings, the deal.",
        "strength": "Show what one better player wins among weaker ones.",
    },
    "Design": {
        "design": "Find few and small rule changes that reach a target.",
        "studio": "Turn rules on a page and watch the difficulty move.",
        "study": "Run many setups in a batch that you can stop and resume.",
        "report": "Write a report about a game as a web page.",
        "demo": "Write a first report on a game, and say what to try next.",
    },
    "Play": {
        "play": "Play a game in the browser.",
        "advise": "Find the best move in a position, and say why.",
        "review": "Judge every decision of a recorded game.",
        "trace": "Show one game move by move.",
    },
    "Own game": {
        "new": "Create a new game that already works, to change into your own.",
        "check": "Check that a game is correct and fair.",
        "tune": "Improve the rules of thumb that simulated players follow.",
    },
}
COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}

COMPILER = os.path.join("numba", "core", "")
WIDTH = 100  # columns of a help page, on a terminal that has them

# System errors that come from a file name the user typed.
NAMES = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)


class LazyGroup(click.Group):
    """Subcommands that are imported when called. Exit codes: 2 for bad input, 130 for Ctrl-C."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        function = name.replace("-", "_")
        command: click.Command = getattr(importlib.import_module(f"houle.cli.commands.{function}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        titles, names = max(map(len, GROUPS)), max(map(len, COMMANDS))
        rows = []
        for title, commands in GROUPS.items():
            for name, line in commands.items():
                first = title if name == next(iter(commands)) else ""  # a group is named on its first line
                rows.append((f"{first:<{titles}}  {name:<{names}}", line))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            unknown = f"unknown command {args[0]!r}{nearest(args[0], COMMANDS)}"
            raise InputError(removed.command_line(args) or unknown)
        return super().resolve_command(ctx, args)

    def main(  # type: ignore[override]  # always ends in sys.exit
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        extra["standalone_mode"] = False  # click would print the usage with every error
        words: list[str] = []
        try:
            words = list(sys.argv[1:] if args is None else args)
            for word in words:
                _check_word(word)
            try:
                code = super().main(words, prog_name, **extra)
            except click.exceptions.NoArgsIsHelpError as fault:
                click.echo(fault.format_message())
                code = 0
            streams.flush()
            sys.exit(code if isinstance(code, int) else 0)
        except click.NoSuchOption as fault:
            instead = removed.OPTIONS.get(fault.option_name, "")
            said = f"No such option {fault.option_name!r}; {instead}" if instead else fault.format_message().rstrip(".")
            _complain(said)
        except click.ClickException as fault:
            _complain(fault.format_message())
        except InputError as fault:
            _complain(str(fault), SYSTEM if isinstance(fault, DiskError) else BAD_INPUT)
        except Interrupted as fault:
            _complain(f"interrupted{fault}", fault.code)
        except click.Abort:  # Ctrl-C outside of a long run
            _complain("interrupted", INTERRUPTED)
        except BrokenPipeError:
            # The reader has closed the pipe, as `| head` does.
            streams.discard()
            sys.exit(SYSTEM)
        except OSError as fault:
            if _no_current_folder():
                _complain("the current folder no longer exists; change to another one", SYSTEM)
            where = f"{fault.filename}: " if fault.filename is not None else ""
            _complain(f"{where}{fault.strerror or fault}", BAD_INPUT if fault.errno in NAMES else SYSTEM)
        except MemoryError:
            _complain("out of memory; try fewer games or setups at once", SYSTEM)
        except Exception as fault:
            problem = "" if options.VERBOSE in words else _kernel_fault(fault, words)
            if not problem:
                raise
            _complain(problem)


def _kernel_fault(fault: Exception, words: list[str]) -> str:
    """What is wrong in a game's code that the compiler rejects; empty if the error has another cause."""
    game = next((word for word in words if word in game_names()), "")
    # A missing field is a bare KeyError, so only the traceback shows that the compiler raised it.
    compiling = any(COMPILER in frame.filename for frame in traceback.extract_tb(fault.__traceback__))
    if not compiling or not game:
        return ""
    compile_errors = importlib.import_module("houle.solver.invariants.compile_errors")
    problem = compile_errors.cut_error(str(fault), home(game).folder)
    problem = problem or importlib.import_module("houle.analysis.checks.check").fault_without_compiler(game)
    if problem:
        return f"{game}: {problem}"
    first = next(filter(None, map(str.strip, str(fault).splitlines())), type(fault).__name__)
    return f"{game}: a kernel does not compile, although it runs as plain Python; the compiler says: {first}"


def _check_word(word: str) -> None:
    """Refuses words with control characters, because error messages repeat what was typed."""
    if len(word) > LONGEST_TEXT:
        raise click.UsageError(f"a word of {len(word):,} characters is not allowed; allowed: up to {LONGEST_TEXT:,}")
    # Python shows bytes that are not text as surrogates; some file names contain them.
    unseen = [mark for mark in UNSEEN.findall(word) if not "\udc80" <= mark <= "\udcff"]
    if unseen:
        raise click.UsageError(f"{word!r}: the character {unseen[0]!a} is not allowed; it is invisible")


def _no_current_folder() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _complain(problem: str, code: int = BAD_INPUT) -> NoReturn:
    streams.complain(problem)
    sys.exit(code)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH})
@click.version_option(package_name="houle", message="houle %(version)s")
@options.game_path_option(hidden=False)
@options.verbose_option(hidden=False)
def houle() -> None:
    """Simulate and analyse card games: the ones that come with houle, and your own.

    \b
    houle difficulty wave -p 3                   how hard WAVE is for 3 players, and for whom
    houle compare wave -p 3 --set hand.front=4   what a rule of your own changes
    houle report wave -o out/wave                a report as a web page

    `houle COMMAND --help` explains a command and shows examples.
    """


def main() -> NoReturn:
    """The console script. It skips the interpreter's clean-up, which takes 0.2 s once the compiler is loaded.

    It looks for garbage seldom, because imports make many objects and hardly any garbage: a seventh of a short run.
    """
    gc.set_threshold(100_000, 50, 50)
    code = SYSTEM
    if streams.prepare():
        try:
            houle.main(prog_name="houle")
        except SystemExit as leave:
            code = leave.code if isinstance(leave.code, int) else SYSTEM
    else:
        streams.complain("stdout is closed, so nothing can be printed")
    with suppress(OSError):
        streams.flush()
        sys.stderr.flush()
    if processes := sys.modules.get("houle.solver.plain.processes"):
        processes.Pool.stop()
    os._exit(code)


if __name__ == "__main__":
    main()
