/* Reversi searched as deep as time allows, judged by patterns, and to its end where that can be done.

   Values are the mover's, in `POINT`s a disc; a game that ends within a search counts as it ended. A search that is
   as deep as there are empty squares is an ending: it goes over to the solver of `reversi_solve.h` for the last
   `HANDED_OVER` squares, and with certainty `PROVEN` its value is exact. Boards are those of `reversi_patterns.h`.
   `reversi_midgame_descent.h` is the search itself. */
#ifndef ENGINES_REVERSI_MIDGAME_H
#define ENGINES_REVERSI_MIDGAME_H
#include <math.h>
#include <time.h>
#include "reversi_patterns.h"
#include "reversi_solve.h"

enum {
    HANDED_OVER = 13,    /* endings with at most so many empty squares are the solver's */
    FAR = 65 * POINT,    /* more than any value */
    ENTRIES = 4,         /* positions in a line of the processor's cache */
    LOOKS = 128,         /* positions between two looks at the clock, */
    SOLVERS_PACE = 16,   /* of which the solver does so many in the time of one, */
    SLICE = 1 << 14,     /* and so many before the clock is looked at while it is at work */
    CUT_FROM = 3,        /* plies from which on a shallower search may cut a deeper one */
    TABLED_FROM = 2,     /* plies from which on what was found is kept */
    ENHANCED_FROM = 4,   /* plies from which on what is known of each move's position may save the search */
};

/* How sure a cut by a shallower search must be; a proven value has none. */
enum { HASTY, LIKELY, SURE, PROVEN };
static const float margins[PROVEN] = {1.1f, 1.6f, 2.4f};   /* in standard deviations */

/* The standard deviation, in discs, between a search of `depth` plies and one of `shallow` with `left` empty squares:
   sums of these times 1, left, depth and shallow. The first row is of searches that end at a judgement, the second of
   endings, whose depth is `left`. */
typedef struct {
    float row[2][4];
} Spread;

/* By whether there are weights, whether the board has 8 rows, and whether fewest discs win: `champion calibrate SIZE RULE
   1000 3` printed these, with the weights of 26 November 2026, but for those of smaller boards with weights, where the
   ones of 8 rows stand. Players that are trained search with them, too: others make other weights. */
static const Spread spreads[2][2][2] = {
    {{{{{2.871f, 0.0298f, 0.6956f, -1.0706f}, {8.968f, 0, 0, -0.3875f}}},
      {{{3.314f, -0.1087f, 0.3241f, -0.4445f}, {4.478f, 0, 0, -0.0480f}}}},
     {{{{4.324f, -0.0531f, 0.6658f, -0.9029f}, {14.940f, 0, 0, -0.1822f}}},
      {{{2.886f, -0.0451f, 0.2846f, -0.4272f}, {8.523f, 0, 0, -0.2753f}}}}},
    {{{{{4.699f, -0.0483f, 0.3852f, -0.7298f}, {7.893f, 0, 0, -0.5246f}}},
      {{{2.730f, -0.0304f, 0.1411f, -0.3339f}, {4.982f, 0, 0, -0.2113f}}}},
     {{{{4.699f, -0.0483f, 0.3852f, -0.7298f}, {7.893f, 0, 0, -0.5246f}}},
      {{{2.730f, -0.0304f, 0.1411f, -0.3339f}, {4.982f, 0, 0, -0.2113f}}}}},
};

typedef struct {
    uint64_t key;
    int16_t low, high;
    uint8_t move, depth, certainty, date;
} Entry;

typedef struct {
    Entry entry[ENTRIES];
} Row;

_Static_assert(sizeof(Row) == 64, "a row fills one line of the cache");

typedef struct {
    Search *search;
    const Patterns *patterns;
    const Weights *weights;              /* NULL where moves, corners and discs are counted instead */
    const Spread *spread;
    Row *table;
    void *block;                         /* what is to be freed */
    uint64_t mask, salt;
    int64_t deadline;                    /* by the monotonic clock, in nanoseconds; INT64_MAX is never */
    int size, certainty, unlooked, halted, repeatable;
    uint8_t date;
} Midgame;

/* A position: the mover's discs, the other side's and where the mover can place; who moves, 0 or 1, and the fillings of
   the patterns with the discs of 0 first. */
typedef struct {
    Lines lines;
    uint64_t own, opp, places;
    int colour, left;                    /* squares that are empty */
} Stand;

/* A move and what it leads to; `order` is a guess of the value to the other side. */
typedef struct {
    Stand after;
    int square, order;
} Branch;

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Look at the clock; whether the time is over. */
static inline int late(Midgame *midgame) {
    midgame->unlooked = LOOKS;
    if (midgame->deadline != INT64_MAX && nanoseconds() >= midgame->deadline) midgame->halted = 1;
    return midgame->halted;
}

/* The solver asks whether it is to go on. */
static int more_time(Search *search) {
    search->most = search->nodes + SLICE;
    return !late(search->asker);
}

/* The table of what was found. An ending and a search that stops before it have entries of their own. */

static inline uint64_t key_of(const Midgame *midgame, uint64_t own, uint64_t opp, int ending) {
    uint64_t mixed = own * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ mixed >> 32 ^ opp) * 0xD6E8FEB86659FD93ULL;
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93ULL;
    return mixed ^ mixed >> 32 ^ midgame->salt ^ (ending ? 0x5851F42D4C957F2DULL : 0);
}

static inline Row *row_of(const Midgame *midgame, uint64_t key) { return &midgame->table[key & midgame->mask]; }

static inline Entry *looked_up(Row *row, uint64_t key) {
    for (int at = 0; at < ENTRIES; at++)
        if (row->entry[at].key == key) return &row->entry[at];
    return NULL;
}

/* Whether an entry's bounds hold for a search of that depth and certainty. */
static inline int holds(const Entry *entry, int depth, int certainty) {
    return entry->depth >= depth && entry->certainty >= certainty;
}

static inline void keep(Midgame *midgame, Row *row, Entry found) {
    Entry *place = looked_up(row, found.key);
    if (place) {
        if (place->date == midgame->date && (place->certainty > found.certainty || place->depth > found.depth) &&
            place->depth >= found.depth && place->certainty >= found.certainty)
            return;
        if (found.move == NO_MOVE) found.move = place->move;
    } else {
        place = row->entry;
        for (int at = 1; at < ENTRIES; at++) {
            Entry *other = &row->entry[at];
            int mine = place->depth + 64 * (place->date == midgame->date);
            if (other->depth + 64 * (other->date == midgame->date) < mine) place = other;
        }
    }
    *place = found;
}

#define LANES 0
#define NAMED(name) name##_plain
#include "reversi_midgame_descent.h"
#undef NAMED
#undef LANES
#ifdef WIDE
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#define LANES 1
#define NAMED(name) name##_wide
#include "reversi_midgame_descent.h"
#undef NAMED
#undef LANES
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

static void free_midgame(Midgame *midgame) {
    if (midgame) free_search(midgame->search), free(midgame->block);
    free(midgame);
}

/* Room for searches on a square board of 4, 6 or 8 rows, after `prepare()`: half the memory is the solver's table.
   NULL where there is too little. Without weights, moves, corners and discs are counted. */
static Midgame *new_midgame(int size, int fewest, const Patterns *patterns, const Weights *weights, uint64_t memory) {
    Midgame *midgame = calloc(1, sizeof *midgame);
    uint64_t bytes = table_bytes(memory / 2);
    if (!midgame || !bytes) return free(midgame), NULL;
    midgame->search = new_search(size, size, fewest, memory / 2);
    midgame->block = calloc(1, bytes + sizeof(Row));
    if (!midgame->search || !midgame->block) return free_midgame(midgame), NULL;
    midgame->table = (Row *)(((uintptr_t)midgame->block + sizeof(Row) - 1) / sizeof(Row) * sizeof(Row));
    midgame->mask = bytes / sizeof(Row) - 1;
    in_huge_pages(midgame->table, bytes);
    midgame->size = size, midgame->patterns = patterns, midgame->weights = weights;
    midgame->spread = &spreads[weights != NULL][size == 8][fewest];
    midgame->search->more = more_time, midgame->search->asker = midgame;
    return midgame;
}

/* Forget what was found, so that the next search is the same whatever was searched before. */
static void forget(Midgame *midgame) {
    memset(midgame->table, 0, (midgame->mask + 1) * sizeof(Row));
    midgame->date = 0, midgame->salt = 0;
}

/* The position with the mover's discs as those of colour 0. */
static Stand stand_of(const Midgame *midgame, uint64_t own, uint64_t opp) {
    Stand stand = {.own = own, .opp = opp, .colour = 0};
    uint64_t empty = midgame->search->board & ~(own | opp);
    stand.places = placements_plain(own, opp) & empty, stand.left = count_plain(empty);
    lines_of(midgame->patterns, own, opp, &stand.lines);
    return stand;
}

/* The moves of a position that has some, in the order of their squares; how many. */
static int branches_of(const Midgame *midgame, const Stand *stand, Branch *branches) {
    int count = 0;
    for (uint64_t places = stand->places; places; places &= places - 1) {
        Branch *branch = &branches[count++];
        branch->square = __builtin_ctzll(places), branch->order = 0;
        follow_plain(midgame, stand, branch->square, &branch->after);
    }
    return count;
}

static int deep(Midgame *midgame, const Stand *stand, int depth, int alpha, int beta) {
#ifdef WIDE
    if (descent == search_wide) return deep_wide(midgame, stand, depth, alpha, beta);
#endif
    return deep_plain(midgame, stand, depth, alpha, beta);
}

/* Search all moves `depth` plies deep, the move's own counted, and put the best one first; its value, or a bound of it
   where that lies outside `alpha` to `beta`. Where time runs out, `halted` is set and the best is that of the moves
   that were searched: the first of `branches` as it was, or one that is better. */
static int searched(Midgame *midgame, Branch *branches, int count, int depth, int alpha, int beta) {
    int best = -FAR;
    for (int at = 0; at < count && best < beta; at++) {
        int floor = best > alpha ? best : alpha, scouting = at > 0 && beta - floor > 1;
        int value = -deep(midgame, &branches[at].after, depth - 1, scouting ? -floor - 1 : -beta, -floor);
        if (midgame->halted) break;
        if (value > best) best = value;
        if (value <= floor || !at) continue;
        Branch better = branches[at];
        memmove(branches + 1, branches, (size_t)at * sizeof *branches);
        branches[0] = better;
        if (!scouting || value >= beta) continue;
        value = -deep(midgame, &branches[0].after, depth - 1, -beta, -floor);
        if (!midgame->halted) best = value;
    }
    return best;
}

static void begin_search(Midgame *midgame, int64_t deadline) {
    midgame->date++, midgame->repeatable = deadline == INT64_MAX;
    midgame->deadline = deadline, midgame->halted = 0, midgame->unlooked = 0;
}

/* The value of a position that has moves after a search of `depth` plies, and the best move: the same after `forget`,
   however long it takes; nothing that was found before is believed. As deep as there are empty squares, it is exact. */
static inline int midgame_value(Midgame *midgame, uint64_t own, uint64_t opp, int depth, int *move) {
    Branch branches[MOST_CANDIDATES];
    Stand stand = stand_of(midgame, own, opp);
    int count = branches_of(midgame, &stand, branches), value = 0;
    begin_search(midgame, INT64_MAX);
    if (!midgame->date) forget(midgame);
    midgame->salt = midgame->salt * 0x5851F42D4C957F2DULL + 0x14057B7EF767814FULL;
    if (depth > stand.left) depth = stand.left;
    for (int deeper = 1; deeper <= depth; deeper++) {
        midgame->certainty = deeper < stand.left ? HASTY : PROVEN;
        value = searched(midgame, branches, count, deeper, -FAR, FAR);
    }
    *move = branches[0].square;
    return value;
}

#endif
