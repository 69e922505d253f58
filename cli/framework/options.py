"""The options that commands share, with one help text each, and the way back from options to a command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from houle.analysis.limits import MOST_GAMES, MOST_INDEX, MOST_SEED, SEED
from houle.cli.framework.files import ENDINGS, PICTURES, check_file, check_folder
from houle.solver.errors import RulesError
from houle.solver.language.languages import ENGLISH, LANGUAGES
from houle.solver.rules import Setup, game_names, is_game, load, look_in, make_setup, parse_settings
from houle.solver.rules.game_folders import name_plain

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


class Wholes(Whole):
    """Whole numbers in a range, joined with commas: 2,3."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return tuple(super(Wholes, self).convert(part, param, ctx) for part in str(value).split(","))


def flat(ctx: click.Context, param: click.Parameter, values: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The numbers of an option that is given several times with several numbers."""
    return tuple(number for numbers in values for number in numbers)


def _number(text: str) -> int | None:
    match = re.fullmatch(r"([+-]?\d+(?:_\d+)*(?:\.\d+)?(?:e\+?\d{1,3})?)([kmgb]?)", text.strip().lower(), re.ASCII)
    if not match:
        return None
    number = Decimal(match[1].replace("_", "")) * UNITS[match[2]]
    return int(number) if number == int(number) else None


class FileName(click.Path):
    """A file or folder to read, or to write in a format of its own."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            raise click.UsageError(f"{param.opts[0] if param else 'file'}: the name of the file is missing", ctx)
        return super().convert(value, param, ctx)


class File(click.ParamType):  # type: ignore[type-arg]  # generic in recent versions of click only
    """A file to write, checked before any game is played; without endings it is a folder."""

    name = "file"

    def __init__(self, *endings: str) -> None:
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        option = param.opts[0] if param else ""
        if self.endings:
            check_file(option, value, self.endings)
        else:
            check_folder(option, value)
        return str(value)


@dataclass(frozen=True)
class Asked:
    """The game, players and rules that the user typed."""

    game: str
    players: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()  # key=value pairs as typed
    files: tuple[str, ...] = ()

    def setup(self) -> Setup:
        """The one setup that these options describe."""
        ruleset = load(self.game)
        if len(set(self.players)) > 1:
            given = ", ".join(map(str, self.players))
            raise RulesError(f"-p: give one number of players here, not {given}; compare and sweep take several")
        settings = parse_settings(ruleset, self.settings)
        return make_setup(self.game, next(iter(self.players), None), self.variants, settings, file=self.files)

    @property
    def is_record(self) -> bool:
        """Whether the game is the file of a recorded game."""
        return not is_game(self.game) and os.path.isfile(self.game)

    @property
    def gives_rules(self) -> bool:
        """Whether the user gave more than the name of the game."""
        return bool(self.players or self.variants or self.settings or self.files)

    def setup_or_game(self) -> Setup | str:
        """The setup, or only the name of the game if nothing else was given: a position may name its own setup."""
        return self.setup() if self.gives_rules else load(self.game).name

    def words(self, setup: Setup | None = None, strategies: Sequence[str] = ()) -> list[str]:
        """The same as words of a command line; with the players and variants of `setup` if that is the only one."""
        variants = self.variants if setup is None else [*filter(None, ["+".join(setup.variants)])]
        given = (
            ("-p", map(str, self.players if setup is None else (setup.players,))),
            ("-v", variants),
            ("-s", strategies),
            ("--rules", self.files),
            ("--set", self.settings),
        )
        return [self.game, *(word for option, values in given for value in values for word in (option, value))]

    def grid(self, strategies: Sequence[str], strict: bool) -> Grid:
        """All setups that repeated options and alternatives describe; with `strict` an impossible one is an error."""
        from houle.analysis.sampling.alternatives import parse_alternatives
        from houle.analysis.sampling.grid import make_grid

        settings = parse_alternatives(load(self.game), self.settings)
        return make_grid(
            self.game,
            self.players,
            variants=self.variants,
            strategies=strategies,
            rules=self.files,
            settings=settings,
            strict=strict,
        )


def _complete_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(n, help=load(n).about) for n in game_names() if n.startswith(incomplete)]


def _game_so_far(ctx: click.Context) -> str | None:
    """The game on an unfinished line, before click has parsed its arguments."""
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


def name_code(text: str) -> str:
    """Allows the code of a class in plain Python, if the text names one. Only what the user typed may come here."""
    # Such a class is played without the compiler, which reads this when it is imported.
    if name_plain(text) and "numba" not in sys.modules:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    return text


def game_argument(**facts: Any) -> Callable[[Command], Command]:
    """GAME: with --game-path the only word that can name code."""
    return click.argument(
        "game", shell_complete=_complete_games, callback=lambda ctx, param, text: name_code(text), **facts
    )


SET = "Change a rule, as in hand.front=4; `houle rules` lists them."
RULES = "Rules in a TOML file; `houle rules GAME --write FILE` starts one."


def setup_options(command: Command, game: str | None = None) -> Command:
    """GAME, -p, -v, --set and --rules. With a default `game` the argument may be missing."""
    players = "Number of players (default: 3 if the game allows it)."
    variant = "Variant to play; a+b joins two (default: the base game)."
    return _rules_options(command, game, players=players, variant=variant, set=SET, rules=RULES)


def reported_options(command: Command) -> Command:
    """GAME, -p, -v, --set and --rules of a report, which covers all players and variants by default."""
    players, variant = "Number of players, or several: 2,3 (default: all).", "Variant; repeatable (default: all)."
    return _rules_options(command, players=players, variant=variant, set=SET, rules=RULES)


def several_setups_options(command: Command) -> Command:
    """GAME, -p, -v, --set and --rules, each with several values: every combination is a setup."""
    return _rules_options(
        command,
        players="Number of players, or several: 2,3.",
        variant="Variant; repeat it for several (base: the printed rules); a+b joins two.",
        set="Change a rule: KEY=VALUE, or for several KEY=A,B or KEY=LOW..HIGH.",
        rules="Rules in a TOML file; repeat it for several (base: the printed rules).",
    )


def _rules_options(command: Command, game: str | None = None, **help: str) -> Command:
    # Given only if there is one: click takes None for a default too.
    default: dict[str, Any] = {"default": game, "required": False} if game is not None else {}
    parts = (
        game_argument(**default),
        click.option(
            "-p", "--players", type=Wholes(1, 99), multiple=True, callback=flat, metavar="N", help=help["players"]
        ),
        click.option(
            "-v", "--variant", multiple=True, metavar="NAME", shell_complete=_complete_variants, help=help["variant"]
        ),
        click.option(
            "--set", "settings", multiple=True, metavar="KEY=VALUE", shell_complete=_complete_knobs, help=help["set"]
        ),
        click.option("--rules", multiple=True, metavar="FILE", type=FileName(), help=help["rules"]),
    )
    for option in reversed(parts):
        option(command)
    return command


def take_asked(given: dict[str, Any]) -> Asked:
    """Takes what `setup_options` gave out of the arguments of a command; a command may lack them."""
    names = ("game", "players", "variant", "settings", "rules")
    if not given.keys() >= set(names):
        return Asked("")
    game, players, variants, settings, files = (given.pop(name) for name in names)
    return Asked(game, players=players, variants=variants, settings=settings, files=files)


def whole_option(
    *names: str, least: int, most: int, help: str, default: int | None = None, metavar: str = "N"
) -> Callable[[Command], Command]:
    """A whole number from `least` to `most`; a default is shown in the help."""
    return click.option(
        *names, type=Whole(least, most), default=default, show_default=default is not None, metavar=metavar, help=help
    )


def games_option(
    default: int | None,
    least: int = 1,
    most: int = MOST_GAMES,
    help: str = "How many games to play, as in 5000, 1e6 or 1M.",
) -> Callable[[Command], Command]:
    return click.option(
        "-n",
        "--games",
        type=Whole(least, most, ", as 1e6, 1M or 1_000_000"),
        default=default,
        show_default=default is not None,
        metavar="N",
        help=help,
    )


def strategy_option_of(help: str) -> Callable[[Command], Command]:
    return click.option("-s", "--strategy", multiple=True, metavar="NAMES", help=help)


WHO = "Who plays, in all seats or one per seat: a,b,c (default: family)."
EACH_WHO = "Who plays; each -s is a setup of its own (default: family)."
strategy_option = strategy_option_of("Who plays, in all seats or one per seat: a,b,c (default: thumb).")
dry_option = click.option(
    "--dry-run", is_flag=True, help="Print what would be played and how long it takes, then stop."
)
fair_option = click.option(
    "--margin",
    type=float,
    metavar="X",
    help="Seats count as fair if the best wins at most X points more than the worst (default: 3).",
)
DEALS_TO_PLAY = "How many deals to play, as in 5000, 1e6 or 1M."
refit_option = click.option(
    "--refit",
    is_flag=True,
    help="First fit the rules of thumb to your own rules; they are kept.",
)


def seed_option_of(help: str, default: int | None = SEED) -> Callable[[Command], Command]:
    return whole_option("--seed", least=0, most=MOST_SEED, default=default, help=help)


seed_option = seed_option_of("Random seed: the same seed gives the same games.")
worlds_seed_option = seed_option_of("Random seed: the same seed imagines the same cards.")
game_number_option = whole_option(
    "--game", "index", least=0, most=MOST_INDEX, default=0, help="Number of the game within the seed, from 0."
)
threads_option = whole_option("-j", "--threads", least=1, most=1024, help="Threads to use (default: one per core).")


def worlds_option(default: int, least: int, most: int) -> Callable[[Command], Command]:
    """How many worlds are sampled."""
    about = "How often to imagine the hidden cards."
    return whole_option("--worlds", least=least, most=most, default=default, help=about)


def position_options(command: Command) -> Command:
    """--from and --position: a command needs one of them."""
    about = "Instead: a position as `houle trace --at` writes it."
    command = click.option("--position", "given", metavar="FILE|-|TEXT", help=about)(command)
    about = "The position in this game after PLY moves."
    return click.option("--from", "where", metavar="SEED/GAME/PLY", help=about)(command)


language_option = click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default=ENGLISH,
    envvar="HOULE_LANGUAGE",
    help="Language of cards, moves and events (default: HOULE_LANGUAGE, or en).",
)
VERBOSE = "--verbose"


def _find_games(ctx: click.Context, param: click.Parameter, folders: tuple[str, ...]) -> None:
    """Looks for games in these folders too, and allows the code of a file."""
    for folder in folders:
        if name_plain(name_code(folder)):
            continue
        if not os.path.isdir(folder):
            raise click.UsageError(f"--game-path: {folder}: there is no such folder", ctx)
        look_in(folder)


def game_path_option(hidden: bool = True) -> Callable[[Command], Command]:
    return click.option(
        "--game-path",
        type=FileName(),
        multiple=True,
        metavar="FOLDER",
        expose_value=False,
        is_eager=True,
        hidden=hidden,
        callback=_find_games,
        help="Also look for games in FOLDER, in any command. Also the file of a class that records or studies name.",
    )


def _be_verbose(ctx: click.Context, param: click.Parameter, verbose: bool) -> None:
    """Commands read it from what all contexts share, because it may stand before or after the name of a command."""
    ctx.meta[VERBOSE] = verbose or ctx.meta.get(VERBOSE, False)


def verbose_option(hidden: bool = True) -> Callable[[Command], Command]:
    return click.option(
        VERBOSE,
        is_flag=True,
        expose_value=False,
        hidden=hidden,
        callback=_be_verbose,
        help="Show more, in any command: what pairing gained, all that the compiler says of an error in a game.",
    )


# Every command takes these; `houle --help` explains two of them, the guide to your own game the third.
HIDDEN = {
    "--game-path": game_path_option(),
    VERBOSE: verbose_option(),
    "--budget": click.option("--budget", "slow", metavar="TIME", hidden=True),
}
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON instead of text.")


def out_file_option(*endings: str, help: str = "Also write the result to this file") -> Callable[[Command], Command]:
    either = f"{', '.join(endings[:-1])} or {endings[-1]}"
    return click.option(
        "-o",
        "--out",
        "files",
        type=File(*endings),
        multiple=True,
        metavar="FILE",
        help=f"{help}: {either}; repeatable.",
    )


def out_folder_option(more: str) -> Callable[[Command], Command]:
    return click.option("-o", "--out", type=File(), metavar="FOLDER", help=f"Write the result to this folder{more}.")


def record_option(help: str) -> Callable[[Command], Command]:
    return click.option("--record", type=File(".txt"), metavar="FILE", help=help)


out_option = out_file_option(*ENDINGS)
drawn_option = out_file_option(*ENDINGS, *PICTURES, help="Also write the result or a figure")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
