"""The factory of analysis commands: what they share stands here once.

A command is a function of a `Call`, which holds the setup, the players, the number of games, the seed and the output
options. The factory adds the shared options, checks before any game that the output files can be written, shows
progress, keeps what was counted on Ctrl-C, prints the result as text or JSON, writes files and figure, and prints the
command that repeats it. Exit codes: 0, 2 for bad input, 130 for Ctrl-C.

    @analysis_command()
    @click.option("--rotate", is_flag=True, help="...")
    def simulate(call: Call, rotate: bool) -> None:
        result = call.play(houle.simulate, call.setup, rotate=rotate)
        call.show(result, describe(result))
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
    """One call of an analysis command, with its options."""

    ctx: click.Context
    asked: options.Asked
    strategy: tuple[str, ...] | None  # as typed; empty for the default player, None if the command has no -s
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
        """The one setup that the options describe."""
        return self.asked.setup()

    @property
    def strategies(self) -> tuple[str, ...] | None:
        """The players of one setup; None for the default player."""
        return self.strategy or None

    def grid(self, strict: bool) -> Grid:
        """All setups that repeated options and alternatives describe."""
        return self.asked.grid(self.strategy or (), strict)

    def given(self, option: str) -> bool:
        """Whether the user typed an option."""
        return self.ctx.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT

    def play(self, function: Function, *arguments: Any, total: int | None = None, **more: Any) -> Any:
        """Runs an analysis under a progress bar; ends the command if Ctrl-C comes before there is a result.

        `total` is the number of games for the bar, if it is not `games`.
        """
        keywords: dict[str, Any] = {"games": self.games, "seed": self.seed, "threads": self.threads}
        keywords |= {"strategies": self.strategies} if self.strategy is not None else {}
        try:
            with GamesProgress(total or self.games, silent=self.as_json or self.quiet) as progress:
                return function(*arguments, **keywords | more, progress=progress)
        except (Interrupted, KeyboardInterrupt) as fault:
            click.echo(f"houle: {fault}" if str(fault) else f"houle: {NOTHING_COUNTED}", err=True)
            self.ctx.exit(INTERRUPTED)

    def show(
        self,
        result: Result,
        body: Iterable[str],
        head: Sequence[str] | None = None,
        repeat: str | None = None,
        draw: Function | None = None,
    ) -> None:
        """Prints the result, writes its files, and exits with 130 if it was interrupted.

        `head` replaces the usual first lines, `repeat` the usual command that repeats the result, and `draw` the usual
        figure.
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

    def show_plan(self, games: int | None = None) -> None:
        """--dry-run for one setup: prints the setup, its players, and how long the games take."""
        from houle.analysis.sampling.grid import Arm
        from houle.analysis.sampling.lineups import line_up
        from houle.analysis.sampling.timing import time_needed

        seated = line_up(self.setup, self.strategies)
        time = time_needed([([Arm(seated)], games or self.games)], self.seed, self.threads)
        click.echo(f"{text.setup_line(self.setup)}, {text.deciders(seated.names)}")
        click.echo(text.needed(time))


def analysis_command(
    games: int = GAMES,
    least: int = 1,
    unit: str = "games",
    counted: str = "How many {unit} to play, as in 5000, 1e6 or 1M.",
    strategies: str | None = options.WHO,
    seed: Function = options.seed_option,
    first: bool = False,
    figure: bool = True,
    dry_run: bool = False,
) -> Callable[[Function], click.Command]:
    """Turns a function of a Call into a command; options of its own are click options below the decorator.

    `games`, `least` and `unit` are the default, the minimum and the name of what -n counts; `strategies` is the help
    of -s, None for a command without it.
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
        games_option = click.option(
            "-n", "--games", type=options.Whole(least, MOST_GAMES, ", as 1e6, 1M or 1_000_000"), default=games,
            show_default=True, metavar="N", help=counted.format(unit=unit),
        )  # fmt: skip
        own = list(reversed(getattr(function, "__click_params__", [])))  # click collects them in reverse
        last = [
            games_option, seed, *([options.first_option] if first else []), options.threads_option,
            options.device_option, *([options.dry_option] if dry_run else []), options.json_option, options.out_option,
            *([options.figure_option] if figure else []), options.quiet_option,
        ]  # fmt: skip
        players = [] if strategies is None else [options.strategy_option_of(strategies)]
        command = click.command(name=function.__name__.replace("_", "-"))(
            options.setup_options(_decorated(called, [*players, *last]))
        )
        position = len(command.params) - len(last)  # the setup and its players come first, then the command's own
        command.params[position:position] = own
        return command

    return make


def _decorated(function: Function, parts: list[Function]) -> Function:
    for option in reversed(parts):
        function = option(function)
    return function
