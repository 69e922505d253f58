"""LAND UNTER in slow, plain Python: the reference that the fast kernels are compared with.

It follows the rules text sentence by sentence and is written to be read, not to be quick. Given its two
sources of luck it is deterministic: `deal` hands out the weather cards and turns up the water cards, `chance`
breaks ties for the leader of a trick (open play).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.reference.pile import Luck, Pile, numbered

Chance = Callable[[int, int], int]  # chance(n, moment): uniform in 0 .. n-1

PRINTED_WEATHER = range(1, 61)
PRINTED_WATER = [*range(1, 13), *range(1, 13)]
MOST_WEATHER, MOST_WATER = 64, 64
ROUND = 256  # moments of chance: the start of a round, then the end of each trick

WHOLE_WIN = 840  # divisible by every possible number of players who share the win


class Game:
    """One game of 3 to 5 players, from the deal to the last round."""

    def __init__(self, players: int, knobs: dict[str, Any], deal: Luck, chance: Chance) -> None:
        self.players = players
        self.deal = deal
        self.chance = chance

        self.halves: list[int] = list(knobs["deck.halves"])
        self.water_deck: list[int] = list(knobs["deck.water"])
        self.hand_size: int = knobs["hand"]
        self.winner_takes: str = knobs["winner_takes"]
        self.elimination_cascade: bool = knobs["elimination_cascade"]
        self.final_cascade: bool = knobs["final_cascade"]
        self.rounds: int = knobs["rounds"] or players
        self.open_play: bool = knobs["play"] == "open"
        self.score_belt: int = knobs["score.belt"]
        self.score_eliminated: int = knobs["score.eliminated"]
        self.score_lowest: int = knobs["score.lowest"]
        self._check(knobs)

        self.points = [0] * players
        self.eliminations = 0
        self.tricks = 0
        self.moves = 0
        self.round = 0
        self.over = False

        cards = {card: card for card in range(1, knobs["deck.weather"] + 1)}
        weather = Pile(deal, PRINTED_WEATHER, cards, MOST_WEATHER)
        self.packs: list[list[int]] = [[] for _ in range(players)]
        for _ in range(self.hand_size):
            for pack in self.packs:
                pack.append(weather.draw())

        self._start_round()

    def _check(self, knobs: dict[str, Any]) -> None:
        if not 3 <= self.players <= 5:
            raise ValueError("Land Unter is for 3 to 5 players")
        if self.final_cascade and not self.elimination_cascade:
            raise ValueError("final_cascade needs elimination_cascade")
        if knobs["winner_takes"] not in ("lower", "choice"):
            raise ValueError(f"winner_takes: {knobs['winner_takes']!r}")
        if knobs["play"] not in ("secret", "open"):
            raise ValueError(f"play: {knobs['play']!r}")
        if self.hand_size < 1 or self.players * self.hand_size > knobs["deck.weather"]:
            raise ValueError("the weather cards do not fit the hands")
        if len(self.halves) < knobs["deck.weather"]:
            raise ValueError("deck.halves does not cover every weather card")
        if len(self.water_deck) < 2 * self.hand_size:
            raise ValueError("too few water cards for the tricks of a round")

    # ---------------------------------------------------------------- rounds and tricks

    def _start_round(self) -> None:
        self.hands = [list(pack) for pack in self.packs]
        self.belts = [sum(self.halves[card - 1] for card in pack) // 2 for pack in self.packs]
        self.level = [0] * self.players
        self.out = [False] * self.players
        self.deal.start_round(self.round)
        water = dict(zip(numbered(self.water_deck), self.water_deck, strict=True))
        self.pile = Pile(self.deal, numbered(PRINTED_WATER), water, MOST_WATER)
        self.trick = 0
        self.leader = -1
        if self.open_play:
            most = max(self.belts)
            self.leader = self._one_of([s for s in range(self.players) if self.belts[s] == most], self.round * ROUND)
        self._start_trick()

    def _start_trick(self) -> None:
        self.committed = [0] * self.players
        self.water = [self.pile.draw(), self.pile.draw()]

    def _one_of(self, seats: list[int], moment: int) -> int:
        """One of the seats (ascending) at random."""
        return seats[self.chance(len(seats), moment)]

    def _still_in(self) -> list[int]:
        return [s for s in range(self.players) if not self.out[s]]

    def _next_in(self, seat: int) -> int:
        """The given seat, or else the first one clockwise from it that is still in the round."""
        while self.out[seat % self.players]:
            seat += 1
        return seat % self.players

    def _waiting(self) -> list[int]:
        """The seats that have yet to play a weather card to this trick, in the order of play."""
        first = self.leader if self.open_play else 0
        order = [(first + i) % self.players for i in range(self.players)]
        return [s for s in order if not self.out[s] and self.committed[s] == 0]

    def _ranking(self) -> list[int]:
        """The seats of this trick, the highest weather card first."""
        return sorted(self._still_in(), key=lambda s: self.committed[s], reverse=True)

    def _finish_trick(self, taken: int) -> None:
        """Resolve the trick: the highest weather card takes the water card `taken`, the second the other."""
        other = list(self.water)
        other.remove(taken)
        first, second = self._ranking()[:2]
        self.level[first] = taken
        self.level[second] = other[0]

        losers = self._flood()

        self.committed = [0] * self.players
        self.water = []
        self.trick += 1
        self.tricks += 1

        if self.trick == self.hand_size or len(self._still_in()) <= 2:
            self._finish_round()
            return
        if self.open_play:
            self._choose_leader(losers)
        self._start_trick()

    def _flood(self) -> list[int]:
        """The highest level loses a lifebelt, with the cascade; returns the seats that lost one."""
        while True:
            highest = max(self.level[s] for s in self._still_in())
            holders = [s for s in self._still_in() if self.level[s] == highest]
            losers = [s for s in holders if self.belts[s] > 0]
            for s in holders:
                if s in losers:
                    self.belts[s] -= 1
                else:
                    self._eliminate(s)
            left = len(self._still_in())
            if losers or left == 0 or not self.elimination_cascade:
                return losers
            # At most two left is the end of the round, which cuts a cascade short.
            if left <= 2 and not self.final_cascade:
                return losers

    def _eliminate(self, seat: int) -> None:
        self.out[seat] = True
        self.hands[seat] = []
        self.level[seat] = 0
        self.eliminations += 1

    def _choose_leader(self, losers: list[int]) -> None:
        if losers:
            fewest = min(self.belts[s] for s in losers)
            moment = self.round * ROUND + self.trick
            loser = self._one_of([s for s in losers if self.belts[s] == fewest], moment)
            self.leader = self._next_in(loser + 1)
        else:
            self.leader = self._next_in(self.leader)

    def _finish_round(self) -> None:
        still_in = self._still_in()
        # If nobody is left there is no lowest level, and nobody gets the bonus.
        lowest = min((self.level[s] for s in still_in), default=0)
        for s in range(self.players):
            if self.out[s]:
                self.points[s] += self.score_eliminated
                continue
            self.points[s] += self.belts[s] * self.score_belt
            if self.level[s] == lowest:
                self.points[s] += self.score_lowest

        self.round += 1
        if self.round == self.rounds:
            self.over = True
            return
        # Seat p's hand goes to seat p + 1, so seat 0 receives that of the last seat.
        self.packs = [self.packs[-1], *self.packs[:-1]]
        self._start_round()

    # ---------------------------------------------------------------- decisions

    def to_move(self) -> int:
        """The seat that decides; -1 when the game is over."""
        if self.over:
            return -1
        waiting = self._waiting()
        # With all cards shown and the game still asking, it is the winner's choice of a water card.
        return waiting[0] if waiting else self._ranking()[0]

    def legal(self) -> list[str]:
        """The names of the actions of the seat to move; duplicates kept."""
        if self.over:
            return []
        if self._waiting():
            return [f"play {card}" for card in sorted(self.hands[self.to_move()])]
        return [f"take {value}" for value in sorted(self.water)]

    def apply(self, action: str) -> None:
        """Carry out one decision and everything automatic up to the next."""
        if action not in self.legal():
            raise ValueError(f"not legal: {action!r}")
        action_type, number = action.split()
        if action_type == "take":
            self._finish_trick(int(number))
            return
        seat = self.to_move()
        self.hands[seat].remove(int(number))
        self.committed[seat] = int(number)
        self.moves += 1
        if not self._waiting() and self.winner_takes == "lower":
            self._finish_trick(min(self.water))

    # ---------------------------------------------------------------- what can be compared

    def snapshot(self) -> dict[str, Any]:
        """The whole state in plain values; once over, it stays as after the last trick."""
        return {
            "hands": [sorted(hand) for hand in self.hands],
            "packs": [sorted(pack) for pack in self.packs],
            "belts": list(self.belts),
            "level": list(self.level),
            "out": list(self.out),
            "committed": list(self.committed),
            "water": list(self.water),
            "pile": self.pile.cards(),
            "trick": self.trick,
            "round": self.round,
            "leader": self.leader,
            "points": list(self.points),
            "eliminations": self.eliminations,
            "tricks": self.tricks,
            "over": self.over,
        }

    def result(self) -> dict[str, Any]:
        """The outcome; only when the game is over."""
        if not self.over:
            raise ValueError("the game is not over")
        best = max(self.points)
        winners = self.points.count(best)
        return {
            "scores": list(self.points),
            "shares": [WHOLE_WIN // winners if p == best else 0 for p in self.points],
            "moves": self.moves,
            "turns": self.tricks,
            "rounds": self.round,
            "counts": {"eliminations": self.eliminations, "tricks": self.tricks},
        }
