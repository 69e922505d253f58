"""`make pictures`: the pictures of the documentation, made by the program itself and headless Chromium.

    python -m tools.pictures [NAME ...]

Pages are photographed, figures are drawn by -o; docs/pictures/NAME.png. Without names all are made, in minutes.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from tests.support.browser import browsing, chromium
from tests.support.playing import Guest

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH, HEIGHT, TABLE = 1200, 700, 900
PHONE = (390, 740)
COLOURS = 96  # of a picture: small files, and no difference to the eye
PORTRAIT = 1600  # pixels: no figure is wider

KNOWN = "document.querySelector('#precision') && !document.querySelector('#precision').dataset.say"

# Picture -> a command with -o.
FIGURES = {
    "how-hard": ("difficulty", "wave", "-p", "3", "--set", "hand.back=3", "-s", "first-game,family,regular,seasoned"),
    "what-changed": ("compare", "wave", "-p", "3", "-s", "family", "--set", "hand.back=2,3,4,5", "-n", "20000"),
    "reach-a-target": (
        "sweep",
        "wave",
        "-p",
        "3",
        "--set",
        "hand.front=2..5",
        "--set",
        "hand.back=1..5",
        "-s",
        "family",
        "--target",
        "win=20%..30%",
        "-n",
        "5000",
    ),
    "competitive-games": ("balance", "vague-verte", "-p", "3", "-s", "family", "-n", "2000"),
    "what-decides": ("balance", "wave", "-p", "3", "-s", "family", "-n", "5000"),
    "own-deck": ("sweep", "wave", "-p", "3", "--cards", "-s", "family", "-n", "200000"),
}


def houle(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "houle.cli.main", *words], check=True, stdout=subprocess.DEVNULL)


def save(name: str, png: bytes) -> None:
    """Writes a picture with few colours."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.thumbnail((PORTRAIT, PORTRAIT))
    image.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
    print(f"docs/pictures/{name}.png: {(FOLDER / f'{name}.png').stat().st_size // 1024} kB", flush=True)


@contextmanager
def server(*words: str) -> Iterator[tuple[str, Iterable[str]]]:
    """A page of houle in a process of its own: its address and the other lines that it prints."""
    command = [sys.executable, "-m", "houle.cli.main", *words, "--no-open", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[1], process.stdout
    finally:
        process.terminate()
        process.wait()


def seen(guest: Guest, height: int = HEIGHT) -> bytes:
    """The top of the page, as high as asked."""
    phone = guest.width < 600
    size = {"width": guest.width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
    guest.browser.call("Emulation.setDeviceMetricsOverride", **size)
    top: bytes = guest.browser.picture(whole=False)
    return top


def studio(guest: Guest, work: Path) -> None:
    """The studio with one rule turned."""
    with server("studio", "wave", "-p", "3") as (home, _):
        guest.go(f"{home}studio?game=wave&players=3&set+hand.back=3")
        guest.wait_for(KNOWN)
        save("studio", seen(guest, 690))


def report(guest: Guest, work: Path) -> None:
    """The first screen of a report on an own variant."""
    rules = str(work / "Storm.toml")
    houle("rules", "wave", "-p", "3", "--set", "hand.front=4", "--write", rules)
    houle("report", "wave", "--rules", rules, "--effort", "quick", "-o", str(work / "storm"))
    guest.go((work / "storm" / "index.html").as_uri())
    save("read-a-report", seen(guest, 730))


def study(guest: Guest, work: Path) -> None:
    """The page of a small study."""
    (work / "study.toml").write_text(
        'name = "Cards in hand"\ngames = 5_000\ntargets = ["win=20%..25%@family"]\n[[grid]]\ngame = "wave"\n'
        'players = [2, 3]\nstrategies = ["family", "seasoned"]\n'
        '[grid.set]\nhand.front = "3..5"\nhand.back = "2..4"\n'
    )
    houle("study", "run", str(work / "study.toml"), "-o", str(work / "study"))
    houle("report", str(work / "study"), "-o", str(work / "study"))
    guest.go((work / "study" / "index.html").as_uri())
    save("batches", seen(guest))


def play_on(guest: Guest, decisions: int) -> None:
    """Makes the first move of the list, or what the rules of thumb point at, some times, and on to a choice."""
    while decisions > 0 or not guest.has("#ask"):
        guest.press("0" if guest.has('[data-key="0"]') else "1", leaves=True)
        decisions -= 1


def play(guest: Guest, work: Path) -> None:
    """A table after some moves, and the same table with a hint."""
    with server("play", "wave", "-p", "3", "--seed", "7") as (home, _):
        guest.go(home)
        play_on(guest, 6)
        save("play", seen(guest, TABLE))
        guest.press("h", leaves=False)
        guest.wait_for("document.querySelector('#hint .advice')?.dataset.longer === ''")  # the last look
        save("advice", seen(guest, TABLE))


def french(guest: Guest, work: Path) -> None:
    """A table in French."""
    with server("play", "wave", "-p", "3", "--seed", "7", "--language", "fr") as (home, _):
        guest.go(home)
        play_on(guest, 6)
        save("french", seen(guest, TABLE))


def phones(guest: Guest, work: Path) -> None:
    """Three phones at one table: one that joins, and two that play."""
    phone, tables = Guest(guest.browser, PHONE[0]), []
    with server("play", "wave", "-p", "3", "--seats", "1,2,3", "--seed", "7", "--lan") as (home, lines):
        code = next(line.split()[2].strip(";") for line in lines if line.startswith("join code: "))
        for name in ("Ana", "Ben", "Cleo"):
            phone.browser.call("Network.clearBrowserCookies")  # another phone
            phone.go(f"{home}join/")
            form = f"find('code').value = {code!r}, find('name').value = {name!r}"
            phone.browser.ask(f"{{ const find = name => document.querySelector(`[name=${{name}}]`); {form} }}")
            joining = seen(phone, PHONE[1])
            phone.click("#join-now")
            tables.append(phone.browser.ask("location.href"))
        pages = [joining]
        for table in tables[:2]:  # when all are here, so the table is not below the invitation
            phone.go(table)
            pages.append(seen(phone, PHONE[1]))
    gap = 12
    wide = Image.new("RGB", (3 * PHONE[0] + 2 * gap, PHONE[1]), "#999")
    for place, page in enumerate(pages):
        wide.paste(Image.open(io.BytesIO(page)), (place * (PHONE[0] + gap), 0))
    file = io.BytesIO()
    wide.save(file, "png")
    save("phones", file.getvalue())


def review(guest: Guest, work: Path) -> None:
    """The chance graph of a simulated game, as a drawing."""
    houle("trace", "wave", "-p", "3", "-s", "regular", "--seed", "7", "--game", "3", "--record", str(work / "game.txt"))
    houle("review", str(work / "game.txt"), "-o", str(FOLDER / "review-wave.svg"))


def own_game(guest: Guest, work: Path) -> None:
    """The game that `houle new` writes, at the table."""
    subprocess.run([sys.executable, "-m", "houle.cli.main", "new", "my-game"], cwd=work, check=True)
    with server("play", str(work / "my_game.py"), "-p", "3", "--seed", "7") as (home, _):
        guest.go(home)
        play_on(guest, 2)
        save("own-game", seen(guest, 520))


PAGES: dict[str, Callable[[Guest, Path], None]] = {
    "studio": studio,
    "read-a-report": report,
    "batches": study,
    "play": play,
    "french": french,
    "phones": phones,
    "review-wave": review,
    "own-game": own_game,
}


NAMES = {*FIGURES, *PAGES, "advice"}  # `play` makes the picture of advice too


def figure(name: str, work: Path) -> None:
    path = work / f"{name}.png"
    houle(*FIGURES[name], "-o", str(path), "-q")
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
                browser.call("Emulation.setScrollbarsHidden", hidden=True)
                for name in pages:
                    PAGES[name](Guest(browser, WIDTH), Path(folder))


if __name__ == "__main__":
    main()
