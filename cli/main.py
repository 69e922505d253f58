"""The command `houle`: subcommands by name, imported only when asked for, and one line for every fault."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from houle.solver.ruleset import RulesetError, nearest

COMMANDS = {
    "games": "houle.cli.commands.games:games",
    "rules": "houle.cli.commands.rules:rules",
    "simulate": "houle.cli.commands.simulate:simulate",
    "compare": "houle.cli.commands.compare:compare",
    "sweep": "houle.cli.commands.sweep:sweep",
    "bracket": "houle.cli.commands.bracket:bracket",
    "survival": "houle.cli.commands.survival:survival",
    "trace": "houle.cli.commands.trace:trace",
    "study": "houle.cli.commands.study:study",
    "ladder": "houle.cli.commands.ladder:ladder",
    "setups": "houle.cli.commands.setups:setups",
    "balance": "houle.cli.commands.balance:balance",
    "decisions": "houle.cli.commands.decisions:decisions",
    "skill": "houle.cli.commands.skill:skill",
    "restrict": "houle.cli.commands.restrict:restrict",
    "report": "houle.cli.commands.report:report",
    "tune": "houle.cli.commands.tune:tune",
    "bench": "houle.cli.bench.random:bench",
}
BAD_INPUT = 2
INTERRUPTED = 130


class House(click.Group):
    """Lazy subcommands, and exit codes that mean something: 2 for bad input, 130 for Ctrl-C."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, command = COMMANDS[name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), command)
        return found

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


@click.group(cls=House, context_settings={"help_option_names": ["-h", "--help"]})
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
