"""`make pictures`: the pictures of the documentation, made by the program itself and headless Chromium.

    python -m tools.pictures [NAME ...]

Pages are photographed, figures are drawn by --figure; docs/pictures/NAME.png. Without names all are made, in minutes.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from tests.support.browser import browsing, chromium
from tests.support.playing import Guest

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH, HEIGHT = 1200, 760
COLOURS = 96  # of a picture: small files, and no difference to the eye
PORTRAIT = 1600  # pixels: no figure is wider

STORM = ("--set", "hand.front=4", "--name", "Storm")
SENTENCE = "document.querySelector('#sentence').innerText"
SETTLED = f"document.querySelector('#sentence') && {SENTENCE}.includes('settled')"

# Picture -> a command with --figure.
FIGURES = {
    "how-hard": ("difficulty", "wave", "-p", "3", "--set", "hand.back=3", "-s", "first-game,family,regular,seasoned"),
    "what-changed": ("compare", "wave", "-p", "3", "-s", "family", "--set", "hand.back=2,3,4,5", "-n", "20000"),
    "reach-a-target": (
        "sweep", "wave", "-p", "3", "--set", "hand.front=2..5", "--set", "hand.back=1..5", "-s", "family",
        "--target", "win=20%..30%", "-n", "5000",
    ),
    "competitive-games": ("balance", "vague-verte", "-p", "3", "-s", "family", "-n", "2000"),
    "what-decides": ("endings", "wave", "-p", "3", "-s", "family", "-n", "20000"),
    "own-deck": ("design", "wave", "-p", "3", "--cards", "-s", "family", "-n", "200000"),
}  # fmt: skip


def houle(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "houle.cli.main", *words], check=True, stdout=subprocess.DEVNULL)


def save(name: str, png: bytes) -> None:
    """Writes a picture with few colours."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.thumbnail((PORTRAIT, PORTRAIT))
    image.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
    print(f"docs/pictures/{name}.png: {(FOLDER / f'{name}.png').stat().st_size // 1024} kB", flush=True)


@contextmanager
def server(*words: str) -> Iterator[str]:
    """A page of houle in a process of its own; its address."""
    command = [sys.executable, "-m", "houle.cli.main", *words, "--no-open", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[1]
    finally:
        process.terminate()
        process.wait()


def shot(guest: Guest, name: str, height: int = HEIGHT) -> None:
    size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
    guest.browser.call("Emulation.setDeviceMetricsOverride", **size)
    guest.browser.call("Emulation.setScrollbarsHidden", hidden=True)
    save(name, guest.browser.picture(whole=False))


def studio(guest: Guest, work: Path) -> None:
    """The studio with one rule turned."""
    with server("studio", "wave", "-p", "3") as home:
        guest.go(f"{home}studio?game=wave&players=3&set+hand.back=3")
        guest.wait_for(SETTLED)
        shot(guest, "studio", 690)


def report(guest: Guest, work: Path) -> None:
    """The first screen of a report on an own variant, and of its page for players."""
    houle("report", "wave", "-p", "3", *STORM, "--effort", "quick", "-o", str(work / "storm"))
    for name, page in (("read-a-report", "index.html"), ("player-page", "player.html")):
        guest.go((work / "storm" / page).as_uri())
        shot(guest, name)


def study(guest: Guest, work: Path) -> None:
    """The page of a small study."""
    (work / "study.toml").write_text(
        'name = "Cards in hand"\ngames = 5_000\ntargets = ["win=30%..40%@family"]\n[[grid]]\ngame = "wave"\n'
        'players = [2, 3, 4]\nstrategies = ["family", "seasoned"]\n'
        '[grid.set]\nhand.front = "3..5"\nhand.back = "2..4"\n'
    )
    houle("study", "run", str(work / "study.toml"), "--db", str(work / "study.db"))
    houle("report", str(work / "study.db"), "-o", str(work / "study"))
    guest.go((work / "study" / "index.html").as_uri())
    shot(guest, "batches")


def play(guest: Guest, work: Path) -> None:
    """A table, and the same table with a hint."""
    with server("play", "wave", "-p", "3", "-v", "virage") as home:
        guest.go(home)
        shot(guest, "play")
        guest.press("h", leaves=False)
        guest.wait_for("document.querySelector('.advice .says') !== null")
        shot(guest, "advice")


def review(guest: Guest, work: Path) -> None:
    """The chance graph of a simulated game, as a drawing."""
    houle("trace", "wave", "-p", "3", "-s", "regular", "--seed", "7", "--game", "3", "--record", str(work / "game.txt"))
    houle("review", str(work / "game.txt"), "--figure", str(FOLDER / "review-wave.svg"))


def own_game(guest: Guest, work: Path) -> None:
    """The example game that is one class in plain Python, at the table."""
    game = Path(__file__).parents[1] / "examples" / "games" / "the_game" / "the_game" / "plain.py"
    with server("play", str(game), "-p", "3") as home:
        guest.go(home)
        shot(guest, "own-game")


PAGES: dict[str, Callable[[Guest, Path], None]] = {
    "studio": studio, "read-a-report": report, "batches": study, "play": play, "review-wave": review,
    "own-game": own_game,
}  # fmt: skip


def figure(name: str, work: Path) -> None:
    path = work / f"{name}.png"
    houle(*FIGURES[name], "--figure", str(path), "-q")
    save(name, path.read_bytes())


def main() -> None:
    names = sys.argv[1:] or [*FIGURES, *PAGES]
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOULE_STATE_DIR"] = folder
        for name in names:
            if name in FIGURES:
                figure(name, Path(folder))
        pages = [name for name in names if name not in FIGURES]
        if pages:
            path = chromium()
            if path is None:
                sys.exit("no Chromium on this machine")
            with browsing(path) as browser:
                for name in pages:
                    PAGES[name](Guest(browser, WIDTH), Path(folder))


if __name__ == "__main__":
    main()
