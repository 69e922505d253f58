"""The command `houle`: subcommands by name, imported only when asked for, and one line for every fault."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from houle.cli.framework.exits import BAD_INPUT, INTERRUPTED
from houle.solver.ruleset import RulesetError, nearest

# Name -> the module that has it, and its line in the list of commands: so that the list imports none of them.
COMMANDS = {
    "games": ("houle.cli.commands.games", "List the games, with their players and variants."),
    "rules": ("houle.cli.commands.rules", "Show the rules of GAME that can be turned."),
    "simulate": ("houle.cli.commands.simulate", "Play many games of GAME; win rates and scores."),
    "compare": ("houle.cli.commands.compare", "Compare arms of GAME with the first of them, on the same games."),
    "sweep": ("houle.cli.commands.sweep", "Play every combination of settings of GAME."),
    "bracket": ("houle.cli.commands.bracket", "Say how hard a table of GAME is, and for whom."),
    "survival": ("houle.cli.commands.survival", "Show how long games of WAVE live."),
    "trace": ("houle.cli.commands.trace", "Replay one game of GAME move by move."),
    "study": ("houle.cli.commands.study", "Run a grid of configurations that survives anything."),
    "ladder": ("houle.cli.commands.ladder", "Compare strategies of GAME, each with the one below it."),
    "setups": ("houle.cli.commands.setups", "Show the chances of GAME given the start."),
    "balance": ("houle.cli.commands.balance", "Show how even GAME is, and how its games go."),
    "decisions": ("houle.cli.commands.decisions", "What players of GAME decide about, and what hangs on it."),
    "skill": ("houle.cli.commands.skill", "How much of GAME is skill, and what luck decides."),
    "restrict": ("houle.cli.commands.restrict", "What a strategy of GAME loses by never doing something."),
    "report": ("houle.cli.commands.report", "Write a report about GAME, or about a finished study."),
    "tune": ("houle.cli.commands.tune", "Find the weights of GAME's rules of thumb."),
    "bench": ("houle.cli.bench.random", "Time random play, search or studies."),
}


class LazyGroup(click.Group):
    """Lazy subcommands, and exit codes that mean something: 2 for bad input, 130 for Ctrl-C."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found: click.Command = getattr(importlib.import_module(COMMANDS[name][0]), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise RulesetError(f"unknown command {args[0]!r}{nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def main(  # type: ignore[override]  # always leaves by sys.exit, whatever the mode asked for
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        extra["standalone_mode"] = False  # click would print a usage text with every fault
        try:
            code = super().main(args, prog_name, **extra)
            sys.stdout.flush()
            sys.exit(code if isinstance(code, int) else 0)
        except click.exceptions.NoArgsIsHelpError as fault:
            click.echo(fault.format_message())
            sys.exit(0)
        except click.ClickException as fault:
            _complain(fault.format_message())
        except RulesetError as fault:
            _complain(str(fault))
        except click.Abort:
            click.echo("houle: interrupted", err=True)
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # The reader has seen enough (`| head`); what is still buffered must not complain either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)


def _complain(problem: str) -> NoReturn:
    click.echo("houle: " + " ".join(problem.split()), err=True)
    sys.exit(BAD_INPUT)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="houle", message="houle %(version)s")
def houle() -> None:
    """Monte Carlo solver for five wave-themed card games.

    \b
    houle games                        what can be played
    houle rules wave                   every rule that can be turned
    houle simulate wave -p 3 -n 1e6    a million games, and what they come to
    houle trace wave --seed 7 --game 3 one game, move by move
    houle report wave -o out/wave      everything about a game, on one page
    """


def main() -> NoReturn:
    """The console script; leaves without the interpreter's clean-up, 0.2 s with the compiler loaded."""
    code = 0
    try:
        houle.main(prog_name="houle")
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
