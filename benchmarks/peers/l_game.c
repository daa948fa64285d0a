/* The random L-Game on bitboards, drawn by threefold repetition or after 500 plies: which of the 48 placements
   fit is one word, found by the squares taken. */

enum { SQUARES = 16, BOARDS = 1 << SQUARES, LS = 48, PAIRS = 656, DISCS = 120, TAILS = 13, COUNTED = PAIRS * DISCS * 2 };

#include "repetition.h"

static const uint32_t BOARD = BOARDS - 1;
static uint32_t ls[LS];
static uint64_t fitting[BOARDS];
static uint16_t pairs[LS][LS]; /* the number of two Ls that do not overlap */
static uint8_t sets[BOARDS];   /* the number of two discs' squares */

/* The L with its foot at (column, row) and its bar of three up, down, left or right of it; 0 if it is off. */
static uint32_t placement(int column, int row, int direction)
{
    static const int RIGHT[] = {0, 0, -1, 1}, DOWN[] = {-1, 1, 0, 0};
    int x = column + RIGHT[direction], y = row + DOWN[direction];
    if (x < 0 || x > 3 || y < 0 || y > 3)
        return 0;
    if (RIGHT[direction])
        return 1u << (4 * row + column) | 0x111u << (4 * (row < 2 ? row : row - 2) + x);
    return 1u << (4 * row + column) | 7u << (4 * y + (column < 2 ? column : column - 2));
}

static int number_of(uint32_t squares)
{
    int at = 0;
    while (ls[at] != squares)
        at++;
    return at;
}

static void prepare(void)
{
    int count = 0;
    for (int at = 0; at < 4 * SQUARES; at++)
        if ((ls[count] = placement(at / 4 % 4, at / SQUARES, at % 4)) != 0 && ++count == LS)
            break;
    for (uint32_t taken = 0; taken < BOARDS; taken++)
        for (int at = 0; at < LS; at++)
            fitting[taken] |= (uint64_t)!(ls[at] & taken) << at;
    count = 0;
    for (int own = 0; own < LS; own++)
        for (int opp = 0; opp < LS; opp++)
            if (!(ls[own] & ls[opp]))
                pairs[own][opp] = (uint16_t)count++;
    count = 0;
    for (int one = 0; one < SQUARES; one++)
        for (int other = one + 1; other < SQUARES; other++)
            sets[1u << one | 1u << other] = (uint8_t)count++;
}

static inline uint32_t position_of(int own, int opp, uint32_t discs, int plies)
{
    return (uint32_t)(pairs[own][opp] * DISCS + sets[discs]) * 2 + (plies & 1);
}

static inline struct ended play(uint64_t state)
{
    int own = number_of(placement(1, 0, 3)), opp = number_of(placement(2, 3, 2)), plies = 0, times = 1;
    uint32_t discs = 1u << 0 | 1u << 15;
    begin_counting(position_of(own, opp, discs, 0));
    for (;;) {
        uint64_t legal = fitting[ls[opp] | discs] & ~(UINT64_C(1) << own);
        if (!legal)
            return lost(plies);
        if (times == THREEFOLD || plies == MOST_PLIES)
            return (struct ended){DRAWN, plies};
        uint32_t drawn = below(&state, (uint64_t)__builtin_popcountll(legal) * TAILS), tail = drawn % TAILS;
        own = opp;
        opp = nth_bit(legal, drawn / TAILS);
        if (tail) { /* six free squares for either disc */
            uint32_t empty = BOARD & ~(ls[own] | ls[opp] | discs), low = discs & -discs;
            uint32_t from = tail <= 6 ? low : discs ^ low;
            discs ^= from | 1u << nth_bit(empty, (tail - 1) % 6);
        }
        plies++;
        times = times_seen(position_of(own, opp, discs, plies));
    }
}
