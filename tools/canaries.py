"""`python -m tools.canaries`: random words, files, links, study files and Python calls, in a folder full of canaries.

A canary is a Python file that leaves a mark when it runs: in the current folder under the names of Python's own
modules, and elsewhere under a path that links, records, results, studies and options name. None of them may ever run.
Each case is a process of its own, forked from this one. Unlike tools/fuzz, which makes cases from lists of formats and
options, the cases here are drawn at random from one pool of words, and files are changed without knowing their format.
"""

from __future__ import annotations

import inspect
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import houle
from houle.cli.main import COMMANDS
from houle.cli.main import houle as program
from houle.solver.compiler.kernels import cache_root
from houle.solver.errors import InputError
from houle.solver.plain import as_game
from houle.solver.rules.game_folders import GAMES, GROUP, _homes

MODULES = ("tomllib", "json", "random", "numba", "numpy", "click", "houle", "sqlite3")
PATIENCE, MERCY = 20.0, 20.0  # seconds until Ctrl-C, and from there to the end
SERVERS = ("studio", "demo")  # never end by themselves, or play for minutes
LONG = ("check", "report", "design", "strength", "tune", "calibrate", "skill", "learning-curve", "ablate")
MARK, LOG = "ran", "said"
RULES = 'game = "wave"\nname = "mine"\n[set]\nhand.front = 4\n'
SPEC = 'game = "wave"\nplayers = [2, 3]\nstrategies = "random"\ngames = 6\nchunk = 2\n'
RESULTS = "result,players,variant\n" + "win,3,base\nloss,4,virage\n" * 3
WEIGHTS = '[[player]]\nname = "thumb"\n[player.weights]\ngap = 3\n[expert]\nstrategy = "flat:2"\n'
DECK = GAMES / "vague_attaque" / "decks" / "default.toml"
WORDS = """1.db 2.db 0 -1 3 1e9999 nan 99999999999999999999 wave wafe thumb family flat:2 flat:-1 level:2.5 base
virage+nazare x=y hand.front=4 deck=evil.py .. / - -- [ 7/0/3 1/2 out.csv new {0.__class__} %s%n $(id) é²٣"""
STRANGE = ["", " ", "\x1b[31m", "\u202e", "a" * 9_000, "; import os", "__import__('os')", "a\x00b"]
FUNCTIONS = [
    "simulate",
    "study",
    "read_study",
    "merge_study",
    "position",
    "read_position",
    "replay",
    "review",
    "trace",
    "grid",
    "advise",
    "setup",
]
TAKE_A_GAME = ("simulate", "position", "trace", "grid", "setup")  # which may be code, so no canary stands there
RUN_OPTIONS = ("games", "seed", "nonsense")
READERS = {  # and the file that each expects
    "rules wave --rules FILE": "rules.toml",
    "simulate wave --rules FILE -n 2 -s random": "rules.toml",
    "players wave --rules FILE": "rules.toml",
    "rules vague-attaque --deck FILE --check": "deck.toml",
    "simulate vague-attaque --set deck=FILE -n 2 -s random": "deck.toml",
    "study run FILE -q": "study.toml",
    "study run FILE --part 1/2 -q": "study.toml",
    "study show FILE": "study.toml",
    "study merge FILE 1.db": "study.toml",
    "trace FILE": "record.txt",
    "review FILE --worlds 4 -q": "record.txt",
    "play FILE --text": "record.txt",
    "advise wave --position FILE --worlds 4": "position.txt",
    "position wave --position FILE": "position.txt",
    "calibrate wave FILE --dry-run": "results.csv",
}
OF_A_STUDY = """study show FILE|study resume FILE -q|study export FILE|report FILE -o rep|study merge 1.db 2.db --audit|
study status FILE --json""".replace("\n", "").split("|")
OF_A_LINK = [
    "play LINK --text",
    "rules LINK",
    "simulate LINK -n 2",
    "trace LINK",
    "review LINK",
    "advise wave --position LINK",
]
GOOD, REFUSED, SYSTEM, SLOW = "accepted", "refused", "system", "slow, ended by Ctrl-C"
TRACEBACK, HANG, UNCLEAR, RAN = FAULTS = ("traceback", "hang", "unclear", "foreign code ran")


@dataclass(frozen=True)
class Case:
    kind: str
    words: tuple[str, ...]  # of a command; of a call its name and arguments as text
    run: Callable[[], Any] | None = None  # a Python call


@dataclass(frozen=True)
class Outcome:
    case: Case
    verdict: str
    said: str


class Aviary:
    """A folder with canaries and files, and the pool of words that name them."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root, self.here, self.dice = root, root / "here", dice
        self.mark = root / MARK
        self.evil = root / "elsewhere" / "evil.py"
        site = root / "site"
        for folder in (self.here, self.evil.parent, site / "evil_package", self.here / "my_g"):
            folder.mkdir(0o700, parents=True)
        sing = f"import os\nos.close(os.open({str(self.mark)!r}, os.O_CREAT | os.O_WRONLY))\n"
        nests = [self.here / f"{name}.py" for name in MODULES]
        nests += [self.evil, site / "evil_package" / "__init__.py", self.here / "my_g" / "__init__.py"]
        for nest in nests:
            nest.write_text(sing)
        shutil.copy(self.evil, self.here / "evil.py")
        facts = site / "evil_package-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: evil-package\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[{GROUP}]\nmy-g = evil_package.my_g\n")
        sys.path.insert(0, str(site))
        _homes.cache_clear()
        record = houle.trace("wave", strategies="random", seed=7).record().as_text()
        position = houle.position("wave", seed=7, game=0, ply=3, strategies="random").as_text()
        self.texts = {"rules.toml": RULES, "study.toml": SPEC, "results.csv": RESULTS, "weights.toml": WEIGHTS,
                      "record.txt": record, "position.txt": position, "deck.toml": DECK.read_text("utf-8")}  # fmt: skip
        for name, text in self.texts.items():
            (self.here / name).write_text(text)
        (self.here / "my_g" / "rules.toml").write_text("title = 3\n")
        for number in (1, 2):
            houle.study(self.here / "study.toml", db=self.here / f"{number}.db", part=f"{number}/2", threads=1)
        up = "../" * 24 + str(self.evil).lstrip("/")
        relative = ["../elsewhere/evil.py", "evil.py", "./evil.py", "json", "json.py", "my_g", "my-g", "./my_g"]
        self.paths = [str(self.evil), up, f"{self.evil}:Game", f"file://{self.evil}", *relative]
        self.pool = [*self.paths, *self.texts, *WORDS.split(), *STRANGE]
        self.before = self._state()

    def _state(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.here.rglob("*") if path.is_file()}

    def clean(self) -> None:
        """Every case finds the same folder."""
        now = self._state()
        if now != self.before:
            shutil.rmtree(self.here)
            for name, content in self.before.items():
                Path(name).parent.mkdir(0o700, parents=True, exist_ok=True)
                Path(name).write_bytes(content)
        self.mark.unlink(missing_ok=True)

    def word(self) -> str:
        return self.dice.choice(self.pool)

    def command(self) -> Case:
        """A command with a few of its options, and words from the pool."""
        name = self.dice.choice([name for name in COMMANDS if name not in SERVERS])
        found: Any = program.get_command(click.Context(program), name)
        words = [name]
        if isinstance(found, click.Group):
            words.append(self.dice.choice(sorted(found.commands)))
            found = found.commands[words[-1]]
        for param in found.params:
            if isinstance(param, click.Argument):
                usual = "wave" if param.name == "game" else self.word()
                # Naming the code is allowed as GAME, so no canary stands there.
                likely = self.dice.random() < 0.7
                words.append(usual if likely or param.name == "game" else self.word())
            elif self.dice.random() < 0.25:
                words.append(self.dice.choice(param.opts))
                words += [] if getattr(param, "is_flag", False) else [self.word()]
        names = {option for param in found.params for option in param.opts}
        words += ["-n", "3"] if "-n" in names else []
        words += ["--dry-run"] if "--dry-run" in names and name in (*LONG, "decisions", "balance") else []
        words += ["--text"] if name == "play" else []
        return Case("command", tuple(words))

    def link(self) -> Case:
        """A link of a game with random values, to a command or to the function that pages use."""
        good = {"game": "wave", "players": "3", "deal": "7/0", "seats": "person,thumb,thumb", "moves": ""}
        for key in [*good, "set deck", "names", "position", "rules", "variants", "was"]:
            if self.dice.random() < 0.1:
                good[key] = self.word()
        if self.dice.random() < 0.5:
            good["game"] = self.dice.choice(self.paths)
        start = self.dice.choice(["?", "", "http://127.0.0.1:8573/TOKEN/table?", "/", "./", "file:///?"])
        keys = list(good)
        self.dice.shuffle(keys)
        link = start + "&".join(f"{key}={good[key]}" for key in keys)
        if self.dice.random() < 0.3:
            from houle.analysis.play.link import read_link

            return Case("link", ("read_link", link), lambda: read_link(link))
        words = self.dice.choice(OF_A_LINK).split()
        return Case("link", tuple(link if word == "LINK" else word for word in words))

    def changed(self, text: str) -> bytes:
        """A text with random changes: words of the pool in it, lines moved, bytes flipped."""
        for _ in range(self.dice.choice([0, 1, 1, 2, 4])):
            lines = text.split("\n")
            at, other = self.dice.randrange(len(lines)), self.dice.randrange(len(lines))
            way = self.dice.randrange(6)
            if way == 0:
                tokens = lines[at].replace("=", " = ").replace(":", ": ").split(" ")
                tokens[self.dice.randrange(len(tokens))] = self.word()
                lines[at] = " ".join(tokens)
            elif way == 1:
                head = lines[at].partition("=" if "=" in lines[at] else ":")[0]
                lines[at] = (
                    f"{head}{'= ' if '=' in lines[at] else ': '}{self.dice.choice([repr(self.word()), self.word()])}"
                )
            elif way == 2:
                lines[at], lines[other] = lines[other], lines[at]
            elif way == 3:
                lines.insert(at, lines[other])
            elif way == 4:
                del lines[at]
            else:
                lines[at] = f"game{self.dice.choice([': ', ' = '])}{self.dice.choice(self.paths)}"
            text = "\n".join(lines) or "\n"
        content = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(self.dice.choice([0, 0, 1, 3])):
            content[self.dice.randrange(len(content))] ^= 1 << self.dice.randrange(8)
        return bytes(content)

    def file(self) -> Case:
        """A changed file in the place of a file: mostly of the right format."""
        call, expected = self.dice.choice(list(READERS.items()))
        kind = expected if self.dice.random() < 0.8 else self.dice.choice(list(self.texts))
        name = f"f{Path(expected).suffix}"
        (self.here / name).write_bytes(self.changed(self.texts[kind]))
        shutil.copy(self.here / name, self.here / "my_g" / "weights.toml")
        return Case("file", tuple(call.replace("FILE", name).split()))

    def database(self) -> Case:
        """The file of a study or of a part with changed values."""
        name = self.dice.choice(["1.db", "2.db"])
        db = sqlite3.connect(self.here / name)
        tables = [table for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for _ in range(self.dice.randrange(1, 4)):
            table = self.dice.choice(tables)
            column = self.dice.choice([row[1] for row in db.execute(f"PRAGMA table_info({table})")])
            value = self.dice.choice([self.word(), None, -1, 2**62, 0.5, b"\x80\x04.", self.changed(SPEC)])
            with suppress(sqlite3.Error):
                db.execute(f"UPDATE OR IGNORE {table} SET {column}=?", (value,))
        db.commit()
        db.close()
        words = self.dice.choice(OF_A_STUDY).replace("FILE", name).split()
        return Case("database", tuple(words))

    def call(self) -> Case:
        """A public function with random values; a Setup is named by a text, which is no canary."""
        values: list[Any] = [self.word(), self.word(), None, -1, 0, 3, 2.5, float("nan"), True, [], ["thumb"], {}, ()]
        values += [{"hand.front": self.word()}, b"x", Path("rules.toml"), Path(), object()]
        name = self.dice.choice(FUNCTIONS)
        first = "wave" if name in TAKE_A_GAME else self.dice.choice(["wave", *values])
        known = [*list(inspect.signature(getattr(houle, name)).parameters)[1:], *RUN_OPTIONS]
        named = {key: self.dice.choice(values) for key in known if self.dice.random() < 0.2}
        if name in ("simulate", "study"):
            named |= {"threads": 1} if name == "study" else {"games": 3, "strategies": "random"}
        return Case("call", (name, repr(first)[:80], repr(named)[:200]), lambda: getattr(houle, name)(first, **named))

    def case(self) -> Case:
        makers = [self.command, self.command, self.link, self.file, self.file, self.database, self.call]
        return self.dice.choice(makers)()


def judged(aviary: Aviary, case: Case, without_compiler: bool) -> Outcome:
    """Runs a case in a forked process; without the compiler a class in plain Python could be loaded."""
    log = aviary.root / LOG
    child = os.fork()
    if child == 0:
        os._exit(_run(aviary, case, log, without_compiler))
    start, asked, status = time.monotonic(), False, 0
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        waited = time.monotonic() - start
        if waited > PATIENCE and not asked:
            os.kill(child, signal.SIGINT)
            asked = True
        if waited > PATIENCE + MERCY:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Outcome(case, HANG, "")
        time.sleep(0.005)
    code, said = os.waitstatus_to_exitcode(status), log.read_text(errors="replace")
    complaints = [line for line in said.splitlines() if line.startswith("houle: ") and "warning: " not in line]
    if aviary.mark.exists():
        return Outcome(case, RAN, said)
    if "Traceback" in said or code not in (0, 1, 2, 130):
        return Outcome(case, TRACEBACK, said)
    if asked:
        return Outcome(case, SLOW, said)
    if code and case.run is None and len(complaints) != 1 and "--check" not in case.words:
        return Outcome(case, UNCLEAR, said)
    return Outcome(case, {0: GOOD, 1: SYSTEM}.get(code, REFUSED), said)


def _run(aviary: Aviary, case: Case, log: Path, without_compiler: bool) -> int:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream, target in ((0, os.open(os.devnull, os.O_RDONLY)), (1, output), (2, output)):
        os.dup2(target, stream)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(aviary.here)
    homes = ("HOME", "HOULE_STATE_DIR", "HOULE_CONFIG_DIR", "XDG_CACHE_HOME")
    os.environ.update({name: str(aviary.root / "home") for name in homes}, HOULE_CACHE_DIR=str(cache_root()))
    if without_compiler:
        vars(as_game)["JIT"] = False
    code = 0
    try:
        if case.run is not None:
            case.run()
        else:
            program.main(list(case.words), "houle")
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 1
    except InputError:
        code = 2
    except KeyboardInterrupt:
        code = 130
    except TypeError as fault:
        # Python itself refuses arguments that a function does not have.
        code = 2 if case.run is not None and "argument" in str(fault) else 99
        if code == 99:
            traceback.print_exc()
    except BaseException:
        traceback.print_exc()
        code = 99
    for written in (sys.stdout, sys.stderr):
        with suppress(Exception):
            written.flush()
    return code


@click.command()
@click.option("--cases", "number", default=1_500, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(number: int, seed: int) -> None:
    """Run random cases in a folder full of canaries; exit with 1 for a fault."""
    counts, faults = sing(number, seed)
    for kind in sorted({kind for kind, _ in counts}):
        own = {verdict: count for (one, verdict), count in sorted(counts.items()) if one == kind}
        click.echo(f"{kind}: {sum(own.values())} cases; " + ", ".join(f"{word} {count}" for word, count in own.items()))
    for outcome in faults:
        click.echo(
            f"{outcome.verdict}: {outcome.case.kind}: {outcome.case.words!r:.300}\n  {outcome.said.strip()[-600:]}"
        )
    sys.exit(bool(faults))


def sing(number: int, seed: int) -> tuple[Counter[tuple[str, str]], list[Outcome]]:
    """How so many cases ended, by kind and verdict, and the faults."""
    dice = random.Random(seed)
    counts: Counter[tuple[str, str]] = Counter()
    faults = []
    path = list(sys.path)
    with tempfile.TemporaryDirectory(prefix="houle-canaries-") as folder:
        aviary = Aviary(Path(folder), dice)
        try:
            for _ in range(number):
                outcome = judged(aviary, aviary.case(), dice.random() < 0.5)
                counts[outcome.case.kind, outcome.verdict] += 1
                faults += [outcome] if outcome.verdict in FAULTS else []
                aviary.clean()
        finally:
            sys.path[:] = path
            _homes.cache_clear()
    return counts, faults


if __name__ == "__main__":
    main()
