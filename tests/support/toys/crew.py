"""Crew: take tricks together, each task card by the seat that has the task; a player may show a card.

The seat with the highest card is the captain, and all know it. A shown card stays known until it is played.
"""

from __future__ import annotations

import copy
from typing import Any


class Game:
    """Take tricks together, each task card by the seat that has the task."""

    PLAYERS = (2, 3, 4)
    SCORE, SCORE_RANGE = "tasks done", (0, 4)
    FEATURES = (("high", "Play high."), ("task", "Play a task card."))

    def __init__(self, players: int, luck: Any, ranks: int = 4, tasks: int = 2) -> None:
        self.luck, self.players = luck, players
        deck = [f"{suit}{rank}" for suit in "RGB" for rank in range(1, ranks + 1)]
        self.last = deck[-1]
        tasks_of = deck[:-1]
        luck.shuffle(deck)
        self.hand = [sorted(deck[seat::players]) for seat in range(players)]
        self.task: list[list[str]] = [[] for _ in range(players)]
        for number in range(tasks):
            self.task[number % players].append(luck.take(tasks_of))
        self.captain = next(seat for seat in range(players) if self.last in self.hand[seat])
        self.shown: list[list[str]] = [[] for _ in range(players)]
        self.trick: list[tuple[int, str]] = []
        self.gone: list[str] = []
        self.lacks: list[str] = [""] * players  # suits that a seat could not follow
        self.mover, self.tokens, self.done, self.failed = self.captain, players, 0, False

    def to_move(self) -> int:
        over = self.failed or not any(self.task) or not any(self.hand)
        return -1 if over else self.mover

    def legal(self) -> list[str]:
        if self.to_move() < 0:
            return []
        hand = self.hand[self.mover]
        led = [card for card in hand if self.trick and card[0] == self.trick[0][1][0]]
        show = hand if self.tokens and not self.trick and not self.shown[self.mover] else []
        return [f"play {card}" for card in led or hand] + [f"show {card}" for card in show]

    def apply(self, move: str) -> None:
        word, card = move.split()
        if word == "show":
            self.tokens -= 1
            self.shown[self.mover].append(card)
            return
        if self.trick and card[0] != self.trick[0][1][0]:
            self.lacks[self.mover] += self.trick[0][1][0]
        self.hand[self.mover].remove(card)
        if card in self.shown[self.mover]:
            self.shown[self.mover].remove(card)
        self.trick.append((self.mover, card))
        self.mover = (self.mover + 1) % self.players
        if len(self.trick) == self.players:
            self.end_trick()

    def end_trick(self) -> None:
        led = self.trick[0][1][0]
        taker = max((card, seat) for seat, card in self.trick if card[0] == led)[1]
        for _, card in self.trick:
            for seat, tasks in enumerate(self.task):
                if card in tasks:
                    tasks.remove(card)
                    self.done += seat == taker
                    self.failed |= seat != taker
            self.gone.append(card)
        self.trick, self.mover = [], taker

    def result(self) -> dict[str, Any]:
        won = not self.failed and not any(self.task)
        return {"scores": [self.done], "winners": [0] if won else []}

    def features(self, move: str) -> list[int]:
        word, card = move.split()
        return [int(card[1]) if word == "play" else 0, int(card in self.task[self.mover])]

    @staticmethod
    def bold(view: dict[str, Any], moves: list[str], luck: Any) -> str:
        return max(moves, key=lambda move: (move.split()[1][1], luck(9)))

    PLAYERS_BY_NAME = {"bold": "bold"}  # noqa: RUF012

    def view(self, seat: int) -> dict[str, Any]:
        return {
            "hand": list(self.hand[seat]),
            "cards": [len(hand) for hand in self.hand],
            "task": [list(tasks) for tasks in self.task],
            "shown": [list(cards) for cards in self.shown],
            "trick": list(self.trick),
            "gone": list(self.gone),
            "lacks": list(self.lacks),
            "captain": self.captain,
            "tokens": self.tokens,
        }

    def imagine(self, seat: int, luck: Any) -> Game:
        world = copy.deepcopy(self)
        world.luck = luck
        others = [other for other in range(self.players) if other != seat]
        unseen = sorted(card for other in others for card in self.hand[other])
        while True:
            luck.shuffle(unseen)
            left = list(unseen)
            for other in others:
                world.hand[other] = sorted(left.pop() for _ in self.hand[other])
            if all(self.fits(world.hand[other], other) for other in others):
                return world

    def fits(self, hand: list[str], seat: int) -> bool:
        """Whether a seat may have these cards, for all that everybody knows."""
        last = self.captain == seat and self.last not in [*self.gone, *(card for _, card in self.trick)]
        follows = not {card[0] for card in hand} & {*self.lacks[seat]}
        return {*self.shown[seat]} <= {*hand} and follows and last <= (self.last in hand)
