"""The studio by plain requests: states in addresses, refusals in one line, buttons, the log."""

from __future__ import annotations

import http.client
import json
import random
import re
import shlex
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import houle
from houle.cli.framework.files import state_folder
from houle.cli.studio import jobs
from houle.cli.studio.app import NEEDS, make_app
from houle.cli.studio.log import FILE
from houle.solver.rules import make_setup
from tests.support.call import PATIENCE, good
from tests.support.playing import WORD, Client, served
from tests.support.repeated import repeated
from tests.support.studio import studio_here

pytestmark = pytest.mark.compiled

WAVE = "game=wave&players=3"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOULE_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        with studio_here(make_setup("wave", 3)) as client:
            yield client


def sentence(page: str) -> str:
    match = re.search(r'id="sentence"[^>]*>([^<]*)', page)
    assert match
    return unescape(match[1])


def test_the_first_page_has_the_answer(client: Client) -> None:
    address, page = client.follow("")
    assert address.endswith(f"studio?{WAVE}")
    assert sentence(page).startswith("Families win ")
    assert "The printed rules, without a change." in page


def test_a_form_without_script_leads_to_the_same_state(client: Client) -> None:
    """All fields are sent, the address keeps only what differs from print."""
    knobs = make_setup("wave", 3).ruleset.knobs
    form = f"{WAVE}&last={quote(WAVE)}&low=38&high=42&aimed=family&who=family&seed=1"
    form += "".join(f"&set+{knob}=3" for knob in ("hand.front", "hand.back") if knob in knobs)
    address, page = client.follow(f"studio?{form}")
    assert address.endswith(f"studio?{WAVE}&set+hand.back=3")
    assert "hand.back = 3, not 2 (printed)" in page
    assert "(printed rules " in sentence(page)


def test_another_number_of_players_keeps_what_was_changed(client: Client) -> None:
    last = f"{WAVE}&set+hand.back=3"
    form = f"game=wave&players=4&set+hand.back=3&set+hand.front=3&last={quote(last)}"
    assert client.follow(f"studio?{form}")[0].endswith("studio?game=wave&players=4&set+hand.back=3")
    other = client.follow(f"studio?game=land-unter&players=3&set+hand.back=3&last={quote(last)}")[0]
    assert other.endswith("studio?game=land-unter&players=3")


def test_what_does_not_fit_is_refused_beside_the_knob(client: Client) -> None:
    """The last valid setup stays."""
    bad = f"studio?{WAVE}&set+hand.back=99&last={quote(WAVE + '&set+hand.front=4')}"
    status, _, page = client.ask(bad)
    assert status == 422
    item = page[page.index('data-knob="hand.back"') :]
    assert "99 is not allowed" in item[: item.index("</li>")]
    assert "hand.front = 4, not 3" in page
    status, _, text = client.ask(bad.replace("studio?", "check?"))
    assert (status, json.loads(text)["knob"]) == (422, "hand.back")


def events(client: Client, query: str, number: int) -> list[dict[str, Any]]:
    """The first events of a state; then the page is left."""
    line = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE)
    line.request("GET", f"/{WORD}/live?{query}&tab=one")
    answer = line.getresponse()
    assert answer.status == 200
    text = b""
    while len(found := re.findall(rb"event: answers\ndata: (.*)\n", text)) < number:
        text += answer.readline()
    line.close()
    return [json.loads(one) for one in found]


def test_events_hold_the_answers(client: Client) -> None:
    """The first one comes before the log is written."""
    first, second = events(client, f"{WAVE}&set+hand.front=4", 2)
    assert set(first["parts"]) == {"sentence", "status", "small", "answers", "commands"}
    assert set(second["parts"]) == {*first["parts"], "log"}
    assert "Families" in first["parts"]["sentence"]
    assert max(map(int, re.findall(r'data-games="(\d+)"', first["parts"]["answers"]))) >= 100
    assert re.match(r"still counting: [\d,]{3,} games of families", first["parts"]["status"])


def test_first_numbers_do_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another count goes on, of a search whose games take long."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    app = make_app(make_setup("wave", 3), WORD)
    with served(app, NEEDS, "wave") as client, app.studio.counting:
        (first,) = events(client, f"{WAVE}&set+hand.back=1", 1)
    assert "Families" in first["parts"]["sentence"]


def test_commands_give_the_digests_shown(client: Client) -> None:
    shown: list[Any] = []
    while len(shown) < 8:
        page = client.follow(f"studio?{WAVE}&set+hand.back=4")[1]
        shown = re.findall(r'data-digest="(\w+)" data-line="([^"]*)"', page)
    digest, line = shown[2]
    assert digest in good(*shlex.split(unescape(line))[1:])


def test_the_saved_file_is_the_variant(client: Client, tmp_path: Path) -> None:
    query = f"{WAVE}&variant=virage&set+hand.back=3&set+deck.missing=white+0,navy+5,red+3"
    client.follow(f"studio?{query}")
    status, head, text = client.ask(f"variant.toml?{query}")
    assert status == 200
    assert head["content-disposition"].startswith("attachment")
    assert "# families: " in text
    file = tmp_path / "mine.toml"
    file.write_text(text)
    mine = make_setup("wave", 3, ["virage"], {"hand.back": 3, "deck.missing": ["white 0", "navy 5", "red 3"]})
    assert houle.setup("wave", rules=file).digest == mine.digest


def test_the_variant_is_played_at_once(client: Client) -> None:
    address, page = client.follow(f"play-now?{WAVE}&set+hand.back=3", "POST")
    assert "/table?" in address
    assert "set+hand.back=3" in address
    assert 'class="choices"' in page


def tried() -> str:
    """The list of what was tried, as it is kept."""
    file = state_folder() / FILE
    return file.read_text() if file.exists() else ""


def test_the_log_keeps_names(client: Client) -> None:
    query = f"{WAVE}&set+hand.front=5"
    client.follow(f"studio?{query}")
    client.follow(f"name?{query}", "POST", f"query={quote(query)}&label={quote('=five <b>')}")
    page = client.follow(f"studio?{query}")[1]
    assert "=five &lt;b&gt;" in page
    assert "=five <b>" in tried()
    pinned = client.follow(f"studio?{query}&pin={quote(query)}")[1]
    assert 'id="pins"' in pinned
    client.follow(f"name?{query}", "POST", f"query={quote(query)}&remove=1")
    assert "=five" not in tried()


def test_the_log_survives_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    query = f"{WAVE}&set+hand.front=2"
    with studio_here(make_setup("wave", 3)) as client:
        client.follow(f"studio?{query}")
    with studio_here(make_setup("wave", 3)) as client:
        assert query in tried()


@pytest.mark.slow
def test_the_search_for_the_target_answers(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SEARCH_TIME", "5s")
    query = f"{WAVE}&lock=talk&lock=deck.missing&lock=deck.reverse&target=10..30@family"
    address, page = client.follow(f"make-design?{query}", "POST")
    end = time.monotonic() + PATIENCE
    while "http-equiv" in page:
        assert time.monotonic() < end, f"no answer in {PATIENCE:.0f} seconds"
        time.sleep(0.1)
        page = client.follow(address)[1]
    assert "Take this" in page
    assert "--keep talk" in page


def forged(luck: random.Random) -> tuple[str, str, bytes]:
    """A request that means nothing good: method, path and body."""
    text = "".join(luck.choice("0z9aé%&=;/.\\'\"<>{}[]+@") for _ in range(luck.choice((1, 30, 3_000))))
    junk = quote(text)
    queries = (
        f"game={junk}", f"{WAVE}&set+{junk}=1", f"{WAVE}&set+hand.back={junk}", f"{WAVE}&set+hand.back={'9' * 50}",
        f"{WAVE}&players={junk}", f"{WAVE}&variant={junk}", f"{WAVE}&target={junk}", f"{WAVE}&who={junk}",
        f"{WAVE}&x{junk}=1", f"{WAVE}&set+deck.missing=" + "red+3," * 900, f"{WAVE}&lock={junk}", "x=1&" * 400,
        f"{WAVE}&set+hand.back=1&set+hand.front=[1,2]", f"{WAVE}&seed=-{luck.randrange(99)}", f"{WAVE}&seconds=20",
        f"{WAVE}&set+talk={junk}", "game=vague-attaque&set+deck=/etc/passwd", "game=..%2F..", f"{WAVE}&last={junk}",
        f"{WAVE}&low=9&high={junk}&aimed=family", f"{WAVE}&game=wave", "a" * 40_000,
    )  # fmt: skip
    page = luck.choice(("studio", "check", "live", "variant.toml", "play-now", "make-report", "make-design", "name"))
    method = "POST" if page in ("play-now", "make-report", "make-design", "name") else "GET"
    method = method if luck.random() < 0.9 else luck.choice(("PUT", "DELETE", "POST"))
    return method, f"{page}?{luck.choice(queries)}", luck.choice((b"", junk.encode()[:400], b"x" * 700_000))


@repeated(40, 500)
def test_forged_requests_get_one_line(client: Client, runs: int) -> None:
    luck = random.Random(40)
    client.follow("studio?game=vague-attaque")  # a game that is not ready yet is answered with a page that waits
    before = tried()
    for _ in range(runs):
        method, path, body = forged(luck)
        origin = {"origin": "http://evil.example"} if luck.random() < 0.1 else {}
        status, _, text = client.ask(path, method, body if method != "GET" else None, **origin)
        assert 400 <= status < 500, (status, method, path[:200])
        lines = re.findall(r'role="alert">([^<]*)<', text) or [text]
        assert all("\n" not in line.strip() for line in lines), path[:200]
    assert tried() == before
    assert client.ask(f"studio?{WAVE}")[0] == 200
