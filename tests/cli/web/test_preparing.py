"""A game that is not compiled yet: its pages say so and go on by themselves; the address comes first."""

from __future__ import annotations

import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from houle.cli.framework.state import QUICK, note_seconds, usual_seconds
from houle.cli.web.preparing import Preparation
from tests.support.call import PATIENCE
from tests.support.playing import serving

SHED = Path(__file__).parents[2] / "support" / "toys" / "shed"


def until_ready(address: str) -> list[str]:
    """The pages that an address shows until it no longer waits."""
    pages: list[str] = []
    end = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < end, f"not ready in {PATIENCE:.0f} seconds: {pages[-1][:500]}"
        with urlopen(Request(address), timeout=PATIENCE) as answer:
            pages.append(answer.read().decode())
        if "http-equiv" not in pages[-1] and 'id="compiling"' not in pages[-1]:
            return pages
        time.sleep(0.3)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "studio"])
def test_a_cold_game_is_prepared_visibly(tmp_path: Path, command: str) -> None:
    game, cold = ("shed", "--game-path", str(SHED)), str(tmp_path / "cache")
    with serving(command, *game, state=tmp_path / "state", HOULE_CACHE_DIR=cold) as address:
        pages = until_ready(address)
        assert any("Preparing " in page for page in pages)
        assert "Preparing " not in pages[-1]
        assert "shed" in (tmp_path / "state" / "compile-seconds.json").read_text()


@pytest.mark.compiled
def test_a_compiled_game_is_only_loaded() -> None:
    preparation = Preparation()
    work = preparation.start("wave")
    assert preparation.start("wave") is work
    assert work.done.wait(PATIENCE)
    assert not work.compiling
    assert preparation.ready("wave")


@pytest.mark.quick
def test_the_estimate_is_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    before = usual_seconds("wave")
    (tmp_path / "compile-seconds.json").write_text('{"wave": 31.5, "land-unter": 20.5}')
    assert before == 60.0
    assert usual_seconds("wave") == 31.5
    assert usual_seconds("sea-change") == 26.0
    note_seconds("wave", 12.0, QUICK)
    assert usual_seconds("wave", QUICK) == usual_seconds("sea-change", QUICK) == 12.0
    assert usual_seconds("wave") == 31.5
    (tmp_path / "compile-seconds.json").write_text("[1")
    assert usual_seconds("wave") == 60.0
