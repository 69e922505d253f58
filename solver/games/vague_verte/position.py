"""VAGUE VERTE: how positions are written and read as text. docs/reference/positions.md explains the lines."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from houle.solver.cards.piles import lay_pile
from houle.solver.compiler.types import State
from houle.solver.games.vague_verte import rules as game
from houle.solver.games.vague_verte.words import counted, spoken, squares_of
from houle.solver.matches.known import Known
from houle.solver.matches.opening import set_of
from houle.solver.matches.record.line_parser import UNKNOWN, Lines, Places
from houle.solver.matches.record.named_cards import Held, PositionCards
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
    deck = PositionCards(lines, setup, state, seat, deck=range(len(names)), shown=names.__getitem__)
    state.seat = seat
    state.winner = state.drawn = game.NONE
    _read_lights(deck)
    for holder in range(setup.players):
        _read_road(deck, holder)
    pile = deck.named("face-up")
    state.faceup[: len(pile)] = pile
    state.faceup_left = len(pile)
    own = deck.named(f"seat {seat + 1} hand")
    state.hand[seat] = set_of(own)
    state.shown[seat] = set_of(_within(deck, f"seat {seat + 1} shown", own))
    others = [holder for holder in range(setup.players) if holder != seat]
    held = {holder: deck.hand(f"seat {holder + 1} hand", int(deck.rules.hand)) for holder in others}
    ages = _read_ages(deck)
    for holder in others:
        _hold(deck, holder, held[holder], ages)
    _read_step(deck, own)
    left = deck.fill()
    lines.rest("stock", game.MAX_CARDS, len(left), len(names))
    lay_pile(state, left)
    _survey(state, setup)
    if state.stage == game.DRAW and not pile:
        raise lines.fault("face-up", "this line is missing; write the cards of the pile, the top last")


def _within(deck: PositionCards, place: str, cards: list[int]) -> list[int]:
    """The cards of a line, which must be among these cards."""
    left, named = list(cards), []
    for word in deck.words(place):
        card = next((card for card in left if deck.shown(card).lower() == word.lower()), None)
        if card is None:
            raise deck.fault(place, f"{word} is not in the hand")
        left.remove(card)
        named.append(card)
    return named


def _read_step(deck: PositionCards, own: list[int]) -> None:
    state = deck.state
    if not deck.lines.says("step"):
        state.stage = game.PLAY
    drawn = _within(deck, "drawn", own)
    if len(drawn) > 1 or (drawn and state.stage == game.DRAW):
        raise deck.fault("drawn", "allowed: one card, and only with `step: play`")
    if drawn:
        same = [card for card in drawn + own if deck.shown(card) == deck.shown(drawn[0])]
        shown = [card for card in same if int(state.shown[state.seat]) >> card & 1]
        state.drawn = shown[0] if shown else drawn[0]
    if state.stage == game.PLAY and not own:
        raise deck.fault(f"seat {int(state.seat) + 1} hand", "the hand has no card to play")


def _read_lights(deck: PositionCards) -> None:
    state, rules = deck.state, deck.rules
    targets = int(rules.aims[game.RED_LIGHTS])
    for word in deck.lines.words("red lights") or ():
        row = deck.lines.whole("red lights", word, 1, int(rules.road))
        if targets >> (game.LIT + row) & 1:
            raise deck.fault("red lights", f"row {row} is named twice")
        state.light[row] = deck.take("red lights", "red light")
        targets ^= 1 << game.DARK + row | 1 << game.LIT + row
    state.targets = targets


def _read_road(deck: PositionCards, holder: int) -> None:
    """Reads the squares of a road in order. A breakdown that the road has passed is covered by a tow."""
    state, rules, place = deck.state, deck.rules, f"seat {holder + 1} road"
    squares = deck.words(place)
    stands = bool(squares) and squares[-1].lower().startswith("breakdown") and "+" not in squares[-1]
    if len(squares) >= int(rules.road) + stands:
        raise deck.fault(place, f"{len(squares)} squares; the game is over with {int(rules.road)}")
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
            raise deck.fault(place, f"square {square + 1}: {deck.shown(card)} cannot lie there: {allowed}")
        if square and kind == "car" and not int(state.follow[holder]) >> card & 1:
            raise deck.fault(place, f"square {square + 1}: {deck.shown(card)} cannot follow {squares[square - 1]}")
        towed = kind == "breakdown" and tow.strip().lower() == "tow"
        if not towed if plus else kind == "breakdown" and square + 1 < len(squares):
            problem = f"square {square + 1}: write a breakdown that was passed as `{name.strip()} + tow`"
            raise deck.fault(place, problem)
        state.road[holder, square] = state.last[holder] = card
        if plus:
            state.road[holder, game.MAX_ROAD + square] = state.last[holder] = card = deck.take(place, "tow")
        if kind != "ducks":
            state.follow[holder] = rules.follow[card]
    state.filled[holder] = len(squares)


def _read_ages(deck: PositionCards) -> list[int]:
    """The cards last seen at each reshuffle, as sets; first those that nobody has seen."""
    left, ages = deck.left(), []
    for age in range(1, int(deck.state.reshuffles) + 1):
        named = _within(deck, f"seen at reshuffle {age}", left)
        left = [card for card in left if card not in named]
        deck.state.last_seen[named] = age
        ages.append(set_of(named))
    return [set_of(left), *ages]


def _hold(deck: PositionCards, holder: int, held: list[Held], ages: list[int]) -> None:
    """Another hand: named cards were seen taken, `? @2` is a card of that age."""
    state, place, most = deck.state, f"seat {holder + 1} hand", int(deck.rules.hand) + 1
    state.hand[holder] = state.shown[holder] = set_of(one.card for one in held if one.card != UNKNOWN)
    hidden = [one for one in held if one.card == UNKNOWN]
    if len(hidden) > most:
        raise deck.fault(place, f"{len(hidden)} hidden cards; a hand has at most {most}")
    for number, one in enumerate(hidden, 1):
        age = int(one.at or 0)
        if age >= len(ages):
            raise deck.fault(place, f"{one.word}: there were only {len(ages) - 1} reshuffles")
        clue = f"seat {holder + 1} card {number} is not"
        wanted = {deck.shown(card) for card in deck.seen(clue)} if deck.rules.forced_play else {}
        never = set_of(card for name in wanted for card in deck.same[name])
        deck.hide(place, partial(_lay, state, holder, never), ages[age] & ~never)


def _lay(state: State, holder: int, never: int, card: int) -> None:
    state.hand[holder] |= 1 << card
    state.not_in[card] = never


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
