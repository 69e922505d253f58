"""6 nimmt!, compiled to be fast. plain.py has the rules; kernels count cards from 0, so card 54 has 7 heads."""

from houle.own_game import (
    add,
    cards,
    clear,
    count,
    define,
    draw,
    fields,
    fill,
    following,
    kernel,
    list_cards,
    move_all,
    number,
    ordered,
    per_seat,
    remove,
    rows,
)

DECK, ROWS, ROOM = 104, 4, 5
MAX_MOVES = 10
CHOICE = 0  # of the knob too_low

FIELDS = fields(
    public={
        "rows": ordered(DECK, ROOM, ROWS),
        "shown": per_seat(cards(DECK)),  # turned up and not yet laid
        "heads": per_seat(number()),
        "taken": cards(DECK),
    },
    own={"hand": per_seat(cards(DECK)), "chosen": per_seat(cards(DECK))},
    hidden={"pile": cards(DECK)},
    rounds=True,
    first=1,
)

FEATURES = (
    ("heads", "Play a card that takes many heads.", "Play a card that takes few heads."),
    ("gap", "Play a card far from the end of its row.", "Play a card close to the end of its row."),
    ("between", "Play where many unseen cards come before yours.", "Play where few unseen cards come before yours."),
    ("full", "Play on long rows.", "Play on short rows."),
    ("sixth", "Lay a card that others can make the sixth.", "Avoid a card that others can make the sixth."),
    ("high", "Play high cards first.", "Play low cards first."),
)


@kernel
def heads_of(card):
    n = card + 1
    return 7 if n == 55 else 5 if n % 11 == 0 else 3 if n % 10 == 0 else 2 if n % 5 == 0 else 1


@kernel
def load(row):
    total = 0
    for card in row:
        total += heads_of(card) if card >= 0 else 0
    return total


@kernel
def lightest(state):
    best = 0
    for row in range(1, ROWS):
        best = row if load(state.rows[row]) < load(state.rows[best]) else best
    return best


@kernel
def row_for(state, card):
    """The row whose end is the nearest below the card; -1 if the card is too low."""
    best = -1
    for row in range(ROWS):
        if rows.end(state.rows[row]) < card and (best < 0 or rows.end(state.rows[row]) > rows.end(state.rows[best])):
            best = row
    return best


@kernel
def deal(state, rules):
    clear(state.taken)
    fill(state.pile, rules.cards)
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            add(state.hand[seat], draw(state, state.pile))
    for row in range(ROWS):
        state.rows[row][:] = -1
        rows.append(state.rows[row], draw(state, state.pile))
    state.mover = 0


@kernel
def is_secret(state, rules):
    """Cards are chosen face down; a row is taken openly."""
    return not takes_row(state)


@kernel
def takes_row(state):
    return state.mover >= 0 and count(state.shown[state.mover]) > 0


@kernel
def legal(state, rules, moves):
    if state.mover < 0:
        return 0
    if takes_row(state):
        for row in range(ROWS):
            moves[row] = DECK + row
        return ROWS
    return list_cards(state.hand[state.mover], moves)


@kernel
def apply(state, rules, action):
    seat = state.mover
    if action >= DECK:
        take(state, seat, action - DECK)
    else:
        remove(state.hand[seat], action)
        add(state.chosen[seat], action)
        if seat + 1 < rules.seats:
            state.mover = seat + 1
            return
        for other in range(rules.seats):
            move_all(state.chosen[other], state.shown[other])
    lay(state, rules)


@kernel
def take(state, seat, row):
    state.heads[seat] += load(state.rows[row])
    rows.move_all(state.rows[row], state.taken)
    rows.append(state.rows[row], following(state.shown[seat], -1))
    clear(state.shown[seat])


@kernel
def lay(state, rules):
    """Lays the cards in order, up to the next choice of a row."""
    while True:
        seat, card = -1, DECK
        for other in range(rules.seats):
            shown = following(state.shown[other], -1)
            if 0 <= shown < card:
                seat, card = other, shown
        if seat < 0:
            break
        row = row_for(state, card)
        if row < 0 and rules.too_low == CHOICE:
            state.mover = seat
            return
        if row < 0:
            take(state, seat, lightest(state))
        elif rows.length(state.rows[row]) == ROOM:
            take(state, seat, row)
        else:
            rows.append(state.rows[row], card)
            clear(state.shown[seat])
    state.mover = 0
    if count(state.hand[0]) == 0:
        end_round(state, rules)


@kernel
def end_round(state, rules):
    state.rounds += 1
    for seat in range(rules.seats):
        if state.heads[seat] >= rules.target:
            state.mover = -1
    if state.mover >= 0:
        deal(state, rules)


@kernel
def round_scores(state, rules, scores):
    for seat in range(rules.seats):
        scores[seat] = state.heads[seat]


@kernel
def standing(state, rules, out):
    """Fewer heads are better."""
    for seat in range(rules.seats):
        out[seat] = -state.heads[seat]


@kernel
def features(state, rules, moves, n, table):
    for i in range(n):
        table[i, :6] = 0
        card = moves[i]
        if card >= DECK:
            table[i, 0] = load(state.rows[card - DECK])
            continue
        row = row_for(state, card)
        table[i, 5] = card
        if row < 0:
            table[i, 0] = load(state.rows[lightest(state)])
            continue
        held = rows.length(state.rows[row])
        gap = card - rows.end(state.rows[row]) - 1
        table[i, 0] = load(state.rows[row]) if held == ROOM else 0
        table[i, 1] = gap
        mine = 0
        other = following(state.hand[state.mover], rows.end(state.rows[row]))
        while 0 <= other < card:
            mine += 1
            other = following(state.hand[state.mover], other)
        gone = 0
        other = following(state.taken, rows.end(state.rows[row]))
        while 0 <= other < card:
            gone += 1
            other = following(state.taken, other)
        table[i, 2] = gap - mine - gone
        table[i, 3] = held
        table[i, 4] = held < ROOM and held + gap - mine - gone >= ROOM


def action_name(state, setup, action):
    return f"take row {action - DECK + 1}" if action >= DECK else f"choose {action + 1}"


def number_of_cards(seen):
    groups = [seen[name] for name in ("rows", "hand", "chosen", "shown")]
    return sum(len(cards) for cards in [seen["pile"], seen["taken"], *(one for group in groups for one in group)])


GAME = define(__name__)
