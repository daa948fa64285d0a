/* Random circle Nim with five rows.

   All 63 lines are bits of one word: 15 of one circle, 30 of two, 18 of three. Taking a line keeps those that
   share no circle with it. Once no two circles are neighbours, the rest go one by one, whichever is drawn. */

#include "peer.h"

enum { ROWS = 5, LINES = 63, LONGEST = 3 };

static uint64_t kinds[LONGEST], untouched[LINES];

/* Lines in the order of their numbers: by length, then by the circles from the first to the last. */
static int compare(const void *one, const void *other)
{
    for (int i = 0; i <= LONGEST; i++) {
        int difference = ((const int *)one)[i] - ((const int *)other)[i];
        if (difference)
            return difference;
    }
    return 0;
}

static void prepare(void)
{
    int lines[LINES][LONGEST + 1] = {{0}}, count = 0;
    for (int length = 1; length <= LONGEST; length++)
        for (int row = 0; row < ROWS; row++)
            for (int place = 0; place <= row; place++)
                for (int way = 0; way < (length == 1 ? 1 : 3); way++) {
                    int down = way != 0, right = way != 1; /* along the row, down left, down right */
                    if (row + (length - 1) * down >= ROWS || (!down && place + length - 1 > row))
                        continue;
                    lines[count][0] = length;
                    for (int i = 0; i < length; i++) {
                        int at = row + i * down;
                        lines[count][i + 1] = at * (at + 1) / 2 + place + i * right;
                    }
                    count++;
                }
    qsort(lines, LINES, sizeof lines[0], compare);
    uint64_t masks[LINES] = {0};
    for (int at = 0; at < LINES; at++) {
        kinds[lines[at][0] - 1] |= UINT64_C(1) << at;
        for (int i = 1; i <= lines[at][0]; i++)
            masks[at] |= UINT64_C(1) << lines[at][i];
    }
    for (int at = 0; at < LINES; at++)
        for (int other = 0; other < LINES; other++)
            if (!(masks[at] & masks[other]))
                untouched[at] |= UINT64_C(1) << other;
}

static inline struct ended play(uint64_t state)
{
    uint64_t left = kinds[0] | kinds[1] | kinds[2];
    int plies = 0;
    for (; left & kinds[1]; plies++) {
        uint64_t chosen = left & kinds[below(&state, left & kinds[2] ? 3 : 2)]; /* without a branch on chance */
        left &= untouched[nth_bit(chosen, below(&state, (uint64_t)__builtin_popcountll(chosen)))];
    }
    plies += __builtin_popcountll(left);
    return (struct ended){plies & 1 ? SEAT1 : SEAT0, plies}; /* whoever takes the last one loses */
}
