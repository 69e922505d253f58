"""Reference implementation of SEA CHANGE, the trick-taking game whose trump changes, for 1 to 8 players.

It is the rules text in slow, plain Python, to compare the fast kernel with: at every ply the
legal actions, the seat to move, the snapshot and in the end the result must agree. It imports nothing
from the project, so that a mistake in the kernel cannot hide in a helper that both sides share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.reference.pile import Luck, Pile

COLOURS = ["yellow", "blue", "violet", "green", "red"]
CARDS_PER_COLOUR = 16
MOST_CARDS = len(COLOURS) * CARDS_PER_COLOUR
WIN = 840  # divisible by every number of sides from 1 to 8, so shared wins stay whole numbers
AI = 1  # the AI's seat and side in the solo game; the player is 0
SOLO_DUTY = 8  # the value of which the solo player must capture at least one card in every round


def colour_of(card: int) -> int:
    return card // CARDS_PER_COLOUR


def value_of(card: int) -> int:
    return card % CARDS_PER_COLOUR


def card_name(card: int) -> str:
    return f"{COLOURS[colour_of(card)]} {value_of(card)}"


def printed_deck(players: int) -> list[int]:
    """The cards that the rules take for so many players."""
    lowest, highest = {6: (3, 13), 7: (2, 14), 8: (1, 15)}.get(players, (4, 12))
    values = [0, *range(lowest, highest + 1)]
    return [colour * CARDS_PER_COLOUR + value for colour in range(min(max(players, 3), 5)) for value in values]


def team_sizes(teams: str) -> list[int]:
    return [int(size) for size in teams.split("v")]


def team_seating(sizes: list[int]) -> list[int]:
    """The team of each seat: round robin, in written order, over the teams with members still to place."""
    left = list(sizes)
    seating: list[int] = []
    while any(left):
        for team in range(len(left)):
            if left[team] > 0:
                left[team] -= 1
                seating.append(team)
    return seating


class Game:
    """One game from the first deal to the last victory point.

    `deal` is the luck of every card that leaves a face-down pile. Nothing else in this game is random, so
    `chance` is accepted for the sake of the common signature and never called.
    """

    # The state of a round, begun afresh by every deal.
    hands: list[list[int]]
    pile: Pile
    trick: list[tuple[int, int]]
    trump: int
    leader: int
    captured: list[list[int]]
    sea_changes: int
    void: list[list[bool]]

    def __init__(self, players: int, knobs: dict[str, Any], deal: Luck, chance: Callable[[int, int], int]) -> None:
        if not 1 <= players <= 8:
            raise ValueError(f"SEA CHANGE is for 1 to 8 players, not {players}")
        self.players = players
        self.deal = deal
        self.solo = players == 1

        self.colours = int(knobs["deck.colours"])
        self.deck = sorted(
            colour * CARDS_PER_COLOUR + value for colour in range(self.colours) for value in knobs["deck.values"]
        )
        self.printed = printed_deck(players)
        self.hand_size = int(knobs["hand"])
        self.card_points: list[int] = list(knobs["points"])
        self.trump_zero_points = int(knobs["trump_zero"])
        self.target = int(knobs["target"])
        self._check_deck()

        teams = str(knobs["teams"])
        if self.solo:
            self.side_of = [0, AI]
        else:
            self.side_of = list(range(players))
        if teams != "none":
            sizes = team_sizes(teams)
            if players < 4 or sum(sizes) != players:
                raise ValueError(f"team layout {teams} does not fit {players} players")
            self.side_of = team_seating(sizes)
            self.target = int(knobs["team_target"])
            if self.target == 0:
                self.target = max(sizes) + 1
        self.sides = max(self.side_of) + 1

        self.vp = [0] * self.sides
        self.round_scores: list[list[int]] = []
        self.winners: list[int] = []
        self.over = False
        self.cards_played = 0
        self.tricks_played = 0
        self.total_sea_changes = 0

        self.round = 0
        self.dealer = players - 1
        self._start_round()

    def _check_deck(self) -> None:
        rest = len(self.deck) - self.players * self.hand_size
        if self.hand_size < 1 or rest < 0:
            raise ValueError("the deck is too small for the hands")
        if self.solo and rest < 2 * self.hand_size:
            raise ValueError("the AI needs two cards for every trick")
        if self.players == 2 and rest % 2 != 0:
            raise ValueError("an odd stock leaves a last trick that only one player can play to")

    # ---------------------------------------------------------------- the interface of every reference

    def to_move(self) -> int:
        if self.over:
            return -1
        if self.solo:
            return 0
        return (self.leader + len(self.trick)) % self.players

    def legal(self) -> list[str]:
        return [f"play {card_name(card)}" for card in self._legal_cards()]

    def apply(self, action: str) -> None:
        chosen = [card for card in self._legal_cards() if f"play {card_name(card)}" == action]
        if not chosen:
            raise ValueError(f"not legal: {action}")
        card = chosen[0]
        seat = self.to_move()

        makes_sea_change = bool(self.trick) and value_of(card) == value_of(self.trick[-1][1])
        if self.trick and colour_of(card) != self._led() and not makes_sea_change:
            self.void[seat][self._led()] = True

        self.hands[seat].remove(card)
        self._lay(seat, card)

        if self.players == 2 and self.pile:
            self.hands[seat].append(self.pile.draw())
            # The new card may be of any colour, so nothing is known about this hand any more.
            self.void[seat] = [False] * self.colours
        if self.solo:
            self._lay(AI, self.pile.draw())

        if len(self.trick) == (3 if self.solo else self.players):
            self._finish_trick()

    def snapshot(self) -> dict[str, Any]:
        return {
            "hands": [sorted(hand) for hand in self.hands],
            "pile": self.pile.cards(),
            "trick": [[seat, card] for seat, card in self.trick],
            "led": self._led(),
            "trump": self.trump,
            "leader": self.leader,
            "dealer": self.dealer,
            "captured": [sorted(cards) for cards in self.captured],
            "points": [self._points_without_zeros(cards) for cards in self.captured],
            "vp": list(self.vp),
            "round": self.round,
            "sea_changes": self.sea_changes,
            "void": [list(colours) for colours in self.void],
            "over": self.over,
        }

    def result(self) -> dict[str, Any]:
        if not self.over:
            raise ValueError("the game is not over")
        share = WIN // len(self.winners)
        return {
            "scores": [sum(scores[side] for scores in self.round_scores) for side in range(self.sides)],
            "round_scores": [list(scores) for scores in self.round_scores],
            "shares": [share if side in self.winners else 0 for side in range(self.sides)],
            "moves": self.cards_played,
            "turns": self.tricks_played,
            "rounds": len(self.round_scores),
            "counts": {"sea_changes": self.total_sea_changes},
        }

    # ---------------------------------------------------------------- cards and tricks

    def _led(self) -> int:
        return colour_of(self.trick[0][1]) if self.trick else -1

    def _legal_cards(self) -> list[int]:
        if self.over:
            return []
        hand = sorted(self.hands[self.to_move()])
        if not self.trick:
            return hand
        if not any(colour_of(card) == self._led() for card in hand):
            return hand
        last_value = value_of(self.trick[-1][1])
        return [card for card in hand if colour_of(card) == self._led() or value_of(card) == last_value]

    def _lay(self, seat: int, card: int) -> None:
        if self.trump == -1:
            self.trump = colour_of(card)
        if self.trick and value_of(card) == value_of(self.trick[-1][1]):
            # Counted also when the colour was trump already: it is a sea change all the same.
            self.trump = colour_of(card)
            self.sea_changes += 1
            self.total_sea_changes += 1
        self.trick.append((seat, card))
        self.cards_played += 1

    def _trick_winner(self) -> int:
        contenders = [(seat, card) for seat, card in self.trick if colour_of(card) == self.trump]
        if not contenders:
            contenders = [(seat, card) for seat, card in self.trick if colour_of(card) == self._led()]
        winner, _ = max(contenders, key=lambda laid: value_of(laid[1]))
        return winner

    def _finish_trick(self) -> None:
        winner = self._trick_winner()
        self.captured[self.side_of[winner]] += [card for _, card in self.trick]
        self.trick = []
        self.tricks_played += 1
        if not self.solo:
            self.leader = winner
        if not any(self.hands):
            self._finish_round()
        elif self.solo:
            self._lay(AI, self.pile.draw())

    # ---------------------------------------------------------------- rounds and the end of the game

    def _start_round(self) -> None:
        first = (self.dealer + 1) % self.players
        self.deal.start_round(self.round)
        self.pile = Pile(self.deal, self.printed, {card: card for card in self.deck}, MOST_CARDS)
        self.hands = [[] for _ in range(self.players)]
        for _ in range(self.hand_size):
            for hand in self.hands:
                hand.append(self.pile.draw())

        self.trick = []
        self.trump = -1
        self.captured = [[] for _ in range(self.sides)]
        self.sea_changes = 0
        self.void = [[False] * self.colours for _ in range(self.players)]
        self.leader = AI if self.solo else first
        if self.solo:
            self._lay(AI, self.pile.draw())

    def _points_without_zeros(self, cards: list[int]) -> int:
        """The points that are certain before the round ends. Which zero counts depends on the last trump."""
        return sum(self.card_points[value_of(card)] for card in cards if value_of(card) != 0)

    def _trump_zero(self) -> int:
        return self.trump * CARDS_PER_COLOUR

    def _points(self, cards: list[int]) -> int:
        points = self._points_without_zeros(cards)
        for card in cards:
            if card == self._trump_zero():
                points += self.trump_zero_points
            elif value_of(card) == 0:
                points += self.card_points[0]
        return points

    def _finish_round(self) -> None:
        points = [self._points(cards) for cards in self.captured]
        self.round_scores.append(points)

        if self.solo and not any(value_of(card) == SOLO_DUTY for card in self.captured[0]):
            best = [AI]
        else:
            best = [side for side in range(self.sides) if points[side] == max(points)]
        for side in best:
            self.vp[side] += 1

        there = [side for side in range(self.sides) if self.vp[side] >= self.target]
        if there:
            self.winners = self._break_tie(there)
            self.over = True
            return
        self.round += 1
        self.dealer = (self.dealer + 1) % self.players
        self._start_round()

    def _break_tie(self, there: list[int]) -> list[int]:
        with_trump_zero = [side for side in there if self._trump_zero() in self.captured[side]]
        if with_trump_zero:
            return with_trump_zero
        fewest = min(len(self.captured[side]) for side in there)
        return [side for side in there if len(self.captured[side]) == fewest]
