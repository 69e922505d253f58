/* The exact solver: clairvoyant.py, foresight.py and transpositions.py. The whole future is known, so a search needs no
   random streams, only what will be drawn. Same order of turns, same table of dead cards, so the same number of nodes. */
#include "search.h"
#include <string.h>

enum { UNWINNABLE = 0, WINNABLE = 1, UNRESOLVED = -1 };
enum { LAY = 16, FOLLOW = 12, NOISE = 3, NOISE_OF_TURNS = 58 }; /* ratings */
enum { BUDGET = 100, ATTEMPTS = 4 };
enum { TABLE_BITS = 15, LEAST_BITS = 6, WAYS = 4, STAMP = 32 };

typedef struct { /* a position without its top, and the cards that lose if they are laid from there */
    Cards hands[3];
    u64 meta;
    Cards dead;
    u64 effort;
} Entry;

typedef struct { /* the turn in which the k-th card from here is laid */
    Cards hands[SEATS], rest, fits;
    u8 seat, turned, drawn;
    int untried;
    i64 since;
    i64 turns[FRONT + BACK]; /* rated; those not tried yet come first */
} Ply;

typedef struct {
    u64 stamp, shift;
    Entry key;
    Ply plies[DECK + 1];
    Entry table[1 << TABLE_BITS];
} Memory;

/* ---- transpositions.py */

static Entry *look_up(Memory *memory, int ply) {
    const Ply *at = &memory->plies[ply];
    Entry *key = &memory->key;
    key->hands[0] = at->hands[0] | at->hands[1] | at->hands[2];
    key->hands[1] = at->hands[1];
    key->hands[2] = at->hands[2];
    key->meta = memory->stamp << STAMP | (u64)NONE << 24 | (u64)ply << 16 | (u64)at->seat << 1 | at->turned;
    u64 mixed = mix(key->hands[0] ^ mix(key->hands[1] ^ mix(key->hands[2] ^ mix(key->meta * STEP))));
    return &memory->table[(mixed >> memory->shift) & ~(u64)(WAYS - 1)];
}

static bool is_key(const Memory *memory, const Entry *entry) {
    return entry->meta == memory->key.meta && entry->hands[0] == memory->key.hands[0] &&
           entry->hands[1] == memory->key.hands[1] && entry->hands[2] == memory->key.hands[2];
}

static Cards dead_cards(const Memory *memory, const Entry *entry) {
    for (int i = 0; i < WAYS; i++)
        if (is_key(memory, &entry[i])) return entry[i].dead;
    return 0;
}

static void note_dead(Memory *memory, Entry *entry, Cards dead, u64 effort) {
    Entry *chosen = entry;
    u64 least = ~0ULL;
    for (int i = 0; i < WAYS; i++) {
        if (is_key(memory, &entry[i])) {
            entry[i].dead |= dead;
            entry[i].effort += effort;
            return;
        }
        u64 known = entry[i].meta >> STAMP == memory->stamp ? entry[i].effort : 0;
        if (known < least) chosen = &entry[i], least = known;
    }
    *chosen = memory->key;
    chosen->dead = dead;
    chosen->effort = effort;
}

/* ---- clairvoyant.py */

/* Whether some card can never be laid, or more cards than the last one can never be followed. */
static bool hopeless(const Rules *r, Cards rest, u64 top) {
    Cards under = rest | single(top);
    int unlaid = 0, unfollowed = 0;
    for (Cards cards = rest; cards; cards &= cards - 1) {
        u64 card = lowest(cards);
        unlaid += !(r->under[card] & under);
        unfollowed += !(r->follows[card] & rest);
    }
    return unlaid > 0 || unfollowed > 1;
}

static void list_turns(Ply *at, const Rules *r, int ply, Cards cards, i64 attempt) {
    int n = 0;
    for (; cards; cards &= cards - 1) {
        u64 card = lowest(cards);
        i64 rating = attempt ? (i64)(derive((u64)(attempt * 64 + ply), card) >> NOISE_OF_TURNS) * NOISE : 0;
        rating -= LAY * count(at->rest & r->under[card]) + FOLLOW * count(at->rest & r->follows[card]);
        at->turns[n++] = rating * 65536 + (NONE << 8) + (i64)card;
    }
    at->untried = n;
}

/* Takes the best-rated turn not tried yet and puts it behind the others; returns its card. */
static u64 best_turn(Ply *at) {
    int last = at->untried - 1, best = last;
    for (int i = 0; i < last; i++)
        if (at->turns[i] > at->turns[best]) best = i;
    i64 turn = at->turns[best];
    at->turns[best] = at->turns[last];
    at->turns[last] = turn;
    at->untried = last;
    return (u64)turn & 255;
}

static void take_turn(Ply *at, const Rules *r, u64 card) {
    Ply *after = at + 1;
    int seat = at->seat;
    for (int other = 0; other < SEATS; other++) after->hands[other] = at->hands[other];
    after->hands[seat] &= ~single(card);
    if (at->drawn != NONE) after->hands[seat] |= single(at->drawn);
    after->rest = at->rest & ~single(card);
    after->turned = at->turned ^ has(r->reverse, card);
    for (int i = 0; i < SEATS; i++) {
        seat = NEXT[after->turned][seat];
        if (after->hands[seat]) break;
    }
    after->seat = (u8)seat;
}

static void open_search(const State *state, Memory *memory, int plies, i64 limit) {
    memory->stamp++;
    memory->shift = 64 - TABLE_BITS;
    while (memory->shift < 64 - LEAST_BITS && limit << 1 <= 1LL << (63 - memory->shift)) memory->shift++;
    State future = *state;
    Ply *first = &memory->plies[0];
    first->rest = 0;
    for (int ply = 0; ply <= plies; ply++) {
        u8 drawn = future.left ? next_card(&future) : NONE;
        memory->plies[ply].drawn = drawn;
        if (drawn != NONE) first->rest |= single(drawn);
    }
    for (int seat = 0; seat < SEATS; seat++) {
        first->hands[seat] = state->front[seat] | state->back[seat];
        first->rest |= first->hands[seat];
    }
    first->seat = state->seat;
    first->turned = state->turned;
}

/* Opens the ply that laying `top` led to; false if it is lost at once or already known to be lost. */
static bool enter(Memory *memory, const Rules *r, int ply, u64 top, i64 nodes, i64 attempt) {
    Ply *at = &memory->plies[ply];
    Cards fits = at->hands[at->seat] & r->follows[top];
    if (!fits || hopeless(r, at->rest, top)) return false;
    Cards alive = fits & ~dead_cards(memory, look_up(memory, ply));
    if (!alive) return false;
    at->fits = fits;
    at->since = nodes;
    list_turns(at, r, ply, alive, attempt);
    return true;
}

/* The status; `nodes` counts the turns tried, and a winning line is in the turns tried last. */
static int solve(const State *state, const Rules *r, i64 limit, Memory *memory, i64 *nodes) {
    int plies = DECK - 1 - state->laid;
    *nodes = 0;
    if (!state->playable) return plies == 0 ? WINNABLE : UNWINNABLE;
    open_search(state, memory, plies, limit);
    for (i64 attempt = 0, budget = BUDGET;;) {
        int ply = 0;
        list_turns(&memory->plies[0], r, 0, state->playable, attempt);
        i64 stop = *nodes + budget < limit ? *nodes + budget : limit;
        while (ply >= 0) {
            Ply *at = &memory->plies[ply];
            if (at->untried == 0) {
                if (ply > 0) note_dead(memory, look_up(memory, ply), at->fits, (u64)(*nodes - at->since));
                ply--;
                continue;
            }
            if (*nodes >= stop) break;
            ++*nodes;
            u64 card = best_turn(at);
            take_turn(at, r, card);
            if (ply + 1 == plies) return WINNABLE;
            ply += enter(memory, r, ply + 1, card, *nodes, attempt);
        }
        if (ply < 0) return UNWINNABLE;
        if (*nodes >= limit) return UNRESOLVED;
        if (++attempt % ATTEMPTS == 0) budget *= 2;
    }
}

/* ---- search.py and playout.py: the player `clairvoyant` from given positions */

/* Writes the cards laid, the status and the nodes of each; without a winning line it plays as a thumb. */
void play_clairvoyant(const State *states, u64 number, const Player *player, i64 *laid, i64 *status, i64 *nodes) {
    static Memory memory;
    const Rules *r = rules();
    memset(&memory, 0, sizeof memory);
    for (u64 game = 0; game < number; game++) {
        State state = states[game];
        status[game] = solve(&state, r, player->budget, &memory, &nodes[game]);
        for (int ply = 0; state.playable; ply++) {
            const Ply *at = &memory.plies[ply];
            lay(&state, r, status[game] == WINNABLE ? (u64)at->turns[at->untried] & 255 : thumb_move(&state, r, player, 0));
        }
        laid[game] = state.laid;
    }
}
