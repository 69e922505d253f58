"""The token of local pages is kept for this user only; pages keep their language."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from houle.cli.web.guard import VARIABLE, kept_token
from houle.cli.web.languages import translated
from houle.solver.errors import InputError
from houle.solver.language.languages import Catalogue, translator
from tests.support.playing import found, move_on, seated, serving_here

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


WORDS = Catalogue([("Hint", "Conseil"), ("play {card}", "jouer {card}"), ("red & sky", "rouge et ciel")])


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("<p>Hint</p>", "<p>Conseil</p>"),
        ("<p>\n Hint </p>", "<p> Conseil </p>"),
        ("<p>play red &amp; sky</p>", "<p>jouer rouge et ciel</p>"),
        ('<a title="Hint" href="hint?a=Hint">x &gt; 3</a>', '<a title="Conseil" href="hint?a=Hint">x &gt; 3</a>'),
        ('<p translate="no">Hint <i>Hint</i></p><p>Hint</p>', '<p translate="no">Hint <i>Hint</i></p><p>Conseil</p>'),
        ("<code>Hint</code><script>Hint</script>", "<code>Hint</code><script>Hint</script>"),
        ('<html lang="en"><p>&lt;b&gt;</p>', '<html lang="fr"><p>&lt;b&gt;</p>'),
    ],
)
def test_texts_are_translated_and_the_rest_stays(english: str, french: str) -> None:
    assert translated(english, WORDS, "fr") == french


def test_marks_between_tags_have_french_spaces() -> None:
    french = translator(())
    assert translated("<b>3</b>: <b>4</b>", french, "fr") == "<b>3</b>\xa0: <b>4</b>"


def test_unknown_texts_are_reported() -> None:
    missing: list[str] = []
    assert translated('<p title="Bye">Hello</p>', WORDS, "fr", missing.append) == '<p title="Bye">Hello</p>'
    assert missing == ["Bye", "Hello"]


@pytest.mark.compiled
def test_language_and_guide_stay_in_the_address() -> None:
    with serving_here(seated("wave")) as client:
        address, english = client.follow("")
        assert 'lang="en"' in english
        assert "guided/table?" in english
        other = found(r'class="language"[^>]*href="([^"]*)"', english)
        assert other == f"fr/table?{address.partition('?')[2]}"
        address, french = client.follow("fr/guided/")
        assert "/fr/guided/table?" in address
        assert 'lang="fr"' in french
        assert "But du jeu" in french
        explained = re.findall(r'<b data-decision="([1-9])">', french)
        while len(explained) < 5:  # a forced move is not explained
            where, body = move_on(french)
            address, french = client.follow(f"fr/guided/{where}", "POST", body)
            assert "/fr/guided/table?" in address
            explained += re.findall(r'<b data-decision="([1-9])">', french)
        assert explained == ["1", "2", "3", "4", "5"]
        status, _, page = client.ask("fr/table?game=nothing")
        assert status == 400
        assert 'lang="fr"' in page
