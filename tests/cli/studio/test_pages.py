"""The studio by plain requests: states in addresses, refusals in one line, pages sent, the log, what is in play."""

from __future__ import annotations

import http.client
import json
import random
import re
import shlex
import time
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import houle
from houle.analysis.kept import Kept
from houle.analysis.studio.growing_results import Growing
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import read_state
from houle.cli.commands.studio import sent_page
from houle.cli.framework.files import state_folder
from houle.cli.framework.options import Asked
from houle.cli.studio import jobs, pages
from houle.cli.studio.app import FOLDERS, NEEDS, make_app, page_words, turned_in
from houle.cli.studio.extras import Extras
from houle.cli.studio.log import FILE, Log
from houle.cli.web.languages import translated, words_for
from houle.solver.errors import InputError
from houle.solver.rules import Knob, game_names, load, make_setup
from tests.support.amounts import repeated
from tests.support.call import PATIENCE, call, good
from tests.support.playing import WORD, Client, served
from tests.support.studio import all_counted, few_games, studio_here

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
    assert 'id="to-studio"' in client.follow("new")[1], "the page of another game leads back"


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
    part = json.loads(client.follow(address.replace("job?", "job-part?"))[1])
    assert (part["game"], part["done"]) == ("wave", True)  # the page of another game does not show it


@pytest.mark.slow
def test_a_search_that_is_stopped_shows_what_it_has(client: Client) -> None:
    """Long before its time, and the command that is shown gives the same again."""
    address, page = client.follow(f"make-design?{WAVE}&target=48..49@family", "POST")
    part, end = address.replace("job?", "job-part?"), time.monotonic() + PATIENCE
    while "so far)" not in page:
        assert time.monotonic() < end, f"nothing is shown in {PATIENCE:.0f} seconds"
        time.sleep(0.2)
        page = json.loads(client.follow(part)[1])["html"]
    assert "Stop, show what you have" in client.follow(address)[1]
    client.follow(address.replace("job?", "stop-design?"), "POST")
    while not json.loads(client.follow(part)[1])["done"]:
        assert time.monotonic() < end, f"no end in {PATIENCE:.0f} seconds"
        time.sleep(0.1)
    page = client.follow(address)[1]
    assert "until you stopped it" in page
    assert re.search(r"The same search: <code>houle design wave .* -n \d+ --seed 1</code>", page)


def forged(luck: random.Random) -> tuple[str, str, bytes]:
    """A request that means nothing good: method, path and body."""
    text = "".join(luck.choice("0z9aé%&=;/.\\'\"<>{}[]+@") for _ in range(luck.choice((1, 30, 3_000))))
    junk = quote(text)
    queries = (
        f"game={junk}",
        f"{WAVE}&set+{junk}=1",
        f"{WAVE}&set+hand.back={junk}",
        f"{WAVE}&set+hand.back={'9' * 50}",
        f"{WAVE}&players={junk}",
        f"{WAVE}&variant={junk}",
        f"{WAVE}&target={junk}",
        f"{WAVE}&who={junk}",
        f"{WAVE}&x{junk}=1",
        f"{WAVE}&set+deck.missing=" + "red+3," * 900,
        f"{WAVE}&lock={junk}",
        "x=1&" * 400,
        f"{WAVE}&set+hand.back=1&set+hand.front=[1,2]",
        f"{WAVE}&seed=-{luck.randrange(99)}",
        f"{WAVE}&seconds=20",
        f"{WAVE}&set+talk={junk}",
        "game=vague-attaque&set+deck=/etc/passwd",
        "game=..%2F..",
        f"{WAVE}&last={junk}",
        f"{WAVE}&low=9&high={junk}&aimed=family",
        f"{WAVE}&game=wave",
        "a" * 40_000,
    )
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


HARBOUR = "game=wave&players=3&set+hand.back=3&target=20..30@family&name=Harbour"
SETUPS = (
    HARBOUR,
    "game=vague-verte&players=3",
    "game=land-unter&players=4",
    "game=sea-change&players=4",
    "game=vague-attaque&players=3",
)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few_games(monkeypatch, tmp_path)


@cache
def counted(query: str) -> Extras:
    """Shared by the tests that only read it."""
    return all_counted(read_state(query, make_setup("wave", 3)))


@pytest.mark.usefixtures("quick")
@repeated(1, 5)
def test_cards_are_shown_for_every_game(runs: int) -> None:
    for query in SETUPS[:runs]:
        extras = counted(query)
        parts = pages.event_data(extras, Log())["parts"]
        setup = extras.live.state.setup
        for change in setup.game.openings.card_changes(setup):
            assert change.card.partition(" ")[2] in parts["cards"]


@pytest.mark.usefixtures("quick")
def test_a_sent_page_is_opened_again(tmp_path: Path) -> None:
    extras, log = counted(HARBOUR), Log()
    log.note(extras.live, 1)
    log.set(extras.live.state.without_pin.query, "send", True)
    page = pages.send_page(extras, log)
    assert "http" not in page.replace("http-equiv", "")
    assert 'href="studio' not in page
    assert "WAVE, Harbour, 3 players" in page
    assert "The players are simulated" in page
    file = tmp_path / "harbour.html"
    file.write_text(page)
    found = sent_page(Asked(str(file)))
    assert found is not None
    assert found[0].query == extras.live.state.query
    (tmp_path / "other").mkdir()
    other = Log()
    other.entries.clear()
    other.take([*found[1], {"query": "forged"}, 7])
    assert list(other.entries) == [extras.live.state.query]


@pytest.mark.usefixtures("quick")
def test_the_page_speaks_french() -> None:
    """Names of rules, settings and games stay as they are; everything else has a translation."""
    extras, missing = counted(HARBOUR), list[str]()
    page = pages.studio_page(extras.live, Log(), problem="", knob="", extras=extras)
    french = translated(page, words_for("fr", "wave", FOLDERS), "fr", missing.append)
    assert "Familles " in french
    assert "Qui gagne combien de fois" in french
    names = {*extras.live.state.setup.ruleset.knobs, *extras.live.state.setup.ruleset.variants, "hand.back, hand.front"}
    left = [text for text in missing if text not in names and not text.startswith(("set: ", "hand.back="))]
    assert [text for text in left if " " in text] == []


@pytest.mark.parametrize(
    ("data", "words", "problem"),
    [
        ("[1]", "", "not a page of the studio"),
        ('{"query": "game=x", "tried": []}', "", "unknown game 'x'"),
        ('{"query": "game=x", "tried": []}', "-p 3", "its own rules"),
    ],
)
def test_a_file_that_is_no_page_is_refused(data: str, words: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.html"
    file.write_text(f'<script type="application/json" id="houle-studio">{data}</script>')
    result = call("studio", str(file), *words.split())
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.split())


def test_refusals_are_in_the_words_of_the_page() -> None:
    """They stand at the rule that was turned, not at the one that the deal runs out of."""
    state = read_state("game=wave&players=3", make_setup("wave", 3))
    with pytest.raises(InputError) as caught:
        state.setup.turned({"hand.back": 14})
    problem = str(caught.value)
    words = page_words(problem, state.setup)
    assert "--" not in words
    assert not words.startswith("wave")
    assert "turn hand.front too" in words
    form = [("game", "wave"), ("set hand.back", "14"), ("set hand.front", "3")]
    assert turned_in(form, state, problem) == "hand.back"


def rules_of(query: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> tuple[list[str], str]:
    """The rules of a page in their order up to the line about those that are not in play, and the page."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(folder))
    live = StudioRows(read_state(query, make_setup("wave", 3)), CountedRows())
    page = pages.studio_page(live, Log(), problem="", knob="", extras=Extras(live, Kept(9)))
    return re.findall(r'data-knob="([\w.]+)"', page.partition('id="rest"')[0]), page


@pytest.mark.quick
def test_rules_that_are_not_in_play_are_behind_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rules, page = rules_of("game=wave&players=3", monkeypatch, tmp_path)
    assert rules == ["hand.front", "hand.back", "deck.missing", "deck.reverse", "talk", "deck.colours", "deck.numbers"]
    assert "8 rules are not in play here" in page
    assert 'type="hidden" name="set deck.missing"' in page
    two, _ = rules_of("game=wave&players=2&variant=virage", monkeypatch, tmp_path)
    assert {"dummy.up", "dummy.down", "dummy_swaps", "virage_must_fit"} <= {*two}


@pytest.mark.quick
def test_a_variant_has_one_switch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A rule that was set without its variant is on the page, so that it can be undone."""
    for variant, rule in (("tide-colours", "tide.colours"), ("nazare", "nazare")):
        rules, page = rules_of(f"game=wave&players=3&variant={variant}", monkeypatch, tmp_path)
        assert f'value="{variant}" data-whole checked' in page
        assert rule not in rules
    assert "tide.numbers" in rules_of("game=wave&players=3&set+tide.numbers=true", monkeypatch, tmp_path)[0]
    assert 'value="2v2"' not in rules_of("game=sea-change&players=3", monkeypatch, tmp_path)[1]


def other_value(knob: Knob, now: object) -> object:
    """Another value of a rule with single values; None for lists."""
    if knob.type == "int" and isinstance(now, int):
        return now + 1
    return {"bool": not now, "choice": next((one for one in knob.choices if one != now), None)}.get(knob.type)


@repeated(1, 3)
def test_rules_that_are_not_in_play_change_no_game(runs: int) -> None:
    tried = set()
    for setup in (make_setup(name, players) for name in game_names() for players in load(name).players[: runs + 1]):
        for knob in setup.ruleset.knobs.values():
            value = other_value(knob, setup.options[knob.name])
            if value is None or knob.in_play(setup.players, setup.options):
                continue
            try:
                changed = setup.turned({knob.name: value})
            except InputError:
                continue
            games = [Growing(one, "random", 1) for one in (setup, changed)]
            for one in games:
                one.play(60, lambda: False)
            assert games[0].tally.as_data() == games[1].tally.as_data(), knob.name
            tried.add(knob.name)
    assert {"virage_must_fit", "dummy.up", "facedown"} <= tried
