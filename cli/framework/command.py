"""The factory of commands: what they share stands here once.

A command is a function of a `Call`, which holds what the shared options of `options.py` gave, and of its own options.
A `Call` reads the setup, shows progress, prints the result as text or JSON, writes files and figure, and prints the
command that repeats it. Exit codes: 0, 2 for bad input, 130 for Ctrl-C.

    @command()
    @options.setup_options
    @options.json_option
    def players(call: Call) -> None:
        call.print(data_of(call.setup), page(call.setup))

`analysis_command` adds the options of every analysis: setup, players, number of games, seed, threads and output.

    @analysis_command()
    @click.option("--rotate", is_flag=True, help="...")
    def simulate(call: Call, rotate: bool) -> None:
        result = call.play(houle.simulate, call.setup, rotate=rotate)
        call.show(result, describe(result))
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Self

import click

from houle.analysis.limits import GAMES, SEED, THINKING_GAMES
from houle.cli.framework import options, text
from houle.cli.framework.files import Written, write_figure, write_result
from houle.cli.framework.progress import GamesProgress
from houle.cli.framework.streams import Interrupted
from houle.solver.rules import Setup
from houle.solver.rules.game_folders import is_named

if TYPE_CHECKING:
    from houle.analysis.result import Result
    from houle.analysis.sampling.grid import Grid
    from houle.analysis.sampling.plan import Plan

Function = Callable[..., Any]

PLAIN_GAMES = 1_000  # by default in plain Python
WORTH_A_TRY = 10_000  # games, after which a short try to refit players takes no longer than they did


@dataclass(frozen=True)
class Call:
    """One call of a command: what its shared options gave, and the defaults of those it lacks."""

    ctx: click.Context
    asked: options.Asked  # without a game if the command has no setup
    strategy: tuple[str, ...] | None = None  # as typed; empty for the default player, None if the command has no -s
    games: int = GAMES
    seed: int = SEED
    first: int = 0
    threads: int | None = None
    as_json: bool = False
    out: str | None = None
    figure: str | None = None
    quiet: bool = False
    dry_run: bool = False
    refit: bool = False

    @cached_property
    def setup(self) -> Setup:
        """The one setup that the options describe; with --refit its players are fitted to it."""
        return self.refitted(self.asked.setup())

    def refitted(self, setup: Setup) -> Setup:
        """A setup with players fitted to it, if --refit is given and the rules are the user's own."""
        from houle.analysis.difficulty.difficulty import differs
        from houle.analysis.tuning.refit import refit

        if not self.refit or self.dry_run or not differs(setup):
            return setup
        with self.watch(0) as progress:
            return refit(setup, threads=self.threads, progress=progress)

    def refit_lines(self, setups: Iterable[Setup]) -> list[str]:
        """What to know about players that were made for print, after a short try for each own variant.

        Not after a few games: the try would take longer than they did.
        """
        from houle.analysis.tuning.refit import refit_gain, warning

        lines: list[str] = []
        if self.games < WORTH_A_TRY or self.as_json:
            return lines
        for setup in setups:
            with self.watch(0) as progress:
                gain = refit_gain(setup, threads=self.threads, progress=progress)
            lines += [text.labelled("refit?", f"{text.setup_title(setup)}: {warning(setup, gain)}")] if gain else []
        return lines

    @property
    def strategies(self) -> tuple[str, ...] | None:
        """The players of one setup; None for the default player."""
        return self.strategy or None

    def grid(self, strict: bool) -> Grid:
        """All setups that repeated options and alternatives describe."""
        return self.asked.grid(self.strategy or (), strict)

    @property
    def refit_words(self) -> list[str]:
        return ["--refit"] if self.refit else []

    def given(self, option: str) -> bool:
        """Whether the user typed an option."""
        return self.ctx.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT

    @property
    def silent(self) -> bool:
        return self.as_json or self.quiet

    def watch(self, games: int) -> GamesProgress:
        """The progress bar of so many games."""
        return GamesProgress(games, self.silent)

    def play(self, function: Function, *arguments: Any, about: Iterable[str] = (), **more: Any) -> Any:
        """Runs an analysis under a progress bar; with --dry-run prints `about` and its plan, and ends the command."""
        run: dict[str, Any] = {"games": self.games, "seed": self.seed, "threads": self.threads}
        run |= {"first": self.first} if self.first else {}
        run |= {} if self.strategy is None else {"strategies": self.strategies}
        if self.dry_run:
            function(*arguments, **run | more, progress=DryRun(self, about))
        with self.watch(self.games) as progress:
            return function(*arguments, **run | more, progress=progress)

    def print(self, data: Any, lines: Iterable[str]) -> None:
        """Prints data with --json, else lines."""
        click.echo(json.dumps(data, indent=2) if self.as_json else "\n".join(map(text.say, lines)))

    def put(self, result: Written, lines: Iterable[str], draw: Function | None = None) -> None:
        """Writes the files of a result and prints it; `draw` draws its figure."""
        if self.out:
            write_result(result, self.out)
        if self.figure and draw:
            write_figure(draw, self.figure)
        self.print(result.as_json() if self.as_json else None, lines)

    def show(
        self,
        result: Result,
        body: Iterable[str],
        head: Sequence[str] | None = None,
        repeat: str | None = None,
        draw: Function | None = None,
    ) -> None:
        """Prints an analysis with its first and last lines; if it was interrupted, ends the command with 130.

        `head` replaces the usual first lines, `repeat` the usual command that repeats the result, and `draw` the usual
        figure.
        """
        again = repeat or result.repeat([*self.asked.words(self.setup), *self.refit_words])
        first = text.head(result) if head is None else head
        self.put(result, [*first, "", *body, "", *text.foot(result), f"repeat   {again}"], draw or result.plot)
        if result.interrupted:
            raise Interrupted(f": {result.interruption(again)}")

    def show_plan(self, plan: Plan, about: Iterable[str] = ()) -> None:
        """--dry-run: prints the setup and its players (or `about`), what is left out, the stages, and the time."""
        seated = [one for stage in plan.stages for one in stage.line_ups]
        who = [text.setup_title(setup) for setup in {one.setup.digest: one.setup for one in seated}.values()]
        names = list(dict.fromkeys(name for one in seated for name in one.names))
        if len(names) > 1:
            who.append(text.paragraph("players: " + ", ".join(names), 0, 9))
        elif who:
            who[0] += f", {text.deciders(names)}"
        stages = [f"{stage.name}: {stage.games:,} deals, {text.count_of(stage.total, 'game')}" for stage in plan.stages
                  if stage.name]  # fmt: skip
        lines = [*(about or who), *text.left_out_lines(plan.left_out), *stages, self.needed(plan)]
        click.echo("\n".join(lines))

    def usually(self, grid: Grid) -> Self:
        """This call with the default number of games of these setups: fewer where people think."""
        from houle.analysis.players.line_ups import usual_games

        games = usual_games((arm.line_up for arm in grid.arms), GAMES)
        return self if self.given("games") else replace(self, games=min(self.games, games))

    def needed(self, plan: Plan) -> str:
        """How many games, how long, on how many threads."""
        from houle.analysis.run_options import RunSpec
        from houle.solver.run import default_threads

        seconds = plan.seconds(RunSpec(seed=self.seed, threads=self.threads))
        on = text.count_of(self.threads or default_threads(), "thread")
        return f"{text.count_of(plan.games, 'game')}, about {text.duration(seconds)} on {on}"


@dataclass(frozen=True)
class DryRun:
    """The progress of a dry run: hears what an analysis will play, prints it, and ends the command."""

    call: Call
    about: Iterable[str]

    def begin(self, plan: Plan) -> None:
        self.call.show_plan(plan, self.about)
        self.call.ctx.exit()

    def __call__(self, games: int, seconds: float) -> None: ...


SHARED = {field.name for field in fields(Call)} - {"ctx", "asked"}


def command(name: str | None = None, group: click.Group | None = None) -> Callable[[Function], click.Command]:
    """Turns a function of a Call into a command; the options are click options below the decorator."""

    def make(function: Function) -> click.Command:
        @wraps(function)  # with the options, which click keeps on the function
        def called(**given: Any) -> None:
            asked = options.take_asked(given)
            shared = {option: given.pop(option) for option in SHARED.intersection(given)}
            if asked.game is not None and is_named(asked.game):
                GamesProgress.spent = 0.0
                _play_fewer(shared, PLAIN_GAMES)
            if shared.get("strategy") and any(map(names_people, shared["strategy"])):
                _play_fewer(shared, THINKING_GAMES)
            function(Call(click.get_current_context(), asked, **shared), **given)

        made: click.Command = (group or click).command(name or function.__name__.replace("_", "-"))(called)
        return made

    return make


def _play_fewer(shared: dict[str, Any], most: int) -> None:
    """A class in plain Python and people who think play slowly: fewer games by default."""
    if click.get_current_context().get_parameter_source("games") is click.core.ParameterSource.DEFAULT:
        shared["games"] = min(shared["games"], most)


def names_people(strategies: str) -> bool:
    """Whether people who think are among the players as typed: levels, or your own groups."""
    from houle.analysis.players.groups import groups
    from houle.analysis.players.named_players import NAME, levels

    names = {NAME, *(level.name for level in levels()), *groups()}
    return any(re.split(r"[:\[]", one.strip())[0] in names for one in strategies.split(","))


def analysis_command(
    games: int = GAMES,
    least: int = 1,
    unit: str = "games",
    counted: str = "How many {unit} to play, as in 5000, 1e6 or 1M.",
    strategies: str | None = options.WHO,
    seed: Function = options.seed_option,
    figure: bool = True,
    dry_run: bool = True,
) -> Callable[[Function], click.Command]:
    """A command that plays games: adds the options that all of these share.

    `games`, `least` and `unit` are the default, the minimum and the name of what -n counts; `strategies` is the help
    of -s, None for a command without it.
    """
    last = [
        options.games_option(games, least, help=counted.format(unit=unit)), seed, options.first_option,
        options.threads_option, options.device_option, *([options.dry_option] if dry_run else []), options.json_option,
        options.out_option, *([options.figure_option] if figure else []), options.quiet_option,
    ]  # fmt: skip

    def make(function: Function) -> click.Command:
        own = getattr(function, "__click_params__", [])  # the last option comes first
        function.__click_params__ = []  # type: ignore[attr-defined]
        for option in reversed(last):
            option(function)
        function.__click_params__ += own  # type: ignore[attr-defined]
        players = [] if strategies is None else [options.strategy_option_of(strategies)]
        for option in (*players, options.setup_options):
            option(function)
        return command()(function)

    return make
