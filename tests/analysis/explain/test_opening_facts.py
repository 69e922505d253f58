"""Facts about openings against games laid out by hand, and chosen openings against deals and plain versions."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from houle.solver.errors import InputError
from houle.solver.games.sea_change.words import card_name
from houle.solver.games.vague_verte.rules import build_deck
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.opening import PlayedOpenings, board_of, facts_of, play_openings, play_with_ledger
from houle.solver.matches.record.stacked_deal import StackedDeal
from houle.solver.matches.record.typed_cards import PlacedCard, arrange, check_wishes
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger
from tests import cases

pytestmark = pytest.mark.compiled

STREAMS = ("root", "deal", "chance", "choice")


def read_wishes(setup: Setup, text: str, dealt: Any) -> list[PlacedCard]:
    """`top: white 3; seat 1: navy 4` as wishes."""
    lines = [line.partition(":") for line in text.split(";")]
    named = [(place.strip(), [name.strip() for name in names.split(",")]) for place, _, names in lines]
    return check_wishes(setup, named, setup.game.openings.lying(dealt[0], setup))


def dealt(setup: Setup, number: int, seed: int = 5) -> Any:
    return play_with_ledger(setup, seat_strategies(setup, ["random"]), seed, 0, number)[1]


def cards_of(setup: Setup, openings: Any) -> Any:
    """The cards of some openings in their positions, a row each."""
    return np.array([setup.game.openings.lying(opening, setup) for opening in openings])


def arranged(setup: Setup, openings: Any, wishes: list[PlacedCard]) -> Any:
    """The cards of some openings with wished ones in their places."""
    board, roots = board_of(setup), openings.root.tolist()
    return np.array([arrange(cards, root, board, wishes)
                     for cards, root in zip(cards_of(setup, openings).tolist(), roots, strict=True)])  # fmt: skip


def laid_out(setup: Setup, cards: Any) -> Any:
    """Openings that the game deals with these cards."""
    dealing = StackedDeal(setup)
    return np.concatenate([dealing.match(row.tolist()).states for row in cards]).view(np.recarray)


def played(setup: Setup, strategy: str, openings: Any) -> Any:
    ledger = blank_ledger(len(openings), int(setup.rules[0].sides))
    play_chunk(seat_strategies(setup, (strategy,)), 5, 0, len(openings), ledger=ledger, openings=openings, given=True)
    return ledger


def in_print(setup: Setup, openings: Any) -> bool:
    """Whether the pile holds exactly the cards of the printed deck."""
    if "gaps" not in openings.dtype.names:
        return True
    full = [setup.rules[0][name] for name in setup.rules.dtype.names if name.endswith("pile")]
    return not openings["gaps"].any() and not any(pile["gaps"] or pile["added"] for pile in full)


@pytest.mark.parametrize("choice", cases.CHOICES)
@pytest.mark.parametrize("game", game_names())
def test_a_laid_out_deal_gives_the_dealt_state(game: str, choice: cases.Choice) -> None:
    """The game's own `deal` puts every card where it lay."""
    dealings = [StackedDeal(setup) for setup in choice(game)]
    for dealing, place in product(dealings, range(6)):
        setup = dealing.setup
        source = Match(setup, 5, place)
        target = dealing.match(setup.game.openings.lying(source.state, setup), source)
        for stream in STREAMS:
            target.state[stream] = source.state[stream]
        if game == "land-unter" and setup.rules[0].open:
            target.state.leader, target.state.mover = source.state.leader, source.state.mover  # ties are luck
        assert target.snapshot() == source.snapshot()
        if in_print(setup, source.states):  # else luck that hits a gap of the dealt pile draws again
            for strategy in ("random", "thumb") if setup.game.has("features") else ("random",):
                assert (played(setup, strategy, target.states) == played(setup, strategy, source.states)).all()


@pytest.mark.parametrize("game", game_names())
def test_choosing_the_dealt_cards_changes_nothing(game: str) -> None:
    setup = make_setup(game)
    opening, board = dealt(setup, 1), board_of(setup)
    cards = cards_of(setup, opening)[0]
    texts = []
    for place, positions in board.places.items():
        if " front" in place or " back" in place:
            continue
        names = {face: name for name, face in board.names[place].items()}
        texts.append(
            f"{from_1(place)}: " + ", ".join(names[int(board.faces[cards[position]])] for position in positions)
        )
    chosen = arranged(setup, opening, read_wishes(setup, "; ".join(texts), opening))[0]
    faces, before = board.faces[chosen], board.faces[cards]
    for positions in board.places.values():
        assert Counter(faces[positions].tolist()) == Counter(before[positions].tolist())
    if len(set(before.tolist())) == len(before):  # of equal cards another may lie there
        assert (chosen == cards).all()


WISHES = {
    "wave": "top: white 3; seat 1: navy 4, red 1; seat 1 back: sky 2; seat 3 front: navy 1",
    "sea-change": "seat 1: blue 9, violet 0; seat 3: blue 8",
    "land-unter": "seat 2: 60, 59, 1; water: 12, 12",
    "vague-verte": "seat 1: ambulance, tow, tow; top: ducks",
    "vague-attaque": "seat 1 artefact: sabre; seat 2: souvenir 3, place 4a; souvenirs: souvenir 8, souvenir 9",
}


@pytest.mark.parametrize("game", game_names())
def test_chosen_cards_lie_where_asked(game: str) -> None:
    """And no card is lost."""
    setup = make_setup(game)
    openings = dealt(setup, 300)
    before = np.sort(cards_of(setup, openings), axis=1)
    board, wishes = board_of(setup), read_wishes(setup, WISHES[game], openings)
    cards = arranged(setup, openings, wishes)
    assert (np.sort(cards, axis=1) == before).all()
    for place, positions in board.places.items():
        wanted = Counter(wish.face for wish in wishes if wish.place == place)
        for row in board.faces[cards[:, positions]]:
            assert not wanted - Counter(row.tolist())
    for wish in wishes:
        if wish.place in board.ordered:
            assert (cards[:, wish.positions[0]] == wish.face).all()
    assert (played(setup, "random", laid_out(setup, cards)).share.sum(axis=1) <= 840).all()


def test_the_stock_of_two_can_be_chosen() -> None:
    setup = make_setup("sea-change", 2)
    openings = dealt(setup, 100)
    cards = arranged(setup, openings, read_wishes(setup, "stock: blue 9, blue 8; seat 1: blue 12", openings))
    hands = [card_name(card) for card in cards[:, :20].ravel().tolist()]
    assert not {"blue 9", "blue 8"} & set(hands)
    assert hands.count("blue 12") == 100
    with pytest.raises(InputError, match="unknown place 'stock'; allowed: seat 1, seat 2, seat 3"):
        read_wishes(make_setup("sea-change"), "stock: blue 9", openings)


def test_the_rest_is_dealt_uniformly() -> None:
    """Six cards, three hands of one: with one card chosen, all sixty deals of the others come up equally often."""
    deck = {"deck.colours": ["white", "navy"], "deck.numbers": [1, 2, 3], "deck.missing": [], "deck.reverse": []}
    setup = make_setup("wave", 3, (), deck | {"hand.front": 1, "hand.back": 0})
    openings = dealt(setup, 30_000)
    cards = arranged(setup, openings, read_wishes(setup, "seat 2: navy 2", openings))
    assert (cards[:, 2] == 4).all()
    counts = Counter(map(tuple, cards[:, [0, 1, 3]].tolist()))
    assert len(counts) == 60
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_two_chosen_cards_leave_the_rest_uniform() -> None:
    deck = {"deck.colours": ["white", "navy"], "deck.numbers": [1, 2, 3, 4], "deck.missing": [], "deck.reverse": []}
    setup = make_setup("wave", 2, (), deck | {"hand.front": 1, "hand.back": 2, "dummy.up": 1, "dummy.down": 0})
    openings = dealt(setup, 42_000)
    cards = arranged(setup, openings, read_wishes(setup, "seat 1: navy 2; seat 1 back: white 1", openings))
    counts = Counter((*row[:4], *row[4:7][:1]) for row in cards.tolist())
    # White 1 in one of two slots, navy 2 in one of the other two, then three cards out of six in order.
    assert len(counts) == 2 * 2 * 6 * 5 * 4
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_further_equal_cards_come_by_chance() -> None:
    setup = make_setup("vague-verte", 3)
    openings = dealt(setup, 20_000)
    board, size = board_of(setup), int(setup.rules[0].hand)
    faces = board.faces[arranged(setup, openings, read_wishes(setup, "seat 1: tow", openings))]
    tows = (faces[0] == board.names["seat 0"]["tow"]).sum()
    more = (faces[:, :size] == board.names["seat 0"]["tow"]).sum(axis=1) - 1
    found = np.bincount(more, minlength=size)
    expected = hypergeom(faces.shape[1] - 1, tows - 1, size - 1).pmf(np.arange(size))
    keep = expected * len(more) > 5
    assert chisquare(np.append(found[keep], found[~keep].sum() + 1),
                     np.append(expected[keep], 0) * len(more) + np.append(0 * expected[keep], 1),
                     sum_check=False).pvalue > 0.001  # fmt: skip


FAULTS = [
    ("wave", "tap: white 3", "unknown place 'tap'; did you mean 'top'? Allowed: top, seat 1"),
    ("wave", "top: whit 3", "unknown card 'whit 3'; did you mean 'white 3'"),
    ("wave", "top: white 3; seat 1: white 3", "seat 1: white 3 is named twice, here and at top"),
    ("wave", "top: white 3, navy 4", "top: 2 cards named; room for 1"),
    ("wave", "seat 1 front: navy 4, navy 3, navy 2, sky 1", "seat 1 front: 4 cards named; room for 3"),
    ("wave", "top: white 0", "top: unknown card 'white 0'; did you mean"),
    ("land-unter", "water: 60", "unknown card '60'"),
    ("vague-attaque", "seat 1: place 2a, place 4a", "seat 1: 2 cards named; room for 1"),
    ("vague-attaque", "seat 1: encounter 2", "encounter 2 cannot lie there"),
]


@pytest.mark.parametrize(("game", "text", "words"), FAULTS)
def test_impossible_openings_give_one_line(game: str, text: str, words: str) -> None:
    setup = make_setup(game)
    with pytest.raises(InputError) as fault:
        read_wishes(setup, text, dealt(setup, 1))
    assert words in str(fault.value)
    assert "\n" not in str(fault.value)


def read(setup: Setup, number: int = 20) -> tuple[PlayedOpenings, dict[str, Any], list[dict[str, Any]]]:
    """Facts by name, and the same openings as plain data."""
    strategy = "thumb" if setup.game.has("features") else "random"
    starts = play_openings(setup, seat_strategies(setup, [strategy]), 5, 0, number)
    values = {fact.name: starts.values(fact) for fact in facts_of(setup)}
    return starts, values, [Match(setup, 5, game).snapshot() for game in range(number)]


def test_facts_of_wave() -> None:
    setup = make_setup("wave", 3, ["virage"])
    _, values, seen = read(setup)
    width = len(setup.options["deck.numbers"])

    def higher(card: int, other: int) -> bool:
        return card // width > other // width or card % width > other % width

    deck = [int(card) for card in setup.rules[0].deck[: int(setup.rules[0].deck_size)]]
    reverse = int(setup.rules[0].reverse)
    for i, start in enumerate(seen):
        hands = [front + back for front, back in zip(start["front"], start["back"], strict=True)]
        top = start["top"]
        assert values["start colour"][i] == top // width
        assert values["start number"][i] == top % width
        assert values["start followers"][i] == sum(higher(card, top) for card in deck)
        assert values["own hand fits"][i].tolist() == [sum(higher(c, top) for c in hand) for hand in hands]
        assert values["first hand fits"][i] == sum(higher(card, top) for card in hands[0])
        assert values["own reverses"][i].tolist() == [sum(reverse >> c & 1 for c in hand) for hand in hands]
        assert values["reverses in hands"][i] == sum(reverse >> card & 1 for hand in hands for card in hand)
        assert values["own colours"][i].tolist() == [len({card // width for card in hand}) for hand in hands]
        assert values["Virage followers"][i] == sum(higher(card, start["virage"]) for card in deck)


def test_facts_of_sea_change() -> None:
    setup = make_setup("sea-change", 4)
    _, values, seen = read(setup)
    for i, start in enumerate(seen):
        for seat, hand in enumerate(start["hands"]):
            colours = Counter(card // 16 for card in hand)
            numbers = Counter(card % 16 for card in hand)
            assert values["longest colour"][i, seat] == max(colours.values())
            assert values["colours missing"][i, seat] == int(setup.rules[0].colours) - len(colours)
            assert values["eights"][i, seat] == numbers[8]
            assert values["zeros"][i, seat] == numbers[0]
            assert values["pairs"][i, seat] == sum(n * (n - 1) // 2 for n in numbers.values())
            assert values["sum of values"][i, seat] == sum(card % 16 for card in hand)
            assert values["distance from the lead"][i, seat] == seat


def test_facts_of_land_unter_follow_the_packs() -> None:
    setup = make_setup("land-unter", 4)
    starts, values, seen = read(setup)
    halves = setup.options["deck.halves"]
    for i, start in enumerate(seen):
        for unit in range(starts.points.shape[1]):
            turn, seat = divmod(unit, 4)
            pack = start["packs"][(seat - turn) % 4]
            assert values["seat"][i, unit] == seat
            assert values["sum of the pack"][i, unit] == sum(pack)
            assert values["highest card"][i, unit] == max(pack)
            assert values["lifebelts"][i, unit] == sum(halves[card - 1] for card in pack) // 2
            assert values["widest gap"][i, unit] == int(np.diff(pack).max())
    whole, _, _ = play_with_ledger(setup, seat_strategies(setup, ["thumb"]), 5, 0, 20)
    assert (starts.points.reshape(20, 4, 4).sum(axis=1) == whole.points).all()


def test_rounds_of_land_unter_match_stepped_games() -> None:
    setup = make_setup("land-unter", 3)
    starts = play_openings(setup, seat_strategies(setup, ["thumb"]), 5, 0, 3)
    for game in range(3):
        match, players, points = Match(setup, 5, game), seat_strategies(setup, ["thumb"]), [[0, 0, 0]]
        while match.to_move() >= 0:
            before = match.snapshot()["round"]
            match.apply(match.decide(players))
            if match.snapshot()["round"] > before:
                points.append(match.snapshot()["points"])
        assert starts.points[game].reshape(3, 3).tolist() == np.diff(points, axis=0).tolist()


def test_facts_of_vague_verte_and_vague_attaque() -> None:
    setup = make_setup("vague-verte", 3)
    _, values, seen = read(setup)
    deck = build_deck(setup.options)
    for i, start in enumerate(seen):
        for seat, hand in enumerate(start["hands"]):
            names = [deck[card] for card in hand]
            assert values["cars"][i, seat] == sum(name.startswith("car") for name in names)
            assert values["tows"][i, seat] == names.count("tow")
            assert values["attacks"][i, seat] == sum(name.startswith(("break", "ducks", "red")) for name in names)
        assert values["face-up card"][i, 0] >= 0 > values["face-up card"][i, 1]
    setup = make_setup("vague-attaque", 3)
    _, values, seen = read(setup)
    souvenirs = setup.options["deck"].cards["souvenir"]
    for i, start in enumerate(seen):
        for seat, hand in enumerate(start["hands"]):
            place = next((card - 41) // 2 for card in hand if card >= 41)
            held = [souvenirs[card] for card in hand if card < 41]
            assert values["artefact"][i, seat] == start["artefact"][seat] - 94
            assert values["place"][i, seat] == place
            assert values["souvenirs that match"][i, seat] == sum(place in card["places"] for card in held)
            assert values["dedicated souvenirs"][i, seat] == sum(card["dedicated"] for card in held)


def test_in_open_play_the_richest_seat_leads() -> None:
    setup = make_setup("land-unter", 4, (), {"play": "open"})
    openings = dealt(setup, 500)
    openings = laid_out(setup, arranged(setup, openings, read_wishes(setup, "seat 2: 60, 1, 25; seat 3: 30", openings)))
    belts = openings.belts[:, :4].astype(int)
    assert (belts[np.arange(500), openings.leader] == belts.max(axis=1)).all()
    assert (openings.mover == openings.leader).all()
    assert len(set(openings.leader.tolist())) == 4
