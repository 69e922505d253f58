"""The local pages by plain requests: no hidden card in any answer, forged requests refused, many answered quickly."""

from __future__ import annotations

import random
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np
import pytest

from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import Course, from_record
from houle.analysis.players.line_ups import setup
from houle.cli.play import pages
from houle.cli.play.app import form_of
from houle.cli.play.forms import chosen
from houle.cli.play.pages import table_page
from houle.cli.play.review import Reviews
from houle.cli.play.setup_position import SetUp
from houle.cli.web import guard
from houle.solver.errors import InputError, PositionError
from houle.solver.matches.record.game import read_record
from houle.solver.rules import game_names
from tests.cli.play.test_browser import free_port
from tests.support.call import PATIENCE
from tests.support.playing import (
    WORD,
    Client,
    at_random,
    filled_in,
    found,
    leaks,
    move_on,
    picks,
    seated,
    serving,
    serving_here,
    swapped,
)

pytestmark = pytest.mark.compiled

TABLES = [
    ("wave", 3, "nazare"),
    ("sea-change", 3, "base"),
    ("land-unter", 3, "base"),
    ("vague-verte", 2, "base"),
    ("vague-attaque", 3, "base"),
]
OPENS = r"&amp;open=(\d)"
MOST = 8  # decisions of a game that are played


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving_here(seated("wave", players=3)) as client:
        yield client


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table[0])
def test_no_answer_holds_a_hidden_card(client: Client, table: tuple[str, int, str]) -> None:
    """Hot seats too: a covered page shows nothing at all."""
    game, players, variant = table
    form = f"game={game}&players={players}&variant={variant}&seed=7&seat+1=person&seat+2=person"
    luck = random.Random(3)
    address, page = client.follow(f"deal?{form}")
    seen = 0
    for _ in range(4 * MOST):
        assert leaks(address, page) == set()
        if 'id="uncover"' in page:
            assert '<svg class="card"' not in page
            address, page = client.follow(f"table?{address.partition('?')[2]}&open={found(OPENS, page)}")
            assert leaks(address, page) == set()
        if 'id="end"' in page or seen == MOST:
            break
        if seen in (2, 3):
            link = address.partition("?")[2]
            for other in (f"hint?{link}&worlds=10", f"moves?{link}"):
                status, _, text = client.ask(other)
                assert status == 200
                assert leaks(address, text) == set()
        move, body = move_on(page, luck.choice(picks(page)))
        address, page = client.follow(move, "POST", body)
        seen += 1
    assert seen > 3


@pytest.mark.quick
def test_an_uncovered_link_shows_no_other_hand() -> None:
    course = Course(seated("wave", 0, 1, 2))
    own, other = (table_page(course, {"open": str(seat)}, None) for seat in (1, 2))
    assert 'id="uncover"' not in own
    assert '<svg class="card"' in own
    assert 'id="uncover"' in other
    assert '<svg class="card"' not in other


def test_wrong_tokens_hosts_and_origins_are_refused(client: Client) -> None:
    good = client.follow("")[0]
    for path in ("/", "/x/table", f"/{WORD}x/table", "//", good.replace(WORD, WORD[:-1])):
        assert client.ask(path)[0] == 403, path
    for host in ("evil.example", "evil.example:80", "127.0.0.1", "localhost:1", ""):
        assert client.ask("table", host=host)[0] == 403
    move = good.replace("table?", "move?")
    assert client.ask(move, "POST", "ply=0&pick=0", origin="http://evil.example")[0] == 403
    assert client.ask(move, "POST", "ply=0&pick=0", origin="null")[0] == 403
    assert client.ask(move, "POST", "ply=0&pick=0", origin=f"http://127.0.0.1:{client.port}")[0] == 303
    head = client.ask(good)[1]
    assert "default-src 'none'" in head["content-security-policy"]
    assert head["cache-control"] == "no-store"


def test_forged_and_malformed_requests_are_refused(client: Client) -> None:
    good = client.follow("")[0]
    move = good.replace("table?", "move?")
    for body in (
        "",
        "ply=0",
        "ply=0&pick=99",
        "ply=1&pick=0",
        "ply=-1&pick=0",
        "ply=0&pick=0&pick=1",
        "ply=0&pick=x",
        "ply=0&pick=" + "9" * 5000,
        "\0",
        "ply=%ff&pick=%ff",
        "ply=٣&pick=0",
    ):
        assert client.ask(move, "POST", body.encode())[0] == 400, body
    for path in (
        "table",
        "table?game=wave",
        "table?game=nothing&deal=1/0",
        good + "&deal=7/0",
        good + "0" * 40,
        good + "zzzzzzzzzzzzz",
        good.replace("deal=7/0", "deal=" + "9" * 30 + "/0"),
        good + "&was=!!",
        good.replace("seats=person,thumb,thumb", "seats=person,flat:1000000,thumb"),
        good.replace("table?", "hint?") + "&worlds=9999999",
        good.replace("table?", "hint?"),
        "new?game=..%2F..&players=3",
        "new?players=99",
        "table?" + "a=1&" * 300,
    ):
        assert client.ask(path)[0] == 400, path
    for body in ("record=", "record=game: wave", "record=" + "x" * 50_000, "record=%00", "set deck=/etc/passwd"):
        assert client.ask("load", "POST", body)[0] == 400, body
    with pytest.raises(InputError, match="deck"):
        chosen(form_of(b"game=vague-attaque&set+deck=/etc/passwd"), setup("wave"))
    assert client.ask("load", "POST", "record=" + "x" * 700_000)[0] == 413
    assert client.ask("nothing")[0] == 404
    assert client.ask("move", "GET")[0] == 405
    assert client.ask(good)[0] == 200


def test_broken_requests_do_not_block_others(client: Client) -> None:
    head = f"POST /{WORD}/load HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
    slow = f"{head}Content-Length: 50\r\n\r\nab".encode()
    with ExitStack() as lines:
        for words in (b"", b"GET", b"\x16\x03\x01" + b"\xff" * 300, b"GET / HTTP/9.9\r\n\r\n", b"x" * 70_000, slow):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", client.port), PATIENCE))
            line.sendall(words)
        assert client.ask(client.follow("")[0])[0] == 200
    assert client.ask(client.follow("")[0])[0] == 200


PIECE = f"10000\r\n{'x' * 65_536}\r\n"
ODD = {
    "two hosts": ("GET /{word}/table HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n", b"400"),
    "an absolute address": ("GET http://evil.example/{word}/table HTTP/1.1\r\nHost: {host}\r\n\r\n", b"403"),
    "a way out": ("GET /{word}/../../etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n", b"404"),
    "a hidden way out": ("GET /{word}/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n", b"404"),
    "a huge body": ("POST /{word}/load HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000000000\r\n\r\n", b"413"),
    "no end": ("POST /{word}/load HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n" + PIECE * 11, b"413"),
    **{
        f"{method} {target}": (f"{method} {target} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", b"4")
        for method in ("GET", "OPTIONS", "CONNECT")
        for target in ("*", "foo", "?x=1", "127.0.0.1:1", "//", "http:")
    },
}


@pytest.mark.parametrize("case", ODD)
def test_odd_requests_are_refused(client: Client, case: str) -> None:
    words, answer = ODD[case]
    with socket.create_connection(("127.0.0.1", client.port), PATIENCE) as line:
        line.sendall(words.format(word=WORD, host=f"127.0.0.1:{client.port}").encode())
        assert line.recv(12).split()[1].startswith(answer)


@pytest.mark.parametrize("words", [b"", b"GET /"], ids=["silent", "slow"])
def test_a_connection_that_sends_nothing_is_closed(words: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "HEAD_TIME", 0.2)
    with serving_here(seated("wave")) as client:
        with socket.create_connection(("127.0.0.1", client.port), PATIENCE) as line:
            line.sendall(words)
            assert line.recv(1) == b""  # closed by the server
        assert client.ask(client.follow("")[0])[0] == 200


def test_a_slow_sender_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is answered when its time is over, and cannot keep the connection by sending on."""
    monkeypatch.setattr(guard, "BODY_TIME", 0.2)
    with (
        serving_here(seated("wave")) as client,
        socket.create_connection(("127.0.0.1", client.port), PATIENCE) as line,
    ):
        where = f"127.0.0.1:{client.port}"
        line.sendall(f"POST /{client.word}/move HTTP/1.1\r\nHost: {where}\r\nContent-Length: 100000\r\n\r\n".encode())
        end, open_still = time.monotonic() + PATIENCE / 10, True
        while open_still and time.monotonic() < end:
            try:
                line.sendall(b"x")
            except OSError:
                open_still = False
            time.sleep(0.05)
        assert not open_still


def test_too_many_connections_are_one_line() -> None:
    """The server survives more idle connections than it may open files."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)); from houle.cli.main import main;"
    )
    command = [sys.executable, "-c", f"{code}sys.argv = ['houle', 'play', 'wave', '--no-open', '--port', '0']; main()"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server,
        ExitStack() as lines,
    ):
        assert server.stdout
        assert server.stderr
        address = server.stdout.readline().split()[-1]
        port = int(address.split(":")[2].partition("/")[0])
        while b'http-equiv="refresh"' in urlopen(address, timeout=PATIENCE).read():
            time.sleep(0.1)
        for _ in range(50):
            lines.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        said = server.stderr.readline()
        lines.close()
        assert _status_in_the_end(address) == 200
        server.kill()
        assert said == "houle: too many connections at once; new ones wait until others are closed\n"
        assert server.stderr.read() == ""


def _status_in_the_end(address: str) -> int:
    """The answer once closed connections are gone: the system may reset one that waited behind them."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address, timeout=PATIENCE) as page:
                return int(page.status)
        except OSError:
            assert time.monotonic() < end, f"no answer in {PATIENCE:.0f} seconds"
            time.sleep(0.1)


def test_undo_branch_save_load_same_deal(client: Client) -> None:
    address, page = client.follow("deal?game=wave&players=3&seed=7")
    first = address
    for _ in range(3):
        move, body = move_on(page)
        address, page = client.follow(move, "POST", body)
    assert client.follow(found(r'action="(undo\?[^"]*)"', page), "POST")[0] < address
    moves = client.ask(address.replace("table?", "moves?"))[2]
    ways = [unescape(way) for way in re.findall(r'class="what-if" href="([^"]*)"', moves)]
    assert len(ways) == 3
    branch = client.follow(ways[1])[1]
    assert 'id="branch"' in branch
    assert found(r'another move\. <a href="([^"]*)"', branch) == address.partition(f"{WORD}/")[2]
    status, head, record = client.ask(address.replace("table?", "record?"))
    assert status == 200
    assert head["content-disposition"].startswith("attachment")
    assert "front" not in record
    assert client.follow("load", "POST", f"record={quote(record)}")[0] == address
    assert found(r'id="again" href="([^"]*)"', page) == first.partition(f"{WORD}/")[2]


def sixth_decision(game: str, *people: int) -> Course:
    """The sixth decision of people who move at random."""
    return list(at_random(seated(game, *people, players=3), 6))[-1]


def pages_of(course: Course) -> list[str]:
    """All pages of a game in progress, as the person to move gets them."""
    opened = {"open": str(course.to_move + 1)}
    reviews = Reviews()
    made = [
        pages.table_page(course, opened, None),
        pages.moves_page(course, opened),
        pages.hint_page(course, opened, worlds=10, part=False, record=None),
        SetUp(course.sitting).of_game(course, opened),
        course.record().as_text() if course.made else "",
    ]
    for at in range(1, len(course.made) + 1):
        made.append(reviews.page(course, {**opened, "at": str(at)}, "position"))
    return made


@pytest.mark.parametrize("game", game_names())
def test_pages_stay_the_same_with_swapped_cards(game: str) -> None:
    """Table, history, set-up position, and the review at every earlier move."""
    course = sixth_decision(game, 0, 1)
    real = pages_of(course)
    other, moves = swapped(course, course.to_move, 5)
    assert not np.array_equal(other.match.states, course.match.states)
    assert pages_of(other) == real
    assert moves > 2


@pytest.mark.parametrize("game", game_names())
def test_no_page_shows_the_view_of_a_computer(game: str) -> None:
    """A link in which a computer is to move is played on until a person is."""
    course = sixth_decision(game, 0)
    others = [made.number - 1 for made in course.made if made.seat != 0]
    waiting = Course(course.sitting.until(others[-1]))
    assert not waiting.waits_for_a_person
    course = waiting.go_on()
    forged, good = link_of(waiting.sitting), link_of(course.sitting)
    with serving_here(course.sitting) as client:
        for page in ("table?", "hint?worlds=4&", "moves?", "position?", "review?side=2&"):
            asked = [client.ask(page + link, x_part="position") for link in (forged, good)]
            assert [status for status, _, _ in asked] == [200, 200], page
            text, same = (re.sub(r'hreflang="fr"[^>]*', "", one[2]) for one in asked)
            assert text == same, page
            assert "review" in page or leaks(f"table?{good}", filled_in(text)) == set(), page
        record = client.ask(f"record?{forged}")[2]
    assert record == course.record().as_text()
    for page in (pages.table_page, pages.moves_page):
        with pytest.raises(PositionError, match="a person has to be to move"):
            page(waiting, {}, *([None] if page is pages.table_page else []))


def test_saved_games_name_no_secret_move() -> None:
    """A card that was chosen face down is in the record once it is revealed; a loaded game chooses it again."""
    course = Course(seated("land-unter", 1, players=3))
    assert [made.seat for made in course.made] == [0]
    assert course.record().moves == ()
    after = course.choose(0)
    assert len(after.record().moves) == 3
    assert from_record(read_record(after.record().as_text()), after.sitting.seats) == after.sitting


@pytest.mark.parametrize("page", ["hint", "moves", "review", "position"])
def test_pages_of_another_hand_are_refused(page: str) -> None:
    """At one screen the hand of the person to move must be shown first; another seat's name does not do."""
    course = Course(seated("wave", 0, 1)).choose(0)
    with serving_here(course.sitting) as client:
        link = f"{page}?{link_of(course.sitting)}&worlds=4"
        for forged in ("", f"&open={2 - course.to_move}", "&open=3", "&open=x", "&side=1"):
            assert client.ask(link + forged)[0] == 400
        assert client.ask(f"{link}&open={course.to_move + 1}")[0] == 200


def test_review_hides_cards_on_branches_of_other_players() -> None:
    course = Course(seated("wave", 0, 1)).choose(0).choose(0)
    opened = {"open": str(course.to_move + 1)}
    for made in course.made:
        part = Reviews().page(course, {**opened, "at": str(made.number)}, "position")
        way = re.search(r'id="try" href="table\?([^"]*)"', part)
        assert (way is not None) == (made.seat < 2)
        assert way is None or ("open=" in way[1]) == (made.seat == course.to_move)


REQUESTS = 1_000
SETTLED = 200  # requests after which memory is measured
MOST_GROWTH = 20_000_000  # bytes
MOST_SECONDS = 0.3  # of the processor, median of a click with thumbs
LONGEST = 60.0  # seconds that any request may take, on a busy machine too


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


@pytest.mark.slow
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


@pytest.mark.slow
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
