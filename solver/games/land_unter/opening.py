"""Land Unter: packs of weather cards, round by round, separately from the seats that play them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from houle.solver.cards.piles import GAP, cards_in_piles
from houle.solver.compiler.types import States
from houle.solver.errors import StrategyError
from houle.solver.interface import WIN
from houle.solver.matches.opening import (
    Board,
    CardChange,
    Fact,
    PlayedOpenings,
    Sets,
    Values,
    as_sets,
    count,
    hand_places,
    luck,
    members,
    one_of,
    play_with_ledger,
    seat_fact,
    set_of,
)
from houle.solver.players.names import THUMB
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup

WATER = 256  # + value: a water card, to tell it from weather cards
TIE = -1  # purpose of the random number that breaks a tie
REMARK = "Packs travel, so every round counts separately, for the pack that was held. The most points win a round."


def scene(setup: Setup) -> tuple[Setup, str]:
    return setup, REMARK


def facts(setup: Setup) -> list[Fact]:
    rules = setup.rules[0]
    weather, size = int(rules.weather), int(rules.hand)
    third = weather // 3
    low, middle, high = (
        set_of(range(*ends)) for ends in ((0, third), (third, weather - third), (weather - third, weather))
    )

    def packs(openings: States) -> Any:
        return openings.pack[:, : setup.players]

    def numbers(openings: States) -> Any:
        return members(packs(openings), size) + 1

    def belts(openings: States) -> Any:
        return (count(packs(openings), rules.half) + 2 * count(packs(openings), rules.whole)) // 2

    return [
        seat_fact(setup),
        Fact("lifebelts", "lifebelts of the pack", belts),
        Fact("sum of the pack", "sum of its weather cards", lambda o: numbers(o).sum(axis=2), most=64 * 21),
        Fact("highest card", "its highest weather card", lambda o: numbers(o)[..., -1], 1, weather),
        Fact("lowest card", "its lowest weather card", lambda o: numbers(o)[..., 0], 1, weather),
        Fact("low cards", f"cards up to {third}", lambda o: count(packs(o), low)),
        Fact("middle cards", f"cards from {third + 1} to {weather - third}", lambda o: count(packs(o), middle)),
        Fact("high cards", f"cards from {weather - third + 1} up", lambda o: count(packs(o), high)),
        Fact("widest gap", "the widest gap between two neighbouring cards of the pack",
             lambda o: np.diff(numbers(o), axis=2).max(axis=2, initial=0)),
    ]  # fmt: skip


def play_openings(setup: Setup, line_up: LineUp, seed: int, first: int, number: int) -> PlayedOpenings:
    """Plays every round separately: a shorter game with the same streams is the beginning of a longer one.

    This holds only for strategies that do not look ahead, because a search plays the last round differently.
    """
    if line_up.level > THUMB:
        raise StrategyError(
            "openings: results by round are not available for players that think ahead; allowed: random or thumb"
        )
    seats, rounds = setup.players, int(setup.rules[0].rounds)
    so_far = np.zeros((number, seats), np.int64)
    points = np.zeros((number, rounds, seats), np.int64)
    for last in range(1, rounds + 1):
        shorter = replace(setup, options={**setup.options, "rounds": last})
        ledger, openings, tally = play_with_ledger(shorter, LineUp(shorter, line_up.strategies), seed, first, number)
        points[:, last - 1] = ledger.points - so_far
        so_far = ledger.points
    best = points == points.max(axis=2, keepdims=True)
    share = WIN * best // best.sum(axis=2, keepdims=True)
    seat = np.tile(np.arange(seats), rounds)
    hand = (seat - np.repeat(np.arange(rounds), seats)) % seats
    flat = (number, rounds * seats)
    return PlayedOpenings(
        openings, tally, seat, hand, share.reshape(flat), points.reshape(flat), np.ones(flat, np.int64)
    )  # fmt: skip


def packs(setup: Setup, starts: PlayedOpenings | None) -> tuple[int, Sets, Values]:
    """The number of weather cards, the packs (games x seats), the points (games x rounds x seats); None: no games."""
    weather, seats = int(setup.rules[0].weather), setup.players
    if starts is None:
        return weather, np.zeros((0, seats), np.uint64), np.zeros((0, int(setup.rules[0].rounds), seats), np.int64)
    points = starts.points.reshape(len(starts.points), -1, seats)
    return weather, np.ascontiguousarray(starts.openings.pack[:, :seats]), points


def cards(setup: Setup) -> list[str]:
    """Both decks, card by card."""
    rules = setup.rules[0]
    water = [f"water {int(card)}" for card in rules.water[: int(rules.water_cards)]]
    return [*(f"weather {card}" for card in range(1, int(rules.weather) + 1)), *water]


def card_changes(setup: Setup) -> list[CardChange]:
    """Every water card out, and once more."""
    values = dict.fromkeys(sorted(setup.options["deck.water"]))
    return [
        CardChange(f"water {value}", what, "deck.water", sign, value)
        for what, sign in (("out", "-"), ("one more", "+"))
        for value in values
    ]


def board(setup: Setup) -> Board:
    """The packs, the undealt weather cards, the two water cards turned up, the other water cards."""
    rules, size = setup.rules[0], int(setup.rules[0].hand)
    places = hand_places([size] * setup.players, 0)
    weather = {str(card): card - 1 for card in range(1, int(rules.weather) + 1)}
    water = {str(value): WATER + value for value in sorted(map(int, rules.water[: int(rules.water_cards)]))}
    names = dict.fromkeys(places, weather) | {"water": water}
    places["water"] = [int(rules.weather), int(rules.weather) + 1]
    return Board(places, names, np.arange(512))


def kind_of(face: int) -> int:
    return int(face >= WATER)


def take_apart(openings: States, setup: Setup) -> Values:
    rules, games = setup.rules[0], len(openings)
    packs = np.ascontiguousarray(openings.pack[:, : setup.players])
    rest = rules.cards & ~np.bitwise_or.reduce(packs, axis=1)
    size = int(rules.hand)
    undealt = members(rest, int(rules.weather) - size * setup.players)
    pile = cards_in_piles(openings, GAP - 1)[:, : int(rules.water_cards) - 2].astype(np.int64)
    water = np.concatenate([openings.water.astype(np.int64), pile], axis=1) + WATER
    return np.concatenate([members(packs, size).reshape(games, -1), undealt, water], axis=1)


def put_together(openings: States, setup: Setup, cards: Values) -> None:
    """Sets packs, lifebelts and water. In open play the richest seat leads; a new tie is broken at random."""
    rules, seats, size = setup.rules[0], setup.players, int(setup.rules[0].hand)
    weather = int(rules.weather)
    packs = as_sets(cards[:, : seats * size].reshape(-1, seats, size))
    before = openings.belts[:, :seats].copy()
    belts = (count(packs, rules.half) + 2 * count(packs, rules.whole)) // 2
    openings.pack[:, :seats] = openings.hand[:, :seats] = packs
    openings.belts[:, :seats] = belts
    water = cards[:, weather:] - WATER
    openings.water = water[:, :2]
    openings.pile[:, : water.shape[1] - 2] = water[:, 2:]
    openings.gaps = openings.added = 0
    if rules.open:
        richest, were = (each == each.max(axis=1, keepdims=True) for each in (belts, before))
        new = one_of(richest, luck(openings.root, TIE))
        openings.leader = openings.mover = np.where((richest == were).all(axis=1), openings.leader, new)
