/* Random play (random_round in solver/games/wave/play.py). All that a turn changes stays in registers. */
#include "wave.h"

const Rules *rules(void) {
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
            if (card / 6 < low / 6 || card % 6 < low % 6) rules.under[low] |= single(card);
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
