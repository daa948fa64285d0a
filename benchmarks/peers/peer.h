/* What every peer shares: the random stream of a game, and the program around its games.

   peer GAMES RUNKEY plays the games 0 to GAMES - 1 of the run with that key (64 bits, decimal) on one core, the
   same games as the kernel's, and prints one line: games seconds seat0_wins draws seat1_wins plies
   (seconds of the core's time).

   A peer includes this file first and defines prepare() and play(); one that plays several games at once defines
   SIDE_BY_SIDE before and play_all() instead. */

#ifndef PEER_H
#define PEER_H

#define _POSIX_C_SOURCE 199309L
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SEAT0, DRAWN, SEAT1 };

struct ended {
    int how; /* SEAT0 or SEAT1 won, or DRAWN */
    int plies;
};

struct totals {
    uint64_t ends[3]; /* by how */
    uint64_t plies;
};

static void prepare(void);
static struct totals play_all(uint64_t run, uint64_t games);

static const uint64_t GAMMA = 0x9E3779B97F4A7C15u;

static inline uint64_t mix(uint64_t z)
{
    z += GAMMA;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t below(uint64_t *state, uint64_t bound)
{
    uint64_t product = (mix(*state) >> 32) * bound;
    *state += GAMMA;
    if (__builtin_expect((uint32_t)product < bound, 0)) {
        uint64_t unfair = (UINT64_C(1) << 32) % bound;
        while ((uint32_t)product < unfair) {
            product = (mix(*state) >> 32) * bound;
            *state += GAMMA;
        }
    }
    return (uint32_t)(product >> 32);
}

/* The number of the bit with that rank from the lowest. */
static inline int nth_bit(uint64_t word, uint32_t rank)
{
    return __builtin_ctzll(_pdep_u64(UINT64_C(1) << rank, word));
}

/* Whoever is to move after so many plies has lost. */
static inline struct ended lost(int plies)
{
    return (struct ended){plies & 1 ? SEAT0 : SEAT1, plies};
}

#ifndef SIDE_BY_SIDE

static inline struct ended play(uint64_t state);

static struct totals play_all(uint64_t run, uint64_t games)
{
    struct totals totals = {{0, 0, 0}, 0};
    for (uint64_t game = 0; game < games; game++) {
        struct ended ended = play(mix(run ^ game));
        totals.ends[ended.how]++;
        totals.plies += (uint64_t)ended.plies;
    }
    return totals;
}

#endif

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "%s GAMES RUNKEY\n", words[0]);
        return 2;
    }
    uint64_t games = strtoull(words[1], NULL, 10), run = strtoull(words[2], NULL, 10);
    struct timespec start, stop;
    prepare();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    struct totals totals = play_all(run, games);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
    double seconds = (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec);
    printf("%llu %.6f %llu %llu %llu %llu\n", (unsigned long long)games, seconds,
           (unsigned long long)totals.ends[SEAT0], (unsigned long long)totals.ends[DRAWN],
           (unsigned long long)totals.ends[SEAT1], (unsigned long long)totals.plies);
    return 0;
}

#endif
