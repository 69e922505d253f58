"""Hanabi: scenes of the rules, worlds that fit the clues, recorded games, bots that see only what their seat sees."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import measure
from measure import bots, people

import houle
from houle.analysis.checks.against_plain import compare, compare_results, open_beside, plays_as_its_plain_version
from houle.analysis.play.seat_view import seat_view
from houle.analysis.play.table_game import PERSON, Course, Sitting
from houle.solver.matches.match import Match
from houle.solver.matches.views import view_of
from houle.solver.plain.random_streams import Chance, Luck
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup
from houle.solver.rules.game_folders import look_in

FOLDER = Path(__file__).parents[1] / "hanabi"
OFFSETS = {1: 0, 2: 3, 3: 5, 4: 7, 5: 9}
RANDOM = (lambda seen: [*bots.play_any(seen), *bots.tell_any(seen), *bots.discard_any(seen)],)


def card(text: str, copy: int = 0) -> int:
    """Card R1 of suit 0, with its number of copy."""
    return 10 * "RYGBPT".index(text[0]) + OFFSETS[int(text[1])] + copy


def scene(hands: list[str], draws: str = "", **knobs: Any) -> Any:
    """A game with these hands; `draws` come next, then the other cards in order."""
    settings = {"hand": len(hands[0].split()), **knobs}
    full = people.plain_class().open(len(hands), settings, Luck(1), Chance(0))
    pile = sorted([*full.pile, *itertools.chain(*full.hand)])
    used: Counter[str] = Counter()
    wanted = []
    for text in " ".join([*hands, draws]).split():
        wanted.append(card(text, used[text]))
        used[text] += 1
    deck = people.Deck([*wanted, *(one for one in pile if one not in wanted)], pile)
    return people.plain_class().open(len(hands), settings, deck, Chance(0))


def played(players: int, seed: int, bot: Any = RANDOM, moves: int = 1_000, **knobs: Any) -> Any:
    """A game of a bot with itself, after some moves."""
    game = people.plain_class().open(players, knobs, Luck(seed), Chance(0))
    luck = Luck(seed + 99)
    while game.to_move() >= 0 and game.moves < moves:
        game.apply(bots.decide(bot, bots.Seen.of(game), luck))
    return game


# ---- Rules


def test_a_clue_points_at_all_cards_it_touches() -> None:
    game = scene(["R1 Y1", "R2 G3"])
    game.apply("clue red to seat 2")
    assert (game.halves, game.told[1]) == (14, [1 | 1 << 11, 0])
    assert game.view(1)["may"][1] == ["R12345", "Y12345 G12345 B12345 P12345"]
    assert game.view(1)["hands"] == ["R1 Y1", "? ?"]
    game.apply("clue 1 to seat 1")
    assert game.view(0)["may"][0] == ["R1 Y1 G1 B1 P1"] * 2
    assert game.told[1] == [1, 0]  # no longer new


def test_a_clue_must_touch_a_card() -> None:
    game = scene(["R1 Y1", "R2 G3"])
    told = [move for move in game.legal() if move.startswith("clue")]
    assert told == ["clue red to seat 2", "clue green to seat 2", "clue 2 to seat 2", "clue 3 to seat 2"]
    with pytest.raises(ValueError, match="not legal"):
        game.apply("clue blue to seat 2")


def test_a_wrong_card_costs_a_life() -> None:
    game = scene(["R2 Y1", "R1 G3"], draws="B4")
    game.apply("play 1")
    assert (game.lives, game.gone, game.played) == (2, [card("R2")], [0] * 5)
    assert game.hand[0] == [card("Y1"), card("B4")]  # a new card goes to the end
    game.apply("play 1")
    assert (game.lives, game.played[0]) == (2, 1)


@pytest.mark.parametrize(("starved", "halves"), [(False, 4), (True, 3)])
def test_a_discard_brings_a_clue_back(starved: bool, halves: int) -> None:
    game = scene(["R2 Y1", "R1 G3"], clues=2, clue_starved=starved)
    assert not any(move.startswith("discard") for move in game.legal())
    game.apply("clue red to seat 2")
    game.apply("discard 1")
    assert game.halves == halves


def test_discards_with_all_clues_can_be_allowed() -> None:
    assert "discard 1" in scene(["R2 Y1", "R1 G3"], discard_with_all_clues=True).legal()


@pytest.mark.parametrize(("gives", "halves"), [(True, 14), (False, 12)])
def test_a_five_brings_a_clue_back(gives: bool, halves: int) -> None:
    game = scene(["R1 R3 R5", "R2 R4 Y1"], five_gives_clue=gives)
    for move in ("play 1", "play 1", "play 1", "play 1", "clue 1 to seat 2", "clue 5 to seat 1"):
        game.apply(move)
    assert game.halves == 12
    game.apply("play 1")
    assert (game.played[0], game.halves) == (5, halves)


@pytest.mark.parametrize(("keeps", "points"), [(True, 1), (False, 0)])
def test_the_last_life_ends_the_game(keeps: bool, points: int) -> None:
    game = scene(["R1 B3", "G4 G5"], draws="Y3", lives=2, keeps_points=keeps)
    for move in ("play 1", "play 1", "play 1"):
        game.apply(move)
    assert (game.to_move(), game.lives, game.legal()) == (-1, 0, [])
    assert game.result()["scores"] == [points]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_player_has_a_turn_after_the_last_draw(players: int) -> None:
    game = played(players, 5, bot=(bots.discard_oldest, bots.tell_any))
    assert (game.lives, game.pile, game.left) == (3, [], 0)
    replay = people.plain_class().open(players, {}, Luck(5), Chance(0))
    luck, empty = Luck(104), 0
    while replay.to_move() >= 0:
        replay.apply(bots.decide((bots.discard_oldest, bots.tell_any), bots.Seen.of(replay), luck))
        empty += not replay.pile
    assert empty == players + 1  # the draw itself, and one turn each


def test_all_cards_laid_win() -> None:
    order = [f"{suit}{number}" for suit in "RYG" for number in range(1, 6)]
    game = scene([f"{order[0]} {order[2]}", f"{order[1]} {order[3]}"], " ".join(order[4:]), suits=3)
    for _ in order:
        place = next(
            i
            for i, one in enumerate(game.hand[game.seat])
            if game.is_next(one // 10 * 5 + (0, 0, 0, 1, 1, 2, 2, 3, 3, 4)[one % 10])
        )
        game.apply(f"play {place + 1}")
    assert game.to_move() == -1
    assert (game.result()["scores"], game.result()["winners"]) == ([15], [0])


@pytest.mark.parametrize(
    ("special", "clues", "cards"),
    [
        ("rainbow", ["red", "yellow", "green", "blue", "4"], 50),
        ("white", ["4"], 50),
        ("pink", ["purple", "1", "2", "3", "4", "5"], 50),
        ("brown", ["purple"], 50),
        ("omni", ["red", "yellow", "green", "blue", "1", "2", "3", "4", "5"], 50),
        ("null", [], 50),
        ("black", ["purple", "4"], 45),
        ("dark-rainbow", ["red", "yellow", "green", "blue", "4"], 45),
    ],
)
def test_special_suits_are_touched_as_they_say(special: str, clues: list[str], cards: int) -> None:
    game = people.plain_class().open(2, {"special": special}, Luck(1), Chance(0))
    kind = 5 * 4 + 3  # purple four
    names = [game.clue_name(1, clue).split()[1] for clue, mask in game.touch.items() if mask >> kind & 1]
    assert names == clues
    assert sum(game.copies) == cards


def test_every_variant_of_the_table_can_be_played() -> None:
    table = people.variants()
    assert len(table) == 61
    assert {row["name"]: row["settings"] for row in table}["Black & Rainbow (6 Suits)"] == {
        "suits": 6,
        "special": "black",
        "second_special": "rainbow",
    }
    for row in table:
        for players in (2, 5):
            game = played(players, 3, bots.IGGI, **row["settings"])
            assert 0 <= game.result()["scores"][0] <= 5 * row["settings"]["suits"]


def test_too_few_cards_are_an_error() -> None:
    with pytest.raises(Exception, match="20 cards are too few to deal 4 to each"):
        people.plain_class().open(5, {"suits": 3, "special": "black", "second_special": "black"}, Luck(1), Chance(0))


# ---- Worlds


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("game", [FOLDER / "plain.py", FOLDER], ids=["plain", "compiled"])
def test_check_finds_no_fault(game: Path, players: int) -> None:
    words = ["check", str(game), "-p", str(players), "-n", "1"]
    code = "from houle.cli.main import main; main()"
    run = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_worlds_fit_the_clues() -> None:
    for seed in range(6):
        game = played(3, seed, moves=12 + 2 * seed, special="rainbow", second_special="brown")
        for seat in range(3) if game.to_move() >= 0 else ():
            world = game.imagine(seat, Luck(seed))
            assert world.view(seat) == game.view(seat)
            assert sorted([*world.pile, *world.hand[seat]]) == sorted([*game.pile, *game.hand[seat]])


def test_worlds_are_uniform() -> None:
    """All hands that fit the clues come equally often: three cards, counted exactly (chi-square)."""
    game = scene(["R1 Y1 G2", "R2 G3 Y3"], suits=3, special="black", second_special="black")
    for move in ("clue red to seat 2", "clue 1 to seat 1", "clue 3 to seat 2", "clue red to seat 1"):
        game.apply(move)
    unseen = [*game.pile, *game.hand[0]]
    kind = [one // 10 * 5 + (0, 0, 0, 1, 1, 2, 2, 3, 3, 4)[one % 10] for one in range(60)]
    hands = [
        hand
        for hand in itertools.permutations(unseen, 3)
        if all(mask >> kind[one] & 1 for one, mask in zip(hand, game.may[0], strict=True))
    ]
    counted = Counter(tuple(game.imagine(0, Luck(1_000 + number)).hand[0]) for number in range(40 * len(hands)))
    assert set(counted) == set(hands)
    square = sum((counted[hand] - 40) ** 2 / 40 for hand in hands)
    free = len(hands) - 1
    assert abs(square - free) < 5 * (2 * free) ** 0.5


# ---- The compiled game

KNOBS: list[dict[str, Any]] = [
    {"clue_starved": True, "suits": 4},
    {"discard_with_all_clues": True, "keeps_points": True},
    {"five_gives_clue": False, "clues": 2, "lives": 1},
    {"hand": 2, "suits": 3, "special": "cocoa", "second_special": "gray"},
    {"hand": 6, "suits": 6, "special": "omni", "second_special": "null", "lives": 6},
]


def compiled(players: int = 2, **settings: Any) -> Setup:
    look_in(FOLDER)
    return make_setup("hanabi", players, (), settings)


def test_compiled_game_follows_the_plain_one_in_all_variants() -> None:
    """The 61 variants of the table and each knob: same deals, states, moves and scores, move by move."""
    moves = 0
    for number, settings in enumerate([*KNOBS, *(row["settings"] for row in people.variants())]):
        setup = compiled(2 + number % 4 if "hand" not in settings else 2, **{"lives": 6, **settings})
        moves += plays_as_its_plain_version(setup, people.plain_class(), 1, number)
    assert moves > 1_000


@pytest.mark.parametrize("gives", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_games_follow_the_plain_one(players: int, gives: bool) -> None:
    """Games of thumbs, which lay fives and draw the last card."""
    setup = compiled(players, five_gives_clue=gives)
    match, thumbs = Match(setup, 8), seat_strategies(setup, ["thumb"])
    plain = open_beside(people.plain_class(), match)
    while match.to_move() >= 0:
        compare(match, plain, people.plain_class())
        action = match.decide(thumbs)
        plain.apply(match.name(action))
        match.apply(action)
    compare(match, plain, people.plain_class())
    compare_results(match, plain.result())
    assert 5 in plain.played
    assert plain.left == 0


def test_a_team_wins_with_all_cards_laid() -> None:
    setup = compiled(3, suits=3, clues=12, lives=6)
    assert setup.score_range == (0, 15)
    found = houle.simulate(setup, strategies="thumb", games=200, seed=1)
    assert round(200 * found.sides[0].win.value) == found.sides[0].histogram[15] > 0


def test_too_few_cards_are_an_error_when_compiled() -> None:
    with pytest.raises(Exception, match="20 cards are too few to deal 4 to each"):
        print(compiled(5, suits=3, special="black", second_special="black").rules)


@pytest.mark.parametrize(("players", "least"), [(2, 20.5), (3, 21), (4, 21), (5, 20.5)])
def test_rules_of_thumb_score(players: int, least: float) -> None:
    found = houle.simulate(compiled(players), strategies="thumb", games=400, seed=5)
    assert found.sides[0].score.interval.value > least


def test_clues_are_marks_on_backs() -> None:
    match = Match(compiled(), 4)
    red = next(name for name in match.names() if name.endswith("to seat 2"))
    match.apply(match.moves()[match.names().index(red)])
    mark = f"{red.split()[1][0].upper()}!"
    rows = {row["label"]: row["cards"] for row in view_of(match.state, match.setup, 1)}
    own, other = rows["your hand"], rows["hand of player 1"]
    assert all(card["hidden"] and "name" not in card for card in own)
    touched = [int(told) >= 1 << 11 for told in match.state.told[1, :5]]
    assert [card.get("known") == mark for card in own] == touched
    assert any(touched)
    for card in other:  # a card of another player carries the clues about it
        clues = [match.name(move) for move in card["moves"]]
        assert clues == [f"clue {card['name']} to seat 1", f"clue {card['top']} to seat 1"]


def test_cards_at_the_table_carry_their_moves() -> None:
    view = seat_view(Course(Sitting(compiled(), seed=4, game=0, seats=(PERSON, PERSON), moves=())))
    rows = {row["label"]: row["cards"] for row in view.rows}
    words = {choice.kind: choice.words for choice in view.choices}
    assert [[words.get(move) for move in card["moves"]] for card in rows["your hand"]] == [
        [f"play {place}", None] for place in range(1, 6)
    ]  # with all clues nothing can be discarded
    for card in rows["hand of player 2"]:
        assert [words[move] for move in card["moves"]] == [
            f"clue {card['name']} to player 2",
            f"clue {card['top']} to player 2",
        ]


# ---- Recorded games


def test_recorded_games_are_legal_with_equal_scores() -> None:
    """1,304 games; in three of them the person took the partner's turns and clued the own hand."""
    games = people.recorded_games()
    changed = [game["game"] for game in games if people.has_changed_places(game)]
    assert (len(games), changed) == (1_304, ["3f79f9ed3a579d03", "793153978a8699c5", "c2fc96267783e595"])
    for game in games:
        *_, (match, _) = people.replay(game)
        assert (match.to_move(), match.result()["scores"]) == (-1, [game["score"]]), game["game"]


def test_an_illegal_record_is_an_error() -> None:
    game = people.recorded_games()[0]
    with pytest.raises(ValueError, match="move 2 is of seat 0, but 1 is to move"):
        list(people.replay({**game, "moves": [game["moves"][0], game["moves"][0]]}))


# ---- Bots


@pytest.mark.parametrize("name", bots.BOTS)
def test_bots_see_what_their_seat_sees(name: str) -> None:
    """In every world that looks the same, a bot has the same choice."""
    for seed, players in enumerate((2, 3, 4, 5)):
        game, luck = people.plain_class().open(players, {}, Luck(seed), Chance(0)), Luck(7)
        while game.to_move() >= 0:
            here = bots.choices(bots.BOTS[name], bots.Seen.of(game))
            world = game.imagine(game.seat, Luck(game.moves))
            assert bots.choices(bots.BOTS[name], bots.Seen.of(world)) == here
            assert set(here) <= set(game.legal())
            game.apply(here[luck(len(here))])


@pytest.mark.parametrize("command", ["simulate", "difficulty"])
def test_commands_take_bots_by_name(command: str) -> None:
    words = [command, str(FOLDER / "plain.py"), "-p", "2", "-v", "bots", "-s", "iggi,piers", "-n", "4", "--json"]
    code = "from houle.cli.main import main; main()"
    run = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "piers" in run.stdout


@pytest.mark.parametrize(("name", "least"), [("iggi", 15), ("piers", 15), ("outer", 12), ("van-den-bergh", 12)])
def test_bots_score(name: str, least: float) -> None:
    mean, half = measure.points(name, 2, 30)
    assert mean + half > least


@pytest.mark.parametrize(
    ("partner", "chance", "possible"), [("outer", 0.5, 0.9), ("intentional", 0.88, 0.88), ("full", 0.91, 0.91)]
)
def test_partners_make_the_recorded_moves(partner: str, chance: float, possible: float) -> None:
    """On games that their weights were not fitted to."""
    found = measure.fidelity(partner, (2,))
    assert found[1] > chance
    assert found[3] > possible
