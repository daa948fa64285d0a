/* How far searches of different depths lie apart: a row of `spreads` in reversi_midgame.h from searches without cuts. */
#ifndef CHAMPION_CALIBRATE_H
#define CHAMPION_CALIBRATE_H
#include "levels.h"

enum {
    DEEPEST_PAIR = 8,     /* plies of the deepest search */
    LEAST_ENDING = 11,    /* squares that are empty in the endings */
    MOST_ENDING = 16,
    RANDOM_PLIES = 8,
    TERMS = 4,            /* 1, left, depth, shallow */
    PAIR_MEMORY = 32 << 20,
};

/* Sums of least squares: of how far apart a pair of values is, by its terms, and of the values themselves. */
typedef struct {
    double square[TERMS][TERMS], with[TERMS], deep_shallow, shallow_shallow, apart;
    int pairs;
} Sums;

/* The mean of the absolute value of a normal variable is its standard deviation times this. */
static const double MEAN_OF_ABSOLUTE = 0.7978845608;

static void add_pair(Sums *sums, int left, int depth, int shallow, int deeper_value, int shallow_value) {
    double terms[TERMS] = {1, left, depth, shallow}, deeper = (double)deeper_value / POINT, value = (double)shallow_value / POINT;
    double apart = fabs(deeper - value) / MEAN_OF_ABSOLUTE;
    for (int row = 0; row < TERMS; row++) {
        for (int column = 0; column < TERMS; column++) sums->square[row][column] += terms[row] * terms[column];
        sums->with[row] += terms[row] * apart;
    }
    sums->deep_shallow += deeper * value, sums->shallow_shallow += value * value, sums->apart += deeper - value;
    sums->pairs++;
}

/* Print the terms' factors: Gauss's elimination, with a little added to the diagonal, where an ending has nothing. */
static void print_row(Sums *sums) {
    double factor[TERMS];
    for (int row = 0; row < TERMS; row++) sums->square[row][row] += 1e-3 * sums->pairs;
    for (int pivot = 0; pivot < TERMS; pivot++) {
        for (int row = pivot + 1; row < TERMS; row++) {
            double times = sums->square[row][pivot] / sums->square[pivot][pivot];
            for (int column = pivot; column < TERMS; column++)
                sums->square[row][column] -= times * sums->square[pivot][column];
            sums->with[row] -= times * sums->with[pivot];
        }
    }
    for (int row = TERMS - 1; row >= 0; row--) {
        factor[row] = sums->with[row];
        for (int column = row + 1; column < TERMS; column++) factor[row] -= sums->square[row][column] * factor[column];
        factor[row] /= sums->square[row][row];
    }
    printf("{%.3ff, %.4ff, %.4ff, %.4ff}    %d pairs, slope %.3f, mean %+.3f\n", factor[0], factor[1], factor[2],
           factor[3], sums->pairs, sums->deep_shallow / sums->shallow_shallow, sums->apart / sums->pairs);
}

/* Search a position to all depths, without cuts, and add what can be compared. How many squares are empty in an ending
   is left out: what so few of them seem to say goes wrong for more. */
static void compare(Midgame *midgame, const Stand *stand, Sums sums[2]) {
    int value[DEEPEST_PAIR + 1], exact = 0, ending = stand->left >= LEAST_ENDING && stand->left <= MOST_ENDING;
    int deepest = stand->left - 1 < DEEPEST_PAIR ? stand->left - 1 : DEEPEST_PAIR;
    begin_search(midgame, INT64_MAX);
    midgame->certainty = PROVEN;
    for (int depth = 1; depth <= deepest; depth++) {
        value[depth] = deep(midgame, stand, depth, -FAR, FAR);
        for (int shallow = depth - 2; shallow > 0; shallow -= 2)
            add_pair(&sums[0], stand->left, depth, shallow, value[depth], value[shallow]);
    }
    if (ending) exact = deep(midgame, stand, stand->left, -FAR, FAR);
    for (int shallow = 1; ending && shallow <= deepest; shallow++)
        add_pair(&sums[1], 0, 0, shallow, exact, value[shallow]);
}

/* Play games, the first plies at random and then with errors, and compare the searches of a tenth of their positions. */
static void play_and_compare(Midgame *midgame, int positions, uint64_t seed, Sums sums[2]) {
    static const Level player = {2, 0, 1.5f};
    for (int found = 0; found < positions;) {
        uint64_t own, opp;
        first_discs(midgame->search, &own, &opp);
        for (int ply = 0, passed = 0; passed < 2 && found < positions; ply++) {
            Stand stand = stand_of(midgame, own, opp);
            passed = stand.places ? 0 : passed + 1;
            if (stand.places) {
                static const Level guesser = {1, 0, SQUARES};
                int square = erring(midgame, own, opp, ply < RANDOM_PLIES ? &guesser : &player, next_random(&seed)).move;
                if (ply >= RANDOM_PLIES && next_random(&seed) % 10 == 0) compare(midgame, &stand, sums), found++;
                Stand after;
                follow_plain(midgame, &stand, square, &after);
                own = after.own, opp = after.opp;
            } else {
                own = stand.opp, opp = stand.own;
            }
        }
    }
}

/* `words` are SIZE, most or fewest, POSITIONS and SEED; the exit code. */
static int calibrate(char **words, const char *program) {
    int size = atoi(words[0]), fewest = !strcmp(words[1], "fewest"), positions = atoi(words[2]);
    if ((size != 4 && size != 6 && size != 8) || (!fewest && strcmp(words[1], "most")) || positions < 1) {
        fputs("champion: usage: champion calibrate 4|6|8 most|fewest POSITIONS SEED\n", stderr);
        return 2;
    }
    Sums sums[2] = {0};
    prepare();
    Patterns *patterns = new_patterns(size);
    Weights *weights = patterns ? weights_beside(program, patterns, fewest) : NULL;
    Midgame *midgame = patterns ? new_midgame(size, fewest, patterns, weights, PAIR_MEMORY) : NULL;
    if (!midgame) {
        fputs("champion: there is no memory for the search\n", stderr);
        return 1;
    }
    play_and_compare(midgame, positions, strtoull(words[3], NULL, 10), sums);
    printf("%d %s\n", size, words[1]);
    for (int ending = 0; ending < 2; ending++)
        if (sums[ending].pairs) print_row(&sums[ending]);
    free_midgame(midgame), free_weights(weights), free_patterns(patterns);
    return 0;
}

#endif
