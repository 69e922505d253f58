"""A turned rule makes its setup once: the check, the page and the answers after it share it."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from houle.analysis.studio.rows import StudioRows
from houle.cli.studio.app import make_app
from houle.cli.studio.extras import Extras
from houle.solver.rules import Setup, make_setup
from houle.solver.rules import setup as setups
from tests.support.asking import ask
from tests.support.playing import WORD

pytestmark = pytest.mark.quick


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The digests of all setups that were made since."""
    found: list[str] = []
    check = setups._playable

    def counted(setup: Setup) -> Setup:
        found.append(setup.digest)
        return check(setup)

    monkeypatch.setattr(setups, "_playable", counted)
    monkeypatch.setattr(StudioRows, "next", lambda live: None)  # nothing is counted
    monkeypatch.setattr(Extras, "step", lambda extras, stop, only_cards=False: False)
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    return found


def test_a_turned_rule_makes_its_setup_once(made: list[str]) -> None:
    near = make_setup("wave", 3, (), {"hand.front": 4})
    app, digests = make_app(near, WORD), []
    made.clear()
    last = ask(app, f"/{WORD}/")[1]["location"].partition("?")[2]
    assert made == []
    for value in (3, 4):
        status, _, text = ask(app, f"/{WORD}/check?{last}&set+hand.back={value}&last={quote(last)}")
        assert status == 200
        last = json.loads(text)["query"]
        assert ask(app, f"/{WORD}/live?{last}&tab=one")[0] == 200
        digests.append(make_setup("wave", 3, (), {"hand.front": 4, "hand.back": value}).digest)
        made.pop()
        assert made == digests
        last = last.replace(f"&set+hand.back={value}", "") if value == 3 else last
    assert ask(app, f"/{WORD}/check?{last}&set+hand.front=99&last={quote(last)}")[0] == 422
    assert made == digests
