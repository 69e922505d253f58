"""Pages in French: the language is a part of the address and stays, texts and attributes are translated."""

from __future__ import annotations

import re

import pytest

from houle.cli.web.languages import translated
from houle.solver.language.languages import Catalogue, translator
from tests.support.playing import found, move_on, seated, serving_here

pytestmark = pytest.mark.quick

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
