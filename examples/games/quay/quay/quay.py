"""Quay, a small game that uses every declaration once; docs/reference/declarations.md shows its parts.

Two teams want the crates on the quay. Everybody chooses a card in secret. The highest card opens the next crate for its
team, and a die says how many points the crate is worth. Chosen cards are discarded and everybody draws a new one; when
the pile runs out, the discard becomes the pile. A round ends with the last crate.
"""

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
    luck,
    move_all,
    number,
    ordered,
    per_seat,
    remove,
    rows,
)

DECK, CRATES, TEAMS, SEATS = 30, 4, 2, 4
MAX_MOVES = 3  # cards in a hand

FIELDS = fields(
    public={
        "trick": ordered(DECK, SEATS),  # a row: the cards of the last trick, in the order of the seats
        "won": cards(DECK, TEAMS),  # a set for each team
        "discard": cards(DECK),
        "points": number(TEAMS),
    },
    own={"hand": per_seat(cards(DECK)), "chosen": per_seat(cards(DECK))},
    hidden={"crates": ordered(DECK, CRATES), "pile": cards(DECK)},  # the crates are a row that nobody sees
    teams=TEAMS,
    rounds=True,
    first=1,
)

FEATURES = (("high", "Choose high cards.", "Choose low cards."),)


@kernel
def deal(state, rules):
    fill(state.pile, DECK)
    for seat in range(rules.seats):
        for _ in range(MAX_MOVES):
            add(state.hand[seat], draw(state, state.pile))
    for _ in range(CRATES):
        rows.append(state.crates, draw(state, state.pile))
    state.mover = 0


@kernel
def is_secret(state, rules):
    """Every card is chosen face down."""
    return True


@kernel
def legal(state, rules, moves):
    if state.mover < 0:
        return 0
    return list_cards(state.hand[state.mover], moves)


@kernel
def apply(state, rules, action):
    remove(state.hand[state.mover], action)
    add(state.chosen[state.mover], action)
    state.mover += 1
    if state.mover == rules.seats:
        reveal(state, rules)


@kernel
def reveal(state, rules):
    rows.move_all(state.trick, state.discard)
    best = 0
    for seat in range(rules.seats):
        rows.append(state.trick, following(state.chosen[seat], -1))
        clear(state.chosen[seat])
        best = seat if state.trick[seat] > state.trick[best] else best
    team = rules.side[best]
    add(state.won[team], rows.take_end(state.crates))
    state.points[team] += 1 + luck(state, 6)  # a die
    for seat in range(rules.seats):
        add(state.hand[seat], draw_card(state))
    state.mover = 0
    if rows.length(state.crates) == 0:
        end_round(state, rules)


@kernel
def draw_card(state):
    if count(state.pile) == 0:
        move_all(state.discard, state.pile)  # the discard becomes the pile
    return draw(state, state.pile)


@kernel
def end_round(state, rules):
    state.rounds += 1
    if state.rounds == rules.rounds:
        state.mover = -1
        return
    for team in range(TEAMS):
        move_all(state.won[team], state.discard)
    for _ in range(CRATES):
        rows.append(state.crates, draw_card(state))


@kernel
def round_scores(state, rules, scores):
    for team in range(TEAMS):
        scores[team] = state.points[team]


@kernel
def standing(state, rules, out):
    round_scores(state, rules, out)


@kernel
def features(state, rules, moves, n, table):
    for i in range(n):
        table[i, 0] = moves[i]


def number_of_cards(seen):
    sets = [seen[name] for name in ("trick", "discard", "crates", "pile")]
    return sum(map(len, [*sets, *seen["won"], *seen["hand"], *seen["chosen"]]))


def action_name(state, setup, action):
    return f"choose {action + 1}"


GAME = define(__name__)
