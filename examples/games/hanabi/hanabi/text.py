"""Hanabi in words."""

from hanabi.state import CLUE, CLUES, DISCARD, FRESH, HAND, NUMBERS, SUITS
from houle.own_game import members

COLOURS = ("red", "yellow", "green", "blue", "purple", "teal")


def card_name(setup, card):
    return f"{COLOURS[card // 10][0].upper()}{NUMBERS[card % 10]}"


def action_name(state, setup, action):
    if action < CLUE:
        return f"{'play' if action < DISCARD else 'discard'} {action % DISCARD + 1}"
    step, clue = divmod(action - CLUE, CLUES)
    seat = (int(state.mover) + 1 + step) % setup.players
    return f"clue {clue_name(clue)} to seat {seat + 1}"


def clue_name(clue):
    return COLOURS[clue] if clue < SUITS else str(clue - SUITS + 1)


def asked(state, setup):
    if int(state.turns_left) > 0:
        return "Your last turn: play a card, discard one or give a clue"
    return "Play a card, discard one or give a clue"


def happened(before, after, setup, action, again):
    """The card that was played or discarded, which all see now; or the places of the cards that a clue touched."""
    seat = int(before.mover)
    if action >= CLUE:
        step, clue = divmod(action - CLUE, CLUES)
        told = after.told[(seat + 1 + step) % setup.players]
        places = [str(place + 1) for place in range(HAND) if int(told[place]) >> clue & 1 and told[place] >= FRESH]
        return [f"it touches {'cards' if len(places) > 1 else 'card'} {', '.join(places)}"]
    card = int(before.hand[seat, action % DISCARD])
    if action >= DISCARD:
        return [f"it was {card_name(setup, card)}"]
    result = "and is laid" if card in members(after.laid) else "and is wrong: a life is lost"
    return [f"it was {card_name(setup, card)} {result}"]


def ending(state, setup):
    if int(state.lives) == 0:
        return ["the last life is lost" + ("" if setup.options["keeps_points"] else ", so no points count")]
    points, best = len(members(state.laid)), 5 * setup.options["suits"]
    return ["all fireworks are complete" if points == best else f"the last turns are over, with {points} points"]


def number_of_cards(seen):
    return sum(map(len, [seen["pile"], seen["laid"], seen["gone"], *seen["hand"]]))
