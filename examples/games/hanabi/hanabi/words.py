"""Hanabi in words: cards, moves and events, and the page of the table."""

from hanabi.rules import CLUE, CLUES, DECK, DISCARD, FRESH, HAND, NUMBERS, SUITS
from houle.own_game import members
from houle.solver.language.seats import from_0
from houle.solver.matches.record.card_names import ANY, fact_in_words
from houle.solver.matches.views import HAND as IN_HAND
from houle.solver.matches.views import SEAT, line, row

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


# ---- Fireworks, hands with the clues on their cards, own cards as backs


def view(known, setup):
    viewer, laid = known.seat, known["laid"]
    tops = [[card for card in laid if card // 10 == suit] for suit in range(setup.options["suits"])]
    steps = range(1, setup.players)
    hands = [_hand_of_other(known, setup, (viewer + step) % setup.players, step) for step in steps]
    own = [_back(place) | _known(known, setup, viewer, place) for place in range(known["hand", viewer])]
    clues = f"{known['half clues'] // 2}{' and a half' if known['half clues'] % 2 else ''} of {setup.options['clues']}"
    gone = row("gone", [_face(setup, card) for card in known["gone"]], layout="past")
    return [
        row("fireworks", [_face(setup, max(cards)) if cards else _empty(suit) for suit, cards in enumerate(tops)]),
        *hands,
        row("hand", own, True, seat=viewer, region=IN_HAND),
        gone,
        line("points", f"{len(laid)} of {5 * setup.options['suits']}"),
        line("clues", clues),
        line("lives", f"{known['lives']} of {setup.options['lives']}"),
        line("cards to draw", str(known["pile"])),
        line("turns left", str(known["turns left"]) if known["turns left"] > 0 else ""),
    ]


def _hand_of_other(known, setup, seat, step):
    """The cards of another player; each can be clued by what it is."""
    faces = []
    for place, card in enumerate(known["hand", seat]):
        clues = [clue for clue in range(CLUES) if card in members(setup.rules[0].touch[clue])]
        moves = tuple(CLUE + (step - 1) * CLUES + clue for clue in clues) if known["to move"] == known.seat else ()
        faces.append(_face(setup, card) | {"moves": moves} | _known(known, setup, seat, place))
    return row("hand", faces, True, seat=seat, region=SEAT)


def _known(known, setup, seat, place):
    """The clues on a card as marks, and what it may be by them."""
    told, may = known["told", seat][place], fact_in_words(setup, DECK, known["may", seat][place])
    marks = "".join(clue_name(clue)[0].upper() for clue in range(CLUES) if told >> clue & 1)
    marks += "!" if told >= FRESH else ""
    about = f"cannot be {may.removeprefix('not ')}" if may.startswith("not ") else f"may be {may}"
    return ({"known": marks} if marks else {}) | ({"about": about} if may != ANY else {})


def _face(setup, card):
    suit, special = card // 10, setup.options["suits"] - card // 10
    kind = setup.options[{1: "special", 2: "second_special"}[special]] if special < 3 else "plain"
    name = COLOURS[suit] if kind == "plain" else f"{COLOURS[suit]} {kind}"
    typed = f"{COLOURS[suit][0].upper()}{NUMBERS[card % 10]}"
    return {"top": str(NUMBERS[card % 10]), "name": name, "paint": COLOURS[suit], "typed": typed}


def _back(place):
    return {"hidden": True, "top": str(place + 1), "moves": (place, DISCARD + place)}


def _empty(suit):
    return {"empty": True, "name": COLOURS[suit]}


def visible_events(before, after, setup, action, viewer, events):
    """All see a card that leaves a hand, and which cards a clue touches."""
    return list(events)


def move_in_words(setup, name):
    """The name with seats that count from 0, which houle replaces by the names of the players."""
    return from_0(str(name))
