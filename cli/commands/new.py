"""`houle new`: writes a small game that every command takes: one class, or a package with a compiled version."""

from __future__ import annotations

import keyword
import re
import shutil
import uuid
from pathlib import Path

import click

from houle.cli.framework import options
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import write_text
from houle.solver.errors import FileError, RulesError
from houle.solver.rules import game_names
from houle.solver.rules.files import check_writable, file_error

SKELETON = Path(__file__).parent.parent / "skeleton"

# What `--like` offers; each is a class in the folder of skeletons.
LIKE = ("tricks", "press-your-luck", "secret-choice", "race", "cooperative", "clues")
COMPILED = ("tricks", "clues")  # those with a compiled version

# Template -> file of a game with a compiled version; @module@ is the name of the game as a Python module, @like@ the
# game to start from.
FILES = {
    "pyproject.txt": "pyproject.toml",
    "readme.txt": "README.md",
    "@like@_rules.txt": "@module@/rules.toml",
    "@like@.txt": "@module@/plain.py",
    "@like@_game.txt": "@module@/@module@.py",
    "test.txt": "tests/test_@module@.py",
}


@command()
@click.argument("name")
@click.option(
    "--like",
    type=click.Choice(LIKE),
    default=LIKE[0],
    show_default=True,
    metavar="NAME",
    help="The game to start from, from the list above.",
)
@click.option("--compiled", is_flag=True, help="Write a package with a compiled version as well (tricks or clues).")
@click.option(
    "--in",
    "folder",
    type=options.FileName(),
    default=".",
    show_default=True,
    metavar="FOLDER",
    help="Folder to create it in.",
)
def new(call: Call, name: str, like: str, compiled: bool, folder: str) -> None:
    """Create a new game that already works, to change into your own.

    NAME is the name of your game. You get one file with one short class, which every command takes. The games to start
    from:

    \b
      tricks           play a card each; the highest takes the trick
      press-your-luck  draw on, or stop before you lose it all
      secret-choice    choose cards face down, turn them up together; several rounds
      race             roll dice, choose one, be the first home
      cooperative      win or lose together, with hidden hands
      clues            the same, but everybody sees all hands except the own one

    With --compiled you get a package instead: the class beside a version with declared fields that is compiled and some
    hundred times faster, its rules as a file, and a test.

    \b
    Examples:
      houle new my-game
      houle new my-game --like secret-choice
      houle new my-game --compiled --in games
      houle new my-game --like clues --compiled
    """
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or keyword.iskeyword(module):
        raise RulesError(f"{name!r} is not allowed as a name; allowed: lower-case letters, digits and -, as in my-game")
    shown = module.replace("_", "-")
    if shown in game_names():
        raise RulesError(f"a game named {shown} exists already; choose another name")
    if compiled and like not in COMPILED:
        raise RulesError(f"--compiled: is written for {' and '.join(COMPILED)} only, not for {like}")
    words = {"module": module, "name": shown, "title": shown.replace("-", " ").title(), "like": like}
    path = Path(folder) / (shown if compiled else f"{module}.py")
    if path.exists():
        raise FileError(f"{path}: exists already")
    check_writable(path, str(path))
    if compiled:
        _write_package(path, words)
    else:
        _write_class(path, like, words)


def _write_class(path: Path, like: str, words: dict[str, str]) -> None:
    write_text(str(path), _content(f"{like.replace('-', '_')}.txt", {**words, "file": path.name}))
    click.echo(
        "\n".join(
            [
                f"Created {path}. You can play it now:",
                f"  houle trace {path} -p 3",
                f"  houle simulate {path} -p 3",
                f"  houle check {path}",
                f"  houle play {path} -p 3",
            ]
        )
    )


def _write_package(root: Path, words: dict[str, str]) -> None:
    beside = root.with_name(f".{uuid.uuid4().hex[:12]}")  # moved when it is complete
    try:
        for source, target in FILES.items():
            path = beside / _filled(target, words)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_content(_filled(source, words), {**words, "file": "plain.py"}), encoding="utf-8")
        beside.rename(root)
    except OSError as fault:
        raise file_error(root, fault) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    module = root / words["module"]
    click.echo(
        "\n".join(
            [
                f"Created {root}. You can play it now:",
                f"  houle trace {module / 'plain.py'} -p 3",
                f"  houle check {module}",
                f"  houle --game-path {module} simulate {words['name']} -p 3 -s random",
            ]
        )
    )


def _content(template: str, words: dict[str, str]) -> str:
    return _filled((SKELETON / template).read_text(encoding="utf-8"), words)


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub("@(module|name|title|file|like)@", lambda match: words[match[1]], text)
