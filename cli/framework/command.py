"""The factory of commands: what they share stands here once.

A command is a function of a `Call`, which holds what the shared options of `options.py` gave, and of its own options.
A `Call` reads the setup, shows progress, prints the result as text or JSON, writes files and figures, and prints the
command that repeats it. Exit codes: 0, 2 for bad input, 130 for Ctrl-C.

    @command()
    @options.setup_options
    @options.json_option
    def players(call: Call) -> None:
        call.print(data_of(call.setup), page(call.setup))

`analysis_command` adds the options of every analysis: setup, players, number of games, seed, threads and output.

    @analysis_command()
    @click.option("--until-sure", is_flag=True, help="...")
    def compare(call: Call, until_sure: bool) -> None:
        result = call.play(houle.compare, call.setup, until_sure=until_sure)
        call.show(result, describe(result))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any

import click

from houle.analysis.limits import SEED
from houle.analysis.result import command_line
from houle.analysis.run_options import SLOW_SECONDS, Progress, RunSpec, read_time
from houle.cli.framework import options, text
from houle.cli.framework.files import PICTURES, Written, write_figure, write_result
from houle.cli.framework.progress import GamesProgress
from houle.cli.framework.streams import Interrupted
from houle.solver.rules import Setup
from houle.solver.rules.game_folders import is_named

if TYPE_CHECKING:
    from houle.analysis.result import Result
    from houle.analysis.sampling.plan import Plan

Function = Callable[..., Any]

PLAIN_GAMES = 1_000  # by default in plain Python


@dataclass(frozen=True)
class Call:
    """One call of a command: what its shared options gave, and the defaults of those it lacks."""

    ctx: click.Context
    asked: options.Asked  # without a game if the command has no setup
    strategy: tuple[str, ...] | None = None  # as typed; empty for the default player, None if the command has no -s
    games: int | None = None  # None: what the analysis takes by default
    seed: int = SEED
    threads: int | None = None
    as_json: bool = False
    files: tuple[str, ...] = ()  # of -o: data and figures
    out: str | None = None  # of -o where it is a folder
    quiet: bool = False
    dry_run: bool = False
    refit: bool = False

    @cached_property
    def setup(self) -> Setup:
        """The one setup that the options describe; with --refit its players are fitted to it."""
        return self.refitted(self.asked.setup())

    def refitted(self, setup: Setup) -> Setup:
        """A setup with players fitted to it, if --refit is given and the rules are the user's own."""
        from houle.analysis.players.refit import refit
        from houle.analysis.tables.difficulty import differs

        if not self.refit or self.dry_run or not differs(setup):
            return setup
        with self.watch(0) as progress:
            return refit(setup, threads=self.threads, progress=progress)

    def refit_lines(self, setups: Iterable[Setup]) -> list[str]:
        """The line for players who were made for print but play your own rules; none if there are no such players."""
        from houle.analysis.players.refit import made_for_print

        said = dict.fromkeys(map(made_for_print, setups))
        return [text.labelled("refit", sentence) for sentence in said if sentence]

    @property
    def strategies(self) -> tuple[str, ...] | None:
        """The players of one setup; None for the default player."""
        return self.strategy or None

    def typed(self, setup: Setup, games: int | None = None) -> str:
        """The command as it was typed, with the seed."""
        return command_line(self.typed_words(games), setup)

    def typed_words(self, games: int | None = None) -> list[str]:
        """The words that were typed, with the seed; without what only says where results go.

        `games` replaces -n, for a run that Ctrl-C ended.
        """
        words = [str(self.ctx.command.name)]
        for param in self.ctx.command.params:
            value = self.ctx.params.get(param.name or "")
            if param.name in NOT_REPEATED or not self.given(param.name or "") or (games and param.name == "games"):
                continue
            if not param.expose_value:  # such as --game-path, which command_line writes
                continue
            each = value if isinstance(value, tuple) else (value,)
            if isinstance(param, click.Argument):
                words += map(str, each)
            else:
                flag = getattr(param, "is_flag", False)
                words += [param.opts[0]] if flag else [word for one in each for word in (param.opts[0], str(one))]
        counted = ["-n", str(games)] if games else []
        return [*words, *counted, "--seed", str(self.seed)]

    def given(self, option: str) -> bool:
        """Whether the user typed an option."""
        return self.ctx.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT

    @property
    def is_verbose(self) -> bool:
        return bool(self.ctx.meta.get(options.VERBOSE))

    @property
    def silent(self) -> bool:
        return self.as_json or self.quiet

    def watch(self, games: int) -> GamesProgress:
        """The progress bar of so many games."""
        return GamesProgress(games, self.silent)

    def play(self, function: Function, *arguments: Any, about: Iterable[str] = (), **more: Any) -> Any:
        """Runs an analysis under a progress bar; with --dry-run prints `about` and its plan, and ends the command."""
        run: dict[str, Any] = {"games": self.games, "seed": self.seed, "threads": self.threads}
        run |= {} if self.strategy is None else {"strategies": self.strategies}
        if self.dry_run:
            function(*arguments, **run | more, progress=DryRun(self, about))
        with self.watch(self.games or 0) as progress:
            return function(*arguments, **run | more, progress=progress)

    def print(self, data: Any, lines: Iterable[str]) -> None:
        """Prints data with --json, else lines."""
        click.echo(json.dumps(data, indent=2) if self.as_json else "\n".join(map(text.say, lines)))

    def put(self, result: Written, lines: Iterable[str], draw: Function | None = None) -> None:
        """Writes the files of a result and prints it; `draw` draws its figure."""
        for file in self.files:
            if draw and file.endswith(PICTURES):
                write_figure(draw, file)
            else:
                write_result(result, file)
        self.print(result.as_json() if self.as_json else None, lines)

    def show(
        self,
        result: Result,
        body: Iterable[str],
        head: Sequence[str] | None = None,
        repeat: str | None = None,
    ) -> None:
        """Prints an analysis with its first and last lines; if it was interrupted, ends the command with 130.

        `head` replaces the usual first lines, and `repeat` the usual command that repeats the result.
        """
        again = repeat or self.typed(result.setup, result.part)
        first = text.head(result) if head is None else head
        self.put(result, [*first, "", *body, "", *text.foot(result), text.repeated(again)], result.plot)
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
        stages = [
            f"{stage.name}: {stage.games:,} deals, {text.count_of(stage.total, 'game')}"
            for stage in plan.stages
            if stage.name
        ]
        lines = [*(about or who), *text.left_out_lines(plan.left_out), *stages, self.needed(plan)]
        click.echo("\n".join(lines))

    def needed(self, plan: Plan) -> str:
        """How many games, how long, on how many threads."""
        from houle.solver.run import default_threads

        seconds = plan.seconds(RunSpec(seed=self.seed, threads=self.threads))
        on = text.count_of(self.threads or default_threads(), "thread")
        return f"{text.count_of(plan.games, 'game')}, about {text.duration(seconds)} on {on}"


@dataclass
class DryRun(Progress):
    """The progress of a dry run: hears what an analysis will play, prints it, and ends the command."""

    call: Call
    about: Iterable[str]

    def begin(self, plan: Plan) -> None:
        self.call.show_plan(plan, self.about)
        self.call.ctx.exit()

    def __call__(self, games: int, seconds: float) -> None: ...


NOT_REPEATED = (
    "seed",
    "budget",
    "as_json",
    "files",
    "out",
    "quiet",
    "dry_run",
    "threads",
    "write",
    "save",
    "sheet",
    "only",
    "verbose",
)
SHARED = {field.name for field in fields(Call)} - {"ctx", "asked"}


BUDGET = "A class in plain Python plays for at most 10 minutes; `--budget 30m` allows more."


def command(group: click.Group | None = None, epilog: str | None = None) -> Callable[[Function], click.Command]:
    """Turns a function of a Call into a command; the options are click options below the decorator."""

    def make(function: Function) -> click.Command:
        @wraps(function)  # with the options, which click keeps on the function
        def called(slow: str | None = None, **given: Any) -> None:
            asked = options.take_asked(given)
            shared = {option: given.pop(option) for option in SHARED.intersection(given)}
            if is_named(asked.game or ""):
                GamesProgress.spent, GamesProgress.budget = 0.0, SLOW_SECONDS if slow is None else read_time(slow)
                if click.get_current_context().get_parameter_source("games") is click.core.ParameterSource.DEFAULT:
                    shared["games"] = min(shared["games"] or PLAIN_GAMES, PLAIN_GAMES)
            elif slow is not None:
                raise click.UsageError("--budget: only games in plain Python have one here; use -n")
            function(Call(click.get_current_context(), asked, **shared), **given)

        taken = {name for option in getattr(called, "__click_params__", []) for name in option.opts}
        for name_of, option in options.HIDDEN.items():
            if name_of not in taken:
                option(called)
        made: click.Command = (group or click).command(function.__name__, epilog=epilog)(called)
        return made

    return make


def analysis_command(
    games: int | None = None,
    least: int = 1,
    counted: str = "How many games to play, as in 5000 or 1M (default: some seconds of play).",
    strategies: str | None = options.WHO,
    seed: Function = options.seed_option,
    setups: Function = options.setup_options,
    figure: bool = True,
) -> Callable[[Function], click.Command]:
    """A command that plays games: adds the options that all of these share.

    `games`, `least` and `counted` are the default (None: the analysis decides), the minimum and the help of -n;
    `strategies` is the help of -s, None for a command without it; `setups` are the options of one setup or of several.
    """
    last = [
        options.games_option(games, least, help=counted),
        seed,
        options.threads_option,
        options.dry_option,
        options.json_option,
        options.drawn_option if figure else options.out_option,
        options.quiet_option,
    ]

    def make(function: Function) -> click.Command:
        own = getattr(function, "__click_params__", [])  # the last option comes first
        function.__click_params__ = []  # type: ignore[attr-defined]
        for option in reversed(last):
            option(function)
        function.__click_params__ += own  # type: ignore[attr-defined]
        players = [] if strategies is None else [options.strategy_option_of(strategies)]
        for option in (*players, setups):
            option(function)
        return command(epilog=BUDGET)(function)

    return make
