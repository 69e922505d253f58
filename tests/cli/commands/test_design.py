"""`houle design` from the command line."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from houle.analysis.designing.space import make_space
from houle.cli.commands.design import dropped_lines, idle
from houle.solver.rules import make_setup
from tests.support.call import call, good

pytestmark = pytest.mark.compiled

SETUP = ["design", "wave", "-p", "3", "--set", "talk=known"]
ASKED = [*SETUP, "--target", "win=38..42%@thumb", "--change", "hand.front=2..4,hand.back=1..4"]
FEW = ["-n", "10000"]


def test_answer_comes_first_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    page = good(*ASKED, *FEW, "--write", str(file))
    assert re.match(r"Thumb players win (39|4\d)\.?\d*% \(\S+ to \S+\) with hand\.", page), page
    assert "wanted   win=38..42%@thumb" in page
    assert re.search(r"^hand\.\S+ +\d+\S*% \(\d+ to \d+\) +\+\d+ points \(", page, re.MULTILINE), page
    written = file.read_text()
    assert "# Measured: thumb players win" in written
    assert " games; target win=38..42%@thumb." in written
    assert "--write" not in written
    assert re.search(r"-n \d+ --seed 1$", written, re.MULTILINE)
    assert "hand." in good("rules", "wave", "--rules", str(file)).splitlines()[1]
    assert call(*ASKED, *FEW, "--write", str(file)).exit_code == 2


def test_a_miss_is_not_written(tmp_path: Path) -> None:
    file, figure = tmp_path / "mine.toml", tmp_path / "trades.svg"
    missed = [*ASKED, "--target", "length=0..5@thumb", *FEW, "--write", str(file)]
    refused = call(*missed, "-o", str(figure))
    assert refused.exit_code == 2
    assert "Impossible with these changes: all 12 combinations" in " ".join(refused.stdout.split())
    assert "is not written: the target was not reached" in refused.stderr
    assert not file.exists()
    good(*shlex.split(refused.stderr.partition("the nearest setting: houle ")[2]))
    assert "hand." in file.read_text()
    again = shlex.split(refused.stdout[refused.stdout.index("repeat   houle design") + 9 :])
    assert json.loads(good(*again[1:], "--json"))["result_digest"] in refused.stdout
    caption = " ".join(re.findall(r"<!-- (.*?) -->", figure.read_text()))
    assert "impossible with these changes" in caption
    nearest = re.search(r"turns with (.*?)\.", " ".join(refused.stdout.split()).replace("hand.", "hand:"))
    assert nearest is not None
    assert nearest[1].replace("hand:", "hand.") in caption


def test_dropped_values_and_idle_rules_are_named() -> None:
    page = good(*SETUP, "--target", "win=60..62%@thumb", "--change", "hand.back=1..12,dummy.up", "-n", "30000")
    assert re.search(r"left out hand\.back=9 to 12:", page), page
    assert "idle     dummy.up: no game changed" in page


def test_a_time_ends_a_search_and_its_games_repeat_it() -> None:
    page = good(*ASKED, "--budget", "0.3s", "--keep", "hand.front=4")
    assert "stopped  at the end of its time (--budget)" in page
    again = page[page.index("repeat   houle ") + 15 :].split()
    assert "--budget" not in again
    games = int(again[again.index("-n") + 1])
    assert f"; {games:,} games" in page
    data = json.loads(good(*shlex.split(" ".join(again)), "--json"))
    assert (data["games"], data["stopped"], data["options"]["hand.front"]) == (games, "games", 4)
    assert data["result_digest"] in page
    assert list(data["change"]) == ["hand.back"]


@pytest.mark.parametrize("given", ["", "players = 3\n"])
def test_written_file_keeps_name_and_players_of_its_author(tmp_path: Path, given: str) -> None:
    mine, file = tmp_path / "mine.toml", tmp_path / "easier.toml"
    mine.write_text(f'game = "wave"\nname = "Tempête"\n{given}[set]\ntalk = "known"\n', encoding="utf-8")
    asked = ["-p", "3", "--rules", str(mine), "--target", "win=35..45%@thumb", "--change", "hand.back=3"]
    good("design", "wave", *asked, "-n", "20000", "--write", str(file))
    written = file.read_text(encoding="utf-8")
    assert 'name = "Tempête"' in written
    assert ("\nplayers = 3\n" in written) == bool(given)
    assert "\nhand.back = 3\n" in written


@pytest.mark.quick
def test_values_left_out_are_one_line_per_rule() -> None:
    why = "the deal needs 36 cards"
    dropped = [*((f"hand.front={value}", why) for value in range(10, 14)), ("hand.back=9", why), ("talk=open", why)]
    result = SimpleNamespace(changed=("hand.front", "hand.back=8..9"), space=SimpleNamespace(dropped=dropped))
    lines = [" ".join(line.split()) for line in dropped_lines(result)]  # type: ignore[arg-type]
    assert lines == [
        f"left out hand.front=10 to 13: {why}",
        f"left out hand.back=9: {why}",
        "left out 1 other change that the rules forbid (--json)",
    ]


@pytest.mark.quick
def test_rule_with_some_idle_values_is_not_idle() -> None:
    """`max_turns` is idle at 700 turns, but not at 10."""
    space = make_space(make_setup("vague-attaque", 3), {"max_turns": "10"})
    result = SimpleNamespace(space=space, dead=("max_turns=700", "max_turns=800", "ship_limit=5"))
    assert idle(result) == ["2 values of max_turns", "ship_limit"]  # type: ignore[arg-type]
