"""Bots of the literature for Hanabi, as functions of what a seat sees.

A bot is a list of rules. A rule returns moves between which the bot chooses by chance, all equally likely; the first
rule that returns any decides. So the chance of every move is known: `chances(bot, seen)`.

IGGI, Piers, Outer and Van den Bergh follow the rule lists of Walton-Rivers, Williams, Bartle, Perez-Liebana and Lucas,
"Evaluating and Modelling Hanabi-Playing Agents" (2017). Outer is by Osawa, "Solving Hanabi" (2015); Van den Bergh's
list is by van den Bergh, Hommelberg, Kosters and Spieksma, "Aspects of the Cooperative Card Game Hanabi" (2016).
`partner_outer`, `partner_intentional` and `partner_full` rebuild the partners of the recorded games in people/: Eger,
Martens and Alfaro Cordoba, "An Intentional AI for Hanabi" (2017). Only the idea is from there; what the paper leaves
open was settled by the partners' recorded moves. README.md says how often they make the recorded move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

from suits import NUMBERS, SUITS, cards_of, touches

LETTERS = "".join(suit[0].upper() for suit in SUITS)

Rule = Callable[["Seen"], Sequence[str]]


@lru_cache
def _deck(kinds: tuple[str, ...]) -> tuple[list[int], dict[int, int]]:
    """The copies of each card, and what each clue touches, in a game with suits of these kinds."""
    copies = [0] * (5 * len(kinds))
    for card in cards_of(list(kinds)):
        copies[card // 10 * 5 + NUMBERS[card % 10] - 1] += 1
    return copies, touches(list(kinds))


@lru_cache
def _kind(card: str) -> int:
    """The kind of a card as `R2`."""
    return 5 * LETTERS.index(card[0]) + int(card[1]) - 1


@lru_cache(10_000)
def _mask(text: str, suits: int) -> int:
    """The kinds in a text as `R23 Y2`, a bit each."""
    if text == "any":
        return (1 << 5 * suits) - 1
    return sum(1 << _kind(f"{row[0]}{number}") for row in text.split() for number in row[1:])


@lru_cache
def _marks(text: str) -> int:
    """The clues on a card in a text as `R2!`, a bit each."""
    bits = {"!": 11, **{letter: suit for suit, letter in enumerate(LETTERS)}, **{str(n): 5 + n for n in range(1, 6)}}
    return sum(1 << bits[mark] for mark in text if mark != "-")


@dataclass
class Seen:
    """All that a seat sees. Kinds are 5 * suit + number - 1; a mask has a bit per kind."""

    seat: int
    players: int
    hands: list[list[int | None]]  # kinds; None in the own hand
    may: list[list[int]]  # masks by the clues
    told: list[list[int]]  # the clues on each card: bits 0 to 5 colours, 5 + n the number n, 11 since the last turn
    played: list[int]
    gone: list[int]  # cards of each kind
    copies: list[int]
    clues: int
    lives: int
    pile: int  # cards to draw
    touch: dict[int, int]  # clue -> the kinds it touches
    can_discard: bool

    @classmethod
    def of(cls, game: Any) -> Seen:
        """What the seat to move sees in a game of the plain class."""
        return cls.of_view(game.view(game.seat), game.legal())

    @classmethod
    def of_view(cls, view: Mapping[str, Any], moves: Sequence[str]) -> Seen:
        """What a seat sees, from the view of the plain class and its legal moves."""
        copies, touch = _deck(tuple(view["suits"]))
        gone = [0] * len(copies)
        for card in view["gone"]:
            gone[_kind(card)] += 1
        hands = [[None if card == "?" else _kind(card) for card in hand.split()] for hand in view["hands"]]
        may = [[_mask(text, len(view["suits"])) for text in row] for row in view["may"]]
        told = [[_marks(text) for text in row] for row in view["told"]]
        played = [int(top[1]) for top in view["played"]]
        can_discard = any(move.startswith("discard") for move in moves)
        return cls(
            seat=view["to move"],
            players=len(hands),
            hands=hands,
            may=may,
            told=told,
            played=played,
            gone=gone,
            copies=list(copies),
            clues=int(view["clues"]),
            lives=view["lives"],
            pile=view["cards to draw"],
            touch=touch,
            can_discard=can_discard,
        )

    @cached_property
    def unseen(self) -> list[int]:
        """Cards of each kind in the own hand or in the pile."""
        left = [
            self.copies[kind] - self.gone[kind] - (self.played[kind // 5] > kind % 5)
            for kind in range(len(self.copies))
        ]
        for hand in self.hands:
            for kind in hand:
                if kind is not None:
                    left[kind] -= 1
        return left

    @cached_property
    def mine(self) -> list[dict[int, int]]:
        """For each own card the kinds it may be, with their numbers of unseen cards."""
        return [
            {kind: n for kind, n in enumerate(self.unseen) if n and mask >> kind & 1} for mask in self.may[self.seat]
        ]

    @property
    def others(self) -> list[int]:
        """The other seats, the next one first."""
        return [(self.seat + step) % self.players for step in range(1, self.players)]

    @cached_property
    def next(self) -> int:
        """The kinds that can be played now, as a mask."""
        return sum(1 << 5 * suit + n for suit, n in enumerate(self.played) if n < 5)

    @cached_property
    def useless(self) -> int:
        """The kinds that can never be played any more, as a mask."""
        mask = 0
        for suit, laid in enumerate(self.played):
            lost = False
            for number in range(5):
                kind = 5 * suit + number
                mask |= (number < laid or lost) << kind
                lost = lost or (number >= laid and self.gone[kind] == self.copies[kind])
        return mask

    @cached_property
    def last(self) -> int:
        """The kinds of which one card is left and that can still be played, as a mask."""
        left = sum((self.copies[kind] - self.gone[kind] == 1) << kind for kind in range(len(self.copies)))
        return left & ~self.useless

    def chance(self, place: int, mask: int) -> float:
        """The chance that an own card is of one of these kinds."""
        kinds = self.mine[place]
        return sum(n for kind, n in kinds.items() if mask >> kind & 1) / (sum(kinds.values()) or 1)

    def clue_moves(self, seat: int, kind: int | None = None) -> list[int]:
        """The clues that touch a card of this kind, or any card of the seat."""
        kinds = [kind] if kind is not None else self.hands[seat]
        return [clue for clue, mask in self.touch.items() if any(mask >> one & 1 for one in kinds if one is not None)]

    def after(self, seat: int, place: int, clue: int) -> int:
        """What another player's card may be after a clue."""
        kind, mask = self.hands[seat][place], self.touch[clue]
        assert kind is not None
        return self.may[seat][place] & (mask if mask >> kind & 1 else ~mask)


def clue(seat: int, clue: int) -> str:
    return f"clue {SUITS[clue] if clue < 6 else clue - 5} to seat {seat + 1}"


def play(place: int) -> str:
    return f"play {place + 1}"


def discard(place: int) -> str:
    return f"discard {place + 1}"


# ---- Rules


def play_probably_safe(least: float) -> Rule:
    """Play the card that is most likely next, if its chance is at least this."""

    def rule(seen: Seen) -> list[str]:
        chances = [seen.chance(place, seen.next) for place in range(len(seen.mine))]
        best = max(chances)
        return [play(chances.index(best))] if best >= least and best > 0 else []

    return rule


def play_safe(seen: Seen) -> list[str]:
    """Play a card that is surely next."""
    return play_probably_safe(1)(seen)


def discard_probably_useless(least: float) -> Rule:
    """Discard the card that is most likely useless, if its chance is at least this."""

    def rule(seen: Seen) -> list[str]:
        chances = [seen.chance(place, seen.useless) for place in range(len(seen.mine))]
        best = max(chances)
        return [discard(chances.index(best))] if seen.can_discard and best >= least else []

    return rule


def discard_useless(seen: Seen) -> list[str]:
    """Discard a card that is surely useless (Osawa's discard)."""
    return discard_probably_useless(1)(seen)


def discard_oldest(seen: Seen) -> list[str]:
    return [discard(0)] if seen.can_discard else []


def discard_any(seen: Seen) -> list[str]:
    return [discard(place) for place in range(len(seen.mine))] if seen.can_discard else []


def tell_about(mask_of: Callable[[Seen], int], both: bool) -> Rule:
    """Tell the first player who has a card of these kinds without knowing it one missing fact about that card.

    With `both` the fact is the number or the colour by chance; else the number first.
    """

    def rule(seen: Seen) -> list[str]:
        wanted = mask_of(seen)
        for seat in seen.others if seen.clues else []:
            for place, kind in enumerate(seen.hands[seat]):
                assert kind is not None
                if wanted >> kind & 1 and seen.may[seat][place] & ~wanted:
                    news = [
                        one
                        for one in seen.clue_moves(seat, kind)
                        if seen.after(seat, place, one) != seen.may[seat][place]
                    ]
                    if news:
                        return [clue(seat, one) for one in (news if both else [max(news)])]
        return []

    return rule


tell_useful = tell_about(lambda seen: seen.next, both=False)
tell_next_card = tell_about(lambda seen: seen.next, both=True)
tell_useless = tell_about(lambda seen: seen.useless, both=False)


def tell_dispensable(seen: Seen) -> list[str]:
    """With fewer than four clues: a clue after which a player knows that a card is useless."""
    for seat in seen.others if 0 < seen.clues < 4 else []:
        for place, kind in enumerate(seen.hands[seat]):
            assert kind is not None
            if seen.useless >> kind & 1 and seen.may[seat][place] & ~seen.useless:
                for one in seen.clue_moves(seat, kind):
                    if not seen.after(seat, place, one) & ~seen.useless:
                        return [clue(seat, one)]
    return []


def tell_unknown(seen: Seen) -> list[str]:
    """Any clue to the next player with something new about a card that it touches."""
    for seat in seen.others if seen.clues else []:
        found = [
            one
            for one in seen.clue_moves(seat)
            if any(
                seen.touch[one] >> kind & 1 and seen.after(seat, place, one) != seen.may[seat][place]
                for place, kind in enumerate(seen.hands[seat])
                if kind is not None
            )
        ]
        if found:
            return [clue(seat, one) for one in found]
    return []


def tell_most(seen: Seen) -> list[str]:
    """The clue that rules out the most kinds."""
    if not seen.clues:
        return []
    worth = {
        clue(seat, one): sum(
            (seen.may[seat][place] & ~seen.after(seat, place, one)).bit_count()
            for place in range(len(seen.hands[seat]))
        )
        for seat in seen.others
        for one in seen.clue_moves(seat)
    }
    return [move for move, news in worth.items() if news == max(worth.values())]


def tell_any(seen: Seen) -> list[str]:
    return [clue(seat, one) for seat in seen.others for one in seen.clue_moves(seat)] if seen.clues else []


def play_any(seen: Seen) -> list[str]:
    return [play(place) for place in range(len(seen.mine))]


def when(holds: Callable[[Seen], bool], rule: Rule) -> Rule:
    return lambda seen: rule(seen) if holds(seen) else []


REST: tuple[Rule, ...] = (tell_any, discard_any, play_any)  # if no rule of a list can be used

IGGI: tuple[Rule, ...] = (play_safe, tell_useful, discard_useless, discard_oldest, *REST)
PIERS: tuple[Rule, ...] = (
    when(lambda seen: seen.lives > 1 and not seen.pile, play_probably_safe(0)),
    play_safe,
    when(lambda seen: seen.lives > 1, play_probably_safe(0.6)),
    tell_useful,
    tell_dispensable,
    discard_useless,
    discard_oldest,
    *REST,
)
OUTER: tuple[Rule, ...] = (play_safe, discard_useless, tell_next_card, tell_unknown, discard_any, *REST)
VAN_DEN_BERGH: tuple[Rule, ...] = (
    when(lambda seen: seen.lives > 1, play_probably_safe(0.6)),
    play_safe,
    discard_useless,
    tell_useful,
    tell_useless,
    tell_most,
    discard_probably_useless(0),
    *REST,
)


# ---- The partners of the recorded games
#
# These use what the clues say and the cards on the table, not the cards that they see in other hands.


def laid(seen: Seen) -> int:
    """The kinds that are on the table, as a mask."""
    return sum(1 << kind for kind in range(len(seen.copies)) if kind % 5 < seen.played[kind // 5])


def left_of(seen: Seen, kind: int) -> int:
    """Cards of a kind that are neither gone nor on the table."""
    return seen.copies[kind] - seen.gone[kind] - (seen.played[kind // 5] > kind % 5)


def surely(seen: Seen, mask: int) -> list[int]:
    """Own cards that by the clues are of one of these kinds."""
    return [place for place, may in enumerate(seen.may[seen.seat]) if not may & ~mask]


def play_first_sure(seen: Seen) -> list[str]:
    return [play(place) for place in surely(seen, seen.next)[:1]]


def play_last_sure(seen: Seen) -> list[str]:
    return [play(place) for place in surely(seen, seen.next)[-1:]]


def discard_laid(seen: Seen) -> list[str]:
    return [discard(place) for place in surely(seen, laid(seen))] if seen.can_discard else []


def discard_first_laid(seen: Seen) -> list[str]:
    return discard_laid(seen)[:1]


def tell_missing(seen: Seen) -> list[str]:
    """The first card that is next and not fully known: its colour or its number, what was not told before."""
    for seat in seen.others if seen.clues else []:
        for place, kind in enumerate(seen.hands[seat]):
            assert kind is not None
            if seen.next >> kind & 1 and seen.may[seat][place].bit_count() > 1:
                both = seen.clue_moves(seat, kind)
                return [clue(seat, one) for one in both if not seen.told[seat][place] >> one & 1] or [
                    clue(seat, both[0])
                ]
    return []


def obey(seen: Seen) -> list[str]:
    """Take a new clue as a wish: play the first touched card that may be next, or discard one that is on the table."""
    for place, may in enumerate(seen.may[seen.seat]):
        if seen.told[seen.seat][place] >> 11:
            kinds = [kind for kind in range(len(seen.copies)) if may >> kind & 1 and left_of(seen, kind)]
            if any(seen.next >> kind & 1 for kind in kinds):
                return [play(place)]
    fresh = [place for place in surely(seen, laid(seen)) if seen.told[seen.seat][place] >> 11]
    return [discard(place) for place in fresh[:1]] if seen.can_discard else []


def discard_facts(seen: Seen, place: int) -> list[float]:
    """Facts about an own card by which a partner chooses what to discard.

    Shares of the cards it may be: on the table; the last of its kind, by steps to the next card and by number; one of
    two, likewise; one of three; without use. Whether its colour or number has heard, and whether in the last clue. Then
    tenths of cards, kinds, cards on the table, last ones and others by steps.
    """
    may, dead = seen.may[seen.seat][place], seen.useless
    cards = {kind: n for kind in range(len(seen.copies)) if may >> kind & 1 and (n := left_of(seen, kind)) > 0}
    total, facts = sum(cards.values()) or 1, [0.0] * 39
    for kind, n in cards.items():
        steps, share = kind % 5 - seen.played[kind // 5], n / total
        if steps < 0:
            facts[0] += share
            facts[28] += n / 10
            continue
        if n <= 2:
            facts[(1 if n == 1 else 11) + steps] += share
            facts[(6 if n == 1 else 16) + kind % 5] += share
        else:
            facts[21] += share
        facts[22] += share * (dead >> kind & 1)
        facts[(29 if n == 1 else 34) + steps] += n / 10
    told = seen.told[seen.seat][place]
    facts[23:28] = [bool(told & 63), bool(told >> 6 & 31), bool(told >> 11), total / 10, len(cards) / 10]
    return facts


def clue_facts(seen: Seen, seat: int, given: int) -> list[float] | None:
    """Facts about a clue by which a partner rates it; None if a touched card would seem to be next and is not.

    Touched cards that are next and learn something, or nothing; that are on the table and are now known to be, were
    known before, or stay unknown; last ones; others that learn something, or nothing. Then untouched and touched
    cards now surely next, whether it is a number, whether there is a card of the first and of the third sort, and for
    every clue a one, the clues left, and whether all are left.
    """
    facts, table = [0.0] * 16, laid(seen)
    for place, kind in enumerate(seen.hands[seat]):
        assert kind is not None
        before, after = seen.may[seat][place], seen.after(seat, place, given)
        sure = after != before and not after & ~seen.next
        if not seen.touch[given] >> kind & 1:
            facts[8] += sure
        elif seen.next >> kind & 1:
            facts[0 if after != before else 1] += 1
            facts[9] += sure
        elif after & seen.next:
            return None
        elif table >> kind & 1:
            facts[4 if after & ~table else 2 if before & ~table else 3] += 1
        elif seen.last >> kind & 1:
            facts[5] += 1
        else:
            facts[6 if after != before else 7] += 1
    facts[10:] = [given > 5, facts[0] > 0, facts[2] > 0, 1, seen.clues / 8, seen.clues >= 8]
    return facts


def rated(facts: Sequence[float], weights: Sequence[float]) -> float:
    return sum(fact * weight for fact, weight in zip(facts, weights, strict=True))


def clue_by(weights: Sequence[float]) -> Rule:
    """Give the best clue, if its rating is above zero, or if discarding is not allowed."""

    def rule(seen: Seen) -> list[str]:
        if not seen.clues:
            return []
        found = [
            (rated(facts, weights), clue(seat, one))
            for seat in seen.others
            for one in seen.clue_moves(seat)
            if (facts := clue_facts(seen, seat, one)) is not None
        ]
        best = max(found, key=lambda one: one[0], default=(0.0, ""))
        return [best[1]] if best[0] > 0 or (best[1] and not seen.can_discard) else []

    return rule


def discard_by(weights: Sequence[float]) -> Rule:
    """Discard the best card by its rating."""

    def rule(seen: Seen) -> list[str]:
        ratings = [rated(discard_facts(seen, place), weights) for place in range(len(seen.mine))]
        return [discard(ratings.index(max(ratings)))] if seen.can_discard else []

    return rule


# Fitted to the recorded moves of the partners: python tests/measure.py fit
INTENTIONAL_CLUES: list[float] = [
    5.9,
    1.4,
    4.8,
    2.2,
    4.7,
    -1.9,
    0.7,
    0.7,
    -0.6,
    -0.8,
    -1.3,
    2.9,
    1.7,
    -2.2,
    -2.5,
    0.9,
]
INTENTIONAL_DISCARDS: list[float] = [
    34.8,
    -11.3,
    -9.8,
    -9.6,
    -10.7,
    -11.5,
    -34.6,
    -25.8,
    -11.6,
    5.6,
    13.5,
    -5,
    6.3,
    12,
    12.8,
    0,
    -3.4,
    6.9,
    10.3,
    12.4,
    0,
    -8.2,
    1.1,
    -2.4,
    -2.1,
    0.8,
    0.3,
    -1.5,
    -0.1,
    1.1,
    1.4,
    -2.6,
    -5.1,
    -4.4,
    7.4,
    4.3,
    -0.1,
    -1.7,
    0,
]
FULL_CLUES: list[float] = [
    5.2,
    1.7,
    5.7,
    3.5,
    4.9,
    -2.2,
    0.9,
    0.7,
    -0.3,
    -0.8,
    -1.3,
    3.7,
    0.9,
    -2.1,
    -2.3,
    0.7,
]
FULL_DISCARDS: list[float] = [
    27.6,
    -9.2,
    -5.9,
    -4.8,
    -8.8,
    -8.5,
    -0.8,
    -27.9,
    -13.7,
    -4.3,
    9.4,
    -5.6,
    3.8,
    10.2,
    9.4,
    0,
    2.8,
    1.8,
    5.4,
    7.9,
    0,
    -8.1,
    -0.7,
    -2.6,
    -0.5,
    2.6,
    -2,
    1.1,
    2,
    -1.3,
    -2.8,
    -5.7,
    -3.6,
    -5.7,
    7.2,
    4.8,
    0.9,
    2.2,
    0,
]

PARTNER_OUTER: tuple[Rule, ...] = (play_first_sure, discard_laid, tell_missing, tell_unknown, discard_any, *REST)
PARTNER_INTENTIONAL: tuple[Rule, ...] = (
    play_last_sure,
    discard_first_laid,
    clue_by(INTENTIONAL_CLUES),
    discard_by(INTENTIONAL_DISCARDS),
    *REST,
)
PARTNER_FULL: tuple[Rule, ...] = (
    obey,
    play_first_sure,
    discard_first_laid,
    clue_by(FULL_CLUES),
    discard_by(FULL_DISCARDS),
    *REST,
)


# ---- Players

Bot = tuple[Rule, ...]
BOTS: dict[str, Bot] = {
    "iggi": IGGI,
    "piers": PIERS,
    "outer": OUTER,
    "van-den-bergh": VAN_DEN_BERGH,
    "partner-outer": PARTNER_OUTER,
    "partner-intentional": PARTNER_INTENTIONAL,
    "partner-full": PARTNER_FULL,
}


def choices(bot: Bot, seen: Seen) -> list[str]:
    """The moves that a bot may make, all equally likely."""
    return next(list(moves) for rule in bot if (moves := rule(seen)))


def chances(bot: Bot, seen: Seen) -> dict[str, float]:
    """The chance of each move that a bot may make."""
    moves = choices(bot, seen)
    return {move: 1 / len(moves) for move in moves}


def decide(bot: Bot, seen: Seen, luck: Callable[[int], int]) -> str:
    """The move of a bot; `luck(n)` is a random number below n."""
    moves = choices(bot, seen)
    return moves[luck(len(moves))]


def move_of(bot: Bot, view: Mapping[str, Any], moves: Sequence[str], luck: Callable[[int], int]) -> str:
    """The move of a bot by what its seat sees: a player for PLAYERS_BY_NAME of the plain class."""
    return decide(bot, Seen.of_view(view, moves), luck)


PLAYERS = {name: partial(move_of, bot) for name, bot in BOTS.items()}
