"""VAGUE & ATTAQUE: deck files. The included decks can be played, and every fault is named with its card."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from houle.solver.errors import InputError
from houle.solver.games.vague_attaque.deck import check_deck, deck_faults
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Deck, deck_names, make_setup, read_deck
from houle.solver.run.playout import play_chunk

pytestmark = pytest.mark.quick


def changed(change: Callable[[dict[str, Any]], None]) -> list[str]:
    """The faults of the default deck after a change."""
    cards = deepcopy(dict(read_deck("default").cards))
    change(cards)
    return deck_faults(cards)


def put(kind: str, number: int, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda cards: cards[kind][number].update(values)


def test_the_default_deck_is_that_of_the_rules() -> None:
    cards = read_deck("default").cards
    for n, souvenir in enumerate(cards["souvenir"]):
        shared = [(n - 22 + step) % 11 for step in (0, 3, 7)]
        assert souvenir["places"] == ([n // 2] if n < 22 else shared)
        assert souvenir["dedicated"] == (n < 22)
        anchors = ["draw_souvenir", "place_souvenir", "steal", "draw_place"]
        assert souvenir.get("anchor") == (anchors[n // 2 % 4] if n < 22 and n % 2 else None)
    effects = [card["effect"] for card in cards["encounter"]]
    assert effects == (
        ["calm"] * 4
        + ["draw_souvenir"] * 4
        + ["draw_place"] * 2
        + ["discard_choice"] * 3
        + ["all_discard_random"] * 2
        + ["all_draw_souvenir"] * 2
        + ["steal_random"] * 2
        + ["give_left"] * 2
        + ["all_pass_left"]
        + ["move_ship"] * 2
        + ["parry"] * 3
        + ["steady_hand"] * 3
        + ["extra_mooring"] * 2
    )
    social = {"steal_random", "give_left", "all_pass_left", "move_ship", "parry", "steady_hand"}
    assert all(card["solo"] == (card["effect"] not in social) for card in cards["encounter"])
    assert [card["power"] for card in cards["artefact"]] == ["hook", "spyglass", "compass", "sabre", "chest"]
    assert cards["solo_die"]["faces"][2:] == ["discard_random", "discard_souvenir", "ship_if_symbol", "ship_always"]
    assert all(
        card["provenance"] == "assumed" for kind in ("souvenir", "encounter", "artefact") for card in cards[kind]
    )


@pytest.mark.compiled
@pytest.mark.parametrize("name", deck_names())
@pytest.mark.parametrize("players", [1, 4])
def test_shipped_decks_have_no_fault_and_play(name: str, players: int) -> None:
    assert check_deck(name) == []
    setup = make_setup("vague-attaque", players, (), {"deck": name})
    assert play_chunk(seat_strategies(setup, ("random",) * players), 1, 0, 50).games == 50


FAULTS = [
    (put("encounter", 3, effect="parrry", colour="gold"), "encounter 4 (Gentle swell): effect: unknown 'parrry'"),
    (
        put("encounter", 0, colour="gold"),
        "encounter 1 (Flat calm): colour: gold is not allowed; calm is an effect of blue cards",
    ),
    (put("encounter", 0, colour="red"), "colour: unknown 'red'"),
    (put("encounter", 1, soloo=True), "encounter 2 (Dolphins at the bow): unknown key 'soloo'; did you mean 'solo'?"),
    (put("encounter", 1, solo="yes"), "solo: 'yes' is not allowed; allowed: true or false"),
    (put("souvenir", 1, anchor="drop"), "souvenir 2 (Pearl in its oyster (reef)): anchor: unknown 'drop'"),
    (put("souvenir", 0, places=[0, 3]), "a dedicated souvenir has exactly one place"),
    (put("souvenir", 30, places=[8, 11]), "places: [8, 11] is not allowed"),
    (put("souvenir", 30, places=[]), "places: [] is not allowed"),
    (put("souvenir", 30, provenance="guessed"), "provenance: unknown 'guessed'"),
    (put("artefact", 2, power="compas"), "artefact 3 (Compass): power: unknown 'compas'; did you mean 'compass'?"),
    (lambda cards: cards["souvenir"].pop(), "souvenir: 40 cards; allowed: exactly 41"),
    (lambda cards: cards["encounter"].clear(), "encounter: 0 cards; allowed: exactly 32"),
    (lambda cards: cards.pop("artefact"), "artefact: 0 cards; allowed: exactly 5"),
    (lambda cards: cards["souvenir"][5].pop("name"), "souvenir 6 (without a name): name is missing"),
    (lambda cards: [put("souvenir", n, places=[1])(cards) for n in (8, 9)], "place 4: no dedicated souvenir"),
    (lambda cards: cards.update(souvenirs=[]), "unknown key 'souvenirs'; did you mean 'souvenir'?"),
    (lambda cards: cards.update(souvenir=3), "souvenir: not a list of cards; write each card as an entry [[souvenir]]"),
    (lambda cards: cards.pop("solo_die"), "solo_die: missing or without faces"),
    (lambda cards: cards["solo_die"].update(faces=["nothing"]), "allowed: a list of 6 effects"),
    (lambda cards: cards["solo_die"].update(faces=["nothin"] * 6), "solo_die: face 1: unknown 'nothin'"),
]


@pytest.mark.parametrize(("change", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_faults_are_named_with_their_card(change: Callable[[dict[str, Any]], None], words: str) -> None:
    assert any(words in fault for fault in changed(change))


def test_a_deck_without_the_ships_symbol() -> None:
    def land_only(cards: dict[str, Any]) -> None:
        for card in cards["souvenir"]:
            card["places"] = [place for place in card["places"] if place != 10] or [9]

    faults = changed(land_only)
    assert "place 10 (the ship): no dedicated souvenir; nobody could complete it" in faults
    assert any("none has the ship's symbol" in fault for fault in faults)


def test_digest_covers_every_card() -> None:
    cards = deepcopy(dict(read_deck("default").cards))
    plain = make_setup("vague-attaque", 3)
    same = make_setup("vague-attaque", 3, (), {"deck": Deck("default", deepcopy(cards))})
    assert same.digest == plain.digest
    assert same.differences == []
    cards["encounter"][31]["name"] = "Longer pier"
    other = make_setup("vague-attaque", 3, (), {"deck": Deck("default", cards)})
    assert other.digest != plain.digest
    assert [knob for knob, _, _ in other.differences] == ["deck"]
    assert any("Deck default" in note and "assumed" in note for note in plain.notes)
    assert pickle.loads(pickle.dumps(other.options["deck"])) == other.options["deck"]
    assert (other.shown_options["deck"], plain.shown_options["die"]) == ("default", plain.options["die"])


BASED = """
name = "mine"
based_on = "default"
remove = { encounter = ["Flat calm"] }
[[encounter]]
name = "Fog"
after = "Starry night"
colour = "blue"
effect = "calm"
solo = true
provenance = "printed"
[[encounter]]
name = "Gentle swell"
effect = "draw_place"
[[artefact]]
name = "Chest"
power = "none"
[solo_die]
faces = ["nothing", "nothing", "nothing", "nothing", "nothing", "ship_always"]
"""


def test_a_deck_is_another_with_its_changes(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(BASED)
    assert check_deck(mine) == []
    deck, plain = read_deck(str(mine)), read_deck("default")
    assert (deck.name, set(deck.cards)) == ("mine", set(plain.cards))
    assert [card["name"] for card in deck.cards["encounter"][:4]] == [
        "Dolphins at the bow",
        "Starry night",
        "Fog",
        "Gentle swell",
    ]
    swell = plain.cards["encounter"][3]
    assert deck.cards["encounter"][3] == {**swell, "effect": "draw_place"}
    assert deck.cards["encounter"][4:] == plain.cards["encounter"][4:]
    assert deck.cards["souvenir"] == plain.cards["souvenir"]
    assert [card["power"] for card in deck.cards["artefact"]] == ["hook", "spyglass", "compass", "sabre", "none"]
    assert deck.cards["solo_die"]["provenance"] == plain.cards["solo_die"]["provenance"]
    longer = tmp_path / "longer.toml"
    longer.write_text('based_on = "mine.toml"\n[[encounter]]\nname = "Fog"\nsolo = false\n')
    again = read_deck(str(longer))
    assert again.cards["encounter"][2] == {**deck.cards["encounter"][2], "solo": False}
    longer.write_text('based_on = "mine.toml"\n[[encounter]]\nname = "Gale"\n')
    assert any("encounter 33 (Gale): colour is missing" in fault for fault in check_deck(longer))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('based_on = "defalt"', "based_on: there is no deck 'defalt'; did you mean 'default'?"),
        ("based_on = 3", "based_on: 3 is not allowed; allowed: the name of a deck in quotes, or its path"),
        ('based_on = "other.toml"', "other.toml: based_on: mine.toml is based on this deck itself"),
        ('based_on = "mine.toml"', "based_on: mine.toml is based on this deck itself"),
        ('based_on = "broken.toml"', "broken.toml: not valid TOML"),
        ('based_on = "default"\nremove = ["Fog"]', "remove: write a table [remove] with a list of names"),
        (
            'based_on = "default"\nremove = { encounter = ["Flat cam"] }',
            "remove: encounter: there is no card 'Flat cam'; did you mean 'Flat calm'?",
        ),
        ('based_on = "default"\nremove = { waves = ["Fog"] }', "remove: waves: there is no card 'Fog'"),
        (
            'based_on = "default"\n[[encounter]]\nname = "Fog"\nafter = "Starry nigh"',
            "encounter: after: there is no card 'Starry nigh'; did you mean 'Starry night'?",
        ),
        ('based_on = "default"\nencounter = [1]', "encounter: write every card as an entry [[encounter]]"),
    ],
)
def test_fault_in_based_deck_names_its_key(tmp_path: Path, text: str, words: str) -> None:
    mine, other = tmp_path / "mine.toml", tmp_path / "other.toml"
    mine.write_text(text)
    other.write_text('based_on = "mine.toml"')
    (tmp_path / "broken.toml").write_text("[[souvenir]\n")
    (fault,) = check_deck(mine)
    assert words in fault
    assert fault.startswith(str(tmp_path))
    with pytest.raises(InputError, match=r"^--set: deck: ") as raised:
        make_setup("vague-attaque", 3, (), {"deck": str(mine)})
    assert fault in str(raised.value)


@pytest.mark.compiled
def test_deck_without_hook_is_not_for_solo(tmp_path: Path) -> None:
    deck = tmp_path / "blunt.toml"
    deck.write_text('name = "blunt"\nbased_on = "default"\n[[artefact]]\nname = "Hook"\npower = "none"\n')
    setup = make_setup("vague-attaque", 3, (), {"deck": str(deck)})
    assert play_chunk(seat_strategies(setup, ("random",) * 3), 1, 0, 20).games == 20
    with pytest.raises(InputError, match="no artefact has the power hook, which the solo game needs"):
        make_setup("vague-attaque", 1, (), {"deck": str(deck)})


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('[[place]]\nname = "reef"\n', "place: 1 names; allowed: exactly 10"),
        ('place = ["reef"]\n', "place: write every name as an entry [[place]]"),
        ('[[place]]\nname = "a"\n' * 10, "place: the name 'a' is used twice"),
        ('[[place]]\nname = ""\n' * 10, "place 0: {'name': ''} is not allowed"),
        ('[[place]]\nname = "a"\nrank = 1\n' * 10, "place 0: {'name': 'a', 'rank': 1} is not allowed"),
    ],
)
def test_faults_in_the_names_of_places(lines: str, fault: str, tmp_path: Path) -> None:
    deck = tmp_path / "mine.toml"
    deck.write_text(lines)
    assert fault in check_deck(deck)[0]


def test_notes_count_the_assumed_cards() -> None:
    cards = deepcopy(dict(read_deck("default").cards))
    for card in cards["souvenir"]:
        card["provenance"] = "printed"
    setup = make_setup("vague-attaque", 3, (), {"deck": Deck("half read", cards)})
    assert setup.notes[-1] == "Deck half read: 37 of its 78 card texts are assumed."
