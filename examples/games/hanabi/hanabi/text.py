"""Hanabi in words."""

from hanabi.state import CLUE, CLUES, DISCARD, NUMBERS, SUITS

COLOURS = ("red", "yellow", "green", "blue", "purple", "teal")


def card_name(setup, card):
    return f"{COLOURS[card // 10][0].upper()}{NUMBERS[card % 10]}"


def action_name(state, setup, action):
    if action < CLUE:
        return f"{'play' if action < DISCARD else 'discard'} {action % DISCARD + 1}"
    step, clue = divmod(action - CLUE, CLUES)
    seat = (int(state.mover) + 1 + step) % setup.players
    return f"clue {COLOURS[clue] if clue < SUITS else clue - SUITS + 1} to seat {seat}"


def number_of_cards(seen):
    return sum(map(len, [seen["pile"], seen["laid"], seen["gone"], *seen["hand"]]))
