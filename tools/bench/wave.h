/* WAVE in C, to see how fast the compiled kernels could be: three surfers, the base rules, talk = known.
   Each function has the name of the kernel that it mirrors, in solver/games/wave/. There are no
   knobs and no variants. The random streams are those of the kernels, so the games are the same, card by card. */
#ifndef WAVE_H
#define WAVE_H
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint64_t u64;
typedef int64_t i64;
typedef u64 Cards; /* a set of cards; a card is 6 * colour + number */

enum { SEATS = 3, FRONT = 3, BACK = 2, CARDS = 36, DECK = 34, NONE = 255 };

/* ---- bits.py and streams.py */

static inline Cards single(u64 card) { return 1ULL << card; }
static inline bool has(Cards cards, u64 card) { return cards >> card & 1; }
static inline i64 count(Cards cards) { return __builtin_popcountll(cards); }
static inline u64 lowest(Cards cards) { return (u64)__builtin_ctzll(cards); }

static const u64 STEP = 0xA0761D6478BD642FULL, FOLD = 0xE7037ED1A0B428DBULL;
enum { DEAL = 1, CHOICE = 3, SEARCH = 4, WORLD = 9 };

static inline u64 mix(u64 counter) {
    unsigned __int128 product = (unsigned __int128)counter * (counter ^ FOLD);
    return (u64)(product >> 64) ^ (u64)product;
}
static inline u64 derive(u64 key, u64 part) { return mix(mix(key ^ part * STEP) + STEP); }
static inline u64 below(u64 stream, u64 n) { return ((mix(stream) >> 32) * n) >> 32; }

/* ---- state.py: what beats what */

typedef struct {
    Cards all, reverse;
    Cards follows[CARDS]; /* the cards that can be laid on a card */
    Cards under[CARDS];   /* the cards that a card can be laid on */
    u8 deck[DECK];
} Rules;
extern const Rules *rules(void); /* filled on first use */

static const u8 NEXT[2][SEATS] = {{1, 2, 0}, {2, 0, 1}}; /* the seat after a seat, clockwise and anticlockwise */

typedef struct {
    u64 deal, choice; /* random streams */
    Cards front[SEATS], back[SEATS];
    Cards playable; /* of the acting hand; empty when the game is over */
    Cards seen;     /* laid, with the start card */
    u8 top, turned, seat, laid, left;
    u8 pile[DECK];
    u8 slot[CARDS]; /* of a card that is in a hand */
} State;

/* ---- play.py */

static inline u8 next_card(State *state) {
    state->deal += STEP;
    u64 i = below(state->deal, state->left);
    u8 card = state->pile[i];
    state->pile[i] = state->pile[--state->left];
    return card;
}

static inline void deal(State *state, const Rules *rules, u64 seed, u64 game) {
    u64 root = derive(derive(seed, DEAL), game);
    *state = (State){.deal = derive(root, DEAL), .choice = derive(root, CHOICE), .left = DECK};
    for (int i = 0; i < DECK; i++) state->pile[i] = rules->deck[i];
    state->top = next_card(state);
    state->seen = single(state->top);
    for (u8 slot = 0; slot < FRONT + BACK; slot++)
        for (int seat = 0; seat < SEATS; seat++) {
            u8 card = next_card(state);
            state->slot[card] = slot;
            *(slot < FRONT ? &state->front[seat] : &state->back[seat]) |= single(card);
        }
    state->playable = (state->front[0] | state->back[0]) & rules->follows[state->top];
}

/* Lays a card, draws, and passes the turn on. */
static inline void lay(State *state, const Rules *rules, u64 card) {
    int seat = state->seat;
    Cards bit = single(card), back = state->back[seat], front = state->front[seat] & ~bit;
    Cards to_front = -(back >> card & 1); /* a card from the back is replaced in front, and the reverse */
    back &= ~bit;
    state->laid++;
    state->top = (u8)card;
    state->seen |= bit;
    state->turned ^= has(rules->reverse, card);
    if (state->left) {
        u8 drawn = next_card(state);
        state->slot[drawn] = state->slot[card];
        front |= single(drawn) & to_front;
        back |= single(drawn) & ~to_front;
    }
    state->front[seat] = front;
    state->back[seat] = back;
    state->playable = 0;
    for (int i = 0; i < SEATS; i++) {
        seat = NEXT[state->turned][seat];
        Cards hand = state->front[seat] | state->back[seat];
        if (hand) {
            state->seat = (u8)seat;
            state->playable = hand & rules->follows[card];
            return;
        }
    }
}
#endif
