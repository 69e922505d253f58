"""Random command lines in a folder full of canaries; real games are played among them.

A canary is a Python file that leaves a mark when it runs: in the current folder under the names of Python's own
modules, and elsewhere under a path that words, links and files name. None of them may ever run.

Command lines are made from the commands themselves: their parameters say what they take, so a new command or option
needs no edit here. Most lines are sound and small, some have one strange word, file or link; changed files come from
the same pool as other bad input (cases.py). Each line is a process of its own, forked from one that has imported
everything. Lines are about a class in plain Python where the compiler is switched off. A line must end in time, without
a traceback, with one line for an error; and the players that its JSON names must be those that it asked for.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import click

from houle.cli.main import houle as program
from houle.solver.compiler.kernels import JIT, cache_root
from houle.solver.rules import game_names, load
from houle.solver.rules.game_folders import GROUP, _homes
from tests.fuzz.cases import BESIDE, ESCAPE, VALUES, Case, changed, commands, read
from tests.fuzz.formats import FORMATS
from tests.fuzz.judge import HANG, REFUSED, SYSTEM, TRACEBACK, UNCLEAR
from tests.fuzz.studies import LOG, small_study
from tests.support.commands_in_turn import SERVE, first_page

MODULES = ("tomllib", "json", "random", "numba", "numpy", "click", "houle", "sqlite3")
PATIENCE, MERCY = 15.0, 15.0  # seconds until Ctrl-C, and from there to the end; more on a busy machine
STRANGE_LINES = 0.35
MARK, OUT, ERR = "ran", "out", "err"
PLAYERS = ("random", "thumb", "family", "flat:2", "random", "thumb")
PLAIN_PLAYERS = ("random", "thumb")  # of a class, which plays some hundred times slower
# What keeps a command short, for every command that has the option; `-s` is drawn from PLAYERS.
ALWAYS = {
    "-n": "3",
    "-j": "1",
    "--worlds": "6",
    "--generations": "1",
    "--population": "4",
    "--check-games": "4",
    "--from": "7/0/3",
    "--target": "win=50%",
    "--change": "hand.front",
}
BUDGETS = {"design": "1s"}  # of commands whose run it ends
# Sound words for options; any other option gets a word for its type.
SOUND: dict[str, tuple[str, ...]] = {
    "--seed": ("1", "7"),
    "--measure": ("win", "length"),
    "--rules": ("rules.toml",),
    "--seats": ("1", "all"),
    "--at": ("2",),
    "--game": ("0", "5"),
    "--margin": ("5",),
    "--part": ("1/2",),
    "--for": ("family",),
    "--side": ("1",),
    "--effort": ("quick",),
    "--weights": ("thumb",),
    "--fit": (BESIDE,),
    "--position": ("position.txt",),
    "--check-deck": ("deck.toml",),
    "--budget": ("1m",),
}
BY_TYPE: dict[str, tuple[str, ...]] = {
    "Whole": ("2", "3"),
    "Wholes": ("2", "3"),
    "FloatParamType": ("5",),
    "FloatRange": ("5",),
    "Seconds": ("1s",),
}
FILES = ("out.json", "out.csv", "out.svg", "out.txt")
SERVERS = ("studio", "demo")  # never end, or play for minutes: only strange lines, which they refuse
LONG = ("check", "report", "tune", "design")  # drawn seldom
NEVER = ("--cluster", "--lan", "--game-path")
SOUND_FILES = {
    "rules": "rules.toml",
    "spec": "study.toml",
    "results": BESIDE,
    "record": "record.txt",
    "position": "position.txt",
    "deck": "deck.toml",
}
WORDS = """0 -1 1e9999 nan 99999999999999999999 wafe thumb[ flat:-1 level:2.5 virage+nazare x=y hand.front=99
deck=evil.py .. / -- [ 1/2 {0.__class__} %s%n $(id) é²٣ absent.toml new.xyz"""
STRANGE = [*WORDS.split(), "", " ", ESCAPE, "a" * 9_000, "; import os", "__import__('os')", "a\x00b"]
OF_A_LINK = ("play LINK", "rules LINK", "simulate LINK -n 2", "trace LINK", "review LINK")
GOOD, SLOW = "played", "slow, ended by Ctrl-C"
RAN, OTHERS = "foreign code ran", "other players"
FAULTS = (TRACEBACK, HANG, UNCLEAR, RAN, OTHERS)


@dataclass(frozen=True)
class Line:
    """A command line: sound or not, and the players it asks for, where it does."""

    words: tuple[str, ...]
    asked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    words: tuple[str, ...]
    verdict: str
    said: str


class Aviary:
    """A folder with canaries and sound files, and a generator of command lines about them."""

    def __init__(self, root: Path, dice: random.Random, plain: bool) -> None:
        self.root, self.here, self.dice, self.plain = root, root / "here", dice, plain
        self.mark, self.evil, site = root / MARK, root / "elsewhere" / "evil.py", root / "site"
        for folder in (self.here, self.evil.parent, site / "evil_package", self.here / "my_g"):
            folder.mkdir(0o700, parents=True)
        sing = f"import os\nos.close(os.open({str(self.mark)!r}, os.O_CREAT | os.O_WRONLY))\n"
        nests = [self.here / f"{name}.py" for name in MODULES]
        for nest in (*nests, self.evil, site / "evil_package" / "__init__.py", self.here / "my_g" / "__init__.py"):
            nest.write_text(sing)
        facts = site / "evil_package-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: evil-package\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[{GROUP}]\nmy-g = evil_package.my_g\n")
        sys.path.insert(0, str(site))
        _homes.cache_clear()
        for format, name in SOUND_FILES.items():
            (self.here / name).write_text(FORMATS[format].text())
        (self.here / "my_g" / "rules.toml").write_text("title = 3\n")
        (self.here / LOG).parent.mkdir()
        (self.here / LOG).write_bytes(small_study())
        self.classes = self._made("race", "tricks", "clues")
        up = "../" * 24 + str(self.evil).lstrip("/")
        self.paths = [str(self.evil), up, f"{self.evil}:Game", f"file://{self.evil}", "../elsewhere/evil.py", "json.py"]
        self.pool = [*self.paths, *SOUND_FILES.values(), *STRANGE]
        self.commands = dict(commands())
        if plain:
            del self.commands["demo"]  # plays a compiled game, for minutes without the compiler
        self.before = self._state()

    def _made(self, *likes: str) -> list[str]:
        """Classes to play, as `houle new` writes them: each in a folder of its own."""
        for like in likes:
            with suppress(SystemExit):
                program.main(["new", "my-game", "--like", like, "--in", str(self.here / like)], "houle")
        return [f"{like}/my_game.py" for like in likes]

    def _state(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.here.rglob("*") if path.is_file()}

    def clean(self) -> None:
        """Every line finds the same folder."""
        if self._state() != self.before:
            shutil.rmtree(self.here)
            for name, content in self.before.items():
                Path(name).parent.mkdir(0o700, parents=True, exist_ok=True)
                Path(name).write_bytes(content)
        self.mark.unlink(missing_ok=True)

    def line(self) -> Line:
        """A random line: a command, a link or a changed file."""
        draw = self.dice.random()
        if draw < 0.08 and not self.plain:
            return self.link()
        return self.file() if draw < 0.2 and not self.plain else self.command()

    def command(self) -> Line:
        """A command with the options that keep it short, some others, and perhaps one strange word."""
        strange = self.dice.random() < STRANGE_LINES
        names = [name for name in self.commands if strange or name not in SERVERS]
        weights = [0.1 if name in LONG else 1.0 for name in names]
        name = self.dice.choices(names, weights)[0]
        params = self.commands[name].params
        options = {option: one for one in params if isinstance(one, click.Option) for option in one.opts[:1]}
        game = self.dice.choice(self.classes if self.plain else game_names())
        chosen = self._chosen(name, options, game)
        asked: tuple[str, ...] = ()
        if "-s" in options:
            asked = self._players(name)
            chosen["-s"] = [",".join(asked)] if name in ("simulate", "trace") and len(asked) > 1 else list(asked)
            chosen.setdefault("-p", [str(len(asked))] if name in ("simulate", "trace") and len(asked) > 1 else [])
        words = [*name.split(), *self._arguments(params, game)]
        words += [
            word for option, values in chosen.items() for value in values for word in _typed(options, option, value)
        ]
        if strange:
            # Naming code is allowed as GAME, so no canary stands there.
            first = len(name.split()) + any(one.name == "game" for one in params)
            at = self.dice.randrange(first, len(words) + 1)
            words[at : at + self.dice.randrange(2)] = [self.dice.choice(self.pool)]
            asked = ()
        return Line(tuple(words), asked if "--json" in words else ())

    def _players(self, name: str) -> tuple[str, ...]:
        """Who plays: one kind, or one for each of three seats; a ladder of them where players are compared."""
        players = PLAIN_PLAYERS if self.plain else PLAYERS
        if name in ("simulate", "trace") and self.dice.random() < 0.3:
            return tuple(self.dice.choice(players) for _ in range(3))
        if name in ("strength", "difficulty", "sweep"):
            return tuple(self.dice.sample(sorted({*players}), 2))
        return (self.dice.choice(players),)

    def _chosen(self, name: str, options: Mapping[str, click.Option], game: str) -> dict[str, list[str]]:
        """Options with sound values: what keeps the command short, and a few others."""
        chosen = {option: [value] for option, value in ALWAYS.items() if option in options}
        for option in chosen:
            least = getattr(options[option].type, "least", None)
            chosen[option] = [str(max(least, int(*chosen[option])))] if least is not None else chosen[option]
        chosen |= {"--budget": [BUDGETS[name]]} if name in BUDGETS else {}
        for option, one in options.items():
            if option in chosen or option in NEVER or option == "-s" or (option == "--budget" and not self.plain):
                continue
            if self.dice.random() < (0.5 if option == "--json" else 0.08):
                chosen[option] = [self._value(option, one, game)]
        if game != "wave":
            chosen.pop("--rules", None)
            chosen.pop("--change", None)
        return chosen

    def _value(self, option: str, one: click.Option, game: str) -> str:
        """A sound value of an option."""
        if one.is_flag:
            return ""
        if isinstance(one.type, click.Choice):
            return str(self.dice.choice(list(one.type.choices)))
        if option in ("-v", "--set") and not self.plain:
            ruleset = load(game)
            if option == "-v":
                return self.dice.choice(["base", *ruleset.variants])
            whole = [knob for knob in ruleset.knobs.values() if knob.type in ("int", "bool")]
            knob = self.dice.choice(whole)
            value = str(knob.default).lower()
            return f"{knob.name}={value}"
        kind = type(one.type).__name__
        return self.dice.choice(SOUND.get(option) or BY_TYPE.get(kind) or (FILES if "File" in kind else ("x",)))

    def _arguments(self, params: list[click.Parameter], game: str) -> Iterator[str]:
        known = {"game": game, "record": "record.txt", "spec": "study.toml", "name": "another"}
        for one in params:
            if isinstance(one, click.Argument):
                yield known.get(str(one.name), "study")

    def link(self) -> Line:
        """A link of a game with random values."""
        good = {"game": "wave", "players": "3", "deal": "7/0", "seats": "person,thumb,thumb", "moves": ""}
        for key in [*good, "set deck", "names", "position", "rules", "variants", "was"]:
            if self.dice.random() < 0.1:
                good[key] = self.dice.choice(self.pool)
        if self.dice.random() < 0.5:
            good["game"] = self.dice.choice(self.paths)
        start = self.dice.choice(["?", "", "http://127.0.0.1:8573/TOKEN/table?", "/", "./", "file:///?"])
        link = start + "&".join(f"{key}={value}" for key, value in good.items())
        return Line(tuple(link if word == "LINK" else word for word in self.dice.choice(OF_A_LINK).split()))

    def file(self) -> Line:
        """A changed file in the place of a file, perhaps with the path of a canary in it."""
        name = self.dice.choice(list(FORMATS))
        text = changed(FORMATS[name].text(), self.dice, [*VALUES, *(f'"{path}"' for path in self.paths)])
        case: Case = read(name, self.dice.randrange(4), text)
        assert case.fill is not None
        case.fill(self.here)
        return Line(case.words)


def _typed(options: Mapping[str, click.Option], option: str, value: str) -> list[str]:
    return [option] if options[option].is_flag else [option, value]


def judged(aviary: Aviary, line: Line) -> Outcome:
    """Runs a line in a forked process, and says how it ended."""
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os._exit(_run(aviary, line))
    asked, status = False, 0
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        waited = time.monotonic() - start
        if done:
            break
        if waited > PATIENCE * busy and not asked:
            os.kill(child, signal.SIGINT)
            asked = True
        if waited > (PATIENCE + MERCY) * busy:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Outcome(line.words, HANG, "")
        time.sleep(0.005)
    code = os.waitstatus_to_exitcode(status)
    out, err = (aviary.root.joinpath(name).read_text(errors="replace") for name in (OUT, ERR))
    return Outcome(line.words, verdict(aviary, line, code, asked, out=out, err=err), (err or out)[-600:])


def verdict(aviary: Aviary, line: Line, code: int, asked: bool, out: str, err: str) -> str:
    """How a line ended: a fault, or one of the good ways."""
    complaints = [one for one in err.splitlines() if one.startswith("houle: ") and "warning: " not in one]
    if aviary.mark.exists():
        return RAN
    if "Traceback" in err + out or code not in (0, 1, 2, 130):
        return TRACEBACK
    if asked:
        return SLOW
    if code and len(complaints) != 1 and "--check-deck" not in line.words and not out:
        return UNCLEAR
    if code == 0 and line.asked and (named := players_in(out)) and named != set(line.asked):
        return OTHERS
    return {0: GOOD, 1: SYSTEM}.get(code, REFUSED)


def players_in(out: str) -> set[str]:
    """The players that a result in JSON names; none if it is no such result."""
    try:
        data = json.loads(out)
    except ValueError:
        return set()
    found: set[str] = set()

    def look(value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "strategies" and isinstance(inner, list):
                    found.update(one for one in inner if isinstance(one, str))
                look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    look(data)
    return found


def _run(aviary: Aviary, line: Line) -> int:
    logs = [os.open(aviary.root / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for name in (OUT, ERR)]
    for stream, target in enumerate((os.open(os.devnull, os.O_RDONLY), *logs)):
        os.dup2(target, stream)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(aviary.here)
    homes = ("HOME", "HOULE_STATE_DIR", "HOULE_CONFIG_DIR", "XDG_CACHE_HOME")
    os.environ.update({name: str(aviary.root / "home") for name in homes}, HOULE_CACHE_DIR=str(cache_root()))
    code = 0
    try:
        with mock.patch(SERVE, first_page):
            program.main(list(line.words), "houle")
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 1
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        traceback.print_exc()
        code = 99
    for written in (sys.stdout, sys.stderr):
        with suppress(Exception):
            written.flush()
    return code


def ended(number: int, seed: int) -> Iterator[Outcome]:
    """How so many lines ended, one after the other."""
    from houle.cli.warm import QUICK, REST, SEARCH, warm

    path = list(sys.path)
    with tempfile.TemporaryDirectory(prefix="houle-canaries-") as folder:
        aviary = Aviary(Path(folder), random.Random(f"{seed} {not JIT}"), not JIT)
        try:
            for name in game_names() if JIT else ():  # a forked process finds what was loaded before
                warm(name, (QUICK, SEARCH, REST))
            for _ in range(number):
                aviary.clean()
                yield judged(aviary, aviary.line())
        finally:
            sys.path[:] = path
            _homes.cache_clear()
