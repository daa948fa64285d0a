/* How strong the champion plays: levels from 1, a beginner's, to the last one, the best that it can. */
#ifndef CHAMPION_LEVELS_H
#define CHAMPION_LEVELS_H
#include "beside.h"
#include "choice.h"
#include "splitmix.h"

/* A search is so many plies deep at most, and goes to the end with so many empty squares at most. Where there is an
   `error`, every move is judged apart and by chance as many discs too high or too low, standard deviation. */
typedef struct {
    int plies, solved;
    float error;
} Level;

static const Level levels[] = {
    {1, 0, 12}, {1, 0, 4}, {2, 6, 1}, {3, 8, 0}, {4, 10, 0}, {6, 12, 0}, {10, 16, 0}, {SQUARES, SQUARES, 0},
};

enum { LEVELS = sizeof levels / sizeof *levels };

/* The weights in the program's folder; NULL where there is no such file, which is said. */
static Weights *weights_beside(const char *program, const Patterns *patterns, int fewest) {
    char path[MOST_PATH];
    path_beside(program, patterns->size, fewest, "weights", path);
    Weights *weights = read_weights(patterns, fewest, path);
    if (!weights) without(path, "moves, corners and discs are counted");
    return weights;
}

/* A number of mean 0 and standard deviation 1: the sum of twelve from 0 to 1, less 6. */
static float next_error(uint64_t *seed) {
    float sum = -6;
    for (int at = 0; at < 12; at++) sum += (float)(next_random(seed) >> 40) / (float)(1 << 24);
    return sum;
}

/* The best move as whoever errs by chance sees it. */
static Sight erring(Midgame *midgame, uint64_t own, uint64_t opp, const Level *level, uint64_t seed) {
    Branch branches[MOST_CANDIDATES];
    Stand stand = stand_of(midgame, own, opp);
    int count = branches_of(midgame, &stand, branches), whole = stand.left <= level->solved;
    Sight sight = {__builtin_ctzll(stand.places), -2 * FAR, whole ? stand.left : level->plies, whole ? PROVEN : HASTY, 0};
    begin_search(midgame, INT64_MAX);
    midgame->certainty = sight.certainty;
    for (int at = 0; at < count; at++) {
        int value = -deep(midgame, &branches[at].after, sight.depth - 1, -FAR, FAR);
        value += (int)(level->error * POINT * next_error(&seed));
        if (value > sight.value) sight.value = value, sight.move = branches[at].square;
    }
    sight.certainty = HASTY;
    return sight;
}

/* The move of that level for a position that has some, found before the deadline by the monotonic clock. */
static Sight chosen(Midgame *midgame, uint64_t own, uint64_t opp, const Level *level, uint64_t seed, int64_t deadline) {
    if (level->error > 0) return erring(midgame, own, opp, level, seed);
    return choose(midgame, own, opp, level->plies, level->solved, deadline);
}

#endif
