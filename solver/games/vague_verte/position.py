"""VAGUE VERTE: positions as text: names, lines with a syntax of their own, and how lines are read.

seat: 1                              who decides
step: play                           `draw` or `play`; `drawn` is the card drawn this turn
turn: 12                             turns count from 1
stock: 20                            cards in the stock; by default the rest of the deck
face-up: tow, car red 1              the face-up pile, its top last
red lights: 3, 5                     the rows with a red light
seat 1 road: car red 1, breakdown red + tow
seat 1 misses: 1                     turns to miss because of ducks
seat 1 hand: tow, car red 2          in other hands ? for a card that this seat did not see taken
seat 1 shown: tow                    cards of the player's own hand that the others saw taken
reshuffles: 1                        how often a new stock was made
seen at reshuffle 1: tow, car red 1  cards that went into the stock then, and that nobody has seen since
seat 2 hand: ? @1                    a card from that stock
seat 2 card 1 is not: car red 1      forced play: what the first ? of the hand cannot be
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from houle.solver.cards.piles import lay_pile
from houle.solver.compiler.types import State
from houle.solver.games.vague_verte import rules as game
from houle.solver.games.vague_verte.words import counted, spoken, squares_of
from houle.solver.matches.known import Known
from houle.solver.matches.opening import set_of
from houle.solver.matches.record.known_lines import NamedCards
from houle.solver.matches.record.line_parser import Lines, Places
from houle.solver.rules import Setup


def move_name(state: State, setup: Setup, action: int, seat: int, done: bool = False) -> str:
    """A move for people. All of them are seen by everyone; a card drawn from the stock is not part of its move."""
    return spoken(state, setup, action)


def name_of_card(setup: Setup, card: int) -> str:
    return game.build_deck(setup.options)[card]


def _names(known: Known, cards: Iterable[int]) -> list[str]:
    deck = game.build_deck(known.setup.options)
    return [deck[card] for card in cards]


def _road(known: Known, who: int) -> Places:
    return {f"seat {who + 1} road": [" + ".join(square) for square in squares_of(known, who)]}


def _hand(known: Known, who: int) -> Places:
    """A hand. Of another one: cards seen taken by name, then the hidden cards with what is known of each."""
    place = f"seat {who + 1}"
    lines = {f"{place} hand": _names(known, counted(known["hand", who]))}
    if who == known.seat:
        shown = _names(known, counted(known["shown"]))
        return lines | ({f"{place} shown": shown} if shown else {})
    numbers, rules = known["hidden in hand", who], known.setup.rules[0]
    each = 1 + int(rules.deck_size) * int(rules.forced_play)
    for number, start in enumerate(range(0, len(numbers), each), 1):
        age, *is_not = numbers[start : start + each]
        lines[f"{place} hand"] += ["?" if age == 1 else f"? @{age - 1}"] if age else []
        if any(is_not):
            lines[f"{place} card {number} is not"] = list(dict.fromkeys(_names(known, counted(is_not))))
    return lines


def _ages(known: Known, who: int) -> Places:
    """Which hidden cards were last seen at which reshuffle."""
    ages = [age - 1 for age in known["hidden cards"]]
    return {
        f"seen at reshuffle {age}": _names(known, [card for card, seen in enumerate(ages) if seen == age])
        for age in sorted({*ages} - {-1, 0})
    }


LINES = {"road": _road, "hand": _hand, "hidden cards": _ages}


def read(lines: Lines, setup: Setup, state: State, seat: int) -> None:
    """Fills a blank state; cards that the seat cannot see are dealt arbitrarily."""
    names = game.build_deck(setup.options)
    deck = NamedCards(lines, range(len(names)), names.__getitem__)
    state.mover = state.seat = seat
    state.winner = state.drawn = game.NONE
    _read_lights(lines, setup, state, deck)
    for holder in range(setup.players):
        _read_road(lines, setup, state, holder, deck)
    pile = [deck.take("face-up", name) for name in deck.words("face-up")]
    state.faceup[: len(pile)] = pile
    state.faceup_left = len(pile)
    own = [deck.take(f"seat {seat + 1} hand", name) for name in deck.words(f"seat {seat + 1} hand")]
    state.hand[seat] = set_of(own)
    state.shown[seat] = set_of(_within(deck, f"seat {seat + 1} shown", own))
    hidden = [place for holder in range(setup.players) if holder != seat
              for place in _read_hand(lines, setup, state, holder, deck)]  # fmt: skip
    _read_step(lines, state, own, deck)
    _deal_hidden(lines, setup, state, hidden, deck)
    _survey(state, setup)
    if state.stage == game.DRAW and not pile:
        raise lines.fault("face-up", "this line is missing; write the cards of the pile, the top last")


def _within(deck: NamedCards, place: str, cards: list[int]) -> list[int]:
    """The cards of a line, which must be among these cards."""
    left, named = list(cards), []
    for word in deck.words(place):
        card = next((card for card in left if deck.shown(card).lower() == word.lower()), None)
        if card is None:
            raise deck.lines.fault(place, f"{word} is not in the hand")
        left.remove(card)
        named.append(card)
    return named


def _faces(deck: NamedCards, place: str) -> int:
    """All cards with the names that are in a line, as a set."""
    wanted = {deck.shown(deck.lines.card(place, word, deck.names)) for word in deck.words(place)}
    return set_of(card for name in wanted for card in deck.same[name])


def _read_step(lines: Lines, state: State, own: list[int], deck: NamedCards) -> None:
    if not lines.says("step"):
        state.stage = game.PLAY
    drawn = _within(deck, "drawn", own)
    if len(drawn) > 1 or (drawn and state.stage == game.DRAW):
        raise lines.fault("drawn", "allowed: one card, and only with `step: play`")
    if drawn:
        same = [card for card in drawn + own if deck.shown(card) == deck.shown(drawn[0])]
        shown = [card for card in same if int(state.shown[state.seat]) >> card & 1]
        state.drawn = shown[0] if shown else drawn[0]
    if state.stage == game.PLAY and not own:
        raise lines.fault(f"seat {int(state.seat) + 1} hand", "the hand has no card to play")


def _read_lights(lines: Lines, setup: Setup, state: State, deck: NamedCards) -> None:
    rules = setup.rules[0]
    targets = int(rules.aims[game.RED_LIGHTS])
    for word in lines.words("red lights") or ():
        row = lines.whole("red lights", word, 1, int(rules.road))
        if targets >> (game.LIT + row) & 1:
            raise lines.fault("red lights", f"row {row} is named twice")
        state.light[row] = deck.take("red lights", "red light")
        targets ^= 1 << game.DARK + row | 1 << game.LIT + row
    state.targets = targets


def _read_road(lines: Lines, setup: Setup, state: State, holder: int, deck: NamedCards) -> None:
    """Reads the squares of a road in order. A breakdown that the road has passed is covered by a tow."""
    rules, place = setup.rules[0], f"seat {holder + 1} road"
    squares = deck.words(place)
    stands = bool(squares) and squares[-1].lower().startswith("breakdown") and "+" not in squares[-1]
    if len(squares) >= int(rules.road) + stands:
        raise lines.fault(place, f"{len(squares)} squares; the game is over with {int(rules.road)}")
    state.own[holder] = state.follow[holder] = rules.cars
    state.last[holder] = game.NONE
    for square, words in enumerate(squares):
        name, plus, tow = words.partition("+")
        card = deck.take(place, name.strip())
        kind = deck.shown(card).split()[0]
        if kind not in ("car", "breakdown", "ducks", "ambulance") or (square == 0 and kind != "car"):
            allowed = (
                "only cars, breakdowns, ducks and ambulances lie on squares" if square else "a road begins with a car"
            )
            raise lines.fault(place, f"square {square + 1}: {deck.shown(card)} cannot lie there: {allowed}")
        if square and kind == "car" and not int(state.follow[holder]) >> card & 1:
            raise lines.fault(place, f"square {square + 1}: {deck.shown(card)} cannot follow {squares[square - 1]}")
        towed = kind == "breakdown" and tow.strip().lower() == "tow"
        if not towed if plus else kind == "breakdown" and square + 1 < len(squares):
            problem = f"square {square + 1}: write a breakdown that was passed as `{name.strip()} + tow`"
            raise lines.fault(place, problem)
        state.road[holder, square] = state.last[holder] = card
        if plus:
            state.road[holder, game.MAX_ROAD + square] = state.last[holder] = card = deck.take(place, "tow")
        if kind != "ducks":
            state.follow[holder] = rules.follow[card]
    state.filled[holder] = len(squares)


def _read_hand(
    lines: Lines, setup: Setup, state: State, holder: int, deck: NamedCards
) -> list[tuple[str, int, int, int]]:
    """Another hand: named cards were seen taken. Returns the hidden ones: place, hand, age, what they cannot be."""
    place = f"seat {holder + 1} hand"
    hidden: list[tuple[str, int, int, int]] = []
    words, most = deck.words(place), int(setup.rules[0].hand) + 1
    for word in words if lines.says(place) else ["?"] * (most - 1):
        match = re.fullmatch(r"(\d{1,2} *)?\? *(?:@ *(\d{1,5}))?", word)
        if match:
            age = int(match[2] or 0)
            if age > int(state.reshuffles):
                raise lines.fault(place, f"{word}: there were only {int(state.reshuffles)} reshuffles")
            for _ in range(int(match[1] or 1)):
                clue = f"seat {holder + 1} card {len(hidden) + 1} is not"
                never = _faces(deck, clue) if setup.rules[0].forced_play else 0
                hidden.append((place, holder, age, never))
            if len(hidden) > most:
                raise lines.fault(place, f"{len(hidden)} hidden cards; a hand has at most {most}")
        else:
            card = deck.take(place, word)
            state.hand[holder] |= 1 << card
            state.shown[holder] |= 1 << card
    return hidden


def _deal_hidden(
    lines: Lines, setup: Setup, state: State, hidden: list[tuple[str, int, int, int]], deck: NamedCards
) -> None:
    """Deals hidden cards any card of their age; what is left is the stock."""
    left = deck.left()
    for age in range(1, int(state.reshuffles) + 1):
        unaged = [card for card in left if not state.last_seen[card]]
        for card in _within(deck, f"seen at reshuffle {age}", unaged):
            state.last_seen[card] = age
    for place, holder, age, never in sorted(hidden, key=lambda known: -bin(known[3]).count("1")):
        fitting = [card for card in left if int(state.last_seen[card]) == age]
        if not fitting:
            known = f"from the stock of reshuffle {age} " if age else "that nobody has seen "
            raise lines.fault(place, f"no card {known}is left for this hand")
        card = next((card for card in fitting if not never >> card & 1), None)
        if card is None:
            raise lines.fault(place, "no card is left that this hand may hold")
        left.remove(card)
        state.hand[holder] |= 1 << card
        state.not_in[card] = never
    lines.rest("stock", game.MAX_CARDS, len(left), len(deck.deck))
    lay_pile(state, left)


def _survey(state: State, setup: Setup) -> None:
    """Sets what every started road allows, as the board keeps it."""
    rules = setup.rules[0]
    for owner in range(setup.players):
        filled, last = int(state.filled[owner]), int(state.last[owner])
        if last == game.NONE:
            continue
        opens, targets = int(rules.opens[last]), int(state.targets)
        barred = targets >> (game.LIT + filled) & 1
        moving = opens >> (4 * game.DUCKS) & 1
        state.own[owner] = rules.ambulances if barred and moving else state.follow[owner]
        bits = opens & (1 << game.STARTED if barred else int(rules.within[filled]))
        state.targets = (targets & ~(game.COLUMN << owner)) | (bits << owner)
