/* Endings of Reversi on 8 by 8 squares by plain alpha-beta, for comparison with the arena's solver.

   usage: endings SIGN < positions      SIGN is 1 where most discs win, -1 where fewest do

   A line of input is the mover's discs and the other side's, as numbers whose bit 8 * row + column is a square.
   A line of output is the mover's final advantage in discs times SIGN, and the seconds of processor time. Moves
   that leave the other side the fewest answers are tried first; nothing is remembered. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t board;

#define MOST_MOVES 34
#define FEW 4
#define INFINITE 100

static const board NOT_A = 0xFEFEFEFEFEFEFEFEULL, NOT_H = 0x7F7F7F7F7F7F7F7FULL;
static int sign;

static board step(board b, int way) {
    switch (way) {
        case 0: return b << 8;
        case 1: return b >> 8;
        case 2: return b << 1 & NOT_A;
        case 3: return b >> 1 & NOT_H;
        case 4: return b << 9 & NOT_A;
        case 5: return b << 7 & NOT_H;
        case 6: return b >> 7 & NOT_A;
        default: return b >> 9 & NOT_H;
    }
}

static board answers(board own, board opp) {
    board found = 0;
    for (int way = 0; way < 8; way++) {
        board run = step(own, way) & opp;
        for (int n = 0; n < 5; n++) run |= step(run, way) & opp;
        found |= step(run, way);
    }
    return found & ~(own | opp);
}

static board turned(board own, board opp, board disc) {
    board found = 0;
    for (int way = 0; way < 8; way++) {
        board run = 0, at = step(disc, way);
        while (at & opp) {
            run |= at;
            at = step(at, way);
        }
        if (at & own) found |= run;
    }
    return found;
}

static int search(board own, board opp, int alpha, int beta) {
    board moves = answers(own, opp);
    if (!moves) {
        if (!answers(opp, own)) return sign * (__builtin_popcountll(own) - __builtin_popcountll(opp));
        return -search(opp, own, -beta, -alpha);
    }
    board mine[MOST_MOVES], theirs[MOST_MOVES];
    int order[MOST_MOVES], count = 0, sorted = __builtin_popcountll(~(own | opp)) > FEW;
    for (; moves; moves &= moves - 1) {
        board disc = moves & -moves, lines = turned(own, opp, disc);
        board me = own | lines | disc, they = opp ^ lines;
        int key = sorted ? __builtin_popcountll(answers(they, me)) : 0, at = count++;
        for (; at > 0 && order[at - 1] > key; at--) {
            order[at] = order[at - 1], mine[at] = mine[at - 1], theirs[at] = theirs[at - 1];
        }
        order[at] = key, mine[at] = me, theirs[at] = they;
    }
    int best = -INFINITE;
    for (int at = 0; at < count && best < beta; at++) {
        int value = -search(theirs[at], mine[at], -beta, -(best > alpha ? best : alpha));
        if (value > best) best = value;
    }
    return best;
}

int main(int count, char **words) {
    unsigned long long own, opp;
    sign = count > 1 ? atoi(words[1]) : 1;
    while (scanf("%llu %llu", &own, &opp) == 2) {
        clock_t started = clock();
        int score = search(own, opp, -INFINITE, INFINITE);
        printf("%d %.6f\n", score, (double)(clock() - started) / CLOCKS_PER_SEC);
        fflush(stdout);
    }
    return 0;
}
