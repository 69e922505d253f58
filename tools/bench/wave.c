/* The base game of WAVE with three players at random, written in C: bitsets and a deck that is shuffled lazily.
   `make bench` compiles it and times it beside the compiled kernels.
   It has no knobs and no variants: front and back cards, reverses, drawing, the end. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t u64;
static const u64 STEP = 0xA0761D6478BD642FULL, FOLD = 0xE7037ED1A0B428DBULL;

static inline u64 mix(u64 counter) {
    unsigned __int128 product = (unsigned __int128)counter * (counter ^ FOLD);
    return (u64)(product >> 64) ^ (u64)product;
}
static inline u64 derive(u64 key, u64 part) { return mix(mix(key ^ part * STEP) + STEP); }
static inline u64 below(u64 stream, u64 n) { return ((mix(stream) >> 32) * n) >> 32; }

static u64 beats[36];
static u64 reverses;
static uint8_t deck[34];

static void set_up(void) {
    int cards = 0;
    for (int card = 0; card < 36; card++) {
        if (card != 0 && card != 35) deck[cards++] = (uint8_t)card;
        if (card / 6 == 0 || card % 6 == 0) reverses |= 1ULL << card;
        for (int other = 0; other < 36; other++)
            if (other / 6 > card / 6 || other % 6 > card % 6) beats[card] |= 1ULL << other;
    }
}

int main(int argc, char **argv) {
    u64 games = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000, won = 0, laid_in_all = 0;
    set_up();
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (u64 game = 0; game < games; game++) {
        u64 root = derive(derive(1, 1), game), deal = derive(root, 1), choice = derive(root, 3);
        uint8_t pile[34];
        for (int i = 0; i < 34; i++) pile[i] = deck[i];
        u64 left = 34, front[3] = {0}, back[3] = {0}, i;
#define DRAW(card) (deal += STEP, i = below(deal, left), card = pile[i], pile[i] = pile[--left])
        u64 card, top;
        DRAW(top);
        for (int k = 0; k < 3; k++)
            for (int seat = 0; seat < 3; seat++) { DRAW(card); front[seat] |= 1ULL << card; }
        for (int k = 0; k < 2; k++)
            for (int seat = 0; seat < 3; seat++) { DRAW(card); back[seat] |= 1ULL << card; }
        int seat = 0, step = 1, laid = 0;
        for (;;) {
            u64 playable = (front[seat] | back[seat]) & beats[top];
            if (!playable) break;
            choice += STEP;
            for (u64 n = below(choice, (u64)__builtin_popcountll(playable)); n; n--) playable &= playable - 1;
            top = (u64)__builtin_ctzll(playable);
            u64 bit = 1ULL << top, from_back = (back[seat] >> top) & 1;
            front[seat] &= ~bit;
            back[seat] &= ~bit;
            laid++;
            if (reverses & bit) step = 3 - step;
            if (left) {
                DRAW(card);
                if (from_back) front[seat] |= 1ULL << card; else back[seat] |= 1ULL << card;
            }
            int tries = 0;
            do { seat += step; if (seat > 2) seat -= 3; } while (!(front[seat] | back[seat]) && ++tries < 3);
            if (tries == 3) break;
        }
        laid_in_all += (u64)laid;
        won += laid == 33;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("%.9f %llu %llu\n", seconds, (unsigned long long)won, (unsigned long long)laid_in_all);
    return 0;
}
