"""A folder full of canaries, and command lines that name them.

A canary is a Python file that leaves a mark when it runs: in the current folder under the names of Python's own
modules, in an installed package, and elsewhere under a path that words, links and files name. None may ever run.
The command lines are the pool of bad input (cases.py) with canaries in place of wrong words. They are about a class in
plain Python where the compiler is switched off.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from houle.solver.compiler.kernels import JIT
from houle.solver.rules.game_folders import GROUP, _homes
from tests.fuzz.cases import ESCAPE, VALUES, Case, argument_cases, changed, read
from tests.fuzz.formats import FORMATS
from tests.support.call import good

MODULES = ("tomllib", "json", "random", "numba", "numpy", "click", "houle", "sqlite3")
NAMES_CODE = ("game", "--game-path")  # parameters that may name code, so no canary stands there
OF_A_LINK = ("play", "rules", "simulate", "trace", "review")
LINK = {"game": "wave", "players": "3", "deal": "7/0", "seats": "person,thumb,thumb", "moves": ""}
STARTS = ("?", "", "http://127.0.0.1:8573/TOKEN/table?", "/", "./", "file:///?")
STRANGE = ["{0.__class__}", "%s%n", "$(id)", "; import os", "__import__('os')", "a\x00b", ESCAPE]


class Aviary:
    """Canaries around the folders in which commands run."""

    def __init__(self, root: Path) -> None:
        self.root, self.mark, self.evil = root, root / "ran", root / "elsewhere" / "evil.py"
        self.song = f"import os\nos.close(os.open({str(self.mark)!r}, os.O_CREAT | os.O_WRONLY))\n"
        self.site, self.game = root / "site", root / "small_game.py"
        package, facts = self.site / "evil_package", self.site / "evil_package-1.0.dist-info"
        for folder in (self.evil.parent, package, facts):
            folder.mkdir(0o700, parents=True)
        for nest in (self.evil, package / "__init__.py"):
            nest.write_text(self.song)
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: evil-package\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[{GROUP}]\nmy-g = evil_package.my_g\n")
        good("new small-game --like race --in", str(root))
        up = "../" * 24 + str(self.evil).lstrip("/")
        self.paths = [str(self.evil), up, f"{self.evil}:Game", f"file://{self.evil}", "../elsewhere/evil.py", "json.py"]

    def fill(self, folder: Path) -> None:
        """Puts canaries into the current folder of a command."""
        (folder / "my_g").mkdir(0o700)
        (folder / "my_g" / "rules.toml").write_text("title = 3\n")
        for nest in (*(f"{name}.py" for name in MODULES), "my_g/__init__.py"):
            (folder / nest).write_text(self.song)

    def cases(self, few: int, seed: int) -> Iterator[Case]:
        """So many cases, each with its canaries: words, links and changed files that name some."""
        luck = random.Random(seed)
        words = [case for case in argument_cases([*self.paths, *STRANGE]) if not case.name.endswith(NAMES_CODE)]
        for _ in range(few):
            way = luck.random()
            case = self.file(luck) if way < 0.2 else self.link(luck) if way < 0.4 else luck.choice(words)
            replaced = tuple(str(self.game) if word == "wave" and not JIT else word for word in case.words)
            yield Case(case.group, case.name, replaced, case.fill)

    def link(self, luck: random.Random) -> Case:
        """A link of a game with random values."""
        values = dict(LINK)
        for key in (*LINK, "set deck", "names", "position", "rules", "variants", "was"):
            if luck.random() < 0.1:
                values[key] = luck.choice([*self.paths, *STRANGE])
        if luck.random() < 0.5:
            values["game"] = luck.choice(self.paths)
        link = luck.choice(STARTS) + "&".join(f"{key}={value}" for key, value in values.items())
        return Case("links", link, (luck.choice(OF_A_LINK), link))

    def file(self, luck: random.Random) -> Case:
        """A changed file in the place of a file, perhaps with the path of a canary in it."""
        name = luck.choice(list(FORMATS))
        text = changed(FORMATS[name].text(), luck, [*VALUES, *(f'"{path}"' for path in self.paths)])
        return read(name, luck.randrange(4), text)


@contextmanager
def aviary(root: Path) -> Iterator[Aviary]:
    """The canaries of a folder; a package with one of them is installed meanwhile."""
    made, before = Aviary(root), list(sys.path)
    sys.path.insert(0, str(made.site))
    _homes.cache_clear()
    try:
        yield made
    finally:
        sys.path[:] = before
        _homes.cache_clear()
        shutil.rmtree(root)
