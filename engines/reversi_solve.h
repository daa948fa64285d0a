/* Reversi positions solved, by the search that suits the processor. */
#ifndef ENGINES_REVERSI_SOLVE_H
#define ENGINES_REVERSI_SOLVE_H
#include "reversi_search.h"

#define LANES 0
#define NAMED(name) name##_plain
#include "reversi_descent.h"
#undef NAMED
#undef LANES

/* GCC and Clang make a second one for processors of x86-64 with AVX2, that is asked for when it runs. */
#if defined __x86_64__ && defined __GNUC__
#define WIDE 1
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#define LANES 1
#define NAMED(name) name##_wide
#include "reversi_descent.h"
#undef NAMED
#undef LANES
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

typedef struct {
    int low, high, move, done;
    uint64_t nodes;
} Found;

static int (*descent)(Search *, uint64_t, uint64_t, int, int) = search_plain;

/* What all searches share; once, before any. */
static void prepare(void) {
    prepare_lines();
#ifdef WIDE
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        descent = search_wide;
#endif
}

/* Proven bounds of a position's value, and a move that reaches the lower one, as `engines.solvers.reversi_search`
   tells it: at most `most` positions are searched, or a few more, and until `*stop` is not 0. */
static inline Found solve(Search *search, uint64_t own, uint64_t opp, int alpha, int beta, uint64_t most,
                   const volatile unsigned char *stop) {
    uint64_t empty = search->board & ~(own | opp), moves = placements_plain(own, opp) & empty;
    search->nodes = 0, search->most = most, search->stop = stop, search->halted = 0;
    if (!moves && !(placements_plain(opp, own) & empty)) {
        int value = final_plain(search, own, opp);
        return (Found){value, value, NO_MOVE, 1, 1};
    }
    if (!moves) {
        Found after = solve(search, opp, own, -beta, -alpha, most, stop);
        return (Found){-after.high, -after.low, PASS, after.done, after.nodes + 1};
    }
    int symmetry = 0;
    if (count_plain(empty) > search->mirrored) symmetry = canonical(search, &own, &opp);
    int value = descent(search, own, opp, alpha, beta);
    Known known = {-search->squares, search->squares, NO_MOVE};
    recall(bucket_of(search, own, opp), own, opp, &known);
    if (!search->halted && value <= alpha && value < known.high) known.high = value;
    uint64_t move = turned_back(search, known.move < SQUARES ? 1ULL << known.move : 0, symmetry);
    return (Found){known.low, known.high, __builtin_ctzll(move ? move : moves), !search->halted, search->nodes};
}

#endif
