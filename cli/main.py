"""The command `houle`: imports a subcommand only when it is called, and prints one line for every error."""

from __future__ import annotations

import errno
import gc
import importlib
import math
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from houle.cli.framework import options, streams
from houle.cli.framework.streams import BAD_INPUT, INTERRUPTED, SYSTEM, Interrupted
from houle.solver.errors import DiskError, InputError
from houle.solver.rules import game_names, look_in, nearest
from houle.solver.rules.files import LONGEST_TEXT
from houle.solver.rules.game_folders import home, is_plain, name_plain
from houle.solver.texts import UNSEEN

# The commands by group, each with its line in `houle --help`: the list imports no command.
GROUPS = {
    "Explore": {
        "games": "List the games, with their numbers of players and variants.",
        "rules": "Show the rules of a game, and which of them you can change.",
        "players": "List the players to simulate, from first game to expert.",
        "trace": "Show one game move by move.",
        "position": "Write a position as text: what the player to move knows.",
    },
    "Measure": {
        "simulate": "Play many games and show win rates and scores.",
        "compare": "Compare variants of a game on the same deals.",
        "sweep": "Play every combination of the settings you give.",
        "design": "Find few and small rule changes that reach a target.",
        "difficulty": "Show how hard a game is, and for whom.",
        "balance": "Show how fair the seats are, and how games unfold.",
        "endings": "Show how long games last, and what ends them.",
        "openings": "Show how the start changes the chances.",
        "assumptions": "Show which unclear rules of a game change its results.",
        "study": "Run many setups in a batch that you can stop and resume.",
    },
    "Explain": {
        "advise": "Find the best move in a position, and say why.",
        "review": "Judge every decision of a recorded game.",
        "decisions": "Show which decisions matter, and how much.",
        "skill": "Measure how much of a game is skill, and how much luck.",
        "strength": "Rank players by how much more often each wins.",
        "ablate": "Measure what each rule of thumb is worth by leaving it out.",
        "learning-curve": "Show what each rule of thumb adds as a player learns them.",
        "calibrate": "Find how well your own group plays, from results or recorded games.",
    },
    "Report and play": {
        "demo": "Write a first report on a game, and say what to try next.",
        "report": "Write a report about a game as a web page.",
        "studio": "Turn rules on a page and watch the difficulty move.",
        "play": "Play a game in the browser or in the terminal.",
    },
    "Make your own": {
        "new": "Create a new game that already works, to change into your own.",
        "check": "Check that a game is correct and fair.",
        "tune": "Improve the rules of thumb that simulated players follow.",
    },
}
COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}

GAME_PATH, BUDGET, VERBOSE = "--game-path", "--budget", "--verbose"
COMPILER = os.path.join("numba", "core", "")

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

    def without_verbose(self, words: list[str]) -> list[str]:
        """The words without --verbose, which every command accepts, unless the command has an option of that name."""
        name = next((word for word in words if word in COMMANDS), "")
        command = self.get_command(click.Context(self), name) if VERBOSE in words else None
        if command is None or any(VERBOSE in option.opts for option in command.params):
            return words
        return [word for word in words if word != VERBOSE]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, COMMANDS))  # all groups get the same columns
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), line) for name, line in commands.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise InputError(f"unknown command {args[0]!r}{nearest(args[0], COMMANDS)}")
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
            code = super().main(self.without_verbose(_take_game_paths(_take_budget(words))), prog_name, **extra)
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
            _complain(str(fault), SYSTEM if isinstance(fault, DiskError) else BAD_INPUT)
        except Interrupted as fault:
            click.echo(f"houle: interrupted{fault}", err=True)
            sys.exit(fault.code)
        except click.Abort:  # Ctrl-C outside of a long run
            click.echo("houle: interrupted", err=True)
            sys.exit(INTERRUPTED)
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
            problem = "" if VERBOSE in words else _kernel_fault(fault, words)
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
    compile_errors = importlib.import_module("houle.solver.invariants.uncompiled")
    problem = compile_errors.cut_error(str(fault), home(game).folder)
    problem = problem or importlib.import_module("houle.solver.invariants.uncompiled").fault_in(game)
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


def _take_game_paths(words: list[str]) -> list[str]:
    """Registers each `--game-path FOLDER`, wherever it stands; returns the other words. A class is its file."""
    left: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, folder = word.partition("=")
        if name != GAME_PATH:
            left.append(word)
            continue
        folder = folder if equals else next(rest, "")
        if not folder:
            raise click.UsageError(f"{GAME_PATH}: the folder is missing")
        if options.name_code(folder) and name_plain(folder):
            continue
        if not os.path.isdir(folder):
            raise click.UsageError(f"{GAME_PATH}: {folder}: there is no such folder")
        look_in(folder)
    return left


def _take_budget(words: list[str]) -> list[str]:
    """Takes `--budget TIME`, which every command accepts for a class in plain Python, out of the words."""
    if not any(map(is_plain, words)) or BUDGET not in words:
        return words
    from houle.analysis.run_options import read_time
    from houle.cli.framework.progress import GamesProgress

    at = words.index(BUDGET)
    if "design" in words:  # it has this option itself and keeps to it
        GamesProgress.budget = math.inf
        return words
    GamesProgress.budget = read_time(words[at + 1] if at + 1 < len(words) else "")
    return [*words[:at], *words[at + 2 :]]


def _no_current_folder() -> bool:
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
@click.option(GAME_PATH, metavar="FOLDER", expose_value=False,
              help="Also look for games in FOLDER. A file of a class: records and studies may name it.")  # fmt: skip
@click.option(VERBOSE, is_flag=True, expose_value=False,
              help="Also show all that the compiler says of an error in a game, in any command.")  # fmt: skip
def houle() -> None:
    """Simulate and analyse card games: the ones that come with houle, and your own.

    \b
    houle games                        which games there are
    houle rules wave                   all rules of WAVE, and what you can change
    houle simulate wave -p 3 -n 1e6    play a million games with 3 players
    houle trace wave --seed 7 --game 3 show one game move by move
    houle report wave -o out/wave      write a report as a web page

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
    if early := sys.modules.get("houle.analysis.sampling.early_games"):
        early.stop()
    os._exit(code)


if __name__ == "__main__":
    main()
