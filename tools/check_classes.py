"""Whether `houle check` accuses sound classes, and how many planted faults it finds.

    NUMBA_DISABLE_JIT=1 python -m tools.check_classes sound             five seeds of each sound class
    NUMBA_DISABLE_JIT=1 python -m tools.check_classes faults            28 faults, checked with all numbers of players
    NUMBA_DISABLE_JIT=1 python -m tools.check_classes faults --players 3

Prints a line per run and, at the end, how many runs accused a class.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click

from houle.analysis.checks.check import run_checks
from houle.cli.commands.new import LIKE, SKELETON
from houle.solver.errors import InputError
from houle.solver.invariants.errors import FAILED
from houle.solver.rules.game_folders import name_plain
from tests.solver.plain.small_games import RACE
from tests.support.toys.false_tidepool import FAULTS, TIDEPOOL, planted
from tests.support.toys.shared_dig import SOUND

SEEDS = range(1, 6)
EXAMPLES = Path(__file__).parents[1] / "examples" / "games"
CLASSES = ("hanabi", "the_game")  # examples that are a class with worlds of its own


def sound_classes(folder: Path) -> Iterator[tuple[str, Path]]:
    """Sound classes: the skeletons of `houle new`, some of our own, and examples, which take longest."""
    texts = {f"{like} (skeleton)": (SKELETON / f"{like.replace('-', '_')}.txt").read_text("utf-8") for like in LIKE}
    texts |= {f"dig with {name}": code for name, code in SOUND.items()} | {"race with luck": RACE}
    for name, code in texts.items():
        file = folder / f"{name.replace(' ', '_').replace('(', '').replace(')', '').replace('-', '_')}.py"
        file.write_text(code)
        yield name, file
    yield "tidepool", TIDEPOOL
    for name in CLASSES:
        yield f"{name} (example)", EXAMPLES / name / name / "plain.py"


def accused(file: Path, players: tuple[int, ...], seed: int) -> str:
    """What `houle check` says against a class first; empty if it passes."""
    try:
        name_plain(str(file))
        for check in run_checks(str(file), players, 4, seed, False, False):
            if check.verdict == FAILED:
                return f"{check.name}: {check.words}"
    except InputError as fault:  # found before the first check
        return str(fault)
    return ""


@click.command()
@click.argument("what", type=click.Choice(["sound", "faults"]))
@click.option("--players", type=int, help="Check this number of players only (default: all).")
@click.option("--only", default="", help="Only classes and faults whose name has this word.")
def main(what: str, players: int | None, only: str) -> None:
    """Check sound classes, or one class with planted faults."""
    runs = failures = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        cases = sound_classes(folder) if what == "sound" else ((name, planted(folder, name)) for name in FAULTS)
        for name, file in cases:
            for seed in (SEEDS if what == "sound" else (1,)) if only in name else ():
                start = time.process_time()
                said = accused(file, (players,) if players else (), seed)
                runs, failures = runs + 1, failures + bool(said)
                spent = time.process_time() - start
                print(f"{name}, seed {seed}: {said[:200] or 'passes'} ({spent:.1f} CPU s)", flush=True)
    print(f"{failures} of {runs} runs accuse a class")
    sys.exit(what == "sound" and failures > 0)


if __name__ == "__main__":
    main()
