/* What the solver needs of search.c. */
#ifndef SEARCH_H
#define SEARCH_H
#include "wave.h"

typedef struct {
    i64 noise, budget;
    const i64 *weights;
    const uint16_t *gumbel; /* 4,096 quantiles of the Gumbel distribution in 1/1024, raised by 3,000 */
} Player;

u64 thumb_move(State *state, const Rules *r, const Player *player, i64 noise);
#endif
