/* Random play of WAVE in C, to see how fast the compiled kernels could be: three surfers, the base rules, talk = known.
   There are no knobs and no variants. The random streams are those of the kernels, so the games are the same, card by
   card. All that a turn changes stays in registers. */
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint64_t u64;
typedef int64_t i64;
typedef u64 Cards; /* a set of cards; a card is 6 * colour + number */

enum { SEATS = 3, FRONT = 3, BACK = 2, CARDS = 36, DECK = 34 };

/* ---- bits.py and streams.py */

static inline Cards single(u64 card) { return 1ULL << card; }
static inline bool has(Cards cards, u64 card) { return cards >> card & 1; }
static inline i64 count(Cards cards) { return __builtin_popcountll(cards); }
static inline u64 lowest(Cards cards) { return (u64)__builtin_ctzll(cards); }

static const u64 STEP = 0xA0761D6478BD642FULL, FOLD = 0xE7037ED1A0B428DBULL;
enum { DEAL = 1, CHOICE = 3 };

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
    u8 deck[DECK];
} Rules;

static const u8 NEXT[2][SEATS] = {{1, 2, 0}, {2, 0, 1}}; /* the seat after a seat, clockwise and anticlockwise */

typedef struct {
    u64 deal, choice; /* random streams */
    Cards front[SEATS], back[SEATS];
    Cards playable; /* of the acting hand; empty when the game is over */
    u8 left;
    u8 pile[DECK];
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
    u8 top = next_card(state);
    for (u8 slot = 0; slot < FRONT + BACK; slot++)
        for (int seat = 0; seat < SEATS; seat++) {
            u8 card = next_card(state);
            *(slot < FRONT ? &state->front[seat] : &state->back[seat]) |= single(card);
        }
    state->playable = (state->front[0] | state->back[0]) & rules->follows[top];
}

static const Rules *rules(void) {
    static Rules rules;
    if (rules.all) return &rules;
    int cards = 0;
    for (int card = 0; card < CARDS; card++) {
        if (card / 6 == 0 || card % 6 == 0) rules.reverse |= single(card);
        if (card == 0 || card == CARDS - 1) continue; /* not in the deck */
        rules.deck[cards++] = (u8)card;
        rules.all |= single(card);
    }
    for (int low = 0; low < CARDS; low++)
        for (int card = 0; card < CARDS; card++) {
            if (!has(rules.all, card)) continue;
            if (card / 6 > low / 6 || card % 6 > low % 6) rules.follows[low] |= single(card);
        }
    return &rules;
}

/* Plays games first .. first + number - 1 and writes the cards laid in each. */
void play_random(u64 seed, u64 first, u64 number, i64 *laid) {
    const Rules *r = rules();
    for (u64 game = 0; game < number; game++) {
        State state;
        deal(&state, r, seed, first + game);
        u64 choice = state.choice, stream = state.deal, left = state.left, turned = 0;
        Cards playable = state.playable;
        int seat = 0;
        i64 n = 0;
        while (playable) {
            choice += STEP;
            for (u64 i = below(choice, (u64)count(playable)); i; i--) playable &= playable - 1;
            u64 card = lowest(playable);
            Cards bit = single(card), back = state.back[seat], front = state.front[seat] & ~bit;
            Cards to_front = -(back >> card & 1);
            back &= ~bit;
            turned ^= has(r->reverse, card);
            n++;
            if (left) {
                stream += STEP;
                u64 i = below(stream, left);
                Cards drawn = single(state.pile[i]);
                state.pile[i] = state.pile[--left];
                front |= drawn & to_front;
                back |= drawn & ~to_front;
            }
            state.front[seat] = front;
            state.back[seat] = back;
            playable = 0;
            for (int i = 0; i < SEATS; i++) {
                seat = NEXT[turned][seat];
                Cards hand = state.front[seat] | state.back[seat];
                if (hand) {
                    playable = hand & r->follows[card];
                    break;
                }
            }
        }
        laid[game] = n;
    }
}
