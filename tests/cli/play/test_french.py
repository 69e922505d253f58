"""The table and the review in French: every text of every game has a translation.

When an English phrase changes, a test here names it. Add it to french.toml: words of a game in its folder, words of the
pages in cli/play.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request

from houle.analysis.play.seat_view import position_of
from houle.analysis.play.table_game import Course, choices, people_and, sit_down
from houle.cli.play import pages
from houle.cli.play.lan import JoinPages, LanApp, SeatPages
from houle.cli.play.review import Reviews
from houle.cli.play.setup_position import SetUp
from houle.cli.web import preparing
from houle.cli.web.languages import translated, words_for
from houle.cli.web.preparing import Preparation, Work
from houle.solver.rules import Setup, game_names, load, make_setup
from tests import cases
from tests.support.amounts import some
from tests.support.playing import seated

pytestmark = pytest.mark.compiled

FOLDERS = [Path(pages.TEMPLATES).parent]
KNOBS = re.compile(r"[\w.]+ = |[\w.]+ changed|entries differ")  # changed rules are named in English
TEAMS = re.compile(r"\dv[\dv]+")


def pages_of(setup: Setup, game: int, decisions: int, hints: int = 0) -> Iterator[str]:
    """Pages of a game: every second of its first decisions, hints, the end, and its review."""
    others = ["random"] if game % 2 else ()
    course = Course(sit_down(setup, people_and(setup, [game % setup.players], others), 5, game))
    chance = random.Random(game)
    for number in range(decisions):
        if number % 2 == 0 or course.over:
            yield pages.table_page(course, {}, None)
        if course.over:
            break
        if number < hints:
            yield from (
                pages.hint_page(course, query={}, worlds=worlds, part=False, record=None)
                for worlds in (40, pages.STEPS[-1])
            )
        course = course.choose(chance.choice(choices(course.match)))
    yield pages.moves_page(course, {})
    if hints:
        reviews = Reviews()
        for at in (1, len(course.made) // 2 + 1, len(course.made)):
            yield reviews.page(course, {"at": str(at)}, "")
        yield reviews.saved(course, {})


def missing_in(made: Iterator[str], game: str) -> list[str]:
    missing: set[str] = set()
    for page in made:
        translated(page, words_for("fr", game, FOLDERS), "fr", missing.add)
    return sorted(text for text in missing if not KNOBS.search(text))


@pytest.mark.parametrize("game", game_names())
def test_table_is_french_in_every_setup(game: str) -> None:
    made = (page for setup in cases.few(game) for page in pages_of(setup, 0, some(2)))
    assert missing_in(made, game) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_whole_games_are_french(game: str) -> None:
    """Whole games in all setups, with hints; a review of some."""
    made = (
        page for i, setup in enumerate(cases.setups(game)) for page in pages_of(setup, i, 80, 1 if i % 5 == 0 else 0)
    )
    assert missing_in(made, game) == []


@pytest.mark.quick
@pytest.mark.parametrize("game", game_names())
def test_rules_of_thumb_and_variants_are_french(game: str) -> None:
    rules, words = load(game), words_for("fr", game, FOLDERS)
    setup = make_setup(game)
    texts = [sentence for both in setup.game.advice.values() for sentence in both]
    texts += [rules.about, *rules.notes, *rules.band_words, *(one.text for one in rules.variants.values())]
    assert [text for text in texts if words.find(text) is None] == []


@pytest.mark.quick
@pytest.mark.parametrize(
    ("game", "english", "french"),
    [
        (
            "sea-change",
            "Teva violet 5, you green 7 (sea change: trump green)",
            "Teva : 5 violet, vous : 7 vert (changement de mer : atout vert)",
        ),
        ("sea-change", "you 10, Zoé 9", "vous : 10, Zoé : 9"),
        (
            "sea-change",
            "play violet 9, which wins 14 more games in 100.",
            "jouer le 9 violet, qui gagne 14 parties de plus sur 100.",
        ),
        ("sea-change", "a victory point for team 3", "un point de victoire pour l’équipe 3"),
        (
            "wave",
            "Zoé is stuck with white 3, red 0: nothing beats the top card navy 4",
            "Zoé ne peut rien jouer avec le 3 blanc, le 0 rouge : rien ne dépasse la carte du dessus, le 4 bleu marine",
        ),
        ("wave", "Which card of Ana do you point at?", "Quelle carte d’Ana montrez-vous ?"),
        ("wave", "point at sky 4", "montrer le 4 bleu ciel"),
        ("vague-attaque", "Malo's cavern (a)", "caverne (a) (Malo)"),
        ("vague-attaque", "lay Driftwood on wreck (b)", "poser Bois flotté sur l’épave (b)"),
        (
            "vague-attaque",
            "you draw Torn sail [shared, mangrove/cavern/volcano]",
            "vous piochez Voile déchirée [partagé, mangrove/caverne/volcan]",
        ),
        # Phrases about players by number are also about names; a name stays as it is.
        ("vague-attaque", "the ship sails to Zoé", "le bateau passe à Zoé"),
        ("vague-attaque", "Not here yet: Ana Lu", "Pas encore là : Ana Lu"),
        ("vague-attaque", "Zoé sails", ""),
        # None and one are singular.
        ("land-unter", "you have 0 points", "vous avez 0 point"),
        ("land-unter", "player 2 has 10 points, you have 1 point", "joueur 2 a 10 points, vous avez 1 point"),
        ("land-unter", "Zoé has -1 points", "Zoé a −1 point"),
        (
            "land-unter",
            "player 2 -1 (0 lifebelts and the lowest level, +1)",
            "joueur 2 −1 (0 bouée et le plus bas niveau, +1)",
        ),
        ("land-unter", "you 1 (2 lifebelts)", "vous 1 (2 bouées)"),
    ],
)
def test_cards_names_and_counts_are_french(game: str, english: str, french: str) -> None:
    said = words_for("fr", game, FOLDERS).find(english) or ""
    assert said.replace("\xa0", " ").replace("\u202f", " ") == french


@pytest.mark.quick
@pytest.mark.parametrize("game", game_names())
def test_french_has_french_typography(game: str) -> None:
    words = words_for("fr", game, FOLDERS)
    for text in [load(game).about, "Which card do you play?", "Better:", "Best: 20."]:
        french = words.find(text) or ""
        assert not re.search(r"[^\xa0\u202f][:;?!]", french), french
        assert "'" not in french


def test_covers_and_pages_on_several_screens_are_french() -> None:
    """The join page, the seat to move, a seat that waits, names of people, a fault."""
    two = seated("wave", 0, 1, seed=5)
    app = LanApp(two, "CODE", None, None)
    app.game.join(0, "Zoé")
    asked = Request({"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""})
    answers = [JoinPages(app.game, {}).page(asked, b"")]
    answers += [SeatPages(app.game, seat, "x", Reviews()).table(asked, b"") for seat in (0, 1)]
    made = [pages.table_page(Course(two), {}, None), pages.fault_page("x")]
    made += [bytes(page.body).decode() for page in answers]
    assert missing_in(iter(made), "wave") == ["Zoé", "x"]


@pytest.mark.quick
def test_notice_of_a_game_that_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))  # no compiling was measured
    monkeypatch.setattr(preparing, "MEANWHILE", True)  # in the process without the compiler
    preparation, words = Preparation(), []
    for work in works():
        preparation.works["wave"] = work
        words.append([preparation.notice(language) for language in ("en", "fr")])
    now = "You can already play; hints and the review come "
    assert [english.partition(now)[2] for english, _ in words] == [
        "in about 30 s.",
        "in about 30 s.",
        "as soon as it is ready.",
    ]
    for _, french in words:
        assert french.startswith("Préparation de WAVE. Vous pouvez déjà jouer\u202f; les conseils et l’analyse ")


@pytest.mark.quick
def test_pages_that_wait_are_french() -> None:
    scope = {"type": "http", "method": "GET", "path": "/token/fr/table", "headers": []}
    for work in works():
        page = bytes(Preparation().answer(work, scope).body).decode()
        assert 'lang="fr"' in page
        assert "Préparation de WAVE" in page
        assert [english for english in ("Loading", "It is compiled", "about", "usual") if english in page] == []


def works() -> list[Work]:
    """A game that is loaded, one that is compiled, and one that takes longer than usual."""
    return [Work("wave"), Work("wave", compiling=True), Work("wave", began=-1e6, compiling=True)]


@pytest.mark.parametrize(
    "game", [game for game in game_names() if game != "vague-attaque"]
)  # some cards of VAGUE & ATTAQUE have English names there
def test_a_position_is_set_up_in_french(game: str) -> None:
    """All places; only texts that are typed, and names of games, stay as they are."""
    sitting = seated(game, seed=5)
    form = SetUp(sitting)
    text = position_of(Course(sitting)).as_text()
    asked = {"text": text, "do": "advice", "worlds": "4"}
    made = [form.page({}), form.of_game(Course(sitting), {}), form.answer(asked, True)]
    assert [text for text in missing_in(iter(made), game) if not TEAMS.fullmatch(text)] == []
