"""The factory of analysis commands: what they share stands here once.

A command is a function of a `Call`: its table, who plays, how many games of which seed, and where the answer goes. The
factory adds the shared options, refuses files that could not be written before any time is spent, shows progress,
turns Ctrl-C into the part that was counted, prints the page or JSON, writes files and figure, and says how to get the
same again. Exit codes: 0, 2 for bad input, 130 for Ctrl-C.

    @analysis_command()
    @click.option("--rotate", is_flag=True, help="...")
    def simulate(call: Call, rotate: bool) -> None:
        result = call.play(analysis.simulate, call.setup, rotate=rotate)
        call.tell(result, describe(result))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from houle.analysis.limits import GAMES, MOST_GAMES
from houle.cli.framework import options, text
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.files import check_files, write_figure, write_result
from houle.cli.framework.progress import GamesProgress, Interrupted
from houle.solver.ruleset import Setup

if TYPE_CHECKING:
    from houle.analysis.result import Result
    from houle.analysis.sampling.grid import Grid

Function = Callable[..., Any]

NOTHING_COUNTED = "interrupted before the first games were counted"


@dataclass(frozen=True)
class Call:
    """One call of an analysis command: what was asked for, and how the answer is given."""

    ctx: click.Context
    asked: options.Asked
    strategy: tuple[str, ...] | None  # as typed; empty for the usual player, None where the command has no -s
    games: int
    seed: int
    first: int
    threads: int | None
    as_json: bool
    out: str | None
    figure: str | None
    quiet: bool
    dry_run: bool

    @cached_property
    def setup(self) -> Setup:
        """The one table that all options mean together."""
        return self.asked.setup()

    @property
    def strategies(self) -> tuple[str, ...] | None:
        """For analyses that seat one line-up: None stands for the usual player."""
        return self.strategy or None

    def grid(self, strict: bool) -> Grid:
        """The tables that repeated options and alternatives mean."""
        return self.asked.grid(self.strategy or (), strict)

    def given(self, option: str) -> bool:
        """Whether the user gave an option, or its default stands."""
        return self.ctx.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT

    def play(self, function: Function, *arguments: Any, total: int | None = None, **more: Any) -> Any:
        """Runs an analysis under a progress bar; `total` where it plays other than the games asked for.

        Leaves the command where Ctrl-C came before there was anything to show.
        """
        keywords: dict[str, Any] = {"games": self.games, "seed": self.seed, "threads": self.threads}
        keywords |= {"strategies": self.strategies} if self.strategy is not None else {}
        try:
            with GamesProgress(total or self.games, silent=self.as_json or self.quiet) as progress:
                return function(*arguments, **keywords | more, progress=progress)
        except (Interrupted, KeyboardInterrupt) as fault:
            click.echo(f"houle: {fault}" if str(fault) else f"houle: {NOTHING_COUNTED}", err=True)
            self.ctx.exit(INTERRUPTED)

    def tell(
        self,
        result: Result,
        body: Iterable[str],
        head: Sequence[str] | None = None,
        repeat: str | None = None,
        draw: Function | None = None,
    ) -> None:
        """Prints the result, writes its files, and leaves with 130 where it was interrupted.

        `head` where one table and its players do not say what was played, `repeat` where the table as typed is more
        than one, `draw` where the figure has options of its own.
        """
        again = repeat or result.repeat(self.asked.words(self.setup))
        if self.out:
            write_result(result, self.out)
        if self.figure:
            write_figure(draw or result.plot, self.figure)
        if self.as_json:
            click.echo(json.dumps(result.as_json(), indent=2))
        else:
            lines = [*(text.head(result) if head is None else head), "", *body, "", *text.foot(result)]
            click.echo("\n".join(lines) + f"\nrepeat   {again}")
        if result.interrupted:
            click.echo(f"houle: interrupted: {result.interruption(again)}", err=True)
            self.ctx.exit(INTERRUPTED)


def analysis_command(
    games: int = GAMES,
    least: int = 1,
    unit: str = "games",
    counted: str = "How many {unit}: 1e6, 1M, 1_000_000.",
    strategies: str | None = options.WHO,
    seed: Function = options.seed_option,
    first: bool = False,
    figure: bool = True,
    dry_run: bool = False,
) -> Callable[[Function], click.Command]:
    """Makes a command of a function of a Call; its own options stand below, as click options.

    `games`, `least` and `unit` are the default, the smallest number and the name of what -n counts; `strategies` is
    the help of -s, None where a command has none.
    """

    def make(function: Function) -> click.Command:
        def called(
            asked: options.Asked,
            games: int,
            seed: int,
            threads: int | None,
            as_json: bool,
            out: str | None,
            quiet: bool,
            strategy: tuple[str, ...] | None = None,
            first: int = 0,
            figure: str | None = None,
            dry_run: bool = False,
            **own: Any,
        ) -> None:
            check_files(out, figure)
            ctx = click.get_current_context()
            function(
                Call(ctx, asked, strategy, games, seed, first, threads, as_json, out, figure, quiet, dry_run), **own
            )

        called.__doc__ = function.__doc__
        number = click.option(
            "-n", "--games", type=options.Whole(least, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=games,
            show_default=True, metavar="N", help=counted.format(unit=unit),
        )  # fmt: skip
        own = list(reversed(getattr(function, "__click_params__", [])))  # click collects them from the last one up
        last = [
            number, seed, *([options.first_option] if first else []), options.threads_option,
            options.device_option, *([options.dry_option] if dry_run else []), options.json_option, options.out_option,
            *([options.figure_option] if figure else []), options.quiet_option,
        ]  # fmt: skip
        players = [] if strategies is None else [options.strategy_option_of(strategies)]
        command = click.command(name=function.__name__.rstrip("_"))(
            options.setup_options(_decorated(called, [*players, *last]))
        )
        table = len(command.params) - len(last)  # the table and who plays come first, then what is the command's own
        command.params[table:table] = own
        return command

    return make


def _decorated(function: Function, parts: list[Function]) -> Function:
    for option in reversed(parts):
        function = option(function)
    return function
