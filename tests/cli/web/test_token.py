"""The token of local pages is kept for this user only."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from houle.cli.web.guard import VARIABLE, kept_token
from houle.solver.errors import InputError

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def test_a_second_server_has_the_same_token(state: Path) -> None:
    first = kept_token()
    assert kept_token() == first
    assert stat.S_IMODE((state / "token").stat().st_mode) == 0o600
    assert stat.S_IMODE(state.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_token_that_others_can_read_is_replaced(state: Path, mode: int) -> None:
    first = kept_token()
    (state / "token").chmod(mode)
    assert kept_token() != first
    assert stat.S_IMODE((state / "token").stat().st_mode) == 0o600


def test_a_file_without_a_token_is_replaced(state: Path) -> None:
    first = kept_token()
    (state / "token").write_text("../x\n")
    assert kept_token() not in ("../x", first)


def test_a_link_is_not_followed(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state.mkdir(0o700)
    other = state / "other"
    other.write_text("a-token-of-somebody-else\n")
    (state / "token").symlink_to(other)
    assert kept_token() != "a-token-of-somebody-else"
    assert other.read_text() == "a-token-of-somebody-else\n"
    assert "the address is new this time" in capsys.readouterr().err


def test_a_token_of_the_environment_is_used(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "my-own-token-of-tests")
    assert kept_token() == "my-own-token-of-tests"
    assert not state.exists()
    monkeypatch.setenv(VARIABLE, "short")
    with pytest.raises(InputError, match="16 to 64"):
        kept_token()


@pytest.mark.timeout(60)
def test_a_pipe_is_not_waited_for(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept_token()
    (state / "token").unlink()
    os.mkfifo(state / "token", 0o600)
    assert kept_token() != kept_token()
    assert "is not a plain file" in capsys.readouterr().err
