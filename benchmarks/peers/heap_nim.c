/* Random heap Nim with heaps of 3, 4 and 5: a table says what each move of each position leads to. */

#include "peer.h"

enum { HEAPS = 3, POSITIONS = 4 * 5 * 6, MOVES = POSITIONS * 6, COUNT_BITS = 4, COUNT_MASK = 15 };

static const int SIZES[HEAPS] = {3, 4, 5}, STEPS[HEAPS] = {30, 6, 1};

/* Where a position's row of the table begins, and how many moves it has. */
static uint32_t entries[POSITIONS], successors[MOVES];

static void prepare(void)
{
    uint32_t made = 0;
    for (int position = 0; position < POSITIONS; position++) {
        uint32_t row = made;
        for (int heap = 0; heap < HEAPS; heap++) {
            int held = position / STEPS[heap] % (SIZES[heap] + 1);
            for (int taken = 1; taken <= held; taken++)
                successors[made++] = entries[position - taken * STEPS[heap]];
        }
        entries[position] = row << COUNT_BITS | (made - row);
    }
}

static inline struct ended play(uint64_t state)
{
    uint32_t entry = entries[POSITIONS - 1];
    int plies = 0;
    for (; entry & COUNT_MASK; plies++)
        entry = successors[(entry >> COUNT_BITS) + below(&state, entry & COUNT_MASK)];
    return lost(plies); /* the other side took the last one */
}
