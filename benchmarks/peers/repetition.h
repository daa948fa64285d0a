/* The draw policy of games that can repeat: a position for the third time, or 500 plies. A peer says before it
   includes this how many positions are COUNTED. */

#include "peer.h"
#include <string.h>

enum { THREEFOLD = 3, MOST_PLIES = 500 };

/* Counts of this game's positions stand above `floor_now`, so nothing is cleared between two games. */
static uint16_t counts[COUNTED];
static uint32_t floor_now;

static inline int times_seen(uint32_t position)
{
    uint32_t before = counts[position], now = (before > floor_now ? before : floor_now) + 1;
    counts[position] = (uint16_t)now;
    return (int)(now - floor_now);
}

static inline void begin_counting(uint32_t position)
{
    floor_now += THREEFOLD;
    if (floor_now + THREEFOLD > UINT16_MAX) {
        memset(counts, 0, sizeof counts);
        floor_now = 0;
    }
    times_seen(position);
}
