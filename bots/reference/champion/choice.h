/* What the champion does with its time: it searches ever deeper, and to the end of the game where it can. */
#ifndef CHAMPION_CHOICE_H
#define CHAMPION_CHOICE_H
#include "reversi_midgame.h"

enum {
    NEAR = 8,      /* the end is tried once a search has come so near it */
    LIGHT = 20,    /* with more empty squares than these only where there is time for it: */
};

/* Nanoseconds that it takes to say who probably wins with `LIGHT` empty squares, and twice that for each square more. */
static const int64_t LIGHT_ENDING = 5000000;

/* What a search found: the best move and its value, how deep it was and how sure. The value of a search to the end that
   is not exact says only who wins: it is above, below or 0. */
typedef struct {
    int move, value, depth, certainty, exact;
} Sight;

/* When a search to the end must have said who probably wins, so that time is left for another where it has not: half of
   the time. 0 where it has no chance to. */
static int64_t endings_deadline(const Midgame *midgame, int left, int64_t began) {
    if (midgame->deadline == INT64_MAX) return INT64_MAX;
    int64_t half = (midgame->deadline - began) / 2;
    return left > LIGHT && LIGHT_ENDING << (left - LIGHT) > half ? 0 : began + half;
}

/* Search to the end, from one to the other of `steps` surer; whether there was time for all. `sight` becomes that of the
   last one that came to its end, within `alpha` to `beta`, and its move the best that is known. */
static int ended(Midgame *midgame, Branch *branches, int count, int left, int alpha, int beta, const int *steps, int last,
                 Sight *sight) {
    for (int step = 0; step < last; step++) {
        midgame->certainty = steps[step];
        int value = searched(midgame, branches, count, left, alpha, beta);
        sight->move = branches[0].square;
        if (midgame->halted) return 0;
        sight->value = value, sight->depth = left, sight->certainty = steps[step];
    }
    return 1;
}

/* Search one ply deeper again and again, to `most_depth` at most, until the deadline by the monotonic clock; with at
   most `most_solved` empty squares, and once a search has come near enough, to the end: who wins, ever surer, then by
   how much. The position must have a move. A win that was proven is not given up for anything. */
static Sight choose(Midgame *midgame, uint64_t own, uint64_t opp, int most_depth, int most_solved, int64_t deadline) {
    static const int who[] = {HASTY, LIKELY, PROVEN}, how_much[] = {HASTY, PROVEN};
    Branch branches[MOST_CANDIDATES];
    Stand stand = stand_of(midgame, own, opp);
    int count = branches_of(midgame, &stand, branches), left = stand.left, whole = left <= most_solved, seen = 0;
    int64_t began = nanoseconds(), half;
    Sight sight = {__builtin_ctzll(stand.places), 0, 0, HASTY, 0};
    begin_search(midgame, deadline);
    midgame->salt = 0;
    for (int depth = 1; depth <= most_depth && (depth < left || depth == 1); depth++) {
        if (whole && depth == left - NEAR + 1 && depth > 1 && (half = endings_deadline(midgame, left, began))) {
            midgame->deadline = half;
            seen = ended(midgame, branches, count, left, -POINT, POINT, who, 1, &sight);
            midgame->deadline = deadline, midgame->halted = 0;
            if (seen) break;
        }
        midgame->certainty = HASTY;
        int value = searched(midgame, branches, count, depth, -FAR, FAR);
        sight.move = branches[0].square;
        if (midgame->halted) return sight;
        sight.value = value, sight.depth = depth;
    }
    if (!whole || !ended(midgame, branches, count, left, -POINT, POINT, who + seen, 3 - seen, &sight)) return sight;
    int won = sight.value < 0 ? -1 : sight.value > 0;
    sight.value = won;
    Sight exact = sight;
    if (won && !ended(midgame, branches, count, left, won > 0 ? 0 : -FAR, won > 0 ? FAR : 0, how_much, 2, &exact)) {
        if (won < 0) sight.move = exact.move;
        return sight;
    }
    exact.exact = 1;
    return exact;
}

#endif
