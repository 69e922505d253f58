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
    return f"clue {clue_name(clue)} to seat {seat}"


def clue_name(clue):
    return COLOURS[clue] if clue < SUITS else str(clue - SUITS + 1)


def asked(state, setup):
    if int(state.left) > 0:
        return "Your last turn: play a card, discard one or give a clue"
    return "Play a card, discard one or give a clue"


def happened(before, after, setup, action, again):
    """The card that was played or discarded, which all see now; or the cards that a clue touched."""
    seat = int(before.mover)
    if action >= CLUE:
        step, clue = divmod(action - CLUE, CLUES)
        told = (seat + 1 + step) % setup.players
        places = [place + 1 for place in range(HAND) if int(after.told[told, place]) >> clue & 1]
        places = [p for p in places if int(after.told[told, p - 1]) >= FRESH]
        return [f"it touches card{'s' if len(places) > 1 else ''} {', '.join(map(str, places))}"]
    card = int(before.hand[seat, action % DISCARD])
    name = card_name(setup, card)
    if action >= DISCARD:
        return [f"it was {name}"]
    if card in members(after.laid):
        return [f"it was {name}, which is laid"]
    return [f"it was {name}, which is wrong: a life is lost"]


def ending(state, setup):
    points = len(members(state.laid))
    if int(state.lives) == 0:
        kept = "" if setup.options["keeps_points"] else ", so no points count"
        return [f"The last life is lost{kept}."]
    return ["All fireworks are complete." if points == 5 * setup.options["suits"] else "The last turns are over."]


def number_of_cards(seen):
    return sum(map(len, [seen["pile"], seen["laid"], seen["gone"], *seen["hand"]]))
