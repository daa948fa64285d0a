/* Random rhombic chess on bitboards, drawn by threefold repetition or after 500 plies. Bit 4 * start + k of a
   word is the step from a point to its k-th neighbour: the legal moves are one word too. */

enum { POINTS = 13, PLACINGS = 10, STONES = 5, EMPTY = 3, BOARDS = 1 << POINTS, STEPS = 4 * POINTS };
enum { OWN_SETS = 1287, EMPTY_SETS = 286, COUNTED = OWN_SETS * EMPTY_SETS * 2 };

#include "repetition.h"

/* What one stone put down or moved changes: points, the steps that leave them, the steps that arrive there. */
struct change {
    uint64_t points, leaving, arriving;
};

static const int X[POINTS] = {0, -1, 0, 1, -2, -1, 0, 1, 2, -1, 0, 1, 0};
static const int Y[POINTS] = {2, 1, 1, 1, 0, 0, 0, 0, 0, -1, -1, -1, -2};
static struct change placing[POINTS], moving[STEPS];
static uint64_t every_step;
static uint16_t own_sets[BOARDS], empty_sets[BOARDS]; /* the number of five own stones, of three empty points */

static int tip(int point)
{
    return abs(X[point]) + abs(Y[point]) == 2 && X[point] * Y[point] == 0;
}

static int joined(int one, int other)
{
    int x = X[one] - X[other], y = Y[one] - Y[other];
    return x * x + y * y == (tip(one) || tip(other) ? 2 : 1) && !(tip(one) && tip(other));
}

static void prepare(void)
{
    int ends[STEPS] = {0};
    for (int start = 0; start < POINTS; start++) {
        placing[start].points = UINT64_C(1) << start;
        for (int end = 0, step = 4 * start; end < POINTS; end++)
            if (joined(start, end)) {
                placing[start].leaving |= UINT64_C(1) << step;
                placing[end].arriving |= UINT64_C(1) << step;
                every_step |= UINT64_C(1) << step;
                ends[step++] = end;
            }
    }
    for (int step = 0; step < STEPS; step++) {
        const struct change *start = &placing[step / 4], *end = &placing[ends[step]];
        moving[step].points = start->points ^ end->points;
        moving[step].leaving = start->leaving ^ end->leaving;
        moving[step].arriving = start->arriving ^ end->arriving;
    }
    for (uint32_t board = 0, own = 0, empty = 0; board < BOARDS; board++) {
        if (__builtin_popcount(board) == STONES)
            own_sets[board] = (uint16_t)own++;
        if (__builtin_popcount(board) == EMPTY)
            empty_sets[board] = (uint16_t)empty++;
    }
}

struct board {
    uint64_t own, own_leaving, opp, opp_leaving, empty, arriving;
};

static inline void change(struct board *board, const struct change *by)
{
    uint64_t own = board->own ^ by->points, leaving = board->own_leaving ^ by->leaving;
    board->own = board->opp;
    board->own_leaving = board->opp_leaving;
    board->opp = own;
    board->opp_leaving = leaving;
    board->empty ^= by->points;
    board->arriving ^= by->arriving;
}

static inline uint32_t position_of(const struct board *board, int plies)
{
    return (own_sets[board->own] * (uint32_t)EMPTY_SETS + empty_sets[board->empty]) * 2 + (plies & 1);
}

static inline struct ended play(uint64_t state)
{
    struct board board = {0, 0, 0, 0, BOARDS - 1, every_step};
    int plies = 0, times = 1;
    for (; plies < PLACINGS; plies++)
        change(&board, &placing[nth_bit(board.empty, below(&state, (uint64_t)(POINTS - plies)))]);
    begin_counting(position_of(&board, plies)); /* nothing repeats while stones are placed */
    for (;;) {
        uint64_t legal = board.own_leaving & board.arriving;
        if (!legal)
            return lost(plies);
        if (times == THREEFOLD || plies == MOST_PLIES)
            return (struct ended){DRAWN, plies};
        change(&board, &moving[nth_bit(legal, below(&state, (uint64_t)__builtin_popcountll(legal)))]);
        plies++;
        times = times_seen(position_of(&board, plies));
    }
}
