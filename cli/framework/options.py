"""The options that commands share, with one help text each, and the way back from options to a command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from houle.analysis.limits import MOST_GAMES, MOST_INDEX, MOST_SEED, SEED
from houle.cli.framework.files import ENDINGS, PICTURES, check_file, check_folder
from houle.solver.errors import RulesError
from houle.solver.language.languages import ENGLISH, LANGUAGES
from houle.solver.rules import BY_HAND, Setup, game_names, is_game, load, make_setup, parse_settings
from houle.solver.rules.game_folders import name_plain

if TYPE_CHECKING:
    from houle.analysis.sampling.grid import Grid

Command = Callable[..., Any]

NAMED = "--set, --name"  # where a changed rule was set that the name of --name stands for
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
    name: str | None = None  # of the user's own rules

    def setup(self) -> Setup:
        """The one setup that these options describe."""
        ruleset = load(self.game)
        if len(set(self.players)) > 1:
            given = ", ".join(map(str, self.players))
            raise RulesError(f"-p: give one number of players here, not {given}; compare and sweep take several")
        settings = parse_settings(ruleset, self.settings)
        return self.named(make_setup(self.game, next(iter(self.players), None), self.variants, settings, self.files))

    def named(self, setup: Setup) -> Setup:
        """The setup with the name of --name, which stands for the changes of --set too."""
        if self.name is None:
            return setup
        name = " ".join(self.name.split())
        if not name:
            raise RulesError("--name: the name is empty")
        changed = {knob: NAMED if place in BY_HAND else place for knob, place in setup.changed.items()}
        return replace(setup, title=name, changed=changed)

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
        given = (("-p", map(str, self.players if setup is None else (setup.players,))), ("-v", variants),
                 ("-s", strategies), ("--rules", self.files), ("--set", self.settings),
                 ("--name", filter(None, [self.name])))  # fmt: skip
        return [self.game, *(word for option, values in given for value in values for word in (option, value))]

    def grid(self, strategies: Sequence[str], strict: bool) -> Grid:
        """All setups that repeated options and alternatives describe; with `strict` an impossible one is an error."""
        from houle.analysis.sampling.alternatives import parse_alternatives
        from houle.analysis.sampling.grid import make_grid

        if self.name is not None:
            raise RulesError("--name: is for one setup; to name several, give each a rules file with a name")
        settings = parse_alternatives(load(self.game), self.settings)
        return make_grid(self.game, self.players, self.variants, strategies, self.files, settings, strict)


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


def setup_options(command: Command, game: str | None = None) -> Command:
    """GAME, -p, -v, --set, --rules and --name. With a default `game` the argument may be missing."""
    # Given only if there is one: click takes None for a default too.
    default: dict[str, Any] = {"default": game, "required": False} if game is not None else {}
    parts = (
        game_argument(**default),
        click.option(
            "-p", "--players", type=Wholes(1, 99), multiple=True, callback=flat, metavar="N",
            help="Number of players (default: 3 if the game allows it). In sweep and compare also several: 2,3.",
        ),
        click.option(
            "-v", "--variant", multiple=True, metavar="NAME", shell_complete=_complete_variants,
            help="Variant to play; join several with +, as in a+b (default: the base game).",
        ),
        click.option(
            "--set", "settings", multiple=True, metavar="KEY=VALUE", shell_complete=_complete_knobs,
            help="Change a rule, as in hand.front=4; `houle rules GAME` lists what you can change. A list is [a,b]; "
            "KEY+=[a] adds to it and KEY-=[a] removes from it. In sweep and compare also KEY=A,B and KEY=LOW..HIGH.",
        ),
        click.option(
            "--rules", multiple=True, metavar="FILE", type=FileName(),
            help="Play by the rules in this TOML file; `houle rules GAME --write FILE` starts one.",
        ),
        click.option(
            "--name", "title", metavar="TEXT", help="Name to show for the rules you changed; not in sweep and compare."
        ),
    )  # fmt: skip
    for option in reversed(parts):
        option(command)
    return command


def take_asked(given: dict[str, Any]) -> Asked:
    """Takes what `setup_options` gave out of the arguments of a command; a command may lack them."""
    names = ("game", "players", "variant", "settings", "rules", "title")
    return Asked(*(given.pop(name) for name in names)) if given.keys() >= set(names) else Asked("")


def _option(*names: str, **facts: Any) -> Callable[[Command], Command]:
    return click.option(*names, **facts)


def whole_option(
    *names: str, least: int, most: int, help: str, default: int | None = None, metavar: str = "N"
) -> Callable[[Command], Command]:
    """A whole number from `least` to `most`; a default is shown in the help."""
    return _option(
        *names, type=Whole(least, most), default=default, show_default=default is not None, metavar=metavar, help=help
    )  # fmt: skip


def games_option(
    default: int, least: int = 1, most: int = MOST_GAMES, help: str = "How many games to play, as in 5000, 1e6 or 1M."
) -> Callable[[Command], Command]:
    return _option(
        "-n", "--games", type=Whole(least, most, ", as 1e6, 1M or 1_000_000"), default=default, show_default=True,
        metavar="N", help=help,
    )  # fmt: skip


def strategy_option_of(help: str) -> Callable[[Command], Command]:
    return _option("-s", "--strategy", multiple=True, metavar="NAME[,NAME...]", help=help)


WHO = "Who plays: one player for all seats, or one per seat with commas (default: thumb). See `houle players GAME`."
EACH_WHO = "Who plays; each -s is a setup of its own (default: family). See `houle players GAME`."
strategy_option = strategy_option_of(WHO)
first_option = whole_option("--first", least=0, most=MOST_GAMES, default=0, help="Number of the first game to play.")
dry_option = _option("--dry-run", is_flag=True, help="Print what would be played and how long it takes, then stop.")
SEARCH_GAMES = "Games for players that search, which are slow"


def search_games_option(default: int, least: int = 1) -> Callable[[Command], Command]:
    return whole_option("--search-games", least=least, most=MOST_GAMES, default=default, help=f"{SEARCH_GAMES}.")


same_search_games_option = whole_option(
    "--search-games", least=2, most=MOST_GAMES, help=f"{SEARCH_GAMES} (default: as -n)."
)
refit_option = _option(
    "--refit", is_flag=True,
    help="First fit the rules of thumb to your own rules; the result is kept for next time.",
)  # fmt: skip
log_option = _option(
    "--log", metavar="NAME",
    help="Keep the result in a design log: NAME.log.jsonl, drawn over all versions as NAME.log.svg.",
)  # fmt: skip
confirm_option = _option(
    "--confirm/--no-confirm", default=True, show_default=True,
    help="Check the most striking result on as many new games.",
)  # fmt: skip


def seed_option_of(help: str, default: int | None = SEED) -> Callable[[Command], Command]:
    return whole_option("--seed", least=0, most=MOST_SEED, default=default, help=help)


seed_option = seed_option_of("Random seed: the same seed gives the same games.")
worlds_seed_option = seed_option_of("Random seed: the same seed imagines the same hidden cards.")
game_number_option = whole_option(
    "--game", "index", least=0, most=MOST_INDEX, default=0, help="Number of the game within the seed, from 0."
)
threads_option = whole_option("-j", "--threads", least=1, most=1024, help="Threads to use (default: one per core).")


def worlds_option(default: int | None, least: int, most: int, usual: str = "") -> Callable[[Command], Command]:
    """How many worlds are sampled; `usual` says the default where it is not a fixed number."""
    about = f"How many ways to imagine the hidden cards per decision{usual}."
    return whole_option("--worlds", least=least, most=most, default=default, help=about)


def position_options(command: Command) -> Command:
    """--from and --position: a command needs one of them."""
    about = "Instead: a position as `houle position` writes it."
    command = _option("--position", "given", metavar="FILE|-|TEXT", help=about)(command)
    about = "The position in this game after PLY moves."
    return _option("--from", "where", metavar="SEED/GAME/PLY", help=about)(command)


def _choose_device(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    """Plays all games there from now on. The device is not part of a result, so commands need not know it."""
    if name is not None and not ctx.resilient_parsing:
        from houle.solver.run.device import choose_device  # loads numba

        choose_device(name)


device_option = _option(
    "--device", type=click.Choice(["cpu", "gpu"]), callback=_choose_device, expose_value=False,
    help="Play on the processor or on the graphics card, with the same results. HOULE_DEVICE sets the default.",
)  # fmt: skip
language_option = _option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default=ENGLISH,
    envvar="HOULE_LANGUAGE",
    help="Language of cards, moves and events: en, or fr for French (default: HOULE_LANGUAGE, or en).",
)
json_option = _option("--json", "as_json", is_flag=True, help="Print the result as JSON instead of text.")


def out_file_option(*endings: str, help: str = "Also write the result to this file") -> Callable[[Command], Command]:
    either = f"{', '.join(endings[:-1])} or {endings[-1]}"
    return _option("-o", "--out", type=File(*endings), metavar="FILE", help=f"{help}: {either}.")


def out_folder_option(more: str) -> Callable[[Command], Command]:
    return _option("-o", "--out", type=File(), metavar="FOLDER", help=f"Write the result to this folder{more}.")


def record_option(help: str) -> Callable[[Command], Command]:
    return _option("--record", type=File(".txt"), metavar="FILE", help=help)


out_option = out_file_option(*ENDINGS)
figure_option = _option(
    "--figure", type=File(*PICTURES), metavar="FILE", help="Also draw a figure: .png, .svg or .pdf."
)
force_option = _option("--force", is_flag=True, help="With --write: replace the file if it exists.")
quiet_option = _option("-q", "--quiet", is_flag=True, help="Show no progress.")
