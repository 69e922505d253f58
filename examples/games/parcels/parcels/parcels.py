"""Parcels, compiled to be fast. plain.py has the rules.

Everybody but their player sees the parcels of a hand, and everybody knows for each of them what it may be.
"""

from houle.own_game import (
    WIN,
    about,
    add,
    cards,
    count,
    count_both,
    define,
    draw,
    fields,
    fill,
    has,
    kernel,
    members,
    number,
    ordered,
    per_seat,
    put,
    rows,
)  # fmt: skip

NAMES, KILOS = "ABCD", (1, 1, 2, 2, 3, 3, 4, 5)
TOWNS, OF_A_TOWN, HEAVIEST, HAND = 4, 8, 5, 5
DECK, CLUES = TOWNS * OF_A_TOWN, TOWNS + HEAVIEST  # clues name a town or a weight
BACK, TELL = HAND * TOWNS, HAND * TOWNS + HAND  # the first actions of these kinds; before them, load a parcel
MAX_MOVES = TELL + 4 * CLUES

FEATURES = (
    ("fits", "Load parcels that probably go into the van.", "Load parcels that probably do not go into the van."),
    ("sure", "Load parcels that surely go into the van.", "Load parcels that may not go into the van."),
    ("news", "Tell what excludes much.", "Tell what excludes little."),
    ("useless", "Send back parcels that probably go into no van.", "Send back parcels that may go into a van."),
)

FIELDS = fields(
    public={
        "vans": number(TOWNS),  # kilos in each
        "clues": number(),
        "fines_left": number(),
        "loaded": cards(DECK),
        "gone": cards(DECK),
    },
    others={"hand": per_seat(ordered(DECK, HAND))},  # everybody but its player sees it
    hidden={"pile": cards(DECK)},
    facts={"may": about("hand")},
    tables={"told": cards(DECK, CLUES), "weight": number(DECK), "goes": cards(DECK, TOWNS, HEAVIEST + 1)},
)


def make_tables(rules, options, players):
    for card in range(DECK):
        rules.weight[card] = KILOS[card % OF_A_TOWN]
    for town in range(TOWNS):
        put(rules.told[town], range(town * OF_A_TOWN, (town + 1) * OF_A_TOWN))
        for kilos in range(HEAVIEST + 1):  # parcels that go into a van with this much room
            put(rules.goes[town, kilos], [card for card in members(rules.told[town]) if rules.weight[card] <= kilos])
    for kilos in range(1, HEAVIEST + 1):
        put(rules.told[TOWNS + kilos - 1], [card for card in range(DECK) if rules.weight[card] == kilos])


@kernel
def deal(state, rules):
    fill(state.pile, DECK)
    for seat in range(rules.seats):
        for _ in range(rules.hand):
            rows.append(state.hand[seat], draw(state, state.pile))
    state.clues, state.fines_left, state.mover = rules.clues, rules.fines, 0


@kernel
def legal(state, rules, moves):
    if state.mover < 0:
        return 0
    n = 0
    for place in range(rows.length(state.hand[state.mover])):
        for town in range(TOWNS):
            if state.vans[town] < rules.room:
                moves[n] = place * TOWNS + town
                n += 1
    for place in range(rows.length(state.hand[state.mover])):
        moves[n] = BACK + place
        n += 1
    for clue in range((rules.seats - 1) * CLUES if state.clues > 0 else 0):
        if touches(state, rules, clue) > 0:
            moves[n] = TELL + clue
            n += 1
    return n


@kernel
def told_seat(state, rules, clue):
    return (state.mover + 1 + clue // CLUES) % rules.seats


@kernel
def touches(state, rules, clue):
    """How many parcels of its player a clue is about."""
    hand, number = state.hand[told_seat(state, rules, clue)], 0
    for place in range(rows.length(hand)):
        number += has(rules.told[clue % CLUES], hand[place])
    return number


@kernel
def apply(state, rules, action):
    seat = state.mover
    if action >= TELL:
        other = told_seat(state, rules, action - TELL)
        rows.tell(state.hand[other], state.may[other], rules.told[(action - TELL) % CLUES])
        state.clues -= 1
    else:
        place = action - BACK if action >= BACK else action // TOWNS
        card = rows.take_known(state.hand[seat], state.may[seat], place)
        leave(state, rules, card, -1 if action >= BACK else action % TOWNS)
        if count(state.pile) > 0:
            rows.append(state.hand[seat], draw(state, state.pile))
    state.mover = (seat + 1) % rules.seats
    if state.fines_left == 0 or rows.length(state.hand[state.mover]) == 0:
        state.mover = -1


@kernel
def leave(state, rules, card, town):
    """A parcel goes into the van of a town, is lost, or is sent back if there is no town."""
    weight = rules.weight[card]
    if town >= 0 and card // OF_A_TOWN == town and state.vans[town] + weight <= rules.room:
        state.vans[town] += weight
        add(state.loaded, card)
        return
    add(state.gone, card)
    if town >= 0:
        state.fines_left -= 1
    else:
        state.clues = min(state.clues + 1, rules.clues)


@kernel
def round_scores(state, rules, scores):
    scores[0] = 0
    for town in range(TOWNS):
        scores[0] += state.vans[town]


@kernel
def outcome(state, rules, shares):
    kilos = 0
    for town in range(TOWNS):
        kilos += state.vans[town]
    shares[0] = WIN if state.fines_left > 0 and kilos >= rules.target else 0
    return False


@kernel
def fitting(state, rules, may, town):
    """How many of the parcels that it may be go into the van of a town."""
    return count_both(may, rules.goes[town][min(rules.room - state.vans[town], HEAVIEST)])


@kernel
def features(state, rules, moves, n, table):
    for i in range(n):
        table[i, :4] = 0
        if moves[i] >= TELL:
            other, clue = told_seat(state, rules, moves[i] - TELL), (moves[i] - TELL) % CLUES
            for place in range(rows.length(state.hand[other])):
                may = state.may[other][place]
                kept = count_both(may, rules.told[clue])
                table[i, 2] += count(may) - kept if has(rules.told[clue], state.hand[other][place]) else kept
        elif moves[i] >= BACK:
            may, useful = state.may[state.mover][moves[i] - BACK], 0
            for town in range(TOWNS):
                useful += fitting(state, rules, may, town)
            table[i, 3] = 100 - 100 * useful // count(may)
        else:
            may = state.may[state.mover][moves[i] // TOWNS]
            table[i, 0] = 100 * fitting(state, rules, may, moves[i] % TOWNS) // count(may)
            table[i, 1] = table[i, 0] == 100


def card_name(setup, card):
    return f"{NAMES[card // OF_A_TOWN]}{KILOS[card % OF_A_TOWN]}"


def action_name(state, setup, action):
    if action < BACK:
        return f"load {action // TOWNS + 1} for {NAMES[action % TOWNS]}"
    if action < TELL:
        return f"send back {action - BACK + 1}"
    seat, clue = (int(state.mover) + 1 + (action - TELL) // CLUES) % setup.players, (action - TELL) % CLUES
    return f"tell seat {seat + 1} {NAMES[clue] if clue < TOWNS else clue - TOWNS + 1}"


def action_kinds(setup, seat):
    return range(MAX_MOVES)


def number_of_cards(seen):
    return sum(map(len, [seen["pile"], seen["loaded"], seen["gone"], *seen["hand"]]))


GAME = define(__name__, is_cooperative=True)
