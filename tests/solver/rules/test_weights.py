"""Weights files: errors are one line with file and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from houle.solver.errors import InputError
from houle.solver.players.weights import check_weights
from houle.solver.rules.game_folders import VARIABLE
from tests.support.call import call
from tests.support.toys.quay import FOLDER

pytestmark = pytest.mark.quick

GOOD = '[[player]]\nname = "thumb"\n[player.weights]\ngap = 3\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("gap", "gapp"), "player 1 (thumb): there is no rule of thumb 'gapp'; did you mean 'gap'?"),
        (GOOD.replace("3", "0.5"), "player 1 (thumb): gap: 0.5 is not a whole number"),
        (GOOD.replace('name = "thumb"\n', ""), "player 1: name is missing"),
        ('[[player]]\nname = "thumb"\n', "player 1: weights is missing"),
        (GOOD.replace('"thumb"', "3"), "player 1: name: 3 is not allowed; allowed: text in quotes"),
        (GOOD.replace("3", "9" * 12), "player 1 (thumb): gap: 999999999999 is not a whole number up to 1,000,000,000"),
        (GOOD.replace('thumb"', 'thumb"\nnoise = nan'), "player 1: noise: nan is not a number"),
        (GOOD.replace('thumb"', 'thumb"\nwhen = 3'), "player 1: when: 3 is not allowed"),
        ("player = 3\n", "weights.toml: player: 3 is not allowed; allowed: a list"),
        (f"reader = 3\n{GOOD}", "weights.toml: reader: 3 is not allowed"),
        (
            f"{GOOD}[reader]\nreads = 'x'\n",
            "weights.toml: reader: reads: 'x' is not allowed; allowed: a whole number or a number",
        ),
        (f"{GOOD}oops\n", "weights.toml: not valid TOML: "),
        (f"thumb = 3\n{GOOD}", "weights.toml: unknown key 'thumb'; there is expert, player, reader"),
        (f"{GOOD}[raeder]\nreads = 1\n", "weights.toml: unknown key 'raeder'; did you mean 'reader'?"),
        (GOOD.replace('thumb"', 'thumb"\nnoize = 3'), "player 1: unknown key 'noize'; did you mean 'noise'?"),
        (f"{GOOD}[reader]\nraeds = 3\n", "weights.toml: reader: unknown key 'raeds'; did you mean 'reads'?"),
        (f"expert = 3\n{GOOD}", "weights.toml: expert: 3 is not allowed; allowed: a list"),
        (f"{GOOD}[[expert]]\nstrategy = 'flat:2'\nwhe = {{}}\n", "expert: unknown key 'whe'; did you mean 'when'?"),
    ],
)
def test_invalid_weights_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(GOOD)
    check_weights(file, ["gap", "stop"])
    file.write_text(text)
    with pytest.raises(InputError, match=r"weights\.toml: ") as fault:
        check_weights(file, ["gap", "stop"])
    assert complaint in str(fault.value)


@pytest.mark.parametrize(
    "content", [b"oops", b"[[[", b"\xff\xfe", b"thumb = 3"], ids=["text", "brackets", "bytes", "key"]
)
@pytest.mark.parametrize("command", ["players", "simulate"])
def test_commands_refuse_a_malformed_file(
    tmp_path: Path, content: bytes, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    folder = shutil.copytree(FOLDER, tmp_path / tmp_path.name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "quay.py").rename(folder / "game.py")
    for path in (folder, *folder.iterdir()):
        path.chmod(path.stat().st_mode & ~0o022)
    (folder / "weights.toml").write_bytes(content)
    refused = call(
        "--game-path",
        str(folder),
        command,
        folder.name.replace("_", "-"),
        *(["-s", "expert"] if command == "simulate" else []),
    )
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1), refused.output
    assert f"{folder / 'weights.toml'}: " in refused.stderr
