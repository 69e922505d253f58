"""The options that every command shares, what they accept, and how they are written again for a repeat."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from houle.analysis.limits import MOST_GAMES, MOST_INDEX, MOST_SEED, SEED
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, game_names, load, make_setup, parse_settings

if TYPE_CHECKING:
    from houle.analysis.sampling.grid import Grid

Command = Callable[..., Any]

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}


class Whole(click.ParamType):  # type: ignore[type-arg]  # generic in recent versions of click only
    """A whole number in a range, as people write large ones: 1e6, 1M, 2.5k, 1_000_000."""

    name = "number"

    def __init__(self, least: int, most: int, example: str = "") -> None:
        self.least, self.most, self.example = least, most, example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number = value if isinstance(value, int) else _number(str(value))
        if number is None or not self.least <= number <= self.most:
            allowed = f"a whole number from {self.least} to {self.most}{self.example}"
            where = param.opts[0] if param else "number"
            raise click.UsageError(f"{where}: {value!r} is not allowed; allowed: {allowed}", ctx)
        return number


def _number(text: str) -> int | None:
    match = re.fullmatch(r"([+-]?\d[\d_]*(?:\.\d+)?(?:e\+?\d{1,3})?)([kmgb]?)", text.strip().lower(), re.ASCII)
    if not match:
        return None
    number = Decimal(match[1].replace("_", "")) * UNITS[match[2]]
    return int(number) if number == int(number) else None


@dataclass(frozen=True)
class Asked:
    """Which game at which table, as the user asked for it."""

    game: str
    players: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()  # key=value pairs as typed
    files: tuple[str, ...] = ()
    name: str | None = None  # what the user calls the table that --set makes

    def setup(self) -> Setup:
        """The one table that all of it means together."""
        ruleset = load(self.game)
        if len(set(self.players)) > 1:
            raise InputError(f"-p: one table has one number of players, given: {', '.join(map(str, self.players))}")
        settings = parse_settings(ruleset, self.settings)
        return self.named(make_setup(self.game, next(iter(self.players), None), self.variants, settings, self.files))

    def named(self, setup: Setup) -> Setup:
        """A table under the name that was given for it."""
        if self.name is None:
            return setup
        name = " ".join(self.name.split())
        if not name:
            raise InputError("--called: a name is missing")
        return replace(setup, title=name)

    def table(self) -> Setup | str:
        """The table, or the game's name where nothing else was said: a text may then say which table it is for."""
        more = self.players or self.variants or self.settings or self.files
        return self.setup() if more else load(self.game).name

    def words(self, setup: Setup) -> list[str]:
        """The same, as words of a command line."""
        words = [self.game, "-p", str(setup.players)]
        if setup.variants:
            words += ["-v", "+".join(setup.variants)]
        for file in self.files:
            words += ["--rules", file]
        for pair in self.settings:
            words += ["--set", pair]
        return [*words, *self._name_words()]

    def _name_words(self) -> list[str]:
        return ["--called", self.name] if self.name is not None else []

    def grid(self, strategies: Sequence[str], strict: bool) -> Grid:
        """The tables that repeated options and alternatives mean; with `strict` all of them must be possible."""
        from houle.analysis.sampling.alternatives import parse_alternatives
        from houle.analysis.sampling.grid import make_grid

        if self.name is not None:
            raise InputError("--called: is for one table; to tell several apart, give each a rules file with its name")
        settings = parse_alternatives(load(self.game), self.settings)
        found: Grid = make_grid(
            self.game, self.players, self.variants, strategies, self.files, settings, strict
        )  # fmt: skip
        return found

    def grid_words(self, strategies: Sequence[str]) -> list[str]:
        """The same, as words of a command line."""
        given = (("-p", map(str, self.players)), ("-v", self.variants), ("-s", strategies),
                 ("--rules", self.files), ("--set", self.settings))  # fmt: skip
        words = [word for option, values in given for value in values for word in (option, value)]
        return [self.game, *words, *self._name_words()]


def _complete_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(n, help=load(n).about) for n in game_names() if n.startswith(incomplete)]


def _game_so_far(ctx: click.Context) -> str | None:
    """The game on an unfinished line, where click has not sorted the words into arguments yet."""
    words = [word for word in (ctx.params.get("game"), *ctx.args) if word in game_names()]
    return words[0] if words else None


def _complete_variants(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`virage+na` -> `virage+nazare`."""
    before, plus, last = incomplete.rpartition("+")
    game = _game_so_far(ctx)
    variants = load(game).variants if game else {}
    names = [name for name in ("base", *variants) if name.startswith(last)]
    return [CompletionItem(f"{before}{plus}{name}") for name in names]


def _complete_knobs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    game = _game_so_far(ctx)
    knobs = load(game).knobs.values() if game else ()
    return [CompletionItem(f"{k.name}=", help=k.allowed) for k in knobs if k.name.startswith(incomplete)]


def setup_options(command: Command) -> Command:
    """GAME, -p, -v, --set, --rules and --called, handed on as one `asked`."""

    @click.argument("game", shell_complete=_complete_games)
    @click.option(
        "-p",
        "--players",
        type=Whole(1, 99),
        multiple=True,
        metavar="N",
        help="Players at the table; 3 where the game has them.",
    )
    @click.option(
        "-v",
        "--variant",
        multiple=True,
        metavar="NAME",
        shell_complete=_complete_variants,
        help="A variant, or several together: a+b; none by default.",
    )
    @click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        shell_complete=_complete_knobs,
        help="Turn a knob (houle rules GAME lists them); lists are written [a,b], KEY+=[a] adds "
        "to one and KEY-=[a] takes out of it. In sweep and compare also KEY=A,B and KEY=LOW..HIGH.",
    )
    @click.option(
        "--rules",
        multiple=True,
        metavar="FILE",
        type=click.Path(),
        help="Your own variant, a TOML file (houle rules GAME --write FILE starts one).",
    )
    @click.option(
        "--called", metavar="TEXT", help="What to call the table that --set makes; sweep and compare take none."
    )
    @wraps(command)
    def wrapped(
        game: str,
        players: tuple[int, ...],
        variant: tuple[str, ...],
        settings: tuple[str, ...],
        rules: tuple[str, ...],
        called: str | None,
        **rest: Any,
    ) -> Any:
        return command(asked=Asked(game, players, variant, settings, rules, called), **rest)

    return wrapped  # fmt: skip


def _option(*names: str, **facts: Any) -> Callable[[Command], Command]:
    return click.option(*names, **facts)


def strategy_option_of(help: str) -> Callable[[Command], Command]:
    return _option("-s", "--strategy", multiple=True, metavar="NAME[,NAME...]", help=help)


WHO = "Who decides: one for all, or one per player; the thumb by default (houle players GAME lists them)."
strategy_option = strategy_option_of(WHO)
first_option = _option(
    "--first", type=Whole(0, MOST_GAMES), default=0, show_default=True, metavar="N", help="Number of the first game."
)
dry_option = _option("--dry-run", is_flag=True, help="Say what would be played and how long it takes.")
figure_option = _option("--figure", type=click.Path(), metavar="FILE", help="Also draw it: a .png, .svg or .pdf file.")


def search_games_option(default: int, least: int = 1) -> Callable[[Command], Command]:
    return _option(
        "--search-games", type=Whole(least, MOST_GAMES), default=default, show_default=True, metavar="N",
        help="How many of them for players that search.",
    )  # fmt: skip


fewer_option = _option(
    "--search-games",
    type=Whole(2, MOST_GAMES),
    metavar="N",
    help="How many games of arms that search; as -n if not given.",
)


def seed_option_of(default: int, help: str) -> Callable[[Command], Command]:
    return _option("--seed", type=Whole(0, MOST_SEED), default=default, show_default=True, metavar="N", help=help)


seed_option = seed_option_of(SEED, "Names the games: same seed, same games.")
game_number_option = _option(
    "--game", "index", type=Whole(0, MOST_INDEX), default=0, show_default=True, metavar="N",
    help="Which game of the seed, from 0.",
)  # fmt: skip
threads_option = _option("-j", "--threads", type=Whole(1, 1024), metavar="N", help="Threads; one per core by default.")


def _choose_device(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    """Games are played there from now on; never part of a result, so commands need not know."""
    if name is not None and not ctx.resilient_parsing:
        from houle.solver.run.device import choose_device  # loads numba

        choose_device(name)


device_option = _option(
    "--device", type=click.Choice(["cpu", "gpu"]), callback=_choose_device, expose_value=False,
    help="Where games are played; HOULE_DEVICE says it too. The results are the same.",
)  # fmt: skip
json_option = _option("--json", "as_json", is_flag=True, help="One JSON object on stdout, and nothing else there.")
out_option = _option("-o", "--out", type=click.Path(), metavar="FILE", help="Also write it: .json, .csv or .parquet.")
quiet_option = _option("-q", "--quiet", is_flag=True, help="No progress.")
