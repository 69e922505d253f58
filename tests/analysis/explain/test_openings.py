"""Openings: what the deal decides, facts against games laid out by hand, chosen cards against deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any, Unpack

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from houle.analysis.explain.means_by_fact import FactLevel, FactScale, make_scale, read_level, sum_up
from houle.analysis.explain.openings import FactTable, OpeningGames, Openings, openings
from houle.analysis.result import Facts
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.matches.opening import (
    ELSEWHERE,
    Fact,
    PlayedOpenings,
    board_of,
    facts_of,
    play_openings,
    play_with_ledger,
)
from houle.solver.matches.record.dealt_cards import PlacedCard, arrange, wishes_of
from houle.solver.matches.record.stacked_deal import StackedDeal
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import Tally, blank_ledger
from tests import cases
from tests.support.amounts import check_coverage, repeated

pytestmark = pytest.mark.compiled

FACT = Fact("luck", "what the hand holds", lambda openings: openings, most=2)


def chances(setup: Setup, strategies: str = "thumb", **run: Unpack[RunOptions]) -> Openings:
    return openings(setup, OpeningGames(setup, strategies), RunSpec.of(run))


def invented(games: int, generator: np.random.Generator) -> PlayedOpenings:
    """Three hands per game: each unit of luck (0 to 2) is two points; the hands of a game also share some luck."""
    luck = generator.integers(0, 3, (games, 3))
    shared = generator.integers(0, 12, (games, 1))
    points = 2 * luck + shared + generator.integers(0, 5, (games, 3))
    share = np.zeros((games, 3), np.int64)
    share[np.arange(games), generator.integers(0, 3, games)] = WHOLE_WIN
    return PlayedOpenings(
        openings=luck,
        tally=Tally.empty(make_setup("wave")),
        share=share,
        points=points,
        entries=np.ones((games, 3), np.int64),
    )


def test_facts_have_a_column_for_each_player() -> None:
    """Declared fields have room for eight seats."""
    hands = Fact("lowest", "the lowest card of the hand", lambda openings: openings)
    assert hands.values(np.arange(32).reshape(4, 8), 3).tolist() == [
        [8 * game + seat for seat in range(3)] for game in range(4)
    ]


@repeated(60, 500)
def test_intervals_of_levels_cover(runs: int) -> None:
    generator = np.random.default_rng(7)
    scale = FactScale(FACT, (0, 1, 2), ("0", "1", "2"))
    held = {"win": 0, "win_more": 0, "score": 0, "score_more": 0}
    for _ in range(runs):
        sums = sum_up(scale, invented(150, generator))
        for level in range(3):
            found = read_level(scale, sums, level)
            assert found is not None
            truth = {"win": 1 / 3, "win_more": 0.0, "score": 2 * level + 7.5, "score_more": 2.0 * (level - 1)}
            for name, value in truth.items():
                interval = getattr(found, name)
                held[name] += interval.low <= value <= interval.high
    for times in held.values():
        check_coverage(times, 3 * runs, 0.925, 0.975)


@pytest.mark.quick
def test_levels_are_few_and_none_is_rare() -> None:
    numbers = Fact("n", "a number", None, least=0, most=99)
    many = make_scale(numbers, np.arange(100)[:, None])
    assert len(many.tops) == 6
    assert many.names[0] == "16 or less"
    assert many.names[-1].endswith("or more")
    few = make_scale(numbers, np.array([[0, 1, 1, 1, 2, 2, 2, 7] * 10 + [9]]))
    assert few.names == ("0", "1", "2", "3 or more")
    assert few.place(np.array([[0, 2, 50, ELSEWHERE]])).tolist() == [[0, 2, 3, 4]]
    assert make_scale(numbers, np.full((5, 1), 3)).names == ("any",)
    named = make_scale(Fact("c", "a colour", None, labels=("red", "blue")), np.zeros((3, 1), int))
    assert named.names == ("red", "blue")


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_facts(game: str) -> None:
    setup = make_setup(game)
    found = chances(setup, games=300, seed=4, threads=1)
    assert found.digest == chances(setup, games=300, seed=4, threads=2).digest
    assert found.games == 300
    strengths = [table.strength for table in found.tables]
    assert strengths == sorted(strengths, reverse=True)
    for table in found.tables:
        assert len(table.levels) > 1
        for level in table.levels:
            assert level.win.low <= level.win.value <= level.win.high
            assert level.score_more.low <= level.score_more.value <= level.score_more.high
    frame = found.frame()
    assert {"fact", "level", "n", "win", "win_low", "win_high", "score_more_low"} <= set(frame.columns)
    assert len(found.fresh) == sum(len(table.levels) for table in found.tables)
    assert found.headline


def test_sentences_take_numbers_from_fresh_games() -> None:
    found = chances(make_setup("wave", 3), games=2000, seed=4)
    fresh = {(level.fact, level.level): level.win_more for level in found.fresh}
    assert found.named
    for named in found.named:
        first = next(level for level in named.fact.levels if level.level == named.level)
        assert named.more == fresh[named.fact.name, named.level] != first.win_more
    said = [end["values"]["more"]["value"] for line in found.sentences()[1]["items"] for end in line["values"]["ends"]]
    facts = list(dict.fromkeys(named.fact.name for named in found.named))[:4]
    assert said == [named.more.value for named in found.named if named.fact.name in facts]
    assert set(facts) <= {fact.name for fact in found.shown}
    assert len(found.shown) + len(found.not_shown.split(", ")) == len(found.tables)
    other = chances(make_setup("wave", 3), games=50, seed=9)
    levels = {(level.fact, level.level) for table in other.tables for level in table.levels}
    assert levels <= fresh.keys()  # the bins of a setup are the same for all seeds and numbers of games
    assert other.tables != chances(make_setup("wave", 3), games=50, seed=8).tables


def one_fact(first: list[Estimate], again: list[Estimate]) -> Openings:
    """A result with one fact of three levels: their differences in the first and in the fresh games."""
    some = Estimate(0.3, 0.2, 0.4, n=900, unit=PERCENT)

    def levels(more: list[Estimate]) -> tuple[FactLevel, ...]:
        score = replace(some, unit="")
        return tuple(
            FactLevel(
                fact="luck", level=str(i), n=900, games=900, win=some, win_more=one, score=score, score_more=score
            )
            for i, one in enumerate(more)
        )

    setup = make_setup("wave", 3)
    facts = Facts(setup, strategies=("thumb",) * 3, seed=1, games=900, asked=900, seconds=1.0, digest="")
    return Openings(
        facts,
        played=setup,
        remark="",
        hands=900,
        tables=(FactTable("luck", "luck", levels(first), 1.0),),
        fresh=levels(again),
    )


@pytest.mark.quick
@pytest.mark.parametrize(
    ("fresh", "named"),
    [
        (Estimate(0.05, 0.02, 0.08, n=900, unit=POINTS), True),
        (Estimate(0.05, -0.001, 0.10, n=900, unit=POINTS), False),
        (Estimate(0.009, 0.004, 0.014, n=900, unit=POINTS), False),
    ],
    ids=["certain", "may be 0", "below a point"],
)
def test_only_certain_differences_that_matter_are_named(fresh: Estimate, named: bool) -> None:
    none = Estimate(0.0, -0.02, 0.02, n=900, unit=POINTS)
    large = Estimate(0.2, 0.1, 0.3, n=900, unit=POINTS)
    found = one_fact([none, replace(none, value=-0.01), large], [none, none, fresh])
    assert [one.level for one in found.named] == (["2"] if named else [])
    assert ("No fact about the deal" in str(found.sentences()[0]["words"])) == (not named)


def test_intervals_in_fresh_games_are_joint() -> None:
    """With as many games, those of the first are narrower by what 26 or more intervals need together."""
    found = chances(make_setup("wave", 3), games=1000, seed=4)
    widths = [
        (level.win_more.half, again.half)
        for table in found.tables
        for level in table.levels
        if level.n > 100 and (again := found.again(level)) is not None
    ]
    assert len(widths) > 20
    assert np.mean([again / first for first, again in widths]) == pytest.approx(1.65, abs=0.12)


STREAMS = ("root", "deal", "chance", "choice")


def read_wishes(setup: Setup, text: str, dealt: Any) -> list[PlacedCard]:
    """`top: white 3; seat 1: navy 4` as wishes."""
    lines = [line.partition(":") for line in text.split(";")]
    named = {place.strip(): [name.strip() for name in names.split(",")] for place, _, names in lines}
    return wishes_of(setup, named, setup.game.openings.lying(dealt[0], setup))


def dealt(setup: Setup, number: int, seed: int = 5) -> Any:
    return play_with_ledger(setup, seat_strategies(setup, ["random"]), seed, first=0, number=number)[1]


def cards_of(setup: Setup, openings: Any) -> Any:
    """The cards of some openings in their positions, a row each."""
    return np.array([setup.game.openings.lying(opening, setup) for opening in openings])


def arranged(setup: Setup, openings: Any, wishes: list[PlacedCard]) -> Any:
    """The cards of some openings with wished ones in their places."""
    board, roots = board_of(setup), openings.root.tolist()
    return np.array(
        [
            arrange(cards, root, board, wishes)
            for cards, root in zip(cards_of(setup, openings).tolist(), roots, strict=True)
        ]
    )


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


def test_the_rest_is_dealt_uniformly() -> None:
    """Six cards, three hands of one: with one card chosen, all sixty deals of the others come up equally often."""
    deck = {"deck.colours": ["white", "navy"], "deck.numbers": [1, 2, 3], "deck.missing": [], "deck.reverse": []}
    setup = make_setup("wave", 3, (), deck | {"hand.front": 1, "hand.back": 0})
    openings = dealt(setup, 12_000)
    cards = arranged(setup, openings, read_wishes(setup, "seat 2: navy 2", openings))
    assert (cards[:, 2] == 4).all()
    counts = Counter(map(tuple, cards[:, [0, 1, 3]].tolist()))
    assert len(counts) == 60
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_further_equal_cards_come_by_chance() -> None:
    setup = make_setup("vague-verte", 3)
    openings = dealt(setup, 8_000)
    board, size = board_of(setup), int(setup.rules[0].hand)
    faces = board.faces[arranged(setup, openings, read_wishes(setup, "seat 1: tow", openings))]
    tows = (faces[0] == board.names["seat 0"]["tow"]).sum()
    more = (faces[:, :size] == board.names["seat 0"]["tow"]).sum(axis=1) - 1
    found = np.bincount(more, minlength=size)
    expected = hypergeom(faces.shape[1] - 1, tows - 1, size - 1).pmf(np.arange(size))
    keep = expected * len(more) > 5
    assert (
        chisquare(
            np.append(found[keep], found[~keep].sum() + 1),
            np.append(expected[keep], 0) * len(more) + np.append(0 * expected[keep], 1),
            sum_check=False,
        ).pvalue
        > 0.001
    )


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
    starts = play_openings(setup, seat_strategies(setup, [strategy]), seed=5, first=0, number=number)
    values = {fact.name: fact.values(starts.openings, setup.players) for fact in facts_of(setup)}
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


def test_facts_of_land_unter() -> None:
    setup = make_setup("land-unter", 4)
    _, values, seen = read(setup)
    halves = setup.options["deck.halves"]
    for i, start in enumerate(seen):
        for seat, pack in enumerate(start["packs"]):
            assert values["seat"][i, seat] == seat
            assert values["sum of the pack"][i, seat] == sum(pack)
            assert values["highest card"][i, seat] == max(pack)
            assert values["lifebelts"][i, seat] == sum(halves[card - 1] for card in pack) // 2
            assert values["widest gap"][i, seat] == int(np.diff(pack).max())
    assert setup.game.openings.scene(setup)[0].rules[0].rounds == 1
