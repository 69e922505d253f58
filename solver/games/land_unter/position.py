"""LAND UNTER: how positions are written and read as text. docs/reference/positions.md explains the lines."""

from __future__ import annotations

from collections.abc import Iterator

from houle.solver.cards.piles import GAP, lay_pile
from houle.solver.compiler.types import Rules, State
from houle.solver.games.land_unter.rules import TAKE
from houle.solver.games.land_unter.words import action_name
from houle.solver.matches.known import Known
from houle.solver.matches.opening import set_of
from houle.solver.matches.record.line_parser import UNKNOWN, Lines, Places
from houle.solver.matches.record.named_cards import NamedCards, PositionCards
from houle.solver.rules import Setup

MOST_POINTS = 30_000
EMPTY = "gap"  # a place of the pile without a card


def halves(rules: Rules, cards: int) -> int:
    """The half lifebelts on a set of cards."""
    return (cards & int(rules.half)).bit_count() + 2 * (cards & int(rules.whole)).bit_count()


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move as `seat` sees it. A card that others choose in secret is not shown; the trick reveals it later."""
    if done and action < TAKE and int(state.mover) != seat and Known.of(state, setup, seat)["to move"] < 0:
        return "choose a card"
    return str(action_name(state, setup, action))


def name_of_card(setup: Setup, card: int) -> str:
    return str(card + 1)


def _water_left(known: Known, who: int) -> Places:
    """The places of the pile and the cards that a variant adds, in the order of the state."""
    pile, added = known["water left"], known["water added"]
    places = [EMPTY if value == GAP else str(value) for value in pile[: len(pile) - added]]
    return {"water left": places} | ({"water added": [*map(str, pile[: -added - 1 : -1])]} if added else {})


def _hand(known: Known, seat: int) -> Places:
    """The known cards, and how many cards of the pack are unknown: `3, 17, 5 ?`."""
    cards, more = known["hand", seat], {*known["played", seat], *known["seen before", seat]}
    hidden = int(known.setup.rules[0].hand) - len(more.union(cards))
    names = [name_of_card(known.setup, card) for card in cards]
    return {f"seat {seat + 1} hand": [*names, *([f"{hidden} ?"] if hidden else [])]}


LINES = {"water left": _water_left, "hand": _hand}


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; unknown cards are dealt so that every pack has its lifebelts."""
    rules = setup.rules[0]
    if state.taking and not rules.choice:
        raise lines.fault("step", "nothing to choose: the highest card takes the lower water card in this setup")
    _read_water(lines, setup, state)
    packs = _Packs(lines, setup, state, seat, deck=range(int(rules.weather)))
    packs.read_packs()
    packs.deal()
    packs.read_trick()


def _read_water(lines: Lines, setup: Setup, state: State) -> None:
    """Reads the cards turned up and the pile; with those turned up before they are all water cards."""
    rules = setup.rules[0]
    deck = [int(value) for value in rules.water[: int(rules.water_cards)]]
    cards = NamedCards(lines, range(len(deck)), lambda card: str(deck[card]))

    def values(place: str) -> list[int]:
        return [deck[card] for card in cards.named(place)]

    water, _, added, left = values("water"), values("water before"), values("water added"), lines.words("water left")
    if len(water) != 2:
        raise lines.fault("water", f"{len(water)} cards; allowed: two, as in every trick")
    if left is None:
        pile = sorted(deck[card] for card in cards.left())
    else:
        pile = [GAP if word == EMPTY else deck[cards.take("water left", word)] for word in left]
    number, there = len(pile) - pile.count(GAP) + len(added), len(deck) - 2 * (int(state.trick) + 1)
    if number != there:
        raise lines.fault("water left", f"{number} cards; trick {int(state.trick) + 1} has {there} left")
    if len(pile) + len(added) > (most := int(rules.water_pile.places) + int(rules.water_pile.added)):
        raise lines.fault("water left", f"{len(pile) + len(added)} places with and without cards; allowed: {most}")
    state.water[:] = water
    lay_pile(state, pile, added)


class _Packs(PositionCards):
    """The packs as they are read: the named cards, how many are missing, and how many lifebelts they must have."""

    def read_packs(self) -> None:
        self.missing: list[tuple[int, int, int, bool]] = []  # seat, cards, lifebelts of the pack, whether it is out
        for holder in range(self.setup.players):
            self._read(holder)

    def _read(self, holder: int) -> None:
        """Reads the cards of a pack: those in the hand, those played in this round, and those seen before."""
        state, lines, size, who = self.state, self.lines, int(self.rules.hand), f"seat {holder + 1}"
        out, played, seen = lines.yes(f"{who} out"), self.named(f"{who} played"), {*self.seen(f"{who} seen before")}
        if out and played:
            raise self.fault(f"{who} played", "this player is out; write these cards in `seen before`")
        hand = self.hand(f"{who} hand")
        named = {one.card for one in hand if one.card != UNKNOWN} | {*played}
        for card in sorted(seen - named):
            if not out:
                raise self.fault(f"{who} seen before", f"{card + 1} is neither in the hand nor played")
            named.add(self.put(card, f"{who} seen before"))
        hidden = sum(one.card == UNKNOWN for one in hand) if lines.says(f"{who} hand") else max(0, size - len(named))
        if len(named) + hidden != size:
            raise self.fault(f"{who} hand", f"{len(named) + hidden} cards including those played; a pack has {size}")
        state.pack[holder], state.seen[holder], state.out = set_of(named), set_of(seen), state.out | out << holder
        state.hand[holder] = 0 if out else set_of(named - {*played})
        state.points[holder] = lines.number(f"{who} points", -MOST_POINTS, MOST_POINTS, 0)
        here = halves(self.rules, set_of(named)) // 2
        belts = lines.number(f"{who} pack", 0, size, lines.number(f"{who} lifebelts", 0, size, here))
        state.belts[holder] = lines.number(f"{who} lifebelts", 0, size, belts)
        if int(state.belts[holder]) > belts:
            raise self.fault(f"{who} lifebelts", f"{int(state.belts[holder])}, but the pack has only {belts}")
        if not hidden and belts != here:
            raise self.fault(f"{who} pack", f"{belts} lifebelts, but its cards have {here}")
        if hidden:
            self.missing.append((holder, hidden, belts, out))

    def deal(self) -> None:
        """Deals the cards that are not named so that every pack has its lifebelts."""
        by_halves: list[list[int]] = [[], [], []]
        for card in self.left():
            by_halves[halves(self.rules, 1 << card)].append(card)
        picked = next(self._ways(0, tuple(map(len, by_halves))), None)
        if picked is None:
            places = ", ".join(f"seat {holder + 1} pack" for holder, *_ in self.missing)
            raise self.fault(places, "no deal of the remaining cards gives these packs their lifebelts")
        for (holder, _, _, out), numbers_of in zip(self.missing, picked, strict=True):
            cards = set_of(by_halves[kind].pop(0) for kind, number in enumerate(numbers_of) for _ in range(number))
            self.state.pack[holder] |= cards
            self.state.hand[holder] |= 0 if out else cards

    def _ways(self, number: int, left: tuple[int, ...]) -> Iterator[list[tuple[int, int, int]]]:
        """The possible numbers of cards with 0, 1 and 2 halves in each pack."""
        if number == len(self.missing):
            yield []
            return
        holder, cards, belts, _ = self.missing[number]
        there = halves(self.rules, int(self.state.pack[holder]))
        for twos in range(min(cards, left[2]) + 1):
            for ones in range(min(cards - twos, left[1]) + 1):
                plain = cards - twos - ones
                if plain <= left[0] and (there + ones + 2 * twos) // 2 == belts:
                    for rest in self._ways(number + 1, (left[0] - plain, left[1] - ones, left[2] - twos)):
                        yield [(plain, ones, twos), *rest]

    def read_trick(self) -> None:
        """Reads the cards of this trick that are face up, and who still has to choose one."""
        state, rules, seat = self.state, self.rules, self.seat
        playing = [holder for holder in range(self.setup.players) if not int(state.out) >> holder & 1]
        if seat not in playing:
            raise self.fault(f"seat {seat + 1} out", "a player who is out of the round has nothing to decide")
        for holder in range(self.setup.players) if rules.open or state.taking else ():
            cards = self.seen(f"seat {holder + 1} card")
            if cards and (
                len(cards) > 1 or holder not in playing or self.where.get(cards[0]) != f"seat {holder + 1} played"
            ):
                problem = f"allowed: one card, which is also in `seat {holder + 1} played`"
                raise self.fault(f"seat {holder + 1} card", problem)
            state.committed[holder] = cards[0] + 1 if cards else 0
        waiting = [holder for holder in playing if not int(state.committed[holder])]
        if state.taking:
            first = max(playing, key=lambda holder: int(state.committed[holder]))
            if waiting or first != seat:
                raise self.fault("step", f"needs all cards of the trick face up; seat {first + 1} has the highest")
            waiting = []
        elif seat not in waiting:
            raise self.fault(f"seat {seat + 1} card", "this seat has already chosen its card")
        state.waiting = set_of(waiting)
        for holder in playing:
            size = int(rules.hand) - int(state.trick) - (int(state.committed[holder]) > 0)
            if (number := int(state.hand[holder]).bit_count()) != size:
                problem = f"{number} cards; in trick {int(state.trick) + 1} it has {size}"
                raise self.fault(f"seat {holder + 1} hand", problem)
