"""A thousand forged, malformed and huge requests, and how long a click takes: `make slow`."""

from __future__ import annotations

import random
import re
import statistics
import time
from pathlib import Path

import pytest

from houle.solver.rules import game_names
from tests.cli.play.test_browser import free_port
from tests.support.playing import WORD, Client, move_on, picks, seated, serving, serving_here

REQUESTS = 1_000
SETTLED = 200  # requests after which memory is measured
MOST_GROWTH = 20_000_000  # bytes
MOST_SECONDS = 0.3  # of the processor, median of a click with thumbs
LONGEST = 60.0  # seconds that any request may take, on a busy machine too

pytestmark = pytest.mark.slow


def forged(luck: random.Random, good: str) -> tuple[str, str, bytes]:
    """A request that means nothing good: method, path and body."""
    junk = bytes(luck.randrange(256) for _ in range(luck.choice((0, 3, 40, 2_000))))
    text = "".join(luck.choice("0z9aé%&=;/.\\'\"<>{}[]") for _ in range(luck.choice((1, 30, 4_000))))
    where, query = good.partition("?")[0], good.partition("?")[2]
    cut = luck.randrange(len(query))
    mangled = query[:cut] + luck.choice(("0", "z", "%00", "&", "=", "person", "9" * 30, "")) + query[cut + 1 :]
    page = luck.choice(("table", "move", "undo", "hint", "moves", "record", "new", "load", "nothing", "style.css"))
    path = where.replace("table", page) + "?" + luck.choice((mangled, query, "worlds=5&" + query, quoted(text)))
    body = luck.choice((junk, b"ply=0&pick=0&" + junk, b"record=" + junk * 20, b"x" * 700_000, b"game=wave&" * 40))
    if luck.random() < 0.1:
        path = path.replace(WORD, luck.choice(("", "x", WORD[::-1], ".." + WORD)))
    return luck.choice(("GET", "POST", "POST", "PUT", "DELETE", "HEAD")), path, body


def quoted(text: str) -> str:
    return "".join(sign if sign.isascii() and sign.isalnum() else f"%{ord(sign):02X}" for sign in text)


def memory(port: int) -> int:
    """Bytes of the process that listens there."""
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = status.read_bytes()
            if b"play" in words and str(port).encode() in words:
                size = re.search(r"VmRSS:\s+(\d+)", (status.parent / "status").read_text())
                return int(size[1]) * 1024 if size else 0
        except OSError:
            continue
    return 0


def test_server_survives_a_thousand_bad_requests() -> None:
    luck, answers, held, port = random.Random(19), [], [], free_port()
    with serving("play", "wave", "--seed", "7", port=port):
        client = Client(port)
        good = client.follow("")[0]
        slowest = 0.0
        for number in range(REQUESTS):
            method, path, body = forged(luck, good)
            start = time.perf_counter()
            answers.append(client.ask(path, method, body)[0])
            slowest = max(slowest, time.perf_counter() - start)
            if number % SETTLED == SETTLED - 1:
                held.append(memory(port))
        assert client.ask(good)[0] == 200
    assert held[0] > 0
    assert max(answers) < 500, sorted(set(answers))
    counted = dict(sorted((one, answers.count(one)) for one in set(answers)))
    sizes = [round(size / 1e6) for size in held]
    print(f"{REQUESTS} requests: {counted}; slowest {slowest:.2f} s; MB after every {SETTLED} of them: {sizes}")
    assert held[-1] - held[0] < MOST_GROWTH
    assert slowest < LONGEST


@pytest.mark.parametrize("game", game_names())
def test_a_click_is_answered_quickly(game: str) -> None:
    """A move and the page after it, thumbs in the other seats."""
    taken = []
    with serving_here(seated(game)) as client:
        _, page = client.follow("")
        while picks(page) and len(taken) < 40:
            address, body = move_on(page)
            start = time.process_time()  # the server is a thread of this process; other processes do not count
            _, page = client.follow(address, "POST", body)
            taken.append(time.process_time() - start)
    print(f"{game}: median {1000 * statistics.median(taken):.0f} ms of {len(taken)} clicks")
    assert statistics.median(taken) < MOST_SECONDS
