/* Rules of thumb and flat search: features.py and worlds.py of the game; thumb.py, flat.py and race.py of the players. */
#include "search.h"
#include <math.h>

enum { MOST_MOVES = FRONT + BACK, BATCH = 25, UTILITY = 66 * 840, MILLI = 1000 };
static const double CLEARLY = 3.5; /* standard errors */

/* The weights are in the order of FEATURES in features.py. */
enum { ROOM, NEXT_READY, NEXT_RISK, NEXT_CHOICE, SECOND_READY, AWKWARD, KEEPS_AWKWARD, REVERSES, FROM_BACK, OWN_CHOICE, LONE };
enum { RISK = 64, NOISE_UNIT = 1024, NOISE_SHIFT = 64 - 12 };

/* ---- features.py */

typedef struct { /* the surfers ahead in one direction, as the surfer to move sees them */
    Cards known, second; /* known cards of the next and of the second surfer */
    i64 unknown;         /* unknown cards of the next */
} Ahead;

static inline Cards unseen(const State *state, int holder) { return holder == state->seat ? 0 : state->front[holder]; }

static inline int next_with_cards(const State *state, int seat, int turned) {
    int other = NEXT[turned][seat];
    for (int i = 0; i < SEATS - 1 && !(state->front[other] | state->back[other]); i++) other = NEXT[turned][other];
    return other;
}

static inline Ahead neighbours(const State *state, int turned) {
    int after = next_with_cards(state, state->seat, turned), second = next_with_cards(state, after, turned);
    Cards secret = unseen(state, after);
    return (Ahead){
        .known = (state->front[after] | state->back[after]) & ~secret,
        .second = (state->front[second] | state->back[second]) & ~unseen(state, second),
        .unknown = count(secret),
    };
}

/* Chance, in 1/64, that none of `cards` cards drawn from `hidden` is among the `good` ones. */
static inline i64 chance_of_none(i64 hidden, i64 good, i64 cards) {
    double chance = RISK;
    for (i64 i = 0; i < cards && i < hidden; i++) {
        i64 bad = hidden - good - i;
        chance *= (double)(bad > 0 ? bad : 0) / (double)(hidden - i);
    }
    return (i64)chance;
}

static inline bool second_ready(const Rules *r, Cards options, Cards theirs) {
    for (; options; options &= options - 1) {
        u64 step = lowest(options);
        if (theirs & r->follows[step] & ~single(step)) return true;
    }
    return false;
}

/* The rating of laying a card. */
static inline i64 rate_lay(
    const State *state, const Rules *r, const i64 *weights, u64 card, Cards left, Cards hidden, Cards own, const Ahead *ahead
) {
    Cards bit = single(card), rest = left & ~bit, follows = r->follows[card];
    bool reverses = has(r->reverse, card);
    const Ahead *next = &ahead[state->turned ^ reverses];
    Cards ready = next->known & follows & ~bit;
    i64 choice = count(ready), cards = count(rest);
    i64 rating = weights[ROOM] * count(rest & follows);
    if (ready)
        rating += weights[NEXT_READY] + weights[NEXT_CHOICE] * (choice < 3 ? choice : 3);
    else
        rating += weights[NEXT_RISK] * chance_of_none(count(hidden), count(hidden & follows), next->unknown);
    if (second_ready(r, ready, next->second & ~bit)) rating += weights[SECOND_READY];
    rating += weights[AWKWARD] * (cards - count(rest & r->under[card]));
    Cards fits = own & follows & ~bit;
    rating += weights[OWN_CHOICE] * count(fits);
    i64 kept = 0;
    for (; fits; fits &= fits - 1) kept += cards - count(rest & r->under[lowest(fits)]);
    rating += weights[KEEPS_AWKWARD] * kept;
    if (reverses) rating += weights[REVERSES];
    if (has(state->back[state->seat], card)) rating += weights[FROM_BACK];
    if (count(next->known) + next->unknown == 1) rating += weights[LONE];
    return rating;
}

/* ---- thumb.py */

/* A front card is named by its card and a back card by its slot, because its owner may not know it. */
static inline u64 kind(const State *state, u64 card) {
    return has(state->back[state->seat], card) ? 64u + state->slot[card] : card;
}

/* The card of a thumb with this noise on its ratings; ties and noise draw from state->choice. */
u64 thumb_move(State *state, const Rules *r, const Player *player, i64 noise) {
    Cards moves = state->playable;
    if (!(moves & (moves - 1))) return lowest(moves);
    state->choice += STEP;
    Cards known = state->seen;
    for (int holder = 0; holder < SEATS; holder++)
        known |= (state->front[holder] | state->back[holder]) & ~unseen(state, holder);
    Cards left = r->all & ~state->seen, hidden = r->all & ~known;
    Cards own = state->front[state->seat] | state->back[state->seat];
    Ahead ahead[2] = {neighbours(state, 0), neighbours(state, 1)};
    u64 best = lowest(moves), best_luck = 0;
    i64 best_rating = -(1LL << 62);
    for (; moves; moves &= moves - 1) {
        u64 card = lowest(moves), luck = derive(state->choice, kind(state, card));
        i64 rating = rate_lay(state, r, player->weights, card, left, hidden, own, ahead);
        if (noise > 0) rating = rating * NOISE_UNIT + (i64)((u64)noise * player->gumbel[luck >> NOISE_SHIFT] / MILLI);
        if (rating > best_rating || (rating == best_rating && luck > best_luck))
            best = card, best_rating = rating, best_luck = luck;
    }
    return best;
}

/* ---- worlds.py */

/* Deals anew what the surfer to move does not see: the front cards of the others and the pile. */
static void determinize(State *state, u64 key) {
    state->deal = derive(key, DEAL);
    state->choice = derive(key, CHOICE);
    u64 stream = derive(key, WORLD);
    Cards hidden = 0;
    for (int i = 0; i < state->left; i++) hidden |= single(state->pile[i]);
    u8 slots[SEATS][FRONT + BACK];
    int numbers[SEATS];
    for (int holder = 0; holder < SEATS; holder++) {
        Cards places = 0;
        hidden |= unseen(state, holder);
        for (Cards old = unseen(state, holder); old; old &= old - 1) places |= single(state->slot[lowest(old)]);
        numbers[holder] = (int)count(places);
        for (int i = 0; places; places &= places - 1) slots[holder][i++] = (u8)lowest(places);
    }
    u8 pool[DECK];
    u64 left = 0;
    for (; hidden; hidden &= hidden - 1) pool[left++] = (u8)lowest(hidden);
    for (int holder = 0; holder < SEATS; holder++) {
        if (holder == state->seat) continue;
        Cards hand = 0;
        for (int i = 0; i < numbers[holder]; i++) {
            stream += STEP;
            u64 j = below(stream, left);
            u8 card = pool[j];
            pool[j] = pool[--left];
            state->slot[card] = slots[holder][i];
            hand |= single(card);
        }
        state->front[holder] = hand;
    }
    for (u64 i = 0; i < left; i++) state->pile[i] = pool[i];
}

/* ---- flat.py */

static i64 utility(const State *state) {
    i64 left = DECK - 1 - state->laid;
    return left == 0 ? UTILITY : UTILITY / 2 * (DECK - left) / DECK;
}

static i64 play_candidate(State *line, const Rules *r, const Player *player, u64 card, i64 *effort) {
    lay(line, r, card);
    i64 plies = 1;
    for (; line->playable; plies++) lay(line, r, thumb_move(line, r, player, player->noise));
    effort[0] += plies;
    effort[1]++;
    return utility(line);
}

/* ---- race.py */

typedef struct {
    bool alive;
    i64 value, gain, gain_squared;
} Candidate;

static double error_of(const Candidate *candidate, i64 played) {
    if (played < 2) return 0;
    double mean = (double)candidate->gain / (double)played;
    double variance = (double)candidate->gain_squared / (double)played - mean * mean;
    return sqrt((variance > 0 ? variance : 0) / (double)(played - 1));
}

static int leader_of(const Candidate *candidates, int n, int reference) {
    int leader = reference;
    for (int i = 0; i < n; i++)
        if (candidates[i].alive && candidates[i].gain > candidates[leader].gain) leader = i;
    return leader;
}

static void drop_worse(Candidate *candidates, int n, i64 played, int reference) {
    int leader = leader_of(candidates, n, reference);
    double floor = (double)candidates[leader].gain / (double)played - CLEARLY * error_of(&candidates[leader], played);
    for (int i = 0; i < n; i++) {
        if (!candidates[i].alive || i == leader || i == reference) continue;
        if ((double)candidates[i].gain / (double)played + CLEARLY * error_of(&candidates[i], played) < floor)
            candidates[i].alive = false;
    }
}

static u64 race(const State *state, const Rules *r, const Player *player, u64 key, i64 *effort) {
    u64 moves[MOST_MOVES];
    Candidate candidates[MOST_MOVES];
    int n = 0, reference = 0;
    for (Cards cards = state->playable; cards; cards &= cards - 1) moves[n++] = lowest(cards);
    if (n == 1) return moves[0];
    State world = *state, line;
    determinize(&world, derive(key, 0));
    u64 own = thumb_move(&world, r, player, 0);
    for (int i = 0; i < n; i++) {
        if (moves[i] == own) reference = i;
        candidates[i] = (Candidate){.alive = true};
    }
    for (i64 number = 1; number <= player->budget; number++) {
        world = *state;
        determinize(&world, derive(key, (u64)number));
        for (int i = 0; i < n; i++)
            if (candidates[i].alive) {
                line = world;
                candidates[i].value = play_candidate(&line, r, player, moves[i], effort);
            }
        for (int i = 0; i < n; i++)
            if (candidates[i].alive) {
                i64 difference = candidates[i].value - candidates[reference].value;
                candidates[i].gain += difference;
                candidates[i].gain_squared += difference * difference;
            }
        if (number % BATCH == 0) drop_worse(candidates, n, number, reference);
    }
    return moves[leader_of(candidates, n, reference)];
}

/* ---- playout.py */

/* Plays games first .. first + number - 1, with flat search if the player has a budget, and writes the cards laid in each.
   `effort` counts the plies and playouts of the search. */
void play_thinking(u64 seed, u64 first, u64 number, const Player *player, i64 *laid, i64 *effort) {
    const Rules *r = rules();
    for (u64 game = 0; game < number; game++) {
        State state;
        deal(&state, r, seed, first + game);
        u64 key = derive(derive(derive(seed, SEARCH), first + game), 0);
        while (state.playable) {
            u64 card = player->budget ? race(&state, r, player, derive(key, state.laid), effort)
                                      : thumb_move(&state, r, player, 0);
            lay(&state, r, card);
        }
        laid[game] = state.laid;
    }
}
