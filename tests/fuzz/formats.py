"""One valid file of every format that houle reads, and the commands that read it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import houle
from houle.solver.rules.decks import GAMES

ROOT = Path(__file__).parents[2]
GAME, HOME = "the-game", "the_game"  # an example outside the package
PLUGIN = ROOT / "examples" / "games" / HOME / HOME

RULES = 'game = "wave"\nname = "mine"\nplayers = 3\nvariants = ["virage"]\n[set]\nhand.front = 4\ntalk = "open"\n'
SPEC = (
    'name = "small"\nseed = 1\ngames = 20\nstrategies = ["thumb"]\n'
    '[[grid]]\ngame = "wave"\nplayers = [2, 3]\n[grid.set]\nhand.front = 3\n'
)
RESULTS = "result,players,variant\n" + "win,3,base\nloss,3,base\nwin,4,virage\n" * 4
DECK, CHANGES = (
    (GAMES / "vague_attaque" / "decks" / f"{name}.toml").read_text(encoding="utf-8")
    for name in ("default", "rough-sea")
)


@dataclass(frozen=True)
class Format:
    """A valid file and the calls that read it; FILE stands for its name in the words."""

    file: str
    text: Callable[[], str]
    calls: tuple[tuple[str, ...], ...]

    def put(self, folder: Path, content: bytes) -> None:
        """Write the file with this content, and what it needs beside it."""
        if "/" in self.file:
            home = folder / Path(self.file).parent
            shutil.copytree(PLUGIN, home, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / self.file).write_bytes(content)


def _record() -> str:
    return houle.trace("wave", strategies="random", seed=7).record().as_text()


def _position(form: str) -> Callable[[], str]:
    return lambda: str(getattr(houle.position("wave", seed=7, game=0, ply=3, strategies="random"), form)())


def _of_plugin(name: str) -> Callable[[], str]:
    return lambda: (PLUGIN / name).read_text(encoding="utf-8")


LEAST = ("-s", "random", "-n", "2")
PLAYED = (("players", GAME, "--game-path", HOME), ("rules", GAME, "--game-path", HOME), ("games", "--game-path", HOME))
FORMATS = {
    "rules": Format(
        "my.toml",
        lambda: RULES,
        (("rules", "wave", "--rules", "FILE"), ("simulate", "wave", "--rules", "FILE", *LEAST)),
    ),
    "deck": Format(
        "my.toml",
        lambda: DECK,
        (
            ("rules", "vague-attaque", "--check-deck", "FILE"),
            ("simulate", "vague-attaque", "--set", "deck=FILE", *LEAST),
        ),
    ),
    "changed deck": Format("my.toml", lambda: CHANGES, (("rules", "vague-attaque", "--check-deck", "FILE"),)),
    "spec": Format("spec.toml", lambda: SPEC, (("study", "run", "FILE", "--dry-run"), ("study", "run", "FILE", "-q"))),
    "position": Format("my.txt", _position("as_text"), (("advise", "wave", "--position", "FILE", "--worlds", "20"),)),
    "record": Format("my.txt", _record, (("review", "FILE", "--worlds", "20", "-q"), ("play", "FILE"))),
    "results": Format("my.csv", lambda: RESULTS, (("players", "wave", "--fit", "FILE", "-n", "100", "--dry-run"),)),
    "weights": Format(f"{HOME}/weights.toml", _of_plugin("weights.toml"), PLAYED),
    "rules of a game": Format(f"{HOME}/rules.toml", _of_plugin("rules.toml"), PLAYED),
    "code of a game": Format(f"{HOME}/thumbs.py", _of_plugin("thumbs.py"), PLAYED[:2]),
}
